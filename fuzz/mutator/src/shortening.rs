//! Shorter inputs, one after the other: AFL++ asks for each and tells later what came of it,
//! while the search for a shorter trace asks whether each will do. The search runs in a thread of
//! its own, which ends with what asks it.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tracegauge_generator::Generator;
use tracegauge_generator::minimize::shorten;

/// Inputs that are tried at most: AFL++ runs each of them.
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
    /// Looks for shorter traces near `input`; nothing where there are none to try.
    pub fn begin(generator: Generator, input: Vec<u8>) -> Option<Self> {
        Self::of(move |shows| {
            shorten(&generator, &input, shows);
        })
    }

    /// A search that asks of each input whether it will do; no answer means that it is over.
    pub(crate) fn of(
        search: impl FnOnce(&mut dyn FnMut(&[u8]) -> Option<bool>) + Send + 'static,
    ) -> Option<Self> {
        let (offer, offers) = sync_channel::<Vec<u8>>(0);
        let (answers, answer) = sync_channel(1);
        let thread = std::thread::Builder::new().name("tracegauge-trim".to_owned());
        let started = thread.spawn(move || {
            search(&mut |candidate| {
                // AFL++ takes an empty input for a failure.
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

    /// The input to be tried.
    pub fn offered(&self) -> &[u8] {
        &self.offered
    }

    /// Says whether it does, and how many have been tried; [`MOST_STEPS`] at the end.
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
