//! Encodes trees without corrections: every field is written with the value in the tree, even if
//! the value is wrong.
//!
//! No values are computed, and only the encoding of individual fields matters, so a tree may
//! contain any number of faults. A value that does not fit in its field is an error.

mod base;
mod shown;

use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree, UNENDED};
use tracegauge_plan::codec;
use tracegauge_plan::codec::least_length;
use tracegauge_plan::terms::VariableKind;
use tracegauge_plan::{Ending, Kind, Plan};

use crate::direct::wire::bits_of;
use crate::unwritable::{Unwritable, Why};
use crate::{GenerateError, Generator, capacity};
pub use base::{Bases, base};
use shown::Map;

impl Generator {
    /// Encodes a tree field by field. Sizes, counts and all other fields keep their values, even if
    /// the values are wrong. `bases` are the amounts that readers add to the numbers stored in
    /// carried fields, which are fields whose values include a value from earlier in the trace.
    ///
    /// # Errors
    /// Returns an error if a field has no value, or if the value does not fit in the field.
    pub fn encode_raw(&self, tree: &Tree, bases: &Bases) -> Result<Vec<u8>, GenerateError> {
        let mut writer = Writer {
            plan: self.plan(),
            tree,
            bases,
            out: Vec::new(),
            map: Map::default(),
            shown: Vec::new(),
        };
        let mut next = 0;
        while (next as usize) < tree.nodes.len() {
            next = writer.node(next)?;
        }
        writer.compare_shown()?;
        Ok(writer.out)
    }
}

struct Writer<'a> {
    plan: &'a Plan,
    tree: &'a Tree,
    bases: &'a Bases,
    out: Vec<u8>,
    /// Maps positions in the original trace to positions in the output.
    map: Map,
    /// Nodes that represent bytes stored elsewhere, as part of other nodes.
    shown: Vec<NodeId>,
}

impl Writer<'_> {
    /// Writes a node and returns the next node to write.
    fn node(&mut self, id: NodeId) -> Result<NodeId, Unwritable> {
        let node = self.tree.node(id);
        if let Kind::At(_) = self.plan.op(node.op).kind {
            // An `at` part is only read: its bytes are written as part of other fields.
            return Ok(node.end);
        }
        if capacity::is_shown(self.plan, self.tree, id) {
            self.shown.push(id);
            return Ok(node.end);
        }
        let start = self.out.len();
        if let Kind::BitRun { width, order } = self.plan.op(node.op).kind {
            if let Some(run) = self.run(id, width)? {
                codec::store(run, codec::run_integer(width, order), &mut self.out);
            }
        } else if self.is_part(node) {
            return Ok(id + 1);
        } else {
            let mut out = std::mem::take(&mut self.out);
            let put = self.leaf(id, &mut out);
            self.out = out;
            put?;
        }
        self.map.put(node.span, start, self.out.len());
        Ok(node.end)
    }

    /// Returns whether the bytes of a node all belong to its children. Unclaimed bytes of a sized
    /// part are a child node that has the same operation as the part but has bytes of its own.
    fn is_part(&self, node: &Node) -> bool {
        let kind = &self.plan.op(node.op).kind;
        let has_value = matches!(node.payload, Payload::Bits(_) | Payload::Bytes { .. });
        !is_field(kind) && !has_value
    }

    /// Appends the bytes of a field, or unclaimed bytes.
    fn leaf(&self, id: NodeId, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        let node = self.tree.node(id);
        let refuse = |why| Err(Unwritable { node: id, why });
        if node.end > id + 1 {
            return refuse(Why::Inside);
        }
        let kind = &self.plan.op(node.op).kind;
        match (node.payload, self.tree.bytes(id)) {
            (Payload::Bits(bits), _) => self.number(id, bits, out),
            (_, Some(bytes)) if !is_number(kind) => {
                match kind {
                    Kind::Terminated(ending) => ended(bytes, ending, node.spelling, out),
                    _ => out.extend_from_slice(bytes),
                }
                Ok(())
            }
            (Payload::Bytes { .. }, _) => refuse(Why::NoNumber),
            _ => refuse(Why::NoValue),
        }
    }

    fn number(&self, id: NodeId, bits: u64, out: &mut Vec<u8>) -> Result<(), Unwritable> {
        let node = self.tree.node(id);
        let kind = &self.plan.op(node.op).kind;
        if let Kind::Float { width: 4, .. } = kind
            && u32::try_from(bits).is_err()
        {
            let (value, greatest) = (i128::from(bits), i128::from(u32::MAX));
            return Err(Unwritable {
                node: id,
                why: Why::Range(value, 0, greatest),
            });
        }
        if let Kind::Variable(kind, _) = kind {
            return self.variable(id, *kind, out);
        }
        let bits = match kind {
            Kind::Float { .. } => bits,
            _ => bits_of(self.on_wire(id)?),
        };
        match codec::stored_as(kind) {
            Some(integer) => codec::store(bits, integer, out),
            None => {
                return Err(Unwritable {
                    node: id,
                    why: Why::NoBytes,
                });
            }
        }
        Ok(())
    }

    /// Returns the number to store in the trace for a node's value.
    fn on_wire(&self, id: NodeId) -> Result<i128, Unwritable> {
        let node = self.tree.node(id);
        let refuse = |why| Unwritable { node: id, why };
        let Payload::Bits(bits) = node.payload else {
            return Err(refuse(Why::NoValue));
        };
        let range = capacity::on_wire(&self.plan.op(node.op).kind);
        let (least, greatest) = range.ok_or_else(|| refuse(Why::NoBytes))?;
        let value = capacity::number(self.plan, node.op, bits);
        let fits = |number: i128| (least..=greatest).contains(&number);
        let Some(carry) = self.plan.info(node.op).carry else {
            return if fits(value) {
                Ok(value)
            } else {
                Err(refuse(Why::Range(value, least, greatest)))
            };
        };
        let carry = &self.plan.carries[carry];
        let base = match self.bases.get(id) {
            Some(base) => base,
            None if carry.add || carry.then.is_some() => return Err(refuse(Why::NoBase)),
            None => 0,
        };
        let number = value - base;
        let turn = carry.wraps.map_or(0, |bits| 1_i128 << bits);
        // Numbers that differ by one wraparound represent the same value.
        let same = [number, number + turn, number - turn];
        let found = same.into_iter().find(|number| fits(*number));
        found.ok_or_else(|| refuse(Why::Range(value, base + least, base + greatest)))
    }

    /// Appends a variable-length integer with the number of bytes specified in the tree.
    fn variable(
        &self,
        id: NodeId,
        kind: VariableKind,
        out: &mut Vec<u8>,
    ) -> Result<(), Unwritable> {
        let bits = bits_of(self.on_wire(id)?);
        let (spelling, least) = (self.tree.node(id).spelling, least_length(kind, bits));
        if spelling > 0 && spelling < least {
            return Err(Unwritable {
                node: id,
                why: Why::EncodingForm(spelling, least),
            });
        }
        codec::append(bits, kind, spelling, out);
        Ok(())
    }

    /// Combines the bit fields of a run into one integer. Returns `None` if the trace ends at the
    /// first bit field of the run.
    fn run(&self, id: NodeId, width: u8) -> Result<Option<u64>, Unwritable> {
        let mut run = 0;
        let mut filled = 0_u64;
        for child in self.tree.children(id) {
            let refuse = |why| Unwritable { node: child, why };
            let kind = &self.plan.op(self.tree.node(child).op).kind;
            let Kind::Bits { shift, width } = kind else {
                return Err(refuse(Why::NoBytes));
            };
            let mask = (u64::MAX >> (64 - u32::from(*width))) << shift;
            if filled & mask != 0 {
                return Err(refuse(Why::Twice));
            }
            filled |= mask;
            run |= bits_of(self.on_wire(child)?) << shift;
        }
        if filled == u64::MAX >> (64 - u32::from(width) * 8) || self.ends_inside(id) {
            // The bits of the fields that the trace does not reach are zero.
            Ok((filled != 0).then_some(run))
        } else {
            Err(Unwritable {
                node: id,
                why: Why::Unfilled,
            })
        }
    }

    /// Returns whether the tree ends inside a run of bit fields, like the tree of a trace that is
    /// rejected there.
    fn ends_inside(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let read = self.tree.children(id).map(|child| self.tree.node(child).op);
        let mut fields = read.zip(self.plan.children(node.op));
        let is_last = node.end as usize == self.tree.nodes.len();
        is_last && fields.all(|(read, field)| read == field)
    }
}

/// Returns whether the operation is a field with bytes of its own.
fn is_field(kind: &Kind) -> bool {
    is_number(kind)
        || matches!(
            kind,
            Kind::Guid(_)
                | Kind::Bytes(_)
                | Kind::Contents(_)
                | Kind::Text(..)
                | Kind::Terminated(_)
                | Kind::Align { .. }
        )
}

fn is_number(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Integer(_) | Kind::Variable(..) | Kind::Float { .. } | Kind::Bits { .. }
    )
}

/// Appends a string or byte string, and the terminator if it belongs to the field.
fn ended(bytes: &[u8], ending: &Ending, spelling: u8, out: &mut Vec<u8>) {
    let mark = ending.terminator.map(|byte| ending.written(byte));
    let Some(mark) = mark.filter(|_| spelling != UNENDED) else {
        return out.extend_from_slice(bytes);
    };
    let bytes = match bytes.strip_suffix(mark.as_slice()) {
        // The terminator is part of the value but belongs to the following field, which writes it.
        Some(before) if ending.include && !ending.consume => before,
        _ => bytes,
    };
    out.extend_from_slice(bytes);
    if ending.consume && !ending.include {
        out.extend_from_slice(&mark);
    }
}
