//! Minimizes the trace of a finding, together with its twin (the valid trace without the fault) if
//! there is one.

use std::time::Instant;

use tracegauge_decoder::{Judgement, decode_tree};
use tracegauge_generator::Generator;
use tracegauge_generator::fault::{Site, Twin, apply};
use tracegauge_generator::minimize::minimize;
use tracegauge_generator::mutate::{Input, Stock};
use tracegauge_results::Outcome;

use super::Asker;
use crate::probe::{ProbeError, Signature};

/// The maximum number of candidates to try. Because the number is fixed, the result does not depend
/// on the speed of the machine unless the time runs out.
const MOST_TRIES: u64 = 3000;
/// The maximum number of positions in a twin where a fault is tried.
const MOST_PLACES: usize = 4;

/// A minimized finding.
#[derive(Clone, Debug)]
pub(super) struct Small {
    /// The trace.
    pub(super) bytes: Vec<u8>,
    /// The twin, which differs from the trace only in the fault.
    pub(super) twin: Option<Vec<u8>>,
    /// Whether the reader behaved in the same way again, or `None` if there was no time to run it.
    pub(super) again: Option<bool>,
    /// Whether the behavior occurs only if the process is watched until it exits.
    pub(super) until_exit: bool,
    /// Whether a limit on time or tries ended the search before all candidates had been tried.
    pub(super) stopped: bool,
}

/// Minimizes `input` until `deadline`, and accepts only candidates that still trigger the behavior
/// with the signature `wanted`.
pub(super) fn shrink(
    generator: &Generator,
    asker: &mut Asker<'_>,
    (input, twin): (&Input, Option<&Stock>),
    wanted: &Signature,
    deadline: Instant,
) -> Result<Small, ProbeError> {
    let mut search = Search {
        generator,
        asker,
        wanted,
        deadline,
        tries: 0,
        stopped: false,
        failure: None,
    };
    let mut small = Small {
        bytes: input.bytes.clone(),
        twin: None,
        again: Some(search.shows(&input.bytes) == Some(true)),
        until_exit: false,
        stopped: false,
    };
    if small.again != Some(true) && wanted.outcome == Outcome::Crash {
        // The process may have crashed after answering.
        search.asker.watch_until_exit(true);
        small.until_exit = search.asks(&input.bytes) == Some(true);
        small.again = Some(small.until_exit);
    }
    let until_exit = small.until_exit;
    if small.again == Some(true) {
        let hangs = wanted.outcome == Outcome::Hang;
        search.asker.wait_briefly(hangs);
        let smaller = search.smaller(input, twin);
        search.asker.wait_briefly(false);
        // A candidate that exceeded the shortened time limit does not necessarily exceed the full
        // limit.
        if !hangs || search.asks(&smaller.bytes) == Some(true) {
            small = Small {
                until_exit,
                ..smaller
            };
        }
    }
    search.asker.watch_until_exit(false);
    match search.failure {
        Some(error) => Err(error),
        None => Ok(small),
    }
}

struct Search<'s, 'c> {
    generator: &'s Generator,
    asker: &'s mut Asker<'c>,
    wanted: &'s Signature,
    deadline: Instant,
    tries: u64,
    stopped: bool,
    failure: Option<ProbeError>,
}

impl Search<'_, '_> {
    /// Returns the smallest trace that still triggers the behavior. If the fault was planted, also
    /// returns the twin of that trace.
    fn smaller(&mut self, input: &Input, twin: Option<&Stock>) -> Small {
        let both = input
            .fault
            .as_ref()
            .and_then(|site| self.with_twin(&twin?.bytes, site));
        let (bytes, twin) = match both {
            Some((twin, bytes)) => (bytes, Some(twin)),
            None => {
                let generator = self.generator;
                let shows = &mut |candidate: &[u8]| self.shows(candidate);
                (minimize(generator, &input.bytes, shows).bytes, None)
            }
        };
        Small {
            bytes,
            twin,
            again: Some(true),
            until_exit: false,
            stopped: self.stopped,
        }
    }

    /// Returns whether `bytes` triggers the behavior, or `None` if the search has reached a limit.
    fn shows(&mut self, bytes: &[u8]) -> Option<bool> {
        self.tries += 1;
        let over = self.tries > MOST_TRIES || (self.tries > 1 && Instant::now() > self.deadline);
        self.stopped |= over;
        if over || self.failure.is_some() {
            return None;
        }
        self.asks(bytes)
    }

    /// Returns whether `bytes` triggers the behavior, without a limit on time or tries.
    fn asks(&mut self, bytes: &[u8]) -> Option<bool> {
        match self.asker.ask(self.generator.plan(), bytes) {
            Ok(found) => Some(found.is_some_and(|found| found.signature == *self.wanted)),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    /// Returns the smallest twin in which planting the fault at `site` still produces a failing
    /// trace, together with the failing trace.
    fn with_twin(&mut self, twin: &[u8], site: &Site) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut best = None;
        let first = self.broken(twin, site)??;
        best.replace((twin.to_vec(), first));
        let generator = self.generator;
        minimize(generator, twin, &mut |candidate| {
            Some(match self.broken(candidate, site)? {
                Some(bytes) => {
                    best = Some((candidate.to_vec(), bytes));
                    true
                }
                None => false,
            })
        });
        best
    }

    /// Plants the fault at `site` in the valid trace and returns a trace that triggers the
    /// behavior. Returns `Some(None)` if the fault does not trigger the behavior at any of the
    /// tried positions, and `None` if the search has reached a limit.
    fn broken(&mut self, twin: &[u8], site: &Site) -> Option<Option<Vec<u8>>> {
        // If the fault cannot be applied, the reader is not run and `shows` does not check the
        // time, but the attempt to apply the fault takes time too.
        if Instant::now() > self.deadline {
            self.stopped = true;
            return None;
        }
        let plan = self.generator.plan();
        let (verdict, tree) = decode_tree(plan, twin);
        if verdict.judgement != Judgement::Accepted {
            return Some(None);
        }
        let read = Twin::new(plan, twin, &tree);
        for node in read.nodes_of(site.op).iter().rev().take(MOST_PLACES) {
            let Ok(case) = apply(&read, site, *node) else {
                continue;
            };
            if self.shows(&case.bytes)? {
                return Some(Some(case.bytes));
            }
        }
        Some(None)
    }
}
