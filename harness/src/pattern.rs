//! Patterns for the names of cases and rules.

use std::fmt;

/// A pattern: `*` stands for any characters, `?` for one; all others for themselves, since
/// names of cases hold brackets and braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// The pattern written as `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether it stands for the whole of `name`.
    ///
    /// ```
    /// use tracegauge_harness::pattern::Pattern;
    /// assert!(Pattern::new("*/MAGIC/*").matches("boxes-v1/malformed/MAGIC/cut"));
    /// assert!(!Pattern::new("MAGIC").matches("MAGIC2"));
    /// ```
    pub fn matches(&self, name: &str) -> bool {
        glob(self.0.as_bytes(), name.as_bytes())
    }

    /// Whether it stands for the whole of `name`, or, having no `*` and no `?`, for a part.
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

/// Matches with one place to come back to, the last `*`: enough, and never slow. A `?` stands
/// for a byte, which for the names here is a character.
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
