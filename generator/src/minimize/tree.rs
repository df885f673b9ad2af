//! Minimizes a trace, valid or not, by editing its tree.

use tracegauge_decoder::decode_tree;
use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_plan::{Kind, Plan};

use super::{Search, leave_out, lesser_numbers};
use crate::fault::{Edit, Splice, Twin, without_fields};

/// Minimizes the trace by removing parts of its tree and decreasing values in the other parts.
pub(super) fn shrink(search: &mut Search<'_>) {
    loop {
        let before = search.best.clone();
        without_rest(search);
        without_elements(search);
        without_described(search);
        lesser_values(search);
        if search.over || search.best == before {
            return;
        }
    }
}

/// The best trace of the search, decoded as far as possible.
pub(super) struct Read {
    pub(super) bytes: Vec<u8>,
    pub(super) tree: Tree,
    /// Computed fields that have a wrong value in this trace. They are not updated, because the
    /// wrong value may be the reason why the trace has the property.
    held: Vec<NodeId>,
}

impl Read {
    pub(super) fn of(search: &Search<'_>) -> Self {
        let plan = search.generator.plan();
        let bytes = search.best.clone();
        let (_, tree) = decode_tree(plan, &bytes);
        let held = wrong_claims(plan, &bytes, &tree);
        Self { bytes, tree, held }
    }

    pub(super) fn changed(&self, plan: &Plan, edits: Vec<Edit>) -> Option<Vec<u8>> {
        let twin = Twin::new(plan, &self.bytes, &self.tree);
        let splice = Splice {
            edits,
            held: self.held.clone(),
            cut: None,
        };
        twin.splice(&splice).map(|spliced| spliced.bytes)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.tree.nodes.len()).filter_map(|number| NodeId::try_from(number).ok())
    }

    pub(super) fn inside(&self, node: NodeId) -> Vec<NodeId> {
        let end = self.tree.node(node).end;
        let first = (node + 1 < end).then_some(node + 1);
        let next = |at: &NodeId| Some(self.tree.node(*at).end).filter(|next| *next < end);
        std::iter::successors(first, next).collect()
    }
}

/// Returns the computed fields whose value differs from the correct one.
fn wrong_claims(plan: &Plan, bytes: &[u8], tree: &Tree) -> Vec<NodeId> {
    let twin = Twin::new(plan, bytes, tree);
    let Some(mended) = twin.splice(&Splice::default()) else {
        return Vec::new();
    };
    if mended.bytes == bytes {
        return Vec::new();
    }
    let mut held = Vec::new();
    for (number, node) in tree.nodes.iter().enumerate() {
        let Some(new) = mended.spans.get(number).copied().flatten() else {
            continue;
        };
        let slice = |bytes: &[u8], start: u64, end: u64| {
            let start = usize::try_from(start).unwrap_or(usize::MAX);
            let end = usize::try_from(end).unwrap_or(usize::MAX);
            bytes.get(start..end).map(<[u8]>::to_vec)
        };
        let computed = plan.info(node.op).derived.is_some();
        let now = slice(&mended.bytes, new.start, new.end);
        if computed && now != slice(bytes, node.span.start, node.span.end) {
            held.extend(NodeId::try_from(number));
        }
    }
    held
}

/// Removes the bytes after the fault, which are not in the tree.
pub(super) fn without_rest(search: &mut Search<'_>) {
    let (_, tree) = decode_tree(search.generator.plan(), &search.best);
    let last = tree.nodes.iter().map(|node| node.span.end).max();
    let read = usize::try_from(last.unwrap_or_default()).unwrap_or(usize::MAX);
    let Some(rest) = search.best.len().checked_sub(read) else {
        return;
    };
    leave_out(rest, |start, end| {
        let mut shorter = search.best.clone();
        shorter.drain(read + start..read + end);
        search.offer(shorter)
    });
}

/// Removes elements of lists: large ranges before small ones, and from outer lists before inner
/// lists.
pub(super) fn without_elements(search: &mut Search<'_>) {
    let mut list = 0;
    loop {
        let read = search.read();
        let plan = search.generator.plan().clone();
        let is_list =
            |node: &NodeId| matches!(plan.op(read.tree.node(*node).op).kind, Kind::Repeat(_));
        let Some(node) = read.nodes().filter(is_list).nth(list) else {
            return;
        };
        let count = read.inside(node).len();
        leave_out(count, |start, end| {
            // The node still identifies the list: only elements of this list have been removed
            // since the node was found.
            let read = search.read();
            let elements = read.inside(node);
            let Some(part) = elements.get(start..end) else {
                return false;
            };
            let edits = part.iter().map(|node| Edit::Remove { node: *node });
            let shorter = read.changed(&plan, edits.collect());
            shorter.is_some_and(|shorter| search.offer(shorter))
        });
        if search.over {
            return;
        }
        list += 1;
    }
}

/// Removes, in one step, a field description together with the values that it describes. Starts
/// with the last description.
pub(super) fn without_described(search: &mut Search<'_>) {
    let plan = search.generator.plan().clone();
    let mut last = (NodeId::MAX, u64::MAX);
    while !search.over {
        let read = search.read();
        let mut found = without_fields(&Twin::new(&plan, &read.bytes, &read.tree));
        // The descriptions from `last` on have already been tried, and removing any of them does
        // not move the descriptions before `last`.
        found.split_off(&last);
        let Some((place, edits)) = found.pop_last() else {
            return;
        };
        last = place;
        if let Some(shorter) = read.changed(&plan, edits) {
            search.offer(shorter);
        }
    }
}

/// Decreases values: numbers, and the lengths of strings and byte strings.
fn lesser_values(search: &mut Search<'_>) {
    let mut number = 0;
    loop {
        let read = search.read();
        let plan = search.generator.plan().clone();
        let Some(node) = read.nodes().nth(number) else {
            return;
        };
        number += 1;
        let info = plan.info(read.tree.node(node).op);
        if info.derived.is_some() && !read.held.contains(&node) {
            continue;
        }
        for edit in lesser(&plan, &read, node) {
            if let Some(changed) = read.changed(&plan, vec![edit])
                && search.offer(changed)
            {
                // Try the same node again: it may decrease further.
                number -= 1;
                break;
            }
            if search.over {
                return;
            }
        }
    }
}

/// Returns edits that decrease the value of a node, the largest decrease first.
fn lesser(plan: &Plan, read: &Read, node: NodeId) -> Vec<Edit> {
    let twin = Twin::new(plan, &read.bytes, &read.tree);
    match plan.op(read.tree.node(node).op).kind {
        Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated(_) => {
            let span = read.tree.node(node).span;
            let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
            let Some(bytes) = read.bytes.get(place(span.start)..place(span.end)) else {
                return Vec::new();
            };
            shorter(bytes)
                .into_iter()
                .map(|bytes| Edit::Replace { node, bytes })
                .collect()
        }
        _ => match (twin.integer(node), twin.value_range(node)) {
            (Some(value), Some((least, greatest))) => {
                // A signed number may also be negative; zero counts as the simplest value.
                let values = lesser_numbers(value).into_iter();
                let values = values.filter(|less| *less >= least && *less <= greatest);
                values.filter_map(|less| twin.set(node, less)).collect()
            }
            _ => Vec::new(),
        },
    }
}

/// Simple strings that are valid in many formats.
const SIMPLE: [&[u8]; 5] = [b"", b"0", b"a", b"{}", b"[]"];
/// The length in bytes above which only large ranges are removed from a string.
const SHORT: usize = 512;

/// Returns shorter candidates for a string: simple strings, and the string without some of its
/// bytes.
fn shorter(bytes: &[u8]) -> Vec<Vec<u8>> {
    let simple = SIMPLE.iter().filter(|text| text.len() < bytes.len());
    let mut texts: Vec<Vec<u8>> = simple.map(|text| text.to_vec()).collect();
    let mut part = bytes.len() / 2;
    let least = if bytes.len() <= SHORT {
        1
    } else {
        bytes.len() / 8
    };
    while part >= least.max(1) {
        for start in (0..bytes.len()).step_by(part) {
            let end = (start + part).min(bytes.len());
            texts.push([&bytes[..start], &bytes[end..]].concat());
        }
        part /= 2;
    }
    texts
}
