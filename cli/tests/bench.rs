//! Tests for the output of `bench`, regardless of the measured rates.

use std::fs;

use joining::Place;
use serde_json::Value as Json;

use crate::joining;

const FEW: [&str; 6] = ["--count", "12", "--bytes", "200", "--rounds", "2"];

fn reader(formats: &str, command: &str) -> String {
    format!("name: mine\nmode: serve\nreports: records\nformats: [{formats}]\ncommand: {command}\n")
}

fn ours() -> String {
    format!("['{}', reader, serve]", env!("CARGO_BIN_EXE_tracegauge"))
}

/// Measures a reader with the given reader file.
fn bench(reader: &str, more: &[&str]) -> joining::Output {
    let place = Place::new();
    fs::write(place.path().join("mine.yaml"), reader).expect("written");
    let words = [&["bench", "--against", "mine.yaml"], &FEW[..], more].concat();
    place.tracegauge(&words)
}

#[test]
fn everything_is_measured_in_each_round() {
    let output = bench(&reader("dial9-v1", &ours()), &["--json"]);
    assert_eq!(output.status, Some(0), "{}", output.all());
    let said: Json = serde_json::from_str(&output.out).expect("one object");
    assert_eq!(said["format"], "dial9-v1");
    assert_eq!(said["traces"], 12);
    let rates = said["rates"].as_array().expect("rates");
    let shown: Vec<String> = rates
        .iter()
        .map(|rate| {
            let seconds = rate["seconds"].as_array().expect("seconds");
            assert_eq!(seconds.len(), 2);
            assert!(seconds.iter().all(|one| one.as_f64() > Some(0.0)));
            assert!(rate["traces_per_second"].as_f64() > Some(0.0));
            assert_eq!(rate["wrong"], 0);
            assert_eq!(rate["ratio"].is_number(), rate["against"].is_string());
            let against = rate["against"].as_str().unwrap_or("nothing");
            format!("{}: {}, beside {against}", rate["name"], rate["traces"])
        })
        .collect();
    // The reader file runs the reference decoder in `serve` mode only.
    assert_eq!(
        shown,
        [
            r#""generate": 12, beside nothing"#,
            r#""decode": 12, beside nothing"#,
            r#""starting the reference decoder": 2, beside nothing"#,
            r#""reference decoder, once": 2, beside starting the reference decoder"#,
            r#""reference decoder, serve": 12, beside nothing"#,
            r#""mine, serve": 12, beside reference decoder, serve"#,
        ]
    );
}

#[test]
fn a_reader_that_knows_both_modes_is_measured_in_both() {
    if !joining::is_here("python3") {
        return println!("skipped: there is no python3 here");
    }
    let reader = joining::root().join("readers/handwritten/dial9/reader.yaml");
    let reader = reader.to_str().expect("a plain path");
    let words = [&["bench", "--against", reader], &FEW[..]].concat();
    let output = Place::new().tracegauge(&words);
    assert_eq!(output.status, Some(0), "{}", output.all());
    for (mode, beside) in [
        (", once ", " × reference decoder, once"),
        (", serve ", " × reference decoder, serve"),
    ] {
        let mut rows = output.out.lines();
        let found = rows.any(|row| row.contains(mode) && row.ends_with(beside));
        assert!(found, "{}", output.out);
    }
}

#[test]
fn wrong_answers_are_a_finding() {
    let place = Place::new();
    fs::write(
        place.path().join("mine.yaml"),
        "name: mine\nformats: [dial9-v1]\ncommand: [sh, -c, 'exit 65']\n",
    )
    .expect("written");
    let words = [&["bench", "--against", "mine.yaml"], &FEW[..]].concat();
    let output = place.tracegauge(&words);
    assert_eq!(output.status, Some(1), "{}", output.all());
    assert!(
        output.out.contains("2 of 2 traces were read incorrectly"),
        "{}",
        output.out
    );
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let other = bench(&reader("dial9-v1", &ours()), &["--format", "fieldlog-v1"]);
    assert_eq!(other.status, Some(2), "{}", other.all());
    assert!(other.err.contains("mine does not read fieldlog-v1"));
    let missing = bench(&reader("dial9-v1", "[./none]"), &[]);
    assert_eq!(missing.status, Some(3), "{}", missing.all());
    assert!(missing.err.contains("mine cannot run"), "{}", missing.err);
    let place = Place::new();
    let none = place.tracegauge(&["bench", "--against", "none.yaml"]);
    assert_eq!(none.status, Some(2), "{}", none.all());
}
