//! Tests that a reader that computes a required value incorrectly is told which value. Such a reader
//! rejects valid traces, which have much in common that is not the reason.

use serde_json::Value;

use crate::joining::Place;

const DESCRIPTION: &str = include_str!("computed/format.yaml");

/// Bugs: an incorrect part of the description, the correct part, and the rule that readers then break.
const BUGS: [[&str; 3]; 6] = [
    ["entries.max(amount)", "entries.min(amount)", "LOW"],
    ["entries.first.amount", "entries.last.amount", "NEWEST"],
    [
        "peak: amount",
        "peak: \"max(state.peak, state.balance)\"",
        "PEAK",
    ],
    [
        "\"max(state.peak, amount)\"",
        "\"max(state.peak, state.balance)\"",
        "PEAK",
    ],
    ["kind::receive).size", "kind::pay).size", "PAID"],
    ["id: paid, type: u4be", "id: paid, type: u4", "PAID"],
];

fn write(place: &Place, name: &str, text: &str) {
    std::fs::write(place.path().join(name), text).expect("written");
}

/// Returns the causes of the failures of a decoder of the description with a bug.
fn causes(place: &Place, [wrong, right, _]: [&str; 3]) -> Vec<Value> {
    assert_eq!(DESCRIPTION.matches(right).count(), 1, "{right}");
    write(place, "wrong.yaml", &DESCRIPTION.replace(right, wrong));
    let reader = [
        env!("CARGO_BIN_EXE_tracegauge"),
        "reader",
        "serve",
        "--spec",
        "wrong.yaml",
    ];
    let reader = serde_json::to_string(&reader).expect("JSON");
    write(
        place,
        "reader.yaml",
        &format!(
            "name: wrong\nversion: 1\ncommand: {reader}\nmode: serve\nformats: [ledger]\n\
             reports: records\n"
        ),
    );
    let run = [
        "run",
        "--spec",
        "ledger.yaml",
        "--reader",
        "reader.yaml",
        "--quiet",
    ];
    let ran = place.tracegauge(&[&run[..], &["--json", "result.json"]].concat());
    assert_eq!(ran.status, Some(1), "{}", ran.all());
    let result = std::fs::read_to_string(place.path().join("result.json")).expect("a result");
    let result: Value = serde_json::from_str(&result).expect("JSON");
    let causes = result["readers"][0]["causes"].as_array().expect("causes");
    causes.clone()
}

#[test]
fn a_required_value_that_a_reader_computes_incorrectly_is_named() {
    let place = Place::new();
    write(&place, "ledger.yaml", DESCRIPTION);
    for bug in BUGS {
        let causes = causes(&place, bug);
        assert_eq!(causes.len(), 1, "{bug:?}: {causes:#?}");
        assert_eq!(causes[0]["rule"], bug[2], "{bug:?}: {causes:#?}");
        assert_eq!(causes[0]["confidence"], "likely", "{bug:?}: {causes:#?}");
    }
}
