//! Structures nested in themselves more deeply than a reader must support.

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::{Judgement, decode_tree, judge};
use tracegauge_plan::{Count, Derived, Kind, Measure, OpId, Plan, Scale};

use super::{Plant, Words};
use crate::fault::apply::{At, Attack, Blame};
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::operator::Site;
use crate::fault::path::described_path;
use crate::fault::site::Finder;
use crate::fault::splice::{Edit, Splice};
use crate::fault::systematic::{Twins, ValidTrace};
use crate::fault::twin::Twin;

/// A structure nested in itself more deeply than a reader must support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nested {
    /// The nesting depth.
    pub times: u64,
}

impl Plant for Nested {
    const WORDS: Words = &[("nested", "The nesting is deeper than readers must support")];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        if let Kind::Call(target) = plan.op(id).kind
            && let Some((_, enforced, rule)) = plan.info(target).depth
        {
            let times = [enforced + 1, 10_000, 100_000].into_iter();
            let times = times.filter(|times| *times > enforced);
            finder.add_all(rule, id, times.map(|times| Self { times }));
        }
    }

    fn name(&self) -> &'static str {
        "nested"
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        Some(self.times.to_string())
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        nested(twin, node, self.times)
    }
}

/// The maximum size in bytes of a trace with nested structures. Larger traces would test the
/// performance of readers rather than their correctness.
const MOST_BYTES: u64 = 1 << 22;

/// Nests the structure that contains the call `node` in itself `times` times.
fn nested(twin: &Twin<'_>, node: NodeId, times: u64) -> Result<Attack, NoCase> {
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

/// Returns valid traces in which a type is nested in itself as deeply as every reader must support.
/// Each trace comes with the recursive call and with a name that consists of the call's path and
/// the depth.
pub fn deepest(plan: &Plan, twins: &Twins) -> Vec<(OpId, String, Vec<u8>)> {
    let mut order: Vec<&ValidTrace> = twins.iter().collect();
    order.sort_by_key(|trace| trace.bytes.len());
    let calls = (0..plan.ops.len()).filter_map(|number| {
        let call = OpId(u32::try_from(number).ok()?);
        let Kind::Call(target) = plan.op(call).kind else {
            return None;
        };
        let (promised, ..) = plan.info(target).depth?;
        // Without a guaranteed depth, there is nothing to test.
        (promised > 1).then_some((call, promised))
    });
    let deep = |(call, times): (OpId, u64)| {
        let found = order.iter().find_map(|trace| {
            let twin = Twin::new(plan, &trace.bytes, &trace.tree);
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

/// Returns the trace without the siblings of the nested element. Removing the siblings keeps each
/// level small, and prevents a sibling from exceeding the nesting depth first.
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

/// Returns edits that empty the lists next to the list that contains the nested structure.
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

/// A structure that contains itself.
struct Chain {
    outer: NodeId,
    inner: NodeId,
    /// The number of bytes of the outer structure before the inner structure.
    before: u64,
    /// The number of bytes of the outer structure before the call.
    call: u64,
    /// The path from the outer structure to the inner structure.
    path: String,
}

impl Chain {
    fn of(
        twin: &Twin<'_>,
        target: tracegauge_plan::OpId,
        call: tracegauge_plan::OpId,
    ) -> Option<Self> {
        let is_call = |at: NodeId| matches!(twin.op(at).kind, Kind::Call(_));
        let mut calls = twin.nodes_of(call).iter().copied();
        let (outer, node) = calls.find_map(|node| {
            let outer = twin
                .outward(node)
                .skip(1)
                .find(|at| twin.node(*at).op == target)?;
            let outermost = !twin.outward(node).skip(1).any(is_call);
            // If there is an earlier call, a reader first reports that one as nested too deeply.
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

    /// Returns whether a field between the outer and the inner structure stores the size of
    /// contents that include the inner structure.
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

    /// Writes the nested levels if each level stores the size of its contents. All levels have the
    /// same fields and differ only in these sizes.
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

    /// Returns the fields of a level that store the size of contents that include the next level.
    /// Returns `None` if the encoding of one of these fields may become longer.
    fn sizes<'t>(&self, twin: &Twin<'t>) -> Option<Vec<LevelSize<'t>>> {
        let start = twin.node(self.outer).span.start;
        let mut sizes = Vec::new();
        for field in self.outer..self.inner {
            let Some(Derived::Measured {
                of,
                measure: Measure::Size,
                scale,
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
                scale: *scale,
            });
        }
        Some(sizes)
    }
}

/// A size field in one nesting level.
struct LevelSize<'t> {
    kind: &'t Kind,
    /// The position of the field in the level.
    at: usize,
    value: i128,
    scale: Scale,
}

impl LevelSize<'_> {
    /// Increases the stored size by `more` bytes. Returns `None` if the field cannot represent the
    /// result.
    fn write(&self, level: &mut [u8], more: i128) -> Option<()> {
        let size = self.scale.exact(self.value)?.checked_add(more)?;
        let value = self.scale.value(size)?;
        self.scale.exact(value).filter(|exact| *exact == size)?;
        let bytes = number::encode(self.kind, value)?;
        let place = level.get_mut(self.at..self.at + bytes.len())?;
        place.copy_from_slice(&bytes);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::Nested;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_type_is_nested_too_deeply() {
        let cases = planted::<Nested>(
            r#"types: { node: { seq: [ { id: n, type: u1, value: inner.size }, { id: inner, type: node, repeat: expr, repeat-expr: n } ] } }
limits: [ { of: node, depth: 2, rule: R } ]
seq: [ { id: root, type: node } ]"#,
            "0100",
        );
        assert_eq!(
            cases,
            [
                "R/nested-3/root.inner 01010100 @3",
                "R/nested-10000/root.inner 10001 bytes @3",
                "R/nested-100000/root.inner 100001 bytes @3"
            ]
        );
    }
}
