//! The failures of a reader with one mistake are laid at that mistake.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use tracegauge_corpus::case::Case;
use tracegauge_corpus::strength::{Outcome, Referee as _, answer, causes};
use tracegauge_corpus::suite::Suite;
use tracegauge_harness::judge::Referee;
use tracegauge_spec::plan::Plan;
use tracegauge_spec::plan::mutate::{Mutant, mutants};

fn suite() -> Suite {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../spec/tests/formats/tlv/format.yaml");
    Suite::of_file(&path.to_string_lossy(), &[], &()).unwrap()
}

/// What a reader does with the cases that is wrong as a mutant is.
fn outcomes<'c>(plan: &Plan, mutant: &Mutant, cases: &'c [Case]) -> Vec<Outcome<'c>> {
    let mutated = mutant.of(plan);
    let outcome = |case: &'c Case| {
        let wrong = Referee.wrong(case, &answer(&mutated, &case.bytes, 100_000));
        let wrong = wrong.filter(|wrong| wrong.fails());
        Outcome { case, wrong }
    };
    cases.iter().map(outcome).collect()
}

#[test]
fn a_reader_with_one_mistake_is_found_out() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let mut tried = 0;
    for mutant in mutants(plan).iter().step_by(13) {
        let outcomes = outcomes(plan, mutant, &suite.cases);
        let failures = outcomes.iter().filter(|outcome| outcome.wrong.is_some());
        let failures = failures.count();
        if failures < 2 {
            continue;
        }
        tried += 1;
        let found = causes(plan, &outcomes, &Referee, 3, &());
        // Another mistake may do exactly the same; none does more of it.
        let first = &found[0];
        assert_eq!(
            first.explains.len(),
            failures,
            "{}: {first:?}",
            mutant.name()
        );
        assert!(
            first.contradicted.is_empty(),
            "{}: {first:?}",
            mutant.name()
        );
        assert_eq!(found.len(), 1, "nothing is left: {found:?}");
    }
    assert!(tried >= 5, "{tried} mutants");
}

#[test]
fn a_reader_that_passes_has_no_mistake() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let right = |case| Outcome { case, wrong: None };
    let outcomes: Vec<Outcome<'_>> = suite.cases.iter().map(right).collect();
    assert!(causes(plan, &outcomes, &Referee, 3, &()).is_empty());
}
