//! Looks up which planted mistakes explain the failures of a reader.
//!
//! The matrix records how a decoder with each planted mistake reads each case. A mistake explains a
//! failure *exactly* if it makes the case fail in the same way: with the same wrong verdict or, if
//! the reader reports wrong records, with the same first difference. A mistake explains a failure
//! *nearly* if it makes the case fail in a different way, which happens when another bug in the
//! reader takes effect first. A case that the mistake breaks but the reader passes *contradicts*
//! the mistake.
//!
//! The search tries to explain the failures of a reader with as few mistakes as possible: it
//! repeatedly chooses the mistake that best explains the remaining failures. A contradicted mistake
//! is chosen only for failures that no other mistake explains.

use std::cmp::Reverse;

use super::{Failure, Matrix};

/// The outcome of a reader for a case.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'r> {
    /// The case.
    pub case: &'r str,
    /// The version of the case.
    pub version: u32,
    /// How the reader fails the case, or `None` if the reader passes it.
    pub failure: Option<Failure>,
}

/// The contents of a reader's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Verdicts only. Passed cases therefore do not contradict a mistake that causes wrong records.
    Verdicts,
    /// Verdicts and records.
    Records,
}

/// A mistake that explains failures, together with other mistakes that explain the same failures
/// equally well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation<'r> {
    /// Indexes of the mistakes in [`Matrix::mistakes`], simplest first. The list contains at least
    /// one mistake.
    pub mistakes: Vec<usize>,
    /// The failures that the mistake explains exactly and that no earlier explanation accounts for
    /// exactly.
    pub exact: Vec<&'r str>,
    /// The failures that the mistake nearly explains and that no explanation accounts for exactly.
    pub near: Vec<&'r str>,
    /// How many of the failures in `exact` show the same wrong records as the decoder with the
    /// mistake.
    pub same_records: usize,
    /// The cases that the reader passes, although the decoder with the mistake fails them.
    pub contradicted: Vec<&'r str>,
    /// How certain it is that the reader makes the first of the mistakes.
    pub certainty: Certainty,
}

/// The certainty of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The reader fails every case that the mistake breaks, mostly in exactly the same way, and all
    /// equally good mistakes are about the same rule.
    Certain,
    /// The reader passes no case that the mistake breaks.
    Likely,
    /// The reader passes some cases that the mistake breaks.
    Near,
}

/// The explanations of a reader's failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained<'r> {
    /// The explanations, in the order they were chosen.
    pub explanations: Vec<Explanation<'r>>,
    /// The failures that no explanation accounts for, not even nearly.
    pub unexplained: Vec<&'r str>,
    /// The failures in cases that the matrix does not contain, or contains only in a different
    /// version.
    pub unknown: Vec<&'r str>,
}

/// The minimum number of failures that a mistake must explain if passed cases contradict it.
const LEAST: usize = 2;

impl Matrix {
    /// Explains the failures among `observed` with at most `most` mistakes. Takes a few
    /// milliseconds.
    pub fn explain<'r>(
        &self,
        observed: impl IntoIterator<Item = Observed<'r>>,
        scope: Scope,
        most: usize,
    ) -> Explained<'r> {
        let mut explained = Explained::default();
        let mut reader = Reader {
            outcomes: vec![None; self.columns.len()],
            scope,
        };
        for one in observed {
            let column = self.column(one.case);
            let column = column.filter(|it| self.columns[*it].version == one.version);
            match column {
                Some(column) => reader.outcomes[column] = Some((one.case, one.failure)),
                None if one.failure.is_some() => explained.unknown.push(one.case),
                None => {}
            }
        }
        let mut search = Search::new(self, &reader);
        while explained.explanations.len() < most {
            let Some(explanation) = search.choose() else {
                break;
            };
            explained.explanations.push(explanation);
        }
        search.settle(&mut explained.explanations);
        let left = search.left.iter().zip(&reader.outcomes);
        let left = left.filter_map(|(left, outcome)| outcome.filter(|_| *left));
        explained.unexplained = left.map(|(case, _)| case).collect();
        explained
    }
}

/// The outcomes of a reader, indexed by the columns of the matrix.
struct Reader<'r> {
    /// The case and the failure, or `None` if the case did not run.
    outcomes: Vec<Option<(&'r str, Option<Failure>)>>,
    scope: Scope,
}

/// The relation between the answer of the decoder with a mistake and the reader's answer to the
/// same case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Exact,
    Near,
    Contradicted,
    /// The case did not run, or the reader does not report the part of the answer that is wrong.
    None,
}

impl Reader<'_> {
    fn relation(&self, column: usize, mistake: Failure) -> Relation {
        let Some((_, outcome)) = self.outcomes[column] else {
            return Relation::None;
        };
        match outcome {
            None if self.scope == Scope::Verdicts && mistake.is_records() => Relation::None,
            None => Relation::Contradicted,
            Some(reader) if reader.is_shown_by(mistake) => Relation::Exact,
            Some(_) => Relation::Near,
        }
    }
}

impl Failure {
    fn is_records(self) -> bool {
        self.wrong == crate::mutation_score::Wrong::Records
    }

    /// Returns true if `mistake` makes the case fail in the same way as the reader does. If the
    /// first wrong record of the reader is known, the mistake must produce the same wrong record,
    /// even if the record precedes a wrong rejection.
    pub fn is_shown_by(self, mistake: Self) -> bool {
        let is_same = |difference| mistake.difference == Some(difference);
        self.wrong == mistake.wrong && self.difference.is_none_or(is_same)
    }
}

/// A mistake that explains at least one failure.
struct Suspect {
    mistake: usize,
    /// The columns (cases) whose failures the mistake explains exactly.
    exact: Vec<usize>,
    /// The columns whose failures the mistake nearly explains.
    near: Vec<usize>,
    /// The columns whose outcomes contradict the mistake.
    contradicted: Vec<usize>,
}

struct Search<'s, 'r> {
    matrix: &'s Matrix,
    reader: &'s Reader<'r>,
    suspects: Vec<Suspect>,
    /// For each column, whether it has a failure that has not been explained yet.
    left: Vec<bool>,
    /// Indexes of the chosen suspects.
    chosen: Vec<usize>,
}

impl<'s, 'r> Search<'s, 'r> {
    fn new(matrix: &'s Matrix, reader: &'s Reader<'r>) -> Self {
        let suspects = (0..matrix.mistakes.len()).filter_map(|mistake| {
            let mut suspect = Suspect {
                mistake,
                exact: Vec::new(),
                near: Vec::new(),
                contradicted: Vec::new(),
            };
            for cell in &matrix.rows[mistake] {
                let column = cell.column as usize;
                match reader.relation(column, matrix.failure(*cell)) {
                    Relation::Exact => suspect.exact.push(column),
                    Relation::Near => suspect.near.push(column),
                    Relation::Contradicted => suspect.contradicted.push(column),
                    Relation::None => {}
                }
            }
            (!suspect.exact.is_empty()).then_some(suspect)
        });
        let is_failure = |outcome: &Option<(&str, Option<Failure>)>| {
            outcome.is_some_and(|(_, failure)| failure.is_some())
        };
        Self {
            matrix,
            reader,
            suspects: suspects.collect(),
            left: reader.outcomes.iter().map(is_failure).collect(),
            chosen: Vec::new(),
        }
    }

    /// Chooses the mistake that best explains the remaining failures.
    fn choose(&mut self) -> Option<Explanation<'r>> {
        let index = self.best(|it| it.contradicted.is_empty());
        let index = index.or_else(|| self.least_contradicted())?;
        let equal = self.equal_to(index);
        let suspect = &self.suspects[index];
        let explained = suspect.exact.iter().copied();
        let explained: Vec<usize> = explained.filter(|column| self.left[*column]).collect();
        for column in &explained {
            self.left[*column] = false;
        }
        self.chosen.push(index);
        let suspect = &self.suspects[index];
        let has_records = |column: &&usize| {
            let outcome = self.reader.outcomes[**column];
            let failure = outcome.and_then(|(_, failure)| failure);
            failure.is_some_and(|it| it.is_records() && it.difference.is_some())
        };
        let mistakes = [index].into_iter().chain(equal);
        let mistakes: Vec<usize> = mistakes.map(|it| self.suspects[it].mistake).collect();
        Some(Explanation {
            same_records: explained.iter().filter(has_records).count(),
            certainty: Certainty::Likely,
            mistakes,
            exact: self.named(&explained),
            near: Vec::new(),
            contradicted: self.named(&suspect.contradicted),
        })
    }

    fn named(&self, columns: &[usize]) -> Vec<&'r str> {
        let outcomes = columns.iter().map(|column| self.reader.outcomes[*column]);
        outcomes.flatten().map(|(case, _)| case).collect()
    }

    /// Returns the number of failures that a suspect explains exactly and that no chosen suspect
    /// explains exactly.
    fn gain(&self, suspect: &Suspect) -> usize {
        let exact = suspect.exact.iter();
        exact.filter(|column| self.left[**column]).count()
    }

    /// Returns the best suspect that `is_allowed` accepts. A suspect gains a point for each
    /// remaining failure that it explains exactly, and loses half a point for each failure that it
    /// explains only nearly, because another bug would have to hide the mistake there. Among
    /// equally good suspects, mistakes in fewer places take precedence, and then earlier mistakes.
    fn best(&self, is_allowed: impl Fn(&Suspect) -> bool) -> Option<usize> {
        let suspects = self.suspects.iter().enumerate();
        let able = suspects.filter_map(|(index, suspect)| {
            let gain = self.gain(suspect);
            let is_able = gain > 0 && is_allowed(suspect);
            is_able.then(|| (self.worth(suspect, gain), index))
        });
        able.max_by_key(|(worth, index)| (*worth, Reverse(*index)))
            .map(|(_, index)| index)
    }

    /// Returns the rank of a suspect. Higher is better.
    fn worth(&self, suspect: &Suspect, gain: usize) -> (i64, Reverse<usize>) {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let worth = 2 * number(gain) - number(suspect.near.len());
        let places = self.matrix.mistakes[suspect.mistake].mutants.len();
        (worth, Reverse(places))
    }

    /// Returns the suspect that best balances explained failures against contradictions. Suspects
    /// whose contradictions exceed half of the failures that they explain are not considered. The
    /// rank of any other suspect is the number of failures that it explains, divided by the sum of
    /// the number of unexplained failures and the number of its contradictions.
    fn least_contradicted(&self) -> Option<usize> {
        let unexplained = self.left.iter().filter(|left| **left).count();
        let suspects = self.suspects.iter().enumerate();
        let able = suspects.filter_map(|(index, suspect)| {
            let (gain, against) = (self.gain(suspect), suspect.contradicted.len());
            let is_able = gain >= LEAST && 2 * against <= gain;
            is_able.then(|| (1_000_000 * gain / (unexplained + against), index))
        });
        able.max_by_key(|(worth, index)| (*worth, Reverse(*index)))
            .map(|(_, index)| index)
    }

    /// Returns the suspects other than `index` that explain exactly the same remaining failures,
    /// affect the same number of places, and are not contradicted.
    fn equal_to(&self, index: usize) -> Vec<usize> {
        let chosen = &self.suspects[index];
        if !chosen.contradicted.is_empty() {
            return Vec::new();
        }
        let explained = |suspect: &Suspect| -> Vec<usize> {
            let exact = suspect.exact.iter().copied();
            exact.filter(|column| self.left[*column]).collect()
        };
        let worth = |suspect: &Suspect| self.worth(suspect, self.gain(suspect));
        let (wanted, rank) = (explained(chosen), worth(chosen));
        let others = self.suspects.iter().enumerate().filter(|(other, suspect)| {
            *other != index
                && suspect.contradicted.is_empty()
                && worth(suspect) == rank
                && explained(suspect) == wanted
        });
        others.map(|(other, _)| other).collect()
    }

    /// After all explanations have been chosen, decides how certain each explanation is and which
    /// failures it nearly explains.
    fn settle(&mut self, explanations: &mut [Explanation<'r>]) {
        for (explanation, index) in explanations.iter_mut().zip(&self.chosen) {
            let suspect = &self.suspects[*index];
            explanation.certainty = self.certainty(suspect, &explanation.mistakes);
        }
        self.assign_near(explanations);
    }

    /// Returns how certain an explanation is. Ignores failures that this explanation nearly
    /// accounts for but that another one accounts for exactly.
    fn certainty(&self, suspect: &Suspect, mistakes: &[usize]) -> Certainty {
        if !suspect.contradicted.is_empty() {
            return Certainty::Near;
        }
        let rule = |mistake: &usize| self.matrix.mistakes[*mistake].rule();
        let first = mistakes.first().and_then(rule);
        let is_one_rule = first.is_some() && mistakes.iter().all(|it| rule(it) == first);
        let near = suspect.near.iter().filter(|column| self.left[**column]);
        let is_mostly_exact = suspect.exact.len() >= near.count();
        match is_one_rule && is_mostly_exact {
            true => Certainty::Certain,
            false => Certainty::Likely,
        }
    }

    /// Assigns each remaining failure to the first explanation that nearly accounts for it.
    fn assign_near(&mut self, explanations: &mut [Explanation<'r>]) {
        for (explanation, index) in explanations.iter_mut().zip(&self.chosen) {
            for column in &self.suspects[*index].near {
                if std::mem::take(&mut self.left[*column])
                    && let Some((case, _)) = self.reader.outcomes[*column]
                {
                    explanation.near.push(case);
                }
            }
        }
    }
}
