//! Tests the mutants of the bundled descriptions.

use std::collections::BTreeSet;
use std::sync::Arc;

use tracegauge_plan::mutate::mutants;
use tracegauge_spec::bundled;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// Checks that every operator that occurs in the bundled descriptions has a description.
#[test]
fn every_operator_is_told_in_words() {
    let mut untold = BTreeSet::new();
    let mut count = 0;
    for format in bundled::list() {
        let loaded = format.load();
        let schema = Arc::new(loaded.schema.expect("a description that is right"));
        for dialect in format.ids() {
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

/// Checks that a mistake in the byte order is described by the rule that states the byte order, ahead
/// of the rules about the field.
#[test]
fn a_wrong_byte_order_breaks_the_rule_about_the_byte_order() {
    const TEXT: &str = "
meta: { id: t, endian: be, endian-rule: BIG-ENDIAN }
seq:
  - { id: number, type: u2, valid: { min: 1 }, rule: NUMBER }
rules:
  BIG-ENDIAN: { level: must, section: A, says: numbers are big-endian, reader: none, because: both are readable }
  NUMBER: { level: must, section: A, says: the number is positive, reader: reject }
";
    let loaded = load(&Memory::new().with("t.yaml", TEXT), "t.yaml");
    let said = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    let schema = Arc::new(loaded.schema.unwrap_or_else(|| panic!("{said}")));
    let plan = lower(&schema, &schema.dialects[0].id).expect("a plan");
    let first_rule = |operator: &str| {
        let all = mutants(&plan);
        let mutant = all.iter().find(|it| it.operator() == operator);
        let rules = mutant.expect("a mutant").place().rules(&plan);
        plan.rules[rules[0]].id.clone()
    };
    assert_eq!(first_rule("other-byte-order"), "BIG-ENDIAN");
    assert_eq!(first_rule("other-width"), "NUMBER");
    let unknown = TEXT.replace("endian-rule: BIG-ENDIAN", "endian-rule: BIG-ENDAIN");
    let loaded = load(&Memory::new().with("t.yaml", unknown.as_str()), "t.yaml");
    let said = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert!(said.contains("BIG-ENDAIN"), "{said}");
    assert!(said.contains("did you mean `BIG-ENDIAN`"), "{said}");
}

/// Checks that mutants that compute a value incorrectly break the only rule that compares the value,
/// even if the value is stored in a register or is the result of a query.
#[test]
fn a_wrong_computation_breaks_the_rule_that_the_value_serves() {
    const TEXT: &str = "
meta: { id: t, endian: le }
state: { peak: { type: u4, initial: 0 }, shown: { type: u4, initial: 0 } }
seq:
  - { id: cells, type: cell, repeat: expr, repeat-expr: 2 }
  - { id: low, type: u4, value: cells.min(value), rule: LOW }
  - { id: newest, type: u4, value: cells.last.value, rule: NEWEST }
  - { id: peak, type: u4, value: state.peak, rule: PEAK }
  - { id: shown, type: u4, value: state.shown, rule: SHOWN }
types:
  cell:
    sets: { peak: 'max(state.peak, value)', shown: value }
    seq: [ { id: value, type: u4 } ]
records: { cell: { from: cell, members: { before: state.shown } } }
rules:
  LOW: { level: must, section: A, says: the least, reader: reject }
  NEWEST: { level: must, section: A, says: the last, reader: reject }
  PEAK: { level: must, section: A, says: the greatest, reader: reject }
  SHOWN: { level: must, section: A, says: the shown, reader: reject }
";
    let loaded = load(&Memory::new().with("t.yaml", TEXT), "t.yaml");
    let said = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    let schema = Arc::new(loaded.schema.unwrap_or_else(|| panic!("{said}")));
    let plan = lower(&schema, &schema.dialects[0].id).expect("a plan");
    let all = mutants(&plan);
    let broken = |operator: &str| -> BTreeSet<Option<&str>> {
        let alike = all.iter().filter(|it| it.operator() == operator);
        let rules = alike.map(|it| it.place().rule.map(|rule| plan.rules[rule].id.as_str()));
        rules.collect()
    };
    let only = |rule| BTreeSet::from([Some(rule)]);
    assert_eq!(broken("other-extreme"), only("PEAK"));
    assert_eq!(broken("other-number-ignored"), only("PEAK"));
    assert_eq!(
        broken("other-element-asked"),
        BTreeSet::from([Some("LOW"), Some("NEWEST")])
    );
    // A value that records contain, too, does not serve a rule alone.
    assert_eq!(broken("counted-instead"), BTreeSet::from([None]));
}
