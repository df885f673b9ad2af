use std::fmt;

/// How an input for a reader is produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InputKind {
    /// A valid trace.
    Valid,
    /// A valid trace with one fault and otherwise consistent contents.
    SingleFault,
    /// A valid trace with two or three faults.
    SeveralFaults,
    /// A combination of elements from two valid traces, or a valid trace in which numbers are set
    /// to the limits of their range.
    Spliced,
    /// A valid trace in which some bytes were changed, removed or inserted.
    Damaged,
    /// A trace that is valid according to a mutant of the description, that is, a description with
    /// a planted bug.
    OfMutant,
}

impl InputKind {
    /// All kinds. An input number modulo the number of kinds is an index into this list.
    pub const ALL: [Self; 6] = [
        Self::Valid,
        Self::SingleFault,
        Self::SeveralFaults,
        Self::Spliced,
        Self::Damaged,
        Self::OfMutant,
    ];

    /// Returns the index of this kind in [`Self::ALL`].
    pub fn place(self) -> usize {
        self as usize
    }

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::SingleFault => "single fault",
            Self::SeveralFaults => "several faults",
            Self::Spliced => "spliced",
            Self::Damaged => "damaged bytes",
            Self::OfMutant => "changed description",
        }
    }
}

impl fmt::Display for InputKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The number of an input, which also encodes its kind.
///
/// ```
/// use tracegauge_generator::mutate::{InputKind, InputNumber};
/// let number = InputNumber::of(InputKind::Damaged, 7);
/// assert_eq!((number.kind(), number.count()), (InputKind::Damaged, 7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputNumber(pub u64);

impl InputNumber {
    /// Returns the number of the input of this kind with index `count`.
    pub fn of(kind: InputKind, count: u64) -> Self {
        let kinds = InputKind::ALL.len() as u64;
        Self(count.wrapping_mul(kinds).wrapping_add(kind as u64))
    }

    /// Returns the kind of the input.
    pub fn kind(self) -> InputKind {
        let place = self.0 % InputKind::ALL.len() as u64;
        InputKind::ALL[usize::try_from(place).unwrap_or_default()]
    }

    /// Returns the index of the input among those of its kind.
    pub fn count(self) -> u64 {
        self.0 / InputKind::ALL.len() as u64
    }
}

impl fmt::Display for InputNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
