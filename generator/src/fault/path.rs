//! Computes paths in the description: names of fields without element numbers.

use tracegauge_plan::{Kind, OpId, Plan, SwitchId};

/// Returns the path of an operation in the description, such as `frames.body.event.type_id`. The
/// path identifies an arm of a switch by its type; otherwise, two arms with equal fields would have
/// the same path.
pub(super) fn described_path(plan: &Plan, op: OpId) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut at = Some(op);
    while let Some(id) = at {
        let parent = plan.info(id).parent;
        if let Some(name) = own_name(plan, id, parent) {
            parts.push(name);
        }
        at = parent;
    }
    parts.reverse();
    if parts.is_empty() {
        return "file".to_owned();
    }
    parts.join(".")
}

fn own_name(plan: &Plan, id: OpId, parent: Option<OpId>) -> Option<String> {
    let info = plan.info(id);
    let around = parent.map(|parent| &plan.op(parent).kind);
    if let Some(Kind::Switch(index)) = around {
        let named = info.type_name.map(|name| plan.name(name).to_owned());
        return Some(named.unwrap_or_else(|| arm_label(plan, *index, id)));
    }
    let label = info.label?;
    // A sized part and its contents count as one field.
    let same = parent.is_some_and(|parent| {
        plan.info(parent).label == Some(label) && matches!(plan.op(parent).kind, Kind::Sized(_))
    });
    (!same).then(|| plan.name(label).to_owned())
}

/// Returns a name for an arm without a type name: the value that selects the arm, or `other` for
/// the default arm.
fn arm_label(plan: &Plan, index: SwitchId, arm: OpId) -> String {
    let switch = &plan.switches[index];
    let number = switch.arms.iter().find(|(_, op)| *op == arm);
    if let Some((values, _)) = number {
        return values.first().map_or_else(String::new, i128::to_string);
    }
    let text = switch.text_arms.iter().find(|(_, op)| *op == arm);
    match text {
        Some((constant, _)) => String::from_utf8_lossy(&plan.constants[*constant]).into_owned(),
        None => "other".to_owned(),
    }
}
