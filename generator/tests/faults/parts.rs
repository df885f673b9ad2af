//! Tests of faults in a small description with features that the bundled formats may lack.

use tracegauge_generator::fault::{OtherFormats, Systematic, decoded, systematic};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::ReaderDuty;

use super::support::{described, golden, hex, identities};

const DESCRIPTION: &str = include_str!("parts.yaml");

/// Definitions of the names 1 (`ab`) and 2 (`c`); a use of name 1 at position 5; values; the
/// removal of name 1; a use of name 2 at position 9; the removal of all names; the end.
const TRACE: &str = "
    5054 0102
    0009 01 0002 01 616200 02 6300
    0006 02 01 00000005 81
    0010 03 7e e400 00 00000062 0001 0002 0003 0004
    0001 04 01
    0006 02 02 00000009 00
    0001 05 02
    0000 00";

/// A trace with an unused name.
const UNUSED: &str = "5054 0102 0005 01 0001 07 7a00 0000 00";

fn found() -> (Plan, Systematic) {
    let plan = described(DESCRIPTION, "parts-v1");
    let twins = decoded(&plan, [hex(TRACE), hex(UNUSED)]);
    assert_eq!(twins.len(), 2, "both twins are valid");
    let found = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    (plan, found)
}

#[test]
fn operators_and_decoder_agree_everywhere() {
    let (_, found) = found();
    assert!(found.refusals.is_empty(), "{:#?}", found.refusals);
}

#[test]
fn the_cases_are_those_on_the_list() {
    golden("parts.cases", &identities(&found().1));
}

#[test]
fn every_rule_that_a_reader_holds_to_is_broken() {
    let (plan, found) = found();
    for (id, rule) in plan.rules.entries() {
        // The outermost size can only extend past the end of the file, not of a part.
        if rule.duty != ReaderDuty::Reject || rule.id == "BLOCK-PAST" {
            continue;
        }
        let mut rules = found.cases.iter().flat_map(|(_, case)| case.rules());
        assert!(
            rules.any(|broken| broken == id),
            "{} is never broken",
            rule.id
        );
    }
}

#[test]
fn sizes_and_counts_follow_and_the_rest_keeps_its_bytes() {
    let (_, found) = found();
    let bytes = |id: &str| {
        let mut cases = found.cases.iter();
        let case = cases.find(|(_, case)| case.id == id);
        case.map(|(_, case)| case.bytes.clone())
            .unwrap_or_else(|| panic!("no {id}"))
    };
    // The block has one more byte, and its size matches.
    assert_eq!(
        bytes("BLOCK-REST/extra-byte/blocks.body"),
        hex("5054 0102 0005 01 0001 07 7a00 0001 00 00")
    );
    // A longer string, and the updated size of its block.
    assert_eq!(
        bytes("NAME-UTF8/truncated-3/blocks.body.names.rows.text"),
        hex("5054 0102 0007 01 0001 07 7ae28200 0000 00")
    );
    // An additional row, and the updated count and size.
    assert_eq!(
        bytes("NAME-SAME/twice-same/blocks.body.names.rows"),
        hex("5054 0102 0008 01 0002 07 7a00 07 7a00 0000 00")
    );
    // If the fault is in the size, only the size changes.
    assert_eq!(
        bytes("CUT/claims-most/blocks.size"),
        hex("5054 0102 0005 01 0001 07 7a00 ffff 00")
    );
}
