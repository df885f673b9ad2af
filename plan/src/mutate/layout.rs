//! Bugs in layouts, which read values whose type codes come from the file: type codes are missing
//! or confused, and descriptions of fields are misread.

use super::Collector;
use super::words::{Operator, operators};
use crate::terms::{LocatedFrom, RuleId};
use crate::{
    ByteSet, CheckKind, Kind, LayoutUseId, LocatedPlan, NestedForm, NestedId, OpId, Plan,
    SignatureId, TextId,
};

/// The operators for type codes and descriptions of fields.
pub(super) const OPERATORS: &[Operator] = &operators! {
    "code-forgotten" => "does not recognize the type code {}",
    "codes-swapped" => "confuses two type codes ({})",
    "units-as-numbers" => "reports text as a list of numbers ({})",
    "presence-not-read" => "does not read the field that states whether a value is present",
    "unknown-code-taken" => "accepts an unknown type code",
    "any-size-held" => "accepts any size for a fixed-size type ({})",
    "no-list-as-long" => "reads the marker for an absent list as a length",
    "located-from-other" => "measures the offset of a value from the wrong position",
    "size-and-offset-swapped" => "swaps the size and the offset of a value",
    "part-of-element-taken" => "accepts a list whose size is not a multiple of the element size",
    "blanks-taken" => "accepts spaces in a field description",
    "blanks-not-taken" => "rejects spaces in a field description",
    "name-and-code-swapped" => "swaps the name and the type in a field description",
    "any-byte-in-name" => "accepts a field description with any bytes in its name",
    "name-ends-early" =>
        "ends the name in a field description too early, at certain characters ({})",
    "spelling-forgotten" => "does not recognize one spelling of a type code ({})",
    "any-code-held" => "accepts values of any type inside {}",
    "any-code-described" => "accepts a field description with an unknown type",
    "no-name-described" => "accepts a field description without a name",
    "rest-of-item-taken" =>
        "accepts a field description with trailing text after the name and type",
    "name-described-again" => "accepts two field descriptions with the same name",
    "any-type-held" => "accepts any type for the field {}",
};

/// A class of bytes: its name, and whether a byte belongs to it.
type ByteClass = (&'static str, fn(u8) -> bool);

/// The classes of bytes that a reader may forget to allow in names.
const NAME_CLASSES: [ByteClass; 4] = [
    ("capital-letters", |byte| byte.is_ascii_uppercase()),
    ("small-letters", |byte| byte.is_ascii_lowercase()),
    ("digits", |byte| byte.is_ascii_digit()),
    ("other-characters", |byte| !byte.is_ascii_alphanumeric()),
];

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        match out.plan.op(id).kind {
            Kind::Layout(layout) => {
                codes(out, id, layout);
                described(out, id, layout);
            }
            Kind::Nested(nested) => holds(out, id, nested),
            _ => {}
        }
        if let Some(describes) = out.plan.info(id).describes {
            for (number, code) in out.plan.describes[describes].codes.iter().enumerate() {
                if !code.fixed.is_some_and(|rule| out.plan.rejects(rule)) {
                    continue;
                }
                let rule = code.fixed.flatten();
                out.under(rule, |out| {
                    out.add("any-size-held", id, code.code, move |plan: &mut Plan| {
                        plan.describes[describes].codes[number].fixed = None;
                    });
                });
            }
        }
    }
    texts(out);
}

fn codes(out: &mut Collector<'_>, id: OpId, layout: LayoutUseId) {
    let known = out.plan.layouts[layout].clone();
    for (number, code) in known.codes.iter().enumerate() {
        let touches = vec![id, code.op];
        let name = code.name.clone();
        out.choosing([Some(code.op), None], |out| {
            out.add_touching(
                "code-forgotten",
                id,
                touches,
                &name,
                move |plan: &mut Plan| {
                    plan.layouts[layout].codes.remove(number);
                },
            );
        });
        if number > 0 {
            let before = &known.codes[number - 1];
            let name = format!("{}-{}", before.name, code.name);
            out.choosing([Some(before.op), Some(code.op)], |out| {
                out.add("codes-swapped", id, name, move |plan: &mut Plan| {
                    let codes = &mut plan.layouts[layout].codes;
                    let (one, other) = (codes[number - 1].code, codes[number].code);
                    codes[number - 1].code = other;
                    codes[number].code = one;
                });
            });
        }
        if code.units.is_some() {
            out.choosing([Some(code.op), None], |out| {
                out.add(
                    "units-as-numbers",
                    id,
                    &code.name,
                    move |plan: &mut Plan| {
                        plan.layouts[layout].codes[number].units = None;
                    },
                );
            });
        }
    }
}

fn described(out: &mut Collector<'_>, id: OpId, layout: LayoutUseId) {
    let known = &out.plan.layouts[layout];
    let (optional, unknown) = (
        known.optional.is_some(),
        known.unknown.is_some() && out.plan.rejects(known.unknown),
    );
    if optional {
        out.add("presence-not-read", id, "", move |plan: &mut Plan| {
            plan.layouts[layout].optional = None;
        });
    }
    if unknown {
        out.under(known.unknown, |out| {
            out.add("unknown-code-taken", id, "", move |plan: &mut Plan| {
                let rule = plan.tolerant_rule();
                plan.layouts[layout].unknown = Some(rule);
            });
        });
    }
}

fn holds(out: &mut Collector<'_>, id: OpId, nested: NestedId) {
    let known = out.plan.nested[nested].clone();
    if known.none.is_some() {
        out.add("no-list-as-long", id, "", move |plan: &mut Plan| {
            plan.nested[nested].none = None;
        });
    }
    let NestedForm::Located(located) = known.form else {
        return;
    };
    let change = |out: &mut Collector<'_>, operator, change: fn(&mut LocatedPlan)| {
        out.add(operator, id, "", move |plan: &mut Plan| {
            if let NestedForm::Located(located) = &mut plan.nested[nested].form {
                change(located);
            }
        });
    };
    match located.from {
        LocatedFrom::EndOfField => change(out, "located-from-other", |located| {
            located.from = LocatedFrom::StartOfLayout;
        }),
        LocatedFrom::StartOfLayout => change(out, "located-from-other", |located| {
            located.from = LocatedFrom::EndOfField;
        }),
    }
    change(out, "size-and-offset-swapped", |located| {
        std::mem::swap(&mut located.offset, &mut located.size);
    });
    if located.multiple.is_some() && out.plan.rejects(located.multiple) {
        out.under(located.multiple, |out| {
            out.add("part-of-element-taken", id, "", move |plan: &mut Plan| {
                let rule = plan.tolerant_rule();
                if let NestedForm::Located(located) = &mut plan.nested[nested].form {
                    located.multiple = Some(rule);
                }
            });
        });
    }
}

/// Adds mutants with bugs in parsing text that describes fields.
fn texts(out: &mut Collector<'_>) {
    for text in out.plan.texts.ids() {
        let plan = out.plan;
        let of = |signature: SignatureId| plan.signatures[signature].text == text;
        let place = plan.place_of_test(|kind| matches!(kind, CheckKind::Signature(it) if of(*it)));
        out.at(place.unwrap_or_default(), |out| syntax(out, text));
    }
    for signature in out.plan.signatures.ids() {
        let is_meant = |kind: &CheckKind| *kind == CheckKind::Signature(signature);
        let place = out.plan.place_of_test(is_meant);
        out.at(place.unwrap_or_default(), |out| signatures(out, signature));
    }
}

/// Adds mutants with bugs in the syntax of text that describes fields.
fn syntax(out: &mut Collector<'_>, text: TextId) {
    let known = &out.plan.texts[text];
    let place = format!("text[{}]", text.index());
    let blanks = !known.blanks;
    let word = if blanks {
        "blanks-taken"
    } else {
        "blanks-not-taken"
    };
    out.add_named(word, &place, "", move |plan: &mut Plan| {
        plan.texts[text].blanks = blanks;
    });
    let order = !known.code_first;
    out.add_named(
        "name-and-code-swapped",
        &place,
        "",
        move |plan: &mut Plan| {
            plan.texts[text].code_first = order;
        },
    );
    out.add_named("any-byte-in-name", &place, "", move |plan: &mut Plan| {
        plan.texts[text].name_bytes = ByteSet::ALL;
    });
    for (class, belongs) in NAME_CLASSES {
        let rest = known.name_bytes.without(belongs);
        if rest != known.name_bytes && rest.bytes().next().is_some() {
            out.add_named("name-ends-early", &place, class, move |plan: &mut Plan| {
                plan.texts[text].name_bytes = rest;
            });
        }
    }
    for (code, described) in known.codes.iter().enumerate() {
        for spelling in 0..described.spellings.len() {
            let detail = format!("{} {spelling}", described.name);
            out.add_named(
                "spelling-forgotten",
                &place,
                detail,
                move |plan: &mut Plan| {
                    plan.texts[text].codes[code].spellings.remove(spelling);
                },
            );
        }
        if !described.holds.is_empty() {
            let name = &described.name;
            out.add_named("any-code-held", &place, name, move |plan: &mut Plan| {
                plan.texts[text].codes[code].holds.clear();
            });
        }
    }
}

/// Adds mutants with bugs in the tests of text that describes fields.
fn signatures(out: &mut Collector<'_>, signature: SignatureId) {
    use crate::SignaturePlan;
    type Rule = fn(&mut SignaturePlan) -> &mut Option<RuleId>;
    let place = format!("signature[{}]", signature.index());
    let rules: [(&'static str, Rule); 4] = [
        ("any-code-described", |signature| &mut signature.code),
        ("no-name-described", |signature| &mut signature.missing),
        ("rest-of-item-taken", |signature| &mut signature.rest),
        ("name-described-again", |signature| &mut signature.unique),
    ];
    for (operator, rule) in rules {
        let mut known = out.plan.signatures[signature].clone();
        let known = *rule(&mut known);
        if known.is_none() || !out.plan.rejects(known) {
            continue;
        }
        out.under(known, |out| {
            out.add_named(operator, &place, "", move |plan: &mut Plan| {
                let tolerant = plan.tolerant_rule();
                *rule(&mut plan.signatures[signature]) = Some(tolerant);
            });
        });
    }
    for (number, (code, rule)) in out.plan.signatures[signature].holds.iter().enumerate() {
        if !out.plan.rejects(*rule) {
            continue;
        }
        out.under(*rule, |out| {
            out.add_named("any-type-held", &place, code, move |plan: &mut Plan| {
                let tolerant = plan.tolerant_rule();
                plan.signatures[signature].holds[number].1 = Some(tolerant);
            });
        });
    }
}
