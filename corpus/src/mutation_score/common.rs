//! Finds a property that distinguishes the traces that a reader fails from those that it passes.

use std::collections::BTreeMap;
use tracegauge_plan::terms::RuleId;

use tracegauge_plan::Plan;

use crate::case::Case;
use crate::parallel;
use crate::score::{Meter, Names, Obligation, RowUse, rules_of_row, table_of};

/// A property that several traces share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// A phrase that describes the property and follows the words "the traces". The phrase names
    /// the path of a field that the traces contain, or quotes a rule that they trigger.
    pub what: String,
    /// The file and line in the description that the property refers to.
    pub described: String,
    /// The index, in the plan, of the rule that all failed traces and few or no passed traces trigger.
    /// `None` if there is no such rule, or if another rule separates failed from passed traces
    /// equally well.
    pub rule: Option<RuleId>,
    /// The number of failed traces with the property.
    pub failed: usize,
    /// The number of passed traces with the property.
    pub passed: usize,
}

/// At least this many failed traces and at least this many passed traces are needed to draw a
/// conclusion.
const TELLING: usize = 3;
/// A property of this kind says something about the failed traces if at most one passed trace in this
/// many has it.
const RARE: usize = 50;
/// If there are fewer failed traces than this, the property must be rarer among the passed traces.
const FEW: usize = 10;

/// The traces that a reader passes.
pub struct Passed<'p> {
    plan: &'p Plan,
    meter: Meter<'p>,
    /// The number of traces.
    traces: usize,
    /// The number of traces with each property.
    counts: BTreeMap<Obligation, usize>,
}

impl<'p> Passed<'p> {
    /// Measures the traces.
    pub fn new(plan: &'p Plan, passed: &[&Case]) -> Self {
        let meter = Meter::new(plan);
        Self {
            plan,
            traces: passed.len(),
            counts: counted(&meter, passed),
            meter,
        }
    }

    /// Returns the property that best separates the `failed` traces from the passed traces. At least
    /// nine in ten of the failed traces must have the property, and at most one in twenty of the passed
    /// traces (one in fifty if there are few failed traces). If several properties are equally good,
    /// returns the simplest one. Returns `None` if there is no such property, or if there are too few
    /// failed or passed traces.
    pub fn common(&self, failed: &[&Case]) -> Option<Common> {
        if failed.len() < TELLING || self.traces < TELLING {
            return None;
        }
        let (plan, against, traces) = (self.plan, &self.counts, self.traces);
        let with = counted(&self.meter, failed);
        let telling = with.iter().filter_map(|(obligation, in_failed)| {
            let (obligation, in_failed) = (*obligation, *in_failed);
            let in_passed = against.get(&obligation).copied().unwrap_or_default();
            // The fewer failed traces there are, the more often a property separates them by chance.
            let most = if failed.len() < FEW { RARE } else { 20 };
            let mostly = 10 * in_failed >= 9 * failed.len() && most * in_passed <= traces;
            let exactly = in_failed == failed.len() && in_passed == 0;
            let tells = exactly || mostly && !obligation.is_incidental();
            // The share of misclassified traces on each side, in millionths.
            let missing = 1_000_000 * (failed.len() - in_failed) / failed.len();
            let besides = 1_000_000 * in_passed / traces;
            tells.then_some((missing + besides, obligation, in_failed, in_passed))
        });
        let telling: Vec<(usize, Obligation, usize, usize)> = telling.collect();
        let (wrong, first, in_failed, passed) = telling.iter().copied().min()?;
        let obligation = farthest(first, telling.iter().filter(|it| it.0 == wrong));
        let equal = telling.iter().filter(|it| it.0 == wrong);
        let rules = equal.filter_map(|(_, other, ..)| match other {
            Obligation::Shown(rule) if *other != obligation => Some(*rule),
            _ => None,
        });
        let rules: Vec<RuleId> = rules.collect();
        let names = Names::new(plan);
        let (what, rule) = match obligation {
            _ if is_replacement(obligation) => (
                format!("are traces {}", names.clause(obligation)),
                rule_about(plan, obligation, &with),
            ),
            Obligation::Shown(rule) => {
                let only = in_failed == failed.len() && rules.is_empty();
                (shown(plan, rule, &rules), only.then_some(rule))
            }
            _ => (format!("are traces {}", names.clause(obligation)), None),
        };
        Some(Common {
            what,
            rule,
            described: names.described(obligation),
            failed: in_failed,
            passed,
        })
    }

    /// Returns the rule about rows that replace other rows if all `failed` traces refer to such a
    /// row and few of the passed traces do. The failed traces may be few: a reader that still has the
    /// earlier row reports wrong records only if the rows differ and the trace refers to both.
    ///
    /// `member` is the path of the record member that is wrong in these traces, without indices. If
    /// its value comes from rows, only their tables are considered.
    pub fn replaced_row(&self, failed: &[&Case], member: &str) -> Option<RuleId> {
        let with = counted(&self.meter, failed);
        let names: Vec<&str> = member.split(['.', '[']).collect();
        let tables = self.plan.tables_of_member(&names);
        let is_behind_member = |obligation: Obligation| {
            let table = obligation.op().and_then(|op| table_of(self.plan, op));
            tables.is_empty() || table.is_some_and(|table| tables.contains(&table))
        };
        let in_passed = |obligation| self.counts.get(&obligation).copied().unwrap_or_default();
        let telling = with
            .iter()
            .filter(|(obligation, count)| {
                is_replacement(**obligation)
                    && is_behind_member(**obligation)
                    && **count == failed.len()
                    && RARE * in_passed(**obligation) <= self.traces
            })
            .map(|(obligation, _)| *obligation);
        let obligation = telling.min_by_key(|it| in_passed(*it))?;
        rule_about(self.plan, obligation, &with)
    }
}

/// Returns the rule about a use of rows that most of the failed traces trigger. `with` is the number
/// of failed traces with each property.
fn rule_about(
    plan: &Plan,
    obligation: Obligation,
    with: &BTreeMap<Obligation, usize>,
) -> Option<RuleId> {
    let Obligation::Row(op, used) = obligation else {
        return None;
    };
    let rules = rules_of_row(plan, op, used).into_iter();
    let count = |rule: &RuleId| with.get(&Obligation::Shown(*rule)).copied();
    rules.rev().max_by_key(|rule| count(rule))
}

/// Returns whether the property is a row that replaced another row with the same key, or a reference
/// to such a row.
fn is_replacement(obligation: Obligation) -> bool {
    let Obligation::Row(_, used) = obligation else {
        return false;
    };
    match used {
        RowUse::Other
        | RowUse::Anew
        | RowUse::Changed
        | RowUse::Renewed
        | RowUse::ChangedBehind => true,
        RowUse::Same | RowUse::Third | RowUse::Newest | RowUse::Older | RowUse::Again => false,
    }
}

/// Returns the highest of several equally good boundaries of a field. A value beyond the highest
/// boundary is also beyond the others, so the highest boundary is the most informative.
fn farthest<'t>(
    first: Obligation,
    equal: impl Iterator<Item = &'t (usize, Obligation, usize, usize)>,
) -> Obligation {
    let Obligation::Value(op, _) = first else {
        return first;
    };
    let same = equal.filter(|it| matches!(it.1, Obligation::Value(other, _) if other == op));
    same.map(|it| it.1).max().unwrap_or(first)
}

/// Describes the property of triggering `rule`, and names the other rules that separate failed from
/// passed traces equally well.
fn shown(plan: &Plan, rule: RuleId, others: &[RuleId]) -> String {
    let id = |rule: RuleId| plan.rules[rule].id.as_str();
    let says = plan.description.rule(rule);
    let says = says.map(|rule| format!(" ({})", rule.says));
    let first = others.iter().take(TELLING).map(|rule| id(*rule));
    let first: Vec<&str> = first.collect();
    let also = match others.len().saturating_sub(first.len()) {
        _ if first.is_empty() => String::new(),
        0 => format!(", and {}", first.join(", ")),
        more => format!(", and {} and {more} other rules", first.join(", ")),
    };
    format!("exercise {}{}{also}", id(rule), says.unwrap_or_default())
}

/// For each property that the author of a reader might have overlooked, counts the cases with that
/// property.
fn counted(meter: &Meter<'_>, cases: &[&Case]) -> BTreeMap<Obligation, usize> {
    let measured = parallel::map(cases, |case| meter.measure(&case.bytes));
    let mut counts = BTreeMap::new();
    for obligation in measured.into_iter().flatten() {
        if obligation.is_content() {
            *counts.entry(obligation).or_default() += 1;
        }
    }
    counts
}
