//! From files to a [`Schema`]: parts and imports are read, names resolved to ids, and every
//! mistake is reported in one run.
//!
//! Names are declared before anything is converted, so that the order of files and of
//! entries means nothing. What cannot be resolved stands as an id that no arena has; later
//! steps pass over it, so that one mistake is reported once.

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
mod tables;
mod type_name;
mod types;
mod vocabulary;
mod whole;

use crate::check::check;
use crate::diagnostic::Diagnostics;
use crate::schema::Schema;
use crate::source::Sources;

pub(crate) use file::family_of;
pub use files::{Disk, FileError, Files, Memory};
pub(crate) use names::Names;
pub use suggest::closest;
pub(crate) use suggest::did_you_mean;
pub(crate) use type_name::is_scalar;
pub use vocabulary::Vocabulary;

/// What loading a description came to.
#[derive(Debug)]
pub struct Loaded {
    /// The checked description; `None` where something is wrong with it.
    pub schema: Option<Schema>,
    /// All mistakes and warnings.
    pub diagnostics: Diagnostics,
    /// The files that were read, which the diagnostics point into.
    pub sources: Sources,
    /// The keys that the description was asked for.
    pub vocabulary: Vocabulary,
}

/// Loads the description at `path` with its parts and imports, and checks it.
pub fn load(files: &dyn Files, path: &str) -> Loaded {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::default();
    let gathered = gather::gather(files, path, &mut sources, &mut diagnostics);
    let whole::Converted {
        schema,
        names,
        mut diagnostics,
        vocabulary,
    } = whole::convert(&gathered, &sources, diagnostics);
    if let Some(schema) = &schema {
        let sound = !diagnostics.has_errors();
        check(schema, &names, sound, &mut diagnostics);
    }
    diagnostics.sort();
    let schema = schema.filter(|_| !diagnostics.has_errors());
    Loaded {
        schema,
        diagnostics,
        sources,
        vocabulary,
    }
}
