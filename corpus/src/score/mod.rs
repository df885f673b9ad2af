//! What files exercise of a description, measured from their bytes with the decoder's marks.
//!
//! From a plan come obligations: everything that a file can do with it. An obligation that no
//! file can meet is left out only with a recorded reason.

mod about;
mod boundaries;
mod carried;
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
mod together;

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::Serialize;
use tracegauge_spec::plan::{OpId, Plan};

pub use about::rules_of;
pub use boundaries::Boundary;
pub(crate) use boundaries::{Values, measured};
pub use carried::CarryStep;
pub use exclude::{Exclusion, Exclusions, Known, LeftOut, Named};
pub use faults::{Came, Way, ways};
pub use marks::Meter;
pub use names::Names;
pub use obligations::{Feasible, feasible};
pub use pairs::Level;
pub(crate) use report::percent;
pub use report::write_score;
pub use rows::RowUse;

/// Something that a file can do with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obligation {
    /// Break a rule, by its place in the plan.
    Broken(u32),
    /// Show a rule that readers tolerate.
    Shown(u32),
    /// Break a rule, or show one that readers tolerate, at an operation.
    At(u32, OpId),
    /// Run an operation.
    Operation(OpId),
    /// Take an arm of a switch.
    Arm(OpId),
    /// Read a value by a type code.
    Code(OpId),
    /// Read a value by a type code inside one that holds it: the holder comes first.
    Inside(OpId, OpId),
    /// Meet a condition that holds.
    True(OpId),
    /// Meet a condition that does not hold.
    False(OpId),
    /// Repeat so often.
    Times(OpId, Times),
    /// Use a member of an enumeration, by their places in the plan.
    Member(u32, u32),
    /// Have a value at an end of what a field may have.
    Value(OpId, Boundary),
    /// Run one operation right after another.
    Edge(OpId, OpId),
    /// Have an element of one kind right after one of another.
    Next(OpId, OpId),
    /// Have elements of three kinds in a row.
    Third(OpId, OpId, OpId),
    /// Use the rows of a table.
    Row(OpId, RowUse),
    /// Go on with a carried value.
    Carry(OpId, CarryStep),
    /// Have two parts of a structure like that together.
    Pair((OpId, Level), (OpId, Level)),
}

/// How often something is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Times {
    /// Not at all.
    Zero,
    /// Once.
    One,
    /// Twice.
    Two,
    /// More often.
    Many,
}

impl Times {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Zero, Self::One, Self::Two, Self::Many];

    /// What a number is.
    pub fn of(count: u64) -> Self {
        match count {
            0 => Self::Zero,
            1 => Self::One,
            2 => Self::Two,
            _ => Self::Many,
        }
    }

    /// The word for it.
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
    /// Rules are broken or shown.
    Rules,
    /// Rules are broken or shown at each place where that is possible.
    Places,
    /// Operations run.
    Operations,
    /// Arms are taken.
    Arms,
    /// Type codes are used.
    Codes,
    /// Type codes are used inside each that holds others.
    Nesting,
    /// Conditions hold and do not.
    Guards,
    /// Repetitions of each number.
    Repeats,
    /// Members of enumerations are used.
    Members,
    /// Values at the ends of what fields may have.
    Boundaries,
    /// Operations follow one another.
    Edges,
    /// Kinds of elements follow one another, in twos and threes.
    Sequences,
    /// Rows are defined, defined again, named and ended.
    Tables,
    /// Carried values go on.
    Carries,
    /// Parts of a structure are there or not, and at the ends of what they may have, in twos.
    Pairs,
    /// Rules are broken in each way that their constraint suggests.
    Faults,
}

impl Class {
    /// All of them, in the order of reports.
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

    /// The word for it.
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
    /// The class that it belongs to.
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
}

/// How many obligations of a class are met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassScore {
    /// The class.
    pub class: Class,
    /// How many are met.
    pub hit: usize,
    /// How many can be met.
    pub feasible: usize,
    /// Those that are not, by their paths in the description.
    pub misses: Vec<Miss>,
}

/// An obligation that no file meets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Miss {
    /// What is not met, with its path in the description.
    pub obligation: String,
    /// File and line of the description.
    pub described: String,
    /// What was met where it was tried, for ways to break rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<&'static str>,
}

/// What files exercise of one plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Score {
    /// The format with its dialect.
    pub format: String,
    /// How many files were measured.
    pub files: usize,
    /// By class.
    pub classes: Vec<ClassScore>,
    /// What is left out, and why.
    pub excluded: Vec<LeftOut>,
    /// Of what is written down as left out, what files meet all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradicted: Vec<String>,
    /// What is written down as left out, and is nothing that could be demanded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// What any number of files exercise together; the same with any number of threads.
pub fn score<B: AsRef<[u8]> + Sync>(plan: &Plan, files: &[B], exclusions: &Exclusions) -> Score {
    let meter = Meter::new(plan);
    let met: BTreeSet<Obligation> = files
        .par_iter()
        .map(|bytes| meter.measure(bytes.as_ref()))
        .reduce(BTreeSet::new, |mut left, mut right| {
            left.append(&mut right);
            left
        });
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
        contradicted,
        unknown: Vec::new(),
    }
}
