//! Tests of the supply of inputs, which must be reproducible and contain all kinds, and of the
//! dictionaries for other fuzzers.

#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::HashSet;
use std::sync::Arc;

use tracegauge_decoder::{decode_tree, judge};
use tracegauge_generator::laws::check_identities;
use tracegauge_generator::mutate::{
    InputKind, InputNumber, Supply, Word, dictionary, dictionary_text,
};
use tracegauge_generator::{GenerateError, Generator, Options};
use tracegauge_plan::mutate::mutants;
use tracegauge_plan::{OpId, Plan};
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

fn plans() -> Vec<Arc<Plan>> {
    let mut plans = Vec::new();
    for format in bundled::list() {
        let schema = Arc::new(format.load().schema.unwrap());
        for dialect in &schema.dialects {
            plans.extend(lower(&schema, &dialect.id).map(Arc::new));
        }
    }
    plans
}

fn supply(plan: &Arc<Plan>, seed: u64) -> Supply {
    Supply::new(Generator::new(Arc::clone(plan)), seed)
}

fn named(format: &str) -> Arc<Plan> {
    plans()
        .into_iter()
        .find(|plan| plan.format == format)
        .unwrap()
}

#[test]
fn a_number_means_the_same_whatever_was_made_before() {
    let plan = named("dial9-v1");
    let supply = supply(&plan, 9);
    let mut forward = supply.maker();
    let numbers: Vec<InputNumber> = (0..600).map(InputNumber).collect();
    let made: Vec<_> = numbers.iter().map(|it| forward.make(*it)).collect();
    let mut backward = supply.maker();
    for (number, input) in numbers.iter().zip(&made).rev() {
        assert_eq!(backward.make(*number), *input, "{number}");
    }
}

#[test]
fn inputs_are_what_their_kind_says() {
    for plan in plans() {
        let supply = supply(&plan, 1);
        let mut maker = supply.maker();
        let mut accepted = [0; InputKind::ALL.len()];
        let mut different = HashSet::new();
        for kind in InputKind::ALL {
            for count in 0..48 {
                let input = maker.make(InputNumber::of(kind, count));
                accepted[kind.place()] += usize::from(judge(&plan, &input.bytes).tolerable());
                different.insert(input.bytes);
            }
        }
        let format = &plan.format;
        assert_eq!(accepted[InputKind::Valid.place()], 48, "{format}");
        let faulty = [
            InputKind::SingleFault,
            InputKind::SeveralFaults,
            InputKind::Damaged,
        ];
        for kind in faulty {
            assert!(
                accepted[kind.place()] < 40,
                "{format}: {kind}: {accepted:?}"
            );
        }
        assert!(different.len() > 100, "{format}: {}", different.len());
    }
}

#[test]
fn no_input_of_many_breaks_the_decoder_or_the_supply() {
    for plan in plans() {
        let supply = supply(&plan, 5);
        let mut maker = supply.maker();
        // 64 consecutive inputs share a mutant.
        for count in (0..64 * 60).step_by(16) {
            let input = maker.make(InputNumber::of(InputKind::OfMutant, count));
            judge(&plan, &input.bytes);
        }
        for number in 0..400 {
            let input = maker.make(InputNumber(number));
            judge(&plan, &input.bytes);
        }
    }
}

#[test]
fn a_dictionary_has_the_words_of_its_format() {
    let words = dictionary(&named("dial9-v1"));
    let has = |bytes: &[u8]| words.iter().any(|word| word.bytes == bytes);
    assert!(has(b"TRC\0"));
    // A 32-bit length at the limits of its range, in the byte order of the format.
    assert!(has(&[0xff; 4]));
    assert!(has(&0x8000_0000_u32.to_le_bytes()));
    let different: HashSet<&[u8]> = words.iter().map(|word| &word.bytes[..]).collect();
    assert_eq!(different.len(), words.len());
    for plan in plans() {
        assert!(dictionary(&plan).len() > 8, "{}", plan.format);
    }
}

#[test]
fn a_dictionary_is_written_as_fuzzers_read_it() {
    let word = Word {
        name: "header.magic bytes".to_owned(),
        bytes: b"a\"\\ \0\xff".to_vec(),
    };
    assert_eq!(
        dictionary_text(&[word]),
        "# header.magic bytes\nword_0=\"a\\x22\\x5c \\x00\\xff\"\n"
    );
}

#[test]
fn bytes_behind_the_end_come_back() {
    // The end mark is followed by a copy of itself, or by a zero.
    let traces = [
        (
            "netperf-v3",
            "14000000214661737453657269616c697a6174696f6e2e310404010300000018000080050000005472616365\
             06da0706000400190000003b0019000300ff12c361c43be89400ca9a3b0000000004000000b7a08e953a000000\
             a7c5e9ed060101",
        ),
        (
            "nettrace-v6",
            "4e657474726163650000000006000000889d0300280000013c1606000600010003000a003b007d035193090e\
             00000000010000000000000008000000000000000f00000096db310f35e75050f250575f8a96a300",
        ),
    ];
    for (format, digits) in traces {
        let generator = Generator::new(named(format));
        let pairs = (0..digits.len()).step_by(2);
        let bytes: Result<Vec<u8>, _> = pairs
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16))
            .collect();
        let bytes = bytes.unwrap();
        let (verdict, tree) = decode_tree(generator.plan(), &bytes);
        assert!(verdict.tolerable(), "{format}: {verdict:?}");
        let last = tree.nodes.last().map(|node| node.op);
        assert_eq!(
            last,
            Some(OpId(0)),
            "{format}: nothing stands behind the end"
        );
        let checked = check_identities(&generator, &bytes);
        assert!(checked.is_ok(), "{format}: {}", checked.unwrap_err());
    }
}

#[test]
fn a_list_that_never_ends_is_given_up() {
    // If the mutant expects a different end tag, the list never ends.
    let plan = named("netperf-v3");
    let name = "number-one-more@entries/until-#2";
    let mutants = mutants(&plan);
    let endless = mutants.iter().find(|mutant| mutant.name() == name);
    let generator = Generator::new(Arc::new(endless.unwrap().of(&plan)));
    let options = Options {
        bytes: 200,
        elements: 20,
        steps: 1 << 16,
        ..Options::default()
    };
    let made = generator.from_seed(1, options);
    let why = match made {
        Err(GenerateError::Refused { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(why, "generating the trace takes too many steps");
    // The supply must still yield inputs.
    let supply = supply(&plan, 1);
    let mut maker = supply.maker();
    let mut longest = 0;
    for count in (0..64 * mutants.len() as u64).step_by(64) {
        let input = maker.make(InputNumber::of(InputKind::OfMutant, count));
        longest = longest.max(input.bytes.len());
    }
    assert!((1000..1_000_000).contains(&longest), "{longest}");
}
