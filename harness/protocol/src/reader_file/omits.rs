//! The `omits` key of a reader file, which lists the members and kinds of records that the reader
//! does not report.

use std::fmt;

use super::{names_format, yaml_text};

/// A member or a kind of record that a reader does not report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omission {
    /// The member as `record.member`, or the kind of record.
    pub name: String,
    /// When the reader omits the member or kind.
    pub when: When,
    /// The formats in which the member or kind is omitted, by name or family. An empty list means
    /// all formats.
    pub formats: Vec<String>,
}

/// When a reader omits a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// The member is always omitted, because the reader has no way to report it.
    #[default]
    Always,
    /// The member is omitted if its value is empty, zero or false. Many JSON writers omit such
    /// values.
    Empty,
}

impl Omission {
    /// Creates an omission that always applies, in all formats.
    pub fn always(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            when: When::Always,
            formats: Vec::new(),
        }
    }

    /// Returns whether the omission applies to `format`.
    pub fn is_of(&self, format: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|name| names_format(name, format))
    }

    /// Returns true if the omission applies to a kind of record rather than a member.
    pub fn is_kind(&self) -> bool {
        !self.name.contains('.')
    }

    /// Returns true if the member `name` may be omitted, given whether its value is empty. Members
    /// inside an omitted member may be omitted too.
    ///
    /// ```
    /// use tracegauge_protocol::reader_file::Omission;
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

/// Formats the omission as it is written in a reader file.
impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = yaml_text(&self.name);
        if self.when == When::Always && self.formats.is_empty() {
            return f.write_str(&name);
        }
        write!(f, "{{member: {name}")?;
        if self.when == When::Empty {
            f.write_str(", when: empty")?;
        }
        if !self.formats.is_empty() {
            let formats: Vec<String> = self.formats.iter().map(|it| yaml_text(it)).collect();
            write!(f, ", formats: [{}]", formats.join(", "))?;
        }
        f.write_str("}")
    }
}
