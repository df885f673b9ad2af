//! Reads the format and other settings from the environment.

use std::fmt;
use std::sync::Arc;

use tracegauge_corpus::formats::{FormatError, Formats};
use tracegauge_plan::Plan;
use tracegauge_spec::bundled::{self, BundledFormat};

/// The settings from the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The format, or a dialect of the description in `spec`.
    pub format: Option<String>,
    /// The path of the description, if it is not bundled.
    pub spec: Option<String>,
    /// Whether AFL++ runs the repaired form of a malformed trace instead of the trace itself.
    pub repair: bool,
}

/// The reason why no format can be selected.
#[derive(Debug)]
pub enum ChoiceError {
    /// No format was specified.
    Unnamed,
    /// The description cannot be loaded.
    Format(FormatError),
    /// The name matches several formats.
    Several(Vec<String>),
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unnamed => {
                let dialects = bundled::list().iter().flat_map(BundledFormat::ids);
                let known: Vec<&str> = dialects.filter(|id| !id.contains('@')).collect();
                write!(
                    f,
                    "set TRACEGAUGE_FORMAT to a format ({}), or TRACEGAUGE_SPEC to the file of a \
                     description",
                    known.join(", ")
                )
            }
            Self::Format(error) => error.fmt(f),
            Self::Several(names) => {
                write!(
                    f,
                    "set TRACEGAUGE_FORMAT to one of them: {}",
                    names.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for ChoiceError {}

impl From<FormatError> for ChoiceError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}

impl Settings {
    /// Reads the settings from the environment.
    pub fn from_environment() -> Self {
        let named = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            format: named("TRACEGAUGE_FORMAT"),
            spec: named("TRACEGAUGE_SPEC"),
            repair: named("TRACEGAUGE_REPAIR").is_some_and(|value| value != "0"),
        }
    }

    /// Returns the plan selected by the settings.
    ///
    /// # Errors
    /// Returns an error if the settings do not select exactly one plan, or if the description
    /// cannot be loaded.
    pub fn plan(&self) -> Result<Arc<Plan>, ChoiceError> {
        let names: Vec<String> = self.format.iter().cloned().collect();
        let formats = match (&self.spec, names.is_empty()) {
            (Some(path), true) => Formats::from_file(path)?,
            (Some(path), false) => Formats::from_file(path)?.only(&names)?,
            (None, false) => Formats::bundled(&names)?,
            (None, true) => return Err(ChoiceError::Unnamed),
        };
        let by_default = |plan: &&Arc<Plan>| {
            let mut dialects = plan.description.dialects.iter();
            names.is_empty()
                && dialects.any(|dialect| dialect.is_default && dialect.id == plan.format)
        };
        let plans = formats.plans();
        let one = match plans {
            [one] => Some(one),
            _ => plans.iter().find(by_default),
        };
        one.cloned().ok_or_else(|| {
            let names = plans.iter().map(|plan| plan.format.clone());
            ChoiceError::Several(names.collect())
        })
    }
}
