//! Huge cases: traces that are longer than 2^31 and 2^32 bytes, which show whether a reader computes
//! offsets, sizes and counts with enough bits.
//!
//! A huge trace is a small valid trace in which an element is enlarged and occurs many times. The
//! reference decoder reads the whole trace once, as a stream, to find out what a reader must report.

mod trace;

use std::io;
use std::sync::Arc;

use tracegauge_generator::fault::valid_trace;
use tracegauge_generator::filler::{Filler, filler};
use tracegauge_generator::plain::{Answers, departures};
use tracegauge_plan::Plan;

pub use trace::{Repeated, Trace};

use crate::case::{Case, Expected, ExpectedVerdict, Provenance, Source, State};
use crate::expected::{examine_stream, expected};
use crate::parallel;

/// A number of bytes that a huge trace exceeds.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The number of bytes.
    pub bytes: u64,
    /// The name, which becomes part of the identity of the cases.
    pub name: &'static str,
    /// The number of bytes in words.
    pub in_words: &'static str,
}

/// The limits: none, and the number of bytes that offsets of 31 and 32 bits can express. A trace with
/// the element once shows whether a reader fails because of the size or because of the element.
pub const LIMITS: [Limit; 3] = [
    Limit {
        bytes: 0,
        name: "once",
        in_words: "0 bytes",
    },
    Limit {
        bytes: 1 << 31,
        name: "beyond-2-gib",
        in_words: "2 GiB",
    },
    Limit {
        bytes: 1 << 32,
        name: "beyond-4-gib",
        in_words: "4 GiB",
    },
];

/// The maximum size in bytes of a trace to start from, and the number of traces tried. The plainest
/// and smallest traces are tried first.
const LARGEST: usize = 20_000;
const MOST_TRACES: usize = 64;

/// Creates the cases of a format: for each limit, a valid trace and a truncated one. They are made
/// from those of `cases` that belong to the format. The result is empty if the format has no element
/// that can be repeated this often.
///
/// # Errors
/// Returns an error if the format can only be read from a file, so that the decoder cannot read a
/// huge trace as a stream.
pub fn huge_cases(plan: &Plan, cases: &[Case], limits: &[Limit]) -> io::Result<Vec<Case>> {
    let Some(filler) = filler_for(plan, cases) else {
        return Ok(Vec::new());
    };
    let answers = Answers::new(plan);
    let departures: Vec<String> = departures(plan, &answers, &filler.trace)
        .into_keys()
        .map(|departure| departure.name(plan))
        .collect();
    let made = parallel::map(limits, |limit| {
        let huge = Huge {
            plan,
            filler: &filler,
            limits,
            limit: *limit,
            departures: &departures,
        };
        huge.cases()
    });
    let made: io::Result<Vec<Vec<Case>>> = made.into_iter().collect();
    let made: Vec<Case> = made?.into_iter().flatten().collect();
    // The small cases are of no use without huge ones.
    let has_huge = made.iter().any(Case::is_huge);
    Ok(if has_huge { made } else { Vec::new() })
}

/// Returns true if `id` is the identity of a huge case.
pub fn is_huge_id(id: &str) -> bool {
    id.split('/').nth(1) == Some(Source::Huge.name())
}

/// Finds filler in a valid case, preferring plain and small traces.
fn filler_for(plan: &Plan, cases: &[Case]) -> Option<Filler> {
    let answers = Answers::new(plan);
    let is_valid = |case: &&Case| {
        let Expected {
            verdict,
            records,
            open,
            ..
        } = &case.expected;
        case.format == plan.format
            && *verdict == ExpectedVerdict::Accept
            && records.len() == 1
            && !open
            && case.bytes.len() <= LARGEST
    };
    let mut valid: Vec<&Case> = cases.iter().filter(is_valid).collect();
    valid.sort_by_key(|case| (case.departures.len(), case.bytes.len(), &case.id));
    valid.into_iter().take(MOST_TRACES).find_map(|case| {
        let valid = valid_trace(plan, &answers, case.bytes.to_vec())?;
        filler(plan, &valid).filter(|filler| {
            let Expected { records, open, .. } = expected(plan, &filler.trace);
            records.len() == 1 && !open
        })
    })
}

/// The parameters of huge cases.
struct Huge<'h> {
    plan: &'h Plan,
    filler: &'h Filler,
    limits: &'h [Limit],
    limit: Limit,
    departures: &'h [String],
}

impl Huge<'_> {
    /// Creates a valid case and a truncated one. Returns no cases if readers may reject the valid
    /// trace, for example because so many elements use up all keys of a table.
    fn cases(&self) -> io::Result<Vec<Case>> {
        let id = format!("{}/huge/{}", self.plan.format, self.limit.name);
        let valid = self.case(&id, &self.filler.trace, None)?;
        let is_valid = |case: &Case| case.expected.verdict == ExpectedVerdict::Accept;
        let Some(mut valid) = valid.filter(is_valid) else {
            return Ok(Vec::new());
        };
        let truncated = self.truncated(&format!("{id}-truncated"), &id)?;
        valid.twin = truncated.as_ref().map(|case| case.id.clone());
        Ok([Some(valid), truncated].into_iter().flatten().collect())
    }

    /// Creates a case whose trace lacks its last bytes, and which readers must therefore reject.
    fn truncated(&self, id: &str, twin: &str) -> io::Result<Option<Case>> {
        let trace = &self.filler.trace;
        let after = trace.len() - self.filler.element.end;
        for cut in [1, after / 2] {
            let left = &trace[..trace.len() - cut];
            let case = self.case(id, left, Some(twin.to_owned()))?;
            let is_cut = |case: &Case| {
                let violation = case.expected.violation.as_ref();
                violation.is_some_and(|it| it.start > self.limit.bytes)
            };
            if case.as_ref().is_some_and(is_cut) {
                return Ok(case);
            }
        }
        Ok(None)
    }

    /// Creates a case with the behavior that the reference decoder shows.
    fn case(&self, id: &str, bytes: &[u8], twin: Option<String>) -> io::Result<Option<Case>> {
        let part = self.filler.element.clone();
        let times = self.limit.bytes / part.len() as u64 + 1;
        let mut departures = self.departures.to_vec();
        // A reader that fails beyond one limit also fails beyond the larger ones.
        let passed = self
            .limits
            .iter()
            .filter(|limit| (1..=self.limit.bytes).contains(&limit.bytes));
        departures.extend(passed.map(|limit| format!("trace: longer than {}", limit.in_words)));
        departures.sort();
        let repeated = (times > 1).then_some(Repeated {
            part: part.clone(),
            times,
        });
        let trace = Trace {
            bytes,
            repeated: repeated.as_ref(),
        };
        let examined = examine_stream(self.plan, &mut trace.read())?;
        let (size, start, enlarged) = (part.len(), part.start, &self.filler.enlarged);
        let element = format!("The {size} bytes at offset {start}, with `{enlarged}` enlarged,");
        let why = match times {
            1 => format!("{element} occur once; in the huge traces, they occur many times."),
            _ => format!(
                "{element} occur {times} times, so that what follows has offsets beyond {}. The \
                 trace is {} bytes long.",
                self.limit.in_words,
                trace.length()
            ),
        };
        let rules = match &examined.expected.violation {
            Some(violation) => violation.rules.clone(),
            None => examined.shown,
        };
        let case = Case {
            id: id.to_owned(),
            format: self.plan.format.clone(),
            bytes: Arc::from(bytes),
            repeated,
            expected: examined.expected,
            twin,
            provenance: Provenance {
                source: Source::Huge,
                rules,
                operator: None,
                why,
            },
            departures,
            state: State::Active,
            version: 1,
        };
        Ok((!case.expected.open).then_some(case))
    }
}
