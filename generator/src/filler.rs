//! Filler: large elements with few records that can be inserted into a valid trace any number of
//! times. Filler makes traces of any size, with which readers and the decoder are
//! tested beyond 2^31 and 2^32 bytes.
//!
//! The search works by experiment. It enlarges a part of an element of a list, and asks the
//! decoder whether the list may have several such elements.

use std::ops::Range;

use tracegauge_decoder::record::Record;
use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_decoder::verdict::Span;
use tracegauge_decoder::{Judgement, decode, decode_tree};
use tracegauge_plan::{Kind, Plan};

use crate::fault::{Edit, Place, Splice, Twin, ValidTrace};

/// A valid trace with elements that can be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filler {
    /// The trace with the elements.
    pub trace: Vec<u8>,
    /// The bytes of the trace that can be repeated.
    pub element: Range<usize>,
    /// The path of the enlarged part.
    pub enlarged: String,
}

/// The sizes in bytes of the filler to look for. The first is just below the limit of a size of 16
/// bits. Smaller filler would have to occur too often in a huge trace.
const SIZES: [usize; 2] = [(64 << 10) - ALIGNMENT, 1 << 20];

/// The number of zeros that are tried first, because most parts cannot be enlarged at all. The zeros
/// must not form several elements, because reading these would take too long in a huge trace.
const FEW: usize = 64;

/// The size of filler is a multiple of this, so that neither padding nor the holes of a sparse file
/// depend on the number of repetitions.
const ALIGNMENT: usize = 4096;

/// The maximum number of records that filler may have.
const MOST_RECORDS: usize = 2;

/// The number of runs of elements tried in a trace, from its end.
const MOST_RUNS: usize = 64;

/// Finds one or two neighboring elements of a list, copies of which can be inserted before them as
/// filler. At least one record follows the filler, so that a reader must read past it.
///
/// Returns `None` if the elements of the trace cannot be repeated, or if no part of them can be
/// enlarged.
pub fn filler(plan: &Plan, valid: &ValidTrace) -> Option<Filler> {
    let twin = Twin::new(plan, &valid.bytes, &valid.tree);
    let records = accepted(plan, &valid.bytes)?;
    let runs: Vec<Run> = runs(plan, &valid.tree).collect();
    let tried = runs.into_iter().rev().take(MOST_RUNS);
    let copies = tried.flat_map(|run| copies(&twin, run));
    let mut copied = copies.filter_map(|edits| Copied::of(&twin, edits, records.len()));
    copied.find_map(|copied| copied.enlarged(plan))
}

/// A run of one or two neighboring elements of a list.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: NodeId,
    last: NodeId,
}

impl Run {
    fn elements(self) -> impl Iterator<Item = NodeId> {
        let second = (self.last != self.first).then_some(self.last);
        std::iter::once(self.first).chain(second)
    }

    fn span(self, tree: &Tree) -> Span {
        Span {
            start: tree.node(self.first).span.start,
            end: tree.node(self.last).span.end,
        }
    }
}

/// Returns the runs of elements of all lists.
fn runs<'t>(plan: &'t Plan, tree: &'t Tree) -> impl Iterator<Item = Run> + 't {
    let nodes = (0_u32..).zip(&tree.nodes);
    let lists = nodes.filter(|(_, node)| matches!(plan.op(node.op).kind, Kind::Repeat(_)));
    lists.flat_map(|(list, _)| {
        let alone = tree.children(list).map(|it| Run {
            first: it,
            last: it,
        });
        let pairs = tree.children(list).zip(tree.children(list).skip(1));
        pairs.map(|(first, last)| Run { first, last }).chain(alone)
    })
}

/// Returns edits that insert copies of elements before the elements. The first edits copy the
/// elements as they are. The others leave out the elements of inner lists, because these may have
/// records.
fn copies(twin: &Twin<'_>, run: Run) -> impl Iterator<Item = Vec<Edit>> {
    let place = Place::Before(run.first);
    let same: Vec<Edit> = run.elements().map(|it| twin.copied(it, place)).collect();
    let emptied = || {
        let edits = run.elements().flat_map(|it| emptied(twin, it)).collect();
        let changed = twin.splice(&Splice {
            edits,
            ..Splice::default()
        })?;
        let mut elements = run.elements();
        elements.try_fold(Vec::new(), |mut edits, element| {
            edits.push(twin.copied_from(&changed, element, place)?);
            Some(edits)
        })
    };
    [Some(same), emptied()].into_iter().flatten()
}

/// Returns edits that remove the elements of the lists in an element.
fn emptied(twin: &Twin<'_>, element: NodeId) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut node = element + 1;
    let end = twin.tree.node(element).end;
    while node < end {
        let found = twin.tree.node(node);
        if let Kind::Repeat(_) = twin.plan.op(found.op).kind {
            edits.extend(twin.tree.children(node).map(|node| Edit::Remove { node }));
            node = found.end;
        } else {
            node += 1;
        }
    }
    edits
}

/// A valid trace with copies of elements.
struct Copied {
    bytes: Vec<u8>,
    tree: Tree,
    copies: Run,
    records: Vec<Record>,
    /// The number of records of the copies.
    more: usize,
}

impl Copied {
    /// Applies edits that insert copies of elements. Returns `None` if some reader may reject
    /// the trace, the copies have many records, or no record follows them.
    fn of(twin: &Twin<'_>, edits: Vec<Edit>, records: usize) -> Option<Self> {
        let last = edits.len().checked_sub(1)?;
        let Edit::Insert {
            bytes: inserted, ..
        } = edits.last()?
        else {
            return None;
        };
        let length = inserted.len() as u64;
        let edited = twin.splice(&Splice {
            edits,
            ..Splice::default()
        })?;
        let end =
            (*edited.edited.get(last)? + length).checked_add_signed(edited.stretch_of(last))?;
        let span = Span {
            start: *edited.edited.first()?,
            end,
        };
        let found = accepted(twin.plan, &edited.bytes)?;
        let more = found.len().checked_sub(records)?;
        let before = edited.bytes.get(..usize::try_from(end).ok()?)?;
        let is_passed = decode(twin.plan, before).1.len() < found.len();
        (is_passed && more <= MOST_RECORDS).then_some(())?;
        let (_, tree) = decode_tree(twin.plan, &edited.bytes);
        let copies = runs(twin.plan, &tree).find(|run| run.span(&tree) == span)?;
        Some(Self {
            bytes: edited.bytes,
            tree,
            copies,
            records: found,
            more,
        })
    }

    /// Enlarges a part of the copy as much as possible. Returns `None` if no part can be enlarged
    /// enough, or the copy cannot be repeated.
    fn enlarged(&self, plan: &Plan) -> Option<Filler> {
        let twin = Twin::new(plan, &self.bytes, &self.tree);
        let mut parts = self.copies.first..self.tree.node(self.copies.last).end;
        parts.find_map(|part| {
            let made = self.with(&twin, part, FEW)?;
            let (_, tree) = decode_tree(plan, &made.trace);
            let is_whole = tree.nodes.len() <= self.tree.nodes.len() + 1;
            (is_whole && accepted(plan, &made.trace)? == self.records).then_some(())?;
            let sizes = SIZES.iter();
            let made = sizes.map_while(|size| self.enlarged_to(*size, &twin, part));
            made.last()
        })
    }

    /// Enlarges a part of the copy so that the copy has `size` bytes.
    fn enlarged_to(&self, size: usize, twin: &Twin<'_>, part: NodeId) -> Option<Filler> {
        let made = self.with(twin, part, size)?;
        let too_many = made.element.len().checked_sub(size)?;
        let made = self.with(twin, part, size.checked_sub(too_many)?)?;
        (made.element.len() == size).then_some(())?;
        let Filler { trace, element, .. } = &made;
        let twice = [&trace[..element.end], &trace[element.start..]].concat();
        let (once, twice) = (accepted(twin.plan, trace)?, accepted(twin.plan, &twice)?);
        let is_filler = once == self.records && twice.len() == once.len() + self.more;
        is_filler.then_some(made)
    }

    /// Replaces the text or bytes of a leaf by `length` zeros, or appends these to another part.
    fn with(&self, twin: &Twin<'_>, part: NodeId, length: usize) -> Option<Filler> {
        let bytes = vec![0; length];
        let edit = match self.tree.node(part).payload {
            Payload::Bytes { .. } => Edit::Replace { node: part, bytes },
            Payload::None => Edit::insert(Place::Within(part), bytes),
            _ => return None,
        };
        let edited = twin.splice(&Splice {
            edits: vec![edit],
            ..Splice::default()
        })?;
        let span_of = |node: NodeId| edited.spans.get(node as usize).copied().flatten();
        let (start, end) = (
            span_of(self.copies.first)?.start,
            span_of(self.copies.last)?.end,
        );
        Some(Filler {
            trace: edited.bytes,
            element: usize::try_from(start).ok()?..usize::try_from(end).ok()?,
            enlarged: twin.path(part),
        })
    }
}

/// Returns the records of a trace that every reader must accept.
fn accepted(plan: &Plan, trace: &[u8]) -> Option<Vec<Record>> {
    let (verdict, records) = decode(plan, trace);
    (verdict.judgement == Judgement::Accepted).then_some(records)
}
