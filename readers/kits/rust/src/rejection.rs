//! The ways in which a reader rejects a trace.

use std::error::Error;

use serde_json::{Value, json};

/// The reason why a reader did not accept a trace, which becomes the closing line.
///
/// The `?` operator converts any error to a rejection. `Rejection` does not implement [`Error`]
/// itself, because that would conflict with the conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    answer: Answer,
    class: Option<Class>,
    offset: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Reject { why: String },
    Unsupported { feature: String },
}

/// The kind of fault that the reader found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Class {
    /// The bytes violate a rule of the format.
    Malformed,
    /// The trace is truncated.
    Incomplete,
    /// The trace may be well-formed, but it uses something that the reader does not know.
    Unsupported,
}

impl Rejection {
    /// Creates a rejection of a faulty trace, with the reason in the reader's own words.
    pub fn new(why: impl Into<String>) -> Self {
        Self {
            answer: Answer::Reject { why: why.into() },
            class: None,
            offset: None,
        }
    }

    /// Creates a rejection for a feature that the reader does not support. The trace itself may be
    /// valid.
    pub fn unsupported(feature: impl Into<String>) -> Self {
        Self {
            answer: Answer::Unsupported {
                feature: feature.into(),
            },
            class: None,
            offset: None,
        }
    }

    /// Adds the kind of fault, for readers that report it.
    #[must_use]
    pub fn class(mut self, class: Class) -> Self {
        self.class = Some(class);
        self
    }

    /// Adds the byte offset of the fault from the start of the trace, for readers that report it.
    #[must_use]
    pub fn offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Returns the exit status for `once` mode: `EX_DATAERR` or `EX_UNAVAILABLE`.
    pub(crate) fn status(&self) -> u8 {
        match self.answer {
            Answer::Reject { .. } => 65,
            Answer::Unsupported { .. } => 69,
        }
    }

    pub(crate) fn closing(&self) -> Value {
        let mut line = match &self.answer {
            Answer::Reject { why } => json!({"end": "reject", "why": why}),
            Answer::Unsupported { feature } => json!({"end": "unsupported", "feature": feature}),
        };
        if let Some(class) = self.class {
            line["class"] = json!(class.word());
        }
        if let Some(offset) = self.offset {
            line["offset"] = json!(offset);
        }
        line
    }
}

impl Class {
    fn word(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Incomplete => "incomplete",
            Self::Unsupported => "unsupported",
        }
    }
}

impl<E: Error> From<E> for Rejection {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_converts_to_its_own_words() {
        fn read() -> Result<u8, Rejection> {
            Ok("300".parse::<u8>()?)
        }
        assert_eq!(
            read().unwrap_err().closing().to_string(),
            r#"{"end":"reject","why":"number too large to fit in target type"}"#
        );
    }

    #[test]
    fn class_and_offset_are_written_only_where_given() {
        let told = Rejection::new("cut").class(Class::Incomplete).offset(9);
        assert_eq!(
            told.closing(),
            json!({"end": "reject", "why": "cut", "class": "incomplete", "offset": 9})
        );
        assert_eq!(told.status(), 65);
    }

    #[test]
    fn unsupported_is_an_answer_of_its_own() {
        let gap = Rejection::unsupported("stack pool");
        assert_eq!(
            gap.closing(),
            json!({"end": "unsupported", "feature": "stack pool"})
        );
        assert_eq!(gap.status(), 69);
    }
}
