//! Finds additional valid traces that allow rules to be violated in ways that no other trace
//! allows. The traces come from a search among random traces, and their seeds are stored.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use tracegauge_decoder::{Judgement, judge};
use tracegauge_generator::Generator;
use tracegauge_generator::fault::{self, Outcome, Site, Twins, described};
use tracegauge_plan::Plan;

use super::trace::{Origin, Trace, Valid};
use super::{decoded, with_beginnings};
use crate::formats::other_formats;
use crate::parallel;
use crate::seeds::{self, Sown};
use crate::store::{KeptError, Store};

/// The number of different trace sizes.
const SIZES: u64 = 500;

/// Tries `seeds` random traces. Returns, for each way to violate a rule in `ways`, the seed of the
/// plainest trace that allows it.
pub fn seek(plan: &Arc<Plan>, ways: &HashSet<&str>, seeds: u64) -> Vec<Sown> {
    let generator = Generator::new(Arc::clone(plan));
    let sites = sites_of(plan, ways);
    let seeds: Vec<u64> = (0..seeds).collect();
    let found = parallel::map(&seeds, |seed| {
        let twins = fault::decoded(plan, trace(plan, &generator, *seed));
        let rank = twins
            .first()
            .map_or((0, 0), |trace| (trace.departures, trace.bytes.len()));
        let allowed = allowed(plan, &twins, &sites);
        let found = allowed.into_iter().map(|way| (way, rank, *seed));
        found.collect::<Vec<_>>()
    });
    let found: BTreeSet<(String, (usize, usize), u64)> = found.into_iter().flatten().collect();
    let mut known = HashSet::new();
    let first = found
        .into_iter()
        .filter(|(way, ..)| known.insert(way.clone()));
    first.map(|(of, _, seed)| Sown { of, seed }).collect()
}

/// The number of different trace sizes for descriptions without a corpus. Many small traces are tried
/// in the time of a few large ones.
const SMALL_SIZES: u64 = 80;

/// Searches the traces of `seeds` for twins that allow faults to be planted, or to be planted alone,
/// which no trace in `valid` allows. The twins are numbered from `first`.
pub(super) fn lacking(
    generator: &Generator,
    valid: &[Valid],
    (first, seeds): (usize, u64),
) -> Vec<Valid> {
    let plan = &**generator.plan();
    let known = with_beginnings(plan, valid.iter().map(|trace| trace.bytes.clone()));
    let others = other_formats(plan);
    let made = fault::systematic(plan, (&known, &[]), &others);
    let barren = made.outcomes.into_iter();
    let barren = barren
        .filter_map(|(site, outcome)| matches!(outcome, Outcome::Barren { .. }).then_some(site));
    let barren: HashSet<Site> = barren.collect();
    // A reader may lack these checks without accepting a case that it must reject.
    let untested = made.checks.into_iter();
    let untested = untested.filter(|check| check.alone.is_none());
    let (untested, accompanied): (HashSet<String>, Vec<Vec<Site>>) =
        untested.map(|check| (check.name, check.sites)).unzip();
    let accompanied = accompanied.iter().flatten();
    let wanted: HashSet<&Site> = barren.iter().chain(accompanied).collect();
    if wanted.is_empty() || seeds == 0 {
        return Vec::new();
    }
    let seeds: Vec<u64> = (0..seeds).collect();
    let made = parallel::map(&seeds, |seed| {
        Some(seeds::make(generator, *seed, SMALL_SIZES).ok()?.bytes)
    });
    let twins = decoded(plan, made.into_iter().flatten().collect());
    let sites = fault::sites(plan).into_iter();
    let sites = sites.filter(|site| wanted.contains(site));
    let made = fault::at_sites(plan, (&twins, &[]), &others, sites);
    let cases = made.cases.iter().enumerate();
    let new = cases.filter_map(|(at, (_, case))| barren.contains(&case.site).then_some(at));
    let checks = made.checks.into_iter();
    let now_tested = checks
        .filter(|check| untested.contains(&check.name))
        .filter_map(|check| check.alone);
    let used: BTreeSet<usize> = new.chain(now_tested).map(|at| made.cases[at].0).collect();
    let numbered = used
        .into_iter()
        .filter_map(|twin| twins.get(twin))
        .zip(first..);
    let twins = numbered.filter_map(|(twin, number)| {
        let trace = Trace::new(generator, &twin.bytes, Origin::Stored)?;
        Some(Valid::twin(plan, trace, number))
    });
    twins.collect()
}

/// Returns the ways to violate rules that the traces allow.
fn allowed(plan: &Plan, twins: &Twins, sites: &[(String, Site)]) -> Vec<String> {
    if twins.is_empty() {
        return Vec::new();
    }
    let made = fault::at_sites(
        plan,
        (twins, &[]),
        &other_formats(plan),
        sites.iter().map(|(_, site)| site.clone()),
    );
    let made: HashSet<Site> = made.cases.into_iter().map(|(_, case)| case.site).collect();
    let allowed = sites.iter().filter(|(_, site)| made.contains(site));
    allowed.map(|(way, _)| way.clone()).collect()
}

/// Returns the sites in the plan where the given ways to violate rules can be tried, each with the
/// name of the way. All uses of a type get the name of the first use.
fn sites_of(plan: &Plan, ways: &HashSet<&str>) -> Vec<(String, Site)> {
    let mut names = HashMap::new();
    let sites = fault::sites(plan).into_iter().map(|site| {
        let name = names.entry(described(plan, &site));
        let name: &mut String = name.or_insert_with(|| site.name(plan));
        (name.clone(), site)
    });
    sites
        .filter(|(way, _)| ways.contains(way.as_str()))
        .collect()
}

/// Generates the trace of a seed. Returns `None` if readers do not have to accept the trace.
fn trace(plan: &Plan, generator: &Generator, seed: u64) -> Option<Vec<u8>> {
    let made = seeds::make(generator, seed, SIZES).ok()?;
    let accepted = judge(plan, &made.bytes).judgement == Judgement::Accepted;
    accepted.then_some(made.bytes)
}

fn path(format: &str) -> String {
    format!("twins/{format}.yaml")
}

/// Stores more seeds for a format and returns the total number of stored seeds.
///
/// # Errors
/// Returns an error if the file cannot be read or written.
pub fn keep(store: &Store, format: &str, more: &[Sown]) -> Result<usize, KeptError> {
    seeds::keep(store, &path(format), more)
}

/// Generates the traces of the seeds stored for a format.
///
/// # Errors
/// Returns an error if the file exists but cannot be read.
pub(super) fn kept(store: &Store, plan: &Arc<Plan>) -> Result<Vec<Vec<u8>>, KeptError> {
    let kept = seeds::kept(store, &path(&plan.format))?;
    let seeds: BTreeSet<u64> = kept.into_iter().map(|sown| sown.seed).collect();
    if seeds.is_empty() {
        return Ok(Vec::new());
    }
    let generator = Generator::new(Arc::clone(plan));
    let seeds: Vec<u64> = seeds.into_iter().collect();
    Ok(parallel::filter_map(&seeds, |seed| {
        trace(plan, &generator, *seed)
    }))
}
