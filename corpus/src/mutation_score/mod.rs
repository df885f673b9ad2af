//! Mutation score: the share of faulty readers that the cases of a corpus detect.
//!
//! The faulty readers are mutants of the plan ([`tracegauge_plan::mutate`]), run by the
//! reference decoder. A mutant is run against one case after another until it gives an answer that
//! the harness would judge as wrong. A mutant that no case detects shows a gap in the corpus.

mod answer;
mod common;
mod fit;
mod measure;
mod prepared;
mod reasons;
mod redundant;
mod report;
mod rules;
mod search;

use serde::Serialize;

use crate::case::{Case, ExpectedVerdict};

pub use answer::{Answer, answer};
pub use common::{Common, Passed};
pub use fit::Fit;
pub(crate) use measure::Bench;
pub use measure::mutation_score;
pub(crate) use prepared::Prepared;
pub use reasons::{Reasons, Untold, Untolds};
pub use redundant::redundant;
pub use report::write_mutation_score;
pub use rules::RuleKill;
pub use search::{Kills, keep, search};

/// An oracle that judges answers as the harness does for readers that report records.
pub trait Oracle: Sync {
    /// Returns what is wrong with the answer to a case and, if its records differ from the expected
    /// records, the first difference. Returns `None` if the answer is correct.
    fn judge(&self, case: &Case, answer: &Answer) -> Option<(Wrong, Option<Parting>)>;

    /// Returns what is wrong with the answer to a case. Returns `None` if the answer is correct.
    fn wrong(&self, case: &Case, answer: &Answer) -> Option<Wrong> {
        self.judge(case, answer).map(|(wrong, _)| wrong)
    }

    /// Returns the canonical form of the value `shown`. Different notations of the same value have
    /// the same canonical form.
    fn canonical(&self, shown: &str) -> String;

    /// Returns the result of a reader that gives the same verdict for each of the `cases`.
    fn dumb(&self, cases: &[&Case], verdict: ExpectedVerdict) -> Dumb;
}

/// The first difference between the records of an answer and the expected records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The index of the expected record, or `None` if the difference comes after the last expected
    /// record.
    pub owed: Option<usize>,
    /// The path of the member, for example `fields[2].value`. Empty if the whole record differs.
    pub path: String,
    /// The actual value, as JSON or as a description.
    pub came: String,
}

/// The result of a reader that gives the same verdict for every trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dumb {
    /// The number of cases that the reader passes.
    pub passed: usize,
    /// The number of passed cases that prove that the reader distinguishes valid from malformed
    /// traces.
    pub proven: usize,
}

/// The part of an answer that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wrong {
    /// The verdict: the reader accepts an invalid trace or rejects a valid one.
    Verdict,
    /// The records of an accepted trace.
    Records,
    /// The reader does not terminate.
    Endless,
    /// The records reported before a fault.
    RecordsBefore,
    /// The reported class of the fault.
    Class,
    /// The offset reported for the fault.
    Byte,
    /// Members that are missing from records. Missing members are not a failure, but they lower the
    /// reader's share of reported members.
    LeftOut,
    /// The rule or the field of the fault, which readers do not report.
    Named,
}

impl Wrong {
    /// Returns the name shown in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Records => "records",
            Self::Endless => "endless",
            Self::RecordsBefore => "records before the fault",
            Self::Class => "class of the fault",
            Self::Byte => "byte of the fault",
            Self::LeftOut => "members left out",
            Self::Named => "rule or field of the fault",
        }
    }

    /// Returns true if the error makes a reader fail the case, and false if it only makes the
    /// answer less accurate.
    pub fn fails(self) -> bool {
        matches!(self, Self::Verdict | Self::Records | Self::Endless)
    }
}

/// A case that detects a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Killer {
    /// The case.
    pub case: String,
    /// The part of the mutant's answer that is wrong.
    pub wrong: Wrong,
}

/// The result for one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fate {
    /// The mutant.
    pub mutant: String,
    /// File and line of the part of the description that the mutant changes.
    pub described: String,
    /// The first case found that detects the mutant.
    pub killer: Option<Killer>,
    /// The reason why no trace can detect the mutant, if known.
    pub equivalent: Option<String>,
    /// The reason why no case detects the mutant although some trace could, if known.
    pub surviving: Option<String>,
}

/// The mutation score of a format's cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MutationScore {
    /// The id of the format and dialect.
    pub format: String,
    /// The number of cases.
    pub cases: usize,
    /// The mutants, in the order of the operators.
    pub mutants: Vec<Fate>,
    /// The rules, in the order of the description.
    pub rules: Vec<RuleKill>,
    /// The result of a reader that accepts everything.
    pub accepts_all: Dumb,
    /// The result of a reader that rejects everything.
    pub rejects_all: Dumb,
    /// Cases that the unmodified decoder fails. There should be none.
    pub unsound: Vec<String>,
}

impl MutationScore {
    /// Returns the number of mutants that are not known to be equivalent.
    pub fn feasible(&self) -> usize {
        self.mutants.len() - self.equivalents().count()
    }

    /// Returns the number of mutants that some case detects.
    pub fn killed(&self) -> usize {
        let killed = self.mutants.iter();
        killed.filter(|fate| fate.killer.is_some()).count()
    }

    /// Returns the number of mutants that fail no case but are detected because an answer is less
    /// accurate.
    pub fn graded(&self) -> usize {
        let killers = self.mutants.iter().filter_map(|fate| fate.killer.as_ref());
        killers.filter(|killer| !killer.wrong.fails()).count()
    }

    /// Returns the mutants that no case detects and that are not known to be equivalent.
    pub fn survivors(&self) -> impl Iterator<Item = &Fate> {
        let fates = self.mutants.iter();
        fates.filter(|fate| fate.killer.is_none() && fate.equivalent.is_none())
    }

    /// Returns the equivalent mutants, which no trace can detect.
    pub fn equivalents(&self) -> impl Iterator<Item = &Fate> {
        let fates = self.mutants.iter();
        fates.filter(|fate| fate.killer.is_none() && fate.equivalent.is_some())
    }
}

/// The stack size of the threads that run mutants. A mutant may recurse as deeply as a trace
/// demands, and each nesting level takes several stack frames.
const STACK: usize = 256 << 20;

/// Runs `work` on threads whose stacks are large enough for mutants.
pub(crate) fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool.install(work),
        // Fall back to the existing threads, whose smaller stacks suffice for most mutants.
        Err(_) => work(),
    }
}
