use std::fmt::Display;

use super::*;

fn holds<E: Display>(what: &str, done: Result<(), E>) {
    if let Err(error) = done {
        panic!("{what}: {error}");
    }
}

fn dialects() -> std::ops::Range<u8> {
    0..u8::try_from(generators().len()).unwrap()
}

/// Returns copies of `text` with a single line removed, one copy for every `step`th line.
fn with_lines_left_out(text: &[u8], step: usize) -> Vec<Vec<u8>> {
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let without = |left_out: usize| {
        let mut damaged = lines.clone();
        damaged.remove(left_out);
        damaged.join(&b'\n')
    };
    (0..lines.len()).step_by(step).map(without).collect()
}

#[test]
fn there_is_something_to_fuzz() {
    assert!(!generators().is_empty());
    for target in ["decode", "description", "configuration", "answer"] {
        assert!(seeds(target).len() >= 8, "{target}");
    }
    assert!(words().lines().count() > 50);
}

#[test]
fn the_laws_hold_over_the_seeds() {
    for (name, seed) in traces(8) {
        holds(&name, decode(&seed));
        holds(&name, tape(&seed));
    }
}

#[test]
fn damaged_seeds_break_no_law() {
    for (name, seed) in traces(2) {
        for at in 0..seed.len().min(200) {
            let mut damaged = seed.clone();
            damaged[at] ^= 0x81;
            holds(&name, decode(&damaged));
            holds(&name, decode(&seed[..at]));
        }
    }
}

#[test]
fn mutated_traces_break_no_law() {
    for dialect in dialects() {
        for number in 0..60 {
            let name = format!(
                "{}, {number}",
                generators()[usize::from(dialect)].plan().format
            );
            holds(&name, mutated(&[dialect, 1, 0, number, 0]));
        }
    }
}

#[test]
fn what_is_made_smaller_shows_the_same() {
    for dialect in dialects() {
        for number in 0..6 {
            holds("smaller", minimized(&[dialect, 1, 0, number, 0]));
        }
    }
}

#[test]
fn damaged_descriptions_have_mistakes_and_no_more() {
    for (_, text) in descriptions() {
        description(&text);
        for damaged in with_lines_left_out(&text, 37) {
            description(&damaged);
        }
    }
}

#[test]
fn damaged_lists_and_reader_files_have_mistakes_and_no_more() {
    for (_, text) in configurations() {
        configuration(&text);
        for damaged in with_lines_left_out(&text, 5) {
            configuration(&damaged);
        }
    }
}

#[test]
fn a_right_answer_is_right_and_one_with_a_line_less_is_mostly_not() {
    let (mut shorter, mut noticed) = (0, 0);
    for (name, text) in answers() {
        let seen = answer(&text).unwrap();
        assert!(seen.whole.is_none(), "{name}: {:?}", seen.whole);
        if seen.reported > 0 {
            let at = text.iter().position(|byte| *byte == b'\n').unwrap();
            let seen = answer(&[&text[..1], &text[at + 1..]].concat());
            shorter += 1;
            // A reader may omit some kinds of records, so not every missing line is noticed.
            noticed += u32::from(seen.unwrap().whole.is_some());
        }
        for damaged in with_lines_left_out(&text, 3) {
            answer(&damaged);
        }
    }
    assert!(
        shorter > 4 && noticed * 2 > shorter,
        "{noticed} of {shorter}"
    );
}
