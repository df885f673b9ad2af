//! Minimizes a trace by shrinking its tape, which contains the choices that generate the trace.

use tracegauge_decoder::{Judgement, decode_tree};

use super::{Search, leave_out, lesser_numbers};
use crate::Options;
use crate::tape::Tape;

/// Minimizes the trace with ever smaller tapes, if a tape can be recorded from it.
pub(super) fn shrink(search: &mut Search<'_>) {
    let Some(mut tape) = recorded(search) else {
        return;
    };
    loop {
        let before = tape.bytes.clone();
        without_elements(search, &mut tape);
        without_bytes(search, &mut tape);
        lesser_bytes(search, &mut tape);
        if search.over || tape.bytes == before {
            return;
        }
    }
}

/// Records a tape that generates the trace, if possible.
fn recorded(search: &Search<'_>) -> Option<Tape> {
    let plan = search.generator.plan();
    let (verdict, tree) = decode_tree(plan, &search.best);
    if matches!(verdict.judgement, Judgement::Rejected(_)) {
        return None;
    }
    let tape = search.generator.record(&tree).ok()?;
    let made = search.generator.generate(&tape, options(search)).ok()?;
    (made.bytes == search.best).then_some(tape)
}

/// The limit on steps when generating a trace, not counting the steps allowed for each byte.
/// Without a limit, a changed tape might request an endless number of elements.
const STEPS: u64 = 1 << 16;
/// The number of steps allowed for each byte of the trace.
const STEPS_OF_A_BYTE: u64 = 64;

fn options(search: &Search<'_>) -> Options {
    let bytes = search.best.len() as u64;
    Options {
        elements: bytes,
        longest: bytes,
        steps: STEPS + STEPS_OF_A_BYTE * bytes,
        ..Options::about(bytes)
    }
}

/// Replaces the best tape with `tape` if the trace generated from `tape` is better.
fn offer(search: &mut Search<'_>, best: &mut Tape, tape: Tape) -> bool {
    if search.over || tape.bytes == best.bytes {
        return false;
    }
    let Ok(made) = search.generator.generate(&tape, options(search)) else {
        return false;
    };
    if !search.offer(made.bytes) {
        return false;
    }
    *best = Tape {
        spans: made.spans,
        ..tape
    };
    true
}

/// Removes the ranges of the tape that individual elements consumed, starting with the largest.
fn without_elements(search: &mut Search<'_>, tape: &mut Tape) {
    let mut least = usize::MAX;
    loop {
        let mut spans: Vec<(usize, usize)> = tape
            .spans
            .iter()
            .enumerate()
            .map(|(number, span)| (span.end - span.start, number))
            .filter(|(length, _)| *length > 0 && *length < least)
            .collect();
        spans.sort_unstable();
        let Some(&(length, _)) = spans.last() else {
            return;
        };
        let of_length = spans.iter().rev().take_while(|(other, _)| *other == length);
        let mut changed = false;
        for (_, number) in of_length {
            let shorter = tape.without(*number);
            if shorter.is_some_and(|shorter| offer(search, tape, shorter)) {
                changed = true;
                break;
            }
        }
        if !changed {
            least = length;
        }
    }
}

/// Removes ranges of bytes from the tape, regardless of element boundaries. The bytes after a
/// removed range are then used for other choices.
fn without_bytes(search: &mut Search<'_>, tape: &mut Tape) {
    leave_out(tape.bytes.len(), |start, end| {
        let mut shorter = tape.clone();
        // A tape is implicitly extended with zeros.
        let end = end.min(shorter.bytes.len());
        if start >= end {
            return true;
        }
        shorter.bytes.drain(start..end);
        offer(search, tape, shorter)
    });
}

/// Sets runs of bytes of the tape to zero, and then decreases individual bytes.
fn lesser_bytes(search: &mut Search<'_>, tape: &mut Tape) {
    for run in [8, 4, 2, 1] {
        for start in (0..tape.bytes.len()).step_by(run) {
            let end = (start + run).min(tape.bytes.len());
            let mut zero = tape.clone();
            zero.bytes[start..end].fill(0);
            if offer(search, tape, zero) || run > 1 {
                continue;
            }
            let byte = i128::from(tape.bytes[start]);
            for less in lesser_numbers(byte).into_iter().skip(1) {
                let mut lesser = tape.clone();
                lesser.bytes[start] = u8::try_from(less).unwrap_or_default();
                if offer(search, tape, lesser) {
                    break;
                }
            }
        }
    }
}
