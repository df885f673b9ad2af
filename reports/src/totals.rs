//! The sums of a reader's results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::CaseResult;
use crate::outcome::{Outcome, Proof, Standing};

/// The sums of a reader's results. `planned` is counted before the run and the rest after
/// it, so that a case that got lost shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Cases that were to run.
    pub planned: usize,
    /// Cases of them that did not.
    pub not_run: usize,
    /// The others, by outcome.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// Passes that show that the reader tells right from wrong.
    pub proven: usize,
    /// Passes that may be luck.
    pub unproven: usize,
    /// Those of the unproven that exited with status 1, which a crash may do.
    pub perhaps_crashed: usize,
    /// Failures on the list of known ones.
    pub known: usize,
    /// Failures of recommendations.
    pub warnings: usize,
    /// Failures of disputed cases.
    pub disputed: usize,
    /// Failures of rules that only a strict run judges.
    pub not_judged: usize,
    /// Failures that fail the run.
    pub failures: usize,
    /// Cases that went wrong among others and not when alone.
    pub unsteady: usize,
    /// Right rejections that were graded, and how far each step was taken.
    pub grades: Grades,
}

/// How far right rejections went: of those that report a step, how many got it right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grades {
    /// Right rejections.
    pub clean: usize,
    /// Records before the fault.
    pub records: Step,
    /// The class of the fault.
    pub class: Step,
    /// The byte of the fault.
    pub byte: Step,
}

/// One step of grading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Rejections that got it right.
    pub right: usize,
    /// Rejections that report it.
    pub reported: usize,
}

impl Step {
    fn add(&mut self, step: Option<bool>) {
        self.reported += usize::from(step.is_some());
        self.right += usize::from(step == Some(true));
    }
}

impl Totals {
    /// Sums up the results of a run that had planned `planned` cases and left out `not_run`.
    pub fn of(planned: usize, not_run: usize, cases: &[CaseResult]) -> Self {
        let mut totals = Self {
            planned,
            not_run,
            ..Self::default()
        };
        for case in cases {
            totals.add(case);
        }
        totals
    }

    fn add(&mut self, case: &CaseResult) {
        *self.outcomes.entry(case.outcome).or_default() += 1;
        match case.proof {
            Some(Proof::Proven) => self.proven += 1,
            Some(doubt) => {
                self.unproven += 1;
                self.perhaps_crashed += usize::from(doubt == Proof::PerhapsCrashed);
            }
            None => {}
        }
        self.unsteady += usize::from(case.unsteady.is_some());
        if let Some(grade) = case.grade {
            self.grades.clean += 1;
            self.grades.records.add(grade.records);
            self.grades.class.add(grade.class);
            self.grades.byte.add(grade.byte);
        }
        if !case.outcome.is_failure() {
            return;
        }
        if case.known.is_some() {
            self.known += 1;
            return;
        }
        match case.standing {
            Standing::Counts => self.failures += 1,
            Standing::Warning => self.warnings += 1,
            Standing::Disputed => self.disputed += 1,
            Standing::NotJudged => self.not_judged += 1,
        }
    }

    /// How many cases had `outcome`.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.get(&outcome).copied().unwrap_or_default()
    }

    /// Whether every planned case is accounted for.
    pub fn add_up(&self) -> bool {
        let ran: usize = self.outcomes.values().sum();
        let failed: usize = Outcome::ALL
            .iter()
            .filter(|outcome| outcome.is_failure())
            .map(|outcome| self.count(*outcome))
            .sum();
        let sorted = self.known + self.failures + self.warnings + self.disputed + self.not_judged;
        self.planned == ran + self.not_run && failed == sorted
    }
}
