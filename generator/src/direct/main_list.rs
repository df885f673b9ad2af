//! Finds the list that makes a trace as large as requested.
//!
//! A header may contain lists, such as options that end with a terminating option. If the list of
//! options continued until the trace is large enough, no bytes would be left for the contents after
//! it.

use std::cmp::Reverse;

use super::dense::DenseSet;
use tracegauge_plan::{Count, Kind, OpId, Plan, flags};

/// A list that is not inside another list and may have any number of elements.
struct Outer {
    list: OpId,
    /// The enclosing operations, outermost first, and the list itself.
    path: Vec<OpId>,
    rank: Rank,
}

/// The rank of a list. The list with the greatest rank most likely holds the contents of the trace.
type Rank = (bool, bool, Reverse<usize>, u32);

/// Returns the lists that continue until the trace is large enough. If several lists occur in the
/// same trace, returns only the list that most likely holds the contents of the trace.
pub fn find(plan: &Plan) -> DenseSet<OpId> {
    let ops = (0..u32::MAX).map(OpId).take(plan.ops.len());
    let outer: Vec<Outer> = ops.filter_map(|list| outer(plan, list)).collect();
    let is_main = |list: &&Outer| {
        let mut others = outer.iter();
        !others.any(|other| other.rank > list.rank && occurs_with(plan, other, list))
    };
    outer.iter().filter(is_main).map(|list| list.list).collect()
}

fn outer(plan: &Plan, list: OpId) -> Option<Outer> {
    let Kind::Repeat(repeat) = plan.op(list).kind else {
        return None;
    };
    let count = plan.repeats[repeat].count;
    if matches!(count, Count::Computed(_)) {
        return None;
    }
    let mut path: Vec<OpId> =
        std::iter::successors(Some(list), |at| plan.info(*at).parent).collect();
    path.reverse();
    let (_, around) = path.split_last()?;
    let kinds = || around.iter().map(|op| &plan.op(*op).kind);
    if kinds().any(|kind| matches!(kind, Kind::Repeat(_) | Kind::At(_))) {
        return None;
    }
    let is_limited = kinds().any(|kind| matches!(kind, Kind::Sized(_)));
    let rank = (
        !is_limited,
        matches!(count, Count::ToEnd),
        Reverse(path.len()),
        plan.op(list).end - list.0,
    );
    Some(Outer { list, path, rank })
}

/// Returns whether every trace that contains `list` also contains `other`. Considers only the
/// structure: alternatives of the same switch never occur together.
fn occurs_with(plan: &Plan, other: &Outer, list: &Outer) -> bool {
    let both = other.path.iter().zip(&list.path);
    let shared = both.take_while(|(left, right)| left == right).count();
    let around = shared.checked_sub(1).and_then(|last| list.path.get(last));
    let are_alternatives =
        around.is_some_and(|around| matches!(plan.op(*around).kind, Kind::Switch(_)));
    let mut own = other.path.iter().skip(shared);
    !are_alternatives && own.all(|op| plan.op(*op).flags & flags::GUARD == 0)
}
