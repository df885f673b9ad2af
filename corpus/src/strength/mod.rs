//! How strong a corpus is: which wrong readers it tells from right ones.
//!
//! Wrong readers are mutants of the plan ([`tracegauge_spec::plan::mutate`]), run by the
//! reference decoder. Each reads the cases until it answers one otherwise than it should, as
//! the harness judges readers; those that no case tells apart say where the corpus has a hole.

mod answer;
mod causes;
mod common;
mod fit;
mod idle;
mod measure;
mod prepared;
mod reasons;
mod report;
mod rules;
mod search;

use serde::Serialize;

use crate::case::{Case, ExpectedVerdict};

pub use answer::{Answer, answer};
pub use causes::{Cause, Outcome, causes};
pub use common::{Common, common};
pub use fit::Fit;
pub use idle::idle;
pub use measure::strength;
pub use reasons::{Reasons, Untold, Untolds};
pub use report::write_strength;
pub use rules::RuleKill;
pub use search::{Kills, keep, search};

/// Judges answers as the harness judges those of readers that report records.
pub trait Referee: Sync {
    /// In what the answer to a case is wrong, and where its records part from the expected ones,
    /// as far as they do; `None` where it is right.
    fn judge(&self, case: &Case, answer: &Answer) -> Option<(Wrong, Option<Parting>)>;

    /// In what the answer to a case is wrong; `None` where it is right.
    fn wrong(&self, case: &Case, answer: &Answer) -> Option<Wrong> {
        self.judge(case, answer).map(|(wrong, _)| wrong)
    }

    /// Two wrong values are the same, as far as `one` and `other` show them.
    fn same_value(&self, one: &str, other: &str) -> bool;

    /// What a reader comes to that gives the same answer to each of `cases`.
    fn dumb(&self, cases: &[&Case], verdict: ExpectedVerdict) -> Dumb;
}

/// Where the records of an answer part from the expected ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The record among the expected ones, counted from 0; nothing behind the last.
    pub owed: Option<usize>,
    /// The member, `fields[2].value` say; empty for the whole record.
    pub path: String,
    /// What came, as JSON or in words.
    pub came: String,
}

/// What a reader comes to that looks at nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dumb {
    /// Cases that it passes.
    pub passed: usize,
    /// Cases of these that show something of it.
    pub proven: usize,
}

/// In what an answer is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wrong {
    /// It accepts what is wrong, or rejects what is right.
    Verdict,
    /// The records of an accepted trace.
    Records,
    /// It does not come to an end.
    Endless,
    /// The records before a fault.
    RecordsBefore,
    /// The class of the fault.
    Class,
    /// The byte of the fault.
    Byte,
    /// Members of records that should be there are not, which lowers what is observed.
    LeftOut,
    /// The rule or the field, which readers do not name.
    Named,
}

impl Wrong {
    /// The word for it.
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

    /// It makes a reader fail, and does not merely lower its grade.
    pub fn fails(self) -> bool {
        matches!(self, Self::Verdict | Self::Records | Self::Endless)
    }
}

/// A case that tells a mutant from the truth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Killer {
    /// The case.
    pub case: String,
    /// In what the mutant's answer is wrong.
    pub wrong: Wrong,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fate {
    /// The mutant.
    pub mutant: String,
    /// File and line of what it changes.
    pub described: String,
    /// The first case found that tells it apart.
    pub killer: Option<Killer>,
    /// Why no trace can tell it apart, where that is known.
    pub equivalent: Option<String>,
    /// Why no case tells it apart, where some trace may, and that is known.
    pub surviving: Option<String>,
}

/// How strong the cases of a format are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Strength {
    /// The format with its dialect.
    pub format: String,
    /// How many cases there were.
    pub cases: usize,
    /// The mutants, in the order of the operators.
    pub mutants: Vec<Fate>,
    /// The rules, in the order of the description.
    pub rules: Vec<RuleKill>,
    /// What a reader comes to that accepts everything.
    pub accepts_all: Dumb,
    /// What a reader comes to that rejects everything.
    pub rejects_all: Dumb,
    /// Cases that the truth itself fails, which should be none.
    pub unsound: Vec<String>,
}

impl Strength {
    /// Mutants that some trace could tell apart, as far as is known.
    pub fn feasible(&self) -> usize {
        self.mutants.len() - self.equivalents().count()
    }

    /// Mutants that some case tells apart.
    pub fn killed(&self) -> usize {
        let killed = self.mutants.iter();
        killed.filter(|fate| fate.killer.is_some()).count()
    }

    /// Mutants that only lose in grade.
    pub fn graded(&self) -> usize {
        let killers = self.mutants.iter().filter_map(|fate| fate.killer.as_ref());
        killers.filter(|killer| !killer.wrong.fails()).count()
    }

    /// Mutants that no case tells apart, and of which nothing says that none can.
    pub fn survivors(&self) -> impl Iterator<Item = &Fate> {
        let fates = self.mutants.iter();
        fates.filter(|fate| fate.killer.is_none() && fate.equivalent.is_none())
    }

    /// Mutants that no trace tells apart.
    pub fn equivalents(&self) -> impl Iterator<Item = &Fate> {
        let fates = self.mutants.iter();
        fates.filter(|fate| fate.killer.is_none() && fate.equivalent.is_some())
    }
}

/// A wrong reader may nest as deep as a trace asks for, several levels of ours for each of its.
const STACK: usize = 256 << 20;

/// Does `work` on threads whose stacks hold what wrong readers need.
fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool.install(work),
        // On the threads that there are most of it goes as well.
        Err(_) => work(),
    }
}
