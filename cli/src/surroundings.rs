//! Finds files in the folders around a folder.

use std::path::{Path, PathBuf};

/// Returns true if an ancestor of `folder` is the root of a Go module.
pub(crate) fn is_in_go_module(folder: &Path) -> bool {
    above(folder, "go.mod").is_some()
}

/// Returns the file called `name` in the nearest ancestor of `folder` that contains one. The folder
/// need not exist.
pub(crate) fn above(folder: &Path, name: &str) -> Option<PathBuf> {
    let resolved = resolved(folder);
    let mut files = resolved.ancestors().skip(1).map(|it| it.join(name));
    files.find(|file| file.is_file())
}

/// Returns the path of a folder without `..`, whose ancestors are those of the folder.
fn resolved(folder: &Path) -> PathBuf {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let existing = absolute.ancestors().find_map(|part| {
        let rest = absolute.strip_prefix(part).ok()?;
        Some(part.canonicalize().ok()?.join(rest))
    });
    existing.unwrap_or(absolute)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_beside_a_module_is_not_in_the_module() {
        let place = tempfile::tempdir().expect("a folder");
        let module = place.path().join("module");
        fs::create_dir(&module).expect("a folder");
        fs::write(module.join("go.mod"), "module m\n").expect("a file");
        assert!(is_in_go_module(&module.join("new/tests")));
        assert!(!is_in_go_module(&module.join("../new/tests")));
        assert!(!is_in_go_module(&module));
    }
}
