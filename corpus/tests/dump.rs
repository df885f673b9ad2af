//! Tests that a dump marks exactly the bytes of the fault.
#![allow(clippy::unwrap_used)]

use tracegauge_corpus::dump::dump;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;

/// Returns the position and the number of the bytes on a line.
fn bytes_of(line: &str) -> (u64, u64) {
    let start = u64::from_str_radix(&line[2..10], 16).unwrap();
    let digits = line.get(11..34).unwrap_or(&line[10..]);
    (start, digits.split_whitespace().count() as u64)
}

#[test]
fn the_marked_lines_of_a_dump_have_the_bytes_of_the_fault_and_no_others() {
    let (formats, _) = Formats::able(&[]).unwrap();
    let suite = Suite::of_files(formats, &Store::nearest(), &()).unwrap();
    let mut partly = 0;
    for case in &suite.cases {
        let Some(fault) = &case.expected.violation else {
            continue;
        };
        let plan = suite.formats.plan(&case.format).unwrap();
        let mut text = Vec::new();
        dump(plan, &case.bytes, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut marked = 0;
        for line in text.lines().filter(|line| line.starts_with('!')) {
            let (start, count) = bytes_of(line);
            let is_inside = fault.start <= start && start + count <= fault.end;
            assert!(is_inside, "{}\n{line}\n{text}", case.id);
            marked += count;
        }
        let bytes = fault.end.min(case.bytes.len() as u64) - fault.start;
        // The dump omits some bytes of a long field, and a part that was decoded earlier because of
        // its position hides the unread bytes before it.
        if marked > 0 && !text.contains(" bytes in total") {
            assert_eq!(marked, bytes, "{}\n{text}", case.id);
            partly += u64::from(!bytes.is_multiple_of(8));
        }
    }
    assert!(partly > 100, "{partly}");
}
