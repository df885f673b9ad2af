//! Layouts that the trace describes with a type code that nobody knows.

use std::collections::BTreeMap;

use tracegauge_decoder::state::items;
use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::plan::{Kind, LayoutSource};
use tracegauge_spec::schema::ReaderDuty;

use super::apply::{At, Attack, duty};
use super::evaluate::{Moment, Value};
use super::splice::Edit;
use super::twin::Twin;

/// The layout that is applied at `node` has an undeclared code.
pub(super) fn unknown_code(twin: &Twin<'_>, node: NodeId, code: i128) -> Option<Attack> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return None;
    };
    let layout = &twin.plan.layouts[index as usize];
    let (described, number, start) = match layout.source {
        LayoutSource::Row(..) => last_described(twin, node)?,
        LayoutSource::Code(from) => (twin.field_of(from, twin.parent(node)?)?, 0, node),
    };
    // Whoever rejects the description never comes to apply it.
    let failed = twin.failed_tests(described, &Value::Int(code));
    let rejected = |rule: &Option<u32>| duty(twin.plan, *rule) == ReaderDuty::Reject;
    if failed.iter().any(|(_, rule)| rejected(rule)) {
        return None;
    }
    let edit = twin.set(described, code)?;
    let path = format!("{}[{number}]", twin.path(node));
    Some(Attack::new(edit, layout.unknown, path, At::Node(start, 0)))
}

/// The code of the last field in the layout applied at `node`, its number, and what stands
/// first where its value is.
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
    let layout = &twin.plan.layouts[index as usize];
    let element = twin.tree.children(describing(twin, node, row)?).last()?;
    let code = twin.tree.find(twin.plan, element, &layout.code_path)?;
    let number = twin.number(element);
    let start = twin
        .tree
        .children(node)
        .find(|child| twin.number(*child) == number)?;
    Some((code, number, start))
}

/// The list in `row` that describes the layout applied at `node`.
fn describing(twin: &Twin<'_>, node: NodeId, row: NodeId) -> Option<NodeId> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return None;
    };
    let LayoutSource::Row(_, column) = twin.plan.layouts[index as usize].source else {
        return None;
    };
    let columns = &twin.define_of(row)?.columns;
    twin.field_of(*columns.get(column.column as usize)?, row)
}

/// What leaves out a described field with all of its values, by where it is described: the node and
/// the number of the field there.
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

/// For each field that is described at `from`, for the layout applied at `node`: what leaves out its
/// description.
fn without_descriptions(twin: &Twin<'_>, node: NodeId, from: NodeId) -> Vec<(u64, Edit)> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return Vec::new();
    };
    let Some(text) = twin.plan.layouts[index as usize].text else {
        let elements = twin.tree.children(from);
        let removed = |node| (twin.number(node), Edit::Remove { node });
        return elements.map(removed).collect();
    };
    let plan = &twin.plan.texts[text as usize];
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
    match twin.plan.layouts[index as usize].source {
        LayoutSource::Row(source, _) => {
            twin.row_of(source, Moment::before(node), &Value::Absent, 0)?
        }
        LayoutSource::Code(_) => None,
    }
}
