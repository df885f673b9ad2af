//! Targets: properties that a trace should have but that random choices would rarely produce.

use tracegauge_decoder::text::encode;
use tracegauge_plan::{Op, OpId, flags};

use super::domain::Domain;
use super::text::TextRoom;
use super::{Emitter, text};
use crate::tape::Choices;

/// Properties that a generated trace should have where possible. Everything else is random.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Type codes that the trace should describe, in this order. After the last code, the sequence
    /// starts over.
    pub codes: Vec<i128>,
    /// Whether values of container types may be empty.
    pub may_be_empty: bool,
    /// Whether a list whose type description specifies the element count should be larger than 64
    /// KiB, so that its size does not fit in 16 bits.
    pub large: bool,
    /// The minimum size of the trace in bytes, if it differs from the requested size.
    pub bytes: Option<u64>,
    /// Fields that should contain a value in a given range at least once.
    pub numbers: Vec<TargetNumber>,
    /// Strings, byte strings and lists that should reach a minimum length at least once.
    pub lengths: Vec<TargetLength>,
    /// Strings that should have a given value at least once.
    pub texts: Vec<TargetText>,
}

/// A field that should contain a value in a given range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetNumber {
    /// The field.
    pub op: OpId,
    /// The minimum value.
    pub low: i128,
    /// The maximum value.
    pub high: i128,
    /// The number of occurrences of the field before the one that should have the target value.
    pub after: u32,
}

/// A string that should have a given value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetText {
    /// The field.
    pub op: OpId,
    /// The value.
    pub text: String,
}

/// A string, byte string or list that should reach a minimum length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetLength {
    /// The string, byte string or list.
    pub op: OpId,
    /// The minimum number of bytes or elements.
    pub least: u64,
}

impl<C: Choices, const TREE: bool> Emitter<'_, C, TREE> {
    /// Sets the targets of the trace.
    pub(crate) fn targeting(mut self, target: &Target) -> Self {
        self.wishes.target = target.clone();
        self
    }

    /// Returns whether values of container types must not be empty.
    pub(super) fn fills(&self) -> bool {
        !self.wishes.target.codes.is_empty() && !self.wishes.target.may_be_empty
    }

    /// Returns the next target type code that is possible here.
    pub(super) fn next_targeted_code(&mut self, possible: impl Fn(i128) -> bool) -> Option<i128> {
        let codes = &self.wishes.target.codes;
        let next = (0..codes.len()).find_map(|more| {
            let at = self.described.targeted + more;
            let code = *codes.get(at % codes.len())?;
            possible(code).then_some((at, code))
        });
        let (at, code) = next?;
        self.described.targeted = at + 1;
        Some(code)
    }

    /// Returns the target minimum length of a string, byte string or list, and clears the target.
    pub(super) fn targeted_length(&mut self, op: OpId) -> u64 {
        let lengths = &mut self.wishes.target.lengths;
        let at = lengths.iter().position(|targeted| targeted.op == op);
        let least = at.map_or(0, |at| lengths.swap_remove(at).least);
        least.min(self.options.most)
    }

    /// Chooses a string or byte string. If the constraints permit a target value, uses the value
    /// and clears the target.
    pub(super) fn choose_text(
        &mut self,
        op: OpId,
        room: TextRoom<'_>,
        odd: bool,
        wanted: Option<&[u8]>,
    ) -> Vec<u8> {
        let texts = &mut self.wishes.target.texts;
        let at = texts.iter().position(|targeted| targeted.op == op);
        if let Some(at) = at.filter(|_| room.only.is_none())
            && let Some(bytes) = room.encoding.and_then(|it| encode(&texts[at].text, it))
            && bytes.len() as u64 <= room.most
        {
            texts.swap_remove(at);
            return bytes;
        }
        text::choose(&mut self.choices, room, odd, wanted)
    }

    /// Returns whether a list must have more than `number` elements to reach its target.
    pub(super) fn is_targeted_longer(&self, op: OpId, number: u64) -> bool {
        let mut lengths = self.wishes.target.lengths.iter();
        lengths.any(|targeted| targeted.op == op && targeted.least > number)
    }

    /// Restricts `domain` if the number is a size or count of later contents. The limit is the
    /// maximum usual value or the limit for lists and strings, whichever is larger, but at most
    /// `room`, the number of bytes that are left.
    pub(super) fn affordable(&self, op: &Op, domain: &Domain, room: Option<u64>) -> Option<Domain> {
        let is_size = op.flags & flags::SLOT != 0 && self.index.sizes.contains(&op.slot);
        if self.options.odd || domain.only.is_some() || !is_size {
            return None;
        }
        let usual = domain.usual.map_or(0, |(_, greatest)| greatest);
        let most = usual.max(i128::from(self.options.elements));
        let room = room.map_or(i128::MAX, i128::from);
        let most = most.min(room);
        let (mut low, mut high) = (domain.low, domain.high.min(most));
        if domain.pattern.fit(low, (low, high)).is_none() {
            // The upper bits say that the value is a size, and the lower bits are the size.
            low = domain.pattern.fit(low, (low, domain.high))?;
            high = domain.high.min(low.saturating_add(most));
        }
        (low <= high).then(|| Domain {
            low,
            high,
            ..domain.clone()
        })
    }

    /// Restricts `domain` to the target range of a field and clears the target.
    pub(super) fn targeted_number(&mut self, op: OpId, domain: &Domain) -> Option<Domain> {
        let at = self
            .wishes
            .target
            .numbers
            .iter()
            .position(|targeted| targeted.op == op)?;
        let targeted = &mut self.wishes.target.numbers[at];
        if targeted.after > 0 {
            targeted.after -= 1;
            return None;
        }
        let targeted = *targeted;
        let narrowed = domain.between(targeted.low, targeted.high)?;
        self.wishes.target.numbers.swap_remove(at);
        Some(narrowed)
    }
}
