//! The cases as files: each trace with what is expected of it beside.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tracegauge_spec::schema::Level;

use super::super::CommandError;
use crate::case::{Case, State};
use crate::suite::Suite;

/// The cases that were written.
#[derive(Debug)]
pub(super) struct Exported<'s>(Vec<ExportedCase<'s>>);

/// A case that was written.
#[derive(Debug)]
pub(super) struct ExportedCase<'s> {
    /// The case.
    pub(super) case: &'s Case,
    /// Its path in the folder of the cases, with `/` between its parts.
    pub(super) path: String,
    /// No reader is to fail for it: a recommendation, a rule of the strict profile, or disputed.
    pub(super) is_recommendation: bool,
}

impl<'s> Exported<'s> {
    /// Writes the cases of `suite` that run to `folder`, and `beside` each what is expected of it.
    ///
    /// # Errors
    /// A file cannot be written, or two cases would have the same.
    pub(super) fn write(
        suite: &'s Suite,
        folder: &Path,
        beside: fn(&Case) -> String,
    ) -> Result<Self, CommandError> {
        let mut names: HashMap<String, &str> = HashMap::new();
        let mut written = Vec::new();
        for case in suite.cases.iter().filter(|case| case.state.runs()) {
            let path = file_name(suite, case);
            if let Some(other) = names.insert(path.to_ascii_lowercase(), &case.id) {
                return Err(CommandError::SameFile(other.to_owned(), case.id.clone()));
            }
            write_file(&folder.join(&path), &case.bytes)?;
            write_file(
                &folder.join(format!("{path}.json")),
                beside(case).as_bytes(),
            )?;
            written.push(ExportedCase {
                case,
                path,
                is_recommendation: is_recommendation(suite, case),
            });
        }
        Ok(Self(written))
    }

    /// The cases, sorted by identity.
    pub(super) fn cases(&self) -> &[ExportedCase<'s>] {
        &self.0
    }

    /// The cases of each format.
    pub(super) fn by_format(&self) -> impl Iterator<Item = (&str, &[ExportedCase<'s>])> {
        self.0
            .chunk_by(|one, next| one.case.format == next.case.format)
            .filter_map(|cases| Some((cases.first()?.case.format.as_str(), cases)))
    }
}

/// The rule that a case is judged by is the first that it breaks, or else shows.
fn is_recommendation(suite: &Suite, case: &Case) -> bool {
    let broken = case
        .expected
        .violation
        .iter()
        .flat_map(|found| &found.rules);
    let rule = broken.chain(&case.provenance.rules).next();
    let described = rule.and_then(|id| {
        let mut rules = suite.rules.iter();
        rules.find(|rule| rule.id == *id && rule.format == case.format)
    });
    case.state == State::Disputed
        || described.is_some_and(|rule| rule.strict || rule.level == Level::Should)
}

/// Writes a file, and the folders that it is in.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| CommandError::File(path.to_owned(), error))
}

/// The case's identity as a path that every file system takes, with the extension that the
/// format's files have.
fn file_name(suite: &Suite, case: &Case) -> String {
    let plan = suite.formats.plan(&case.format);
    let extension = plan.map_or("bin", |plan| plan.file_extension());
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '@');
    let name: String = case
        .id
        .chars()
        .map(|c| match c {
            '[' | '(' => '.',
            ']' | ')' => '_',
            c if safe(c) => c,
            _ => '_',
        })
        .collect();
    let name: Vec<String> = name.split('/').map(shortened).collect();
    format!("{}.{extension}", name.join("/"))
}

/// As long as a name may be on every file system, with room for extensions.
const LONGEST: usize = 200;

/// A part of a path; one that is too long ends in what tells it from others that begin alike.
fn shortened(part: &str) -> String {
    if part.len() <= LONGEST {
        return part.to_owned();
    }
    let hash = blake3::hash(part.as_bytes()).to_hex();
    let (kept, hash) = (LONGEST - 17, &hash[..16]);
    let start: String = part.chars().take(kept).collect();
    format!("{start}-{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        assert_eq!(shortened("short"), "short");
        let long = "x".repeat(LONGEST);
        assert_eq!(shortened(&long), long);
        let (one, two) = (long.clone() + "1", long + "2");
        assert_eq!(shortened(&one).len(), LONGEST);
        assert_ne!(shortened(&one), shortened(&two));
    }
}
