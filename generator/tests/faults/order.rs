//! Tests of elements in the wrong place and of rows numbered by a list.

use tracegauge_generator::fault::{OtherFormats, Systematic, decoded, systematic};
use tracegauge_plan::Plan;

use super::support::{described, golden, hex, identities};

const DESCRIPTION: &str = include_str!("order.yaml");

/// A start block, a note, definitions of letters 7 and 8, a use of each, a block that clears all
/// letters, and the end block.
const TRACE: &str = "00 01ff 02 07 02 61 62 03 07 03 08 04 00 05";

fn found() -> (Plan, Systematic) {
    let plan = described(DESCRIPTION, "order-v1");
    let twins = decoded(&plan, [hex(TRACE), hex("00 05")]);
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
    golden("order.cases", &identities(&found().1));
}

#[test]
fn one_element_is_out_of_place_and_the_others_stay() {
    let (_, found) = found();
    let bytes = |id: &str| {
        let mut cases = found.cases.iter();
        let case = cases.find(|(_, case)| case.id == id);
        case.map(|(_, case)| case.bytes.clone())
            .unwrap_or_else(|| panic!("no {id}"))
    };
    for (id, trace) in [
        ("STARTS/first-missing-1/blocks", "05"),
        ("STARTS-ONCE/occurs-twice/blocks", "00 00 05"),
        ("STARTS/another-first-1/blocks", "05 00 05"),
        (
            "NOTE-FIRST/another-first/blocks",
            "01ff 00 01ff 02 07 02 61 62 03 07 03 08 04 00 05",
        ),
        ("ENDS/another-last/blocks", "00 05 00"),
        // Three repetitions of the letters: unchanged, with one of them changed, and with numbers
        // that start at the last number.
        (
            "SAME/twice-same/blocks.body.letters.rows",
            "00 01ff 02 07 02 61 62 02 07 02 61 62 03 07 03 08 04 00 05",
        ),
        (
            "OTHER/twice-different/blocks.body.letters.rows.value",
            "00 01ff 02 07 02 61 62 02 07 02 61 63 03 07 03 08 04 00 05",
        ),
        (
            "OTHER/numbers-overlap/blocks.body.letters.first",
            "00 01ff 02 07 02 61 62 02 08 02 61 62 03 07 03 08 04 00 05",
        ),
        (
            "REF/cleared-before/blocks.body.use.letter",
            "00 01ff 02 07 02 61 62 03 07 03 08 04 00 03 08 05",
        ),
    ] {
        assert_eq!(bytes(id), hex(trace), "{id}");
    }
}
