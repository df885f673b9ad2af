//! Generated traces of every format that can be run, as twins.

use std::sync::Arc;

use tracegauge_generator::fault::{Operator, decoded, sites, systematic};
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::bundled;
use tracegauge_spec::plan::{Plan, lower};

use crate::support::{described, hex, identities};

/// The format takes part in the corpus. Others may be described and not yet be right.
fn in_corpus(format: &str) -> bool {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!("../corpus/manifest/{format}.yaml");
    root.join(manifest).is_file()
}

fn plans() -> Vec<Plan> {
    let mut plans = Vec::new();
    for format in bundled::list() {
        let schema = Arc::new(format.load().schema.unwrap());
        let dialects = schema
            .dialects
            .iter()
            .filter(|dialect| in_corpus(&dialect.id));
        plans.extend(dialects.map(|dialect| lower(&schema, &dialect.id).expect("a plan")));
    }
    plans
}

fn generated(plan: &Plan, seeds: std::ops::Range<u64>) -> Vec<Vec<u8>> {
    let generator = Generator::new(Arc::new(plan.clone()));
    let options = Options {
        bytes: 400,
        elements: 4,
        ..Options::default()
    };
    let made = seeds.filter_map(|seed| generator.from_seed(seed, options).ok());
    made.map(|made| made.bytes).collect()
}

#[test]
fn operators_and_decoder_agree_on_generated_traces() {
    let plans = plans();
    assert!(!plans.is_empty());
    for plan in plans {
        let found = systematic(&plan, &decoded(&plan, generated(&plan, 0..12)), &[]);
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
        let found = systematic(&plan, &decoded(&plan, generated(&plan, 20..26)), &[]);
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
            // Two tests of one field may want the same value changed.
            let is_value = matches!(site.operator, Operator::Number(..));
            assert!(known.insert(site.clone()) || is_value, "{site:?}");
        }
    }
}

/// A description as Kaitai has it, which names no rules.
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
    let found = systematic(&plan, &twins, &[]);
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
