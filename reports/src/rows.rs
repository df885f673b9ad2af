//! A reader's results, counted by rule.

use std::collections::BTreeMap;

use tracegauge_results::{CaseResult, Outcome, Proof, ReaderResult, Standing};

/// The results of the cases that are counted under one rule. Each case is counted in exactly one
/// field, so the fields add up to `cases`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The format, or an empty string if the row is a sum.
    pub format: String,
    /// The rule, or `None` for cases that test no rule.
    pub rule: Option<String>,
    /// The number of cases.
    pub cases: usize,
    /// Passes that are proven, and passes of cases that have more than one correct verdict.
    pub pass: usize,
    /// Passes that prove nothing.
    pub unproven: usize,
    /// Failures in the baseline.
    pub known: usize,
    /// Unsupported features that the reader file declares.
    pub unsupported: usize,
    /// Other failures that do not fail the run: warnings, disputed cases, and cases that are not
    /// judged.
    pub excused: usize,
    /// Failures that fail the run, by outcome.
    pub failures: BTreeMap<Outcome, usize>,
}

impl Row {
    /// Returns whether every case of the row is counted in `pass`.
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

/// Counts the cases of `reader` by format and rule. Within a format, cases that test no rule come
/// last.
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

/// Returns the sum of `rows`.
pub fn sum<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Row {
    let mut total = Row::default();
    for row in rows {
        total.add_row(row);
    }
    total
}
