//! Tests that the limits of readers apply from their first instruction, and that errors in starting
//! a reader are the same with and without limits.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use common::{assert_all, corpus, run, valid};
use tempfile::TempDir;
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_results::{Outcome, ReaderState};

use crate::common;

/// The source of a reader that fails unless all limits are already set when it starts. For example,
/// its scratch folder must not have room for a file of 2 MiB. If the folder is a file system of
/// this size, the size of other files is not limited, because sparse files in memory may be large.
/// The reader accepts or rejects a trace depending on whether it contains the byte FF.
const EARLY: &str = r#"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static int wrong;

__attribute__((constructor)) static void look(void) {
    struct { int of; rlim_t most; } limits[] = {
        {RLIMIT_CORE, 0}, {RLIMIT_NOFILE, 1024},
    };
    for (int i = 0; i < 2; i++) {
        struct rlimit now;
        getrlimit(limits[i].of, &now);
        wrong |= now.rlim_cur > limits[i].most || now.rlim_max > limits[i].most;
    }
    signal(SIGXFSZ, SIG_IGN);
    static char piece[1 << 16];
    char name[4096];
    snprintf(name, sizeof name, "%s/big", getenv("TMPDIR"));
    int file = open(name, O_CREAT | O_WRONLY, 0600), pieces = 0;
    wrong |= file < 0;
    errno = 0;
    while (pieces < 32 && write(file, piece, sizeof piece) == sizeof piece) pieces++;
    struct rlimit size;
    getrlimit(RLIMIT_FSIZE, &size);
    wrong |= pieces == 32 || (errno == ENOSPC && size.rlim_cur != RLIM_INFINITY);
    close(file);
    unlink(name);
}

int main(int count, char **words) {
    if (wrong) abort();
    FILE *file = fopen(words[count - 1], "rb");
    for (int byte; (byte = getc(file)) != EOF;)
        if (byte == 0xff) return 65;
    return 0;
}
"#;

fn folder(name: &str, content: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn file(folder: &TempDir, more: &str) -> ReaderFile {
    let text = format!("name: mine\nreports: verdict\ntimeout: 20s\nmemory: 4GiB\n{more}\n");
    ReaderFile::parse(&text, "reader.yaml".as_ref(), folder.path()).unwrap()
}

/// Builds the reader [`EARLY`] with `flags`, or returns `None` if it cannot be built.
fn early(flags: &[&str]) -> Option<(TempDir, ReaderFile)> {
    let folder = folder("early.c", EARLY);
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-o", "early", "early.c"]).args(flags);
    let built = gcc.current_dir(folder.path()).output();
    if !built.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no gcc with {flags:?} here");
        return None;
    }
    let file = file(&folder, "command: [./early]");
    Some((folder, file))
}

#[test]
fn limits_are_set_before_the_first_instruction() {
    if let Some((_folder, reader)) = early(&["-static"]).or_else(|| early(&[])) {
        assert_all(&run(reader, &corpus(100)), Outcome::Pass);
    }
}

/// Checks a sanitizer, whose runtime sets limits at startup and ends the process if they change in
/// the meantime.
#[test]
fn a_sanitizer_starts_with_its_limits() {
    if let Some((_folder, reader)) = early(&["-fsanitize=address"]) {
        assert_all(&run(reader, &corpus(50)), Outcome::Pass);
    }
}

/// Checks for hard limits. Soft limits would not suffice, because the reader could raise them to
/// get a core file.
#[test]
fn a_script_finds_its_limits_set() {
    let script =
        "#!/bin/sh\n[ \"$(ulimit -Hc) $(ulimit -Hn)\" = '0 1024' ] && exit 0\nkill -9 $$\n";
    let folder = folder("script", script);
    let reader = file(&folder, "command: [./script]");
    assert_all(&run(reader, &[valid("one", &[1])]), Outcome::Pass);
}

#[test]
fn a_reader_that_cannot_be_executed_says_why() {
    let folder = folder("script", "#!/no/such/interpreter\n");
    fs::create_dir(folder.path().join("folder")).unwrap();
    fs::write(folder.path().join("text"), "").unwrap();
    let commands = [
        (
            "./script",
            "cannot start the reader: No such file or directory (os error 2)",
        ),
        ("./missing", "program `./missing` not found"),
        ("./folder", "program `./folder` is a folder"),
        ("./text", "program `./text` is not executable"),
    ];
    for mode in ["once", "serve"] {
        for (program, why) in commands {
            let reader = file(&folder, &format!("mode: {mode}\ncommand: [{program}]"));
            let result = run(reader, &corpus(1));
            let ReaderState::Failed(said) = &result.state else {
                panic!("{program}: {:?}", result.state);
            };
            assert!(said.contains(why), "{program}: {said}");
        }
    }
}

#[test]
fn a_build_has_the_limits_of_whoever_starts_it() {
    let folder = folder("script", "#!/bin/sh\nexit 0\n");
    let limits = "ulimit -Sc; ulimit -Hc; ulimit -Sn; ulimit -Hn; ulimit -Hf";
    let build = format!("build: ({limits}) > limits");
    let reader = file(&folder, &format!("command: [./script]\n{build}"));
    assert_all(&run(reader, &[valid("one", &[1])]), Outcome::Pass);
    let own = Command::new("sh").args(["-c", limits]).output().unwrap();
    let found = fs::read_to_string(folder.path().join("limits")).unwrap();
    assert_eq!(found, String::from_utf8(own.stdout).unwrap());
}
