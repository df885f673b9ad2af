//! Writes each case as a trace file and a second file that contains the expectation.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use tracegauge_corpus::case::Case;
use tracegauge_corpus::suite::Suite;

use super::super::CommandError;
use super::expectation::Subject;

/// The exported cases.
#[derive(Debug)]
pub(super) struct Exported<'s>(Vec<ExportedCase<'s>>);

/// An exported case.
#[derive(Debug)]
pub(super) struct ExportedCase<'s> {
    /// The case.
    pub(super) case: &'s Case,
    /// The path relative to the folder for cases, with `/` as the separator.
    pub(super) path: String,
    /// The severity of failing the case.
    level: &'static str,
}

impl<'s> Exported<'s> {
    /// Writes the active and disputed cases of `suite` to `folder`, each with a second file that
    /// contains the text returned by `beside`. Removes files that an earlier export of the same
    /// formats wrote and that this export does not write.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written or two cases would have the same file name.
    pub(super) fn write(
        suite: &'s Suite,
        folder: &Path,
        beside: fn(&Subject<'s>) -> String,
    ) -> Result<Self, CommandError> {
        let mut names: HashMap<String, &str> = HashMap::new();
        let mut written = Vec::new();
        for case in suite.cases.iter().filter(|case| case.state.runs()) {
            let path = file_name(suite, case);
            if let Some(other) = names.insert(path.to_ascii_lowercase(), &case.id) {
                return Err(CommandError::SameFile(other.to_owned(), case.id.clone()));
            }
            let subject = Subject::new(suite, case);
            write_file(&folder.join(&path), &case.bytes)?;
            write_file(
                &folder.join(format!("{path}.json")),
                beside(&subject).as_bytes(),
            )?;
            written.push(ExportedCase {
                case,
                path,
                level: subject.level(),
            });
        }
        let exported = Self(written);
        for (format, cases) in exported.by_format() {
            let list = folder.join(format!("{format}.txt"));
            remove_stale(folder, &list, cases)?;
            write_file(&list, listed(cases).as_bytes())?;
        }
        Ok(exported)
    }

    /// Returns the cases, sorted by identity.
    pub(super) fn cases(&self) -> &[ExportedCase<'s>] {
        &self.0
    }

    /// Returns the cases, grouped by format.
    pub(super) fn by_format(&self) -> impl Iterator<Item = (&str, &[ExportedCase<'s>])> {
        self.0
            .chunk_by(|one, next| one.case.format == next.case.format)
            .filter_map(|cases| Some((cases.first()?.case.format.as_str(), cases)))
    }
}

/// Returns the contents of the file that lists the exported cases of a format. Each line contains
/// the identity of a case, its path and the severity of failing it.
fn listed(cases: &[ExportedCase<'_>]) -> String {
    cases.iter().fold(String::new(), |mut text, one| {
        let _ = writeln!(text, "{}\t{}\t{}", one.case.id, one.path, one.level);
        text
    })
}

/// Removes the files that a previous export recorded in `list` and that are not among `cases`.
fn remove_stale(
    folder: &Path,
    list: &Path,
    cases: &[ExportedCase<'_>],
) -> Result<(), CommandError> {
    let Ok(before) = fs::read_to_string(list) else {
        return Ok(());
    };
    let kept: HashSet<&str> = cases.iter().map(|one| one.path.as_str()).collect();
    let paths = before.lines().filter_map(|line| line.split('\t').nth(1));
    // The list may have been edited and must not lead to a file outside the folder.
    let inside = |path: &&str| !path.starts_with('/') && path.split('/').all(|part| part != "..");
    for path in paths.filter(inside).filter(|path| !kept.contains(path)) {
        for path in [folder.join(path), folder.join(format!("{path}.json"))] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(CommandError::File(path, error));
                }
                _ => remove_empty(folder, path.parent()),
            }
        }
    }
    Ok(())
}

/// Removes empty folders from `inner` outward, up to but not including `folder`.
fn remove_empty(folder: &Path, inner: Option<&Path>) {
    let inside = |path: &&Path| path.starts_with(folder) && *path != folder;
    let folders = inner.into_iter().flat_map(Path::ancestors);
    for folder in folders.take_while(inside) {
        if fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// Writes a file and creates its folder.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| CommandError::File(path.to_owned(), error))
}

/// Converts the identity of a case to a path that is valid on every file system, with the file
/// extension of the format.
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

/// The maximum length of a path component. Components of this length are valid on every file system
/// and leave room for extensions.
const LONGEST: usize = 200;

/// Shortens a path component that is too long. A hash at the end keeps the component unique.
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
