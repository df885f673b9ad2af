//! Tests of generating, encoding, recording and damaging traces with container type codes.

use crate::examples;
use crate::support;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use proptest::prelude::*;
use tracegauge_decoder::decode_tree;
use tracegauge_generator::fault::{OtherFormats, decoded, systematic};
use tracegauge_generator::laws::{check_decode, check_identities, check_made, check_tape};
use tracegauge_generator::tape::tapes;
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::{Kind, LayoutUseId, NestedForm};
use tracegauge_spec::load::load;

fn generator() -> &'static Generator {
    static GENERATOR: OnceLock<Generator> = OnceLock::new();
    GENERATOR.get_or_init(|| {
        let examples = examples::examples();
        let example = examples.iter().find(|e| e.name == "nested-layouts");
        let example = example.expect("the example is there");
        let schema = support::schema(load(&example.files(), &example.path()));
        let plan = support::plan(&schema, "nested");
        Generator::new(plan.unwrap_or_else(|errors| panic!("{errors}")))
    })
}

fn options() -> Options {
    Options {
        bytes: 4000,
        ..Options::default()
    }
}

#[test]
fn every_code_comes_inside_every_code_that_holds_others() {
    let generator = generator();
    let plan = generator.plan();
    let codes = &plan.layouts[LayoutUseId(0)].codes;
    let mut seen = BTreeSet::new();
    for seed in 0..600 {
        let made = generator.from_seed(seed, options());
        let made = made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        check_made(generator, &made).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
        for layout in &made.tree.layouts {
            for (number, field) in layout.fields.iter().enumerate() {
                let inside = &layout.fields[layout.inside(number)];
                seen.extend(inside.iter().map(|inside| (field.code, inside.code)));
            }
        }
    }
    let mut missing = Vec::new();
    for (outer, code) in (0..).zip(codes) {
        let Kind::Nested(nested) = plan.op(code.op).kind else {
            continue;
        };
        let located = matches!(plan.nested[nested].form, NestedForm::Located(_));
        for (inner, held) in (0..).zip(codes) {
            let variable = ["Array", "Text", "Maybe"].contains(&held.name.as_str());
            let impossible = located && variable;
            if !impossible && !seen.contains(&(outer, inner)) {
                missing.push(format!("{} in {}", held.name, code.name));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn located_values_are_shared_overlap_and_leave_gaps() {
    let generator = generator();
    let (mut shared, mut overlap, mut gaps) = (false, false, false);
    for seed in 0..300 {
        let made = generator.from_seed(seed, options());
        let tree = made
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"))
            .tree;
        let nodes = (0..).zip(&tree.nodes);
        for (id, _) in nodes
            .filter(|(_, node)| generator.plan().op(node.op).kind == Kind::Layout(LayoutUseId(0)))
        {
            let views: Vec<_> = tree
                .children(id)
                .filter(|child| tree.is_view(*child))
                .map(|child| tree.node(child).span)
                .filter(|span| span.end > span.start)
                .collect();
            for (at, a) in views.iter().enumerate() {
                for b in &views[at + 1..] {
                    shared |= a == b;
                    overlap |= a != b && a.start < b.end && b.start < a.end;
                }
                let touches = |b: &&tracegauge_decoder::Span| b.end == a.start;
                gaps |= at > 0 && !views.iter().any(|b| touches(&b));
            }
        }
    }
    assert!(shared && overlap && gaps, "{shared} {overlap} {gaps}");
}

/// Returns a trace with a row that uses every kind of container and an event of that row with the
/// given bytes.
fn event(payload: &[u8]) -> Vec<u8> {
    let row = b"\x01\x07\x00\x04a\0\x05\x01b\0\x06\x05\x0ac\0\x03\x02\x01n\0\x07d\0\x04\x08\x02";
    let size = u16::try_from(payload.len()).expect("a small payload");
    let parts: [&[u8]; 5] = [b"\x02", row, b"\x02\x07\x00", &size.to_le_bytes(), payload];
    parts.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_tape_makes_a_trace_that_comes_back(tape in tapes(600)) {
        check_tape(generator(), &tape, options()).unwrap_or_else(|broken| panic!("{broken}"));
    }

    #[test]
    fn any_payload_comes_back_or_is_rejected(
        payload in proptest::collection::vec(prop_oneof![4 => 0_u8..40, 1 => any::<u8>()], 0..60)
    ) {
        let bytes = event(&payload);
        let verdict = check_decode(generator().plan(), &bytes).unwrap_or_else(|broken| panic!("{broken}"));
        if verdict.tolerable() {
            check_identities(generator(), &bytes).unwrap_or_else(|broken| panic!("{broken}"));
        }
    }

    #[test]
    fn damaged_traces_are_decoded_in_bounds(
        seed in 0_u64..500,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)
    ) {
        let made = generator().from_seed(seed, options()).unwrap_or_else(|error| panic!("{error}"));
        let mut bytes = made.bytes;
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let verdict = check_decode(generator().plan(), &bytes).unwrap_or_else(|broken| panic!("{broken}"));
        if verdict.tolerable() {
            check_identities(generator(), &bytes).unwrap_or_else(|broken| panic!("{broken}"));
        }
    }
}

#[test]
fn overlapping_places_and_gaps_come_back() {
    // Words, which encode locations, at positions 0 and 4; `c` is empty; then the values at these
    // locations, of which the text has four bytes.
    let fields = b"\x00\x00\x08\x00\x12\x00\x04\x00\x00\x00A\0B\0";
    for (first, second) in [(8_u8, 14_u8), (6, 16), (10, 0), (7, 8)] {
        let mut payload = fields.to_vec();
        payload[0] = first;
        payload[4] = second;
        payload.extend_from_slice(&[1; 20]);
        let bytes = event(&payload);
        let (verdict, tree) = decode_tree(generator().plan(), &bytes);
        assert!(verdict.tolerable(), "{verdict:?}");
        assert!(
            tree.nodes
                .iter()
                .enumerate()
                .any(|(id, _)| tree.is_view(u32::try_from(id).expect("few nodes")))
        );
        check_identities(generator(), &bytes).unwrap_or_else(|broken| panic!("{broken}"));
    }
}

#[test]
fn operators_reach_inside_and_the_decoder_agrees() {
    let generator = generator();
    let plan = generator.plan();
    let small = Options {
        bytes: 200,
        elements: 12,
        ..Options::default()
    };
    let traces = (0..60).filter_map(|seed| generator.from_seed(seed, small).ok());
    let twins = decoded(plan, traces.map(|made| made.bytes));
    let found = systematic(plan, (&twins, &[]), &OtherFormats::default());
    let refused = found.refusals.iter().map(|(_, refusal)| {
        format!(
            "{}: {:?}, found {:?}",
            refusal.malformed.id, refusal.malformed.expected, refusal.found
        )
    });
    let refused: Vec<String> = refused.collect();
    assert!(refused.is_empty(), "{refused:#?}");
    let cases: BTreeSet<&str> = found.cases.iter().map(|(_, case)| case.operator).collect();
    for operator in [
        "names-farthest",
        "names-past-end",
        "names-part-of-element",
        "variable-size",
    ] {
        assert!(cases.contains(operator), "{operator} in {cases:?}");
    }
}

#[test]
fn faults_are_put_into_containers() {
    let generator = generator();
    let plan = generator.plan();
    // An array of objects with a flag.
    let bytes = b"\x02\x01\x07\x00\x01a\0\x03\x02\x01f\0\x0a\x02\x07\x00\x04\x00\x02\x00\x01\x01";
    let twins = decoded(plan, [bytes.to_vec()]);
    assert_eq!(twins.len(), 1);
    let found = systematic(plan, (&twins, &[]), &OtherFormats::default());
    let flag = plan.layouts[LayoutUseId(0)]
        .codes
        .iter()
        .find(|code| code.name == "Flag");
    let flag = flag.expect("there is such a code").op;
    let inside = found.cases.iter().filter(|(_, case)| case.site.op == flag);
    let paths: BTreeSet<&str> = inside.map(|(_, case)| case.path()).collect();
    assert!(
        paths
            .iter()
            .any(|path| path.starts_with("frames[1].body.payload[0][") && path.ends_with("][0]")),
        "{paths:?}"
    );
    let refused: Vec<_> = found
        .refusals
        .iter()
        .map(|(_, refusal)| &refusal.malformed.id)
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
}
