//! Parses files of vectors.

use serde::Deserialize;
use serde_json::Value as Json;

use super::{VectorError, VectorErrorKind, hex_text};
use crate::case::{ExpectedVerdict, Source, State};
use crate::words::{OneOrMany, StateWord, VerdictWord};

/// A vector as written in a file.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The part of the corpus that the vector belongs to.
    pub source: Source,
    /// The path of the file that contains the vector.
    pub file: String,
    /// The line where the vector begins, counted from 1.
    pub line: usize,
    /// The name of the vector within the format.
    pub id: String,
    /// The id of the format and dialect.
    pub format: String,
    /// A sentence that says what the vector tests.
    pub says: String,
    /// The sections of the specification that the vector is based on.
    pub sections: Vec<String>,
    /// The rules that the vector tests, most important first.
    pub rules: Vec<String>,
    /// The expected verdict.
    pub expect: ExpectedVerdict,
    /// True if conforming readers may report different records after those in `records`.
    pub open: bool,
    /// The violation, if the trace is rejected.
    pub violation: Option<Violated>,
    /// The vector that differs from this vector only in the fault.
    pub twin: Option<String>,
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// The records that a reader must report, as JSON.
    pub records: Vec<Json>,
    /// The lifecycle state.
    pub state: State,
    /// The reason why the vector is disputed or retired.
    pub reason: Option<String>,
    /// The version number, incremented when the trace or its expectation changes.
    pub version: u32,
}

/// The violation given in a vector.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Violated {
    /// The rule or rules that the trace violates. A reader may report any of these rules.
    #[serde(rename = "rule")]
    pub rules: OneOrMany,
    /// The path of the field.
    pub path: String,
    /// The offset of the first byte of the fault.
    pub start: u64,
    /// The offset after the last byte of the fault.
    pub end: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: String,
    vectors: Vec<WrittenVector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenVector {
    id: String,
    says: String,
    section: OneOrMany,
    #[serde(default)]
    rules: Vec<String>,
    expect: VerdictWord,
    #[serde(default)]
    open: bool,
    violation: Option<Violated>,
    twin: Option<String>,
    bytes: String,
    #[serde(default)]
    records: Vec<Json>,
    #[serde(default)]
    state: StateWord,
    reason: Option<String>,
    #[serde(default = "first_version")]
    version: u32,
}

fn first_version() -> u32 {
    1
}

/// Parses the vectors in the file `file`, whose content is `bytes`.
///
/// # Errors
/// Returns an error if the file or one of its vectors is invalid.
pub fn parse(source: Source, file: &str, bytes: &[u8]) -> Result<Vec<Vector>, VectorError> {
    let whole = |line, kind| VectorError {
        file: file.to_owned(),
        line,
        vector: None,
        kind,
    };
    let text = std::str::from_utf8(bytes).map_err(|_| whole(None, VectorErrorKind::Encoding))?;
    let written: Written = serde_yaml::from_str(text).map_err(|error| {
        let line = error.location().map(|location| location.line());
        whole(line, VectorErrorKind::Yaml(error))
    })?;
    let Written { format, vectors } = written;
    vectors
        .into_iter()
        .map(|vector| {
            let vector = checked(file, text, &format, vector)?;
            Ok(Vector { source, ..vector })
        })
        .collect()
}

fn checked(
    file: &str,
    text: &str,
    format: &str,
    written: WrittenVector,
) -> Result<Vector, VectorError> {
    let line = line_of(text, &written.id);
    let wrong = |line, kind| VectorError {
        file: file.to_owned(),
        line,
        vector: Some(written.id.clone()),
        kind,
    };
    let bytes = hex_text::bytes(&written.bytes).map_err(|(number, error)| {
        let row = written.bytes.lines().nth(number).unwrap_or_default();
        wrong(row_after(text, line, row), VectorErrorKind::Hex(error))
    })?;
    let expect = written.expect.0;
    match (expect, &written.violation) {
        (ExpectedVerdict::Reject, None) => {
            return Err(wrong(Some(line), VectorErrorKind::NoViolation));
        }
        (ExpectedVerdict::Accept | ExpectedVerdict::Either, Some(_)) => {
            return Err(wrong(Some(line), VectorErrorKind::NeedlessViolation));
        }
        _ => {}
    }
    let kind_of = |record: &Json| record.get("record").is_some_and(Json::is_string);
    if let Some(number) = written.records.iter().position(|record| !kind_of(record)) {
        return Err(wrong(Some(line), VectorErrorKind::Record(number)));
    }
    Ok(Vector {
        source: Source::Vector,
        file: file.to_owned(),
        line,
        id: written.id,
        format: format.to_owned(),
        says: written.says,
        sections: written.section.0,
        rules: written.rules,
        expect,
        open: written.open,
        violation: written.violation,
        twin: written.twin,
        bytes,
        records: written.records,
        state: written.state.0,
        reason: written.reason,
        version: written.version,
    })
}

/// Returns the line where the vector called `id` begins. The YAML parser does not report positions,
/// but each id occurs only once in the file, at the beginning of its vector.
fn line_of(text: &str, id: &str) -> usize {
    let begins = |line: &str| {
        let rest = line.trim_start().strip_prefix("- id:");
        rest.is_some_and(|rest| rest.trim().trim_matches(['"', '\'']) == id)
    };
    text.lines().position(begins).map_or(1, |at| at + 1)
}

/// Returns the first line after `line` with the text `row`.
fn row_after(text: &str, line: usize, row: &str) -> Option<usize> {
    let mut lines = text.lines().enumerate().skip(line);
    lines
        .find(|(_, found)| found.trim() == row.trim())
        .map(|(number, _)| number + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTORS: &str = "format: f-v1
vectors:
  - id: one
    says: It is one.
    section: [A]
    rules: [R]
    expect: reject
    violation: { rule: R, path: \"a[0]\", start: 1, end: 2 }
    twin: two
    bytes: |
      01   # one
      02
    records: []
";

    fn error(text: &str) -> String {
        parse(Source::Vector, "f.yaml", text.as_bytes())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_vector_is_read_with_its_line() {
        let vectors = parse(Source::Vector, "f.yaml", VECTORS.as_bytes()).unwrap();
        let [vector] = vectors.as_slice() else {
            panic!("one vector");
        };
        assert_eq!((vector.line, vector.bytes.as_slice()), (3, &[1, 2][..]));
        assert_eq!(vector.violation.as_ref().unwrap().rules.0, ["R"]);
    }

    #[test]
    fn mistakes_name_file_line_and_vector() {
        assert_eq!(
            error(&VECTORS.replace("      02", "      0x2")),
            "f.yaml:12: vector `one`: bytes: Odd number of digits"
        );
        assert!(error(&VECTORS.replace("twin", "twinn")).starts_with("f.yaml:"));
        assert!(error(&VECTORS.replace("reject", "accept")).contains("requires `expect: reject`"));
        assert!(
            error(&VECTORS.replace("records: []", "records: [{name: 1}]")).contains("record 0")
        );
    }
}
