//! Tests that offsets beyond 2^31 and 2^32 are right. The traces consist mostly of holes, which take
//! no space on disk.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::common::{FAKE, copy_program};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// A format whose traces consist of elements with a key of at most 1000, a size and contents.
const DESCRIPTION: &str = "\
meta: { id: sized, endian: le }
faults: { eof: WHOLE }
seq: [ { id: things, type: thing, repeat: eos } ]
types:
  thing:
    seq:
      - { id: key, type: u4, valid: { max: 1000, rule: KEY } }
      - { id: size, type: u4 }
      - { id: contents, size: size }
records: { thing: { from: thing, order: { file: true }, members: { key: key } } }
rules:
  WHOLE: { level: must, section: A, says: Every element is complete., reader: reject }
  KEY: { level: must, section: A, says: A key is at most 1000., reader: reject }
";

/// The size of the contents of each element but the last.
const CONTENTS: u64 = 64 << 20;

/// Writes a trace with elements up to an offset and a last element with `key` there. Returns the
/// offset.
fn trace(folder: &Path, beyond: u64, key: u32) -> u64 {
    let mut file = File::create(folder.join("huge.bin")).unwrap();
    let mut at = 0;
    for number in 0_u32.. {
        file.seek(SeekFrom::Start(at)).unwrap();
        let (key, size) = match at > beyond {
            true => (key, 0),
            false => (number, u32::try_from(CONTENTS).unwrap()),
        };
        file.write_all(&[key.to_le_bytes(), size.to_le_bytes()].concat())
            .unwrap();
        if at > beyond {
            break;
        }
        at += 8 + CONTENTS;
        file.set_len(at).unwrap();
    }
    at
}

fn run(folder: &Path, words: &[&str], input: &str) -> (Option<i32>, String) {
    fs::write(folder.join("input"), input).unwrap();
    let output = Command::new(PROGRAM)
        .args(words)
        // A copy of this program decodes the traces, which it would otherwise refuse to do.
        .env("TRACEGAUGE_TEST_WITHOUT", "refusal")
        .current_dir(folder)
        .stdin(Stdio::from(File::open(folder.join("input")).unwrap()))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
#[ignore = "reads many gigabytes; run by `ci/published.sh`"]
fn huge_traces_show_which_offsets_are_right() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    copy_program(PROGRAM, folder.join("decoder"));
    let run_huge = |mistake: &str| {
        let decoder = folder.join("decoder").display().to_string();
        let reader = format!(
            "name: wrapped\nmode: serve\nformats: [fieldlog-v2, nettrace-v4]\nreports: records\n\
             command: [{FAKE}, wrap, {mistake}, {decoder}]\n"
        );
        fs::write(folder.join("reader.yaml"), reader).unwrap();
        let words = [
            "run",
            "--huge",
            "--filter",
            "*/huge/*",
            "--reader",
            "reader.yaml",
        ];
        run(folder, &[&words[..], &["--no-progress"]].concat(), "")
    };
    let (status, said) = run_huge("none");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("12 cases: 12 pass (12 proven"), "{said}");

    let (status, said) = run_huge("rejects-long-files");
    assert_eq!(status, Some(1), "{said}");
    for format in ["fieldlog-v2", "nettrace-v4"] {
        for name in ["beyond-2-gib", "beyond-4-gib"] {
            assert!(said.contains(&format!("{format}/huge/{name}")), "{said}");
        }
    }
    assert!(said.contains("offsets beyond 4 GiB"), "{said}");
    for format in ["fieldlog-v2", "nettrace-v4"] {
        let cause = format!(
            "{format} fails on unusual traces: rejects valid traces with trace: longer than 2 GiB \
             (2 cases)"
        );
        assert!(said.contains(&cause), "{said}");
    }
}

#[test]
#[ignore = "reads many gigabytes; run by `ci/published.sh`"]
fn offsets_beyond_32_bits_are_right() {
    for beyond in [1_u64 << 31, 1 << 32] {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        fs::write(folder.join("sized.yaml"), DESCRIPTION).unwrap();
        let typed = ["--spec", "sized.yaml", "huge.bin"];
        let request = r#"{"case":"a","format":"sized","file":"huge.bin"}"#;
        let serve = ["reader", "serve", "--spec", "sized.yaml"];

        trace(folder, beyond, 999);
        let (status, said) = run(folder, &[&["decode"][..], &typed].concat(), "");
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains(r#"{"record":"thing","key":999}"#), "{said}");
        let (_, said) = run(folder, &serve, &format!("{request}\n"));
        assert!(
            said.ends_with("{\"record\":\"thing\",\"key\":999}\n{\"end\":\"accept\"}\n"),
            "{said}"
        );

        let at = trace(folder, beyond, 1001);
        let place = format!("bytes {at}..{}", at + 4);
        for words in [&["decode", "--verdict-only"][..], &["check"], &["inspect"]] {
            let (status, said) = run(folder, &[words, &typed].concat(), "");
            assert_eq!(status, Some(1), "{words:?}: {said}");
            assert!(said.contains(&place), "{words:?}: {said}");
        }
        let shown = at.to_string();
        let (_, said) = run(
            folder,
            &[&["inspect", "--at", &shown][..], &typed].concat(),
            "",
        );
        assert!(said.contains("1001"), "{said}");
        let (_, said) = run(folder, &serve, &format!("{request}\n"));
        assert!(said.contains(&format!("\"offset\":{at}")), "{said}");
    }
}
