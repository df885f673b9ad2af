//! Stub for systems without the mechanisms of a launcher.

use std::path::Path;
use std::process::ExitCode;

/// Does nothing on this system.
pub fn become_launcher() -> Option<ExitCode> {
    None
}

/// Returns false, because readers cannot be recognized on this system.
pub fn is_reader() -> bool {
    false
}

/// Does nothing on this system.
pub fn use_program(_: &Path) {}

/// Returns false, because no program can serve as a launcher on this system.
pub(crate) fn is_known() -> bool {
    false
}
