//! Finds the results of earlier runs, which contain expected answers.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::lock::lock;

/// The folder in which commands store the results of runs.
pub(super) const FOLDER: &str = ".tracegauge";

/// The maximum number of files and folders to look at.
const MOST: usize = 20_000;

/// The number of bytes at the start of a file that show whether it is a result.
const HEAD: usize = 1024;

/// The texts near the start of a result as JSON, and of reports as HTML, JUnit and Markdown.
const MARKS: [(&str, &[u8]); 4] = [
    ("json", b"\"tracegauge_result\""),
    ("html", b"name=\"generator\" content=\"tracegauge\""),
    ("xml", b"<testsuites name=\"tracegauge\""),
    ("md", b"### tracegauge\n"),
];

/// Returns the folders and files in `project` that contain the results of runs. Folders closer to
/// the project are searched first, and the search is made once for each project.
pub(super) fn inside(project: &Path) -> Vec<PathBuf> {
    static KNOWN: Mutex<Vec<(PathBuf, Vec<PathBuf>)>> = Mutex::new(Vec::new());
    let mut known = lock(&KNOWN);
    if let Some((_, found)) = known.iter().find(|(searched, _)| searched == project) {
        return found.clone();
    }
    let found = search(project);
    known.push((project.to_path_buf(), found.clone()));
    found
}

fn search(project: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = MOST;
    let mut folders = VecDeque::from([project.to_path_buf()]);
    while let Some(folder) = folders.pop_front() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Some(fewer) = left.checked_sub(1) else {
                return found;
            };
            left = fewer;
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() == FOLDER => found.push(path),
                Ok(kind) if kind.is_dir() => folders.push_back(path),
                Ok(kind) if kind.is_file() && is_result(&path) => found.push(path),
                _ => {}
            }
        }
    }
    found
}

fn is_result(path: &Path) -> bool {
    let extension = path.extension();
    let mark = MARKS
        .iter()
        .find(|(known, _)| extension.is_some_and(|it| it == *known));
    let Some((_, mark)) = mark else {
        return false;
    };
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD as u64).read_to_end(&mut head));
    read.is_ok() && memchr::memmem::find(&head, mark).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_at_any_depth_and_other_files_are_not() {
        let project = tempfile::tempdir().unwrap();
        let at = |path: &str| project.path().join(path);
        for folder in [".tracegauge", "a/.tracegauge", "a/b/out"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for (file, text) in [
            ("a/b/out/run.json", "{\n  \"tracegauge_result\": 1,"),
            (
                "a/run.html",
                "<meta name=\"generator\" content=\"tracegauge\">",
            ),
            ("a/run.xml", "<testsuites name=\"tracegauge\" tests=\"1\">"),
            ("a/package.json", "{ \"name\": \"reader\" }"),
            ("a/notes.txt", "\"tracegauge_result\""),
        ] {
            fs::write(at(file), text).unwrap();
        }
        let mut found = search(project.path());
        found.sort();
        let expected = [
            ".tracegauge",
            "a/.tracegauge",
            "a/b/out/run.json",
            "a/run.html",
            "a/run.xml",
        ];
        assert_eq!(found, expected.map(at));
    }
}
