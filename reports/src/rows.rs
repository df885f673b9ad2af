//! A reader's results, counted by rule.

use std::collections::BTreeMap;

use crate::model::{CaseResult, ReaderResult};
use crate::outcome::{Outcome, Proof, Standing};

/// The results of the cases under one rule. Each case is counted in one place, so that a
/// row adds up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The format; empty in sums.
    pub format: String,
    /// The rule; nothing for cases about no rule.
    pub rule: Option<String>,
    /// All cases.
    pub cases: usize,
    /// Passes that are not in doubt.
    pub pass: usize,
    /// Passes that show nothing.
    pub unproven: usize,
    /// Failures on the list of known ones.
    pub known: usize,
    /// Declared gaps.
    pub unsupported: usize,
    /// Failures that do not count: warnings, disputed, not judged.
    pub excused: usize,
    /// Failures that count, by kind.
    pub failures: BTreeMap<Outcome, usize>,
}

impl Row {
    /// Whether every case of the row passes without doubt.
    pub fn is_clean(&self) -> bool {
        self.pass == self.cases
    }

    fn add(&mut self, case: &CaseResult) {
        self.cases += 1;
        let place = match case.outcome {
            Outcome::Pass if case.proof.is_none_or(Proof::is_proven) => &mut self.pass,
            Outcome::Pass => &mut self.unproven,
            Outcome::Unsupported => &mut self.unsupported,
            _ if case.known.is_some() => &mut self.known,
            _ if case.standing != Standing::Counts => &mut self.excused,
            failure => self.failures.entry(failure).or_default(),
        };
        *place += 1;
    }

    fn add_row(&mut self, other: &Self) {
        self.cases += other.cases;
        self.pass += other.pass;
        self.unproven += other.unproven;
        self.known += other.known;
        self.unsupported += other.unsupported;
        self.excused += other.excused;
        for (outcome, count) in &other.failures {
            *self.failures.entry(*outcome).or_default() += count;
        }
    }
}

/// The rows of `reader`, by format and rule; cases about no rule come last in their format.
pub fn by_rule(reader: &ReaderResult) -> Vec<Row> {
    let mut rows: BTreeMap<(&str, bool, &str), Row> = BTreeMap::new();
    for case in &reader.cases {
        let rule = case.rule();
        let key = (
            case.format.as_str(),
            rule.is_none(),
            rule.unwrap_or_default(),
        );
        rows.entry(key)
            .or_insert_with(|| Row {
                format: case.format.clone(),
                rule: rule.map(str::to_owned),
                ..Row::default()
            })
            .add(case);
    }
    rows.into_values().collect()
}

/// The sum of `rows`.
pub fn sum<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Row {
    let mut total = Row::default();
    for row in rows {
        total.add_row(row);
    }
    total
}
