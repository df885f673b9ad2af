//! Faults at places of chance.

use tracegauge_spec::plan::Plan;

use super::{Dice, Stock};
use crate::fault::{Site, Twin, apply};

/// Sites that are tried.
const MOST_TRIES: usize = 24;

/// A trace in which something is broken, and what; nothing where no site that was tried is in
/// `stock`.
pub(super) fn single(
    plan: &Plan,
    stock: &Stock,
    sites: &[Site],
    dice: &mut Dice,
) -> Option<(Site, Vec<u8>)> {
    let twin = Twin::new(plan, &stock.bytes, &stock.tree);
    for _ in 0..MOST_TRIES {
        let site = dice.pick(sites)?;
        let Some(node) = dice.pick(twin.nodes_of(site.op)) else {
            continue;
        };
        if let Ok(case) = apply(&twin, site, *node) {
            return Some((site.clone(), case.bytes));
        }
    }
    None
}
