//! Tests that a minimized trace keeps the required property and that nothing more can be removed.

use crate::support::tlv;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};
use tracegauge_plan::terms::RuleId;

use proptest::prelude::*;
use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::{Judgement, decode, decode_tree, judge};
use tracegauge_generator::fault::{OtherFormats, decoded, systematic};
use tracegauge_generator::minimize::{Minimized, minimize};
use tracegauge_generator::tape::Tape;
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::{Kind, LayoutPlan, LayoutSource, OpId, Plan};
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

fn generator() -> &'static Generator {
    static GENERATOR: OnceLock<Generator> = OnceLock::new();
    GENERATOR.get_or_init(tlv::generator)
}

fn trace(seed: u64, bytes: u64) -> Vec<u8> {
    let options = Options {
        bytes,
        fill: true,
        ..Options::default()
    };
    let made = generator().from_seed(seed, options);
    made.expect("a trace").bytes
}

/// Minimizes a trace without a time limit. Checks that the result has the property and cannot be
/// minimized further.
fn smallest(bytes: &[u8], shows: impl Fn(&[u8]) -> bool) -> Minimized {
    let found = minimize(generator(), bytes, &mut |candidate| Some(shows(candidate)));
    assert!(shows(&found.bytes));
    assert!(found.settled);
    let again = minimize(generator(), &found.bytes, &mut |candidate| {
        Some(shows(candidate))
    });
    assert_eq!(again.bytes, found.bytes);
    found
}

fn is_accepted(bytes: &[u8]) -> bool {
    judge(generator().plan(), bytes).judgement == Judgement::Accepted
}

/// Returns the rule for which a trace is rejected.
fn broken(bytes: &[u8]) -> Option<RuleId> {
    judge(generator().plan(), bytes).violation()?.rule
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_valid_trace_keeps_one_record_of_a_kind(seed in any::<u64>()) {
        let plan = generator().plan();
        let has_reading = |bytes: &[u8]| {
            let (_, records) = decode(plan, bytes);
            records.iter().any(|record| &*record.kind == "reading")
        };
        let whole = trace(seed, 600);
        prop_assume!(has_reading(&whole));
        let found = smallest(&whole, |bytes| is_accepted(bytes) && has_reading(bytes));
        prop_assert!(found.bytes.len() < whole.len(), "{} bytes", found.bytes.len());
    }

    #[test]
    fn a_valid_trace_keeps_nothing_where_nothing_matters(seed in any::<u64>()) {
        let found = smallest(&trace(seed, 600), is_accepted);
        // A header without a label, the last entry, and the trailer.
        prop_assert!(found.bytes.len() <= 20, "{} bytes", found.bytes.len());
    }

    /// Any byte string is a tape and may request long values, but a small tape must not lead to a
    /// trace that is larger by orders of magnitude. A tape requests nothing beyond its end.
    #[test]
    fn no_tape_asks_for_more_than_its_bytes_can(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        const LONGEST: u64 = 100;
        let most = (bytes.len() as u64 + 10) * LONGEST;
        let tape = Tape { recorded: true, bytes, ..Tape::default() };
        let options = Options { longest: LONGEST, ..Options::default() };
        if let Ok(made) = generator().generate(&tape, options) {
            prop_assert!(made.bytes.len() as u64 <= most, "{} bytes", made.bytes.len());
        }
    }

    #[test]
    fn a_malformed_trace_keeps_its_fault(seed in any::<u64>(), pick in any::<prop::sample::Index>()) {
        let plan = generator().plan();
        let twins = decoded(plan, [trace(seed, 300)]);
        let cases = systematic(plan, (&twins, &[]), &OtherFormats::default()).cases;
        prop_assume!(!cases.is_empty());
        let (_, case) = pick.get(&cases);
        let rule = broken(&case.bytes);
        prop_assume!(rule.is_some());
        let found = smallest(&case.bytes, |bytes| broken(bytes) == rule);
        prop_assert!(found.bytes.len() <= case.bytes.len(), "{}", case.id);
    }
}

/// Returns the values described by the trace itself: the operation and bytes of each.
fn described(plan: &Plan, bytes: &[u8]) -> Vec<(OpId, Vec<u8>)> {
    let (_, tree) = decode_tree(plan, bytes);
    let is_layout = |node: &NodeId| matches!(plan.op(tree.node(*node).op).kind, Kind::Layout(_));
    let nodes = (0..tree.nodes.len()).filter_map(|number| NodeId::try_from(number).ok());
    let layouts: Vec<NodeId> = nodes.filter(is_layout).collect();
    // The elements of a value have no description of their own: the type of the value describes
    // them.
    let inside = |node: &NodeId| {
        layouts
            .iter()
            .any(|of| of < node && *node < tree.node(*of).end)
    };
    let outermost = layouts.iter().filter(|node| !inside(node));
    let values = outermost.flat_map(|layout| tree.children(*layout).collect::<Vec<_>>());
    // Skip the bytes that indicate whether an optional value is present.
    let codes = plan.layouts.iter().flat_map(|layout| &layout.codes);
    let codes: HashSet<OpId> = codes.map(|code| code.op).collect();
    let values = values.filter(|value| codes.contains(&tree.node(*value).op));
    let values = values.map(|value| {
        let (op, span) = (tree.node(value).op, tree.node(value).span);
        (op, bytes[span.start as usize..span.end as usize].to_vec())
    });
    values.collect()
}

/// The description of a value is removed together with the value, whatever their order in the
/// trace.
#[test]
fn a_described_value_stays_alone() {
    let mut tried = 0;
    for format in bundled::list() {
        let schema = Arc::new(format.load().schema.expect("no mistakes"));
        for dialect in &schema.dialects {
            let Ok(plan) = lower(&schema, &dialect.id).map(Arc::new) else {
                continue;
            };
            let by_row = |layout: &LayoutPlan| matches!(layout.source, LayoutSource::Row(..));
            if !plan.layouts.iter().any(by_row) {
                continue;
            }
            let generator = Generator::new(Arc::clone(&plan));
            let accepted = |bytes: &[u8]| judge(&plan, bytes).judgement == Judgement::Accepted;
            let options = Options {
                bytes: 200,
                fill: true,
                ..Options::default()
            };
            let traces = (0..200).filter_map(|seed| generator.from_seed(seed, options).ok());
            let traces = traces
                .map(|made| made.bytes)
                .filter(|bytes| accepted(bytes));
            let with_many = |bytes: &Vec<u8>| described(&plan, bytes).len() >= 3;
            for whole in traces.filter(with_many).take(3) {
                let values = described(&plan, &whole);
                let wanted = &values[values.len() / 2];
                let shows =
                    |bytes: &[u8]| accepted(bytes) && described(&plan, bytes).contains(wanted);
                let found = minimize(&generator, &whole, &mut |bytes| Some(shows(bytes)));
                let left = described(&plan, &found.bytes);
                assert_eq!(
                    left,
                    std::slice::from_ref(wanted),
                    "{}: {:x?}",
                    plan.format,
                    found.bytes
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 6, "{tried}");
}

#[test]
fn it_ends_when_the_time_is_over() {
    let whole = trace(7, 2000);
    let mut asked = 0;
    let found = minimize(generator(), &whole, &mut |_| {
        asked += 1;
        (asked <= 5).then_some(false)
    });
    assert_eq!(found.bytes, whole);
    assert!(!found.settled);
    assert_eq!(asked, 6);
}
