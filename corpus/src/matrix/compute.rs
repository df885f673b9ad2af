//! Computes an outcome matrix by running every mistake (a bug planted in the decoder) against every
//! case that it may affect.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use tracegauge_plan::mutate::Mutant;
use tracegauge_plan::{OpId, Plan};

use super::mistake::composed;
use super::{Cell, Column, Failure, Identity, Matrix, Mistake, fingerprint, mistakes};
use crate::case::Case;
use crate::mutation_score::{Bench, Oracle, Prepared, Wrong, deep};
use crate::parallel;
use crate::progress::Progress;

/// An error in the answer that the decoder with a planted mistake gives to a case.
#[derive(Clone, Debug)]
struct Judged {
    /// The index of the case.
    pub(crate) case: usize,
    /// The kind of error in the answer. Not every kind of error is a failure.
    pub(crate) wrong: Wrong,
    /// The fingerprint of the first difference between the records.
    pub(crate) difference: Option<u32>,
}

impl Judged {
    fn failure(&self) -> Failure {
        Failure {
            wrong: self.wrong,
            difference: self.difference,
        }
    }
}

/// Returns the operations that the mutants change. Returns an empty list if every trace may be
/// affected.
pub(crate) fn touches(made: &[&Mutant]) -> Vec<OpId> {
    if made.iter().any(|mutant| mutant.touches().is_empty()) {
        return Vec::new();
    }
    let touches = made.iter().flat_map(|mutant| mutant.touches());
    touches.copied().collect()
}

pub(crate) fn may_differ(touches: &[OpId], one: &Prepared<'_>) -> bool {
    touches.is_empty() || touches.iter().any(|op| one.touches(*op))
}

/// Computes the matrix of `cases`, which all have the format of `plan`. The result does not depend
/// on the number of threads.
pub fn compute(
    plan: &Plan,
    cases: &[&Case],
    oracle: &dyn Oracle,
    progress: &dyn Progress,
) -> Matrix {
    deep(|| {
        let prepared = parallel::map(cases, |case| Prepared::new(plan, case));
        let mut bare = plan.clone();
        bare.forget_programs();
        let bench = Bench {
            plan: &bare,
            cases: &prepared,
            oracle,
        };
        let (mutants, mistakes) = mistakes(plan);
        progress.begin("running mutants", mistakes.len() as u64);
        let rows = rows(&bench, &mutants, &mistakes, progress);
        progress.end();
        of_rows(plan, &prepared, mistakes, &rows)
    })
}

/// A matrix that was computed with a limited amount of work.
#[derive(Clone, Debug)]
pub struct Limited {
    /// The matrix, which contains outcomes only for mistakes that may explain a failure.
    pub matrix: Matrix,
    /// The number of mistakes that were not run against all cases, so that some of their outcomes
    /// are unknown.
    pub left_out: usize,
}

/// Computes as much of a matrix as is needed to explain the outcomes of a reader, executing at most
/// `budget` operations of the decoder. Mistakes that explain the most failures are the first to be
/// run on the cases that the reader passes. The result depends neither on the number of threads nor
/// on their speed.
pub fn compute_within(
    plan: &Plan,
    outcomes: &[(&Case, Option<Failure>)],
    oracle: &dyn Oracle,
    budget: u64,
    progress: &dyn Progress,
) -> Limited {
    deep(|| {
        let prepared = parallel::map(outcomes, |(case, _)| Prepared::new(plan, case));
        let mut bare = plan.clone();
        bare.forget_programs();
        let bench = Bench {
            plan: &bare,
            cases: &prepared,
            oracle,
        };
        let (mutants, mistakes) = mistakes(plan);
        let search = LimitedSearch {
            bench: &bench,
            mutants: &mutants,
            mistakes: &mistakes,
            outcomes,
        };
        progress.begin("running mutants", 3 * mistakes.len() as u64);
        let (rows, left_out) = search.rows(budget, progress);
        progress.end();
        Limited {
            matrix: of_rows(plan, &prepared, mistakes, &rows),
            left_out,
        }
    })
}

/// The maximum number of failures that all mistakes are compared with first.
const SAMPLE: usize = 12;

/// A computation with a limited amount of work.
struct LimitedSearch<'s> {
    bench: &'s Bench<'s>,
    mutants: &'s [Mutant],
    mistakes: &'s [Mistake],
    outcomes: &'s [(&'s Case, Option<Failure>)],
}

impl LimitedSearch<'_> {
    /// Runs all mistakes against the cases that the reader fails, and then runs the mistakes that
    /// explain a failure against all other cases. Returns the rows, which are empty for mistakes
    /// that explain no failure, and the number of mistakes that exceeded the budget.
    fn rows(&self, budget: u64, progress: &dyn Progress) -> (Vec<Vec<Judged>>, usize) {
        let mut found: HashMap<usize, Vec<Judged>> = HashMap::new();
        let is_failed = |case: usize| self.outcomes[case].1.is_some();
        let sample = self.sample();
        let all: Vec<usize> = (0..self.mistakes.len()).collect();
        // Mistakes that explain failures of the sample come first, in case the budget does not suffice
        // for all mistakes.
        let is_sampled = |case: usize| sample.contains(&case);
        let (able, mut spent) = self.affordable(&all, budget / 4, &is_sampled);
        self.run(&able, &is_sampled, &mut found, progress);
        let is_other = |case: usize| is_failed(case) && !is_sampled(case);
        let mut left_out = all.len() - able.len();
        let likely = self.by_explained(able, &found);
        let (able, cost) = self.affordable(&likely, budget / 2 - spent, &is_other);
        left_out += likely.len() - able.len();
        spent += cost;
        self.run(&able, &is_other, &mut found, progress);
        let mut suspects = self.by_explained(able, &found);
        suspects.retain(|mistake| self.explained(&found, mistake) > 0);
        let is_passed = |case: usize| !is_failed(case);
        let (tried, _) = self.affordable(&suspects, budget - spent, &is_passed);
        left_out += suspects.len() - tried.len();
        self.run(&tried, &is_passed, &mut found, progress);
        let mut rows: Vec<Vec<Judged>> = vec![Vec::new(); self.mistakes.len()];
        for mistake in tried {
            rows[mistake] = found.remove(&mistake).unwrap_or_default();
        }
        (rows, left_out)
    }

    /// Returns up to [`SAMPLE`] of the cases that the reader fails, from short to long ones.
    fn sample(&self) -> HashSet<usize> {
        let failed = (0..self.outcomes.len()).filter(|case| self.outcomes[*case].1.is_some());
        let mut failed: Vec<usize> = failed.collect();
        failed.sort_by_key(|case| (self.bench.cases[*case].work, *case));
        let step = failed.len().div_ceil(SAMPLE).max(1);
        failed.into_iter().step_by(step).collect()
    }

    /// Returns the number of failures that a mistake has explained so far.
    fn explained(&self, found: &HashMap<usize, Vec<Judged>>, mistake: &usize) -> usize {
        let row = found.get(mistake).into_iter().flatten();
        row.filter(|judged| self.is_same(judged)).count()
    }

    /// Sorts mistakes by the number of failures that they explain, highest first. Mistakes with equal
    /// numbers stay in order.
    fn by_explained(
        &self,
        mut mistakes: Vec<usize>,
        found: &HashMap<usize, Vec<Judged>>,
    ) -> Vec<usize> {
        mistakes.sort_by_cached_key(|mistake| Reverse(self.explained(found, mistake)));
        mistakes
    }

    /// Returns the longest prefix of `mistakes` that can be run against the cases accepted by
    /// `is_meant` within `budget` operations, and the number of operations needed.
    fn affordable(
        &self,
        mistakes: &[usize],
        budget: u64,
        is_meant: &(dyn Fn(usize) -> bool + Sync),
    ) -> (Vec<usize>, u64) {
        let cost = |mistake: &usize| -> u64 {
            let touches = touches(&self.made(*mistake));
            let cases = self.bench.cases.iter().enumerate();
            let cases = cases.filter(|(case, one)| is_meant(*case) && may_differ(&touches, one));
            cases.map(|(_, one)| one.work).sum()
        };
        let costs: Vec<u64> = parallel::map(mistakes, cost);
        let mut spent = 0_u64;
        let able = mistakes.iter().zip(costs).take_while(|(_, cost)| {
            spent = spent.saturating_add(*cost);
            spent <= budget
        });
        let able: Vec<usize> = able.map(|(mistake, _)| *mistake).collect();
        (able, spent.min(budget))
    }

    /// Runs mistakes against the cases accepted by `is_meant`, and adds the wrong answers to `found`.
    fn run(
        &self,
        mistakes: &[usize],
        is_meant: &(dyn Fn(usize) -> bool + Sync),
        found: &mut HashMap<usize, Vec<Judged>>,
        progress: &dyn Progress,
    ) {
        let rows = parallel::map(mistakes, |mistake| {
            let row = row(self.bench, &self.made(*mistake), is_meant);
            progress.step();
            row.judged
        });
        for (mistake, row) in mistakes.iter().zip(rows) {
            found.entry(*mistake).or_default().extend(row);
        }
    }

    fn made(&self, mistake: usize) -> Vec<&Mutant> {
        let made = self.mistakes[mistake].mutants.iter();
        made.map(|index| &self.mutants[*index]).collect()
    }

    /// Returns true if the reader fails the case in the same way as the decoder with the mistake.
    fn is_same(&self, judged: &Judged) -> bool {
        let (_, reader) = self.outcomes[judged.case];
        reader.is_some_and(|reader| reader.is_shown_by(judged.failure()))
    }
}

/// Runs every mistake against every case that it may affect. The result has one row for each
/// mistake.
///
/// A combination of mutants is run against a case only if at least one of its mutants alone answers
/// the case differently from the unmodified plan.
fn rows(
    bench: &Bench<'_>,
    mutants: &[Mutant],
    mistakes: &[Mistake],
    progress: &dyn Progress,
) -> Vec<Vec<Judged>> {
    let single: Vec<Row> = parallel::map(mutants, |mutant| {
        let row = row(bench, &[mutant], &|_| true);
        progress.step();
        row
    });
    let combined = parallel::map(&mistakes[mutants.len()..], |mistake| {
        let members = || mistake.mutants.iter();
        let made: Vec<&Mutant> = members().map(|index| &mutants[*index]).collect();
        let differing = members().flat_map(|index| &single[*index].differing);
        let differing: HashSet<usize> = differing.copied().collect();
        let row = row(bench, &made, &|case| differing.contains(&case));
        progress.step();
        row.judged
    });
    let single = single.into_iter().map(|row| row.judged);
    single.chain(combined).collect()
}

/// The answers of the decoder with a mistake planted in it.
struct Row {
    judged: Vec<Judged>,
    /// The cases that the decoder with the mistake answers differently from the unmodified decoder,
    /// even if both answers are correct.
    differing: Vec<usize>,
}

/// Runs the combination of the mutants `made` against the cases that it may affect and that
/// `is_meant` accepts.
fn row(bench: &Bench<'_>, made: &[&Mutant], is_meant: &dyn Fn(usize) -> bool) -> Row {
    let mutated = composed(bench.plan, made);
    let touches = touches(made);
    let cases = bench.cases.iter().enumerate();
    let cases = cases.filter(|(case, one)| is_meant(*case) && may_differ(&touches, one));
    let mut row = Row {
        judged: Vec::new(),
        differing: Vec::new(),
    };
    for (case, one) in cases {
        let Some(found) = bench.other_answer(&mutated, one) else {
            continue;
        };
        row.differing.push(case);
        if let Some((wrong, parting)) = bench.oracle.judge(one.case, &found) {
            row.judged.push(Judged {
                case,
                wrong,
                difference: parting.map(|it| fingerprint(&it, bench.oracle)),
            });
        }
    }
    row
}

/// Creates a matrix from the answers to `cases`. The matrix contains only the failures.
fn of_rows(
    plan: &Plan,
    cases: &[Prepared<'_>],
    mistakes: Vec<Mistake>,
    rows: &[Vec<Judged>],
) -> Matrix {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_unstable_by_key(|index| cases[*index].case.id.as_str());
    let mut place = vec![0; cases.len()];
    for (column, index) in order.iter().enumerate() {
        place[*index] = column;
    }
    let is_failure = |judged: &&Judged| judged.wrong.fails();
    let mut failures: Vec<Vec<Failure>> = vec![Vec::new(); cases.len()];
    for judged in rows.iter().flatten().filter(is_failure) {
        failures[place[judged.case]].push(judged.failure());
    }
    for known in &mut failures {
        known.sort_unstable();
        known.dedup();
    }
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let cell = |judged: &Judged| {
        let column = place[judged.case];
        let found = failures[column].binary_search(&judged.failure());
        Cell {
            column: number(column),
            failure: number(found.unwrap_or_default()),
        }
    };
    let rows = rows.iter().map(|row| {
        let mut cells: Vec<Cell> = row.iter().filter(is_failure).map(cell).collect();
        cells.sort_unstable_by_key(|cell| cell.column);
        cells
    });
    let rows = rows.collect();
    let all: Vec<&Case> = cases.iter().map(|one| one.case).collect();
    let identity = Identity::of(plan, &all, &mistakes);
    let columns = order.iter().zip(failures).map(|(index, failures)| Column {
        case: cases[*index].case.id.clone(),
        version: cases[*index].case.version,
        failures,
    });
    Matrix {
        format: plan.format.clone(),
        identity,
        mistakes,
        columns: columns.collect(),
        rows,
    }
}
