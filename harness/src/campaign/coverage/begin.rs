//! Starts a campaign with coverage feedback: runs the reader on its author's tests and on the
//! traces saved earlier.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use tracegauge_generator::mutate::InputNumber;
use tracegauge_plan::Plan;
use tracegauge_results::Outcome;

use super::{CoverageFeedback, CoverageState, OwnTest, Pool, SeedJob, SeedSource};
use crate::campaign::input::InputMaker;
use crate::campaign::{Asker, CampaignError};

/// A campaign that is being started or continued.
pub(in crate::campaign) struct Beginning<'s, 'a, 'c> {
    pub(in crate::campaign) plan: &'s Plan,
    pub(in crate::campaign) folder: &'s Path,
    pub(in crate::campaign) pool: &'s Pool,
    pub(in crate::campaign) maker: InputMaker<'s>,
    pub(in crate::campaign) asker: &'a mut Asker<'c>,
    /// Returns whether to stop early.
    pub(in crate::campaign) is_over: &'a dyn Fn() -> bool,
}

impl<'s> Beginning<'s, '_, '_> {
    /// Runs the reader on its author's tests and on the traces saved earlier. Returns the resulting
    /// coverage feedback and the traces that have not been minimized yet.
    pub(in crate::campaign) fn begin(
        mut self,
        state: CoverageState,
        tests: &[OwnTest],
    ) -> Result<(CoverageFeedback<'s>, Vec<SeedJob>), CampaignError> {
        let edges = self.check()?;
        let mut feedback = CoverageFeedback {
            folder: self.folder,
            pool: self.pool,
            state: CoverageState { edges, ..state },
            known: Arc::default(),
            by_tests: FixedBitSet::new(),
            fleeting: FixedBitSet::new(),
        };
        let jobs = self.resume(&mut feedback)?;
        let seeds = feedback.state.seeds.iter();
        let known: HashSet<SeedSource> = seeds.map(|seed| seed.source.clone()).collect();
        for test in tests {
            if (self.is_over)() {
                break;
            }
            let (outcome, edges) = self.reached(&mut feedback, &test.bytes)?;
            feedback.by_tests.union_with(&edges);
            let source = SeedSource::Test(test.name.clone());
            if !known.contains(&source) {
                feedback.keep(source, outcome, &test.bytes, &edges)?;
            }
            Arc::make_mut(&mut feedback.known).add(outcome, &edges);
        }
        feedback.state.reached = feedback.known.count();
        Ok((feedback, jobs))
    }

    /// Returns the number of edges in the reader.
    fn check(&mut self) -> Result<usize, CampaignError> {
        let first = self.maker.make(InputNumber(0).into());
        let bytes = first.map(|input| input.bytes).unwrap_or_default();
        self.asker.ask(self.plan, &bytes)?;
        self.asker.reader().reached()?;
        match self.asker.reader().edges() {
            0 => Err(CampaignError::NoCoverage),
            edges => Ok(edges),
        }
    }

    /// Runs the reader on the traces saved earlier, to find out which edges they reach in its
    /// current version.
    fn resume(
        &mut self,
        feedback: &mut CoverageFeedback<'_>,
    ) -> Result<Vec<SeedJob>, CampaignError> {
        let mut jobs = Vec::new();
        let seeds = feedback.state.seeds.clone();
        for (place, seed) in seeds.iter().enumerate() {
            let number = place + 1;
            let bytes = u32::try_from(number).ok();
            let bytes = bytes.and_then(|number| self.pool.get(number));
            let Some(bytes) = bytes else { continue };
            let known = feedback.known();
            let (outcome, edges) = self.reached(feedback, &bytes)?;
            let fresh: FixedBitSet = edges.difference(known.to(outcome)).collect();
            Arc::make_mut(&mut feedback.known).add(outcome, &edges);
            let SeedSource::Input(input) = seed.source else {
                continue;
            };
            if seed.folder.is_none() {
                let made = self.maker.make(input).map(|input| input.made);
                jobs.push(SeedJob {
                    number,
                    input,
                    outcome,
                    made: made.unwrap_or_default(),
                    fresh,
                });
            }
        }
        Ok(jobs)
    }

    /// Returns the outcome of the reader's answer to a trace, and the edges that the trace reaches
    /// in every run.
    fn reached(
        &mut self,
        feedback: &mut CoverageFeedback<'_>,
        bytes: &[u8],
    ) -> Result<(Outcome, FixedBitSet), CampaignError> {
        let found = self.asker.ask(self.plan, bytes)?;
        let outcome = found.map_or(Outcome::Pass, |found| found.signature.outcome);
        let nothing = FixedBitSet::new();
        let sighted = self.asker.sight(self.plan, bytes, outcome, &nothing)?;
        feedback.saw(&sighted.fleeting);
        Ok((outcome, sighted.opened.unwrap_or_default()))
    }
}
