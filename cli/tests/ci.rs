//! Runs the steps of the CI templates.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use joining::{Place, root};
use serde_yaml::Value as Yaml;

use crate::joining;

/// A replacement for `tracegauge` that writes the requested files and exits with the requested
/// status.
const STAND_IN: &str = r#"#!/bin/sh
printf '%s\n' "$@" >"$ASKED"
while [ $# -gt 0 ]; do
  case $1 in
    --json | --junit | --html | --markdown) echo "written for $1" >"$2"; shift ;;
  esac
  shift
done
exit "$ENDS"
"#;

/// A step of a job: a shell command and its environment variables.
struct Step {
    id: String,
    command: String,
    variables: BTreeMap<String, String>,
}

fn yaml(path: &str) -> Vec<Yaml> {
    let text = fs::read_to_string(root().join(path)).expect("a template");
    let documents = serde_yaml::Deserializer::from_str(&text);
    let read = |one| serde::Deserialize::deserialize(one).expect("YAML");
    documents.map(read).collect()
}

fn text(value: &Yaml) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Replaces each expression in `text` with its value from `inputs`.
fn filled(text: &str, inputs: &[(&str, &str)], form: fn(&str) -> String) -> String {
    let mut text = text.to_owned();
    for (name, value) in inputs {
        text = text.replace(&form(name), value);
    }
    text
}

/// Returns the shell steps of the GitHub action.
fn action(inputs: &[(&str, &str)]) -> Vec<Step> {
    let action = &yaml("action.yml")[0];
    let steps = action["runs"]["steps"].as_sequence().expect("steps");
    let step = |step: &Yaml| {
        let variables = step["env"].as_mapping().cloned().unwrap_or_default();
        let fill = |value: &Yaml| {
            filled(&text(value), inputs, |name| {
                format!("${{{{ inputs.{name} }}}}")
            })
        };
        Some(Step {
            id: text(&step["id"]),
            command: step["run"].as_str()?.to_owned(),
            variables: variables
                .iter()
                .map(|(name, value)| (text(name), fill(value)))
                .collect(),
        })
    };
    steps.iter().filter_map(step).collect()
}

/// Returns the script of the GitLab job as a step.
fn gitlab(inputs: &[(&str, &str)]) -> Step {
    let documents = yaml("ci/gitlab.yml");
    let job = &documents[1]["tracegauge"];
    let fill = |value: &Yaml| filled(&text(value), inputs, |name| format!("$[[ inputs.{name} ]]"));
    let variables = job["variables"].as_mapping().expect("variables");
    let lines = job["script"]
        .as_sequence()
        .expect("a script")
        .iter()
        .map(text);
    Step {
        id: "run".to_owned(),
        command: lines.collect::<Vec<_>>().join("\n"),
        variables: variables
            .iter()
            .map(|(name, value)| (text(name), fill(value)))
            .collect(),
    }
}

/// Runs a step with `program` in place of `tracegauge` and returns its exit status.
fn perform(place: &Place, step: &Step, program: &Path, ends: &str) -> Option<i32> {
    let here = program.parent().expect("a folder").to_path_buf();
    let known = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(here).chain(std::env::split_paths(&known));
    let shell = Command::new("bash")
        .args(["-e", "-o", "pipefail", "-c", &step.command])
        .current_dir(place.path())
        .envs(&step.variables)
        .env("PATH", std::env::join_paths(path).expect("a path"))
        .env("ASKED", place.path().join("asked"))
        .env("ENDS", ends)
        .env("GITHUB_ACTION_PATH", root())
        .env("GITHUB_STEP_SUMMARY", place.path().join("step-summary.md"))
        .output()
        .expect("bash");
    println!("{}", String::from_utf8_lossy(&shell.stderr));
    shell.status.code()
}

fn stand_in(place: &Place) -> PathBuf {
    let path = place.path().join("bin/tracegauge");
    fs::create_dir_all(place.path().join("bin")).expect("a folder");
    fs::write(&path, STAND_IN).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    path
}

const INPUTS: [(&str, &str); 4] = [
    ("reader", "my reader.yaml"),
    ("baseline", "known failures.yaml"),
    ("formats", "dial9-v1 nettrace"),
    ("out", "tracegauge-report"),
];

const ASKED: &str = "run
--reader
my reader.yaml
--no-progress
--json
tracegauge-report/result.json
--junit
tracegauge-report/junit.xml
--html
tracegauge-report/report.html
--markdown
tracegauge-report/summary.md
--baseline
known failures.yaml
--format
dial9-v1
--format
nettrace
";

#[test]
fn the_action_asks_for_all_reports_and_ends_as_the_run_does() {
    let steps = action(&INPUTS);
    let ids: Vec<&str> = steps.iter().map(|step| step.id.as_str()).collect();
    assert_eq!(ids, ["build", "run"]);
    assert!(steps[0].command.contains("cargo build --release --locked"));
    for ends in ["0", "1", "3"] {
        let place = Place::new();
        let status = perform(&place, &steps[1], &stand_in(&place), ends);
        assert_eq!(status, ends.parse().ok());
        let read = |name: &str| fs::read_to_string(place.path().join(name)).expect(name);
        assert_eq!(read("asked"), ASKED);
        assert_eq!(read("step-summary.md"), "written for --markdown\n");
        assert_eq!(
            read("tracegauge-report/report.html"),
            "written for --html\n"
        );
    }
}

#[test]
fn the_job_for_gitlab_does_the_same() {
    let step = gitlab(&INPUTS);
    let place = Place::new();
    let source = place.path().join(".tracegauge/source");
    fs::create_dir_all(&source).expect("a folder");
    std::os::unix::fs::symlink(root().join("ci"), source.join("ci")).expect("a link");
    assert_eq!(perform(&place, &step, &stand_in(&place), "1"), Some(1));
    let asked = fs::read_to_string(place.path().join("asked")).expect("what was asked");
    assert_eq!(asked, ASKED);
    let junit = &yaml("ci/gitlab.yml")[1]["tracegauge"]["artifacts"]["reports"]["junit"];
    assert!(place.path().join(text(junit)).is_file());
}

#[test]
fn a_reader_is_run_as_a_job_runs_it() {
    let place = Place::new();
    let help = place.tracegauge(&["run", "--help"]).out;
    let missing = ["--junit", "--html", "--markdown"]
        .into_iter()
        .find(|option| !help.contains(option));
    if let Some(option) = missing {
        return println!("skipped: this tracegauge has no run {option}");
    }
    let program = PathBuf::from(env!("CARGO_BIN_EXE_tracegauge"));
    let reader = format!(
        "name: mine\nmode: serve\nreports: records\nformats: [dial9-v1]\ncommand: ['{}', reader, serve]\n",
        program.display()
    );
    fs::write(place.path().join("reader.yaml"), reader).expect("written");
    let inputs = [
        ("reader", "reader.yaml"),
        ("baseline", ""),
        ("formats", ""),
        ("out", "reports"),
    ];
    assert_eq!(perform(&place, &action(&inputs)[1], &program, ""), Some(0));
    let summary = fs::read_to_string(place.path().join("step-summary.md")).expect("a summary");
    assert!(summary.contains("mine"), "{summary}");
    for report in ["result.json", "junit.xml", "report.html", "summary.md"] {
        assert!(
            place.path().join("reports").join(report).is_file(),
            "{report}"
        );
    }
}

fn supply_chain(folder: &Path, checks: &[&str]) -> (bool, String) {
    let output = Command::new("sh")
        .arg("ci/supply-chain.sh")
        .args(checks)
        .current_dir(folder)
        .output()
        .expect("a shell");
    let texts = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(texts).expect("text");
    (output.status.success(), text)
}

#[test]
fn the_command_is_built_from_few_packages() {
    let (is_fine, text) = supply_chain(&root(), &["packages"]);
    assert!(is_fine, "{text}");
    assert!(text.contains(" of at most 99"), "{text}");
}

#[test]
fn actions_are_pinned_by_their_hashes() {
    let (is_fine, text) = supply_chain(&root(), &["actions"]);
    assert!(is_fine, "{text}");
    let place = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    let script = fs::read_to_string(root().join("ci/supply-chain.sh")).expect("a script");
    write("ci/supply-chain.sh", &script);
    write(".github/workflows/x.yml", "steps:\n  - uses: ./local\n");
    write("action.yml", "steps:\n  - uses: actions/cache@v4\n");
    let (is_fine, text) = supply_chain(place.path(), &["actions"]);
    assert!(!is_fine && text.contains("actions/cache@v4"), "{text}");
    let hash = "0123456789abcdef0123456789abcdef01234567";
    let pinned = format!("steps:\n  - uses: actions/cache@{hash} # v4.2.3\n");
    write("action.yml", &pinned);
    let (is_fine, text) = supply_chain(place.path(), &["actions"]);
    assert!(is_fine, "{text}");
}
