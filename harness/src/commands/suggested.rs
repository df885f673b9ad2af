//! What a command that is suggested needs to mean the same description.

use std::path::Path;

use tracegauge_corpus::commands::Scope;
use tracegauge_spec::bundled;
use tracegauge_spec::plan::Plan;

use super::named;

/// ` --spec FILE`, where a description that is not bundled is in use; else nothing.
pub fn with_spec(spec: Option<impl AsRef<Path>>) -> String {
    spec.map_or_else(String::new, |path| {
        format!(" --spec {}", named(path.as_ref()))
    })
}

/// As [`with_spec`], with the corpus that is in use, where it is named.
pub fn with_scope(scope: &Scope) -> String {
    let corpus = scope.corpus.as_deref();
    let corpus = corpus.map_or_else(String::new, |path| format!(" --corpus {}", named(path)));
    with_spec(scope.spec.as_ref()) + &corpus
}

/// As [`with_spec`], for the description that a plan was made from.
pub fn with_spec_of(plan: &Plan) -> String {
    let root = plan.schema.sources.files().first();
    let root = root.map(|file| &file.name);
    with_spec(root.filter(|name| bundled::in_checkout(name).is_none()))
}
