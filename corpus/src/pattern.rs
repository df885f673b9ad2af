//! Matches the names of cases and rules against patterns.

use std::fmt;

/// A pattern where `*` matches any characters and `?` matches one character. All other characters
/// match themselves, because the names of cases contain brackets and braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// Creates a pattern from its text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text of the pattern.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns true if the pattern matches the whole of `name`.
    ///
    /// ```
    /// use tracegauge_corpus::pattern::Pattern;
    /// assert!(Pattern::new("*/MAGIC/*").matches("boxes-v1/malformed/MAGIC/cut"));
    /// assert!(!Pattern::new("MAGIC").matches("MAGIC2"));
    /// ```
    pub fn matches(&self, name: &str) -> bool {
        glob(self.0.as_bytes(), name.as_bytes())
    }

    /// Returns true if the pattern matches the whole of `name`. A pattern without `*` and `?` may
    /// also match just a part of the name.
    pub fn finds(&self, name: &str) -> bool {
        if self.0.contains(['*', '?']) {
            self.matches(name)
        } else {
            name.contains(&self.0)
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Matches a pattern. The algorithm backtracks only to the last `*`, which is sufficient and avoids
/// exponential time. A `?` matches one byte, which is one character in the ASCII names used here.
fn glob(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while here < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[here] => {
                at += 1;
                here += 1;
            }
            _ => match &mut star {
                Some((back, from)) => {
                    *from += 1;
                    (at, here) = (*back + 1, *from);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn stars_take_as_much_as_they_must() {
        let matches = |pattern: &str, name: &str| Pattern::new(pattern).matches(name);
        assert!(matches("a*b*c", "abbbcbc") && matches("*", "") && matches("**x", "x"));
        assert!(matches("f[3].?", "f[3].a") && matches("a*a", "aa"));
        assert!(!matches("a*b", "abx") && !matches("a*a", "a") && !matches("?", ""));
        let long = "a".repeat(2000);
        assert!(!matches(&"a*".repeat(200), &format!("b{long}")));
    }

    #[test]
    fn a_filter_without_stars_finds_a_part() {
        assert!(Pattern::new("MAGIC").finds("boxes/MAGIC/x"));
        assert!(!Pattern::new("MAGIC*").finds("boxes/MAGIC/x"));
    }
}
