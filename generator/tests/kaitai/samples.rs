//! Plain Kaitai Struct descriptions with handwritten samples.
//!
//! Each `NAME.ksy` has a `NAME.txt` whose sections start with a header line: the bytes of a valid
//! sample (`accept`), its tree (`tree`), the bytes of an invalid sample (`reject PATH @OFFSET`),
//! and expressions with their values (`query EXPR`).

use std::path::Path;
use std::sync::Arc;

use tracegauge_plan::Plan;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;
use tracegauge_spec::schema::Schema;

/// A description with its samples.
#[allow(dead_code)]
pub struct Sample {
    /// The name of the description.
    pub name: String,
    /// The declarations of the description.
    #[allow(dead_code, reason = "only the tests of queries need them")]
    pub schema: Arc<Schema>,
    /// The plan of the description.
    pub plan: Arc<Plan>,
    /// A valid sample.
    pub accepted: Vec<u8>,
    /// The tree of the valid sample, as JSON.
    pub tree: String,
    /// An invalid sample, the path of the violation, and its start.
    pub rejected: (Vec<u8>, String, u64),
    /// Expressions and their values, as JSON.
    pub queries: Vec<(String, String)>,
}

/// Loads all samples.
pub fn samples() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generator/tests/kaitai");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .filter_map(|entry| {
            let name = entry.expect("it can be listed").file_name();
            Some(name.to_str()?.strip_suffix(".ksy")?.to_owned())
        })
        .collect();
    names.sort();
    names.iter().map(|name| sample(&folder, name)).collect()
}

fn lowered(name: &str, text: &str) -> (Arc<Schema>, Arc<Plan>) {
    let file = format!("{name}.ksy");
    let loaded = load(&Memory::new().with(file.as_str(), text), &file);
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert_eq!(loaded.diagnostics.errors(), 0, "{shown}");
    let schema = Arc::new(loaded.schema.expect("there are no mistakes"));
    match lower(&schema, &schema.dialects[0].id) {
        Ok(plan) => (schema, Arc::new(plan)),
        Err(errors) => {
            let errors = errors.iter().map(|error| {
                let place = schema.sources.line_column(error.span);
                format!("{name}: {place:?}: {}\n", error.message)
            });
            panic!("{}", errors.collect::<String>());
        }
    }
}

/// Returns the plan of a description without its `meta` key.
#[allow(dead_code, reason = "only the tests of the generator need it")]
pub fn plan_of(name: &str, text: &str) -> Arc<Plan> {
    let text = format!("meta: {{ id: {name}, endian: le, encoding: ASCII }}\n{text}");
    lowered(name, &text).1
}

fn sample(folder: &Path, name: &str) -> Sample {
    let read = |ending: &str| {
        let path = folder.join(format!("{name}.{ending}"));
        std::fs::read_to_string(path).expect("it can be read")
    };
    let (schema, plan) = lowered(name, &read("ksy"));
    let mut sample = Sample {
        name: name.to_owned(),
        schema,
        plan,
        accepted: Vec::new(),
        tree: String::new(),
        rejected: (Vec::new(), String::new(), 0),
        queries: Vec::new(),
    };
    let text = read("txt");
    let mut heading = "";
    for line in text.lines() {
        if !line.starts_with(' ') {
            heading = line;
            if let Some(expression) = line.strip_prefix("query ") {
                sample.queries.push((expression.to_owned(), String::new()));
            }
            if let Some((path, at)) = line
                .strip_prefix("reject ")
                .and_then(|rest| rest.rsplit_once(" @"))
            {
                sample.rejected.1 = path.to_owned();
                sample.rejected.2 = at.parse().expect("an offset");
            }
            continue;
        }
        match heading.split(' ').next() {
            Some("accept") => sample.accepted.extend(bytes(line)),
            Some("reject") => sample.rejected.0.extend(bytes(line)),
            Some("tree") => sample.tree.push_str(line),
            Some("query") => {
                let (_, value) = sample.queries.last_mut().expect("a query");
                value.push_str(line.trim());
            }
            _ => {}
        }
    }
    assert!(
        !sample.accepted.is_empty() && !sample.queries.is_empty(),
        "{name}"
    );
    sample
}

/// Parses a line of hexadecimal bytes and ignores its comment.
fn bytes(line: &str) -> Vec<u8> {
    let line = line.split('#').next().unwrap_or_default();
    line.split_whitespace()
        .map(|digits| u8::from_str_radix(digits, 16).expect("two digits"))
        .collect()
}
