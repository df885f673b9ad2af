//! The events in a trace that affect table rows and registers.

use std::cell::{Cell, RefCell};

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{ColumnId, RegisterId, TableId};
use tracegauge_plan::{CodeId, SetTargetPlan};

use super::value::Value;

/// The definition of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    /// The structure that defines the row.
    pub(super) node: NodeId,
    /// The index of the table.
    pub(super) table: TableId,
    /// The key of the row.
    pub(super) key: i128,
    /// The first node that is read after the definition. The row exists from this node on.
    pub(super) time: NodeId,
    /// Whether the first row with the key takes precedence over later rows with the same key.
    pub(super) keeps_first: bool,
}

/// A reference to a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    /// The field that contains the reference.
    pub(super) node: NodeId,
    /// The index of the table.
    pub(super) table: TableId,
    /// The key.
    pub(super) key: i128,
}

/// The removal of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forgetting {
    /// The structure that removes the rows.
    pub(super) node: NodeId,
    /// The index of the table, or `None` for all tables.
    pub(super) table: Option<TableId>,
    /// The key to remove, or `None` for all keys.
    pub(super) key: Option<i128>,
    pub(super) time: NodeId,
}

/// A definition or removal whose key or condition depends on earlier events, for example on a
/// register that numbers the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsettled {
    /// The structure at whose end the event occurs.
    pub(super) node: NodeId,
    pub(super) time: NodeId,
    pub(super) condition: Option<CodeId>,
    pub(super) effect: Effect,
}

/// The effect of an event on the rows of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// Defines a row. The key is the position of the structure unless there is an expression.
    Define {
        table: TableId,
        key: Option<CodeId>,
        keeps_first: bool,
    },
    Remove {
        table: TableId,
        key: CodeId,
    },
    /// Removes all rows of a table, or of all tables.
    Clear {
        table: Option<TableId>,
    },
}

/// An assignment to a register or to a column of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) target: SetTargetPlan,
    pub(super) value: Setter,
    pub(super) condition: Option<CodeId>,
    pub(super) time: NodeId,
}

/// The target of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Register(RegisterId),
    /// A column of the row with this key, or of any row if the key cannot be determined.
    Column {
        table: TableId,
        key: Option<i128>,
        column: ColumnId,
    },
}

/// The value assigned at a point in the trace, or `None` if the value cannot be determined.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) target: Target,
    pub(super) value: Option<Value>,
    pub(super) time: NodeId,
}

/// The values of the assignments, computed on demand and in order, because each value may depend on
/// earlier values.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    pub(super) sets: RefCell<Vec<Set>>,
    /// The number of assignments evaluated so far.
    pub(super) done: Cell<usize>,
    /// Whether an assignment is currently being evaluated.
    pub(super) busy: Cell<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Setter {
    /// The value of a carried field, which becomes the new value of the register.
    Field(NodeId),
    /// An expression evaluated at the end of a structure.
    Code(NodeId, CodeId),
}

/// All events in a trace that affect tables and registers.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub(super) definitions: Vec<Definition>,
    pub(super) references: Vec<Reference>,
    pub(super) forgettings: Vec<Forgetting>,
    pub(super) settings: Vec<Setting>,
    /// Events whose keys or conditions are not known yet.
    pub(super) unsettled: Vec<Unsettled>,
    pub(super) values: Values,
}
