//! Stores the rows that a trace defines, indexed by key.

use std::cell;
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;
use tracegauge_plan::terms::{ColumnId, RuleId};
use tracegauge_plan::{CodeId, Constant, ImageId, LayoutUseId, RowKindId, TablePlan};

use super::{CompiledLayout, RowPrograms};
use crate::report::{RecordBuffer, Standing};
use crate::tree::Tree;
use crate::verdict::Span;

/// A value in a row.
#[derive(Clone, Debug)]
pub enum Cell {
    /// No value.
    Absent,
    /// An integer.
    Int(i128),
    /// A Boolean.
    Bool(bool),
    /// A float.
    Float(f64),
    /// Text or bytes.
    Bytes(Box<[u8]>),
    /// A part of the trace, with its fields or elements.
    Tree(Arc<Tree>),
}

impl Cell {
    /// Creates a cell from a constant of the plan.
    fn of(constant: &Constant) -> Self {
        match constant {
            Constant::Absent => Self::Absent,
            Constant::Int(value) => Self::Int(*value),
            Constant::Bool(value) => Self::Bool(*value),
            Constant::Text(text) => Self::Bytes(text.as_slice().into()),
        }
    }
}

/// The values that a unique value must differ from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UniqueScope {
    /// The values of a column, whichever structures define the rows.
    Column(ColumnId),
    /// The values of an expression that is not a column.
    Expression(CodeId),
}

/// A value that must differ in every row.
pub type UniqueValue = (UniqueScope, Arc<[u8]>);

/// A row of a table. Fields refer to the row by its key.
#[derive(Clone, Debug)]
pub struct Row {
    /// The key.
    pub key: u64,
    /// The values of the table's columns.
    pub cells: Box<[Cell]>,
    /// The row's bytes, if the table compares rows by their bytes.
    pub bytes: Box<[u8]>,
    /// The values of the row that must differ in every row. This list is empty for a predefined row,
    /// whose cells are compared instead ([`Table::begins_with`]).
    pub unique: Vec<UniqueValue>,
    /// The bytes that defined the row, or `None` for a predefined row.
    pub span: Option<Span>,
    /// The kind of the row, as an index into the table's kinds. A kind is a special type that the
    /// description declares for rows with certain contents.
    pub kind: Option<RowKindId>,
    /// The index of the row among the predefined rows, or `None` if the trace defined the row.
    pub initial: Option<u32>,
    /// The layouts compiled for the row, each with its index in the plan.
    pub layouts: Vec<(LayoutUseId, Arc<CompiledLayout>)>,
    /// The programs of the layouts, in the same order, if the machine runs steps.
    pub(crate) programs: Vec<Option<Rc<RowPrograms>>>,
    /// For each column that contains a part of the trace or text, a cache of the record items that
    /// represent it.
    pub(crate) shown: Vec<Option<Box<RecordBuffer>>>,
    /// For each image that records have asked for, the image.
    pub(crate) images: Vec<(ImageId, Image)>,
}

/// Several members of a record that come from the same row.
#[derive(Clone, Debug)]
pub(crate) enum Image {
    /// One record has needed the members. Most rows of some traces occur in only one record.
    Needed,
    /// The members, which look the same in every record, and where they stand in the buffer of
    /// records.
    Shown(Box<(RecordBuffer, Standing)>),
    /// The members are built for each record.
    Never,
}

impl Row {
    /// Returns the record items of a column that contains a part of the trace or text, if they are
    /// cached.
    #[inline]
    pub(crate) fn shown_column(&self, column: ColumnId) -> Option<&RecordBuffer> {
        self.shown.get(column.index())?.as_deref()
    }
}

/// A reference to a row that is not yet defined.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The rule that the trace violates if it never defines the row.
    pub dangling: Option<RuleId>,
    /// The rule that the trace exercises if it defines the row later.
    pub later: RuleId,
    /// The bytes of the first reference.
    pub span: Span,
    /// The path of the first reference.
    pub path: String,
    /// The operation of the first reference.
    pub op: tracegauge_plan::OpId,
}

/// The maximum length of the array for small keys.
const DENSE: u64 = 1 << 16;

/// The length of the array for small keys relative to the number of rows. A longer array would take
/// more time to create than it saves if the few rows of a trace have large keys.
const PER_ROW: u64 = 8;

/// The length that the array for small keys may have in a table with few rows.
const FEW: u64 = 64;

/// The rows of a table. The place of a row is an index that does not change until the row is
/// removed.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The places of the rows whose keys are less than the length of the array.
    dense: Vec<u32>,
    /// The places of all other rows.
    sparse: HashMap<u64, u32>,
    rows: Vec<Option<Row>>,
    free: Vec<u32>,
    /// Keys that fields refer to but that are not defined yet.
    pub pending: HashMap<u64, Pending>,
    /// The number of rows that contain each value that must be unique. Several rows contain the
    /// same value if that violation is tolerated.
    unique: HashMap<UniqueValue, usize>,
    /// Rows that exist before the trace begins.
    initial: Vec<Row>,
    /// Keys that rows use, from the first to before the second, if a search for a free key has skipped
    /// them and no row was removed since.
    used: cell::Cell<Option<(u64, u64)>>,
}

const NONE: u32 = u32::MAX;

impl Table {
    /// Creates a table that contains only the predefined rows.
    pub fn new(plan: &TablePlan) -> Self {
        let mut table = Self {
            initial: initial_rows(plan),
            ..Self::default()
        };
        table.begin();
        table
    }

    /// Adds the predefined rows.
    fn begin(&mut self) {
        for number in 0..self.initial.len() {
            self.define(self.initial[number].clone());
        }
    }

    /// Returns whether the cell in `column` of a predefined row other than the one with `key`
    /// satisfies `same`. Predefined rows that the trace removed or replaced do not count.
    pub fn begins_with(&self, column: ColumnId, key: u64, same: impl Fn(&Cell) -> bool) -> bool {
        let mut others = self.initial.iter().filter(|row| row.key != key);
        others.any(|row| {
            let row = self.find(row.key).and_then(|place| self.row(place));
            let row = row.filter(|row| row.initial.is_some());
            row.is_some_and(|row| row.cells.get(column.index()).is_some_and(&same))
        })
    }

    /// Returns whether a row other than the one with `key` contains a value that must be unique.
    pub fn is_taken(&self, value: &UniqueValue, key: u64) -> bool {
        let Some(count) = self.unique.get(value) else {
            return false;
        };
        let own = self.find(key).and_then(|place| self.row(place));
        let own = own.map_or(0, |row| {
            row.unique.iter().filter(|own| *own == value).count()
        });
        *count > own
    }

    /// Counts the unique values of a new row.
    fn claim(&mut self, values: &[UniqueValue]) {
        for value in values {
            *self.unique.entry(value.clone()).or_default() += 1;
        }
    }

    /// Releases the unique values of a row that is no longer in the table, so that other rows can
    /// have them.
    fn release(&mut self, row: Option<&Row>) {
        for value in row.into_iter().flat_map(|row| &row.unique) {
            if let Some(count) = self.unique.get_mut(value) {
                *count -= 1;
                if *count == 0 {
                    self.unique.remove(value);
                }
            }
        }
    }

    /// Returns the place of the row with `key`.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        let place = usize::try_from(key)
            .ok()
            .and_then(|key| self.dense.get(key));
        match place {
            Some(place) => Some(*place).filter(|place| *place != NONE),
            None => self.sparse.get(&key).copied(),
        }
    }

    /// Returns the row at a place.
    #[inline]
    pub fn row(&self, place: u32) -> Option<&Row> {
        self.rows.get(place as usize).and_then(Option::as_ref)
    }

    /// Returns a mutable reference to the row at a place.
    pub fn row_mut(&mut self, place: u32) -> Option<&mut Row> {
        self.rows.get_mut(place as usize).and_then(Option::as_mut)
    }

    /// Adds a row, or replaces the row with the same key. Returns its place.
    pub fn define(&mut self, row: Row) -> u32 {
        let key = row.key;
        self.claim(&row.unique);
        if let Some(place) = self.find(key) {
            let replaced = self.rows[place as usize].replace(row);
            self.release(replaced.as_ref());
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
        self.make_room(key);
        *self.entry(key) = place;
        place
    }

    /// Extends the array for small keys so that it contains `key`, if the table has enough rows.
    fn make_room(&mut self, key: u64) {
        let rows = self.rows.len() as u64;
        let most = DENSE.min(FEW.max(rows.saturating_mul(PER_ROW)));
        let length = self.dense.len();
        if key < length as u64 || key >= most {
            return;
        }
        // The array at least doubles, so rows are rarely moved to it.
        let wanted = most.min((key + 1).max(2 * length as u64));
        self.dense
            .resize(usize::try_from(wanted).unwrap_or(length), NONE);
        let dense = &mut self.dense;
        self.sparse.retain(|key, place| {
            let at = usize::try_from(*key).ok();
            match at.and_then(|at| dense.get_mut(at)) {
                Some(entry) => {
                    *entry = *place;
                    false
                }
                None => true,
            }
        });
    }

    /// Returns the entry that contains the place of the row with `key`.
    fn entry(&mut self, key: u64) -> &mut u32 {
        let at = usize::try_from(key).ok();
        match at.and_then(|at| self.dense.get_mut(at)) {
            Some(entry) => entry,
            None => self.sparse.entry(key).or_insert(NONE),
        }
    }

    /// Finds a key that no row uses. The search starts at `key`, counts up, and continues at `least`
    /// after `greatest`.
    ///
    /// Repeated searches from the same key take constant time on average: the keys that an earlier
    /// search skipped are still in use unless a row was removed.
    pub fn free_key(&self, key: u64, (least, greatest): (u64, u64)) -> Option<u64> {
        let known = self
            .used
            .get()
            .filter(|(start, end)| *start == key && *end <= greatest);
        let (_, mut free) = known.unwrap_or((key, key));
        let skipped = usize::try_from(free - key).ok()?;
        let keys = usize::try_from(greatest.saturating_sub(least)).unwrap_or(usize::MAX);
        for _ in skipped..=self.len().min(keys.saturating_add(1)) {
            if self.find(free).is_none() {
                // A search that started again at `least` did not only skip the keys in between.
                let is_straight = free >= key;
                self.used.set(is_straight.then_some((key, free)));
                return Some(free);
            }
            free = if free >= greatest { least } else { free + 1 };
        }
        None
    }

    /// Removes the row with `key`.
    pub fn remove(&mut self, key: u64) -> Option<Row> {
        let place = self.find(key)?;
        self.used.set(None);
        let at = usize::try_from(key).ok();
        match at.and_then(|at| self.dense.get_mut(at)) {
            Some(entry) => *entry = NONE,
            None => drop(self.sparse.remove(&key)),
        }
        self.free.push(place);
        let removed = self.rows[place as usize].take();
        self.release(removed.as_ref());
        removed
    }

    /// Removes every row that the trace defined, and restores the predefined rows.
    pub fn clear(&mut self) {
        self.used.set(None);
        self.dense.clear();
        self.sparse.clear();
        self.rows.clear();
        self.free.clear();
        self.pending.clear();
        self.unique.clear();
        self.begin();
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len() - self.free.len()
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of places, including those of removed rows.
    pub fn places(&self) -> usize {
        self.rows.len()
    }

    /// Returns the first row at or after a place. If there is no such row, the search continues at
    /// the start of the table.
    pub fn row_from(&self, place: usize) -> Option<&Row> {
        self.rows_from(place).next()
    }

    /// Returns an iterator over the rows at and after a place, followed by the rows before that
    /// place.
    pub fn rows_from(&self, place: usize) -> impl Iterator<Item = &Row> {
        let (before, after) = self.rows.split_at(place.min(self.rows.len()));
        after.iter().chain(before).flatten()
    }

    /// Returns an iterator over the rows, ordered by place.
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
        unique: Vec::new(),
        span: None,
        kind: row.kind,
        initial: u32::try_from(number).ok(),
        layouts: Vec::new(),
        programs: Vec::new(),
        shown: Vec::new(),
        images: Vec::new(),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use quickcheck::quickcheck;

    fn row(key: u64, start: u64) -> Row {
        Row {
            key,
            cells: Box::default(),
            bytes: Box::default(),
            unique: Vec::new(),
            span: Some(Span { start, end: start }),
            kind: None,
            initial: None,
            layouts: Vec::new(),
            programs: Vec::new(),
            shown: Vec::new(),
            images: Vec::new(),
        }
    }

    quickcheck! {
        /// Each key is a small number and a shift, so that keys of all sizes occur, many of them
        /// several times.
        fn a_table_finds_what_a_map_finds(steps: Vec<(bool, u8, u8)>) -> bool {
            let (mut table, mut map) = (Table::default(), BTreeMap::new());
            steps.iter().zip(0..).all(|((removes, small, shift), number)| {
                let key = u64::from(*small) << (shift % 12);
                if *removes {
                    let removed = table.remove(key).and_then(|row| row.span);
                    assert_eq!(removed.map(|span| span.start), map.remove(&key));
                } else {
                    table.define(row(key, number));
                    map.insert(key, number);
                }
                let found = |key: u64| table.find(key).and_then(|place| table.row(place));
                table.len() == map.len()
                    && map.iter().all(|(key, number)| {
                        found(*key).and_then(|row| row.span).map(|span| span.start) == Some(*number)
                    })
                    && (0..300).all(|key| found(key).is_some() == map.contains_key(&key))
            })
        }
    }

    quickcheck! {
        /// A search that remembers nothing finds the same keys.
        fn a_free_key_is_the_first_one(steps: Vec<(bool, u8, u8)>) -> bool {
            let mut table = Table::default();
            steps.iter().all(|(removes, key, start)| {
                let (key, start) = (u64::from(*key % 32), u64::from(*start % 40));
                if *removes {
                    table.remove(key);
                } else {
                    table.define(row(key, 0));
                }
                let all = (start..=35).chain([start]).chain(2..start);
                let expected = all.take(table.len() + 1).find(|key| table.find(*key).is_none());
                let expected = if start > 35 { Some(start) } else { expected };
                (0..2).all(|_| table.free_key(start, (2, 35)) == expected)
            })
        }
    }

    #[test]
    fn a_few_large_keys_do_not_need_a_long_array() {
        let mut table = Table::default();
        for key in [0, 63, 64, 9_000, 65_535, 1 << 40] {
            table.define(row(key, key));
        }
        assert_eq!(table.dense.len(), 64);
        for key in 0..100 {
            table.define(row(key, key));
        }
        assert!(table.dense.len() >= 100);
        assert!(
            [0, 64, 9_000, 65_535, 1 << 40]
                .iter()
                .all(|key| table.find(*key).is_some())
        );
    }
}
