//! Describes, in words, a trace that meets an obligation.

use tracegauge_plan::OpId;
use tracegauge_plan::terms::RuleId;

use super::{Boundary, CarryStep, Level, Names, Obligation, RowUse, Times};

impl Names<'_> {
    /// Returns a clause about a trace that meets an obligation, phrased to follow "a trace".
    pub fn clause(&self, obligation: Obligation) -> String {
        let rule = |rule: RuleId| &self.plan().rules[rule].id;
        let path = |op: OpId| self.path(op);
        match obligation {
            Obligation::Broken(index) => format!("that violates {}", rule(index)),
            Obligation::Shown(index) => format!("that exercises {}", rule(index)),
            Obligation::At(index, op) => format!("that exercises {} at {}", rule(index), path(op)),
            Obligation::Operation(OpId(0)) => "of the format".to_owned(),
            Obligation::Operation(op) | Obligation::Arm(op) | Obligation::Code(op) => {
                format!("with {}", path(op))
            }
            Obligation::Inside(holder, op) => format!("with {} in {}", path(op), path(holder)),
            Obligation::True(op) => format!("in which {} is present", path(op)),
            Obligation::False(op) => format!("in which {} is absent", path(op)),
            Obligation::Times(op, times) => {
                let times = match times {
                    Times::Zero => "is empty",
                    Times::One => "has one element",
                    Times::Two => "has two elements",
                    Times::Many => "has many elements",
                };
                format!("in which {} {times}", path(op))
            }
            Obligation::Member(..) => format!("with {}", self.obligation(obligation)),
            Obligation::Value(op, boundary) => {
                format!("in which {} {}", path(op), value(boundary))
            }
            Obligation::Edge(from, to) => {
                format!("in which {} directly follows {}", path(to), path(from))
            }
            Obligation::Next(one, two) => {
                format!(
                    "in which {} follows {}",
                    self.kind(two),
                    self.first_kind(one)
                )
            }
            Obligation::Third(one, two, three) => format!(
                "in which {} is followed by {} and {}",
                self.first_kind(one),
                self.kind(two),
                self.kind(three)
            ),
            Obligation::Row(op, used) => {
                let path = path(op);
                match used {
                    RowUse::Same => {
                        format!("in which {path} is defined again with the same contents")
                    }
                    RowUse::Other => {
                        format!("in which {path} is defined again with different contents")
                    }
                    RowUse::Anew => format!("in which {path} is defined again after its removal"),
                    RowUse::Third => {
                        format!("in which {path} is defined while its table has two other rows")
                    }
                    RowUse::Newest => format!("in which {path} refers to the newest table row"),
                    RowUse::Older => format!("in which {path} refers to an older table row"),
                    RowUse::Again => {
                        format!("in which {path} refers to the same table row as before")
                    }
                    RowUse::Changed => {
                        format!("in which {path} refers to a table row that was defined twice")
                    }
                    RowUse::Renewed => format!(
                        "in which {path} refers to a table row that was defined again after its \
                         removal"
                    ),
                    RowUse::ChangedBehind => format!(
                        "in which {path} refers to a table row that refers to another row, which \
                         was then defined again"
                    ),
                }
            }
            Obligation::Carry(op, step) => {
                let step = match step {
                    CarryStep::Same => "keeps its value",
                    CarryStep::Greater => "increases",
                    CarryStep::Lesser => "decreases",
                    CarryStep::Wrapped => "wraps around",
                    CarryStep::Restarted => "is written after a reset",
                    CarryStep::AbsentRestarted => "is omitted after a reset",
                };
                format!("in which {} {step}", path(op))
            }
            Obligation::Pair((one, first), (two, second)) => format!(
                "in which {} {} and {} {}",
                path(one),
                level(first),
                path(two),
                level(second)
            ),
        }
    }
}

fn level(level: Level) -> String {
    match level {
        Level::There => "is present".to_owned(),
        Level::Absent => "is absent".to_owned(),
        Level::At(boundary) => value(boundary),
    }
}

fn value(boundary: Boundary) -> String {
    match boundary {
        Boundary::Least => "has its least value".to_owned(),
        Boundary::Greatest => "has its greatest value".to_owned(),
        Boundary::Negative => "is negative".to_owned(),
        Boundary::MoreThan(bits) => format!("needs more than {bits} bits"),
        Boundary::Mark => "starts with a byte order mark".to_owned(),
        Boundary::Across => {
            "has two adjacent zero bytes that belong to different code units".to_owned()
        }
    }
}
