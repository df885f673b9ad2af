//! Bugs in parts: ignored conditions, wrong sizes, missing bounds, wrong positions, wrong padding,
//! and wrong nesting limits.

use super::Collector;
use super::number::set;
use super::words::{Operator, operators};
use crate::{Extent, Kind, LocationId, OpId, Plan, StreamRef, flags};

/// The operators for parts and conditions.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "always-there" => "reads the field even if the trace does not contain it",
    "never-there" => "never reads the field",
    "condition-turned" => "inverts the condition that decides whether the field is present",
    "size-one-more" => "reads one byte too many",
    "size-one-less" => "reads one byte too few",
    "part-not-bounded" => "reads past the end of the sized part",
    "read-in-place" => "reads the value in place instead of at its offset",
    "other-stream" =>
        "measures the offset from the start of the file instead of the start of the enclosing part, or vice versa",
    "aligned-to" => "aligns to {} bytes",
    "aligned-from" => "measures the alignment from the start of the {}",
    "padding-not-compared" => "does not check the values of the padding bytes",
    "rest-wanted" => "requires trailing fields that are optional",
    "nests-one-more" => "allows one nesting level too many",
    "nests-one-less" => "rejects data with the maximum allowed nesting depth",
    "nests-too-little" => "rejects nesting beyond half the allowed depth",
    "nests-without-bound" => "does not limit the nesting depth",
};

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        let op = out.plan.op(id);
        if op.flags & flags::GUARD != 0 {
            guard(out, id);
        }
        if op.flags & flags::OPTIONAL_REST != 0 {
            out.add("rest-wanted", id, "", move |plan: &mut Plan| {
                plan.ops[id.index()].flags &= !flags::OPTIONAL_REST;
            });
        }
        match out.plan.op(id).kind.clone() {
            Kind::Sized(extent) => {
                fixed(out, id, extent, Kind::Sized);
                set(out, "part-not-bounded", id, "", Kind::Structure);
            }
            Kind::Bytes(extent) => fixed(out, id, extent, Kind::Bytes),
            Kind::Text(extent, encoding) => {
                fixed(out, id, extent, |extent| Kind::Text(extent, encoding));
            }
            Kind::At(location) => elsewhere(out, id, location),
            Kind::Align {
                to,
                from_file,
                fill,
            } => {
                let rule = out.plan.tests_of(id).first().and_then(|test| test.rule);
                let fill = fill.filter(|_| out.plan.rejects(rule));
                out.under(rule, |out| padding(out, id, to, from_file, fill));
            }
            _ => {}
        }
        let rule = out.plan.info(id).depth.and_then(|(.., rule)| rule);
        out.under(rule, |out| depth(out, id));
    }
}

/// Adds mutants that ignore or invert a condition.
fn guard(out: &mut Collector<'_>, id: OpId) {
    out.add("always-there", id, "", move |plan: &mut Plan| {
        plan.ops[id.index()].flags &= !flags::GUARD;
    });
    out.add("never-there", id, "", move |plan: &mut Plan| {
        let never = plan.new_code(crate::Code::Bool(false));
        plan.ops[id.index()].guard = never;
    });
    out.add("condition-turned", id, "", move |plan: &mut Plan| {
        let guard = plan.ops[id.index()].guard;
        let not = crate::operator::UnaryOperator::Not;
        let turned = plan.new_code(crate::Code::Unary(not, guard));
        plan.ops[id.index()].guard = turned;
    });
}

/// Adds mutants in which a constant size is off by one.
fn fixed(out: &mut Collector<'_>, id: OpId, extent: Extent, kind: impl Fn(Extent) -> Kind) {
    if let Extent::Fixed(size) = extent {
        set(out, "size-one-more", id, "", kind(Extent::Fixed(size + 1)));
        if size > 0 {
            set(out, "size-one-less", id, "", kind(Extent::Fixed(size - 1)));
        }
    }
}

fn elsewhere(out: &mut Collector<'_>, id: OpId, location: LocationId) {
    let known = &out.plan.locations[location];
    let from_file = known.stream == StreamRef::File;
    if known.offset.is_some() {
        out.add("read-in-place", id, "", move |plan: &mut Plan| {
            plan.locations[location].offset = None;
        });
    }
    let stream = if from_file {
        StreamRef::Around(0)
    } else {
        StreamRef::File
    };
    out.add("other-stream", id, "", move |plan: &mut Plan| {
        plan.locations[location].stream = stream;
    });
}

fn padding(out: &mut Collector<'_>, id: OpId, to: u64, from_file: bool, fill: Option<u8>) {
    let kind = |to, from_file, fill| Kind::Align {
        to,
        from_file,
        fill,
    };
    for other in [1, to / 2, to * 2] {
        if other > 0 && other != to {
            set(out, "aligned-to", id, other, kind(other, from_file, fill));
        }
    }
    let from = if from_file { "part" } else { "file" };
    set(out, "aligned-from", id, from, kind(to, !from_file, fill));
    if fill.is_some() {
        let kind = kind(to, from_file, None);
        set(out, "padding-not-compared", id, "", kind);
    }
}

fn depth(out: &mut Collector<'_>, id: OpId) {
    let Some((promised, enforced, rule)) = out.plan.info(id).depth else {
        return;
    };
    // The nesting depth is tested by the calls inside the structure.
    let inside = id.0..out.plan.op(id).end;
    let calls = inside.map(OpId);
    let calls = calls.filter(|call| out.plan.op(*call).kind == Kind::Call(id));
    let touches: Vec<OpId> = std::iter::once(id).chain(calls).collect();
    // This depth exceeds every limit but does not exhaust the stack.
    let deep = promised.max(enforced).saturating_mul(2).saturating_add(16);
    let shallow = promised.min(enforced);
    let others = [
        ("nests-without-bound", deep, deep),
        ("nests-too-little", shallow / 2, shallow / 2),
        (
            "nests-one-less",
            shallow.saturating_sub(1),
            shallow.saturating_sub(1),
        ),
        ("nests-one-more", promised + 1, enforced.max(promised + 1)),
    ];
    // If the rule does not require rejection, readers may accept traces that nest deeper than
    // `promised`, the depth that every reader must accept, so a mutant that accepts them is a
    // correct reader.
    let free = rule.is_some_and(|rule| !out.plan.rejects(Some(rule)));
    for (operator, promised, enforced) in others {
        if free && matches!(operator, "nests-without-bound" | "nests-one-more") {
            continue;
        }
        out.add_touching(operator, id, touches.clone(), "", move |plan: &mut Plan| {
            plan.infos[id.index()].depth = Some((promised, enforced, rule));
        });
    }
}
