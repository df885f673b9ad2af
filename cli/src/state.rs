//! Stores results that later commands need: the last run, the journals of interrupted runs (the
//! answers received before the interruption), and the valid traces found for a description.

use std::fs;
use std::io;
use std::path::PathBuf;

use tracegauge_corpus::systematic::{Effort, SearchOptions};
use tracegauge_results::{RunResult, json};

const FOLDER: &str = ".tracegauge";

/// Returns the path of the file that stores the last run started in this folder.
pub(super) fn last_run() -> PathBuf {
    PathBuf::from(FOLDER).join("last-run.json")
}

/// Returns the path of the folder that contains the journals of interrupted runs.
pub(super) fn journals() -> PathBuf {
    // If the folder cannot be created, no journal is written.
    let _ = make();
    PathBuf::from(FOLDER).join("journals")
}

/// Returns options for a quick search for the valid traces of a description. Traces found by the
/// search are saved to the state folder.
pub(super) fn quick_search() -> SearchOptions {
    // If the folder cannot be created, nothing is saved.
    SearchOptions {
        effort: Effort::Quick,
        cache: make().is_ok().then(|| PathBuf::from(FOLDER)),
    }
}

/// Creates the state folder, with a `.gitignore` file that keeps the folder out of version control.
fn make() -> io::Result<()> {
    fs::create_dir_all(FOLDER)?;
    let ignore = PathBuf::from(FOLDER).join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    Ok(())
}

/// Saves `result` as the last run.
pub(super) fn keep(result: &RunResult) -> io::Result<()> {
    make()?;
    json::write(result, &last_run()).map_err(io::Error::other)
}
