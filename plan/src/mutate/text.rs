//! Bugs in strings and byte strings: wrong encodings, wrong terminators, and missing comparisons.

use super::Collector;
use super::number::set;
use super::words::{Operator, operators};
use crate::terms::{Encoding, FaultKind};
use crate::{CheckKind, ConstantId, Ending, Extent, Kind, OpId, Plan, flags};

/// The operators for strings and bytes.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "other-encoding" => "decodes the text as {}",
    "ill-formed-text-taken" => "accepts ill-formed text",
    "other-terminator" / "required" => "rejects text without a terminator",
    "other-terminator" / "not-required" => "accepts text without its terminator",
    "other-terminator" / "consumed" => "consumes the terminator, which belongs to the next field",
    "other-terminator" / "left" => "does not skip the terminator after the text",
    "other-terminator" / "included" => "includes the terminator in the text",
    "other-terminator" / "left-out" => "excludes the terminator from the text",
    "other-terminator" => "keeps the padding in the text",
    "contents-not-compared" => "does not check that constant bytes have the required values",
    "contents-hardly-compared" => "checks only one of the constant bytes",
};

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        match out.plan.op(id).kind.clone() {
            Kind::Text(extent, encoding) if !is_constant(out.plan, id) => {
                for other in others(encoding) {
                    let kind = Kind::Text(extent, *other);
                    set(out, "other-encoding", id, name(*other), kind);
                }
                ill_formed(out, id);
            }
            Kind::Terminated(ending) => {
                endings(out, id, ending);
                if ending.encoding.is_some() {
                    ill_formed(out, id);
                }
            }
            Kind::Contents(constant) => contents(out, id, constant),
            _ => {}
        }
    }
}

/// Returns whether the text must equal one of a few constants. Decoding such text in a different
/// encoding does not affect the result.
fn is_constant(plan: &Plan, id: OpId) -> bool {
    let mut tests = plan.tests_of(id).iter();
    tests.any(|test| {
        test.condition.is_none()
            && plan.rejects(test.rule)
            && matches!(test.kind, CheckKind::Equal(_) | CheckKind::AnyOf(_))
    })
}

/// Returns the encodings that a reader may use by mistake instead of `encoding`. The code units of
/// these encodings have the same size, so a reader still finds the end of the text.
fn others(encoding: Encoding) -> &'static [Encoding] {
    use Encoding::{Ascii, Cesu8, Latin1, Utf8, Utf16Be, Utf16Le};
    match encoding {
        Ascii => &[Utf8, Latin1],
        Utf8 => &[Ascii, Latin1, Cesu8],
        Cesu8 => &[Utf8, Latin1],
        Utf16Le => &[Utf16Be],
        Utf16Be => &[Utf16Le],
        Latin1 => &[Utf8, Ascii],
    }
}

fn name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Ascii => "ascii",
        Encoding::Utf8 => "utf-8",
        Encoding::Cesu8 => "cesu-8",
        Encoding::Utf16Le => "utf-16-le",
        Encoding::Utf16Be => "utf-16-be",
        Encoding::Latin1 => "latin-1",
    }
}

/// Adds a mutant that accepts ill-formed text.
fn ill_formed(out: &mut Collector<'_>, id: OpId) {
    let faults = out.plan.op(id).faults;
    let rule = out.plan.faults[faults].of(FaultKind::Encoding);
    if rule.is_some() && out.plan.rejects(rule) {
        out.under(rule, |out| {
            out.add("ill-formed-text-taken", id, "", move |plan: &mut Plan| {
                plan.tolerate(id, FaultKind::Encoding);
            });
        });
    }
}

fn endings(out: &mut Collector<'_>, id: OpId, ending: Ending) {
    for other in ending.encoding.map_or(&[][..], others) {
        let changed = Ending {
            encoding: Some(*other),
            ..ending
        };
        // If a code unit has two bytes, the terminator would also be encoded differently.
        if ending.unit() == 1 {
            let kind = Kind::Terminated(changed);
            set(out, "other-encoding", id, name(*other), kind);
        }
    }
    let required = !ending.required;
    let change = |detail: &'static str, changed: Ending, out: &mut Collector<'_>| {
        set(
            out,
            "other-terminator",
            id,
            detail,
            Kind::Terminated(changed),
        );
    };
    if ending.terminator.is_some() {
        let word = if required { "required" } else { "not-required" };
        change(word, Ending { required, ..ending }, out);
        let consume = !ending.consume;
        let word = if consume { "consumed" } else { "left" };
        change(word, Ending { consume, ..ending }, out);
        let include = !ending.include;
        let word = if include { "included" } else { "left-out" };
        change(word, Ending { include, ..ending }, out);
    }
    if ending.pad.is_some() {
        change(
            "padding-kept",
            Ending {
                pad: None,
                ..ending
            },
            out,
        );
    }
}

/// Adds mutants with bugs in the comparison of constant bytes.
fn contents(out: &mut Collector<'_>, id: OpId, constant: ConstantId) {
    let length = out.plan.constants[constant].len() as u64;
    out.add("contents-not-compared", id, "", move |plan: &mut Plan| {
        let op = &mut plan.ops[id.index()];
        op.kind = Kind::Bytes(Extent::Fixed(length));
        op.flags &= !flags::CHECKS;
    });
    if length < 2 {
        return;
    }
    // These mutants accept the data if it contains just one of the constant bytes.
    for (word, kept) in [("first-byte", 0), ("last-byte", length - 1)] {
        out.add(
            "contents-hardly-compared",
            id,
            word,
            move |plan: &mut Plan| {
                compare_one(plan, id, kept, length);
            },
        );
    }
}

/// Replaces the comparison of constant bytes with a search for one of the bytes at any position.
fn compare_one(plan: &mut Plan, id: OpId, kept: u64, length: u64) {
    let Kind::Contents(constant) = plan.ops[id.index()].kind else {
        return;
    };
    let bytes = &plan.constants[constant];
    let at = usize::try_from(kept).unwrap_or_default();
    let Some(byte) = bytes.get(at).copied() else {
        return;
    };
    let wanted = plan.new_code(crate::Code::This);
    let code = plan.new_code(crate::Code::ContainsByte(wanted, byte));
    let first = plan.ops[id.index()].checks.0.index();
    let rule = plan.checks.get(first).and_then(|check| check.rule);
    let check = crate::CheckPlan {
        kind: crate::CheckKind::Holds(code),
        condition: None,
        rule,
        blame: None,
    };
    let place = crate::CheckId::from(plan.checks.len());
    plan.checks.push(check);
    let op = &mut plan.ops[id.index()];
    op.kind = Kind::Bytes(Extent::Fixed(length));
    op.checks = (place, 1);
    op.flags |= flags::CHECKS;
}
