//! Finds the omitted fields whose tests need not run again if the value stays the same.

use std::collections::HashSet;

use super::{Leaf, Step, StepTestKind, Tests};
use crate::formula::{Formula, Layout};
use crate::{Code, CodeId, Plan, RefsId, Slot};

/// Marks the carried values whose tests depend only on the value and on the existence of rows.
pub(super) fn mark_stable(plan: &mut Plan) {
    let resets = plan.infos.iter().flat_map(|info| &info.resets);
    let resets: HashSet<Slot> = resets.copied().collect();
    let carried = plan.steps.iter().filter_map(|step| match step {
        Step::Over(_, leaf) => Some((leaf.carry?, is_stable(plan, leaf, &resets))),
        _ => None,
    });
    // Programs for different purposes read the same field, so all of them agree.
    let carried: Vec<_> = carried.collect();
    for (carry, is_stable) in carried {
        plan.sums[carry].is_stable = is_stable;
    }
}

fn is_stable(plan: &Plan, leaf: &Leaf, resets: &HashSet<Slot>) -> bool {
    let layout = Layout::of(plan);
    let fixed = |it: Formula| it.first == it.end && layout.is_constant(it.result);
    match leaf.tests {
        Tests::None | Tests::Member(_) | Tests::Among(_) => true,
        Tests::Reference(refs) => is_stable_reference(plan, refs, resets),
        Tests::Listed(tests) => {
            let tests = &plan.step_tests[tests];
            let stable = tests.tests.iter().all(|test| {
                test.condition.is_none()
                    && match test.kind {
                        StepTestKind::Least(bound)
                        | StepTestKind::Greatest(bound)
                        | StepTestKind::Equal(bound) => fixed(bound),
                        StepTestKind::Member(_) => true,
                        StepTestKind::Holds(_) => false,
                    }
            });
            let refs = tests.refs;
            stable && refs.is_none_or(|refs| is_stable_reference(plan, refs, resets))
        }
        Tests::Any | Tests::Shows(_) => {
            plan.tests_of(leaf.op).is_empty() && plan.info(leaf.op).refs.is_none()
        }
    }
}

fn is_stable_reference(plan: &Plan, refs: RefsId, resets: &HashSet<Slot>) -> bool {
    let refs = &plan.refs[refs];
    let fixed = |code: CodeId| matches!(plan.codes[code.index()], Code::Int(_));
    // The slot with the row keeps its value like the field itself, unless each element resets it.
    let keeps_row = refs.row_slot.is_none_or(|slot| !resets.contains(&slot));
    keeps_row && refs.condition.is_none() && refs.none.is_none_or(fixed)
}
