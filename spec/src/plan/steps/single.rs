//! Single values.

use super::super::{CheckKind, Code, CodeId, Extent, Integer, Kind, Op, OpId, Slot, flags};
use super::fuse::{Fuser, Mode};
use super::pure::pure;
use super::{Leaf, Show, Step, Tests, TextSize};
use crate::schema::Encoding;

impl Fuser<'_> {
    /// The step of a single value.
    pub(super) fn single(
        &mut self,
        id: OpId,
        op: &Op,
        mode: Mode,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        match op.kind {
            Kind::Integer(integer) => self.integer(id, op, integer, mode, out),
            Kind::Float { width, endian } => {
                let integer = Integer {
                    width,
                    signed: false,
                    endian,
                    word: 0,
                };
                let leaf = self.leaf(id, op, mode)?;
                // A float in a slot or under test is more than its bits.
                if leaf.tests != Tests::None || leaf.slot != Slot::NONE {
                    return None;
                }
                self.integer(id, op, integer, mode, out)
            }
            Kind::Variable(kind, bits) => {
                let leaf = self.leaf(id, op, mode)?;
                out.push(Step::Variable(kind, bits, leaf));
                Some(())
            }
            Kind::Text(extent, encoding) => self.text(id, op, (extent, Some(encoding)), mode, out),
            Kind::Bytes(extent) => self.text(id, op, (extent, None), mode, out),
            Kind::Guid(_) => self.text(id, op, (Extent::Fixed(16), None), mode, out),
            _ => None,
        }
    }

    fn integer(
        &mut self,
        id: OpId,
        op: &Op,
        integer: Integer,
        mode: Mode,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        let leaf = self.leaf(id, op, mode)?;
        if leaf.tests == Tests::None && leaf.slot == Slot::NONE && leaf.show == Show::Mute {
            skip(out, u32::from(integer.width));
        } else {
            out.push(Step::Integer(integer, leaf));
        }
        Some(())
    }

    fn text(
        &mut self,
        id: OpId,
        op: &Op,
        (extent, encoding): (Extent, Option<Encoding>),
        mode: Mode,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        let size = match extent {
            Extent::Fixed(size) => TextSize::Fixed(u32::try_from(size).ok()?),
            Extent::Computed(code) if pure(self.plan, code) => TextSize::Computed(code),
            Extent::Computed(_) | Extent::ToEnd => return None,
        };
        let leaf = self.leaf(id, op, mode)?;
        let unseen =
            leaf.tests == Tests::None && leaf.slot == Slot::NONE && leaf.show == Show::Mute;
        match (size, encoding) {
            (TextSize::Fixed(size), None) if unseen => skip(out, size),
            _ => out.push(Step::Text(size, encoding, leaf)),
        }
        Some(())
    }

    /// What is done with a value.
    pub(super) fn leaf(&self, id: OpId, op: &Op, mode: Mode) -> Option<Leaf> {
        const ODD: u32 =
            flags::SPAN | flags::SHOWS | flags::OPTIONAL_REST | flags::CAPTURE | flags::ENDING;
        if op.flags & ODD != 0 || self.complete {
            return None;
        }
        let asked = op.flags & flags::SLOT != 0 && self.asked(op.slot, mode) > 0;
        Some(Leaf {
            op: id,
            slot: if asked { op.slot } else { Slot::NONE },
            tests: self.tests(id, op)?,
            show: if mode == Mode::Shown {
                self.show(id)?
            } else {
                Show::Mute
            },
        })
    }

    /// How often a slot is read.
    pub(super) fn asked(&self, slot: Slot, mode: Mode) -> u32 {
        let records = if mode == Mode::Read {
            0
        } else {
            self.uses.records(slot)
        };
        self.uses.others(slot) + records
    }

    /// The few small numbers that a test allows, as bits.
    fn among(&self, test: &CheckKind) -> Option<u32> {
        let codes: &[CodeId] = match test {
            CheckKind::Equal(code) => std::slice::from_ref(code),
            CheckKind::AnyOf(codes) => codes,
            _ => return None,
        };
        codes
            .iter()
            .try_fold(0, |bits, code| match self.plan.codes[code.index()] {
                Code::Int(number @ 0..32) => Some(bits | 1 << number),
                _ => None,
            })
    }

    fn tests(&self, id: OpId, op: &Op) -> Option<Tests> {
        let (plan, info) = (self.plan, self.plan.info(id));
        let first = op.checks.0.0 as usize;
        let checks = &plan.checks[first..first + usize::from(op.checks.1)];
        let checks_pure = checks.iter().all(|check| {
            let codes: &[CodeId] = match &check.kind {
                // These look into a text, which no step does.
                CheckKind::Json(_) | CheckKind::Signature(_) => return false,
                CheckKind::Equal(code)
                | CheckKind::Min(code)
                | CheckKind::Max(code)
                | CheckKind::Holds(code) => std::slice::from_ref(code),
                CheckKind::AnyOf(codes) => codes,
                CheckKind::InEnum(_) | CheckKind::InFlags(_) | CheckKind::NotEmpty => &[],
            };
            check
                .condition
                .iter()
                .chain(codes)
                .all(|code| pure(plan, *code))
        });
        let refs = info.refs.map(|refs| &plan.refs[refs as usize]);
        let refs_plain = refs.is_none_or(|refs| refs.condition.is_none());
        (checks_pure && refs_plain).then_some(())?;
        if op.flags & flags::CARRY != 0 {
            let index = info.carry?;
            let carry = &plan.carries[index as usize];
            let numeric = matches!(op.kind, Kind::Integer(_) | Kind::Variable(..));
            let then_pure = carry.then.is_none_or(|then| pure(plan, then));
            // A value of the previous element would be lost if the steps gave up later.
            let register = carry.register.is_some() && carry.previous.is_none();
            return (numeric && then_pure && register).then_some(Tests::Carried(index));
        }
        Some(match (checks, info.refs) {
            ([], None) => Tests::None,
            ([], Some(refs)) => Tests::Reference(refs),
            ([check], None) if check.condition.is_none() => match check.kind {
                CheckKind::InEnum(set) => Tests::Member(set),
                _ => self.among(&check.kind).map_or(Tests::Any, Tests::Among),
            },
            _ => Tests::Any,
        })
    }
}

/// Passes over bytes, together with those before them, unless those depend on a condition.
fn skip(out: &mut Vec<Step>, size: u32) {
    let length = out.len();
    let conditional = out.iter().enumerate().any(|(at, step)| match step {
        Step::If(_, _, count) => at + 1 + *count as usize == length,
        _ => false,
    });
    if !conditional
        && let Some(Step::Skip(before)) = out.last_mut()
        && let Some(sum) = before.checked_add(size)
    {
        *before = sum;
        return;
    }
    out.push(Step::Skip(size));
}
