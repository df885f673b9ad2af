//! Stores outcome matrices in the corpus.
//!
//! A matrix is stored as compressed text. The first five lines identify the matrix, and the sixth
//! line contains the number of cases. They are followed by one line for each case (its id, its
//! version and the distinct failures that mistakes cause in it) and one line for each mistake, that
//! is, each bug planted in the decoder (the cases that it breaks). The line of a mistake gives each
//! case as its distance from the previous case. If the failure is not the first one listed for the
//! case, a dot and the number of the failure follow the distance.

use std::fmt::{self, Write as _};
use std::io;
use std::str::{FromStr, Lines};

use tracegauge_plan::Plan;

use super::{Cell, Column, Failure, Identity, Matrix, identity, mistakes};
use crate::mutation_score::Wrong;
use crate::store::{Store, StoreError};

/// The first line of the file. Its number is incremented when the file format changes.
const HEAD: &str = "tracegauge outcome matrix 1";

/// The reason why a stored matrix cannot be used.
#[derive(Debug)]
pub enum MatrixError {
    /// The file cannot be read or written.
    Store(StoreError),
    /// The file at this path does not contain a matrix.
    Content(String),
    /// The matrix at this path was computed from a different description or different mutants.
    Stale(String),
}

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Content(path) => write!(f, "{path}: not an outcome matrix"),
            Self::Stale(path) => write!(
                f,
                "{path}: computed from another version of the description or of tracegauge; \
                 `tracegauge corpus build` computes it again"
            ),
        }
    }
}

impl std::error::Error for MatrixError {}

impl From<StoreError> for MatrixError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn path(format: &str) -> String {
    format!("matrix/{format}.gz")
}

/// Loads the matrix of a plan's format from `store`. Returns `None` if there is no such matrix.
///
/// # Errors
/// Returns an error if the matrix cannot be read or was computed from a different description or
/// different mutants.
pub fn load(store: &Store, plan: &Plan) -> Result<Option<Matrix>, MatrixError> {
    let path = path(&plan.format);
    let Some(text) = text(store, &path)? else {
        return Ok(None);
    };
    let content = || MatrixError::Content(store.shown(&path));
    let mut lines = text.lines();
    let (format, identity) = head(&mut lines).ok_or_else(content)?;
    let stale = || MatrixError::Stale(store.shown(&path));
    if identity.description != identity::of_description(plan) {
        return Err(stale());
    }
    let (_, mistakes) = mistakes(plan);
    if identity.mistakes != identity::of_mistakes(&mistakes) {
        return Err(stale());
    }
    let (columns, rows) = body(&mut lines, mistakes.len()).ok_or_else(content)?;
    Ok(Some(Matrix {
        format,
        identity,
        mistakes,
        columns,
        rows,
    }))
}

/// Writes a matrix to `store`, unless the store already contains the same matrix. Returns true if
/// the matrix was written.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn save(store: &Store, matrix: &Matrix) -> Result<bool, MatrixError> {
    let path = path(&matrix.format);
    let text = written(matrix);
    Ok(store.compress(&path, &text)?)
}

/// Returns the identity of the matrix stored for a format. Returns `None` if no matrix is stored.
///
/// # Errors
/// Returns an error if the matrix cannot be read.
pub fn identity_of(store: &Store, format: &str) -> Result<Option<Identity>, MatrixError> {
    let path = path(format);
    let Some(text) = text(store, &path)? else {
        return Ok(None);
    };
    match head(&mut text.lines()) {
        Some((_, identity)) => Ok(Some(identity)),
        None => Err(MatrixError::Content(store.shown(&path))),
    }
}

fn text(store: &Store, path: &str) -> Result<Option<String>, MatrixError> {
    store
        .compressed(path)
        .map_err(|error| match error.error.kind() {
            // The content is not compressed, or it is truncated.
            io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
            | io::ErrorKind::UnexpectedEof => MatrixError::Content(store.shown(path)),
            _ => MatrixError::Store(error),
        })
}

fn written(matrix: &Matrix) -> String {
    let Identity {
        description,
        cases,
        mistakes,
    } = &matrix.identity;
    let mut text = format!(
        "{HEAD}\nformat {}\ndescription {description}\ncases {cases}\nmistakes {mistakes}\n",
        matrix.format
    );
    let _ = writeln!(text, "{} cases", matrix.columns.len());
    for column in &matrix.columns {
        let _ = write!(text, "{}\t{}\t", column.case, column.version);
        for (number, failure) in column.failures.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            let _ = write!(text, "{space}{failure}");
        }
        text.push('\n');
    }
    for row in &matrix.rows {
        let mut before = 0;
        for (number, cell) in row.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            let _ = write!(text, "{space}{}", cell.column - before);
            if cell.failure != 0 {
                let _ = write!(text, ".{}", cell.failure);
            }
            before = cell.column;
        }
        text.push('\n');
    }
    text
}

fn head(lines: &mut Lines<'_>) -> Option<(String, Identity)> {
    if lines.next()? != HEAD {
        return None;
    }
    let mut value = |name: &str| {
        let value = lines.next()?.strip_prefix(name)?.strip_prefix(' ')?;
        Some(value.to_owned())
    };
    let format = value("format")?;
    let identity = Identity {
        description: value("description")?,
        cases: value("cases")?,
        mistakes: value("mistakes")?,
    };
    Some((format, identity))
}

type Body = (Vec<Column>, Vec<Vec<Cell>>);

fn body(lines: &mut Lines<'_>, mistakes: usize) -> Option<Body> {
    let count = lines.next()?.strip_suffix(" cases")?.parse().ok()?;
    let columns = lines.by_ref().take(count).map(column);
    let columns: Vec<Column> = columns.collect::<Option<_>>()?;
    let rows = lines.map(|line| row(line, &columns));
    let rows: Vec<Vec<Cell>> = rows.collect::<Option<_>>()?;
    (columns.len() == count && rows.len() == mistakes).then_some((columns, rows))
}

fn column(line: &str) -> Option<Column> {
    let mut parts = line.split('\t');
    let (case, version, failures) = (parts.next()?, parts.next()?, parts.next()?);
    let failures = failures.split(' ').filter(|it| !it.is_empty());
    let failures = failures.map(|failure| failure.parse().ok());
    Some(Column {
        case: case.to_owned(),
        version: version.parse().ok()?,
        failures: failures.collect::<Option<_>>()?,
    })
}

fn row(line: &str, columns: &[Column]) -> Option<Vec<Cell>> {
    let mut before = 0_u32;
    let cells = line.split(' ').filter(|it| !it.is_empty()).map(|cell| {
        let (distance, failure) = cell.split_once('.').unwrap_or((cell, "0"));
        let column = before.checked_add(distance.parse().ok()?)?;
        let failure: u32 = failure.parse().ok()?;
        before = column;
        let failures = &columns.get(column as usize)?.failures;
        failures.get(failure as usize)?;
        Some(Cell { column, failure })
    });
    cells.collect()
}

/// The letters that represent the kinds of failures.
const LETTERS: [(char, Wrong); 3] = [
    ('v', Wrong::Verdict),
    ('r', Wrong::Records),
    ('e', Wrong::Endless),
];

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = LETTERS.iter().find(|(_, wrong)| *wrong == self.wrong);
        f.write_char(letter.map_or('e', |(letter, _)| *letter))?;
        match self.difference {
            Some(difference) => write!(f, "{difference:08x}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Failure {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut rest = text.chars();
        let first = rest.next();
        let known = LETTERS.iter().find(|(letter, _)| Some(*letter) == first);
        let (_, wrong) = known.ok_or(())?;
        let difference = match rest.as_str() {
            "" => None,
            digits => Some(u32::from_str_radix(digits, 16).map_err(|_| ())?),
        };
        Ok(Self {
            wrong: *wrong,
            difference,
        })
    }
}
