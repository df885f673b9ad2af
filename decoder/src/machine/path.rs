//! Computes the path of an operation: names from the root inward, with indexes for elements.

use tracegauge_plan::{Kind, OpId};

use super::Machine;
use crate::input::Input;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Returns the path of the current operation, for example `frames[3].body.values[0]`.
    #[cold]
    pub(crate) fn path(&self, id: OpId) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut left = self.enclosing.trail.len();
        let mut applied = self.layouts.applied.iter().rev().peekable();
        let mut calls = self.enclosing.calls.iter().rev().peekable();
        let mut at = id;
        loop {
            let info = self.plan.info(at);
            let called = calls.peek().is_some_and(
                |call| matches!(self.plan.op(**call).kind, Kind::Call(target) if target == at),
            );
            // A called structure takes its name from the call.
            if let (false, Some(name)) = (called, info.name) {
                parts.push(self.plan.name(name).to_owned());
            }
            let around = match (called, info.parent) {
                // A called structure is inside the operation that contains the call.
                (true, _) => match calls.next() {
                    Some(call) => {
                        at = *call;
                        continue;
                    }
                    None => break,
                },
                (false, Some(parent)) => parent,
                (false, None) => break,
            };
            if matches!(self.plan.op(around).kind, Kind::Repeat(_) | Kind::Layout(_)) {
                // In a layout with nested fields, the trail has an index for each nesting level.
                let frame = applied.next_if(|applied| applied.op == around);
                let outer = frame.map_or(left.saturating_sub(1), |frame| frame.trail);
                if left == 0 {
                    break;
                }
                while left > outer {
                    left -= 1;
                    parts.push(format!("[{}]", self.enclosing.trail[left]));
                }
            }
            at = around;
        }
        join(parts)
    }

    /// Runs `inside` with the trail (the indexes of the enclosing elements) of the list instead of
    /// the trail of the current element. `inside` receives the element's index, which is put back
    /// into the trail afterwards.
    pub(crate) fn of_list<T>(&mut self, inside: impl FnOnce(&mut Self, u64) -> T) -> T {
        let number = self.enclosing.trail.pop();
        let result = inside(self, number.unwrap_or_default());
        self.enclosing.trail.extend(number);
        result
    }

    /// Returns the path of an element of a list or layout that was not read.
    #[cold]
    pub(crate) fn element_path(&self, id: OpId, number: u64) -> String {
        format!("{}[{number}]", self.path(id))
    }
}

/// Joins the components of a path, which are stored innermost first.
fn join(parts: Vec<String>) -> String {
    let mut path = String::new();
    for part in parts.into_iter().rev() {
        if !path.is_empty() && !part.starts_with('[') {
            path.push('.');
        }
        path.push_str(&part);
    }
    path
}
