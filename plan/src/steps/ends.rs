//! Assignments at the end of structures.

use super::fuse::Fuser;
use crate::formula::{Formula, NumberId};
use crate::{ColumnRef, SetPlan, SetTargetPlan};

/// An assignment that steps perform with formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The register or column that receives the value.
    pub target: Target,
    /// The new value.
    pub value: Formula,
    /// The condition under which the value is assigned.
    pub condition: Option<Formula>,
}

/// The target of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A register.
    Register(NumberId),
    /// A column of the row with this key.
    Column(Formula, ColumnRef),
}

impl Fuser<'_> {
    /// Converts an assignment.
    pub(super) fn assignment(&mut self, set: &SetPlan) -> Assignment {
        Assignment {
            target: match set.target {
                SetTargetPlan::Register(register) => {
                    Target::Register(self.formulas.layout.register(register))
                }
                SetTargetPlan::Column { table, key, column } => {
                    Target::Column(self.formula(key), ColumnRef { table, column })
                }
            },
            value: self.formula(set.value),
            condition: set.condition.map(|condition| self.formula(condition)),
        }
    }
}
