//! Tests trees and queries of handwritten samples in plain Kaitai formats.

#[path = "../../generator/tests/kaitai/samples.rs"]
mod samples;

use serde_json::Value;
use tracegauge_cli::query::parsed;
use tracegauge_decoder::decode_tree;
use tracegauge_query::evaluate::{Evaluator, Found, Scope};

#[test]
fn every_sample_has_the_tree_that_was_written_down() {
    let mut failed = String::new();
    for sample in samples::samples() {
        let (_, tree) = decode_tree(&sample.plan, &sample.accepted);
        let evaluator = Evaluator::new(&sample.plan, &sample.schema, &tree);
        let wanted: Value = serde_json::from_str(&sample.tree).expect("JSON");
        let found = evaluator.json(&Found::Node(0));
        if found != wanted {
            failed += &format!("{}:\n  {found}\n  where\n  {wanted}\n", sample.name);
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn every_query_has_its_answer() {
    let mut failed = String::new();
    for sample in samples::samples() {
        let (_, tree) = decode_tree(&sample.plan, &sample.accepted);
        let evaluator = Evaluator::new(&sample.plan, &sample.schema, &tree);
        for (text, wanted) in &sample.queries {
            let expr = parsed(text).expect("an expression");
            let found = match evaluator.evaluate(&expr, Scope::of(0)) {
                Ok(found) => evaluator.json(&found).to_string(),
                Err(error) => error.to_string(),
            };
            let wanted: Value = serde_json::from_str(wanted).expect("JSON");
            let wanted = wanted.to_string();
            if found != wanted {
                failed += &format!("{}: {text} is {found}, not {wanted}\n", sample.name);
            }
        }
    }
    assert!(failed.is_empty(), "{failed}");
}
