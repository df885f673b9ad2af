//! Writes the supporting files of an export without overwriting the user's files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::CommandError;
use super::example::Example;
use super::files::{Exported, write_file};
use super::shape::{Owner, Shape};
use super::{java, python};
use crate::surroundings::{above, is_in_go_module};

/// Text near the start of a file that marks the file as written by an export.
const MARK: &str = "tracegauge corpus export";

/// The package of the exported Go tests.
const GO_PACKAGE: &str = "conformance";

/// Checks that writing the files needed by the tests would not overwrite any of the user's files,
/// and that the folder contains no other Go package.
///
/// # Errors
/// Returns an error if a file would be overwritten or if the folder contains another Go package.
pub(super) fn check(shape: Shape, folder: &Path) -> Result<(), CommandError> {
    for file in shape.support(folder) {
        let path = folder.join(file.path);
        if file.owner == Owner::Export && is_foreign(&path) {
            return Err(CommandError::Foreign(path));
        }
    }
    if shape == Shape::Go
        && let Some(package) = other_package(folder)
    {
        return Err(CommandError::GoPackage(folder.to_owned(), package));
    }
    Ok(())
}

/// Returns the name of a Go package in `folder` other than the package of the tests. Go allows only
/// one package in a folder.
fn other_package(folder: &Path) -> Option<String> {
    let entries = fs::read_dir(folder).ok()?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.retain(|path| path.extension().is_some_and(|end| end == "go"));
    files.iter().find_map(|path| {
        let text = fs::read(path).ok()?;
        let text = String::from_utf8_lossy(&text);
        let package = text
            .lines()
            .find_map(|line| line.strip_prefix("package "))?;
        let package = package.split_whitespace().next()?;
        (package != GO_PACKAGE).then(|| package.to_owned())
    })
}

/// Writes the supporting files and returns notes for the user.
///
/// # Errors
/// Returns an error if a file cannot be written, or if a file that the tests need would overwrite
/// one of the user's files.
pub(super) fn write(
    shape: Shape,
    folder: &Path,
    exported: &Exported<'_>,
) -> Result<Vec<String>, CommandError> {
    let mut notes = Vec::new();
    let example = Example::of(exported);
    for file in shape.support(folder) {
        let path = folder.join(file.path);
        let is_kept = match file.owner {
            Owner::Author => path.exists(),
            Owner::Export => false,
            Owner::Guide => is_foreign(&path),
        };
        if is_kept {
            notes.push(format!("kept {}, which already exists", path.display()));
        } else {
            write_file(&path, example.fill(file.text).as_bytes())?;
        }
    }
    if shape == Shape::Go && is_in_go_module(folder) {
        notes.push(format!(
            "{} is inside a Go module: the tests are a package of that module and can import your \
             reader",
            folder.display()
        ));
    } else if shape == Shape::Go
        && let Some(workspace) = above(folder, "go.work")
    {
        notes.push(format!(
            "the tests are a separate Go module; if {} does not list this module, run `go work use \
             .` in {}, \
             or `GOWORK=off go test`",
            workspace.display(),
            folder.display()
        ));
    }
    for (format, cases) in exported.by_format() {
        let (name, text) = match shape {
            Shape::Pytest => python::tests(format, cases),
            Shape::Junit5 => java::tests(format, cases),
            Shape::Files | Shape::Go => continue,
        };
        let path: PathBuf = folder.join(name);
        if is_foreign(&path) {
            return Err(CommandError::Foreign(path));
        }
        write_file(&path, text.as_bytes())?;
    }
    Ok(notes)
}

/// Returns true if the file exists and was not written by an export.
fn is_foreign(path: &Path) -> bool {
    match fs::read(path) {
        Ok(text) => {
            let text = String::from_utf8_lossy(&text);
            !text.lines().take(6).any(|line| line.contains(MARK))
        }
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}
