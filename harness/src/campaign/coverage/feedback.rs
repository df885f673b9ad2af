//! Coverage feedback, which decides which inputs to save, based on the edges that they reach.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use tracegauge_generator::mutate::InputKind;
use tracegauge_plan::Plan;
use tracegauge_results::Outcome;

use super::{CoverageState, Known, Opened, Pool, Seed, SeedJob, SeedSource, is_sound};
use crate::campaign::CampaignError;
use crate::campaign::input::{Grown, InputId, InputMaker, LONGEST};
use crate::campaign::keep::trace_name;
use crate::campaign::power_schedule::PowerSchedule;

/// The maximum number of traces that are saved. Without this limit, a reader that reports arbitrary
/// edges as reached would make the campaign save an unlimited number of traces.
const MOST: usize = 2000;

/// The known edges of the reader and the traces that reached them.
#[derive(Debug)]
pub(in crate::campaign) struct CoverageFeedback<'s> {
    pub(super) folder: &'s Path,
    pub(super) pool: &'s Pool,
    pub(super) state: CoverageState,
    /// The edges that a saved trace or a test reaches in every run.
    pub(super) known: Arc<Known>,
    /// The edges that the reader's own tests reach.
    pub(super) by_tests: FixedBitSet,
    /// The edges that a trace reached in one run but not in another.
    pub(super) fleeting: FixedBitSet,
}

/// The inputs saved from an epoch, which consists of the batches of inputs that are planned
/// together.
#[derive(Debug, Default)]
pub(in crate::campaign) struct Admitted {
    /// The traces to be minimized.
    pub(in crate::campaign) jobs: Vec<SeedJob>,
    /// The number of saved inputs of each kind.
    pub(in crate::campaign) fresh: [u64; InputKind::ALL.len()],
}

impl CoverageFeedback<'_> {
    /// Returns the currently known edges.
    pub(in crate::campaign) fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known)
    }

    /// Returns the number of reached edges and the total number of edges.
    pub(in crate::campaign) fn counts(&self) -> (usize, usize) {
        (self.state.reached, self.state.edges)
    }

    /// Returns the state to be saved.
    pub(in crate::campaign) fn state(&self) -> &CoverageState {
        &self.state
    }

    /// Adds edges that a trace reached in one run but not in another.
    pub(in crate::campaign) fn saw(&mut self, fleeting: &FixedBitSet) {
        self.fleeting.union_with(fleeting);
    }

    /// Saves a small set of the inputs in `opened` that together reach all new edges. Inputs with a
    /// sound outcome (see `known::is_sound`) are preferred; among these, valid inputs are preferred
    /// to malformed ones, and small inputs to large ones.
    pub(in crate::campaign) fn admit(
        &mut self,
        mut opened: Vec<Opened>,
        maker: &mut InputMaker<'_>,
        power_schedule: &mut PowerSchedule,
    ) -> Result<Admitted, CampaignError> {
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
                InputId::Grown(Grown { from, .. }) => power_schedule.reward(from),
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
        self.follow(power_schedule);
        Ok(admitted)
    }

    /// If the trace reaches edges that were not known before, saves the trace and returns these
    /// edges.
    pub(super) fn keep(
        &mut self,
        source: SeedSource,
        outcome: Outcome,
        bytes: &[u8],
        edges: &FixedBitSet,
    ) -> Result<Option<FixedBitSet>, CampaignError> {
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

    /// Makes all saved traces available for deriving inputs, except those that are too long or
    /// whose outcome is not sound.
    pub(in crate::campaign) fn follow(&self, power_schedule: &mut PowerSchedule) {
        let seeds = self.state.seeds.iter().zip(1..);
        for (seed, number) in seeds.skip(power_schedule.len()) {
            let is_short = |bytes: Arc<[u8]>| bytes.len() <= LONGEST;
            let grows = self.pool.get(number).is_some_and(is_short) && is_sound(seed.outcome);
            power_schedule.admit(grows);
        }
    }

    /// Returns the minimized traces that were written earlier.
    pub(in crate::campaign) fn written_before(&self, plan: &Plan) -> Vec<Vec<u8>> {
        let seeds = self.state.seeds.iter();
        let folders = seeds.filter_map(|seed| seed.folder.as_ref());
        let paths = folders.map(|name| self.folder.join(name).join(trace_name(plan)));
        paths.filter_map(|path| fs::read(path).ok()).collect()
    }

    /// Records that a trace has been written to `folder`.
    pub(in crate::campaign) fn written(&mut self, number: usize, folder: String) {
        let place = number.checked_sub(1);
        if let Some(seed) = place.and_then(|place| self.state.seeds.get_mut(place)) {
            seed.folder = Some(folder);
        }
    }
}
