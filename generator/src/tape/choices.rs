use super::Tape;

/// Where choices come from, or go to.
pub trait Choices {
    /// A number from 0 to `greatest`. Where a trace is recorded, `wanted` is the number that
    /// it needs.
    fn choose(&mut self, greatest: u64, wanted: Option<u64>) -> u64;

    /// Bytes taken or given so far.
    fn position(&self) -> usize;

    /// Bytes that are left to take, where there is an end to them.
    fn left(&self) -> Option<u64> {
        None
    }
}

/// The number of bytes that a choice takes.
fn width(greatest: u64) -> usize {
    (64 - greatest.leading_zeros() as usize).div_ceil(8)
}

/// Plays a tape.
#[derive(Clone, Debug)]
pub struct Player<'t> {
    bytes: &'t [u8],
    position: usize,
}

impl<'t> Player<'t> {
    /// From the start of `tape`.
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

/// A number brought below a bound.
#[inline]
pub(super) fn bounded(raw: u64, greatest: u64) -> u64 {
    if raw <= greatest {
        raw
    } else {
        raw % (greatest + 1)
    }
}

/// Takes what is wanted, and records the tape of the trace where one is kept.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// What has been recorded.
    pub bytes: Vec<u8>,
    /// A wanted number was out of bounds: the trace cannot be made by choices like these.
    pub out_of_bounds: bool,
    /// No tape is kept.
    forgets: bool,
}

impl Recorder {
    /// Keeps no tape.
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
