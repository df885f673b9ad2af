//! Tests the HTML page in a real browser, if one is available. `TRACEGAUGE_BROWSER` names a
//! browser; otherwise, Chromium or Chrome on the path is used. `TRACEGAUGE_PICTURES` names a
//! directory for screenshots.
#![allow(clippy::unwrap_used)]

use crate::common;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{cases, large, story};
use tracegauge_reports::casebook::{CasePage, Casebook, NoCasebook};
use tracegauge_reports::html;
use tracegauge_results::RunResult;

const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "chromium-headless-shell",
    "google-chrome",
    "chrome",
];

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|folder| folder.join(name));
    files.find(|file| file.is_file())
}

struct Shelf;

impl Casebook for Shelf {
    fn page(&self, case: &str, _: u32) -> Option<CasePage> {
        let lines = [
            "                                             header",
            "  00000000 54 4f 59 31              TOY1       magic: 4 bytes",
            "! 00000004 ff 07                    ..         length: 2047",
            "  00000006 61 62 63 64 65 66 67 68  abcdefgh (not read)",
        ];
        if case == "toy/valid/2" {
            return Some(valid());
        }
        (case == "toy/bad/5").then(|| CasePage {
            why: "One bit of the length is flipped.".into(),
            operator: Some("bit-flipped".into()),
            twin: Some("toy/valid/1".into()),
            dump: lines.join("\n"),
        })
    }
}

/// Returns a trace with many events, one of which was read incorrectly.
fn valid() -> CasePage {
    let blank = " ".repeat(45);
    let line = |at: u64, bytes: &str, letters: &str, field: &str| {
        format!("  {at:08x} {bytes:23}  {letters:8} {field}")
    };
    let mut lines = vec![
        line(0, "54 4f 59 31", "TOY1", "magic: 4 bytes"),
        format!("{blank}events"),
    ];
    for number in 0..8 {
        let at = 4 + number * 5;
        lines.push(format!("{blank}  [{number}]"));
        lines.push(line(at, "00 01 02", "...", "    thread: 131328"));
        lines.push(line(at + 3, "13 14", "..", "    value: 5139"));
    }
    CasePage {
        why: "Events are read in order.".into(),
        dump: lines.join("\n"),
        ..CasePage::default()
    }
}

/// Returns a result in which a reader tries to inject markup and scripts into the page.
fn small() -> RunResult {
    let mut cases = cases();
    let fault = cases[8].detail.as_mut().unwrap().fault.as_mut().unwrap();
    (fault.start, fault.end) = (5, 6);
    let mut result = story(&cases, 14);
    let evil = "</script><img src=x onerror=window.broken=1><script>window.broken=1</script>";
    result.readers[0].tail.notes.push(evil.into());
    result
}

fn write(folder: &Path, name: &str, result: &RunResult, casebook: &dyn Casebook) -> PathBuf {
    let path = folder.join(name);
    let mut file = std::fs::File::create(&path).unwrap();
    html::render(
        std::slice::from_ref(result),
        "A report",
        casebook,
        &mut file,
    )
    .unwrap();
    path
}

#[test]
fn the_page_works_in_a_browser() {
    let named = std::env::var_os("TRACEGAUGE_BROWSER").map(PathBuf::from);
    let Some(browser) = named.or_else(|| NAMES.iter().find_map(|name| on_path(name))) else {
        eprintln!("skipped: there is no browser here; TRACEGAUGE_BROWSER can name one");
        return;
    };
    let Some(node) = on_path("node") else {
        eprintln!("skipped: there is no node here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/page.test.mjs");
    let output = Command::new(node)
        .arg(script)
        .arg(browser)
        .arg(write(folder.path(), "small.html", &small(), &Shelf))
        .arg(write(
            folder.path(),
            "large.html",
            &large(6000, 10),
            &NoCasebook,
        ))
        .args(std::env::var_os("TRACEGAUGE_PICTURES"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
}
