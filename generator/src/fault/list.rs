//! Plants faults in lists: too few elements, no elements, and elements that are not unique.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{Count, Kind, RepeatPlan};

use super::apply::{At, Attack, Blame, duty};
use super::evaluate::{Moment, Value};
use super::operator::Site;
use super::splice::{Edit, Place, Splice};
use super::text;
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

/// Empties a string, byte string or list that must not be empty.
pub(super) fn empty(twin: &Twin<'_>, site: &Site, node: NodeId) -> Option<Attack> {
    let edits = if twin.repeat(node).is_some() {
        removals(twin, node, 0)?
    } else {
        vec![text::replace(twin, node, Vec::new())?]
    };
    if duty(twin.plan, site.rule) != ReaderDuty::Reject && twin.used_later(node) {
        return None;
    }
    at_list(twin, node, edits, site.rule)
}

/// Removes elements so that there are fewer than required.
pub(super) fn too_few(twin: &Twin<'_>, node: NodeId, none: bool) -> Option<Attack> {
    let (least, rule) = twin.repeat(node)?.at_least?;
    let left = if none { 0 } else { least.checked_sub(1)? };
    let edits = removals(twin, node, left)?;
    at_list(twin, node, edits, rule)
}

fn at_list(
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
fn removals(twin: &Twin<'_>, list: NodeId, left: u64) -> Option<Vec<Edit>> {
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

/// Duplicates an element of a list whose elements must differ.
pub(super) fn duplicate(twin: &Twin<'_>, node: NodeId, key: usize) -> Option<Attack> {
    let repeat = twin.repeat(node)?;
    let unique = repeat.unique.get(key)?;
    if !twin.is_elastic(node) || twin.used_later(node) {
        return None;
    }
    // The last element of such a list ends it, so duplicate an earlier one.
    let skipped = usize::from(matches!(repeat.count, Count::Until(_)));
    let count = twin.tree.count(node);
    let children = twin.tree.children(node).take(count.saturating_sub(skipped));
    let doubled: Vec<NodeId> = children
        .filter(|child| differs(twin, *child, unique))
        .collect();
    let child = *doubled.last()?;
    if (child..twin.node(child).end).any(|inside| twin.define_of(inside).is_some()) {
        return None;
    }
    let edit = twin.copied(child, Place::After(child));
    let path = twin.path_renumbered(child, child, twin.number(child) + 1);
    Some(Attack::new(edit, unique.rule, path, At::Edit(0, 0)))
}

/// Returns whether the element has a key that no other element may have.
fn differs(twin: &Twin<'_>, element: NodeId, unique: &tracegauge_plan::UniquePlan) -> bool {
    let at = Moment::after(twin, element);
    let Some(value) = twin.evaluate(unique.by, at, &Value::Absent) else {
        return false;
    };
    let excepted = unique.except.iter().any(|code| {
        twin.evaluate(*code, at, &value)
            .is_none_or(|except| except == value)
    });
    value != Value::Absent && !excepted
}
