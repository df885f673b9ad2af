//! The manifest: what the generated cases of a format are, as text that people review. The
//! bytes are made anew whenever they are wanted; the manifest proves that they are the same.

mod compare;
mod text;

use std::collections::BTreeMap;

pub use compare::{Change, Changes, Gone, compare};

use crate::case::{Case, CaseId, ExpectedVerdict, Source, State};
use crate::store::{KeptError, Store};
use crate::vector::Vector;
use tracegauge_decoder::record::write_record;

/// The generated cases of one format, by identity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The format with its dialect.
    pub format: String,
    /// The entries, sorted.
    pub entries: BTreeMap<CaseId, Entry>,
}

/// What is kept of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Raised when the case becomes another.
    pub version: u32,
    /// Where it stands in its life; changed by hand.
    pub state: State,
    /// Why it is disputed or retired.
    pub reason: Option<String>,
    /// What readers are to do.
    pub expect: ExpectedVerdict,
    /// Readers part ways after the records.
    pub open: bool,
    /// The rules that it is about.
    pub rules: Vec<String>,
    /// Path and bytes of the fault.
    pub fault: Option<(String, u64, u64)>,
    /// What was done to the twin.
    pub operator: Option<String>,
    /// The valid case that it was made from.
    pub twin: Option<CaseId>,
    /// Length of the trace.
    pub bytes: usize,
    /// Hash of the trace.
    pub hash: String,
    /// Number of records in each right answer.
    pub records: Vec<usize>,
    /// How many of them are owed though the trace is cut.
    pub due: Option<usize>,
    /// Hash of the records.
    pub answer: String,
}

/// Hashes are cut to 128 bits: they tell changes, not attacks, and lines stay readable.
const DIGITS: usize = 32;

impl Entry {
    /// The entry of a case.
    pub fn of(case: &Case) -> Self {
        let violation = case.expected.violation.as_ref();
        Self {
            version: case.version,
            state: case.state,
            reason: None,
            expect: case.expected.verdict,
            open: case.expected.open,
            rules: case.provenance.rules.clone(),
            fault: violation.map(|found| (found.path.clone(), found.start, found.end)),
            operator: case.provenance.operator.clone(),
            twin: case.twin.clone(),
            bytes: case.bytes.len(),
            hash: digits(blake3::hash(&case.bytes)),
            records: case.expected.records.iter().map(Vec::len).collect(),
            due: case.expected.due,
            answer: answer(case),
        }
    }

    /// The case that is kept as text, and what would be its entry. A vector has no other answer
    /// than its own.
    pub fn of_vector(vector: &Vector) -> (CaseId, Self) {
        let id = |name: &str| format!("{}/{}/{name}", vector.format, vector.source.name());
        let violation = vector.violation.as_ref();
        let entry = Self {
            version: vector.version,
            state: vector.state,
            reason: vector.reason.clone(),
            expect: vector.expect,
            open: vector.open,
            rules: match violation {
                Some(violated) => violated.rules.0.clone(),
                None => vector.rules.clone(),
            },
            fault: violation.map(|found| (found.path.clone(), found.start, found.end)),
            operator: None,
            twin: vector.twin.as_deref().map(id),
            bytes: vector.bytes.len(),
            hash: digits(blake3::hash(&vector.bytes)),
            records: vec![vector.records.len()],
            due: None,
            answer: {
                let mut hasher = blake3::Hasher::new();
                for record in &vector.records {
                    hasher.update(record.to_string().as_bytes());
                    hasher.update(b"\n");
                }
                digits(hasher.finalize())
            },
        };
        (id(&vector.id), entry)
    }

    /// The same trace, and the same demands on a reader.
    pub fn is_same(&self, other: &Self) -> bool {
        self.hash == other.hash && self.demands_same(other)
    }

    /// The same demands on a reader. Under which rules it is told that it has to accept a trace
    /// is none.
    pub fn demands_same(&self, other: &Self) -> bool {
        (self.expect, self.open, &self.fault) == (other.expect, other.open, &other.fault)
            && (&self.answer, self.due) == (&other.answer, other.due)
            && (self.expect == ExpectedVerdict::Accept || self.rules == other.rules)
    }

    /// It is told alike what it is: under the same rules, as made from the same twin by the same
    /// operator.
    pub fn is_told_alike(&self, other: &Self) -> bool {
        (&self.rules, &self.twin, &self.operator) == (&other.rules, &other.twin, &other.operator)
    }
}

fn answer(case: &Case) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut line = Vec::new();
    for records in &case.expected.records {
        for record in records {
            line.clear();
            write_record(record, &mut line);
            line.push(b'\n');
            hasher.update(&line);
        }
        hasher.update(b"\n");
    }
    digits(hasher.finalize())
}

fn digits(hash: blake3::Hash) -> String {
    hash.to_hex()[..DIGITS].to_owned()
}

/// Whether a manifest lists such cases: those that a program makes.
pub fn lists(source: Source) -> bool {
    matches!(source, Source::Valid | Source::Malformed | Source::Ladder)
}

impl Manifest {
    /// The manifest of the listed ones among `cases`.
    pub fn of<'c>(format: &str, cases: impl IntoIterator<Item = &'c Case>) -> Self {
        let listed = cases
            .into_iter()
            .filter(|case| case.format == format && lists(case.provenance.source));
        Self {
            format: format.to_owned(),
            entries: listed
                .map(|case| (case.id.clone(), Entry::of(case)))
                .collect(),
        }
    }

    /// Where the manifest of a format is kept.
    pub fn path(format: &str) -> String {
        format!("manifest/{format}.yaml")
    }

    /// The manifest of a format; `None` where there is none.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub fn load(store: &Store, format: &str) -> Result<Option<Self>, KeptError> {
        let path = Self::path(format);
        let bytes = store.read(&path).map_err(KeptError::Store)?;
        bytes
            .map(|bytes| Self::parse(&store.shown(&path), &bytes))
            .transpose()
    }

    /// The manifest that a file has.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, KeptError> {
        text::parse(bytes).map_err(|error| KeptError::Text {
            file: file.to_owned(),
            error,
        })
    }

    /// Writes the manifest; `false` where it stood there already.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, store: &Store) -> Result<bool, KeptError> {
        let path = Self::path(&self.format);
        let text = text::render(self);
        let before = store.read(&path).map_err(KeptError::Store)?;
        if before.is_some_and(|before| *before == *text.as_bytes()) {
            return Ok(false);
        }
        store
            .write(&path, text.as_bytes())
            .map_err(KeptError::Store)?;
        Ok(true)
    }
}
