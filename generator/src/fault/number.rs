//! Encodes and decodes numbers.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{BitOrder, VariableKind};
use tracegauge_plan::{Integer, Kind, codec};

use super::splice::Edit;
use super::twin::Twin;

/// Returns the number of bits of the integer that an operation reads, or 0 if it reads no integer.
pub(super) fn bits(kind: &Kind) -> u32 {
    match kind {
        Kind::Integer(integer) => u32::from(integer.width) * 8,
        Kind::Variable(_, bits) | Kind::Bits { width: bits, .. } => u32::from(*bits),
        _ => 0,
    }
}

/// Returns an amount that can be added to a value without affecting readers that truncate the value
/// to fewer bits.
pub(super) fn wrap(kind: &Kind) -> Option<i128> {
    if let Kind::Bits { width, .. } = kind {
        return Some(1 << width.checked_sub(1)?);
    }
    let cut = [32, 16, 8].into_iter().find(|cut| *cut < bits(kind))?;
    matches!(kind, Kind::Integer(_) | Kind::Variable(..)).then_some(1 << cut)
}

/// Encodes an integer that occupies a whole number of bytes. Drops the bits of the value that
/// exceed the width of the integer.
pub(super) fn whole(integer: Integer, value: i128) -> Vec<u8> {
    let bits = u64::try_from(value & i128::from(u64::MAX)).unwrap_or_default();
    let mut bytes = Vec::new();
    codec::store(bits, integer, &mut bytes);
    bytes
}

/// Returns the bits that a variable-length integer encodes in groups of seven.
pub(super) fn raw_groups(kind: VariableKind, value: i128) -> u128 {
    match kind {
        VariableKind::Unsigned | VariableKind::Signed => value.cast_unsigned(),
        VariableKind::ZigZag => ((value << 1) ^ (value >> 127)).cast_unsigned(),
    }
}

/// Encodes groups of seven bits as a variable-length integer of `length` bytes.
pub(super) fn groups(raw: u128, length: usize) -> Vec<u8> {
    (0..length)
        .map(|index| {
            let shift = u32::try_from(index * 7).unwrap_or(u32::MAX).min(127);
            let low = u8::try_from(raw >> shift & 0x7f).unwrap_or_default();
            low | if index + 1 < length { 0x80 } else { 0 }
        })
        .collect()
}

/// Decodes the groups of seven bits of a variable-length integer. A signed number is sign-extended.
pub(super) fn read_groups(kind: VariableKind, bytes: &[u8]) -> u128 {
    // More groups than any width needs, but fewer than 128 bits in total.
    const MOST: usize = 18;
    let groups = bytes.iter().take(MOST).enumerate();
    let raw = groups.fold(0_u128, |all, (index, byte)| {
        all | u128::from(byte & 0x7f) << (index * 7)
    });
    let used = bytes.len().clamp(1, MOST) * 7;
    if kind == VariableKind::Signed && raw >> (used - 1) & 1 != 0 {
        return raw | u128::MAX << used;
    }
    raw
}

/// Returns the minimum number of bytes that encode `value` as a variable-length integer.
pub(super) fn least_length(kind: VariableKind, value: i128) -> usize {
    let bits = match kind {
        VariableKind::Signed => 129 - (if value < 0 { !value } else { value }).leading_zeros(),
        _ => 128 - raw_groups(kind, value).leading_zeros(),
    };
    (bits.div_ceil(7) as usize).max(1)
}

/// Encodes `value`. Returns `None` if the value is out of the operation's range, or if the
/// operation does not read an integer that occupies whole bytes.
pub(crate) fn encode(kind: &Kind, value: i128) -> Option<Vec<u8>> {
    let (least, greatest) = kind.range()?;
    if value < least || value > greatest {
        return None;
    }
    match kind {
        Kind::Integer(integer) => Some(whole(*integer, value)),
        Kind::Variable(kind, _) => {
            Some(groups(raw_groups(*kind, value), least_length(*kind, value)))
        }
        _ => None,
    }
}

/// Returns the bytes of a run of bit fields after changing one of the fields.
pub(super) fn with_bits(run: &[u8], order: BitOrder, field: &Kind, value: i128) -> Option<Vec<u8>> {
    let Kind::Bits { shift, width } = field else {
        return None;
    };
    let (least, greatest) = field.range()?;
    if value < least || value > greatest {
        return None;
    }
    let run_as = run_integer(run, order)?;
    let old = codec::load(run, run_as);
    let mask = (u64::MAX >> (64 - u32::from(*width))) << shift;
    let new = old & !mask | u64::try_from(value).ok()? << shift & mask;
    let mut bytes = Vec::new();
    codec::store(new, run_as, &mut bytes);
    Some(bytes)
}

/// Returns the integer that a run of bit fields is read as.
fn run_integer(run: &[u8], order: BitOrder) -> Option<Integer> {
    let width = u8::try_from(run.len())
        .ok()
        .filter(|width| (1..=8).contains(width))?;
    Some(codec::run_integer(width, order))
}

/// Returns the value of one bit field in the bytes of its run.
pub(super) fn bits_of(run: &[u8], order: BitOrder, field: &Kind) -> Option<i128> {
    let Kind::Bits { shift, width } = field else {
        return None;
    };
    let all = codec::load(run, run_integer(run, order)?);
    let mask = u64::MAX >> (64 - u32::from(*width));
    Some(i128::from(all >> shift & mask))
}

/// Decodes the number stored in the trace, without the earlier value that readers may add to it.
pub(super) fn wire(kind: &Kind, bytes: &[u8]) -> Option<i128> {
    match kind {
        Kind::Integer(integer) => {
            let bytes = bytes.get(..usize::from(integer.width))?;
            let bits = codec::load(bytes, *integer);
            Some(match integer.signed {
                true => i128::from(bits.cast_signed()),
                false => i128::from(bits),
            })
        }
        Kind::Variable(coding, _) => {
            let raw = read_groups(*coding, bytes);
            Some(match coding {
                VariableKind::ZigZag => (raw >> 1).cast_signed() ^ -(raw & 1).cast_signed(),
                VariableKind::Unsigned | VariableKind::Signed => raw.cast_signed(),
            })
        }
        _ => None,
    }
}

/// Decodes the number stored in the bytes of an operation, or of the run if the operation is a bit
/// field.
pub(crate) fn on_wire(kind: &Kind, run: Option<BitOrder>, bytes: &[u8]) -> Option<i128> {
    match (kind, run) {
        (Kind::Bits { .. }, Some(order)) => bits_of(bytes, order, kind),
        _ => wire(kind, bytes),
    }
}

impl Twin<'_> {
    /// Returns the number that must be stored so that the node's value is `value`. The two numbers
    /// differ if readers add an earlier value to the stored number.
    fn wire_value(&self, node: NodeId, value: i128) -> Option<i128> {
        if !self.adds(node) {
            return Some(value);
        }
        let wire = wire(&self.op(node).kind, self.bytes_of(node))?;
        let change = value.checked_sub(self.integer(node)?)?;
        let wanted = wire.checked_add(change)?;
        Some(match self.wraps_at(node) {
            Some(bits) => wanted.rem_euclid(1 << bits),
            None => wanted,
        })
    }

    /// Returns whether readers add an earlier value, or an increment, to the stored number.
    fn adds(&self, node: NodeId) -> bool {
        let carry = self.info(node).carry;
        let carry = carry.map(|carry| &self.plan.carries[carry]);
        carry.is_some_and(|carry| carry.add || carry.then.is_some())
    }

    /// If the node's value is derived from an earlier value and wraps around at a certain width in
    /// bits, and the stored number covers exactly this width, returns the width.
    fn wraps_at(&self, node: NodeId) -> Option<u8> {
        let carry = self.info(node).carry?;
        let bits = self.plan.carries[carry].wraps?;
        let (least, greatest) = self.op(node).kind.range()?;
        (least == 0 && greatest == (1 << bits) - 1).then_some(bits)
    }

    /// Returns the range of values that the node can have.
    pub(crate) fn value_range(&self, node: NodeId) -> Option<(i128, i128)> {
        let (least, greatest) = self.op(node).kind.range()?;
        if !self.adds(node) || self.wraps_at(node).is_some() {
            return Some((least, greatest));
        }
        // The base that readers add to the stored number.
        let base = -self.wire_value(node, 0)?;
        Some((least + base, greatest + base))
    }

    /// Returns the edit that sets the value of a node.
    pub(crate) fn set(&self, node: NodeId, value: i128) -> Option<Edit> {
        let kind = &self.op(node).kind;
        let value = self.wire_value(node, value)?;
        if let Kind::Bits { .. } = kind {
            let run = self.parent(node)?;
            let Kind::BitRun { order, .. } = self.op(run).kind else {
                return None;
            };
            let bytes = with_bits(self.bytes_of(run), order, kind, value)?;
            return Some(Edit::Replace { node: run, bytes });
        }
        let bytes = encode(kind, value)?;
        Some(Edit::Replace { node, bytes })
    }
}
