//! The story of a run, as it happens.

use crate::model::{
    CaseResult, FORM, ReaderInfo, ReaderResult, ReaderState, ReaderTail, RunHead, RunResult,
};
use crate::totals::Totals;

/// One event of a run. Readers run one after the other; the cases of one are judged in the
/// order of the corpus, after all of them have been answered, since a case is proven by
/// another.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The run starts.
    RunStarted(&'a RunHead),
    /// A reader does not run.
    ReaderLeftOut {
        /// Which.
        reader: &'a ReaderInfo,
        /// Why.
        state: &'a ReaderState,
    },
    /// A reader starts.
    ReaderStarted {
        /// Which.
        reader: &'a ReaderInfo,
        /// Cases that are to run and count.
        planned: usize,
        /// Cases that are to run only to prove others.
        support: usize,
    },
    /// One more case was answered, in no particular order.
    CaseAnswered {
        /// Whether the answer is a failure as far as it shows by itself, known or not.
        fails: bool,
    },
    /// A case was judged.
    CaseJudged(&'a CaseResult),
    /// A reader is done.
    ReaderFinished {
        /// Which, now with what it said of itself.
        reader: &'a ReaderInfo,
        /// Whether it ran, after all.
        state: &'a ReaderState,
        /// What was found in the end.
        tail: &'a ReaderTail,
    },
    /// The run is over.
    RunFinished,
}

/// A listener to the story of a run.
pub trait Sink {
    /// Hears the next event.
    fn event(&mut self, event: &Event<'_>);
}

/// Several sinks that hear the same.
pub struct Fan<'s>(pub Vec<&'s mut dyn Sink>);

impl Sink for Fan<'_> {
    fn event(&mut self, event: &Event<'_>) {
        for sink in &mut self.0 {
            sink.event(event);
        }
    }
}

/// The sink that turns the story into a [`RunResult`].
#[derive(Debug, Default)]
pub struct Collector {
    head: Option<RunHead>,
    readers: Vec<ReaderResult>,
}

impl Collector {
    /// A collector that has heard nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was heard; nothing where no run was started.
    pub fn into_result(self) -> Option<RunResult> {
        let readers = self.readers;
        self.head.map(|run| RunResult {
            tracegauge_result: FORM,
            run,
            readers,
        })
    }

    fn push(&mut self, reader: &ReaderInfo, state: ReaderState, planned: usize) {
        self.readers.push(ReaderResult {
            reader: reader.clone(),
            state,
            totals: Totals {
                planned,
                ..Totals::default()
            },
            tail: ReaderTail::default(),
            cases: Vec::new(),
        });
    }
}

impl Sink for Collector {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::RunStarted(head) => self.head = Some((*head).clone()),
            Event::ReaderLeftOut { reader, state } => self.push(reader, (*state).clone(), 0),
            Event::ReaderStarted {
                reader, planned, ..
            } => {
                self.push(reader, ReaderState::Ran, *planned);
            }
            Event::CaseJudged(case) => {
                if let Some(reader) = self.readers.last_mut() {
                    reader.cases.push((*case).clone());
                }
            }
            Event::ReaderFinished {
                reader,
                state,
                tail,
            } => {
                if let Some(result) = self.readers.last_mut() {
                    let planned = result.totals.planned;
                    result.reader = (*reader).clone();
                    result.state = (*state).clone();
                    result.totals = Totals::of(planned, tail.not_run.cases, &result.cases);
                    result.tail = (*tail).clone();
                }
            }
            Event::CaseAnswered { .. } | Event::RunFinished => {}
        }
    }
}
