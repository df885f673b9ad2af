//! Where cases come from.

use std::fmt;
use std::sync::Arc;

use tracegauge_decoder::Verdict;
use tracegauge_spec::plan::Plan;

use crate::case::{Case, CaseId, ExpectedVerdict};
use crate::real::RealError;
use crate::score::Way;
use crate::vector::{Disagreement, VectorError};

/// A source of cases. It gives the same cases for the same plan, whatever else runs.
pub trait CaseSource: Sync {
    /// What it is called in messages.
    fn name(&self) -> &'static str;

    /// Its cases of one format.
    fn build(&self, plan: &Arc<Plan>) -> Built;
}

/// What a source gave.
#[derive(Debug, Default)]
pub struct Built {
    /// Cases on which all witnesses agree.
    pub cases: Vec<Case>,
    /// What did not become a case, and why.
    pub problems: Vec<Problem>,
    /// Files of the corpus that keep what a search has found: path and text.
    pub recipes: Vec<(String, String)>,
    /// Ways to break rules, and whether there is a case of each.
    pub ways: Vec<Way>,
    /// Cases that would cost too much, in words.
    pub left_out: Vec<String>,
}

impl Built {
    /// Nothing but a problem.
    pub fn failed(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
            ..Self::default()
        }
    }
}

/// Something that did not become a case.
#[derive(Debug)]
pub enum Problem {
    /// Vectors cannot be read.
    Vector(VectorError),
    /// The reference decoder disagrees with a vector.
    Disagreement(Disagreement),
    /// Real files cannot be read, or are not what is said of them.
    Real(RealError),
    /// The reference decoder, not knowing what was done to the bytes, does not find it.
    Witness(WitnessError),
    /// No case could be made.
    Generate {
        /// The format.
        format: String,
        /// What was wanted.
        wanted: String,
        /// Why not.
        why: String,
    },
    /// Two cases have the same identity.
    Repeated(CaseId),
    /// A case names a twin that is not there, or that need not be accepted.
    Twin {
        /// The case.
        case: CaseId,
        /// Its twin.
        twin: CaseId,
    },
}

/// What a generated case was made to show, and what the decoder finds instead.
#[derive(Clone, Debug)]
pub struct WitnessError {
    /// The case.
    pub case: CaseId,
    /// The verdict that it was made for.
    pub made_for: ExpectedVerdict,
    /// Rules of which one was to be broken.
    pub rules: Vec<String>,
    /// Where.
    pub path: String,
    /// What the decoder says.
    pub found: Box<Verdict>,
    /// The rule that the decoder names.
    pub found_rule: Option<String>,
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.join(" or ");
        write!(f, "{}: made to be {}", self.case, self.made_for)?;
        if self.made_for == ExpectedVerdict::Reject {
            write!(f, "ed for {rules} at `{}`", self.path)?;
        }
        match self.found.violation() {
            Some(violation) => write!(
                f,
                ", decoded as breaking {} at `{}` {}..{}: {}",
                self.found_rule.as_deref().unwrap_or("no rule"),
                violation.path,
                violation.span.start,
                violation.span.end,
                violation.message
            ),
            None => write!(f, ", decoded as {:?}", self.found.judgement),
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
            Self::Repeated(id) => write!(f, "two cases are called {id}"),
            Self::Twin { case, twin } => {
                write!(f, "{case}: the twin {twin} is not there, or not accepted")
            }
        }
    }
}

impl std::error::Error for Problem {}
