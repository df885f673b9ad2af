//! Defines the interface of case sources.

use std::fmt;
use std::sync::Arc;

use tracegauge_decoder::{Judgement, Verdict};
use tracegauge_plan::Plan;

use crate::case::{Case, CaseId, ExpectedVerdict};
use crate::real::RealError;
use crate::score::Way;
use crate::vector::{Disagreement, VectorError};

/// A source of cases. A source always builds the same cases for the same plan.
pub trait CaseSource: Sync {
    /// Returns the name of the source, for use in messages.
    fn name(&self) -> &'static str;

    /// Builds the cases of one format.
    fn build(&self, plan: &Arc<Plan>) -> Built;
}

/// The output of a case source.
#[derive(Debug, Default)]
pub struct Built {
    /// The cases that the reference decoder has confirmed.
    pub cases: Vec<Case>,
    /// The problems that prevented cases from being built.
    pub problems: Vec<Problem>,
    /// Files with search results, to be stored in the corpus: pairs of path and text.
    pub recipes: Vec<(String, String)>,
    /// The ways to violate rules, each with the result of trying to generate a case.
    pub ways: Vec<Way>,
    /// The cases that were skipped because they would be too large, each described in words.
    pub left_out: Vec<String>,
}

impl Built {
    /// Creates an output that consists of one problem.
    pub fn failed(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
            ..Self::default()
        }
    }

    /// Adds the output of another source.
    pub(crate) fn extend(&mut self, other: Self) {
        self.cases.extend(other.cases);
        self.problems.extend(other.problems);
        self.recipes.extend(other.recipes);
        self.ways.extend(other.ways);
        self.left_out.extend(other.left_out);
    }
}

/// A problem that prevents a case from being built.
#[derive(Debug)]
pub enum Problem {
    /// A file of vectors cannot be read.
    Vector(VectorError),
    /// The reference decoder disagrees with a vector.
    Disagreement(Disagreement),
    /// A real file cannot be read or does not match its entry in the list.
    Real(RealError),
    /// The reference decoder does not confirm the verdict or the violation of a generated case.
    Witness(WitnessError),
    /// A case could not be generated.
    Generate {
        /// The format.
        format: String,
        /// The case to be generated.
        wanted: String,
        /// The reason for the failure.
        why: String,
    },
    /// Two cases have the same identity.
    Repeated(CaseId),
    /// The twin of a case does not exist, or readers do not have to accept it.
    Twin {
        /// The case.
        case: CaseId,
        /// The twin.
        twin: CaseId,
    },
}

/// A generated case whose verdict or violation the reference decoder does not confirm.
#[derive(Clone, Debug)]
pub struct WitnessError {
    /// The case.
    pub case: CaseId,
    /// The verdict that the generator intended.
    pub made_for: ExpectedVerdict,
    /// The rules that the case should violate. The decoder has to report only one of these rules.
    pub rules: Vec<String>,
    /// The path of the intended fault.
    pub path: String,
    /// The verdict of the decoder.
    pub found: Box<Verdict>,
    /// The rule that the decoder reports.
    pub found_rule: Option<String>,
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.join(" or ");
        write!(
            f,
            "{}: generated as a case with the verdict `{}`",
            self.case, self.made_for
        )?;
        if self.made_for == ExpectedVerdict::Reject {
            write!(f, " for {rules} at `{}`", self.path)?;
        }
        match self.found.violation() {
            Some(violation) => write!(
                f,
                ", but the decoder reports a violation of {} at `{}`, bytes {}..{}: {}",
                self.found_rule.as_deref().unwrap_or("an unnamed rule"),
                violation.path,
                violation.span.start,
                violation.span.end,
                violation.message
            ),
            None => f.write_str(match self.found.judgement {
                Judgement::Either { .. } => {
                    ", but according to the decoder, readers may accept or reject the trace"
                }
                Judgement::Accepted | Judgement::Rejected(_) => {
                    ", but the decoder accepts the trace"
                }
            }),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vector(error) => error.fmt(f),
            Self::Disagreement(error) => error.fmt(f),
            Self::Real(error) => error.fmt(f),
            Self::Witness(error) => error.fmt(f),
            Self::Generate {
                format,
                wanted,
                why,
            } => write!(f, "{format}: no trace for {wanted}: {why}"),
            Self::Repeated(id) => write!(f, "two cases have the name {id}"),
            Self::Twin { case, twin } => {
                write!(
                    f,
                    "{case}: the valid trace from which the case was made, {twin}, does not exist \
                     or is not accepted"
                )
            }
        }
    }
}

impl std::error::Error for Problem {}
