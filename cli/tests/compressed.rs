//! Tests that traces compressed with gzip or zstd are read like uncompressed traces.
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::TempDir;

/// Commands that read a trace, each with the arguments that follow the trace.
const COMMANDS: [(&[&str], &[&str]); 5] = [
    (&["decode"], &[]),
    (&["check"], &[]),
    (&["inspect"], &[]),
    (&["query"], &["frames.size"]),
    (&["corpus", "score"], &[]),
];

fn trace() -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read(root.join("corpus/real/dial9-v1/codec_every_field_type.trc")).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Returns a zstd frame of a few bytes that decompresses to 1 MiB.
fn dense() -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 10 << 3];
    for block in 0..8 {
        let header: u32 = (128 * 1024) << 3 | 1 << 1 | u32::from(block == 7);
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(0);
    }
    frame
}

/// The output of a command.
struct Said {
    status: i32,
    out: String,
    errors: String,
}

/// A folder for the files of a test, in which commands are run.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn run(&self, words: &[&str], stdin: Stdio) -> Said {
        let mut tracegauge = Command::new(env!("CARGO_BIN_EXE_tracegauge"));
        tracegauge
            .args(words)
            .current_dir(self.0.path())
            .stdin(stdin);
        let output = tracegauge.output().unwrap();
        Said {
            status: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn say(&self, words: &[&str]) -> Said {
        self.run(words, Stdio::null())
    }
}

#[test]
fn a_compressed_trace_is_the_trace() {
    let folder = Folder::new();
    let cut = trace()[..trace().len() - 1].to_vec();
    let parts = trace().len() / 2;
    let members = [gzip(&trace()[..parts]), gzip(&trace()[parts..])].concat();
    let files = [
        (trace(), gzip(&trace()), "gzip", "trace"),
        (trace(), zstd(&trace()), "zstd", "trace"),
        (trace(), members, "gzip", "-"),
        (cut.clone(), zstd(&cut), "zstd", "-"),
    ];
    for (command, rest) in COMMANDS {
        for (plain, compressed, by, name) in &files {
            let words = [command, &["--format", "dial9-v1", name], rest].concat();
            // The file has the same name in both cases, because the output contains it.
            let said = |bytes: &[u8]| {
                let path = folder.file("trace", bytes);
                folder.run(&words, File::open(path).unwrap().into())
            };
            let wanted = said(plain);
            let found = said(compressed);
            assert_eq!(found.status, wanted.status, "{words:?}: {}", found.errors);
            assert_eq!(found.out, wanted.out, "{words:?} {by}");
            let note = format!("note: decompressing {name} ({by})");
            assert!(found.errors.contains(&note), "{}", found.errors);
            assert!(!wanted.errors.contains("note: "), "{}", wanted.errors);
        }
    }
}

#[test]
fn a_note_is_not_printed_where_nothing_but_failures_is() {
    let folder = Folder::new();
    folder.file("trace.gz", &gzip(&trace()));
    assert_eq!(folder.say(&["decode", "trace.gz", "--quiet"]).errors, "");
}

#[test]
fn raw_traces_are_not_decompressed() {
    let folder = Folder::new();
    folder.file("trace", &zstd(&trace()));
    for (command, rest) in COMMANDS {
        let words = [command, &["trace", "--raw"], rest].concat();
        let said = folder.say(&words);
        assert_eq!(said.status, 2, "{words:?}: {}", said.errors);
        assert!(said.errors.contains("--format"), "{}", said.errors);
        assert!(!said.errors.contains("decompressed"), "{}", said.errors);
    }
}

/// Checks that bytes that begin as the description requires are a trace, even if they look
/// compressed.
#[test]
fn a_format_may_begin_as_gzip_does() {
    let folder = Folder::new();
    let meta = "meta: { id: zipped-v1, family: zipped, title: Zipped, endian: be }\nseq:\n";
    let magic = "  - { id: magic, contents: [0x1f, 0x8b, 8, 1] }\n";
    let number = "  - { id: number, type: u4 }\n";
    folder.file("magic.yaml", [meta, magic, number].concat().as_bytes());
    folder.file("number.yaml", [meta, number].concat().as_bytes());
    let decode = |spec: &str| {
        let words = ["decode", "--spec", spec, "--format", "zipped-v1", "trace"];
        folder.say(&words)
    };
    folder.file("trace", &[0x1f, 0x8b, 8, 1, 0, 0, 0, 5]);
    let said = decode("magic.yaml");
    assert_eq!(said.errors, "trace: accepted as zipped-v1\n");
    // Any bytes can be a number, so the description cannot identify the trace.
    folder.file("trace", &gzip(&[0, 0, 0, 5]));
    let said = decode("number.yaml");
    assert!(said.errors.starts_with("note: "), "{}", said.errors);
    assert!(said.errors.contains("accepted"), "{}", said.errors);
}

#[test]
fn few_bytes_that_become_very_many_end_a_command() {
    let folder = Folder::new();
    folder.file("trace", &dense());
    let numbers = "meta: { id: any-v1, family: any, title: Any bytes, endian: be }\n\
                   seq:\n  - { id: frames, type: u1, repeat: eos }\n";
    folder.file("any.yaml", numbers.as_bytes());
    for (command, rest) in COMMANDS {
        let format = ["--spec", "any.yaml", "--format", "any-v1", "trace"];
        let words = [command, &format, rest].concat();
        let said = folder.say(&words);
        assert_eq!(said.status, 3, "{words:?}: {}", said.errors);
        let why = "compressed bytes expand by more than a factor of 1000";
        assert!(said.errors.contains(why), "{}", said.errors);
        assert!(said.errors.contains("zstd -dc"), "{}", said.errors);
    }
}

#[test]
fn what_stands_before_the_end_of_a_cut_file_is_printed() {
    let folder = Folder::new();
    folder.file("whole", &trace());
    let whole = folder.say(&["decode", "whole"]).out;
    // The file lacks only its checksum, so the trace is complete.
    let file = gzip(&trace());
    folder.file("cut", &file[..file.len() - 5]);
    let said = folder.say(&["decode", "cut"]);
    assert_eq!((said.status, said.out), (2, whole), "{}", said.errors);
    let why = format!(
        "the gzip data end too early, after {} compressed bytes",
        file.len() - 5
    );
    assert!(said.errors.contains(&why), "{}", said.errors);
    assert!(!said.errors.contains("accepted"), "{}", said.errors);
    for (command, rest) in COMMANDS {
        let words = [command, &["cut"], rest].concat();
        assert_eq!(folder.say(&words).status, 2, "{words:?}");
    }
}

#[test]
fn commands_that_keep_a_trace_do_not_take_a_compressed_one() {
    let folder = Folder::new();
    fs::create_dir(folder.0.path().join("corpus")).unwrap();
    folder.file("plain", &[&trace()[..], b"\xee"].concat());
    folder.file("trace.gz", &gzip(&trace()));
    let refused: [&[&str]; 3] = [
        &["minimize", "trace.gz", "--", "false", "{file}"],
        &["corpus", "add", "trace.gz", "--expect", "accept"],
        &[
            "corpus", "add", "plain", "--expect", "reject", "--twin", "trace.gz",
        ],
    ];
    for words in refused {
        let said = folder.say(words);
        assert_eq!(said.status, 2, "{words:?}: {}", said.errors);
        for part in ["trace.gz: ", "compressed with gzip", "gzip -dc", "--raw"] {
            assert!(said.errors.contains(part), "{words:?}: {}", said.errors);
        }
    }
    // The compressed bytes are not a valid trace, but they can be added.
    let keep = [
        "corpus", "add", "trace.gz", "--raw", "--format", "dial9-v1", "--expect", "reject",
    ];
    let said = folder.say(&keep);
    assert_eq!(said.status, 0, "{}", said.errors);
}

/// Checks that hints are given for compressed traces, with offsets that refer to the decompressed
/// data.
#[test]
fn hints_are_given_for_compressed_traces() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let later = fs::read(root.join("corpus/real/fieldlog-v2/v2_prio0.fl")).unwrap();
    let folder = Folder::new();
    folder.file("trace.gz", &gzip(&later));
    for command in ["decode", "check", "inspect"] {
        let said = folder.say(&[command, "--format", "fieldlog-v1", "trace.gz"]);
        assert_eq!(said.status, 1, "{command}");
        let hint = format!("tracegauge {command} --format fieldlog-v2 trace.gz");
        assert!(said.errors.contains(&hint), "{}", said.errors);
    }
}
