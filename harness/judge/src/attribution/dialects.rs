//! Joins the causes of several formats that are due to the same bug. Causes are found for each format
//! separately, because a reader may read one version of a format correctly and another one not. But
//! most readers share code between the dialects of a format.

use std::collections::BTreeSet;

use tracegauge_results::{Cause, Confidence};

/// Joins each cause with an earlier cause of another format that has the same symptom, if the results of
/// both formats allow the same explanation.
pub(super) fn joined(causes: Vec<Cause>) -> Vec<Cause> {
    let mut kept: Vec<Cause> = Vec::new();
    for cause in causes {
        let same = kept.iter_mut().find_map(|earlier| {
            let shared = shared(earlier, &cause)?;
            Some((earlier, shared))
        });
        match same {
            Some((earlier, shared)) => join(earlier, cause, shared),
            None => kept.push(cause),
        }
    }
    kept
}

/// Returns the candidates that the results of both formats allow, if two causes may be due to the same
/// bug.
fn shared(one: &Cause, other: &Cause) -> Option<Vec<String>> {
    let has = |cause: &Cause, symptom| cause.symptom == symptom || cause.also.contains(&symptom);
    let is_alike = has(one, other.symptom.clone()) || has(other, one.symptom.clone());
    let has_other_format = other.formats().is_disjoint(&one.formats());
    let has_same_operators = match (one.operators.as_slice(), other.operators.as_slice()) {
        ([], []) => true,
        (these, those) => these.iter().any(|operator| those.contains(operator)),
    };
    if !is_alike || !has_other_format || !has_same_operators {
        return None;
    }
    let hints = one.like.as_deref().zip(other.like.as_deref());
    if hints.is_some_and(|(one, other)| counted(one).1 != counted(other).1) {
        return None;
    }
    let (names, others) = (candidates(one), candidates(other));
    let common = names.iter().filter(|name| others.contains(name));
    let common: Vec<String> = common.cloned().collect();
    if !common.is_empty() || names.is_empty() && others.is_empty() {
        return Some(common);
    }
    // The bug of the same cases is the same, but the results of one format contradict what is likely
    // for the other.
    let open = [one, other].into_iter().find(|cause| is_open(cause))?;
    let is_same = names_of_cases(one) == names_of_cases(other);
    (is_same && !(is_open(one) && is_open(other))).then(|| candidates(open).to_vec())
}

/// Returns whether a cause has only candidates, none of which is likely.
fn is_open(cause: &Cause) -> bool {
    matches!(cause.confidence, Confidence::OneOf(_))
}

/// Returns the names of a cause's cases without their formats.
fn names_of_cases(cause: &Cause) -> BTreeSet<&str> {
    let cases = cause.cases.iter();
    cases
        .filter_map(|case| Some(case.split_once('/')?.1))
        .collect()
}

/// Splits a hint such as `47 of the failures are …` into the number and the rest.
fn counted(hint: &str) -> (Option<usize>, &str) {
    let split = hint.split_once(" of the failures");
    let number =
        split.and_then(|(number, rest)| Some((number.replace(',', "").parse().ok()?, rest)));
    match number {
        Some((number, rest)) => (Some(number), rest),
        None => (None, hint.strip_prefix("the failures").unwrap_or(hint)),
    }
}

/// Returns the hint for two causes, at least one of which has it.
fn joined_hint(one: &Cause, other: &Cause) -> Option<String> {
    let explained = |cause: &Cause| match cause.like.as_deref().map(counted) {
        Some((number, _)) => number.unwrap_or(cause.cases.len()),
        None => 0,
    };
    let hint = one.like.as_deref().or(other.like.as_deref())?;
    let (number, rest) = counted(hint);
    if number.is_none() && !hint.starts_with("the failures") {
        return Some(hint.to_owned());
    }
    let explained = explained(one) + explained(other);
    Some(match explained == one.cases.len() + other.cases.len() {
        true => format!("the failures{rest}"),
        false => format!("{explained} of the failures{rest}"),
    })
}

/// Returns the rules and departures that may explain a cause.
fn candidates(cause: &Cause) -> &[String] {
    match (&cause.confidence, &cause.rule) {
        (Confidence::OneOf(names), _) => names,
        (_, Some(rule)) => std::slice::from_ref(rule),
        (_, None) => &cause.feature,
    }
}

/// Joins `other` into `one`. `shared` contains the candidates that the results of both formats allow.
fn join(one: &mut Cause, mut other: Cause, shared: Vec<String>) {
    let agrees = candidates(&other).iter().any(|name| shared.contains(name));
    let is_wrong = !candidates(one).iter().any(|name| shared.contains(name));
    if is_open(one) && !is_open(&other) && agrees || is_wrong && agrees {
        one.rule = other.rule.take();
        one.feature = std::mem::take(&mut other.feature);
        one.confidence = other.confidence.clone();
        one.headline = std::mem::take(&mut other.headline);
    } else if let Confidence::OneOf(names) = &mut one.confidence {
        *names = shared;
        one.rule = one.rule.take().filter(|rule| names.contains(rule));
    } else if other.confidence == Confidence::Likely {
        one.confidence = Confidence::Likely;
    }
    one.like = joined_hint(one, &other);
    let new = other.operators.iter();
    let new: Vec<String> = new
        .filter(|operator| !one.operators.contains(operator))
        .cloned()
        .collect();
    one.operators.extend(new);
    one.absorb(other);
}

#[cfg(test)]
mod tests {
    use tracegauge_results::{Impact, Symptom};

    use super::*;

    fn cause(format: &str, confidence: Confidence, rule: Option<&str>) -> Cause {
        Cause {
            format: format.to_owned(),
            impact: Impact::Legal,
            symptom: Symptom::Rejects,
            also: Vec::new(),
            headline: "rejects valid traces".to_owned(),
            rule: rule.map(str::to_owned),
            confidence,
            feature: Vec::new(),
            operators: Vec::new(),
            like: None,
            simplest: format!("{format}/a"),
            departures: Vec::new(),
            cases: vec![format!("{format}/a"), format!("{format}/b")],
            alone: 2,
        }
    }

    fn one_of(names: &[&str]) -> Confidence {
        Confidence::OneOf(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn the_results_of_one_dialect_rule_out_candidates_of_another() {
        let found = joined(vec![
            cause("x-v1", one_of(&["A", "B", "C"]), None),
            cause("x-v2", one_of(&["C", "D", "B"]), None),
            cause("x-v3", Confidence::Likely, Some("B")),
        ]);
        let [one] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!(
            (&one.confidence, one.rule.as_deref()),
            (&Confidence::Likely, Some("B"))
        );
        assert_eq!((one.cases.len(), one.formats().len(), one.alone), (6, 3, 6));
    }

    #[test]
    fn the_same_cases_have_the_same_cause() {
        let cautious = cause("x-v1", one_of(&["A"]), None);
        let hasty = cause("x-v2", Confidence::Likely, Some("B"));
        for causes in [[cautious.clone(), hasty.clone()], [hasty, cautious]] {
            let found = joined(causes.to_vec());
            assert_eq!((found.len(), &found[0].confidence), (1, &one_of(&["A"])));
            assert_eq!(found[0].rule, None);
        }
    }

    #[test]
    fn other_explanations_symptoms_and_causes_of_the_same_format_stay_apart() {
        let likely = |format, rule| cause(format, Confidence::Likely, Some(rule));
        let hangs = Cause {
            symptom: Symptom::Hang,
            ..likely("x-v2", "A")
        };
        let known = Cause {
            like: Some("2 of the failures are consistent with a limit".to_owned()),
            ..likely("x-v3", "D")
        };
        let counted = Cause {
            like: Some("the failures are consistent with a limit".to_owned()),
            ..likely("x-v4", "D")
        };
        let all = vec![
            likely("x-v1", "A"),
            likely("x-v2", "B"),
            likely("x-v1", "A"),
            hangs,
        ];
        assert_eq!(joined(all.clone()), all);
        let found = joined(vec![known, counted]);
        assert_eq!(found.len(), 1);
        let hint = "the failures are consistent with a limit";
        assert_eq!(found[0].like.as_deref(), Some(hint));
    }
}
