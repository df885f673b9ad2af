//! The faults that a reader finds if a file or a sized part ends too early.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{FaultKind, RuleId};
use tracegauge_plan::{Count, Extent, Kind, OpId, flags};

use super::apply::{At, Blame, fault};
use super::twin::Twin;

/// The unit that ends too early: the file or a sized part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    File,
    Part,
}

impl Twin<'_> {
    /// Returns the rule that `op` violates if fewer bytes are left than it declares.
    pub(super) fn past(&self, op: OpId, ends: Ends) -> Option<Option<RuleId>> {
        if ends == Ends::File {
            return fault(self.plan, op, FaultKind::Eof);
        }
        match fault(self.plan, op, FaultKind::Past) {
            Some(Some(rule)) => Some(Some(rule)),
            _ => fault(self.plan, op, FaultKind::Short),
        }
    }

    /// Returns the rule that `op` violates if its value is cut off.
    pub(super) fn cut_off(&self, op: OpId, ends: Ends) -> Option<Option<RuleId>> {
        let kind = match ends {
            Ends::File => FaultKind::Eof,
            Ends::Part => FaultKind::Short,
        };
        fault(self.plan, op, kind)
    }

    /// Returns the rule that a list violates if it requires another element and no bytes are left.
    pub(super) fn missing(&self, op: OpId, ends: Ends) -> Option<Option<RuleId>> {
        match fault(self.plan, op, FaultKind::Missing) {
            Some(Some(rule)) => Some(Some(rule)),
            _ => self.cut_off(op, ends),
        }
    }

    /// Returns the rule that an operation violates if its bytes are missing.
    pub(super) fn unread(&self, op: OpId, ends: Ends) -> Option<Option<RuleId>> {
        match self.plan.op(op).kind {
            Kind::Text(..) | Kind::Bytes(_) | Kind::Sized(_) => self.past(op, ends),
            _ => self.cut_off(op, ends),
        }
    }

    /// Determines the fault that a reader finds inside `id` if the bytes end at `end`. Returns
    /// `None` if the missing bytes are not a fault: for example, a list that extends to the end of
    /// the file may end after any element.
    pub(super) fn blame_end(&self, id: NodeId, end: u64, ends: Ends) -> Option<Blame> {
        let (mut at, mut ends) = (id, ends);
        loop {
            let node = self.node(at);
            if node.span.end <= end {
                return None;
            }
            let declares =
                matches!(self.op(at).kind, Kind::Sized(extent) if extent != Extent::ToEnd);
            if self.is_leaf(at) || declares && at != id {
                return self.blame_value(at, ends);
            }
            if matches!(self.op(at).kind, Kind::Sized(_)) {
                ends = Ends::Part;
            }
            let mut children = self.tree.children(at);
            let next = children.find(|child| self.node(*child).span.end > end)?;
            if self.node(next).span.start >= end {
                if self.op(next).flags & flags::OPTIONAL_REST != 0 {
                    return None;
                }
                if let Kind::Repeat(index) = self.op(at).kind {
                    match self.plan.repeats[index].count {
                        Count::ToEnd => return None,
                        Count::Until(_) => return self.blame_missing(at, end, ends),
                        Count::Computed(_) => {}
                    }
                }
            }
            at = next;
        }
    }

    fn blame_value(&self, id: NodeId, ends: Ends) -> Option<Blame> {
        if self.is_residue(id) {
            return None;
        }
        let op = self.node(id).op;
        let rule = match self.plan.op(op).kind {
            Kind::Text(Extent::ToEnd, _) | Kind::Bytes(Extent::ToEnd) => return None,
            Kind::Terminated(ending) if ending.required => {
                fault(self.plan, op, FaultKind::Terminator)?
            }
            Kind::Terminated(_) => return None,
            _ => self.unread(op, ends)?,
        };
        Some(Blame {
            rule,
            path: self.path(id),
            at: At::Node(id, 0),
        })
    }

    pub(super) fn blame_missing(&self, list: NodeId, end: u64, ends: Ends) -> Option<Blame> {
        // A list inside a located part may start after the end.
        let read = end.checked_sub(self.node(list).span.start)?;
        Some(Blame {
            rule: self.missing(self.node(list).op, ends)?,
            path: self.path(list),
            at: At::Node(list, read),
        })
    }

    /// Returns whether a node inside `id` accepts whatever bytes follow.
    pub(super) fn absorbs(&self, id: NodeId) -> bool {
        let end = self.node(id).end;
        let mut at = id;
        while at < end {
            let kind = &self.op(at).kind;
            let declares = matches!(kind, Kind::Sized(extent) if *extent != Extent::ToEnd);
            if declares && at != id {
                at = self.node(at).end;
                continue;
            }
            let takes_all = match kind {
                Kind::Repeat(index) => self.plan.repeats[*index].count == Count::ToEnd,
                Kind::Text(extent, _) | Kind::Bytes(extent) => *extent == Extent::ToEnd,
                Kind::Sized(extent) => *extent == Extent::ToEnd && !self.is_residue(at),
                Kind::Terminated(ending) => !ending.required,
                Kind::Structure => self.lacks_optional_rest(at),
                _ => false,
            };
            if takes_all || self.is_residue(at) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns whether a structure lacks a field that is present if bytes are left.
    fn lacks_optional_rest(&self, id: NodeId) -> bool {
        let mut fields = self.plan.children(self.node(id).op);
        fields.any(|field| {
            self.plan.op(field).flags & flags::OPTIONAL_REST != 0
                && !self
                    .tree
                    .children(id)
                    .any(|child| self.node(child).op == field)
        })
    }
}
