//! Decodes traces for observers, which receive findings such as records.
//!
//! An [`Observer`] is a trait object, so all observers share a few compiled decoders: one for each
//! kind of input and each set of findings. Each [`Visitor`], in contrast, adds another compiled
//! copy of the whole decoder. Only emitters (which write the trace while the machine reads it) and
//! benchmarked code need their own copy.

use std::io::{self, Read};

use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{OpId, Plan};

use crate::input::{Input, SliceInput, StreamInput};
use crate::machine::Machine;
use crate::report::RecordView;
use crate::tree::{NodeId, Tree};
use crate::verdict::{Note, Verdict};
use crate::visitor::{Mark, Visitor};

/// The available bytes of a trace.
pub trait Window {
    /// Returns the bytes from `start` up to `end`. Returns an empty slice if any of these bytes is
    /// not available.
    fn slice(&self, start: u64, end: u64) -> &[u8];
}

impl<I: Input> Window for I {
    fn slice(&self, start: u64, end: u64) -> &[u8] {
        self.bytes(start, end)
    }
}

/// Receives the findings of the decoder.
pub trait Observer {
    /// Returns whether the observer also receives the records after a place that readers may
    /// interpret differently. These records follow the decoder's own interpretation, so other
    /// readers may report different records.
    fn beyond(&self) -> bool {
        false
    }

    /// Returns whether to stop reading because a limit has been reached. Called before each
    /// operation if the observer receives [`Findings::LimitedRecords`], [`Findings::Marks`] or
    /// [`StreamFindings::Parts`], or is a [`Visitor`] that sets [`Visitor::LIMITED`].
    fn spent(&mut self) -> bool {
        false
    }

    /// Returns whether the observer needs the sources of the values in the next record. The sources
    /// of a value are the operations that read it and the bytes that it was read from.
    fn wants_sources(&self) -> bool {
        false
    }

    /// Called when a reader must report all records produced so far, even if the trace ends soon
    /// after.
    fn due(&mut self) {}

    /// Called with each complete record.
    fn record(&mut self, _record: &RecordView<'_>) {}

    /// Returns whether [`Self::note`] is called with deviations from a rule.
    fn wants(&self, _rule: RuleId) -> bool {
        true
    }

    /// Called with each tolerated deviation.
    fn note(&mut self, _note: Note) {}

    /// Called with each [`Mark`], an event at an operation that coverage measures.
    fn mark(&mut self, _op: OpId, _mark: Mark) {}

    /// Called when the node `_from` and all nodes after it are complete. The tree discards these
    /// nodes after the call. `_bytes` still contains the bytes of all nodes that the observer has
    /// not received before. `_around` lists the nodes that are still open, outermost first. The
    /// last call passes the root.
    fn part(&mut self, _tree: &Tree, _bytes: &dyn Window, _around: &[NodeId], _from: NodeId) {}
}

/// The findings that an observer of bytes in memory receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Findings {
    /// Records. The decoder can use steps, its fast path, only with this set of findings.
    Records,
    /// Records, until the observer stops reading.
    LimitedRecords,
    /// Records, the rules that turn some of the records' values into don't-care values, and
    /// tolerated deviations.
    Notes,
    /// Records with the sources of their values, and the marks that coverage counts. The decoder
    /// also builds the tree.
    Marks,
}

/// The findings that an observer of a stream receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamFindings {
    /// Records.
    Records,
    /// Tolerated deviations. The verdict then lists only the exercised rules that can change the
    /// verdict or exclude values from comparison.
    Notes,
    /// The nodes of the tree, in several batches.
    Parts,
}

/// The result of decoding a trace.
#[derive(Debug)]
pub struct Observed {
    /// The verdict.
    pub verdict: Verdict,
    /// The tree, if the observer receives [`Findings::Marks`].
    pub tree: Tree,
    /// The I/O error that stopped reading, if any.
    pub failure: Option<io::Error>,
}

/// Decodes `bytes` and reports the findings to `observer`.
pub fn observe(
    plan: &Plan,
    bytes: &[u8],
    findings: Findings,
    observer: &mut dyn Observer,
) -> Observed {
    let input = SliceInput::new(bytes);
    match findings {
        Findings::Records => run::<_, RECORDS>(plan, input, observer),
        Findings::LimitedRecords => run::<_, { RECORDS | LIMITED }>(plan, input, observer),
        Findings::Notes => run::<_, { RECORDS | NOTES }>(plan, input, observer),
        Findings::Marks => {
            run::<_, { RECORDS | MARKS | TREE | SOURCES | LIMITED }>(plan, input, observer)
        }
    }
}

/// Decodes the bytes of `stream` and reports the findings to `observer`.
pub fn observe_stream(
    plan: &Plan,
    stream: &mut dyn Read,
    findings: StreamFindings,
    observer: &mut dyn Observer,
) -> Observed {
    let input = StreamInput::new(stream);
    match findings {
        StreamFindings::Records => run::<_, RECORDS>(plan, input, observer),
        StreamFindings::Notes => run::<_, NOTES>(plan, input, observer),
        StreamFindings::Parts => run::<_, { TREE | PARTS | LIMITED }>(plan, input, observer),
    }
}

const RECORDS: u8 = 1;
const NOTES: u8 = 1 << 1;
const MARKS: u8 = 1 << 2;
const TREE: u8 = 1 << 3;
const SOURCES: u8 = 1 << 4;
const PARTS: u8 = 1 << 5;
const LIMITED: u8 = 1 << 6;

fn run<I: Input, const SET: u8>(plan: &Plan, input: I, observer: &mut dyn Observer) -> Observed {
    let observed = Watched::<SET> {
        beyond: observer.beyond(),
        observer,
    };
    let mut machine = Machine::new(plan, input, observed);
    if SET & MARKS != 0 {
        let length = machine.input().seen();
        machine.tree_mut().limit_nodes(length);
    }
    let finished = machine.run();
    Observed {
        verdict: finished.verdict,
        tree: finished.tree,
        failure: finished.failure,
    }
}

/// A visitor that passes the findings in `SET` on to an observer.
struct Watched<'o, const SET: u8> {
    observer: &'o mut dyn Observer,
    beyond: bool,
}

impl<const SET: u8> Visitor for Watched<'_, SET> {
    const RECORDS: bool = SET & RECORDS != 0;
    const NOTES: bool = SET & NOTES != 0;
    const MARKS: bool = SET & MARKS != 0;
    const TREE: bool = SET & TREE != 0;
    const SOURCES: bool = SET & SOURCES != 0;
    const PARTS: bool = SET & PARTS != 0;
    const LIMITED: bool = SET & LIMITED != 0;
}

impl<const SET: u8> Observer for Watched<'_, SET> {
    #[inline]
    fn beyond(&self) -> bool {
        self.beyond
    }

    fn spent(&mut self) -> bool {
        self.observer.spent()
    }

    fn wants_sources(&self) -> bool {
        self.observer.wants_sources()
    }

    fn due(&mut self) {
        self.observer.due();
    }

    fn record(&mut self, record: &RecordView<'_>) {
        self.observer.record(record);
    }

    fn part(&mut self, tree: &Tree, bytes: &dyn Window, around: &[NodeId], from: NodeId) {
        self.observer.part(tree, bytes, around, from);
    }

    fn wants(&self, rule: RuleId) -> bool {
        self.observer.wants(rule)
    }

    fn note(&mut self, note: Note) {
        self.observer.note(note);
    }

    fn mark(&mut self, op: OpId, mark: Mark) {
        self.observer.mark(op, mark);
    }
}
