//! Stores everything that the trace has defined so far: tables of rows, registers, and compiled
//! layouts.

mod layout;
mod program;
mod signature;
mod table;

pub use layout::{CompiledLayout, DescribedField, compile_layout};
pub(crate) use program::{Names, RowPrograms};
pub use signature::{TextItem, compile_text, items};
pub use table::{Cell, Pending, Row, Table, UniqueScope, UniqueValue};

use tracegauge_plan::terms::{RegisterId, TableId};
use tracegauge_plan::{Arena, Plan};

/// The tables and registers.
#[derive(Clone, Debug)]
pub struct State {
    /// The tables, in the plan's order.
    pub tables: Arena<TableId, Table>,
    /// The registers, in the plan's order. `None` means that a register has no value.
    pub registers: Arena<RegisterId, Option<i128>>,
}

impl State {
    /// Returns the state before the first byte.
    pub fn new(plan: &Plan) -> Self {
        Self {
            tables: plan.tables.iter().map(Table::new).collect(),
            registers: plan
                .registers
                .iter()
                .map(|register| register.initial)
                .collect(),
        }
    }

    /// Resets everything to the state before the first byte.
    pub fn reset(&mut self, plan: &Plan) {
        for table in &mut self.tables {
            table.clear();
        }
        for (register, described) in self.registers.iter_mut().zip(&plan.registers) {
            *register = described.initial;
        }
    }
}
