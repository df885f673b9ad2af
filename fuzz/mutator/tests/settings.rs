//! Tests the settings from the environment and the mutators that they select.

#![allow(clippy::unwrap_used, missing_docs)]

use tracegauge_mutator::{ChoiceError, Mutator as _, Settings, TraceMutator};

const DESCRIPTION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../spec/formats/dial9/v1/format.yaml"
);

fn settings(format: Option<&str>, spec: Option<&str>) -> Settings {
    Settings {
        format: format.map(str::to_owned),
        spec: spec.map(str::to_owned),
        repair: false,
    }
}

fn chosen(format: Option<&str>, spec: Option<&str>) -> Result<String, ChoiceError> {
    let plan = settings(format, spec).plan()?;
    Ok(plan.format.clone())
}

#[test]
fn a_format_or_a_description_is_named() {
    assert_eq!(chosen(Some("nettrace-v6"), None).unwrap(), "nettrace-v6");
    assert_eq!(chosen(Some("dial9"), None).unwrap(), "dial9-v1");
    let dialect = "dial9-v1@containers";
    assert_eq!(chosen(Some(dialect), None).unwrap(), dialect);
    assert_eq!(chosen(None, Some(DESCRIPTION)).unwrap(), "dial9-v1");
    assert_eq!(chosen(Some(dialect), Some(DESCRIPTION)).unwrap(), dialect);
}

#[test]
fn what_names_none_or_several_says_what_there_is() {
    for (format, spec, expected) in [
        (None, None, "set TRACEGAUGE_FORMAT to a format (dial9-v1"),
        (
            Some("netperf"),
            None,
            "one of them: netperf-v1, netperf-v2, netperf-v3",
        ),
        (
            Some("dial8"),
            None,
            "no description of the format `dial8`; known formats: ",
        ),
        (
            Some("dial8"),
            Some(DESCRIPTION),
            "no description of the format `dial8`; known formats: dial9-v1",
        ),
        (None, Some("/nowhere/at/all.yaml"), "/nowhere/at/all.yaml"),
    ] {
        let error = chosen(format, spec).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn malformed_traces_are_repaired_only_where_that_is_asked_for() {
    let mut as_it_is = TraceMutator::new(&settings(Some("dial9-v1"), None)).unwrap();
    let repairing = Settings {
        repair: true,
        ..settings(Some("dial9-v1"), None)
    };
    let mut repairing = TraceMutator::new(&repairing).unwrap();
    let unknown_frame = b"TRC\0\x01\xff";
    assert_eq!(as_it_is.repaired(unknown_frame), None);
    assert_eq!(repairing.repaired(unknown_frame).unwrap(), b"TRC\0\x01");
    // A trace that is valid or too long is not repaired.
    assert_eq!(repairing.repaired(b"TRC\0\x01"), None);
    assert_eq!(repairing.repaired(&[0xff; 5000]), None);
}
