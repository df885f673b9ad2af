//! Mutates the tape of a trace, which contains the choices that generate the trace.

use super::super::Dice;
use crate::tape::{Tape, TapeSpan};

/// The maximum number of bytes changed at once.
const MOST_CHANGES: u64 = 4;
/// The maximum number of bytes inserted at once.
const MOST_NEW: u64 = 24;

/// Returns a mutated tape: some choices are changed, and elements may be duplicated, removed, or
/// preceded by new choices.
pub(super) fn varied(tape: &Tape, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = tape.bytes.clone();
    // The spans belong to the original tape, so only the first change may move bytes.
    match dice.below(6) {
        0 | 1 => {
            if let Some(span) = dice.pick(&tape.spans) {
                let copied = of_span(tape, span).to_vec();
                put_in(&mut bytes, boundary(tape, dice), copied);
            }
        }
        2 => {
            if let Some(span) = dice.pick(&tape.spans) {
                bytes.drain(span.start..span.end);
            }
        }
        3 => {
            let new: Vec<u8> = (0..=dice.below(MOST_NEW)).map(|_| dice.byte()).collect();
            put_in(&mut bytes, boundary(tape, dice), new);
        }
        _ => {}
    }
    for _ in 0..1 + dice.below(MOST_CHANGES) {
        let at = dice.index(bytes.len());
        if let Some(byte) = at.and_then(|at| bytes.get_mut(at)) {
            *byte = match dice.below(4) {
                0 => byte.wrapping_add(1),
                1 => *byte ^ (1 << dice.below(8)),
                _ => dice.byte(),
            };
        }
    }
    bytes
}

/// Inserts the choices that generate an element of another trace between two elements of this
/// trace.
pub(super) fn joined(tape: &Tape, other: &Tape, dice: &mut Dice) -> Option<Vec<u8>> {
    let span = dice.pick(&other.spans)?;
    let mut bytes = tape.bytes.clone();
    put_in(
        &mut bytes,
        boundary(tape, dice),
        of_span(other, span).to_vec(),
    );
    Some(bytes)
}

fn of_span<'t>(tape: &'t Tape, span: &TapeSpan) -> &'t [u8] {
    tape.bytes.get(span.start..span.end).unwrap_or_default()
}

/// Returns the start or end of an element's choices.
fn boundary(tape: &Tape, dice: &mut Dice) -> usize {
    let span = dice.pick(&tape.spans);
    let begin = dice.one_in(2);
    span.map_or(0, |span| if begin { span.start } else { span.end })
}

fn put_in(bytes: &mut Vec<u8>, at: usize, new: Vec<u8>) {
    let at = at.min(bytes.len());
    bytes.splice(at..at, new);
}
