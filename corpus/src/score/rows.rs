//! Measures the coverage of table rows: whether the traces test that a reader looks up rows by
//! their keys, retains rows as long as they are valid, and picks the valid definition if a row is
//! defined twice. A *row* is a definition in the trace, such as a string or an event type, that the
//! decoder stores in a table so that later fields can refer to it.

use std::collections::{BTreeSet, HashMap, HashSet};

use tracegauge_decoder::RowMark;
use tracegauge_plan::terms::{ReaderDuty, RuleId, TableId};
use tracegauge_plan::{DefinePlan, OpId, Plan};

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
        if defining.iter().any(|(_, define)| define.table == table) {
            found.extend(named.into_iter().map(|used| Obligation::Row(at, used)));
        }
    }
    found
}

/// Returns the structures that define rows.
fn defining(plan: &Plan) -> Vec<(OpId, &DefinePlan)> {
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
#[derive(Debug, Default)]
pub(super) struct Rows {
    tables: HashMap<TableId, Table>,
    pub(super) met: BTreeSet<Obligation>,
}

#[derive(Debug, Default)]
struct Table {
    live: HashMap<u64, Row>,
    ended: HashSet<u64>,
    defined: u64,
}

#[derive(Debug, Default)]
struct Row {
    number: u64,
    changed: bool,
    renewed: bool,
    named_by: HashSet<OpId>,
}

impl Rows {
    pub(super) fn restart(&mut self) {
        self.tables.values_mut().for_each(Table::end_all);
    }

    pub(super) fn mark(&mut self, op: OpId, mark: RowMark, table: TableId, key: Option<u64>) {
        let table = self.tables.entry(table).or_default();
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
