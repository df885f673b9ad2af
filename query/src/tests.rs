//! Tests of expressions over small traces.

use std::sync::Arc;

use tracegauge_decoder::decode_tree;
use tracegauge_plan::source::{SourceSpan, Sources};
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::expression::{Origin, parse};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;
use tracegauge_spec::yaml::{Scalar, Style};

use super::evaluate::{Evaluator, Scope};

/// Evaluates expressions over a trace. Returns the value of each expression as JSON, or the error.
fn answers(description: &str, bytes: &[u8], expressions: &[&str]) -> Vec<String> {
    let loaded = load(&Memory::new().with("a.ksy", description), "a.ksy");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert_eq!(loaded.diagnostics.errors(), 0, "{shown}");
    let schema = Arc::new(loaded.schema.expect("there are no mistakes"));
    let plan = lower(&schema, &schema.dialects[0].id).expect("it can be lowered");
    let (_, tree) = decode_tree(&plan, bytes);
    let evaluator = Evaluator::new(&plan, &schema, &tree);
    let answer = |text: &&str| {
        let span = SourceSpan {
            source: Sources::default().add("expression", *text),
            start: 0,
            end: u32::try_from(text.len()).expect("a short expression"),
        };
        let scalar = Scalar {
            value: (*text).to_owned(),
            style: Style::Plain,
        };
        let expr = parse(text, &Origin::new(&scalar, span, text)).expect("an expression");
        match evaluator.evaluate(&expr, Scope::of(0)) {
            Ok(found) => evaluator.json(&found).to_string(),
            Err(error) => error.to_string(),
        }
    };
    expressions.iter().map(answer).collect()
}

fn check(description: &str, bytes: &[u8], wanted: &[(&str, &str)]) {
    let expressions: Vec<&str> = wanted.iter().map(|(expression, _)| *expression).collect();
    let found = answers(description, bytes, &expressions);
    for ((expression, wanted), found) in wanted.iter().zip(found) {
        assert_eq!(found, *wanted, "{expression}");
    }
}

/// A description with a field `a` and the instances `i0` to `iN`, each computed from the next one.
fn chain(count: usize, value: impl Fn(String) -> String, last: &str) -> String {
    let mut text = "meta: { id: chain }\nseq: [ { id: a, type: u1 } ]\ninstances:\n".to_owned();
    for number in 0..count {
        let value = value(format!("i{}", number + 1));
        text += &format!("  i{number}: {{ value: \"{value}\" }}\n");
    }
    text + &format!("  i{count}: {{ value: \"{last}\" }}\n")
}

#[test]
fn bytes_equal_a_list_of_the_same_numbers() {
    let description = "
meta: { id: c1 }
seq:
  - { id: p, size: 2 }
  - { id: x, type: u1, if: 'p == [1, 2]' }
  - { id: rest, type: u1, repeat: eos }
instances: { is12: { value: 'p == [1, 2]' } }
";
    let wanted = [
        ("is12", "true"),
        ("x", "7"),
        ("p == [1, 3]", "false"),
        ("p == [1]", "false"),
        ("p != [1, 2]", "false"),
        ("[1, 2] == p", "true"),
        ("p < [1, 3]", "true"),
        ("p == rest", "true"),
        ("rest == [1, 2]", "true"),
        ("rest == rest", "true"),
        ("[rest, rest] == [[1, 2], p]", "true"),
        ("rest == [1, 2, 3]", "false"),
        ("p[1] + p.first", "3"),
        ("p.max", "2"),
        ("1 == 1.0", "true"),
        ("[1, 2.0] == [1.0, 2]", "true"),
        ("'ab' == [0x61, 0x62]", "true"),
        ("p == 1", "false"),
        ("p == absent", "false"),
    ];
    check(description, &[1, 2, 7, 1, 2], &wanted);
}

#[test]
fn an_instance_is_computed_only_once() {
    let description = chain(40, |next| format!("{next} + {next}"), "a");
    let value = (3_u64 << 40).to_string();
    check(
        &description,
        &[3],
        &[("i0", &value), ("i20 == i21 + i21", "true")],
    );
}

#[test]
fn a_chain_of_instances_has_a_maximum_length() {
    let deep = "evaluating this expression nests operations more than 1000 levels deep, or \
                instances more than 500 levels deep";
    let wanted = [
        ("i4600", "403"),
        ("i0", deep),
        ("i0 is present", deep),
        ("[_root].map(i0)", deep),
    ];
    check(
        &chain(5000, |next| format!("{next} + 1"), "a"),
        &[3],
        &wanted,
    );
    check(
        &chain(5000, |next| next, "a"),
        &[3],
        &[("i4501", "3"), ("i4500", deep)],
    );
    let nested = |next| format!("(1 + (1 + (1 + {next})))");
    check(
        &chain(400, nested, "a"),
        &[3],
        &[("i200", "603"), ("i0", deep)],
    );
}

#[test]
fn an_expression_has_a_maximum_number_of_operations() {
    let many = |next: String| format!("[{}].size + {next}", vec!["1"; 200].join(", "));
    let long = "evaluating this expression takes more than 16384 operations, including those of \
                the instances and parameters that it uses";
    let wanted = [("i50", "6003"), ("i0", long)];
    check(&chain(80, many, "a"), &[3], &wanted);
}

#[test]
fn a_long_path_takes_few_operations() {
    let description = "
meta: { id: path }
seq: [ { id: a, type: u1, flags: parts }, { id: part, type: part } ]
flags: { parts: { small: 1, large: 2 } }
types: { part: { seq: [ { id: b, type: u1 }, { id: c, type: u1, if: 'b == 0' } ] } }
";
    let long = format!("part{}.b", "._root.part".repeat(100));
    let wanted = [
        (&*long, "9"),
        ("part._parent.a.large", "true"),
        ("part.b._start", "1"),
        ("part.c._sizeof", "0"),
        ("part.c._end", "null"),
        ("part._sizeof", "1"),
    ];
    check(description, &[3, 9], &wanted);
}

#[test]
fn an_expression_copies_a_maximum_amount_of_text() {
    let description = chain(60, |next| format!("[{next}, {next}]"), "a");
    let large = "evaluating this expression copies more than 256 MiB of text, bytes and lists";
    check(&description, &[3], &[("i59", "[3,3]"), ("i0", large)]);
}

#[test]
fn methods_of_values() {
    let description = "
meta: { id: methods, encoding: ASCII }
seq: [ { id: a, type: u1 }, { id: p, size: 2 }, { id: part, type: part } ]
types: { part: { seq: [ { id: b, type: u1 } ] } }
";
    let wanted = [
        ("'hello'.substring(1, 3)", "\"el\""),
        ("'héllo'.substring(1, a)", "\"él\""),
        ("'hello'.substring(5, 5)", "\"\""),
        (
            "'hello'.substring(1, 6)",
            "position 6 is out of range: the string has 5 characters",
        ),
        (
            "'hello'.substring(3, 1)",
            "a substring cannot start at position 3 and end at position 1",
        ),
        ("1.9.to_i", "1"),
        ("(-1.9).to_i", "-1"),
        (
            "(1.0e300).to_i * 0",
            "1e300 cannot be converted to an integer",
        ),
        ("1.5.to_s", "\"1.5\""),
        ("255.to_s(16)", "\"ff\""),
        ("(-255).to_s", "\"-255\""),
        ("'ff'.to_i(16)", "255"),
        ("'12'.to_i()", "12"),
        ("p.to_s('UTF-8')", "\"hi\""),
        ("p.to_s('UTF-9')", "unknown encoding \"UTF-9\""),
        (
            "'hello'.substring(1)",
            "the method `substring` of strings takes 2 arguments, but 1 is given",
        ),
        (
            "'hello'.substring",
            "the method `substring` of strings takes 2 arguments, but 0 are given",
        ),
        (
            "[1].first(2)",
            "the method `first` of lists takes no arguments, but 1 is given",
        ),
        (
            "[1].max(1, 2)",
            "the method `max` of lists takes no arguments or 1 argument, but 2 are given",
        ),
        ("[1].nope(1)", "lists have no method `nope`"),
        ("a.substring(1, 2)", "integers have no method `substring`"),
        ("part.map(b)", "structures have no method `map`"),
        ("p.reverse", "byte arrays have no member `reverse`"),
        ("a.b", "integers have no member `b`"),
        ("[1][1]", "index 1 is out of range: the list has 1 element"),
        (
            "p[2]",
            "index 2 is out of range: the byte array has 2 elements",
        ),
        ("a[0]", "integers have no elements"),
    ];
    check(description, b"\x03hi\x07", &wanted);
}

#[test]
fn an_enumeration_is_the_one_in_the_type() {
    let description = "
meta: { id: scopes }
seq: [ { id: one, type: one }, { id: two, type: two } ]
types:
  one:
    seq: [ { id: k, type: u1, enum: kind } ]
    instances: { is: { value: 'k == kind::a' } }
    enums: { kind: { 1: a } }
  two:
    seq: [ { id: k, type: u1, enum: kind } ]
    instances: { is: { value: 'k == kind::a' } }
    enums: { kind: { 2: a } }
";
    let wanted = [
        ("one.is", "true"),
        ("two.is", "true"),
        ("two.k == two::kind::a", "true"),
    ];
    check(description, b"\x01\x02", &wanted);
}
