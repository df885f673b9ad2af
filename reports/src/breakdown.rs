//! Counts a reader's failures by kind, because a crash is more serious than a wrong number.

use tracegauge_results::{Outcome, ReaderResult};

/// A kind of failure, with its singular and plural forms.
struct Kind {
    outcomes: &'static [Outcome],
    one: &'static str,
    several: &'static str,
}

/// The kinds, from the most to the least severe.
const KINDS: [Kind; 8] = [
    Kind {
        outcomes: &[Outcome::Crash],
        one: "crash",
        several: "crashes",
    },
    Kind {
        outcomes: &[Outcome::Hang],
        one: "hang",
        several: "hangs",
    },
    Kind {
        outcomes: &[Outcome::OutOfMemory],
        one: "case out of memory",
        several: "cases out of memory",
    },
    Kind {
        outcomes: &[Outcome::Flood],
        one: "flood",
        several: "floods",
    },
    Kind {
        outcomes: &[Outcome::Protocol],
        one: "protocol violation",
        several: "protocol violations",
    },
    Kind {
        outcomes: &[Outcome::WrongReject, Outcome::WrongAccept],
        one: "wrong verdict",
        several: "wrong verdicts",
    },
    Kind {
        outcomes: &[Outcome::WrongRecords],
        one: "case with wrong records",
        several: "cases with wrong records",
    },
    Kind {
        outcomes: &[Outcome::UndeclaredGap],
        one: "undeclared gap",
        several: "undeclared gaps",
    },
];

/// Returns the failures of `reader` that fail the run, counted by kind, most severe first, for
/// example `1 crash, 3 wrong verdicts`. The text is empty if there are no failures.
pub(crate) fn breakdown(reader: &ReaderResult) -> String {
    let parts = KINDS.iter().filter_map(|kind| {
        let failing = reader.cases.iter().filter(|case| case.fails_the_run());
        match failing
            .filter(|case| kind.outcomes.contains(&case.outcome))
            .count()
        {
            0 => None,
            1 => Some(format!("1 {}", kind.one)),
            count => Some(format!("{count} {}", kind.several)),
        }
    });
    parts.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_is_of_one_kind() {
        for outcome in Outcome::ALL {
            let kinds = KINDS.iter();
            let kinds = kinds.filter(|kind| kind.outcomes.contains(&outcome));
            assert_eq!(
                kinds.count(),
                usize::from(outcome.is_failure()),
                "{outcome}"
            );
        }
    }
}
