//! The smallest trace that shows a finding, and its twin where it has one.

use std::time::Instant;

use tracegauge_decoder::{Judgement, decode_tree};
use tracegauge_generator::Generator;
use tracegauge_generator::fault::{Site, Twin, apply};
use tracegauge_generator::minimize::minimize;
use tracegauge_generator::mutate::{Input, Stock};
use tracegauge_reports::Outcome;

use super::Asker;
use crate::probe::{ProbeError, Signature};

/// Traces that are tried at most: the same number gives the same trace wherever there is time.
const MOST_TRIES: u64 = 3000;
/// Places of a twin at which a fault is tried.
const MOST_PLACES: usize = 4;

/// A finding made small.
#[derive(Clone, Debug)]
pub(super) struct Small {
    /// The trace.
    pub(super) bytes: Vec<u8>,
    /// The valid trace that differs in the fault alone.
    pub(super) twin: Option<Vec<u8>>,
    /// Whether the reader did it again; nothing where there was no time to ask it.
    pub(super) again: Option<bool>,
}

/// Looks for the smallest trace near `input` that shows `wanted`, until `deadline`.
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
        failure: None,
    };
    let mut small = Small {
        bytes: input.bytes.clone(),
        twin: None,
        again: Some(search.shows(&input.bytes) == Some(true)),
    };
    if small.again == Some(true) {
        let hangs = wanted.outcome == Outcome::Hang;
        search.asker.wait_briefly(hangs);
        let smaller = search.smaller(input, twin);
        search.asker.wait_briefly(false);
        // What took longer than a moment need not take for ever.
        if !hangs || search.asks(&smaller.bytes) == Some(true) {
            small = smaller;
        }
    }
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
    failure: Option<ProbeError>,
}

impl Search<'_, '_> {
    /// The smallest trace that still shows it, with its twin where it has a fault that was put
    /// there.
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
        }
    }

    /// Whether the reader does it with `bytes`; nothing once the search is over.
    fn shows(&mut self, bytes: &[u8]) -> Option<bool> {
        self.tries += 1;
        let over = self.tries > MOST_TRIES || (self.tries > 1 && Instant::now() > self.deadline);
        if over || self.failure.is_some() {
            return None;
        }
        self.asks(bytes)
    }

    /// The same whatever the time.
    fn asks(&mut self, bytes: &[u8]) -> Option<bool> {
        match self.asker.ask(self.generator.plan(), bytes) {
            Ok(found) => Some(found.is_some_and(|found| found.signature == *self.wanted)),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    /// The smallest twin in which the fault at `site` still shows it, and the trace with it.
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

    /// The valid trace with a fault at `site` that shows it; no trace where none does, and
    /// nothing once the search is over.
    fn broken(&mut self, twin: &[u8], site: &Site) -> Option<Option<Vec<u8>>> {
        // Where the fault cannot be made the reader is not asked, and making it takes time, too.
        if Instant::now() > self.deadline {
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
