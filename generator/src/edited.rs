//! Verifies that a trace encoded from an edited tree has the contents that the tree specifies.
//!
//! Only values that the encoder computes may differ: sizes, counts, positions, and padding. Any
//! other difference is reported, because the author of the tree might otherwise not notice the
//! difference.

use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_plan::{Derived, Kind, Measure, NestedForm, OpId, Plan};

use crate::capacity;
use crate::unwritable::{OtherSize, Unwritable, Why};

/// Returns the first node of `wanted` that is missing from `made` or has a different value there.
pub fn first_changed(plan: &Plan, wanted: &Tree, made: &Tree) -> Option<Unwritable> {
    let words: Vec<OpId> = words(plan).collect();
    let moved = said(wanted, &words) != said(made, &words);
    let (mut next, mut at) = (0, 0);
    // The enclosing lists in both trees.
    let mut lists: Vec<(NodeId, NodeId)> = Vec::new();
    while let Some(node) = wanted.nodes.get(next as usize) {
        while lists
            .last()
            .is_some_and(|(list, _)| wanted.node(*list).end <= next)
        {
            lists.pop();
        }
        let Some(found) = made
            .nodes
            .get(at as usize)
            .filter(|made| made.op == node.op)
        else {
            return Some(other_field(plan, (wanted, next), (made, at), &lists));
        };
        match plan.op(node.op).kind {
            // An `At` operation only reads: its bytes are written as part of other fields.
            Kind::At(_) => {
                (next, at) = (node.end, found.end);
                continue;
            }
            Kind::Repeat(_) => lists.push((next, at)),
            _ => {}
        }
        let computed = match plan.op(node.op).kind {
            // The encoder places the target of a position field wherever there is room.
            Kind::Layout(_) => moved,
            _ => plan.info(node.op).derived.is_some() || words.contains(&node.op),
        };
        if let Some(why) = changed(plan, (wanted, next), (made, at), computed) {
            return Some(Unwritable { node: next, why });
        }
        (next, at) = (next + 1, at + 1);
    }
    let is_more = made.nodes.len() > at as usize;
    is_more.then(|| other_field(plan, (wanted, next), (made, at), &lists))
}

/// Explains why the trees differ at this node. If an enclosing list has a different number of
/// elements, this difference is the explanation.
fn other_field(
    plan: &Plan,
    (wanted, next): (&Tree, NodeId),
    (made, at): (&Tree, NodeId),
    lists: &[(NodeId, NodeId)],
) -> Unwritable {
    let count = |tree: &Tree, list| tree.count(list) as u64;
    let mut other = lists.iter().rev().map(|(list, found)| {
        let counts = (count(wanted, *list), count(made, *found));
        (*list, counts)
    });
    if let Some((node, (wanted_count, written))) = other.find(|(_, counts)| counts.0 != counts.1) {
        let measured = measured(plan, wanted.node(node).op, Measure::Count);
        let why = Why::OtherCount(Box::new(OtherSize {
            wanted: wanted_count,
            written,
            measured,
        }));
        return Unwritable { node, why };
    }
    let found = made.nodes.get(at as usize);
    // Additional nodes come after the last node of the tree.
    let last = u32::try_from(wanted.nodes.len().saturating_sub(1)).unwrap_or(NodeId::MAX);
    Unwritable {
        node: next.min(last),
        why: Why::OtherField(found.map(|found| label(plan, found.op))),
    }
}

fn changed(
    plan: &Plan,
    (wanted, id): (&Tree, NodeId),
    (made, at): (&Tree, NodeId),
    computed: bool,
) -> Option<Why> {
    let (node, found) = (wanted.node(id), made.node(at));
    let kind = &plan.op(node.op).kind;
    match (node.payload, found.payload) {
        _ if computed => None,
        (Payload::Bits(bits), Payload::Bits(other)) => {
            if bits != other {
                let number = |bits| capacity::number(plan, node.op, bits);
                let range = capacity::values(plan, node.op).unwrap_or((0, i128::from(u64::MAX)));
                return Some(Why::OtherNumber(number(bits), number(other), range));
            }
            let spelt = node.spelling != 0 && node.spelling != found.spelling;
            spelt.then_some(Why::OtherForm(node.spelling, found.spelling))
        }
        (Payload::Bytes { .. }, Payload::Bytes { .. }) => {
            let (mine, other) = (wanted.bytes(id)?, made.bytes(at)?);
            let size = (mine.len() as u64, other.len() as u64);
            // The length of padding depends on its position.
            let follows = matches!(kind, Kind::Align { .. }) && size.0 != size.1;
            (mine != other && !follows).then(|| {
                Why::OtherBytes(Box::new(OtherSize {
                    wanted: size.0,
                    written: size.1,
                    measured: measured(plan, node.op, Measure::Size),
                }))
            })
        }
        (Payload::Bits(_), _) => Some(Why::NoBytes),
        (Payload::Bytes { .. }, _) => Some(Why::NoNumber),
        (_, Payload::Bits(_) | Payload::Bytes { .. }) => Some(Why::NoValue),
        _ => None,
    }
}

/// Returns the field that stores the size or count of an operation, and the maximum value that fits
/// in that field.
fn measured(plan: &Plan, of: OpId, how: Measure) -> Option<(String, i128)> {
    plan.infos.iter().enumerate().find_map(|(number, info)| {
        let op = OpId(u32::try_from(number).ok()?);
        match info.derived {
            Some(Derived::Measured {
                of: known,
                measure,
                scale,
            }) if known == of && measure == how => {
                let (_, greatest) = capacity::values(plan, op)?;
                Some((label(plan, op), scale.measure(greatest)?))
            }
            _ => None,
        }
    })
}

/// Returns the payloads of the nodes whose operation is in `words`.
fn said(tree: &Tree, words: &[OpId]) -> Vec<Payload> {
    let nodes = tree.nodes.iter().filter(|node| words.contains(&node.op));
    nodes.map(|node| node.payload).collect()
}

/// Returns the fields that store positions.
fn words(plan: &Plan) -> impl Iterator<Item = OpId> + '_ {
    plan.nested.iter().filter_map(|nested| match &nested.form {
        NestedForm::Located(located) => Some(located.word),
        _ => None,
    })
}

fn label(plan: &Plan, op: OpId) -> String {
    let mut at = Some(op);
    while let Some(op) = at {
        let info = plan.info(op);
        if let Some(label) = info.label {
            return plan.name(label).to_owned();
        }
        at = info.parent;
    }
    "tree".to_owned()
}
