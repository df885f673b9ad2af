//! Utilities shared by the tests of adapters: a working folder, and commands run in it.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon::prelude::*;
use tempfile::TempDir;

/// A working folder.
pub struct Place(TempDir);

/// The output and exit status of a command.
pub struct Output {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Output {
    /// Returns standard output and standard error together.
    pub fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// Tries all `items` on as many threads as there are processors. The threads belong to the test that
/// calls this function, so that the messages of failed assertions are among its output. Threads that
/// several tests share would print them with the output of the test that started them.
pub fn try_all<T: Sync>(items: &[T], attempt: impl Fn(&T) + Sync + Send) {
    let threads = rayon::ThreadPoolBuilder::new().build().expect("threads");
    threads.install(|| items.par_iter().for_each(attempt));
}

/// Returns the path of the description of the `notes` test format.
pub fn notes() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/joining/notes.yaml");
    path.to_str().expect("a plain path").to_owned()
}

/// Returns the path of the description of the `tags` test format.
pub fn tags() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/joining/tags.yaml");
    path.to_str().expect("a plain path").to_owned()
}

/// Returns the root folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns whether a program with this name is installed.
pub fn is_here(program: &str) -> bool {
    let asked = format!("command -v {program}");
    let found = Command::new("sh").args(["-c", &asked]).output();
    found.is_ok_and(|output| output.status.success())
}

/// Returns the names of the findings in the doctor's output.
pub fn findings(out: &str) -> Vec<&str> {
    let heads = out.lines().filter(|line| !line.starts_with(' '));
    let names = heads.filter_map(|line| line.split_once(": "));
    names
        .filter(|(name, rest)| *name != "omits" && !rest.contains(" cases, "))
        .map(|(name, _)| name)
        .collect()
}

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the program under test.
    pub fn tracegauge(&self, words: &[&str]) -> Output {
        let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
            .args(words)
            .current_dir(self.path())
            .output()
            .expect("the command starts");
        Output {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// Writes `reader.yaml` for a reader of the `tags` format that accepts every trace and reports
    /// one record with these tags.
    pub fn reader_of_tags(&self, tags: &str) {
        let script = format!("echo '{{\"record\":\"row\",\"tags\":{tags}}}'\n");
        std::fs::write(self.path().join("adapter.sh"), script).expect("written");
        let reader = "name: tagging\nmode: once\nreports: records\nformats: [tags-v1]\n\
                      command: [sh, adapter.sh]\n";
        std::fs::write(self.path().join("reader.yaml"), reader).expect("written");
    }

    /// Runs `reader doctor` on an adapter for the `notes` format.
    pub fn doctor(&self, reader: &str) -> Output {
        self.tracegauge(&["reader", "doctor", "--spec", &notes(), reader])
    }

    /// Runs a reader of the `notes` format. Returns its exit status and the outcomes of the cases
    /// that all readers must handle correctly.
    pub fn run(&self, reader: &str) -> (Option<i32>, Vec<String>) {
        self.run_shard(reader, "1/1")
    }

    /// Runs a reader of the `notes` format on a shard of the cases, as [`Self::run`] does on all of
    /// them.
    pub fn run_shard(&self, reader: &str, shard: &str) -> (Option<i32>, Vec<String>) {
        let spec = notes();
        let words = [
            "run",
            "--spec",
            &spec,
            "--quiet",
            "--json",
            "result.json",
            "--reader",
            reader,
            "--shard",
            shard,
        ];
        let output = self.tracegauge(&words);
        let text = std::fs::read(self.path().join("result.json"));
        let text = text.unwrap_or_else(|error| panic!("{error}: {}", output.all()));
        let result: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        let cases = result["readers"][0]["cases"].as_array();
        let outcome = |case: &serde_json::Value| case["outcome"].as_str().map(str::to_owned);
        let outcomes = cases.into_iter().flatten().filter_map(outcome).collect();
        (output.status, outcomes)
    }

    /// Runs a shell command with `input` on its standard input and returns its output.
    pub fn feed(&self, command: &str, input: &str) -> String {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut stdin = child.stdin.take().expect("an input");
        stdin.write_all(input.as_bytes()).expect("fed");
        drop(stdin);
        let output = child.wait_with_output().expect("an end");
        String::from_utf8(output.stdout).expect("text")
    }
}
