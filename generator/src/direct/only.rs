//! The strings to which tests restrict a field, in all elements of a list or in the first or last.

use tracegauge_decoder::Input;
use tracegauge_plan::{CheckKind, Code, CodeId, ConstantId, Kind, OpId, Plan, flags};

use super::severity::{Severity, firm, strict};
use super::{Directed, lists, solve};
use crate::tape::Choices;

/// Returns the constant strings that tests restrict a field to.
pub fn texts(plan: &Plan, id: OpId) -> Option<Vec<Vec<u8>>> {
    let (first, count) = plan.op(id).checks;
    let checks = plan.checks.get(first.index()..)?.iter();
    let mut binding = checks
        .take(usize::from(count))
        .filter(|check| check.condition.is_none() && strict(plan, check.rule));
    let constant = |code: &CodeId| match plan.codes[code.index()] {
        Code::Text(constant) => Some(constant),
        _ => None,
    };
    let slot = plan.op(id).slot;
    let listed = binding.find_map(|check| match &check.kind {
        CheckKind::Equal(code) => Some(vec![constant(code)?]),
        CheckKind::AnyOf(codes) => codes.iter().map(constant).collect(),
        CheckKind::Holds(code) => solve::listed_texts(plan, *code, slot),
        _ => None,
    })?;
    let mut strings = constants(plan, listed)?;
    if matches!(plan.op(id).kind, Kind::Guid(_)) {
        strings.retain(|string| string.len() == 16);
    }
    Some(strings)
}

/// Returns the strings with these indexes.
fn constants(plan: &Plan, listed: Vec<ConstantId>) -> Option<Vec<Vec<u8>>> {
    let strings = listed.into_iter();
    strings
        .map(|constant| plan.constants.get(constant).cloned())
        .collect()
}

/// The strings that a field may have in the first or last element of a list.
#[derive(Debug)]
pub struct PlacedTexts {
    /// The list.
    pub list: OpId,
    /// Whether the strings belong to the last element, and not to the first.
    pub is_last: bool,
    /// The strings.
    pub texts: Vec<Vec<u8>>,
}

/// Returns the text fields whose strings depend on whether the element of a list is its first or
/// last, with these strings.
pub fn placed_texts(plan: &Plan, list: OpId) -> Vec<(OpId, PlacedTexts)> {
    let Kind::Repeat(repeat) = plan.op(list).kind else {
        return Vec::new();
    };
    let repeat = &plan.repeats[repeat];
    let mut found = Vec::new();
    for (checks, is_last) in [(&repeat.first, false), (&repeat.last, true)] {
        for check in checks {
            let CheckKind::Holds(code) = check.kind else {
                continue;
            };
            if firm(plan, check.rule) == Severity::Not {
                continue;
            }
            for field in (list.0 + 1..plan.op(list).end).map(OpId) {
                let op = plan.op(field);
                let is_text = matches!(
                    op.kind,
                    Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated(_) | Kind::Guid(_)
                );
                if is_text
                    && op.flags & flags::SLOT != 0
                    && let Some(texts) = solve::listed_texts(plan, code, op.slot)
                    && let Some(texts) = constants(plan, texts)
                {
                    found.push((
                        field,
                        PlacedTexts {
                            list,
                            is_last,
                            texts,
                        },
                    ));
                }
            }
        }
    }
    found
}

/// Returns the only strings that a field may have: those that its tests allow, or those that it may
/// have in the first or last element of an enclosing list.
pub fn strings_here<'a, I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, 'a, I, C, TREE>,
    op: OpId,
) -> Option<&'a [Vec<u8>]> {
    let emitter = machine.visitor();
    let index = emitter.index;
    let placed = index.placed_texts.get(&op);
    for placed in placed.into_iter().flatten() {
        let mut lists = machine.visitor().enclosing.lists.iter();
        let Some(list) = lists.rfind(|list| list.op == placed.list) else {
            continue;
        };
        let (depth, last) = (list.depth(), list.last);
        let number = machine.trail().get(depth).copied().unwrap_or(0);
        let is_here = match placed.is_last {
            true => last || lists::is_counted_last(machine, placed.list, number),
            false => number == 0,
        };
        if is_here && !machine.visitor().options.odd {
            return Some(&placed.texts);
        }
    }
    index.texts.get(&op).map(Vec::as_slice)
}
