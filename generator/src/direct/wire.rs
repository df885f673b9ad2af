//! Encodes numbers.

use tracegauge_plan::terms::{BitOrder, Endian, VariableKind};
use tracegauge_plan::{Integer, Kind, OpId, Plan};

/// Appends an integer that occupies a whole number of bytes.
#[inline]
pub fn integer(value: u64, described: Integer, out: &mut Vec<u8>) {
    let width = usize::from(described.width);
    if described.word != 0 {
        return words(value, described, out);
    }
    match described.endian {
        Endian::Little => out.extend_from_slice(&value.to_le_bytes()[..width]),
        Endian::Big => out.extend_from_slice(&value.to_be_bytes()[8 - width..]),
    }
}

/// Appends an integer whose word order is the reverse of the byte order within each word.
fn words(value: u64, described: Integer, out: &mut Vec<u8>) {
    let (width, size) = (usize::from(described.width), usize::from(described.word));
    let bytes = match described.endian {
        Endian::Little => value.to_le_bytes()[..width].to_vec(),
        Endian::Big => value.to_be_bytes()[8 - width..].to_vec(),
    };
    for word in bytes.chunks(size).rev() {
        out.extend_from_slice(word);
    }
}

/// Appends a variable-length integer in `length` bytes, or in as few bytes as possible if `length`
/// is 0.
pub fn variable(value: u64, kind: VariableKind, length: u8, out: &mut Vec<u8>) {
    let signed = value.cast_signed();
    let (mut left, negative) = match kind {
        VariableKind::Unsigned => (value, false),
        VariableKind::ZigZag => (((signed << 1) ^ (signed >> 63)).cast_unsigned(), false),
        VariableKind::Signed => (value, signed < 0),
    };
    let least = tracegauge_decoder::least_length(kind, value);
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

/// Returns the integer type used to read a run of bit fields.
pub fn run_integer(width: u8, order: BitOrder) -> Integer {
    let endian = match order {
        BitOrder::Little => Endian::Little,
        BitOrder::Big => Endian::Big,
    };
    Integer {
        width,
        signed: false,
        endian,
        word: 0,
    }
}

/// Returns the integer type that stores the bits of a fixed-width number.
pub fn fixed(kind: &Kind) -> Option<Integer> {
    match kind {
        Kind::Integer(integer) => Some(*integer),
        Kind::Float { width, endian } => Some(Integer {
            width: *width,
            signed: false,
            endian: *endian,
            word: 0,
        }),
        _ => None,
    }
}

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
        Kind::Variable(kind, _) => variable(bits, *kind, spelling, out),
        kind => {
            if let Some(described) = fixed(kind) {
                integer(bits, described, out);
            }
        }
    }
}
