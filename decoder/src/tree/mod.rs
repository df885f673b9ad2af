//! The tree of a trace: an arena of nodes that can be inspected, edited and mutated.
//!
//! Nodes are stored in the order of the trace, each followed by the nodes inside it. Text and bytes
//! are stored in the tree's heap. If the format allows several encodings of a value, the tree
//! records the encoding that the trace used, so that writing the tree reproduces the same bytes.

use std::sync::Arc;

use tracegauge_plan::{NameId, OpId, Plan};

use crate::excess::{Excess, TREE_BYTES, TREE_BYTES_EACH, TREE_NODES, few_nodes};
use crate::state::CompiledLayout;
use crate::verdict::Span;

/// The index of a node.
pub type NodeId = u32;

/// A node: a field, an element or another part of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The operation that read the node.
    pub op: OpId,
    /// The index after the nodes inside this node.
    pub end: NodeId,
    /// The bytes of the node.
    pub span: Span,
    /// The value that the node contains.
    pub payload: Payload,
    /// The encoded length of a variable-length integer in bytes, or 0 for the shortest encoding.
    /// For text or bytes, [`UNENDED`] means that the optional terminator is missing.
    pub spelling: u8,
}

/// The `spelling` of text or bytes whose optional terminator is missing.
pub const UNENDED: u8 = 0xff;

/// The value of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Payload {
    /// No value. The node only contains other nodes.
    None,
    /// The bits of a number, sign-extended if the number is signed.
    Bits(u64),
    /// Text or bytes in the heap, or in the input while a trace is decoded.
    Bytes {
        /// The position of the first byte.
        start: u64,
        /// The number of bytes.
        length: u64,
    },
    /// Fields that the trace describes, given as an index into the tree's layouts.
    Layout(u32),
    /// Nodes selected from a list. Each selected node was read by the operation of this node.
    Picked,
    /// A value that is stored elsewhere. An earlier field of the layout contains the position of
    /// the value.
    View(View),
}

/// How a record presents a located value, which is a value that is stored elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The value is presented as its elements.
    Shown,
    /// The position of the value is outside the trace.
    Missing,
    /// The value was not read, because too many located values refer to the same bytes.
    Unread,
}

/// The nodes of a trace, or of a part of a trace.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The text and bytes of the nodes.
    pub heap: Vec<u8>,
    /// The layouts of the fields that the trace describes.
    pub layouts: Vec<Arc<CompiledLayout>>,
    /// The reason why nodes for the rest of the trace are missing, if they are.
    pub excess: Option<Excess>,
    /// Whether text or bytes are missing because there was no memory for them.
    pub(crate) is_starved: bool,
    /// The maximum number of nodes.
    most_nodes: usize,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            heap: Vec::new(),
            layouts: Vec::new(),
            excess: None,
            is_starved: false,
            most_nodes: TREE_NODES,
        }
    }
}

/// The number of nodes up to which a tree is allocated without tests of its size.
const SMALL: usize = 1 << 20;

/// The size in bytes of text and binary data up to which a tree is allocated without tests of its
/// size.
const SMALL_HEAP: usize = 1 << 26;

/// The number of nodes for which memory is allocated before any of them is added. The decoder tests
/// the size of a tree less often than it adds nodes.
const AHEAD: usize = 1024;

/// A saved end position of a tree, used to truncate the tree later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeMark {
    nodes: usize,
    heap: usize,
    layouts: usize,
}

impl TreeMark {
    /// Returns the first node after the mark.
    pub fn node(self) -> NodeId {
        u32::try_from(self.nodes).unwrap_or(u32::MAX)
    }
}

impl Tree {
    /// Removes everything but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.heap.clear();
        self.layouts.clear();
        self.excess = None;
        self.is_starved = false;
    }

    /// Limits the number of nodes to what a trace of `length` bytes needs, unless its values refer
    /// to one another: 64 for each byte, and at least 65,536.
    pub fn limit_nodes(&mut self, length: u64) {
        self.most_nodes = few_nodes(length);
    }

    /// Returns the reason why the tree must not become larger, for a trace that was read up to `at`.
    pub(crate) fn excess(&self, at: u64) -> Excess {
        match self.nodes.len() >= self.most_nodes {
            true => Excess::Nodes {
                at,
                nodes: self.most_nodes,
            },
            false => Excess::Tree {
                at,
                bytes: self.memory(),
            },
        }
    }

    /// Returns the memory in bytes that the nodes, text and bytes take.
    pub fn memory(&self) -> u64 {
        (self.nodes.len() * size_of::<Node>()) as u64 + self.heap.len() as u64
    }

    /// Allocates memory for further nodes. Returns `false` if the tree of a trace of `length` bytes
    /// must not become larger, or if there is no memory.
    #[inline]
    pub fn may_grow(&mut self, length: u64) -> bool {
        let is_small =
            self.nodes.len() < SMALL.min(self.most_nodes) && self.heap.len() < SMALL_HEAP;
        is_small && !self.is_starved || self.grow(length)
    }

    fn grow(&mut self, length: u64) -> bool {
        let most = length
            .saturating_mul(TREE_BYTES_EACH)
            .saturating_add(TREE_BYTES);
        if self.nodes.len() >= self.most_nodes || self.memory() > most || self.is_starved {
            return false;
        }
        if self.nodes.capacity() - self.nodes.len() >= AHEAD {
            return true;
        }
        // Doubling the memory could take twice as much as the limit.
        let more = (self.nodes.len() / 4).max(AHEAD);
        self.nodes.try_reserve_exact(more).is_ok()
    }

    /// Returns a mark at the current end of the tree.
    pub fn mark(&self) -> TreeMark {
        TreeMark {
            nodes: self.nodes.len(),
            heap: self.heap.len(),
            layouts: self.layouts.len(),
        }
    }

    /// Removes everything that was added after a mark.
    pub fn back_to(&mut self, mark: TreeMark) {
        self.nodes.truncate(mark.nodes);
        self.heap.truncate(mark.heap);
        self.layouts.truncate(mark.layouts);
    }

    /// Returns the node at `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Adds a node. All nodes added before the matching [`Self::close`] become its contents.
    #[inline]
    pub fn open(&mut self, op: OpId, start: u64) -> NodeId {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(Node {
            op,
            end: id + 1,
            span: Span { start, end: start },
            payload: Payload::None,
            spelling: 0,
        });
        id
    }

    /// Closes a node.
    #[inline]
    pub fn close(&mut self, id: NodeId, end: u64) {
        let after = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let node = &mut self.nodes[id as usize];
        node.end = after;
        node.span.end = end;
    }

    /// Adds a node that contains no other nodes.
    #[inline]
    pub fn leaf(&mut self, op: OpId, span: Span, payload: Payload, spelling: u8) -> NodeId {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(Node {
            op,
            end: id + 1,
            span,
            payload,
            spelling,
        });
        id
    }

    /// Copies bytes to the heap. If there is no memory for them, the value is empty, and the decoder
    /// stops.
    pub fn keep(&mut self, bytes: &[u8]) -> Payload {
        let start = self.heap.len() as u64;
        let bytes = match self.has_room(bytes.len()) {
            true => bytes,
            false => &[],
        };
        self.heap.extend_from_slice(bytes);
        Payload::Bytes {
            start,
            length: bytes.len() as u64,
        }
    }

    /// Allocates memory for further text or bytes. Returns `false` if there is none.
    fn has_room(&mut self, size: usize) -> bool {
        let (length, capacity) = (self.heap.len(), self.heap.capacity());
        if capacity - length >= size || length + size < SMALL_HEAP {
            return true;
        }
        // Doubling the memory could take twice as much as the limit.
        let allocated = self.heap.try_reserve_exact(size.max(length / 4));
        self.is_starved |= allocated.is_err();
        allocated.is_ok()
    }

    /// Returns the text or bytes of a node, or `None` if it has neither.
    pub fn bytes(&self, id: NodeId) -> Option<&[u8]> {
        match self.nodes[id as usize].payload {
            Payload::Bytes { start, length } => {
                let range = usize::try_from(start).ok()?..usize::try_from(start + length).ok()?;
                self.heap.get(range)
            }
            _ => None,
        }
    }

    /// Returns the nodes directly inside `id`.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            next: id + 1,
            end: self.nodes[id as usize].end,
        }
    }

    /// Returns the nodes of the fields in a layout, as pairs of field index and node. The presence
    /// byte of an optional field precedes the value and has the same index.
    pub fn described(&self, id: NodeId) -> Vec<(usize, NodeId)> {
        let node = self.node(id);
        let Payload::Layout(index) = node.payload else {
            return Vec::new();
        };
        let Some(layout) = self.layouts.get(index as usize) else {
            return Vec::new();
        };
        let mut children = crate::report::field_nodes(self, id);
        let mut found = Vec::new();
        for (number, field) in layout.own().iter().enumerate() {
            if field.nothing {
                continue;
            }
            let Some(first) = children.next() else {
                break;
            };
            found.push((number, first));
            let there = !matches!(self.node(first).payload, Payload::Bits(0));
            if field.optional && there {
                found.extend(children.next().map(|value| (number, value)));
            }
        }
        found
    }

    /// Returns whether the node is a view: a value whose position is stored in another node, and
    /// whose bytes other nodes may share.
    pub fn is_view(&self, id: NodeId) -> bool {
        matches!(self.node(id).payload, Payload::View(_))
    }

    /// Returns the number of nodes directly inside `id`.
    pub fn count(&self, id: NodeId) -> usize {
        self.children(id).count()
    }

    /// Finds the node at a path of names below `id`. Nodes without a name are not part of the path,
    /// so the search also looks inside them.
    pub fn find(&self, plan: &Plan, id: NodeId, path: &[NameId]) -> Option<NodeId> {
        let Some((first, rest)) = path.split_first() else {
            return Some(id);
        };
        for child in self.children(id) {
            let info = plan.info(self.node(child).op);
            if info.label == Some(*first) {
                return self.find(plan, child, rest);
            }
            if info.name.is_none()
                && let Some(found) = self.find(plan, child, path)
            {
                return Some(found);
            }
        }
        None
    }

    /// Appends another tree to the contents of the root.
    pub fn append(&mut self, other: &Self) {
        let first = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let heap = self.heap.len() as u64;
        let layouts = u32::try_from(self.layouts.len()).unwrap_or(u32::MAX);
        for node in &other.nodes {
            let mut node = *node;
            node.end += first;
            node.payload = match node.payload {
                Payload::Bytes { start, length } => Payload::Bytes {
                    start: start + heap,
                    length,
                },
                Payload::Layout(index) => Payload::Layout(index + layouts),
                payload => payload,
            };
            self.nodes.push(node);
        }
        self.heap.extend_from_slice(&other.heap);
        self.layouts.extend(other.layouts.iter().cloned());
        let end = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        if let Some(root) = self.nodes.first_mut() {
            root.end = end;
        }
    }

    /// Copies a node and its contents into a separate tree. `source` returns the text and bytes of
    /// the nodes, given a start and a length.
    pub fn extract<'b>(&self, id: NodeId, mut source: impl FnMut(u64, u64) -> &'b [u8]) -> Self {
        let end = self.nodes[id as usize].end;
        let mut part = Self::default();
        for node in &self.nodes[id as usize..end as usize] {
            let mut node = *node;
            node.end -= id;
            match node.payload {
                Payload::Bytes { start, length } => {
                    node.payload = part.keep(source(start, length));
                }
                Payload::Layout(index) => {
                    part.layouts.push(Arc::clone(&self.layouts[index as usize]));
                    let index = u32::try_from(part.layouts.len() - 1).unwrap_or(u32::MAX);
                    node.payload = Payload::Layout(index);
                }
                Payload::None | Payload::Bits(_) | Payload::View(_) | Payload::Picked => {}
            }
            part.nodes.push(node);
        }
        part
    }
}

/// An iterator over the nodes directly inside a node.
pub struct Children<'t> {
    nodes: &'t [Node],
    next: NodeId,
    end: NodeId,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let id = self.next;
        self.next = self.nodes[id as usize].end;
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_grows_with_its_trace() {
        let heap = usize::try_from(TREE_BYTES + TREE_BYTES_EACH).expect("64 bits");
        let mut tree = Tree {
            heap: vec![0; heap + 1],
            ..Tree::default()
        };
        assert!(!tree.may_grow(1));
        assert!(tree.may_grow(2));
        tree.heap.truncate(heap);
        assert!(tree.may_grow(1));
        assert!(tree.nodes.capacity() < 2 * AHEAD);
    }
}
