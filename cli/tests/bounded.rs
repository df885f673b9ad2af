//! Tests that the output of a reader costs a bounded amount of memory, and that only a bounded part
//! of it is printed.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");
const FAKE: &str = env!("CARGO_BIN_EXE_fake_reader");
const MIB: u64 = 1 << 20;

/// A run of a fake reader on one case.
struct Run {
    folder: TempDir,
    /// The peak resident memory of tracegauge in bytes.
    peak: u64,
    text: String,
    result: String,
}

fn run(behaviour: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let reader = format!(
        "name: huge\nmode: serve\ncommand: ['{FAKE}', serve, {behaviour}]\nreports: records\n\
         timeout: 120s\nformats: [netperf-v1]\n"
    );
    fs::write(folder.path().join("reader.yaml"), reader).unwrap();
    let text = fs::File::create(folder.path().join("text")).unwrap();
    let mut child = Command::new(PROGRAM)
        .args(["run", "--reader", "reader.yaml", "--no-progress"])
        .args(["--jobs", "1", "--json", "result.json"])
        .args(["--filter", "netperf-v1/vector/event-unaligned"])
        .current_dir(folder.path())
        .stdout(text)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let peak = watched(&mut child);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (text, result) = (read("text"), read("result.json"));
    Run {
        peak,
        text,
        result,
        folder,
    }
}

/// Waits for a process and returns its peak resident memory in bytes.
pub fn watched(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or_default() * 1024);
        sleep(Duration::from_millis(1));
    }
    peak
}

#[test]
fn a_huge_line_costs_a_bounded_amount_of_memory() {
    let usual = run("perfect");
    assert!(usual.peak > 0);
    // Most lines have an eighth of the largest size, because parsing is slow in unoptimized builds.
    // The limits leave room for memory that the allocator does not return, which varies from run to
    // run.
    for (behaviour, most) in [
        ("large-why", 75),
        ("large-feature", 75),
        ("large-kind", 75),
        ("large-name", 75),
        ("large-number", 75),
        ("large-escapes", 75),
        ("huge-list", 300),
        ("large-members", 250),
        ("large-depth", 75),
        ("huge-chatter", 300),
    ] {
        let run = run(behaviour);
        let cost = run.peak.saturating_sub(usual.peak) / MIB;
        assert!(cost <= most, "{behaviour}: {cost} MiB");
        for (what, text) in [("the report", &run.text), ("the result", &run.result)] {
            let size = text.len();
            assert!(size < 200_000, "{behaviour}: {what} has {size} bytes");
        }
        assert!(run.text.contains("1 case: "), "{behaviour}: {}", run.text);
        // A line with too many values violates the protocol.
        if behaviour == "huge-list" {
            let has = |words: &str| run.text.contains(words);
            assert!(has("a line that is too large"), "{}", run.text);
            assert!(has("MiB of memory"), "{}", run.text);
        }
        assert!(!run.folder.path().join("core").exists());
    }
}
