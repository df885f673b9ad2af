use super::Tape;

/// A source or a recorder of choices.
pub trait Choices {
    /// Returns a number from 0 to `greatest`. When a trace is being recorded, `wanted` is the
    /// number that produces this trace.
    fn choose(&mut self, greatest: u64, wanted: Option<u64>) -> u64;

    /// Returns the number of bytes consumed or recorded so far or, if the choices come from a seed,
    /// the number of choices made so far.
    fn position(&self) -> usize;

    /// Returns the number of bytes left to consume, or `None` if the source is endless.
    fn left(&self) -> Option<u64> {
        None
    }
}

/// Returns the number of tape bytes that a choice from 0 to `greatest` consumes.
fn width(greatest: u64) -> usize {
    (64 - greatest.leading_zeros() as usize).div_ceil(8)
}

/// Takes choices from a tape.
#[derive(Clone, Debug)]
pub struct Player<'t> {
    bytes: &'t [u8],
    position: usize,
}

impl<'t> Player<'t> {
    /// Creates a player that starts at the beginning of `tape`.
    pub fn new(tape: &'t Tape) -> Self {
        Self {
            bytes: &tape.bytes,
            position: 0,
        }
    }
}

impl Choices for Player<'_> {
    #[inline]
    fn choose(&mut self, greatest: u64, _wanted: Option<u64>) -> u64 {
        let width = width(greatest);
        let left = self.bytes.get(self.position..).unwrap_or_default();
        let mut raw = [0; 8];
        let taken = width.min(left.len());
        raw[..taken].copy_from_slice(&left[..taken]);
        self.position += width;
        bounded(u64::from_le_bytes(raw), greatest)
    }

    fn position(&self) -> usize {
        self.position.min(self.bytes.len())
    }

    fn left(&self) -> Option<u64> {
        Some(self.bytes.len().saturating_sub(self.position) as u64)
    }
}

/// Reduces a number to the range from 0 to `greatest`.
#[inline]
pub(super) fn bounded(raw: u64, greatest: u64) -> u64 {
    if raw <= greatest {
        raw
    } else {
        raw % (greatest + 1)
    }
}

/// Makes the requested choices, and records them as a tape unless recording is disabled.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The recorded tape.
    pub bytes: Vec<u8>,
    /// Whether a requested number was out of bounds. If so, no tape generates the trace.
    pub out_of_bounds: bool,
    /// Whether recording is disabled.
    forgets: bool,
}

impl Recorder {
    /// Creates a recorder that records no tape.
    pub fn forgetting() -> Self {
        Self {
            forgets: true,
            ..Self::default()
        }
    }
}

impl Choices for Recorder {
    fn choose(&mut self, greatest: u64, wanted: Option<u64>) -> u64 {
        let wanted = wanted.unwrap_or(0);
        self.out_of_bounds |= wanted > greatest;
        let number = wanted.min(greatest);
        if !self.forgets {
            self.bytes
                .extend_from_slice(&number.to_le_bytes()[..width(greatest)]);
        }
        number
    }

    fn position(&self) -> usize {
        self.bytes.len()
    }
}
