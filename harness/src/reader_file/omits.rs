//! What a reader's file says that it does not report.

use std::fmt;

use super::names_format;

/// A member, or a kind of records, that a reader does not report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omission {
    /// The member as `record.member`, or the kind of records.
    pub name: String,
    /// Where it is left out.
    pub when: When,
    /// The formats in which it is left out, in full or by family; empty: all.
    pub formats: Vec<String>,
}

/// Where a member is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// Everywhere: the reader has no way to report it.
    #[default]
    Always,
    /// Where its value is empty, zero or false, as many writers of JSON do.
    Empty,
}

impl Omission {
    /// What is left out everywhere, in all formats.
    pub fn always(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            when: When::Always,
            formats: Vec::new(),
        }
    }

    /// Whether it is about `format`.
    pub fn is_of(&self, format: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|name| names_format(name, format))
    }

    /// Whether a whole kind of records is left out, rather than a member.
    pub fn is_kind(&self) -> bool {
        !self.name.contains('.')
    }

    /// Whether the member `name` may be left out where its value is empty, or is not. What is inside
    /// of what is left out may be, too.
    ///
    /// ```
    /// use tracegauge_harness::reader_file::Omission;
    /// let whole = Omission::always("event");
    /// assert!(whole.excuses("event.fields", false) && whole.excuses("event.parts[].size", false));
    /// assert!(!Omission::always("event.at").excuses("event.attributes", false));
    /// ```
    pub fn excuses(&self, name: &str, is_empty: bool) -> bool {
        let inside = name.strip_prefix(self.name.as_str());
        let is_meant = inside.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        is_meant && (self.when == When::Always || is_empty)
    }
}

/// As it stands in a reader's file.
impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Brackets mean a list to YAML.
        let name = match self.name.contains(['[', ']', '{', '}', ',', '#', ':']) {
            true => format!("{:?}", self.name),
            false => self.name.clone(),
        };
        if self.when == When::Always && self.formats.is_empty() {
            return f.write_str(&name);
        }
        write!(f, "{{member: {name}")?;
        if self.when == When::Empty {
            f.write_str(", when: empty")?;
        }
        if !self.formats.is_empty() {
            write!(f, ", formats: [{}]", self.formats.join(", "))?;
        }
        f.write_str("}")
    }
}
