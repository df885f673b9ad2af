//! Tests that crashes of real programs are recognized, regardless of the programs' exit statuses
//! and answers. Languages whose tools are not installed are skipped with a message.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{assert_all, assert_only_marked, corpus, run, valid};
use tempfile::TempDir;
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_results::{Crash, Outcome, ReaderResult, ReaderState, Severity};

use crate::common;

/// Creates a folder with one source file.
fn folder(name: &str, source: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), source).unwrap();
    folder
}

fn file(folder: &TempDir, text: &str) -> ReaderFile {
    let text = format!("name: crashes\ntimeout: 20s\nmemory: 4GiB\n{text}");
    ReaderFile::parse(&text, "reader.yaml".as_ref(), folder.path()).unwrap()
}

/// Returns whether the reader ran, and prints the reason otherwise.
fn ran(result: &ReaderResult) -> bool {
    match &result.state {
        ReaderState::Skipped(why) => {
            eprintln!("skipped: {why}");
            false
        }
        ReaderState::Ran => true,
        ReaderState::Failed(why) => panic!("{why}"),
    }
}

/// Returns the crash reported for the marked valid trace.
fn reported(result: &ReaderResult) -> Crash {
    let detail = result.cases[4].detail.as_ref().unwrap();
    let crash = detail.crash.clone();
    crash.unwrap_or_else(|| panic!("{detail:?}"))
}

/// Builds the C reader with a sanitizer and returns its reader file, or `None` if it cannot be
/// built.
fn c_reader(flags: &str, kind: &str, mode: &str) -> Option<(TempDir, ReaderFile)> {
    let folder = folder("reader.c", include_str!("crashes/reader.c"));
    let built = Command::new("gcc")
        .args(["-g", "-O1", "-pthread", "-o", "reader", "reader.c"])
        .args(flags.split_whitespace())
        .current_dir(folder.path())
        .output();
    if !built.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no gcc with `{flags}` here");
        return None;
    }
    let file = file(
        &folder,
        &format!("mode: {mode}\ncommand: [./reader, {kind}]\n"),
    );
    Some((folder, file))
}

#[test]
fn what_address_sanitizer_reports_is_a_crash_though_it_exits_with_1() {
    for (kind, expected, severity) in [
        (
            "read",
            "heap-buffer-overflow (read)",
            Severity::NotExploitable,
        ),
        (
            "write",
            "heap-buffer-overflow (write)",
            Severity::Exploitable,
        ),
        (
            "null",
            "SEGV (write, near null)",
            Severity::ProbablyExploitable,
        ),
        ("free", "bad-free", Severity::NotExploitable),
        ("leak", "memory-leaks", Severity::NotExploitable),
    ] {
        let Some((_folder, file)) = c_reader("-fsanitize=address", kind, "once") else {
            return;
        };
        let result = run(file, &corpus(4));
        assert_only_marked(&result, Outcome::Crash);
        let crash = reported(&result);
        assert_eq!(
            (crash.class().as_str(), crash.severity),
            (expected, severity)
        );
        let own = ["past_end", "put", "bug"];
        assert!(own.contains(&crash.frames[0].as_str()), "{crash:?}");
    }
}

#[test]
fn undefined_behavior_is_a_crash_though_the_program_goes_on_and_answers() {
    for mode in ["once", "serve"] {
        let Some((_folder, file)) = c_reader("-fsanitize=undefined", "undefined", mode) else {
            return;
        };
        let result = run(file, &corpus(4));
        assert_only_marked(&result, Outcome::Crash);
        let crash = reported(&result);
        assert_eq!(crash.kind, "signed integer overflow");
        assert!(crash.frames[0].starts_with("reader.c:"), "{crash:?}");
    }
}

#[test]
fn a_data_race_is_a_crash() {
    let Some((folder, file)) = c_reader("-fsanitize=thread", "race", "once") else {
        return;
    };
    // On kernels with more bits of address randomization than the runtime supports, it kills the
    // process at startup.
    let works = Command::new("./reader")
        .args(["none", "reader.c"])
        .current_dir(folder.path())
        .status();
    if works.unwrap().code() != Some(65) {
        eprintln!("skipped: ThreadSanitizer does not work here");
        return;
    }
    let result = run(file, &corpus(4));
    assert_only_marked(&result, Outcome::Crash);
    let crash = reported(&result);
    assert_eq!(
        (crash.kind.as_str(), crash.frames[0].as_str()),
        ("data race", "count")
    );
}

#[test]
fn assertions_and_aborts_are_crashes() {
    for (kind, says) in [("assert", "C: assertion failed"), ("abort", "SIGABRT")] {
        let Some((_folder, file)) = c_reader("", kind, "once") else {
            return;
        };
        let result = run(file, &corpus(4));
        assert_only_marked(&result, Outcome::Crash);
        let actual = &result.cases[4].detail.as_ref().unwrap().actual;
        assert!(actual.contains(says), "{actual}");
    }
    // The crash is recognized even if a wrapper hides the exit status.
    let Some((_folder, mut file)) = c_reader("", "assert", "once") else {
        return;
    };
    let script = "\"$0\" \"$@\" || exit 65".to_owned();
    let program = file.folder.join("reader").to_string_lossy().into_owned();
    file.command = vec!["sh".into(), "-c".into(), script, program, "assert".into()];
    let result = run(file, &corpus(4));
    assert_only_marked(&result, Outcome::Crash);
}

/// Checks that a leak, which is reported when the process exits after many answers, is attributed
/// to the case that leaks.
#[test]
fn a_leak_is_charged_to_the_case_that_leaks_in_mode_serve() {
    let Some((_folder, file)) = c_reader("-fsanitize=address", "leak", "serve") else {
        return;
    };
    let result = run(file, &corpus(4));
    assert_only_marked(&result, Outcome::Crash);
    assert_eq!(reported(&result).kind, "memory-leaks");
    assert_eq!(result.tail.crashes, [""; 0]);
}

/// Checks that a crash at exit that does not depend on the cases belongs to no case and fails the
/// run.
#[test]
fn a_crash_that_no_case_shows_belongs_to_the_run() {
    let source = "\
import json, os, sys
cases = 0
for line in sys.stdin:
    request = json.loads(line)
    if 'hello' in request:
        print(json.dumps({'tracegauge': 1, 'name': 'a', 'reports': 'verdict'}), flush=True)
        continue
    cases += 1
    bad = 0xff in open(request['file'], 'rb').read()
    print(json.dumps({'end': 'reject' if bad else 'accept'}), flush=True)
if LIMIT < cases:
    os.abort()
";
    for (limit, says) in [
        ("0", "each case alone causes the crash"),
        ("3", "no case alone causes the crash"),
    ] {
        let folder = folder("reader.py", &source.replace("LIMIT", limit));
        let text = "mode: serve\ncommand: [python3, reader.py]\nrequires: [python3]\n";
        let result = common::run_with(file(&folder, text), &corpus(4), 1);
        if !ran(&result) {
            return;
        }
        assert_all(&result, Outcome::Pass);
        let crashes = &result.tail.crashes;
        assert!(
            crashes.len() == 1 && crashes[0].contains(says),
            "{crashes:?}"
        );
    }
}

/// Tests a program that throws an exception at the mark, and checks the reported crash.
fn throws(name: &str, source: &str, text: &str, kind: &str, frame: &str) {
    let folder = folder(name, source);
    let result = run(file(&folder, text), &corpus(4));
    if !ran(&result) {
        return;
    }
    assert_only_marked(&result, Outcome::Crash);
    let crash = reported(&result);
    assert!(
        crash.kind.starts_with(kind) && crash.frames[0].contains(frame),
        "{crash:?}"
    );
    // If the exit status has a declared meaning, the same exception is a rejection.
    let statuses = format!("{text}statuses: {{1: reject, 2: reject, 101: reject}}\n");
    let result = run(file(&folder, &statuses), &corpus(4));
    assert_eq!(result.cases[4].outcome, Outcome::WrongReject);
    assert_eq!(result.cases[5].outcome, Outcome::Pass);
}

#[test]
fn python_tracebacks() {
    let source = "\
import sys
def parse(data):
    if 0xee in data:
        raise ValueError('Traceback (most recent call last):')
    return 0xff in data
sys.exit(65 if parse(open(sys.argv[1], 'rb').read()) else 0)
";
    let text = "command: [python3, reader.py]\nrequires: [python3]\n";
    throws("reader.py", source, text, "ValueError", "reader.py:parse");
}

#[test]
fn node_tracebacks() {
    let source = "\
const fs = require('fs');
function parse(data) {
  if (data.includes(0xee)) throw new RangeError('bad\\nNode.js v1.2.3');
  return data.includes(0xff);
}
process.exit(parse(fs.readFileSync(process.argv[2])) ? 65 : 0);
";
    let text = "command: [node, reader.js]\nrequires: [node]\n";
    throws("reader.js", source, text, "RangeError", "parse");
}

#[test]
fn java_tracebacks() {
    let source = "\
import java.nio.file.*;
class Reader {
    static boolean parse(byte[] data) {
        boolean bad = false;
        for (byte b : data) {
            if (b == (byte) 0xee) throw new IllegalStateException(\"bad\");
            bad |= b == (byte) 0xff;
        }
        return bad;
    }
    public static void main(String[] a) throws Exception {
        System.exit(parse(Files.readAllBytes(Paths.get(a[0]))) ? 65 : 0);
    }
}
";
    let text = "build: javac Reader.java\nrequires: [javac, java]\n\
                command: [java, -Xshare:auto, -XX:TieredStopAtLevel=1, -cp, '{dir}', Reader]\n";
    throws(
        "Reader.java",
        source,
        text,
        "java.lang.IllegalStateException",
        "Reader.parse",
    );
}

#[test]
fn go_tracebacks() {
    let source = "\
package main

import (
\t\"bytes\"
\t\"os\"
)

func parse(data []byte) bool {
\tif bytes.IndexByte(data, 0xee) >= 0 {
\t\treturn data[len(data)] == 0
\t}
\treturn bytes.IndexByte(data, 0xff) >= 0
}

func main() {
\tdata, _ := os.ReadFile(os.Args[1])
\tif parse(data) {
\t\tos.Exit(65)
\t}
}
";
    let text = "build: go build -o reader reader.go\nrequires: [go]\ncommand: [./reader]\n";
    throws(
        "reader.go",
        source,
        text,
        "runtime error: index out of range",
        "main.",
    );
}

#[test]
fn rust_panics() {
    let source = "\
fn parse(data: &[u8]) -> bool {
    if data.contains(&0xee) {
        return data[data.len()] == 0;
    }
    data.contains(&0xff)
}
fn main() {
    let file = std::env::args().nth(1).unwrap();
    if parse(&std::fs::read(file).unwrap()) {
        std::process::exit(65)
    }
}
";
    let text = "build: rustc reader.rs\nrequires: [rustc]\ncommand: [./reader]\n";
    throws(
        "reader.rs",
        source,
        text,
        "index out of bounds",
        "reader.rs:3:",
    );
}

#[test]
fn what_nothing_catches_in_c_plus_plus() {
    let source = "\
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>
int main(int, char **argv)
{
    std::ifstream file(argv[1], std::ios::binary);
    std::vector<char> data{std::istreambuf_iterator<char>(file), {}};
    bool bad = false;
    for (char c : data) {
        if (c == (char)0xee) throw std::runtime_error(\"bad\");
        bad |= c == (char)0xff;
    }
    return bad ? 65 : 0;
}
";
    let folder = folder("reader.cc", source);
    let text = "build: g++ -o reader reader.cc\nrequires: [g++]\ncommand: [./reader]\n";
    let result = run(file(&folder, text), &corpus(4));
    if ran(&result) {
        assert_only_marked(&result, Outcome::Crash);
        assert_eq!(reported(&result).kind, "uncaught std::runtime_error");
    }
}

/// Checks that a reader may print raw strings from a trace on both of its output streams.
#[test]
fn strings_of_a_trace_that_look_like_a_crash_are_none() {
    let lines =
        b"\n==1==ERROR: AddressSanitizer\npanicked at\nTraceback (most recent call last):\n";
    let cases = [valid("echoed", lines), valid("other", b"x")];
    let script = r#"cat "$1" >&2; cat "$1"; exit "$0""#;
    for status in ["0", "1"] {
        let text = format!("name: a\ncommand: [sh, -c, '{script}', '{status}', '{{file}}']\n");
        let result = run(common::parse(&text), &cases);
        let expected = if status == "0" {
            Outcome::Pass
        } else {
            Outcome::WrongReject
        };
        assert_all(&result, expected);
    }
    let text = format!(
        "name: a\nreports: records\ncommand: ['{}', once, perfect]\n",
        common::FAKE
    );
    assert_all(&run(common::parse(&text), &cases), Outcome::Pass);
}

#[test]
fn a_reader_file_may_add_patterns() {
    let script = "echo \"FATAL: block 17\" >&2; exit 65";
    let text = format!("name: a\ncommand: [sh, -c, '{script}']\n");
    let cases = [valid("one", b"x")];
    assert_all(&run(common::parse(&text), &cases), Outcome::WrongReject);
    let text = format!("{text}crashes: ['FATAL: ']\n");
    let result = run(common::parse(&text), &cases);
    assert_all(&result, Outcome::Crash);
    let detail = result.cases[0].detail.as_ref().unwrap();
    assert_eq!(
        detail.actual,
        "reader: FATAL: block #; it exited with status 65"
    );
    let wrong = ReaderFile::parse(
        "command: [a]\ncrashes: ['*']\n",
        Path::new("r.yaml"),
        Path::new("/"),
    );
    let error = wrong.unwrap_err().to_string();
    assert!(error.contains("r.yaml:2:11: `crashes`"), "{error}");
}

/// A reader in `serve` mode, with placeholders for its actions before and after its answers.
const SERVES: &str = "\
import json, os, signal, sys
def say(line):
    print(json.dumps(line), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if 'hello' in request:
        say({'tracegauge': 1, 'name': 'a', 'reports': 'verdict'})
        continue
    data = open(request['file'], 'rb').read()
    MARKED = 0xee in data
    BEFORE
    say({'end': 'reject' if 0xff in data else 'accept'})
    if MARKED:
        AFTER
";

/// Runs a reader in `serve` mode that performs these actions before every answer and after the
/// answer to a marked trace. Returns `None` if Python is not installed.
fn serves(before: &str, after: &str) -> Option<ReaderResult> {
    let source = SERVES.replace("BEFORE", before).replace("AFTER", after);
    let folder = folder("reader.py", &source);
    let text = "mode: serve\ncommand: [python3, reader.py]\nrequires: [python3]\n";
    let result = common::run_with(file(&folder, text), &corpus(4), 1);
    ran(&result).then_some(result)
}

/// The last messages of programs that abort, each of which is a single line.
const LAST_WORDS: [&str; 4] = [
    "double free or corruption (out)",
    "*** stack smashing detected ***: terminated",
    "terminate called without an active exception",
    "a: a.c:15: main: Assertion `c==77' failed.",
];

#[test]
fn last_words_of_a_process_that_lives_on_are_no_crash() {
    let all = LAST_WORDS.join("\\n");
    let echo = format!("sys.stderr.write(\"{all}\\n\")");
    if let Some(result) = serves(&echo, "pass") {
        assert_all(&result, Outcome::Pass);
        assert_eq!(result.tail.crashes, [""; 0]);
    }
    // The same words count as a crash if the process dies. It writes them before its answer,
    // because words written after the answer may arrive after the next request on a busy machine.
    let words = format!("if MARKED: sys.stderr.write(\"{}\\n\")", LAST_WORDS[0]);
    if let Some(result) = serves(&words, "os.abort()") {
        assert_only_marked(&result, Outcome::Crash);
        assert_eq!(reported(&result).kind, "heap corruption");
    }
}

#[test]
fn a_fatal_error_that_java_reports_on_standard_output_is_a_crash() {
    let lines = [
        "#",
        "# A fatal error has been detected by the Java Runtime Environment:",
        "#",
        "#  SIGSEGV (0xb) at pc=0x00007f5b0c0d6a3c, pid=12345, tid=12346",
        "#",
        "# Problematic frame:",
        "# C  [libtoy.so+0x1a3c]  parse+0x1c",
        "#",
    ];
    let lines = lines.join("\\n");
    let dies = format!("if MARKED: print(\"{lines}\", flush=True); os.abort()");
    let Some(result) = serves(&dies, "pass") else {
        return;
    };
    assert_only_marked(&result, Outcome::Crash);
    let crash = reported(&result);
    assert_eq!(
        (crash.kind.as_str(), crash.frames.as_slice()),
        ("SIGSEGV", &["parse".to_owned()][..])
    );
    let actual = &result.cases[4].detail.as_ref().unwrap().actual;
    assert!(actual.ends_with("terminated with SIGABRT"), "{actual}");
    // Other text before a crash does not hide the signal either.
    let dies = "if MARKED: print('oops', flush=True); os.kill(os.getpid(), signal.SIGSEGV)";
    if let Some(result) = serves(dies, "pass") {
        assert_only_marked(&result, Outcome::Crash);
    }
}

#[test]
fn a_panic_after_the_answer_belongs_to_its_case() {
    // The reader writes its report before the answer, because a report written after the answer may
    // arrive after the next request on a busy machine.
    let report = "panic: bad\\n\\ngoroutine 1 [running]:\\nmain.parse(...)\\n\\t/a.go:5 +0x1d\\n";
    let panics = format!("if MARKED: sys.stderr.write(\"{report}\")");
    let Some(result) = serves(&panics, "sys.exit(2)") else {
        return;
    };
    assert_only_marked(&result, Outcome::Crash);
    let crash = reported(&result);
    assert_eq!(
        (crash.runtime.as_str(), crash.frames.as_slice()),
        ("Go", &["main.parse".to_owned()][..])
    );
}

#[test]
fn a_process_that_accepts_and_then_fails_has_crashed() {
    let accepts = "echo \"{\\\"end\\\":\\\"accept\\\"}\"; exit 1";
    let text = format!("name: a\ncommand: [sh, -c, '{accepts}']\n");
    let result = run(common::parse(&text), &corpus(1));
    assert_all(&result, Outcome::Crash);
    let text = format!("{text}statuses: {{1: reject}}\n");
    let result = run(common::parse(&text), &corpus(1));
    assert_eq!(
        common::outcomes(&result),
        [Outcome::WrongReject, Outcome::Pass]
    );
}

#[test]
fn the_reason_of_a_rejection_is_the_message_above_a_stack_trace() {
    for (stderr, why) in [
        (
            "Error: bad magic\n    at parse (/a.js:1:2)\n    at Module._compile (node:internal:1:2)",
            "Error: bad magic",
        ),
        (
            "/a.js:3\n    throw x\n    ^\n\nError: bad magic\n    at parse (/a.js:1:2)\n\nNode.js v20.1.0",
            "Error: bad magic",
        ),
        (
            "Error: bad magic\n    at parse (/a.js:1:2) {\n  code: 7\n}",
            "Error: bad magic",
        ),
        (
            "panic: bad magic\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:5 +0x1d\nexit status 2",
            "panic: bad magic",
        ),
        (
            "Exception in thread \"main\" java.io.IOException: bad magic\n\tat Main.main(Main.java:5)\n\t... 3 more",
            "Exception in thread \"main\" java.io.IOException: bad magic",
        ),
        (
            "thread 'main' panicked at src/main.rs:1:2:\nbad magic\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
            "bad magic",
        ),
        (
            "Error: tried\n    at parse (/a.js:1:2)\nbad magic",
            "bad magic",
        ),
    ] {
        let folder = folder("stderr", stderr);
        let command = "command: [sh, -c, 'cat \"$0\" >&2; exit 65', '{dir}/stderr']\n";
        let result = run(file(&folder, command), &corpus(1));
        let actual = &result.cases[0].detail.as_ref().unwrap().actual;
        assert!(actual.ends_with(&format!("reject: {why}")), "{actual}");
    }
}
