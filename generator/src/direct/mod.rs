//! The emitter: writes the bytes of each value just before the machine reads it.
//!
//! To generate, encode or record a trace, the decoder's machine runs the plan. To generate a trace,
//! the emitter chooses each value. To encode a tree, the emitter takes each value from the tree. To
//! record a tape, the emitter takes each value from a tree and records the choices that would have
//! produced the value. The emitter therefore knows everything that the decoder knows at each point,
//! such as table rows, earlier values and bounds, and rarely has to generate by trial and error
//! (`redraw.rs`).

mod ahead;
mod allowed;
mod carried;
mod cut;
mod dense;
mod derived;
mod described;
mod domain;
mod ending;
mod float;
mod form;
mod hooks;
mod index;
mod inside;
mod length;
mod list_end;
mod lists;
mod located;
mod lookahead;
mod main_list;
mod nested;
mod number;
mod only;
mod part;
mod pattern;
mod placement;
mod plain;
mod reference;
mod script;
mod severity;
mod solve;
mod stored;
mod target;
mod text;
pub(crate) mod wire;
mod working;

use hashbrown::{HashMap, HashSet};
use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::{Cut, Input, Machine, Observer, Placed, Refused, Visitor, Word};
use tracegauge_plan::{OpId, Plan};

use crate::error;
use crate::redraw::{MOST_CHOICES, Progress};
use crate::tape::{Choices, TapeSpan};
pub use allowed::all_fixed;
use derived::Late;
pub(crate) use domain::wire_range;
pub use index::Index;
pub(crate) use placement::MOST_RUNS;
use placement::Placement;
use script::Script;
pub use target::{Target, TargetLength, TargetNumber, TargetText};
use working::{Described, Enclosing, Planned, Stopping, Wishes};

/// The maximum number of rows that exist at the same time.
const MOST_ROWS: u64 = 1024;
/// The number of rows in a table above which a plain trace defines no more of them, if it can contain
/// something else instead.
const PLAIN_ROWS: usize = 32;

/// The maximum size of a trace compared to the requested size, and how many more bytes a small trace
/// may have.
const MOST_TIMES: u64 = 16;
const MOST_EXCESS: u64 = 1 << 24;

/// The maximum number of steps for a small trace, and for each further byte.
const MOST_STEPS: u64 = 1 << 24;
const STEPS_PER_BYTE: u64 = 64;

/// Limits and options for generating a trace.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The size in bytes that a trace must reach before the emitter ends lists that extend to the
    /// end of the file.
    pub bytes: u64,
    /// The maximum number of elements in a counted list, and of bytes in a string.
    pub elements: u64,
    /// Whether lists continue until the trace has `bytes` bytes, whatever the tape (the sequence of
    /// choices) contains.
    pub fill: bool,
    /// Whether values that only lenient readers accept may be chosen.
    pub odd: bool,
    /// Whether sizes and counts are always computed, even if readers tolerate a different value and
    /// the tree being encoded contains such a value.
    pub mended: bool,
    /// The maximum length of a string, list or byte string in an `odd` trace. Without this limit,
    /// choices that were not recorded from a trace might request gigabytes.
    pub longest: u64,
    /// The maximum number of steps before generation fails. A faulty description may lead to an
    /// endless trace.
    pub steps: u64,
    /// The maximum size of a trace in bytes. Generation fails if this size is exceeded, because a
    /// size stored in the trace may request gigabytes.
    pub most: u64,
    /// The number of choices, in all attempts together, after which no more attempts are made. The
    /// first attempt may take more.
    pub choices: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bytes: 64 * 1024,
            elements: 4096,
            fill: false,
            odd: false,
            mended: false,
            longest: u64::MAX,
            steps: u64::MAX,
            most: u64::MAX,
            choices: MOST_CHOICES,
        }
    }
}

impl Options {
    /// Returns options for a trace of about `bytes` bytes. Generation fails if the trace becomes much
    /// larger or takes too many steps, because a faulty description may ask for any amount of data.
    pub fn about(bytes: u64) -> Self {
        Self {
            bytes,
            steps: MOST_STEPS.saturating_add(bytes.saturating_mul(STEPS_PER_BYTE)),
            most: MOST_EXCESS.saturating_add(bytes.saturating_mul(MOST_TIMES)),
            ..Self::default()
        }
    }

    /// Returns whether a wrong number may be written in place of a computed number.
    pub(crate) fn may_depart(&self) -> bool {
        self.odd && !self.mended
    }
}

/// The emitter, which writes the values of a trace.
pub struct Emitter<'a, C, const TREE: bool> {
    pub(crate) choices: C,
    options: Options,
    index: &'a Index,
    script: Option<Script<'a>>,
    planned: Planned,
    described: Described,
    enclosing: Enclosing,
    pub(crate) stopping: Stopping,
    wishes: Wishes,
    pub(crate) placement: Placement,
    /// Fields whose values are not known yet.
    late: Vec<Late>,
    /// Maps each list whose elements must differ to the values already in use.
    used: HashMap<OpId, HashSet<Vec<u8>>>,
    /// A terminator that the preceding string left for the next field to write.
    left_over: Vec<u8>,
    /// The end position of a repeated row whose bytes have already been written.
    replayed: u64,
    /// The range of the tape that each element consumed.
    pub(crate) spans: Vec<TapeSpan>,
    /// The fields that were written, each with the number of choices before it. Empty if a given
    /// tree is written.
    fields: Vec<(OpId, usize)>,
    /// The number of remaining steps.
    steps_left: u64,
    /// The field that could not be written, and the reason.
    pub(crate) refusal: Option<(OpId, &'static str)>,
    scratch: Vec<u8>,
}

impl<'a, C: Choices, const TREE: bool> Emitter<'a, C, TREE> {
    pub(crate) fn new(index: &'a Index, choices: C, options: Options) -> Self {
        Self {
            choices,
            options,
            index,
            script: None,
            planned: Planned::default(),
            described: Described::default(),
            enclosing: Enclosing::default(),
            stopping: Stopping::default(),
            wishes: Wishes::default(),
            placement: Placement::default(),
            late: Vec::new(),
            used: HashMap::new(),
            left_over: Vec::new(),
            replayed: 0,
            spans: Vec::new(),
            fields: Vec::new(),
            steps_left: options.steps,
            refusal: None,
            scratch: Vec::new(),
        }
    }

    /// Takes the values from `tree`.
    pub(crate) fn following(mut self, tree: &'a tracegauge_decoder::tree::Tree) -> Self {
        self.script = Some(Script::new(tree));
        self
    }

    /// Returns whether an enclosing list declares more elements than it has, and the current
    /// element is missing.
    fn is_short(&self, trail: &[u64]) -> bool {
        self.stopping.short.iter().any(|(of, count)| {
            let list = self.enclosing.lists.iter().rfind(|list| list.op == *of);
            let number = list.and_then(|list| trail.get(list.depth()));
            number.is_some_and(|number| number >= count)
        })
    }

    /// Returns whether a field stays empty because readers ignore it.
    fn leaves_empty(&self, plan: &Plan, op: OpId) -> bool {
        let is_left = plan.info(op).ignore && self.is_plain(op) && !self.permits_all(plan, op);
        !self.options.odd && (is_left || severity::stays_empty(plan, op))
    }

    /// Returns whether the bytes at `position` have already been written.
    fn replays_at(&self, position: u64) -> bool {
        position < self.replayed || self.placement.is_reading()
    }

    /// Returns whether the emitter writes a given tree.
    pub(crate) fn is_scripted(&self) -> bool {
        self.script.is_some()
    }

    pub(crate) fn is_odd(&self) -> bool {
        self.options.odd
    }

    /// Returns how far the emitter came.
    pub(crate) fn progress(&mut self) -> Progress {
        let open = self.enclosing.starts.iter().map(|(_, start)| *start);
        let closed = self.spans.iter().map(|span| span.start);
        let mut starts: Vec<usize> = open.chain(closed).collect();
        starts.sort_unstable();
        starts.dedup();
        Progress {
            starts,
            completed: self.spans.len(),
            choices: self.choices.position(),
            fields: std::mem::take(&mut self.fields),
            failed: self.refusal.map(|(op, _)| op),
        }
    }

    /// Returns the last node of `op` that was encoded, or the tree's current node if there is no
    /// such node.
    pub(crate) fn last_node(&self, op: OpId) -> Option<NodeId> {
        self.script.as_ref().map(|script| script.last_node(op))
    }

    /// Ends generation with an error because the trace would exceed the size limit.
    fn give_up(&mut self, op: OpId) -> Refused {
        self.steps_left = 0;
        self.refuse(op, error::TOO_LONG)
    }

    fn refuse(&mut self, op: OpId, why: &'static str) -> Refused {
        self.refusal.get_or_insert((op, why));
        Refused
    }
}

/// A machine controlled by an emitter.
type Directed<'m, 'p, 'a, I, C, const TREE: bool> = &'m mut Machine<'p, I, Emitter<'a, C, TREE>>;

impl<C: Choices, const TREE: bool> Observer for Emitter<'_, C, TREE> {
    fn spent(&mut self) -> bool {
        let spent = self.steps_left == 0;
        if spent {
            self.refusal.get_or_insert((OpId(0), error::TOO_MANY_STEPS));
        }
        self.steps_left = self.steps_left.saturating_sub(1);
        spent
    }
}

impl<'a, C: Choices, const TREE: bool> Visitor for Emitter<'a, C, TREE> {
    const TREE: bool = TREE;
    const DIRECTS: bool = true;
    const LIMITED: bool = true;

    fn put<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) -> Result<(), Refused> {
        let emitter = machine.visitor_mut();
        if TREE && emitter.script.is_none() && emitter.refusal.is_none() {
            let before = emitter.choices.position();
            emitter.fields.push((op, before));
        }
        hooks::put(machine, op)
    }

    fn cut(&mut self) -> Option<Cut> {
        self.stopping.cut.take()
    }

    fn cut_part<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) {
        cut::part(machine, op);
    }

    fn interrupted<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId, start: u64, count: u64) {
        cut::interrupted(machine, op, start, count);
    }

    fn cut_trace<I: Input>(machine: &mut Machine<'_, I, Self>) {
        cut::trace(machine);
    }

    fn begin<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) {
        hooks::begin(machine, op);
    }

    fn replays<I: Input>(machine: &Machine<'_, I, Self>) -> bool {
        machine.visitor().replays_at(machine.position())
    }

    fn measures(&self, op: OpId) -> bool {
        self.index.measured.contains(&op) || self.placement.measures(op)
    }

    fn chooses_size<I: Input>(machine: &Machine<'_, I, Self>, op: OpId) -> bool {
        hooks::chooses_size(machine, op)
    }

    fn waits(&self, op: OpId) -> bool {
        self.late.iter().any(|late| late.op == op)
    }

    fn most<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) -> Option<u64> {
        derived::most(machine, op).or_else(|| placement::most(machine, op))
    }

    fn begin_part<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId, size: Option<u64>) {
        part::begin(machine, op, size);
    }

    fn end_part<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) {
        part::end(machine, op);
    }

    fn goes_on<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) -> bool {
        part::goes_on(machine, op)
    }

    fn located<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) {
        located::pass(machine, op);
    }

    fn locate<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) -> bool {
        placement::locate(machine, op)
    }

    fn end_located<I: Input>(machine: &mut Machine<'_, I, Self>) {
        placement::end(machine);
    }

    fn at_end<I: Input>(machine: &mut Machine<'_, I, Self>) -> bool {
        located::at_end(machine)
    }

    fn end_trace<I: Input>(machine: &mut Machine<'_, I, Self>) {
        located::end_trace(machine);
    }

    fn another<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId, number: u64) -> bool {
        hooks::another(machine, op, number)
    }

    fn breaks_off<I: Input>(machine: &mut Machine<'_, I, Self>, _op: OpId, number: u64) -> bool {
        hooks::breaks_off(machine, number)
    }

    fn to_end<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) -> u64 {
        hooks::to_end(machine, op)
    }

    fn measured<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId, size: u64, count: u64) {
        described::complete(machine, op);
        derived::measured(machine, op, size, count);
    }

    fn begin_layout<I: Input>(machine: &mut Machine<'_, I, Self>, layout: OpId) {
        nested::begin(machine, layout);
    }

    fn counted<I: Input>(
        machine: &mut Machine<'_, I, Self>,
        count: OpId,
        units: Option<(OpId, u64)>,
        each: Option<u64>,
        none: Option<i128>,
    ) {
        nested::counted(machine, count, units, each, none);
    }

    fn put_units<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId, size: u64) {
        nested::put_units(machine, op, size);
    }

    fn put_area<I: Input>(machine: &mut Machine<'_, I, Self>, layout: OpId, words: bool) {
        nested::put_area(machine, layout, words);
    }

    fn place<I: Input>(machine: &mut Machine<'_, I, Self>, word: &Word) -> Option<Placed> {
        nested::place(machine, word)
    }

    fn end_layout<I: Input>(machine: &mut Machine<'_, I, Self>, _layout: OpId) {
        nested::end(machine);
    }

    fn complete<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) {
        derived::complete(machine, op);
        inside::forget(machine, op);
    }
}
