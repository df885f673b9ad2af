//! Plants faults at random sites.

use tracegauge_plan::Plan;

use super::{Dice, Stock};
use crate::fault::{Site, Twin, apply};

/// The maximum number of sites to try.
const MOST_TRIES: usize = 24;

/// Plants a random fault in the trace `stock`, and returns the site and the resulting trace.
/// Returns `None` if no fault could be planted at any of the sites that were tried.
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
