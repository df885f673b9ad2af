//! Tests that commands need no more memory than their reference page says.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tracegauge_cli::memory::{MEMORY, Quantity, of};

use crate::bounded::watched;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// A format whose traces consist of elements with a key, a size and contents. Each element defines a
/// row.
const DESCRIPTION: &str = "\
meta: { id: sized, endian: le }
tables: { things: { key: u4, row: thing } }
seq: [ { id: things, type: thing, repeat: eos } ]
types:
  thing:
    defines: { table: things, key: key }
    seq: [ { id: key, type: u4 }, { id: size, type: u4 }, { id: contents, size: size } ]
records: { thing: { from: thing, order: { file: true }, members: { key: key } } }
";

/// A trace with `rows` elements of `size` bytes each, most of which are a hole in the file.
struct Sized {
    name: &'static str,
    rows: u32,
    size: u32,
}

const TRACES: [Sized; 3] = [
    Sized {
        name: "many-rows",
        rows: 100_000,
        size: 0,
    },
    Sized {
        name: "a-large-field",
        rows: 1,
        size: 64 << 20,
    },
    Sized {
        name: "large-fields",
        rows: 64,
        size: 1 << 20,
    },
];

impl Sized {
    fn write(&self, folder: &Path) -> u64 {
        let path = folder.join(self.name);
        if self.size == 0 {
            let element = |row: u32| [row.to_le_bytes(), 0_u32.to_le_bytes()].concat();
            fs::write(&path, (0..self.rows).flat_map(element).collect::<Vec<_>>()).unwrap();
        } else {
            let mut file = File::create(&path).unwrap();
            for row in 0..self.rows {
                let length = file.metadata().unwrap().len();
                std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(length)).unwrap();
                file.write_all(&row.to_le_bytes()).unwrap();
                file.write_all(&self.size.to_le_bytes()).unwrap();
                file.set_len(length + 8 + u64::from(self.size)).unwrap();
            }
        }
        fs::metadata(path).unwrap().len()
    }
}

/// Runs a command and returns its peak memory in bytes.
fn peak(folder: &Path, words: &[&str], input: Option<&str>) -> u64 {
    let input = input.map(|name| File::open(folder.join(name)).unwrap());
    let mut child = Command::new(PROGRAM)
        .args(words)
        .current_dir(folder)
        .stdin(input.map_or_else(Stdio::null, Stdio::from))
        .stdout(File::create(folder.join("output")).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let peak = watched(&mut child);
    let status = child.wait().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{words:?}: {status}");
    peak
}

fn check(command: &str, words: &[&str], peak: u64, quantities: &[(Quantity, u64)]) {
    let most = of(command).unwrap().bytes(quantities);
    let mib = |bytes: u64| bytes >> 20;
    eprintln!("{words:?}: {} of {} MiB", mib(peak), mib(most));
    assert!(peak <= most, "{words:?}: {} MiB, {quantities:?}", mib(peak));
}

#[test]
fn commands_need_no_more_memory_than_documented() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("sized.yaml"), DESCRIPTION).unwrap();
    for trace in TRACES {
        let size = trace.write(folder);
        let quantities = [
            (Quantity::Trace, size),
            (Quantity::Field, trace.size.into()),
            (Quantity::Rows, trace.rows.into()),
        ];
        for words in [
            &["decode"][..],
            &["check"],
            &["inspect"],
            &["inspect", "--json"],
            &["departures"],
            &["query"],
        ] {
            let mut typed = [words, &["--spec", "sized.yaml", trace.name]].concat();
            if words == ["query"] {
                typed.push("1");
            }
            let found = peak(folder, &typed, None);
            check(words[0], &typed, found, &quantities);
        }
        let request = format!(
            "{{\"case\":\"a\",\"format\":\"sized\",\"file\":\"{}\"}}\n",
            trace.name
        );
        fs::write(folder.join("request"), request).unwrap();
        let words = ["reader", "serve", "--spec", "sized.yaml"];
        let found = peak(folder, &words, Some("request"));
        check("reader serve", &words, found, &quantities);
    }
}

#[test]
fn writing_traces_needs_no_more_memory_than_documented() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = [
        "generate", "--format", "dial9-v1", "--seed", "1", "--out", "made", "--bytes", "1000000",
    ];
    let found = peak(folder, &words, None);
    let trace = folder.join("made/dial9-v1-1.trc");
    let quantities = [(Quantity::Trace, fs::metadata(&trace).unwrap().len())];
    check("generate", &words, found, &quantities);
    let trace = trace.to_str().unwrap();
    peak(folder, &["inspect", "--json", trace], None);
    fs::rename(folder.join("output"), folder.join("tree.json")).unwrap();
    let tree = fs::metadata(folder.join("tree.json")).unwrap().len();
    for words in [&["encode"][..], &["encode", "--raw"]] {
        let typed = [words, &["--out", "again", "tree.json"]].concat();
        let found = peak(folder, &typed, None);
        check("encode", &typed, found, &[(Quantity::Tree, tree)]);
    }
}

#[test]
fn every_command_says_how_much_memory_it_needs() {
    let folder = TempDir::new().unwrap();
    peak(folder.path(), &["reference", "--out", "pages"], None);
    let page = fs::read_to_string(folder.path().join("pages/commands.md")).unwrap();
    let mut known = 0;
    for section in page.split("\n## ").skip(1) {
        let name = section.lines().next().unwrap();
        assert!(section.contains("\nMemory: at most "), "{name}");
        known += 1;
    }
    assert_eq!(known, MEMORY.len(), "an entry is about no command");
}

/// Checks that `reader serve` reads a large trace piece by piece, and that its answer is the same as
/// for the part that fits in memory.
#[test]
fn large_traces_are_served_piece_by_piece() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("sized.yaml"), DESCRIPTION).unwrap();
    let trace = Sized {
        name: "large",
        rows: 200,
        size: 1 << 20,
    };
    let size = trace.write(folder);
    let words = ["reader", "serve", "--spec", "sized.yaml"];
    fs::write(
        folder.join("request"),
        "{\"case\":\"a\",\"format\":\"sized\",\"file\":\"large\"}\n",
    )
    .unwrap();
    let found = peak(folder, &words, Some("request"));
    assert!(found < size / 2, "{} MiB", found >> 20);
    let answer = fs::read_to_string(folder.join("output")).unwrap();
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines.len(), 201);
    assert_eq!(lines[199], r#"{"record":"thing","key":199}"#);
    assert_eq!(lines[200], r#"{"end":"accept"}"#);
}

/// Checks that `query` stops before the tree of a small trace fills the memory.
#[test]
fn a_query_of_fields_that_share_their_bytes_has_a_memory_limit() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let lists = (0..25).map(|number| format!("  p{number}: {{ pos: 0, type: u1, repeat: eos }}\n"));
    let description = format!(
        "meta: {{ id: shared }}\nseq: [ {{ id: a, type: u1 }} ]\ninstances:\n{}",
        lists.collect::<String>()
    );
    fs::write(folder.join("shared.yaml"), description).unwrap();
    fs::write(folder.join("zeros"), vec![0; 1_000_000]).unwrap();
    let mut child = Command::new(PROGRAM)
        .args(["query", "--spec", "shared.yaml", "zeros", "a"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(folder.join("said")).unwrap())
        .spawn()
        .unwrap();
    let peak = watched(&mut child);
    let said = fs::read_to_string(folder.join("said")).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3), "{said}");
    assert!(said.contains("needs more than 1085 MiB"), "{said}");
    check(
        "query",
        &["query"],
        peak.saturating_sub(1 << 30),
        &[(Quantity::Trace, 1_000_000)],
    );
}
