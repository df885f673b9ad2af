//! Explains the terms that occur in the table.

use crate::rows::Row;

/// The page that explains the table.
const PAGE: &str = "docs/understand-a-failure.md#the-table";

/// Returns one line that explains the terms in a table with this `total` that are not obvious, and
/// its row for cases without a rule if it has one. Returns `None` if there is nothing to explain.
pub(super) fn of(total: &Row, nameless: Option<&str>) -> Option<String> {
    let mut words = Vec::new();
    if total.unproven > 0 {
        words.push("unproven: passes, possibly for the wrong reason".to_owned());
    }
    if total.excused > 0 {
        words.push("excused: fails but does not count".to_owned());
    }
    words.extend(nameless.map(|name| format!("{name}: cases for no particular rule")));
    (!words.is_empty()).then(|| format!("{} ({PAGE})", words.join("; ")))
}
