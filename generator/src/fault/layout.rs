//! Layouts that the trace describes with a type code that nobody knows.

use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::plan::{Kind, LayoutSource};
use tracegauge_spec::schema::ReaderDuty;

use super::apply::{At, Attack, duty};
use super::evaluate::{Moment, Value};
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
    let LayoutSource::Row(_, column) = layout.source else {
        return None;
    };
    let columns = &twin.define_of(row)?.columns;
    let list = twin.field_of(*columns.get(column.column as usize)?, row)?;
    let element = twin.tree.children(list).last()?;
    let code = twin.tree.find(twin.plan, element, &layout.code_path)?;
    let number = twin.number(element);
    let start = twin
        .tree
        .children(node)
        .find(|child| twin.number(*child) == number)?;
    Some((code, number, start))
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
