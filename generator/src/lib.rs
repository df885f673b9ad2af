//! The generator: tapes to valid traces, trees to bytes, traces to tapes; and valid traces to
//! malformed ones.
//!
//! Four promises: what is generated is always valid; everything that a format allows can be
//! generated; the same tape gives the same bytes, everywhere; a small change of the tape
//! makes a small change of the trace.

pub mod as_is;
mod direct;
mod edited;
mod error;
pub mod fault;
pub mod held;
pub mod laws;
pub mod minimize;
pub mod mutate;
pub mod tape;
mod unwritable;

use std::io::{self, Write};
use std::sync::Arc;

use tracegauge_decoder::tree::Tree;
use tracegauge_decoder::{Finished, GrowingInput, Judgement, Machine, Verdict, decode_tree, judge};
use tracegauge_spec::plan::Plan;

pub use as_is::Bases;
use direct::Director;
pub use direct::{Aim, AimedLength, AimedNumber, Index, Options, Spare};
pub use error::{GenerateError, InvalidTrace};
use tape::{Choices, Drawn, Player, Random, Recorder, Tape};
pub use unwritable::{OtherSize, Unwritable, Why};

/// A plan made ready for writing.
#[derive(Clone, Debug)]
pub struct Generator {
    plan: Arc<Plan>,
    index: Arc<Index>,
}

/// A trace that was made, with its tree.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The tree, as the decoder would find it.
    pub tree: Tree,
    /// What the decoder says of it.
    pub verdict: Verdict,
    /// Which part of the tape each element took.
    pub spans: Vec<tape::TapeSpan>,
}

/// Makes whole traces, from whatever choices.
type Whole<'a> = Director<'a, Drawn<'a>, true>;

impl Generator {
    /// Makes a plan ready.
    pub fn new(plan: Arc<Plan>) -> Self {
        let index = Arc::new(Index::new(&plan));
        Self { plan, index }
    }

    /// The plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The trace that a tape makes.
    ///
    /// # Errors
    /// A field had no possible value. A tape that was recorded, or whose format needs a
    /// predicate that cannot be planned, may also make a trace that is not valid.
    pub fn generate(&self, tape: &Tape, options: Options) -> Result<Generated, GenerateError> {
        let options = Options {
            odd: tape.recorded,
            ..options
        };
        self.whole(self.director(Drawn::Played(Player::new(tape)), options))
    }

    /// The trace that a seed makes: at least `options.bytes` long where `options.fill` is set.
    ///
    /// # Errors
    /// As for [`Self::generate`].
    pub fn from_seed(&self, seed: u64, options: Options) -> Result<Generated, GenerateError> {
        let options = Options {
            odd: false,
            ..options
        };
        self.whole(self.director(Drawn::Random(Random::new(seed)), options))
    }

    /// The trace that a seed makes, with what it is to have where that is possible.
    ///
    /// # Errors
    /// As for [`Self::generate`].
    pub fn toward(
        &self,
        seed: u64,
        options: Options,
        aim: &Aim,
    ) -> Result<Generated, GenerateError> {
        let options = Options {
            odd: false,
            ..options
        };
        let director = self.director(Drawn::Random(Random::new(seed)), options);
        self.whole(director.aiming(aim))
    }

    /// What makes a whole trace and keeps its tree.
    fn director<'a>(&'a self, choices: Drawn<'a>, options: Options) -> Whole<'a> {
        Director::new(&self.index, choices, options)
    }

    fn whole(&self, director: Whole<'_>) -> Result<Generated, GenerateError> {
        let mut bytes = Vec::new();
        let odd = director.is_odd();
        let finished = self.put(director, &mut bytes);
        let (verdict, tree, visitor) = self.finished(finished, odd).map_err(|error| {
            let read = judge(&self.plan, &bytes);
            match error {
                // Fields may have moved since, where what stands before them was put later.
                GenerateError::Invalid(found) if read.same_fault(&found.verdict) => {
                    self.invalid(read)
                }
                GenerateError::Invalid(mut found) => {
                    found.locate(&self.plan, &bytes, |op| self.field(op));
                    GenerateError::Invalid(found)
                }
                error => error,
            }
        })?;
        let (verdict, tree) = self.read_back(&bytes, &visitor, (verdict, tree))?;
        Ok(Generated {
            bytes,
            tree,
            verdict,
            spans: visitor.spans,
        })
    }

    /// Writes the trace that a seed makes, keeping no more of it than its largest element needs.
    ///
    /// # Errors
    /// As for [`Self::generate`]; and the writer's own.
    pub fn write_seed(
        &self,
        seed: u64,
        options: Options,
        mut writer: impl Write,
    ) -> Result<Verdict, GenerateError> {
        if self.plan.locations.is_empty() {
            return self.put_seed(seed, options, &mut writer);
        }
        // What is found by its position is read once everything is there.
        let mut bytes = Vec::new();
        self.put_seed(seed, options, &mut bytes)?;
        let verdict = judge(&self.plan, &bytes);
        if !valid(&verdict, false) {
            return Err(self.invalid(verdict));
        }
        writer.write_all(&bytes).map_err(GenerateError::Io)?;
        writer.flush().map_err(GenerateError::Io)?;
        Ok(verdict)
    }

    /// All writers are one to it, since a machine is a large thing to compile.
    fn put<'a, C: Choices, const TREE: bool>(
        &self,
        director: Director<'a, C, TREE>,
        writer: &mut dyn Write,
    ) -> Finished<Director<'a, C, TREE>> {
        Machine::new(&self.plan, GrowingInput::new(writer), director).run()
    }

    fn put_seed(
        &self,
        seed: u64,
        options: Options,
        writer: &mut dyn Write,
    ) -> Result<Verdict, GenerateError> {
        let options = Options {
            odd: false,
            ..options
        };
        let director = Director::<_, false>::new(&self.index, Random::new(seed), options);
        let finished = self.put(director, writer);
        self.finished(finished, false).map(|(verdict, ..)| verdict)
    }

    /// The bytes of a tree. Sizes and counts follow from what is there, but for those that
    /// readers tolerate as the tree has them.
    ///
    /// # Errors
    /// The tree lacks a value, or has one that cannot be written.
    pub fn encode(&self, tree: &Tree) -> Result<Generated, GenerateError> {
        self.encode_by(tree, Options::default())
    }

    /// The bytes of a tree that was edited: all sizes and counts follow from what is there, and
    /// all else is as the tree has it.
    ///
    /// # Errors
    /// As for [`Self::encode`]; and something would be written otherwise than the tree says.
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
        let director = self.director(Drawn::Followed(Recorder::forgetting()), options);
        let mut bytes = Vec::new();
        let finished = self.put(director.following(tree), &mut bytes);
        if (options.mended || finished.visitor.choices.is_out_of_bounds())
            && let Some(changed) = edited::first_changed(&self.plan, tree, &finished.tree)
            && !matches!(changed.why, Why::OtherField(_) | Why::OtherCount(_))
        {
            // Whatever else is wrong with the trace may come from what has been changed.
            return Err(changed.into());
        }
        let (verdict, tree, visitor) = self.finished(finished, true)?;
        if visitor.choices.is_out_of_bounds() {
            return Err(GenerateError::OutOfBounds);
        }
        let (verdict, tree) = self.read_back(&bytes, &visitor, (verdict, tree))?;
        Ok(Generated {
            bytes,
            tree,
            verdict,
            spans: Vec::new(),
        })
    }

    /// The tape that makes the trace with this tree.
    ///
    /// # Errors
    /// The tree has a value that no choice gives.
    pub fn record(&self, tree: &Tree) -> Result<Tape, GenerateError> {
        let options = Options {
            odd: true,
            bytes: u64::MAX,
            elements: u64::MAX,
            ..Options::default()
        };
        let director = self.director(Drawn::Followed(Recorder::default()), options);
        let finished = self.put(director.following(tree), &mut io::sink());
        let (_, _, visitor) = self.finished(finished, true)?;
        if visitor.choices.is_out_of_bounds() {
            return Err(GenerateError::OutOfBounds);
        }
        Ok(Tape {
            recorded: true,
            bytes: visitor.choices.recorded().bytes,
            spans: visitor.spans,
        })
    }

    /// What stands elsewhere is read once everything has been put, and so is what stands where
    /// reading has stopped.
    fn read_back<C: Choices, const TREE: bool>(
        &self,
        bytes: &[u8],
        director: &Director<'_, C, TREE>,
        put: (Verdict, Tree),
    ) -> Result<(Verdict, Tree), GenerateError> {
        if self.plan.locations.is_empty() && !director.was_cut {
            return Ok(put);
        }
        let (verdict, tree) = decode_tree(&self.plan, bytes);
        if valid(&verdict, director.is_odd()) {
            Ok((verdict, tree))
        } else {
            Err(self.invalid(verdict))
        }
    }

    /// Tells a trace from a failure.
    fn finished<'a, C: Choices, const TREE: bool>(
        &self,
        finished: Finished<Director<'a, C, TREE>>,
        odd: bool,
    ) -> Result<(Verdict, Tree, Director<'a, C, TREE>), GenerateError> {
        if let Some((op, why)) = finished.visitor.refusal {
            return Err(GenerateError::Refused {
                field: self.field(op),
                why,
                described: error::described(&self.plan, op),
                node: finished.visitor.last_node(op),
            });
        }
        if let Some(error) = finished.failure {
            return Err(GenerateError::Io(error));
        }
        if !valid(&finished.verdict, odd) {
            return Err(self.invalid(finished.verdict));
        }
        Ok((finished.verdict, finished.tree, finished.visitor))
    }

    fn invalid(&self, verdict: Verdict) -> GenerateError {
        GenerateError::Invalid(Box::new(InvalidTrace::new(&self.plan, verdict)))
    }

    /// The names from the root to an operation.
    fn field(&self, op: tracegauge_spec::plan::OpId) -> String {
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

/// Every reader accepts it, or some do where that is enough.
fn valid(verdict: &Verdict, odd: bool) -> bool {
    match verdict.judgement {
        Judgement::Accepted => true,
        Judgement::Either { .. } => odd,
        Judgement::Rejected(_) => false,
    }
}
