//! Checks the laws that connect decoding, generating, encoding and recording. Each law is a plain
//! function for tests and fuzz targets.

use std::fmt;

use tracegauge_decoder::record::Record;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_decoder::{
    Findings, Judgement, Observer, Verdict, decode, decode_tree, judge, observe,
};
use tracegauge_plan::{OpId, Plan};

use crate::tape::Tape;
use crate::{GenerateError, Generated, Generator, Options};

/// A violated law.
#[derive(Debug)]
pub enum Broken {
    /// Judging, decoding and building the tree reach different verdicts on the same bytes.
    Verdicts(Box<[Verdict; 3]>),
    /// The decoder's fast path (steps) and its complete path (operations) produce different
    /// records.
    Records(Box<[Option<Record>; 2]>),
    /// The decoder did more work than the number of bytes justifies.
    Work {
        /// The number of nodes in the tree.
        nodes: usize,
        /// The maximum number of nodes that the bytes allow.
        most: usize,
    },
    /// A tape (a sequence of choices) yields no trace.
    NoTrace(GenerateError),
    /// The decoder does not accept a generated trace, or rejects a trace whose round trips are
    /// checked.
    Rejected(Box<Verdict>),
    /// The tree of a generated trace differs from the tree that the decoder builds from its bytes.
    MadeTree(Difference),
    /// A decoded tree cannot be encoded.
    NotEncoded(GenerateError),
    /// Encoding a decoded tree produces different bytes. Contains the position of the first
    /// difference.
    EncodedBytes(usize),
    /// Encoding a decoded tree produces a different tree.
    EncodedTree(Difference),
    /// No tape can be recorded from a decoded tree.
    NotRecorded(GenerateError),
    /// The tape that was recorded from a trace yields no trace.
    NotPlayed(GenerateError),
    /// The trace generated from a recorded tape differs from the trace that was recorded. Contains
    /// the position of the first difference.
    PlayedBytes(usize),
    /// Two traces generated from the same tape differ. Contains the position of the first
    /// difference.
    Unsteady(usize),
}

/// The first difference between two trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first node that differs.
    pub node: NodeId,
    /// The operation of that node in the left tree, or `None` if the left tree has fewer nodes.
    pub left: Option<OpId>,
    /// The operation of that node in the right tree, or `None` if the right tree has fewer nodes.
    pub right: Option<OpId>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdicts(found) => {
                let [judged, decoded, tree] = &**found;
                write!(
                    f,
                    "the verdicts differ: {judged:?} from judging, {decoded:?} from decoding, \
                     {tree:?} from building the tree"
                )
            }
            Self::Records(found) => {
                let shown = found.each_ref().map(|record| match record {
                    Some(record) => record.to_string(),
                    None => "no further record".to_owned(),
                });
                write!(
                    f,
                    "the precompiled steps of the decoder report {}, but its operations report {}",
                    shown[0], shown[1]
                )
            }
            Self::Work { nodes, most } => {
                write!(f, "{nodes} nodes, but the bytes allow at most {most}")
            }
            Self::NoTrace(error) => {
                write!(f, "the random choices do not generate a trace: {error}")
            }
            Self::Rejected(verdict) => {
                write!(f, "the generated trace is not accepted: {verdict:?}")
            }
            Self::MadeTree(at) => {
                write!(
                    f,
                    "the generated tree differs from the decoded tree: {at:?}"
                )
            }
            Self::NotEncoded(error) => write!(f, "cannot encode the tree: {error}"),
            Self::EncodedBytes(at) => write!(
                f,
                "the encoded trace differs from the decoded trace at byte {at}"
            ),
            Self::EncodedTree(at) => write!(
                f,
                "the tree of the encoded trace differs from the decoded tree: {at:?}"
            ),
            Self::NotRecorded(error) => write!(
                f,
                "cannot record the choices that generate the \
                tree: {error}"
            ),
            Self::NotPlayed(error) => write!(f, "cannot replay the recorded choices: {error}"),
            Self::PlayedBytes(at) => write!(
                f,
                "the recorded choices generate a trace that differs from byte {at} on"
            ),
            Self::Unsteady(at) => write!(
                f,
                "the same choices generate two traces that differ from byte {at} on"
            ),
        }
    }
}

impl std::error::Error for Broken {}

/// Checks the laws that hold for any bytes: judging, decoding and building the tree agree, the
/// decoder's fast path (steps) and its complete path (operations) find the same records, and the
/// tree is no larger than the bytes justify.
///
/// # Errors
/// Returns an error that names the violated law.
pub fn check_decode(plan: &Plan, bytes: &[u8]) -> Result<Verdict, Broken> {
    let judged = judge(plan, bytes);
    let (decoded, records) = decode(plan, bytes);
    let (seen, tree) = decode_tree(plan, bytes);
    if judged != decoded || judged != seen {
        return Err(Broken::Verdicts(Box::new([judged, decoded, seen])));
    }
    same_records(plan, bytes, &records)?;
    let most = (bytes.len() + 1).saturating_mul(plan.ops.len() + 1);
    if tree.nodes.len() > most {
        let nodes = tree.nodes.len();
        return Err(Broken::Work { nodes, most });
    }
    Ok(judged)
}

/// An observer that also requests notes. Requesting notes forces the machine to run operations
/// instead of steps, which are its fast path.
#[derive(Default)]
struct Slowly(Vec<Record>);

impl Observer for Slowly {
    fn beyond(&self) -> bool {
        true
    }

    fn record(&mut self, record: &RecordView<'_>) {
        self.0.push(record.to_record());
    }
}

/// Checks that the decoder's fast path (steps) finds the same records as its complete path
/// (operations).
fn same_records(plan: &Plan, bytes: &[u8], fast: &[Record]) -> Result<(), Broken> {
    let mut slowly = Slowly::default();
    observe(plan, bytes, Findings::Notes, &mut slowly);
    let slow = slowly.0;
    let parts = |at: &usize| fast.get(*at) != slow.get(*at);
    match (0..fast.len().max(slow.len())).find(parts) {
        Some(at) => {
            let found = [fast.get(at).cloned(), slow.get(at).cloned()];
            Err(Broken::Records(Box::new(found)))
        }
        None => Ok(()),
    }
}

/// Checks the laws that hold for any tape (a sequence of choices): the tape always yields the same
/// trace; every reader must accept the trace; the generated tree equals the decoded tree; and
/// encoding and recording reproduce the trace.
///
/// # Errors
/// Returns an error that names the violated law.
pub fn check_tape(
    generator: &Generator,
    tape: &Tape,
    options: Options,
) -> Result<Generated, Broken> {
    let made = generator.generate(tape, options).map_err(Broken::NoTrace)?;
    let again = generator.generate(tape, options).map_err(Broken::NoTrace)?;
    if let Some(at) = parting(&made.bytes, &again.bytes) {
        return Err(Broken::Unsteady(at));
    }
    check_made(generator, &made)?;
    Ok(made)
}

/// Checks the laws that hold for a generated trace: every reader must accept the trace, the
/// generated tree equals the decoded tree, and encoding and recording reproduce the trace.
///
/// # Errors
/// Returns an error that names the violated law.
pub fn check_made(generator: &Generator, made: &Generated) -> Result<(), Broken> {
    let (verdict, tree) = decode_tree(generator.plan(), &made.bytes);
    if verdict.judgement != Judgement::Accepted {
        return Err(Broken::Rejected(Box::new(verdict)));
    }
    if let Some(difference) = difference(&tree, &made.tree) {
        return Err(Broken::MadeTree(difference));
    }
    check_identities(generator, &made.bytes)
}

/// Checks the round trips of a trace that readers may accept: decoding then encoding, encoding then
/// decoding, and recording a tape then generating from it must each return the input.
///
/// These laws do not apply if readers may disagree on the contents after some point of the trace
/// ([`Judgement::Either`]): the decoder stops at that point, so no tree contains the rest.
///
/// # Errors
/// Returns an error that names the violated law.
pub fn check_identities(generator: &Generator, bytes: &[u8]) -> Result<(), Broken> {
    let (verdict, tree) = decode_tree(generator.plan(), bytes);
    if !verdict.tolerable() {
        return Err(Broken::Rejected(Box::new(verdict)));
    }
    let encoded = generator.encode(&tree).map_err(Broken::NotEncoded)?;
    if let Some(at) = parting(&encoded.bytes, bytes) {
        return Err(Broken::EncodedBytes(at));
    }
    if let Some(difference) = difference(&encoded.tree, &tree) {
        return Err(Broken::EncodedTree(difference));
    }
    let tape = generator.record(&tree).map_err(Broken::NotRecorded)?;
    let played = generator
        .generate(&tape, Options::default())
        .map_err(Broken::NotPlayed)?;
    match parting(&played.bytes, bytes) {
        Some(at) => Err(Broken::PlayedBytes(at)),
        None => Ok(()),
    }
}

/// Returns the first position where two byte strings differ.
fn parting(left: &[u8], right: &[u8]) -> Option<usize> {
    if left == right {
        return None;
    }
    let shared = left.iter().zip(right).take_while(|(l, r)| l == r).count();
    Some(shared)
}

/// Returns the first node where two trees differ. The trees' heaps and layouts are not compared.
fn difference(left: &Tree, right: &Tree) -> Option<Difference> {
    let most = left.nodes.len().max(right.nodes.len());
    (0..u32::try_from(most).unwrap_or(u32::MAX))
        .find(|id| shown(left, *id) != shown(right, *id))
        .map(|node| Difference {
            node,
            left: left.nodes.get(node as usize).map(|node| node.op),
            right: right.nodes.get(node as usize).map(|node| node.op),
        })
}

/// Returns the properties of a node that two equal trees must share.
fn shown(tree: &Tree, id: NodeId) -> Option<(OpId, NodeId, Payload, &[u8])> {
    let node = tree.nodes.get(id as usize)?;
    let payload = match node.payload {
        Payload::Bytes { .. } | Payload::Layout(_) => Payload::None,
        other => other,
    };
    Some((
        node.op,
        node.end,
        payload,
        tree.bytes(id).unwrap_or_default(),
    ))
}
