//! Tests of decoding, generating, encoding and damaging traces of a format that exists only as a
//! description.

use crate::support::tlv;
use std::sync::OnceLock;
use tracegauge_plan::terms::RuleId;

use proptest::prelude::*;
use tracegauge_decoder::{Findings, Judgement, Mark, Observer, decode, observe};
use tracegauge_generator::laws::{check_decode, check_identities, check_made, check_tape};
use tracegauge_generator::plain::Allowed;
use tracegauge_generator::tape::{Tape, tapes};
use tracegauge_generator::{Generator, Options, Target};
use tracegauge_plan::OpId;

fn generator() -> &'static Generator {
    static GENERATOR: OnceLock<Generator> = OnceLock::new();
    GENERATOR.get_or_init(tlv::generator)
}

/// A header with the label `ab`.
const HEADER: &[u8] = b"TLV\n\x01\x06\xff\xfe\x00ab";

/// Channel 7, which measures levels and is named `t`.
const CHANNEL: &[u8] = b"\x01\x00\x04\x07\x01\x01t";

fn entry(kind: u8, body: &[u8]) -> Vec<u8> {
    let size = u16::try_from(body.len()).expect("a short body");
    [&[kind][..], &size.to_be_bytes(), body].concat()
}

/// Returns a whole trace with the given entries, which must include the last one.
fn trace(entries: &[&[u8]]) -> Vec<u8> {
    let count = u16::try_from(entries.len()).expect("few entries");
    let entries = entries.concat();
    let total = u32::try_from(entries.len()).expect("a small trace");
    [HEADER, &entries, &count.to_be_bytes(), &total.to_be_bytes()].concat()
}

/// Returns the rule for which a trace is rejected.
fn broken(bytes: &[u8]) -> Option<String> {
    let plan = generator().plan();
    let verdict = check_decode(plan, bytes).expect("the laws hold");
    let violation = verdict.violation()?;
    Some(violation.rule.map_or_else(
        || format!("{}: {}", violation.path, violation.message),
        |rule| plan.rules[rule].id.clone(),
    ))
}

/// Collects the rules that a trace triggers.
#[derive(Default)]
struct Rules(Vec<RuleId>);

impl Observer for Rules {
    fn mark(&mut self, _op: OpId, mark: Mark) {
        if let Mark::Shows(rule, _) = mark {
            self.0.push(rule);
        }
    }
}

/// Returns the judgment of a trace and the rules that it triggers.
fn shown(bytes: &[u8]) -> (Judgement, Vec<String>) {
    let plan = generator().plan();
    check_decode(plan, bytes).expect("the laws hold");
    let mut rules = Rules::default();
    let verdict = observe(plan, bytes, Findings::Marks, &mut rules).verdict;
    let tolerated = verdict.shown.iter().map(|shown| shown.rule);
    let rules = rules.0.into_iter().chain(tolerated);
    let rules = rules.map(|rule| plan.rules[rule].id.clone());
    (verdict.judgement, rules.collect())
}

fn records(bytes: &[u8]) -> Vec<String> {
    let (_, records) = decode(generator().plan(), bytes);
    records.iter().map(ToString::to_string).collect()
}

#[test]
fn a_trace_shows_its_readings_and_notes() {
    let bytes = trace(&[
        CHANNEL,
        &entry(2, b"\x07\x82\xac\x02\x2a"),
        &entry(1, b"\x08\x03\x00"),
        &entry(2, b"\x08\x00\x00\x02hi"),
        &entry(3, "naïve".as_bytes()),
        &entry(9, b"anything"),
        &entry(0, b""),
    ]);
    assert_eq!(broken(&bytes), None);
    let expected = [
        r#"{"record":"reading","channel":"t","time":300,"quality":["interpolated","outlier"],"value":42}"#,
        r#"{"record":"reading","channel":"","time":0,"quality":[],"value":"hi"}"#,
        r#"{"record":"note","text":"naïve"}"#,
    ];
    assert_eq!(records(&bytes), expected);
    check_identities(generator(), &bytes).expect("it comes back");
    let (judgement, rules) = shown(&bytes);
    assert_eq!(judgement, Judgement::Accepted);
    for rule in [
        "MARK-SIGNED",
        "TIME-LEB128",
        "KIND-UNKNOWN",
        "SIZE-EXCLUDES-HEAD",
    ] {
        assert!(rules.iter().any(|known| known == rule), "{rule}: {rules:?}");
    }
}

#[test]
fn every_rule_is_broken_where_it_says() {
    let end = entry(0, b"");
    let whole = trace(&[&end]);
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let number = entry(1, b"\x07\x02\x01t");
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (with(0, b'X'), "MAGIC"),
        (with(4, 2), "VERSION"),
        (with(5, 3), "HEADER-SIZE"),
        (with(9, 0xff), "TEXT-UTF8"),
        (with(whole.len() - 5, 2), "COUNT"),
        (with(whole.len() - 1, 2), "TOTAL"),
        (whole[..whole.len() - 1].to_vec(), "TRUNCATED"),
        (whole[..7].to_vec(), "TRUNCATED"),
        (HEADER.to_vec(), "END"),
        (trace(&[b"\x03\x7f\xff"]), "TRUNCATED"),
        (trace(&[&entry(1, b"\x07\x01"), &end]), "SIZE-TOO-SMALL"),
        (trace(&[CHANNEL, &number, &end]), "CHANNEL-OTHER"),
        (
            trace(&[&entry(2, b"\x07\x00\x00\x00"), &end]),
            "CHANNEL-UNKNOWN",
        ),
        (trace(&[&entry(1, b"\x07\x09\x00"), &end]), "VALUE-KIND"),
        (
            trace(&[CHANNEL, &entry(2, b"\x07\x00\x00\x65"), &end]),
            "LEVEL-RANGE",
        ),
        (
            trace(&[
                CHANNEL,
                &entry(2, b"\x07\x00\xff\xff\xff\xff\x7f\x00"),
                &end,
            ]),
            "TIME-WIDE",
        ),
        (trace(&[&entry(3, b"\xff"), &end]), "TEXT-UTF8"),
    ];
    for (bytes, rule) in &cases {
        assert_eq!(broken(bytes).as_deref(), Some(*rule), "{bytes:02x?}");
    }
}

#[test]
fn oddities_are_tolerated_where_the_rules_say() {
    let end = entry(0, b"");
    let cases: Vec<(Vec<u8>, &str, bool)> = vec![
        (trace(&[CHANNEL, CHANNEL, &end]), "CHANNEL-SAME", true),
        (trace(&[&entry(0, b"more")]), "SIZE-TOO-LARGE", true),
        (
            trace(&[CHANNEL, &entry(2, b"\x07\x00\x80\x00\x01"), &end]),
            "TIME-OVERLONG",
            true,
        ),
        (
            trace(&[CHANNEL, &entry(2, b"\x07\x04\x00\x01"), &end]),
            "QUALITY-BITS",
            false,
        ),
        (trace(&[&entry(3, b""), &end]), "NOTE-EMPTY", true),
    ];
    for (bytes, rule, accepted) in &cases {
        let (judgement, rules) = shown(bytes);
        assert_eq!(
            judgement == Judgement::Accepted,
            *accepted,
            "{rule}: {judgement:?}"
        );
        assert!(!matches!(judgement, Judgement::Rejected(_)), "{rule}");
        assert!(rules.iter().any(|known| known == rule), "{rule}: {rules:?}");
        if let Err(broken) = check_identities(generator(), bytes) {
            panic!("{rule}: {broken}");
        }
    }
}

#[test]
fn every_seed_makes_a_valid_trace() {
    let mut seen = Vec::new();
    for seed in 0..500 {
        let made = generator().from_seed(seed, Options::default());
        let made = made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        if let Err(broken) = check_made(generator(), &made) {
            panic!("seed {seed}: {broken}");
        }
        seen.extend(shown(&made.bytes).1);
    }
    seen.sort_unstable();
    seen.dedup();
    for rule in [
        "READING-VALUE",
        "NOTE-EMPTY",
        "KIND-UNKNOWN",
        "LABEL-EMPTY",
        "TIME-LEB128",
    ] {
        assert!(seen.iter().any(|known| known == rule), "{rule}: {seen:?}");
    }
}

#[test]
fn a_tape_of_nothing_makes_a_small_trace() {
    let made = check_tape(generator(), &Tape::default(), Options::default());
    let made = made.unwrap_or_else(|broken| panic!("{broken}"));
    assert!(made.bytes.len() < 32, "{:02x?}", made.bytes);
}

#[test]
fn no_damaged_byte_makes_the_decoder_panic() {
    for seed in 0..20 {
        let made = generator().from_seed(
            seed,
            Options {
                bytes: 400,
                ..Options::default()
            },
        );
        let bytes = made.expect("a trace").bytes;
        for at in 0..bytes.len().min(300) {
            for value in [
                0,
                1,
                0x7f,
                0x80,
                0xff,
                bytes[at] ^ 1,
                bytes[at].wrapping_add(1),
            ] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                check_decode(generator().plan(), &damaged).expect("the laws hold");
            }
            check_decode(generator().plan(), &bytes[..at]).expect("the laws hold");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_tape_makes_a_valid_trace_and_comes_back(tape in tapes(2000)) {
        let held = check_tape(generator(), &tape, Options::default());
        held.map_err(|broken| TestCaseError::fail(broken.to_string()))?;
    }

    /// Checks plain traces, whose flags are chosen from the values that typical writers write.
    #[test]
    fn every_seed_makes_a_plain_trace(seed: u64) {
        let options = Options { bytes: 500, ..Options::default() };
        let made = generator().plain(seed, options, &Target::default(), Allowed::default());
        let made = made.map_err(|error| TestCaseError::fail(error.to_string()))?;
        let held = check_made(generator(), &made);
        held.map_err(|broken| TestCaseError::fail(broken.to_string()))?;
    }

    #[test]
    fn no_bytes_make_the_decoder_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..300), header in any::<bool>()) {
        if header {
            bytes.splice(..0, HEADER.iter().copied());
        }
        let held = check_decode(generator().plan(), &bytes);
        held.map_err(|broken| TestCaseError::fail(broken.to_string()))?;
    }
}

#[test]
fn a_computed_field_keeps_what_the_tree_says_when_asked_to() {
    let generator = generator();
    let entries: [&[u8]; 3] = [CHANNEL, &entry(3, b"note"), &entry(0, b"")];
    let bytes = trace(&entries);
    let (_, tree) = tracegauge_decoder::decode_tree(generator.plan(), &bytes);
    let bases = tracegauge_generator::Bases::of(generator.plan(), &bytes, &tree);
    assert_eq!(generator.encode_raw(&tree, &bases).expect("bytes"), bytes);

    // The trailer's count is the second-to-last field.
    let mut wrong = tree.clone();
    let counts = wrong.nodes.iter_mut().filter(|node| {
        let label = generator.plan().info(node.op).label;
        label.is_some_and(|label| generator.plan().name(label) == "count")
    });
    for count in counts {
        count.payload = tracegauge_decoder::tree::Payload::Bits(9);
    }
    let kept = generator.encode_raw(&wrong, &bases).expect("bytes");
    assert_eq!(broken(&kept).as_deref(), Some("COUNT"));
    assert_eq!(kept.len(), bytes.len());
    assert_eq!(generator.encode(&wrong).expect("a trace").bytes, bytes);
}
