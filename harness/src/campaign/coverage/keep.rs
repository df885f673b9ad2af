//! Minimizes traces that reached new edges and writes each to a folder of its own.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use fixedbitset::FixedBitSet;
use tracegauge_decoder::judge;
use tracegauge_generator::Generator;
use tracegauge_generator::minimize::minimize;
use tracegauge_results::Outcome;

use super::about::About;
use super::new_features::{Broken, Named, NewFeatures};
use super::{Pool, SymbolMap, is_sound};
use crate::campaign::input::InputId;
use crate::campaign::keep::{Folder, file_name, trace_name};
use crate::campaign::{Asker, CampaignError};
use crate::probe::ProbeError;

/// The maximum number of candidates to try when minimizing a trace. The number is small because
/// many traces are saved, and they need not be minimal to be useful to a reader's author.
const MOST_TRIES: u64 = 200;

/// Maximum length in bytes of a trace that is minimized. Minimizing longer traces would take too
/// long.
const LONGEST: usize = 2 << 10;

/// A trace to be saved.
#[derive(Clone, Debug)]
pub(in crate::campaign) struct SeedJob {
    /// The number of the trace, from 1.
    pub(in crate::campaign) number: usize,
    /// The id of the input.
    pub(in crate::campaign) input: InputId,
    /// The outcome of the reader's answer.
    pub(in crate::campaign) outcome: Outcome,
    /// A description of how the trace was generated.
    pub(in crate::campaign) made: String,
    /// The edges that the trace was the first to reach.
    pub(in crate::campaign) fresh: FixedBitSet,
}

/// The state needed for saving traces.
#[derive(Debug)]
pub(in crate::campaign) struct SeedKeeper<'k> {
    pub(in crate::campaign) generator: &'k Generator,
    pub(in crate::campaign) pool: &'k Pool,
    pub(in crate::campaign) folder: &'k Path,
    pub(in crate::campaign) seed: u64,
    pub(in crate::campaign) new_features: NewFeatures<'k>,
    pub(in crate::campaign) symbol_map: Arc<SymbolMap>,
}

/// A minimized trace that still reaches the edges that the original trace was the first to reach.
pub(super) struct Small {
    pub(super) bytes: Vec<u8>,
    /// Whether the reader reached the edges again, or `None` if there was no time to run it.
    pub(super) again: Option<bool>,
    /// The outcome of the reader's answer to the minimized trace.
    pub(super) outcome: Option<Outcome>,
}

impl SeedKeeper<'_> {
    /// Writes the trace of `job` to a folder, minimized if there is time. Returns the path of this
    /// folder relative to the campaign's folder.
    pub(in crate::campaign) fn keep(
        &mut self,
        asker: &mut Asker<'_>,
        job: &SeedJob,
        deadline: Option<Instant>,
    ) -> Result<Option<String>, CampaignError> {
        let number = u32::try_from(job.number).ok();
        let Some(bytes) = number.and_then(|number| self.pool.get(number)) else {
            return Ok(None);
        };
        let small = match deadline {
            Some(deadline) => smaller(self.generator, asker, &bytes, job, deadline)?,
            None => Small {
                bytes: bytes.to_vec(),
                again: None,
                outcome: None,
            },
        };
        let plan = self.generator.plan();
        let new = self.new_features.first(&small.bytes);
        let broken = self.new_features.broken(&small.bytes);
        let name = folder_name(job, &new, broken.as_ref());
        let about = About {
            plan,
            job,
            seed: self.seed,
            found: bytes.len(),
            small: &small,
            new: &new,
            broken: broken.as_ref(),
            symbol_map: &self.symbol_map,
        };
        let folder = Folder::make(self.folder.join(&name))?;
        folder.write(&trace_name(plan), &small.bytes)?;
        folder.write("about.md", about.text().as_bytes())?;
        if let Ok(json) = about.json() {
            folder.write("about.json", &json)?;
        }
        Ok(Some(name))
    }
}

/// Returns the path of a trace's folder, such as `coverage/007-codes-frames-body-event`.
///
/// The name starts with the number of the trace, followed by the part of the format that no earlier
/// trace contains or, if there is no such part, the violated rule and the location of the
/// violation. If the outcome is not sound, the name contains the outcome and the violated rule
/// instead.
fn folder_name(job: &SeedJob, new: &[Named], broken: Option<&Broken>) -> String {
    let about = match (new.first(), broken) {
        _ if !is_sound(job.outcome) => {
            let rule = broken.map_or("valid", |broken| &broken.rule);
            format!("{}-{rule}", job.outcome)
        }
        (Some(first), _) => format!("{}-{}", first.class.name(), first.obligation),
        (None, Some(Broken { rule, at })) => format!("fault-{rule}-{at}"),
        (None, None) => "values".to_owned(),
    };
    let plain = about.replace("[]", "");
    format!("coverage/{:03}-{}", job.number, file_name(&plain))
}

/// Minimizes `bytes` until `deadline`, and accepts only candidates that still reach the new edges
/// of `job`.
fn smaller(
    generator: &Generator,
    asker: &mut Asker<'_>,
    bytes: &[u8],
    job: &SeedJob,
    deadline: Instant,
) -> Result<Small, ProbeError> {
    let plan = generator.plan();
    let mut tries = 0;
    let mut failure = None;
    // The minimized trace must violate the same rule as the original, or no rule if the original
    // was valid. The outcome must also stay sound, or stay not sound (see `is_sound`). Otherwise,
    // the reader may reach the edges for a different reason.
    let rule = |bytes: &[u8]| judge(plan, bytes).violation().map(|found| found.rule);
    let broken = rule(bytes);
    let reaches = |asker: &mut Asker<'_>, candidate: &[u8]| {
        if rule(candidate) != broken {
            return Ok(None);
        }
        let found = asker.ask(plan, candidate)?;
        let outcome = found.map_or(Outcome::Pass, |found| found.signature.outcome);
        let reached = asker.reader().reached()?;
        let is_meant = is_sound(outcome) == is_sound(job.outcome) && job.fresh.is_subset(&reached);
        Ok::<_, ProbeError>(is_meant.then_some(outcome))
    };
    let mut small = Small {
        bytes: bytes.to_vec(),
        again: Some(false),
        outcome: reaches(asker, bytes)?,
    };
    if small.outcome.is_none() {
        return Ok(small);
    }
    small.again = Some(true);
    if bytes.len() > LONGEST {
        return Ok(small);
    }
    small.bytes = minimize(generator, bytes, &mut |candidate| {
        tries += 1;
        if tries > MOST_TRIES || failure.is_some() || Instant::now() > deadline {
            return None;
        }
        match reaches(asker, candidate) {
            Ok(reached) => Some(reached.is_some()),
            Err(error) => {
                failure = Some(error);
                None
            }
        }
    })
    .bytes;
    if let Some(error) = failure {
        return Err(error);
    }
    small.outcome = reaches(asker, &small.bytes)?.or(small.outcome);
    Ok(small)
}
