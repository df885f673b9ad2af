use std::fmt;

/// What an input is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InputKind {
    /// A valid trace.
    Valid,
    /// A valid trace with one fault, all else consistent.
    SingleFault,
    /// The same with two or three faults.
    SeveralFaults,
    /// Elements of two valid traces, or numbers at the ends of their range.
    Spliced,
    /// A valid trace with bytes flipped, cut out and put in.
    Damaged,
    /// What is valid by a description in which one thing is wrong.
    OfMutant,
}

impl InputKind {
    /// All kinds, in the order of their place in a number.
    pub const ALL: [Self; 6] = [
        Self::Valid,
        Self::SingleFault,
        Self::SeveralFaults,
        Self::Spliced,
        Self::Damaged,
        Self::OfMutant,
    ];

    /// Its place among all.
    pub fn place(self) -> usize {
        self as usize
    }

    /// The word for it.
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

/// The number of an input, which says its kind, too.
///
/// ```
/// use tracegauge_generator::mutate::{InputKind, InputNumber};
/// let number = InputNumber::of(InputKind::Damaged, 7);
/// assert_eq!((number.kind(), number.count()), (InputKind::Damaged, 7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputNumber(pub u64);

impl InputNumber {
    /// The input of this kind that has so many before it.
    pub fn of(kind: InputKind, count: u64) -> Self {
        let kinds = InputKind::ALL.len() as u64;
        Self(count.wrapping_mul(kinds).wrapping_add(kind as u64))
    }

    /// What it is made of.
    pub fn kind(self) -> InputKind {
        let place = self.0 % InputKind::ALL.len() as u64;
        InputKind::ALL[usize::try_from(place).unwrap_or_default()]
    }

    /// How many of its kind have lower numbers.
    pub fn count(self) -> u64 {
        self.0 / InputKind::ALL.len() as u64
    }
}

impl fmt::Display for InputNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
