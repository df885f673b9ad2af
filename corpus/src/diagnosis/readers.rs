//! Measures whether the first rows of a run's report name the bugs of a reader.

use std::collections::BTreeSet;

use tracegauge_plan::{OpId, Plan};

use super::Subjects;
use crate::case::Case;
use crate::formats::Formats;
use crate::matrix::{
    Certainty, Failure, Observed, Scope, composed, fingerprint, may_differ, touches,
};
use crate::mutation_score::{Answer, Oracle};
use crate::parallel;
use crate::progress::Progress;

/// Creates reports about readers in the same way as the harness.
pub trait Reports: Sync {
    /// Returns the oracle that the reports are based on.
    fn oracle(&self) -> &dyn Oracle;

    /// Prepares reports about `cases`, which belong to `formats`. `truths` contains the answers of
    /// a correct reader.
    fn reporter<'s>(
        &self,
        formats: &'s Formats,
        cases: &'s [&'s Case],
        truths: &[Answer],
    ) -> Box<dyn Reporter + 's>;
}

/// Creates reports about different readers of the same cases.
pub trait Reporter: Sync {
    /// Returns the number of failures and the rows of the report in order. `answers` contains the
    /// reader's answers to the cases with the given indexes; its answers to all other cases are
    /// correct.
    fn rows(&self, answers: &[(usize, Answer)]) -> (usize, Vec<Row>);
}

/// A row of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The rule that the row names, if any.
    pub rule: Option<String>,
    /// True if the row names the rule with certainty or with high probability.
    pub is_stated: bool,
    /// True if the row names the rule with certainty.
    pub is_certain: bool,
}

/// Totals for readers that have the same number of bugs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The number of readers.
    pub readers: usize,
    /// The total number of failures of all readers.
    pub failures: usize,
    /// The total number of bugs in all readers.
    pub bugs: usize,
    /// The number of bugs named by the first rows of the reports. For a reader with n bugs, the
    /// first n + 2 rows count as first rows.
    pub named: usize,
    /// The total number of rows in all reports.
    pub rows: usize,
    /// The number of rows that blame a rule that none of the reader's bugs violates.
    pub wrong: usize,
    /// The number of bugs named by the top-ranked explanations from the outcome matrix. For a
    /// reader with n bugs, the first n + 2 explanations count as top-ranked.
    pub explained: usize,
    /// The number of explanations from the outcome matrix that are certain.
    pub certain: usize,
    /// The number of certain explanations that name a rule that none of the reader's bugs violates.
    pub wrong_certain: usize,
    /// The number of readers whose first row names a rule that one of the reader's bugs violates.
    pub first: usize,
    /// The number of readers whose first report row wrongly names a rule with certainty: none of
    /// the reader's bugs violates the rule.
    pub wrongly_certain: usize,
}

/// The results of readers with the same number of bugs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readers {
    /// The number of bugs of each reader.
    pub bugs: usize,
    /// The totals for these readers.
    pub numbers: Numbers,
    /// The readers with one bug that is not named by the first row of the report.
    pub misnamed: Vec<Misnamed>,
}

/// A reader with one bug that is not named by the first row of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misnamed {
    /// The bug.
    pub mutant: String,
    /// The rules that identify the bug. A row that names any of them names the bug.
    pub rules: Vec<String>,
    /// The rule that the first row names, if any.
    pub named: Option<String>,
}

impl Numbers {
    /// Adds the results in `other` to these results.
    pub(super) fn add(&mut self, other: &Self) {
        self.readers += other.readers;
        self.failures += other.failures;
        self.bugs += other.bugs;
        self.named += other.named;
        self.rows += other.rows;
        self.wrong += other.wrong;
        self.explained += other.explained;
        self.certain += other.certain;
        self.wrong_certain += other.wrong_certain;
        self.first += other.first;
        self.wrongly_certain += other.wrongly_certain;
    }
}

/// The number of rows that count as first rows in addition to one row for each bug.
const MORE_ROWS: usize = 2;

pub(super) fn measure(
    subjects: &Subjects<'_>,
    groups: &[Vec<usize>],
    reporter: &dyn Reporter,
    progress: &dyn Progress,
) -> Readers {
    let of_readers = parallel::map(groups, |group| {
        let reader = reader(subjects, group, reporter);
        progress.step();
        reader
    });
    let mut readers = Readers {
        bugs: groups.first().map_or(0, Vec::len),
        ..Readers::default()
    };
    for ((numbers, named), group) in of_readers.into_iter().zip(groups) {
        readers.numbers.add(&numbers);
        if let ([mutant], 0) = (group.as_slice(), numbers.first) {
            readers.misnamed.push(Misnamed {
                mutant: subjects.mutants[*mutant].name().to_owned(),
                rules: subjects.mistakes[*mutant].rules.clone(),
                named,
            });
        }
    }
    readers
}

/// Returns the numbers for one reader, and the rule that the first row of its report names.
fn reader(
    subjects: &Subjects<'_>,
    group: &[usize],
    reporter: &dyn Reporter,
) -> (Numbers, Option<String>) {
    let made = subjects.made(group);
    let mutated = composed(subjects.bench.plan, &made);
    let answers = answers(subjects, &mutated, &touches(&made));
    let (failures, rows) = reporter.rows(&answers);
    let rules = |mutant: &usize| &subjects.mistakes[*mutant].rules;
    let all: BTreeSet<&String> = group.iter().flat_map(rules).collect();
    let is_right = |row: &&Row| row.rule.as_ref().is_some_and(|rule| all.contains(rule));
    let first = &rows[..rows.len().min(group.len() + MORE_ROWS)];
    let named_by = |named: &[&str]| {
        let is_named = |mutant: &&usize| {
            named
                .iter()
                .any(|rule| rules(mutant).iter().any(|it| it == rule))
        };
        group.iter().filter(is_named).count()
    };
    let named: Vec<&str> = first.iter().filter_map(|row| row.rule.as_deref()).collect();
    let explanations = explanations(subjects, &answers, group.len() + MORE_ROWS);
    let explained: Vec<&str> = explanations.iter().filter_map(|(rule, _)| *rule).collect();
    let certain = explanations.iter().filter(|(_, is_certain)| *is_certain);
    let is_wrong = |rule: &Option<&str>| !rule.is_some_and(|rule| all.iter().any(|it| *it == rule));
    let numbers = Numbers {
        readers: 1,
        failures,
        bugs: group.len(),
        named: named_by(&named),
        explained: named_by(&explained),
        certain: certain.clone().count(),
        wrong_certain: certain.filter(|(rule, _)| is_wrong(rule)).count(),
        rows: rows.len(),
        wrong: rows
            .iter()
            .filter(|row| row.is_stated && !is_right(row))
            .count(),
        first: rows.iter().take(1).filter(is_right).count(),
        wrongly_certain: rows
            .iter()
            .take(1)
            .filter(|row| row.is_certain && !is_right(row))
            .count(),
    };
    let first = rows.into_iter().next();
    (numbers, first.and_then(|row| row.rule))
}

/// Returns the rules named by the top-ranked explanations from the outcome matrix, each with a flag
/// that is true if the explanation is certain.
fn explanations<'s>(
    subjects: &'s Subjects<'_>,
    answers: &[(usize, Answer)],
    most: usize,
) -> Vec<(Option<&'s str>, bool)> {
    let (cases, oracle) = (subjects.bench.cases, subjects.bench.oracle);
    let mut observed: Vec<Observed<'_>> = cases
        .iter()
        .map(|one| Observed {
            case: &one.case.id,
            version: one.case.version,
            failure: None,
        })
        .collect();
    for (index, answer) in answers {
        let judged = oracle.judge(cases[*index].case, answer);
        let failed = judged.filter(|(wrong, _)| wrong.fails());
        observed[*index].failure = failed.map(|(wrong, parting)| Failure {
            wrong,
            difference: parting.map(|it| fingerprint(&it, oracle)),
        });
    }
    let found = subjects.matrix.explain(observed, Scope::Records, most);
    let explanations = found.explanations.iter().map(|it| {
        let first = it.mistakes.first();
        let rule = first.and_then(|mistake| subjects.matrix.mistakes[*mistake].rule());
        (rule, it.certainty == Certainty::Certain)
    });
    explanations.collect()
}

/// Returns the answers of a mutated plan that differ from the answers of the unmodified plan, each
/// with the index of its case.
fn answers(subjects: &Subjects<'_>, mutated: &Plan, touches: &[OpId]) -> Vec<(usize, Answer)> {
    let cases = subjects.bench.cases.iter().enumerate();
    let cases = cases.filter(|(_, one)| may_differ(touches, one));
    let answers = cases.filter_map(|(index, one)| {
        let other = subjects.bench.other_answer(mutated, one)?;
        Some((index, other))
    });
    answers.collect()
}
