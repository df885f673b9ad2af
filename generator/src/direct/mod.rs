//! The director: puts the bytes of each value just before the machine reads it.
//!
//! Generating, encoding and recording are the decoder's own walk over the plan. In
//! generating, the director chooses; in encoding it takes values from a tree; in recording it
//! takes them from a tree and notes which choices would have led to them. So whatever the
//! decoder knows of a trace at some point (rows, registers, bounds) is what values are chosen
//! from, and nothing is tried until it happens to be valid.

mod aim;
mod carried;
mod cut;
mod derived;
mod domain;
mod ending;
mod float;
mod foresight;
mod hooks;
mod index;
mod inside;
mod lists;
mod located;
mod nested;
mod number;
mod part;
mod reference;
mod script;
mod text;
pub(crate) mod wire;

use hashbrown::{HashMap, HashSet};
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::{Cut, Input, Machine, Placed, Refused, Visitor, Word};
use tracegauge_spec::plan::{OpId, Plan, Slot};

use crate::error;
use crate::tape::{Choices, TapeSpan};
pub use aim::{Aim, AimedLength, AimedNumber};
use derived::Late;
pub(crate) use hooks::bits_of;
pub use index::Index;
use script::Script;

/// How much is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Lists up to the end of the file stop once the trace has so many bytes.
    pub bytes: u64,
    /// Lists with a count have at most so many elements, and texts so many bytes.
    pub elements: u64,
    /// Lists go on until `bytes` are reached, whatever the tape says.
    pub fill: bool,
    /// What only a tolerant reader accepts may be chosen.
    pub odd: bool,
    /// Sizes and counts follow from what is there, even where readers tolerate another one and the
    /// tree that is followed has it.
    pub mended: bool,
    /// Where a trace is `odd`, no text, list or run of bytes is longer than this: a tape that
    /// nobody recorded may ask for gigabytes.
    pub longest: u64,
    /// Steps after which a trace is given up: a description that is wrong may ask for one without
    /// end.
    pub steps: u64,
    /// A trace that would have more bytes is given up: a size in it may ask for gigabytes.
    pub most: u64,
    /// What is put where readers pass over it.
    pub spare: Spare,
}

/// What is put into fields that readers pass over, unless some reader minds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spare {
    /// Anything.
    #[default]
    Anything,
    /// Nothing, but for what is aimed at, and but for one field.
    Only(Option<OpId>),
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
            spare: Spare::Anything,
        }
    }
}

impl Options {
    /// Whether a number may be put that is not the one that a writer computes.
    pub(crate) fn may_depart(&self) -> bool {
        self.odd && !self.mended
    }
}

/// Puts values.
pub struct Director<'a, C, const TREE: bool> {
    pub(crate) choices: C,
    options: Options,
    index: &'a Index,
    script: Option<Script<'a>>,
    /// Texts, bytes and numbers of elements that were chosen with their length.
    planned_bytes: Vec<(OpId, Vec<u8>)>,
    planned_counts: Vec<(OpId, u64)>,
    /// Numbers that were chosen before their turn.
    planned_numbers: Vec<(OpId, i128)>,
    /// Texts that were chosen with their row.
    planned_texts: Vec<(OpId, Vec<u8>)>,
    /// Types that are being described, from the outside in.
    types: Vec<nested::OpenType>,
    /// Bytes of the values that the types of a row describe.
    row_bytes: u64,
    /// Where the outermost structure that holds itself has come to the number of those inside.
    nested_from: u64,
    /// Layouts around whose values hold others, from the outside in.
    layouts: Vec<nested::OpenLayout>,
    /// Fields whose value is known only later.
    late: Vec<Late>,
    /// Parts around, from the outside in.
    parts: Vec<part::OpenPart>,
    /// Bit fields of the run that is being put, and what was chosen for them.
    bits: Vec<(Slot, i128)>,
    /// Reading stops before the value that was asked for.
    cut: Option<Cut>,
    /// It has stopped before some value.
    pub(crate) was_cut: bool,
    /// What stands after the root has been put.
    trailed: bool,
    /// Lists and texts that have fewer elements than is said before them.
    short: Vec<(OpId, u64)>,
    /// What the trace should have.
    aim: Aim,
    /// How many type codes have been aimed at.
    aimed: usize,
    /// Lists around, from the outside in.
    lists: Vec<lists::OpenList>,
    /// Values that are in use where elements must differ: list and value.
    used: HashMap<OpId, HashSet<Vec<u8>>>,
    /// A terminator that a text has left for what follows.
    left_over: Vec<u8>,
    /// Whether the stream ends at a position, once something has asked.
    ended: Option<(u64, bool)>,
    /// Bytes up to here are a row once more, already put.
    replayed: u64,
    /// Which part of the tape elements took.
    pub(crate) spans: Vec<TapeSpan>,
    starts: Vec<(OpId, usize)>,
    /// Steps that are left.
    steps_left: u64,
    /// Why there was nothing to put.
    pub(crate) refusal: Option<(OpId, &'static str)>,
    scratch: Vec<u8>,
}

impl<'a, C: Choices, const TREE: bool> Director<'a, C, TREE> {
    pub(crate) fn new(index: &'a Index, choices: C, options: Options) -> Self {
        Self {
            choices,
            options,
            index,
            script: None,
            planned_bytes: Vec::new(),
            planned_counts: Vec::new(),
            planned_numbers: Vec::new(),
            planned_texts: Vec::new(),
            types: Vec::new(),
            row_bytes: 0,
            nested_from: 0,
            layouts: Vec::new(),
            late: Vec::new(),
            parts: Vec::new(),
            bits: Vec::new(),
            cut: None,
            was_cut: false,
            trailed: false,
            short: Vec::new(),
            aim: Aim::default(),
            aimed: 0,
            lists: Vec::new(),
            used: HashMap::new(),
            left_over: Vec::new(),
            ended: None,
            replayed: 0,
            spans: Vec::new(),
            starts: Vec::new(),
            steps_left: options.steps,
            refusal: None,
            scratch: Vec::new(),
        }
    }

    /// Takes values from `tree`.
    pub(crate) fn following(mut self, tree: &'a tracegauge_decoder::tree::Tree) -> Self {
        self.script = Some(Script::new(tree));
        self
    }

    /// A list around has an element more than it has been given.
    fn is_short(&self, trail: &[u64]) -> bool {
        self.short.iter().any(|(of, count)| {
            let list = self.lists.iter().rfind(|list| list.op == *of);
            let number = list.and_then(|list| trail.get(list.depth()));
            number.is_some_and(|number| number >= count)
        })
    }

    /// A writer puts nothing into a field, since readers pass over it.
    fn leaves_empty(&self, plan: &Plan, op: OpId) -> bool {
        let is_left = match self.options.spare {
            Spare::Anything => false,
            Spare::Only(field) => plan.info(op).ignore && field != Some(op),
        };
        !self.options.odd && (is_left || index::stays_empty(plan, op))
    }

    pub(crate) fn is_odd(&self) -> bool {
        self.options.odd
    }

    /// The node of `op` that was followed last, or else where the tree went on.
    pub(crate) fn last_node(&self, op: OpId) -> Option<NodeId> {
        self.script.as_ref().map(|script| script.last_node(op))
    }

    /// Gives up a trace that would have too many bytes at a place where nothing else says so.
    fn give_up(&mut self, op: OpId) -> Refused {
        self.steps_left = 0;
        self.refuse(op, error::TOO_LONG)
    }

    fn refuse(&mut self, op: OpId, why: &'static str) -> Refused {
        self.refusal.get_or_insert((op, why));
        Refused
    }
}

/// A machine under a director.
type Directed<'m, 'p, 'a, I, C, const TREE: bool> = &'m mut Machine<'p, I, Director<'a, C, TREE>>;

impl<'a, C: Choices, const TREE: bool> Visitor for Director<'a, C, TREE> {
    const TREE: bool = TREE;
    const DIRECTS: bool = true;
    const LIMITED: bool = true;

    fn spent(&mut self) -> bool {
        let spent = self.steps_left == 0;
        if spent {
            self.refusal.get_or_insert((OpId(0), error::TOO_MANY_STEPS));
        }
        self.steps_left = self.steps_left.saturating_sub(1);
        spent
    }

    fn put<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) -> Result<(), Refused> {
        hooks::put(machine, op)
    }

    fn cut(&mut self) -> Option<Cut> {
        self.cut.take()
    }

    fn cut_part<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) {
        cut::part(machine, op);
    }

    fn cut_trace<I: Input>(machine: &mut Machine<'_, I, Self>) {
        cut::trace(machine);
    }

    fn begin<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) {
        hooks::begin(machine, op);
    }

    fn replays<I: Input>(machine: &Machine<'_, I, Self>) -> bool {
        machine.position() < machine.visitor().replayed
    }

    fn measures(&self, op: OpId) -> bool {
        self.index.measured.contains(&op)
    }

    fn waits(&self, op: OpId) -> bool {
        self.late.iter().any(|late| late.op == op)
    }

    fn most<I: Input>(machine: &mut Machine<'_, I, Self>, op: OpId) -> Option<u64> {
        derived::most(machine, op)
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
        nested::described(machine, op);
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

    fn record(&mut self, _record: &RecordView<'_>) {}
}
