//! Instrumented readers, built as their authors would build them. If a reader cannot be built on
//! this machine, a message states the reason.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// The language of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    C,
    /// A reader in C that crashes on maps of strings.
    CrashingC,
    Rust,
}

/// A folder with a reader, a folder `tests` and the results of a campaign.
#[derive(Debug)]
pub struct Place {
    folder: PathBuf,
    _owned: Option<TempDir>,
    command: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a tool. Returns the reason if the tool cannot be used.
fn build(folder: &Path, tool: &str, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(tool);
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| format!("{tool}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{tool}: {}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

fn kit() -> String {
    let path = root().join("readers/kits/coverage/coverage.c");
    path.canonicalize().unwrap().to_string_lossy().into_owned()
}

fn build_c(folder: &Path, crashes: bool) -> Result<(), String> {
    let examples = root().join("fuzz/mutator/examples");
    let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/coverage/main.c");
    let kit = kit();
    let [include, main, reader] =
        [&examples, &main, &examples.join("dial9.c")].map(|it| it.to_string_lossy().into_owned());
    let mut arguments = vec!["-g", "-O1", "-I", &include, "-o", "reader"];
    arguments.push("-fsanitize-coverage=edge,trace-pc-guard,pc-table");
    if crashes {
        arguments.push("-DCRASHES");
    }
    arguments.extend([main.as_str(), &reader, &kit]);
    build(folder, "clang", &arguments)
}

fn build_rust(folder: &Path) -> Result<(), String> {
    build(folder, "cc", &["-c", &kit(), "-o", "coverage.o"])?;
    let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/coverage/reader.rs");
    let main = main.to_string_lossy().into_owned();
    let pass = [
        "-Cpasses=sancov-module",
        "-Clink-arg=coverage.o",
        "-g",
        "-O",
    ];
    let llvm = [
        "-Cllvm-args=-sanitizer-coverage-level=3",
        "-Cllvm-args=-sanitizer-coverage-trace-pc-guard",
        "-Cllvm-args=-sanitizer-coverage-pc-table",
    ];
    let mut arguments = vec!["--edition=2024", "-o", "reader", main.as_str()];
    arguments.extend(pass.into_iter().chain(llvm));
    build(folder, "rustc", &arguments)
}

/// Returns whether a symbolizer is installed.
pub fn has_symbolizer() -> bool {
    let mut tools = ["llvm-symbolizer", "addr2line"].iter();
    tools.any(|tool| Command::new(tool).arg("--version").output().is_ok())
}

pub fn said(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
    format!("{out}{err}")
}

/// Creates a shell script in this folder as the reader.
pub fn script_in(folder: &Path, script: &str) -> Place {
    let path = folder.join("reader");
    fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    Place {
        folder: folder.to_owned(),
        _owned: None,
        command: ["--", "./reader", "{file}"].map(str::to_owned).to_vec(),
    }
}

impl Place {
    /// Creates a dial9 reader with two small tests, or returns `None` if it cannot be built on this
    /// machine.
    pub fn new(reader: Reader, mode: &str) -> Option<Self> {
        let owned = tempfile::tempdir().unwrap();
        let folder = owned.path().to_owned();
        let built = match reader {
            Reader::C => build_c(&folder, false),
            Reader::CrashingC => build_c(&folder, true),
            Reader::Rust => build_rust(&folder),
        };
        if let Err(why) = built {
            eprintln!("skipped: no reader in {reader:?} can be built for coverage here: {why}");
            return None;
        }
        let file = format!(
            "name: mine\ncommand: [./reader]\nmode: {mode}\nreports: verdict\nformats: [dial9-v1]\n"
        );
        fs::write(folder.join("reader.yaml"), file).unwrap();
        fs::create_dir(folder.join("tests")).unwrap();
        fs::write(folder.join("tests/empty"), b"TRC\0\x01").unwrap();
        fs::write(folder.join("tests/reset"), b"TRC\0\x01\x05\0\0\0\0\0\0\0\0").unwrap();
        Some(Self {
            folder,
            _owned: Some(owned),
            command: ["--reader", "reader.yaml"].map(str::to_owned).to_vec(),
        })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs a campaign with coverage feedback that writes to the folder `found`.
    pub fn fuzz(&self, more: &[&str]) -> Output {
        self.run(&[&["--coverage", "--out", "found"], more].concat())
    }

    pub fn run(&self, more: &[&str]) -> Output {
        Command::new(PROGRAM)
            .args(["fuzz", "--format", "dial9-v1"])
            .args(more)
            .args(&self.command)
            .current_dir(&self.folder)
            .output()
            .unwrap()
    }
}
