//! Coverage: which parts of a description a set of files exercises, measured with the coverage
//! marks of the decoder.
//!
//! Each plan yields a set of obligations: the parts and properties of the format that files can
//! exercise. An obligation that no file can meet is excluded only with a documented reason.

mod about;
mod boundaries;
mod carried;
mod clauses;
mod departed;
mod edges;
mod exclude;
mod faults;
mod marks;
mod names;
mod obligations;
mod pairs;
mod places;
mod report;
mod rows;
mod rules;
mod sequences;
mod texts;
mod together;

use std::collections::BTreeSet;

use serde::Serialize;
use tracegauge_plan::terms::{EnumId, RuleId};
use tracegauge_plan::{OpId, Plan};

use crate::parallel;

pub use about::{rules_of, rules_of_content, rules_of_row, table_of};
pub use boundaries::Boundary;
pub(crate) use boundaries::{LONGEST_LIMITED, Values, measured};
pub use carried::CarryStep;
pub use departed::{Departed, Figures};
pub use exclude::{Exclusion, Exclusions, Known, LeftOut, Named};
pub use faults::{Came, Way, ways};
pub use marks::{Measured, Meter};
pub use names::Names;
pub use obligations::{Feasible, feasible};
pub use pairs::Level;
pub(crate) use report::percent;
pub use report::write_score;
pub use rows::RowUse;
pub(crate) use texts::text;

/// Something in a plan that a file can exercise, such as a rule or an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obligation {
    /// A rule is violated. The number is the rule's index in the plan.
    Broken(RuleId),
    /// A tolerated rule (a rule that does not make a trace invalid) is triggered. The number is the
    /// rule's index in the plan.
    Shown(RuleId),
    /// A rule is violated at a particular operation, whether or not readers must tolerate it.
    At(RuleId, OpId),
    /// An operation runs.
    Operation(OpId),
    /// An arm of a switch (one of its alternatives) is selected.
    Arm(OpId),
    /// A type code selects how a value is read.
    Code(OpId),
    /// A value with one type code (the second) is inside a value with another type code (the
    /// first).
    Inside(OpId, OpId),
    /// A condition is evaluated and holds.
    True(OpId),
    /// A condition is evaluated and does not hold.
    False(OpId),
    /// A repetition runs zero times, once, twice, or three or more times.
    Times(OpId, Times),
    /// A member of an enumeration is used. The number is the index of the member.
    Member(EnumId, u32),
    /// A field has a value at a boundary of its range.
    Value(OpId, Boundary),
    /// An operation runs directly after another operation.
    Edge(OpId, OpId),
    /// A list element of one kind (the second) directly follows an element of another kind (the
    /// first).
    Next(OpId, OpId),
    /// List elements of three given kinds follow one another.
    Third(OpId, OpId, OpId),
    /// The rows of a table (definitions that later parts of the trace refer to) are used in a
    /// particular way.
    Row(OpId, RowUse),
    /// A carried value, which is computed from an earlier value, changes in a particular way.
    Carry(OpId, CarryStep),
    /// Two parts of a structure occur together, each in a given state: present, absent, or at a
    /// boundary of its range.
    Pair((OpId, Level), (OpId, Level)),
}

/// The number of repetitions, grouped into classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Times {
    /// Zero times.
    Zero,
    /// Once.
    One,
    /// Twice.
    Two,
    /// Three times or more.
    Many,
}

impl Times {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Zero, Self::One, Self::Two, Self::Many];

    /// Returns the class of a count.
    pub fn of(count: u64) -> Self {
        match count {
            0 => Self::Zero,
            1 => Self::One,
            2 => Self::Two,
            _ => Self::Many,
        }
    }

    /// Returns the name shown in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "0 times",
            Self::One => "1 time",
            Self::Two => "2 times",
            Self::Many => "many times",
        }
    }
}

/// A class of obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Rules that are violated or triggered.
    Rules,
    /// Rules that are violated or triggered, at each operation where that is possible.
    Places,
    /// Operations that run.
    Operations,
    /// Arms of switches that are selected.
    Arms,
    /// Type codes that are used.
    Codes,
    /// Pairs of type codes, where a value with one code is inside a value with the other.
    Nesting,
    /// Conditions that hold, and conditions that do not hold.
    Guards,
    /// Repetitions that run zero times, once, twice, or three or more times.
    Repeats,
    /// Members of enumerations that are used.
    Members,
    /// Values at the boundaries of the fields' ranges.
    Boundaries,
    /// Operations that follow one another.
    Edges,
    /// Kinds of list elements that follow one another, in pairs and triples.
    Sequences,
    /// Table rows that are defined, redefined, referenced and removed.
    Tables,
    /// Changes of carried values from one field to the next, such as an increase or a reset.
    Carries,
    /// Pairs of parts of a structure, each in a given state: present, absent, or at a boundary of
    /// its range.
    Pairs,
    /// Ways to violate rules, derived from the rules' constraints.
    Faults,
}

impl Class {
    /// All classes, in the order of reports.
    pub const ALL: [Self; 16] = [
        Self::Rules,
        Self::Places,
        Self::Operations,
        Self::Arms,
        Self::Codes,
        Self::Nesting,
        Self::Guards,
        Self::Repeats,
        Self::Members,
        Self::Boundaries,
        Self::Edges,
        Self::Sequences,
        Self::Tables,
        Self::Carries,
        Self::Pairs,
        Self::Faults,
    ];

    /// Returns the name shown in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Places => "places",
            Self::Operations => "operations",
            Self::Arms => "arms",
            Self::Codes => "codes",
            Self::Nesting => "nesting",
            Self::Guards => "guards",
            Self::Repeats => "repeats",
            Self::Members => "members",
            Self::Boundaries => "boundaries",
            Self::Edges => "edges",
            Self::Sequences => "sequences",
            Self::Tables => "tables",
            Self::Carries => "carries",
            Self::Pairs => "pairs",
            Self::Faults => "faults",
        }
    }
}

impl Obligation {
    /// Returns the class of the obligation.
    pub fn class(self) -> Class {
        match self {
            Self::Broken(_) | Self::Shown(_) => Class::Rules,
            Self::At(..) => Class::Places,
            Self::Operation(_) => Class::Operations,
            Self::Arm(_) => Class::Arms,
            Self::Code(_) => Class::Codes,
            Self::Inside(..) => Class::Nesting,
            Self::True(_) | Self::False(_) => Class::Guards,
            Self::Times(..) => Class::Repeats,
            Self::Member(..) => Class::Members,
            Self::Value(..) => Class::Boundaries,
            Self::Edge(..) => Class::Edges,
            Self::Next(..) | Self::Third(..) => Class::Sequences,
            Self::Row(..) => Class::Tables,
            Self::Carry(..) => Class::Carries,
            Self::Pair(..) => Class::Pairs,
        }
    }

    /// Returns true for obligations about the contents of a trace. Returns false for obligations
    /// about the order of operations or the absence of a part, because these are mostly met by
    /// chance.
    pub fn is_content(self) -> bool {
        self.is_incidental()
            || matches!(
                self,
                Self::Shown(_)
                    | Self::Operation(_)
                    | Self::Arm(_)
                    | Self::Code(_)
                    | Self::Member(..)
            )
    }

    /// Returns true for contents that occur in many traces by chance, such as a large value or an
    /// additional element.
    pub fn is_incidental(self) -> bool {
        matches!(
            self,
            Self::Inside(..) | Self::Times(..) | Self::Value(..) | Self::Row(..) | Self::Carry(..)
        )
    }
}

/// The coverage of one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassScore {
    /// The class.
    pub class: Class,
    /// The number of obligations that files meet.
    pub hit: usize,
    /// The number of feasible obligations.
    pub feasible: usize,
    /// The obligations that are not met, identified by their paths in the description.
    pub misses: Vec<Miss>,
}

/// An obligation that no file meets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Miss {
    /// The obligation, with its path in the description.
    pub obligation: String,
    /// The file and line in the description that the obligation refers to.
    pub described: String,
    /// The reason why the attempts to generate a case failed, if the obligation is a way to violate
    /// a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<&'static str>,
}

/// The coverage that files achieve for one plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Score {
    /// The id of the format and dialect.
    pub format: String,
    /// The number of files measured.
    pub files: usize,
    /// The coverage of each class.
    pub classes: Vec<ClassScore>,
    /// The excluded obligations, with reasons.
    pub excluded: Vec<LeftOut>,
    /// The departures of the generated cases from what typical writers produce, if cases were
    /// measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub departures: Option<Departed>,
    /// Documented exclusions of obligations that files do meet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicted: Vec<String>,
    /// Documented exclusions that match no obligation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// The number of files that one thread measures before their obligations are merged.
const CHUNK: usize = 16;

/// Measures the combined coverage of files. The result does not depend on the number of threads.
pub fn score<B: AsRef<[u8]> + Sync>(plan: &Plan, files: &[B], exclusions: &Exclusions) -> Score {
    let meter = Meter::new(plan);
    // What a chunk of files meets is merged at once, because many files meet the same obligations.
    let chunks: Vec<&[B]> = files.chunks(CHUNK).collect();
    let met = parallel::map(&chunks, |chunk| {
        let measured = chunk.iter().flat_map(|file| meter.measure(file.as_ref()));
        measured.collect::<BTreeSet<Obligation>>()
    });
    let met: BTreeSet<Obligation> = met.into_iter().flatten().collect();
    let names = Names::new(plan);
    let Feasible {
        mut obligations,
        mut excluded,
    } = feasible(plan);
    let mut contradicted = Vec::new();
    obligations.retain(|obligation| {
        let text = names.obligation(*obligation);
        match exclusions.reason(&text) {
            Some(because) => {
                if met.contains(obligation) {
                    contradicted.push(text);
                    return true;
                }
                excluded.push(LeftOut {
                    obligation: text,
                    because: because.to_owned(),
                    known: Known::Written,
                });
                false
            }
            None => true,
        }
    });
    let class = |class| {
        let of_class = obligations.iter().filter(|o| o.class() == class);
        let (hit, missed): (Vec<Obligation>, Vec<Obligation>) =
            of_class.partition(|obligation| met.contains(obligation));
        let miss = |obligation: &Obligation| Miss {
            obligation: names.obligation(*obligation),
            described: names.described(*obligation),
            tried: None,
        };
        ClassScore {
            class,
            hit: hit.len(),
            feasible: hit.len() + missed.len(),
            misses: missed.iter().map(miss).collect(),
        }
    };
    Score {
        format: plan.format.clone(),
        files: files.len(),
        classes: Class::ALL.into_iter().map(class).collect(),
        excluded,
        departures: None,
        contradicted,
        unknown: Vec::new(),
    }
}
