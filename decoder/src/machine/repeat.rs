//! Runs repetitions, which read lists of elements.

use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{Count, Op, OpId, RepeatId, StepRange, flags};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::value::{Value, amount};
use crate::verdict::Span;
use crate::visitor::{Mark, Visitor};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Runs an operation repeatedly.
    pub(super) fn repeat(&mut self, id: OpId, op: &'p Op, index: RepeatId) -> Flow {
        let start = self.position;
        self.begin_span(id, op, start);
        let mut number = 0;
        let restored = &self.plan.repeats[index].restored;
        let before: Vec<Value> = restored
            .iter()
            .map(|slot| self.memory.slot(*slot))
            .collect();
        let flow = self.node(id, op, |machine| {
            machine.enclosing.trail.push(0);
            let flow = machine.elements(id, op, index);
            machine.unsettle();
            number = machine.enclosing.trail.pop().unwrap_or_default();
            flow
        });
        for (slot, value) in restored.iter().zip(before) {
            self.memory.set(*slot, value);
        }
        if flow == Err(Stop::Part) {
            self.counted(index, number);
        }
        if V::DIRECTS && flow == Err(Stop::End) {
            V::interrupted(self, id, start, number + 1);
        }
        flow?;
        self.repeated(id, op, index, start, number)
    }

    /// Tests a complete list and stores its length.
    fn repeated(&mut self, id: OpId, op: &'p Op, index: RepeatId, start: u64, number: u64) -> Flow {
        let plan = self.plan;
        let repeat = &plan.repeats[index];
        if V::MARKS {
            self.visitor.mark(id, Mark::Count(number));
        }
        let mut start = start;
        if V::DIRECTS {
            start = self.measured(id, start, number);
        }
        let length = self.counted(index, number);
        if let Some((least, rule)) = repeat.at_least
            && number < least
        {
            let span = Span {
                start,
                end: self.position,
            };
            self.breach(
                id,
                rule,
                span,
                format_args!("{number} elements, expected at least {least}"),
            )?;
        }
        if op.flags & flags::CHECKS != 0 {
            self.checks(id, op, start, length)?;
        }
        self.after(id, op, start)
    }

    /// Stores the number of elements of a list.
    fn counted(&mut self, index: RepeatId, number: u64) -> Value {
        let length = Value::Int(i128::from(number));
        if let Some(slot) = self.plan.repeats[index].length_slot {
            self.memory.set(slot, length);
        }
        length
    }

    fn elements(&mut self, id: OpId, op: &'p Op, index: RepeatId) -> Flow {
        let plan = self.plan;
        let repeat = &plan.repeats[index];
        for (slot, initial) in &repeat.carried {
            let value = self.evaluate(*initial, Value::Absent);
            self.memory.set(*slot, value);
        }
        let count = match repeat.count {
            Count::Computed(_) if self.directs() && V::chooses_size(self, id) => None,
            Count::Computed(code) => {
                // The list has no element yet, so `_index` refers to the enclosing list.
                let count = self.of_list(|machine, _| machine.within(code));
                let count =
                    count.map_or(i128::from(u64::MAX), |count| count.integer().unwrap_or(0));
                if count < 0 {
                    self.of_list(|machine, _| machine.negative(id, op, count))?;
                }
                Some(amount(count).unwrap_or(0))
            }
            Count::ToEnd | Count::Until(_) => None,
        };
        let until = match repeat.count {
            Count::Until(code) => Some(code),
            _ => None,
        };
        let mut keys = self.key_sets(repeat.unique.len());
        let plain = repeat.is_plain();
        let mut occurred = vec![false; repeat.once.len()];
        if !plain {
            self.begin_list(repeat);
        }
        // The bytes of an element that defines a row must be kept until the row is defined.
        let held = u32::from(repeat.defines.is_some());
        let element = OpId(id.0 + 1);
        let described = &plan.ops[element.index()];
        let resets = &plan.info(id).resets;
        let program = self.element_program(element, described);
        let mut number = 0_u64;
        let mut before = self.position;
        let is_swift =
            count.is_none() && until.is_none() && keys.is_empty() && repeat.has_plain_elements();
        // The carried values of an enclosing element, or of another list, say nothing about this list.
        self.unsettle();
        loop {
            // The first condition, which is constant, keeps steps out of the machines that cannot run
            // them. The first element of a list may have tests of its own.
            if Self::PLAIN
                && is_swift
                && (plain || number > 0)
                && let Some(program) = program
            {
                self.swift_elements((id, index), program, &mut number, &mut before)?;
            }
            if count.is_some_and(|count| number >= count) {
                self.keys.append(&mut keys);
                return self.last_done(id, repeat, before);
            }
            if count.is_none() && self.breaks_off(id, op, number, until.is_some()) {
                if until.is_some() {
                    self.missing(id, op)?;
                }
                return self.last_done(id, repeat, before);
            }
            for slot in resets {
                self.memory.set(*slot, Value::Absent);
            }
            before = self.position;
            self.bounded()?;
            let kept = self.kept.tree.mark();
            self.kept.holds += held;
            let flow = match program {
                // Only a constant as the first condition keeps steps out of the machines that
                // cannot run them.
                Some(program)
                    if Self::PLAIN
                        && self.outcome.parted.is_none()
                        && self.element_steps(program) =>
                {
                    Ok(())
                }
                Some(_) if Self::PLAIN => self.slow_element(element, described),
                _ => self.operation(element, described),
            };
            if flow == Err(Stop::Part) {
                number = self.list_short(id, repeat, (before, number), kept)?;
                if let Some(last) = self.enclosing.trail.last_mut() {
                    *last = number;
                }
            }
            let flow = match flow {
                Ok(()) if !plain => self.element_done(id, repeat, (before, number), &mut occurred),
                Err(stop) if number == 0 && self.outcome.open && !repeat.first.is_empty() => {
                    self.out_of_place(id, repeat, before).and(Err(stop))
                }
                flow => flow,
            };
            self.kept.holds -= held;
            flow?;
            if self.position == before && !self.free_element() {
                return self.endless(id);
            }
            if !keys.is_empty() {
                self.unique(id, index, before, &mut keys)?;
            }
            number += 1;
            if let Some(last) = self.enclosing.trail.last_mut() {
                *last = number;
            }
            if self.kept.holds == 0 {
                self.release(kept);
            }
            if let Some(until) = until
                && self.evaluate(until, Value::Absent).truth()
            {
                return self.last_done(id, repeat, before);
            }
        }
    }

    /// Reads elements up to the end of the part, or up to the first element whose program gives up.
    /// Counts the elements, and stores the start of the last one.
    fn swift_elements(
        &mut self,
        (id, index): (OpId, RepeatId),
        program: StepRange,
        number: &mut u64,
        before: &mut u64,
    ) -> Flow {
        let plan = self.plan;
        let (resets, work) = (&plan.info(id).resets, &plan.after_element[index]);
        while self.outcome.parted.is_none() && self.more() {
            for slot in resets {
                self.memory.set(*slot, Value::Absent);
            }
            let start = self.position;
            self.bounded()?;
            if !self.element_steps(program) {
                break;
            }
            self.finish_element(work);
            *before = start;
            if self.position == start && !self.free_element() {
                return self.endless(id);
            }
            *number += 1;
            if let Some(last) = self.enclosing.trail.last_mut() {
                *last = *number;
            }
            if self.kept.holds == 0 {
                self.release(self.kept.tree.mark());
            }
        }
        Ok(())
    }

    /// Reads an element with operations, although it has a program.
    fn slow_element(&mut self, element: OpId, op: &'p Op) -> Flow {
        self.unsettle();
        let flow = self.by_kind(element, op);
        self.unsettle();
        flow
    }

    /// Returns whether a list without a count ends here because no bytes remain for another
    /// element.
    fn breaks_off(&mut self, id: OpId, op: &'p Op, number: u64, until: bool) -> bool {
        if !self.directs() {
            return !self.more();
        }
        if !until {
            return !V::another(self, id, number);
        }
        // An emitter (a visitor that writes the trace) may omit the element that ends a list only
        // if readers tolerate that.
        self.tolerates(self.missing_kind(op), op) && V::breaks_off(self, id, number)
    }

    /// Returns the kind of fault that applies if the input ends where another element is required.
    fn missing_kind(&self, op: &Op) -> FaultKind {
        let rule = self.plan.faults[op.faults].of(FaultKind::Missing);
        match (rule, self.enclosing.parts) {
            (Some(_), _) => FaultKind::Missing,
            (None, 0) => FaultKind::Eof,
            (None, _) => FaultKind::Short,
        }
    }

    /// Reports that the input ends where another element is required. Returns `Ok` if readers
    /// tolerate the missing elements. The list then consists of the elements that are present, and
    /// reading continues after the list.
    #[cold]
    fn missing(&mut self, id: OpId, op: &'p Op) -> Flow {
        let kind = self.missing_kind(op);
        let span = Span {
            start: self.position,
            end: self.position,
        };
        self.of_list(|machine, _| {
            machine.fault_with(id, op, kind, span, format_args!("expected another element"))
        })
    }

    /// Reports a list with an unrealistic number of elements that occupy no bytes.
    #[cold]
    fn endless(&mut self, id: OpId) -> Flow {
        let span = Span {
            start: self.position,
            end: self.position,
        };
        self.of_list(|machine, _| {
            machine.breach(
                id,
                None,
                span,
                format_args!("too many elements that occupy no bytes"),
            )
        })
    }
}
