//! Decides what a cause names if a known mistake explains its failures.

use tracegauge_corpus::matrix::{Explanation, Matrix, Mistake};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::ReaderDuty;
use tracegauge_results::{Cause, Confidence, Symptom};

use super::{MOST, like, named, place};

/// The maximum number of rules that are named for a cause.
const CANDIDATES: usize = 5;

/// A mistake that explains at least this many failures, and all of them, is hardly a coincidence.
const SEVERAL: usize = 3;

/// Names the mistake of an explanation in a cause of which `comparable` failures can be compared with
/// mistakes, and what the mistake is about.
pub(super) fn name(
    (plan, matrix): (&Plan, &Matrix),
    found: &Explanation<'_>,
    comparable: usize,
    cause: &mut Cause,
) {
    cause.like = match (like(matrix, found, comparable), cause.like.take()) {
        (Some(known), Some(own)) if own.starts_with(READER_SAYS) => Some(format!("{known}; {own}")),
        (Some(_), Some(own)) if own.contains(SWAPPED) => Some(own),
        (known, own) => known.or(own),
    };
    let is_certain = found.exact.len() == comparable && comparable >= SEVERAL;
    if let Some(rule) = handled((plan, matrix), found, cause) {
        name_first(cause, rule, is_certain);
    } else if let Some(mistake) = misread(matrix, found, comparable) {
        place_first(plan, cause, mistake, is_certain);
    }
}

/// If a reader that rejects valid traces turned out to accept malformed ones because of the same
/// mistake, says so, and names the rule that forbids them, provided that the mistake is about this rule.
pub(super) fn accepted_too(cause: &mut Cause, mistake: &Mistake) {
    let mut accepted = cause.also.iter().filter_map(|symptom| match symptom {
        Symptom::Accepts { rule } => rule.clone(),
        _ => None,
    });
    let (Symptom::Rejects, Some(rule), None) = (&cause.symptom, accepted.next(), accepted.next())
    else {
        return;
    };
    if !mistake.rules.contains(&rule) {
        return;
    }
    cause.headline = Cause::rejection(cause.impact, &cause.also);
    if cause.confidence != Confidence::Proven {
        cause.rule = Some(rule);
        cause.confidence = Confidence::Likely;
    }
}

/// The beginning of the reader's reason for rejecting traces, which says more than a typical mistake if
/// the two have nothing to do with each other.
const READER_SAYS: &str = "the reader says: ";

/// A part of the hint about swapped members, which a typical mistake never replaces.
const SWAPPED: &str = " are swapped: ";

/// The operator of mutants that break a rule about how values are read. Such a rule says more about
/// a wrong value than the rules about the value itself.
const READING: &str = "other-byte-order@";

/// Returns the rule that a reader with the mistake named by `explanation` breaks, if the mistake
/// explains nearly all wrong values or rejections of `cause`, and if no other mistake that explains
/// them as well is about another rule. Rules that forbid traces say nothing about values.
fn handled<'m>(
    (plan, matrix): (&Plan, &'m Matrix),
    explanation: &Explanation<'_>,
    cause: &Cause,
) -> Option<&'m str> {
    let is_most = |explained: usize| MOST * explained >= (MOST - 1) * cause.cases.len();
    let known = named(matrix, explanation);
    let first = known.first()?;
    if cause.symptom == Symptom::Rejects && is_most(explanation.exact.len()) {
        let rule = first.handles.as_deref();
        return rule.filter(|_| known.iter().all(|it| it.handles.as_deref() == rule));
    }
    if !is_most(explanation.same_records) {
        return None;
    }
    // What is known about a register in general says less about a wrong record than the rules about
    // the record.
    let is_vague = first.sets.is_some() && cause.rule.is_some();
    if is_vague || first.mutant.starts_with(READING) {
        return first.handles.as_deref();
    }
    let rule_of = |mistake: &'m Mistake| {
        let mut rules = mistake.rules.iter().map(String::as_str);
        rules.find(|rule| {
            let planned = plan.rule_named(rule).map(|id| &plan.rules[id]);
            planned.is_some_and(|rule| rule.duty == ReaderDuty::Accept)
        })
    };
    let rule = rule_of(first);
    rule.filter(|_| known.iter().all(|mistake| rule_of(mistake) == rule))
}

/// Returns the mistake named by `explanation`, if it explains nearly all of the `comparable` failures,
/// and all mistakes that explain them as well are in the same field.
fn misread<'m>(
    matrix: &'m Matrix,
    explanation: &Explanation<'_>,
    comparable: usize,
) -> Option<&'m Mistake> {
    if MOST * explanation.exact.len() < (MOST - 1) * comparable {
        return None;
    }
    let known = named(matrix, explanation);
    let first = known.first()?;
    let field = place(&first.mutant);
    let is_same = |mistake: &&Mistake| {
        let is_field = mistake.mutant.contains('@') && !mistake.is_combined();
        is_field && place(&mistake.mutant) == field
    };
    known.iter().all(is_same).then_some(first)
}

/// Puts the field of a mistake first in the list of what may be the reason for the failures, unless
/// the list starts with the rule that the reader may break. The names in it are otherwise contents
/// that the failing traces have in common by chance, and so are the rules about these contents. If
/// the mistake certainly explains the failures, such contents are removed, and a rule that is not
/// about the field is such a chance, too.
fn place_first(plan: &Plan, cause: &mut Cause, mistake: &Mistake, is_certain: bool) {
    let is_about_field = |rule: &String| mistake.rules.contains(rule);
    if is_certain
        && may_be_coincidence(cause)
        && cause.confidence == Confidence::Likely
        && !cause.rule.as_ref().is_some_and(is_about_field)
    {
        cause.confidence = Confidence::OneOf(cause.rule.iter().cloned().collect());
        drop_feature(cause);
    }
    let is_coincidence = is_certain && may_be_coincidence(cause);
    let Confidence::OneOf(names) = &mut cause.confidence else {
        return;
    };
    if is_coincidence {
        names.retain(|name| plan.rule_named(name).is_some());
    }
    let is_rule = !names.is_empty() && names.first() == cause.rule.as_ref();
    let is_vague = mistake.sets.is_some() && cause.symptom != Symptom::Rejects;
    let is_certain = is_certain && !is_vague;
    if is_rule && (!is_certain || cause.rule.as_ref().is_some_and(is_about_field)) {
        return;
    }
    let how = match &mistake.sets {
        Some(register) => format!("how the register `{register}` is set"),
        None => format!("how {} is read", place(&mistake.mutant)),
    };
    names.insert(0, how);
    names.truncate(CANDIDATES);
    if is_coincidence {
        drop_feature(cause);
    }
    if !cause.rule.as_ref().is_some_and(is_about_field) {
        cause.rule = mistake.rules.first().cloned();
    }
}

/// Returns whether what the failing traces have in common may be a coincidence: the reader rejects
/// them, and it is not a rule of the format that they exercise.
fn may_be_coincidence(cause: &Cause) -> bool {
    cause.symptom == Symptom::Rejects
        && (cause.feature.is_empty() || cause.feature.first() != cause.rule.as_ref())
}

/// Removes what the rejected traces have in common, which turned out to be a coincidence.
fn drop_feature(cause: &mut Cause) {
    cause.feature.clear();
    cause.headline = Cause::rejection(cause.impact, &cause.also);
}

/// Puts `rule` first in the list of rules that the reader may break, unless another rule is proven
/// to be the cause. If the mistake that breaks the rule certainly explains the failures, what else the
/// failing traces have in common is a coincidence.
fn name_first(cause: &mut Cause, rule: &str, is_certain: bool) {
    if cause.rule.as_deref() == Some(rule) && cause.confidence == Confidence::Likely {
        return;
    }
    if is_certain && may_be_coincidence(cause) && cause.confidence != Confidence::Proven {
        cause.rule = Some(rule.to_owned());
        cause.confidence = Confidence::Likely;
        drop_feature(cause);
        return;
    }
    let others = match std::mem::replace(&mut cause.confidence, Confidence::Proven) {
        Confidence::Proven => return,
        Confidence::Likely => cause.rule.take().into_iter().collect(),
        Confidence::OneOf(names) => names,
    };
    let others = others.into_iter().filter(|name| name != rule);
    let names = [rule.to_owned()].into_iter().chain(others);
    cause.confidence = Confidence::OneOf(names.take(CANDIDATES).collect());
    cause.rule = Some(rule.to_owned());
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn cause(confidence: Confidence, rule: Option<&str>) -> Cause {
        let json = serde_json::json!({
            "format": "f", "impact": "plain", "headline": "a is wrong", "simplest": "f/vector/a",
            "symptom": { "kind": "records", "fault": "value", "member": "a" },
            "cases": ["f/vector/a"], "alone": 1, "confidence": confidence, "rule": rule,
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_mistake_puts_its_rule_first_unless_another_rule_is_proven() {
        let one_of = |names: &[&str]| {
            Confidence::OneOf(names.iter().map(|name| (*name).to_owned()).collect())
        };
        let named = |mut cause: Cause| {
            name_first(&mut cause, "ORDER", false);
            (cause.rule.unwrap(), cause.confidence)
        };
        let order = "ORDER".to_owned();
        assert_eq!(
            named(cause(one_of(&["A", "ORDER", "B"]), Some("A"))),
            (order.clone(), one_of(&["ORDER", "A", "B"]))
        );
        assert_eq!(
            named(cause(one_of(&["A", "B", "C", "D", "E"]), Some("A"))),
            (order.clone(), one_of(&["ORDER", "A", "B", "C", "D"]))
        );
        assert_eq!(
            named(cause(Confidence::Likely, Some("A"))),
            (order, one_of(&["ORDER", "A"]))
        );
        assert_eq!(
            named(cause(Confidence::Likely, Some("ORDER"))),
            ("ORDER".to_owned(), Confidence::Likely)
        );
        assert_eq!(
            named(cause(Confidence::Proven, Some("A"))),
            ("A".to_owned(), Confidence::Proven)
        );
    }

    #[test]
    fn a_certain_mistake_replaces_what_rejected_traces_have_in_common() {
        let mut rejects = cause(Confidence::Likely, Some("A"));
        rejects.symptom = Symptom::Rejects;
        rejects.headline = "rejects plain traces with b".to_owned();
        rejects.feature = vec!["traces with b".to_owned()];
        let mut unsure = rejects.clone();
        name_first(&mut unsure, "ORDER", false);
        assert_eq!(unsure.headline, rejects.headline);
        name_first(&mut rejects, "ORDER", true);
        assert_eq!(rejects.rule.as_deref(), Some("ORDER"));
        assert_eq!(rejects.confidence, Confidence::Likely);
        assert_eq!(rejects.headline, "rejects plain traces");
        rejects.also = vec![Symptom::Accepts {
            rule: Some("ORDER".to_owned()),
        }];
        let mistake = Mistake {
            mutant: "other-extreme@a/ORDER".into(),
            does: String::new(),
            rules: vec!["ORDER".into()],
            handles: Some("ORDER".into()),
            sets: None,
            described: Vec::new(),
            mutants: vec![0],
        };
        accepted_too(&mut rejects, &mistake);
        assert_eq!(
            rejects.headline,
            "rejects valid traces, but accepts what ORDER forbids"
        );
    }

    #[test]
    fn a_misread_field_comes_before_contents_but_not_before_rules() {
        let names = |names: &[&str]| {
            Confidence::OneOf(names.iter().map(|name| (*name).to_owned()).collect())
        };
        let mistake = Mistake {
            mutant: "other-sign@a.size/if".into(),
            does: String::new(),
            rules: vec!["SIZE".into()],
            handles: None,
            sets: None,
            described: Vec::new(),
            mutants: vec![0],
        };
        let plan = Plan::default();
        let placed = |mut cause: Cause| {
            place_first(&plan, &mut cause, &mistake, false);
            cause.confidence
        };
        let contents = names(&["traces with b"]);
        assert_eq!(
            placed(cause(contents.clone(), None)),
            names(&["how a.size is read", "traces with b"])
        );
        assert_eq!(
            placed(cause(names(&["A", "B"]), Some("A"))),
            names(&["A", "B"])
        );
        // The mistake explains all failures, and the rule is about something else.
        let mut certain = cause(names(&["A", "B"]), Some("A"));
        place_first(&plan, &mut certain, &mistake, true);
        assert_eq!(certain.confidence, names(&["how a.size is read", "A", "B"]));
        assert_eq!(certain.rule.as_deref(), Some("SIZE"));
        // Contents are a coincidence then.
        let mut rejects = cause(contents.clone(), None);
        rejects.symptom = Symptom::Rejects;
        rejects.feature = vec!["traces with b".to_owned()];
        place_first(&plan, &mut rejects, &mistake, true);
        assert_eq!(rejects.confidence, names(&["how a.size is read"]));
        assert!(rejects.feature.is_empty());
        assert_eq!(placed(cause(Confidence::Likely, None)), Confidence::Likely);
        assert_eq!(
            placed(cause(names(&[]), None)),
            names(&["how a.size is read"])
        );
        // The rule about contents that occur by chance is not the reason either.
        let mut other = cause(contents, Some("B"));
        place_first(&plan, &mut other, &mistake, false);
        assert_eq!(other.rule.as_deref(), Some("SIZE"));
    }
}
