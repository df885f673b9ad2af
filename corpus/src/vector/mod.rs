//! Loads cases that are stored as text: vectors, which are assembled by hand from the
//! specification, and regressions, which once broke a reader.
//!
//! A vector lists the records that its bytes represent, and the reference decoder checks them. If
//! the vector and the decoder disagree, one of them is wrong, and the vector does not become a
//! case.

mod compare;
mod file;
mod hex_text;
mod text;
mod witness;

use std::fmt;

pub use compare::Difference;
pub use file::{Vector, Violated, parse};
pub use hex_text::HexError;
pub use text::{Named, case_text};
pub use witness::{Aspect, Disagreement};

use tracegauge_plan::Plan;

use crate::case::{Case, Source};
use crate::source::{Built, CaseSource, Problem};
use crate::store::{Store, StoreError};

/// An error in a file of vectors.
#[derive(Debug)]
pub struct VectorError {
    /// The file.
    pub file: String,
    /// The line, if known.
    pub line: Option<usize>,
    /// The id of the vector that contains the error, if any.
    pub vector: Option<String>,
    /// The kind of error.
    pub kind: VectorErrorKind,
}

/// The kind of error in a file of vectors.
#[derive(Debug)]
pub enum VectorErrorKind {
    /// The file cannot be read.
    Store(StoreError),
    /// The file is not UTF-8.
    Encoding,
    /// The file is not valid YAML or does not have the structure of vectors.
    Yaml(serde_yaml::Error),
    /// The bytes of a vector are not hex digits.
    Hex(HexError),
    /// Another vector has the same id.
    Repeated,
    /// The vector expects a rejection but does not specify a violation.
    NoViolation,
    /// The vector specifies a violation but does not expect a rejection.
    NeedlessViolation,
    /// A record is not an object, or it does not contain its kind. The number is the index of the
    /// record.
    Record(usize),
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        if let Some(vector) = &self.vector {
            write!(f, "vector `{vector}`: ")?;
        }
        match &self.kind {
            VectorErrorKind::Store(error) => error.fmt(f),
            VectorErrorKind::Encoding => f.write_str("not UTF-8"),
            VectorErrorKind::Yaml(error) => error.fmt(f),
            VectorErrorKind::Hex(error) => write!(f, "bytes: {error}"),
            VectorErrorKind::Repeated => f.write_str("another vector has the same id"),
            VectorErrorKind::NoViolation => {
                f.write_str("`expect: reject` requires `violation: {rule, path, start, end}`")
            }
            VectorErrorKind::NeedlessViolation => {
                f.write_str("`violation` requires `expect: reject`")
            }
            VectorErrorKind::Record(number) => {
                write!(
                    f,
                    "record {number} is not an object with a string member `record`"
                )
            }
        }
    }
}

impl std::error::Error for VectorError {}

/// Returns the folder for the cases of a format that are stored as text.
pub fn folder(source: Source, format: &str) -> String {
    match source {
        Source::Regression => format!("regressions/{format}"),
        _ => format!("vectors/{format}"),
    }
}

/// Loads the vectors or regressions of `format`, in the order of their files.
///
/// # Errors
/// Returns an error for the first file or vector that cannot be read.
pub fn load(store: &Store, source: Source, format: &str) -> Result<Vec<Vector>, VectorError> {
    let folder = folder(source, format);
    let failed = |file: &str, error| VectorError {
        file: file.to_owned(),
        line: None,
        vector: None,
        kind: VectorErrorKind::Store(error),
    };
    let paths = store
        .list(&folder)
        .map_err(|error| failed(&folder, error))?;
    let mut vectors: Vec<Vector> = Vec::new();
    for path in paths.iter().filter(|path| path.ends_with(".yaml")) {
        let bytes = store.read(path).map_err(|error| failed(path, error))?;
        let bytes = bytes.unwrap_or_default();
        for vector in parse(source, &store.shown(path), &bytes)? {
            if vectors
                .iter()
                .any(|known| known.id == vector.id && known.format == vector.format)
            {
                return Err(VectorError {
                    file: vector.file,
                    line: Some(vector.line),
                    vector: Some(vector.id),
                    kind: VectorErrorKind::Repeated,
                });
            }
            vectors.push(vector);
        }
    }
    Ok(vectors)
}

/// Checks `vectors` with the reference decoder. Returns the cases that the decoder agrees with, and
/// the disagreements.
pub fn check(plan: &Plan, vectors: &[Vector]) -> (Vec<Case>, Vec<Disagreement>) {
    let (mut cases, mut disagreements) = (Vec::new(), Vec::new());
    for vector in vectors {
        match witness::check(plan, vector, vectors) {
            Ok(case) => cases.push(case),
            Err(disagreement) => disagreements.push(disagreement),
        }
    }
    (cases, disagreements)
}

/// The case source for vectors or regressions.
#[derive(Clone, Debug)]
pub struct Vectors {
    store: Store,
    source: Source,
}

impl Vectors {
    /// Creates the source for the vectors in `store`.
    pub fn new(store: Store) -> Self {
        let source = Source::Vector;
        Self { store, source }
    }

    /// Creates the source for the regressions in `store`.
    pub fn regressions(store: Store) -> Self {
        let source = Source::Regression;
        Self { store, source }
    }
}

impl CaseSource for Vectors {
    fn name(&self) -> &'static str {
        match self.source {
            Source::Regression => "regressions",
            _ => "vectors",
        }
    }

    fn build(&self, plan: &std::sync::Arc<Plan>) -> Built {
        let vectors = match load(&self.store, self.source, &plan.format) {
            Ok(vectors) => vectors,
            Err(error) => return Built::failed(Problem::Vector(error)),
        };
        let (cases, disagreements) = check(plan, &vectors);
        Built {
            cases,
            problems: disagreements
                .into_iter()
                .map(Problem::Disagreement)
                .collect(),
            ..Built::default()
        }
    }
}
