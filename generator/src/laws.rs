//! The laws of decoding, generating, encoding and recording, each as a plain function that
//! tests and fuzz targets call.

use std::fmt;

use tracegauge_decoder::record::Record;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_decoder::{
    Judgement, Machine, SliceInput, Verdict, Visitor, decode, decode_tree, judge,
};
use tracegauge_spec::plan::{OpId, Plan};

use crate::tape::Tape;
use crate::{GenerateError, Generated, Generator, Options};

/// A law that does not hold.
#[derive(Debug)]
pub enum Broken {
    /// Judging, decoding and building the tree do not say the same of the same bytes.
    Verdicts(Box<[Verdict; 3]>),
    /// Steps and operations do not show the same records.
    Records(Box<[Option<Record>; 2]>),
    /// Decoding did more than the bytes can account for.
    Work {
        /// Nodes that were made.
        nodes: usize,
        /// The most that so many bytes allow.
        most: usize,
    },
    /// A tape makes no trace.
    NoTrace(GenerateError),
    /// What was made is not accepted.
    Rejected(Box<Verdict>),
    /// The tree of what was made is not the one that decoding finds.
    MadeTree(Difference),
    /// A decoded tree cannot be encoded.
    NotEncoded(GenerateError),
    /// Encoding a decoded tree gives other bytes.
    EncodedBytes(usize),
    /// Encoding a decoded tree gives another tree.
    EncodedTree(Difference),
    /// A decoded tree cannot be recorded.
    NotRecorded(GenerateError),
    /// A recorded tape does not play.
    NotPlayed(GenerateError),
    /// A recorded tape plays to other bytes.
    PlayedBytes(usize),
    /// The same tape gives other bytes the second time.
    Unsteady(usize),
}

/// Where two trees part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first node that differs.
    pub node: NodeId,
    /// Its operation in the one tree, where it has that node.
    pub left: Option<OpId>,
    /// Its operation in the other.
    pub right: Option<OpId>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdicts(found) => {
                let [judged, decoded, tree] = &**found;
                write!(
                    f,
                    "the verdicts differ: judged {judged:?}, decoded {decoded:?}, with the tree {tree:?}"
                )
            }
            Self::Records(found) => {
                let shown = found.each_ref().map(|record| match record {
                    Some(record) => record.to_string(),
                    None => "no further record".to_owned(),
                });
                write!(f, "steps show {}, operations {}", shown[0], shown[1])
            }
            Self::Work { nodes, most } => {
                write!(f, "{nodes} nodes where the bytes allow {most}")
            }
            Self::NoTrace(error) => write!(f, "the tape makes no trace: {error}"),
            Self::Rejected(verdict) => write!(f, "what was made is not accepted: {verdict:?}"),
            Self::MadeTree(at) => {
                write!(f, "the tree that was made is not the decoded one: {at:?}")
            }
            Self::NotEncoded(error) => write!(f, "the tree cannot be encoded: {error}"),
            Self::EncodedBytes(at) => write!(f, "the encoded bytes differ from byte {at} on"),
            Self::EncodedTree(at) => write!(f, "the encoded tree differs: {at:?}"),
            Self::NotRecorded(error) => write!(f, "the tree cannot be recorded: {error}"),
            Self::NotPlayed(error) => write!(f, "the recorded tape does not play: {error}"),
            Self::PlayedBytes(at) => write!(f, "the recorded tape gives other bytes from {at} on"),
            Self::Unsteady(at) => write!(f, "the same tape gives other bytes from {at} on"),
        }
    }
}

impl std::error::Error for Broken {}

/// Over any bytes: judging, decoding and building the tree agree, records are the same whether
/// steps or operations find them, and the tree is no larger than the bytes account for.
///
/// # Errors
/// The law that does not hold.
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

/// Wants notes too, so that operations are run where steps would do.
#[derive(Default)]
struct Slowly(Vec<Record>);

impl Visitor for Slowly {
    const RECORDS: bool = true;
    const BEYOND: bool = true;
    const NOTES: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        self.0.push(record.to_record());
    }
}

/// Steps are only the fast way to what operations find.
fn same_records(plan: &Plan, bytes: &[u8], fast: &[Record]) -> Result<(), Broken> {
    let finished = Machine::new(plan, SliceInput::new(bytes), Slowly::default()).run();
    let slow = finished.visitor.0;
    let parts = |at: &usize| fast.get(*at) != slow.get(*at);
    match (0..fast.len().max(slow.len())).find(parts) {
        Some(at) => {
            let found = [fast.get(at).cloned(), slow.get(at).cloned()];
            Err(Broken::Records(Box::new(found)))
        }
        None => Ok(()),
    }
}

/// Over any tape: it makes a trace, the same each time, that is accepted, whose tree is the
/// decoded one, and that comes back by encoding and recording.
///
/// # Errors
/// The law that does not hold.
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

/// Over a trace that was made: it is accepted, its tree is the decoded one, and it comes back.
///
/// # Errors
/// The law that does not hold.
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

/// Over a trace that some reader accepts: decoding and encoding, encoding and decoding, and
/// recording and playing each give back what they were given.
///
/// It is no law where readers part inside the trace and what comes then is open
/// ([`Judgement::Either`]): the decoder has stopped there, and what is left is in no tree.
///
/// # Errors
/// The law that does not hold.
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

/// The first byte from which two strings differ.
fn parting(left: &[u8], right: &[u8]) -> Option<usize> {
    if left == right {
        return None;
    }
    let shared = left.iter().zip(right).take_while(|(l, r)| l == r).count();
    Some(shared)
}

/// The first node in which two trees differ, whatever they remember of heaps and layouts.
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

/// What counts of a node.
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
