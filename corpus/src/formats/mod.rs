//! Loads the plans of the selected formats.

mod others;
mod recognise;

pub use others::other_formats;
pub use recognise::Recognised;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use tracegauge_plan::Plan;
use tracegauge_spec::bundled::{self, BundledFormat};
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Disk, Files, Loaded, load};
use tracegauge_spec::lower::lower;
use tracegauge_spec::schema::Schema;

use crate::manifest::Manifest;
use crate::store::{KeptError, Store};

/// A set of plans, identified by the ids of their dialects.
#[derive(Clone, Debug, Default)]
pub struct Formats {
    plans: Vec<Arc<Plan>>,
}

/// An error that occurred while loading a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// No description has the given name.
    Unknown {
        /// The name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The file with the description cannot be read.
    Unreadable {
        /// The path of the file.
        path: String,
        /// The reason.
        why: String,
    },
    /// The description has mistakes.
    Description {
        /// The id of the description, or its path.
        name: String,
        /// The mistakes as reported by the checker.
        mistakes: String,
    },
    /// The description is valid but cannot be executed.
    Plan {
        /// The dialect.
        format: String,
        /// The constructs that cannot be executed, each with its location.
        reasons: Vec<String>,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, known } => {
                write!(
                    f,
                    "no description of the format `{name}`; known formats: {}",
                    known.join(", ")
                )
            }
            Self::Unreadable { path, why } => {
                write!(f, "cannot read the description `{path}`: {why}")?;
                match bundled::find(path).is_empty() {
                    true => Ok(()),
                    false => f.write_str("; this is the name of a bundled format, not of a file"),
                }
            }
            Self::Description { name, mistakes } => {
                write!(f, "the description of {name} is invalid:\n{mistakes}")
            }
            Self::Plan { format, reasons } => {
                write!(f, "cannot compile the description of {format}:")?;
                for reason in reasons {
                    write!(f, "\n  {reason}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for FormatError {}

impl Formats {
    /// Loads the bundled formats that `names` select. The full id of a dialect selects that
    /// dialect. The name of a family selects the default dialect of each of its versions. Without
    /// names, every bundled dialect is loaded.
    ///
    /// # Errors
    /// Returns an error if a name selects no format or a selected description has mistakes.
    pub fn bundled(names: &[String]) -> Result<Self, FormatError> {
        Self::loaded(names, &mut Schemas::default())
    }

    fn loaded(names: &[String], schemas: &mut Schemas) -> Result<Self, FormatError> {
        let mut formats = Self::default();
        if names.is_empty() {
            for description in bundled::list() {
                let wanted: Vec<&str> = description.ids().collect();
                formats.add(description, &wanted, schemas)?;
            }
        }
        for name in names {
            let found = bundled::find(name);
            if found.is_empty() {
                return Err(unknown(name));
            }
            for description in found {
                formats.add(description, &meant(description, name), schemas)?;
            }
        }
        formats
            .plans
            .sort_by(|left, right| left.format.cmp(&right.format));
        formats
            .plans
            .dedup_by(|left, right| left.format == right.format);
        Ok(formats)
    }

    /// Loads formats as [`Self::bundled`] does, but skips formats that fail to load. Returns the
    /// errors of the skipped formats as the second element of the pair.
    pub fn able(names: &[String]) -> Result<(Self, Vec<FormatError>), FormatError> {
        let mut able = Self::default();
        let mut unable = Vec::new();
        let wanted: Vec<String> = if names.is_empty() {
            bundled::list()
                .iter()
                .flat_map(BundledFormat::ids)
                .map(str::to_owned)
                .collect()
        } else {
            names.to_vec()
        };
        let mut schemas = Schemas::default();
        for name in &wanted {
            match Self::loaded(std::slice::from_ref(name), &mut schemas) {
                Ok(formats) => able.plans.extend(formats.plans),
                Err(error @ FormatError::Unknown { .. }) => return Err(error),
                Err(error) => unable.push(error),
            }
        }
        able.plans
            .sort_by(|left, right| left.format.cmp(&right.format));
        able.plans
            .dedup_by(|left, right| left.format == right.format);
        Ok((able, unable))
    }

    /// Removes the formats that have no manifest in `store`, and returns the remaining formats and
    /// the names of the removed ones. Formats without a manifest can be executed, but nobody has
    /// reviewed their cases yet.
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read.
    pub fn with_manifest(self, store: &Store) -> Result<(Self, Vec<String>), KeptError> {
        let mut known = Self::default();
        let mut others = Vec::new();
        for plan in self.plans {
            match Manifest::load(store, &plan.format)? {
                Some(_) => known.plans.push(plan),
                None => others.push(plan.format.clone()),
            }
        }
        Ok((known, others))
    }

    /// Loads all dialects of the description in a file.
    ///
    /// # Errors
    /// Returns an error if the description has mistakes or cannot be executed.
    pub fn from_file(path: &str) -> Result<Self, FormatError> {
        let schema = Self::schema_from_file(path)?;
        let ids = schema.dialects.iter().map(|dialect| dialect.id.as_str());
        let plans: Result<_, _> = ids.map(|id| plan(&schema, id)).collect();
        Ok(Self { plans: plans? })
    }

    /// Loads and checks the description in a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or the description has mistakes.
    pub fn schema_from_file(path: &str) -> Result<Arc<Schema>, FormatError> {
        let disk = Disk::default();
        disk.read(path).map_err(|error| FormatError::Unreadable {
            path: path.to_owned(),
            why: error.to_string(),
        })?;
        checked(load(&disk, path), path)
    }

    /// Loads and checks the bundled description that `name` selects.
    ///
    /// # Errors
    /// Returns an error if `name` selects no bundled format.
    pub fn bundled_schema(name: &str) -> Result<Arc<Schema>, FormatError> {
        let found = bundled::find(name);
        let description = found.first().ok_or_else(|| unknown(name))?;
        checked(description.load(), &description.id)
    }

    /// Keeps the plans whose format id satisfies `wanted`.
    #[must_use]
    pub fn filtered(mut self, wanted: impl Fn(&str) -> bool) -> Self {
        self.plans.retain(|plan| wanted(&plan.format));
        self
    }

    /// Keeps the plans that `names` select.
    ///
    /// # Errors
    /// Returns an error if a name selects no format.
    pub fn only(self, names: &[String]) -> Result<Self, FormatError> {
        let selects = |name: &str, plan: &Plan| {
            let family = plan.description.family == name && base(&plan.format) == plan.format;
            plan.format == name || family
        };
        for name in names {
            if !self.plans.iter().any(|plan| selects(name, plan)) {
                return Err(FormatError::Unknown {
                    name: name.clone(),
                    known: self.plans.iter().map(|plan| plan.format.clone()).collect(),
                });
            }
        }
        let mut plans = self.plans;
        plans.retain(|plan| names.iter().any(|name| selects(name, plan)));
        Ok(Self { plans })
    }

    /// Returns the plans: those of bundled formats sorted by id, those of a description file in the
    /// order of its dialects.
    pub fn plans(&self) -> &[Arc<Plan>] {
        &self.plans
    }

    /// Returns the plan of the dialect `id`.
    pub fn plan(&self, id: &str) -> Option<&Arc<Plan>> {
        self.plans.iter().find(|plan| plan.format == id)
    }

    fn add(
        &mut self,
        description: &BundledFormat,
        ids: &[&str],
        schemas: &mut Schemas,
    ) -> Result<(), FormatError> {
        let schema = schemas.of(description)?;
        for id in ids {
            self.plans.push(plan(&schema, id)?);
        }
        Ok(())
    }
}

/// A cache of the loaded bundled descriptions. All dialects of a description share one schema.
#[derive(Default)]
struct Schemas(BTreeMap<&'static str, Arc<Schema>>);

impl Schemas {
    fn of(&mut self, description: &BundledFormat) -> Result<Arc<Schema>, FormatError> {
        if let Some(schema) = self.0.get(description.path) {
            return Ok(Arc::clone(schema));
        }
        let schema = checked(description.load_unchecked(), &description.id)?;
        self.0.insert(description.path, Arc::clone(&schema));
        Ok(schema)
    }
}

/// Returns the format of a dialect: the part of the id before `@`.
pub fn base(format: &str) -> &str {
    format.split('@').next().unwrap_or(format)
}

/// Returns the ids of the dialects of `description` that `name` selects.
fn meant<'d>(description: &'d BundledFormat, name: &str) -> Vec<&'d str> {
    match description.ids().find(|id| *id == name) {
        Some(id) => vec![id],
        None => description.ids().filter(|id| base(id) == *id).collect(),
    }
}

fn checked(loaded: Loaded, name: &str) -> Result<Arc<Schema>, FormatError> {
    match loaded.schema {
        Some(schema) => Ok(Arc::new(schema)),
        None => Err(FormatError::Description {
            name: name.to_owned(),
            mistakes: loaded.diagnostics.render(&loaded.sources, Colour::Plain),
        }),
    }
}

fn plan(schema: &Arc<Schema>, dialect: &str) -> Result<Arc<Plan>, FormatError> {
    lower(schema, dialect).map(Arc::new).map_err(|errors| {
        let reason = |error: &tracegauge_spec::lower::LowerError| {
            let place = schema.sources.line_column(error.span);
            let file = schema.sources.file(error.span.source);
            let file = file.map_or("", |file| &file.name);
            format!("{file}:{}:{}: {}", place.line, place.column, error.message)
        };
        FormatError::Plan {
            format: dialect.to_owned(),
            reasons: errors.iter().map(reason).collect(),
        }
    })
}

fn unknown(name: &str) -> FormatError {
    let known = bundled::list()
        .iter()
        .flat_map(BundledFormat::ids)
        .map(str::to_owned)
        .collect();
    FormatError::Unknown {
        name: name.to_owned(),
        known,
    }
}

#[cfg(test)]
mod tests {
    use super::Formats;

    #[test]
    fn a_family_means_all_its_versions() {
        let of = |name: &str| {
            let formats = Formats::bundled(&[name.to_owned()]).unwrap();
            let ids = formats.plans().iter().map(|plan| plan.format.clone());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(of("fieldlog"), ["fieldlog-v1", "fieldlog-v2"]);
        assert_eq!(of("nettrace"), ["nettrace-v4", "nettrace-v6"]);
        assert_eq!(of("wtf"), ["wtf-v3"]);
        assert_eq!(of("wtf-v3@doc"), ["wtf-v3@doc"]);
        assert!(Formats::bundled(&["no-such".to_owned()]).is_err());
    }
}
