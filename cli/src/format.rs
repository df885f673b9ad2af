//! Chooses the format of a file: the one that the user names, or the one recognized from the
//! content.

use std::fmt;
use std::sync::{Arc, OnceLock};

use tracegauge_corpus::formats::{FormatError, Formats, Recognised};
use tracegauge_plan::{Detection, Plan};
use tracegauge_spec::bundled::{self, BundledFormat};
use tracegauge_spec::schema::Schema;

/// The help text of `--format` in commands that cannot detect the format, because they read no
/// trace.
pub const REQUIRED: &str = "Format, as listed by `tracegauge spec list`; write FORMAT@DIALECT to \
    select a dialect. Required unless --spec names a description that has only one dialect or a \
    default dialect";

/// The format to use.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct FormatArgs {
    /// Format, as listed by `tracegauge spec list`; write FORMAT@DIALECT to select a dialect.
    /// Without this option, the format of each trace is detected from its content
    #[arg(long, value_name = "ID")]
    pub format: Option<String>,
    /// Description to use instead of a bundled one
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
    /// The formats that match the options, which are loaded once for all traces of a command.
    #[arg(skip)]
    loaded: OnceLock<Formats>,
    /// The formats of the traces so far, if no format is given.
    #[arg(skip)]
    recognised: Recognised,
}

/// The reasons why no plan can be chosen.
#[derive(Debug)]
pub enum ChoiceError {
    /// The description cannot be loaded.
    Format(FormatError),
    /// The name matches several formats, or the description has several dialects.
    Several(Vec<String>),
    /// The file is empty.
    Empty,
    /// The content matches no known format.
    Unrecognised(Vec<String>),
    /// The content starts like a trace of a known format, but matches none of its versions.
    OtherVersion {
        /// The family of the format.
        family: String,
        /// The known versions.
        known: Vec<String>,
    },
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Several(known) => {
                write!(f, "choose one with --format: {}", known.join(", "))
            }
            Self::Empty => f.write_str(
                "the trace is empty, so its format cannot be recognized; choose one with --format \
                 to see how readers of that format handle an empty file",
            ),
            Self::Unrecognised(known) => write!(
                f,
                "the content matches no known format ({}); choose one with --format",
                known.join(", ")
            ),
            Self::OtherVersion { family, known } => write!(
                f,
                "the trace starts like a trace of {family}, but its version is missing or unknown; \
                 choose a known version ({}) with --format to decode the trace anyway",
                known.join(", ")
            ),
        }
    }
}

impl std::error::Error for ChoiceError {}

impl From<FormatError> for ChoiceError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}

/// Number of bytes at the start of a file that are used to recognize its format.
pub const HEAD: usize = 64 * 1024;

impl FormatArgs {
    /// Returns all plans that match the options, for commands about formats rather than files.
    ///
    /// # Errors
    /// Returns an error if a description is unknown or has mistakes.
    pub fn plans(&self) -> Result<Vec<Arc<Plan>>, ChoiceError> {
        Ok(self.formats()?.plans().to_vec())
    }

    /// Returns all formats that match the options.
    pub(super) fn formats(&self) -> Result<&Formats, ChoiceError> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let loaded = self.load()?;
        Ok(self.loaded.get_or_init(|| loaded))
    }

    fn load(&self) -> Result<Formats, ChoiceError> {
        let formats = match (&self.spec, &self.format) {
            (Some(path), _) => Formats::from_file(path)?,
            (None, Some(name)) => Formats::bundled(std::slice::from_ref(name))?,
            (None, None) => Formats::able(&[])?.0,
        };
        let named = |id: &str| match (&self.spec, &self.format) {
            (Some(_), Some(name)) => id == name,
            _ => true,
        };
        Ok(formats.filtered(named))
    }

    /// Checks the options before any file is opened, because an error in the options affects every
    /// file.
    ///
    /// # Errors
    /// Returns an error if a description is unknown or has mistakes, or if `--format` does not
    /// select exactly one format.
    pub fn check(&self) -> Result<(), ChoiceError> {
        match (&self.format, &self.spec) {
            (Some(_), _) => self.plan().map(drop),
            (None, Some(_)) => self.formats().map(drop),
            (None, None) => Ok(()),
        }
    }

    /// Returns the only plan that matches the options or, if `--spec` alone is given, the plan of
    /// the description's default dialect, without looking at a file.
    ///
    /// # Errors
    /// Returns an error if a description is unknown or has mistakes, or if the options do not
    /// determine a single format.
    pub fn plan(&self) -> Result<Arc<Plan>, ChoiceError> {
        let plans = self.plans()?;
        match plans.as_slice() {
            [plan] => Ok(Arc::clone(plan)),
            [first, ..] if self.spec.is_some() && self.format.is_none() => {
                // The default dialect of the description, if it has one.
                let default = first
                    .description
                    .dialects
                    .iter()
                    .find(|dialect| dialect.is_default);
                let found = default.and_then(|d| plans.iter().find(|plan| plan.format == d.id));
                found.cloned().ok_or_else(|| several(&plans))
            }
            _ => Err(several(&plans)),
        }
    }

    /// Returns the plan that [`Self::plan`] returns. If the options select no format, returns the only
    /// plan that `is_meant` accepts.
    ///
    /// # Errors
    /// Returns an error if [`Self::plan`] does, or if `is_meant` accepts no plan or several plans.
    pub fn plan_among(&self, is_meant: impl Fn(&str) -> bool) -> Result<Arc<Plan>, ChoiceError> {
        if self.format.is_some() || self.spec.is_some() {
            return self.plan();
        }
        let mut plans = self.plans()?;
        plans.retain(|plan| is_meant(&plan.format));
        match plans.as_slice() {
            [] => self.plan(),
            [plan] => Ok(Arc::clone(plan)),
            _ => Err(several(&plans)),
        }
    }

    /// Returns the plan for a file that starts with `head`.
    ///
    /// # Errors
    /// Returns an error if the format is not recognized, or if the options do not match exactly one
    /// format.
    pub fn plan_for(&self, head: &[u8]) -> Result<Arc<Plan>, ChoiceError> {
        match (&self.format, &self.spec) {
            (Some(_), _) => self.plan(),
            (None, Some(_)) => {
                let formats = self.formats()?;
                match formats.recognise(head) {
                    Some(plan) => Ok(Arc::clone(plan)),
                    None => self.plan(),
                }
            }
            (None, None) if head.is_empty() => Err(ChoiceError::Empty),
            (None, None) => {
                let found = self.recognised.recognise(head);
                found.ok_or_else(|| not_recognised(head))
            }
        }
    }

    /// Loads the schema (the checked description) that `plan` was built from.
    ///
    /// # Errors
    /// Returns an error if the description can no longer be loaded.
    pub fn schema(&self, plan: &Plan) -> Result<Arc<Schema>, ChoiceError> {
        Ok(match &self.spec {
            Some(path) => Formats::schema_from_file(path)?,
            None => Formats::bundled_schema(&plan.format)?,
        })
    }
}

fn several(plans: &[Arc<Plan>]) -> ChoiceError {
    ChoiceError::Several(plans.iter().map(|plan| plan.format.clone()).collect())
}

/// Returns the error for a file that starts with `head` and was not recognized.
fn not_recognised(head: &[u8]) -> ChoiceError {
    let begins = |format: &&BundledFormat| {
        let mut dialects = format.dialects.iter();
        dialects.any(|dialect| begins_with_magic(&dialect.detection, head))
    };
    let Some(found) = bundled::list().iter().find(begins) else {
        return ChoiceError::Unrecognised(names());
    };
    let versions = bundled::list()
        .iter()
        .filter(|format| format.family == found.family);
    let known = versions.flat_map(BundledFormat::ids);
    let known = known.filter(|id| !id.contains('@'));
    let mut known: Vec<String> = known.map(str::to_owned).collect();
    known.sort();
    ChoiceError::OtherVersion {
        family: found.family.clone(),
        known,
    }
}

/// Returns whether `head` contains the longest byte string of the detection rules. The shorter ones
/// are sizes and version numbers, which other formats may have at the same offsets.
fn begins_with_magic(detection: &Detection, head: &[u8]) -> bool {
    let magic = detection.bytes.iter().max_by_key(|(_, bytes)| bytes.len());
    magic.is_some_and(|magic| {
        let magic = Detection {
            bytes: vec![magic.clone()],
            field: None,
        };
        magic.matches_bytes(head)
    })
}

/// Returns the formats that can be recognized from the content.
fn names() -> Vec<String> {
    let dialects = bundled::list().iter().flat_map(BundledFormat::ids);
    let formats = dialects.filter(|id| !id.contains('@'));
    formats.map(str::to_owned).collect()
}
