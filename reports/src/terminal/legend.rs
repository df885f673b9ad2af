//! What the words of the table mean, where they occur.

use crate::rows::Row;

/// Where the table is explained.
const PAGE: &str = "docs/understand-a-failure.md#the-table";

/// One line about those words of a table with this `total` that do not explain themselves, and
/// about its row for cases without a rule where it has one; nothing where there are none.
pub(super) fn of(total: &Row, nameless: Option<&str>) -> Option<String> {
    let mut words = Vec::new();
    if total.unproven > 0 {
        words.push("unproven: right, perhaps for a wrong reason".to_owned());
    }
    if total.excused > 0 {
        words.push("excused: fails, and does not count".to_owned());
    }
    words.extend(nameless.map(|name| format!("{name}: about no rule of its own")));
    (!words.is_empty()).then(|| format!("{} ({PAGE})", words.join("; ")))
}
