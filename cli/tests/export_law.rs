//! The law of exported tests: in every language, an exported test fails on a case if and only if
//! `run --strict` fails the case. This must hold for the reference decoder and for readers with
//! bugs. It also holds for the documented runner for Node.js, except that this runner fails values
//! that are not in canonical form.
//!
//! By default, one format and some readers are tried with the tools that start quickly.
//! `TRACEGAUGE_LAW=whole` tries all formats and readers with all installed tools, which takes hours,
//! and prints each result immediately.
//! `TRACEGAUGE_LAW_TOOLS`, `TRACEGAUGE_LAW_FORMATS` and `TRACEGAUGE_LAW_READERS` select some of
//! them as lists separated by commas.

#[path = "law/answers.rs"]
mod answers;
#[path = "law/tools.rs"]
mod tools;
#[path = "law/wrong.rs"]
mod wrong;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use joining::{Place, root};
use rayon::prelude::*;
use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::suite::Suite;
use tracegauge_judge::Response;

use crate::joining;
use answers::{Answer, failing};
use tools::{NODE, TOOLS, Tool, shell};
use wrong::{READERS, Reader};

/// The formats to try by default.
const SAMPLE: [&str; 1] = ["dial9-v1@optional"];
/// The readers to try by default: one for each kind of difference between answers. The test of
/// comparisons tries the differences between all kinds of values in each language.
const USUAL: [&str; 6] = [
    "reference",
    "crashes where it should reject",
    "last record dropped",
    "records reversed",
    "a member too many",
    "one integer off",
];
/// The tools to try by default.
const FAST: [&str; 3] = ["go test", "unittest", NODE];
/// The stack size in bytes of the threads that compare records, whose values may be nested deeply.
const STACK: usize = 64 << 20;

/// Returns the names that an environment variable selects, if it is set.
fn chosen(variable: &str) -> Option<Vec<String>> {
    let text = env::var(variable).ok()?;
    Some(text.split(',').map(str::to_owned).collect())
}

fn is_whole() -> bool {
    env::var("TRACEGAUGE_LAW").is_ok_and(|value| value == "whole")
}

/// Prints a result immediately. The test harness would hold it back until the end of the test,
/// which may take hours.
fn say(line: &str) {
    match is_whole() {
        true => drop(writeln!(std::io::stderr(), "{line}")),
        false => println!("{line}"),
    }
}

/// Returns the formats to try.
fn formats() -> Vec<String> {
    if let Some(formats) = chosen("TRACEGAUGE_LAW_FORMATS") {
        return formats;
    }
    match is_whole() {
        true => {
            let all = Formats::bundled(&[]).expect("the bundled formats");
            all.plans().iter().map(|plan| plan.format.clone()).collect()
        }
        false => SAMPLE.map(str::to_owned).to_vec(),
    }
}

/// Returns the installed tools to try.
fn tools() -> Vec<&'static Tool> {
    let names = chosen("TRACEGAUGE_LAW_TOOLS")
        .or_else(|| (!is_whole()).then(|| FAST.map(str::to_owned).to_vec()));
    let is_chosen = |tool: &&Tool| {
        let is_named = |names: &Vec<String>| names.iter().any(|name| name == tool.name);
        names.as_ref().is_none_or(is_named)
    };
    let is_here = |tool: &&Tool| {
        let is_here = tool.is_here();
        if !is_here {
            say(&format!("skipped: {} is not installed", tool.name));
        }
        is_here
    };
    TOOLS.iter().filter(is_chosen).filter(is_here).collect()
}

/// Returns the readers to try.
fn readers() -> Vec<&'static Reader> {
    let names = chosen("TRACEGAUGE_LAW_READERS")
        .or_else(|| (!is_whole()).then(|| USUAL.map(str::to_owned).to_vec()));
    let is_chosen = |reader: &&Reader| {
        let is_named = |names: &Vec<String>| names.iter().any(|name| name == reader.0);
        names.as_ref().is_none_or(is_named)
    };
    READERS.iter().filter(is_chosen).collect()
}

#[test]
fn an_exported_test_fails_exactly_when_a_strict_run_does() {
    let (tools, readers) = (tools(), readers());
    let mut tally = Tally::default();
    // Formats are tried one at a time, because the answers to the whole corpus take gigabytes.
    for format in formats() {
        let place = Place::new();
        let suite = Suite::load(std::slice::from_ref(&format), |_| true, &()).expect("a suite");
        let law = Law::new(&suite, &format, &place, &tools);
        for reader in &readers {
            law.try_reader(reader, &mut tally);
        }
    }
    tally.table();
    assert!(!readers.is_empty() && (tools.is_empty() || !tally.0.is_empty()));
    let wrong: Vec<&str> = tally.disagreements().collect();
    assert!(
        wrong.is_empty(),
        "{} disagreements:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_documented_runner_misses_no_null_of_a_json_text() {
    let tools: Vec<&Tool> = TOOLS.iter().filter(|tool| tool.name == NODE).collect();
    if !tools.iter().all(|tool| tool.is_here()) {
        return println!("skipped: there is no node here");
    }
    let (place, format) = (Place::new(), "wtf-v3".to_owned());
    let suite = Suite::load(std::slice::from_ref(&format), |_| true, &()).expect("a suite");
    let law = Law::new(&suite, &format, &place, &tools);
    let mut tally = Tally::default();
    for name in ["reference", "pairs without nulls of JSON", "nulls dropped"] {
        let reader = READERS.iter().find(|reader| reader.0 == name);
        law.try_reader(reader.expect("a reader"), &mut tally);
    }
    let wrong: Vec<&str> = tally.disagreements().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        tally.0[NODE].readers.len() > 1,
        "the readers with bugs answer differently"
    );
}

/// The cases that each tool has been tried on.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, Tried>);

#[derive(Default)]
struct Tried {
    formats: BTreeSet<String>,
    readers: BTreeSet<&'static str>,
    cases: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn disagreements(&self) -> impl Iterator<Item = &str> {
        let tried = self.0.values();
        tried.flat_map(|tried| tried.wrong.iter().map(String::as_str))
    }

    fn table(&self) {
        say("tool       formats  readers     cases  disagreements");
        for (tool, tried) in &self.0 {
            say(&format!(
                "{tool:<10} {:>7}  {:>7}  {:>8}  {:>13}",
                tried.formats.len(),
                tried.readers.len(),
                tried.cases,
                tried.wrong.len()
            ));
        }
    }
}

/// The cases of a format and the exported tests for each tool.
struct Law<'s> {
    format: &'s str,
    cases: Vec<&'s Case>,
    /// The path of each case in an exported folder.
    paths: Vec<String>,
    /// The answers of the reference decoder.
    right: Vec<Answer>,
    /// The same answers in the form that the harness uses.
    responses: Vec<Response>,
    tools: Vec<(&'static Tool, PathBuf)>,
    /// The folder with the answers that the readers of the exported tests return.
    answers: PathBuf,
    threads: rayon::ThreadPool,
}

impl<'s> Law<'s> {
    fn new(suite: &'s Suite, format: &'s str, place: &Place, tools: &[&'static Tool]) -> Self {
        let cases = suite.cases.iter().filter(|case| case.state.runs());
        let cases: Vec<&Case> = cases.collect();
        let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
        let threads = threads.expect("threads");
        let plan = suite.formats.plan(format).expect("a plan");
        let (right, responses) = threads.install(|| {
            let answers = cases.par_iter().map(|case| {
                let answer = Answer::of_reference(plan, &case.bytes);
                let response = answer.response(case);
                (answer, response)
            });
            answers.unzip()
        });
        let exported: Vec<(&Tool, PathBuf)> = tools
            .iter()
            .map(|tool| (*tool, export(place, tool, format)))
            .collect();
        let paths = match exported.first() {
            Some((_, folder)) => {
                let paths = paths(&folder.join(format!("cases/{format}.txt")));
                cases.iter().map(|case| paths[&case.id].clone()).collect()
            }
            None => Vec::new(),
        };
        let law = Self {
            format,
            cases,
            paths,
            right,
            responses,
            tools: exported,
            answers: place.path().join("answers"),
            threads,
        };
        law.paths.iter().zip(&law.right).for_each(|(path, answer)| {
            law.write("right", path, answer);
        });
        law
    }

    /// Writes an answer to the place where the readers of the exported tests look for it.
    fn write(&self, folder: &str, path: &str, answer: &Answer) {
        let file = self.answers.join(folder).join(format!("{path}.json"));
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, answer.json()).expect("written");
    }

    /// Tries a reader with each tool, and reports the differences from the harness.
    fn try_reader(&self, (reader, change): &'static Reader, tally: &mut Tally) {
        let _ = fs::remove_dir_all(self.answers.join("changed"));
        let responses: Vec<(bool, Response)> = self.threads.install(|| {
            let cases = self.cases.par_iter().enumerate();
            let responses = cases.map(|(index, case)| {
                let mut answer = self.right[index].clone();
                change(&mut answer);
                if answer == self.right[index] {
                    return (false, self.responses[index].clone());
                }
                if let Some(path) = self.paths.get(index) {
                    self.write("changed", path, &answer);
                }
                (true, answer.response(case))
            });
            responses.collect()
        });
        let changed = responses.iter().filter(|(changed, _)| *changed).count();
        if changed == 0 && *reader != "reference" {
            return say(&format!(
                "{}, {reader}: answers every case as the reference decoder does",
                self.format
            ));
        }
        let responses: Vec<_> = responses.into_iter().map(|(_, it)| Some(it)).collect();
        let wanted = failing(&self.cases, &responses);
        let tried = self.tools.par_iter().map(|(tool, folder)| {
            let begun = Instant::now();
            let verdict = tool.run(folder, &self.answers);
            let wrong = self.differences(reader, tool, &wanted, &verdict);
            say(&format!(
                "{}, {reader}, {}: {changed} answers changed, {} of {} cases fail, {} \
                 disagreements ({:.1?})",
                self.format,
                tool.name,
                verdict.failed.len(),
                verdict.count,
                wrong.len(),
                begun.elapsed()
            ));
            wrong.iter().for_each(|line| say(line));
            (tool.name, verdict.count, wrong)
        });
        for (tool, count, wrong) in tried.collect::<Vec<_>>() {
            let tried = tally.0.entry(tool).or_default();
            tried.formats.insert(self.format.to_owned());
            tried.readers.insert(reader);
            tried.cases += count;
            tried.wrong.extend(wrong);
        }
    }

    /// Returns the differences between the verdicts of a tool and those of the harness, in words.
    fn differences(
        &self,
        reader: &str,
        tool: &Tool,
        wanted: &BTreeSet<String>,
        verdict: &tools::Verdict,
    ) -> Vec<String> {
        let count = verdict.count;
        let all_ran = count == self.cases.len();
        let too_few = (!all_ran).then(|| {
            let all = self.cases.len();
            format!("{reader}, {}: {count} of {all} tests ran", tool.name)
        });
        let part = |one: &BTreeSet<String>, other: &BTreeSet<String>, says: &str| {
            let cases = one.difference(other);
            cases
                .map(|case| format!("{reader}, {}: {says} {case}", tool.name))
                .collect::<Vec<_>>()
        };
        let passes = part(wanted, &verdict.failed, "passes");
        let fails = match tool.stricter.contains(&reader) {
            true => Vec::new(),
            false => part(&verdict.failed, wanted, "fails"),
        };
        too_few.into_iter().chain(passes).chain(fails).collect()
    }
}

/// Returns the path of each case in a list of exported cases.
fn paths(list: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(list).expect("a list");
    let fields = text.lines().map(|line| line.split('\t').map(str::to_owned));
    fields
        .filter_map(|mut fields| fields.next().zip(fields.next()))
        .collect()
}

/// Exports the tests of a format for a tool, together with a reader that returns answers from
/// files, and compiles them. Tools that run the same tests share a folder.
fn export(place: &Place, tool: &Tool, format: &str) -> PathBuf {
    let folder = place.path().join(tool.shape);
    if !folder.exists() {
        let is_runner = tool.name == NODE;
        let out = match is_runner {
            true => format!("{}/cases", tool.shape),
            false => tool.shape.to_owned(),
        };
        let words = [
            "corpus", "export", "--as", tool.shape, "--out", &out, "--format", format,
        ];
        let output = place.tracegauge(&words);
        assert_eq!(output.status, Some(0), "{}", output.all());
        let (path, text) = tool.reader;
        fs::write(folder.join(path), text).expect("written");
        if is_runner {
            let runner = documented_runner(format);
            fs::write(folder.join("conformance.test.mjs"), runner).expect("written");
        }
    }
    let (is_ready, said) = shell(&folder, tool.prepare);
    assert!(is_ready, "{}: {said}", tool.name);
    folder
}

/// Returns the documented runner for Node.js, for the cases of a format.
fn documented_runner(format: &str) -> String {
    let page = fs::read_to_string(root().join("docs/exported-cases.md")).expect("a page");
    let runner = page.split("```js\n").nth(1).expect("a runner");
    let runner = runner.split("```").next().expect("its end");
    runner.replace("dial9-v1", format)
}
