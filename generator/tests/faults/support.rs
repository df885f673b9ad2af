//! Plans and twins for the tests.

use std::path::PathBuf;
use std::sync::Arc;

use tracegauge_generator::fault::{Systematic, ValidTrace, decoded, prefixes};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;
use tracegauge_spec::{bundled, diagnostic};

/// Returns the plan of a description given as text.
pub fn described(text: &str, dialect: &str) -> Plan {
    let loaded = load(&Memory::new().with("format.yaml", text), "format.yaml");
    let shown: Vec<&diagnostic::Diagnostic> = loaded.diagnostics.iter().collect();
    let schema = Arc::new(loaded.schema.unwrap_or_else(|| panic!("{shown:?}")));
    lower(&schema, dialect).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Returns the plan of a bundled description.
pub fn bundled(dialect: &str) -> Plan {
    let schema = Arc::new(bundled::find(dialect)[0].load().schema.unwrap());
    lower(&schema, dialect).unwrap()
}

/// Returns the real files of a format.
pub fn real(folder: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../corpus/real")
        .join(folder);
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end != "json"))
        .collect();
    names.sort();
    names
        .iter()
        .map(|name| std::fs::read(name).unwrap())
        .collect()
}

/// Returns traces and their prefixes, with their trees.
pub fn with_prefixes(plan: &Plan, traces: Vec<Vec<u8>>) -> Vec<ValidTrace> {
    let whole = decoded(plan, traces);
    let mut all: Vec<Vec<u8>> = Vec::new();
    for trace in &whole {
        all.push(trace.bytes.clone());
        all.extend(prefixes(plan, &trace.bytes, &trace.tree));
    }
    decoded(plan, all)
}

/// Returns the sorted identities of the cases.
pub fn identities(found: &Systematic) -> Vec<&str> {
    let mut ids: Vec<&str> = found
        .cases
        .iter()
        .map(|(_, case)| case.id.as_str())
        .collect();
    ids.sort_unstable();
    ids
}

/// Parses hexadecimal digits separated by white space.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .chars()
        .filter_map(|c| c.to_digit(16).map(|d| u8::try_from(d).unwrap()))
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

/// Compares lines with the file `name` next to the tests. With `TRACEGAUGE_UPDATE=1`, writes the
/// file first.
pub fn golden(name: &str, lines: &[&str]) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/faults")
        .join(name);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if std::env::var_os("TRACEGAUGE_UPDATE").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    for (known, found) in known.lines().zip(text.lines()) {
        assert_eq!(
            found, known,
            "{name} differs; TRACEGAUGE_UPDATE=1 rewrites it"
        );
    }
    assert_eq!(text.lines().count(), known.lines().count(), "{name}");
}

/// Returns whether a format is part of the corpus. The descriptions of other formats may still be
/// incorrect.
fn in_corpus(format: &str) -> bool {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!("../corpus/manifest/{format}.yaml");
    root.join(manifest).is_file()
}

/// Returns the plans of all formats of the corpus.
pub fn plans() -> Vec<Plan> {
    let mut plans = Vec::new();
    for format in bundled::list() {
        let schema = Arc::new(format.load().schema.unwrap());
        let dialects = schema
            .dialects
            .iter()
            .filter(|dialect| in_corpus(&dialect.id));
        plans.extend(dialects.map(|dialect| lower(&schema, &dialect.id).expect("a plan")));
    }
    plans
}

/// Generates random traces of a format.
pub fn generated(plan: &Plan, seeds: std::ops::Range<u64>) -> Vec<Vec<u8>> {
    let generator = Generator::new(Arc::new(plan.clone()));
    let options = Options {
        bytes: 400,
        elements: 4,
        ..Options::default()
    };
    let made = seeds.filter_map(|seed| generator.from_seed(seed, options).ok());
    made.map(|made| made.bytes).collect()
}
