//! Trees whose sizes and counts say what they say.

use tracegauge_decoder::tree::{NodeId, Payload, Tree};

use crate::fault::{Edit, Splice, Twin};
use crate::{GenerateError, Generator};

impl Generator {
    /// The bytes of a tree in which sizes, counts and everything else that a writer computes
    /// keep the values that the tree has, right or wrong. All else is as [`Self::encode`]
    /// writes it, so that the trace has those faults and no other.
    ///
    /// # Errors
    /// As for [`Self::encode`]; and a value does not fit its field.
    pub fn encode_as_is(&self, tree: &Tree) -> Result<Vec<u8>, GenerateError> {
        let made = self.encode(tree)?;
        let twin = Twin::new(self.plan(), &made.bytes, &made.tree);
        let mut splice = Splice::default();
        let alike = tree.nodes.len() == made.tree.nodes.len();
        for (number, (wanted, found)) in tree.nodes.iter().zip(&made.tree.nodes).enumerate() {
            if !alike || wanted.op != found.op {
                return Err(GenerateError::OtherShape);
            }
            if self.plan().info(found.op).derived.is_none() {
                continue;
            }
            let node = NodeId::try_from(number).map_err(|_| GenerateError::OutOfBounds)?;
            splice.held.push(node);
            let Payload::Bits(bits) = wanted.payload else {
                continue;
            };
            if wanted.payload == found.payload {
                continue;
            }
            let (least, _) = twin.value_range(node).ok_or(GenerateError::OutOfBounds)?;
            let value = if least < 0 {
                i128::from(bits.cast_signed())
            } else {
                i128::from(bits)
            };
            let edit = twin.set(node, value).ok_or(GenerateError::OutOfBounds)?;
            if overlaps(&splice.edits, &edit) {
                return Err(GenerateError::OutOfBounds);
            }
            splice.edits.push(edit);
        }
        let spliced = twin.splice(&splice).ok_or(GenerateError::OutOfBounds)?;
        Ok(spliced.bytes)
    }
}

/// Two computed fields of one run of bits cannot be set one after the other.
fn overlaps(edits: &[Edit], edit: &Edit) -> bool {
    let place = |edit: &Edit| match edit {
        Edit::Replace { node, .. } => Some(*node),
        _ => None,
    };
    edits.iter().any(|known| place(known) == place(edit))
}
