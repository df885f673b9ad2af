//! Writes bit fields that share an integer.

use tracegauge_decoder::tree::Payload;
use tracegauge_decoder::{Input, Refused, Value};
use tracegauge_plan::{Kind, OpId};

use super::super::Directed;
use super::computed::computed;
use super::numbers::chosen;
use crate::tape::Choices;

/// Chooses the values of a run of bit fields and combines them into one integer.
pub(super) fn put_bits<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Result<u64, Refused> {
    let plan = machine.plan();
    let index = machine.visitor().index;
    let mut run = 0;
    // The node of the run precedes those of its fields.
    let mut node = u32::try_from(machine.tree().nodes.len()).unwrap_or(u32::MAX);
    for field in plan.children(op) {
        let Kind::Bits { shift, width } = plan.op(field).kind else {
            continue;
        };
        node = node.saturating_add(1);
        let mask = u64::MAX >> (64 - u32::from(width));
        if let Some(written) = index.written.get(&field) {
            let (value, _) = computed(machine, field, *written, node)?;
            run |= (u64::try_from(value).unwrap_or_default() & mask) << shift;
            continue;
        }
        let wanted = match &mut machine.visitor_mut().script {
            None => None,
            Some(script) => match script.take(field).map(|node| node.payload) {
                Some(Payload::Bits(bits)) => Some(i128::from(bits)),
                _ => None,
            },
        };
        let key = index.keys.get(&field).copied();
        let value = chosen(machine, field, wanted, key)?;
        let slot = plan.op(field).slot;
        // The tests of the following fields may depend on this one, which the decoder reads only after
        // the whole run is written.
        if plan.info(field).carry.is_none() {
            machine.set_slot(slot, Value::Int(value));
        }
        run |= (u64::try_from(value).unwrap_or_default() & mask) << shift;
    }
    Ok(run)
}
