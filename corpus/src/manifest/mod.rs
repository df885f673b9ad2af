//! Manifests, which are reviewable text files that list the generated cases of a format. The bytes
//! of the cases are regenerated when needed, and the hashes in the manifest prove that they have
//! not changed.

mod compare;
mod text;

use std::collections::BTreeMap;

pub use compare::{Change, Changes, Gone, compare};

use crate::case::{Case, CaseId, ExpectedVerdict, Source, State};
use crate::real::Listed;
use crate::store::{KeptError, Store};
use crate::vector::Vector;
use tracegauge_decoder::record::write_record;

/// The generated cases of one format, by identity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The id of the format and dialect.
    pub format: String,
    /// The entries, sorted by case.
    pub entries: BTreeMap<CaseId, Entry>,
}

/// The manifest entry of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The version number, incremented when the trace or its expectation changes.
    pub version: u32,
    /// The lifecycle state, which is set by hand or by `corpus retire`. `corpus build` keeps it
    /// unless the case is no longer generated.
    pub state: State,
    /// The reason why the case is disputed or retired.
    pub reason: Option<String>,
    /// The expected verdict.
    pub expect: ExpectedVerdict,
    /// True if conforming readers may report different records after those that the case lists.
    pub open: bool,
    /// The rules that the case tests.
    pub rules: Vec<String>,
    /// The path of the field that contains the fault, and the start and end offset of the fault.
    pub fault: Option<(String, u64, u64)>,
    /// The name of the operator that planted the fault in the twin.
    pub operator: Option<String>,
    /// The valid case that this case was generated from.
    pub twin: Option<CaseId>,
    /// The departures of the trace from what typical writers produce.
    pub departures: Vec<String>,
    /// The length of the trace in bytes.
    pub bytes: usize,
    /// The hash of the trace.
    pub hash: String,
    /// The number of records in each correct answer.
    pub records: Vec<usize>,
    /// The number of records that a reader must report even though the trace is truncated.
    pub due: Option<usize>,
    /// The hash of the expected records.
    pub answer: String,
}

/// The number of hex digits that hashes are truncated to. 128 bits suffice, because the hashes
/// detect changes rather than attacks, and they keep the lines short.
const DIGITS: usize = 32;

impl Entry {
    /// Creates the entry of a case.
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
            departures: case.departures.clone(),
            bytes: case.bytes.len(),
            hash: digits(blake3::hash(&case.bytes)),
            records: case.expected.records.iter().map(Vec::len).collect(),
            due: case.expected.due,
            answer: answer(case),
        }
    }

    /// Returns the identity of a vector's case and the entry that the case would have. A vector has
    /// only one correct answer: the records listed in the vector.
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
            departures: Vec::new(),
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

    /// Returns the entry that the case of a real file would have. The list of real files contains
    /// the number of records instead of the records, so the answer is a hash of this number.
    pub(crate) fn of_real(listed: &Listed, bytes: &[u8]) -> Self {
        let violation = listed.violation.as_ref();
        Self {
            version: listed.version,
            state: listed.state.0,
            reason: None,
            expect: listed.expect.0,
            open: false,
            rules: match violation {
                Some(violated) => violated.rules.0.clone(),
                None => listed.rules.clone(),
            },
            fault: violation.map(|found| (found.path.clone(), found.start, found.end)),
            operator: None,
            twin: None,
            departures: Vec::new(),
            bytes: bytes.len(),
            hash: digits(blake3::hash(bytes)),
            records: vec![listed.records],
            due: None,
            answer: digits(blake3::hash(&listed.records.to_le_bytes())),
        }
    }

    /// Returns true if the entry describes the trace with these bytes.
    pub fn is_of(&self, bytes: &[u8]) -> bool {
        self.bytes == bytes.len() && self.hash == digits(blake3::hash(bytes))
    }

    /// Returns true if both entries describe the same trace and expect the same answer from a
    /// reader.
    pub fn is_same(&self, other: &Self) -> bool {
        self.hash == other.hash && self.demands_same(other)
    }

    /// Returns true if both entries expect the same answer from a reader. The rules of an accept
    /// case are ignored, because a reader does not report them.
    pub fn demands_same(&self, other: &Self) -> bool {
        (self.expect, self.open, &self.fault) == (other.expect, other.open, &other.fault)
            && (&self.answer, self.due) == (&other.answer, other.due)
            && (self.expect == ExpectedVerdict::Accept || self.rules == other.rules)
    }

    /// Returns true if both entries have the same provenance: rules, twin, operator and
    /// departures.
    pub fn is_told_alike(&self, other: &Self) -> bool {
        (&self.rules, &self.twin, &self.operator) == (&other.rules, &other.twin, &other.operator)
            && self.departures == other.departures
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

/// Returns true if manifests list the cases of this source. Manifests list only generated cases.
pub fn lists(source: Source) -> bool {
    matches!(source, Source::Valid | Source::Malformed | Source::Ladder)
}

impl Manifest {
    /// Creates the manifest of the generated cases among `cases`.
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

    /// Returns the path of a format's manifest in the corpus.
    pub fn path(format: &str) -> String {
        format!("manifest/{format}.yaml")
    }

    /// Loads the manifest of a format. Returns `None` if there is no manifest.
    ///
    /// # Errors
    /// Returns an error if the manifest exists but cannot be read.
    pub fn load(store: &Store, format: &str) -> Result<Option<Self>, KeptError> {
        let path = Self::path(format);
        let bytes = store.read(&path).map_err(KeptError::Store)?;
        bytes
            .map(|bytes| Self::parse(&store.shown(&path), &bytes))
            .transpose()
    }

    /// Parses a manifest file.
    ///
    /// # Errors
    /// Returns an error if the file is not a valid manifest.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, KeptError> {
        text::parse(bytes).map_err(|error| KeptError::Text {
            file: file.to_owned(),
            error,
        })
    }

    /// Writes the manifest. Returns `false` if the file already has the same content.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
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
