//! Tests how the harness handles each kind of misbehavior.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use common::{
    assert_all, assert_only_marked, corpus, marked, marked_processes, outcomes, parse, reader, run,
    run_with, valid,
};
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_results::{Outcome, Proof, ReaderResult, ReaderState};

use crate::common;

const MODES: [&str; 2] = ["serve", "once"];

#[test]
fn a_perfect_reader_proves_everything() {
    for mode in MODES {
        let result = run(reader(mode, "perfect", ""), &corpus(6));
        assert_all(&result, Outcome::Pass);
        assert_eq!(
            (result.totals.proven, result.totals.unproven),
            (12, 0),
            "{mode}"
        );
        let grades = result.totals.grades;
        assert_eq!(
            (grades.clean, grades.records.right, grades.class.right),
            (6, 6, 6)
        );
        assert_eq!((grades.byte.right, grades.byte.reported), (6, 6));
        assert_eq!(result.tail.observed.percent(), Some(100.0));
    }
}

#[test]
fn a_reader_of_verdicts_proves_itself_by_telling_twins_apart() {
    let mut file = reader("serve", "verdicts", "");
    file.reports = tracegauge_protocol::reader_file::Reports::Verdict;
    let result = run(file, &corpus(3));
    assert_eq!((result.totals.proven, result.totals.unproven), (6, 0));
    assert_eq!(result.tail.observed.percent(), Some(0.0));
}

#[test]
fn accepting_all_proves_nothing() {
    let result = run(reader("serve", "accepts-all", ""), &corpus(3));
    let expected = [Outcome::Pass, Outcome::WrongAccept].repeat(3);
    assert_eq!(outcomes(&result), expected);
    assert_eq!((result.totals.proven, result.totals.unproven), (0, 3));
    assert_eq!(result.cases[0].proof, Some(Proof::SiblingNotRejected));
}

#[test]
fn rejecting_all_proves_nothing() {
    let result = run(reader("serve", "rejects-all", ""), &corpus(3));
    let expected = [Outcome::WrongReject, Outcome::Pass].repeat(3);
    assert_eq!(outcomes(&result), expected);
    assert_eq!((result.totals.proven, result.totals.unproven), (0, 3));
    assert_eq!(result.cases[1].proof, Some(Proof::TwinNotAccepted));
}

#[test]
fn a_crash_is_charged_to_its_case_alone() {
    for mode in MODES {
        assert_all(
            &run(reader(mode, "crashes", ""), &corpus(3)),
            Outcome::Crash,
        );
        let result = run(marked(mode, "crashes"), &corpus(6));
        assert_only_marked(&result, Outcome::Crash);
        let detail = result.cases[4].detail.as_ref().unwrap();
        assert_eq!(detail.actual, "terminated with SIGABRT");
        assert_eq!(detail.stderr.as_deref(), Some("about to crash\n"));
        assert_eq!(result.totals.unsteady, 0);
    }
}

#[test]
fn a_reader_hangs_asleep_or_busy() {
    for mode in MODES {
        for behaviour in ["hangs", "spins"] {
            assert_only_marked(&run(marked(mode, behaviour), &corpus(4)), Outcome::Hang);
        }
    }
}

#[test]
fn a_reader_that_always_hangs_is_given_up() {
    let start = Instant::now();
    let mut file = reader("serve", "hangs", "");
    file.timeout = Duration::from_millis(30);
    let result = run(file, &corpus(60));
    let not_run = result.tail.not_run;
    assert!(not_run.cases > 100, "{not_run:?}");
    let why = "none of the first 3 cases was answered within 30ms; if the reader needs more time, \
               set `timeout` in the reader file";
    assert_eq!(not_run.why.as_deref(), Some(why));
    assert_eq!(result.totals.planned, 120);
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// Checks that each timeout counts as a failure, but that most of these cases are not run again.
#[test]
fn hangs_that_hang_again_are_not_tried_again_for_ever() {
    for mode in MODES {
        let result = run_with(reader(mode, "hangs", ""), &corpus(60), 10);
        assert_all(&result, Outcome::Hang);
        let hung = result.cases.len();
        assert!(hung >= 10, "{hung}");
        let wanted = format!(
            "{} of {hung} hangs were not retried in isolation because the first hung again",
            hung - 1
        );
        assert_eq!(result.tail.notes, [wanted], "{mode}");
    }
}

/// Checks that cases are run again more often for a reader that has answered other cases, because
/// it may only have been slow.
#[test]
fn hangs_of_a_reader_that_answers_are_tried_again_more_often() {
    let mut cases = corpus(2);
    cases.extend((0..6).map(|number| valid(&format!("marked-{number}"), &[number, 0xee])));
    let result = run_with(marked("once", "hangs"), &cases, 10);
    let hung = outcomes(&result);
    let hung = hung.iter().filter(|it| **it == Outcome::Hang).count();
    assert_eq!((hung, result.cases.len()), (6, 10));
    let wanted = "3 of 6 hangs were not retried in isolation because 3 in a row hung again";
    assert_eq!(result.tail.notes, [wanted]);
}

#[test]
fn what_hung_among_others_alone_is_no_hang_however_often() {
    let result = run_with(reader("serve", "hangs-after-3", ""), &corpus(8), 1);
    assert_all(&result, Outcome::Pass);
    assert_eq!(result.totals.unsteady, 4);
    assert_eq!(result.tail.notes, [""; 0]);
    assert_eq!(
        result.tail.crashes, [""; 0],
        "a busy machine may be the reason"
    );
}

#[test]
fn each_case_says_how_long_it_took() {
    for mode in MODES {
        let result = run(marked(mode, "hangs"), &corpus(4));
        for case in &result.cases {
            let seconds = case.seconds.unwrap();
            let is_long = seconds >= common::SHORT.as_secs_f64();
            assert_eq!(is_long, case.outcome == Outcome::Hang, "{case:?}");
            assert!(seconds > 0.0, "{case:?}");
        }
    }
}

#[test]
fn a_flood_is_stopped() {
    for mode in MODES {
        for behaviour in [
            "floods",
            "floods-a-line",
            "floods-lines",
            "floods-errors",
            "floods-error-lines",
        ] {
            let result = run(marked(mode, behaviour), &corpus(4));
            assert_only_marked(&result, Outcome::Flood);
        }
    }
}

#[test]
fn an_echo_is_no_answer() {
    for mode in MODES {
        let result = run(reader(mode, "echoes", ""), &corpus(3));
        assert_all(&result, Outcome::Protocol);
    }
}

#[test]
fn chatter_on_standard_output_is_a_breach_with_a_hint() {
    for mode in MODES {
        let result = run(reader(mode, "chatters", ""), &corpus(1));
        assert_all(&result, Outcome::Protocol);
        let detail = result.cases[0].detail.as_ref().unwrap();
        assert!(
            detail.actual.ends_with(": Reading trace..."),
            "{}",
            detail.actual
        );
        assert!(detail.hint.as_ref().unwrap().contains("standard error"));
    }
}

#[test]
fn a_bad_greeting_says_why_nothing_runs() {
    let greetings = [
        ("parrots", "by repeating it"),
        ("mumbles", "not a JSON object: ready."),
        ("future", "speaks version 2"),
        ("dies-at-once", "terminated with SIGABRT"),
    ];
    for (behaviour, why) in greetings {
        let result = run(reader("serve", behaviour, ""), &corpus(2));
        match &result.state {
            ReaderState::Failed(reason) => assert!(reason.contains(why), "{reason}"),
            other => panic!("{behaviour}: {other:?}"),
        }
    }
}

#[test]
fn a_reader_that_exits_after_the_greeting_cannot_run() {
    let result = run(reader("serve", "exits", ""), &corpus(40));
    let ReaderState::Failed(reason) = &result.state else {
        panic!("{:?}", result.state);
    };
    let why = "the reader answered none of the first 50 cases: it exits with status 1 each time\n    \
               cannot find the tables";
    assert_eq!(reason, why);
    assert!(result.cases.is_empty());
}

#[test]
fn lies_are_found_out_with_the_first_difference() {
    for mode in MODES {
        let result = run(reader(mode, "lies", ""), &corpus(2));
        let expected = [Outcome::WrongRecords, Outcome::WrongAccept].repeat(2);
        assert_eq!(outcomes(&result), expected);
        let difference = result.cases[0]
            .detail
            .as_ref()
            .unwrap()
            .difference
            .clone()
            .unwrap();
        assert_eq!((difference.record, difference.path.as_str()), (0, "value"));
        assert_eq!(
            (difference.expected.as_str(), difference.actual.as_str()),
            ("0", "12345")
        );
    }
}

#[test]
fn a_reader_that_sorts_is_right_only_where_it_says_so() {
    let result = run(reader("serve", "sorts", "order: time\n"), &corpus(3));
    assert_all(&result, Outcome::Pass);
    assert_eq!(result.totals.grades.records.right, 3);
    let result = run(reader("serve", "sorts", ""), &corpus(3));
    assert_eq!(result.cases[0].outcome, Outcome::WrongRecords);
}

#[test]
fn forked_children_are_killed() {
    for mode in MODES {
        nothing_is_left_of(mode, "forks");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn daemons_are_killed() {
    for mode in MODES {
        nothing_is_left_of(mode, "daemonises");
    }
}

/// Checks that no process started by a fake survives the run. The fake has to start the processes
/// in order to answer correctly.
fn nothing_is_left_of(mode: &str, behaviour: &str) {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    // All processes started by this reader inherit this variable.
    let mark = format!("FAKE_READER_OF={}-{number}", std::process::id());
    let mut file = reader(mode, behaviour, "");
    file.command
        .splice(0..0, ["/usr/bin/env".to_owned(), mark.clone()]);
    let start = Instant::now();
    let result = run(file, &corpus(3));
    assert_all(&result, Outcome::Pass);
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "nothing waits for a child's streams"
    );
    assert_eq!(
        marked_processes(&mark),
        Vec::<String>::new(),
        "some live on"
    );
}

#[test]
fn an_answer_before_its_records_is_a_breach() {
    for mode in MODES {
        let result = run(reader(mode, "answers-first", ""), &corpus(3));
        assert_all(&result, Outcome::Protocol);
    }
}

#[test]
fn answering_later_requests_first_is_a_hang() {
    let mut file = reader("serve", "out-of-order", "");
    file.timeout = Duration::from_millis(50);
    assert_all(&run(file, &corpus(2)), Outcome::Hang);
}

#[test]
fn answering_twice_is_found_whenever_the_second_answer_comes() {
    for behaviour in ["twice", "twice-slowly"] {
        let result = run(reader("serve", behaviour, ""), &corpus(3));
        assert_all(&result, Outcome::Protocol);
        // The answers to the other cases came from the same processes but are correct.
        assert_only_marked(
            &run(marked("serve", behaviour), &corpus(5)),
            Outcome::Protocol,
        );
    }
    assert_all(
        &run(reader("once", "twice", ""), &corpus(2)),
        Outcome::Protocol,
    );
}

/// The late second answer to the first case counts as the answer to the last case, whose file then no
/// longer exists when the reader gets to it. The reader exits with a failure and writes nothing more.
#[test]
fn a_late_second_answer_is_found_even_if_the_reader_fails_at_the_next_case() {
    let result = run_with(reader("serve", "twice-with-pauses", ""), &corpus(1), 1);
    assert_all(&result, Outcome::Protocol);
}

#[test]
fn a_reader_that_answers_twice_only_later_is_told() {
    let result = run_with(reader("serve", "twice-after-3", ""), &corpus(5), 1);
    assert_all(&result, Outcome::Pass);
    let notes = result.tail.notes.join("\n");
    assert!(notes.contains("output without a request"), "{notes}");
    let result = run(reader("serve", "perfect", ""), &corpus(5));
    assert!(result.tail.notes.is_empty(), "{:?}", result.tail.notes);
}

#[test]
fn damage_of_earlier_cases_is_not_charged_to_a_later_one() {
    let result = run_with(reader("serve", "dies-after-3", ""), &corpus(5), 1);
    assert_all(&result, Outcome::Pass);
    assert_eq!(result.totals.unsteady, 2, "every fourth, of ten");
    let unsteady: Vec<&str> = result
        .cases
        .iter()
        .filter_map(|case| case.unsteady.as_deref())
        .collect();
    assert_eq!(unsteady, ["terminated with SIGABRT"; 2]);
    // No case fails, but the reader did crash.
    let [crash] = result.tail.crashes.as_slice() else {
        panic!("{:?}", result.tail.crashes);
    };
    assert!(
        crash.starts_with("terminated with SIGABRT, during "),
        "{crash}"
    );
    assert!(crash.contains(" and 1 other case;"), "{crash}");
}

#[test]
fn a_crash_right_after_an_answer_is_charged_to_its_case() {
    for jobs in [1, 2] {
        let result = run_with(marked("serve", "dies-afterwards"), &corpus(8), jobs);
        assert_only_marked(&result, Outcome::Crash);
        assert_eq!(result.totals.unsteady, 0);
        assert_eq!(result.tail.crashes, [""; 0]);
    }
}

#[test]
fn what_a_reader_writes_to_files_is_bounded() {
    for mode in MODES {
        let result = run(marked(mode, "fills-a-file"), &corpus(4));
        assert_only_marked(&result, Outcome::Flood);
        let mut file = marked(mode, "litters");
        file.timeout = Duration::from_secs(5);
        assert_only_marked(&run(file, &corpus(4)), Outcome::Flood);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_bounded() {
    for mode in MODES {
        let mut file = marked(mode, "leaks");
        file.memory = 100 << 20;
        file.timeout = Duration::from_secs(5);
        let result = run(file, &corpus(4));
        assert_only_marked(&result, Outcome::OutOfMemory);
    }
}

#[test]
fn signals_that_are_ignored_do_not_help() {
    for mode in MODES {
        let mut file = marked(mode, "hangs");
        let script = "trap '' TERM INT HUP PIPE ALRM; exec \"$0\" \"$@\"";
        file.command
            .splice(0..0, ["sh".into(), "-c".into(), script.into()]);
        assert_only_marked(&run(file, &corpus(4)), Outcome::Hang);
    }
}

#[test]
fn exit_statuses_mean_what_the_protocol_says() {
    let once = |behaviour: &str, more: &str| {
        let text = format!(
            "name: a\ncommand: ['{}', once, {behaviour}]\ntimeout: 2s\n{more}",
            common::FAKE
        );
        run(parse(&text), &corpus(2))
    };
    let result = once("statuses", "");
    assert_all(&result, Outcome::Pass);
    assert_eq!(result.totals.proven, 4);

    let result = once("status-1", "");
    assert_all(&result, Outcome::Pass);
    assert_eq!(
        result.totals.perhaps_crashed, 2,
        "a crash cannot be ruled out"
    );
    assert_eq!(
        result.totals.proven, 0,
        "and so proves no acceptance either"
    );

    let result = once("status-1", "statuses: {1: reject}\n");
    assert_eq!(result.totals.proven, 4);

    assert_all(&once("status-69", ""), Outcome::UndeclaredGap);
    assert_all(
        &once("status-69", "unsupported: [toy-v1]\n"),
        Outcome::Unsupported,
    );
    assert_all(&once("status-42", ""), Outcome::Crash);
    let result = once("environment", "");
    assert_eq!(
        outcomes(&result),
        [Outcome::Pass, Outcome::WrongAccept].repeat(2)
    );
}

#[test]
fn a_gap_is_forgiven_where_it_is_declared() {
    let mut file = marked("serve", "gap");
    assert_only_marked(&run(file.clone(), &corpus(4)), Outcome::UndeclaredGap);
    file.unsupported = vec!["mark".into()];
    let result = run(file, &corpus(4));
    assert_only_marked(&result, Outcome::Unsupported);
    assert_eq!(result.totals.failures, 0);
}

#[test]
fn a_declared_gap_that_never_shows_is_noted() {
    let mut file = reader("serve", "perfect", "");
    file.unsupported = vec!["mark".into()];
    let result = run(file, &corpus(2));
    assert!(
        result.tail.notes.iter().any(|note| note.contains("mark")),
        "{:?}",
        result.tail
    );
}

#[test]
fn a_command_for_a_first_look_is_fed_as_it_asks() {
    let look = |arguments: &[&str]| {
        let mut command = vec![common::FAKE.to_owned(), "once".into(), "perfect".into()];
        command.extend(arguments.iter().map(|text| (*text).to_owned()));
        run(ReaderFile::ad_hoc(command, "/".into()), &corpus(2))
    };
    for arguments in [&[][..], &["{file}"]] {
        let result = look(arguments);
        assert_all(&result, Outcome::Pass);
        assert_eq!(result.totals.proven, 4);
    }
    // The fault in the toy format is not valid UTF-8, which this fake requires on standard input.
    let result: ReaderResult = look(&["{stdin}", "-"]);
    assert_eq!(outcomes(&result)[0], Outcome::Pass);
}

#[test]
fn a_stream_is_read_to_its_end_whatever_its_pieces() {
    let right = run(reader("once", "perfect", "stdin: true\n"), &corpus(4));
    assert_all(&right, Outcome::Pass);
    let hasty = run(reader("once", "reads-once", "stdin: true\n"), &corpus(4));
    assert_all(&hasty, Outcome::Protocol);
    let detail = hasty.cases[0].detail.as_ref().unwrap();
    assert!(
        detail.actual.contains("sent byte by byte") && detail.actual.contains("as a whole: accept"),
        "{}",
        detail.actual
    );
    // A trace is fed on standard input only to readers that declare support for it.
    assert_all(
        &run(reader("once", "reads-once", ""), &corpus(4)),
        Outcome::Pass,
    );
}

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let strip = |mut result: ReaderResult| {
        result.tail.seconds = 0.0;
        result.cases.iter_mut().for_each(|case| case.seconds = None);
        result
    };
    let one = strip(run_with(marked("serve", "crashes"), &corpus(40), 1));
    let four = strip(run_with(marked("serve", "crashes"), &corpus(40), 4));
    assert_eq!(one, four);
}

#[test]
fn readers_start_in_an_empty_folder_without_our_descriptors() {
    // Like a descriptor inherited from a shell, the descriptor lacks the close-on-exec flag.
    let file = tempfile::tempfile().unwrap();
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
    let text = "name: a\ntimeout: 5s\ncommand: [sh, -c, \
        'test -z \"$(ls -A)\" && test \"$(ls /proc/self/fd | wc -l)\" -le 4', x]\n";
    let result = run(parse(text), &corpus(2));
    assert_eq!(outcomes(&result)[0], Outcome::Pass, "{:?}", result.cases[0]);
}

#[test]
fn an_interrupted_run_says_so_and_adds_up() {
    use std::sync::atomic::AtomicBool;
    use tracegauge_harness::runner::{self, Config, Participant};
    let stop = AtomicBool::new(true);
    let config = Config {
        criteria: Default::default(),
        strictness: Default::default(),
        jobs: 2,
        limits: common::limits(),
        stop: &stop,
        time: &tracegauge_harness::schedule::TimeLimit::default(),
        seed: tracegauge_harness::schedule::Seed::default(),
        repeat: 0,
        journals: None,
        formats: None,
    };
    let participant = Participant {
        reader: reader("serve", "perfect", ""),
        baseline: None,
    };
    let mut collector = tracegauge_reports::Collector::new();
    runner::run(&config, &corpus(3), &[], &[participant], &mut collector).unwrap();
    let result = collector.into_result().unwrap().readers.remove(0);
    assert_eq!((result.totals.planned, result.totals.not_run), (6, 6));
    assert!(result.totals.add_up());
    assert_eq!(result.tail.not_run.why.as_deref(), Some("interrupted"));
}
