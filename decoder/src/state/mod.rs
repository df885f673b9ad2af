//! What a trace has defined so far: tables of rows, registers, and compiled layouts.

mod layout;
mod program;
mod table;

pub use layout::{CompiledLayout, DescribedField, compile_layout};
pub(crate) use program::{Names, RowPrograms};
pub use table::{Cell, Pending, Row, Table};

use tracegauge_spec::plan::Plan;

/// Tables and registers.
#[derive(Clone, Debug)]
pub struct State {
    /// By the plan's order.
    pub tables: Vec<Table>,
    /// By the plan's order; `None` is no value.
    pub registers: Vec<Option<i128>>,
}

impl State {
    /// As before the first byte.
    pub fn new(plan: &Plan) -> Self {
        Self {
            tables: plan.tables.iter().map(|_| Table::new()).collect(),
            registers: plan
                .registers
                .iter()
                .map(|register| register.initial)
                .collect(),
        }
    }

    /// Everything as before the first byte.
    pub fn reset(&mut self, plan: &Plan) {
        for table in &mut self.tables {
            table.clear();
        }
        for (register, described) in self.registers.iter_mut().zip(&plan.registers) {
            *register = described.initial;
        }
    }
}
