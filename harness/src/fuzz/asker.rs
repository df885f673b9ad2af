//! What counts as a finding: a reader that does wrong, or two that do not do the same.

use fixedbitset::FixedBitSet;
use tracegauge_reports::{Outcome, RuleInfo};
use tracegauge_spec::plan::Plan;

use crate::contain::Containment;
use crate::probe::{Observation, Probe, ProbeError, Signature};
use crate::reader_file::ReaderFile;

/// Asks a reader, and where there is one another that it is held against.
#[derive(Debug)]
pub struct Asker<'c> {
    first: Probe<'c>,
    second: Option<(&'c str, Probe<'c>)>,
}

/// Edges of the reader that a trace reaches and that were not known.
#[derive(Clone, Debug, Default)]
pub(super) struct Sighting {
    /// Those of a trace that reaches some each time: all that it reaches.
    pub(super) opened: Option<FixedBitSet>,
    /// Those that it reached once, and not again: what is made ready the first time, say.
    pub(super) fleeting: FixedBitSet,
}

/// What a reader does wrong, or otherwise than another.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What tells it from other findings.
    pub signature: Signature,
    /// What the reader did.
    pub seen: Observation,
}

impl<'c> Asker<'c> {
    /// Makes the readers ready; `rules` say what is a recommendation.
    ///
    /// # Errors
    /// One of them cannot be made ready here.
    pub fn new(
        reader: &'c ReaderFile,
        against: Option<&'c ReaderFile>,
        rules: &[RuleInfo],
        containment: &'c Containment,
    ) -> Result<Self, ProbeError> {
        let probe = |reader| Ok(Probe::new(reader, containment)?.judging_by(rules));
        let second = match against {
            Some(other) => Some((other.name.as_str(), probe(other)?)),
            None => None,
        };
        Ok(Self {
            first: probe(reader)?,
            second,
        })
    }

    /// The same where the reader marks which of its edges it reaches.
    ///
    /// # Errors
    /// The file that it marks them in cannot be made.
    pub fn with_coverage(self) -> Result<Self, ProbeError> {
        Ok(Self {
            first: self.first.with_coverage()?,
            ..self
        })
    }

    /// The reader itself.
    pub(super) fn reader(&mut self) -> &mut Probe<'c> {
        &mut self.first
    }

    /// What the last trace, these bytes, has reached besides what is `known`. Where that is
    /// anything, it is asked about once more: what was reached is to be reached each time.
    pub(super) fn sight(
        &mut self,
        plan: &Plan,
        bytes: &[u8],
        outcome: Outcome,
        known: &FixedBitSet,
    ) -> Result<Sighting, ProbeError> {
        let mut reached = self.first.reached()?;
        let mut sighting = Sighting::default();
        if reached.is_subset(known) {
            return Ok(sighting);
        }
        // One that uses up all that it may use would do so twice.
        let is_dear = matches!(
            outcome,
            Outcome::Hang | Outcome::OutOfMemory | Outcome::Flood
        );
        if !is_dear {
            patiently(&mut self.first, plan, bytes)?;
            let again = self.first.reached()?;
            sighting.fleeting = reached.difference(&again).collect();
            sighting.fleeting.difference_with(known);
            reached.intersect_with(&again);
        }
        sighting.opened = Some(reached).filter(|reached| !reached.is_subset(known));
        Ok(sighting)
    }

    /// Waits a fraction of the time for answers from now on, or all of it again.
    pub(super) fn wait_briefly(&mut self, briefly: bool) {
        self.first.wait_briefly(briefly);
        if let Some((_, second)) = &mut self.second {
            second.wait_briefly(briefly);
        }
    }

    /// What is wrong with what is done with `bytes`; nothing where all is as it should be.
    ///
    /// # Errors
    /// A reader cannot be asked.
    pub fn ask(&mut self, plan: &Plan, bytes: &[u8]) -> Result<Option<Finding>, ProbeError> {
        let seen = patiently(&mut self.first, plan, bytes)?;
        let Some((name, second)) = &mut self.second else {
            let is_wrong = seen.result.outcome.is_failure() && seen.result.standing.counts();
            return Ok(is_wrong.then(|| Finding {
                signature: seen.signature.clone(),
                seen,
            }));
        };
        let other = patiently(second, plan, bytes)?;
        if seen.result.outcome == other.result.outcome {
            return Ok(None);
        }
        let (mine, its) = (&seen.signature, &other.signature);
        let either = |one: &str, two: &str| if one.is_empty() { two } else { one }.to_owned();
        let signature = Signature {
            outcome: worse(mine.outcome, its.outcome),
            rule: either(&mine.rule, &its.rule),
            member: either(&mine.member, &its.member),
            read: either(&mine.read, &its.read),
            differs: either(&mine.differs, &its.differs),
            frames: if mine.frames.is_empty() {
                &its.frames
            } else {
                &mine.frames
            }
            .clone(),
            words: format!("{}; {name}: {}", mine.outcome, its.outcome),
        };
        Ok(Some(Finding { signature, seen }))
    }
}

/// A reader that has written too much is started again; what it wrote was not asked for by this.
fn patiently(probe: &mut Probe<'_>, plan: &Plan, bytes: &[u8]) -> Result<Observation, ProbeError> {
    match probe.ask(plan, bytes) {
        Err(ProbeError::OutOfStep(_)) => probe.ask(plan, bytes),
        answered => answered,
    }
}

fn worse(one: Outcome, other: Outcome) -> Outcome {
    if one.is_failure() { one } else { other }
}
