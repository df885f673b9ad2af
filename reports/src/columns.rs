//! The readers of several results, side by side.

use tracegauge_results::text::visible;
use tracegauge_results::{ReaderResult, RunResult};

/// A reader of one of the results, with a unique name.
pub(crate) struct Column<'r> {
    pub(crate) name: String,
    pub(crate) result: &'r RunResult,
    pub(crate) reader: &'r ReaderResult,
}

/// Returns the readers of all `results` in order.
pub(crate) fn columns(results: &[RunResult]) -> Vec<Column<'_>> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    for result in results {
        for reader in &result.readers {
            let base = visible(&reader.reader.name);
            let version = reader.reader.version.as_deref().map(visible);
            let with_version = version.map(|version| format!("{base} {version}"));
            let numbered = (2..).map(|number| format!("{base} ({number})"));
            let name = std::iter::once(base.to_string())
                .chain(with_version)
                .chain(numbered)
                .find(|name| columns.iter().all(|column| column.name != *name))
                .unwrap_or_default();
            columns.push(Column {
                name,
                result,
                reader,
            });
        }
    }
    columns
}
