//! Types inside themselves, deeper than a reader must take.

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::{Judgement, decode_tree, judge};
use tracegauge_spec::plan::{Count, Derived, Kind, Measure, OpId, Plan};

use super::apply::{At, Attack, Blame};
use super::path::described_path;
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
    if twin.outward(node).skip(1).any(is_call) {
        return None;
    }
    let (_, enforced, rule) = twin.plan.info(target).depth?;
    let (bytes, tree) = alone(twin, outer, node)?;
    let slim = Twin::new(twin.plan, &bytes, &tree);
    let chain = Chain::of(&slim, twin.node(outer).op, twin.node(node).op)?;
    Some(Attack {
        splice: Splice {
            edits: vec![Edit::Replace {
                node: outer,
                bytes: chain.levels(&slim, times)?,
            }],
            ..Splice::default()
        },
        blame: vec![Blame {
            rule,
            path: twin.path(outer) + &chain.path.repeat(usize::try_from(enforced + 1).ok()?),
            at: At::Node(outer, chain.before.checked_mul(enforced)? + chain.call),
        }],
    })
}

/// Valid traces in which a type stands in itself as often as every reader must take, each with
/// the path of what nests.
pub fn deepest(plan: &Plan, twins: &[(Vec<u8>, Tree)]) -> Vec<(String, Vec<u8>)> {
    let mut order: Vec<&(Vec<u8>, Tree)> = twins.iter().collect();
    order.sort_by_key(|(bytes, _)| bytes.len());
    let calls = (0..plan.ops.len()).filter_map(|number| {
        let call = OpId(u32::try_from(number).ok()?);
        let Kind::Call(target) = plan.op(call).kind else {
            return None;
        };
        let (promised, ..) = plan.info(target).depth?;
        Some((call, promised))
    });
    let deep = |(call, times): (OpId, u64)| {
        let found = order.iter().find_map(|(bytes, tree)| {
            let twin = Twin::new(plan, bytes, tree);
            let mut nodes = twin.nodes_of(call).iter();
            nodes.find_map(|node| {
                let attack = nested(&twin, *node, times)?;
                let bytes = twin.splice(&attack.splice)?.bytes;
                (judge(plan, &bytes).judgement == Judgement::Accepted).then_some(bytes)
            })
        })?;
        Some((format!("{}-{times}", described_path(plan, call)), found))
    };
    calls.filter_map(deep).collect()
}

/// The trace without the elements that stand beside the one that nests, so that levels are
/// small and nothing beside them is too deep first.
fn alone(twin: &Twin<'_>, outer: NodeId, node: NodeId) -> Option<(Vec<u8>, Tree)> {
    let mut edits = Vec::new();
    let inside = twin.outward(node).take_while(|at| *at != outer);
    for element in inside {
        let list = twin.parent(element)?;
        let until = twin
            .repeat(list)
            .is_none_or(|repeat| matches!(repeat.count, Count::Until(_)));
        if until || !twin.is_elastic(list) {
            continue;
        }
        let others = twin.tree.children(list).filter(|other| *other != element);
        edits.extend(others.map(|node| Edit::Remove { node }));
    }
    let without = |edits: Vec<Edit>| {
        let splice = Splice {
            edits,
            ..Splice::default()
        };
        let bytes = twin.splice(&splice)?.bytes;
        let (verdict, tree) = decode_tree(twin.plan, &bytes);
        verdict.tolerable().then_some((bytes, tree))
    };
    let beside = beside(twin, outer, node);
    if beside.is_empty() {
        return without(edits);
    }
    let both = [edits.clone(), beside].concat();
    without(both).or_else(|| without(edits))
}

/// What stands in lists beside the one in which the structure nests.
fn beside(twin: &Twin<'_>, outer: NodeId, node: NodeId) -> Vec<Edit> {
    let lists = twin.tree.children(outer).filter(|list| {
        let counted = twin
            .repeat(*list)
            .is_some_and(|repeat| !matches!(repeat.count, Count::Until(_)));
        let around = *list < node && node < twin.node(*list).end;
        counted && !around && twin.is_elastic(*list)
    });
    let elements = lists.flat_map(|list| twin.tree.children(list));
    elements.map(|node| Edit::Remove { node }).collect()
}

/// A structure with itself inside.
struct Chain {
    outer: NodeId,
    inner: NodeId,
    /// Bytes of the outer one before the inner one.
    before: u64,
    /// Bytes of the outer one before the call.
    call: u64,
    /// Path from the one to the other.
    path: String,
}

impl Chain {
    fn of(
        twin: &Twin<'_>,
        target: tracegauge_spec::plan::OpId,
        call: tracegauge_spec::plan::OpId,
    ) -> Option<Self> {
        let is_call = |at: NodeId| matches!(twin.op(at).kind, Kind::Call(_));
        let mut calls = twin.nodes_of(call).iter().copied();
        let (outer, node) = calls.find_map(|node| {
            let outer = twin
                .outward(node)
                .skip(1)
                .find(|at| twin.node(*at).op == target)?;
            let outermost = !twin.outward(node).skip(1).any(is_call);
            // What is too deep before is found before.
            let first = !(outer..node).any(is_call);
            (outermost && first).then_some((outer, node))
        })?;
        let inner = twin.tree.children(node).next()?;
        let start = twin.node(outer).span.start;
        let (outer_path, path) = (twin.path(outer), twin.path(node));
        Some(Self {
            outer,
            inner,
            before: twin.node(inner).span.start - start,
            call: twin.node(node).span.start - start,
            path: path.strip_prefix(outer_path.as_str())?.to_owned(),
        })
    }

    fn levels(&self, twin: &Twin<'_>, times: u64) -> Option<Vec<u8>> {
        let (whole, part) = (twin.node(self.outer).span, twin.node(self.inner).span);
        let step = (whole.end - whole.start).checked_sub(part.end - part.start)?;
        if step.checked_mul(times)? > MOST_BYTES {
            return None;
        }
        if self.is_sized(twin) {
            return self.sized_levels(twin, times);
        }
        let times = usize::try_from(times).ok()?;
        let mut bytes = twin.slice(whole.start, part.start).repeat(times);
        bytes.extend_from_slice(twin.bytes_of(self.inner));
        bytes.extend(twin.slice(part.end, whole.end).repeat(times));
        Some(bytes)
    }

    /// Something between the two says how large the inner one is.
    fn is_sized(&self, twin: &Twin<'_>) -> bool {
        (self.outer..self.inner).any(|field| match &twin.info(field).derived {
            Some(Derived::Measured {
                of,
                measure: Measure::Size,
                ..
            }) => twin
                .measured_by(field, *of)
                .is_some_and(|of| of <= self.inner && self.inner < twin.node(of).end),
            _ => false,
        })
    }

    fn sized_levels(&self, twin: &Twin<'_>, times: u64) -> Option<Vec<u8>> {
        if times > MOST_SIZED {
            return None;
        }
        let mut bytes = twin.bytes_of(self.inner).to_vec();
        for _ in 0..times {
            let splice = Splice {
                edits: vec![Edit::Replace {
                    node: self.inner,
                    bytes,
                }],
                ..Splice::default()
            };
            let spliced = twin.splice(&splice)?;
            let span = spliced.spans[self.outer as usize]?;
            let range = usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?;
            bytes = spliced.bytes.get(range)?.to_vec();
        }
        Some(bytes)
    }
}
