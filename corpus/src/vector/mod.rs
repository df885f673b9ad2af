//! Cases that are kept as text: vectors, which people assembled by hand from the format document,
//! and regressions, which once broke a reader.
//!
//! A vector states what its bytes mean; the reference decoder is asked afterwards. Where the
//! two disagree, one of them is wrong, and the vector does not become a case.

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

use tracegauge_spec::plan::Plan;

use crate::case::{Case, Source};
use crate::source::{Built, CaseSource, Problem};
use crate::store::{Store, StoreError};

/// A file of vectors that cannot be read.
#[derive(Debug)]
pub struct VectorError {
    /// The file.
    pub file: String,
    /// The line, where it is known.
    pub line: Option<usize>,
    /// The vector, where it is one.
    pub vector: Option<String>,
    /// What is wrong.
    pub kind: VectorErrorKind,
}

/// What is wrong with a file of vectors.
#[derive(Debug)]
pub enum VectorErrorKind {
    /// It cannot be read.
    Store(StoreError),
    /// It is not UTF-8.
    Encoding,
    /// It is no YAML, or not of the shape of vectors.
    Yaml(serde_yaml::Error),
    /// Its bytes are no hex digits.
    Hex(HexError),
    /// There is another vector with this id.
    Repeated,
    /// It is rejected and does not say for what.
    NoViolation,
    /// It says what is violated and is not rejected.
    NeedlessViolation,
    /// A record is no object, or does not say its kind.
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
                f.write_str("`expect: reject` needs `violation: {rule, path, start, end}`")
            }
            VectorErrorKind::NeedlessViolation => {
                f.write_str("`violation` belongs to `expect: reject`")
            }
            VectorErrorKind::Record(number) => {
                write!(
                    f,
                    "record {number} is no object with a text member `record`"
                )
            }
        }
    }
}

impl std::error::Error for VectorError {}

/// The folder in which cases of a format are kept as text.
pub fn folder(source: Source, format: &str) -> String {
    match source {
        Source::Regression => format!("regressions/{format}"),
        _ => format!("vectors/{format}"),
    }
}

/// The vectors, or regressions, of `format` in the order of their files.
///
/// # Errors
/// The first file or vector that cannot be read.
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

/// What became of `vectors`: cases where the reference decoder agrees, else how not.
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

/// What is kept as text as a source of cases.
#[derive(Clone, Debug)]
pub struct Vectors {
    store: Store,
    source: Source,
}

impl Vectors {
    /// The vectors in `store`.
    pub fn new(store: Store) -> Self {
        let source = Source::Vector;
        Self { store, source }
    }

    /// The regressions in `store`.
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
