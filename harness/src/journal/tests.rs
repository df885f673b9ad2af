use proptest::prelude::*;

use tracegauge_protocol::{Answer, Breach, Breakdown, Death, Rejection};

use super::*;

fn response(number: u64) -> Response {
    let answer = match number % 6 {
        0 => Answer::Accept,
        1 => Answer::Reject(Rejection {
            why: Some("line\nbreak \"quoted\"".to_owned()),
            class: None,
            offset: Some(number),
            perhaps_crashed: number.is_multiple_of(2),
        }),
        2 => Answer::Unsupported { feature: None },
        3 => Answer::Broke(Breakdown::Crash(Death::Signal(11), None)),
        4 => Answer::Broke(Breakdown::Hang(std::time::Duration::from_millis(number))),
        _ => Answer::Broke(Breakdown::Protocol(Breach::Neither("\u{1b}".to_owned()))),
    };
    Response {
        answer,
        seen: None,
        stderr: format!("{number}\u{0}"),
        unsteady: None,
        stray: None,
        seconds: None,
    }
}

fn text(answers: &[(u8, u64)]) -> Vec<u8> {
    let mut text = serde_json::to_vec(&NewLine::Reader("r")).unwrap();
    for (case, number) in answers {
        text.push(b'\n');
        let line = NewLine::Answer {
            case: &format!("case-{case}"),
            version: 1,
            bytes: "",
            response: &response(*number),
        };
        serde_json::to_writer(&mut text, &line).unwrap();
    }
    text.push(b'\n');
    text
}

fn empty() -> Journal {
    Journal {
        path: PathBuf::new(),
        out: None,
        known: HashMap::new(),
        greeting: None,
        seed: Seed::default(),
        failure: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Checks that a journal cut off at any byte contains exactly the lines that were complete.
    #[test]
    fn what_was_written_before_the_cut_is_known(
        answers in prop::collection::vec((0_u8..5, 0_u64..1000), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let whole = text(&answers);
        let cut = cut.index(whole.len() + 1);
        let mut journal = empty();
        let kept = journal.take_in(&whole[..cut], "r");
        prop_assert!(kept <= cut);
        let lines = whole[..kept].iter().filter(|byte| **byte == b'\n').count();
        let due = &answers[..lines.saturating_sub(1)];
        for case in 0..5 {
            let last = due.iter().rev().find(|(other, _)| *other == case);
            let known = journal.known.get(&format!("case-{case}"));
            let known = known.map(|known| format!("{:?}", known.response));
            prop_assert_eq!(known, last.map(|(_, number)| format!("{:?}", response(*number))));
        }
        // New lines must be appended to a complete line.
        prop_assert!(kept == 0 || whole[kept - 1] == b'\n');
    }

    #[test]
    fn no_text_is_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut journal = empty();
        prop_assert!(journal.take_in(&bytes, "r") <= bytes.len());
        let mut behind = text(&[(1, 1)]);
        let whole = behind.len();
        behind.extend(&bytes);
        let mut journal = empty();
        prop_assert!(journal.take_in(&behind, "r") >= whole);
        prop_assert!(journal.known.contains_key("case-1"));
    }
}

#[test]
fn the_journal_of_another_reader_is_none() {
    let mut journal = empty();
    assert_eq!(journal.take_in(&text(&[(1, 1)]), "other"), 0);
    assert!(journal.known.is_empty());
}

#[test]
fn an_answer_that_is_forgotten_is_none() {
    let mut lines = text(&[(1, 1), (2, 2)]);
    serde_json::to_writer(&mut lines, &NewLine::Forget("case-1")).unwrap();
    lines.push(b'\n');
    let mut journal = empty();
    assert_eq!(journal.take_in(&lines, "r"), lines.len());
    assert_eq!(journal.known.keys().collect::<Vec<_>>(), ["case-2"]);
}

/// Checks that answers given under other declarations are not reused, because they were compared or
/// contained differently.
#[test]
fn each_declaration_of_the_reader_file_makes_another_journal() {
    let identity_of = |declared: &str| {
        let text = format!("name: mine\ncommand: [sh]\n{declared}\n");
        let reader = ReaderFile::parse(&text, Path::new("mine.yaml"), Path::new("/"));
        let reader = reader.unwrap();
        identity(&reader, &reader.prepare().unwrap())
    };
    let declarations = [
        "",
        "reports: records",
        "order: time",
        "omits: [note.level]",
        "omits: [note]",
        "mode: serve",
        "statuses: {1: reject}",
        "crashes: ['FATAL: ']",
        "stdin: true",
        "timeout: 9s",
        "memory: 9MiB",
    ];
    let identities: HashSet<String> = declarations.iter().map(|it| identity_of(it)).collect();
    assert_eq!(identities.len(), declarations.len());
    assert_eq!(identity_of("baseline: known.yaml"), identity_of(""));
}
