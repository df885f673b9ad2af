//! Where the last run is kept, so that a baseline can be made from it.

use std::fs;
use std::io;
use std::path::PathBuf;

use tracegauge_reports::{RunResult, json};

const FOLDER: &str = ".tracegauge";

/// The file of the last run that was started in this folder.
pub(super) fn last_run() -> PathBuf {
    PathBuf::from(FOLDER).join("last-run.json")
}

/// The folder of the answers of runs that were cut off.
pub(super) fn journals() -> PathBuf {
    // Where it cannot be made, nothing is kept in it.
    let _ = make();
    PathBuf::from(FOLDER).join("journals")
}

/// The folder stays out of version control.
fn make() -> io::Result<()> {
    fs::create_dir_all(FOLDER)?;
    let ignore = PathBuf::from(FOLDER).join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    Ok(())
}

/// Keeps `result` as the last run.
pub(super) fn keep(result: &RunResult) -> io::Result<()> {
    make()?;
    json::write(result, &last_run()).map_err(io::Error::other)
}
