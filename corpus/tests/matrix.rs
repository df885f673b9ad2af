//! Tests that the outcome matrix contains the results of running the mutants and explains the
//! failures of readers.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;

use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::matrix::{
    Certainty, Failure, Matrix, MatrixError, Observed, Scope, compute, fingerprint, load, mistakes,
    save,
};
use tracegauge_corpus::mutation_score::{Answer, Oracle, answer};
use tracegauge_corpus::store::Store;
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::{Mutant, mutants};

use crate::mutants::{ROWS, Strict, built, plan};

/// A format with a number that has two tests, a table, and references to its rows.
const TABLE: &str = "
meta: { id: table, endian: be }
faults: { eof: WHOLE, trailing: WHOLE }
seq:
  - { id: version, type: u1, valid: { min: 1, max: 3, rule: VERSION } }
  - { id: count, type: u1 }
  - { id: entries, type: entry, repeat: expr, repeat-expr: count }
types:
  entry:
    seq:
      - { id: kind, type: u1, valid: { any-of: [1, 2], rule: KIND } }
      - id: body
        type: { switch-on: kind, cases: { 1: name, 2: event }, rule: KIND }
  name:
    seq:
      - { id: key, type: u1 }
      - { id: size, type: u2 }
      - { id: text, type: str, size: size, encoding: ASCII }
    defines: { table: names, key: key, again: AGAIN }
  event:
    seq:
      - { id: name, type: u1, refs: { table: names, dangling: DANGLING } }
      - { id: value, type: s4 }
tables:
  names: { key: u1, row: name }
records:
  event: { from: event, members: { name: name, value: value } }
rules:
  WHOLE: { level: must, section: All, says: Everything is there., reader: reject }
  VERSION: { level: must, section: A, says: The version is 1 to 3., reader: reject }
  KIND: { level: must, section: B, says: An entry is a name or an event., reader: reject }
  AGAIN: { level: must, section: C, says: A key is defined once., reader: reject }
  DANGLING: { level: must, section: D, says: A name is defined before it is used., reader: reject }
";

fn cases(plan: &Arc<Plan>) -> Vec<Case> {
    let cases = built(plan).cases;
    assert!(cases.len() > 20, "{} cases", cases.len());
    cases
}

fn matrix(plan: &Plan, cases: &[Case]) -> Matrix {
    compute(plan, &cases.iter().collect::<Vec<_>>(), &Strict, &())
}

/// Answers a case with the plan to which all of these mutants have been applied.
fn run(plan: &Plan, mutants: &[&Mutant], case: &Case) -> Answer {
    let mut mutated = plan.clone();
    for mutant in mutants {
        mutated = mutant.of(&mutated);
    }
    answer(&mutated, &case.bytes, 1_000_000)
}

fn failure(case: &Case, answer: &Answer) -> Option<Failure> {
    let (wrong, parting) = Strict.judge(case, answer)?;
    let difference = parting.map(|parting| fingerprint(&parting, &Strict));
    wrong.fails().then_some(Failure { wrong, difference })
}

/// Returns the outcomes of a reader that has these mutants.
fn outcomes<'c>(plan: &Plan, mutants: &[&Mutant], cases: &'c [Case]) -> Vec<Observed<'c>> {
    cases
        .iter()
        .map(|case| Observed {
            case: &case.id,
            version: case.version,
            failure: failure(case, &run(plan, mutants, case)),
        })
        .collect()
}

#[test]
fn a_matrix_contains_what_running_each_mutant_gives() {
    for description in [ROWS, TABLE] {
        let plan = plan(description);
        let cases = cases(&plan);
        let matrix = matrix(&plan, &cases);
        let mutants = mutants(&plan);
        let mut failures = 0;
        for (index, mistake) in matrix.mistakes.iter().enumerate() {
            let of_matrix: BTreeMap<&str, Failure> = matrix.failures(index).collect();
            let made: Vec<&Mutant> = mistake.mutants.iter().map(|it| &mutants[*it]).collect();
            let of_run = cases.iter().filter_map(|case| {
                let failure = failure(case, &run(&plan, &made, case))?;
                Some((case.id.as_str(), failure))
            });
            let of_run: BTreeMap<&str, Failure> = of_run.collect();
            assert_eq!(of_matrix, of_run, "{}", mistake.mutant);
            assert_eq!(matrix.spread(index), of_run.len());
            failures += of_run.len();
        }
        assert!(failures > 100, "{failures}");
        assert!(matrix.mistakes.iter().any(|mistake| mistake.is_combined()));
    }
}

#[test]
fn mistakes_in_the_byte_order_are_about_the_rule_that_the_description_names() {
    let formats = Formats::bundled(&["dial9-v1".to_owned()]).unwrap();
    let (_, mistakes) = mistakes(&formats.plans()[0]);
    let of_byte_order = mistakes
        .iter()
        .filter(|mistake| mistake.mutant.starts_with("other-byte-order@"));
    let mut number = 0;
    for mistake in of_byte_order {
        assert_eq!(
            mistake.handles.as_deref(),
            Some("INT-LITTLE-ENDIAN"),
            "{}",
            mistake.mutant
        );
        assert_eq!(mistake.rule(), Some("INT-LITTLE-ENDIAN"));
        number += 1;
    }
    assert!(number > 10, "{number}");
    // A mistake in reading a number at another width is about no rule in particular.
    let mut widths = mistakes
        .iter()
        .filter(|mistake| mistake.mutant.starts_with("other-width@"));
    assert!(widths.all(|mistake| mistake.handles.is_none()));
}

#[test]
fn a_stored_matrix_is_read_back_until_the_description_changes() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path().to_owned());
    let plan = plan(TABLE);
    assert!(load(&store, &plan).unwrap().is_none());
    let matrix = matrix(&plan, &cases(&plan));
    assert!(save(&store, &matrix).unwrap());
    assert!(!save(&store, &matrix).unwrap(), "it is there already");
    assert_eq!(load(&store, &plan).unwrap().as_ref(), Some(&matrix));

    let other = crate::mutants::plan(&TABLE.replace("max: 3", "max: 4"));
    assert!(matches!(load(&store, &other), Err(MatrixError::Stale(_))));
    let reworded =
        crate::mutants::plan(&TABLE.replace("The version is 1 to 3.", "The versions are 1 to 3."));
    assert!(load(&store, &reworded).unwrap().is_some());
    let path = folder.path().join("matrix/table-v1.gz");
    let path = if path.exists() {
        path
    } else {
        folder.path().join("matrix/table.gz")
    };
    std::fs::write(path, b"junk").unwrap();
    assert!(matches!(load(&store, &plan), Err(MatrixError::Content(_))));
}

/// Checks that the order in which independent bugs are planted does not matter.
#[test]
fn independent_mutants_compose_in_any_order() {
    let plan = plan(TABLE);
    let cases = cases(&plan);
    let mutants = mutants(&plan);
    let mut pairs = 0;
    for (index, one) in mutants.iter().enumerate() {
        // Try a few other mutants from the whole list in combination with each mutant.
        for other in mutants.iter().skip(index + 1).step_by(11) {
            if !one.is_independent_of(other) {
                continue;
            }
            assert!(other.is_independent_of(one));
            pairs += 1;
            for case in cases.iter().step_by(5) {
                let (here, there) = (
                    run(&plan, &[one, other], case),
                    run(&plan, &[other, one], case),
                );
                assert_eq!(here, there, "{} and {}", one.name(), other.name());
            }
        }
    }
    assert!(pairs > 100, "{pairs}");
    assert!(!mutants[0].is_independent_of(&mutants[0]));
}

#[test]
fn every_mutant_that_fails_a_case_is_recognized() {
    for description in [ROWS, TABLE] {
        let plan = plan(description);
        let cases = cases(&plan);
        let matrix = matrix(&plan, &cases);
        for (index, mutant) in mutants(&plan).iter().enumerate() {
            let observed = outcomes(&plan, &[mutant], &cases);
            let explained = matrix.explain(observed, Scope::Records, 10);
            let name = mutant.name();
            if matrix.spread(index) == 0 {
                assert!(explained.explanations.is_empty(), "{name}");
                continue;
            }
            let first = &explained.explanations[0];
            assert!(first.mistakes.contains(&index), "{name}: {first:?}");
            assert_eq!(first.exact.len(), matrix.spread(index), "{name}");
            assert!(first.contradicted.is_empty(), "{name}");
            assert!(explained.unexplained.is_empty(), "{name}");
            assert!(explained.unknown.is_empty(), "{name}");
            // A certain explanation must be correct.
            if first.certainty == Certainty::Certain {
                let told = &matrix.mistakes[first.mistakes[0]];
                assert_eq!(told.rule(), matrix.mistakes[index].rule(), "{name}");
            }
        }
    }
}

#[test]
fn two_bugs_are_told_apart() {
    let plan = plan(TABLE);
    let cases = cases(&plan);
    let matrix = matrix(&plan, &cases);
    let mutants = mutants(&plan);
    let named = |name: &str| mutants.iter().position(|it| it.name() == name).unwrap();
    let bugs = [
        named("bound-one-more@version/greatest-VERSION"),
        named("other-sign@entries[].body:event.value"),
    ];
    let observed = outcomes(&plan, &bugs.map(|bug| &mutants[bug]), &cases);
    let explained = matrix.explain(observed, Scope::Records, 10);
    let named: Vec<&str> = explained
        .explanations
        .iter()
        .flat_map(|it| &it.mistakes)
        .map(|it| &*matrix.mistakes[*it].mutant)
        .collect();
    for bug in bugs {
        let name = mutants[bug].name();
        assert!(named.contains(&name), "{name} in {named:?}");
    }
    assert_eq!(explained.explanations.len(), 2);
}

#[test]
fn what_the_matrix_does_not_know_is_said() {
    let plan = plan(TABLE);
    let cases = cases(&plan);
    let matrix = matrix(&plan, &cases);
    let failure = Some(matrix.failures(0).next().unwrap().1);
    let observed = [
        Observed {
            case: "table/other",
            version: 1,
            failure,
        },
        Observed {
            case: &cases[0].id,
            version: cases[0].version + 1,
            failure,
        },
        Observed {
            case: "table/passed",
            version: 1,
            failure: None,
        },
    ];
    let explained = matrix.explain(observed, Scope::Records, 10);
    assert_eq!(explained.unknown, ["table/other", cases[0].id.as_str()]);
    assert!(explained.explanations.is_empty());
}

#[test]
fn a_reader_of_verdicts_is_not_contradicted_by_records() {
    let plan = plan(ROWS);
    let cases = cases(&plan);
    let matrix = matrix(&plan, &cases);
    let verdict_and_records = (0..matrix.mistakes.len()).find(|index| {
        let failures = || matrix.failures(*index).map(|(_, failure)| failure);
        failures().any(|it| it.difference.is_some()) && failures().any(|it| it.difference.is_none())
    });
    let index = verdict_and_records.unwrap();
    let of_mistake: BTreeMap<&str, Failure> = matrix.failures(index).collect();
    let observed = || {
        cases.iter().map(|case| Observed {
            case: &case.id,
            version: case.version,
            failure: of_mistake
                .get(case.id.as_str())
                .copied()
                .filter(|it| it.difference.is_none()),
        })
    };
    let names = |scope| {
        let explained = matrix.explain(observed(), scope, 10);
        let mistakes = explained
            .explanations
            .into_iter()
            .filter(|it| it.contradicted.is_empty());
        mistakes.flat_map(|it| it.mistakes).collect::<Vec<_>>()
    };
    assert!(names(Scope::Verdicts).contains(&index));
    assert!(!names(Scope::Records).contains(&index));
}

#[test]
fn each_bug_has_the_rule_of_its_place() {
    let plan = plan(TABLE);
    let (_, mistakes) = mistakes(&plan);
    for (mutant, rule) in [
        ("bound-one-more@version/greatest-VERSION", "VERSION"),
        ("not-tested@version/VERSION", "VERSION"),
        (
            "unknown-row-taken@entries[].body:event.name/names",
            "DANGLING",
        ),
        ("other-row-taken@entries[].body:name/names", "AGAIN"),
        ("not-tested@entries[].kind/KIND", "KIND"),
        ("fault-taken@entries[].body:event.value/eof", "WHOLE"),
    ] {
        let names = || mistakes.iter().map(|it| &it.mutant).collect::<Vec<_>>();
        let found = mistakes.iter().find(|it| it.mutant == mutant);
        let found = found.unwrap_or_else(|| panic!("no {mutant} in {:#?}", names()));
        assert_eq!(found.rule(), Some(rule), "{mutant}");
        assert_eq!(found.described.len(), 1, "{mutant}");
    }
}

/// Checks that the matrices stay small: the time of `explain` is proportional to the number of
/// outcomes, and its memory to their size. `corpus verify` checks that each format has a matrix.
#[test]
fn the_stored_matrices_are_small() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let store = Store::at(root.to_owned());
    let (formats, _) = Formats::able(&[]).unwrap();
    let (formats, _) = formats.with_manifest(&store).unwrap();
    let (mut bytes, mut count) = (0, 0);
    for plan in formats.plans() {
        let Some(matrix) = load(&store, plan).unwrap() else {
            continue;
        };
        count += 1;
        let path = root.join(format!("matrix/{}.gz", plan.format));
        bytes += std::fs::metadata(path).unwrap().len();
        let outcomes: usize = (0..matrix.mistakes.len()).map(|it| matrix.spread(it)).sum();
        assert!(outcomes < 600_000, "{}: {outcomes} outcomes", plan.format);
    }
    assert!(
        count > 0 && bytes < 4_000_000,
        "{count} matrices: {bytes} bytes"
    );
}
