//! The trace generator. This crate generates valid traces from tapes (recorded choices), encodes
//! trees as bytes, records the tape of an existing trace, and makes malformed traces from valid
//! ones.
//!
//! The generator guarantees that every generated trace is valid; that every trace that a format
//! allows can be generated; that the same tape yields the same bytes on every platform; and that a
//! small change to a tape leads to a small change to the trace.

mod attempts;
pub mod capacity;
mod direct;
mod edited;
mod error;
pub mod fault;
pub mod filler;
pub mod laws;
pub mod minimize;
pub mod mutate;
pub mod plain;
pub mod raw;
mod redraw;
pub mod tape;
mod unwritable;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tracegauge_decoder::tree::Tree;
use tracegauge_decoder::{
    Finished, GrowingInput, Input, Judgement, Machine, Verdict, decode_small_tree, decode_tree,
    judge,
};
use tracegauge_plan::Plan;

use attempts::Attempts;
pub use attempts::PerTrace;
use direct::{Emitter, MOST_RUNS};
pub use direct::{Index, Options, Target, TargetLength, TargetNumber, TargetText};
pub use error::{GenerateError, InvalidTrace};
use plain::{Allowed, Answers, Departure};
pub use raw::Bases;
use redraw::{Progress, Redraws};
use tape::{Choices, Drawn, Player, Random, Recorder, Tape};
pub use unwritable::{OtherSize, Unwritable, Why};

/// A plan prepared for generating and encoding traces.
#[derive(Clone, Debug)]
pub struct Generator {
    plan: Arc<Plan>,
    index: Arc<Index>,
    /// The number of nodes that were read or written so far.
    work: Arc<AtomicU64>,
    attempts: Arc<Attempts>,
}

/// A generated trace and its tree.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// The tree that the decoder builds from these bytes.
    pub tree: Tree,
    /// The decoder's verdict on the trace.
    pub verdict: Verdict,
    /// The range of the tape that each element of the trace consumed.
    pub spans: Vec<tape::TapeSpan>,
}

/// The size in bytes up to which a trace that is written is kept in memory, so that some of its choices
/// can be drawn again.
const REDRAWN: u64 = 1 << 20;

/// An unsuccessful attempt to generate a trace.
struct Failed {
    error: GenerateError,
    progress: Progress,
    /// The bytes of the trace, if it is complete.
    bytes: Vec<u8>,
}

/// An emitter that writes a whole trace, keeps its tree, and accepts any source of choices.
type Whole<'a> = Emitter<'a, Drawn<'a>, true>;

impl Generator {
    /// Creates a generator for a plan.
    pub fn new(plan: Arc<Plan>) -> Self {
        let mut index = Index::new(&plan);
        index.fixed = direct::all_fixed(&plan, &index);
        let index = Arc::new(index);
        Self {
            plan,
            index,
            work: Arc::default(),
            attempts: Arc::default(),
        }
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Returns how many fields, elements and structures this generator and its clones have written
    /// and read so far to generate whole traces. Attempts that failed count too. The number depends
    /// only on the calls, so it measures how long generation takes on any machine.
    pub fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    /// Returns how many attempts the traces took that this generator and its clones generated from
    /// seeds, and why attempts failed. Returns `None` if they generated no trace.
    pub fn attempts(&self) -> Option<PerTrace> {
        self.attempts.per_trace(&self.plan, &|op| self.field(op))
    }

    fn worked(&self, tree: &Tree) {
        self.work
            .fetch_add(tree.nodes.len() as u64, Ordering::Relaxed);
    }

    /// Generates the trace that results from the choices on a tape.
    ///
    /// # Errors
    /// Returns an error if a field has no possible value, or if the generated trace is invalid. A
    /// trace can be invalid if the tape was recorded from a trace and then changed, or if the
    /// format has a constraint that the generator does not know how to satisfy.
    pub fn generate(&self, tape: &Tape, options: Options) -> Result<Generated, GenerateError> {
        let options = Options {
            odd: tape.recorded,
            ..options
        };
        let emitter = self.emitter(Drawn::Played(Player::new(tape)), options);
        self.whole(emitter).map_err(|failed| self.reason(*failed))
    }

    /// Generates a trace from a seed. If `options.fill` is set, the trace has at least
    /// `options.bytes` bytes.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`Self::generate`].
    pub fn from_seed(&self, seed: u64, options: Options) -> Result<Generated, GenerateError> {
        self.drawn(seed, options, |emitter| emitter)
    }

    /// Generates a trace from a seed. The trace has the properties in `target` wherever the format
    /// allows them.
    pub fn toward(
        &self,
        seed: u64,
        options: Options,
        target: &Target,
    ) -> Result<Generated, GenerateError> {
        self.drawn(seed, options, |emitter| emitter.targeting(target))
    }

    /// Generates a trace from a seed and makes every choice as typical writers do, except for the
    /// departures in `allowed` and those that `target` needs.
    pub fn plain(
        &self,
        seed: u64,
        options: Options,
        target: &Target,
        allowed: Allowed,
    ) -> Result<Generated, GenerateError> {
        self.drawn(seed, options, |emitter| {
            emitter.targeting(target).plainly(allowed.clone())
        })
    }

    /// Generates a trace from a seed with an emitter that `prepare` modifies. If the trace cannot be
    /// generated, some of the choices are drawn again.
    fn drawn<'a>(
        &'a self,
        seed: u64,
        options: Options,
        prepare: impl Fn(Whole<'a>) -> Whole<'a>,
    ) -> Result<Generated, GenerateError> {
        let options = Options {
            odd: false,
            ..options
        };
        let mut redraws = Redraws::new(seed, options.choices);
        // Later attempts fail for less typical reasons.
        let mut first: Option<Box<Failed>> = None;
        loop {
            let emitter = self.emitter(Drawn::Random(redraws.random()), options);
            let failed = match self.whole(prepare(emitter)) {
                Ok(made) => {
                    self.attempts.succeeded();
                    return Ok(made);
                }
                Err(failed) => failed,
            };
            self.attempts.failed(&failed.error, failed.progress.failed);
            if !redraws.again(&self.plan, &failed.error, &failed.progress) {
                return Err(self.reason(*first.unwrap_or(failed)));
            }
            first.get_or_insert(failed);
        }
    }

    /// Returns the plain answers for the plan: what typical writers do where the format leaves a
    /// choice.
    pub fn answers(&self) -> &Answers {
        &self.index.answers
    }

    /// Returns the departures of a trace from what typical writers produce, each with the number of
    /// places where it occurs, and the verdict. A rejected trace has departures only up to the
    /// violation.
    ///
    /// # Errors
    /// Returns an error if the trace has too many fields and elements to keep in memory.
    pub fn departures(&self, bytes: &[u8]) -> io::Result<(BTreeMap<Departure, u64>, Verdict)> {
        let (observed, departures) = plain::observed(&self.plan, self.answers(), bytes);
        match observed.failure {
            Some(error) => Err(error),
            None => Ok((departures, observed.verdict)),
        }
    }

    /// Creates an emitter that writes a whole trace and keeps its tree.
    fn emitter<'a>(&'a self, choices: Drawn<'a>, options: Options) -> Whole<'a> {
        Emitter::new(&self.index, choices, options)
    }

    fn whole(&self, emitter: Whole<'_>) -> Result<Generated, Box<Failed>> {
        let mut bytes = Vec::new();
        let odd = emitter.is_odd();
        let mut finished = self.put(emitter, &mut bytes);
        self.worked(&finished.tree);
        if let Some(error) = self.failure(&mut finished, odd) {
            let mut progress = finished.visitor.progress();
            if let GenerateError::Invalid(found) = &error {
                progress.failed = found.verdict.violation().map(|violation| violation.op);
            }
            return Err(Box::new(Failed {
                error,
                progress,
                bytes,
            }));
        }
        let choices = finished.visitor.choices.position();
        let placed = self.placed(bytes, finished.visitor, (finished.verdict, finished.tree));
        placed.map_err(|error| {
            Box::new(Failed {
                error,
                progress: Progress {
                    choices,
                    ..Progress::default()
                },
                bytes: Vec::new(),
            })
        })
    }

    /// Returns the reason why a trace could not be generated, with the place in the trace.
    fn reason(&self, failed: Failed) -> GenerateError {
        let Failed { error, bytes, .. } = failed;
        if bytes.is_empty() {
            return error;
        }
        match error {
            // Judge the complete bytes again for the error: a field's position may have changed if
            // earlier fields were filled in later.
            GenerateError::Invalid(mut found) => {
                let read = judge(&self.plan, &bytes);
                if read.same_fault(&found.verdict) {
                    return self.invalid(read);
                }
                found.locate(&self.plan, &bytes, |op| self.field(op));
                GenerateError::Invalid(found)
            }
            error => error,
        }
    }

    /// Returns a trace that the emitter has written, after placing the values that are located by a
    /// position if their random positions make the trace invalid.
    fn placed(
        &self,
        mut bytes: Vec<u8>,
        mut emitter: Whole<'_>,
        put: (Verdict, Tree),
    ) -> Result<Generated, GenerateError> {
        let mut read = self.read_back(&bytes, &emitter, put);
        for _ in 0..MOST_RUNS {
            if emitter.is_odd() || !matches!(read, Err(GenerateError::Invalid(_))) {
                break;
            }
            emitter.placement.start();
            let mut written = Vec::new();
            let mut input = GrowingInput::new(&mut written as &mut dyn Write);
            input.append(&bytes);
            let mut machine = Machine::new(&self.plan, input, emitter);
            machine.tree_mut().limit_nodes(bytes.len() as u64);
            let finished = machine.run();
            self.worked(&finished.tree);
            if let Some(refused) = self.refused(&finished.visitor) {
                return Err(refused);
            }
            if let Some(excess) = finished.tree.excess {
                return Err(GenerateError::TooLarge(excess));
            }
            emitter = finished.visitor;
            bytes = written;
            if !emitter.placement.has_changed() {
                break;
            }
            read = self.decoded(&bytes, &emitter);
        }
        let (verdict, tree) = read?;
        Ok(Generated {
            bytes,
            tree,
            verdict,
            spans: emitter.spans,
        })
    }

    /// Writes the trace generated from a seed. Buffers only as many bytes as the largest element
    /// needs, or the whole trace if the trace has at most a megabyte or the format locates fields by
    /// position.
    pub fn write_seed(
        &self,
        seed: u64,
        options: Options,
        writer: impl Write,
    ) -> Result<Verdict, GenerateError> {
        self.write_by(seed, options, None, writer)
    }

    /// Writes the trace that [`Self::plain`] generates without a target, with the same buffering as
    /// [`Self::write_seed`].
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`Self::write_seed`].
    pub fn write_plain(
        &self,
        seed: u64,
        options: Options,
        allowed: Allowed,
        writer: impl Write,
    ) -> Result<Verdict, GenerateError> {
        self.write_by(seed, options, Some(allowed), writer)
    }

    fn write_by(
        &self,
        seed: u64,
        options: Options,
        allowed: Option<Allowed>,
        mut writer: impl Write,
    ) -> Result<Verdict, GenerateError> {
        let must_read_back = self.must_read_back();
        if !must_read_back && options.bytes > REDRAWN {
            return self.put_seed(seed, options, allowed, &mut writer);
        }
        // Some fields can be read only once the whole trace exists, and choices may have to be drawn
        // again.
        let mut bytes = Vec::new();
        let put = self.put_seed(seed, options, allowed.clone(), &mut bytes);
        let put = put.map(|verdict| match must_read_back {
            true => judge(&self.plan, &bytes),
            false => verdict,
        });
        let verdict = match put {
            Ok(verdict) if valid(&verdict, false) => verdict,
            _ => {
                let made = match allowed {
                    Some(allowed) => self.plain(seed, options, &Target::default(), allowed),
                    None => self.from_seed(seed, options),
                }?;
                bytes = made.bytes;
                made.verdict
            }
        };
        writer.write_all(&bytes).map_err(GenerateError::Io)?;
        writer.flush().map_err(GenerateError::Io)?;
        Ok(verdict)
    }

    /// Runs the machine with the given emitter. The writer is a trait object because every
    /// instantiation of the machine is expensive to compile.
    fn put<'a, C: Choices, const TREE: bool>(
        &self,
        emitter: Emitter<'a, C, TREE>,
        writer: &mut dyn Write,
    ) -> Finished<Emitter<'a, C, TREE>> {
        Machine::new(&self.plan, GrowingInput::new(writer), emitter).run()
    }

    fn put_seed(
        &self,
        seed: u64,
        options: Options,
        allowed: Option<Allowed>,
        writer: &mut dyn Write,
    ) -> Result<Verdict, GenerateError> {
        let options = Options {
            odd: false,
            ..options
        };
        let mut emitter = Emitter::<_, false>::new(&self.index, Random::new(seed), options);
        if let Some(allowed) = allowed {
            emitter = emitter.plainly(allowed);
        }
        let mut finished = self.put(emitter, writer);
        match self.failure(&mut finished, false) {
            Some(error) => Err(error),
            None => Ok(finished.verdict),
        }
    }

    /// Encodes a tree. Sizes and counts are computed from the contents, except that wrong values
    /// that readers tolerate are written unchanged.
    ///
    /// # Errors
    /// Returns an error if the tree lacks a value or has a value that cannot be written.
    pub fn encode(&self, tree: &Tree) -> Result<Generated, GenerateError> {
        self.encode_by(tree, Options::default())
    }

    /// Encodes a tree that was edited. All sizes and counts are computed from the contents; every
    /// other value is written unchanged.
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`Self::encode`], or if a value would be
    /// written differently from what the tree specifies.
    pub fn encode_mended(&self, tree: &Tree) -> Result<Generated, GenerateError> {
        let options = Options {
            mended: true,
            ..Options::default()
        };
        let made = self.encode_by(tree, options)?;
        match edited::first_changed(&self.plan, tree, &made.tree) {
            Some(changed) => Err(changed.into()),
            None => Ok(made),
        }
    }

    fn encode_by(&self, tree: &Tree, options: Options) -> Result<Generated, GenerateError> {
        let options = Options {
            odd: true,
            bytes: u64::MAX,
            elements: u64::MAX,
            ..options
        };
        let emitter = self.emitter(Drawn::Followed(Recorder::forgetting()), options);
        let mut bytes = Vec::new();
        let mut finished = self.put(emitter.following(tree), &mut bytes);
        if (options.mended || finished.visitor.choices.is_out_of_bounds())
            && let Some(changed) = edited::first_changed(&self.plan, tree, &finished.tree)
            && !matches!(changed.why, Why::OtherField(_) | Why::OtherCount(_))
        {
            // Report the changed value first: any other problem with the trace may be a consequence
            // of it.
            return Err(changed.into());
        }
        if let Some(error) = self.failure(&mut finished, true) {
            return Err(error);
        }
        let visitor = finished.visitor;
        if visitor.choices.is_out_of_bounds() {
            return Err(GenerateError::OutOfBounds);
        }
        let put = (finished.verdict, finished.tree);
        let (verdict, tree) = self.read_back(&bytes, &visitor, put)?;
        Ok(Generated {
            bytes,
            tree,
            verdict,
            spans: Vec::new(),
        })
    }

    /// Records the choices that generate the trace with this tree.
    ///
    /// # Errors
    /// Returns an error if the tree has a value that no choice can produce.
    pub fn record(&self, tree: &Tree) -> Result<Tape, GenerateError> {
        let options = Options {
            odd: true,
            bytes: u64::MAX,
            elements: u64::MAX,
            ..Options::default()
        };
        let emitter = self.emitter(Drawn::Followed(Recorder::default()), options);
        let mut finished = self.put(emitter.following(tree), &mut io::sink());
        if let Some(error) = self.failure(&mut finished, true) {
            return Err(error);
        }
        let visitor = finished.visitor;
        if visitor.choices.is_out_of_bounds() {
            return Err(GenerateError::OutOfBounds);
        }
        Ok(Tape {
            recorded: true,
            bytes: visitor.choices.recorded().bytes,
            spans: visitor.spans,
        })
    }

    /// Decodes the finished trace again if the emitter could not see all of it: if the format
    /// locates fields by position, or if reading stopped early.
    fn read_back<C: Choices, const TREE: bool>(
        &self,
        bytes: &[u8],
        emitter: &Emitter<'_, C, TREE>,
        put: (Verdict, Tree),
    ) -> Result<(Verdict, Tree), GenerateError> {
        if !self.must_read_back() && !emitter.stopping.was_cut {
            return Ok(put);
        }
        self.decoded(bytes, emitter)
    }

    /// Decodes a trace. Returns an error unless it is [`valid`], or if it was not encoded from a tree
    /// and has too many nodes.
    fn decoded<C: Choices, const TREE: bool>(
        &self,
        bytes: &[u8],
        emitter: &Emitter<'_, C, TREE>,
    ) -> Result<(Verdict, Tree), GenerateError> {
        let (verdict, tree) = match emitter.is_scripted() {
            true => decode_tree(&self.plan, bytes),
            false => decode_small_tree(&self.plan, bytes),
        };
        self.worked(&tree);
        match (tree.excess, valid(&verdict, emitter.is_odd())) {
            (Some(excess), _) => Err(GenerateError::TooLarge(excess)),
            (None, true) => Ok((verdict, tree)),
            (None, false) => Err(self.invalid(verdict)),
        }
    }

    /// Returns whether the emitter cannot read all values itself, because they depend on later parts
    /// of the trace.
    fn must_read_back(&self) -> bool {
        !self.plan.locations.is_empty() || !self.index.to_stream_end.is_empty()
    }

    /// Returns the reason why generation failed, if it did.
    fn failure<C: Choices, const TREE: bool>(
        &self,
        finished: &mut Finished<Emitter<'_, C, TREE>>,
        odd: bool,
    ) -> Option<GenerateError> {
        if let Some(refused) = self.refused(&finished.visitor) {
            return Some(refused);
        }
        if let Some(error) = finished.failure.take() {
            return Some(GenerateError::Io(error));
        }
        (!valid(&finished.verdict, odd)).then(|| self.invalid(finished.verdict.clone()))
    }

    /// Returns the reason why the emitter could not write a field, if any.
    fn refused<C: Choices, const TREE: bool>(
        &self,
        emitter: &Emitter<'_, C, TREE>,
    ) -> Option<GenerateError> {
        let (op, why) = emitter.refusal?;
        Some(GenerateError::Refused {
            field: self.field(op),
            why,
            described: error::described(&self.plan, op),
            node: emitter.last_node(op),
        })
    }

    fn invalid(&self, verdict: Verdict) -> GenerateError {
        GenerateError::Invalid(Box::new(InvalidTrace::new(&self.plan, verdict)))
    }

    /// Returns the path of names from the root to an operation.
    fn field(&self, op: tracegauge_plan::OpId) -> String {
        let mut names = Vec::new();
        let mut at = Some(op);
        while let Some(op) = at {
            let info = self.plan.info(op);
            names.extend(info.label.map(|label| self.plan.name(label).to_owned()));
            at = info.parent;
        }
        names.reverse();
        names.join(".")
    }
}

/// Returns whether every reader must accept the trace or, if `odd` is set, whether readers may
/// accept it.
fn valid(verdict: &Verdict, odd: bool) -> bool {
    match verdict.judgement {
        Judgement::Accepted => true,
        Judgement::Either { .. } => odd,
        Judgement::Rejected(_) => false,
    }
}
