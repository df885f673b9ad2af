/// The maximum number of names to search for the closest match.
pub(crate) const MOST_KNOWN: usize = 4096;

/// Returns the name in `known` that is most similar to `written`, or `None` if no name is similar
/// enough.
///
/// ```
/// use tracegauge_spec::load::closest;
/// assert_eq!(closest("boxes-v2", ["boxes-v1", "trees-v1"]), Some("boxes-v1"));
/// assert_eq!(closest("lists", ["boxes-v1", "trees-v1"]), None);
/// ```
pub fn closest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = written.chars().count();
    // A long text is not a misspelled name, and comparing it would take too much time.
    if length > 80 {
        return None;
    }
    let most = (length / 3).max(1);
    known
        .into_iter()
        .take(MOST_KNOWN)
        .filter(|name| name.len() <= 160)
        .map(|name| (distance(written, name), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Returns a question of the form "did you mean …" if a similar name exists.
pub(crate) fn did_you_mean<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    closest(written, known).map(|name| format!("did you mean `{name}`?"))
}

/// Returns the edit distance: the minimum number of characters to change, delete, insert or swap.
fn distance(a: &str, b: &str) -> usize {
    let fold = |s: &str| -> Vec<char> {
        s.chars()
            .map(|c| {
                if c == '-' {
                    '_'
                } else {
                    c.to_ascii_lowercase()
                }
            })
            .collect()
    };
    let (a, b) = (fold(a), fold(b));
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let changed = last[j] + usize::from(x != y);
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            let swapped = i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y;
            if swapped {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found() {
        let known = ["repeat-expr", "repeat-until", "repeat", "size"];
        assert_eq!(closest("repaet", known), Some("repeat"));
        assert_eq!(closest("repeat_expr", known), Some("repeat-expr"));
        assert_eq!(closest("terminator", known), None);
        assert_eq!(closest("", known), None);
    }

    #[test]
    fn distances_count_swaps_once() {
        assert_eq!(distance("abcd", "abdc"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}
