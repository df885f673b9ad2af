//! Measures the coverage of table rows: whether the traces test that a reader looks up rows by
//! their keys, retains rows as long as they are valid, and picks the valid definition if a row is
//! defined twice. A *row* is a definition in the trace, such as a string or an event type, that the
//! decoder stores in a table so that later fields can refer to it.

use std::collections::{BTreeSet, HashMap, HashSet};

use tracegauge_decoder::RowMark;
use tracegauge_plan::terms::{ReaderDuty, RuleId, TableId};
use tracegauge_plan::{Code, CodeId, DefinePlan, OpId, Plan, RowSource};

use super::Obligation;

/// One use of a row, by a structure that defines rows or a field that references them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowUse {
    /// Redefines an existing row with the same contents.
    Same,
    /// Redefines an existing row with different contents.
    Other,
    /// Defines a row for a key whose previous row was removed.
    Anew,
    /// Defines a row while two other rows exist.
    Third,
    /// References the row that was defined last.
    Newest,
    /// References a row other than the one that was defined last.
    Older,
    /// References a row that the same field has referenced before.
    Again,
    /// References a row that was redefined with different contents.
    Changed,
    /// References a row whose key belonged to an earlier row that was removed.
    Renewed,
    /// References a row that references a row of another table, which was redefined with different
    /// contents in between. A reader that resolves the inner reference too early shows the old
    /// contents.
    ChangedBehind,
}

impl RowUse {
    /// Describes the use in words that follow the path of the operation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "defined again with the same",
            Self::Other => "defined again with other contents",
            Self::Anew => "defined again after its removal",
            Self::Third => "defined beside two others",
            Self::Newest => "names the newest row",
            Self::Older => "names an older row",
            Self::Again => "names a row again",
            Self::Changed => "names a row that was defined twice",
            Self::Renewed => "names a row that was defined again after its removal",
            Self::ChangedBehind => "names a row that names a row that was then defined again",
        }
    }
}

/// Returns the possible uses of rows, as far as they can be derived from the plan.
pub(super) fn rows(plan: &Plan) -> Vec<Obligation> {
    let defining = defining(plan);
    let mut found = Vec::new();
    for (op, define) in &defining {
        let uses = possible(plan, define).into_iter();
        found.extend(uses.map(|used| Obligation::Row(*op, used)));
    }
    for (at, info) in (0..).map(OpId).zip(&plan.infos) {
        let Some(refs) = info.refs else {
            continue;
        };
        let table = plan.refs[refs].table;
        let of_table = defining.iter().filter(|(_, define)| define.table == table);
        let uses: BTreeSet<RowUse> = of_table
            .flat_map(|(_, define)| possible(plan, define))
            .collect();
        let then = [
            (RowUse::Other, RowUse::Changed),
            (RowUse::Anew, RowUse::Renewed),
        ];
        let mut named = vec![RowUse::Newest, RowUse::Older, RowUse::Again];
        named.extend(
            then.into_iter()
                .filter(|(first, _)| uses.contains(first))
                .map(|(_, then)| then),
        );
        let mut inner = behind(plan, &defining, table).into_iter();
        let replaces = |inner: TableId| {
            let mut of_inner = defining.iter().filter(|(_, define)| define.table == inner);
            of_inner.any(|(_, define)| possible(plan, define).contains(&RowUse::Other))
        };
        if inner.any(replaces) {
            named.push(RowUse::ChangedBehind);
        }
        if defining.iter().any(|(_, define)| define.table == table) {
            found.extend(named.into_iter().map(|used| Obligation::Row(at, used)));
        }
    }
    found
}

/// Returns the structures that define rows.
pub(super) fn defining(plan: &Plan) -> Vec<(OpId, &DefinePlan)> {
    let ops = || (0..).map(OpId);
    let own = ops().zip(&plan.infos).filter_map(|(op, info)| {
        let effects = &plan.effects[info.effects?];
        Some((op, effects.defines.as_ref()?))
    });
    let elements = ops().zip(&plan.ops).filter_map(|(op, described)| {
        let tracegauge_plan::Kind::Repeat(repeat) = described.kind else {
            return None;
        };
        let define = plan.repeats[repeat].defines.as_deref()?;
        Some((OpId(op.0 + 1), define))
    });
    own.chain(elements).collect()
}

/// Returns the tables that the rows of `outer` reference, if an expression follows such a reference
/// from a row.
pub(super) fn behind(
    plan: &Plan,
    defining: &[(OpId, &DefinePlan)],
    outer: TableId,
) -> BTreeSet<TableId> {
    let followed = plan.codes.iter().filter_map(|code| match code {
        Code::Column(RowSource::Lookup { table, key }, _) if reads_row(plan, *key, outer) => {
            Some(*table)
        }
        _ => None,
    });
    let followed: BTreeSet<TableId> = followed.collect();
    let named = (0..).map(OpId).zip(&plan.infos).filter_map(|(op, info)| {
        let table = plan.refs[info.refs?].table;
        (definer(plan, defining, op) == Some(outer)).then_some(table)
    });
    named.filter(|table| followed.contains(table)).collect()
}

/// Returns true if an expression reads a column of a table's row.
fn reads_row(plan: &Plan, code: CodeId, table: TableId) -> bool {
    match &plan.codes[code.index()] {
        Code::Column(_, column) if column.table == table => true,
        code => code
            .operands()
            .into_iter()
            .any(|operand| reads_row(plan, operand, table)),
    }
}

/// Returns the table in which the innermost structure around a field defines a row.
fn definer(plan: &Plan, defining: &[(OpId, &DefinePlan)], field: OpId) -> Option<TableId> {
    let around = std::iter::successors(Some(field), |op| plan.info(*op).parent);
    let mut tables = around.filter_map(|around| {
        let found = defining.iter().find(|(op, _)| *op == around);
        found.map(|(_, define)| define.table)
    });
    tables.next()
}

fn possible(plan: &Plan, define: &DefinePlan) -> BTreeSet<RowUse> {
    let mut uses = BTreeSet::from([RowUse::Third]);
    // Without a key, a row is identified by its position, which no other row shares.
    if define.key.is_none() {
        return uses;
    }
    let taken =
        |rule: Option<RuleId>| rule.is_none_or(|rule| plan.rules[rule].duty == ReaderDuty::Accept);
    if let Some(again) = &define.again {
        if taken(again.same) {
            uses.insert(RowUse::Same);
        }
        let differs = again.bytes || !again.columns.is_empty();
        if differs && taken(again.other) {
            uses.insert(RowUse::Other);
        }
    }
    let ends = plan.effects.iter().any(|effects| {
        let of_table = |table: Option<TableId>| table.is_none_or(|table| table == define.table);
        effects.clears.iter().any(|clear| of_table(clear.table))
            || effects
                .removes
                .as_ref()
                .is_some_and(|remove| remove.table == define.table)
    });
    if ends {
        uses.insert(RowUse::Anew);
    }
    uses
}

/// Tracks the rows of a trace.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// For each reference field in a structure that defines rows, the table of these rows.
    definers: HashMap<OpId, TableId>,
    tables: HashMap<TableId, Table>,
    /// For each table, the references in the structure that is being read, which will define its
    /// next row.
    pending: HashMap<TableId, Vec<(TableId, u64)>>,
    pub(super) met: BTreeSet<Obligation>,
}

#[derive(Clone, Debug, Default)]
struct Table {
    live: HashMap<u64, Row>,
    ended: HashSet<u64>,
    defined: u64,
}

#[derive(Clone, Debug, Default)]
struct Row {
    number: u64,
    changed: bool,
    renewed: bool,
    named_by: HashSet<OpId>,
    /// The rows that this row references.
    names: Vec<(TableId, u64)>,
    changed_behind: bool,
}

impl Rows {
    pub(super) fn new(plan: &Plan) -> Self {
        let defining = defining(plan);
        let fields = (0..).map(OpId).zip(&plan.infos);
        let fields = fields.filter(|(_, info)| info.refs.is_some());
        Self {
            definers: fields
                .filter_map(|(op, _)| Some((op, definer(plan, &defining, op)?)))
                .collect(),
            ..Self::default()
        }
    }

    pub(super) fn restart(&mut self) {
        self.tables.values_mut().for_each(Table::end_all);
    }

    pub(super) fn mark(&mut self, op: OpId, mark: RowMark, of: TableId, key: Option<u64>) {
        if let (RowMark::Again { same: false }, Some(key)) = (mark, key) {
            let rows = self.tables.values_mut().flat_map(|it| it.live.values_mut());
            for row in rows.filter(|row| row.names.contains(&(of, key))) {
                row.changed_behind = true;
            }
        }
        let names = match (mark, key, self.definers.get(&op)) {
            (RowMark::Named, Some(key), Some(definer)) => {
                self.pending.entry(*definer).or_default().push((of, key));
                Vec::new()
            }
            (RowMark::Defined, ..) => self.pending.remove(&of).unwrap_or_default(),
            _ => Vec::new(),
        };
        let table = self.tables.entry(of).or_default();
        let mut met = |used| {
            self.met.insert(Obligation::Row(op, used));
        };
        match (mark, key) {
            (RowMark::Ended, None) => table.end_all(),
            (RowMark::Ended, Some(key)) => {
                table.live.remove(&key);
                table.ended.insert(key);
            }
            (RowMark::Defined, Some(key)) => {
                table.defined += 1;
                let renewed = table.ended.contains(&key);
                if renewed && !table.live.contains_key(&key) {
                    met(RowUse::Anew);
                }
                let row = table.live.entry(key).or_default();
                row.number = table.defined;
                row.renewed = renewed;
                row.names = names;
                row.changed_behind = false;
                if table.live.len() > 2 {
                    met(RowUse::Third);
                }
            }
            (RowMark::Again { same }, Some(key)) => {
                met(if same { RowUse::Same } else { RowUse::Other });
                if let Some(row) = table.live.get_mut(&key) {
                    row.changed |= !same;
                }
            }
            (RowMark::Named, Some(key)) => {
                let Some(row) = table.live.get_mut(&key) else {
                    return;
                };
                met(match row.number == table.defined {
                    true => RowUse::Newest,
                    false => RowUse::Older,
                });
                if !row.named_by.insert(op) {
                    met(RowUse::Again);
                }
                if row.changed {
                    met(RowUse::Changed);
                }
                if row.renewed {
                    met(RowUse::Renewed);
                }
                if row.changed_behind {
                    met(RowUse::ChangedBehind);
                }
            }
            (_, None) => {}
        }
    }
}

impl Table {
    fn end_all(&mut self) {
        self.ended.extend(self.live.drain().map(|(key, _)| key));
    }
}
