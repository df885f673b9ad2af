//! Compares a reader's verdicts with those of a reader that ignores the content of the traces.
//!
//! A reader that answers at random passes about half of the cases, and many of its passes therefore
//! appear to prove that it distinguishes valid from malformed traces. A reader that looks only at
//! the size of a trace does better than chance, because a truncated trace is smaller than the valid
//! trace that it was made from. Verdicts are therefore compared among traces of the same size: if
//! they do not depend on whether the trace is valid, the accepted traces are a random sample of the
//! traces of this size. The number of valid traces among the accepted traces then has a
//! hypergeometric distribution, whose mean and variance are summed over all sizes (the
//! Cochran–Mantel–Haenszel test). Verdicts must also be better than chance among all traces.

use std::collections::{HashMap, HashSet};

use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_protocol::Answer;
use tracegauge_results::Verdicts;

use super::Response;

/// The number of standard deviations by which a reader must be better than chance. A reader that
/// answers at random reaches this number about once in 30,000 formats.
const CLEARLY: f64 = 4.0;
/// Like [`CLEARLY`], but for the comparison among traces of the same size. The number is lower,
/// because fewer traces have the same size. A reader that looks only at the size of a trace is
/// never better than chance in this comparison.
const CLEARLY_BY_SIZE: f64 = 3.0;
/// The number of standard deviations by which a reader without mistakes must be better than chance.
/// Below this number, there are too few traces to judge any reader: a reader with many mistakes
/// might not be clearly better than chance.
const ENOUGH: f64 = 8.0;
/// Like [`ENOUGH`], but for the comparison among traces of the same size.
const ENOUGH_BY_SIZE: f64 = 5.0;
/// The minimum number of different answers with correct records that cannot be due to chance. A
/// reader that prints the same records for every trace gives only one such answer.
const RECORDS: usize = 3;

/// The rates at which a reader accepts and rejects traces, as shares of its answers to the cases of
/// a format.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rates {
    pub(super) accepts: f64,
    pub(super) rejects: f64,
}

/// The comparisons with chance, one for each format.
#[derive(Debug)]
pub(super) struct Chances<'a>(HashMap<&'a str, Chance>);

#[derive(Debug)]
struct Chance {
    rates: Rates,
    verdicts: Verdicts,
}

impl<'a> Chances<'a> {
    /// Compares the responses to `cases` with chance.
    pub(super) fn of(cases: &[&'a Case], responses: &[Option<Response>]) -> Self {
        let mut formats: HashMap<&str, Evidence> = HashMap::new();
        for (case, response) in cases.iter().zip(responses) {
            if let Some(response) = response {
                let evidence = formats.entry(&case.format).or_default();
                evidence.add(case, response);
            }
        }
        let chance = |(format, evidence): (&'a str, Evidence)| (format, evidence.chance());
        Self(formats.into_iter().map(chance).collect())
    }

    pub(super) fn verdicts(&self, format: &str) -> Verdicts {
        self.0
            .get(format)
            .map_or(Verdicts::TooFew, |it| it.verdicts)
    }

    pub(super) fn rates(&self, format: &str) -> Rates {
        self.0
            .get(format)
            .map_or_else(Rates::default, |it| it.rates)
    }
}

/// The evidence from a reader's answers to the cases of one format.
#[derive(Default)]
struct Evidence {
    answers: usize,
    accepts: usize,
    rejects: usize,
    /// The verdicts, grouped by the size of the trace.
    by_size: HashMap<u64, Table>,
    /// The different lists of records that the reader reported, counting only correct lists.
    records: HashSet<String>,
}

impl Evidence {
    fn add(&mut self, case: &Case, response: &Response) {
        let accepts = match response.answer {
            Answer::Accept => Some(true),
            Answer::Reject(_) => Some(false),
            Answer::Unsupported { .. } | Answer::Broke(_) => None,
        };
        self.answers += 1;
        self.accepts += usize::from(accepts == Some(true));
        self.rejects += usize::from(accepts == Some(false));
        let is_valid = match case.expected.verdict {
            ExpectedVerdict::Accept => true,
            ExpectedVerdict::Reject => false,
            ExpectedVerdict::Either => return,
        };
        let table = self.by_size.entry(case.trace().length()).or_default();
        table.add(is_valid, accepts);
        let is_read = accepts == Some(true) && is_valid && self.records.len() < RECORDS;
        let seen = response.seen.as_ref().filter(|_| is_read);
        if seen.is_some_and(|seen| seen.expected && seen.reported > 0 && seen.whole.is_none()) {
            let records = format!("{:?}", case.expected.records.first());
            self.records.insert(records);
        }
    }

    fn chance(self) -> Chance {
        let verdicts = match self.records.len() {
            RECORDS.. => Verdicts::BetterThanChance,
            _ => self.verdicts(),
        };
        let share = |count: usize| count as f64 / self.answers.max(1) as f64;
        Chance {
            rates: Rates {
                accepts: share(self.accepts),
                rejects: share(self.rejects),
            },
            verdicts,
        }
    }

    /// Compares the verdicts among all traces and, if enough traces have the same size, among
    /// traces of the same size.
    fn verdicts(&self) -> Verdicts {
        let all = self.by_size.values().fold(Table::default(), Table::plus);
        let by_size = Deviation::of(self.by_size.values());
        let overall = Deviation::of(std::iter::once(&all));
        let depends_on_more_than_size =
            by_size.best < ENOUGH_BY_SIZE || by_size.actual >= CLEARLY_BY_SIZE;
        if overall.best < ENOUGH {
            Verdicts::TooFew
        } else if overall.actual >= CLEARLY && depends_on_more_than_size {
            Verdicts::BetterThanChance
        } else {
            Verdicts::NoBetterThanChance
        }
    }
}

/// The verdicts on a set of traces.
#[derive(Clone, Copy, Debug, Default)]
struct Table {
    valid: f64,
    malformed: f64,
    /// The numbers of valid and malformed traces that the reader accepts.
    accepted: (f64, f64),
    /// The numbers of valid and malformed traces that the reader rejects.
    rejected: (f64, f64),
}

impl Table {
    fn add(&mut self, is_valid: bool, accepts: Option<bool>) {
        let one = if is_valid { (1.0, 0.0) } else { (0.0, 1.0) };
        let sum = |to: &mut (f64, f64)| *to = (to.0 + one.0, to.1 + one.1);
        (self.valid, self.malformed) = (self.valid + one.0, self.malformed + one.1);
        match accepts {
            Some(true) => sum(&mut self.accepted),
            Some(false) => sum(&mut self.rejected),
            None => {}
        }
    }

    fn plus(self, other: &Self) -> Self {
        let sum = |one: (f64, f64), two: (f64, f64)| (one.0 + two.0, one.1 + two.1);
        Self {
            valid: self.valid + other.valid,
            malformed: self.malformed + other.malformed,
            accepted: sum(self.accepted, other.accepted),
            rejected: sum(self.rejected, other.rejected),
        }
    }

    /// Returns the difference between the number of accepted valid traces and the number expected
    /// by chance, and the variance of the number of accepted valid traces.
    fn moments(&self) -> (f64, f64) {
        moments(self.accepted, self.rejected)
    }

    /// Returns the values of `moments` for a reader without mistakes.
    fn best_moments(&self) -> (f64, f64) {
        moments((self.valid, 0.0), (0.0, self.malformed))
    }
}

fn moments(accepted: (f64, f64), rejected: (f64, f64)) -> (f64, f64) {
    let (accepts, rejects) = (accepted.0 + accepted.1, rejected.0 + rejected.1);
    let (valid, malformed) = (accepted.0 + rejected.0, accepted.1 + rejected.1);
    let all = accepts + rejects;
    if all < 2.0 {
        return (0.0, 0.0);
    }
    let excess = accepted.0 - accepts * valid / all;
    let variance = accepts * rejects * valid * malformed / (all * all * (all - 1.0));
    (excess, variance)
}

/// How many standard deviations better than chance a reader is.
struct Deviation {
    actual: f64,
    /// The number of standard deviations for a reader without mistakes.
    best: f64,
}

impl Deviation {
    fn of<'t>(tables: impl Iterator<Item = &'t Table>) -> Self {
        let (mut actual, mut best) = ((0.0, 0.0), (0.0, 0.0));
        let sum = |to: &mut (f64, f64), more: (f64, f64)| *to = (to.0 + more.0, to.1 + more.1);
        for table in tables {
            sum(&mut actual, table.moments());
            sum(&mut best, table.best_moments());
        }
        let deviation = |(excess, variance): (f64, f64)| match variance > 0.0 {
            true => excess / variance.sqrt(),
            false => 0.0,
        };
        Self {
            actual: deviation(actual),
            best: deviation(best),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the evidence for a reader that accepts a trace if `accepts` returns true. The
    /// arguments are the trace's number, its size, and whether it is valid.
    fn evidence(sizes: usize, accepts: impl Fn(usize, usize, bool) -> bool) -> Evidence {
        let mut evidence = Evidence::default();
        for number in 0..400 {
            let (size, is_valid) = (number / 2 % sizes, number % 2 == 0);
            let table = evidence.by_size.entry(size as u64).or_default();
            table.add(is_valid, Some(accepts(number, size, is_valid)));
        }
        evidence
    }

    #[test]
    fn only_a_reader_that_looks_at_more_than_the_size_is_better_than_chance() {
        let judged = |accepts: fn(usize, usize, bool) -> bool| evidence(40, accepts).verdicts();
        assert_eq!(judged(|_, _, valid| valid), Verdicts::BetterThanChance);
        // Three out of four answers are correct.
        let often = judged(|number, _, valid| valid == (number / 2 % 4 != 3));
        assert_eq!(often, Verdicts::BetterThanChance);
        for guess in [
            judged(|_, size, _| size > 20),
            judged(|_, size, _| size % 2 == 0),
            judged(|number, _, _| number / 2 % 3 == 0),
            judged(|_, _, valid| !valid),
            judged(|_, _, _| true),
            judged(|_, _, _| false),
        ] {
            assert_eq!(guess, Verdicts::NoBetterThanChance);
        }
    }

    #[test]
    fn sizes_that_differ_by_verdict_do_not_help() {
        // Nearly all malformed traces are small, but the reader does not distinguish traces of the
        // same size.
        let mut evidence = evidence(40, |_, size, _| size > 20);
        for _ in 0..200 {
            let table = evidence.by_size.entry(1).or_default();
            table.add(false, Some(false));
        }
        assert_eq!(evidence.verdicts(), Verdicts::NoBetterThanChance);
    }

    #[test]
    fn a_few_traces_show_nothing() {
        let mut few = Evidence::default();
        for number in 0..20 {
            let table = few.by_size.entry(1).or_default();
            table.add(number % 2 == 0, Some(number % 2 == 0));
        }
        assert_eq!(few.verdicts(), Verdicts::TooFew);
    }
}
