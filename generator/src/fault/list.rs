//! Changes to the number of elements of a list.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{Count, Kind, RepeatPlan};

use super::apply::{At, Attack, Blame};
use super::splice::{Edit, Splice};
use super::twin::Twin;

impl Twin<'_> {
    /// Returns the plan of a list.
    pub(super) fn repeat(&self, list: NodeId) -> Option<&RepeatPlan> {
        match self.op(list).kind {
            Kind::Repeat(index) => Some(&self.plan.repeats[index]),
            _ => None,
        }
    }

    /// Returns whether the number of elements of a list can be changed: either no count is stored,
    /// or the field that stores it can be updated.
    pub(super) fn is_elastic(&self, list: NodeId) -> bool {
        match self.repeat(list).map(|repeat| repeat.count) {
            Some(Count::ToEnd | Count::Until(_)) => true,
            Some(Count::Computed(_)) => self.slots.is_counted(self.node(list).op),
            None => false,
        }
    }
}

/// Returns an attack whose fault is the whole list.
pub(super) fn at_list(
    twin: &Twin<'_>,
    node: NodeId,
    edits: Vec<Edit>,
    rule: Option<RuleId>,
) -> Option<Attack> {
    Some(Attack {
        splice: Splice {
            edits,
            ..Splice::default()
        },
        blame: vec![Blame {
            rule,
            path: twin.path(node),
            at: At::Node(node, 0),
        }],
    })
}

/// Removes elements so that `left` remain. Keeps the first elements or, if the last element ends
/// the list, the last elements.
pub(super) fn removals(twin: &Twin<'_>, list: NodeId, left: u64) -> Option<Vec<Edit>> {
    let until = matches!(twin.repeat(list)?.count, Count::Until(_));
    let left = usize::try_from(left).ok()?;
    if !twin.is_elastic(list) || until && left == 0 {
        return None;
    }
    let surplus = twin.tree.count(list).checked_sub(left)?;
    let children = twin.tree.children(list);
    let skipped = if until { 0 } else { left };
    let edits: Vec<Edit> = children
        .skip(skipped)
        .take(surplus)
        .map(|node| Edit::Remove { node })
        .collect();
    (!edits.is_empty()).then_some(edits)
}
