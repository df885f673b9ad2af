//! Checks, decodes and encodes text.

use tracegauge_plan::TextPart;
use tracegauge_plan::terms::Encoding;

use crate::value::Value;

/// Returns whether the bytes are well-formed in the encoding.
#[inline]
pub fn well_formed(bytes: &[u8], encoding: Encoding) -> bool {
    match encoding {
        Encoding::Utf8 if bytes.len() < 16 && bytes.is_ascii() => true,
        Encoding::Utf8 => simdutf8::basic::from_utf8(bytes).is_ok(),
        Encoding::Latin1 => true,
        Encoding::Utf16Le => is_utf16(bytes, u16::from_le_bytes),
        Encoding::Utf16Be => is_utf16(bytes, u16::from_be_bytes),
        Encoding::Ascii => bytes.is_ascii(),
        Encoding::Cesu8 => decode(bytes, encoding).is_some(),
    }
}

/// Decodes bytes to text. Returns `None` if the bytes are not well-formed.
pub fn decode(bytes: &[u8], encoding: Encoding) -> Option<String> {
    match encoding {
        Encoding::Ascii => bytes
            .is_ascii()
            .then(|| bytes.iter().map(|byte| char::from(*byte)).collect()),
        Encoding::Utf8 => simdutf8::basic::from_utf8(bytes).ok().map(str::to_owned),
        Encoding::Latin1 => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Encoding::Utf16Le => decode_utf16(bytes, u16::from_le_bytes),
        Encoding::Utf16Be => decode_utf16(bytes, u16::from_be_bytes),
        Encoding::Cesu8 => {
            let units = units(bytes, encoding)?.into_iter();
            char::decode_utf16(units).collect::<Result<_, _>>().ok()
        }
    }
}

/// Returns whether bytes are whole code units without unpaired surrogates.
#[inline]
fn is_utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> bool {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let is_surrogate = |pair: &[u8; 2]| unit(*pair) & 0xf800 == 0xd800;
    let units = || pairs.iter().map(|pair| unit(*pair));
    rest.is_empty()
        && (!pairs.iter().any(is_surrogate) || char::decode_utf16(units()).all(|char| char.is_ok()))
}

/// Decodes code units, or returns `None` if they are not well-formed.
fn decode_utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let units = || pairs.iter().map(|pair| unit(*pair));
    let together = units().fold(0, |together, unit| together | unit);
    if together < 0x80 {
        // Most text is ASCII, which needs no test for each code unit.
        let ascii: Vec<u8> = units().map(|unit| unit.to_le_bytes()[0]).collect();
        return String::from_utf8(ascii).ok();
    }
    let mut text = String::with_capacity(pairs.len());
    for char in char::decode_utf16(units()) {
        text.push(char.ok()?);
    }
    Some(text)
}

/// Returns whether the bytes contain an unpaired surrogate but are otherwise well-formed.
pub fn has_half(bytes: &[u8], encoding: Encoding) -> bool {
    let whole = |units: Vec<u16>| char::decode_utf16(units).all(|unit| unit.is_ok());
    encoding.has_halves() && units(bytes, encoding).is_some_and(|units| !whole(units))
}

/// Returns the UTF-16 code units of the text, including unpaired surrogates. Returns `None` if the
/// encoding is not based on UTF-16 code units.
fn units(bytes: &[u8], encoding: Encoding) -> Option<Vec<u16>> {
    match encoding {
        Encoding::Utf16Le => utf16(bytes, u16::from_le_bytes),
        Encoding::Utf16Be => utf16(bytes, u16::from_be_bytes),
        Encoding::Cesu8 => cesu8(bytes),
        Encoding::Ascii | Encoding::Utf8 | Encoding::Latin1 => None,
    }
}

/// Encodes a string. Returns `None` if the encoding cannot represent the string.
pub fn encode(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    match encoding {
        Encoding::Ascii => text.is_ascii().then(|| text.as_bytes().to_vec()),
        Encoding::Utf8 => Some(text.as_bytes().to_vec()),
        Encoding::Latin1 => text
            .chars()
            .map(|c| u8::try_from(u32::from(c)).ok())
            .collect(),
        Encoding::Utf16Le => Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        Encoding::Utf16Be => Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        Encoding::Cesu8 => Some(text.encode_utf16().flat_map(cesu8_unit).collect()),
    }
}

/// Returns the index of the first error in `bytes`, which must not be well-formed: the index of the
/// first byte that does not belong to a well-formed character.
pub fn first_fault(bytes: &[u8], encoding: Encoding) -> usize {
    match encoding {
        Encoding::Ascii => bytes
            .iter()
            .position(|byte| !byte.is_ascii())
            .unwrap_or(bytes.len()),
        Encoding::Latin1 => bytes.len(),
        Encoding::Utf8 => match std::str::from_utf8(bytes) {
            Ok(_) => bytes.len(),
            Err(error) => error.valid_up_to(),
        },
        Encoding::Utf16Le => first_fault_in_units(bytes, |bytes| {
            Some((u16::from_le_bytes(*bytes.first_chunk()?), 2))
        }),
        Encoding::Utf16Be => first_fault_in_units(bytes, |bytes| {
            Some((u16::from_be_bytes(*bytes.first_chunk()?), 2))
        }),
        Encoding::Cesu8 => first_fault_in_units(bytes, first_cesu8_unit),
    }
}

/// Returns the index of the first character that is not well-formed. `first_unit` decodes the first
/// code unit of some bytes and returns the number of bytes that encode it.
fn first_fault_in_units(bytes: &[u8], first_unit: impl Fn(&[u8]) -> Option<(u16, usize)>) -> usize {
    let mut start = 0;
    while start < bytes.len() {
        let Some((unit, length)) = first_unit(&bytes[start..]) else {
            return start;
        };
        let next = start + length;
        start = match unit {
            0xd800..=0xdbff => match first_unit(&bytes[next..]) {
                Some((0xdc00..=0xdfff, length)) => next + length,
                _ => return start,
            },
            0xdc00..=0xdfff => return start,
            _ => next,
        };
    }
    start
}

/// Evaluates a property of text or bytes for an expression. Returns `None` if the text is not
/// well-formed, or if its numeric value is requested and it is not a number.
pub fn part(bytes: &[u8], part: TextPart, encoding: Option<Encoding>) -> Option<Value> {
    let count = |count: usize| i128::try_from(count).ok().map(Value::Int);
    if part == TextPart::Size {
        return count(bytes.len());
    }
    let encoding = encoding?;
    if part == TextPart::Units16 && encoding.has_halves() {
        return count(units(bytes, encoding)?.len());
    }
    let text = decode(bytes, encoding)?;
    match part {
        TextPart::Length => count(text.chars().count()),
        TextPart::Units16 => count(text.encode_utf16().count()),
        TextPart::IsDecimal => Some(Value::Bool(is_decimal(&text))),
        TextPart::Number(radix) => i128::from_str_radix(&text, u32::from(radix))
            .ok()
            .map(Value::Int),
        TextPart::Size => None,
    }
}

/// Returns whether a string is a decimal number, that is, consists only of digits.
pub fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Vec<u16>> {
    let pairs = bytes.chunks_exact(2);
    let whole = pairs.remainder().is_empty();
    whole.then(|| pairs.map(|pair| unit([pair[0], pair[1]])).collect())
}

fn cesu8(mut bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    while !bytes.is_empty() {
        let (unit, length) = first_cesu8_unit(bytes)?;
        units.push(unit);
        bytes = &bytes[length..];
    }
    Some(units)
}

/// Decodes the first code unit of CESU-8, which encodes each UTF-16 code unit as UTF-8 would encode
/// a character. Returns the code unit and the number of bytes that encode it.
fn first_cesu8_unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let first = bytes.first()?;
    let rest = |n: usize| {
        bytes
            .get(n)
            .filter(|b| *b & 0xc0 == 0x80)
            .map(|b| u16::from(b & 0x3f))
    };
    let (unit, length, least) = match first {
        0x00..=0x7f => (u16::from(*first), 1, 0),
        0xc0..=0xdf => (u16::from(first & 0x1f) << 6 | rest(1)?, 2, 0x80),
        0xe0..=0xef => (
            u16::from(first & 0x0f) << 12 | rest(1)? << 6 | rest(2)?,
            3,
            0x800,
        ),
        _ => return None,
    };
    (unit >= least).then_some((unit, length))
}

fn cesu8_unit(unit: u16) -> Vec<u8> {
    let low = |shift: u16| 0x80 | u8::try_from(unit >> shift & 0x3f).unwrap_or_default();
    let high = |shift: u16| u8::try_from(unit >> shift).unwrap_or_default();
    match unit {
        0..=0x7f => vec![high(0)],
        0x80..=0x7ff => vec![0xc0 | high(6), low(0)],
        _ => vec![0xe0 | high(12), low(6), low(0)],
    }
}

/// Returns whether year, month, day of the week, day, hour, minute, second and millisecond form a
/// valid date and time. The day of the week is ignored, because it follows from the date and
/// readers do not use it.
pub fn is_date(numbers: &[i128; 8]) -> bool {
    let [year, month, _, day, hour, minute, second, millisecond] = *numbers;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=9999).contains(&year)
        && (1..=days).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..60).contains(&second)
        && (0..1000).contains(&millisecond)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn code_units_are_decoded_as_the_standard_library_does(units: Vec<u16>, surrogates: Vec<u16>) -> bool {
            let surrogates = surrogates.iter().map(|unit| 0xd800 | unit & 0x7ff);
            let units: Vec<u16> = units.iter().copied().chain(surrogates).collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            let expected = String::from_utf16(&units).ok();
            decode(&little, Encoding::Utf16Le) == expected
                && decode(&big, Encoding::Utf16Be) == expected
                && well_formed(&little, Encoding::Utf16Le) == expected.is_some()
                && well_formed(&big, Encoding::Utf16Be) == expected.is_some()
        }

        fn half_a_code_unit_is_not_well_formed(units: Vec<u8>) -> bool {
            let odd = units.len() % 2 == 1;
            well_formed(&units, Encoding::Utf16Le) == decode(&units, Encoding::Utf16Le).is_some()
                && (!odd || decode(&units, Encoding::Utf16Le).is_none())
        }

        fn text_is_what_it_was_encoded_from(text: String) -> bool {
            [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Cesu8]
                .into_iter()
                .all(|encoding| {
                    let bytes = encode(&text, encoding).unwrap_or_default();
                    decode(&bytes, encoding).as_ref() == Some(&text)
                })
        }
    }
}
