//! Tests the mutants of the bundled descriptions.

use std::collections::BTreeSet;
use std::sync::Arc;

use tracegauge_spec::bundled;
use tracegauge_spec::plan::lower;
use tracegauge_spec::plan::mutate::mutants;

/// Checks that every operator that occurs in the bundled descriptions has a description.
#[test]
fn every_operator_is_told_in_words() {
    let mut untold = BTreeSet::new();
    let mut count = 0;
    for format in bundled::list() {
        let loaded = format.load();
        let schema = Arc::new(loaded.schema.expect("a description that is right"));
        for dialect in &format.dialects {
            let plan = lower(&schema, dialect).expect("a plan");
            for mutant in mutants(&plan) {
                count += 1;
                let words = mutant.in_words();
                // Without a description, the words are the name of the operator.
                if words == mutant.operator() {
                    untold.insert(mutant.operator());
                }
                let is_whole = !words.contains("{}") && !words.contains("()");
                assert!(is_whole, "{}: {words}", mutant.name());
            }
        }
    }
    assert!(count > 1000, "{count} mutants");
    assert!(untold.is_empty(), "{untold:?}");
}
