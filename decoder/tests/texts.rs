//! Tests of how malformed text is reported.

use tracegauge_decoder::text::{encode, first_fault};
use tracegauge_plan::terms::Encoding;

/// Returns the index of the first error in text that is encoded in `encoding`, with `bad`
/// appended.
fn fault_after(text: &str, bad: &[u8], encoding: Encoding) -> usize {
    let mut bytes = encode(text, encoding).unwrap_or_default();
    bytes.extend_from_slice(bad);
    first_fault(&bytes, encoding)
}

#[test]
fn the_first_error_is_where_a_malformed_character_starts() {
    use Encoding::{Cesu8, Utf8, Utf16Be, Utf16Le};
    // A character outside the basic plane takes six bytes in CESU-8.
    assert_eq!(fault_after("a🦀", &[0xff], Cesu8), 7);
    assert_eq!(fault_after("🦀🦀", &[0xed, 0xa0, 0x80, b'a'], Cesu8), 12);
    assert_eq!(fault_after("a", &[0xc3], Cesu8), 1);
    assert_eq!(fault_after("a", &[0xc3], Utf8), 1);
    assert_eq!(fault_after("🦀", &[0x00, 0xd8, b'a', 0x00], Utf16Le), 4);
    assert_eq!(fault_after("🦀", &[0xdc, 0x00, 0x00, b'a'], Utf16Be), 4);
    assert_eq!(fault_after("ab", &[0x00], Utf16Be), 4);
}

#[test]
fn the_first_error_of_a_long_text_is_found() {
    let long = "ab🦀".repeat(2000);
    assert_eq!(fault_after(&long, &[0xff, b'a'], Encoding::Cesu8), 16000);
    let bad = [0x00, 0xdc, b'a', 0x00];
    assert_eq!(fault_after(&long, &bad, Encoding::Utf16Le), 16000);
    assert_eq!(fault_after(&long, &[0x00], Encoding::Utf16Le), 16000);
}
