//! Inserts elements of another trace, or duplicates, replaces or removes elements. Sizes and counts
//! are updated. References keep their keys, so they may then refer to different rows.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Kind, Plan};

use super::{Dice, Stock};
use crate::fault::{Edit, Place, Splice, Twin};

/// The maximum number of edits made at once.
const MOST_EDITS: u64 = 3;

/// Combines parts of the traces `stock` and `donor`. Returns `None` if there are no elements or if
/// a size does not fit in its field.
pub(super) fn graft(plan: &Plan, stock: &Stock, donor: &Stock, dice: &mut Dice) -> Option<Vec<u8>> {
    let twin = Twin::new(plan, &stock.bytes, &stock.tree);
    let elements = elements(plan, stock);
    let donated = self::elements(plan, donor);
    let mut splice = Splice::default();
    for _ in 0..1 + dice.below(MOST_EDITS) {
        let element = *dice.pick(&elements)?;
        if splice
            .edits
            .iter()
            .any(|edit| touches(stock, edit, element))
        {
            continue;
        }
        let op = stock.tree.node(element).op;
        let alike = |stock: &Stock, all: &[NodeId]| -> Vec<NodeId> {
            let same = all.iter().filter(|other| stock.tree.node(**other).op == op);
            same.copied().collect()
        };
        let place = if dice.one_in(2) {
            Place::Before(element)
        } else {
            Place::After(element)
        };
        let foreign = alike(donor, &donated);
        let other = dice.pick(&foreign).map(|node| bytes_of(donor, *node));
        let own = alike(stock, &elements);
        let own = dice.pick(&own).map(|node| bytes_of(stock, *node))?;
        splice.edits.push(match (dice.below(5), other) {
            (0 | 1, Some(bytes)) => Edit::insert(place, bytes),
            (2, Some(bytes)) => Edit::Replace {
                node: element,
                bytes,
            },
            (3, _) => Edit::Remove { node: element },
            _ => Edit::insert(place, own),
        });
    }
    Some(twin.splice(&splice)?.bytes)
}

/// Returns the elements of all lists.
fn elements(plan: &Plan, stock: &Stock) -> Vec<NodeId> {
    let tree = &stock.tree;
    let ids = 0..NodeId::try_from(tree.nodes.len()).unwrap_or(NodeId::MAX);
    let lists = ids.filter(|id| {
        matches!(plan.op(tree.node(*id).op).kind, Kind::Repeat(_)) && !tree.is_view(*id)
    });
    lists.flat_map(|list| tree.children(list)).collect()
}

fn bytes_of(stock: &Stock, node: NodeId) -> Vec<u8> {
    let span = stock.tree.node(node).span;
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
    let bytes = stock.bytes.get(at(span.start)..at(span.end));
    bytes.unwrap_or_default().to_vec()
}

/// Returns whether the node of an edit is the element, contains it, or is inside it.
fn touches(stock: &Stock, edit: &Edit, element: NodeId) -> bool {
    let node = match edit {
        Edit::Replace { node, .. } | Edit::Remove { node } => *node,
        Edit::Insert { place, .. } => match place {
            Place::Before(node) | Place::After(node) | Place::Within(node) => *node,
        },
    };
    let inside =
        |inner: NodeId, outer: NodeId| outer <= inner && inner < stock.tree.node(outer).end;
    inside(node, element) || inside(element, node)
}
