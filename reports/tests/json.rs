//! Tests the format of the result file, and that the file can be read back.
#![allow(clippy::unwrap_used)]

use crate::common;
use common::{cases, story};
use tracegauge_results::json::{self, JsonError};
use tracegauge_results::{Outcome, Proof, Totals};

#[test]
fn a_result_fits_the_schema_and_comes_back_whole() {
    let result = story(&cases(), 14);
    let schema = serde_json::from_str(json::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let value = serde_json::to_value(&result).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|e| e.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    json::write(&result, &path).unwrap();
    assert_eq!(json::read(&path).unwrap(), result);
}

#[test]
fn the_schema_refuses_what_is_no_result() {
    let schema = serde_json::from_str(json::SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let good = serde_json::to_value(story(&cases(), 14)).unwrap();
    for (pointer, bad) in [
        ("/tracegauge_result", serde_json::json!(2)),
        ("/readers/0/totals/planned", serde_json::json!(-1)),
        ("/readers/0/cases/0/outcome", serde_json::json!("fine")),
        ("/readers/1/state", serde_json::json!({"lost": "x"})),
        ("/run/selection/shard", serde_json::json!("half")),
    ] {
        let mut value = good.clone();
        *value.pointer_mut(pointer).unwrap() = bad;
        assert!(!validator.is_valid(&value), "{pointer}");
    }
}

#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("result.json");
    let error = json::write(&story(&cases(), 14), &path).unwrap_err();
    assert_eq!(error.path, path);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    std::fs::write(&path, "{\"tracegauge_result\": 7}").unwrap();
    let error = json::read(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("result format 7 is not supported, expected 1"),
        "{error}"
    );
    std::fs::write(&path, "[]").unwrap();
    assert!(matches!(json::read(&path), Err(JsonError::Form(..))));
}

#[test]
fn totals_add_up_only_if_every_case_is_there() {
    let cases = cases();
    assert!(Totals::of(14, 2, &cases).add_up());
    assert!(!Totals::of(14, 1, &cases).add_up());
    let mut totals = Totals::of(14, 2, &cases);
    assert_eq!(totals.count(Outcome::WrongAccept), 3);
    assert_eq!(
        (
            totals.known,
            totals.warnings,
            totals.disputed,
            totals.failures
        ),
        (1, 1, 1, 3)
    );
    totals.known -= 1;
    assert!(!totals.add_up());
}

/// Checks that the documentation explains every reason that a result file can contain.
#[test]
fn every_reason_of_an_unproven_pass_is_explained() {
    let page = include_str!("../../docs/understand-a-failure.md");
    let (_, about) = page.split_once("\n## Unproven\n").unwrap();
    let schema: serde_json::Value = serde_json::from_str(json::SCHEMA).unwrap();
    let text = serde_json::to_string(&schema).unwrap();
    for proof in [
        Proof::NoTwin,
        Proof::TwinNotAnswered,
        Proof::TwinNotAccepted,
        Proof::TwinWrongRecords,
        Proof::WrongRecordsBefore,
        Proof::SiblingNotRejected,
        Proof::PerhapsCrashed,
        Proof::NoBetterThanChance,
    ] {
        let name = serde_json::to_string(&proof).unwrap();
        assert!(text.contains(&name), "{name}");
        let name = name.replace('"', "`");
        assert!(about.contains(&name), "{name}");
    }
}
