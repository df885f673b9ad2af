//! Sets numbers in a trace to the limits of their fields or to values next to powers of two, where
//! sums wrap around and integer types overflow. Everything else is unchanged.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::Plan;

use super::{Dice, Stock};
use crate::fault::{Edit, Splice, Twin};

/// The maximum number of numbers changed at once.
const MOST_EDITS: u64 = 2;
/// The number of nodes to try for each number to be changed.
const MOST_TRIES: u64 = 16;

/// Returns a trace with edge-case numbers, or `None` if none of the candidates can be written.
pub(super) fn edged(plan: &Plan, stock: &Stock, dice: &mut Dice) -> Option<Vec<u8>> {
    let twin = Twin::new(plan, &stock.bytes, &stock.tree);
    let mut splice = Splice::default();
    let wanted = 1 + dice.below(MOST_EDITS);
    for _ in 0..wanted * MOST_TRIES {
        let node = NodeId::try_from(dice.index(stock.tree.nodes.len())?).ok()?;
        let Some((low, high)) = twin.value_range(node) else {
            continue;
        };
        let value = edge((low, high), dice);
        let Some(edit) = twin.set(node, value) else {
            continue;
        };
        if splice
            .edits
            .iter()
            .all(|other| target(other) != target(&edit))
        {
            splice.edits.push(edit);
        }
        if splice.edits.len() as u64 == wanted {
            break;
        }
    }
    if splice.edits.is_empty() {
        return None;
    }
    Some(twin.splice(&splice)?.bytes)
}

/// Returns a number at or near a bound of a range, or next to a power of two.
fn edge((low, high): (i128, i128), dice: &mut Dice) -> i128 {
    let near = i128::from(dice.below(8));
    let value = match dice.below(6) {
        0 => low,
        1 => high,
        2 => low.saturating_add(near),
        3 => high.saturating_sub(near),
        _ => (1_i128 << dice.below(65)) - i128::from(dice.below(2)),
    };
    value.clamp(low, high)
}

fn target(edit: &Edit) -> Option<NodeId> {
    match edit {
        Edit::Replace { node, .. } | Edit::Remove { node } => Some(*node),
        Edit::Insert { .. } => None,
    }
}
