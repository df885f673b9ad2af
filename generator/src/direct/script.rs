//! Reads the values of a tree in the order of the trace.

use tracegauge_decoder::Input;
use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_plan::{OpId, Plan};

use super::Directed;
use crate::tape::Choices;

/// A cursor in the tree being encoded.
#[derive(Clone, Debug)]
pub struct Script<'t> {
    tree: &'t Tree,
    next: NodeId,
    /// The enclosing lists, with their element counts.
    lists: Vec<(OpId, u64)>,
}

impl<'t> Script<'t> {
    /// Creates a cursor at the beginning of `tree`.
    pub fn new(tree: &'t Tree) -> Self {
        Self {
            tree,
            next: 0,
            lists: Vec::new(),
        }
    }

    /// Returns the next node of an operation and skips the nodes before it.
    pub fn take(&mut self, op: OpId) -> Option<&'t Node> {
        let found = self.find(op)?;
        self.next = found + 1;
        Some(self.tree.node(found))
    }

    fn find(&self, op: OpId) -> Option<NodeId> {
        let nodes = self.tree.nodes.get(self.next as usize..)?;
        let offset = nodes.iter().position(|node| node.op == op)?;
        u32::try_from(offset).ok().map(|offset| self.next + offset)
    }

    /// Returns the last node of an operation before the cursor, or the current node if there is no
    /// such node.
    pub fn last_node(&self, op: OpId) -> NodeId {
        let passed = self.tree.nodes.get(..self.next as usize);
        let last = passed.and_then(|passed| passed.iter().rposition(|node| node.op == op));
        let last = last.and_then(|last| u32::try_from(last).ok());
        let end = u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX);
        last.unwrap_or_else(|| self.next.min(end.saturating_sub(1)))
    }

    /// Returns the bytes of the next node of an operation.
    pub fn bytes(&self, op: OpId) -> Option<&'t [u8]> {
        self.find(op).and_then(|found| self.tree.bytes(found))
    }

    /// Returns the number of elements in an operation's next list.
    pub fn count(&self, op: OpId) -> Option<u64> {
        self.find(op).map(|found| self.tree.count(found) as u64)
    }

    /// Returns whether the tree has no node for the operation `of` in the innermost structure that
    /// contains both `of` and the field `field`, which was read last.
    pub fn lacks(&self, plan: &Plan, field: OpId, of: OpId) -> bool {
        let mut around = plan.info(field).parent;
        while let Some(op) = around
            && !(op.0..plan.op(op).end).contains(&of.0)
        {
            around = plan.info(op).parent;
        }
        let passed = self
            .tree
            .nodes
            .get(..self.next as usize)
            .unwrap_or_default();
        let open = |node: &Node| Some(node.op) == around && node.end >= self.next;
        let Some(structure) = passed.iter().rev().find(|node| open(node)) else {
            return false;
        };
        let left = self
            .tree
            .nodes
            .get(self.next as usize..structure.end as usize);
        !left.unwrap_or_default().iter().any(|node| node.op == of)
    }

    /// Enters a sized part and returns the node after it.
    pub fn open_part(&mut self, op: OpId) -> NodeId {
        let Some(found) = self.find(op) else {
            return self.next;
        };
        self.next = found + 1;
        self.tree.node(found).end
    }

    /// Returns the unclaimed bytes (bytes that no field reads) of the sized part that ends at node
    /// `end`.
    pub fn close_part(&mut self, op: OpId, end: NodeId) -> Option<&'t [u8]> {
        let last = end.checked_sub(1).filter(|last| *last >= self.next)?;
        let found = self.tree.nodes.get(last as usize)?.op == op;
        found.then(|| self.next = end)?;
        self.tree.bytes(last)
    }

    /// Skips all nodes before node `end`.
    pub fn pass(&mut self, end: NodeId) {
        self.next = self.next.max(end);
    }

    /// Returns whether the rest of the sized part that ends at node `end` contains a node of the
    /// operation.
    pub fn has(&self, op: OpId, end: Option<NodeId>) -> bool {
        self.find(op)
            .is_some_and(|found| end.is_none_or(|end| found < end))
    }

    /// Returns whether a value of the operation follows in the sized part that ends at node `end`,
    /// or in the trace if no part is open. In a layout that ends at node `layout`, the values that
    /// fields point to come after all fields and are not considered.
    pub fn has_value(&self, op: OpId, end: Option<NodeId>, layout: Option<NodeId>) -> bool {
        let last = u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX);
        let end = end.unwrap_or(last);
        let end = layout.map_or(end, |layout| layout.min(end));
        let left = (self.next..end).take_while(|id| layout.is_none() || !self.tree.is_view(*id));
        let mut left = left;
        left.any(|id| self.tree.node(id).op == op)
    }

    /// Skips an instance, which is a value that is read at an explicit position but never written
    /// separately. Returns the values inside it.
    pub fn pass_over(&mut self, op: OpId) -> Vec<(OpId, Payload)> {
        // The instance may be absent here and present in a later element.
        let next = self.tree.nodes.get(self.next as usize);
        let Some(node) = next.filter(|node| node.op == op) else {
            return Vec::new();
        };
        let inside = self.next as usize..node.end as usize;
        self.next = node.end;
        let nodes = self.tree.nodes.get(inside).unwrap_or_default();
        nodes.iter().map(|node| (node.op, node.payload)).collect()
    }

    /// Returns whether no nodes are left in the sized part that ends at node `end`, or in the trace
    /// if no part is open.
    pub fn is_at(&self, end: Option<NodeId>) -> bool {
        let last = self.tree.nodes.len();
        let trailing = usize::from(self.trailing().is_some());
        let end = end.map_or(last - trailing, |end| end as usize);
        self.next as usize >= end
    }

    /// Returns whether no values are left except the bytes after the root structure.
    pub fn is_spent(&self) -> bool {
        let last = self.tree.nodes.len() - usize::from(self.trailing().is_some());
        let left = self.tree.nodes.get(self.next as usize..last);
        let is_value =
            |node: &Node| matches!(node.payload, Payload::Bits(_) | Payload::Bytes { .. });
        !left.unwrap_or_default().iter().any(is_value)
    }

    /// Returns the bytes after the root structure.
    pub fn trailing(&self) -> Option<&'t [u8]> {
        let last = self
            .tree
            .nodes
            .len()
            .checked_sub(1)
            .filter(|last| *last > 0)?;
        self.tree
            .nodes
            .get(last)
            .filter(|node| node.op == OpId(0))?;
        self.tree.bytes(u32::try_from(last).ok()?)
    }

    /// Enters a list.
    pub fn open_list(&mut self, op: OpId) {
        let count = self.count(op).unwrap_or(0);
        if let Some(found) = self.find(op) {
            self.next = found + 1;
        }
        self.lists.push((op, count));
    }

    /// Returns whether the innermost list has an element with this number.
    pub fn another(&mut self, number: u64) -> bool {
        self.lists.last().is_some_and(|(_, count)| number < *count)
    }

    /// Leaves the innermost list.
    pub fn close_list(&mut self) {
        self.lists.pop();
    }

    /// Leaves all lists but the `outer` outermost ones.
    pub fn leave_lists(&mut self, outer: usize) {
        self.lists.truncate(outer);
    }
}

/// Returns the bytes of the operation's next node if a tree is being encoded.
pub fn follow_bytes<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<Vec<u8>> {
    let script = machine.visitor_mut().script.as_mut()?;
    let bytes = script.bytes(op).map(<[u8]>::to_vec);
    script.take(op);
    bytes
}

/// Returns the bytes and encoded length of the operation's next node if a tree is being encoded.
pub fn follow<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<(Vec<u8>, u8)> {
    let script = machine.visitor_mut().script.as_mut()?;
    let bytes = script.bytes(op).map(<[u8]>::to_vec);
    let spelling = script.take(op).map_or(0, |node| node.spelling);
    bytes.map(|bytes| (bytes, spelling))
}
