//! Fuzz targets that parse text written by people and readers: descriptions, baselines, reader
//! files and answers.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use tracegauge_corpus::case::Expected;
use tracegauge_corpus::expected::examine;
use tracegauge_decoder::decode;
use tracegauge_decoder::record::write_record;
use tracegauge_judge::baseline::Baseline;
use tracegauge_judge::compare::{Matcher, Reporting, Seen};
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_protocol::{Greeting, Line, parse_line};
use tracegauge_spec::bundled::{self, Bundled};
use tracegauge_spec::load::{Files as _, Memory, load};
use tracegauge_spec::lower::lower;

use crate::formats::{SMALL, chosen, generators};

/// Loads arbitrary text as a description. Loading must either report errors or produce a plan, and
/// must never panic.
pub fn description(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let files = Memory::new().with("any.yaml", text);
    let Some(schema) = load(&files, "any.yaml").schema else {
        return;
    };
    let schema = Arc::new(schema);
    for dialect in &schema.dialects {
        // Lowering reports constructs that it does not support, so an error is acceptable.
        let _ = lower(&schema, &dialect.id);
    }
}

/// Returns the bundled descriptions as seeds of [`description`]. A description that consists of
/// several files yields only errors, because the other files are missing.
pub fn descriptions() -> Vec<(String, Vec<u8>)> {
    let texts = bundled::list().iter().filter_map(|format| {
        let text = Bundled.read(format.path).ok()?;
        Some((format.id.clone(), text.into_bytes()))
    });
    texts.collect()
}

/// Parses arbitrary text as a baseline and as a reader file. Writing a valid baseline and reading
/// it back must not change it.
///
/// # Panics
/// Panics if the baseline changes.
pub fn configuration(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let file = Path::new("any.yaml");
    // An invalid reader file is reported as an error, which is acceptable.
    let _ = ReaderFile::parse(text, file, Path::new("."));
    if let Ok(baseline) = Baseline::parse(text, file)
        && let Ok(written) = serde_yaml::to_string(&baseline.entries)
    {
        let again = Baseline::parse(&written, file);
        let same = again.is_ok_and(|again| again.entries == baseline.entries);
        assert!(
            same,
            "a baseline changes when it is written and read again:\n{written}"
        );
    }
}

/// Returns baselines and reader files as seeds of [`configuration`].
pub fn configurations() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let readers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../readers");
    let folders = std::fs::read_dir(readers).into_iter().flatten().flatten();
    for folder in folders {
        for name in ["known-failures.yaml", "reader.yaml"] {
            if let Ok(text) = std::fs::read(folder.path().join(name)) {
                let folder = folder.file_name();
                found.push((format!("{}-{name}", folder.to_string_lossy()), text));
            }
        }
    }
    found
}

/// Returns a trace of each dialect, with the answer expected from a reader.
fn expected() -> &'static [(Vec<u8>, Expected)] {
    static EXPECTED: OnceLock<Vec<(Vec<u8>, Expected)>> = OnceLock::new();
    EXPECTED.get_or_init(|| {
        let traces = generators().iter().map(|generator| {
            let made = generator.from_seed(1, SMALL);
            let bytes = made.map(|made| made.bytes).unwrap_or_default();
            let expected = examine(generator.plan(), &bytes).expected;
            (bytes, expected)
        });
        traces.collect()
    })
}

/// Interprets arbitrary bytes as the output of a reader. Each line must be classified as a record,
/// the closing line or a protocol violation. The records are compared with the expected records of
/// a trace.
pub fn answer(data: &[u8]) -> Option<Seen> {
    let (generator, text) = chosen(data)?;
    let place = generators()
        .iter()
        .position(|other| other.plan().format == generator.plan().format)?;
    let (_, expected) = expected().get(place)?;
    let reporting = Reporting::default();
    let mut matcher = Matcher::new(expected, &generator.plan().format, &reporting);
    for line in text.split(|byte| *byte == b'\n') {
        // A line that is not a greeting is reported as an error, which is acceptable.
        let _ = Greeting::parse(line);
        match parse_line(line) {
            Ok(Line::Record(record)) => matcher.record(&record),
            Ok(Line::Blank) => {}
            Ok(Line::Closing(_)) | Err(_) => break,
        }
    }
    Some(matcher.finish())
}

/// Returns correct answers as seeds of [`answer`].
pub fn answers() -> Vec<(String, Vec<u8>)> {
    let mut answers = Vec::new();
    for ((which, generator), (bytes, _)) in (0_u8..).zip(generators()).zip(expected()) {
        let plan = generator.plan();
        let mut text = vec![which];
        for record in decode(plan, bytes).1 {
            write_record(&record, &mut text);
            text.push(b'\n');
        }
        text.extend_from_slice(b"{\"end\":\"accept\"}\n");
        answers.push((plan.format.replace('@', "-"), text));
    }
    answers
}
