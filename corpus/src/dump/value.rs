//! Formats a value on one line.

use tracegauge_decoder::tree::{NodeId, Payload, Tree, View};
use tracegauge_plan::terms::{Encoding, Meaning, VariableKind};
use tracegauge_plan::{Kind, OpId, Plan};

/// The maximum number of characters shown for a string.
const MOST: usize = 60;

/// Returns the value of a node, or an empty string if the node has no value of its own.
pub(super) fn shown(plan: &Plan, tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id);
    match node.payload {
        Payload::Bits(bits) => number(plan, node.op, bits),
        Payload::Bytes { .. } => text(plan, node.op, tree.bytes(id).unwrap_or_default()),
        Payload::View(View::Shown) => "located".to_owned(),
        Payload::View(View::Missing) => "missing".to_owned(),
        Payload::View(View::Unread) => "not read".to_owned(),
        Payload::None | Payload::Layout(_) | Payload::Picked => match plan.op(node.op).kind {
            Kind::Repeat(_) => match tree.count(id) {
                1 => "1 element".to_owned(),
                count => format!("{count} elements"),
            },
            _ => String::new(),
        },
    }
}

fn number(plan: &Plan, op: OpId, bits: u64) -> String {
    let presentation = &plan.info(op).presentation;
    let plain = match plan.op(op).kind {
        Kind::Float { width: 4, .. } => {
            format!(
                "{:?}",
                f32::from_bits(u32::try_from(bits).unwrap_or_default())
            )
        }
        Kind::Float { .. } => format!("{:?}", f64::from_bits(bits)),
        Kind::Integer(integer) if integer.signed => bits.cast_signed().to_string(),
        Kind::Variable(kind, _) if kind != VariableKind::Unsigned => bits.cast_signed().to_string(),
        _ => bits.to_string(),
    };
    let name = if let Some(set) = presentation.enumeration {
        let value = i128::from(bits.cast_signed());
        let members = &plan.enums[set].members;
        let member = members
            .iter()
            .find(|member| member.value == value && member.broken.is_none());
        member.map(|member| member.name.clone())
    } else if let Some(set) = presentation.flags {
        let names: Vec<&str> = plan.flag_sets[set]
            .bits
            .iter()
            .filter(|(_, mask)| bits & mask == *mask)
            .map(|(name, _)| name.as_str())
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    } else if matches!(presentation.meaning, Some(Meaning::Bool)) {
        Some((bits != 0).to_string())
    } else {
        None
    };
    match name {
        Some(name) => format!("{plain} ({name})"),
        None => plain,
    }
}

fn text(plan: &Plan, op: OpId, bytes: &[u8]) -> String {
    let encoding = match plan.op(op).kind {
        Kind::Text(_, encoding) => Some(encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    };
    let decoded = match encoding {
        Some(Encoding::Utf8) => std::str::from_utf8(bytes).ok().map(str::to_owned),
        Some(encoding) => tracegauge_decoder::text::decode(bytes, encoding),
        None => return format!("{} bytes", bytes.len()),
    };
    let Some(decoded) = decoded else {
        return "ill-formed text".to_owned();
    };
    let shown: String = decoded.chars().take(MOST).collect();
    let rest = if shown.len() < decoded.len() {
        "…"
    } else {
        ""
    };
    format!("{shown:?}{rest}")
}
