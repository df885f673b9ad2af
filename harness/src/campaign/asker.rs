//! Decides what counts as a finding: incorrect behavior of a reader, or different outcomes of two
//! readers.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use tracegauge_contain::Containment;
use tracegauge_plan::Plan;
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_results::{Outcome, RuleInfo};

use crate::probe::{Observation, Probe, ProbeError, Signature};

/// Runs one reader, or two readers to be compared, on inputs.
#[derive(Debug)]
pub struct Asker<'c> {
    first: Probe<'c>,
    second: Option<(&'c str, Probe<'c>)>,
}

/// The edges of the reader's control flow that a trace reaches.
#[derive(Clone, Debug, Default)]
pub(super) struct Sighting {
    /// All edges that the trace reaches each time it is run, or `None` if all of them were already
    /// known.
    pub(super) opened: Option<FixedBitSet>,
    /// The unknown edges that the trace reached once but not again, such as those of one-time
    /// initialization.
    pub(super) fleeting: FixedBitSet,
}

/// Incorrect behavior of a reader, or a difference between the outcomes of two readers.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The signature that distinguishes this finding from others.
    pub signature: Signature,
    /// The observed behavior.
    pub seen: Observation,
}

/// A finding about an earlier input: the reader answered the input and crashed only afterwards.
#[derive(Clone, Debug)]
pub(super) struct Inherited {
    /// The input.
    pub(super) bytes: Arc<[u8]>,
    /// The reader's behavior on the input.
    pub(super) found: Finding,
}

impl<'c> Asker<'c> {
    /// Prepares the readers. `rules` are the rules of the format, which determine which failures
    /// count as findings: those that concern only a recommendation do not.
    ///
    /// # Errors
    /// Returns an error if one of the readers cannot be prepared.
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

    /// Enables the collection of edge coverage from the reader.
    ///
    /// # Errors
    /// Returns an error if the coverage file cannot be created.
    pub fn with_coverage(self) -> Result<Self, ProbeError> {
        Ok(Self {
            first: self.first.with_coverage()?,
            ..self
        })
    }

    /// Returns the probe of the first reader.
    pub(super) fn reader(&mut self) -> &mut Probe<'c> {
        &mut self.first
    }

    /// Returns the edges outside `known` that the last trace, `bytes`, reached. If there are any,
    /// runs the reader on the trace once more, because an edge counts only if every run reaches it.
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
        // A trace that exhausts a limit would exhaust it again, so it is not run again.
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

    /// Shortens the time limit for all later answers, or restores it.
    pub(super) fn wait_briefly(&mut self, briefly: bool) {
        self.first.wait_briefly(briefly);
        if let Some((_, second)) = &mut self.second {
            second.wait_briefly(briefly);
        }
    }

    /// Runs the readers on `bytes`. Returns the finding, or `None` if the readers behave correctly.
    ///
    /// # Errors
    /// Returns an error if a reader cannot be run.
    pub fn ask(&mut self, plan: &Plan, bytes: &[u8]) -> Result<Option<Finding>, ProbeError> {
        let seen = patiently(&mut self.first, plan, bytes)?;
        self.judge(plan, bytes, seen)
    }

    /// Returns the earlier inputs that caused crashes of the first reader, if these crashes were
    /// noticed since the last call.
    pub(super) fn inherited(&mut self, plan: &Plan) -> Result<Vec<Inherited>, ProbeError> {
        let mut findings = Vec::new();
        for (bytes, seen) in self.first.take_inherited() {
            if let Some(found) = self.judge(plan, &bytes, seen)? {
                findings.push(Inherited { bytes, found });
            }
        }
        Ok(findings)
    }

    /// Sets whether, from now on, each input is read by a separate process of the first reader,
    /// which is watched until it exits.
    pub fn watch_until_exit(&mut self, until_exit: bool) {
        self.first.watch_until_exit(until_exit);
    }

    /// Returns a finding if the outcomes of two compared readers differ or, if there is only one
    /// reader, if it behaves incorrectly.
    fn judge(
        &mut self,
        plan: &Plan,
        bytes: &[u8],
        seen: Observation,
    ) -> Result<Option<Finding>, ProbeError> {
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

/// Runs a reader. If the reader has written unrequested output, restarts it and repeats the
/// request, because the output belonged to an earlier input.
fn patiently(probe: &mut Probe<'_>, plan: &Plan, bytes: &[u8]) -> Result<Observation, ProbeError> {
    match probe.ask(plan, bytes) {
        Err(ProbeError::OutOfStep(_)) => probe.ask(plan, bytes),
        answered => answered,
    }
}

fn worse(one: Outcome, other: Outcome) -> Outcome {
    if one.is_failure() { one } else { other }
}
