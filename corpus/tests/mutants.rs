//! Tests of mutants: for each operator, a given input detects the mutant, and no input detects an
//! equivalent mutant.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, HashSet};
use std::iter::repeat;
use std::sync::Arc;

use tracegauge_corpus::case::{Case, CaseId, ExpectedVerdict, Source};
use tracegauge_corpus::mutation_score::{
    Answer, Dumb, Fit, MutationScore, Oracle, Parting, Reasons, Untold, Untolds, Wrong, answer,
    mutation_score, redundant, write_mutation_score,
};
use tracegauge_corpus::score::{Exclusions, score};
use tracegauge_corpus::source::Built;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite;
use tracegauge_corpus::systematic::{Recipes, SearchOptions, SystematicCases};
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::{Mutant, mutants};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

pub(crate) fn plan(description: &str) -> Arc<Plan> {
    let loaded = load(
        &Memory::new().with("format.yaml", description),
        "format.yaml",
    );
    let schema = Arc::new(loaded.schema.unwrap());
    Arc::new(lower(&schema, &schema.dialects[0].id).unwrap())
}

fn mutant(plan: &Plan, name: &str) -> Mutant {
    let all = mutants(plan);
    let names: Vec<String> = all.iter().map(|one| one.name().to_owned()).collect();
    let found = all.into_iter().find(|one| one.name() == name);
    found.unwrap_or_else(|| panic!("no {name} among {names:#?}"))
}

/// Returns true if a mutant and the unmodified plan answer differently.
fn differs(plan: &Plan, name: &str, bytes: &[u8]) -> bool {
    let wrong = mutant(plan, name).of(plan);
    answer(&wrong, bytes, 100_000) != answer(plan, bytes, 100_000)
}

pub(crate) const ROWS: &str = "
meta: { id: rows, endian: le }
faults: { eof: WHOLE, encoding: WHOLE, enum: WHOLE }
seq:
  - { id: magic, contents: [0x52, 0x4f], rule: MAGIC }
  - { id: kind, type: u1, enum: kind }
  - { id: limit, type: u2, valid: { max: 1000, rule: LIMIT } }
  - { id: extra, type: u1, if: kind == kind::with_extra }
  - { id: name, type: str, size: 2, encoding: UTF-8 }
  - { id: count, type: u1 }
  - { id: rows, type: row, repeat: expr, repeat-expr: count }
types:
  row:
    seq:
      - { id: which, type: u1 }
      - id: body
        type: { switch-on: which, cases: { 1: short, 2: long }, rule: WHICH }
  short: { seq: [{ id: value, type: u2 }] }
  long: { seq: [{ id: value, type: u4 }] }
records:
  row: { from: row, members: { which: which, value: body } }
enums:
  kind: { 1: plain, 2: with_extra }
rules:
  WHOLE: { level: must, section: All, says: Everything is there and known., reader: reject }
  MAGIC: { level: must, section: All, says: A file begins with RO., reader: reject }
  LIMIT: { level: must, section: A, says: The limit is at most 1000., reader: reject }
  WHICH: { level: must, section: B, says: A row is short or long., reader: reject }
";

/// A valid file: `RO`, kind 2, limit 1000, extra 7, name `ab`, and two rows, of which the first is
/// short with value 0x0102 and the second long with value 1.
const GOOD: &[u8] = &[
    0x52, 0x4f, 2, 0xe8, 3, 7, b'a', b'b', 2, 1, 2, 1, 2, 1, 0, 0, 0,
];

#[test]
fn each_operator_makes_a_reader_that_some_input_tells_apart() {
    let plan = plan(ROWS);
    assert_eq!(
        answer(&plan, GOOD, 1000).verdict,
        ExpectedVerdict::Accept,
        "{:?}",
        answer(&plan, GOOD, 1000)
    );
    for name in [
        "other-width@limit/8",
        "other-byte-order@limit",
        "never-there@extra",
        "condition-turned@extra",
        "size-one-more@name",
        "size-one-less@name",
        "bound-one-less@limit/greatest-LIMIT",
        "arm-lost@rows[].body/1",
        "arms-swapped@rows[].body/2",
        "not-reported@rows[]/row",
        "one-less@rows/count",
    ] {
        assert!(differs(&plan, name, GOOD), "{name}");
    }
}

#[test]
fn a_forgotten_test_shows_where_the_test_would_fail() {
    let plan = plan(ROWS);
    let over: Vec<u8> = [&GOOD[..3], &[0xe9, 3], &GOOD[5..]].concat();
    assert!(differs(&plan, "not-tested@limit/LIMIT", &over));
    assert!(differs(&plan, "bound-one-more@limit/greatest-LIMIT", &over));
    assert!(!differs(&plan, "not-tested@limit/LIMIT", GOOD));
    // 1001 truncated to eight bits is 233, which is within the limit.
    assert!(differs(&plan, "cut@limit/8", &over));
    let magic: Vec<u8> = [&[0x52, 0], &GOOD[2..]].concat();
    assert!(differs(&plan, "contents-not-compared@magic", &magic));
}

#[test]
fn names_are_stable_and_no_two_are_the_same() {
    let plan = plan(ROWS);
    let names = |plan: &Plan| -> Vec<String> {
        mutants(plan)
            .iter()
            .map(|one| one.name().to_owned())
            .collect()
    };
    let first = names(&plan);
    assert_eq!(first, names(&self::plan(ROWS)));
    let different: HashSet<&String> = first.iter().collect();
    assert_eq!(different.len(), first.len());
    assert!(first.iter().all(|name| !name.contains(' ')));
}

#[test]
fn what_a_mutant_does_not_touch_it_reads_as_ever() {
    let plan = plan(ROWS);
    let plain: Vec<u8> = [&GOOD[..2], &[1], &GOOD[3..5], &GOOD[6..]].concat();
    assert!(differs(&plan, "other-width@extra/16", GOOD));
    assert!(!differs(&plan, "other-width@extra/16", &plain));
    assert!(differs(&plan, "always-there@extra", &plain));
    assert!(differs(&plan, "condition-turned@extra", &plain));
    let wrong = mutant(&plan, "other-width@extra/16");
    let path = plan.infos[wrong.touches()[0].index()].label;
    assert_eq!(path.map(|label| plan.name(label)), Some("extra"));
}

#[test]
fn a_mutant_that_never_ends_is_stopped() {
    let plan = plan(
        "
meta: { id: free, endian: le }
seq:
  - { id: count, type: u4 }
  - { id: rows, type: nothing, repeat: expr, repeat-expr: count & 1 }
types: { nothing: { seq: [] } }
",
    );
    let wrong = mutant(&plan, "other-operator@rows/count").of(&plan);
    let found = answer(&wrong, &[0xff, 0xff, 0xff, 0x7f], 10_000);
    assert!(found.endless, "{found:?}");
    assert!(!answer(&plan, &[0xff, 0xff, 0xff, 0x7f], 10_000).endless);
}

#[test]
fn no_mutant_of_a_bundled_description_breaks_the_decoder() {
    let formats = tracegauge_corpus::formats::Formats::bundled(&["dial9-v1".to_owned()]).unwrap();
    let plan = &formats.plans()[0];
    let junk: Vec<u8> = (0..=255_u8).cycle().take(4000).collect();
    let start: Vec<u8> = [&b"TRC\0\x01"[..], &junk].concat();
    for mutant in mutants(plan) {
        let wrong = mutant.of(plan);
        for bytes in [&junk, &start] {
            assert!(answer(&wrong, bytes, 10_000).records.len() <= 10_000);
        }
    }
}

/// An oracle that treats every difference as wrong.
pub(crate) struct Strict;

impl Oracle for Strict {
    fn judge(&self, case: &Case, answer: &Answer) -> Option<(Wrong, Option<Parting>)> {
        if answer.verdict != case.expected.verdict {
            return Some((Wrong::Verdict, None));
        }
        let expected = &case.expected.records;
        (!expected.contains(&answer.records)).then(|| {
            let expected = expected[0].iter().map(Some).chain(repeat(None));
            let came = answer.records.iter().map(Some).chain([None]);
            let mut differing = expected.zip(came).enumerate();
            let parting = differing.find(|(_, (expected, came))| expected != came);
            let parting = parting.map(|(owed, (_, came))| Parting {
                owed: Some(owed),
                path: String::new(),
                came: came.map_or(String::new(), ToString::to_string),
            });
            (Wrong::Records, parting)
        })
    }

    fn canonical(&self, shown: &str) -> String {
        shown.to_owned()
    }

    fn dumb(&self, _: &[&Case], _: ExpectedVerdict) -> Dumb {
        Dumb::default()
    }
}

fn measured(description: &str, reasons: &Reasons) -> MutationScore {
    measured_by(description, reasons, |_| true)
}

/// Measures the mutation score of only the valid cases of a small description. The score is low.
fn weakly_measured(reasons: &Reasons) -> MutationScore {
    measured_by(SIGN, reasons, |case| {
        case.expected.verdict == ExpectedVerdict::Accept
    })
}

/// Builds the cases of a description, all of which are generated.
pub(crate) fn built(plan: &Arc<Plan>) -> Built {
    suite::build(
        &[Arc::clone(plan)],
        &[Box::new(SystematicCases::new(
            Store::nearest(),
            Recipes::Ignore,
            SearchOptions::default(),
        ))],
        &(),
    )
}

fn measured_by(
    description: &str,
    reasons: &Reasons,
    wanted: impl Fn(&Case) -> bool,
) -> MutationScore {
    let plan = plan(description);
    let built = built(&plan);
    let cases: Vec<&Case> = built.cases.iter().filter(|case| wanted(case)).collect();
    let none = Exclusions::default();
    mutation_score(&plan, &cases, &Strict, reasons, &none)
}

const SIGN: &str = "
meta: { id: sign, endian: le }
faults: { eof: WHOLE, trailing: WHOLE }
seq: [{ id: one, type: one }]
types:
  one:
    seq:
      - { id: spare, type: u2 }
      - { id: value, type: u2, valid: { max: 300, rule: SMALL } }
      - { id: other, type: u2, if: value == 0 }
records: { one: { from: one, members: { value: value } } }
rules:
  WHOLE: { level: must, section: All, says: Everything is there and no more., reader: reject }
  SMALL: { level: must, section: A, says: The value is at most 300., reader: reject }
";

#[test]
fn the_corpus_of_a_small_description_tells_its_mutants_apart() {
    let found = measured(SIGN, &Reasons::default());
    let fates: BTreeMap<&str, bool> = found
        .mutants
        .iter()
        .map(|fate| (fate.mutant.as_str(), fate.killer.is_some()))
        .collect();
    for name in [
        "not-tested@one.value/SMALL",
        "other-width@one.spare/8",
        "other-byte-order@one.value",
        "always-there@one.other",
    ] {
        assert!(fates[name], "{name} of {fates:#?}");
    }
    // No reader uses the sign or the byte order of an unused field, so there are no mutants that
    // change them.
    assert!(!fates.contains_key("other-sign@one.spare"));
    assert!(!fates.contains_key("other-byte-order@one.spare"));
    assert!(found.rules.iter().all(|rule| rule.killer.is_some()));
    assert_eq!(found.unsound, Vec::<String>::new());
}

fn survivors(mutation_score: &MutationScore) -> Vec<String> {
    let names = mutation_score.survivors().map(|fate| fate.mutant.clone());
    let names: Vec<String> = names.collect();
    assert!(names.len() > 1, "{names:?}");
    names
}

/// Returns a reason for each of the given mutants.
fn explained(mutants: &[String]) -> Untolds {
    let written = mutants.iter().map(|mutant| Untold {
        mutant: mutant.clone(),
        because: "A test says so.".to_owned(),
    });
    Untolds::from(written.collect::<Vec<_>>())
}

#[test]
fn survivors_without_a_reason_are_told() {
    let told = |reasons: &Reasons| {
        let mut text = Vec::new();
        write_mutation_score(&weakly_measured(reasons), 1, &mut text).expect("memory takes all");
        String::from_utf8(text).expect("it is text")
    };
    let survivors = survivors(&weakly_measured(&Reasons::default()));
    let without = told(&Reasons::default());
    let count = format!(
        "  {} survivors without a documented reason",
        survivors.len()
    );
    assert!(without.contains(&count), "{without}");
    let with = told(&Reasons {
        surviving: explained(&survivors),
        ..Reasons::default()
    });
    assert!(!with.contains("without a reason"), "{with}");
    assert!(with.contains("A test says so."), "{with}");
}

#[test]
fn equivalent_mutants_are_counted_apart() {
    let all = weakly_measured(&Reasons::default());
    let survivors = survivors(&all);
    let with = weakly_measured(&Reasons {
        equivalent: explained(&survivors),
        ..Reasons::default()
    });
    assert_eq!(with.survivors().count(), 0);
    assert_eq!(with.equivalents().count(), survivors.len());
    assert_eq!(with.feasible(), all.feasible() - survivors.len());
    assert_eq!(with.killed(), all.killed());
}

#[test]
fn reasons_that_do_not_fit_are_told() {
    let bare = weakly_measured(&Reasons::default());
    let survivor = survivors(&bare).remove(0);
    let mut killed = bare.mutants.iter().filter(|fate| fate.killer.is_some());
    let killed = killed.next().expect("the cases tell some apart");
    let reasons = Reasons {
        equivalent: explained(&[survivor.clone(), "no-such@mutant".to_owned()]),
        surviving: explained(&[killed.mutant.clone(), "*".to_owned()]),
    };
    let mut fit = Fit::default();
    fit.add(&reasons, &bare);
    let redundant: Vec<&str> = fit.redundant().map(|(_, pattern)| pattern).collect();
    assert!(redundant.contains(&"no-such@mutant"), "{redundant:?}");
    assert!(redundant.contains(&killed.mutant.as_str()), "{redundant:?}");
    assert!(!redundant.contains(&survivor.as_str()), "{redundant:?}");
    let mut text = Vec::new();
    fit.write(&mut text).expect("memory takes all");
    let text = String::from_utf8(text).expect("it is text");
    let wide = format!("* explains {}, but", killed.mutant);
    assert!(text.contains(&wide), "{text}");
}

#[test]
fn without_idle_cases_nothing_is_lost() {
    let plan = plan(SIGN);
    let mut cases = built(&plan).cases;
    // Add a copy of each valid case.
    let valid = |case: &&Case| case.provenance.source == Source::Valid;
    let twice: Vec<Case> = cases.iter().filter(valid).map(again).collect();
    cases.extend(twice);
    let all: Vec<&Case> = cases.iter().collect();
    let candidates: HashSet<CaseId> = all.iter().map(|case| case.id.clone()).collect();
    let none = Exclusions::default();
    let redundant_of = |cases: &[&Case]| redundant(&plan, cases, &candidates, &Strict, &none);
    let redundant = redundant_of(&all);
    assert!(!redundant.is_empty());
    let rest: Vec<&Case> = cases
        .iter()
        .filter(|case| !redundant.contains(&case.id))
        .collect();
    assert_eq!(rest.len() + redundant.len(), cases.len());

    let met = |cases: &[&Case]| {
        let files: Vec<&[u8]> = cases.iter().map(|case| &*case.bytes).collect();
        let classes = score(&plan, &files, &none).classes.into_iter();
        classes.map(|class| class.hit).collect::<Vec<usize>>()
    };
    assert_eq!(met(&all), met(&rest));
    let reasons = Reasons::default();
    let told = |cases: &[&Case]| {
        let mutation_score = mutation_score(&plan, cases, &Strict, &reasons, &none);
        let rules = mutation_score
            .rules
            .iter()
            .filter(|rule| rule.killer.is_some());
        (
            mutation_score.killed(),
            mutation_score.graded(),
            rules.count(),
        )
    };
    assert_eq!(told(&all), told(&rest));
    assert!(redundant_of(&rest).is_empty());
}

/// Returns a copy of the case under another name.
fn again(case: &Case) -> Case {
    Case {
        id: format!("{}/again", case.id),
        ..case.clone()
    }
}
