//! Builds the options with which a command that is suggested to the user uses the same description
//! as the current command.

use std::path::Path;

use tracegauge_corpus::commands::Scope;
use tracegauge_plan::Plan;
use tracegauge_spec::bundled;

use super::named;

/// Returns ` --spec FILE` if the description is not bundled, otherwise an empty string.
pub fn with_spec(spec: Option<impl AsRef<Path>>) -> String {
    spec.map_or_else(String::new, |path| {
        format!(" --spec {}", named(path.as_ref()))
    })
}

/// Like [`with_spec`], but adds ` --corpus DIR` if the user named a corpus.
pub fn with_scope(scope: &Scope) -> String {
    let corpus = scope.corpus.as_deref();
    let corpus = corpus.map_or_else(String::new, |path| format!(" --corpus {}", named(path)));
    with_spec(scope.spec.as_ref()) + &corpus
}

/// Like [`with_spec`], but for the description of `plan`.
pub fn with_spec_of(plan: &Plan) -> String {
    let root = plan.description.sources.files().first();
    let root = root.map(|file| &file.name);
    with_spec(root.filter(|name| bundled::in_checkout(name).is_none()))
}
