//! Which inputs are kept for what they reach, and what is known by then.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use tracegauge_generator::mutate::InputKind;
use tracegauge_reports::Outcome;
use tracegauge_spec::plan::Plan;

use super::{CoverageState, Known, Opened, Pool, Seed, SeedJob, SeedSource, is_sound};
use crate::fuzz::FuzzError;
use crate::fuzz::growth::Growth;
use crate::fuzz::input::{Grown, InputId, InputMaker, LONGEST};
use crate::fuzz::keep::trace_name;

/// Traces that are kept; one that marks what it likes has no end of them.
const MOST: usize = 2000;

/// What is known of the reader's edges, and the traces that reached them.
#[derive(Debug)]
pub(in crate::fuzz) struct Steering<'s> {
    pub(super) folder: &'s Path,
    pub(super) pool: &'s Pool,
    pub(super) state: CoverageState,
    /// Edges that are reached each time by something that was kept.
    pub(super) known: Arc<Known>,
    /// Those that the author's tests reach.
    pub(super) by_tests: FixedBitSet,
    /// Those that were reached now and then.
    pub(super) fleeting: FixedBitSet,
}

/// What was kept of an epoch.
#[derive(Debug, Default)]
pub(in crate::fuzz) struct Admitted {
    /// What is to be made small.
    pub(in crate::fuzz) jobs: Vec<SeedJob>,
    /// How many of them are of each kind.
    pub(in crate::fuzz) fresh: [u64; InputKind::ALL.len()],
}

impl Steering<'_> {
    /// What is known now.
    pub(in crate::fuzz) fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known)
    }

    /// How much was reached, of how much.
    pub(in crate::fuzz) fn counts(&self) -> (usize, usize) {
        (self.state.reached, self.state.edges)
    }

    /// What is to be remembered of it.
    pub(in crate::fuzz) fn state(&self) -> &CoverageState {
        &self.state
    }

    /// Takes in the edges that were reached, but not each time.
    pub(in crate::fuzz) fn saw(&mut self, fleeting: &FixedBitSet) {
        self.fleeting.union_with(fleeting);
    }

    /// Keeps of what reached something new as little as reaches all of it: what is
    /// sound first, then what is valid, and of that the smallest.
    pub(in crate::fuzz) fn admit(
        &mut self,
        mut opened: Vec<Opened>,
        maker: &mut InputMaker<'_>,
        growth: &mut Growth,
    ) -> Result<Admitted, FuzzError> {
        opened.sort_by_key(|it| (!is_sound(it.outcome), it.malformed, it.size, it.input));
        let mut admitted = Admitted::default();
        for Opened {
            input,
            outcome,
            edges,
            ..
        } in opened
        {
            let Some(made) = maker.make(input) else {
                continue;
            };
            let source = SeedSource::Input(input);
            let Some(fresh) = self.keep(source, outcome, &made.bytes, &edges)? else {
                continue;
            };
            match input {
                InputId::Grown(Grown { from, .. }) => growth.reward(from),
                InputId::Numbered(_) => {
                    let kind = input.kind().map(InputKind::place);
                    kind.into_iter().for_each(|kind| admitted.fresh[kind] += 1);
                }
            }
            admitted.jobs.push(SeedJob {
                number: self.state.seeds.len(),
                input,
                outcome,
                made: made.made,
                fresh,
            });
        }
        self.follow(growth);
        Ok(admitted)
    }

    /// Keeps this trace where it reaches something that is not known: which edges.
    pub(super) fn keep(
        &mut self,
        source: SeedSource,
        outcome: Outcome,
        bytes: &[u8],
        edges: &FixedBitSet,
    ) -> Result<Option<FixedBitSet>, FuzzError> {
        let fresh: FixedBitSet = edges.difference(self.known.to(outcome)).collect();
        if fresh.is_clear() {
            return Ok(None);
        }
        Arc::make_mut(&mut self.known).add(outcome, edges);
        self.state.reached = self.known.count();
        if self.state.seeds.len() >= MOST {
            return Ok(None);
        }
        self.pool.add(self.folder, bytes)?;
        self.state.seeds.push(Seed {
            source,
            outcome,
            opened: fresh.count_ones(..),
            folder: None,
        });
        Ok(Some(fresh))
    }

    /// Lets inputs grow from all that was kept, but for what is too long or not sound.
    pub(in crate::fuzz) fn follow(&self, growth: &mut Growth) {
        let seeds = self.state.seeds.iter().zip(1..);
        for (seed, number) in seeds.skip(growth.len()) {
            let is_short = |bytes: Arc<[u8]>| bytes.len() <= LONGEST;
            let grows = self.pool.get(number).is_some_and(is_short) && is_sound(seed.outcome);
            growth.admit(grows);
        }
    }

    /// The traces that were made small before.
    pub(in crate::fuzz) fn written_before(&self, plan: &Plan) -> Vec<Vec<u8>> {
        let seeds = self.state.seeds.iter();
        let folders = seeds.filter_map(|seed| seed.folder.as_ref());
        let paths = folders.map(|name| self.folder.join(name).join(trace_name(plan)));
        paths.filter_map(|path| fs::read(path).ok()).collect()
    }

    /// A trace has been written, to this folder.
    pub(in crate::fuzz) fn written(&mut self, number: usize, folder: String) {
        let place = number.checked_sub(1);
        if let Some(seed) = place.and_then(|place| self.state.seeds.get_mut(place)) {
            seed.folder = Some(folder);
        }
    }
}
