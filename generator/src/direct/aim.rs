//! What a trace is to have that chance would rarely give.

use tracegauge_spec::plan::{Op, OpId, flags};

use super::Director;
use super::domain::Domain;
use crate::tape::Choices;

/// What a trace should have where that is possible, besides what chance gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aim {
    /// Type codes that the trace describes, in this order and then again from the first.
    pub codes: Vec<i128>,
    /// What holds others may be empty.
    pub may_be_empty: bool,
    /// A list whose number of elements is described has more bytes than 16 bits can count.
    pub large: bool,
    /// Bytes that the trace has at least, where that is not what it is asked for.
    pub bytes: Option<u64>,
    /// Fields that have a value in a range once.
    pub numbers: Vec<AimedNumber>,
    /// Texts, bytes and lists that are so long once.
    pub lengths: Vec<AimedLength>,
}

/// A field that is to have a value in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AimedNumber {
    /// The field.
    pub op: OpId,
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
    /// So many times before, the field may have anything.
    pub after: u32,
}

/// A text, bytes or a list that is to be long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AimedLength {
    /// What is to be long.
    pub op: OpId,
    /// Bytes or elements that it has at least.
    pub least: u64,
}

impl<C: Choices, const TREE: bool> Director<'_, C, TREE> {
    /// Aims at what chance would rarely give.
    pub(crate) fn aiming(mut self, aim: &Aim) -> Self {
        self.aim = aim.clone();
        self
    }

    /// What holds others is not to be empty.
    pub(super) fn fills(&self) -> bool {
        !self.aim.codes.is_empty() && !self.aim.may_be_empty
    }

    /// The next type code that is aimed at and is possible here.
    pub(super) fn aim_at(&mut self, possible: impl Fn(i128) -> bool) -> Option<i128> {
        let codes = &self.aim.codes;
        let next = (0..codes.len()).find_map(|more| {
            let at = self.aimed + more;
            let code = *codes.get(at % codes.len())?;
            possible(code).then_some((at, code))
        });
        let (at, code) = next?;
        self.aimed = at + 1;
        Some(code)
    }

    /// How long something is to be at least, once.
    pub(super) fn aimed_length(&mut self, op: OpId) -> u64 {
        let lengths = &mut self.aim.lengths;
        let at = lengths.iter().position(|aimed| aimed.op == op);
        let least = at.map_or(0, |at| lengths.swap_remove(at).least);
        least.min(self.options.most)
    }

    /// A list is to have more elements than so many.
    pub(super) fn is_aimed_longer(&self, op: OpId, number: u64) -> bool {
        let mut lengths = self.aim.lengths.iter();
        lengths.any(|aimed| aimed.op == op && aimed.least > number)
    }

    /// What is left of `domain` where a number says how much follows: as much as is usual, and no more
    /// than lists and texts have whose size is chosen with them.
    pub(super) fn affordable(&self, op: &Op, domain: &Domain) -> Option<Domain> {
        let is_size = op.flags & flags::SLOT != 0 && self.index.sizes.contains(&op.slot);
        if self.options.odd || domain.only.is_some() || !is_size {
            return None;
        }
        let usual = domain.usual.map_or(0, |(_, greatest)| greatest);
        let most = usual.max(i128::from(self.options.elements));
        let high = domain.high.min(most);
        (domain.low <= high).then(|| Domain {
            high,
            ..domain.clone()
        })
    }

    /// What is left of `domain` by what a field is to have, once.
    pub(super) fn aimed_number(&mut self, op: OpId, domain: &Domain) -> Option<Domain> {
        let at = self.aim.numbers.iter().position(|aimed| aimed.op == op)?;
        let aimed = &mut self.aim.numbers[at];
        if aimed.after > 0 {
            aimed.after -= 1;
            return None;
        }
        let aimed = *aimed;
        let narrowed = domain.between(aimed.low, aimed.high)?;
        self.aim.numbers.swap_remove(at);
        Some(narrowed)
    }
}
