//! Adds the nodes of operations to the tree.

use tracegauge_plan::{Kind, Op, OpId, flags};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::report::is_null;
use crate::tree::NodeId;
use crate::value::Value;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Returns whether a record or row needs the nodes of the operation, regardless of the
    /// operations that enclose it.
    #[inline]
    pub(crate) fn captured(op: &Op) -> bool {
        op.flags & flags::CAPTURE != 0 && (V::RECORDS || op.flags & flags::RECORD_ONLY == 0)
    }

    /// Runs `inside`. If the tree stores the operation, also adds a node that contains everything
    /// that `inside` reads.
    #[inline]
    pub(crate) fn node(
        &mut self,
        id: OpId,
        op: &'p Op,
        inside: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        let node = self.opened(id, op)?;
        let flow = inside(self);
        if let Some(node) = node {
            self.close(node, op);
            if flow == Err(Stop::Part) {
                self.drop_empty(node, op);
            }
        }
        flow
    }

    /// Adds a node for the operation if the tree stores it.
    #[inline]
    fn opened(&mut self, id: OpId, op: &Op) -> Result<Option<NodeId>, Stop> {
        match Self::captured(op) || self.kept(op) {
            true => self.open(id, op).map(Some),
            false => Ok(None),
        }
    }

    fn open(&mut self, id: OpId, op: &Op) -> Result<NodeId, Stop> {
        self.bounded()?;
        let captures = u32::from(Self::captured(op));
        self.kept.keeping += captures;
        self.kept.holds += captures;
        let node = self.kept.tree.open(id, self.position);
        if V::PARTS {
            self.kept.open_nodes.push(node);
        }
        Ok(node)
    }

    /// Removes the node of a structure that has no bytes because the enclosing part ends before it.
    #[cold]
    fn drop_empty(&mut self, node: NodeId, op: &Op) {
        let nodes = &mut self.kept.tree.nodes;
        let is_empty =
            node as usize + 1 == nodes.len() && nodes[node as usize].span.start == self.position;
        if is_empty && matches!(op.kind, Kind::Structure) {
            nodes.truncate(node as usize);
            if op.flags & flags::SLOT != 0 {
                self.memory.set(op.slot, Value::Absent);
            }
        }
    }

    /// Completes a node, which contains everything up to the current position.
    fn close(&mut self, node: NodeId, op: &Op) {
        if V::PARTS {
            self.kept.open_nodes.pop();
        }
        self.kept.tree.close(node, self.position);
        let captures = u32::from(Self::captured(op));
        self.kept.keeping -= captures;
        self.kept.holds -= captures;
        if op.flags & flags::SLOT != 0 {
            let value = match is_null(self.plan, &self.kept.tree, node) {
                true => Value::Absent,
                false => Value::Node(node),
            };
            self.memory.set(op.slot, value);
        }
    }
}
