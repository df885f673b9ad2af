//! Sized parts with more or less in them than their fields.

use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::plan::Kind;
use tracegauge_spec::schema::FaultKind;

use super::apply::{At, Attack, fault};
use super::cut::Ends;
use super::operator::PartChange;
use super::splice::{Edit, Place, Splice};
use super::twin::Twin;

/// Bytes that look like no field.
const EXTRA: [u8; 9] = [0xa5, 0x5a, 0x00, 0xff, 0x80, 0x7f, 0x01, 0xa5, 0x5a];

/// A part that holds other than its fields; the size that it says is right.
pub(super) fn part(twin: &Twin<'_>, node: NodeId, change: PartChange) -> Option<Attack> {
    if !twin.slots.is_measured(twin.node(node).op) || twin.is_residue(node) {
        return None;
    }
    match change {
        PartChange::ExtraByte => extra(twin, node, &[0]),
        PartChange::ExtraBytes => extra(twin, node, &EXTRA),
        PartChange::LastByteMissing => last_byte_missing(twin, node),
        PartChange::Empty => emptied(twin, node),
    }
}

fn extra(twin: &Twin<'_>, node: NodeId, bytes: &[u8]) -> Option<Attack> {
    let rule = fault(twin.plan, twin.node(node).op, FaultKind::Rest)?;
    if twin.absorbs(node) {
        return None;
    }
    let edit = Edit::insert(Place::Within(node), bytes.to_vec());
    Some(Attack::new(edit, rule, twin.path(node), At::Edit(0, 0)))
}

fn last_byte_missing(twin: &Twin<'_>, node: NodeId) -> Option<Attack> {
    let end = twin.node(node).span.end;
    let blame = twin.blame_end(node, end.checked_sub(1)?, Ends::Part)?;
    let leaf = last_leaf(twin, node)?;
    let bytes = twin.bytes_of(leaf);
    let edit = Edit::Replace {
        node: leaf,
        bytes: bytes.get(..bytes.len().checked_sub(1)?)?.to_vec(),
    };
    // Sizes of parts inside keep what they claim, and so does the last text's.
    let held = held_inside(twin, node, leaf);
    Some(Attack {
        splice: Splice {
            edits: vec![edit],
            held,
            cut: None,
        },
        blame: vec![blame],
    })
}

/// The last value of a part that takes bytes.
fn last_leaf(twin: &Twin<'_>, node: NodeId) -> Option<NodeId> {
    let end = twin.node(node).span.end;
    (node + 1..twin.node(node).end).rev().find(|at| {
        let span = twin.node(*at).span;
        let in_run = matches!(twin.op(*at).kind, Kind::Bits { .. });
        twin.is_leaf(*at) && !in_run && span.end == end && span.start < end
    })
}

/// Fields inside `node` that say how large something is that holds `leaf`.
fn held_inside(twin: &Twin<'_>, node: NodeId, leaf: NodeId) -> Vec<NodeId> {
    let measures = |field: &NodeId| match &twin.info(*field).derived {
        Some(tracegauge_spec::plan::Derived::Measured { of, .. }) => twin
            .measured_by(*field, *of)
            .is_some_and(|of| of <= leaf && leaf < twin.node(of).end),
        _ => false,
    };
    (node + 1..twin.node(node).end).filter(measures).collect()
}

fn emptied(twin: &Twin<'_>, node: NodeId) -> Option<Attack> {
    let start = twin.node(node).span.start;
    if twin.node(node).span.end < start + 2 {
        return None;
    }
    let blame = twin.blame_end(node, start, Ends::Part)?;
    let blame = super::apply::Blame {
        at: At::Node(node, 0),
        ..blame
    };
    let edit = Edit::Replace {
        node,
        bytes: Vec::new(),
    };
    Some(Attack {
        splice: Splice {
            edits: vec![edit],
            ..Splice::default()
        },
        blame: vec![blame],
    })
}
