//! Derives the coverage obligations from a plan.

use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{
    Code, CodeExtent, Count, Kind, LayoutPlan, LayoutSource, Op, OpId, Plan, RepeatId, flags,
};

use super::exclude::{Known, LeftOut};
use super::{
    Obligation, Times, boundaries, carried, edges, pairs, places, rows, rules, sequences, texts,
};

/// The feasible and the infeasible obligations of a plan.
#[derive(Clone, Debug, Default)]
pub struct Feasible {
    /// Feasible obligations, in the order of the plan.
    pub obligations: Vec<Obligation>,
    /// Infeasible obligations, each with the reason.
    pub excluded: Vec<LeftOut>,
}

/// Returns the obligations of `plan`.
pub fn feasible(plan: &Plan) -> Feasible {
    let mut result = Feasible::default();
    rule_obligations(plan, &mut result);
    result.obligations.extend(places::Places::new(plan).all());
    for (index, op) in plan.ops.iter().enumerate() {
        let id = OpId::from(index);
        operation_obligations(plan, id, op, &mut result);
    }
    result.obligations.extend(nesting(plan));
    result.obligations.extend(boundaries::members(plan));
    let boundaries = boundaries::boundaries(plan).into_iter();
    let boundaries = boundaries.chain(texts::texts(plan));
    let read = |obligation: &Obligation| match obligation {
        Obligation::Value(op, _) => !never_read(plan, *op),
        _ => true,
    };
    result.obligations.extend(boundaries.filter(read));
    match edges::edges(plan) {
        Some(edges) => {
            let ends = |arm: OpId, first: OpId| !edges::leads_to(plan, &edges, arm, first);
            let sequences = sequences::sequences(plan, ends);
            result.obligations.extend(sequences);
            let edges = edges.into_iter();
            let edges = edges.map(|(from, to)| Obligation::Edge(from, to));
            result.obligations.extend(edges);
        }
        None => result.excluded.push(LeftOut {
            obligation: "edges".to_owned(),
            because: "the description is too large to list which fields can follow each other"
                .to_owned(),
            known: Known::Description,
        }),
    }
    result.obligations.extend(rows::rows(plan));
    result.obligations.extend(carried::carried(plan));
    result.obligations.extend(pairs::pairs(plan));
    result
}

/// Returns an obligation for each pair of type codes where a value with one code can be inside a
/// value with the other, except for combinations that readers must reject.
fn nesting(plan: &Plan) -> Vec<Obligation> {
    let described = plan.describes.iter().flat_map(|describes| &describes.codes);
    let described = described.collect::<Vec<_>>();
    let said = |code: i128| described.iter().find(|known| known.code == code);
    let refused = |holder: i128, inside: i128| {
        let rule = said(holder).and_then(|holder| holder.fixed);
        let strict = rule.is_some_and(|rule| {
            rule.is_none_or(|rule| plan.rules[rule].duty == ReaderDuty::Reject)
        });
        strict && said(inside).is_some_and(|inside| inside.extent == CodeExtent::Variable)
    };
    let mut found = Vec::new();
    for layout in &plan.layouts {
        for holder in &layout.codes {
            if !matches!(plan.op(holder.op).kind, Kind::Nested(_)) {
                continue;
            }
            let inside = layout.codes.iter();
            let inside = inside.filter(|inside| !refused(holder.code, inside.code));
            let inside =
                inside.filter(|inside| !refused_in_text(plan, layout, holder.code, inside.code));
            found.extend(inside.map(|inside| Obligation::Inside(holder.op, inside.op)));
        }
    }
    found
}

/// Returns true if readers must reject a signature (the text that describes the fields of a row)
/// that nests type code `inside` in type code `holder`.
fn refused_in_text(plan: &Plan, layout: &LayoutPlan, holder: i128, inside: i128) -> bool {
    let Some(text) = layout.text else {
        return false;
    };
    let strict =
        |rule: &Option<RuleId>| rule.is_none_or(|rule| plan.rules[rule].duty == ReaderDuty::Reject);
    let signatures = plan.signatures.iter().filter(|known| known.text == text);
    let mut rules = signatures.flat_map(|known| &known.holds);
    let forbids = rules.any(|(code, rule)| *code == holder && strict(rule));
    let code = plan.texts[text].code(holder);
    forbids && code.is_some_and(|code| !code.holds.contains(&inside))
}

fn rule_obligations(plan: &Plan, result: &mut Feasible) {
    let (used, ends) = (rules::used(plan), rules::ends(plan));
    let described = plan.description.rules.iter().zip(plan.rules.entries());
    for (rule, (index, planned)) in described {
        let because = match planned.duty {
            ReaderDuty::None => Some(
                rule.because
                    .clone()
                    .unwrap_or_else(|| "no file can exercise the rule".to_owned()),
            ),
            // A rule about the removal of table rows is triggered by each removal, even though its
            // violations are reported as violations of another rule.
            _ if rule.through.is_some() && ends.contains(&index) => None,
            _ if rule.through.is_some() => {
                Some("the decoder reports each violation as a violation of another rule".to_owned())
            }
            _ if !used.contains(&index) => {
                Some("no trace of this dialect can violate or exercise the rule".to_owned())
            }
            _ => None,
        };
        match because {
            Some(because) => result.excluded.push(LeftOut {
                obligation: format!("rule {}", rule.id),
                because,
                known: Known::Description,
            }),
            None if planned.duty == ReaderDuty::Reject && rule.through.is_none() => {
                result.obligations.push(Obligation::Broken(index));
            }
            None => result.obligations.push(Obligation::Shown(index)),
        }
    }
}

fn operation_obligations(plan: &Plan, id: OpId, op: &Op, result: &mut Feasible) {
    if never_read(plan, id) {
        return;
    }
    let obligations = &mut result.obligations;
    obligations.push(Obligation::Operation(id));
    match plan.info(id).parent.map(|parent| &plan.op(parent).kind) {
        Some(Kind::Switch(_)) => obligations.push(Obligation::Arm(id)),
        Some(Kind::Layout(index)) => {
            let codes = &plan.layouts[*index].codes;
            if codes.iter().any(|code| code.op == id) {
                obligations.push(Obligation::Code(id));
            }
        }
        _ => {}
    }
    if op.flags & flags::GUARD != 0 {
        obligations.push(Obligation::True(id));
        obligations.push(Obligation::False(id));
    }
    if let Kind::Repeat(index) = op.kind {
        let (least, most) = bounds(plan, index);
        let times = Times::ALL.into_iter().zip([0, 1, 2, u64::MAX]);
        for (times, number) in times {
            let possible = match times {
                Times::Many => most > 2,
                _ => (least..=most).contains(&number),
            };
            if possible {
                obligations.push(Obligation::Times(id, times));
            }
        }
    }
}

/// Returns true for the operation that reads the presence byte of optional values in a layout (a
/// part of the plan that reads values whose types the trace describes) that is described by a
/// single type code. The values of such a layout are never optional, so the operation never runs.
fn never_read(plan: &Plan, id: OpId) -> bool {
    plan.layouts.iter().any(|layout| {
        let presence = layout.optional.as_ref().map(|(_, presence)| *presence);
        matches!(layout.source, LayoutSource::Code(_)) && presence == Some(id)
    })
}

/// Returns the minimum and maximum number of repetitions, as far as they can be derived from the
/// plan.
pub(super) fn bounds(plan: &Plan, repeat: RepeatId) -> (u64, u64) {
    let repeat = &plan.repeats[repeat];
    let least = repeat.at_least.map_or(0, |(least, _)| least);
    match repeat.count {
        Count::Computed(code) => match plan.codes.get(code.index()) {
            Some(Code::Int(count)) => {
                let count = u64::try_from(*count).unwrap_or(0);
                (count, count)
            }
            _ => (least, u64::MAX),
        },
        Count::Until(_) => (least.max(1), u64::MAX),
        Count::ToEnd => (least, u64::MAX),
    }
}
