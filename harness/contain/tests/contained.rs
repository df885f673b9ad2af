//! Runs shell commands in containment. This program is its own launcher, so its `main` function
//! begins like that of tracegauge.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use tracegauge_contain::{
    Containment, Input, Limits, Origin, Process, Scratch, Step, Stop, launcher,
};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

fn main() -> ExitCode {
    if let Some(exit) = launcher::become_launcher() {
        return exit;
    }
    let containment = Containment::begin(hidden).unwrap();
    let limits = Limits {
        timeout: Duration::from_millis(500),
        ..Limits::default()
    };
    let mut scratch = containment.scratch(&origin()).unwrap();
    let mut run = |script: &str| run(&containment, &mut scratch, limits, script);
    assert_eq!(
        run("[ $PWD = $TMPDIR ] && ls -A && echo empty").unwrap(),
        "empty"
    );
    assert_eq!(
        run(&format!("head -n 1 {FOLDER}/Cargo.toml")).unwrap(),
        "[package]"
    );
    assert_eq!(run("while :; do :; done"), Err(Stop::TimeUp));
    let measures = containment.measures(&limits);
    let is_enabled = |name: &str| measures.iter().any(|it| it.name == name && it.is_enabled);
    if is_enabled("read-only mounts") || is_enabled("file system") {
        let script = format!("cat {FOLDER}/src/lib.rs || echo refused");
        assert_eq!(run(&script).unwrap(), "refused", "hidden files");
    }
    if is_enabled("privileges") {
        let script = "grep CapEff /proc/self/status | tr -d '[:alpha:][:space:]:0'";
        assert_eq!(run(script).unwrap(), "", "capabilities");
    }
    assert_eq!(run(&multiplying(150)).unwrap(), "answered");
    // The launcher, which still runs, must have killed all of them.
    assert_eq!(multiplied(), 0, "processes outlive their reader");
    ExitCode::SUCCESS
}

/// The last argument of processes that fork and exit all the time.
const MARK: &str = "tracegauge-test-of-chains";

/// Returns a script that answers and then starts up to `chains` chains of processes, each of which
/// starts its successor and exits. The limit on processes may end the script early.
fn multiplying(chains: u32) -> String {
    format!(
        "next='/bin/sh -c \"$1\" \"$0\" \"$1\" {MARK} & exit'; echo answered; \
         i=0; while [ $i -lt {chains} ]; do \
         /bin/sh -c \"$next\" sh \"$next\" {MARK} & i=$((i + 1)); done"
    )
}

/// Returns the number of processes in the chains that still run.
fn multiplied() -> usize {
    let processes = std::fs::read_dir("/proc").unwrap();
    let commands = processes.filter_map(|it| std::fs::read(it.ok()?.path().join("cmdline")).ok());
    let mark = MARK.as_bytes();
    commands
        .filter(|command| command.split(|byte| *byte == 0).any(|it| it == mark))
        .count()
}

fn hidden(_: &Path) -> Vec<PathBuf> {
    vec![Path::new(FOLDER).join("src")]
}

fn origin() -> Origin {
    Origin {
        folder: FOLDER.into(),
        program: "/bin/sh".into(),
        files: Vec::new(),
    }
}

/// Returns the last line that a script prints.
fn run(
    containment: &Containment,
    scratch: &mut Scratch,
    limits: Limits,
    script: &str,
) -> Result<String, Stop> {
    scratch.empty().unwrap();
    let mut command = Command::new(origin().program);
    command.args(["-c", script]);
    let input = Input::Nothing;
    let mut process = Process::start(containment, command, input, scratch, limits, ()).unwrap();
    let mut last = String::new();
    loop {
        match process.step() {
            Step::Line => last = String::from_utf8_lossy(process.line()).into_owned(),
            Step::End => return process.finish().map(|_| last),
            Step::Stop(stop) => return Err(stop),
        }
    }
}
