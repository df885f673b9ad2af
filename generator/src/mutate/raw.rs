//! Mutates raw bytes, without any knowledge of the format except its dictionary.

use super::Dice;

/// The maximum number of changes made at once.
const MOST_CHANGES: u64 = 6;

/// Numbers that readers often handle incorrectly, written in either byte order.
const EDGES: [u64; 12] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    u64::MAX,
];

/// Flips bits, overwrites bytes with edge-case numbers and words of the format, removes, copies and
/// inserts bytes, and truncates the trace.
pub fn damage(bytes: &mut Vec<u8>, words: &[Vec<u8>], dice: &mut Dice) {
    for _ in 0..1 + dice.below(MOST_CHANGES) {
        change(bytes, words, dice);
    }
}

fn change(bytes: &mut Vec<u8>, words: &[Vec<u8>], dice: &mut Dice) {
    let at = dice.index(bytes.len() + 1).unwrap_or_default();
    match dice.below(9) {
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = dice.byte();
            }
        }
        3 => write_over(bytes, at, &edge(dice)),
        4 => {
            if let Some(word) = dice.pick(words) {
                write_over(bytes, at, word);
            }
        }
        5 => {
            let word = dice.pick(words).cloned();
            put_in(bytes, at, &word.unwrap_or_else(|| edge(dice)));
        }
        6 => {
            let part = part(bytes, at, dice);
            bytes.drain(part);
        }
        7 => {
            let copied = bytes[part(bytes, at, dice)].to_vec();
            let to = dice.index(bytes.len() + 1).unwrap_or_default();
            put_in(bytes, to, &copied);
        }
        _ => bytes.truncate(at),
    }
}

fn edge(dice: &mut Dice) -> Vec<u8> {
    let value = dice.pick(&EDGES).copied().unwrap_or_default();
    let width = 1 << dice.below(4);
    if dice.one_in(2) {
        value.to_le_bytes()[..width].to_vec()
    } else {
        value.to_be_bytes()[8 - width..].to_vec()
    }
}

/// Returns a short range that starts at `at`.
fn part(bytes: &[u8], at: usize, dice: &mut Dice) -> std::ops::Range<usize> {
    let most = if dice.one_in(8) { 512 } else { 12 };
    let length = dice.index(most).unwrap_or_default() + 1;
    at..bytes.len().min(at + length)
}

fn write_over(bytes: &mut [u8], at: usize, word: &[u8]) {
    for (byte, new) in bytes.iter_mut().skip(at).zip(word) {
        *byte = *new;
    }
}

fn put_in(bytes: &mut Vec<u8>, at: usize, word: &[u8]) {
    let at = at.min(bytes.len());
    bytes.splice(at..at, word.iter().copied());
}
