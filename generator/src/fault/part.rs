//! Sized parts that are longer or shorter than their fields.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{Derived, Kind};

use super::apply::{At, Attack, fault};
use super::cut::Ends;
use super::no_case::NoCase;
use super::operator::PartChange;
use super::splice::{Edit, Place, Splice};
use super::twin::Twin;

/// Bytes that do not resemble a field.
const EXTRA: [u8; 9] = [0xa5, 0x5a, 0x00, 0xff, 0x80, 0x7f, 0x01, 0xa5, 0x5a];

/// Changes the contents of a part and adjusts its stored size.
pub(super) fn part(twin: &Twin<'_>, node: NodeId, change: PartChange) -> Result<Attack, NoCase> {
    let is_about_field = matches!(change, PartChange::EndsInside | PartChange::EndsBefore);
    if !is_about_field && (!twin.slots.is_measured(twin.node(node).op) || twin.is_residue(node)) {
        return Err(NoCase::Lacking);
    }
    match change {
        PartChange::ExtraByte => extra(twin, node, &[0]),
        PartChange::ExtraBytes => extra(twin, node, &EXTRA),
        PartChange::LastByteMissing => last_byte_missing(twin, node),
        PartChange::EndsInside => ends_at(twin, node, 1),
        PartChange::EndsBefore => ends_at(twin, node, twin.bytes_of(node).len()),
        PartChange::Empty => emptied(twin, node),
    }
}

fn extra(twin: &Twin<'_>, node: NodeId, bytes: &[u8]) -> Result<Attack, NoCase> {
    let rule = fault(twin.plan, twin.node(node).op, FaultKind::Rest);
    let rule = rule.ok_or(NoCase::Allowed)?;
    if twin.absorbs(node) {
        return Err(NoCase::Uncontradicted);
    }
    let edit = Edit::insert(Place::Within(node), bytes.to_vec());
    Ok(Attack::new(edit, rule, twin.path(node), At::Edit(0, 0)))
}

fn last_byte_missing(twin: &Twin<'_>, node: NodeId) -> Result<Attack, NoCase> {
    let end = twin.node(node).span.end.checked_sub(1);
    let end = end.ok_or(NoCase::Lacking)?;
    let blame = twin.blame_end(node, end, Ends::Part);
    let blame = blame.ok_or(NoCase::Uncontradicted)?;
    let leaf = last_leaf(twin, node).ok_or(NoCase::Lacking)?;
    let (_, bytes) = twin.bytes_of(leaf).split_last().ok_or(NoCase::Lacking)?;
    let edit = Edit::Replace {
        node: leaf,
        bytes: bytes.to_vec(),
    };
    // The sizes stored for inner parts are not updated, nor is the length of the last text.
    let held = held_inside(twin, node, leaf);
    Ok(Attack {
        splice: Splice {
            edits: vec![edit],
            held,
            cut: None,
        },
        blame: vec![blame],
    })
}

/// Returns the nonempty value that ends exactly where a part ends.
fn last_leaf(twin: &Twin<'_>, node: NodeId) -> Option<NodeId> {
    let end = twin.node(node).span.end;
    (node + 1..twin.node(node).end).rev().find(|at| {
        let span = twin.node(*at).span;
        let in_run = matches!(twin.op(*at).kind, Kind::Bits { .. });
        twin.is_leaf(*at) && !in_run && span.end == end && span.start < end
    })
}

/// Returns the fields inside `node` that store the size of contents that include `leaf`.
fn held_inside(twin: &Twin<'_>, node: NodeId, leaf: NodeId) -> Vec<NodeId> {
    let measures = |field: &NodeId| match &twin.info(*field).derived {
        Some(Derived::Measured { of, .. }) => twin
            .measured_by(*field, *of)
            .is_some_and(|of| of <= leaf && leaf < twin.node(of).end),
        _ => false,
    };
    (node + 1..twin.node(node).end).filter(measures).collect()
}

/// Ends a part `removed` bytes before the end of the field `leaf` inside it, and adjusts the stored
/// size or end of the part. The part is the innermost one that contains the field and has a stored
/// size or end. Sizes stored inside the part are not updated.
fn ends_at(twin: &Twin<'_>, leaf: NodeId, removed: usize) -> Result<Attack, NoCase> {
    let span = twin.node(leaf).span;
    let part = part_with_stored_end(twin, leaf).ok_or(NoCase::Inexpressible)?;
    let bytes = twin.bytes_of(leaf);
    let kept = bytes.len().checked_sub(removed).filter(|_| removed > 0);
    let kept = &bytes[..kept.ok_or(NoCase::Lacking)?];
    let blame = twin.blame_end(part, span.end - removed as u64, Ends::Part);
    let blame = blame.ok_or(NoCase::Uncontradicted)?;
    let mut edits = vec![Edit::Replace {
        node: leaf,
        bytes: kept.to_vec(),
    }];
    let mut inner = leaf;
    while inner != part {
        let around = twin.parent(inner).ok_or(NoCase::Lacking)?;
        let later = twin.tree.children(around).filter(|child| *child > inner);
        // Remove the rest of the part, including padding that the shorter contents would now
        // require.
        for node in later {
            let span = twin.node(node).span;
            match twin.is_elsewhere(node) {
                false => edits.push(Edit::Remove { node }),
                // An empty view has no bytes to remove.
                true if twin.tree.is_view(node) && span.start == span.end => {}
                // Bytes that a field only points to may lie in the rest of the part, and they
                // remain there when the field is removed.
                true => return Err(NoCase::Inexpressible),
            }
        }
        inner = around;
    }
    // Do not update the sizes stored inside the part.
    let held = (part + 1..leaf).filter(|field| match &twin.info(*field).derived {
        Some(Derived::Measured { of, .. }) => twin
            .measured_by(*field, *of)
            .is_some_and(|of| twin.node(of).end > leaf && of != part),
        _ => false,
    });
    Ok(Attack {
        splice: Splice {
            held: held.collect(),
            edits,
            cut: None,
        },
        blame: vec![blame],
    })
}

/// Returns the innermost part around `leaf` whose size or end is stored.
fn part_with_stored_end(twin: &Twin<'_>, leaf: NodeId) -> Option<NodeId> {
    twin.outward(leaf).skip(1).find(|at| {
        let is_sized = matches!(twin.op(*at).kind, Kind::Sized(_));
        is_sized && twin.slots.has_stored_end(twin.node(*at).op)
    })
}

/// Returns false if the part that `change` shortens at `node` ends where the enclosing part or the
/// file ends. A reader that does not stop at the end of the part then runs out of bytes and rejects
/// the trace without having noticed that the part is too short.
pub(super) fn is_followed(twin: &Twin<'_>, node: NodeId, change: PartChange) -> bool {
    match change {
        PartChange::LastByteMissing | PartChange::Empty => twin.is_followed(node),
        PartChange::EndsInside | PartChange::EndsBefore => {
            part_with_stored_end(twin, node).is_none_or(|part| twin.is_followed(part))
        }
        PartChange::ExtraByte | PartChange::ExtraBytes => true,
    }
}

fn emptied(twin: &Twin<'_>, node: NodeId) -> Result<Attack, NoCase> {
    let start = twin.node(node).span.start;
    if twin.node(node).span.end < start + 2 {
        return Err(NoCase::Lacking);
    }
    let blame = twin.blame_end(node, start, Ends::Part);
    let blame = blame.ok_or(NoCase::Uncontradicted)?;
    let blame = super::apply::Blame {
        at: At::Node(node, 0),
        ..blame
    };
    let edit = Edit::Replace {
        node,
        bytes: Vec::new(),
    };
    Ok(Attack {
        splice: Splice {
            edits: vec![edit],
            ..Splice::default()
        },
        blame: vec![blame],
    })
}
