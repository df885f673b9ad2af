//! Makes what reached something new small, and writes it to a folder of its own.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use fixedbitset::FixedBitSet;
use tracegauge_decoder::judge;
use tracegauge_generator::Generator;
use tracegauge_generator::minimize::minimize;
use tracegauge_reports::Outcome;

use super::about::About;
use super::novelty::{Broken, Named, Novelty};
use super::{Atlas, Pool, is_sound};
use crate::fuzz::input::InputId;
use crate::fuzz::keep::{Folder, file_name, trace_name};
use crate::fuzz::{Asker, FuzzError};
use crate::probe::ProbeError;

/// Traces that are tried at most: there are many to be kept, and they are as good to a reader's author
/// when they are not the very smallest.
const MOST_TRIES: u64 = 200;

/// Longer traces are kept as they were found: it takes long to make one small, whether or not the reader
/// is asked.
const LONGEST: usize = 2 << 10;

/// A trace that is to be kept.
#[derive(Clone, Debug)]
pub(in crate::fuzz) struct SeedJob {
    /// Its number, from 1.
    pub(in crate::fuzz) number: usize,
    /// Which input it is.
    pub(in crate::fuzz) input: InputId,
    /// How the reader's answer was judged.
    pub(in crate::fuzz) outcome: Outcome,
    /// How it was made.
    pub(in crate::fuzz) made: String,
    /// The edges that it was the first to reach.
    pub(in crate::fuzz) fresh: FixedBitSet,
}

/// What keeping them needs.
#[derive(Debug)]
pub(in crate::fuzz) struct SeedKeeper<'k> {
    pub(in crate::fuzz) generator: &'k Generator,
    pub(in crate::fuzz) pool: &'k Pool,
    pub(in crate::fuzz) folder: &'k Path,
    pub(in crate::fuzz) seed: u64,
    pub(in crate::fuzz) novelty: Novelty<'k>,
    pub(in crate::fuzz) atlas: Arc<Atlas>,
}

/// A trace that reaches the same edges.
pub(super) struct Small {
    pub(super) bytes: Vec<u8>,
    /// Whether the reader reached them again; nothing where there was no time to ask it.
    pub(super) again: Option<bool>,
    /// How its answer was judged then.
    pub(super) outcome: Option<Outcome>,
}

impl SeedKeeper<'_> {
    /// Writes the trace of this job, smaller where there is time: its folder below that of the
    /// campaign.
    pub(in crate::fuzz) fn keep(
        &mut self,
        asker: &mut Asker<'_>,
        job: &SeedJob,
        deadline: Option<Instant>,
    ) -> Result<Option<String>, FuzzError> {
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
        let new = self.novelty.first(&small.bytes);
        let broken = self.novelty.broken(&small.bytes);
        let name = folder_name(job, &new, broken.as_ref());
        let about = About {
            plan,
            job,
            seed: self.seed,
            found: bytes.len(),
            small: &small,
            new: &new,
            broken: broken.as_ref(),
            atlas: &self.atlas,
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

/// `coverage/007-codes-frames-body-event`: the number, and what the trace is the first to have; else
/// the rule that it breaks, and where. What the reader does wrong with it comes first.
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

/// The smallest trace near `bytes` that reaches the edges of `job`, until `deadline`.
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
    // A trace that breaks no rule, or this one, goes on to do so, and what the reader does right stays
    // so: where the decoder stops and the reader goes on, nothing says what it does.
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
