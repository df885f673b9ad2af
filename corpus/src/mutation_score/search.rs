//! Searches random traces for those that detect mutants missed by all cases of the corpus, and
//! generates cases from the traces found.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tracegauge_decoder::{Judgement, decode_tree, judge};
use tracegauge_generator::{Generator, fault};
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::{Mutant, mutants};

use super::measure::Bench;
use super::prepared::Prepared;
use super::{Oracle, answer};
use crate::case::{Case, ExpectedVerdict, Source};
use crate::generated::{Candidate, admit};
use crate::headings;
use crate::parallel;
use crate::score::rules_of;
use crate::seeds::{self, Sown};
use crate::source::{Built, CaseSource, Problem};
use crate::store::{KeptError, Store};

/// The number of additional seeds to try after the stored one, because a change to the description
/// may have changed the trace of the stored seed.
const MORE_SEEDS: u64 = 300;

/// The maximum number of operations that a mutant may run on a generated trace.
const OPERATIONS: u64 = 2_000_000;

/// The number of different trace sizes.
const SIZES: u64 = 2000;

/// Runs the mutants with the given `names` against the random traces generated from the first
/// `seeds` seeds, starting with those that depart least from what typical writers produce. Returns
/// the seed of the first trace that detects each mutant.
pub fn search(
    plan: &Arc<Plan>,
    names: &HashSet<&str>,
    seeds: u64,
    oracle: &dyn Oracle,
) -> Vec<Sown> {
    let generator = Generator::new(Arc::clone(plan));
    let seeds: Vec<u64> = (0..seeds).collect();
    let made: Vec<(u64, Case)> = parallel::filter_map(&seeds, |seed| {
        let made = seeds::make(&generator, *seed, SIZES).ok()?;
        let made = case(plan, seed.to_string(), String::new(), made.bytes).ok()?;
        Some((*seed, made))
    });
    let mut pool = parallel::map(&made, |(_, case)| Prepared::new(plan, case));
    pool.sort_by_cached_key(|one| {
        let departures = generator
            .departures(&one.case.bytes)
            .map_or(0, |(found, _)| found.len());
        (departures, one.case.bytes.len(), one.case.id.clone())
    });
    let mut bare = Plan::clone(plan);
    bare.forget_programs();
    let bench = Bench {
        plan: &bare,
        cases: &pool,
        oracle,
    };
    let wanted = mutants(plan);
    let mut found = parallel::filter_map(&wanted, |mutant| {
        if !names.contains(mutant.name()) {
            return None;
        }
        let killer = bench.killer(mutant, false)?;
        Some(Sown {
            of: mutant.name().to_owned(),
            seed: killer.case.parse().ok()?,
        })
    });
    found.sort();
    found
}

fn case(plan: &Plan, id: String, why: String, bytes: Vec<u8>) -> Result<Case, Problem> {
    let candidate = Candidate {
        id,
        source: Source::Valid,
        bytes,
        made_for: ExpectedVerdict::Accept,
        breaches: Vec::new(),
        twin: None,
        operator: None,
        why,
    };
    admit(plan, candidate).map_err(|refusal| Problem::Witness(*refusal))
}

/// Stores more seeds for a format and returns the total number of stored seeds.
///
/// # Errors
/// Returns an error if the file cannot be read or written.
pub fn keep(store: &Store, format: &str, more: &[Sown]) -> Result<usize, KeptError> {
    seeds::keep(store, &path(format), more)
}

fn path(format: &str) -> String {
    format!("kills/{format}.yaml")
}

/// The case source for the results of a search. For each stored mutant, the source generates a
/// trace that detects the mutant, and shortens it to the shortest valid prefix that still does so.
#[derive(Clone, Debug)]
pub struct Kills {
    store: Store,
}

impl Kills {
    /// Creates the source for the seeds in `store`.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Returns true if seeds are stored for a format.
    ///
    /// # Errors
    /// Returns an error if the file of seeds cannot be read.
    pub(crate) fn has_seeds(&self, plan: &Plan) -> Result<bool, KeptError> {
        Ok(!seeds::kept(&self.store, &path(&plan.format))?.is_empty())
    }
}

impl CaseSource for Kills {
    fn name(&self) -> &'static str {
        "kills"
    }

    fn build(&self, plan: &Arc<Plan>) -> Built {
        let mut built = Built::default();
        let problem = |wanted: &str, why: String| Problem::Generate {
            format: plan.format.clone(),
            wanted: wanted.to_owned(),
            why,
        };
        let kept = match seeds::kept(&self.store, &path(&plan.format)) {
            Ok(kept) => kept,
            Err(error) => return Built::failed(problem("killing mutants", error.to_string())),
        };
        if kept.is_empty() {
            return built;
        }
        let generator = Generator::new(Arc::clone(plan));
        let mutants = mutants(plan);
        let mut known = HashSet::new();
        let mut about = HashMap::new();
        for found in kept {
            let mutant = mutants.iter().find(|one| one.name() == found.of);
            let Some(mutant) = mutant else {
                let why =
                    "this mutant of the decoder can no longer be derived from the description"
                        .to_owned();
                built.problems.push(problem(&found.of, why));
                continue;
            };
            let Some(bytes) = least(plan, &generator, mutant, found.seed) else {
                let why =
                    "neither the stored seed nor the seeds after it produce a trace that this \
                     mutant of the decoder reads incorrectly; search again with `tracegauge corpus \
                     score --mutants --search N --keep`"
                        .to_owned();
                built.problems.push(problem(&found.of, why));
                continue;
            };
            if !known.insert(bytes.clone()) {
                continue;
            }
            let id = format!("{}/valid/kills/{}", plan.format, found.of);
            let why = format!(
                "A trace that the mutant {} of the decoder reads incorrectly.",
                found.of
            );
            let touched = mutant.touches().iter();
            let rules = touched.flat_map(|op| rules_of(plan, *op)).collect();
            about.insert(id.clone(), rules);
            match case(plan, id, why, bytes) {
                Ok(case) => built.cases.push(case),
                Err(refusal) => built.problems.push(refusal),
            }
        }
        headings::order(&mut built.cases, &about);
        built
    }
}

/// Returns the shortest prefix of a trace that detects a mutant. The trace comes from the first
/// seed at or after `seed` whose trace detects the mutant.
fn least(plan: &Plan, generator: &Generator, mutant: &Mutant, seed: u64) -> Option<Vec<u8>> {
    let mutated = mutant.of(plan);
    let apart = |bytes: &[u8]| {
        let truth = answer(plan, bytes, u64::MAX);
        truth.verdict == ExpectedVerdict::Accept && {
            let found = answer(&mutated, bytes, OPERATIONS);
            let accepts = found.verdict != ExpectedVerdict::Reject;
            found.endless || !accepts || found.records != truth.records
        }
    };
    (seed..seed + MORE_SEEDS).find_map(|seed| {
        let made = seeds::make(generator, seed, SIZES).ok()?;
        if judge(plan, &made.bytes).judgement != Judgement::Accepted || !apart(&made.bytes) {
            return None;
        }
        let (_, tree) = decode_tree(plan, &made.bytes);
        let mut shorter = fault::prefixes(plan, &made.bytes, &tree);
        shorter.sort_by_key(Vec::len);
        let found = shorter.into_iter().find(|bytes| apart(bytes));
        Some(found.unwrap_or(made.bytes))
    })
}
