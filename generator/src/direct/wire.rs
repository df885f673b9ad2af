//! Encodes numbers as operations read them.

use tracegauge_plan::{Kind, OpId, Plan, codec};

/// Converts a number to bits.
pub fn bits_of(value: i128) -> u64 {
    match u64::try_from(value) {
        Ok(bits) => bits,
        Err(_) => i64::try_from(value).unwrap_or_default().cast_unsigned(),
    }
}

/// Appends a number as the operation encodes it, in `spelling` bytes if it is a variable-length integer
/// and `spelling` is not 0.
pub fn number(plan: &Plan, op: OpId, value: i128, spelling: u8, out: &mut Vec<u8>) {
    let bits = bits_of(value);
    match &plan.op(op).kind {
        Kind::Variable(kind, _) => codec::append(bits, *kind, spelling, out),
        kind => {
            if let Some(described) = codec::stored_as(kind) {
                codec::store(bits, described, out);
            }
        }
    }
}
