//! Tests the comparison of values in the harness, in the exported tests of every language, and in
//! the documented runner for Node.js, all with the same table. The table lists expected values,
//! each with values that a reader may write for it and values that it may not write.
//!
//! The table is in `law/comparisons.json`. Each value is an array `[JSON, Python, Go, Java]`, which
//! contains the value in the protocol and as an expression in each language, or null if a language
//! has no such value. A fifth element is the value for the documented runner, in JavaScript. That
//! runner accepts few of the equal forms, so among the equal values only those with a fifth element
//! are tried with it. For values that differ, the JSON is tried unless the fifth element is null.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use joining::{Place, is_here, notes, root};
use serde_json::Value as Json;
use tracegauge_corpus::case::{Expected, ExpectedVerdict};
use tracegauge_corpus::rows::{rows as records, value_rows};
use tracegauge_decoder::record::{Pair, Record, Value, write_value};
use tracegauge_judge::compare::{Matcher, Reporting, compare_value};
use tracegauge_protocol::reader_file::{Omission, When};
use tracegauge_protocol::{Line as Written, parse_line};

use crate::joining;

/// A line of the table.
struct Line {
    expected: Value,
    /// The value in JSON, Python, Go, Java and JavaScript.
    written: [Option<String>; 5],
    is_equal: bool,
}

const PYTHON: usize = 1;
const GO: usize = 2;
const JAVA: usize = 3;
const JAVASCRIPT: usize = 4;

fn table() -> Vec<Line> {
    let table: Vec<Json> =
        serde_json::from_str(include_str!("law/comparisons.json")).expect("a table");
    let mut lines = Vec::new();
    for entry in &table {
        for (name, is_equal) in [("equal", true), ("differ", false)] {
            for written in entry[name].as_array().expect("a list") {
                let count = written.as_array().expect("a list").len();
                let at = |at: usize| match at {
                    JAVASCRIPT if count == JAVASCRIPT && !is_equal => written[0].as_str(),
                    at => written[at].as_str(),
                };
                lines.push(Line {
                    expected: value(&entry["expected"]),
                    written: [0, 1, 2, 3, 4].map(|language| at(language).map(str::to_owned)),
                    is_equal,
                });
            }
        }
    }
    lines
}

/// Parses an expected value, which consists of its type and content.
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

/// Test cases for omitted members of an event that has an empty name and two parts, the second of
/// which has size zero. Each test case consists of the declared omissions, the reported members,
/// and whether the answer is correct.
const LEFT_OUT: &[(&[&str], &str, bool)] = &[
    (
        &[],
        r#""n":7,"name":"","parts":[{"size":5},{"size":0}]"#,
        true,
    ),
    (&[], r#""n":7,"parts":[{"size":5},{"size":0}]"#, false),
    (&[], r#""n":7,"name":"","parts":[{"size":5},{}]"#, false),
    (
        &["event.name when empty"],
        r#""n":7,"parts":[{"size":5},{"size":0}]"#,
        true,
    ),
    (
        &["event.name when empty"],
        r#""name":"","parts":[{"size":5},{"size":0}]"#,
        false,
    ),
    (
        &["event.n when empty"],
        r#""name":"","parts":[{"size":5},{"size":0}]"#,
        false,
    ),
    (
        &["event.n"],
        r#""name":"","parts":[{"size":5},{"size":0}]"#,
        true,
    ),
    (
        &["event.na"],
        r#""n":7,"parts":[{"size":5},{"size":0}]"#,
        false,
    ),
    (
        &["event.parts[].size when empty"],
        r#""n":7,"name":"","parts":[{"size":5},{}]"#,
        true,
    ),
    (
        &["event.parts[].size when empty"],
        r#""n":7,"name":"","parts":[{},{"size":0}]"#,
        false,
    ),
    (&["event.parts"], r#""n":7,"name":"","parts":[{},{}]"#, true),
    (&["event.parts"], r#""n":7,"name":"""#, true),
    (
        &["event.parts", "event.n", "event.name when empty"],
        "",
        true,
    ),
    (&["event"], "", true),
    (&["event"], r#""n":8"#, false),
    (
        &["event.n"],
        r#""n":8,"name":"","parts":[{"size":5},{"size":0}]"#,
        false,
    ),
];

fn event() -> Record {
    let part = |size| Value::Object(vec![("size".to_owned(), Value::Int(size))]);
    Record {
        kind: "event".to_owned(),
        members: vec![
            ("n".to_owned(), Value::Int(7)),
            ("name".to_owned(), Value::Text(String::new())),
            ("parts".to_owned(), Value::List(vec![part(5), part(0)])),
        ],
    }
}

/// Returns a record of the table as a reader writes it.
fn written(members: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!("{{\"record\":\"event\"{comma}{members}}}")
}

/// Formats the test cases of `LEFT_OUT` with `make`. Its arguments are the rows, the omissions, the
/// record, and whether the answer is correct.
fn left_out(make: impl Fn(&str, &str, &str, bool) -> String) -> String {
    let rows = quoted(&format!("[{}]", records(&[event()]).replace('\n', "")));
    let lines = LEFT_OUT.iter().map(|(omits, members, is_right)| {
        let omits: Vec<String> = omits.iter().map(|omitted| quoted(omitted)).collect();
        make(
            &rows,
            &omits.join(", "),
            &quoted(&written(members)),
            *is_right,
        ) + "\n"
    });
    lines.collect()
}

fn rows(value: &Value) -> String {
    format!("[{}]", value_rows(value).replace('\n', ""))
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// Formats the lines of the table that have a value in a language.
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

/// Runs a shell command in the exported folder. It must succeed and print `nothing wrong`.
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
fn the_harness_misses_what_is_left_out_as_the_table_says() {
    let expected = Expected {
        verdict: ExpectedVerdict::Accept,
        records: vec![vec![event()]],
        due: None,
        open: false,
        violation: None,
    };
    for (omits, members, is_right) in LEFT_OUT {
        let omission = |written: &&str| match written.strip_suffix(" when empty") {
            Some(name) => Omission {
                when: When::Empty,
                ..Omission::always(name)
            },
            None => Omission::always(*written),
        };
        let reporting = Reporting {
            omits: omits.iter().map(omission).collect(),
            ..Reporting::default()
        };
        let mut matcher = Matcher::new(&expected, "boxes-v1", &reporting);
        let Ok(Written::Record(record)) = parse_line(written(members).as_bytes()) else {
            panic!("{members}")
        };
        matcher.record(&record);
        let mut seen = matcher.finish();
        seen.hold(|_| true);
        assert_eq!(seen.whole.is_none(), *is_right, "{omits:?} {members}");
    }
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
    let left_out = left_out(|rows, omits, record, is_right| {
        let right = if is_right { "True" } else { "False" };
        format!("    ({rows}, [{omits}], {record}, {right}),")
    });
    let program = format!(
        r#"import array, collections, decimal, enum, json, types, uuid
from tracegauge_comparison import Seen, difference, difference_of_records, values

Access = enum.Enum("Access", {{"Read": "r", "Write": "w"}})
Level = enum.Enum("Level", {{"READ": 4, "Read": 5}})
Code = enum.IntEnum("Code", {{"Read": 5}})
Digit = enum.Enum("Digit", {{"5": "five"}})
Bits = enum.Flag("Bits", ["A", "B", "C", "D"])


class Mode(str, enum.Enum):
    READ = "Read"


class numpy_like(int):
    def __repr__(self):
        return "np.int64(5)"


class numpy_scalar:
    def tolist(self):
        return 1


TABLE = [
{lines}]
wrong = 0
for rows, actual, equal, shown in TABLE:
    (expected,) = values(json.loads(rows))
    if (difference(expected, actual()) is None) != equal:
        wrong += 1
        print(rows, shown, difference(expected, actual()))
LEFT_OUT = [
{left_out}]
for rows, omits, record, right in LEFT_OUT:
    found = difference_of_records(values(json.loads(rows)), [json.loads(record)], False, Seen(omits))
    if (found is None) != right:
        wrong += 1
        print(omits, record, found)
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
    let left_out = left_out(|rows, omits, record, is_right| {
        format!("\t{{{rows}, []string{{{omits}}}, {record}, {is_right}}},")
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

type (
	text  string
	blob  []byte
	octet byte
)

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
	for _, line := range leftOut {{
		var rows [][3]json.RawMessage
		var record Record
		must(json.Unmarshal([]byte(line.rows), &rows))
		must(json.Unmarshal([]byte(line.record), &record))
		_, found := differenceOfRecords(values(rows), []Record{{record}}, false, newSeen(line.omits...))
		if (found == nil) != line.right {{
			t.Errorf("%s %s %v", line.omits, line.record, found)
		}}
	}}
	if !t.Failed() {{
		fmt.Println("nothing wrong")
	}}
}}

var leftOut = []struct {{
	rows   string
	omits  []string
	record string
	right  bool
}}{{
{left_out}}}
"#
    );
    fs::write(place.path().join("out/table_test.go"), program).expect("written");
    nothing_wrong(&place, "go test -run TestTable -v");
}

#[test]
fn the_documented_runner_for_node_compares_as_the_table_says() {
    if !is_here("node") {
        return println!("skipped: there is no node here");
    }
    let page = fs::read_to_string(root().join("docs/exported-cases.md")).expect("a page");
    let runner = page.split("```js\n").nth(1).expect("a runner");
    let runner = runner.split("```").next().expect("its end");
    // The comparison is everything but the imports and the loop over the cases.
    let (before, rest) = runner
        .split_once("for (const line of ")
        .expect("a loop over the cases");
    let (_, functions) = rest.split_once("\n}\n").expect("its end");
    let class = before.find("/** An expected value that").expect("a class");
    let comparison = format!("{}{functions}", &before[class..]);
    let lines = lines_of(JAVASCRIPT, |line, written| {
        let mut expected = Vec::new();
        write_value(&line.expected, &mut expected);
        let expected = String::from_utf8(expected).expect("UTF-8");
        let (expected, shown) = (quoted(&expected), quoted(written));
        let texts = match &line.expected {
            Value::Json(_) => "[[0]]",
            Value::Pairs(pairs) if matches!(pairs[0].value, Value::Json(_)) => "[[0, 0, 1]]",
            Value::Object(members) if matches!(members[0].1, Value::Json(_)) => "[[0, 'a']]",
            _ => "[]",
        };
        let equal = line.is_equal;
        format!("  [{expected}, {texts}, {written}, {equal}, {shown}],")
    });
    let program = format!(
        r#"const table = [
{lines}];
{comparison}
let isWrong = false;
for (const [expected, json_texts, actual, equal, shown] of table) {{
  const records = [JSON.parse(expected)];
  markJsonTexts({{ records, json_texts }});
  if (fits(records[0], actual) !== equal) {{
    isWrong = true;
    console.log(expected, shown, equal);
  }}
}}
console.log(isWrong ? 'wrong' : 'nothing wrong');
"#
    );
    let place = Place::new();
    fs::create_dir(place.path().join("out")).expect("a folder");
    fs::write(place.path().join("out/table.mjs"), program).expect("written");
    nothing_wrong(&place, "node table.mjs");
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
    let left_out = left_out(|rows, omits, record, is_right| {
        format!("        leftOut({rows}, List.of({omits}), {record}, {is_right});")
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

    static void leftOut(String rows, List<String> omits, String record, boolean right) {{
        List<Row> expected = Row.read((List<?>) new Json(rows).read());
        var found = new Comparison(omits).ofRecords(expected, List.of(new Json(record).read()), false);
        if ((found == null) != right) {{
            isWrong = true;
            System.out.println(omits + " " + record + " " + found);
        }}
    }}

    public static void main(String[] arguments) {{
{left_out}{lines}        System.out.println(isWrong ? "wrong" : "nothing wrong");
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
