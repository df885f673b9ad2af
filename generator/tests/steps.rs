//! Tests that steps, the decoder's fast path for valid traces, change neither verdicts nor records.

#[path = "steps/descriptions.rs"]
mod descriptions;
#[path = "steps/states.rs"]
mod states;

use std::sync::{Arc, OnceLock};

use proptest::prelude::*;
use tracegauge_decoder::record::Record;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{
    Findings, Observer, Verdict, decode, decode_tree, judge, judge_stream, observe,
};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_spec::bundled;
use tracegauge_spec::diagnostic::Severity;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// An observer that can stop the decoder, which then runs operations instead of steps.
#[derive(Default)]
struct Slowly(Vec<Record>);

impl Observer for Slowly {
    fn beyond(&self) -> bool {
        true
    }

    fn record(&mut self, record: &RecordView<'_>) {
        self.0.push(record.to_record());
    }
}

fn slowly(plan: &Plan, bytes: &[u8]) -> (Verdict, Vec<Record>) {
    let mut slowly = Slowly::default();
    let verdict = observe(plan, bytes, Findings::LimitedRecords, &mut slowly).verdict;
    (verdict, slowly.0)
}

/// Returns generators for every bundled dialect of the corpus.
fn generators() -> &'static [Generator] {
    static GENERATORS: OnceLock<Vec<Generator>> = OnceLock::new();
    GENERATORS.get_or_init(|| {
        let mut generators = Vec::new();
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let corpus = root.join("../corpus/manifest");
        for format in bundled::list() {
            let schema = Arc::new(format.load().schema.expect("the description is right"));
            for dialect in format.ids() {
                // Descriptions of formats without a corpus may still be incorrect.
                if corpus.join(format!("{dialect}.yaml")).is_file() {
                    let plan = lower(&schema, dialect).expect("a plan");
                    generators.push(Generator::new(Arc::new(plan)));
                }
            }
        }
        generators
    })
}

fn same(plan: &Plan, bytes: &[u8]) -> Result<(), TestCaseError> {
    let (verdict, records) = slowly(plan, bytes);
    prop_assert_eq!(&judge(plan, bytes), &verdict);
    let (fast, fast_records) = decode(plan, bytes);
    prop_assert_eq!(&fast, &verdict);
    prop_assert_eq!(format!("{fast_records:?}"), format!("{records:?}"));
    prop_assert_eq!(&decode_tree(plan, bytes).0, &verdict);
    let (streamed, _) = judge_stream(plan, &mut &*bytes);
    prop_assert_eq!(&streamed.judgement, &verdict.judgement);
    prop_assert_eq!(&streamed.shown, &verdict.shown);
    Ok(())
}

/// A change of a byte: its position, the kind of change, and a value.
type Damage = (prop::sample::Index, u8, u8);

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, any::<u8>()), 0..4)
}

fn damaged(mut bytes: Vec<u8>, damage: &[Damage]) -> Vec<u8> {
    for (at, how, value) in damage {
        if bytes.is_empty() {
            break;
        }
        let at = at.index(bytes.len());
        match how {
            0 => bytes[at] = *value,
            1 => bytes[at] ^= 1 << (value % 8),
            2 => bytes.insert(at, *value),
            _ => {
                bytes.remove(at);
            }
        }
    }
    bytes
}

#[test]
fn there_are_steps_to_test() {
    let with_steps = generators()
        .iter()
        .filter(|generator| !generator.plan().steps.is_empty());
    assert!(with_steps.count() >= 4);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn steps_change_nothing(
        format in any::<prop::sample::Index>(),
        seed in any::<u64>(),
        damage in damage(),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let generator = format.get(generators());
        let options = Options { bytes: 1500, fill: seed % 2 == 0, ..Options::default() };
        let Ok(made) = generator.from_seed(seed, options) else { return Ok(()) };
        same(generator.plan(), &made.bytes)?;
        let mut bytes = damaged(made.bytes, &damage);
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        same(generator.plan(), &bytes)?;
    }
}

proptest! {
    #[test]
    fn steps_change_nothing_in_any_format(
        fields in descriptions::fields(),
        traces in prop::collection::vec(descriptions::bytes(), 1..6),
        seed in any::<u64>(),
    ) {
        let text = descriptions::text(&fields);
        let loaded = load(&Memory::new().with("random.ksy", text.as_str()), "random.ksy");
        let schema = loaded.schema.ok_or_else(|| TestCaseError::fail(text.clone()))?;
        let plan = lower(&Arc::new(schema), "random").map_err(|_| TestCaseError::fail(text.clone()))?;
        for bytes in &traces {
            same(&plan, bytes)?;
        }
        let generator = Generator::new(Arc::new(plan));
        if let Ok(made) = generator.from_seed(seed, Options { elements: 8, ..Options::about(200) }) {
            prop_assert!(judge(generator.plan(), &made.bytes).violation().is_none(), "{}", text);
            same(generator.plan(), &made.bytes)?;
        }
    }
}

proptest! {
    #[test]
    fn steps_change_nothing_in_formats_with_state(
        text in states::descriptions(),
        traces in prop::collection::vec(descriptions::bytes(), 1..6),
        damage in prop::collection::vec(damage(), 3),
        seed in any::<u64>(),
    ) {
        let loaded = load(&Memory::new().with("random.yaml", text.as_str()), "random.yaml");
        let errors = loaded.diagnostics.iter().filter(|said| said.severity == Severity::Error);
        let errors: Vec<&str> = errors.map(|said| said.message.as_str()).collect();
        prop_assert!(errors.is_empty(), "{errors:?} in\n{text}");
        let schema = loaded.schema.ok_or_else(|| TestCaseError::fail(text.clone()))?;
        let plan = lower(&Arc::new(schema), "random");
        let plan = plan.map_err(|errors| TestCaseError::fail(format!("{errors:?} in\n{text}")))?;
        for bytes in &traces {
            same(&plan, bytes)?;
        }
        let generator = Generator::new(Arc::new(plan));
        if let Ok(made) = generator.from_seed(seed, Options { elements: 8, ..Options::about(200) }) {
            let plan = generator.plan();
            let verdict = judge(plan, &made.bytes);
            prop_assert!(verdict.violation().is_none(), "{:?} in\n{}", verdict.violation(), text);
            same(plan, &made.bytes)?;
            let (_, tree) = decode_tree(plan, &made.bytes);
            let encoded = generator.encode(&tree).map_err(|error| TestCaseError::fail(format!("{error} in\n{text}")))?;
            prop_assert_eq!(&encoded.bytes, &made.bytes, "{}", text);
            for damage in &damage {
                same(plan, &damaged(made.bytes.clone(), damage))?;
            }
        }
    }
}
