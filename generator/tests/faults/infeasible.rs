//! Tests that no trace has a case at an infeasible site.

use std::collections::BTreeMap;

use tracegauge_generator::fault::{Reasons, Site, Twin, apply, confirm, decoded, sites};

use super::support::{generated, plans};

/// The number of places in each trace at which a site is tried.
const PLACES: usize = 4;

#[test]
fn no_trace_breaks_what_is_ruled_out() {
    let mut reasons_met = BTreeMap::new();
    for plan in plans() {
        let format = &plan.format;
        let twins = decoded(&plan, generated(&plan, 0..200));
        let reasons = Reasons::new(&plan);
        let infeasible: Vec<(Site, _)> = sites(&plan)
            .into_iter()
            .filter_map(|site| reasons.of(&site).map(|reason| (site, reason)))
            .collect();
        for trace in &twins {
            let twin = Twin::new(&plan, &trace.bytes, &trace.tree);
            for (site, reason) in &infeasible {
                for node in twin.nodes_of(site.op).iter().take(PLACES) {
                    let broken = apply(&twin, site, *node).ok();
                    let broken = broken.filter(|case| confirm(&plan, case).is_ok());
                    let name = site.name(&plan);
                    assert!(broken.is_none(), "{format}: {name}, {}", reason.because());
                    *reasons_met.entry(*reason).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(reasons_met.len() > 8, "{reasons_met:?}");
}
