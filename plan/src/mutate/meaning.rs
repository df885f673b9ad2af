//! Bugs in the meanings of values, such as missing members, wrong time units and missing lookups,
//! and bugs in reporting records.

use super::words::{Operator, operators};
use super::{Collector, Place};
use crate::terms::{EnumId, Epoch, Meaning, RuleId};
use crate::{
    CheckKind, EnumPlan, JsonPlan, JsonShape, JsonUseId, Kind, OpId, Plan, RecordUseId, flags,
};

/// The operators for enumerations and records.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "member-known-early" => "accepts the value {}, which this version of the format does not allow",
    "member-forgotten" => "does not recognize the value {}",
    "members-swapped" => "reads the value {} as the preceding member of the enumeration",
    "bit-forgotten" => "does not recognize the bit {}",
    "bits-swapped" => "reads the bit {} as the preceding bit of the set",
    "not-looked-up" => "reports the key instead of the value that it refers to",
    "truth-as-number" => "reports a number instead of a boolean",
    "null-not-known" => "reads a null as a value",
    "inner-field-as-object" => "reports an object instead of the value of its only field",
    "other-unit" => "reads times in a unit that is {} than the correct unit",
    "not-reported" => "does not report `{}` records",
    "always-reported" => "reports a `{}` record that the trace does not contain",
};

/// The operators for JSON.
pub(super) const JSON: &[Operator] = &operators! {
    "no-json-taken" => "accepts text that is not JSON",
    "shape-not-tested" => "accepts JSON with any structure",
    "any-json-taken" => "accepts a JSON value of any type",
    "json-text-forgotten" => "rejects {}, although the JSON may contain it",
    "any-json-text-taken" =>
        "accepts any string in the JSON even where only certain strings are allowed",
    "member-wanted" => "requires the optional member {} of the JSON",
    "member-not-wanted" => "accepts JSON without the required member {}",
};

pub(super) fn mutate(out: &mut Collector<'_>) {
    enumerations(out);
    flag_sets(out);
    json(out);
    for id in out.ops() {
        presentation(out, id);
        if let Some(record) = out.plan.info(id).record {
            reported(out, id, record);
        }
    }
}

fn enumerations(out: &mut Collector<'_>) {
    for (set, known) in out.plan.enums.entries() {
        let of = |id: &OpId| out.plan.info(*id).presentation.enumeration == Some(set);
        let named = out.ops().any(|id| of(&id) && is_shown(out, id));
        let asking = asking(out.plan, set);
        let about = out
            .plan
            .place_of_test(|kind| *kind == CheckKind::InEnum(set));
        let about = about.unwrap_or_else(|| out.plan.first(of));
        for (place, member) in known.members.iter().enumerate() {
            let (name, broken) = (member.name.clone(), member.broken.is_some());
            let enumeration = &known.name;
            if broken && !out.plan.rejects(member.broken) {
                continue;
            }
            if broken {
                let rule = member.broken;
                out.at(Place { rule, ..about }, |out| {
                    out.add_named(
                        "member-known-early",
                        enumeration,
                        name,
                        move |plan: &mut Plan| {
                            plan.enums[set].members[place].broken = None;
                        },
                    );
                });
                continue;
            }
            // A reader may show the number of a member instead of its name, so forgetting a member
            // is detectable only if a test requires the value to be a member.
            let asked = asking.iter().any(|op| {
                // Another test of the same field may already exclude this member.
                let allowed = out.allowed.get(op);
                allowed.is_none_or(|allowed| {
                    allowed.low.is_none_or(|low| low <= member.value)
                        && allowed.high.is_none_or(|high| member.value <= high)
                })
            });
            out.at(about, |out| {
                if asked {
                    out.add_named(
                        "member-forgotten",
                        enumeration,
                        &name,
                        move |plan: &mut Plan| {
                            forget(&mut plan.enums[set], place);
                        },
                    );
                }
                if place > 0 && named {
                    out.add_named(
                        "members-swapped",
                        enumeration,
                        &name,
                        move |plan: &mut Plan| {
                            swap(&mut plan.enums[set], place);
                        },
                    );
                }
            });
        }
    }
}

/// Returns the operations where a value outside the enumeration affects what readers must do.
fn asking(plan: &Plan, enumeration: EnumId) -> Vec<OpId> {
    let ops = (0..u32::MAX).map(OpId).take(plan.ops.len());
    let asks = ops.filter(|op| {
        let mut tests = plan.tests_of(*op).iter();
        tests.any(|test| test.kind == CheckKind::InEnum(enumeration) && plan.matters(test.rule))
    });
    asks.collect()
}

fn forget(known: &mut EnumPlan, place: usize) {
    let member = known.members.remove(place);
    if let Ok(small) = u8::try_from(member.value) {
        known.small[usize::from(small / 64)] &= !(1 << (small % 64));
    }
}

/// Swaps the names of two members.
fn swap(known: &mut EnumPlan, place: usize) {
    let other = std::mem::take(&mut known.members[place - 1].name);
    let other = std::mem::replace(&mut known.members[place].name, other);
    known.members[place - 1].name = other;
}

fn flag_sets(out: &mut Collector<'_>) {
    for (set, known) in out.plan.flag_sets.entries() {
        let of = |id: &OpId| out.plan.info(*id).presentation.flags == Some(set);
        if !out.ops().any(|id| of(&id) && is_shown(out, id)) {
            continue;
        }
        let about = out.plan.first(of);
        for (place, (name, _)) in known.bits.iter().enumerate() {
            out.at(about, |out| {
                out.add_named(
                    "bit-forgotten",
                    &known.name,
                    name,
                    move |plan: &mut Plan| {
                        plan.flag_sets[set].bits.remove(place);
                    },
                );
                if place > 0 {
                    out.add_named("bits-swapped", &known.name, name, move |plan: &mut Plan| {
                        let bits = &mut plan.flag_sets[set].bits;
                        let (one, other) = (bits[place - 1].1, bits[place].1);
                        bits[place - 1].1 = other;
                        bits[place].1 = one;
                    });
                }
            });
        }
    }
}

/// Returns whether a record can contain the value of an operation through its slot, or through the
/// slot of an enclosing operation.
pub(super) fn is_shown(out: &Collector<'_>, id: OpId) -> bool {
    let mut at = Some(id);
    while let Some(op) = at {
        let described = out.plan.op(op);
        if described.flags & flags::SLOT != 0 && out.shown.has_slot(described.slot) {
            return true;
        }
        // A run of bits is not visible itself, but the bit fields in it can be.
        let run = matches!(described.kind, Kind::BitRun { .. });
        if !run && described.flags & flags::VISIBLE == 0 {
            return false;
        }
        at = out.plan.info(op).parent;
    }
    false
}

fn presentation(out: &mut Collector<'_>, id: OpId) {
    if !is_shown(out, id) {
        return;
    }
    let known = &out.plan.info(id).presentation;
    let (shows, meaning) = (known.shows.is_some(), known.meaning.clone());
    if shows {
        out.add("not-looked-up", id, "", move |plan: &mut Plan| {
            plan.infos[id.index()].presentation.shows = None;
        });
    }
    match meaning {
        Some(Meaning::Bool) => out.add("truth-as-number", id, "", move |plan: &mut Plan| {
            plan.infos[id.index()].presentation.meaning = None;
        }),
        Some(Meaning::Time {
            unit_nanoseconds,
            epoch,
        }) => times(out, id, unit_nanoseconds, epoch),
        _ => {}
    }
    if out.plan.info(id).null.is_some() {
        out.add("null-not-known", id, "", move |plan: &mut Plan| {
            plan.infos[id.index()].null = None;
        });
    }
    if out.plan.info(id).presentation.transparent {
        out.add("inner-field-as-object", id, "", move |plan: &mut Plan| {
            plan.infos[id.index()].presentation.transparent = false;
        });
    }
}

fn times(out: &mut Collector<'_>, id: OpId, unit: u64, epoch: Epoch) {
    for (word, unit_nanoseconds) in [("longer", unit.saturating_mul(10)), ("shorter", unit / 10)] {
        if unit_nanoseconds == 0 {
            continue;
        }
        out.add("other-unit", id, word, move |plan: &mut Plan| {
            plan.infos[id.index()].presentation.meaning = Some(Meaning::Time {
                unit_nanoseconds,
                epoch,
            });
        });
    }
}

fn reported(out: &mut Collector<'_>, id: OpId, record: RecordUseId) {
    let known = &out.plan.records[record];
    let (kind, conditional) = (known.kind.clone(), known.condition.is_some());
    out.add("not-reported", id, &kind, move |plan: &mut Plan| {
        let never = plan.new_code(crate::Code::Bool(false));
        plan.records[record].condition = Some(never);
    });
    if conditional {
        out.add("always-reported", id, &kind, move |plan: &mut Plan| {
            plan.records[record].condition = None;
        });
    }
}

fn json(out: &mut Collector<'_>) {
    for (id, known) in out.plan.json.entries() {
        let place = format!("json[{}]", id.index());
        let about = out.plan.place_of_test(|kind| *kind == CheckKind::Json(id));
        let about = about.unwrap_or_default();
        out.at(about, |out| text_as_json(out, id, &place, known));
    }
}

/// Adds mutants with bugs in the tests of text that contains JSON.
fn text_as_json(out: &mut Collector<'_>, id: JsonUseId, place: &str, known: &JsonPlan) {
    if known.rule.is_some() && out.plan.rejects(known.rule) {
        out.under(known.rule, |out| {
            out.add_named("no-json-taken", place, "", move |plan: &mut Plan| {
                let rule = plan.tolerant_rule();
                plan.json[id].rule = Some(rule);
            })
        });
    }
    if let Some(shape) = &known.shape {
        shapes(out, id, place, shape, &[]);
        if out.plan.rejects(shape.rule) {
            out.under(shape.rule, |out| {
                out.add_named("shape-not-tested", place, "", move |plan: &mut Plan| {
                    plan.json[id].shape = None;
                })
            });
        }
    }
}

/// Adds mutants with bugs in the tests of a JSON value and of the values nested in it. `way`
/// contains the member indexes that lead to the value.
fn shapes(out: &mut Collector<'_>, id: JsonUseId, place: &str, shape: &JsonShape, way: &[usize]) {
    let change = |out: &mut Collector<'_>,
                  operator,
                  detail: &str,
                  change: Box<dyn Fn(&mut JsonShape) + Send + Sync>| {
        let way = way.to_vec();
        out.under(shape.rule.or(shape.one_of_rule), |out| {
            out.add_named(operator, place, detail, move |plan: &mut Plan| {
                let mut at = plan.json[id].shape.as_mut();
                for step in &way {
                    at = at.and_then(|shape| Some(&mut shape.members.get_mut(*step)?.shape));
                }
                if let Some(shape) = at {
                    change(shape);
                }
            });
        });
    };
    let rejects = |rule: Option<RuleId>| out.plan.rejects(rule);
    let (of_kind, of_text) = (rejects(shape.rule), rejects(shape.one_of_rule));
    if !shape.kinds.is_empty() && of_kind {
        let forget = |shape: &mut JsonShape| shape.kinds.clear();
        change(out, "any-json-taken", "", Box::new(forget));
    }
    if of_text && !shape.one_of.is_empty() {
        for text in 0..shape.one_of.len() {
            let name = &shape.one_of[text];
            let forget = move |shape: &mut JsonShape| {
                shape.one_of.remove(text);
            };
            change(out, "json-text-forgotten", name, Box::new(forget));
        }
        let forget = |shape: &mut JsonShape| shape.one_of.clear();
        change(out, "any-json-text-taken", "", Box::new(forget));
    }
    for (member, known) in shape.members.iter().enumerate() {
        if !known.needed {
            let way = way.to_vec();
            out.add_named(
                "member-wanted",
                place,
                &known.name,
                move |plan: &mut Plan| {
                    let strict = plan.strict_rule();
                    let mut at = plan.json[id].shape.as_mut();
                    for step in &way {
                        at = at.and_then(|shape| Some(&mut shape.members.get_mut(*step)?.shape));
                    }
                    if let Some(shape) = at {
                        shape.members[member].needed = true;
                        shape.members[member].shape.rule = Some(strict);
                    }
                },
            );
        } else if out.plan.rejects(known.shape.rule) {
            let flip = move |shape: &mut JsonShape| shape.members[member].needed = false;
            change(out, "member-not-wanted", &known.name, Box::new(flip));
        }
        let way: Vec<usize> = way.iter().copied().chain([member]).collect();
        let place = format!("{place}.{}", known.name);
        shapes(out, id, &place, &known.shape, &way);
    }
}
