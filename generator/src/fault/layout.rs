//! Layouts whose fields are omitted. A layout is a description of values that is stored in the trace
//! itself.

use std::collections::BTreeMap;

use tracegauge_decoder::state::items;
use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Kind, LayoutSource};

use super::evaluate::{Moment, Value};
use super::splice::Edit;
use super::twin::Twin;

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

pub(super) fn row_at(twin: &Twin<'_>, node: NodeId) -> Option<NodeId> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return None;
    };
    match twin.plan.layouts[index].source {
        LayoutSource::Row(source, _) => {
            twin.row_of(source, Moment::before(node), &Value::Absent)?
        }
        LayoutSource::Code(_) => None,
    }
}

/// Returns the list in `row` that describes the layout applied at `node`.
pub(super) fn describing(twin: &Twin<'_>, node: NodeId, row: NodeId) -> Option<NodeId> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return None;
    };
    let LayoutSource::Row(_, column) = twin.plan.layouts[index].source else {
        return None;
    };
    let columns = &twin.define_of(row)?.columns;
    twin.field_of(*columns.get(column.column)?, row)
}
