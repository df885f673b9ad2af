//! Parses durations and sizes with units.

use std::fmt;
use std::time::Duration;

/// An error in a duration or a size.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnitError {
    /// The text does not start with a number.
    NoNumber(String),
    /// The unit is unknown. The fields are the text and the known units.
    Unit(String, &'static str),
    /// The value is zero or too large.
    Range(String),
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber(text) => write!(f, "`{text}` does not start with a number"),
            Self::Unit(text, units) => write!(f, "`{text}` requires one of the units {units}"),
            Self::Range(text) => write!(f, "`{text}` is zero or too large"),
        }
    }
}

impl std::error::Error for UnitError {}

/// Parses a duration such as `250ms`, `5s`, `1.5s` or `2m`.
///
/// ```
/// use std::time::Duration;
/// use tracegauge_protocol::reader_file::parse_duration;
/// assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
/// assert!(parse_duration("5").is_err());
/// ```
///
/// # Errors
/// Returns an error if the text is not a duration, has no unit, or is zero.
pub fn parse_duration(text: &str) -> Result<Duration, UnitError> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(UnitError::Unit(text.to_owned(), "ms, s, m, h")),
    };
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(UnitError::Range(text.to_owned())),
    }
}

/// Parses a time such as `90s` or `10m`, or a number of seconds such as `90`.
///
/// ```
/// use std::time::Duration;
/// use tracegauge_protocol::reader_file::parse_time;
/// assert_eq!(parse_time("90"), Ok(Duration::from_secs(90)));
/// assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
/// ```
///
/// # Errors
/// Returns an error if the text is neither a duration nor a whole number.
pub fn parse_time(text: &str) -> Result<Duration, UnitError> {
    match text.parse() {
        Ok(seconds) => Ok(Duration::from_secs(seconds)),
        Err(_) => parse_duration(text),
    }
}

/// Parses a size in bytes such as `4096B`, `64KiB`, `1GiB` or `500MB`.
///
/// ```
/// use tracegauge_protocol::reader_file::parse_size;
/// assert_eq!(parse_size("1GiB"), Ok(1 << 30));
/// assert!(parse_size("1 gigabyte").is_err());
/// ```
///
/// # Errors
/// Returns an error if the text is not a size, has no unit, or is zero.
pub fn parse_size(text: &str) -> Result<u64, UnitError> {
    let (number, unit) = split(text)?;
    let factor: f64 = match unit {
        "B" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => {
            return Err(UnitError::Unit(
                text.to_owned(),
                "B, KiB, MiB, GiB, kB, MB, GB",
            ));
        }
    };
    let bytes = (number * factor).round();
    // Beyond this limit, a float cannot represent every number of bytes, and no machine has that
    // much memory.
    if !(1.0..9e15).contains(&bytes) {
        return Err(UnitError::Range(text.to_owned()));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "in range"
    )]
    Ok(bytes as u64)
}

fn split(text: &str) -> Result<(f64, &str), UnitError> {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number = number
        .parse()
        .map_err(|_| UnitError::NoNumber(text.to_owned()))?;
    Ok((number, unit.trim()))
}
