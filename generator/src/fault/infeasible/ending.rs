//! Proves that, in certain cases, ending a file or sized part too early or too late cannot violate
//! a rule.

use std::collections::HashSet;

use tracegauge_plan::terms::{Encoding, VariableKind};
use tracegauge_plan::{Count, Extent, Kind, OpId, flags};

use super::{Infeasibility, Reasons};
use crate::fault::operator::{CutAt, EncodingForm, PartChange};
use crate::fault::text;

impl Reasons<'_> {
    pub(super) fn cut(&self, op: OpId, at: CutAt) -> Option<Infeasibility> {
        match at {
            CutAt::Inside => self.is_one_byte(op).then_some(Infeasibility::OneByte),
            CutAt::Before => self
                .begins_an_element(op)
                .filter(|list| !self.around[list.index()].part)
                .map(|_| Infeasibility::MayEnd),
        }
    }

    fn is_one_byte(&self, op: OpId) -> bool {
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
    fn begins_an_element(&self, op: OpId) -> Option<OpId> {
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

    pub(super) fn part(&self, op: OpId, change: PartChange) -> Option<Infeasibility> {
        match change {
            PartChange::EndsInside | PartChange::EndsBefore if self.takes_all(op, true) => {
                Some(Infeasibility::TakesAll)
            }
            PartChange::EndsBefore if self.begins_an_element(op).is_some() => {
                Some(Infeasibility::MayEnd)
            }
            PartChange::EndsInside
                if self.is_one_byte(op) && self.begins_an_element(op).is_some() =>
            {
                Some(Infeasibility::MayEnd)
            }
            PartChange::EndsInside | PartChange::EndsBefore => {
                let measured = self.all_around(op).into_iter().any(|around| {
                    let sized = matches!(self.plan.op(around).kind, Kind::Sized(_));
                    sized && self.slots.has_stored_end(around)
                });
                (!measured).then_some(Infeasibility::NoSize)
            }
            PartChange::ExtraByte | PartChange::ExtraBytes => {
                self.takes_all(op, true).then_some(Infeasibility::TakesAll)
            }
            PartChange::LastByteMissing | PartChange::Empty => None,
        }
    }

    /// Returns all operations that can directly or indirectly contain `op`.
    fn all_around(&self, op: OpId) -> HashSet<OpId> {
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
    fn takes_all(&self, op: OpId, whole: bool) -> bool {
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
            let flags = self.plan.op(child).flags;
            flags & flags::OPTIONAL_REST != 0
                || flags & flags::GUARD == 0 && self.takes_all(child, false)
        })
    }

    /// Returns the reason why no sized part that contains `op` can end right after `op` in
    /// violation of a rule: either further fields always follow, or the part accepts any bytes.
    pub(super) fn goes_on(&self, op: OpId) -> Option<Infeasibility> {
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

    pub(super) fn spelling(&self, op: OpId, spelling: EncodingForm) -> Option<Infeasibility> {
        let Kind::Variable(kind, bits) = self.plan.op(op).kind else {
            return None;
        };
        if spelling == EncodingForm::Unterminated {
            let inside = !self.around[op.index()].file;
            return self
                .goes_on(op)
                .filter(|reason| inside && *reason == Infeasibility::GoesOn);
        }
        let most = usize::from(bits).div_ceil(7);
        let spare = most * 7 > usize::from(bits);
        let room = match spelling {
            EncodingForm::OneByteMore => most > 1,
            EncodingForm::MostBytes => most > 2,
            EncodingForm::TooWide => spare,
            EncodingForm::AllOnes => spare && kind != VariableKind::Signed,
            EncodingForm::TooLong | EncodingForm::Unterminated => true,
        };
        (!room).then_some(Infeasibility::NoRoom)
    }

    pub(super) fn ill_formed(&self, op: OpId, class: &str) -> Option<Infeasibility> {
        let kind = &self.plan.op(op).kind;
        let encoding = text::encoding(kind)?;
        let wide = matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
        let (_, bad) = text::classes(encoding)
            .iter()
            .find(|(name, _)| *name == class)?;
        let half = wide && !bad.len().is_multiple_of(2);
        (half && matches!(kind, Kind::Terminated(_))).then_some(Infeasibility::Units)
    }
}
