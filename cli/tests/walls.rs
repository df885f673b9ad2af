//! Tests each restriction of readers with a reader that tries to break out. Restrictions that this
//! machine does not support are skipped with a message.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{assert_all, corpus, marked_processes, reader, run};
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_results::{Outcome, ReaderResult};

use crate::common;

const MODES: [&str; 2] = ["serve", "once"];

fn checkout() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().unwrap()
}

/// Returns a reader in this checkout that attempts an action on a target.
fn attempting(mode: &str, action: &str, target: &str) -> ReaderFile {
    let mut file = reader(mode, &format!("{action}={target}"), "");
    file.timeout = Duration::from_secs(20);
    file.folder = checkout().join("readers");
    file
}

/// Returns the reason why the attempt failed, or `None` if it succeeded.
fn refusal(result: &ReaderResult) -> Option<String> {
    let detail = result.cases[0].detail.as_ref();
    let detail = detail.unwrap_or_else(|| panic!("{:?} {:?}", result.state, result.cases));
    let actual = &detail.actual;
    assert!(
        actual == "accept" || actual.starts_with("reject"),
        "{actual}"
    );
    actual.strip_prefix("reject: ").map(str::to_owned)
}

/// Returns whether a restriction is enabled, and prints the reason otherwise.
fn stands(result: &ReaderResult, wall: &str) -> bool {
    let mut measures = result.tail.containment.iter();
    let measure = measures.find(|measure| measure.name == wall).unwrap();
    if !measure.in_force {
        eprintln!("skipped, {wall} is not closed here: {}", measure.note);
    }
    measure.in_force
}

fn is_refused(wall: &str, action: &str, target: &Path) {
    for mode in MODES {
        let result = run(
            attempting(mode, action, &target.to_string_lossy()),
            &corpus(1),
        );
        if stands(&result, wall) {
            let why = refusal(&result);
            assert!(
                why.is_some(),
                "{action} {} in mode {mode}",
                target.display()
            );
        }
    }
}

#[test]
fn expected_answers_cannot_be_read() {
    is_refused(
        "file system",
        "peeks",
        &checkout().join("corpus/manifest/dial9-v1.yaml"),
    );
    is_refused("file system", "peeks", &checkout().join(".git/HEAD"));
    let program = std::env::current_exe().unwrap();
    is_refused("file system", "peeks", &program);
}

#[test]
fn other_files_of_the_user_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    is_refused("file system", "peeks", &secret);
}

#[test]
fn its_own_project_can_be_read() {
    for mode in MODES {
        let own = checkout().join("readers/handwritten/build.py");
        let result = run(
            attempting(mode, "peeks", &own.to_string_lossy()),
            &corpus(1),
        );
        assert_eq!(refusal(&result), None);
    }
}

#[test]
fn what_its_file_names_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    fs::write(&table, "data").unwrap();
    for mode in MODES {
        let mut file = attempting(mode, "peeks", &table.to_string_lossy());
        file.reads = vec![folder.path().to_path_buf()];
        assert_eq!(refusal(&run(file, &corpus(1))), None);
    }
}

#[test]
fn nothing_outside_its_folder_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let outside = folder.path().join("outside");
    is_refused("file system", "writes", &outside);
    let own = checkout().join("target/written-by-a-reader");
    is_refused("file system", "writes", &own);
    for mode in MODES {
        let result = run(attempting(mode, "writes", "inside"), &corpus(1));
        assert_eq!(refusal(&result), None, "its folder is for writing");
        if stands(&result, "file system") {
            assert!(!outside.exists() && !own.exists());
        }
    }
}

#[test]
fn the_network_is_out_of_reach() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    is_refused("network", "connects", Path::new(&address));
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_nonblocking(true).unwrap();
    let address = socket.local_addr().unwrap().to_string();
    for mode in MODES {
        let result = run(attempting(mode, "sends", &address), &corpus(1));
        let measures = &result.tail.containment;
        if measures
            .iter()
            .any(|it| it.name == "network" && it.in_force)
        {
            assert!(refusal(&result).is_some());
            assert!(socket.recv(&mut [0; 16]).is_err(), "nothing came");
        }
    }
}

#[test]
fn memory_is_bounded_however_it_is_spread() {
    for mode in MODES {
        let mut file = reader(mode, "feeds-many", "");
        file.timeout = Duration::from_secs(20);
        // Each single process uses less memory than this, and the visible child processes use
        // almost none.
        file.memory = 150 << 20;
        let result = run(file, &corpus(1));
        if stands(&result, "total memory") {
            assert_all(&result, Outcome::OutOfMemory);
        }
    }
}

#[test]
fn processes_outside_are_out_of_reach() {
    let own = std::process::id().to_string();
    for mode in MODES {
        let result = run(attempting(mode, "signals", &own), &corpus(1));
        if stands(&result, "PID namespace") {
            assert!(refusal(&result).is_some(), "it sees process {own}");
        }
    }
}

#[test]
fn a_reader_that_hides_a_fork_bomb_leaves_nothing_behind() {
    for mode in MODES {
        let mark = format!("FAKE_READER_OF=bomb-{mode}-{}", std::process::id());
        let mut file = reader(mode, "hides-a-bomb", "");
        file.timeout = Duration::from_secs(20);
        let command = ["/usr/bin/env".to_owned(), mark.clone()];
        file.command.splice(0..0, command);
        let result = run(file, &corpus(2));
        if stands(&result, "PID namespace") {
            assert_all(&result, Outcome::Pass);
            assert_eq!(marked_processes(&mark), Vec::<String>::new());
        }
    }
}

/// Waits until a condition holds or a minute has passed, and returns true if it holds.
fn comes_about(wanted: impl Fn() -> bool) -> bool {
    let began = Instant::now();
    while !wanted() {
        if began.elapsed() > Duration::from_secs(60) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[test]
fn a_reader_does_not_outlive_a_harness_that_is_killed() {
    let known = run(attempting("once", "peeks", "/dev/null"), &corpus(1));
    if !stands(&known, "PID namespace") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("FAKE_READER_OF=killed-{}", std::process::id());
    let mut harness = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .args([
            "run",
            "--format",
            "dial9-v1",
            "--filter",
            "vector/every-frame",
            "--",
        ])
        .args(["/usr/bin/env", &mark, "sh", "-c"])
        .args(["\"$0\" forker; exec \"$0\" sleeper", common::FAKE])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // One process is the reader itself, and the other has left the reader's process group.
    let ran = comes_about(|| marked_processes(&mark).len() >= 2);
    harness.kill().unwrap();
    harness.wait().unwrap();
    assert!(ran, "the reader never ran");
    let ended = comes_about(|| marked_processes(&mark).is_empty());
    assert!(ended, "{:?} live on", marked_processes(&mark));
}

#[test]
fn a_fork_bomb_is_bounded() {
    for mode in MODES {
        let mut file = attempting(mode, "multiplies", "600");
        file.memory = 8 << 30;
        let result = run(file, &corpus(1));
        if stands(&result, "processes") {
            assert!(refusal(&result).is_some(), "600 processes at once");
        }
    }
}

/// Checks that limits are not lowered between the startup of a runtime and the time when it sets
/// them. AddressSanitizer fails if that happens.
#[test]
fn core_files_are_forbidden_from_the_first_instruction_and_by_nobody_later() {
    let script = "first=\"$(ulimit -S -c) $(ulimit -H -c)\"; sleep 0.2; \
                  test \"$first $(ulimit -S -c) $(ulimit -H -c)\" = \"0 0 0 0\" || exit 65";
    let text = format!("name: a\ntimeout: 20s\ncommand: [sh, -c, '{script}']\n");
    let result = run(common::parse(&text), &[common::valid("one", b"x")]);
    assert_all(&result, Outcome::Pass);
}
