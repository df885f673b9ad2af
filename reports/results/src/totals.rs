//! The totals of a reader's results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::CaseResult;
use crate::outcome::{Outcome, Proof, Standing};

/// The totals of a reader's results. `planned` is counted before the run and the other fields after
/// it, so that lost results are detected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The number of planned cases.
    pub planned: usize,
    /// The number of planned cases that did not run.
    pub not_run: usize,
    /// The number of cases that ran, by outcome.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// Passes that prove that the reader distinguishes valid from malformed traces.
    pub proven: usize,
    /// Passes that may be accidental.
    pub unproven: usize,
    /// Unproven passes with exit status 1, which may also be the result of a crash.
    pub perhaps_crashed: usize,
    /// Failures in the baseline.
    pub known: usize,
    /// Failures of recommendations.
    pub warnings: usize,
    /// Failures of disputed cases.
    pub disputed: usize,
    /// Failures of rules that are judged only in strict runs.
    pub not_judged: usize,
    /// Failures that fail the run.
    pub failures: usize,
    /// Cases that failed when they ran together with other cases but not when they ran alone.
    pub unsteady: usize,
    /// The quality of correct rejections.
    pub grades: Grades,
}

/// The quality of correct rejections. For each property, contains the number of rejections that
/// report it and the number that report it correctly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grades {
    /// The number of correct rejections.
    pub clean: usize,
    /// The records before the fault.
    pub records: Step,
    /// The class of the fault.
    pub class: Step,
    /// The position of the fault.
    pub byte: Step,
}

/// The counts for one property of correct rejections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The number of rejections that report the property correctly.
    pub right: usize,
    /// The number of rejections that report the property.
    pub reported: usize,
}

impl Step {
    fn add(&mut self, step: Option<bool>) {
        self.reported += usize::from(step.is_some());
        self.right += usize::from(step == Some(true));
    }
}

impl Totals {
    /// Computes the totals of a run with `planned` planned cases, including `not_run` cases that
    /// did not run.
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

    /// Returns the number of cases with `outcome`.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.get(&outcome).copied().unwrap_or_default()
    }

    /// Returns whether every planned case is accounted for.
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
