//! The discrepancies between a reader and its baseline of known failures.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// A discrepancy between a reader and its baseline of known failures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "problem")]
pub enum BaselineProblem {
    /// A listed case passes.
    Passes {
        /// The pattern of the entry.
        pattern: String,
        /// The case.
        case: String,
    },
    /// A listed case fails with an outcome that the baseline does not list.
    Differs {
        /// The pattern of the entry.
        pattern: String,
        /// The case.
        case: String,
        /// The first listed outcome.
        listed: Outcome,
        /// The other listed outcomes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        or_listed: Vec<Outcome>,
        /// The actual outcome.
        got: Outcome,
    },
    /// A listed case has wrong records, as the baseline says, but the difference concerns another
    /// rule.
    Elsewhere {
        /// The pattern of the entry.
        pattern: String,
        /// The case.
        case: String,
        /// The listed rule. Several rules are joined with "or".
        about: String,
        /// The rule about the member that differs. Empty if there is no such rule.
        instead: String,
    },
    /// The simplest case of an entry passes, so the bug is probably fixed.
    Fixed {
        /// The pattern of the entry.
        pattern: String,
        /// The case.
        case: String,
        /// The description of the bug in the entry.
        reason: String,
        /// Other cases of the entry that still fail. The bug had hidden these failures.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hidden: Vec<String>,
    },
    /// An entry matches no case.
    Stale {
        /// The pattern of the entry.
        pattern: String,
    },
}

impl fmt::Display for BaselineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passes { pattern, case } if pattern == case => {
                write!(f, "{case} is listed but passes; remove the entry")
            }
            Self::Passes { pattern, case } => {
                write!(f, "{case} matches {pattern} but passes; narrow the pattern")
            }
            Self::Differs {
                case,
                listed,
                or_listed,
                got,
                ..
            } => {
                write!(f, "{case} is listed as {listed}")?;
                for outcome in or_listed {
                    write!(f, " or {outcome}")?;
                }
                write!(f, ", but the outcome is {got}")
            }
            Self::Elsewhere {
                case,
                about,
                instead,
                ..
            } => {
                write!(f, "{case} is listed for {about}, but the failure is about ")?;
                match instead.as_str() {
                    "" => f.write_str("something else"),
                    rule => f.write_str(rule),
                }
            }
            Self::Fixed {
                case,
                reason,
                hidden,
                ..
            } => {
                write!(
                    f,
                    "fixed: {case} passes; remove the entry with this reason: {reason}"
                )?;
                match hidden.as_slice() {
                    [] => Ok(()),
                    [first] => write!(f, " (the entry hid the failure of {first})"),
                    [first, others @ ..] => {
                        let others = others.len();
                        write!(
                            f,
                            " (the entry hid the failures of {first} and {others} more)"
                        )
                    }
                }
            }
            Self::Stale { pattern } => write!(f, "{pattern} matches no case"),
        }
    }
}
