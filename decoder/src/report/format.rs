//! Formats GUIDs and points in time.

use tracegauge_plan::terms::{Endian, Epoch};

/// Returns the canonical text of a GUID, in ASCII. Missing bytes count as 0.
pub(crate) fn guid(bytes: &[u8], endian: Endian) -> [u8; 36] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    // The place of the first digit of each byte.
    const PLACES: [usize; 16] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
    let mut whole = [0; 16];
    let length = bytes.len().min(whole.len());
    whole[..length].copy_from_slice(&bytes[..length]);
    if endian == Endian::Little {
        whole[..4].reverse();
        whole[4..6].reverse();
        whole[6..8].reverse();
    }
    let mut text = [b'-'; 36];
    for (byte, place) in whole.iter().zip(PLACES) {
        text[place] = DIGITS[usize::from(byte >> 4)];
        text[place + 1] = DIGITS[usize::from(byte & 0xf)];
    }
    text
}

/// Formats a point in time in ISO 8601, with the precision of its unit.
pub(super) fn date_time(units: i128, unit_nanoseconds: u64, epoch: Epoch) -> String {
    const DAY: i128 = 86_400_000_000_000;
    let nanoseconds = units * i128::from(unit_nanoseconds) + epoch.days_since_1970() * DAY;
    let (day, rest) = (nanoseconds.div_euclid(DAY), nanoseconds.rem_euclid(DAY));
    let (year, month, day) = civil(day);
    let seconds = rest / 1_000_000_000;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    let digits = (0..9)
        .take_while(|n| unit_nanoseconds < 10_u64.pow(9 - n))
        .count();
    if digits > 0 {
        let fraction = format!("{:09}", rest % 1_000_000_000);
        text.push('.');
        text.push_str(&fraction[..digits]);
    }
    text.push('Z');
    text
}

/// Converts days since 1970-01-01 to year, month and day in the proleptic Gregorian calendar.
fn civil(day: i128) -> (i128, i128, i128) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 {
        month_index + 3
    } else {
        month_index - 9
    };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guid_is_written_in_its_byte_order() {
        let bytes: Vec<u8> = (0x10..0x20).collect();
        let text = |endian| String::from_utf8_lossy(&guid(&bytes, endian)).into_owned();
        assert_eq!(text(Endian::Little), "13121110-1514-1716-1819-1a1b1c1d1e1f");
        assert_eq!(text(Endian::Big), "10111213-1415-1617-1819-1a1b1c1d1e1f");
        assert_eq!(
            &guid(&[], Endian::Big),
            b"00000000-0000-0000-0000-000000000000"
        );
    }
}
