//! Which format a file is of: as said, or recognised by content.

use std::fmt;
use std::sync::Arc;

use tracegauge_corpus::formats::{FormatError, Formats};
use tracegauge_spec::bundled;
use tracegauge_spec::plan::Plan;

/// Which format
#[derive(Clone, Debug, Default, clap::Args)]
pub struct FormatArgs {
    /// The format, as `list` of `tracegauge spec` names it; a dialect as FORMAT@DIALECT.
    /// Where not given it is recognised by content
    #[arg(long, value_name = "ID")]
    pub format: Option<String>,
    /// A description that is not bundled
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
}

/// Why there is no plan.
#[derive(Debug)]
pub enum ChoiceError {
    /// The description cannot be had.
    Format(FormatError),
    /// The name means several formats, or the description has several dialects.
    Several(Vec<String>),
    /// There is no content.
    Empty,
    /// The content is that of no format.
    Unrecognised(Vec<String>),
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Several(known) => {
                write!(f, "name one of them with --format: {}", known.join(", "))
            }
            Self::Empty => f.write_str(
                "the file is empty, and no byte tells its format; name one with --format to see what \
                 its readers do with nothing",
            ),
            Self::Unrecognised(known) => write!(
                f,
                "the first bytes are those of no known format ({}); name one with --format",
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

/// How many bytes from the start of a file tell its format.
pub const HEAD: usize = 64 * 1024;

impl FormatArgs {
    /// All plans that are meant, for commands about formats and not about files.
    ///
    /// # Errors
    /// A description is unknown or has mistakes.
    pub fn plans(&self) -> Result<Vec<Arc<Plan>>, ChoiceError> {
        Ok(self.formats()?.plans().to_vec())
    }

    /// All formats that are meant.
    pub(super) fn formats(&self) -> Result<Formats, ChoiceError> {
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

    /// Whether what is named can be had, before any file is opened: what is wrong with it is the same
    /// for all of them.
    ///
    /// # Errors
    /// A description is unknown or has mistakes, or what was named is not one format.
    pub fn check(&self) -> Result<(), ChoiceError> {
        match (&self.format, &self.spec) {
            (Some(_), _) => self.plan().map(drop),
            (None, Some(_)) => self.formats().map(drop),
            (None, None) => Ok(()),
        }
    }

    /// The one plan that is meant without looking at a file.
    ///
    /// # Errors
    /// None or several are meant.
    pub fn plan(&self) -> Result<Arc<Plan>, ChoiceError> {
        let plans = self.plans()?;
        match plans.as_slice() {
            [plan] => Ok(Arc::clone(plan)),
            [first, ..] if self.spec.is_some() && self.format.is_none() => {
                // A description's own default, unless it has none.
                let default = first.schema.dialects.iter().find(|dialect| dialect.default);
                let found = default.and_then(|d| plans.iter().find(|plan| plan.format == d.id));
                found.cloned().ok_or_else(|| several(&plans))
            }
            _ => Err(several(&plans)),
        }
    }

    /// The plan for a file that starts with `head`.
    ///
    /// # Errors
    /// Its format is not recognised, or what was named is not one format.
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
                let formats = self.formats()?;
                let found = formats.recognise(head).cloned();
                found.ok_or_else(|| ChoiceError::Unrecognised(names()))
            }
        }
    }
}

fn several(plans: &[Arc<Plan>]) -> ChoiceError {
    ChoiceError::Several(plans.iter().map(|plan| plan.format.clone()).collect())
}

/// Formats that content can tell.
fn names() -> Vec<String> {
    let formats = bundled::list().iter();
    let dialects = formats.flat_map(|format| format.dialects.iter().cloned());
    dialects.filter(|id| !id.contains('@')).collect()
}
