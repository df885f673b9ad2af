//! Tests of `reader doctor`: one test for each mistake that authors of adapters make, and one for a
//! correct adapter.

use std::fmt::Write as _;
use std::fs;

use joining::{Output, Place, findings, notes, tags};
use rayon::prelude::*;

use crate::joining;

/// Adapters with one mistake each: their mode, their mistake, additional lines for the reader file,
/// and the expected findings.
const CARELESS: &[(&str, &str, &str, &[&str])] = &[
    ("serve", "banner", "", &["noise-on-stdout"]),
    ("serve", "echoes-greeting", "", &["echoes-input"]),
    ("serve", "future", "", &["bad-greeting"]),
    ("serve", "verdicts", "", &["bad-greeting"]),
    ("serve", "slow-start", "timeout: 1s\n", &["slow-start"]),
    ("serve", "echoes-input", "", &["echoes-input"]),
    ("serve", "buffers-until-exit", "", &["buffers-until-exit"]),
    ("serve", "noise", "", &["noise-on-stdout"]),
    ("once", "noise", "", &["noise-on-stdout"]),
    ("serve", "bad-json", "", &["bad-json"]),
    ("once", "bad-json", "", &["bad-json"]),
    ("serve", "bad-utf-8", "", &["bad-utf-8"]),
    ("serve", "unknown-line", "", &["unknown-line"]),
    ("once", "unknown-line", "", &["unknown-line"]),
    ("serve", "bad-record-line", "", &["bad-record-line"]),
    ("once", "bad-record-line", "", &["bad-record-line"]),
    ("serve", "bad-closing-line", "", &["bad-closing-line"]),
    ("serve", "after-closing-line", "", &["after-closing-line"]),
    ("once", "after-closing-line", "", &["after-closing-line"]),
    ("serve", "no-answer", "timeout: 1s\n", &["no-answer"]),
    ("once", "no-answer", "timeout: 1s\n", &["no-answer"]),
    ("serve", "dies", "", &["dies"]),
    ("once", "dies", "", &["dies"]),
    ("serve", "killed", "", &["killed"]),
    ("once", "killed", "", &["killed"]),
    ("serve", "killed-at-start", "", &["killed"]),
    ("serve", "ends-at-start", "", &["no-greeting"]),
    ("once", "too-much", "memory: 64MiB\n", &["too-much"]),
    (
        "serve",
        "too-much-at-start",
        "memory: 64MiB\n",
        &["too-much"],
    ),
    ("serve", "first-request-only", "", &["first-request-only"]),
    ("serve", "remembers", "", &["remembers"]),
    ("once", "exit-1", "", &["exit-1"]),
    (
        "once",
        "exit-0-after-rejection",
        "",
        &["exit-0-after-rejection"],
    ),
    ("serve", "accepts-all", "", &["constant-answer"]),
    ("once", "accepts-all", "", &["constant-answer"]),
    (
        "serve",
        "reads-and-accepts-all",
        "",
        &["accepts-everything"],
    ),
    ("once", "reads-and-accepts-all", "", &["accepts-everything"]),
    ("serve", "misses-module", "", &["file-not-found"]),
    ("once", "misses-module", "", &["file-not-found"]),
    ("serve", "undeclared-format", "", &["undeclared-format"]),
    ("serve", "unknown-kind", "", &["unknown-kind"]),
    (
        "serve",
        "unknown-member",
        "",
        &["unknown-member", "unknown-member"],
    ),
    ("serve", "lost-digits", "", &["lost-digits"]),
    ("serve", "surplus-records", "", &["surplus-records"]),
    ("serve", "no-records", "", &["no-records"]),
    ("serve", "undeclared-omission", "", &["undeclared-omission"]),
    (
        "serve",
        "omits-empty",
        "",
        &[
            "undeclared-omission",
            "undeclared-omission",
            "undeclared-omission",
        ],
    ),
    ("serve", "omits-some", "", &["partial-omission"]),
    (
        "serve",
        "healthy",
        "omits: [note.level, note.colour]\n",
        &["stale-omission", "stale-omission"],
    ),
];

/// Runs the doctor on an adapter with this mistake.
fn examined(mode: &str, mistake: &str, more: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_careless_adapter");
    with_command(&format!("['{program}', {mode}, {mistake}]"), mode, more)
}

fn with_command(command: &str, mode: &str, more: &str) -> Output {
    let place = Place::new();
    let reports = if more.contains("reports") {
        ""
    } else {
        "reports: records\n"
    };
    let text = format!(
        "name: careless\nmode: {mode}\n{reports}formats: [notes-v1]\ncommand: {command}\n{more}"
    );
    fs::write(place.path().join("reader.yaml"), text).expect("written");
    place.doctor("reader.yaml")
}

/// Removes the parts of the output that vary between machines.
fn steady(out: &str) -> String {
    let mut text = String::new();
    for line in out.lines() {
        let line = match (line.find("\"file\":\""), line.find("MiB of resident")) {
            (Some(at), _) => format!("{}\"file\":\"…", &line[..at]),
            (_, Some(_)) => "  saw     … MiB of resident memory".to_owned(),
            _ => line.to_owned(),
        };
        let _ = writeln!(text, "{}", unnamed(&line));
    }
    text.replace(&notes(), "notes.yaml")
}

/// Removes the name under which a reader sees a case, which depends on a random seed.
fn unnamed(line: &str) -> String {
    const BEFORE: &str = "\"case\":\"c-";
    let Some((before, rest)) = line.split_once(BEFORE) else {
        return line.to_owned();
    };
    let name = rest.trim_start_matches(|digit: char| digit.is_ascii_hexdigit());
    format!("{before}{BEFORE}…{name}")
}

#[test]
fn every_mistake_is_named_and_no_other() {
    let told: Vec<(String, bool)> = CARELESS
        .par_iter()
        .map(|(mode, mistake, more, expected)| {
            let output = examined(mode, mistake, more);
            let is_right = findings(&output.out) == *expected && output.status == Some(1);
            let told = steady(&output.all());
            (
                format!("## {mode} {mistake} {}\n\n{told}\n", more.trim()),
                is_right,
            )
        })
        .collect();
    let wrong = told.iter().filter(|(_, is_right)| !is_right);
    let wrong: String = wrong.map(|(told, _)| told.as_str()).collect();
    assert!(wrong.is_empty(), "{wrong}");
    let told: String = told.into_iter().map(|(told, _)| told).collect();
    insta::assert_snapshot!(told);
}

#[test]
fn a_healthy_adapter_has_none() {
    for mode in ["serve", "once"] {
        let output = examined(mode, "healthy", "");
        assert_eq!(output.status, Some(0), "{mode}: {}", output.all());
        assert!(output.out.contains("no findings"), "{}", output.out);
    }
    let exit_1 = examined("once", "exit-1", "statuses: {1: reject}\n");
    assert_eq!(exit_1.status, Some(0), "{}", exit_1.all());
    let omits = examined("serve", "undeclared-omission", "omits: [note.level]\n");
    assert_eq!(omits.status, Some(0), "{}", omits.all());
    // The greeting of the kits declares records, even if the reader file says that only verdicts
    // are compared.
    let verdicts = examined("serve", "no-records", "reports: verdict\n");
    assert_eq!(verdicts.status, Some(0), "{}", verdicts.all());
}

/// Returns the lines that the doctor prints for users to paste into the reader file.
fn block(out: &str) -> Option<&str> {
    let at = out.find("\nomits:")?;
    let block = &out[at + 1..];
    Some(block.split_once("\n\n").map_or(block, |(block, _)| block))
}

/// Checks that following the doctor's advice on `omits` does not increase the number of failures.
#[test]
fn advice_on_omits_makes_nothing_worse() {
    let program = env!("CARGO_BIN_EXE_careless_adapter");
    let level = "omits: [note.level]\n";
    let each = [
        ("undeclared-omission", "omits: [note.text]\n"),
        ("omits-empty", level),
        ("omits-some", level),
    ];
    let wrong: Vec<String> = each
        .par_iter()
        .filter_map(|(mistake, omits)| {
            let place = Place::new();
            let failures = |omits: &str| {
                let text = format!(
                    "name: careless\nmode: serve\nreports: records\nformats: [notes-v1]\n\
                     command: ['{program}', serve, {mistake}]\n{omits}\n"
                );
                fs::write(place.path().join("reader.yaml"), text).expect("written");
                let (_, outcomes) = place.run("reader.yaml");
                let failed = outcomes.iter().filter(|outcome| *outcome != "pass");
                failed.count()
            };
            let before = failures(omits);
            let advised = place.doctor("reader.yaml").out;
            let after = failures(block(&advised).unwrap_or(omits));
            let is_better = after == 0 || (*mistake == "omits-some" && after <= before);
            let told = || format!("{mistake} {omits}: {before}, then {after}\n{advised}");
            (!is_better).then(told)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn records_that_the_file_does_not_announce_are_noticed() {
    let output = examined("once", "healthy", "# reports\n");
    assert_eq!(
        findings(&output.out),
        ["undeclared-records"],
        "{}",
        output.all()
    );
}

/// Checks that the finding names the expected JSON shape.
#[test]
fn an_object_for_pairs_is_named_with_its_member() {
    let place = Place::new();
    place.reader_of_tags("{}");
    let output = place.tracegauge(&["reader", "doctor", "--spec", &tags(), "reader.yaml"]);
    assert_eq!(output.status, Some(1), "{}", output.all());
    // The reader in this test is a script that accepts everything.
    // The script reports a row even of traces without rows.
    let expected = ["accepts-everything", "surplus-records", "other-shape"];
    assert_eq!(findings(&output.out), expected, "{}", output.all());
    let saw = "saw     row.tags must be an array of [name, value] pairs, but is an object";
    assert!(output.out.contains(saw), "{}", output.out);
    assert!(
        output
            .out
            .contains("maps, and fields that the trace itself defines, are"),
        "{}",
        output.out
    );
    place.reader_of_tags("[{\"key\":1}]");
    let output = place.tracegauge(&["reader", "doctor", "--spec", &tags(), "reader.yaml"]);
    let saw = "saw     row.tags[] must be a pair [name, value], but is an object";
    assert!(output.out.contains(saw), "{}", output.out);
}

/// A description of rows that each consist of a time, a level and two marks.
const TIMES: &str = "
meta: { id: times-v1, family: times, title: Times, endian: le, encoding: UTF-8 }
document: Times
faults: { eof: CUT }
seq:
  - { id: magic, contents: TIME, rule: MAGIC }
  - { id: rows, type: row, repeat: eos, gen: { range: [1, 4] } }
types:
  row:
    obeys: [ROWS]
    seq:
      - { id: at, type: ticks }
      - { id: level, type: u1 }
      - { id: marks, type: u1, repeat: expr, repeat-expr: 2 }
  ticks:
    is: s8
    as: { time: 100ns, epoch: 0001-01-01 }
    valid: [{ min: 0, rule: TICKS }, { max: 3155378975999999999, rule: TICKS }]
records:
  row: { from: row, order: { file: true }, members: { at: at, level: level, marks: marks } }
rules:
  MAGIC: { level: must, section: All, says: A trace starts with TIME., reader: reject }
  CUT: { level: must, section: All, says: A trace has whole rows., reader: reject }
  ROWS: { level: states, section: All, says: Rows follow one another., reader: accept }
  TICKS: { level: states, section: All, says: A time is one., reader: either, continues: open }
";

/// Checks that a number in place of a text, or a text in place of a number, is reported for every
/// member.
#[test]
fn members_in_another_shape_are_named() {
    let place = Place::new();
    fs::write(place.path().join("times.yaml"), TIMES).expect("written");
    let told = |members: &str| {
        let script = format!("echo '{{\"record\":\"row\",{members}}}'\n");
        fs::write(place.path().join("adapter.sh"), script).expect("written");
        let reader =
            "mode: once\nreports: records\nformats: [times-v1]\ncommand: [sh, adapter.sh]\n";
        fs::write(place.path().join("reader.yaml"), reader).expect("written");
        place.tracegauge(&["reader", "doctor", "--spec", "times.yaml", "reader.yaml"])
    };
    let output = told("\"at\":5,\"level\":\"high\",\"marks\":\"1, 2\"");
    assert_eq!(
        findings(&output.out),
        [
            "surplus-records",
            "other-shape",
            "other-shape",
            "other-shape"
        ],
        "{}",
        output.all()
    );
    for saw in [
        "row.at must be a string with an ISO 8601 date and time, but is a number",
        "row.level must be a number, or a string with the digits of the number, but is a string",
        "row.marks must be an array, but is a string",
    ] {
        assert!(output.out.contains(saw), "{saw}: {}", output.out);
    }
    let output = told("\"at\":\"0001-01-01\",\"level\":\"7\",\"marks\":[1,2.0]");
    assert_eq!(
        findings(&output.out),
        ["surplus-records"],
        "{}",
        output.all()
    );
}

/// Checks that the doctor does not advise declaring records that are wrong.
#[test]
fn wrong_records_are_to_be_mended_before_they_are_announced() {
    let output = examined("once", "undeclared-omission", "# reports\n");
    assert!(
        output
            .out
            .contains("  change  add `reports: records` to the reader file\n")
    );
    assert!(
        output.out.contains("\nomits:\n  - note.level\n"),
        "{}",
        output.out
    );
    let output = examined("once", "unknown-member", "# reports\n");
    assert_eq!(
        findings(&output.out),
        ["undeclared-records"],
        "{}",
        output.all()
    );
    assert!(
        output.out.contains("  saw     the records are wrong in "),
        "{}",
        output.out
    );
    assert!(
        output.out.contains("  change  fix the records, then add "),
        "{}",
        output.out
    );
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let output = with_command("[./nowhere]", "serve", "");
    assert_eq!(
        findings(&output.out),
        ["does-not-start"],
        "{}",
        output.all()
    );
    assert_eq!(output.status, Some(1));
}

#[test]
fn formats_are_looked_up() {
    let place = Place::new();
    let reader = |formats: &str| {
        let text = format!("name: mine\ncommand: [sh]\nformats: [{formats}]\n");
        fs::write(place.path().join("reader.yaml"), text).expect("written");
        place.tracegauge(&["reader", "doctor", "reader.yaml"])
    };
    let output = reader("dial-9-v1");
    assert_eq!(
        findings(&output.out),
        ["unknown-format"],
        "{}",
        output.all()
    );
    assert!(
        output.out.contains("did you mean dial9-v1?"),
        "{}",
        output.out
    );
    assert_eq!(output.status, Some(1));
    // Without formats, the adapter is examined with all of them, as in a run.
    let cases = |output: &Output| {
        let count = output
            .out
            .split("mine: ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        count
            .and_then(|count| count.parse::<usize>().ok())
            .expect("a number of cases")
    };
    let (one, all) = (reader("dial9-v1"), reader(""));
    assert_eq!(all.status, Some(1), "{}", all.all());
    assert!(cases(&all) > 5 * cases(&one), "{}", all.all());
}
