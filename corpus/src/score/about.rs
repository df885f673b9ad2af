//! Finds the rules that an obligation is about.

use std::collections::BTreeSet;

use tracegauge_plan::terms::{RuleId, TableId};
use tracegauge_plan::{DefinePlan, Kind, OpId, Plan};

use super::{Obligation, RowUse, rows};

impl Obligation {
    /// Returns the operation that the obligation is about, or the last one if there are several.
    pub fn op(self) -> Option<OpId> {
        match self {
            Self::Broken(_) | Self::Shown(_) | Self::Member(..) => None,
            Self::At(_, op)
            | Self::Operation(op)
            | Self::Arm(op)
            | Self::Code(op)
            | Self::Inside(_, op)
            | Self::True(op)
            | Self::False(op)
            | Self::Times(op, _)
            | Self::Value(op, _)
            | Self::Edge(_, op)
            | Self::Next(_, op)
            | Self::Third(_, _, op)
            | Self::Row(op, _)
            | Self::Carry(op, _)
            | Self::Pair(_, (op, _)) => Some(op),
        }
    }

    /// Returns the ids of the rules that the obligation is about, most specific first: its own rule
    /// or, if it has none, the rules about its operation.
    pub fn rules(self, plan: &Plan) -> Vec<String> {
        match self {
            Self::Broken(rule) | Self::Shown(rule) | Self::At(rule, _) => {
                vec![plan.rules[rule].id.clone()]
            }
            _ => self.op().map_or_else(Vec::new, |op| rules_of(plan, op)),
        }
    }
}

/// Returns the ids of the rules about an operation.
pub fn rules_of(plan: &Plan, op: OpId) -> Vec<String> {
    let rules = plan.rules_about(op, OpId(0), &|_| true).into_iter();
    rules.map(|rule| plan.rules[rule].id.clone()).collect()
}

/// Returns the ids of the rules that an expert in the format would associate with a reader that
/// mishandles `content`, most characteristic rule first.
pub fn rules_of_content(plan: &Plan, content: Obligation) -> Vec<String> {
    let special = match content {
        Obligation::Member(set, member) => plan.rules_about_member(set, member),
        Obligation::Row(op, used) => rules_of_row(plan, op, used),
        _ => Vec::new(),
    };
    if special.is_empty() {
        return content.rules(plan);
    }
    special
        .into_iter()
        .map(|rule| plan.rules[rule].id.clone())
        .collect()
}

/// Returns the rules about second definitions of the rows that the rows of `outer` reference.
fn rules_of_replacement(plan: &Plan, outer: TableId) -> Vec<RuleId> {
    let defining = rows::defining(plan);
    let inner = rows::behind(plan, &defining, outer);
    let of_inner = defining.iter().filter(|(_, it)| inner.contains(&it.table));
    let again = of_inner.filter_map(|(_, define)| define.again.as_ref()?.other);
    again.collect::<BTreeSet<RuleId>>().into_iter().collect()
}

/// Returns how an operation defines a row. The row can be an element of a list that defines a row for
/// each of its elements.
fn definition(plan: &Plan, op: OpId) -> Option<&DefinePlan> {
    let info = plan.info(op);
    let effects = info.effects.map(|index| &plan.effects[index]);
    let around = info.parent.map(|around| &plan.op(around).kind);
    let list = [Some(&plan.op(op).kind), around].into_iter().flatten();
    let mut of_list = list.filter_map(|kind| match kind {
        Kind::Repeat(repeat) => plan.repeats[*repeat].defines.as_deref(),
        _ => None,
    });
    let define = effects.and_then(|effects| effects.defines.as_ref());
    define.or_else(|| of_list.next())
}

/// Returns the table that an operation defines a row of or refers to.
pub fn table_of(plan: &Plan, op: OpId) -> Option<TableId> {
    let refers = plan.info(op).refs.map(|index| plan.refs[index].table);
    definition(plan, op).map(|define| define.table).or(refers)
}

/// Returns the rules about a use of table rows: the rules about a second definition of a row, or
/// about the removal of an earlier row.
pub fn rules_of_row(plan: &Plan, op: OpId, used: RowUse) -> Vec<RuleId> {
    let define = definition(plan, op);
    let Some(table) = table_of(plan, op) else {
        return Vec::new();
    };
    if used == RowUse::ChangedBehind {
        return rules_of_replacement(plan, table);
    }
    let again = define.and_then(|define| define.again.as_ref());
    let rules: Vec<RuleId> = match used {
        RowUse::Same => again.and_then(|again| again.same).into_iter().collect(),
        RowUse::Other | RowUse::Changed => {
            let alike = again.and_then(|again| again.alike.as_ref()?.1);
            let other = again.and_then(|again| again.other);
            other.into_iter().chain(alike).collect()
        }
        RowUse::Anew | RowUse::Renewed => {
            let removes = plan.effects.iter().flat_map(|effects| &effects.removes);
            let removes = removes
                .filter(|it| it.table == table)
                .filter_map(|it| it.rule);
            let clears = plan.effects.iter().flat_map(|effects| &effects.clears);
            let clears = clears.filter(|it| it.table.is_none_or(|cleared| cleared == table));
            removes.chain(clears.filter_map(|it| it.rule)).collect()
        }
        RowUse::Third | RowUse::Newest | RowUse::Older | RowUse::Again | RowUse::ChangedBehind => {
            Vec::new()
        }
    };
    let mut distinct: Vec<RuleId> = Vec::new();
    for rule in rules {
        if !distinct.contains(&rule) {
            distinct.push(rule);
        }
    }
    distinct
}
