//! Types inside themselves, deeper than a reader must take.

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::{Judgement, decode_tree, judge};
use tracegauge_spec::plan::{Count, Derived, Kind, Measure, OpId, Plan};

use super::apply::{At, Attack, Blame};
use super::no_case::NoCase;
use super::number;
use super::path::described_path;
use super::splice::{Edit, Splice};
use super::twin::Twin;

/// Bytes of a nested trace that are still one case and no load test.
const MOST_BYTES: u64 = 1 << 22;

/// The structure around the call `node`, in itself again `times` times.
pub(super) fn nested(twin: &Twin<'_>, node: NodeId, times: u64) -> Result<Attack, NoCase> {
    let Kind::Call(target) = twin.op(node).kind else {
        return Err(NoCase::Lacking);
    };
    let is_call = |at: NodeId| matches!(twin.op(at).kind, Kind::Call(_));
    let outer = twin
        .outward(node)
        .skip(1)
        .find(|at| twin.node(*at).op == target);
    let outer = outer.ok_or(NoCase::Lacking)?;
    if twin.outward(node).skip(1).any(is_call) {
        return Err(NoCase::Lacking);
    }
    let depth = twin.plan.info(target).depth;
    let (_, enforced, rule) = depth.ok_or(NoCase::Lacking)?;
    let (bytes, tree) = alone(twin, outer, node).ok_or(NoCase::Lacking)?;
    let slim = Twin::new(twin.plan, &bytes, &tree);
    let chain = Chain::of(&slim, twin.node(outer).op, twin.node(node).op);
    let chain = chain.ok_or(NoCase::Lacking)?;
    let bytes = chain.levels(&slim, times).ok_or(NoCase::Inexpressible)?;
    let paths = usize::try_from(enforced + 1).map_err(|_| NoCase::Inexpressible)?;
    let before = chain.before.checked_mul(enforced);
    let before = before.ok_or(NoCase::Inexpressible)?;
    Ok(Attack {
        splice: Splice {
            edits: vec![Edit::Replace { node: outer, bytes }],
            ..Splice::default()
        },
        blame: vec![Blame {
            rule,
            path: twin.path(outer) + &chain.path.repeat(paths),
            at: At::Node(outer, before + chain.call),
        }],
    })
}

/// Valid traces in which a type stands in itself as often as every reader must take, each with
/// what nests and the path of it.
pub fn deepest(plan: &Plan, twins: &[(Vec<u8>, Tree)]) -> Vec<(OpId, String, Vec<u8>)> {
    let mut order: Vec<&(Vec<u8>, Tree)> = twins.iter().collect();
    order.sort_by_key(|(bytes, _)| bytes.len());
    let calls = (0..plan.ops.len()).filter_map(|number| {
        let call = OpId(u32::try_from(number).ok()?);
        let Kind::Call(target) = plan.op(call).kind else {
            return None;
        };
        let (promised, ..) = plan.info(target).depth?;
        // Where nothing is promised there is nothing to show.
        (promised > 1).then_some((call, promised))
    });
    let deep = |(call, times): (OpId, u64)| {
        let found = order.iter().find_map(|(bytes, tree)| {
            let twin = Twin::new(plan, bytes, tree);
            let mut nodes = twin.nodes_of(call).iter();
            nodes.find_map(|node| {
                let attack = nested(&twin, *node, times).ok()?;
                let bytes = twin.splice(&attack.splice)?.bytes;
                (judge(plan, &bytes).judgement == Judgement::Accepted).then_some(bytes)
            })
        })?;
        let name = format!("{}-{times}", described_path(plan, call));
        Some((call, name, found))
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

    /// Each level says how large what is in it is: the same fields with other values.
    fn sized_levels(&self, twin: &Twin<'_>, times: u64) -> Option<Vec<u8>> {
        let (whole, part) = (twin.node(self.outer).span, twin.node(self.inner).span);
        let (before, after) = (
            twin.slice(whole.start, part.start),
            twin.slice(part.end, whole.end),
        );
        let sizes = self.sizes(twin)?;
        let mut length = part.end - part.start;
        let mut levels = Vec::new();
        for _ in 0..times {
            let more = i128::from(length) - i128::from(part.end - part.start);
            let mut level = before.to_vec();
            for size in &sizes {
                size.write(&mut level, more)?;
            }
            levels.push(level);
            length += (before.len() + after.len()) as u64;
        }
        levels.reverse();
        let mut bytes = levels.concat();
        bytes.extend_from_slice(twin.bytes_of(self.inner));
        bytes.extend(after.repeat(usize::try_from(times).ok()?));
        Some(bytes)
    }

    /// The fields of a level that say how large something is that the next level is in; none where
    /// one of them may become longer itself.
    fn sizes<'t>(&self, twin: &Twin<'t>) -> Option<Vec<LevelSize<'t>>> {
        let start = twin.node(self.outer).span.start;
        let mut sizes = Vec::new();
        for field in self.outer..self.inner {
            let Some(Derived::Measured {
                of,
                measure: Measure::Size,
                factor,
                ..
            }) = &twin.info(field).derived
            else {
                continue;
            };
            let of = twin.measured_by(field, *of);
            if !of.is_some_and(|of| of <= self.inner && self.inner < twin.node(of).end) {
                continue;
            }
            let kind = &twin.op(field).kind;
            if !matches!(kind, Kind::Integer(_)) {
                return None;
            }
            sizes.push(LevelSize {
                kind,
                at: usize::try_from(twin.node(field).span.start - start).ok()?,
                value: twin.integer(field)?,
                factor: *factor,
            });
        }
        Some(sizes)
    }
}

/// A field of a level that says how large something is.
struct LevelSize<'t> {
    kind: &'t Kind,
    /// Where it stands in the level.
    at: usize,
    value: i128,
    factor: i128,
}

impl LevelSize<'_> {
    /// Says so many bytes more; nothing where it cannot.
    fn write(&self, level: &mut [u8], more: i128) -> Option<()> {
        let value = more.checked_mul(self.factor)?.checked_add(self.value)?;
        let bytes = number::encode(self.kind, value)?;
        let place = level.get_mut(self.at..self.at + bytes.len())?;
        place.copy_from_slice(&bytes);
        Some(())
    }
}
