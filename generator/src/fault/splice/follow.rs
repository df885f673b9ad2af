//! Updates the fields that depend on changed contents.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{CheckPlan, CodeId, Derived, Kind, Measure, OpId, Scale};

use super::Edit;
use super::writer::Writer;
use crate::fault::evaluate::{Assumed, Moment, Value};
use crate::fault::number;
use crate::fault::twin::Twin;

/// A field that stores the size or count of another node.
struct Measured {
    field: NodeId,
    of: NodeId,
    measure: Measure,
    scale: Scale,
}

/// A field that is computed from other fields.
struct Computed {
    field: NodeId,
    /// The structure that must be complete before the value of the field is known.
    whole: NodeId,
    code: CodeId,
    condition: Option<CodeId>,
}

/// The fields that must be updated after an edit, and the edits that these fields depend on.
pub(super) struct Followers {
    measured: Vec<Measured>,
    /// Fields that refer to positions, each with the element that it refers to.
    positions: Vec<(NodeId, NodeId)>,
    computed: Vec<Computed>,
    /// The new values of edited fields.
    values: Vec<(NodeId, i128)>,
    /// The new element counts of lists whose elements are edited.
    counts: Vec<(NodeId, i128)>,
    /// The new contents of edited text fields.
    texts: Vec<(NodeId, Vec<u8>)>,
}

impl Followers {
    pub(super) fn of(writer: &Writer<'_, '_>) -> Self {
        Self {
            measured: writer.measured(),
            positions: writer.positions(),
            computed: writer.computed(),
            values: writer.values(),
            counts: writer.counts(),
            texts: writer.texts(),
        }
    }
}

impl Writer<'_, '_> {
    /// Returns whether a field must not be updated because it is edited or listed in `held`.
    fn is_held(&self, field: NodeId) -> bool {
        let twin = self.twin;
        let run = twin.parent(field).filter(|_| is_bits(twin, field));
        self.splice.held.contains(&field)
            || self.is_edited(field)
            || run.is_some_and(|run| self.is_edited(run))
    }

    /// Returns the fields that are computed from other fields and whose values can be computed from
    /// the tree.
    fn computed(&self) -> Vec<Computed> {
        let twin = self.twin;
        let nodes = 0..NodeId::try_from(twin.tree.nodes.len()).unwrap_or(NodeId::MAX);
        let mut computed = Vec::new();
        for field in nodes {
            let Some(Derived::Computed(code)) = twin.info(field).derived else {
                continue;
            };
            let tested = twin.outward(field).find_map(|whole| {
                let checks = &twin.effects(whole)?.checks;
                let own = |check: &&CheckPlan| check.blame == Some(twin.node(field).op);
                Some((whole, checks.iter().find(own)?.condition))
            });
            let Some((whole, condition)) = tested.filter(|_| !self.is_held(field)) else {
                continue;
            };
            let known = twin.evaluate(code, Moment::after(twin, whole), &Value::Absent);
            let value = twin.integer(field);
            if value.is_some() && known.and_then(|known| known.integer()) == value {
                computed.push(Computed {
                    field,
                    whole,
                    code,
                    condition,
                });
            }
        }
        computed
    }

    /// Returns the values of edited fields.
    fn values(&self) -> Vec<(NodeId, i128)> {
        let mut values = Vec::new();
        for edit in &self.splice.edits {
            if let Edit::Replace { node, bytes } = edit {
                self.values_in(*node, bytes, &mut values);
            }
        }
        values
    }

    /// Adds the values that the fields of a node have if the node consists of these bytes.
    fn values_in(&self, node: NodeId, bytes: &[u8], values: &mut Vec<(NodeId, i128)>) {
        let twin = self.twin;
        let kind = &twin.op(node).kind;
        if let Kind::BitRun { order, .. } = *kind {
            values.extend(twin.tree.children(node).filter_map(|field| {
                let kind = &twin.op(field).kind;
                Some((field, number::bits_of(bytes, order, kind)?))
            }));
            return;
        }
        let wires = number::wire(kind, bytes).zip(number::wire(kind, twin.bytes_of(node)));
        if let (Some((new, old)), Some(value)) = (wires, twin.integer(node)) {
            values.push((node, value + new - old));
        }
    }

    /// Returns the contents of edited text fields.
    fn texts(&self) -> Vec<(NodeId, Vec<u8>)> {
        let edits = self.splice.edits.iter();
        let texts = edits.filter_map(|edit| match edit {
            Edit::Replace { node, bytes } if matches!(self.twin.op(*node).kind, Kind::Text(..)) => {
                Some((*node, bytes.clone()))
            }
            _ => None,
        });
        texts.collect()
    }

    /// Returns the size and count fields to update, each with the node that it measures.
    fn measured(&self) -> Vec<Measured> {
        let twin = self.twin;
        let mut measured = Vec::new();
        for index in 0..twin.tree.nodes.len() {
            let field = NodeId::try_from(index).unwrap_or(NodeId::MAX);
            let Some(Derived::Measured { of, measure, scale }) = &twin.info(field).derived else {
                continue;
            };
            if self.is_held(field) {
                continue;
            }
            if let Some(of) = twin.measured_by(field, *of) {
                measured.push(Measured {
                    field,
                    of,
                    measure: *measure,
                    scale: *scale,
                });
            }
        }
        measured
    }

    /// Returns the fields that refer to positions, each with the element that it refers to.
    fn positions(&self) -> Vec<(NodeId, NodeId)> {
        let twin = self.twin;
        if !twin.plan.tables.iter().any(|table| table.by_offset) {
            return Vec::new();
        }
        let history = twin.history();
        let named = history.references.iter().filter_map(|reference| {
            if !twin.plan.tables[reference.table].by_offset || self.is_edited(reference.node) {
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

    /// Updates the dependent fields after a write. Returns `Some(true)` if any of the fields
    /// changed.
    pub(super) fn follow(&mut self, followers: &Followers) -> Option<bool> {
        let mut changed = false;
        for field in &followers.measured {
            let Some(amount) = self.amount(field) else {
                continue;
            };
            let value = field.scale.value(amount)?;
            changed |= self.set(field.field, value)?;
        }
        for (field, row) in &followers.positions {
            if let Some(span) = self.spans[*row as usize] {
                changed |= self.set(*field, i128::from(span.start))?;
            }
        }
        for field in &followers.computed {
            // A field may be computed from other fields that have just been updated.
            let mut values = followers.values.clone();
            for (node, bytes) in &self.followed {
                self.values_in(*node, bytes, &mut values);
            }
            if let Some(value) = self.computed_value(field, &values, followers) {
                // If the field cannot represent the value, it keeps a wrong value. A reader finds
                // the planted fault first.
                changed |= self.set(field.field, value).unwrap_or(false);
            }
        }
        Some(changed)
    }

    fn computed_value(
        &self,
        field: &Computed,
        values: &[(NodeId, i128)],
        followers: &Followers,
    ) -> Option<i128> {
        let twin = self.twin;
        let at = Moment::after(twin, field.whole).assuming(Assumed {
            values,
            spans: Some(&self.spans),
            counts: &followers.counts,
            texts: &followers.texts,
        });
        let wanted = twin.holds(field.condition, at)?;
        let value = twin.evaluate(field.code, at, &Value::Absent)?.integer()?;
        wanted.then_some(value)
    }

    /// Returns the new size or count of the node that a field measures.
    fn amount(&self, field: &Measured) -> Option<i128> {
        let span = self.spans[field.of as usize]?;
        self.spans[field.field as usize]?;
        if field.measure == Measure::Size {
            return Some(i128::from(span.end - span.start));
        }
        if self.is_edited(field.of) {
            return None;
        }
        Some(self.elements(field.of))
    }

    /// Returns the number of elements of a list after the edits.
    fn elements(&self, list: NodeId) -> i128 {
        let children = self.twin.tree.children(list);
        let count: i128 = children.map(|child| self.elements_at(child)).sum();
        let within = self.actions.get(&list).map_or(0, |a| a.within.len());
        count + i128::try_from(within).unwrap_or_default()
    }

    /// Returns the new element counts of lists whose elements are edited.
    fn counts(&self) -> Vec<(NodeId, i128)> {
        let twin = self.twin;
        let edited = self.actions.keys();
        let mut lists: Vec<NodeId> = edited
            .flat_map(|node| twin.parent(*node).into_iter().chain([*node]))
            .filter(|node| matches!(twin.op(*node).kind, Kind::Repeat(_)))
            .filter(|list| !self.is_edited(*list))
            .collect();
        lists.sort_unstable();
        lists.dedup();
        let counted = lists.into_iter();
        counted.map(|list| (list, self.elements(list))).collect()
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
}

fn is_bits(twin: &Twin<'_>, node: NodeId) -> bool {
    matches!(twin.op(node).kind, Kind::Bits { .. })
}

impl Twin<'_> {
    /// Returns the node of operation `of` that `field` measures.
    pub(in crate::fault) fn measured_by(&self, field: NodeId, of: OpId) -> Option<NodeId> {
        let within = self.holder_of(field, of)?;
        self.first_of(of, within, field)
    }
}
