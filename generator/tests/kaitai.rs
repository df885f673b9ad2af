//! Tests of plain Kaitai Struct descriptions: handwritten samples get the expected verdict, and the
//! laws of decoding, generating, encoding and recording hold.

#[path = "kaitai/samples.rs"]
mod samples;

use std::sync::OnceLock;

use proptest::prelude::*;
use samples::{Sample, samples};
use tracegauge_decoder::{Verdict, judge, judge_stream};
use tracegauge_generator::laws::{check_decode, check_identities, check_made, check_tape};
use tracegauge_generator::plain::Allowed;
use tracegauge_generator::tape::{Tape, tapes};
use tracegauge_generator::{GenerateError, Generator, Options, Target};

fn all() -> &'static [(Sample, Generator)] {
    static ALL: OnceLock<Vec<(Sample, Generator)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let with = |sample: Sample| {
            let generator = Generator::new(sample.plan.clone());
            (sample, generator)
        };
        samples().into_iter().map(with).collect()
    })
}

const SMALL: Options = Options {
    bytes: 300,
    elements: 40,
    fill: false,
    odd: false,
    mended: false,
    longest: u64::MAX,
    steps: u64::MAX,
    most: u64::MAX,
    choices: 1 << 20,
};

/// Reports all failures at once.
fn report(failures: Vec<String>) {
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn samples_are_accepted_and_come_back() {
    assert!(all().len() >= 15);
    let failed = all().iter().filter_map(|(sample, generator)| {
        let verdict = judge(&sample.plan, &sample.accepted);
        if !verdict.tolerable() {
            return Some(format!("{}: {:?}", sample.name, verdict.violation()));
        }
        let held = check_identities(generator, &sample.accepted);
        held.err()
            .map(|broken| format!("{}: {broken}", sample.name))
    });
    report(failed.collect());
}

#[test]
fn what_is_wrong_is_found_where_it_is() {
    let failed = all().iter().filter_map(|(sample, _)| {
        let (bytes, path, at) = &sample.rejected;
        let verdict = judge(&sample.plan, bytes);
        let found = verdict
            .violation()
            .map(|found| (found.path.as_str(), found.span.start));
        (found != Some((path, *at))).then(|| format!("{}: {:?}", sample.name, verdict.violation()))
    });
    report(failed.collect());
}

#[test]
fn a_pipe_is_read_as_a_file_is() {
    for (sample, _) in all() {
        for bytes in [&sample.accepted, &sample.rejected.0] {
            let (verdict, _) = judge_stream(&sample.plan, &mut bytes.as_slice());
            assert_eq!(verdict, judge(&sample.plan, bytes), "{}", sample.name);
        }
    }
}

#[test]
fn what_is_made_is_valid_and_comes_back() {
    let mut failed = Vec::new();
    for (sample, generator) in all() {
        for seed in 0..60 {
            match generator.from_seed(seed, SMALL) {
                Ok(made) => failed.extend(
                    check_made(generator, &made)
                        .err()
                        .map(|broken| format!("{}, seed {seed}: {broken}", sample.name)),
                ),
                // The generator does not ensure that a part has a first byte that an instance reads.
                Err(GenerateError::Invalid(error)) if is_first_byte(&error.verdict) => {}
                Err(error) => failed.push(format!("{}, seed {seed}: {error}", sample.name)),
            }
        }
    }
    report(failed);
}

/// Returns whether the first byte of the part `names` in `located.ksy` is missing.
fn is_first_byte(verdict: &Verdict) -> bool {
    verdict
        .violation()
        .is_some_and(|found| found.path == "names.start")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_tape_makes_a_valid_trace(tape in tapes(400)) {
        for (sample, generator) in all().iter().filter(|(sample, _)| sample.plan.locations.is_empty()) {
            let held = check_tape(generator, &tape, SMALL);
            held.map_err(|broken| TestCaseError::fail(format!("{}: {broken}", sample.name)))?;
        }
    }

    #[test]
    fn no_bytes_make_the_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), from in 0_usize..40) {
        for (sample, _) in all() {
            let kept = &sample.accepted[..from.min(sample.accepted.len())];
            let held = check_decode(&sample.plan, &[kept, &bytes].concat());
            held.map_err(|broken| TestCaseError::fail(format!("{}: {broken}", sample.name)))?;
        }
    }

    #[test]
    fn what_is_accepted_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..40), from in 0_usize..60) {
        for (sample, generator) in all() {
            let kept = &sample.accepted[..from.min(sample.accepted.len())];
            let bytes = [kept, &bytes].concat();
            if judge(&sample.plan, &bytes).tolerable() {
                let held = check_identities(generator, &bytes);
                held.map_err(|broken| TestCaseError::fail(format!("{}: {broken}", sample.name)))?;
            }
        }
    }
}

#[test]
fn the_empty_tape_makes_a_trace() {
    for (sample, generator) in all() {
        let made = generator.generate(&Tape::default(), SMALL);
        let located = !sample.plan.locations.is_empty();
        assert!(made.is_ok() || located, "{}: {made:?}", sample.name);
    }
}

/// Returns the sizes of the traces that 40 seeds generate.
fn sizes(description: &str, is_plain: bool) -> Vec<usize> {
    let generator = Generator::new(samples::plan_of("found", description));
    let (target, allowed) = (Target::default(), Allowed::default());
    let made = (0..40).map(|seed| match is_plain {
        true => generator.plain(seed, Options::about(300), &target, allowed.clone()),
        false => generator.from_seed(seed, Options::about(300)),
    });
    let made = made.map(|made| made.unwrap_or_else(|error| panic!("{description}: {error}")));
    let checked = made.inspect(|made| {
        check_made(&generator, made).unwrap_or_else(|broken| panic!("{description}: {broken}"));
    });
    checked.map(|made| made.bytes.len()).collect()
}

#[test]
fn located_values_are_placed() {
    for description in [
        // In another located value, in a unit of 16 bytes, and with a size that is stored.
        "seq: [ { id: sector, type: u2 }, { id: count, type: u4 } ]
instances:
  table: { pos: (sector + 1) * 16, type: entry, repeat: expr, repeat-expr: count }
types:
  entry:
    seq: [ { id: offset, type: u4 }, { id: size, type: u4 } ]
    instances: { body: { pos: offset, size: size, type: body, io: _root._io } }
  body: { seq: [ { id: tag, type: u1, valid: { any-of: [1, 2] } }, { id: name, type: strz } ] }
",
        "seq: [ { id: where, type: b24 }, { id: rest, type: b8 } ]
instances: { found: { pos: where, type: u4, valid: 7 } }
",
        // At a fixed position after the end.
        "seq: [ { id: first, type: u1 } ]
instances: { header: { pos: 512, type: header } }
types: { header: { seq: [ { id: magic, contents: EFI } ] } }
",
        // In bytes that fields of the sequence read, too.
        "seq: [ { id: entries, type: entry, repeat: eos } ]
types:
  entry:
    seq: [ { id: offset, type: u4 }, { id: size, type: u4 } ]
    instances: { body: { pos: offset, size: size, io: _root._io } }
",
    ] {
        for is_plain in [false, true] {
            sizes(description, is_plain);
        }
    }
}

#[test]
fn sizes_may_depend_on_the_end_of_the_stream() {
    for description in [
        "seq: [ { id: body, size: _io.size - _io.pos - 8 }, { id: sum, type: u4 }, { id: size, type: u4 } ]\n",
        "seq: [ { id: size, type: u4 }, { id: part, size: size, type: part } ]
types:
  part: { seq: [ { id: table, type: table, size-eos: true } ] }
  table: { seq: [ { id: colors, type: u4, repeat: expr, repeat-expr: _io.size / 4 } ] }
",
    ] {
        for is_plain in [false, true] {
            let sizes = sizes(description, is_plain);
            assert!(sizes.iter().any(|size| *size > 8), "{description}");
        }
    }
}

#[test]
fn a_list_ends_on_the_size_of_a_string() {
    let description = "seq: [ { id: parts, type: part, repeat: until, repeat-until: _.size == 0 } ]
types: { part: { seq: [ { id: size, type: u1 }, { id: body, size: size } ] } }
";
    for is_plain in [false, true] {
        let sizes = sizes(description, is_plain);
        assert!(sizes.iter().all(|size| *size < 5_000), "{sizes:?}");
    }
}

#[test]
fn bytes_of_fixed_size_select_the_byte_order() {
    let description = "seq: [ { id: magic, size: 2 }, { id: body, type: body } ]
types:
  body:
    meta: { endian: { switch-on: _root.magic, cases: { '[0x49, 0x49]': le, '[0x4d, 0x4d]': be } } }
    seq: [ { id: number, type: u4 } ]
";
    sizes(description, false);
}

#[test]
fn traces_are_bounded() {
    let description =
        "seq: [ { id: w, type: s4 }, { id: h, type: s4 }, { id: data, size: w * h } ]\n";
    let generator = Generator::new(samples::plan_of("found", description));
    for seed in 0..40 {
        match generator.from_seed(seed, Options::about(1000)) {
            Ok(made) => assert!(made.bytes.len() < 20_000_000),
            Err(error) => {
                let error = error.to_string();
                let is_expected = error.contains("too long") || error.contains("at least 0");
                assert!(is_expected, "{error}");
            }
        }
    }
}
