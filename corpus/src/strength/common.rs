//! What the traces that a reader fails have in common, and those that it passes have not.

use std::collections::BTreeMap;

use rayon::prelude::*;
use tracegauge_spec::plan::Plan;

use crate::case::Case;
use crate::score::{Meter, Names, Obligation};

/// Something that traces have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// What it is: a field by its path in the description, say, or a rule that they show.
    pub what: String,
    /// Its file and line in the description.
    pub described: String,
    /// So many of the traces that are failed have it.
    pub failed: usize,
    /// So many of those that are passed.
    pub passed: usize,
}

/// So few tell nothing.
const TELLING: usize = 3;

/// What at least nine in ten of the `failed` traces have, and at most one in ten of the `passed`
/// ones: what tells them apart best, and of equals what is plainest. Nothing where there is no such
/// thing, or there are too few of either.
pub fn common(plan: &Plan, failed: &[&Case], passed: &[&Case]) -> Option<Common> {
    if failed.len() < TELLING || passed.len() < TELLING {
        return None;
    }
    let meter = Meter::new(plan);
    let (with, against) = (counted(&meter, failed), counted(&meter, passed));
    let telling = with.into_iter().filter_map(|(obligation, in_failed)| {
        let in_passed = against.get(&obligation).copied().unwrap_or_default();
        let tells = 10 * in_failed >= 9 * failed.len() && 10 * in_passed <= passed.len();
        // How far it is wrong on either side, in parts of a million.
        let missing = 1_000_000 * (failed.len() - in_failed) / failed.len();
        let besides = 1_000_000 * in_passed / passed.len();
        tells.then_some((missing + besides, obligation, in_failed, in_passed))
    });
    let (_, obligation, failed, passed) = telling.min()?;
    let names = Names::new(plan);
    Some(Common {
        what: names.obligation(obligation),
        described: names.described(obligation),
        failed,
        passed,
    })
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
