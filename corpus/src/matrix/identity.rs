//! Identifies the description, the cases and the mistakes (bugs planted in the decoder) that an
//! outcome matrix was computed from.

use std::fmt;

use tracegauge_decoder::record::write_record;
use tracegauge_plan::Plan;

use super::Mistake;
use crate::case::Case;
use crate::systematic::description_hash;

/// The number of hex digits that hashes are truncated to. The hashes detect changes, not attacks.
const DIGITS: usize = 16;

/// The identity of the inputs of an outcome matrix: hashes of the description, the cases and the
/// mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The hash of the dialect and the description, excluding explanatory text.
    pub description: String,
    /// The hash of the traces and of their expected results.
    pub cases: String,
    /// The hash of the names of the mistakes.
    pub mistakes: String,
}

/// A part of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The description.
    Description,
    /// The cases.
    Cases,
    /// The mistakes.
    Mistakes,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Description => "a different description",
            Self::Cases => "different cases",
            Self::Mistakes => "different mutants",
        })
    }
}

impl Identity {
    /// Computes the identity. The order of the cases does not matter.
    pub fn of(plan: &Plan, cases: &[&Case], mistakes: &[Mistake]) -> Self {
        Self {
            description: of_description(plan),
            cases: of_cases(cases),
            mistakes: of_mistakes(mistakes),
        }
    }

    /// Returns the parts that differ between two identities.
    pub fn differences(&self, other: &Self) -> Vec<Part> {
        let parts = [
            (Part::Description, self.description == other.description),
            (Part::Cases, self.cases == other.cases),
            (Part::Mistakes, self.mistakes == other.mistakes),
        ];
        let differing = parts.into_iter().filter(|(_, is_same)| !is_same);
        differing.map(|(part, _)| part).collect()
    }
}

/// Returns the hash of a plan's description.
pub(super) fn of_description(plan: &Plan) -> String {
    let mut hash = description_hash(plan);
    hash.truncate(DIGITS);
    hash
}

fn of_cases(cases: &[&Case]) -> String {
    let mut sorted = cases.to_vec();
    sorted.sort_unstable_by(|one, other| one.id.cmp(&other.id));
    let mut hasher = blake3::Hasher::new();
    let mut line = Vec::new();
    for case in sorted {
        let expected = &case.expected;
        hasher.update(case.id.as_bytes());
        hasher.update(blake3::hash(&case.bytes).as_bytes());
        hasher.update(expected.verdict.name().as_bytes());
        for records in &expected.records {
            for record in records {
                line.clear();
                write_record(record, &mut line);
                hasher.update(&line);
            }
            hasher.update(b"\n");
        }
    }
    digits(&hasher)
}

/// Returns the hash of the mistakes' names.
pub(super) fn of_mistakes(mistakes: &[Mistake]) -> String {
    let mut hasher = blake3::Hasher::new();
    for mistake in mistakes {
        hasher.update(mistake.mutant.as_bytes());
        hasher.update(b"\n");
    }
    digits(&hasher)
}

fn digits(hasher: &blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}
