//! Renders a plan as text for debugging.

use std::fmt::Write;

use super::{Kind, OpId, Plan, flags};

/// Lists the operations of a plan, one line each, with id, label, kind and properties. Operations
/// are indented by their depth.
pub fn describe(plan: &Plan) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "plan of {}: {} operations, {} slots",
        plan.format,
        plan.ops.len(),
        plan.slots
    );
    lines(plan, OpId(0), 0, &mut text);
    text
}

fn lines(plan: &Plan, id: OpId, depth: usize, text: &mut String) {
    let (op, info) = (plan.op(id), plan.info(id));
    let label = info.label.map_or("·", |label| plan.name(label));
    let _ = write!(
        text,
        "{:>5} {:indent$}{label}: {}",
        id.0,
        "",
        kind(plan, &op.kind),
        indent = depth * 2
    );
    if let Some(name) = info.type_name {
        let _ = write!(text, " {}", plan.name(name));
    }
    for (flag, word) in [
        (flags::GUARD, "if"),
        (flags::CHECKS, "checked"),
        (flags::REFS, "refs"),
        (flags::CARRY, "carried"),
        (flags::CAPTURE, "kept"),
        (flags::ENDING, "ends"),
    ] {
        if op.flags & flag != 0 {
            let _ = write!(text, " {word}");
        }
    }
    if op.flags & flags::SLOT != 0 {
        let _ = write!(text, " → slot {}", op.slot.0);
    }
    if info.derived.is_some() {
        text.push_str(" (computed by a writer)");
    }
    text.push('\n');
    for child in plan.children(id) {
        lines(plan, child, depth + 1, text);
    }
}

fn kind(plan: &Plan, kind: &Kind) -> String {
    match kind {
        Kind::Structure => "structure".to_owned(),
        Kind::Call(target) => format!("call {}", target.0),
        Kind::Contents(index) => format!("contents {:02x?}", plan.constants[*index]),
        Kind::Layout(layout) => format!("layout({})", layout.0),
        other => format!("{other:?}").to_lowercase(),
    }
}
