//! Plants undeclared type codes in layouts. A layout is a description of values that is stored in
//! the trace itself.

use std::collections::BTreeMap;

use tracegauge_decoder::state::items;
use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{FaultKind, ReaderDuty, RuleId};
use tracegauge_plan::{CheckKind, CheckPlan, Kind, LayoutPlan, LayoutSource, OpId, Plan};

use super::apply::{At, Attack, duty, fault};
use super::evaluate::{Moment, Value};
use super::no_case::NoCase;
use super::splice::Edit;
use super::twin::Twin;

/// Changes a type code of the layout applied at `node` to an undeclared code.
pub(super) fn unknown_code(twin: &Twin<'_>, node: NodeId, code: i128) -> Result<Attack, NoCase> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return Err(NoCase::Lacking);
    };
    let layout = &twin.plan.layouts[index];
    let found = match layout.source {
        LayoutSource::Row(..) => last_described(twin, node),
        LayoutSource::Code(from) => {
            let around = twin.parent(node);
            let code = around.and_then(|around| twin.field_of(from, around));
            code.map(|code| (code, 0, node))
        }
    };
    let Some((described, number, start)) = found else {
        return Err(match stops_at_unknown(twin.plan, layout) {
            true => NoCase::Overtaken,
            false => NoCase::Lacking,
        });
    };
    // A reader that rejects the description of the layout never applies the layout.
    let failed = twin.failed_tests(described, &Value::Int(code));
    let rejected = |rule: &Option<RuleId>| duty(twin.plan, *rule) == ReaderDuty::Reject;
    if failed.iter().any(|(_, rule)| rejected(rule)) {
        return Err(NoCase::Overtaken);
    }
    let edit = twin.set(described, code);
    let edit = edit.ok_or(NoCase::Inexpressible)?;
    let path = format!("{}[{number}]", twin.path(node));
    Ok(Attack::new(edit, layout.unknown, path, At::Node(start, 0)))
}

/// Returns whether some readers reject an unknown type code where the trace describes the layout,
/// and therefore never use the code to read values.
fn stops_at_unknown(plan: &Plan, layout: &LayoutPlan) -> bool {
    let strict = |rule: Option<RuleId>| duty(plan, rule) != ReaderDuty::Accept;
    let mut signatures = plan.signatures.iter();
    if let Some(text) = layout.text {
        return signatures.any(|known| known.text == text && strict(known.code));
    }
    let mut ops = (0..u32::MAX).map(OpId).take(plan.ops.len());
    ops.any(|op| {
        let mut tests = plan.tests_of(op).iter();
        let rule = layout.unknown;
        let mut kinds = [FaultKind::Code, FaultKind::Enum].into_iter();
        let raises =
            kinds.any(|kind| plan.raises(op, kind) && fault(plan, op, kind).flatten() == rule);
        let tested =
            |test: &CheckPlan| matches!(test.kind, CheckKind::InEnum(_)) && test.rule == rule;
        rule.is_some() && strict(rule) && (raises || tests.any(tested))
    })
}

/// Returns the type code of the last field in the layout applied at `node`, the field's number, and
/// the first node of the field's value.
fn last_described(twin: &Twin<'_>, node: NodeId) -> Option<(NodeId, u64, NodeId)> {
    let row = row_at(twin, node)?;
    // The fault is found where the layout is first applied.
    let mut uses = twin.nodes_of(twin.node(node).op).iter();
    let first = uses.find(|other| row_at(twin, **other) == Some(row))?;
    if *first != node {
        return None;
    }
    let Kind::Layout(index) = twin.op(node).kind else {
        return None;
    };
    let layout = &twin.plan.layouts[index];
    let element = twin.tree.children(describing(twin, node, row)?).last()?;
    let code = twin.tree.find(twin.plan, element, &layout.code_path)?;
    let number = twin.number(element);
    let start = twin
        .tree
        .children(node)
        .find(|child| twin.number(*child) == number)?;
    Some((code, number, start))
}

/// Returns the list in `row` that describes the layout applied at `node`.
fn describing(twin: &Twin<'_>, node: NodeId, row: NodeId) -> Option<NodeId> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return None;
    };
    let LayoutSource::Row(_, column) = twin.plan.layouts[index].source else {
        return None;
    };
    let columns = &twin.define_of(row)?.columns;
    twin.field_of(*columns.get(column.column)?, row)
}

/// Returns, for each described field, the edits that remove the field together with all of its
/// values. Each key consists of the description's node and the field's number in the description.
pub(crate) fn without_fields(twin: &Twin<'_>) -> BTreeMap<(NodeId, u64), Vec<Edit>> {
    let mut found: BTreeMap<(NodeId, u64), Vec<Edit>> = BTreeMap::new();
    let nodes = (0..twin.tree.nodes.len()).filter_map(|number| NodeId::try_from(number).ok());
    for node in nodes {
        let from = row_at(twin, node).and_then(|row| describing(twin, node, row));
        let Some(from) = from else { continue };
        for (number, description) in without_descriptions(twin, node, from) {
            let edits = found.entry((from, number));
            let edits = edits.or_insert_with(|| vec![description]);
            let values = twin.tree.children(node);
            let values = values.filter(|value| twin.number(*value) == number);
            edits.extend(values.map(|node| Edit::Remove { node }));
        }
    }
    found
}

/// Returns the edits that remove the description of each field described at `from`, for the layout
/// applied at `node`.
fn without_descriptions(twin: &Twin<'_>, node: NodeId, from: NodeId) -> Vec<(u64, Edit)> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return Vec::new();
    };
    let Some(text) = twin.plan.layouts[index].text else {
        let elements = twin.tree.children(from);
        let removed = |node| (twin.number(node), Edit::Remove { node });
        return elements.map(removed).collect();
    };
    let plan = &twin.plan.texts[text];
    let bytes = twin.bytes_of(from);
    let described = items(plan, bytes);
    let without = |number: usize| {
        let kept = described.iter().enumerate().filter(|(at, _)| *at != number);
        let kept: Vec<&[u8]> = kept.map(|(_, item)| &bytes[item.whole.clone()]).collect();
        let bytes = kept.join(plan.between.as_slice());
        (number as u64, Edit::Replace { node: from, bytes })
    };
    (0..described.len()).map(without).collect()
}

fn row_at(twin: &Twin<'_>, node: NodeId) -> Option<NodeId> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return None;
    };
    match twin.plan.layouts[index].source {
        LayoutSource::Row(source, _) => {
            twin.row_of(source, Moment::before(node), &Value::Absent, 0)?
        }
        LayoutSource::Code(_) => None,
    }
}
