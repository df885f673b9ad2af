//! Searches for shorter inputs on behalf of AFL++.
//!
//! AFL++ requests each candidate and reports the result later, whereas the search itself calls a
//! function for each candidate. The search therefore runs in its own thread, which ends once the
//! [`Shortening`] is dropped.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tracegauge_generator::Generator;
use tracegauge_generator::minimize::shorten;

/// The maximum number of inputs to try. AFL++ runs each input.
pub const MOST_STEPS: u32 = 200;

/// A search for a shorter input.
#[derive(Debug)]
pub struct Shortening {
    offers: Receiver<Vec<u8>>,
    answers: SyncSender<bool>,
    offered: Vec<u8>,
    step: u32,
}

impl Shortening {
    /// Starts a search for traces that are shorter than `input`. Returns `None` if there is no
    /// candidate.
    pub fn begin(generator: Generator, input: Vec<u8>) -> Option<Self> {
        Self::of(move |shows| {
            shorten(&generator, &input, shows);
        })
    }

    /// Starts `search`, which calls the function passed to it to learn whether a candidate is
    /// acceptable. If the function returns `None`, the search must stop.
    pub(crate) fn of(
        search: impl FnOnce(&mut dyn FnMut(&[u8]) -> Option<bool>) + Send + 'static,
    ) -> Option<Self> {
        let (offer, offers) = sync_channel::<Vec<u8>>(0);
        let (answers, answer) = sync_channel(1);
        let thread = std::thread::Builder::new().name("tracegauge-trim".to_owned());
        let started = thread.spawn(move || {
            search(&mut |candidate| {
                // AFL++ treats an empty input as an error.
                if candidate.is_empty() {
                    return Some(false);
                }
                offer.send(candidate.to_vec()).ok()?;
                answer.recv().ok()
            });
        });
        started.ok()?;
        let offered = offers.recv().ok()?;
        Some(Self {
            offers,
            answers,
            offered,
            step: 0,
        })
    }

    /// Returns the candidate to try next.
    pub fn offered(&self) -> &[u8] {
        &self.offered
    }

    /// Reports whether the candidate is acceptable. Returns the number of candidates tried so far,
    /// or [`MOST_STEPS`] once the search is over.
    pub fn answer(&mut self, does: bool) -> u32 {
        let told = self.answers.send(does).is_ok();
        match self.offers.recv() {
            Ok(next) if told && self.step + 1 < MOST_STEPS => {
                self.offered = next;
                self.step += 1;
            }
            _ => self.step = MOST_STEPS,
        }
        self.step
    }
}
