//! Tests of type codes that contain other types, with traces assembled by hand.

#![allow(clippy::unwrap_used)]

#[path = "../../spec/tests/examples/mod.rs"]
#[allow(dead_code)]
mod examples;

use std::sync::{Arc, OnceLock};

use tracegauge_decoder::{Judgement, Verdict, decode};
use tracegauge_plan::Plan;
use tracegauge_spec::load::load;
use tracegauge_spec::lower::lower;

fn plan() -> &'static Plan {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    PLAN.get_or_init(|| {
        let examples = examples::examples();
        let example = examples
            .iter()
            .find(|e| e.name == "nested-layouts")
            .unwrap();
        let schema = load(&example.files(), &example.path()).schema.unwrap();
        lower(&Arc::new(schema), "nested").unwrap()
    })
}

const NUMBER: &[u8] = &[1];
const LETTER: &[u8] = &[7];
const WIDE: &[u8] = &[8];
const TEXT: &[u8] = &[9];
const FLAG: &[u8] = &[10];

fn object(fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
    [vec![2], described(fields)].concat()
}

fn array(element: &[u8]) -> Vec<u8> {
    [&[3], element].concat()
}

fn fixed(element: &[u8], count: u8) -> Vec<u8> {
    [&[4], element, &[count]].concat()
}

fn far(element: &[u8]) -> Vec<u8> {
    [&[5], element].concat()
}

fn apart(element: &[u8]) -> Vec<u8> {
    [&[6], element].concat()
}

fn maybe(element: &[u8]) -> Vec<u8> {
    [&[11], element].concat()
}

/// Encodes a list of described fields.
fn described(fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(fields.len()).unwrap()];
    for (name, kind) in fields {
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(kind);
    }
    bytes
}

fn word(offset: u16, size: u16) -> Vec<u8> {
    [offset.to_le_bytes(), size.to_le_bytes()].concat()
}

/// Returns a trace with row 9, which describes `fields`, and one event of that row.
fn trace(fields: &[(&str, Vec<u8>)], payload: &[u8]) -> Vec<u8> {
    let size = u16::try_from(payload.len()).unwrap().to_le_bytes();
    [
        &[2, 1, 9, 0],
        described(fields).as_slice(),
        &[2, 9, 0],
        &size,
        payload,
    ]
    .concat()
}

/// Returns the verdict and the records as JSON.
fn read(fields: &[(&str, Vec<u8>)], payload: &[u8]) -> (Verdict, String) {
    let (verdict, records) = decode(plan(), &trace(fields, payload));
    let shown = records.iter().map(ToString::to_string).collect::<String>();
    (verdict, shown)
}

/// Returns the fields of an accepted event as JSON.
fn shown(fields: &[(&str, Vec<u8>)], payload: &[u8]) -> String {
    let (verdict, shown) = read(fields, payload);
    assert_eq!(verdict.judgement, Judgement::Accepted, "{verdict:?}");
    let start = "{\"record\":\"event\",\"id\":9,\"fields\":";
    shown
        .strip_prefix(start)
        .and_then(|rest| rest.strip_suffix('}'))
        .unwrap_or_else(|| panic!("{shown}"))
        .to_owned()
}

/// Returns the rules that a trace exercises.
fn rules(verdict: &Verdict) -> Vec<&str> {
    let shown = verdict.shown.iter();
    shown
        .map(|shown| plan().rules[shown.rule].id.as_str())
        .collect()
}

/// Returns the rule, path and position of the violation in a rejected trace.
fn fault(bytes: &[u8]) -> (String, String, u64) {
    let (verdict, _) = decode(plan(), bytes);
    let violation = verdict.violation().unwrap();
    let rule = violation.rule.map(|rule| plan().rules[rule].id.clone());
    (
        rule.unwrap_or_default(),
        violation.path.clone(),
        violation.span.start,
    )
}

#[test]
fn structures_and_lists_nest() {
    let point = object(&[("x", NUMBER.to_vec()), ("t", TEXT.to_vec())]);
    let fields = [("points", array(&point)), ("n", NUMBER.to_vec())];
    let payload = b"\x02\x00\x01\0\0\0a\0\x02\0\0\0\0\x07\0\0\0";
    assert_eq!(
        shown(&fields, payload),
        r#"[["points",[[["x",1],["t","a"]],[["x",2],["t",""]]]],["n",7]]"#
    );
}

#[test]
fn the_description_gives_the_number_of_elements() {
    let fields = [("f", fixed(&fixed(NUMBER, 1), 2)), ("e", fixed(NUMBER, 0))];
    assert_eq!(
        shown(&fields, b"\x01\0\0\0\x02\0\0\0"),
        r#"[["f",[[1],[2]]],["e",[]]]"#
    );
}

#[test]
fn code_units_are_one_text_in_a_list_and_numbers_alone() {
    let fields = [
        ("a", array(LETTER)),
        ("w", fixed(WIDE, 2)),
        ("l", LETTER.to_vec()),
        ("f", far(WIDE)),
        ("e", fixed(LETTER, 0)),
    ];
    let payload = [
        b"\x02\0hi".as_slice(),
        b"\x3d\xd8\0\xde",
        b"A",
        &word(0, 2),
        b"Z\0",
    ]
    .concat();
    assert_eq!(
        shown(&fields, &payload),
        "[[\"a\",\"hi\"],[\"w\",\"\u{1f600}\"],[\"l\",65],[\"f\",\"Z\"],[\"e\",\"\"]]"
    );
}

#[test]
fn half_a_character_is_no_text() {
    let (verdict, shown) = read(&[("w", array(WIDE))], b"\x01\0\x3d\xd8");
    assert_eq!(verdict.judgement, Judgement::Either { open: false });
    assert!(shown.contains(r#"["w",{"hex":"3dd8"}]"#), "{shown}");
}

#[test]
fn located_values_count_from_their_end_or_from_the_start() {
    let fields = [
        ("n", NUMBER.to_vec()),
        ("far", far(NUMBER)),
        ("apart", apart(NUMBER)),
        ("all", apart(NUMBER)),
    ];
    // The fields end at 16. The offset of `far` counts from 8, and the others count from 0.
    let payload = [
        &[1, 0, 0, 0],
        word(12, 4).as_slice(),
        &word(16, 8),
        &word(0, 4),
        &[2, 0, 0, 0, 3, 0, 0, 0],
    ]
    .concat();
    assert_eq!(
        shown(&fields, &payload),
        r#"[["n",1],["far",[3]],["apart",[2,3]],["all",[1]]]"#
    );
}

#[test]
fn located_values_in_objects_count_from_the_start_of_the_outermost() {
    let inner = object(&[("b", FLAG.to_vec()), ("at", apart(FLAG))]);
    let fields = [("n", NUMBER.to_vec()), ("o", inner)];
    let payload = [&[1, 0, 0, 0, 1], word(9, 2).as_slice(), &[0, 1]].concat();
    assert_eq!(
        shown(&fields, &payload),
        r#"[["n",1],["o",[["b",true],["at",[false,true]]]]]"#
    );
}

#[test]
fn what_is_located_may_be_located_in_turn() {
    let payload = [word(0, 8), word(4, 1), word(1, 2), vec![1, 0, 1]].concat();
    assert_eq!(
        shown(&[("f", far(&far(FLAG)))], &payload),
        r#"[["f",[[true],[false,true]]]]"#
    );
}

#[test]
fn a_place_that_is_not_there_has_no_value() {
    let fields = [("f", far(NUMBER)), ("n", NUMBER.to_vec())];
    for words in [word(5, 4), word(0xffff, 4), word(0, 0xfffc)] {
        let (verdict, shown) = read(&fields, &[words.as_slice(), &[1, 0, 0, 0]].concat());
        assert_eq!(verdict.judgement, Judgement::Accepted);
        assert_eq!(rules(&verdict), ["FAR"]);
        assert!(shown.contains(r#"["f",{"missing""#), "{shown}");
        assert!(shown.contains(r#"["n",1]"#), "{shown}");
    }
    let (verdict, shown) = read(&fields, &[word(0, 3).as_slice(), &[1, 0, 0, 0]].concat());
    assert_eq!(rules(&verdict), ["FAR"]);
    assert_eq!(verdict.shown[0].first.start, 17);
    assert!(shown.contains(r#"["f",{"missing""#), "{shown}");
}

#[test]
fn bytes_behind_the_furthest_place_belong_to_nobody() {
    let fields = [("f", far(NUMBER))];
    let gap = [word(2, 4).as_slice(), &[9, 9, 1, 0, 0, 0]].concat();
    let (verdict, _) = read(&fields, &gap);
    assert_eq!(rules(&verdict), [""; 0]);
    let (verdict, _) = read(&fields, &[gap.as_slice(), &[9]].concat());
    assert_eq!(rules(&verdict), ["REST"]);
    assert_eq!(verdict.shown[0].first.end - verdict.shown[0].first.start, 1);
}

#[test]
fn a_count_may_mean_that_there_is_no_list() {
    let fields = [("m", maybe(NUMBER)), ("k", maybe(FLAG))];
    assert_eq!(
        shown(&fields, b"\xff\x02\x01\x00"),
        r#"[["m",null],["k",[true,false]]]"#
    );
    let bytes = trace(&fields, b"\xfe");
    let (_, path, _) = fault(&bytes);
    assert_eq!(path, "frames[1].body.payload[0]");
}

#[test]
fn what_is_located_has_a_fixed_size() {
    for kind in [
        far(TEXT),
        apart(&array(NUMBER)),
        far(&fixed(&object(&[("t", TEXT.to_vec())]), 2)),
    ] {
        let bytes = trace(&[("n", NUMBER.to_vec()), ("f", kind)], &[]);
        let (rule, path, start) = fault(&bytes);
        assert_eq!(rule, "SAME_SIZE");
        assert_eq!(path, "frames[0].body.fields[1].type");
        assert_eq!(start, 10);
    }
    let deep = array(&far(TEXT));
    let (rule, path, _) = fault(&trace(&[("f", deep)], &[]));
    assert_eq!(
        (rule.as_str(), path.as_str()),
        ("SAME_SIZE", "frames[0].body.fields[0].type.element")
    );
    let allowed = far(&object(&[("f", far(NUMBER)), ("g", fixed(FLAG, 3))]));
    let (verdict, _) = read(&[("f", allowed)], &word(0, 0));
    assert_eq!(verdict.judgement, Judgement::Accepted);
}

#[test]
fn faults_inside_are_found_at_their_path() {
    let inner = object(&[("n", NUMBER.to_vec()), ("b", array(FLAG))]);
    let fields = [("n", NUMBER.to_vec()), ("o", array(&inner))];
    let payload = b"\0\0\0\0\x01\0\0\0\0\0\x02\0\x01\x05";
    let (rule, path, start) = fault(&trace(&fields, payload));
    assert_eq!(rule, "WHOLE");
    assert_eq!(path, "frames[1].body.payload[1][0][1][1]");
    let event = trace(&fields, payload).len() as u64;
    assert_eq!(start, event - 1);

    let flags = [
        ("n", FLAG.to_vec()),
        ("f", far(&object(&[("x", FLAG.to_vec())]))),
    ];
    let payload = [&[1], word(0, 3).as_slice(), &[1, 0, 7]].concat();
    let (_, path, _) = fault(&trace(&flags, &payload));
    assert_eq!(path, "frames[1].body.payload[1][2][0]");
}

#[test]
fn a_payload_that_ends_early_is_a_fault_where_it_ends() {
    let (rule, path, _) = fault(&trace(&[("a", array(NUMBER))], b"\x02\0\x01\0\0\0\x01"));
    assert_eq!(
        (rule.as_str(), path.as_str()),
        ("WHOLE", "frames[1].body.payload[0][1]")
    );
    let (_, path, _) = fault(&trace(&[("a", array(LETTER))], b"\x03\0ab"));
    assert_eq!(path, "frames[1].body.payload[0]");
}

#[test]
fn values_without_bytes_cost_nothing() {
    let mut kind = fixed(NUMBER, 0);
    for _ in 0..40 {
        kind = fixed(&kind, 255);
    }
    let counted = array(&kind);
    let (verdict, shown) = read(&[("f", kind), ("a", counted)], b"\xff\xff");
    assert_eq!(verdict.judgement, Judgement::Accepted);
    assert!(shown.contains(r#"{"free":true}"#));
    assert!(shown.len() < 1_000_000);
}

#[test]
fn places_that_name_each_other_are_not_followed_for_ever() {
    let mut kind = NUMBER.to_vec();
    for _ in 0..30 {
        kind = apart(&kind);
    }
    let words: Vec<u8> = (0..1000).flat_map(|_| word(0, 4000)).collect();
    let (verdict, shown) = read(&[("f", kind)], &words);
    assert_eq!(verdict.judgement, Judgement::Accepted);
    assert!(shown.contains(r#"{"free":true}"#));
}

#[test]
fn types_nest_as_deep_as_the_limit_lets_them() {
    let nested = |depth: usize| (0..depth).fold(NUMBER.to_vec(), |kind, _| array(&kind));
    let payload = b"\0\0";
    let (verdict, _) = read(&[("f", nested(100))], payload);
    assert_eq!(verdict.judgement, Judgement::Accepted);
    let (rule, _, _) = fault(&trace(&[("f", nested(102))], payload));
    assert_eq!(rule, "WHOLE");
    let (rule, _, _) = fault(&trace(&[("f", nested(100_000))], payload));
    assert_eq!(rule, "WHOLE");
}
