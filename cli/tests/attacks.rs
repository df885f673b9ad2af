//! Tests that a reader's attacks on its containment fail. The tests run each attack as the current
//! user, as an unprivileged user if the current user is root, and on a simulated machine without
//! namespaces.
//!
//! The attackers are small C programs in `tests/attacks`. The tests are skipped with a message if
//! there is no C compiler.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::{copy_program, marked_processes};

const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");
const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// The id of a user without any rights.
const NOBODY: u32 = 65534;

/// The environment variable that disables containment measures.
const WITHOUT: &str = "TRACEGAUGE_TEST_WITHOUT";

/// A user on a machine with or without namespaces.
#[derive(Clone, Copy, Debug)]
struct Situation {
    is_nobody: bool,
    has_namespaces: bool,
}

fn situations() -> Vec<Situation> {
    let users: &[bool] = match is_root() {
        true => &[false, true],
        false => &[false],
    };
    let all = users.iter().flat_map(|is_nobody| {
        [true, false].map(|has_namespaces| Situation {
            is_nobody: *is_nobody,
            has_namespaces,
        })
    });
    all.collect()
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
}

/// Creates a folder that every user may enter and write to, with an attacker and a copy of the
/// program under test. Returns `None` if there is no compiler.
fn place(attacker: &str) -> Option<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/attacks/{attacker}.c"));
    let program = folder.path().join(attacker);
    let built = Command::new("gcc")
        .args(["-O1", "-o"])
        .args([&program, &source])
        .output();
    let Ok(built) = built else {
        eprintln!("skipped: no gcc here");
        return None;
    };
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{errors}");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    copy_program(PROGRAM, folder.path().join("tracegauge"));
    Some((folder, program))
}

/// A format with a single valid trace. The cases of a bundled format would take much longer to load.
const TINY: &str = "\
meta: { id: tiny }
faults: { eof: WHOLE, trailing: WHOLE }
seq: [ { id: magic, contents: tiny } ]
rules: { WHOLE: { level: must, section: A, says: The trace is whole., reader: reject } }
";

/// Runs a reader on one valid trace, which it accepts if all its attacks failed.
fn run(folder: &Path, situation: Situation, arguments: &[&str]) -> Output {
    fs::write(folder.join("tiny.yaml"), TINY).unwrap();
    let mut run = Command::new(folder.join("tracegauge"));
    run.args(["run", "--spec", "tiny.yaml", "--jobs", "1"])
        .args(["--no-progress", "--filter", "tiny/valid/*", "-v"])
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env("TMPDIR", folder);
    if !situation.has_namespaces {
        run.env(WITHOUT, "namespaces");
    }
    if situation.is_nobody {
        run.uid(NOBODY).gid(NOBODY);
    }
    run.output().unwrap()
}

/// Returns whether a measure is enabled according to the report of a run.
fn is_enabled(report: &str, measure: &str) -> bool {
    let mut lines = report.lines();
    let enforced = lines.find(|line| line.starts_with("containment, enforced: "));
    enforced
        .unwrap_or_default()
        .contains(&format!("{measure} ("))
}

#[test]
fn nothing_outside_is_reached() {
    let Some((folder, attacker)) = place("attacker") else {
        return;
    };
    let victim = folder.path().join("victim");
    fs::create_dir(&victim).unwrap();
    let file = victim.join("file");
    let _socket = UnixListener::bind(victim.join("socket")).unwrap();
    for situation in situations() {
        fs::write(&file, "content").unwrap();
        let mut bystander = Command::new("sleep");
        if situation.is_nobody {
            for path in [&victim, &file, &victim.join("socket")] {
                std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
            bystander.uid(NOBODY).gid(NOBODY);
        }
        let mut bystander = bystander.arg("600").stdin(Stdio::null()).spawn().unwrap();
        let pid = bystander.id().to_string();
        let command = [
            "--",
            attacker.to_str().unwrap(),
            victim.to_str().unwrap(),
            &pid,
        ];
        let output = run(
            folder.path(),
            situation,
            &[&command[..], &["{file}"]].concat(),
        );
        let is_alive = bystander.try_wait().unwrap().is_none();
        bystander.kill().unwrap();
        bystander.wait().unwrap();
        let report = String::from_utf8_lossy(&output.stdout);
        if !is_enabled(&report, "file system") {
            eprintln!("skipped: {situation:?} without Landlock");
            continue;
        }
        assert!(output.status.success(), "{situation:?}\n{report}");
        assert!(report.contains("1 case: 1 pass"), "{situation:?}\n{report}");
        assert!(is_alive);
        assert_eq!(fs::read(&file).unwrap(), b"content");
    }
}

/// Runs a reader that uses up memory or disk space in the given way, and returns the report of the
/// run.
fn hoard(folder: &Path, situation: Situation, way: &str, megabytes: &str) -> String {
    let reader = folder.join("reader.yaml");
    let text = format!(
        "name: hoarder\nreports: verdict\nmemory: 128MiB\ntimeout: 4s\n\
         command: [./hoarder, {way}, \"{megabytes}\", \"{{file}}\"]\n"
    );
    fs::write(&reader, text).unwrap();
    let output = run(folder, situation, &["--reader", reader.to_str().unwrap()]);
    String::from_utf8(output.stdout).unwrap()
}

/// Checks that the scratch folder cannot hold more than 256 MiB, apart from a brief excess.
#[test]
fn a_scratch_folder_has_a_hard_limit_and_is_discarded() {
    let Some((folder, _)) = place("hoarder") else {
        return;
    };
    let folder = folder.path();
    let entries = || -> BTreeSet<_> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names
            .filter(|name| name.starts_with("tracegauge-"))
            .collect()
    };
    for situation in situations() {
        // Only these attacks behave differently for an unprivileged user.
        let ways: &[&str] = match situation.is_nobody {
            true => &["reserve", "closed"],
            false => &["reserve", "unlinked", "deep", "closed", "many"],
        };
        for way in ways {
            let began = Instant::now();
            let report = hoard(folder, situation, way, "257");
            let is_hard = is_enabled(&report, "scratch folder");
            if is_hard || *way != "unlinked" {
                assert!(
                    !report.contains("wrong reject"),
                    "{situation:?} {way}\n{report}"
                );
            }
            assert!(report.contains("1 case: "), "{situation:?} {way}\n{report}");
            let took = began.elapsed();
            assert!(
                took < Duration::from_secs(60),
                "{situation:?} {way}: {took:?}"
            );
            assert_eq!(entries(), BTreeSet::new(), "{situation:?} {way}");
        }
    }
}

/// Checks that a control group counts files in memory, and that a reader cannot create such files
/// without a control group.
#[test]
fn files_in_memory_count_as_memory() {
    let Some((folder, _)) = place("hoarder") else {
        return;
    };
    for situation in situations() {
        let report = hoard(folder.path(), situation, "memory", "400");
        assert!(!report.contains("wrong reject"), "{situation:?}\n{report}");
    }
}

/// Checks that the processes that each reader leaves behind are killed, even if they have left its
/// session and its process group.
#[test]
fn abandoned_processes_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    copy_program(PROGRAM, folder.path().join("tracegauge"));
    copy_program(FAKE, folder.path().join("fake"));
    for (number, situation) in situations().into_iter().enumerate() {
        let mark = format!("ABANDONED_BY={}-{number}", std::process::id());
        let command = ["--", "/usr/bin/env", &mark, "./fake", "once", "daemonises"];
        let output = run(folder.path(), situation, &command);
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains("1 case: "), "{situation:?}\n{report}");
        let left = marked_processes(&mark);
        assert_eq!(left, Vec::<String>::new(), "{situation:?}");
    }
}

/// Checks that copies of the program under test, which know all answers, refuse to run as readers
/// regardless of their name and location.
#[test]
fn copies_of_tracegauge_refuse_to_be_readers() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    copy_program(PROGRAM, folder.path().join("tracegauge"));
    copy_program(PROGRAM, folder.path().join("copy"));
    fs::hard_link(
        folder.path().join("tracegauge"),
        folder.path().join("another-name"),
    )
    .unwrap();
    let reader = |name: &str| {
        let path = folder.path().join("reader.yaml");
        let program = folder.path().join(name);
        let text = format!(
            "name: copy\nmode: serve\nreports: records\ncommand: [{}, reader, serve, --spec, {}]\n",
            program.display(),
            folder.path().join("tiny.yaml").display()
        );
        fs::write(&path, text).unwrap();
        path
    };
    for situation in situations() {
        for name in ["copy", "another-name"] {
            let file = reader(name);
            let output = run(
                folder.path(),
                situation,
                &["--reader", file.to_str().unwrap()],
            );
            let report = String::from_utf8_lossy(&output.stdout);
            let refusal = "tracegauge cannot be used by a reader under test";
            assert!(report.contains(refusal), "{situation:?}\n{report}");
            assert_eq!(output.status.code(), Some(3), "{situation:?}\n{report}");
        }
    }
    let file = reader("tracegauge");
    let itself = run(
        folder.path(),
        situations()[0],
        &["--reader", file.to_str().unwrap()],
    );
    let report = String::from_utf8_lossy(&itself.stdout);
    assert!(report.contains("1 case: 1 pass"), "{report}");
}

#[test]
fn required_containment_fails_without_a_mechanism() {
    let Some((folder, attacker)) = place("attacker") else {
        return;
    };
    let situation = Situation {
        is_nobody: false,
        has_namespaces: false,
    };
    let command = [
        "--require-containment",
        "--",
        attacker.to_str().unwrap(),
        "{file}",
    ];
    let output = run(folder.path(), situation, &command);
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty(), "nothing was run");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("read-only mounts: disabled"), "{errors}");
}
