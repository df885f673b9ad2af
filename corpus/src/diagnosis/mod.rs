//! Diagnosis: how often a run identifies the bugs of a reader.
//!
//! Each reader is a copy of the reference decoder with one or more planted bugs, each taken from a
//! mutant. A corpus is good for diagnosis if a single bug breaks few cases ([`Spread`]), if a bug
//! is still detected in the presence of another bug ([`Pairs`]), and if the first rows of a run's
//! report name the bugs of the reader ([`Readers`]).

mod pairs;
mod readers;
mod report;
mod sample;
mod spread;

use std::collections::HashSet;

use tracegauge_plan::Plan;
use tracegauge_plan::mutate::Mutant;

use crate::case::{Case, ExpectedVerdict};
use crate::formats::Formats;
use crate::matrix::{Matrix, Mistake, mistakes};
use crate::mutation_score::{Answer, Bench, Prepared, deep};
use crate::parallel;
use crate::progress::Progress;

pub use pairs::Pairs;
pub use readers::{Misnamed, Numbers, Readers, Reporter, Reports, Row};
pub use report::{write_diagnosis, write_total};
pub use spread::{Spread, Widest};

/// The numbers of bugs planted in the readers that have several bugs.
pub const SEVERAL: [usize; 3] = [3, 5, 8];

/// The number of pairs of bugs to try, divided by the `sample` argument of [`diagnose`].
const PAIRS: usize = 25;

/// Measurements of how often running the cases of a format identifies the bugs of a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// The id of the format and dialect.
    pub format: String,
    /// How many cases a single bug breaks.
    pub spread: Spread,
    /// The number of pairs of bugs that were tried, and the number of pairs whose bugs were both
    /// detected.
    pub pairs: Pairs,
    /// The results of readers with several bugs, one entry for each number in [`SEVERAL`].
    pub several: Vec<Readers>,
    /// The results of readers with one bug.
    pub single: Readers,
}

/// Measures how well runs with `cases` identify bugs. The cases all have the format of `plan`,
/// which is one of `formats`, and their outcomes are in `matrix`. Tries `sample` readers for each
/// number of bugs in [`SEVERAL`], and the same total number of readers with one bug. The result
/// does not depend on the number of threads.
pub fn diagnose(
    (plan, formats): (&Plan, &Formats),
    cases: &[&Case],
    matrix: &Matrix,
    reports: &dyn Reports,
    sample: usize,
    progress: &dyn Progress,
) -> Diagnosis {
    deep(|| {
        let prepared = parallel::map(cases, |case| Prepared::new(plan, case));
        let mut bare = plan.clone();
        bare.forget_programs();
        let (mutants, mistakes) = mistakes(plan);
        let subjects = Subjects {
            plan,
            bench: &Bench {
                plan: &bare,
                cases: &prepared,
                oracle: reports.oracle(),
            },
            matrix,
            mutants: &mutants,
            mistakes: &mistakes[..mutants.len()],
        };
        let truths: Vec<Answer> = prepared.iter().map(|one| one.truth.clone()).collect();
        let reporter = reports.reporter(formats, cases, &truths);
        subjects.diagnose(reporter.as_ref(), sample, progress)
    })
}

/// The bugs and the cases of a format.
struct Subjects<'s> {
    plan: &'s Plan,
    bench: &'s Bench<'s>,
    matrix: &'s Matrix,
    mutants: &'s [Mutant],
    /// The mistakes (planted bugs) that consist of one mutant each, in the order of the mutants.
    mistakes: &'s [Mistake],
}

impl Subjects<'_> {
    fn diagnose(
        &self,
        reporter: &dyn Reporter,
        sample: usize,
        progress: &dyn Progress,
    ) -> Diagnosis {
        let detected: Vec<usize> = (0..self.mutants.len())
            .filter(|mutant| self.matrix.spread(*mutant) > 0)
            .collect();
        // A row can name a bug only if the description has a rule about it.
        let named: Vec<usize> = detected
            .iter()
            .copied()
            .filter(|it| self.is_named(*it))
            .collect();
        let able: Vec<usize> = named.iter().copied().filter(|it| self.reads(*it)).collect();
        let seed = |what: &str| format!("{} {what}", self.plan.format);
        let readers = sample * 2 * SEVERAL.len();
        progress.begin("running readers with bugs", readers as u64);
        let several = SEVERAL.iter().map(|bugs| {
            let groups = sample::groups(self.mutants, &able, (*bugs, sample), &seed("several"));
            readers::measure(self, &groups, reporter, progress)
        });
        let several = several.collect();
        let one = sample::groups(self.mutants, &named, (1, readers / 2), &seed("single"));
        let single = readers::measure(self, &one, reporter, progress);
        let count = sample * PAIRS;
        let pairs = sample::groups(self.mutants, &able, (2, count), &seed("pairs"));
        progress.end();
        Diagnosis {
            format: self.plan.format.clone(),
            spread: Spread::of(self.matrix, &detected),
            pairs: pairs::measure(self, &pairs),
            several,
            single,
        }
    }

    /// Returns true if the description has a rule that a reader with this bug breaks.
    fn is_named(&self, mutant: usize) -> bool {
        !self.mistakes[mutant].rules.is_empty()
    }

    /// Returns true if a reader with this bug still passes at least one valid case.
    fn reads(&self, mutant: usize) -> bool {
        let is_valid = |case: &&Prepared<'_>| case.case.expected.verdict == ExpectedVerdict::Accept;
        let failed = self.matrix.failures(mutant).map(|(case, _)| case);
        let failed: HashSet<&str> = failed.collect();
        let mut valid = self.bench.cases.iter().filter(is_valid);
        valid.any(|one| !failed.contains(one.case.id.as_str()))
    }

    fn made(&self, group: &[usize]) -> Vec<&Mutant> {
        group.iter().map(|index| &self.mutants[*index]).collect()
    }
}
