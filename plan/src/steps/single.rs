//! Steps for single values.

use super::fuse::{Fuser, Mode};
use super::live::matters;
use super::{Leaf, Nests, Show, Step, StepTests, Tests, TextSize, Units};
use crate::formula::Formula;
use crate::terms::{BitOrder, Encoding, Endian};
use crate::{
    CarryId, CheckKind, CheckPlan, Code, CodeId, Extent, Integer, Kind, NestedForm, Op, OpId,
    RefsId, Slot, flags,
};

impl Leaf {
    /// Returns whether the value is unused.
    pub fn is_idle(&self) -> bool {
        self.is_plain() && self.show == Show::Mute
    }

    /// Returns whether the value is neither tested nor stored nor computed from an earlier value. A
    /// record may still contain the value.
    pub fn is_plain(&self) -> bool {
        self.tests == Tests::None && self.slot == Slot::NONE && self.carry.is_none()
    }
}

impl Fuser<'_> {
    /// Adds the step for a single value.
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
                // A slot or test needs the float's value, but the step reads only its bits.
                if !leaf.is_plain() {
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
            Kind::BitRun { width, order } if mode != Mode::Shown => {
                self.run(id, (width, order), mode, out)
            }
            Kind::Terminated(ending) if ending.pad.is_none() && ending.terminator.is_some() => {
                let leaf = self.leaf(id, op, mode)?;
                out.push(Step::Terminated(ending, leaf));
                Some(())
            }
            _ => None,
        }
    }

    /// Adds the steps for bit fields that together fill whole bytes. No steps are added for unused
    /// bit fields.
    fn run(
        &mut self,
        id: OpId,
        (width, order): (u8, BitOrder),
        mode: Mode,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        self.leaf(id, self.plan.op(id), mode)?;
        let endian = match order {
            BitOrder::Little => Endian::Little,
            BitOrder::Big => Endian::Big,
        };
        out.push(Step::Word(Integer {
            width,
            signed: false,
            endian,
            word: 0,
        }));
        for field in self.plan.children(id) {
            let op = self.plan.op(field);
            let Kind::Bits { shift, width } = op.kind else {
                return None;
            };
            let leaf = self.leaf(field, op, mode)?;
            if !leaf.is_idle() {
                out.push(Step::Bits(shift, width, leaf));
            }
        }
        Some(())
    }

    /// Returns the data that a program needs about a type code whose values contain other values,
    /// in addition to the contained values.
    pub(super) fn nests(&mut self, id: OpId) -> Option<Nests> {
        const ODD: u32 = flags::GUARD
            | flags::CHECKS
            | flags::CARRY
            | flags::ENDING
            | flags::SHOWS
            | flags::CAPTURE
            | flags::OPTIONAL_REST;
        let op = self.plan.op(id);
        let Kind::Nested(index) = op.kind else {
            return None;
        };
        let nested = &self.plan.nested[index];
        let asked = |slot: Slot| self.asked(slot, Mode::Record) > 0;
        let own = op.flags & flags::SLOT != 0 && asked(op.slot);
        let length = nested.length_slot.is_some_and(asked);
        let spans = self.uses.spans(self.plan, id).is_some();
        if op.flags & ODD != 0 || own || length || spans {
            return None;
        }
        let NestedForm::Counted(count) = nested.form else {
            return Some(Nests { count: None });
        };
        let count_op = self.plan.op(count);
        let Kind::Integer(integer) = count_op.kind else {
            return None;
        };
        let leaf = self.leaf(count, count_op, Mode::Record)?;
        let plain = leaf.tests == Tests::None && leaf.carry.is_none();
        (plain && count_op.flags & flags::GUARD == 0).then_some(Nests {
            count: Some((integer, leaf.slot)),
        })
    }

    /// Returns how steps handle a list of code units that is presented as a string.
    pub(super) fn units(&mut self, id: OpId) -> Option<Units> {
        let op = self.plan.op(id);
        let Kind::Text(Extent::ToEnd, encoding) = op.kind else {
            return None;
        };
        let around = self.plan.info(id).parent?;
        let Kind::Layout(layout) = self.plan.op(around).kind else {
            return None;
        };
        let codes = &self.plan.layouts[layout].codes;
        let shows = codes.iter().any(|code| code.units == Some(id));
        (shows && op.flags & flags::GUARD == 0).then_some(())?;
        Some(Units {
            encoding,
            read: self.leaf(id, op, Mode::Read)?,
            shown: self.leaf(id, op, Mode::Shown)?,
        })
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
        if leaf.is_idle() {
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
        let size = self.size(extent)?;
        let leaf = self.leaf(id, op, mode)?;
        let unseen = leaf.is_idle();
        match (size, encoding) {
            (TextSize::Fixed(size), None) if unseen => skip(out, size),
            _ => out.push(Step::Text(size, encoding, leaf)),
        }
        Some(())
    }

    /// Returns how a value is handled: its slot, its tests, its presentation, and how it is
    /// computed from an earlier value. Returns `None` if a step cannot handle the value.
    pub(super) fn leaf(&mut self, id: OpId, op: &Op, mode: Mode) -> Option<Leaf> {
        const ODD: u32 = flags::OPTIONAL_REST | flags::CAPTURE | flags::ENDING;
        let spans = self.uses.spans(self.plan, id).is_some();
        if op.flags & ODD != 0 || spans || self.complete {
            return None;
        }
        let asked = op.flags & flags::SLOT != 0 && self.asked(op.slot, mode) > 0;
        Some(Leaf {
            op: id,
            slot: if asked { op.slot } else { Slot::NONE },
            tests: self.tests(id, op)?,
            carry: self.carry(id, op)?,
            show: if mode == Mode::Shown {
                self.show(id)?
            } else {
                Show::Mute
            },
        })
    }

    /// Returns the number of reads of a slot, including reads by records unless `mode` is
    /// [`Mode::Read`].
    pub(super) fn asked(&self, slot: Slot, mode: Mode) -> u32 {
        let records = if mode == Mode::Read {
            0
        } else {
            self.uses.records(slot)
        };
        self.uses.others(slot) + records
    }

    /// Returns the small numbers that a test allows, as a bit mask. Returns `None` if the test
    /// allows any other value.
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
                Code::Bool(value) => Some(bits | 1 << u32::from(value)),
                _ => None,
            })
    }

    fn tests(&mut self, id: OpId, op: &Op) -> Option<Tests> {
        let (plan, info) = (self.plan, self.plan.info(id));
        let checks = plan.tests_of(id);
        let pure_checks = checks.iter().all(|check| self.pure_test(check));
        let refs = info.refs.map(|refs| &plan.refs[refs]);
        let refs_plain = refs.is_none_or(|refs| {
            let none = refs.none.is_none_or(|none| self.pure(none));
            refs.condition.is_none() && none
        });
        let mut shows = info.obeys.iter().filter_map(|(_, when)| *when);
        let shown = op.flags & flags::SHOWS != 0;
        if !pure_checks || !refs_plain || (shown && !shows.all(|when| self.pure(when))) {
            return None;
        }
        if shown {
            return Some(self.shown_tests(id, op, checks, info.refs));
        }
        Some(match (checks, info.refs) {
            ([], None) => Tests::None,
            ([], Some(refs)) => Tests::Reference(refs),
            (checks, refs) => self.tested(op, checks, refs),
        })
    }

    /// Returns how the tests of a value run that can exercise a rule.
    fn shown_tests(
        &mut self,
        id: OpId,
        op: &Op,
        checks: &[CheckPlan],
        refs: Option<RefsId>,
    ) -> Tests {
        let plan = self.plan;
        let obeys = plan.info(id).obeys.iter();
        let relevant = obeys.filter(|(rule, _)| matters(plan, *rule));
        let shows = relevant.map(|(_, when)| self.expressible((*when)?));
        let shows: Option<Vec<Formula>> = shows.collect();
        match (shows, self.step_tests(checks)) {
            (Some(shows), Some(tests)) if is_number(op) => {
                Tests::Shows(self.tests.push(StepTests { tests, refs, shows }))
            }
            _ => Tests::Any,
        }
    }

    /// Returns how the tests of a value run.
    fn tested(&mut self, op: &Op, checks: &[CheckPlan], refs: Option<RefsId>) -> Tests {
        if let ([check], None) = (checks, refs)
            && check.condition.is_none()
        {
            if let CheckKind::InEnum(set) = check.kind {
                return Tests::Member(set);
            }
            if let Some(known) = self.among(&check.kind) {
                return Tests::Among(known);
            }
        }
        match self.step_tests(checks).filter(|_| is_number(op)) {
            Some(tests) => Tests::Listed(self.tests.push(StepTests {
                tests,
                refs,
                shows: Vec::new(),
            })),
            None => Tests::Any,
        }
    }

    /// Returns the index into the plan's carries for the field, or `Some(None)` if the value of the
    /// field does not depend on an earlier value. Returns `None` if the value depends on an earlier
    /// value in a way that steps cannot compute.
    fn carry(&self, id: OpId, op: &Op) -> Option<Option<CarryId>> {
        if op.flags & flags::CARRY == 0 {
            return Some(None);
        }
        let index = self.plan.info(id).carry?;
        let carry = &self.plan.carries[index];
        let numeric = matches!(op.kind, Kind::Integer(_) | Kind::Variable(..));
        // A value that is not a number is carried over unchanged.
        let is_text = matches!(op.kind, Kind::Guid(_) | Kind::Bytes(_) | Kind::Text(..));
        let tested = op.flags & (flags::CHECKS | flags::REFS | flags::SHOWS) != 0;
        let copied = is_text && !carry.add && carry.then.is_none() && carry.register.is_none();
        let then_pure = carry.then.is_none_or(|then| self.pure(then));
        let own = carry.previous.is_none_or(|slot| slot == op.slot);
        let known = carry.register.is_some() != carry.previous.is_some();
        // Steps add unsigned numbers only.
        let possible = numeric && !op.kind.is_signed() || (copied && !tested);
        (possible && then_pure && own && known).then_some(Some(index))
    }
}

/// Returns whether an operation reads an integer.
fn is_number(op: &Op) -> bool {
    matches!(
        op.kind,
        Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. }
    )
}

/// Adds a step that skips bytes. The step is merged with a preceding skip, unless that skip belongs
/// to a condition or span.
fn skip(out: &mut Vec<Step>, size: u32) {
    let length = out.len();
    let conditional = out.iter().enumerate().any(|(at, step)| match step {
        Step::If(_, _, count) | Step::Span(_, _, count) => at + 1 + *count as usize == length,
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
