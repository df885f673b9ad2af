//! Types inside themselves, deeper than a reader must take.

use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::plan::{Derived, Kind, Measure};

use super::apply::{At, Attack, Blame};
use super::splice::{Edit, Splice};
use super::twin::Twin;

/// Levels that are built one by one where each says how large it is.
const MOST_SIZED: u64 = 2000;

/// Bytes of a nested trace that are still one case and no load test.
const MOST_BYTES: u64 = 1 << 22;

/// The structure around the call `node`, in itself again `times` times.
pub(super) fn nested(twin: &Twin<'_>, node: NodeId, times: u64) -> Option<Attack> {
    let Kind::Call(target) = twin.op(node).kind else {
        return None;
    };
    let is_call = |at: NodeId| matches!(twin.op(at).kind, Kind::Call(_));
    let outer = twin
        .outward(node)
        .skip(1)
        .find(|at| twin.node(*at).op == target)?;
    let inner = twin.tree.children(node).next()?;
    if twin.outward(node).skip(1).any(is_call) {
        return None;
    }
    let (_, _, rule) = twin.plan.info(target).depth?;
    let (whole, part) = (twin.node(outer).span, twin.node(inner).span);
    let before = part.start - whole.start;
    let step = (whole.end - whole.start).saturating_sub(part.end - part.start);
    if step.checked_mul(times)? > MOST_BYTES {
        return None;
    }
    let bytes = if sizes_enclose(twin, outer, inner) {
        sized_levels(twin, outer, inner, times)?
    } else {
        plain_levels(twin, outer, inner, times)?
    };
    let outer_path = twin.path(outer);
    let path = twin.path(node);
    let level = path.strip_prefix(outer_path.as_str())?;
    Some(Attack {
        splice: Splice {
            edits: vec![Edit::Replace { node: outer, bytes }],
            ..Splice::default()
        },
        blame: vec![Blame {
            rule,
            path: outer_path.clone() + &level.repeat(usize::try_from(times).ok()?),
            at: At::Node(
                outer,
                before.checked_mul(times)? - (before - (twin.node(node).span.start - whole.start)),
            ),
        }],
    })
}

/// Something between the two says how large the inner one is.
fn sizes_enclose(twin: &Twin<'_>, outer: NodeId, inner: NodeId) -> bool {
    (outer..inner).any(|field| match &twin.info(field).derived {
        Some(Derived::Measured {
            of,
            measure: Measure::Size,
            ..
        }) => twin
            .measured_by(field, *of)
            .is_some_and(|of| of <= inner && inner < twin.node(of).end),
        _ => false,
    })
}

fn plain_levels(twin: &Twin<'_>, outer: NodeId, inner: NodeId, times: u64) -> Option<Vec<u8>> {
    let (whole, part) = (twin.node(outer).span, twin.node(inner).span);
    let times = usize::try_from(times).ok()?;
    let mut bytes = twin.slice(whole.start, part.start).repeat(times);
    bytes.extend_from_slice(twin.bytes_of(inner));
    bytes.extend(twin.slice(part.end, whole.end).repeat(times));
    Some(bytes)
}

fn sized_levels(twin: &Twin<'_>, outer: NodeId, inner: NodeId, times: u64) -> Option<Vec<u8>> {
    if times > MOST_SIZED {
        return None;
    }
    let mut bytes = twin.bytes_of(inner).to_vec();
    for _ in 0..times {
        let splice = Splice {
            edits: vec![Edit::Replace { node: inner, bytes }],
            ..Splice::default()
        };
        let spliced = twin.splice(&splice)?;
        let span = spliced.spans[outer as usize]?;
        let range = usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?;
        bytes = spliced.bytes.get(range)?.to_vec();
    }
    Some(bytes)
}
