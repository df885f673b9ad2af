use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_corpus::case::{Expected, ExpectedViolation, FaultClass, Provenance, Source};

use super::*;

fn case(id: &str, verdict: ExpectedVerdict, twin: Option<&str>) -> Case {
    let violation = (verdict == ExpectedVerdict::Reject).then(|| ExpectedViolation {
        rules: vec!["BROKEN".into()],
        class: FaultClass::Malformed,
        path: String::new(),
        start: 0,
        end: 0,
    });
    Case {
        id: id.into(),
        format: id.split('/').next().unwrap_or_default().into(),
        bytes: Arc::from(&b""[..]),
        repeated: None,
        expected: Expected {
            verdict,
            records: vec![vec![]],
            due: None,
            open: false,
            violation,
        },
        twin: twin.map(str::to_owned),
        provenance: Provenance {
            source: Source::Valid,
            rules: vec!["SHOWN".into()],
            operator: None,
            why: String::new(),
        },
        departures: Vec::new(),
        state: State::Active,
        version: 1,
    }
}

/// Returns `count` valid cases of one format, each with two malformed cases made from it.
fn corpus(count: usize) -> Vec<Case> {
    (0..count)
        .flat_map(|number| {
            let valid = format!("toy-v1/valid/{number}");
            let faulty = |fault: &str| {
                let id = format!("toy-v1/malformed/{fault}/{number}");
                case(&id, ExpectedVerdict::Reject, Some(&valid))
            };
            [
                case(&valid, ExpectedVerdict::Accept, None),
                faulty("a"),
                faulty("b"),
            ]
        })
        .collect()
}

fn reader() -> ReaderFile {
    let text = "{name: a, command: [a]}";
    ReaderFile::parse(text, Path::new("a.yaml"), &PathBuf::new()).unwrap()
}

fn ids(cases: &[Case], criteria: &Criteria) -> (Vec<String>, Vec<String>) {
    let Chosen { cases, counted } = choose(cases, criteria, &reader());
    let ids: Vec<String> = cases.iter().map(|case| case.id.clone()).collect();
    let (counted, support) = ids.split_at(counted);
    (counted.to_vec(), support.to_vec())
}

fn filter(text: &str) -> Criteria {
    Criteria {
        filters: vec![Pattern::new(text)],
        ..Criteria::default()
    }
}

#[test]
fn a_filter_finds_names_and_rules_and_brings_the_twins() {
    let cases = corpus(3);
    let (counted, support) = ids(&cases, &filter("*/a/1"));
    assert_eq!(counted, ["toy-v1/malformed/a/1"]);
    assert_eq!(support, ["toy-v1/valid/1"]);
    let (counted, support) = ids(&cases, &filter("valid/2"));
    assert_eq!(counted, ["toy-v1/valid/2"]);
    assert_eq!(support, ["toy-v1/malformed/a/2"]);
    assert_eq!(ids(&cases, &filter("BROKEN")).0.len(), 6);
    assert_eq!(ids(&cases, &filter("SHOWN")).0.len(), 9);
    assert_eq!(ids(&cases, &filter("nothing")), (vec![], vec![]));
}

#[test]
fn shards_share_out_every_case_once_and_keep_twins_together() {
    let cases = corpus(50);
    let mut all = Vec::new();
    for index in 1..=4 {
        let shard = Some(format!("{index}/4").parse().unwrap());
        let (counted, support) = ids(
            &cases,
            &Criteria {
                shard,
                ..Criteria::default()
            },
        );
        assert!(support.is_empty(), "{support:?}");
        assert!(
            (15..=66).contains(&counted.len()),
            "{} of 150",
            counted.len()
        );
        all.extend(counted);
    }
    all.sort();
    let mut expected: Vec<String> = cases.iter().map(|case| case.id.clone()).collect();
    expected.sort();
    assert_eq!(all, expected);
}

#[test]
fn a_shard_stays_the_same_when_cases_are_added() {
    let shard = Criteria {
        shard: Some("1/3".parse().unwrap()),
        ..Criteria::default()
    };
    let few = ids(&corpus(10), &shard).0;
    let many = ids(&corpus(40), &shard).0;
    assert!(few.iter().all(|id| many.contains(id)));
}

#[test]
fn shards_that_make_no_sense_are_refused() {
    for text in ["0/3", "4/3", "1", "a/b", "1/0", "-1/3"] {
        assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
    }
}

#[test]
fn formats_are_chosen_by_user_and_reader() {
    let cases = [
        case("toy-v1/a", ExpectedVerdict::Accept, None),
        case("toy-v2/a", ExpectedVerdict::Accept, None),
        case("toy-v2@odd/a", ExpectedVerdict::Accept, None),
        case("other-v1/a", ExpectedVerdict::Accept, None),
    ];
    let of = |name: &str| Criteria {
        formats: vec![name.into()],
        ..Criteria::default()
    };
    assert_eq!(ids(&cases, &of("toy")).0, ["toy-v1/a", "toy-v2/a"]);
    assert_eq!(ids(&cases, &of("toy-v2@odd")).0, ["toy-v2@odd/a"]);
    let mut reader = reader();
    reader.formats = vec!["other".into()];
    assert_eq!(choose(&cases, &of("toy"), &reader).counted, 0);
    assert_eq!(choose(&cases, &Criteria::default(), &reader).counted, 1);
}

#[test]
fn drafts_and_retired_cases_do_not_run() {
    let mut cases = corpus(1);
    cases[1].state = State::Draft;
    cases[2].state = State::Retired;
    assert_eq!(ids(&cases, &Criteria::default()).0, ["toy-v1/valid/0"]);
    cases[1].state = State::Disputed;
    assert_eq!(ids(&cases, &Criteria::default()).0.len(), 2);
}
