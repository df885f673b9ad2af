//! Integers that occupy a whole number of bytes.

use crate::terms::{BitOrder, Endian};
use crate::{Integer, Kind};

/// Loads an integer from the start of `bytes`, sign-extended to 64 bits.
#[inline(always)]
pub fn load(bytes: &[u8], integer: Integer) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(chunk) if integer.word == 0 => {
            // The bytes of the integer are moved to the upper end and back, so that a signed integer
            // is extended.
            let unused = 64 - u32::from(integer.width) * 8;
            let raw = match integer.endian {
                Endian::Little => u64::from_le_bytes(*chunk) << unused,
                Endian::Big => u64::from_be_bytes(*chunk),
            };
            match integer.signed {
                true => (raw.cast_signed() >> unused).cast_unsigned(),
                false => raw >> unused,
            }
        }
        _ => load_slowly(bytes, integer),
    }
}

/// Loads an integer near the end of the bytes, or with another word order.
#[inline(never)]
fn load_slowly(bytes: &[u8], integer: Integer) -> u64 {
    if integer.word != 0 {
        return load_words(bytes, integer);
    }
    let bytes = bytes[..usize::from(integer.width)].iter();
    let next = |value, byte: &u8| value << 8 | u64::from(*byte);
    let raw = match integer.endian {
        Endian::Little => bytes.rev().fold(0, next),
        Endian::Big => bytes.fold(0, next),
    };
    extended(raw, integer)
}

/// Loads an integer whose word order is the reverse of the byte order within each word.
#[cold]
fn load_words(bytes: &[u8], integer: Integer) -> u64 {
    let (width, size) = (usize::from(integer.width), usize::from(integer.word));
    let words = bytes[..width].chunks(size);
    let word = |bytes: &[u8]| match integer.endian {
        Endian::Little => bytes
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
        Endian::Big => bytes
            .iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    let raw = match integer.endian {
        Endian::Little => words.fold(0, |value, bytes| value << (size * 8) | word(bytes)),
        Endian::Big => words
            .rev()
            .fold(0, |value, bytes| value << (size * 8) | word(bytes)),
    };
    extended(raw, integer)
}

/// Sign-extends an integer to 64 bits.
fn extended(raw: u64, integer: Integer) -> u64 {
    if integer.signed && integer.width < 8 {
        let unused = 64 - u32::from(integer.width) * 8;
        return ((raw << unused).cast_signed() >> unused).cast_unsigned();
    }
    raw
}

/// Appends an integer that occupies a whole number of bytes.
#[inline]
pub fn store(value: u64, described: Integer, out: &mut Vec<u8>) {
    let width = usize::from(described.width);
    if described.word != 0 {
        return store_words(value, described, out);
    }
    match described.endian {
        Endian::Little => out.extend_from_slice(&value.to_le_bytes()[..width]),
        Endian::Big => out.extend_from_slice(&value.to_be_bytes()[8 - width..]),
    }
}

/// Appends an integer whose word order is the reverse of the byte order within each word.
fn store_words(value: u64, described: Integer, out: &mut Vec<u8>) {
    let (width, size) = (usize::from(described.width), usize::from(described.word));
    let bytes = match described.endian {
        Endian::Little => value.to_le_bytes()[..width].to_vec(),
        Endian::Big => value.to_be_bytes()[8 - width..].to_vec(),
    };
    for word in bytes.chunks(size).rev() {
        out.extend_from_slice(word);
    }
}

/// Returns the integer type used to read a run of bit fields.
pub fn run_integer(width: u8, order: BitOrder) -> Integer {
    let endian = match order {
        BitOrder::Little => Endian::Little,
        BitOrder::Big => Endian::Big,
    };
    Integer {
        width,
        signed: false,
        endian,
        word: 0,
    }
}

/// Returns the integer type that stores the bits of a fixed-width number.
pub fn stored_as(kind: &Kind) -> Option<Integer> {
    match kind {
        Kind::Integer(integer) => Some(*integer),
        Kind::Float { width, endian } => Some(Integer {
            width: *width,
            signed: false,
            endian: *endian,
            word: 0,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn integers() -> impl Iterator<Item = Integer> {
        let widths = [
            (1, 0),
            (2, 0),
            (3, 0),
            (4, 0),
            (4, 2),
            (5, 0),
            (7, 0),
            (8, 0),
            (8, 2),
            (8, 4),
        ];
        widths.into_iter().flat_map(|(width, word)| {
            [Endian::Little, Endian::Big]
                .into_iter()
                .flat_map(move |endian| {
                    [false, true].into_iter().map(move |signed| Integer {
                        width,
                        signed,
                        endian,
                        word,
                    })
                })
        })
    }

    quickcheck! {
        fn the_bytes_after_an_integer_do_not_matter(bits: u64, after: u64) -> bool {
            integers().all(|integer| {
                let mut bytes = Vec::new();
                store(bits, integer, &mut bytes);
                let alone = load(&bytes, integer);
                bytes.extend(after.to_le_bytes());
                load(&bytes, integer) == alone
            })
        }

        fn what_is_stored_is_loaded(bits: u64) -> bool {
            integers().all(|integer| {
                let kept = u64::MAX >> (64 - u32::from(integer.width) * 8);
                let mut bytes = Vec::new();
                store(bits, integer, &mut bytes);
                bytes.len() == usize::from(integer.width) && load(&bytes, integer) & kept == bits & kept
            })
        }
    }

    #[test]
    fn words_are_in_the_opposite_order() {
        let integer = |endian| Integer {
            width: 4,
            signed: false,
            endian,
            word: 2,
        };
        assert_eq!(load(&[3, 4, 1, 2], integer(Endian::Big)), 0x0102_0304);
        assert_eq!(load(&[2, 1, 4, 3], integer(Endian::Little)), 0x0102_0304);
    }
}
