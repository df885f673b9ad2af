//! Collects the events of a run into a result, including the causes of failures.

use tracegauge_results::{
    Event, FORM, ReaderInfo, ReaderResult, ReaderState, ReaderTail, RunHead, RunResult, Sink,
    Totals,
};

use crate::causes;

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
