//! One table of comparisons for the harness and for the exported tests of every language: expected
//! values, and what a reader may write for each, with what it may not.
//!
//! `law/comparisons.json` has them: of each value `[JSON, Python, Go, Java]`, the value as the protocol has
//! it and as an expression of each language, or null where a language has nothing of the kind.

mod joining;

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use joining::{Place, is_here, notes};
use serde_json::Value as Json;
use tracegauge_corpus::rows::value_rows;
use tracegauge_decoder::record::{Pair, Value};
use tracegauge_harness::compare::compare_value;

/// A line of the table.
struct Line {
    expected: Value,
    /// JSON, Python, Go, Java.
    written: [Option<String>; 4],
    is_equal: bool,
}

const PYTHON: usize = 1;
const GO: usize = 2;
const JAVA: usize = 3;

fn table() -> Vec<Line> {
    let table: Vec<Json> =
        serde_json::from_str(include_str!("law/comparisons.json")).expect("a table");
    let mut lines = Vec::new();
    for entry in &table {
        for (name, is_equal) in [("equal", true), ("differ", false)] {
            for written in entry[name].as_array().expect("a list") {
                lines.push(Line {
                    expected: value(&entry["expected"]),
                    written: [0, 1, 2, 3].map(|at| written[at].as_str().map(str::to_owned)),
                    is_equal,
                });
            }
        }
    }
    lines
}

/// An expected value: its type, and what it is.
fn value(json: &Json) -> Value {
    let (kind, content) = json
        .as_object()
        .and_then(|one| one.iter().next())
        .expect("a type");
    let text = || content.as_str().expect("text").to_owned();
    let number = |at: usize| {
        content[at]
            .as_str()
            .expect("text")
            .parse::<i128>()
            .expect("a number")
    };
    match kind.as_str() {
        "absent" => Value::Absent,
        "missing" => Value::Missing(text()),
        "free" => Value::Free,
        "bool" => Value::Bool(content.as_bool().expect("a truth value")),
        "int" => Value::Int(text().parse().expect("an integer")),
        "f32" => Value::F32(text().parse::<f32>().expect("a float").to_bits()),
        "f64" => Value::F64(text().parse::<f64>().expect("a float").to_bits()),
        "text" => Value::Text(text()),
        "ill-formed" => Value::IllFormed(hex::decode(text()).expect("hex")),
        "bytes" => Value::Bytes(hex::decode(text()).expect("hex")),
        "guid" => Value::Guid(text()),
        "enum" => Value::Enum {
            name: content[0].as_str().expect("a name").to_owned(),
            value: number(1),
        },
        "flags" => Value::Flags {
            names: serde_json::from_value(content[0].clone()).expect("names"),
            rest: number(1).try_into().expect("bits"),
            value: number(2).try_into().expect("bits"),
        },
        "list" => Value::List(
            content
                .as_array()
                .expect("items")
                .iter()
                .map(value)
                .collect(),
        ),
        "object" => {
            let members = content.as_object().expect("members").iter();
            Value::Object(
                members
                    .map(|(name, one)| (name.clone(), value(one)))
                    .collect(),
            )
        }
        "pairs" => {
            let pairs = content.as_array().expect("pairs").iter();
            let pair = |pair: &Json| Pair {
                name: value(&pair[0]),
                code: None,
                value: value(&pair[1]),
            };
            Value::Pairs(pairs.map(pair).collect())
        }
        "json" => Value::Json(content.clone()),
        other => panic!("{other}"),
    }
}

fn rows(value: &Value) -> String {
    format!("[{}]", value_rows(value).replace('\n', ""))
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// The lines of the table that a language has, each as `make` writes it.
fn lines_of(language: usize, make: impl Fn(&Line, &str) -> String) -> String {
    let mut text = String::new();
    let mut count = 0;
    for line in table() {
        if let Some(written) = &line.written[language] {
            writeln!(text, "{}", make(&line, written)).expect("text");
            count += 1;
        }
    }
    assert!(count > 150, "{count} lines");
    text
}

/// Runs a shell command in the exported folder, which must succeed and write nothing but `nothing wrong`.
fn nothing_wrong(place: &Place, command: &str) {
    let output = Command::new("sh")
        .args(["-c", &format!("({command}) 2>&1")])
        .current_dir(place.path().join("out"))
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("nothing wrong"),
        "{said}"
    );
}

fn export(shape: &str) -> Place {
    let place = Place::new();
    let words = [
        "corpus",
        "export",
        "--spec",
        &notes(),
        "--as",
        shape,
        "--out",
        "out",
    ];
    let output = place.tracegauge(&words);
    assert_eq!(output.status, Some(0), "{}", output.all());
    place
}

#[test]
fn the_harness_compares_as_the_table_says() {
    let mut wrong = Vec::new();
    for line in table() {
        let json = line.written[0].as_deref().expect("every line has JSON");
        let actual: Json = serde_json::from_str(json).expect("JSON");
        if compare_value(&line.expected, &actual).is_ok() != line.is_equal {
            wrong.push(format!(
                "{:?} {json}: equal is {}",
                line.expected, line.is_equal
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn exported_tests_in_python_compare_as_the_table_says() {
    if !is_here("python3") {
        return println!("skipped: there is no python3 here");
    }
    let place = export("pytest");
    let lines = lines_of(PYTHON, |line, written| {
        let equal = if line.is_equal { "True" } else { "False" };
        format!(
            "    ({}, lambda: {written}, {equal}, {}),",
            quoted(&rows(&line.expected)),
            quoted(written)
        )
    });
    let program = format!(
        r#"import array, decimal, enum, json, uuid
from tracegauge_comparison import difference, values

Access = enum.Enum("Access", {{"Read": "r", "Write": "w"}})


class numpy_like(int):
    def __repr__(self):
        return "np.int64(5)"


TABLE = [
{lines}]
wrong = 0
for rows, actual, equal, shown in TABLE:
    (expected,) = values(json.loads(rows))
    if (difference(expected, actual()) is None) != equal:
        wrong += 1
        print(rows, shown, difference(expected, actual()))
print("nothing wrong" if not wrong else wrong)
"#
    );
    fs::write(place.path().join("out/table.py"), program).expect("written");
    nothing_wrong(&place, "python3 table.py");
}

#[test]
fn exported_tests_in_go_compare_as_the_table_says() {
    if !is_here("go") {
        return println!("skipped: there is no go here");
    }
    let place = export("go");
    let lines = lines_of(GO, |line, written| {
        let (rows, shown) = (quoted(&rows(&line.expected)), quoted(written));
        format!("\t{{{rows}, {written}, {}, {shown}}},", line.is_equal)
    });
    let program = format!(
        r#"package conformance

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"testing"
)

type text string

func pointer(number int) *int {{ return &number }}

var table = []struct {{
	rows   string
	actual any
	equal  bool
	shown  string
}}{{
{lines}}}

func TestTable(t *testing.T) {{
	_, _, _ = big.NewInt(0), math.Pi, json.Number("0")
	for _, line := range table {{
		var rows [][3]json.RawMessage
		if err := json.Unmarshal([]byte(line.rows), &rows); err != nil {{
			t.Fatal(err)
		}}
		found := differenceOf(values(rows)[0], line.actual, "", newSeen())
		if (found == nil) != line.equal {{
			t.Errorf("%s %s %v", line.rows, line.shown, found)
		}}
	}}
	if !t.Failed() {{
		fmt.Println("nothing wrong")
	}}
}}
"#
    );
    fs::write(place.path().join("out/table_test.go"), program).expect("written");
    nothing_wrong(&place, "go test -run TestTable -v");
}

#[test]
fn exported_tests_in_java_compare_as_the_table_says() {
    if !is_here("javac") {
        return println!("skipped: there is no javac here");
    }
    let place = export("junit5");
    let lines = lines_of(JAVA, |line, written| {
        let (rows, shown) = (quoted(&rows(&line.expected)), quoted(written));
        format!(
            "        line({rows}, {written}, {}, {shown});",
            line.is_equal
        )
    });
    let program = format!(
        r#"package tracegauge;

import java.math.*;
import java.nio.ByteBuffer;
import java.util.*;

final class Table {{
    enum Access {{ Read, Write }}

    static boolean isWrong;

    static void line(String rows, Object actual, boolean equal, String shown) {{
        Row expected = Row.read((List<?>) new Json(rows).read()).get(0);
        Comparison.Difference found = new Comparison().of(expected, actual, "");
        if ((found == null) != equal) {{
            isWrong = true;
            System.out.println(rows + " " + shown + " " + found);
        }}
    }}

    public static void main(String[] arguments) {{
{lines}        System.out.println(isWrong ? "wrong" : "nothing wrong");
    }}
}}
"#
    );
    fs::write(place.path().join("out/Table.java"), program).expect("written");
    let ours = "src/test/java/tracegauge";
    let compile = format!(
        "javac -Xlint:all,-serial -Werror -d classes {ours}/Row.java {ours}/Comparison.java {ours}/Json.java Table.java"
    );
    nothing_wrong(
        &place,
        &format!("{compile} && java -cp classes tracegauge.Table"),
    );
}
