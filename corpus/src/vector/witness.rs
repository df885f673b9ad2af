//! Checks vectors with the reference decoder. A vector and the decoder are independent sources of
//! the same expectation.

use std::fmt;
use std::sync::Arc;

use tracegauge_decoder::record::Record;
use tracegauge_plan::Plan;
use tracegauge_plan::terms::ReaderDuty;

use super::compare::{self, Difference};
use super::file::{Vector, Violated};
use crate::case::{
    Case, CaseId, Expected, ExpectedVerdict, ExpectedViolation, FaultClass, Provenance,
};
use crate::expected::{Examined, examine};

/// A vector that the reference decoder disagrees with.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The vector.
    pub vector: Box<Vector>,
    /// The points of disagreement.
    pub aspects: Vec<Aspect>,
}

/// A point of disagreement between a vector and the reference decoder.
#[derive(Clone, Debug, PartialEq)]
pub enum Aspect {
    /// The verdict.
    Verdict {
        /// The verdict given in the vector.
        stated: ExpectedVerdict,
        /// The verdict of the decoder.
        decoded: ExpectedVerdict,
        /// The violation found by the decoder, with its message.
        violation: Option<(ExpectedViolation, String)>,
    },
    /// The violation that leads to rejection.
    Violation {
        /// The violation given in the vector.
        stated: Violated,
        /// The violation found by the decoder.
        decoded: ExpectedViolation,
        /// The message of the decoder.
        message: String,
    },
    /// Whether conforming readers may report different records after those in the vector.
    Open {
        /// The value given in the vector.
        stated: bool,
    },
    /// A record.
    Record {
        /// The index of the record, counted from 0.
        number: usize,
        /// The differences.
        differences: Vec<Difference>,
    },
    /// A record that the vector contains but the decoder does not read.
    Lacking(String),
    /// A record that the decoder reads but the vector does not contain.
    Surplus(Record),
    /// The description has no rule with the given id.
    UnknownRule(String),
    /// The vector tests a rule that allows readers to accept or reject a violation, but the decoder
    /// finds no violation of that rule.
    NotShown(String),
    /// The twin does not exist or is not a vector that must be accepted.
    Twin(String),
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict {
                stated,
                decoded,
                violation,
            } => {
                write!(f, "expected {stated}, decoded {decoded}")?;
                match violation {
                    Some((violation, message)) => write_violation(f, violation, message),
                    None => Ok(()),
                }
            }
            Self::Violation {
                stated,
                decoded,
                message,
            } => {
                let rules = stated.rules.0.join(" or ");
                let Violated {
                    path, start, end, ..
                } = stated;
                write!(
                    f,
                    "expected {rules} at `{path}`, bytes {start}..{end}, decoded"
                )?;
                write_violation(f, decoded, message)
            }
            Self::Open { stated: true } => f.write_str(
                "the vector sets `open` (later records are not compared), but the decoder does not",
            ),
            Self::Open { stated: false } => f.write_str(
                "the decoder sets `open` (later records are not compared), but the vector does not",
            ),
            Self::Record {
                number,
                differences,
            } => {
                write!(f, "record {number}")?;
                for difference in differences {
                    write!(f, "\n    {difference}")?;
                }
                Ok(())
            }
            Self::Lacking(json) => write!(f, "expected a record that was not decoded: {json}"),
            Self::Surplus(record) => write!(f, "decoded a record that was not expected: {record}"),
            Self::UnknownRule(rule) => write!(f, "unknown rule {rule}"),
            Self::NotShown(rule) => {
                write!(f, "the decoder finds no violation of {rule}")
            }
            Self::Twin(twin) => write!(
                f,
                "the twin {twin} (the valid trace from which the case was made) does not exist or \
                 is not accepted"
            ),
        }
    }
}

fn write_violation(
    f: &mut fmt::Formatter<'_>,
    violation: &ExpectedViolation,
    message: &str,
) -> fmt::Result {
    let ExpectedViolation {
        rules,
        path,
        start,
        end,
        ..
    } = violation;
    let rule = rules.first().map_or("no rule", String::as_str);
    write!(f, " {rule} at `{path}`, bytes {start}..{end}: {message}")
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vector = &self.vector;
        writeln!(f, "{}:{}: vector {}", vector.file, vector.line, vector.id)?;
        writeln!(f, "  {}", vector.says)?;
        writeln!(f, "  bytes {}", hex::encode(&vector.bytes))?;
        for aspect in &self.aspects {
            writeln!(f, "  - {aspect}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Disagreement {}

/// Returns the case for `vector` if the reference decoder agrees with it.
pub(super) fn check(plan: &Plan, vector: &Vector, all: &[Vector]) -> Result<Case, Disagreement> {
    let examined = examine(plan, &vector.bytes);
    let mut aspects = rules(plan, vector, &examined);
    judgement(vector, &examined, &mut aspects);
    let decoded = examined.expected.records.first();
    records(vector, decoded.map_or(&[], Vec::as_slice), &mut aspects);
    if vector.open != examined.expected.open {
        aspects.push(Aspect::Open {
            stated: vector.open,
        });
    }
    if let Some(twin) = &vector.twin {
        let accepted = |other: &Vector| {
            other.id == *twin
                && other.format == vector.format
                && other.expect == ExpectedVerdict::Accept
        };
        if !all.iter().any(accepted) {
            aspects.push(Aspect::Twin(twin.clone()));
        }
    }
    if aspects.is_empty() {
        Ok(case(plan, vector, examined))
    } else {
        Err(Disagreement {
            vector: Box::new(vector.clone()),
            aspects,
        })
    }
}

fn rules(plan: &Plan, vector: &Vector, examined: &Examined) -> Vec<Aspect> {
    let mut aspects = Vec::new();
    for id in &vector.rules {
        let Some(rule) = plan.rule_named(id) else {
            aspects.push(Aspect::UnknownRule(id.clone()));
            continue;
        };
        let departs = plan.rules[rule].duty == ReaderDuty::Either;
        if departs && !examined.shown.contains(id) {
            aspects.push(Aspect::NotShown(id.clone()));
        }
    }
    aspects
}

fn judgement(vector: &Vector, examined: &Examined, aspects: &mut Vec<Aspect>) {
    let decoded = &examined.expected;
    let message = || {
        let violation = examined.verdict.violation();
        violation.map_or(String::new(), |violation| violation.message.clone())
    };
    if vector.expect != decoded.verdict {
        aspects.push(Aspect::Verdict {
            stated: vector.expect,
            decoded: decoded.verdict,
            violation: decoded.violation.clone().map(|found| (found, message())),
        });
        return;
    }
    let (Some(stated), Some(found)) = (&vector.violation, &decoded.violation) else {
        return;
    };
    let rule = found.rules.first();
    let same = rule.is_some_and(|rule| stated.rules.0.contains(rule))
        && (&stated.path, stated.start, stated.end) == (&found.path, found.start, found.end);
    if !same {
        aspects.push(Aspect::Violation {
            stated: stated.clone(),
            decoded: found.clone(),
            message: message(),
        });
    }
}

fn records(vector: &Vector, decoded: &[Record], aspects: &mut Vec<Aspect>) {
    for (number, (stated, decoded)) in vector.records.iter().zip(decoded).enumerate() {
        let differences = compare::record(stated, decoded);
        if !differences.is_empty() {
            aspects.push(Aspect::Record {
                number,
                differences,
            });
        }
    }
    let lacking = vector.records.iter().skip(decoded.len());
    aspects.extend(lacking.map(|json| Aspect::Lacking(json.to_string())));
    let surplus = decoded.iter().skip(vector.records.len());
    aspects.extend(surplus.map(|record| Aspect::Surplus(record.clone())));
}

/// Builds the case. The verdict and the violation come from the vector. The records come from the
/// decoder, which agrees with the vector, because a vector contains neither the types of values nor
/// alternative sets of records.
fn case(plan: &Plan, vector: &Vector, examined: Examined) -> Case {
    let violation = vector.violation.as_ref().map(|stated| ExpectedViolation {
        rules: stated.rules.0.clone(),
        class: class(plan, stated),
        path: stated.path.clone(),
        start: stated.start,
        end: stated.end,
    });
    let why = match &vector.reason {
        Some(reason) => format!("{} ({}: {reason})", vector.says, vector.state),
        None => vector.says.clone(),
    };
    Case {
        id: id(vector, &vector.id),
        format: vector.format.clone(),
        bytes: Arc::from(vector.bytes.as_slice()),
        repeated: None,
        expected: Expected {
            verdict: vector.expect,
            records: examined.expected.records,
            open: vector.open,
            due: examined.expected.due,
            violation,
        },
        twin: vector.twin.as_ref().map(|twin| id(vector, twin)),
        provenance: Provenance {
            source: vector.source,
            rules: vector.rules.clone(),
            operator: None,
            why,
        },
        departures: Vec::new(),
        state: vector.state,
        version: vector.version,
    }
}

fn class(plan: &Plan, stated: &Violated) -> FaultClass {
    let rule = stated.rules.0.first().and_then(|id| plan.rule_named(id));
    rule.map_or(FaultClass::Malformed, |rule| plan.rules[rule].class.into())
}

fn id(vector: &Vector, name: &str) -> CaseId {
    format!("{}/{}/{name}", vector.format, vector.source.name())
}
