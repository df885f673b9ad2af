//! Loads a [`Schema`] from files. The loader reads parts and imports, resolves names to ids, and
//! reports every mistake in one run.
//!
//! All names are declared before anything is converted, so the order of files and entries does not
//! matter. A name that cannot be resolved becomes an id that no list of the schema contains. Later
//! steps ignore such ids, so each mistake is reported only once.

mod carry;
mod constraint;
mod context;
mod declare;
mod effects;
mod field;
mod file;
mod files;
mod gather;
mod keys;
mod layout_text;
mod layouts;
mod names;
mod reading;
mod records;
mod repetition;
mod rules;
mod shared;
mod suggest;
mod summary;
mod tables;
mod type_name;
mod types;
mod vocabulary;
mod whole;

use crate::check::check;
use crate::diagnostic::Diagnostics;
use crate::schema::Schema;
use tracegauge_plan::source::Sources;

pub use files::{Disk, FileError, Files, Memory};
pub(crate) use names::Names;
pub use suggest::closest;
pub(crate) use suggest::did_you_mean;
pub(crate) use summary::summary;
pub(crate) use type_name::is_scalar;
pub use vocabulary::Vocabulary;

/// The result of loading a description.
#[derive(Debug)]
pub struct Loaded {
    /// The checked description, or `None` if it has errors.
    pub schema: Option<Schema>,
    /// All errors and warnings.
    pub diagnostics: Diagnostics,
    /// The files that were read; the diagnostics refer to them.
    pub sources: Sources,
}

/// Loads the description at `path` with its parts and imports, and checks it.
pub fn load(files: &dyn Files, path: &str) -> Loaded {
    loaded(files, path, true)
}

/// Loads a description as [`load`] does, but does not check it as a whole. Every mistake that the
/// checks would find must be known not to exist.
pub(crate) fn load_unchecked(files: &dyn Files, path: &str) -> Loaded {
    loaded(files, path, false)
}

fn loaded(files: &dyn Files, path: &str, is_checked: bool) -> Loaded {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::default();
    let gathered = gather::gather(files, path, &mut sources, &mut diagnostics);
    let whole::Converted {
        schema,
        names,
        mut diagnostics,
        ..
    } = whole::convert(&gathered, &sources, diagnostics, None);
    if let Some(schema) = schema.as_ref().filter(|_| is_checked) {
        let sound = !diagnostics.has_errors();
        check(schema, &names, sound, &mut diagnostics);
    }
    diagnostics.sort();
    let schema = schema.filter(|_| !diagnostics.has_errors());
    Loaded {
        schema,
        diagnostics,
        sources,
    }
}

/// Returns the keys that the loader looks up in the description at `path`, whether or not the
/// description contains them.
pub fn vocabulary(files: &dyn Files, path: &str) -> Vocabulary {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::default();
    let gathered = gather::gather(files, path, &mut sources, &mut diagnostics);
    let wanted = Some(Vocabulary::default());
    let converted = whole::convert(&gathered, &sources, diagnostics, wanted);
    converted.vocabulary.unwrap_or_default()
}
