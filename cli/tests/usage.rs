//! Tests that usage errors are reported immediately and precisely, with an exit status that scripts
//! can rely on.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

fn real(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/real");
    root.join(name).display().to_string()
}

/// Runs a command in a folder. Returns its exit status, standard output and standard error.
fn typed_in(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let output = Command::new(PROGRAM)
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (status, text(output.stdout), text(output.stderr))
}

fn typed(words: &[&str]) -> (i32, String, String) {
    typed_in(Path::new(env!("CARGO_MANIFEST_DIR")), words)
}

/// Checks that the command exits with `status` and prints all of `said` to standard error.
fn refuses(words: &[&str], status: i32, said: &[&str]) {
    let (found, _, errors) = typed(words);
    assert_eq!(found, status, "{words:?}: {errors}");
    for part in said {
        assert!(
            errors.contains(part),
            "{words:?} does not say {part:?}: {errors}"
        );
    }
}

#[test]
fn a_list_without_cases_says_why() {
    for words in [
        ["--filter", "zzzz"],
        ["--with", "zzzz"],
        ["--state", "draft"],
    ] {
        let words = [&["corpus", "list", "--format", "dial9-v1"][..], &words].concat();
        refuses(&words, 4, &["note: no case matches these filters"]);
    }
}

#[test]
fn names_that_nothing_has_are_told_without_making_cases() {
    let began = Instant::now();
    refuses(
        &["corpus", "show", "no-such-case"],
        2,
        &["no case", "no-such-case"],
    );
    refuses(
        &["explain", "NO-SUCH-RULE"],
        2,
        &["no case or rule", "NO-SUCH-RULE"],
    );
    let (status, listed, _) = typed(&["corpus", "list", "--filter", "no-such-case"]);
    assert_eq!((status, listed.as_str()), (4, ""));
    // Running all cases would take many times as long. The limit is generous and is not a
    // measurement.
    assert!(began.elapsed() < Duration::from_secs(60));
    let elsewhere = ["explain", "BLOCK-TRUNCATED", "--format", "fieldlog-v2"];
    refuses(&elsewhere, 2, &["nettrace-v6"]);
    refuses(
        &["corpus", "list", "--corpus", "no-such-folder"],
        2,
        &["no-such-folder: no such folder", "vectors"],
    );
}

#[test]
fn what_is_kept_in_files_is_shown_without_making_cases() {
    let began = Instant::now();
    let (status, listed, said) = typed(&["corpus", "list"]);
    assert_eq!(status, 0, "{said}");
    assert!(listed.lines().count() > 5000, "{listed}");
    for (words, part) in [
        (["explain", "TRUNCATED"], "cases      "),
        (["explain", "dial9-v1/vector/one-event"], "a reader"),
        (["explain", "events-of-three"], "events-of-three"),
    ] {
        let (status, shown, said) = typed(&words);
        assert_eq!(status, 0, "{words:?}: {said}");
        assert!(
            shown.contains(part) || shown.contains("expected"),
            "{shown}"
        );
    }
    // Generating all cases would take many times as long. The limit is generous and is not a
    // measurement.
    assert!(began.elapsed() < Duration::from_secs(120));
}

#[test]
fn a_trace_of_another_format_is_said_to_be_one() {
    let trace = real("dial9-v1/codec_every_field_type.trc");
    let score = |more: &[&str]| typed(&[&["corpus", "score"], more].concat());
    let (status, _, said) = score(&["--format", "nettrace-v6", &trace]);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("does not look like a trace of nettrace-v6"),
        "{said}"
    );
    assert!(said.contains("those of dial9-v1"), "{said}");
    let (_, _, said) = score(&["--format", "dial9-v1", &trace]);
    assert_eq!(said, "");
    for more in [["--search", "1"], ["--redundant", "--json"]] {
        let words = [&["corpus", "score"], &more[..], &[&trace]].concat();
        refuses(&words, 2, &["cannot be used with"]);
    }
    // The option was formerly called `--idle`, and scripts may still use that name.
    for option in ["--redundant", "--idle"] {
        refuses(&["corpus", "score", option], 2, &["--mutants"]);
    }
}

#[test]
fn a_file_without_bytes_or_without_end_is_told() {
    let folder = TempDir::new().unwrap();
    let empty = folder.path().join("empty.bin");
    fs::write(&empty, "").unwrap();
    let empty = empty.display().to_string();
    for command in ["inspect", "decode", "check"] {
        refuses(&[command, &empty], 2, &["the trace is empty"]);
    }
}

#[test]
fn an_unknown_version_is_told_from_an_unknown_format() {
    let folder = TempDir::new().unwrap();
    let trace = folder.path().join("trace.bin");
    let file = trace.display().to_string();
    let net = b"\x14\0\0\0!FastSerialization.1\x04\x04\x01\x04\0\0\0";
    for (bytes, versions) in [
        (&b"FieldLog\0\x03"[..], "fieldlog-v1, fieldlog-v2"),
        (&net[..], "netperf-v1, netperf-v2, netperf-v3"),
        (&net[..24], "netperf-v1, netperf-v2, netperf-v3"),
    ] {
        fs::write(&trace, bytes).unwrap();
        let family = versions.split('-').next().unwrap();
        let starts = format!("starts like a trace of {family}");
        refuses(&["check", &file], 2, &[&starts, versions, "--format"]);
    }
    fs::write(&trace, "something else").unwrap();
    refuses(&["check", &file], 2, &["matches no known format"]);
}

#[test]
fn a_magic_is_shown_as_it_is_written() {
    let folder = TempDir::new().unwrap();
    let trace = folder.path().join("trace.wtf");
    fs::write(&trace, [0xde, 0xad, 0xbe, 0xee, 0, 0, 0, 0]).unwrap();
    let trace = trace.display().to_string();
    let (status, shown, said) = typed(&["check", "--format", "wtf-v3", &trace]);
    assert_eq!(status, 1, "{said}");
    let magic = "0xdeadbeee, expected 0xdeadbeef";
    assert!(shown.contains(magic), "{shown}");
}

#[test]
fn a_campaign_that_is_not_there_cannot_go_on() {
    let folder = TempDir::new().unwrap();
    let words = [
        "fuzz", "--format", "dial9-v1", "--inputs", "1", "--resume", "--out", "new",
    ];
    let (_, _, said) = typed_in(folder.path(), &[&words[..], &["--", "true"]].concat());
    assert!(said.contains("no campaign in new"), "{said}");
}

#[test]
fn a_campaign_says_what_it_costs_to_start_a_process_for_each_input() {
    let folder = TempDir::new().unwrap();
    let serve = format!("{{command: ['{PROGRAM}', reader, serve], mode: serve}}");
    fs::write(folder.path().join("serve.yaml"), serve).unwrap();
    let fuzz = |out: &str, more: &[&str]| {
        let words = [
            "fuzz", "--format", "dial9-v1", "--inputs", "1", "--out", out,
        ];
        let (_, _, said) = typed_in(folder.path(), &[&words[..], more].concat());
        let notes = said.lines().filter(|line| line.contains("mode `once`"));
        notes.map(str::to_owned).collect::<Vec<String>>()
    };
    let notes = fuzz("once", &["--", "true"]);
    let [note] = &notes[..] else {
        panic!("{notes:?}");
    };
    let rate = note
        .strip_prefix("note: mode `once` starts a process for each input, which gives about ")
        .and_then(|rest| {
            rest.strip_suffix(
                " inputs per second here; mode `serve` is many times faster: see \
                 docs/fuzz-a-parser.md#inputs-per-second",
            )
        });
    assert!(rate.unwrap().parse::<u64>().unwrap() > 0, "{note}");
    assert_eq!(fuzz("quiet", &["--quiet", "--", "true"]), [""; 0]);
    assert_eq!(fuzz("serve", &["--reader", "serve.yaml"]), [""; 0]);
}

/// Checks that the command fails before it starts any work, and especially before it runs a reader.
#[test]
fn places_that_cannot_be_written_to_are_wrong_usage() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("file"), "kept").unwrap();
    fs::create_dir(place.path().join("folder")).unwrap();
    let trace = real("dial9-v1/codec_every_field_type.trc");
    let minimize = ["minimize", &trace, "--any", "--out", "OUT", "--", "false"];
    let fuzz = ["fuzz", "--format", "dial9-v1", "--inputs", "1"];
    let generate = [
        "generate", "--format", "dial9-v1", "--seed", "1", "--out", "OUT",
    ];
    let export = ["corpus", "export", "--format", "dial9-v1", "--out", "OUT"];
    let files: [&[&str]; 7] = [
        &["report", "html", "none.json", "--out", "OUT"],
        &["report", "badge", "none.json", "--out", "OUT"],
        &["baseline", "update", "OUT", "--result", "none.json"],
        &minimize,
        &["encode", "none.json", "--out", "OUT"],
        &["spec", "check", "none.yaml", "--sarif", "OUT"],
        &[&fuzz[..], &["--json", "OUT", "--", "true"]].concat(),
    ];
    let folders: [&[&str]; 5] = [
        &generate,
        &export,
        &["reader", "init", "--lang", "python", "OUT"],
        &["reference", "--out", "OUT"],
        &[&fuzz[..], &["--out", "OUT", "--", "true"]].concat(),
    ];
    let refused = |commands: &[&[&str]], out: &str| {
        for words in commands {
            let words: Vec<&str> = words
                .iter()
                .map(|it| if *it == "OUT" { out } else { it })
                .collect();
            let (status, shown, said) = typed_in(place.path(), &words);
            assert_eq!((status, shown.as_str()), (2, ""), "{words:?}: {said}");
            let named = said.starts_with(&format!("error: {out}: "));
            assert!(named && said.lines().count() == 1, "{words:?}: {said}");
        }
    };
    for out in ["folder", "file/in", "none/in"] {
        refused(&files, out);
    }
    for out in ["file", "file/in"] {
        refused(&folders, out);
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    assert_eq!(fs::read(place.path().join("file")).unwrap(), b"kept");
}

#[test]
fn queries_of_nothing_are_no_answers() {
    let trace = real("dial9-v1/codec_every_field_type.trc");
    let query = |expression: &str, said: &str| refuses(&["query", &trace, expression], 2, &[said]);
    query("frames[0].nope", "`nope`");
    query("frames.map(nope)", "`nope`");
    query("1 / 0", "division by zero");
    query("5 % 0", "division by zero");
    query("1 << -1", "negative");
    query("frames[", "error");
    let (_, _, said) = typed(&["query", &trace, "frames["]);
    assert!(said.ends_with('\n') && !said.ends_with("\n\n"), "{said:?}");
    let (status, found, _) = typed(&["query", &trace, "--", "-frames.size"]);
    assert_eq!(status, 0);
    assert!(found.starts_with('-'));
}

#[test]
fn what_a_rejected_trace_lacks_is_absent() {
    let place = TempDir::new().unwrap();
    let trace = place.path().join("no-magic.bin");
    fs::write(&trace, b"this is no trace").unwrap();
    let trace = trace.display().to_string();
    let asked = [
        "frames",
        "frames[0]",
        "frames[0].tag",
        "frames.map(_sizeof)",
    ];
    let words = ["query", "--format", "dial9-v1", &trace];
    let words = [
        &words,
        &asked[..],
        &["--", "-frames.size", "frames.size + 1"],
    ]
    .concat();
    let (status, found, said) = typed(&words);
    assert_eq!((status, &*found), (1, &*"null\n".repeat(6)), "{said}");
    assert!(said.contains("MAGIC"), "{said}");
}

#[test]
fn ranges_that_cannot_be_are_wrong_usage() {
    let out = TempDir::new().unwrap();
    let out = out.path().display().to_string();
    let generate = |more: &[&str]| {
        let words = ["generate", "--format", "dial9-v1", "--out", &out];
        typed(&[&words, more].concat()).0
    };
    assert_eq!(
        generate(&["--seed", "18446744073709551615", "--count", "2"]),
        2
    );
    assert_eq!(generate(&["--seed", "1", "--count", "0"]), 2);
    assert_eq!(
        generate(&["--seed", "1", "--bytes", "18446744073709551615"]),
        2
    );
    assert_eq!(
        generate(&["--seed", "18446744073709551614", "--count", "1"]),
        0
    );
    let trace = real("dial9-v1/codec_every_field_type.trc");
    refuses(&["inspect", &trace, "--at", "99999999"], 2, &["99999999"]);
    refuses(&["spec", "check", "."], 2, &["."]);
    refuses(&["spec", "check", "no-such.yaml"], 2, &["no-such.yaml"]);
}

#[test]
fn a_description_is_said_to_be_valid_or_where_it_is_no_text() {
    let folder = TempDir::new().unwrap();
    let check = |text: &[u8], more: &[&str]| {
        fs::write(folder.path().join("a.yaml"), text).unwrap();
        let words = [&["spec", "check", "a.yaml"], more].concat();
        typed_in(folder.path(), &words)
    };
    let right = "meta: { id: a }\nseq: [ { id: x, type: t } ]\n\
        types: { t: { seq: [ { id: y, type: u1 } ] } }\n";
    let (status, shown, said) = check(right.as_bytes(), &[]);
    let valid = "a.yaml: valid: 2 types, 0 rules, 0 warnings\na.yaml: decode: yes\n";
    assert!(shown.starts_with(valid), "{shown}");
    assert_eq!((status, said.as_str()), (0, ""));
    let (status, shown, _) = check(right.as_bytes(), &["--quiet"]);
    assert_eq!((status, shown.as_str()), (0, ""));
    let (status, shown, _) = check(right.replace("u1", "u2").as_bytes(), &[]);
    assert_eq!(status, 1);
    assert!(shown.contains(" --> a.yaml:3:"), "{shown}");
    assert!(
        shown.ends_with("a.yaml: 1 mistake, 0 warnings\n"),
        "{shown}"
    );
    let (status, shown, said) = check(b"meta: { id: caf\xe9 }\n", &[]);
    assert_eq!((status, shown.as_str()), (2, ""));
    assert_eq!(said, "error: a.yaml: invalid UTF-8 at byte 15\n");
}

#[test]
fn quiet_prints_only_what_fails() {
    let trace = real("dial9-v1/codec_every_field_type.trc");
    let (status, records, said) = typed(&["decode", "--quiet", &trace]);
    assert_eq!((status, records.as_str(), said.as_str()), (0, "", ""));
}

#[test]
fn trees_that_are_none_are_told_so() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let encode = |text: &str, more: &[&str]| {
        fs::write(path.join("tree.json"), text).unwrap();
        let words = ["encode", "tree.json", "--out", "trace.bin"];
        typed_in(path, &[&words, more].concat())
    };
    for text in ["[]", "null", "{}", "{\"format\": \"dial9-v1\"}", "[1, 2]"] {
        let (status, _, said) = encode(text, &["--format", "dial9-v1"]);
        assert_eq!(status, 2, "{text}: {said}");
        assert!(said.contains("inspect --json"), "{text}: {said}");
    }
    let trace = real("dial9-v1/codec_every_field_type.trc");
    let (_, tree, _) = typed(&["inspect", "--json", &trace]);
    let (status, _, said) = encode(&tree, &["--format", "nettrace-v6"]);
    assert_eq!(status, 2);
    assert!(
        said.contains("dial9-v1") && said.contains("nettrace-v6"),
        "{said}"
    );
    let (status, _, said) = encode(&tree.replacen("\"value\":1", "\"value\":-1", 1), &[]);
    assert_eq!(status, 2);
    assert!(
        said.contains("tree >") && said.contains("is out of range"),
        "{said}"
    );
}

#[test]
fn cases_of_ones_own_run_beside_the_built_in_ones() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("bad.trc"), b"TRC\0\x01\xee").unwrap();
    let add = [
        "corpus", "add", "bad.trc", "--expect", "reject", "--name", "odd",
    ];
    let (status, _, said) = typed_in(path, &add);
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("no subfolder `corpus`"), "{said}");
    fs::create_dir(path.join("corpus")).unwrap();
    let (status, kept, said) = typed_in(path, &add);
    assert_eq!(status, 0, "{said}");
    assert!(kept.contains("dial9-v1/regression/odd: reject"), "{kept}");
    let (_, listed, said) = typed_in(path, &["corpus", "list", "--format", "dial9-v1"]);
    for id in ["dial9-v1/regression/odd", "dial9-v1/vector/"] {
        assert!(listed.contains(id), "{id}: {listed}{said}");
    }
    fs::rename(path.join("corpus"), path.join("mine")).unwrap();
    let named = ["corpus", "list", "--corpus", "mine", "--format", "dial9-v1"];
    assert_eq!(typed_in(path, &named).1, listed);
}

#[test]
fn a_trace_becomes_a_regression_case_with_its_twin() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("corpus")).unwrap();
    // The tag of the last frame belongs to no known kind.
    let mut bytes = fs::read(real("dial9-v1/codec_every_field_type.trc")).unwrap();
    bytes.push(0xee);
    fs::write(path.join("bad.trc"), &bytes).unwrap();
    let add = |more: &[&str]| {
        typed_in(
            path,
            &[&["corpus", "add", "bad.trc", "--format", "dial9-v1"], more].concat(),
        )
    };
    let (status, _, said) = add(&["--expect", "accept"]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("FRAME") || said.contains("TAG"), "{said}");
    let (status, _, said) = add(&["--expect", "reject:MAGIC"]);
    assert_eq!(status, 1, "{said}");
    fs::write(path.join("good.trc"), &bytes[..bytes.len() - 1]).unwrap();
    let good = ["corpus", "add", "good.trc", "--expect", "reject"];
    let (status, _, said) = typed_in(path, &good);
    assert_eq!(status, 1, "{said}");
    assert!(
        said.ends_with("a reader of dial9-v1 must accept it\n"),
        "{said}"
    );
    let (status, listed, said) = typed_in(path, &["departures", "bad.trc"]);
    assert_eq!(status, 0, "{said}");
    assert!(listed.starts_with("dial9-v1: 1 trace\n"), "{listed}");
    assert!(said.contains("bad.trc: rejected, so only"), "{said}");
    let named = ["--expect", "reject", "--name", "last-frame", "--minimize"];
    let (status, kept, said) = add(&named);
    assert_eq!(status, 0, "{said}");
    assert!(
        kept.contains("dial9-v1/regression/last-frame: reject"),
        "{kept}"
    );
    assert!(
        kept.contains("dial9-v1/regression/last-frame-twin: accept"),
        "{kept}"
    );
    assert_eq!(add(&named).0, 0, "the same trace is there already");
    let (status, shown, said) =
        typed_in(path, &["corpus", "show", "dial9-v1/regression/last-frame"]);
    assert_eq!(status, 0, "{shown}{said}");
    let (_, listed, _) = typed_in(
        path,
        &[
            "corpus",
            "list",
            "--format",
            "dial9-v1",
            "--filter",
            "regression",
        ],
    );
    assert_eq!(listed.lines().count(), 2, "{listed}");
}

#[test]
fn notes_tell_what_changed() {
    let folder = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/manifest");
    let manifest = fs::read_to_string(root.join("dial9-v1.yaml")).unwrap();
    let (head, entries) = manifest.split_once("cases:\n").unwrap();
    let lines: Vec<&str> = entries.lines().collect();
    let reject = lines
        .iter()
        .find(|line| line.contains("expect: reject"))
        .unwrap();
    let changed = reject.replace("expect: reject", "expect: either");
    let older: Vec<&str> = lines[1..].to_vec();
    let newer = entries.replace(reject, &changed);
    let write = |name: &str, entries: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("{head}cases:\n{entries}\n")).unwrap();
        path.display().to_string()
    };
    let (old, new) = (
        write("old.yaml", &older.join("\n")),
        write("new.yaml", &newer),
    );
    let (status, note, said) = typed(&["corpus", "notes", &old, &new]);
    assert_eq!(status, 0, "{said}");
    assert!(note.contains("## dial9-v1"), "{note}");
    assert!(note.contains("Changed expectations (1)"), "{note}");
    assert!(note.contains("New cases, by rule (1)"), "{note}");
    let (_, note, _) = typed(&["corpus", "notes", &new, &new]);
    assert!(note.contains("Unchanged: dial9-v1"), "{note}");
    assert_eq!(typed(&["corpus", "notes", &old, "no-such"]).0, 2);
}

#[test]
fn a_rule_may_be_typed_in_lower_case() {
    let (status, explained, errors) = typed(&["explain", "magic", "--format", "dial9-v1"]);
    assert_eq!(status, 0, "{errors}");
    assert!(explained.contains("MAGIC"), "{explained}");
}

#[test]
fn a_rule_that_is_a_recommendation_is_explained_as_one() {
    let explained = |rule| typed(&["explain", rule, "--format", "dial9-v1"]).1;
    let found = explained("POOL-UNDEFINED");
    assert!(found.contains("should; a reader should accept"), "{found}");
    assert!(found.contains("only warns"), "{found}");
    let found = explained("MAGIC");
    assert!(found.contains("a reader must reject"), "{found}");
}

#[test]
fn a_retired_case_is_said_to_be_retired() {
    let (_, retired, _) = typed(&["corpus", "list", "--state", "retired", "--format", "dial9"]);
    let (_, all, _) = typed(&["corpus", "list", "--state", "retired"]);
    let case = retired.lines().chain(all.lines()).next().unwrap();
    let id = case.split_whitespace().next().unwrap();
    let format = id.split('/').next().unwrap();
    let said = [id, "is retired, and its trace is no longer generated: "];
    refuses(&["explain", id, "--format", format], 2, &said);
    refuses(&["corpus", "show", id, "--format", format], 2, &said);
}
