//! Plants faults in located values and container types. A located value is stored elsewhere; its
//! field contains only a *word* with the position and size of the value. The faults are words that
//! point outside the available bytes or whose size is not a multiple of the element's size, and
//! element types that lack the required fixed size.

use tracegauge_decoder::tree::{NodeId, Payload};
use tracegauge_plan::terms::{FaultKind, LocatedFrom};
use tracegauge_plan::{CodeExtent, Kind, LocatedPlan, NestedForm};

use super::apply::{At, Attack, fault};
use super::number;
use super::operator::WordChange;
use super::splice::Edit;
use super::twin::Twin;

/// Changes the word of the located value `node` so that its position or size is invalid.
pub(super) fn word(twin: &Twin<'_>, node: NodeId, change: WordChange) -> Option<Attack> {
    let Kind::Nested(nested) = twin.op(node).kind else {
        return None;
    };
    let NestedForm::Located(located) = &twin.plan.nested[nested].form else {
        return None;
    };
    let word = twin.tree.children(node).next()?;
    let Payload::Bits(bits) = twin.node(word).payload else {
        return None;
    };
    let element = twin.element_size(node)?;
    let (offset, size) = located.split(bits);
    let base = base(twin, located, node, word)?;
    let room = twin.limit(node).end.checked_sub(base)?;
    let changed = match change {
        WordChange::Past => {
            let far = located.greatest().0;
            let size = size.max(element);
            (far + size > room).then(|| located.join(far, size))?
        }
        WordChange::PastEnd => {
            let whole = room.checked_sub(offset)? / element.max(1);
            located.join(offset, (whole + 1) * element.max(1))
        }
        WordChange::Multiple => {
            (element > 1 && size >= element).then(|| located.join(offset, size - 1))?
        }
    }?;
    let rule = match change {
        WordChange::Multiple => located.multiple,
        _ => fault(twin.plan, twin.node(node).op, FaultKind::Past)?,
    };
    let edit = twin.set(word, i128::from(changed))?;
    Some(Attack::new(edit, rule, twin.path(node), At::Node(word, 0)))
}

/// Returns the position that the offset in a word is relative to.
fn base(twin: &Twin<'_>, located: &LocatedPlan, node: NodeId, word: NodeId) -> Option<u64> {
    match located.from {
        LocatedFrom::EndOfField => Some(twin.node(word).span.end),
        LocatedFrom::StartOfLayout => {
            let layout = twin.outward(node).find(|at| twin.is_layout(*at))?;
            Some(twin.node(layout).span.start)
        }
    }
}

/// Changes the element type of the type described by `node`, which must have a fixed size, to a
/// type without a fixed size.
pub(super) fn variable(twin: &Twin<'_>, node: NodeId, code: i128) -> Option<Attack> {
    let describes = twin.info(node).describes?;
    let describes = &twin.plan.describes[describes];
    let own = twin
        .tree
        .children(node)
        .find(|child| twin.node(*child).op == describes.code)?;
    let rule = describes.code(twin.integer(own)?)?.fixed?;
    let held = twin.tree.children(node).find(|child| {
        let call = matches!(twin.op(*child).kind, Kind::Call(_));
        let inside = twin.tree.children(*child).next();
        call && inside.is_some_and(|inside| twin.info(inside).describes.is_some())
    })?;
    let extent = describes.code(code)?.extent;
    if extent != CodeExtent::Variable {
        return None;
    }
    let bytes = number::encode(&twin.plan.op(describes.code).kind, code)?;
    let edit = Edit::Replace { node: held, bytes };
    Some(Attack::new(edit, rule, twin.path(node), At::Node(node, 0)))
}
