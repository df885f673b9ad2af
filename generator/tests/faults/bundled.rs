//! Tests of the first bundled format with real files as twins.

use std::collections::BTreeSet;

use tracegauge_decoder::judge;
use tracegauge_generator::fault::{OtherFormats, Systematic, confirm, systematic};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::{ReaderDuty, RuleId};

use super::support::{bundled, golden, identities, real, with_prefixes};

fn found() -> (Plan, Vec<Vec<u8>>, Systematic) {
    let plan = bundled("dial9-v1");
    let twins = with_prefixes(&plan, real("dial9-v1"));
    let found = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    let bytes = twins.into_iter().map(|trace| trace.bytes).collect();
    (plan, bytes, found)
}

#[test]
fn operators_and_decoder_agree_everywhere() {
    let (_, _, found) = found();
    assert!(found.refusals.is_empty(), "{:#?}", found.refusals);
}

#[test]
fn every_rule_that_a_reader_holds_to_is_broken() {
    let (plan, _, found) = found();
    let rules = found.cases.iter().flat_map(|(_, case)| case.rules());
    let broken: BTreeSet<RuleId> = rules.collect();
    let unbroken: Vec<&str> = plan
        .rules
        .entries()
        .filter(|(id, rule)| rule.duty == ReaderDuty::Reject && !broken.contains(id))
        .map(|(_, rule)| rule.id.as_str())
        .collect();
    // Only a later dialect has containers.
    assert_eq!(unbroken, ["DYNAMIC-TAG"]);
}

#[test]
fn the_cases_are_those_on_the_list() {
    golden("dial9-v1.cases", &identities(&found().2));
}

#[test]
fn each_case_differs_from_its_valid_twin_and_is_judged_as_it_says() {
    let (plan, twins, found) = found();
    for (twin, case) in &found.cases {
        assert_ne!(case.bytes, twins[*twin], "{}", case.id);
        assert_eq!(confirm(&plan, case), Ok(()), "{}", case.id);
        let verdict = judge(&plan, &case.bytes);
        assert_eq!(
            verdict.violation().is_some(),
            case.duty == ReaderDuty::Reject,
            "{}",
            case.id
        );
    }
}

#[test]
fn the_decoder_is_a_witness_that_can_disagree() {
    let (plan, _, found) = found();
    for (_, case) in &found.cases {
        let mut elsewhere = case.clone();
        for expected in &mut elsewhere.expected {
            expected.start += 1;
        }
        assert!(confirm(&plan, &elsewhere).is_err(), "{}", case.id);
    }
}

#[test]
fn the_same_again() {
    let (_, _, first) = found();
    let (_, _, second) = found();
    assert_eq!(first.cases, second.cases);
}
