//! Tests the kits of all languages with a single table, which contains the values that a reader
//! passes to them and the expected meaning of the resulting lines (`readers/kits/tests`). Languages
//! that are not installed are skipped with a message.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon::prelude::*;
use serde_json::{Map, Value as Json};
use tracegauge_protocol::crash::Watch;

/// A kit: the programs that it needs, its files, and the commands that build and start its replay
/// program.
struct Kit {
    language: &'static str,
    needs: &'static [&'static str],
    /// Source paths relative to the repository, each with the name under which the file is copied.
    files: &'static [(&'static str, &'static str)],
    build: &'static str,
    start: &'static str,
}

const KITS: [Kit; 8] = [
    Kit {
        language: "python",
        needs: &["python3"],
        files: &[
            ("cli/templates/python/tracegauge.py", "tracegauge.py"),
            ("readers/kits/tests/replay.py", "replay.py"),
        ],
        build: "",
        start: "python3 replay.py",
    },
    Kit {
        language: "javascript",
        needs: &["node"],
        files: &[
            ("cli/templates/javascript/tracegauge.mjs", "tracegauge.mjs"),
            ("readers/kits/tests/replay.mjs", "replay.mjs"),
        ],
        build: "",
        start: "node replay.mjs",
    },
    Kit {
        language: "rust",
        needs: &["rustc"],
        files: &[
            ("cli/templates/rust/src/tracegauge.rs", "tracegauge.rs"),
            ("readers/kits/tests/replay.rs", "replay.rs"),
        ],
        build: "rustc --edition 2021 -o replay replay.rs",
        start: "./replay",
    },
    Kit {
        language: "rust crate",
        needs: &["cargo"],
        files: &[
            ("readers/kits/tests/replay_crate.toml", "Cargo.toml"),
            ("readers/kits/tests/replay_crate.rs", "replay.rs"),
            ("readers/kits/rust/Cargo.toml", "kit/Cargo.toml"),
            ("readers/kits/rust/src/adapter.rs", "kit/src/adapter.rs"),
            ("readers/kits/rust/src/lib.rs", "kit/src/lib.rs"),
            ("readers/kits/rust/src/rejection.rs", "kit/src/rejection.rs"),
            ("readers/kits/rust/src/reporter.rs", "kit/src/reporter.rs"),
            ("readers/kits/rust/src/value.rs", "kit/src/value.rs"),
        ],
        // The workspace has the same dependencies as the crate, so they are in cargo's cache.
        build: "cargo build --quiet --offline --target-dir target",
        start: "./target/debug/replay",
    },
    Kit {
        language: "c",
        needs: &["cc"],
        files: &[
            ("cli/templates/c/tracegauge.h", "tracegauge.h"),
            ("readers/kits/tests/replay.c", "replay.c"),
        ],
        build: "cc -std=c11 -O1 -Wall -Wextra -Werror -o replay replay.c -lm",
        start: "./replay",
    },
    Kit {
        language: "cpp",
        needs: &["c++"],
        files: &[
            ("cli/templates/c/tracegauge.h", "tracegauge.h"),
            ("readers/kits/tests/replay.c", "replay.cpp"),
        ],
        build: "c++ -std=c++11 -O1 -Wall -Wextra -Werror -o replay replay.cpp",
        start: "./replay",
    },
    Kit {
        language: "go",
        needs: &["go"],
        files: &[
            ("cli/templates/go/go.mod.txt", "go.mod"),
            ("cli/templates/go/tracegauge.go", "tracegauge.go"),
            ("readers/kits/tests/replay.go", "replay.go"),
        ],
        build: "GOWORK=off go build -o replay .",
        start: "./replay",
    },
    Kit {
        language: "java",
        needs: &["javac", "java"],
        files: &[
            ("cli/templates/java/Tracegauge.java", "Tracegauge.java"),
            ("readers/kits/tests/Replay.java", "Replay.java"),
        ],
        build: "javac -Xlint:all -Werror -encoding UTF-8 -d . *.java",
        start: "java -XX:+UseSerialGC -cp . Replay",
    },
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn is_here(program: &str) -> bool {
    let asked = format!("command -v {program}");
    let found = Command::new("sh").args(["-c", &asked]).output();
    found.is_ok_and(|output| output.status.success())
}

/// The binary encoding of a case, as explained in `readers/kits/tests/README.md`.
#[derive(Default)]
struct Encoded(Vec<u8>);

impl Encoded {
    fn number(&mut self, number: i64) {
        let number = i32::try_from(number).expect("a small number");
        self.0.extend(number.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.number(i64::try_from(count).expect("a small count"));
    }

    fn tag(&mut self, tag: u8) {
        self.0.push(tag);
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend(bytes);
    }

    fn words(&mut self, given: &Json) {
        match given {
            Json::String(text) => self.text(text),
            Json::Object(members) => match members.iter().next() {
                Some((kind, Json::String(text))) if kind == "text" => self.text(text),
                Some((kind, Json::String(text))) if kind == "utf8" => {
                    self.number(-1);
                    self.raw(&hex::decode(text).expect("hex"));
                }
                Some((kind, Json::String(text))) if kind == "units" => self.units(text),
                Some((kind, Json::Array(of))) if kind == "repeat" => self.text(&repeated(of)),
                _ => panic!("no words: {given}"),
            },
            _ => panic!("no words: {given}"),
        }
    }

    fn text(&mut self, text: &str) {
        self.count(text.encode_utf16().count());
        self.0
            .extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        self.raw(text.as_bytes());
    }

    fn units(&mut self, text: &str) {
        let raw = hex::decode(text).expect("hex");
        let units: Vec<u16> = raw
            .chunks(2)
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
            .collect();
        self.count(units.len());
        self.0
            .extend(units.iter().copied().flat_map(u16::to_le_bytes));
        let mut bytes = Vec::new();
        for unit in char::decode_utf16(units) {
            match unit {
                Ok(c) => bytes.extend(c.to_string().bytes()),
                Err(lone) => {
                    let [high, low] = lone.unpaired_surrogate().to_be_bytes();
                    let (middle, last) = ((high & 15) << 2 | low >> 6, low & 63);
                    bytes.extend([0xe0 | high >> 4, 0x80 | middle, 0x80 | last]);
                }
            }
        }
        self.raw(&bytes);
    }

    fn value(&mut self, given: &Json) {
        match given {
            Json::Null => self.tag(b'n'),
            Json::Bool(truth) => self.tag(if *truth { b'T' } else { b'F' }),
            Json::Object(members) => {
                let (kind, of) = members.iter().next().expect("a kind of value");
                self.kind(kind, of, given);
            }
            _ => panic!("no value: {given}"),
        }
    }

    fn kind(&mut self, kind: &str, of: &Json, given: &Json) {
        let text = of.as_str().unwrap_or_default();
        let list = of.as_array().map_or(&[][..], Vec::as_slice);
        match kind {
            "int" => {
                self.tag(b'i');
                self.text(text);
            }
            "double" => {
                self.tag(b'd');
                self.0
                    .extend(text.parse::<f64>().expect("a float").to_le_bytes());
            }
            "float" => {
                self.tag(b'g');
                self.0
                    .extend(text.parse::<f32>().expect("a float").to_le_bytes());
            }
            "bytes" => {
                self.tag(b'b');
                self.raw(&hex::decode(text).expect("hex"));
            }
            "list" => {
                self.tag(b'[');
                self.count(list.len());
                list.iter().for_each(|item| self.value(item));
            }
            "object" => {
                self.tag(b'{');
                self.members(list);
            }
            "json" => {
                self.tag(b'J');
                self.text(text);
            }
            "guid" => {
                self.tag(b'G');
                self.text(text);
            }
            "pair" => {
                self.tag(b'P');
                list.iter().for_each(|item| self.value(item));
            }
            "every" => {
                self.tag(b'V');
                self.value(of);
            }
            "nested" => {
                self.tag(b'N');
                self.number(of.as_i64().expect("a depth"));
            }
            _ => {
                self.tag(b's');
                self.words(given);
            }
        }
    }

    fn members(&mut self, members: &[Json]) {
        self.count(members.len());
        for member in members {
            self.words(&member[0]);
            self.value(&member[1]);
        }
    }

    fn case(case: &Json) -> Vec<u8> {
        let mut encoded = Self::default();
        if let Some(members) = case["gives"].as_array() {
            encoded.tag(b'R');
            encoded.members(members);
        }
        if case["gives-up"] == true {
            encoded.tag(b'H');
        }
        let ends = &case["ends"];
        if !ends["reject"].is_null() {
            encoded.tag(b'X');
            encoded.words(&ends["reject"]);
            encoded.text(ends["class"].as_str().unwrap_or_default());
            encoded.number(ends["offset"].as_i64().unwrap_or(-1));
        } else if !ends["unsupported"].is_null() {
            encoded.tag(b'U');
            encoded.words(&ends["unsupported"]);
        } else {
            encoded.tag(b'A');
        }
        encoded.0
    }
}

fn repeated(of: &[Json]) -> String {
    let times = of[1].as_u64().and_then(|times| usize::try_from(times).ok());
    of[0]
        .as_str()
        .expect("a text")
        .repeat(times.expect("a number"))
}

/// How the numbers of a line are compared.
#[derive(Clone, Copy)]
enum As {
    /// Compares all digits of an integer and all bits of a double.
    Written,
    /// Compares as doubles, as the protocol does for numbers in embedded JSON.
    Doubles,
    /// Compares as 32-bit floats.
    Singles,
}

/// Returns a description of the first difference in meaning between two lines, if any.
fn difference(path: &str, expected: &Json, actual: &Json, as_what: As) -> Option<String> {
    let differs = || {
        Some(format!(
            "{path}: {:.200} expected, got {:.200}",
            expected.to_string(),
            actual.to_string()
        ))
    };
    match (expected, actual) {
        (Json::Number(one), Json::Number(other)) => {
            let (one, other) = (one.as_str(), other.as_str());
            let is_whole = |text: &str| text.bytes().all(|c| c.is_ascii_digit() || c == b'-');
            let double = |text: &str| text.parse().map(f64::to_bits);
            let single = |text: &str| text.parse().map(f32::to_bits);
            let is_same = match as_what {
                As::Written if is_whole(one) => one == other,
                As::Written | As::Doubles => double(one) == double(other),
                As::Singles => single(one) == single(other),
            };
            if is_same { None } else { differs() }
        }
        // The protocol accepts the digits of a large integer as a string in place of the number.
        (Json::Number(one), Json::String(other))
            if one.as_f64().is_some_and(|it| it.abs() > 2f64.powi(53)) =>
        {
            if one.as_str() == other {
                None
            } else {
                differs()
            }
        }
        (Json::String(one), Json::String(other)) => {
            if *one == once(other) {
                None
            } else {
                differs()
            }
        }
        (Json::Array(some), Json::Array(others)) if some.len() == others.len() => {
            let pairs = some.iter().zip(others).enumerate();
            pairs
                .map(|(at, (one, other))| difference(&format!("{path}[{at}]"), one, other, as_what))
                .find_map(|found| found)
        }
        (Json::Object(macro_), Json::Array(every)) if macro_.contains_key("$every") => {
            let forms = every.iter().enumerate();
            let first = forms
                .map(|(at, one)| {
                    difference(&format!("{path}[{at}]"), &macro_["$every"], one, as_what)
                })
                .find_map(|found| found);
            if every.is_empty() { differs() } else { first }
        }
        (Json::Object(macro_), _) if macro_.contains_key("$nested") => {
            let depth = macro_["$nested"].as_u64().expect("a depth");
            let mut left = actual;
            for _ in 1..depth {
                left = match left.as_array().map(Vec::as_slice) {
                    Some([inner]) => inner,
                    _ => return differs(),
                };
            }
            if left.as_array().is_some_and(Vec::is_empty) {
                None
            } else {
                differs()
            }
        }
        (Json::Object(macro_), _) if macro_.contains_key("$repeat") => {
            let text = repeated(macro_["$repeat"].as_array().expect("a text and a number"));
            if actual.as_str() == Some(&text) {
                None
            } else {
                differs()
            }
        }
        (Json::Object(some), Json::Object(others)) => objects(path, some, others, as_what),
        _ if expected == actual => None,
        _ => differs(),
    }
}

fn objects(
    path: &str,
    some: &Map<String, Json>,
    others: &Map<String, Json>,
    as_what: As,
) -> Option<String> {
    let others: BTreeMap<String, &Json> = others
        .iter()
        .map(|(name, value)| (once(name), value))
        .collect();
    // In a closing line, a null member is equivalent to a missing one.
    let is_closing = some.contains_key("end");
    let mut more = others.iter().filter(|(name, value)| {
        !(some.contains_key(name.as_str()) || is_closing && value.is_null())
    });
    if let Some((name, value)) = more.next() {
        return Some(format!("{path}.{name}: nothing expected, got {value:.200}"));
    }
    some.iter().find_map(|(name, one)| {
        let path = format!("{path}.{name}");
        match others.get(name) {
            Some(other) => difference(&path, one, other, as_what),
            None => Some(format!("{path}: is not there")),
        }
    })
}

/// Merges consecutive U+FFFD characters, because their number depends on the language.
fn once(text: &str) -> String {
    let mut last = None;
    let kept = |c: &char| last.replace(*c) != Some('\u{fffd}') || *c != '\u{fffd}';
    text.chars().filter(kept).collect()
}

/// Parses the JSON of a line, which may be deeply nested.
fn parse(line: &str) -> Result<Json, serde_json::Error> {
    let mut parser = serde_json::Deserializer::from_str(line);
    parser.disable_recursion_limit();
    let json = serde::Deserialize::deserialize(&mut parser)?;
    parser.end().map(|()| json)
}

impl Kit {
    /// Sends `requests` to one process and returns its answers.
    fn answers(&self, folder: &Path, requests: &str) -> String {
        for (from, to) in self.files {
            let to = folder.join(to);
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(root().join(from), to).expect(from);
        }
        let build = Command::new("sh")
            .args(["-c", self.build])
            .current_dir(folder)
            .output();
        let build = build.expect("a shell");
        assert!(
            build.status.success(),
            "{}: {}",
            self.language,
            String::from_utf8_lossy(&build.stderr)
        );
        let mut child = Command::new("sh")
            .args(["-c", self.start])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut input = child.stdin.take().expect("an input");
        let requests = requests.to_owned();
        let feeder = std::thread::spawn(move || input.write_all(requests.as_bytes()));
        let output = child.wait_with_output().expect("an end");
        feeder.join().expect("a thread").expect("all is read");
        assert!(
            output.status.success(),
            "{}: {}",
            self.language,
            output.status
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Returns the problems with the answers to `cases`.
    fn faults(&self, cases: &[Json]) -> Vec<String> {
        let place = tempfile::tempdir().expect("a folder");
        let mut requests = String::new();
        for (at, case) in cases.iter().enumerate() {
            let file = place.path().join(format!("{at}.case"));
            fs::write(&file, Encoded::case(case)).expect("written");
            requests.push_str(&format!(
                "{{\"case\":\"c\",\"format\":\"values\",\"file\":{file:?}}}\n"
            ));
        }
        let answers = self.answers(place.path(), &requests);
        let mut lines = answers.lines();
        let mut faults = Vec::new();
        for case in cases {
            let accept = serde_json::json!({"end": "accept"});
            let closing = case.get("closing").unwrap_or(&accept);
            for expected in case.get("line").into_iter().chain([closing]) {
                let line = lines.next().unwrap_or_default();
                let as_what = match case["numbers"].as_str() {
                    Some("doubles") => As::Doubles,
                    Some("singles") => As::Singles,
                    _ => As::Written,
                };
                let fault = match parse(line) {
                    Ok(actual) => difference("", expected, &actual, as_what),
                    Err(error) => Some(format!("{error}: {line:.200}")),
                };
                faults.extend(
                    fault.map(|fault| format!("{} {}: {fault}", self.language, case["name"])),
                );
            }
        }
        faults.extend(
            lines
                .next()
                .map(|line| format!("{}: one line more: {line:.200}", self.language)),
        );
        faults.extend(self.fault_of_crash(place.path()));
        faults.extend(self.faults_of_words(place.path()));
        faults
    }

    /// Runs the replay program by hand, as the author of an adapter does: with a file that does not
    /// exist, and with `--help`. Describes what its messages lack.
    fn faults_of_words(&self, folder: &Path) -> Vec<String> {
        let said = |word: &str| {
            let output = Command::new("sh")
                .args(["-c", &format!("{} {word} 2>&1", self.start)])
                .current_dir(folder)
                // With this variable, Java announces its options.
                .env_remove("JAVA_TOOL_OPTIONS")
                .output()
                .expect("a shell");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            (output.status.code(), said)
        };
        let (missing, help) = (said("no-such.case"), said("--help"));
        // These statuses are answers.
        let is_answer = matches!(missing.0, Some(0 | 1 | 65 | 69));
        let is_named = missing.1.contains("no-such.case") && !is_answer;
        let is_helped = help.1.starts_with("usage: replay [TRACE]") && help.0 == Some(0);
        let wrong = [(is_named, missing), (is_helped, help)].into_iter();
        let wrong = wrong.filter(|(is_right, _)| !is_right);
        wrong
            .map(|(_, said)| format!("{}: {said:?}", self.language))
            .collect()
    }

    /// Passes a case that ends too early, so that the replay program throws an exception, and
    /// describes how the kit fails to report the crash, if it does.
    fn fault_of_crash(&self, folder: &Path) -> Option<String> {
        // A program in C would read past the end of its memory, and the crate reports no crashes.
        if matches!(self.language, "c" | "cpp" | "rust crate") {
            return None;
        }
        fs::write(folder.join("short.case"), b"R").expect("written");
        let output = Command::new("sh")
            .args(["-c", &format!("{} short.case", self.start)])
            .current_dir(folder)
            .output()
            .expect("a shell");
        let mut watch = Watch::default();
        watch.push(&output.stderr);
        let (crash, code) = (watch.take().any(), output.status.code());
        let is_reported = crash.is_some_and(|crash| !crash.frames.is_empty());
        // These statuses mean "accepted", and "rejected, perhaps crashed".
        (!is_reported || matches!(code, Some(0 | 1))).then(|| {
            let said = String::from_utf8_lossy(&output.stderr);
            format!(
                "{}: status {code:?}, reported as: {said:.400}",
                self.language
            )
        })
    }
}

#[test]
fn what_a_reader_hands_to_a_kit_is_what_comes_out() {
    let table = fs::read(root().join("readers/kits/tests/values.json")).expect("a table");
    let table: Json = serde_json::from_slice(&table).expect("JSON");
    let cases = table["cases"].as_array().expect("cases");
    let faults = |kit: &Kit| match kit.needs.iter().find(|program| !is_here(program)) {
        Some(missing) => {
            println!("{}: skipped, there is no {missing} here", kit.language);
            Vec::new()
        }
        None => deeply(|| kit.faults(cases)),
    };
    let faults: Vec<String> = KITS.par_iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs a function on a thread whose stack is large enough for JSON that is nested 5,000 levels
/// deep.
fn deeply<T: Send>(done: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 20);
        thread
            .spawn_scoped(scope, done)
            .expect("a thread")
            .join()
            .expect("an end")
    })
}
