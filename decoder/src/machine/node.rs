//! Adds the nodes of operations to the tree.

use tracegauge_plan::{Op, OpId, flags};

use super::{Flow, Machine, Stop};
use crate::input::Input;
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
            self.memory.set(op.slot, Value::Node(node));
        }
    }
}
