//! Tests of mutating and shortening traces chosen by a fuzzer.

#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::HashSet;
use std::sync::Arc;

use tracegauge_decoder::judge;
use tracegauge_generator::minimize::shorten;
use tracegauge_generator::mutate::{Changer, Dice, Way};
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

fn generators() -> Vec<Generator> {
    let mut found = Vec::new();
    for format in bundled::list() {
        let schema = Arc::new(format.load().schema.unwrap());
        for dialect in &schema.dialects {
            let plan = lower(&schema, &dialect.id).unwrap();
            found.push(Generator::new(Arc::new(plan)));
        }
    }
    found
}

fn trace(generator: &Generator, seed: u64, bytes: u64) -> Vec<u8> {
    let options = Options {
        bytes,
        elements: 6,
        fill: true,
        ..Options::default()
    };
    generator.from_seed(seed, options).unwrap().bytes
}

fn taken(generator: &Generator, bytes: &[u8]) -> bool {
    judge(generator.plan(), bytes).tolerable()
}

#[test]
fn a_valid_trace_is_changed_in_every_way_and_within_its_room() {
    for generator in generators() {
        let format = generator.plan().format.clone();
        let input = trace(&generator, 3, 400);
        let mut changer = Changer::new(generator.clone());
        let (mut ways, mut results) = (HashSet::new(), HashSet::new());
        let (mut chosen, mut valid) = (0, 0);
        for number in 0..150 {
            let most = input.len() + 300;
            let changed = changer.change(&input, most, &mut Dice::new(5, number));
            assert!(changed.bytes.len() <= most, "{format}: {}", changed.way);
            if changed.way == Way::Choices {
                chosen += 1;
                valid += u32::from(taken(&generator, &changed.bytes));
            }
            ways.insert(changed.way);
            results.insert(changed.bytes);
        }
        for way in [
            Way::Choices,
            Way::Elements,
            Way::Numbers,
            Way::Fault,
            Way::Bytes,
        ] {
            assert!(ways.contains(&way), "{format}: no {way}");
        }
        // Some mutated tapes lead to traces that not even lenient readers accept.
        assert!(valid * 10 > chosen * 8, "{format}: {valid} of {chosen}");
        assert!(results.len() > 100, "{format}: {}", results.len());
    }
}

#[test]
fn little_room_is_respected() {
    for generator in generators() {
        let input = trace(&generator, 4, 300);
        let mut changer = Changer::new(generator);
        for number in 0..60 {
            for most in [0, 1, 7, 40, input.len()] {
                let given = &input[..most.min(input.len())];
                let dice = &mut Dice::new(1, number);
                assert!(changer.change(given, most, dice).bytes.len() <= most);
                assert!(changer.cross(given, &input, most, dice).bytes.len() <= most);
            }
        }
    }
}

#[test]
fn what_comes_out_depends_on_nothing_that_was_changed_before() {
    for generator in generators() {
        let inputs = [1, 2, 3, 4, 5, 6].map(|seed| trace(&generator, seed, 200));
        let mut used = Changer::new(generator.clone());
        for (number, input) in (0..).zip(inputs.iter().cycle().take(30)) {
            let mut unused = Changer::new(generator.clone());
            let change = |changer: &mut Changer| {
                let dice = &mut Dice::new(9, number);
                let changed = changer.change(input, 1000, dice);
                (changer.cross(input, &inputs[0], 1000, dice), changed)
            };
            assert_eq!(change(&mut used), change(&mut unused));
        }
    }
}

#[test]
fn what_is_no_trace_becomes_one_now_and_then() {
    for generator in generators() {
        let mut changer = Changer::new(generator.clone());
        for input in [
            &b""[..],
            b"\n",
            b"not a trace at all, whatever is read of it",
        ] {
            let made = (0..60).map(|number| {
                let changed = changer.change(input, 2000, &mut Dice::new(2, number));
                taken(&generator, &changed.bytes)
            });
            let valid = made.filter(|valid| *valid).count();
            assert!(valid > 10, "{}: {valid}", generator.plan().format);
        }
    }
}

#[test]
fn before_a_fault_elements_and_numbers_are_changed_all_the_same() {
    let mut with_elements = 0;
    for generator in generators() {
        let whole = trace(&generator, 6, 500);
        let cut = &whole[..whole.len() - 1];
        assert!(!taken(&generator, cut));
        let mut changer = Changer::new(generator.clone());
        let ways = (0..150).map(|number| {
            let dice = &mut Dice::new(3, number);
            changer.change(cut, 2000, dice).way
        });
        let ways: HashSet<Way> = ways.collect();
        let format = &generator.plan().format;
        for way in [Way::Numbers, Way::Bytes] {
            assert!(ways.contains(&way), "{format}: no {way}");
        }
        assert!(
            !ways.contains(&Way::Choices),
            "{format}: no choices make it"
        );
        with_elements += u32::from(ways.contains(&Way::Elements));
    }
    // If everything is located by position, a truncated trace has no elements.
    assert!(with_elements > 7, "{with_elements}");
}

#[test]
fn a_shorter_trace_keeps_what_is_asked_for() {
    for generator in generators() {
        let input = trace(&generator, 8, 900);
        // The only required property is that readers accept the trace, so almost nothing remains.
        let small = shorten(&generator, &input, &mut |bytes| {
            Some(taken(&generator, bytes))
        });
        assert!(taken(&generator, &small.bytes));
        let format = &generator.plan().format;
        assert!(
            small.bytes.len() * 2 < input.len(),
            "{format}: {}",
            small.bytes.len()
        );
    }
}

#[test]
fn what_stands_after_a_fault_is_left_out_as_far_as_nobody_asks_for_it() {
    let generators = generators();
    let mut dial9 = generators
        .iter()
        .filter(|it| it.plan().format == "dial9-v1");
    let generator = dial9.next().unwrap();
    let input = [&trace(generator, 8, 200)[..], &[0xff; 30]].concat();
    let small = shorten(generator, &input, &mut |bytes| {
        Some(!taken(generator, bytes) && bytes.contains(&0xff))
    });
    assert_eq!(small.bytes, b"TRC\0\x01\xff");
    assert!(small.settled && small.tries < 200);
    let over = shorten(generator, &input, &mut |_| None);
    assert_eq!((over.bytes, over.settled), (input, false));
}
