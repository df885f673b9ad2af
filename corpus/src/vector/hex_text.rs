//! Parses bytes that are written by hand as hex digits with comments.

use std::fmt;

/// The maximum number of bytes in one line. The limit prevents a mistyped repeat count from
/// exhausting memory.
const MOST_REPEATED: usize = 1 << 20;

/// An error in a line of bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HexError {
    /// The line contains something other than pairs of hex digits.
    Digits(hex::FromHexError),
    /// The text after `*` is not a number, or the line would produce more than a million bytes.
    Times,
}

impl fmt::Display for HexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digits(error) => error.fmt(f),
            Self::Times => f.write_str(
                "expected a number of repetitions after `*`; the repeated line may have at most a \
                 million bytes",
            ),
        }
    }
}

/// Parses pairs of hex digits. Spaces are allowed anywhere, and `#` begins a comment that extends
/// to the end of the line. A line that ends with `* 1000` is repeated 1000 times.
///
/// # Errors
/// Returns the index of the first invalid line, counted from 0, and its error.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, (usize, HexError)> {
    let mut bytes = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let found = of_line(line).map_err(|error| (number, error))?;
        bytes.extend(found);
    }
    Ok(bytes)
}

fn of_line(line: &str) -> Result<Vec<u8>, HexError> {
    let code = line.split('#').next().unwrap_or_default();
    let (code, times) = match code.split_once('*') {
        Some((code, times)) => (code, times.trim().parse().map_err(|_| HexError::Times)?),
        None => (code, 1),
    };
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let once = hex::decode(digits).map_err(HexError::Digits)?;
    match once.len().checked_mul(times) {
        Some(all) if all <= MOST_REPEATED => Ok(once.repeat(times)),
        _ => Err(HexError::Times),
    }
}

#[cfg(test)]
mod tests {
    use super::{HexError, bytes};

    #[test]
    fn comments_and_spaces_are_passed_over() {
        assert_eq!(
            bytes("54 52 # magic\n\n  0A0b # ff\n"),
            Ok(vec![0x54, 0x52, 10, 11])
        );
    }

    #[test]
    fn the_wrong_line_is_named() {
        assert_eq!(
            bytes("54\n5 # half a byte").map_err(|(line, _)| line),
            Err(1)
        );
        assert_eq!(bytes("54\n\nxy").map_err(|(line, _)| line), Err(2));
    }

    #[test]
    fn a_line_may_stand_for_many() {
        assert_eq!(
            bytes("01\n02 03 * 2 # twice\n04"),
            Ok(vec![1, 2, 3, 2, 3, 4])
        );
        assert_eq!(bytes("01 * -1"), Err((0, HexError::Times)));
        assert_eq!(bytes("01\n01 * 2000000"), Err((1, HexError::Times)));
    }
}
