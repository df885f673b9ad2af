//! Minimizes findings and traces that reached new edges, and writes their folders, while the
//! workers continue.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use tracegauge_corpus::vector::{Named, case_text};
use tracegauge_generator::mutate::Supply;
use tracegauge_judge::baseline::Baseline;
use tracegauge_plan::Plan;

use super::about::About;
use super::coverage::{SeedJob, SeedKeeper};
use super::input::InputMaker;
use super::shrink::{Small, shrink};
use super::{Asker, CampaignError, Group};
use crate::origin;

/// The default maximum time for minimizing a finding.
pub(super) const MINIMIZE_TIME: Duration = Duration::from_secs(8);
/// The maximum time for minimizing a trace that reached new edges. The time is short, because many
/// traces reach new edges.
const MINIMIZE_TIME_OF_SEEDS: Duration = Duration::from_secs(2);
const MINIMIZE_TIME_AFTER_END: Duration = Duration::from_secs(1);

/// The time that a campaign may use after its end to minimize its remaining findings and traces.
/// Findings and traces that remain after this time are saved without minimization.
const TOTAL_TIME_AFTER_END: Duration = Duration::from_secs(10);

/// The name of the file in a finding's folder that contains the reader's result on the minimized
/// trace.
pub(super) const RESULT: &str = "result.json";

/// A job for the keeper: a finding or a trace to save.
#[derive(Debug)]
pub(super) enum Job {
    /// A finding: the index of its group, and the group itself.
    Finding(usize, Group),
    /// A trace that reached new edges.
    Seed(SeedJob),
}

/// The result of a job: a finding or a trace that has been saved.
#[derive(Debug)]
pub(super) enum Kept {
    /// A finding, with the index of its group and the size of its trace in bytes.
    Finding(usize, u64),
    /// A trace that reached new edges, with its number and folder.
    Seed(usize, String),
}

/// The keeper, which minimizes and saves the findings and traces that it receives through its
/// channel, findings first.
pub(super) struct Keeper<'k, 'c> {
    pub(super) supply: &'k Supply,
    pub(super) maker: InputMaker<'k>,
    pub(super) asker: Asker<'c>,
    pub(super) folder: &'k Path,
    /// A flag that is set once the campaign's time has run out.
    pub(super) hurry: &'k AtomicBool,
    /// The time at which minimization stops, set once the campaign's time has run out.
    pub(super) last: Option<Instant>,
    /// The maximum time for minimizing a finding before the campaign's time has run out.
    pub(super) minimize_time: Duration,
    /// The keeper of traces that reached new edges, if coverage feedback is enabled.
    pub(super) seeds: Option<SeedKeeper<'k>>,
}

impl Keeper<'_, '_> {
    pub(super) fn work(mut self, jobs: &Receiver<Job>, kept: &Sender<Result<Kept, CampaignError>>) {
        let mut seeds = VecDeque::new();
        loop {
            let next = match seeds.is_empty() {
                true => jobs.recv().ok(),
                false => jobs.try_recv().ok(),
            };
            let done = match next {
                Some(Job::Finding(place, group)) => self
                    .keep(&group)
                    .map(|bytes| Some(Kept::Finding(place, bytes))),
                Some(Job::Seed(seed)) => {
                    seeds.push_back(seed);
                    Ok(None)
                }
                None => match seeds.pop_front() {
                    Some(seed) => self.keep_seed(&seed),
                    None => return,
                },
            };
            if let Some(done) = done.transpose()
                && kept.send(done).is_err()
            {
                return;
            }
        }
    }

    fn keep_seed(&mut self, job: &SeedJob) -> Result<Option<Kept>, CampaignError> {
        let deadline = self.deadline(MINIMIZE_TIME_OF_SEEDS);
        let Some(seeds) = &mut self.seeds else {
            return Ok(None);
        };
        let folder = seeds.keep(&mut self.asker, job, deadline)?;
        Ok(folder.map(|folder| Kept::Seed(job.number, folder)))
    }

    /// Returns the deadline for minimizing a trace, or `None` if there is no time left.
    fn deadline(&mut self, limit: Duration) -> Option<Instant> {
        let now = Instant::now();
        if !self.hurry.load(Ordering::Relaxed) {
            return Some(now + limit);
        }
        let last = *self.last.get_or_insert(now + TOTAL_TIME_AFTER_END);
        (now < last).then(|| last.min(now + MINIMIZE_TIME_AFTER_END))
    }

    fn keep(&mut self, group: &Group) -> Result<u64, CampaignError> {
        // A derived input exists only if its trace has been saved, so this always succeeds.
        let Some(input) = self.maker.make(group.number) else {
            return Ok(group.size);
        };
        let stock = self.maker.twin(group.number);
        let wanted = group.signature();
        let deadline = self.deadline(self.minimize_time);
        let generator = self.supply.generator();
        let plan = generator.plan();
        let small = match deadline {
            None => Small {
                bytes: input.bytes.clone(),
                twin: None,
                again: None,
                until_exit: false,
                stopped: true,
            },
            Some(deadline) => shrink(
                generator,
                &mut self.asker,
                (&input, stock.as_deref()),
                &wanted,
                deadline,
            )?,
        };
        let mut seen = if small.again == Some(true) {
            self.asker.watch_until_exit(small.until_exit);
            let seen = self.asker.ask(plan, &small.bytes);
            self.asker.watch_until_exit(false);
            seen?
        } else {
            None
        };
        if let Some(seen) = &mut seen
            && let Some(detail) = &mut seen.seen.result.detail
            && let Some(difference) = &mut detail.difference
        {
            let about = origin::About {
                rules: &seen.seen.result.rules,
                records: 0,
            };
            origin::complete(plan, &small.bytes, &about, difference);
        }
        let Some(name) = &group.folder else {
            return Ok(small.bytes.len() as u64);
        };
        let trace = trace_name(plan);
        let about = About {
            plan,
            group,
            seed: self.supply.seed(),
            seen: seen.as_ref().map(|seen| &seen.seen.result),
            input: &input,
            small: &small,
            trace: &trace,
        };
        let writer = Folder::make(self.folder.join(name))?;
        writer.write(&trace, &small.bytes)?;
        let extension = plan.file_extension();
        writer.write(&format!("found.{extension}"), &input.bytes)?;
        writer.write("about.md", about.text().as_bytes())?;
        let result = about.seen.or(group.observed.as_deref());
        if let Some(result) = result
            && let Ok(result) = serde_json::to_vec_pretty(result)
        {
            writer.write(RESULT, &result)?;
        }
        if let Some(twin) = &small.twin {
            writer.write(&format!("twin.{extension}"), twin)?;
        }
        if let Some(text) = self.vector(plan, group, &small) {
            writer.write("case.yaml", text.as_bytes())?;
        }
        let baseline = Baseline {
            entries: vec![group.entry(&plan.format, self.supply.seed())],
        };
        let path = writer.path.join("baseline.yaml");
        let other = |error: &dyn std::fmt::Display| {
            CampaignError::Other(writer.path.clone(), error.to_string())
        };
        baseline.save(&path).map_err(|error| other(&error))?;
        Ok(small.bytes.len() as u64)
    }

    fn vector(&self, plan: &Plan, group: &Group, small: &Small) -> Option<String> {
        let id = vector_name(group, self.supply.seed());
        let says = format!(
            "Found by fuzzing; outcome of the reader: {}.",
            group.outcome
        );
        let twin_id = format!("{id}-twin");
        let twin = small.twin.as_ref().map(|bytes| Named {
            id: &twin_id,
            says: "The same trace without the fault.",
            bytes,
        });
        let case = Named {
            id: &id,
            says: &says,
            bytes: &small.bytes,
        };
        case_text(plan, case, twin)
    }
}

pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates an empty folder. Replaces an existing folder, which may contain a longer trace.
    pub(super) fn make(path: PathBuf) -> Result<Self, CampaignError> {
        let emptied = match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => fs::create_dir_all(&path),
        };
        match emptied {
            Ok(()) => Ok(Self { path }),
            Err(error) => Err(CampaignError::File(path, error)),
        }
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CampaignError> {
        let path = self.path.join(name);
        fs::write(&path, bytes).map_err(|error| CampaignError::File(path, error))
    }
}

/// Returns the name of the minimized trace in the folder of a finding.
pub(super) fn trace_name(plan: &Plan) -> String {
    format!("trace.{}", plan.file_extension())
}

/// Returns the name of a finding's vector, such as `fuzz-wrong-accept-MAGIC-1-42`. The name
/// consists of the subject, the seed and the id of the input.
fn vector_name(group: &Group, seed: u64) -> String {
    let name = format!("fuzz-{}-{}", group.outcome, group.about());
    format!("{}-{seed}-{}", file_name(&name), group.number)
}

/// Returns the name of a finding's folder, such as `findings/003-wrong-accept-MAGIC`.
pub(super) fn folder_name(number: usize, group: &Group) -> String {
    let name = format!("{number:03}-{}-{}", group.outcome, group.about());
    format!("findings/{}", file_name(&name))
}

/// Replaces characters that some file systems do not support, and limits the length of the name.
pub(super) fn file_name(text: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    let name: String = text.chars().map(plain).take(80).collect();
    name.trim_matches('-').to_owned()
}
