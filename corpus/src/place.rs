//! Converts paths of values in a trace to places in the description.

/// Returns a path with the indexes of elements removed, so that all elements of a list share one
/// path.
///
/// ```
/// use tracegauge_corpus::place::without_indices;
/// assert_eq!(without_indices("fields[2].value[10]"), "fields[].value[]");
/// assert_eq!(without_indices("name"), "name");
/// ```
pub fn without_indices(path: &str) -> String {
    let mut inside = false;
    path.chars()
        .filter(|c| {
            let shown = !inside || *c == ']';
            inside = (inside || *c == '[') && *c != ']';
            shown
        })
        .collect()
}
