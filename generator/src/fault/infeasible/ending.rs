//! Proves that something always follows an operation, or that it accepts any bytes, so that ending a
//! part or the file there does not violate a rule.

use std::collections::HashSet;

use tracegauge_plan::{Count, Extent, Kind, OpId, flags};

use super::{Infeasibility, Reasons};

impl Reasons<'_> {
    /// Returns whether an operation reads a single byte.
    pub(in crate::fault) fn is_one_byte(&self, op: OpId) -> bool {
        match self.plan.op(op).kind {
            Kind::Integer(integer) => integer.width == 1,
            Kind::BitRun { width, .. } => width == 1,
            Kind::Variable(_, bits) => bits <= 7,
            Kind::Bytes(Extent::Fixed(size)) | Kind::Text(Extent::Fixed(size), _) => size <= 1,
            Kind::Contents(constant) => self.plan.constants[constant].len() <= 1,
            _ => false,
        }
    }

    /// Returns the list whose elements start with `op`, if the list extends to the end of the file
    /// or of a sized part.
    pub(in crate::fault) fn begins_an_element(&self, op: OpId) -> Option<OpId> {
        let mut at = op;
        loop {
            let [around] = self.outward[at.index()].as_slice() else {
                return None;
            };
            match self.plan.op(*around).kind {
                Kind::Repeat(index) => {
                    let to_end = self.plan.repeats[index].count == Count::ToEnd;
                    return to_end.then_some(*around);
                }
                Kind::Structure if self.plan.children(*around).next() == Some(at) => {}
                Kind::Switch(_) => {}
                _ => return None,
            }
            at = *around;
        }
    }

    /// Returns all operations that can directly or indirectly contain `op`.
    pub(in crate::fault) fn all_around(&self, op: OpId) -> HashSet<OpId> {
        let (mut found, mut open) = (HashSet::new(), vec![op]);
        while let Some(at) = open.pop() {
            for around in &self.outward[at.index()] {
                if found.insert(*around) {
                    open.push(*around);
                }
            }
        }
        found
    }

    /// Returns whether the contents of `op` accept any bytes that follow them. If `whole` is not
    /// set, ignores sized parts with a stored size, because that size excludes the bytes that
    /// follow.
    pub(in crate::fault) fn takes_all(&self, op: OpId, whole: bool) -> bool {
        match self.plan.op(op).kind {
            Kind::Repeat(index) => self.plan.repeats[index].count == Count::ToEnd,
            Kind::Text(extent, _) | Kind::Bytes(extent) => extent == Extent::ToEnd,
            Kind::Sized(extent) => extent == Extent::ToEnd || whole && self.some_inside(op),
            Kind::Terminated(ending) => !ending.required,
            Kind::Structure => self.some_inside(op),
            _ => false,
        }
    }

    fn some_inside(&self, op: OpId) -> bool {
        self.plan.children(op).any(|child| {
            let only_sometimes = flags::GUARD | flags::OPTIONAL_REST;
            self.plan.op(child).flags & only_sometimes == 0 && self.takes_all(child, false)
        })
    }

    /// Returns the reason why no sized part that contains `op` can end right after `op` in
    /// violation of a rule: either further fields always follow, or the part accepts any bytes.
    pub(in crate::fault) fn goes_on(&self, op: OpId) -> Option<Infeasibility> {
        let (mut found, mut known, mut open) = (None, HashSet::new(), vec![op]);
        while let Some(at) = open.pop() {
            for around in &self.outward[at.index()] {
                let reason = match self.plan.op(*around).kind {
                    Kind::Structure if self.is_followed(*around, at) => Infeasibility::GoesOn,
                    Kind::Repeat(index) if self.plan.repeats[index].count == Count::ToEnd => {
                        Infeasibility::TakesAll
                    }
                    Kind::Structure | Kind::Switch(_) | Kind::Repeat(_) | Kind::Call(_) => {
                        if known.insert(*around) {
                            open.push(*around);
                        }
                        continue;
                    }
                    _ => return None,
                };
                found = Some(reason);
            }
        }
        found
    }

    /// Returns whether a field that reads bytes always follows `op` in a structure.
    fn is_followed(&self, structure: OpId, op: OpId) -> bool {
        let mut after = self.plan.children(structure).filter(|child| *child > op);
        after.any(|child| self.takes_bytes(child))
    }

    /// Returns whether an operation always reads at least one byte.
    fn takes_bytes(&self, id: OpId) -> bool {
        let op = self.plan.op(id);
        let takes = match op.kind {
            Kind::Integer(_)
            | Kind::Float { .. }
            | Kind::Variable(..)
            | Kind::BitRun { .. }
            | Kind::Guid(_)
            | Kind::Contents(_) => true,
            Kind::Bytes(Extent::Fixed(size)) | Kind::Text(Extent::Fixed(size), _) => size > 0,
            Kind::Terminated(ending) => ending.required,
            Kind::Structure => {
                let mut inside = self.plan.children(id);
                inside.any(|inside| self.takes_bytes(inside))
            }
            _ => false,
        };
        takes && op.flags & flags::GUARD == 0
    }
}
