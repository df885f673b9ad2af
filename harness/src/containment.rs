//! The containment of the readers that this program runs: the files that are hidden from them, and
//! the measures that a result lists.

mod results;

use std::io;
use std::path::{Path, PathBuf};

use tracegauge_contain::{Containment, Limits};
use tracegauge_corpus::store::Store;
use tracegauge_corpus::trace_cache::TraceCache;
use tracegauge_results::Measure;

use results::FOLDER;

/// Prepares this process to start readers, from which the expected results are hidden.
///
/// # Errors
/// Returns an error if the folder for scratch folders cannot be created.
pub fn begin() -> io::Result<Containment> {
    Containment::begin(expectations)
}

/// Returns all measures of `containment` under `limits`, as a result lists them.
pub(crate) fn measures(containment: &Containment, limits: &Limits) -> Vec<Measure> {
    let measures = containment.measures(limits).into_iter();
    let listed = measures.map(|measure| Measure {
        name: measure.name,
        in_force: measure.is_enabled,
        note: measure.note,
    });
    listed.collect()
}

/// Returns the paths that reveal expected results and must be hidden from readers: the corpus, its
/// history in the checkout, this program, which embeds the corpus, the cached traces and the
/// results of earlier runs. `project` is the checkout of the reader.
fn expectations(project: &Path) -> Vec<PathBuf> {
    let mut hidden = Vec::new();
    let store = Store::nearest();
    if let Some(corpus) = store.folder() {
        hidden.extend(corpus.parent().map(|checkout| checkout.join(".git")));
        hidden.push(corpus.to_path_buf());
    }
    hidden.extend(std::env::current_exe());
    hidden.extend(TraceCache::of_user().map(|cache| cache.folder().to_path_buf()));
    hidden.extend(std::env::current_dir().map(|folder| folder.join(FOLDER)));
    hidden.extend(results::inside(project));
    hidden
}
