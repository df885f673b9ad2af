//! Processes the elements of a list: checks rules about their order, defines rows by element index,
//! evaluates queries over the whole list, and handles values that an element takes from the
//! previous element.

use tracegauge_plan::terms::ReaderDuty;
use tracegauge_plan::{CheckPlan, FoldPlan, OpId, Pick, RepeatPlan, flags};

use super::{Flow, Machine};
use crate::input::Input;
use crate::tree::{Node, NodeId, Payload, Tree};
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Prepares to read a list: resets the results of its queries and the values that its first
    /// element would take from a previous element.
    pub(super) fn begin_list(&mut self, repeat: &'p RepeatPlan) {
        for previous in &repeat.previous {
            let initial = self.evaluate(previous.initial, Value::Absent);
            self.memory.set(previous.slot, initial);
        }
        for fold in &repeat.folds {
            let start = match fold.pick {
                Pick::Count => Value::Int(0),
                Pick::All(_) => {
                    self.picked.push(Vec::new());
                    Value::Picked(u32::try_from(self.picked.len() - 1).unwrap_or(u32::MAX))
                }
                Pick::First(seen) => {
                    self.memory.set(seen, Value::Bool(false));
                    Value::Absent
                }
                Pick::Last | Pick::Least | Pick::Greatest => Value::Absent,
            };
            self.memory.set(fold.slot, start);
        }
    }

    /// Completes element `number`, which began at `start`.
    pub(super) fn element_done(
        &mut self,
        id: OpId,
        repeat: &'p RepeatPlan,
        (start, number): (u64, u64),
        occurred: &mut [bool],
    ) -> Flow {
        if number == 0 {
            self.out_of_place(id, repeat, start)?;
            self.arranged(id, &repeat.first, start)?;
        }
        for (once, occurred) in repeat.once.iter().zip(occurred) {
            let value = self.evaluate(once.by, Value::Absent);
            let wanted = self.evaluate(once.equal, Value::Absent);
            if !self.equal(value, wanted) {
                continue;
            }
            if *occurred {
                let span = Span {
                    start,
                    end: self.position,
                };
                let shown = self.shown_value(value);
                self.breach(
                    OpId(id.0 + 1),
                    once.rule,
                    span,
                    format_args!("{shown} occurs again"),
                )?;
            }
            *occurred = true;
        }
        if let Some(define) = &repeat.defines {
            self.define(OpId(id.0 + 1), define, start)?;
        }
        for fold in &repeat.folds {
            self.fold(fold);
        }
        for previous in &repeat.previous {
            if Self::PLAIN && previous.idle {
                continue;
            }
            let value = self.evaluate(previous.value, Value::Absent);
            self.memory.set(previous.slot, value);
        }
        Ok(())
    }

    /// Completes a list whose last element began at `start`.
    pub(super) fn last_done(&mut self, id: OpId, repeat: &'p RepeatPlan, start: u64) -> Flow {
        let number = self.enclosing.trail.last().copied().unwrap_or(0);
        if repeat.last.is_empty() || number == 0 {
            return Ok(());
        }
        if let Some(last) = self.enclosing.trail.last_mut() {
            *last = number - 1;
        }
        let flow = self.arranged(id, &repeat.last, start);
        if let Some(last) = self.enclosing.trail.last_mut() {
            *last = number;
        }
        flow
    }

    /// Runs the tests that depend on the position of an element in its list.
    fn arranged(&mut self, id: OpId, checks: &'p [CheckPlan], start: u64) -> Flow {
        let element = OpId(id.0 + 1);
        let op = self.plan.op(element);
        let value = match op.flags & flags::SLOT {
            0 => Value::Absent,
            _ => self.memory.slot(op.slot),
        };
        for check in checks {
            let unwanted = check
                .condition
                .is_some_and(|condition| !self.evaluate(condition, value).truth());
            if unwanted || self.holds_check(&check.kind, value) {
                continue;
            }
            let span = Span {
                start,
                end: self.position,
            };
            let message = self.complaint(check.rule, &check.kind, value);
            self.breach(
                element,
                check.rule,
                span,
                format_args!("out of place: {message}"),
            )?;
        }
        Ok(())
    }

    /// Tests the position of the first element of a list even if the element contains a place after
    /// which readers may interpret the trace differently. All readers agree on the fields before
    /// that place, so every reader rejects the trace if a test that depends only on these fields
    /// fails.
    pub(super) fn out_of_place(&mut self, id: OpId, repeat: &'p RepeatPlan, start: u64) -> Flow {
        let element = OpId(id.0 + 1);
        let inside = |parted: &OpId| element < *parted && parted.0 < self.plan.op(element).end;
        let parted = self.outcome.parted.as_ref().map(|parted| parted.op);
        let Some(parted) = parted.filter(|parted| self.outcome.open && inside(parted)) else {
            return Ok(());
        };
        let plan = self.plan;
        for check in &repeat.first {
            let rejects = check
                .rule
                .is_none_or(|rule| plan.rules[rule].duty == ReaderDuty::Reject);
            if rejects && plan.is_known_before(check, element, parted) {
                self.arranged(id, std::slice::from_ref(check), start)
                    .inspect_err(|_| self.outcome.open = false)?;
            }
        }
        Ok(())
    }

    /// Updates the result of a query over a list with the current element.
    pub(super) fn fold(&mut self, fold: &FoldPlan) {
        let slot = fold.slot;
        if Self::PLAIN
            && let Some(formula) = fold.formula
            && self.fold_numbers(slot, formula, fold.pick == Pick::Greatest)
        {
            return;
        }
        if let Pick::First(seen) = fold.pick
            && self.memory.slot(seen).truth()
        {
            return;
        }
        if fold
            .when
            .is_some_and(|when| !self.evaluate(when, Value::Absent).truth())
        {
            return;
        }
        let value = self.evaluate(fold.value, Value::Absent);
        match fold.pick {
            Pick::First(seen) => {
                self.memory.set(seen, Value::Bool(true));
                self.memory.set(slot, value);
            }
            Pick::Last => self.memory.set(slot, value),
            Pick::Count => {
                let count = self.memory.slot(slot).integer().unwrap_or(0);
                self.memory.set(slot, Value::Int(count + 1));
            }
            Pick::Least | Pick::Greatest => {
                let greatest = fold.pick == Pick::Greatest;
                let replaces = match (self.memory.slot(slot), value) {
                    (Value::Absent, _) => true,
                    (Value::Float(known), Value::Float(new)) if greatest => new > known,
                    (Value::Float(known), Value::Float(new)) => new < known,
                    (known, new) => match (known.integer(), new.integer()) {
                        (Some(known), Some(new)) if greatest => new > known,
                        (Some(known), Some(new)) => new < known,
                        _ => false,
                    },
                };
                if replaces {
                    self.memory.set(slot, value);
                }
            }
            Pick::All(part) => {
                if let (Value::Picked(list), Value::Node(node)) = (self.memory.slot(slot), value)
                    && let Some(part) = self.part_of(node, part)
                    && let Some(list) = self.picked.get_mut(list as usize)
                {
                    list.push(part);
                }
            }
        }
    }

    /// Searches a node and its contents for the first node read by the operation `part`.
    fn part_of(&self, node: NodeId, part: OpId) -> Option<NodeId> {
        let nodes = &self.kept.tree.nodes;
        let end = nodes.get(node as usize)?.end;
        let inside = nodes.get(node as usize..end as usize)?;
        let offset = inside.iter().position(|inside| inside.op == part)?;
        u32::try_from(offset).ok().map(|offset| node + offset)
    }

    /// Copies the nodes that a query selected from a list into a separate tree. `part` is the
    /// operation that reads each of these nodes.
    pub(crate) fn picked_tree(&self, list: u32, part: Option<OpId>) -> Tree {
        let nodes = self.picked.get(list as usize);
        let mut tree = Tree::default();
        tree.nodes.push(Node {
            op: part.unwrap_or(OpId(0)),
            end: 1,
            span: Span { start: 0, end: 0 },
            payload: Payload::Picked,
            spelling: 0,
        });
        for node in nodes.into_iter().flatten() {
            tree.append(&self.kept_tree(*node));
        }
        tree
    }

    /// Copies a node and its contents into a separate tree.
    pub(crate) fn kept_tree(&self, node: NodeId) -> Tree {
        if node as usize >= self.kept.tree.nodes.len() {
            return Tree::default();
        }
        if V::TREE {
            let heap = &self.kept.tree.heap;
            let slice = |start: u64, length: u64| {
                let start = usize::try_from(start).unwrap_or(usize::MAX);
                let length = usize::try_from(length).unwrap_or_default();
                heap.get(start..start.saturating_add(length))
                    .unwrap_or_default()
            };
            return self.kept.tree.extract(node, slice);
        }
        let input = &self.input;
        self.kept
            .tree
            .extract(node, |start, length| input.bytes(start, start + length))
    }
}
