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

/// What a reader does with the cases that is wrong as mutants are.
fn outcomes<'c>(plan: &Plan, wrong: &[&Mutant], cases: &'c [Case]) -> Vec<Outcome<'c>> {
    let wrong = wrong.iter();
    let mutated = wrong.fold(plan.clone(), |plan, mutant| mutant.of(&plan));
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
        let outcomes = outcomes(plan, &[mutant], &suite.cases);
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

/// What explains most is no mistake of the reader where the reader passes what it fails.
#[test]
fn of_two_mistakes_both_are_named() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let all = mutants(plan);
    let failing = |wrong: &[&Mutant]| -> usize {
        let outcomes = outcomes(plan, wrong, &suite.cases);
        outcomes.iter().filter(|it| it.wrong.is_some()).count()
    };
    let single: Vec<&Mutant> = all
        .iter()
        .step_by(17)
        .filter(|mutant| (2..40).contains(&failing(&[mutant])))
        .collect();
    let (mut tried, mut both) = (0, 0);
    for pair in single.windows(2) {
        let outcomes = outcomes(plan, pair, &suite.cases);
        let failures = outcomes.iter().filter(|it| it.wrong.is_some()).count();
        tried += 1;
        let found = causes(plan, &outcomes, &Referee, 6, &());
        let last = found
            .iter()
            .position(|cause| !cause.contradicted.is_empty());
        let after = last.map_or(&[][..], |last| &found[last..]);
        assert!(
            after.iter().all(|cause| !cause.contradicted.is_empty()),
            "{found:#?}"
        );
        let explained: usize = found.iter().map(|cause| cause.explains.len()).sum();
        assert_eq!(explained, failures, "{found:#?}");
        let right = found.iter().take_while(|it| it.contradicted.is_empty());
        both += usize::from(right.map(|it| it.explains.len()).sum::<usize>() == failures);
    }
    assert!(tried >= 3 && both == tried, "{both} of {tried}");
}

#[test]
fn a_reader_that_passes_has_no_mistake() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let right = |case| Outcome { case, wrong: None };
    let outcomes: Vec<Outcome<'_>> = suite.cases.iter().map(right).collect();
    assert!(causes(plan, &outcomes, &Referee, 3, &()).is_empty());
}
