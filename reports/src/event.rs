//! The events of a run.

use crate::causes;
use crate::model::{
    CaseResult, FORM, ReaderInfo, ReaderResult, ReaderState, ReaderTail, RunHead, RunResult,
};
use crate::totals::Totals;

/// An event of a run. Readers run one after the other. The cases of a reader are judged in the
/// order of the corpus after all of them have been answered, because the answer to one case may
/// prove that another case did not pass by accident.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The run starts.
    RunStarted(&'a RunHead),
    /// A reader does not run.
    ReaderLeftOut {
        /// The reader.
        reader: &'a ReaderInfo,
        /// The reason.
        state: &'a ReaderState,
    },
    /// A reader starts.
    ReaderStarted {
        /// The reader.
        reader: &'a ReaderInfo,
        /// The number of planned cases that are counted in the totals.
        planned: usize,
        /// The number of planned cases that are not counted. They run only to prove that other
        /// cases did not pass by accident, or to find out which members the reader reports.
        support: usize,
    },
    /// A case was answered. `CaseAnswered` events are in no particular order.
    CaseAnswered {
        /// Whether the answer, by itself, is a failure; a known failure counts too.
        fails: bool,
    },
    /// A case was judged.
    CaseJudged(&'a CaseResult),
    /// A reader finished.
    ReaderFinished {
        /// The reader, including the properties that it reported about itself.
        reader: &'a ReaderInfo,
        /// Whether the reader actually ran.
        state: &'a ReaderState,
        /// The results that are known only once the reader's run is over.
        tail: &'a ReaderTail,
    },
    /// The run is over.
    RunFinished,
}

/// A receiver of a run's events.
pub trait Sink {
    /// Handles the next event.
    fn event(&mut self, event: &Event<'_>);
}

/// A sink that passes each event to several sinks.
pub struct Fan<'s>(pub Vec<&'s mut dyn Sink>);

impl Sink for Fan<'_> {
    fn event(&mut self, event: &Event<'_>) {
        for sink in &mut self.0 {
            sink.event(event);
        }
    }
}

/// The sink that turns the events into a [`RunResult`].
#[derive(Debug, Default)]
pub struct Collector {
    head: Option<RunHead>,
    readers: Vec<ReaderResult>,
}

impl Collector {
    /// Creates a collector that has received no events.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the result, or `None` if no run was started.
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
            causes: Vec::new(),
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
                    if let Some(head) = &self.head {
                        result.causes = causes::of(head, result);
                    }
                }
            }
            Event::CaseAnswered { .. } | Event::RunFinished => {}
        }
    }
}
