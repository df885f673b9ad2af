//! Explains the terms that occur in the table.

use crate::rows::Row;

/// The page that explains the table.
const PAGE: &str = "docs/understand-a-failure.md#the-table";

/// Returns a line that explains the less obvious terms in a table. `total` is the row with the
/// totals, `rows` is the number of other rows, and `nameless` is the name of the row for cases
/// without a rule, if there is one. Returns `None` if there is nothing to explain.
pub(super) fn of(total: &Row, rows: usize, nameless: Option<&str>) -> Option<String> {
    let mut words = Vec::new();
    if rows > 1 {
        words.push(
            "cases: each case counts once, under the rule that its failure concerns or, if there \
             is no such rule, under the first rule that it tests"
                .to_owned(),
        );
    }
    if total.unproven > 0 {
        words.push("unproven: cases that may have passed for the wrong reason".to_owned());
    }
    if total.excused > 0 {
        words.push("excused: failures that do not fail the run".to_owned());
    }
    words.extend(nameless.map(|name| format!("{name}: cases for no particular rule")));
    (!words.is_empty()).then(|| format!("{} ({PAGE})", words.join("; ")))
}
