//! Writing a trace again with some of it changed.
//!
//! What is edited is under attack; everything else follows: sizes and counts of what became
//! longer or shorter, padding, and references to positions. Every other field keeps its
//! bytes. That includes fields that stand for a distance from an earlier one: after an
//! element has been put in or taken out they mean another value than before, which matters
//! to records but breaks no rule by itself.

use std::collections::HashMap;

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::verdict::Span;
use tracegauge_spec::plan::{Derived, Kind, Measure, Plan};

use super::number;
use super::twin::Twin;

/// A change of the bytes of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The node has these bytes.
    Replace {
        /// The node.
        node: NodeId,
        /// Its new bytes.
        bytes: Vec<u8>,
    },
    /// The node is not there.
    Remove {
        /// The node.
        node: NodeId,
    },
    /// Bytes that were not there. Beside an element of a list they are one more element.
    Insert {
        /// Where.
        place: Place,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

/// Where bytes are put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Before a node.
    Before(NodeId),
    /// After a node.
    After(NodeId),
    /// At the end of a node, inside it.
    Within(NodeId),
}

/// The file ends after so many bytes of a node. Nothing follows the cut: sizes and counts
/// claim what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The node.
    pub node: NodeId,
    /// Bytes of it that are left.
    pub keep: u64,
}

/// What is changed, and what does not follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splice {
    /// Changes.
    pub edits: Vec<Edit>,
    /// Fields that keep what they claim although it no longer holds.
    pub held: Vec<NodeId>,
    /// Where the file ends.
    pub cut: Option<Cut>,
}

/// The new bytes, and where everything went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spliced {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The new span of each old node; none for what is not there any more.
    pub spans: Vec<Option<Span>>,
    /// Where the bytes of each edit begin, by the order of the edits.
    pub edited: Vec<u64>,
}

/// Sizes that depend on sizes settle quickly, or never.
const MOST_ROUNDS: usize = 12;

/// Writes a trace with `splice` done to it. `None` where a size does not fit its field or an
/// edit lies inside another.
pub fn splice(plan: &Plan, bytes: &[u8], tree: &Tree, splice: &Splice) -> Option<Spliced> {
    Twin::new(plan, bytes, tree).splice(splice)
}

/// What is done at a node.
#[derive(Clone, Debug, Default)]
struct Actions {
    before: Vec<usize>,
    after: Vec<usize>,
    within: Vec<usize>,
    instead: Option<usize>,
}

/// A field that says how large another element is.
struct Measured {
    field: NodeId,
    of: NodeId,
    measure: Measure,
    factor: i128,
    add: i128,
}

struct Writer<'t, 'a> {
    twin: &'t Twin<'a>,
    splice: &'t Splice,
    actions: HashMap<NodeId, Actions>,
    /// Bytes of fields that follow.
    followed: HashMap<NodeId, Vec<u8>>,
    out: Vec<u8>,
    spans: Vec<Option<Span>>,
    edited: Vec<Option<u64>>,
    part_start: u64,
}

impl Twin<'_> {
    /// Writes the trace with `splice` done to it, as [`splice`] does.
    pub fn splice(&self, splice: &Splice) -> Option<Spliced> {
        let mut writer = Writer::new(self, splice);
        let measured = writer.measured();
        let positions = writer.positions();
        for _ in 0..MOST_ROUNDS {
            writer.write();
            if !writer.follow(&measured, &positions)? {
                return writer.finish();
            }
        }
        None
    }
}

impl<'t, 'a> Writer<'t, 'a> {
    fn new(twin: &'t Twin<'a>, splice: &'t Splice) -> Self {
        let mut actions: HashMap<NodeId, Actions> = HashMap::new();
        for (index, edit) in splice.edits.iter().enumerate() {
            match edit {
                Edit::Replace { node, .. } | Edit::Remove { node } => {
                    actions.entry(*node).or_default().instead = Some(index);
                }
                Edit::Insert { place, .. } => match place {
                    Place::Before(node) => actions.entry(*node).or_default().before.push(index),
                    Place::After(node) => actions.entry(*node).or_default().after.push(index),
                    Place::Within(node) => actions.entry(*node).or_default().within.push(index),
                },
            }
        }
        Self {
            twin,
            splice,
            actions,
            followed: HashMap::new(),
            out: Vec::new(),
            spans: Vec::new(),
            edited: Vec::new(),
            part_start: 0,
        }
    }

    fn is_edited(&self, node: NodeId) -> bool {
        self.actions
            .get(&node)
            .is_some_and(|actions| actions.instead.is_some())
    }

    /// Fields that follow, each with what it measures.
    fn measured(&self) -> Vec<Measured> {
        let twin = self.twin;
        let mut measured = Vec::new();
        for index in 0..twin.tree.nodes.len() {
            let field = NodeId::try_from(index).unwrap_or(NodeId::MAX);
            let Some(Derived::Measured {
                of,
                measure,
                factor,
                add,
            }) = &twin.info(field).derived
            else {
                continue;
            };
            let run = twin.parent(field).filter(|_| is_bits(twin, field));
            if self.splice.held.contains(&field)
                || self.is_edited(field)
                || run.is_some_and(|run| self.is_edited(run))
            {
                continue;
            }
            if let Some(of) = twin.measured_by(field, *of) {
                measured.push(Measured {
                    field,
                    of,
                    measure: *measure,
                    factor: *factor,
                    add: *add,
                });
            }
        }
        measured
    }

    /// References to positions, each with the element that it names.
    fn positions(&self) -> Vec<(NodeId, NodeId)> {
        let twin = self.twin;
        if !twin.plan.tables.iter().any(|table| table.by_offset) {
            return Vec::new();
        }
        let history = twin.history();
        let named = history.references.iter().filter_map(|reference| {
            if !twin.plan.tables[reference.table as usize].by_offset
                || self.is_edited(reference.node)
            {
                return None;
            }
            let row = history
                .definitions
                .iter()
                .find(|row| row.table == reference.table && row.key == reference.key)?;
            Some((reference.node, row.node))
        });
        named.collect()
    }

    fn write(&mut self) {
        self.out.clear();
        self.spans = vec![None; self.twin.tree.nodes.len()];
        self.edited = vec![None; self.splice.edits.len()];
        self.part_start = 0;
        if self.twin.tree.nodes.is_empty() {
            return;
        }
        self.node(0);
        let end = self.twin.node(0).span.end;
        let tail = self.twin.slice(end, self.twin.bytes.len() as u64);
        self.out.extend_from_slice(tail);
    }

    fn node(&mut self, id: NodeId) {
        let Some(actions) = self.actions.get(&id).cloned() else {
            return self.content(id, None);
        };
        self.insert(&actions.before);
        match actions.instead {
            Some(edit) => self.replace(id, edit),
            None => self.content(id, Some(&actions.within)),
        }
        self.insert(&actions.after);
    }

    fn replace(&mut self, id: NodeId, edit: usize) {
        let start = self.out.len() as u64;
        self.edited[edit] = Some(start);
        if let Edit::Replace { bytes, .. } = &self.splice.edits[edit] {
            self.out.extend_from_slice(bytes);
            self.spans[id as usize] = Some(Span {
                start,
                end: self.out.len() as u64,
            });
            if matches!(self.twin.op(id).kind, Kind::BitRun { .. }) {
                for child in self.twin.tree.children(id) {
                    self.spans[child as usize] = self.spans[id as usize];
                }
            }
        }
    }

    fn insert(&mut self, edits: &[usize]) {
        for edit in edits {
            self.edited[*edit] = Some(self.out.len() as u64);
            if let Edit::Insert { bytes, .. } = &self.splice.edits[*edit] {
                self.out.extend_from_slice(bytes);
            }
        }
    }

    fn content(&mut self, id: NodeId, within: Option<&[usize]>) {
        let twin = self.twin;
        let start = self.out.len() as u64;
        let kind = &twin.op(id).kind;
        let outer = self.part_start;
        if matches!(kind, Kind::Sized(_)) && !twin.is_residue(id) {
            self.part_start = start;
        }
        if let Some(bytes) = self.followed.get(&id) {
            self.out.extend_from_slice(bytes);
        } else if let Kind::Align {
            to,
            from_file,
            fill,
        } = kind
        {
            self.align(id, *to, *from_file, *fill);
        } else if twin.is_leaf(id) {
            self.out.extend_from_slice(twin.bytes_of(id));
        } else {
            self.children(id);
        }
        self.insert(within.unwrap_or_default());
        self.part_start = outer;
        let span = Some(Span {
            start,
            end: self.out.len() as u64,
        });
        self.spans[id as usize] = span;
        if matches!(kind, Kind::BitRun { .. }) {
            for child in twin.tree.children(id) {
                self.spans[child as usize] = span;
            }
        }
    }

    fn children(&mut self, id: NodeId) {
        let twin = self.twin;
        let mut position = twin.node(id).span.start;
        for child in twin.tree.children(id) {
            let span = twin.node(child).span;
            // Bytes between fields that belong to none of them.
            if span.start > position {
                self.out.extend_from_slice(twin.slice(position, span.start));
            }
            self.node(child);
            position = position.max(span.end);
        }
        let end = twin.node(id).span.end;
        if end > position {
            self.out.extend_from_slice(twin.slice(position, end));
        }
    }

    /// Padding is as long as the new position wants.
    fn align(&mut self, id: NodeId, to: u64, from_file: bool, fill: Option<u8>) {
        let old = self.twin.bytes_of(id);
        let base = if from_file { 0 } else { self.part_start };
        let over = (self.out.len() as u64 - base) % to.max(1);
        let wanted = if over == 0 { 0 } else { to - over };
        for index in 0..usize::try_from(wanted).unwrap_or_default() {
            let byte = old.get(index).copied().or(fill).unwrap_or_default();
            self.out.push(byte);
        }
    }

    /// Brings the fields that follow up to what was written. `Some(true)` where any changed.
    fn follow(&mut self, measured: &[Measured], positions: &[(NodeId, NodeId)]) -> Option<bool> {
        let mut changed = false;
        for field in measured {
            let Some(amount) = self.amount(field) else {
                continue;
            };
            let value = amount.checked_mul(field.factor)?.checked_add(field.add)?;
            changed |= self.set(field.field, value)?;
        }
        for (field, row) in positions {
            if let Some(span) = self.spans[*row as usize] {
                changed |= self.set(*field, i128::from(span.start))?;
            }
        }
        Some(changed)
    }

    /// How much there is now of what a field measures.
    fn amount(&self, field: &Measured) -> Option<i128> {
        let span = self.spans[field.of as usize]?;
        self.spans[field.field as usize]?;
        if field.measure == Measure::Size {
            return Some(i128::from(span.end - span.start));
        }
        if self.is_edited(field.of) {
            return None;
        }
        let children = self.twin.tree.children(field.of);
        let count: i128 = children.map(|child| self.elements_at(child)).sum();
        let within = self.actions.get(&field.of).map_or(0, |a| a.within.len());
        Some(count + i128::try_from(within).ok()?)
    }

    fn elements_at(&self, child: NodeId) -> i128 {
        let Some(actions) = self.actions.get(&child) else {
            return 1;
        };
        let removed = actions
            .instead
            .is_some_and(|edit| matches!(self.splice.edits[edit], Edit::Remove { .. }));
        let inserted = actions.before.len() + actions.after.len();
        i128::try_from(inserted).unwrap_or_default() + i128::from(!removed)
    }

    fn set(&mut self, field: NodeId, value: i128) -> Option<bool> {
        let twin = self.twin;
        let kind = &twin.op(field).kind;
        let (place, bytes) = if is_bits(twin, field) {
            let run = twin.parent(field)?;
            let Kind::BitRun { order, .. } = twin.op(run).kind else {
                return None;
            };
            let old = self
                .followed
                .get(&run)
                .map_or(twin.bytes_of(run), Vec::as_slice);
            (run, number::with_bits(old, order, kind, value)?)
        } else if twin.integer(field) == Some(value) {
            (field, twin.bytes_of(field).to_vec())
        } else {
            (field, number::encode(kind, value)?)
        };
        let old = self
            .followed
            .get(&place)
            .map_or(twin.bytes_of(place), Vec::as_slice);
        if *old == *bytes {
            return Some(false);
        }
        self.followed.insert(place, bytes);
        Some(true)
    }

    fn finish(self) -> Option<Spliced> {
        let edited = self.edited.into_iter().collect::<Option<Vec<u64>>>()?;
        let mut bytes = self.out;
        if let Some(cut) = self.splice.cut {
            let end = self.spans[cut.node as usize]?.start + cut.keep;
            bytes.truncate(usize::try_from(end).ok()?);
        }
        Some(Spliced {
            bytes,
            spans: self.spans,
            edited,
        })
    }
}

fn is_bits(twin: &Twin<'_>, node: NodeId) -> bool {
    matches!(twin.op(node).kind, Kind::Bits { .. })
}

impl Twin<'_> {
    /// The node of `of` that the field `field` measures.
    pub(super) fn measured_by(
        &self,
        field: NodeId,
        of: tracegauge_spec::plan::OpId,
    ) -> Option<NodeId> {
        let within = self.holder_of(field, of)?;
        self.first_of(of, within, field)
    }
}
