//! Rows that a trace defines, found by key.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use tracegauge_spec::plan::{Constant, TablePlan};

use super::{CompiledLayout, RowPrograms};
use crate::report::RecordBuffer;
use crate::tree::Tree;
use crate::verdict::Span;

/// A value that a row keeps.
#[derive(Clone, Debug)]
pub enum Cell {
    /// No value.
    Absent,
    /// An integer.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// A float.
    Float(f64),
    /// Text or bytes.
    Bytes(Box<[u8]>),
    /// A part with fields or elements.
    Tree(Arc<Tree>),
}

impl Cell {
    /// A value that is known before the file.
    fn of(constant: &Constant) -> Self {
        match constant {
            Constant::Absent => Self::Absent,
            Constant::Int(value) => Self::Int(*value),
            Constant::Bool(value) => Self::Bool(*value),
            Constant::Text(text) => Self::Bytes(text.as_slice().into()),
        }
    }
}

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its key.
    pub key: u64,
    /// Values of the table's columns.
    pub cells: Box<[Cell]>,
    /// Its bytes, where rows of the table are compared.
    pub bytes: Box<[u8]>,
    /// Where it was defined; nothing where it was there before the file.
    pub span: Option<Span>,
    /// The kind that it is of, by the table's order.
    pub kind: Option<u32>,
    /// It was there before the file: its number among such rows.
    pub initial: Option<u32>,
    /// Layouts that were compiled for it: index in the plan, and the layout.
    pub layouts: Vec<(u32, Arc<CompiledLayout>)>,
    /// Their programs, in the same order; none while one runs.
    pub(crate) programs: Vec<Option<Box<RowPrograms>>>,
    /// How records show cells that are parts, by column, once one has.
    pub(crate) shown: Vec<Option<Box<RecordBuffer>>>,
}

/// A reference to a row that has not come yet.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The rule that holds if it never comes.
    pub dangling: Option<u32>,
    /// The rule that holds when it comes.
    pub later: u32,
    /// Where the first reference stands.
    pub span: Span,
    /// Its path.
    pub path: String,
    /// The operation of the reference.
    pub op: tracegauge_spec::plan::OpId,
}

/// Keys below this are looked up in an array, which is as long as the greatest of them.
const DENSE: u64 = 1 << 16;

/// The rows of a table. A row keeps its place until it is removed.
#[derive(Clone, Debug, Default)]
pub struct Table {
    dense: Vec<u32>,
    sparse: HashMap<u64, u32>,
    rows: Vec<Option<Row>>,
    free: Vec<u32>,
    /// Keys that were named and not defined.
    pub pending: HashMap<u64, Pending>,
    /// Values in which rows must differ, each with the expression it is of.
    claimed: HashSet<(u32, Vec<u8>)>,
    /// Rows that are there before the file.
    initial: Vec<Row>,
}

const NONE: u32 = u32::MAX;

impl Table {
    /// A table without rows of a file.
    pub fn new(plan: &TablePlan) -> Self {
        let mut table = Self {
            initial: initial_rows(plan),
            ..Self::default()
        };
        table.begin();
        table
    }

    /// The rows that are there before the file.
    fn begin(&mut self) {
        for number in 0..self.initial.len() {
            self.define(self.initial[number].clone());
        }
    }

    /// A row that was there before the file has this value in a column.
    pub fn begins_with(&self, column: u32, same: impl Fn(&Cell) -> bool) -> bool {
        let mut rows = self.initial.iter();
        rows.any(|row| row.cells.get(column as usize).is_some_and(&same))
    }

    /// A row has this value, in which rows must differ; `false` where another has it already.
    pub fn claim(&mut self, expression: u32, value: Vec<u8>) -> bool {
        self.claimed.insert((expression, value))
    }

    /// The place of the row with `key`.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        if key >= DENSE {
            return self.sparse.get(&key).copied();
        }
        let place = usize::try_from(key)
            .ok()
            .and_then(|key| self.dense.get(key));
        place.copied().filter(|place| *place != NONE)
    }

    /// The row at a place.
    #[inline]
    pub fn row(&self, place: u32) -> Option<&Row> {
        self.rows.get(place as usize).and_then(Option::as_ref)
    }

    /// The row at a place, to change.
    pub fn row_mut(&mut self, place: u32) -> Option<&mut Row> {
        self.rows.get_mut(place as usize).and_then(Option::as_mut)
    }

    /// Adds a row, or puts it in the place of the one with its key. Returns its place.
    pub fn define(&mut self, row: Row) -> u32 {
        let key = row.key;
        if let Some(place) = self.find(key) {
            self.rows[place as usize] = Some(row);
            return place;
        }
        let place = match self.free.pop() {
            Some(place) => {
                self.rows[place as usize] = Some(row);
                place
            }
            None => {
                self.rows.push(Some(row));
                u32::try_from(self.rows.len() - 1).unwrap_or(NONE)
            }
        };
        if key >= DENSE {
            self.sparse.insert(key, place);
            return place;
        }
        let at = usize::try_from(key).unwrap_or_default();
        if self.dense.len() <= at {
            self.dense.resize(at + 1, NONE);
        }
        self.dense[at] = place;
        place
    }

    /// Removes the row with `key`.
    pub fn remove(&mut self, key: u64) -> Option<Row> {
        let place = self.find(key)?;
        if key >= DENSE {
            self.sparse.remove(&key);
        } else {
            self.dense[usize::try_from(key).ok()?] = NONE;
        }
        self.free.push(place);
        self.rows[place as usize].take()
    }

    /// Removes every row of the file.
    pub fn clear(&mut self) {
        self.dense.clear();
        self.sparse.clear();
        self.rows.clear();
        self.free.clear();
        self.pending.clear();
        self.claimed.clear();
        self.begin();
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len() - self.free.len()
    }

    /// There is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of places, of which some may be empty.
    pub fn places(&self) -> usize {
        self.rows.len()
    }

    /// The first row at a place or after it, from the start again after the last.
    pub fn row_from(&self, place: usize) -> Option<&Row> {
        self.rows_from(place).next()
    }

    /// The rows from a place on, and then those before it.
    pub fn rows_from(&self, place: usize) -> impl Iterator<Item = &Row> {
        let (before, after) = self.rows.split_at(place.min(self.rows.len()));
        after.iter().chain(before).flatten()
    }

    /// The rows, by place.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flatten()
    }
}

fn initial_rows(plan: &TablePlan) -> Vec<Row> {
    let rows = plan.initial.iter().enumerate();
    rows.map(|(number, row)| Row {
        key: row.key,
        cells: row.cells.iter().map(Cell::of).collect(),
        bytes: Box::default(),
        span: None,
        kind: row.kind,
        initial: u32::try_from(number).ok(),
        layouts: Vec::new(),
        programs: Vec::new(),
        shown: Vec::new(),
    })
    .collect()
}
