//! The law of exported tests: in every language, an exported test fails on a case exactly if `run
//! --strict` fails the case. This must hold for the reference decoder and for readers with bugs.
//!
//! By default, one format is tried with the tools that start quickly. `TRACEGAUGE_LAW=whole` tries
//! all formats with all installed tools, which takes an hour. `TRACEGAUGE_LAW_TOOLS` and
//! `TRACEGAUGE_LAW_FORMATS` select some of them, separated by commas.

#[path = "law/answers.rs"]
mod answers;
#[path = "law/tools.rs"]
mod tools;
#[path = "law/wrong.rs"]
mod wrong;

use crate::joining;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use answers::{Answer, failing};
use joining::Place;
use rayon::prelude::*;
use tools::{TOOLS, Tool, shell};
use tracegauge_corpus::case::Case;

use tracegauge_corpus::suite::Suite;
use wrong::READERS;

/// The formats to try by default.
const SAMPLE: [&str; 1] = ["dial9-v1@optional"];

fn chosen(variable: &str) -> Option<Vec<String>> {
    let text = env::var(variable).ok()?;
    Some(text.split(',').map(str::to_owned).collect())
}

fn is_whole() -> bool {
    env::var("TRACEGAUGE_LAW").is_ok_and(|value| value == "whole")
}

/// Returns the path of each case in an exported folder.
fn paths(folder: &Path) -> BTreeMap<String, String> {
    let lists = fs::read_dir(folder.join("cases")).expect("cases").flatten();
    let lists = lists.filter(|file| file.path().extension().is_some_and(|end| end == "txt"));
    let mut paths = BTreeMap::new();
    for list in lists {
        let text = fs::read_to_string(list.path()).expect("a list");
        for line in text.lines() {
            let mut fields = line.split('\t').map(str::to_owned);
            paths.extend(fields.next().zip(fields.next()));
        }
    }
    paths
}

fn export(place: &Place, tool: &Tool, formats: &[String]) -> PathBuf {
    let folder = place.path().join(tool.shape);
    if !folder.exists() {
        let mut words = vec!["corpus", "export", "--as", tool.shape, "--out", tool.shape];
        words.extend(formats.iter().flat_map(|format| ["--format", format]));
        let output = place.tracegauge(&words);
        assert_eq!(output.status, Some(0), "{}", output.all());
        let (path, text) = tool.reader;
        fs::write(folder.join(path), text).expect("written");
    }
    folder
}

#[test]
fn an_exported_test_fails_exactly_when_a_strict_run_does() {
    let formats = chosen("TRACEGAUGE_LAW_FORMATS").unwrap_or_else(|| match is_whole() {
        true => Vec::new(),
        false => SAMPLE.map(str::to_owned).to_vec(),
    });
    let fast = || vec!["go test".to_owned(), "unittest".to_owned()];
    let names = chosen("TRACEGAUGE_LAW_TOOLS").or_else(|| (!is_whole()).then(fast));
    let suite = Suite::load(&formats, |_| true, &()).expect("a suite");
    let cases: Vec<&Case> = suite
        .cases
        .iter()
        .filter(|case| case.state.runs())
        .collect();
    let place = Place::new();
    let mut tools = Vec::new();
    for tool in &TOOLS {
        if names
            .as_ref()
            .is_some_and(|names| !names.iter().any(|name| name == tool.name))
        {
            continue;
        }
        if !tool.is_here() {
            println!("skipped: {} is not installed", tool.name);
            continue;
        }
        let folder = export(&place, tool, &formats);
        let (is_ready, said) = shell(&folder, tool.prepare);
        assert!(is_ready, "{}: {said}", tool.name);
        tools.push((tool, folder));
    }
    if let Some((_, folder)) = tools.first() {
        let law = Law::new(&suite, cases, paths(folder));
        // One reader after the other: the answers to the whole corpus take gigabytes.
        let wrong: Vec<String> = READERS
            .iter()
            .flat_map(|reader| law.holds(place.path(), reader, &tools))
            .collect();
        assert!(
            wrong.is_empty(),
            "{} disagreements:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
}

struct Law<'s> {
    cases: Vec<&'s Case>,
    right: Vec<Answer>,
    paths: BTreeMap<String, String>,
}

impl<'s> Law<'s> {
    fn new(suite: &Suite, cases: Vec<&'s Case>, paths: BTreeMap<String, String>) -> Self {
        let right = cases.par_iter().map(|case| {
            let plan = suite.formats.plan(&case.format).expect("a plan");
            Answer::of_reference(plan, &case.bytes)
        });
        Self {
            right: right.collect(),
            cases,
            paths,
        }
    }

    /// Returns the differences between the tools and the harness for a reader.
    fn holds(
        &self,
        folder: &Path,
        (reader, change): &wrong::Reader,
        tools: &[(&Tool, PathBuf)],
    ) -> Vec<String> {
        let mut answers = self.right.clone();
        answers.iter_mut().for_each(change);
        let changed = answers
            .iter()
            .zip(&self.right)
            .filter(|(one, other)| one != other)
            .count();
        if changed == 0 && *reader != "reference" {
            println!("{reader}: answers as the reference decoder does to each of these cases");
            return Vec::new();
        }
        let file = folder.join(format!("{}.jsonl", reader.replace(' ', "-")));
        let lines = self.cases.iter().zip(&answers);
        let text: String = lines
            .map(|(case, answer)| answer.line(&self.paths[&case.id]))
            .collect();
        fs::write(&file, text).expect("written");
        let wanted: BTreeSet<String> = failing(&self.cases, &[], &answers).into_iter().collect();
        drop(answers);
        let wrong = tools.par_iter().flat_map_iter(|(tool, folder)| {
            let begun = Instant::now();
            let verdict = tool.run(folder, &file);
            println!(
                "{reader}: {changed} answers changed, {} of {} cases fail under {} ({:.1?})",
                verdict.failed.len(),
                verdict.count,
                tool.name,
                begun.elapsed()
            );
            let count = verdict.count;
            let all_ran = count == self.cases.len();
            let too_few = (!all_ran).then(|| format!("{reader}, {}: {count} tests ran", tool.name));
            let part = |one: &BTreeSet<String>, other: &BTreeSet<String>, says: &str| {
                let cases = one.difference(other).take(5);
                cases
                    .map(|case| format!("{reader}, {}: {says} {case}", tool.name))
                    .collect::<Vec<_>>()
            };
            let passes = part(&wanted, &verdict.failed, "passes");
            let fails = part(&verdict.failed, &wanted, "fails");
            too_few.into_iter().chain(passes).chain(fails)
        });
        let wrong = wrong.collect();
        let _ = fs::remove_file(file);
        wrong
    }
}
