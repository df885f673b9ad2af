//! Faults that are not minded where they occur.

use super::Collector;
use crate::plan::Plan;
use crate::schema::{FaultKind, ReaderDuty};

pub(super) fn mutate(out: &mut Collector<'_>) {
    for id in out.ops() {
        for (kind, name) in FaultKind::ALL {
            // Texts are looked at elsewhere; the others are tests of their own.
            let tested = matches!(
                kind,
                FaultKind::Encoding
                    | FaultKind::Enum
                    | FaultKind::Flags
                    | FaultKind::Range
                    | FaultKind::Absent
                    | FaultKind::Empty
                    | FaultKind::Code
            );
            if tested || !out.plan.raises(id, kind) {
                continue;
            }
            let faults = &out.plan.faults[out.plan.op(id).faults as usize];
            let rejects = faults
                .of(kind)
                .is_some_and(|rule| out.plan.rules[rule as usize].duty == ReaderDuty::Reject);
            if rejects {
                out.add("fault-taken", id, name, move |plan: &mut Plan| {
                    plan.tolerate(id, kind);
                });
            }
        }
    }
}
