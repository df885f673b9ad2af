//! Writes the nodes of an edited trace in order.

use std::collections::HashMap;

use tracegauge_decoder::stack;
use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::verdict::Span;
use tracegauge_plan::Kind;

use super::{Edit, Padding, Place, Splice, Spliced, Stretch};
use crate::fault::twin::Twin;

/// The edits at a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Actions {
    pub(super) before: Vec<usize>,
    pub(super) after: Vec<usize>,
    pub(super) within: Vec<usize>,
    pub(super) instead: Option<usize>,
}

/// Rewrites a trace.
pub(super) struct Writer<'t, 'a> {
    pub(super) twin: &'t Twin<'a>,
    pub(super) splice: &'t Splice,
    pub(super) actions: HashMap<NodeId, Actions>,
    /// The new bytes of updated fields.
    pub(super) followed: HashMap<NodeId, Vec<u8>>,
    out: Vec<u8>,
    pub(super) spans: Vec<Option<Span>>,
    edited: Vec<Option<u64>>,
    stretched: Vec<Vec<Stretch>>,
    /// Whether padding whose length cannot change ([`Padding::is_measured`]) would need a different
    /// length.
    misfits: bool,
    part_start: u64,
}

impl<'t, 'a> Writer<'t, 'a> {
    pub(super) fn new(twin: &'t Twin<'a>, splice: &'t Splice) -> Self {
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
            stretched: Vec::new(),
            misfits: false,
            part_start: 0,
        }
    }

    pub(super) fn is_edited(&self, node: NodeId) -> bool {
        self.actions
            .get(&node)
            .is_some_and(|actions| actions.instead.is_some())
    }

    pub(super) fn write(&mut self) {
        self.out.clear();
        self.spans = vec![None; self.twin.tree.nodes.len()];
        self.edited = vec![None; self.splice.edits.len()];
        self.stretched = vec![Vec::new(); self.splice.edits.len()];
        self.misfits = false;
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
            if let Edit::Insert { bytes, padding, .. } = &self.splice.edits[*edit] {
                self.aligned(*edit, bytes, padding);
            }
        }
    }

    /// Writes inserted bytes and adjusts each padding to its new position.
    fn aligned(&mut self, edit: usize, bytes: &[u8], padding: &[Padding]) {
        let mut position = 0;
        for pad in padding {
            let (start, end) = (pad.start.max(position), pad.end.min(bytes.len()));
            self.out.extend_from_slice(&bytes[position..start]);
            let old = end.saturating_sub(start) as u64;
            let wanted = self.padding_wanted(pad.to, pad.from_file);
            self.pad(&bytes[start..end], wanted, pad.fill);
            if wanted != old {
                self.misfits |= pad.is_measured;
                self.stretched[edit].push(Stretch {
                    at: start as u64,
                    by: wanted.cast_signed() - old.cast_signed(),
                });
            }
            position = end;
        }
        self.out.extend_from_slice(&bytes[position..]);
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
            stack::deeper(|| self.children(id));
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
            if twin.is_elsewhere(child) {
                continue;
            }
            let span = twin.node(child).span;
            // Copy the bytes between two fields that belong to neither field.
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

    /// Writes padding, whose length depends on the new position.
    fn align(&mut self, id: NodeId, to: u64, from_file: bool, fill: Option<u8>) {
        let wanted = self.padding_wanted(to, from_file);
        self.pad(self.twin.bytes_of(id), wanted, fill);
    }

    /// Returns the number of bytes needed to align the current position.
    fn padding_wanted(&self, to: u64, from_file: bool) -> u64 {
        let base = if from_file { 0 } else { self.part_start };
        let over = (self.out.len() as u64 - base) % to.max(1);
        if over == 0 { 0 } else { to - over }
    }

    /// Writes `wanted` bytes of padding and reuses the old bytes where possible.
    fn pad(&mut self, old: &[u8], wanted: u64, fill: Option<u8>) {
        for index in 0..usize::try_from(wanted).unwrap_or_default() {
            let byte = old.get(index).copied().or(fill).unwrap_or_default();
            self.out.push(byte);
        }
    }

    pub(super) fn finish(self) -> Option<Spliced> {
        let edited = self.edited.into_iter().collect::<Option<Vec<u64>>>()?;
        if self.misfits {
            return None;
        }
        let mut bytes = self.out;
        if let Some(cut) = self.splice.cut {
            let end = self.spans[cut.node as usize]?.start + cut.keep;
            bytes.truncate(usize::try_from(end).ok()?);
        }
        Some(Spliced {
            bytes,
            spans: self.spans,
            edited,
            stretched: self.stretched,
        })
    }
}
