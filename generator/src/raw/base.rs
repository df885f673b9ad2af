//! Stores the bases of carried fields, which are the amounts that readers add to the numbers stored
//! in the trace.
//!
//! The value of a carried field is the sum of the stored number and a value from earlier in the
//! trace. In a trace with faults, this earlier value cannot always be determined, so it is
//! preserved from the trace that was decoded.

use hashbrown::HashMap;
use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_plan::{Kind, Plan};

use crate::capacity;
use crate::fault::number_on_wire;

/// The base of each carried field of a tree.
#[derive(Clone, Debug, Default)]
pub struct Bases(HashMap<NodeId, i128>);

impl Bases {
    /// Returns the bases of a tree that was decoded from `bytes`.
    pub fn of(plan: &Plan, bytes: &[u8], tree: &Tree) -> Self {
        let mut bases = Self::default();
        for (number, node) in tree.nodes.iter().enumerate() {
            let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
            let span = bytes.get(index(node.span.start)..index(node.span.end));
            if let (Ok(id), Some(base)) = (
                NodeId::try_from(number),
                base(plan, node, span.unwrap_or_default()),
            ) {
                bases.set(id, base);
            }
        }
        bases
    }

    /// Sets the base of a node.
    pub fn set(&mut self, node: NodeId, base: i128) {
        self.0.insert(node, base);
    }

    /// Returns the base of a node, if it is known.
    pub fn get(&self, node: NodeId) -> Option<i128> {
        self.0.get(&node).copied()
    }
}

/// Returns the base that readers add to the number stored in `bytes`, which are the bytes of the
/// node. Returns `None` if readers add nothing.
pub fn base(plan: &Plan, node: &Node, bytes: &[u8]) -> Option<i128> {
    let carry = plan.info(node.op).carry?;
    let Payload::Bits(bits) = node.payload else {
        return None;
    };
    let kind = &plan.op(node.op).kind;
    let order = plan.info(node.op).parent.map(|run| &plan.op(run).kind);
    let order = match order {
        Some(Kind::BitRun { order, .. }) => Some(*order),
        _ => None,
    };
    let wire = number_on_wire(kind, order, bytes)?;
    let base = capacity::number(plan, node.op, bits) - wire;
    let carry = &plan.carries[carry];
    (carry.add || carry.then.is_some() || base != 0).then_some(base)
}
