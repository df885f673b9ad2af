//! The tree of a trace: as [`text`], as [`json`] that can be edited and encoded again, and as the
//! input of expressions, which [`evaluate`] evaluates.

mod arithmetic;
mod around;
mod compare;
pub mod evaluate;
pub mod json;
mod known;
mod methods;
pub mod path;
mod shown;
#[cfg(test)]
mod tests;
pub mod text;
pub mod walk;
mod work;

use tracegauge_decoder::text as encodings;
use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_plan::terms::{Encoding, VariableKind};
use tracegauge_plan::{Kind, OpId, Plan};

/// The value of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf {
    /// An integer.
    Int(i128),
    /// A float: its bits, and its width in bytes.
    Float(u64, u8),
    /// Text.
    Text(String),
    /// Bytes, or ill-formed text.
    Bytes(Vec<u8>),
}

/// Returns the value of a node, if it has one.
pub fn leaf(plan: &Plan, tree: &Tree, id: NodeId) -> Option<Leaf> {
    let node = tree.node(id);
    match node.payload {
        Payload::Bits(bits) => Some(number(plan, node, bits)),
        Payload::Bytes { .. } => {
            let bytes = tree.bytes(id)?;
            let text = encoding(plan, node.op).and_then(|kind| encodings::decode(bytes, kind));
            Some(text.map_or_else(|| Leaf::Bytes(bytes.to_vec()), Leaf::Text))
        }
        Payload::None | Payload::Layout(_) | Payload::View(_) | Payload::Picked => None,
    }
}

fn number(plan: &Plan, node: &Node, bits: u64) -> Leaf {
    let carried = plan.info(node.op).carry.is_some();
    match plan.op(node.op).kind {
        Kind::Float { width, .. } => Leaf::Float(bits, width),
        Kind::Integer(integer) if integer.signed && !carried => {
            Leaf::Int(i128::from(bits.cast_signed()))
        }
        Kind::Variable(VariableKind::Signed | VariableKind::ZigZag, _) if !carried => {
            Leaf::Int(i128::from(bits.cast_signed()))
        }
        _ => Leaf::Int(i128::from(bits)),
    }
}

/// Returns the encoding of a text operation.
pub fn encoding(plan: &Plan, op: OpId) -> Option<Encoding> {
    match plan.op(op).kind {
        Kind::Text(_, encoding) => Some(encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    }
}

/// Returns the meaning of a number as an enumeration member, a set of flags, or a Boolean.
pub fn meaning(plan: &Plan, op: OpId, value: i128) -> Option<String> {
    let presentation = &plan.info(op).presentation;
    if let Some(set) = presentation.enumeration {
        let members = &plan.enums[set].members;
        return members
            .iter()
            .find(|member| member.value == value)
            .map(|m| m.name.clone());
    }
    if matches!(
        presentation.meaning,
        Some(tracegauge_plan::terms::Meaning::Bool)
    ) {
        return Some((value != 0).to_string());
    }
    let set = presentation.flags?;
    let bits = &plan.flag_sets[set].bits;
    let names: Vec<&str> = bits
        .iter()
        .filter(|(_, mask)| value & i128::from(*mask) == i128::from(*mask))
        .map(|(name, _)| name.as_str())
        .collect();
    Some(names.join(" "))
}
