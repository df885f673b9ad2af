//! What the traces that a reader fails have in common, and those that it passes have not.

use std::collections::BTreeMap;

use rayon::prelude::*;
use tracegauge_spec::plan::Plan;

use crate::case::Case;
use crate::score::{Meter, Names, Obligation};

/// Something that traces have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// What it is, as it follows "the traces": that they have a field, by its path in the
    /// description, say, or that they show a rule, with its sentence.
    pub what: String,
    /// Its file and line in the description.
    pub described: String,
    /// The rule, by its position in the plan, that all of the traces that are failed show and none
    /// of those that are passed, where no other rule tells them apart as well.
    pub rule: Option<usize>,
    /// So many of the traces that are failed have it.
    pub failed: usize,
    /// So many of those that are passed.
    pub passed: usize,
}

/// So few tell nothing.
const TELLING: usize = 3;
/// So few tell little.
const FEW: usize = 10;

/// What at least nine in ten of the `failed` traces have, and at most one in twenty of the
/// `passed` ones: what tells them apart best, and of equals what is plainest. Nothing where there is no such
/// thing, or there are too few of either.
pub fn common(plan: &Plan, failed: &[&Case], passed: &[&Case]) -> Option<Common> {
    if failed.len() < TELLING || passed.len() < TELLING {
        return None;
    }
    let meter = Meter::new(plan);
    let (with, against) = (counted(&meter, failed), counted(&meter, passed));
    let telling = with.into_iter().filter_map(|(obligation, in_failed)| {
        let in_passed = against.get(&obligation).copied().unwrap_or_default();
        // The fewer they are, the more often something sets them apart by chance.
        let most = if failed.len() < FEW { 50 } else { 20 };
        let mostly = 10 * in_failed >= 9 * failed.len() && most * in_passed <= passed.len();
        let exactly = in_failed == failed.len() && in_passed == 0;
        let tells = exactly || mostly && !is_chance(obligation);
        // How far it is wrong on either side, in parts of a million.
        let missing = 1_000_000 * (failed.len() - in_failed) / failed.len();
        let besides = 1_000_000 * in_passed / passed.len();
        tells.then_some((missing + besides, obligation, in_failed, in_passed))
    });
    let telling: Vec<(usize, Obligation, usize, usize)> = telling.collect();
    let (wrong, first, failed, passed) = telling.iter().copied().min()?;
    let obligation = farthest(first, telling.iter().filter(|it| it.0 == wrong));
    let equal = telling.iter().filter(|it| it.0 == wrong);
    let rules = equal.filter_map(|(_, other, ..)| match other {
        Obligation::Shown(rule) if *other != obligation => Some(*rule),
        _ => None,
    });
    let rules: Vec<u32> = rules.collect();
    let names = Names::new(plan);
    let (what, rule) = match obligation {
        Obligation::Shown(rule) => {
            let only = wrong == 0 && rules.is_empty();
            (shown(plan, rule, &rules), only.then_some(rule as usize))
        }
        _ => (format!("have {}", names.obligation(obligation)), None),
    };
    Some(Common {
        what,
        rule,
        described: names.described(obligation),
        failed,
        passed,
    })
}

/// A value that is past one boundary is past those before it as well: the last tells most.
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

/// That traces show a rule, and others that tell them apart as well.
fn shown(plan: &Plan, rule: u32, others: &[u32]) -> String {
    let id = |rule: u32| plan.rules[rule as usize].id.as_str();
    let says = plan.schema.rules.get(rule as usize);
    let says = says.map(|rule| format!(" ({})", rule.says));
    let first = others.iter().take(TELLING).map(|rule| id(*rule));
    let first: Vec<&str> = first.collect();
    let also = match others.len().saturating_sub(first.len()) {
        _ if first.is_empty() => String::new(),
        0 => format!(", and {}", first.join(", ")),
        more => format!(", and {} and {more} other rules", first.join(", ")),
    };
    format!("show {}{}{also}", id(rule), says.unwrap_or_default())
}

/// How many of `cases` have what an author could have overlooked.
fn counted(meter: &Meter<'_>, cases: &[&Case]) -> BTreeMap<Obligation, usize> {
    let measured = cases.par_iter().map(|case| meter.measure(&case.bytes));
    let mut counts = BTreeMap::new();
    for obligation in measured.collect::<Vec<_>>().into_iter().flatten() {
        if is_plain(obligation) {
            *counts.entry(obligation).or_default() += 1;
        }
    }
    counts
}

/// Many traces have such a thing whatever else is in them: a value that is large, one element more.
fn is_chance(obligation: Obligation) -> bool {
    matches!(
        obligation,
        Obligation::Inside(..)
            | Obligation::Times(..)
            | Obligation::Value(..)
            | Obligation::Row(..)
            | Obligation::Carry(..)
    )
}

/// It says by itself what is in a trace. What stands next to what is chance mostly, and so is what
/// is not there.
fn is_plain(obligation: Obligation) -> bool {
    matches!(
        obligation,
        Obligation::Shown(_)
            | Obligation::Operation(_)
            | Obligation::Arm(_)
            | Obligation::Code(_)
            | Obligation::Inside(..)
            | Obligation::Times(..)
            | Obligation::Member(..)
            | Obligation::Value(..)
            | Obligation::Row(..)
            | Obligation::Carry(..)
    )
}
