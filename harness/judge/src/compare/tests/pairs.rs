use serde_json::{Value as Json, json};
use tracegauge_decoder::record::Value;

use super::{compare_value, pair, same};

#[test]
fn pairs_stand_in_order_and_may_lack_what_is_missing() {
    let missing = || Value::Missing("out of range".into());
    let pairs = Value::Pairs(vec![
        pair("a", Value::Int(1)),
        pair("b", missing()),
        pair("a", Value::Int(2)),
    ]);
    for json in [
        "[[\"a\",1],[\"b\",{\"missing\":\"why\"}],[\"a\",2]]",
        "[[\"a\",1],[\"b\",null],[\"a\",2]]",
        "[[\"a\",1],[\"a\",2]]",
    ] {
        assert!(same(&pairs, json), "{json}");
    }
    for json in [
        "{\"a\":1}",
        "[[\"a\",2],[\"a\",1]]",
        "[[\"a\",1]]",
        "[[\"a\",1],[\"b\",0],[\"a\",2]]",
        "[[\"a\",1],[\"a\",2],[\"a\",3]]",
    ] {
        assert!(!same(&pairs, json), "{json}");
    }
    let shadow = Value::Pairs(vec![pair("a", missing()), pair("a", Value::Int(5))]);
    assert!(same(&shadow, "[[\"a\",5]]"));
}

#[test]
fn of_pairs_the_one_that_is_too_many_or_missing_is_told() {
    let pairs = Value::Pairs(vec![
        pair("a", Value::Int(1)),
        pair("b", Value::Int(2)),
        pair("c", Value::Int(3)),
    ]);
    let told = |json: Json| {
        let mismatch = compare_value(&pairs, &json).unwrap_err();
        [mismatch.path(), mismatch.expected, mismatch.actual]
    };
    let too_many = json!([["a", 1], ["x", 9], ["b", 2], ["c", 3]]);
    assert_eq!(
        told(too_many),
        [
            "[1]",
            "[\"b\",2]",
            "unexpected [\"x\",9]; expected 3 values, got 4"
        ]
    );
    assert_eq!(
        told(json!([["a", 1], ["c", 3]])),
        [
            "[1]",
            "[\"b\",2]",
            "no pair with this name; expected 3 values, got 2"
        ]
    );
    let last = json!([["a", 1], ["b", 2], ["c", 3], ["x", 9]]);
    assert_eq!(
        told(last),
        [
            "[3]",
            "the end of the list",
            "unexpected [\"x\",9]; expected 3 values, got 4"
        ]
    );
    assert_eq!(
        told(json!([["a", 1], ["b", 2]])),
        [
            "[2]",
            "[\"c\",3]",
            "the end of the list; expected 3 values, got 2"
        ]
    );
    // Either pair named `a` may be the extra one, so the first difference is reported.
    let twice = json!([["a", 9], ["a", 1], ["b", 2], ["c", 3]]);
    assert_eq!(
        told(twice),
        ["[0].value", "1", "9; expected 3 values, got 4"]
    );
}

#[test]
fn a_value_where_it_is_missing_is_told_at_the_pair_of_its_name() {
    let missing = || Value::Missing("no row 7".into());
    let told = |pairs: &[(&str, Value)], json: Json| {
        let pairs = pairs.iter().map(|(name, value)| pair(name, value.clone()));
        let mismatch = compare_value(&Value::Pairs(pairs.collect()), &json).unwrap_err();
        [mismatch.path(), mismatch.expected, mismatch.actual]
    };
    let at = |path: &str| [path, "{\"missing\":\"no row 7\"}", "\"\""].map(str::to_owned);
    let last = [("a", Value::Int(1)), ("x", missing())];
    assert_eq!(told(&last, json!([["a", 1], ["x", ""]])), at("[1].value"));
    let first = [("x", missing()), ("a", Value::Int(1))];
    assert_eq!(told(&first, json!([["x", ""], ["a", 1]])), at("[0].value"));
    // The first optional pair is correctly omitted, but the second has a value.
    let both = [("x", missing()), ("y", missing()), ("a", Value::Int(1))];
    assert_eq!(told(&both, json!([["y", ""], ["a", 1]])), at("[1].value"));
    let absent = [("x", Value::Absent), ("a", Value::Int(1))];
    assert_eq!(
        told(&absent, json!([["x", ""], ["a", 1]])),
        ["[0].value", "null", "\"\""]
    );

    // Both pairs have the same name, so the number of pairs and the matching values determine which
    // expected pair corresponds to a reported pair.
    let same = [("a", missing()), ("a", Value::Int(1))];
    assert_eq!(told(&same, json!([["a", ""], ["a", 1]])), at("[0].value"));
    assert_eq!(told(&same, json!([["a", 2]])), ["[1].value", "1", "2"]);
    let [path, ..] = told(&same, json!([["a", 1], ["x", 2]]));
    assert_eq!(
        path, "[1]",
        "an extra pair is not reported as a missing one"
    );
    // A pair with another name is not a value for the optional pair.
    let [path, ..] = told(&first, json!([["y", ""], ["a", 1]]));
    assert_eq!(path, "[1].name");
}
