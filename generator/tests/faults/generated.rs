//! Tests with generated traces of every corpus format as twins.

use tracegauge_generator::fault::{Operator, OtherFormats, decoded, sites, systematic};

use super::support::{described, generated, hex, identities, plans};

#[test]
fn operators_and_decoder_agree_on_generated_traces() {
    let plans = plans();
    assert!(!plans.is_empty());
    for plan in plans {
        let found = systematic(
            &plan,
            (&decoded(&plan, generated(&plan, 0..12)), &[]),
            &OtherFormats::default(),
        );
        assert!(
            found.refusals.is_empty(),
            "{}: {:#?}",
            plan.format,
            found.refusals
        );
        assert!(!found.cases.is_empty(), "{}", plan.format);
    }
}

#[test]
fn identities_are_unique_and_so_are_bytes() {
    for plan in plans() {
        let found = systematic(
            &plan,
            (&decoded(&plan, generated(&plan, 20..26)), &[]),
            &OtherFormats::default(),
        );
        let ids = identities(&found);
        let mut once = ids.clone();
        once.dedup();
        assert_eq!(ids, once);
        let mut bytes: Vec<&[u8]> = found
            .cases
            .iter()
            .map(|(_, c)| c.bytes.as_slice())
            .collect();
        let all = bytes.len();
        bytes.sort_unstable();
        bytes.dedup();
        assert_eq!(all, bytes.len());
    }
}

#[test]
fn sites_are_listed_once() {
    for plan in plans() {
        let mut known = std::collections::HashSet::new();
        for site in sites(&plan) {
            // Two tests of the same field may lead to the same change.
            let is_value = matches!(site.operator, Operator::Number(..));
            assert!(known.insert(site.clone()) || is_value, "{site:?}");
        }
    }
}

/// A Kaitai Struct description, which names no rules.
const PLAIN: &str = "
meta: { id: plain, endian: be }
seq:
  - { id: magic, contents: [0x4b, 0x53] }
  - { id: version, type: u2, valid: 3 }
  - { id: count, type: u1 }
  - { id: names, type: name, repeat: expr, repeat-expr: count }
types:
  name:
    seq:
      - { id: len, type: u1 }
      - { id: text, type: str, size: len, encoding: ASCII }
";

#[test]
fn a_plain_description_gets_cases_without_rules() {
    let plan = described(PLAIN, "plain");
    let twins = decoded(&plan, [hex("4b53 0003 02 01 61 02 6263")]);
    let found = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    assert!(found.refusals.is_empty(), "{:#?}", found.refusals);
    let ids = identities(&found);
    for wanted in [
        "no-rule/bit-flipped/magic",
        "no-rule/byte-swapped/version",
        "no-rule/cut-inside/names.text",
        "no-rule/claims-most/names.len",
        "no-rule/one-more/count",
    ] {
        assert!(ids.contains(&wanted), "{wanted} is not in {ids:#?}");
    }
    assert!(found.cases.iter().all(|(_, case)| case.rules().is_empty()));
}
