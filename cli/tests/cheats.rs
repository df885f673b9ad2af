//! Tests that readers that guess instead of reading the traces prove nothing and fail the run.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value as Json;
use tempfile::TempDir;
use tracegauge_corpus::case::Case;
use tracegauge_harness::runner::Participant;
use tracegauge_harness::schedule::{Criteria, Seed};
use tracegauge_protocol::reader_file::Reports;
use tracegauge_results::{CaseResult, ReaderResult, Verdicts};

use crate::common::{
    FAKE, copy_program, faulty, outcomes, reader, run, run_seeded, run_with, valid,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// Returns `count` valid cases, each followed by a malformed case of the same size.
fn same_sizes(count: u8) -> Vec<Case> {
    let pair = |number: u8| {
        let mut events = vec![number % 100; usize::from(number % 7) + 1];
        events.push(number / 100);
        let name = format!("events-{number:03}");
        let twin = valid(&name, &events);
        events.pop();
        let shorter = valid(&name, &events);
        [twin, faulty(&shorter)]
    };
    (0..count).flat_map(pair).collect()
}

fn guesses(behaviour: &str) -> ReaderResult {
    let mut file = reader("serve", behaviour, "unsupported: [everything]\n");
    file.reports = Reports::Verdict;
    run_with(file, &same_sizes(150), 1)
}

fn verdicts(result: &ReaderResult) -> Verdicts {
    result.tail.formats[0].verdicts
}

#[test]
fn guessing_proves_nothing() {
    for behaviour in [
        "by-order",
        "by-name",
        "by-size",
        "coin",
        "accepts-all",
        "rejects-all",
    ] {
        let result = guesses(behaviour);
        assert_eq!(result.totals.proven, 0, "{behaviour}");
        let seen = verdicts(&result);
        assert_eq!(seen, Verdicts::NoBetterThanChance, "{behaviour}");
        assert!(result.no_better_than_chance().next().is_some());
    }
    // The same wrong record for every trace does not help.
    let result = run(
        reader("serve", "coin-with-records", "unsupported: [everything]\n"),
        &same_sizes(150),
    );
    assert_eq!(verdicts(&result), Verdicts::NoBetterThanChance);
    let result = guesses("coin");
    let by_chance = result.by_chance().unwrap();
    // By chance, about a quarter of the malformed cases have proven rejections, and about a quarter
    // of the valid cases have proven acceptances.
    assert!((50..=100).contains(&by_chance), "{by_chance}");
}

#[test]
fn a_reader_that_reads_is_better_than_chance() {
    let result = guesses("verdicts");
    assert_eq!(verdicts(&result), Verdicts::BetterThanChance);
    assert_eq!((result.totals.proven, result.totals.unproven), (300, 0));
    // Correct records for many traces cannot be due to chance, even if all verdicts are the same.
    let result = run(reader("serve", "perfect", ""), &same_sizes(150));
    assert_eq!(verdicts(&result), Verdicts::BetterThanChance);
}

#[test]
fn a_few_cases_prove_themselves() {
    let mut file = reader("serve", "verdicts", "");
    file.reports = Reports::Verdict;
    let result = run(file, &same_sizes(3));
    assert_eq!(verdicts(&result), Verdicts::TooFew);
    assert_eq!(result.totals.proven, 6);
}

#[test]
fn declaring_all_unsupported_is_no_conformance() {
    let result = guesses("unsupported-all");
    assert_eq!((result.totals.proven, result.totals.failures), (0, 0));
    let few = result.accepts_too_few().next().unwrap();
    assert_eq!((few.accepted, few.valid), (0, 150));
    let result = guesses("verdicts");
    assert!(result.accepts_too_few().next().is_none());
}

#[test]
fn a_part_of_a_format_need_not_be_accepted() {
    let participant = Participant {
        reader: reader("serve", "unsupported-all", "unsupported: [everything]\n"),
        baseline: None,
    };
    let criteria = Criteria {
        filters: vec![tracegauge_corpus::pattern::Pattern::new("events-00")],
        ..Criteria::default()
    };
    let result = crate::common::run_whole(&[participant], &same_sizes(150), 1, criteria);
    assert!(result.readers[0].accepts_too_few().next().is_none());
}

/// Returns the reader's answer to each request, by case.
fn requests(seed: u64) -> Vec<(String, String)> {
    let participant = Participant {
        reader: reader("serve", "tells-request", ""),
        baseline: None,
    };
    let seed = Seed::new(seed).unwrap();
    let cases = same_sizes(20);
    let result = run_seeded(&[participant], &cases, 1, Criteria::default(), seed);
    let result = &result.readers[0];
    assert_eq!(result.tail.seed, Some(seed.number()));
    let known: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    let judged: Vec<&str> = result.cases.iter().map(|case| case.case.as_str()).collect();
    assert_eq!(judged, known, "results keep the order of the corpus");
    let told = |case: &CaseResult| {
        let detail = case.detail.as_ref()?;
        Some((case.case.clone(), detail.actual.clone()))
    };
    result.cases.iter().filter_map(told).collect()
}

#[test]
fn the_order_and_the_names_follow_from_the_seed() {
    let one = requests(1);
    assert_eq!(one, requests(1));
    let two = requests(2);
    assert_eq!(one.len(), two.len());
    let field = |told: &str, index: usize| {
        let told = told.strip_prefix("reject: ").unwrap();
        told.split(", ").nth(index).unwrap().to_owned()
    };
    for index in [0, 1] {
        let of = |requests: &[(String, String)]| -> Vec<String> {
            requests
                .iter()
                .map(|(_, told)| field(told, index))
                .collect()
        };
        assert_ne!(of(&one), of(&two));
        let different: BTreeSet<String> = of(&one).into_iter().collect();
        assert_eq!(different.len(), one.len());
        assert_ne!(
            of(&one),
            Vec::from_iter(different),
            "the order of the corpus"
        );
    }
    for (_, told) in one.iter().chain(&two) {
        assert_eq!(
            field(told, 2),
            "1 files",
            "only the trace that is asked for"
        );
    }
}

/// Creates a reader file for the fake reader in a folder of its own.
fn place(behaviour: &str, more: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy_program(FAKE, folder.path().join("fake"));
    let text = format!(
        "name: fake\nmode: serve\ncommand: [./fake, serve, {behaviour}]\nreports: verdict\n{more}"
    );
    fs::write(folder.path().join("reader.yaml"), text).unwrap();
    folder
}

fn tracegauge(folder: &Path, arguments: &[&str]) -> (Output, Json) {
    let output = Command::new(PROGRAM)
        .args(["run", "--reader", "reader.yaml", "--no-progress"])
        .args(["--failures", "0", "--json", "result.json"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let json = fs::read(folder.join("result.json")).unwrap();
    (output, serde_json::from_slice(&json).unwrap())
}

const FORMAT: &str = "netperf-v1";

#[test]
fn readers_that_guess_fail_a_run_of_a_real_format() {
    for behaviour in [
        "by-order",
        "by-name",
        "by-size",
        "coin",
        "unsupported-all",
        "by-binary",
        "accepts-all",
        "rejects-all",
    ] {
        let folder = place(behaviour, "unsupported: [everything]\n");
        let (output, result) = tracegauge(folder.path(), &["--format", FORMAT]);
        let reader = &result["readers"][0];
        assert_eq!(reader["state"], "ran", "{behaviour}");
        assert_eq!(reader["totals"]["proven"], 0, "{behaviour}");
        assert_eq!(output.status.code(), Some(1), "{behaviour}");
        let text = String::from_utf8(output.stdout).unwrap();
        let last = text.lines().last().unwrap();
        assert!(
            last.starts_with("✗ no better than chance"),
            "{behaviour}: {text}"
        );
        if behaviour == "by-binary" {
            let accepted = reader["cases"].as_array().unwrap().iter();
            let accepted = accepted.filter(|case| case["outcome"] == "wrong-accept");
            assert_eq!(accepted.count(), 0, "it found the program: {text}");
        }
    }
}

#[test]
fn the_report_states_the_seed_and_what_chance_would_prove() {
    let folder = place("coin", "");
    let arguments = ["--format", FORMAT, "--html", "x.html", "--markdown", "x.md"];
    let (output, result) = tracegauge(folder.path(), &arguments);
    let seed = result["readers"][0]["tail"]["seed"].as_u64().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!(
        "seed for the order and names of the cases: {seed}\n"
    )));
    assert!(text.contains("(0 proven, "), "{text}");
    assert!(text.contains(" would be proven by chance"), "{text}");
    let (_, other) = tracegauge(folder.path(), &arguments);
    assert_ne!(other["readers"][0]["tail"]["seed"], seed, "it is random");
    let seed = seed.to_string();
    let (output, _) = tracegauge(
        folder.path(),
        &[&arguments[..], &["--seed", &seed]].concat(),
    );
    let again = String::from_utf8(output.stdout).unwrap();
    assert!(again.contains(&format!(": {seed}\n")));
    let refused = Command::new(PROGRAM)
        .args(["run", "--reader", "reader.yaml", "--resume", "--seed", "1"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn what_is_proven_does_not_depend_on_the_seed() {
    let results = [1, 2].map(|seed| {
        let participant = Participant {
            reader: reader("serve", "perfect", ""),
            baseline: None,
        };
        let seed = Seed::new(seed).unwrap();
        let cases = same_sizes(40);
        run_seeded(&[participant], &cases, 2, Criteria::default(), seed)
    });
    let [one, two] = results.map(|result| outcomes(&result.readers[0]));
    assert_eq!(one, two);
}
