//! Tests for the commands as used by scripts: their output files and exit statuses.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::Parser;
use tempfile::TempDir;
use tracegauge_cli::{Exit, baseline, run};
use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_results::json;

use common::{FAKE, corpus, rules};

/// A folder in which commands run. Only one such folder may exist at a time, because the current
/// folder is shared by the whole process.
struct Place {
    folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

static ALONE: Mutex<()> = Mutex::new(());

impl Place {
    fn new() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        std::env::set_current_dir(folder.path()).unwrap();
        Self {
            folder,
            _alone: alone,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the reader file of a fake reader.
    fn reader(&self, behaviour: &str, more: &str) {
        let text = format!(
            "name: {behaviour}\nmode: serve\ncommand: ['{FAKE}', serve, {behaviour}, marked]\n\
             timeout: 20s\nbaseline: known.yaml\n{more}"
        );
        fs::write(self.path("reader.yaml"), text).unwrap();
    }
}

#[derive(Parser)]
struct Run {
    #[command(flatten)]
    args: run::Args,
}

#[derive(Parser)]
struct Update {
    #[command(flatten)]
    args: baseline::Args,
}

fn run(words: &[&str], cases: Vec<Case>) -> Exit {
    let words = ["run", "--quiet", "--color", "never"].iter().chain(words);
    let run = Run::try_parse_from(words).unwrap();
    match run::named_readers(&run.args, None) {
        Ok(readers) => run::execute(&run.args, cases, &rules(), &Formats::default(), readers),
        Err(_) => Exit::Usage,
    }
}

fn update(words: &[&str]) -> Exit {
    let words = ["update"].iter().chain(words);
    baseline::execute(&Update::try_parse_from(words).unwrap().args)
}

#[test]
fn the_arguments_are_sound() {
    use clap::CommandFactory;
    Run::command().debug_assert();
    Update::command().debug_assert();
}

#[test]
fn the_exit_status_says_how_it_went() {
    let place = Place::new();
    place.reader("perfect", "");
    let reader = ["--reader", "reader.yaml"];
    assert_eq!(run(&reader, corpus(3)).status(), 0);
    assert_eq!(run(&["--reader", "no-such.yaml"], corpus(3)).status(), 2);
    assert_eq!(
        run(&["--reader", "reader.yaml", "--format", "x"], corpus(3)).status(),
        2
    );
    assert_eq!(
        run(&["--reader", "reader.yaml", "--filter", "x"], corpus(3)).status(),
        4
    );
    assert_eq!(run(&[], corpus(3)).status(), 4);
    place.reader("crashes", "");
    assert_eq!(run(&reader, corpus(3)).status(), 1);
    assert_eq!(
        run(
            &["--reader", "reader.yaml", "--filter", "events-01"],
            corpus(3)
        )
        .status(),
        0
    );
    place.reader("mumbles", "");
    assert_eq!(run(&reader, corpus(3)).status(), 3);
    place.reader("perfect", "requires: [no-such-program-here]\n");
    assert_eq!(run(&reader, corpus(3)).status(), 4);
    place.reader("perfect", "build: 'false'\n");
    assert_eq!(run(&reader, corpus(3)).status(), 3);
}

#[test]
fn a_command_is_enough_for_a_first_look() {
    let _place = Place::new();
    assert_eq!(
        run(&["--", FAKE, "once", "perfect", "{file}"], corpus(2)).status(),
        0
    );
    assert_eq!(
        run(&["--", FAKE, "once", "status-42", "{file}"], corpus(2)).status(),
        1
    );
}

#[test]
fn a_baseline_is_made_held_and_refused() {
    let place = Place::new();
    place.reader("crashes", "");
    let all = ["--reader", "reader.yaml"];
    assert_eq!(update(&["known.yaml"]), Exit::Usage, "there was no run yet");
    assert_eq!(run(&all, corpus(3)), Exit::Finding);
    assert_eq!(update(&["known.yaml"]), Exit::Ok);
    let text = fs::read_to_string(place.path("known.yaml")).unwrap();
    // The reader crashes in the same way on a valid and on a malformed trace.
    assert_eq!(text.matches("unexplained: true").count(), 1, "{text}");
    assert!(
        text.contains("crash; rule EVENTS; expected accept, got terminated with SIGABRT"),
        "{text}"
    );
    assert_eq!(run(&all, corpus(3)), Exit::Ok, "all that fails is known");

    place.reader("perfect", "");
    assert_eq!(run(&all, corpus(3)), Exit::Finding, "what is listed passes");
    assert_eq!(
        run(&all, corpus(2)),
        Exit::Finding,
        "what is listed is not there"
    );
    let part = ["--reader", "reader.yaml", "--filter", "events-01"];
    assert_eq!(
        run(&part, corpus(3)),
        Exit::Ok,
        "what is listed was not asked for"
    );
    assert_eq!(
        update(&["known.yaml"]),
        Exit::Usage,
        "after a part of a run"
    );
    assert_eq!(run(&all, corpus(3)), Exit::Finding);
    assert_eq!(update(&["known.yaml"]), Exit::Ok);
    assert_eq!(run(&all, corpus(3)), Exit::Ok);
}

#[test]
fn the_result_file_fits_its_schema() {
    let place = Place::new();
    let schema = serde_json::from_str(json::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for behaviour in ["perfect", "crashes", "lies", "gap", "mumbles"] {
        place.reader(behaviour, "");
        run(
            &["--reader", "reader.yaml", "--json", "result.json"],
            corpus(3),
        );
        let text = fs::read_to_string(place.path("result.json")).unwrap();
        let result: serde_json::Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&result)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{behaviour}: {errors:?}");
        let read = json::read(Path::new("result.json")).unwrap();
        assert_eq!(
            serde_json::to_value(&read).unwrap(),
            result,
            "nothing is lost"
        );
    }
}

#[test]
fn the_last_run_stays_out_of_version_control() {
    let place = Place::new();
    place.reader("perfect", "");
    run(&["--reader", "reader.yaml"], corpus(1));
    assert_eq!(
        fs::read_to_string(place.path(".tracegauge/.gitignore")).unwrap(),
        "*\n"
    );
}

#[test]
fn a_run_out_of_time_keeps_its_results_and_is_incomplete() {
    let place = Place::new();
    let text = format!("mode: serve\ncommand: ['{FAKE}', serve, slow]\n");
    fs::write(place.path("reader.yaml"), text).unwrap();
    let run = |limit: &str, count: u8| {
        let words = [
            "--reader",
            "reader.yaml",
            "--json",
            "result.json",
            "--time-limit",
            limit,
        ];
        let exit = run(&words, corpus(count));
        let result = json::read(Path::new("result.json")).unwrap();
        (exit, result.readers.into_iter().next().unwrap())
    };
    let (exit, late) = run("1s", 250);
    assert_eq!(exit, Exit::Incomplete);
    assert!(
        late.totals.not_run > 0 && late.totals.add_up(),
        "{:?}",
        late.totals
    );
    let why = late.tail.not_run.why.unwrap();
    assert!(
        why.contains("the run reached its time limit of 1s"),
        "{why}"
    );
    let (exit, timely) = run("10m", 3);
    assert_eq!((exit, timely.totals.not_run), (Exit::Ok, 0));
}

#[test]
fn a_journal_that_cannot_be_written_is_reported() {
    let place = Place::new();
    place.reader("perfect", "");
    fs::create_dir(place.path(".tracegauge")).unwrap();
    fs::write(place.path(".tracegauge/journals"), "a file, not a folder").unwrap();
    run(
        &["--reader", "reader.yaml", "--json", "result.json"],
        corpus(3),
    );
    let result = json::read(Path::new("result.json")).unwrap();
    let notes = &result.readers[0].tail.notes;
    let is_about =
        |note: &String| note.starts_with("the answers of this run are not saved for --resume: ");
    assert!(notes.iter().any(is_about), "{notes:?}");
}
