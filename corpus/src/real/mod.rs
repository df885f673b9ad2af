//! Loads traces produced by real writers. Each folder of real files contains a list that describes
//! them.

mod list;
mod written;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use tracegauge_plan::Plan;

use crate::case::{Case, CaseId, ExpectedVerdict, ExpectedViolation, Provenance, Source};
use crate::expected::{Examined, examine};
use crate::manifest::Entry;
use crate::source::{Built, CaseSource, Problem};
use crate::store::{Store, StoreError};
pub(crate) use list::Listed;
pub use written::{KnownWriters, Written};

/// The name of the list in a folder of real files.
const LIST: &str = "cases.yaml";

/// An error that occurred while reading a real file, or a mismatch between the file and its entry
/// in the list.
#[derive(Debug)]
pub struct RealError {
    /// The file.
    pub file: String,
    /// The kind of error.
    pub kind: RealErrorKind,
}

/// The kind of error in a real file.
#[derive(Debug)]
pub enum RealErrorKind {
    /// The file cannot be read.
    Store(StoreError),
    /// The list of real files is not valid YAML, or its structure is wrong.
    Yaml(serde_yaml::Error),
    /// The file is listed but does not exist.
    Missing,
    /// The file exists but is not listed.
    Unlisted,
    /// The reference decoder disagrees with the list.
    Disagrees {
        /// The format that the file was decoded as.
        format: String,
        /// The verdict according to the list.
        stated: ExpectedVerdict,
        /// The number of records according to the list.
        stated_records: usize,
        /// The verdict of the decoder.
        decoded: ExpectedVerdict,
        /// The number of records that the decoder found.
        decoded_records: usize,
        /// The violation according to the list.
        stated_violation: Option<Box<ExpectedViolation>>,
        /// The violation that the decoder found.
        decoded_violation: Option<Box<ExpectedViolation>>,
    },
}

impl fmt::Display for RealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        match &self.kind {
            RealErrorKind::Store(error) => error.fmt(f),
            RealErrorKind::Yaml(error) => error.fmt(f),
            RealErrorKind::Missing => write!(f, "listed in {LIST}, but the file does not exist"),
            RealErrorKind::Unlisted => write!(f, "not listed in {LIST}"),
            RealErrorKind::Disagrees {
                format,
                stated,
                stated_records,
                decoded,
                decoded_records,
                stated_violation,
                decoded_violation,
            } => {
                write!(
                    f,
                    "decoded as {format}: expected {stated} after {stated_records} records, got \
                     {decoded} after {decoded_records}"
                )?;
                if stated_violation != decoded_violation {
                    write!(
                        f,
                        "; expected {}, decoded {}",
                        shown(stated_violation.as_deref()),
                        shown(decoded_violation.as_deref())
                    )?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for RealError {}

fn shown(violation: Option<&ExpectedViolation>) -> String {
    violation.map_or_else(|| "no violation".to_owned(), ToString::to_string)
}

/// The case source for real files.
#[derive(Clone, Debug)]
pub struct Real {
    store: Store,
}

impl Real {
    /// Creates the source for the real files in `store`.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Returns the entry that each listed file would have in a manifest, by format and identity.
    /// The files are not decoded.
    ///
    /// # Errors
    /// Returns an error if a list or a file cannot be read, or a file is not listed.
    pub fn entries(&self) -> Result<BTreeMap<String, BTreeMap<CaseId, Entry>>, RealError> {
        let mut entries: BTreeMap<String, BTreeMap<CaseId, Entry>> = BTreeMap::new();
        for (folder, listed) in self.lists()? {
            for item in listed {
                let bytes = self.read(&folder, &item)?;
                let of_format = entries.entry(item.format.clone()).or_default();
                of_format.insert(item.id(), Entry::of_real(&item, &bytes));
            }
        }
        Ok(entries)
    }

    /// Builds the cases of a plan. A file yields an error if the decoder disagrees with its entry
    /// in the list.
    fn cases(&self, plan: &Plan) -> Result<Vec<Result<Case, RealError>>, RealError> {
        let mut cases = Vec::new();
        for (folder, listed) in self.lists()? {
            let wanted = listed.iter().filter(|item| item.format == plan.format);
            cases.extend(wanted.map(|item| self.case(plan, &folder, item)));
        }
        Ok(cases)
    }

    /// Reads the list of each folder with real files. Each list is preceded by the path of its
    /// folder, which ends with a slash.
    fn lists(&self) -> Result<Vec<(String, Vec<Listed>)>, RealError> {
        let failed = |error| RealError {
            file: "real".to_owned(),
            kind: RealErrorKind::Store(error),
        };
        let paths = self.store.list("real").map_err(failed)?;
        let mut lists = Vec::new();
        for path in paths.iter().filter(|path| path.ends_with(LIST)) {
            let folder = path.strip_suffix(LIST).unwrap_or_default();
            let bytes = self.store.read(path).map_err(failed)?.unwrap_or_default();
            let listed = list::parse(&bytes).map_err(|error| RealError {
                file: self.store.shown(path),
                kind: RealErrorKind::Yaml(error),
            })?;
            self.all_listed(folder, &paths, &listed)?;
            lists.push((folder.to_owned(), listed));
        }
        Ok(lists)
    }

    fn read(&self, folder: &str, item: &Listed) -> Result<Vec<u8>, RealError> {
        let path = format!("{folder}{}", item.file);
        let wrong = |kind| RealError {
            file: self.store.shown(&path),
            kind,
        };
        let bytes = self.store.read(&path);
        let bytes = bytes.map_err(|error| wrong(RealErrorKind::Store(error)))?;
        bytes.ok_or_else(|| wrong(RealErrorKind::Missing))
    }

    fn all_listed(
        &self,
        folder: &str,
        paths: &[String],
        listed: &[Listed],
    ) -> Result<(), RealError> {
        let is_listed = |name: &str| listed.iter().any(|item| item.file == name);
        let unlisted = paths.iter().find(|path| {
            path.strip_prefix(folder).is_some_and(|name| {
                name != LIST && !name.ends_with(".json") && !name.contains('/') && !is_listed(name)
            })
        });
        match unlisted {
            Some(path) => Err(RealError {
                file: self.store.shown(path),
                kind: RealErrorKind::Unlisted,
            }),
            None => Ok(()),
        }
    }

    fn case(&self, plan: &Plan, folder: &str, item: &Listed) -> Result<Case, RealError> {
        let bytes = self.read(folder, item)?;
        let examined = examine(plan, &bytes);
        agreed(plan, item, &examined).map_err(|kind| RealError {
            file: self.store.shown(&format!("{folder}{}", item.file)),
            kind,
        })?;
        Ok(Case {
            id: item.id(),
            format: item.format.clone(),
            bytes: Arc::from(&*bytes),
            repeated: None,
            expected: examined.expected,
            twin: None,
            provenance: Provenance {
                source: Source::Real,
                rules: item.rules.clone(),
                operator: None,
                why: item.says.clone(),
            },
            departures: Vec::new(),
            state: item.state.0,
            version: item.version,
        })
    }
}

fn agreed(plan: &Plan, item: &Listed, examined: &Examined) -> Result<(), RealErrorKind> {
    let decoded = &examined.expected;
    let decoded_records = decoded.records.first().map_or(0, Vec::len);
    let stated_violation = item.violation(plan);
    if item.expect.0 == decoded.verdict
        && item.records == decoded_records
        && stated_violation == decoded.violation
    {
        return Ok(());
    }
    Err(RealErrorKind::Disagrees {
        format: item.format.clone(),
        stated: item.expect.0,
        stated_records: item.records,
        decoded: decoded.verdict,
        decoded_records,
        stated_violation: stated_violation.map(Box::new),
        decoded_violation: decoded.violation.clone().map(Box::new),
    })
}

impl CaseSource for Real {
    fn name(&self) -> &'static str {
        "real files"
    }

    fn build(&self, plan: &Arc<Plan>) -> Built {
        let mut built = Built::default();
        match self.cases(plan) {
            Ok(cases) => {
                for case in cases {
                    match case {
                        Ok(case) => built.cases.push(case),
                        Err(error) => built.problems.push(Problem::Real(error)),
                    }
                }
            }
            Err(error) => built.problems.push(Problem::Real(error)),
        }
        built
    }
}
