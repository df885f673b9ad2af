//! Reads single values.

use tracegauge_plan::terms::{BitOrder, Continuation, Endian, EnumId, RuleId};
use tracegauge_plan::{CheckKind, Integer, Kind, Op, OpId, flags};

use super::{Flow, Machine};
use crate::input::Input;
use crate::tree::Payload;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::{Mark, Visitor};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reads an integer that occupies a whole number of bytes.
    #[inline]
    pub(super) fn integer(&mut self, id: OpId, op: &'p Op, integer: Integer) -> Flow {
        let start = self.position;
        let bits = self.take_integer(id, op, integer)?;
        self.number(id, op, start, bits, integer.signed, 0)
    }

    /// Handles a number that has just been read: adds the previous value if the trace stores only a
    /// difference, tests the number, resolves it as a reference and stores it.
    #[inline]
    pub(super) fn number(
        &mut self,
        id: OpId,
        op: &'p Op,
        start: u64,
        bits: u64,
        signed: bool,
        spelling: u8,
    ) -> Flow {
        let mut bits = bits;
        if op.flags & (flags::SLOW | Self::OBEYS) != 0 {
            bits = self.tested_number(id, op, start, bits, signed)?;
        } else if op.flags & flags::SLOT != 0 {
            self.memory.set(op.slot, Value::Int(widen(bits, signed)));
        }
        if self.kept(op) {
            let span = Span {
                start,
                end: self.position,
            };
            self.kept.tree.leaf(id, span, Payload::Bits(bits), spelling);
        }
        Ok(())
    }

    fn tested_number(
        &mut self,
        id: OpId,
        op: &'p Op,
        start: u64,
        bits: u64,
        signed: bool,
    ) -> Flow<u64> {
        let (mut bits, mut signed) = (bits, signed);
        if op.flags & flags::CARRY != 0 {
            bits = self.carried(id, start, bits)?;
            // A number that is computed from an earlier value is never negative.
            signed = false;
        }
        let value = Value::Int(widen(bits, signed));
        if op.flags & flags::SLOT != 0 {
            self.memory.set(op.slot, value);
        }
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        if op.flags & flags::CHECKS != 0 {
            self.checks(id, op, start, value)?;
        }
        if op.flags & flags::REFS != 0 {
            self.reference(id, start, bits)?;
        }
        if op.flags & Self::OBEYS != 0 {
            self.obeyed(id, start, value)?;
        }
        if op.flags & flags::CARRY != 0 {
            self.carried_on(id, bits);
        }
        Ok(bits)
    }

    /// Runs the tests of a value.
    #[inline]
    pub(super) fn checks(&mut self, id: OpId, op: &'p Op, start: u64, value: Value) -> Flow {
        if V::DIRECTS && self.visitor.waits(id) {
            return Ok(());
        }
        let plan = self.plan;
        for (number, check) in plan.tests_of(id).iter().enumerate() {
            if check
                .condition
                .is_some_and(|condition| !self.evaluate(condition, value).truth())
            {
                continue;
            }
            if let CheckKind::InEnum(set) = check.kind {
                self.member(id, set, check.rule, start, value)
                    .map_err(|stop| self.settle_test(id, check.codes(), stop))?;
                continue;
            }
            if self.inside_text(id, &check.kind, start, value)? {
                continue;
            }
            if self.holds_check(&check.kind, value) {
                if V::MARKS {
                    let index = u32::try_from(op.checks.0.index() + number).unwrap_or(u32::MAX);
                    self.visitor.mark(id, Mark::Holds(index));
                    if self.is_at_limit(&check.kind, value) {
                        self.visitor.mark(id, Mark::Reached(index));
                    }
                }
                continue;
            }
            let elsewhere = check
                .blame
                .filter(|blamed| plan.info(*blamed).parent != plan.info(id).parent);
            let span = self.blamed_span(elsewhere, start);
            let blamed = check.blame.unwrap_or(id);
            let message = self.complaint(check.rule, &check.kind, value);
            self.mark_computed(blamed);
            self.breach(blamed, check.rule, span, format_args!("{message}"))
                .map_err(|stop| self.settle_test(id, check.codes(), stop))?;
            self.drop_value(id, start, check.rule);
        }
        Ok(())
    }

    /// Removes a value that breaks a tolerated rule, if the rule says that such a value is absent.
    pub(super) fn drop_value(&mut self, id: OpId, start: u64, rule: Option<RuleId>) {
        let plan = self.plan;
        let first = rule.and_then(|rule| plan.rules[rule].continues.first());
        if first == Some(&Continuation::Absent) {
            self.outcome.no_values.insert((id, start));
            let op = plan.op(id);
            if op.flags & flags::SLOT != 0 {
                self.memory.set(op.slot, Value::Absent);
            }
        }
    }

    /// Returns whether a value equals the minimum or maximum that a test sets.
    fn is_at_limit(&mut self, kind: &CheckKind, value: Value) -> bool {
        let (CheckKind::Min(limit) | CheckKind::Max(limit)) = *kind else {
            return false;
        };
        let limit = self.evaluate(limit, value).integer();
        limit.is_some() && limit == value.integer()
    }

    /// Checks that a value is a member of an enumeration.
    #[inline]
    fn member(
        &mut self,
        id: OpId,
        set: EnumId,
        rule: Option<RuleId>,
        start: u64,
        value: Value,
    ) -> Flow {
        let plan = self.plan;
        let members = &plan.enums[set];
        let Some(number) = value.integer() else {
            return Ok(());
        };
        if let Ok(small) = u8::try_from(number)
            && members.small[usize::from(small / 64)] >> (small % 64) & 1 != 0
        {
            return Ok(());
        }
        let known = members.members.iter().find(|member| member.value == number);
        let rule = match known {
            Some(member) => match member.broken {
                None => return Ok(()),
                broken => broken,
            },
            None => rule,
        };
        if rule.is_none() {
            return Ok(());
        }
        let span = Span {
            start,
            end: self.position,
        };
        self.breach(
            id,
            rule,
            span,
            format_args!("{number} is not a `{}`", members.name),
        )?;
        self.drop_value(id, start, rule);
        // The length of the data after an unknown value cannot be determined, so the rest of the
        // sized part is skipped if the rule says so.
        let skips = rule
            .is_some_and(|rule| plan.rules[rule].continues.first() == Some(&Continuation::Skip));
        match skips && known.is_none() && self.enclosing.parts > 0 {
            true => Err(self.ends_at(id, true)),
            false => Ok(()),
        }
    }

    /// Reads a float.
    pub(super) fn float(&mut self, id: OpId, op: &'p Op, width: u8, endian: Endian) -> Flow {
        let start = self.position;
        let bits = self.take_integer(
            id,
            op,
            Integer {
                width,
                signed: false,
                endian,
                word: 0,
            },
        )?;
        if op.flags & (flags::SLOT | flags::CHECKS | flags::SPAN | Self::OBEYS) != 0 {
            let value = Value::Float(if width == 4 {
                f64::from(f32::from_bits(u32::try_from(bits).unwrap_or_default()))
            } else {
                f64::from_bits(bits)
            });
            if op.flags & flags::SLOT != 0 {
                self.memory.set(op.slot, value);
            }
            self.tested(id, op, start, value)?;
        }
        if self.kept(op) {
            let span = Span {
                start,
                end: self.position,
            };
            self.kept.tree.leaf(id, span, Payload::Bits(bits), 0);
        }
        Ok(())
    }

    /// Runs the tests of a value that is not an integer, and records the rules that the value
    /// exercises.
    pub(super) fn tested(&mut self, id: OpId, op: &'p Op, start: u64, value: Value) -> Flow {
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        if op.flags & flags::CHECKS != 0 {
            self.checks(id, op, start, value)?;
        }
        if op.flags & Self::OBEYS != 0 {
            self.obeyed(id, start, value)?;
        }
        Ok(())
    }

    /// Reads bit fields that together fill whole bytes.
    pub(super) fn bit_run(&mut self, id: OpId, op: &'p Op, width: u8, order: BitOrder) -> Flow {
        let plan = self.plan;
        let start = self.position;
        let endian = match order {
            BitOrder::Little => Endian::Little,
            BitOrder::Big => Endian::Big,
        };
        let run = self.take_integer(
            id,
            op,
            Integer {
                width,
                signed: false,
                endian,
                word: 0,
            },
        )?;
        self.node_keeping(id, op, start, |machine| {
            for field in plan.children(id) {
                let inside = &plan.ops[field.index()];
                if let Kind::Bits { shift, width } = inside.kind {
                    if V::MARKS {
                        machine.visitor.mark(field, Mark::Enter);
                    }
                    let mask = u64::MAX >> (64 - u32::from(width));
                    machine.number(field, inside, start, run >> shift & mask, false, 0)?;
                }
            }
            Ok(())
        })
    }

    /// Runs `inside`. If nodes are stored, encloses the nodes that `inside` adds in a node for the
    /// bytes from `start`, which have already been read.
    fn node_keeping(
        &mut self,
        id: OpId,
        op: &'p Op,
        start: u64,
        inside: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if !V::TREE && self.kept.keeping == 0 {
            return inside(self);
        }
        let _ = op;
        let node = self.kept.tree.open(id, start);
        let flow = inside(self);
        self.kept.tree.close(node, self.position);
        flow
    }
}

/// Converts the bits of a number to an exact integer.
#[inline]
pub(crate) fn widen(bits: u64, signed: bool) -> i128 {
    if signed {
        i128::from(bits.cast_signed())
    } else {
        i128::from(bits)
    }
}
