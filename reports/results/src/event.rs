//! The events of a run.

use crate::case::CaseResult;
use crate::reader::{ReaderInfo, ReaderState, ReaderTail};
use crate::run::RunHead;

/// An event of a run. Readers run one after the other. The cases of a reader are judged in the
/// order of the corpus after all of them have been answered, because the answer to one case may
/// prove that another case did not pass by accident.
#[derive(Clone, Debug)]
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
