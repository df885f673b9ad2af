//! Stores everything that the trace has defined so far: tables of rows with their compiled layouts,
//! and the values that expressions read.

mod layout;
mod memory;
mod program;
mod signature;
mod table;

pub use layout::{CompiledLayout, DescribedField, compile_layout};
pub use memory::Memory;
pub(crate) use program::{Names, RowPrograms};
pub use signature::{TextItem, compile_text, items};
pub(crate) use table::Image;
pub use table::{Cell, Pending, Row, Table, UniqueScope, UniqueValue};

use tracegauge_plan::terms::TableId;
use tracegauge_plan::{Arena, Plan};

/// The tables.
#[derive(Clone, Debug)]
pub struct State {
    /// The tables, in the plan's order.
    pub tables: Arena<TableId, Table>,
}

impl State {
    /// Returns the state before the first byte.
    pub fn new(plan: &Plan) -> Self {
        Self {
            tables: plan.tables.iter().map(Table::new).collect(),
        }
    }

    /// Returns whether a reference that has been read names a row that is not defined yet.
    pub fn awaits_rows(&self) -> bool {
        self.tables.iter().any(|table| !table.pending.is_empty())
    }

    /// Resets everything to the state before the first byte.
    pub fn reset(&mut self) {
        for table in &mut self.tables {
            table.clear();
        }
    }
}
