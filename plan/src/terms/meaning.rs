//! The meanings that a value can have. Descriptions cannot define further meanings, and a writer
//! can convert a value with any of these meanings back to its encoding.

use std::fmt;

use super::{JsonId, LayoutId, RuleRef};

/// The meaning of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A Boolean: zero is false, and any other number is true.
    Bool,
    /// A point in time, as a number of units since an epoch.
    Time {
        /// The length of a unit in nanoseconds.
        unit_nanoseconds: u64,
        /// The point in time that the units are counted from.
        epoch: Epoch,
    },
    /// A date and time as eight 16-bit numbers: year, month, day of week, day, hour, minute, second
    /// and millisecond.
    DateTime,
    /// A code unit of a string.
    CodeUnit,
    /// A map, encoded as a list of structures with two fields.
    Map,
    /// A key-value pair, encoded as a structure with two fields. A list of pairs is a map.
    Pair {
        /// The name of the field with the key.
        key: String,
        /// The name of the field with the value.
        value: String,
    },
    /// Text that contains JSON.
    Json {
        /// The schema that the JSON must satisfy, or `None` if any JSON is allowed.
        schema: Option<JsonId>,
        /// The rule broken by text that is not JSON.
        rule: Option<RuleRef>,
    },
    /// Text that describes fields of this layout set.
    Signature(LayoutId),
}

/// The epoch: the point in time that times are counted from. It is the start of a day (UTC) in the
/// years 1 to 9999 of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch {
    year: u16,
    month: u8,
    day: u8,
}

impl Epoch {
    /// 1601-01-01T00:00:00Z.
    pub const YEAR_1601: Self = Self {
        year: 1601,
        month: 1,
        day: 1,
    };

    /// 1970-01-01T00:00:00Z.
    pub const YEAR_1970: Self = Self {
        year: 1970,
        month: 1,
        day: 1,
    };

    /// Parses a date such as `2000-01-01`. Returns `None` if there is no such date.
    ///
    /// ```
    /// use tracegauge_plan::terms::Epoch;
    /// let epoch = Epoch::parse("2000-02-29").unwrap();
    /// assert_eq!(epoch.to_string(), "2000-02-29");
    /// assert_eq!(epoch.days_since_1970(), 11_016);
    /// assert_eq!(Epoch::parse("1900-02-29"), None);
    /// ```
    pub fn parse(date: &str) -> Option<Self> {
        let number = |text: &str, length: usize| {
            let digits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse::<u16>().ok())?
        };
        let mut parts = date.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + u16::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        let exists = year > 0 && (1..=days).contains(&day) && parts.next().is_none();
        exists.then_some(Self {
            year,
            month: u8::try_from(month).ok()?,
            day: u8::try_from(day).ok()?,
        })
    }

    /// Returns the number of days from 1970-01-01 to the epoch, which is negative for earlier dates.
    pub fn days_since_1970(self) -> i128 {
        // Years are counted from March, so that a leap day is the last day of its year.
        let (year, month) = match self.month {
            1 | 2 => (i128::from(self.year) - 1, i128::from(self.month) + 9),
            _ => (i128::from(self.year), i128::from(self.month) - 3),
        };
        let leap_days = year / 4 - year / 100 + year / 400;
        let day_of_year = (153 * month + 2) / 5 + i128::from(self.day) - 1;
        365 * year + leap_days + day_of_year - 719_468
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

/// The kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// An object.
    Object,
    /// An array.
    List,
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Nothing,
}
