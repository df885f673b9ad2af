//! The tree of a trace: one arena of nodes, the form that inspection, editing and
//! mutation work on.
//!
//! Nodes stand in the order of the wire, each followed by those inside it. Text and bytes lie
//! in the tree's heap. The tree keeps the spelling of each value where the format allows
//! several, so that writing it gives the same bytes.

use std::sync::Arc;

use tracegauge_spec::plan::{NameId, OpId, Plan};

use crate::state::CompiledLayout;
use crate::verdict::Span;

/// The index of a node.
pub type NodeId = u32;

/// One node: a field, element or part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The operation that it is a use of.
    pub op: OpId,
    /// Index after the nodes inside it.
    pub end: NodeId,
    /// Its bytes.
    pub span: Span,
    /// Its value.
    pub payload: Payload,
    /// Number of bytes of a variable-length integer; 0: as few as it needs. [`UNENDED`] of a
    /// text or bytes without the terminator that may be missing.
    pub spelling: u8,
}

/// The spelling of a text or of bytes whose terminator is not there.
pub const UNENDED: u8 = 0xff;

/// The value of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Payload {
    /// Parts inside only.
    None,
    /// A number: its bits, sign-extended where signed.
    Bits(u64),
    /// Text or bytes in the heap (or, while a trace is decoded, in the input).
    Bytes {
        /// First byte.
        start: u64,
        /// Number of bytes.
        length: u64,
    },
    /// Described fields: index into the tree's layouts.
    Layout(u32),
    /// Parts that were picked from a list, each of this node's operation.
    Picked,
    /// What a word names that stands earlier among the fields of the layout: its elements are
    /// inside.
    View(View),
}

/// How a located value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// By its elements.
    Shown,
    /// There is no such place.
    Missing,
    /// Too many located values show the same bytes; this one was not looked at.
    Unread,
}

/// The nodes of a trace or of a part of one.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Text and bytes.
    pub heap: Vec<u8>,
    /// Layouts of described fields.
    pub layouts: Vec<Arc<CompiledLayout>>,
}

/// Where a tree ended at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeMark {
    nodes: usize,
    heap: usize,
    layouts: usize,
}

impl TreeMark {
    /// The first node after it.
    pub fn node(self) -> NodeId {
        u32::try_from(self.nodes).unwrap_or(u32::MAX)
    }
}

impl Tree {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.heap.clear();
        self.layouts.clear();
    }

    /// How much there is now.
    pub fn mark(&self) -> TreeMark {
        TreeMark {
            nodes: self.nodes.len(),
            heap: self.heap.len(),
            layouts: self.layouts.len(),
        }
    }

    /// Forgets what came after a mark.
    pub fn back_to(&mut self, mark: TreeMark) {
        self.nodes.truncate(mark.nodes);
        self.heap.truncate(mark.heap);
        self.layouts.truncate(mark.layouts);
    }

    /// The node of `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Adds a node; what is added until [`Self::close`] is inside it.
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

    /// Ends a node.
    #[inline]
    pub fn close(&mut self, id: NodeId, end: u64) {
        let after = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let node = &mut self.nodes[id as usize];
        node.end = after;
        node.span.end = end;
    }

    /// Adds a node without anything inside.
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

    /// Puts bytes on the heap.
    pub fn keep(&mut self, bytes: &[u8]) -> Payload {
        let start = self.heap.len() as u64;
        self.heap.extend_from_slice(bytes);
        Payload::Bytes {
            start,
            length: bytes.len() as u64,
        }
    }

    /// The text or bytes of a node, where it has any.
    pub fn bytes(&self, id: NodeId) -> Option<&[u8]> {
        match self.nodes[id as usize].payload {
            Payload::Bytes { start, length } => {
                let range = usize::try_from(start).ok()?..usize::try_from(start + length).ok()?;
                self.heap.get(range)
            }
            _ => None,
        }
    }

    /// The nodes directly inside `id`.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            next: id + 1,
            end: self.nodes[id as usize].end,
        }
    }

    /// The values of a layout's described fields: the number of each field and its node; a
    /// presence byte comes before its value, with the same number.
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

    /// The node shows what a word elsewhere names; its bytes belong to something else.
    pub fn is_view(&self, id: NodeId) -> bool {
        matches!(self.node(id).payload, Payload::View(_))
    }

    /// The number of nodes directly inside `id`.
    pub fn count(&self, id: NodeId) -> usize {
        self.children(id).count()
    }

    /// The node at a path of names below `id`, through everything that has no name.
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

    /// Puts another tree inside the first node, after what is there.
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

    /// A part as a tree of its own; text and bytes are taken from `source`.
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

/// The nodes directly inside one.
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
