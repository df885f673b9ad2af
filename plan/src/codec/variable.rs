//! Variable-length integers: groups of seven bits, the least significant group first. The high bit of
//! each byte says whether another byte follows.

use crate::terms::VariableKind;

/// Decodes the groups of seven bits of a variable-length integer of at most eight bytes. Returns the
/// bits and the number of groups, or `None` if the integer is longer or incomplete.
#[inline]
pub fn groups(ahead: &[u8], left: u64) -> Option<(u64, u8)> {
    const MORE: u64 = 0x8080_8080_8080_8080;
    let word = match ahead.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => {
            // A missing byte must look as if the integer continued.
            let mut chunk = [0xff; 8];
            chunk[..ahead.len()].copy_from_slice(ahead);
            u64::from_le_bytes(chunk)
        }
    };
    let ends = !word & MORE;
    if ends == 0 {
        return None;
    }
    let length = ends.trailing_zeros() / 8 + 1;
    if u64::from(length) > left {
        return None;
    }
    let x = word & (u64::MAX >> (64 - length * 8)) & !MORE;
    let x = (x & 0x007f_007f_007f_007f) | ((x & 0x7f00_7f00_7f00_7f00) >> 1);
    let x = (x & 0x0000_3fff_0000_3fff) | ((x & 0x3fff_0000_3fff_0000) >> 2);
    let x = (x & 0x0000_0000_0fff_ffff) | ((x & 0x0fff_ffff_0000_0000) >> 4);
    u8::try_from(length).ok().map(|length| (x, length))
}

/// Decodes nine or ten groups of seven bits, if their value fits in 64 bits.
#[cold]
pub fn long_groups(ahead: &[u8], left: u64) -> Option<(u64, u8)> {
    let most = usize::try_from(left).unwrap_or(usize::MAX).min(10);
    let ahead = &ahead[..ahead.len().min(most)];
    let length = ahead.iter().position(|byte| *byte < 0x80)? + 1;
    let mut raw = 0;
    for (number, byte) in ahead[..length].iter().enumerate() {
        let low = u64::from(byte & 0x7f);
        if number == 9 && low > 1 {
            return None;
        }
        raw |= low << (number * 7);
    }
    u8::try_from(length).ok().map(|length| (raw, length))
}

/// Converts the raw bits of a variable-length integer to its value.
#[inline]
pub fn unfold(kind: VariableKind, raw: u64, used: u32) -> u64 {
    match kind {
        VariableKind::Unsigned => raw,
        VariableKind::ZigZag => (raw >> 1) ^ 0_u64.wrapping_sub(raw & 1),
        VariableKind::Signed if used < 64 => {
            let unused = 64 - used;
            ((raw << unused).cast_signed() >> unused).cast_unsigned()
        }
        VariableKind::Signed => raw,
    }
}

/// Returns the length in bytes of the shortest encoding of a value.
pub fn least_length(kind: VariableKind, value: u64) -> u8 {
    let bits = match kind {
        VariableKind::Unsigned => 64 - value.leading_zeros(),
        VariableKind::ZigZag => {
            let signed = value.cast_signed();
            64 - ((signed << 1) ^ (signed >> 63)).leading_zeros()
        }
        VariableKind::Signed => {
            let signed = value.cast_signed();
            let magnitude = if signed < 0 { !signed } else { signed };
            65 - magnitude.leading_zeros()
        }
    };
    u8::try_from(bits.div_ceil(7).max(1)).unwrap_or(10)
}

/// Appends a variable-length integer in `length` bytes, or in as few bytes as possible if `length`
/// is 0.
pub fn append(value: u64, kind: VariableKind, length: u8, out: &mut Vec<u8>) {
    let signed = value.cast_signed();
    let (mut left, negative) = match kind {
        VariableKind::Unsigned => (value, false),
        VariableKind::ZigZag => (((signed << 1) ^ (signed >> 63)).cast_unsigned(), false),
        VariableKind::Signed => (value, signed < 0),
    };
    let least = least_length(kind, value);
    let length = length.max(least);
    for number in 0..length {
        let low = u8::try_from(left & 0x7f).unwrap_or_default();
        left = if negative {
            (left.cast_signed() >> 7).cast_unsigned()
        } else {
            left >> 7
        };
        let more = if number + 1 < length { 0x80 } else { 0 };
        out.push(low | more);
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    const KINDS: [VariableKind; 3] = [
        VariableKind::Unsigned,
        VariableKind::ZigZag,
        VariableKind::Signed,
    ];

    quickcheck! {
        fn what_is_appended_is_read(value: u64, longer: u8) -> bool {
            KINDS.into_iter().all(|kind| {
                let least = least_length(kind, value);
                let length = (least + longer % 3).min(10);
                let mut bytes = Vec::new();
                append(value, kind, length, &mut bytes);
                let left = bytes.len() as u64;
                let found = groups(&bytes, left).or_else(|| long_groups(&bytes, left));
                // Ten groups of a negative number exceed 64 bits.
                found.map_or(length == 10, |(raw, read)| {
                    read == length && unfold(kind, raw, u32::from(read) * 7) == value
                })
            })
        }
    }
}
