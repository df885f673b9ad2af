//! Builds the parts of commands that are suggested to the user: file names, and the options with
//! which a command uses the same description as the current command.

use std::path::Path;

use tracegauge_plan::Plan;
use tracegauge_results::text::{shell_word, visible};
use tracegauge_spec::bundled;

/// Returns a path as a single word for a shell.
///
/// ```
/// use tracegauge_harness::suggested::word;
/// assert_eq!(word("my reader/reader.yaml".as_ref()), "'my reader/reader.yaml'");
/// ```
pub fn word(path: &Path) -> String {
    shell_word(&visible(&path.to_string_lossy()))
}

/// Returns ` --spec FILE` if the description is not bundled, otherwise an empty string.
pub fn with_spec(spec: Option<impl AsRef<Path>>) -> String {
    spec.map_or_else(String::new, |path| {
        format!(" --spec {}", word(path.as_ref()))
    })
}

/// Like [`with_spec`], but for the description of `plan`.
pub fn with_spec_of(plan: &Plan) -> String {
    let root = plan.description.sources.files().first();
    let root = root.map(|file| &file.name);
    with_spec(root.filter(|name| bundled::in_checkout(name).is_none()))
}
