//! Tests which failures have the same cause and which have different causes.

use super::{
    PASS, REJECT, cause, causes, differs, differs_in, lacks, one_of, owned, result, says, valid,
    with_fault, wrong,
};
use tracegauge_results::{
    CaseResult, Confidence, FormatSummary, Impact, KindCount, LookAt, NOT_IN_FORMAT, Outcome,
    RecordFault, Symptom, Verdicts,
};

#[test]
fn a_departure_explains_all_cases_that_contain_it() {
    let cause = cause(&[
        valid("plain", &[], &["R"], PASS),
        valid("one", &["EXTRA"], &["R", "EXTRA"], REJECT),
        valid("other", &["GAP"], &["R", "GAP"], PASS),
        valid("two", &["GAP", "EXTRA"], &["R", "GAP", "EXTRA"], REJECT),
    ]);
    assert_eq!(cause.headline, "rejects valid traces with EXTRA");
    assert_eq!(cause.impact, Impact::Legal);
    assert_eq!(cause.rule.as_deref(), Some("EXTRA"));
    assert_eq!(cause.confidence, Confidence::Proven);
    assert_eq!((cause.simplest.as_str(), cause.alone), ("one", 2));
    assert_eq!(cause.cases, ["one", "two"]);
}

#[test]
fn values_of_several_types_have_several_causes() {
    let causes = causes(&[
        valid("a", &[], &["MAGIC"], PASS),
        wrong(
            "b",
            &[],
            &["MAGIC", "NARROW"],
            "values[0].value",
            &["NARROW"],
        ),
        wrong(
            "c",
            &[],
            &["MAGIC", "NARROW", "WIDE"],
            "values[3].value",
            &["WIDE"],
        ),
    ]);
    let rules: Vec<&str> = causes.iter().filter_map(|it| it.rule.as_deref()).collect();
    assert_eq!(rules, ["NARROW", "WIDE"]);
    assert_eq!(causes[0].headline, "values[].value is wrong");
    assert_eq!(causes[0].symptom, causes[1].symptom);
}

#[test]
fn what_is_wrong_inside_a_wrong_member_is_explained_by_it() {
    let all = [
        valid("a", &[], &["MAGIC"], PASS),
        wrong("b", &[], &["POINTER"], "value", &["POINTER"]),
        wrong("c", &[], &["POINTER", "TRUTH"], "value[]", &["TRUTH"]),
    ];
    let one = cause(&all);
    assert_eq!(one.rule.as_deref(), Some("POINTER"));
    assert_eq!(one.cases, ["b", "c"]);
    let elsewhere = wrong("d", &[], &["TRUTH"], "value[]", &["TRUTH"]);
    let causes = causes(&[all.as_slice(), &[elsewhere]].concat());
    assert_eq!(causes.len(), 2, "not all of these traces have a pointer");
}

#[test]
fn rejections_of_one_rule_are_one_cause_whatever_the_reader_says() {
    let rejects = |id, actual| says(valid(id, &[], &["R"], REJECT), actual);
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        rejects("b", "no string at 23"),
        rejects("c", "no string at 24"),
        rejects("d", "a name is missing"),
        rejects("e", "a name is missing"),
    ]);
    assert_eq!(cause.cases, ["b", "c", "d", "e"]);
    assert_eq!(cause.rule.as_deref(), Some("R"));
}

#[test]
fn the_byte_at_which_a_reader_stops_tells_which_rule_comes_first() {
    let stops = |id: &str, near: &[&str]| {
        let mut case = says(
            valid(id, &[], &["LEVEL", "PARTS"], REJECT),
            "nothing is left",
        );
        let mut place = LookAt::new(b"ab", None, 1, 1);
        place.near = owned(near);
        case.detail.as_mut().unwrap().look_at = Some(place);
        case
    };
    let cause = cause(&[
        valid("a", &[], &["LEVEL", "PARTS"], PASS),
        stops("b", &["PARTS", "OTHER"]),
        stops("c", &["MORE", "PARTS"]),
    ]);
    assert_eq!(cause.confidence, one_of(&["PARTS", "LEVEL"]));
}

#[test]
fn a_member_that_is_wrong_for_no_visible_reason_is_one_cause() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC", "DELTA"], PASS),
        wrong("b", &[], &["DELTA"], "timestamp", &["DELTA"]),
        wrong("c", &[], &["MAGIC", "DELTA"], "timestamp", &["DELTA"]),
    ]);
    assert_eq!(cause.cases, ["b", "c"]);
    assert!(cause.feature.is_empty());
    assert_eq!(cause.confidence, one_of(&["DELTA"]));
}

/// Checks that a member that is wrong in every trace leads to a single cause: if no trace passes,
/// nothing distinguishes the failing traces.
#[test]
fn a_member_that_is_wrong_in_every_trace_is_one_cause() {
    let causes = causes(&[
        wrong("a", &[], &["ONE"], "timestamp", &["DELTA"]),
        wrong("b", &[], &["TWO"], "timestamp", &["DELTA"]),
        wrong("c", &["EXTRA"], &["TWO"], "timestamp", &["DELTA"]),
        valid("d", &["EXTRA"], &["TWO"], REJECT),
    ]);
    assert_eq!(causes[0].cases, ["a", "b", "c"]);
    // The reader accepts c, so nothing in c can be the reason for the rejection of d.
    assert_eq!(causes[0].alone, 3);
    assert!(causes[0].feature.is_empty());
    assert_eq!(causes[0].confidence, Confidence::Likely);
    assert_eq!(causes[1].cases, ["d"]);
    assert_eq!(causes[1].alone, 0, "the timestamp is probably wrong too");
}

/// Checks a case without a candidate for the feature. Hand-written cases do not list all rules that
/// they exercise.
#[test]
fn a_case_without_candidates_joins_a_cause_that_looks_the_same() {
    let cause = cause(&[
        valid("a", &[], &["MAGIC", "KIND"], PASS),
        wrong("b", &[], &["DELTA"], "timestamp", &["DELTA"]),
        wrong("c", &[], &["KIND", "MAGIC"], "timestamp", &["DELTA"]),
    ]);
    assert_eq!(cause.cases, ["b", "c"]);
    assert_eq!(cause.rule.as_deref(), Some("DELTA"));
}

#[test]
fn rejections_that_nothing_distinguishes_share_a_cause_if_the_reader_gives_one_reason() {
    let all = [valid("a", &[], &["R", "S", "T"], PASS)];
    let rejected = |id: &str, rule, why: &str| says(valid(id, &[], &[rule], REJECT), why);
    let more = [
        rejected("b", "R", "reject at byte 3: bad kind 7"),
        rejected("c", "S", "reject at byte 9: bad kind 12"),
        rejected("d", "T", "reject: too long"),
    ];
    let causes = causes(&[&all[..], &more].concat());
    let cases: Vec<&[String]> = causes.iter().map(|it| &it.cases[..]).collect();
    assert_eq!(cases, [&["b", "c"][..], &["d"]]);
    assert_eq!(causes[1].confidence, one_of(&["T"]));
}

#[test]
fn records_go_wrong_in_several_ways() {
    let symptom = |path: &str, expected: &str, actual: &str| {
        let case = valid("a", &[], &["R"], Outcome::WrongRecords);
        let cause = cause(&[differs(case, path, [expected, actual], &[])]);
        let Symptom::Records { fault, member } = cause.symptom else {
            panic!("{:?}", cause.symptom);
        };
        (fault, member, cause.headline)
    };
    let event = r#"{"record":"event","time":"1"}"#;
    let told =
        |fault, member: &str, headline: &str| (fault, member.to_owned(), headline.to_owned());
    assert_eq!(
        symptom("time", "1", "2"),
        told(RecordFault::Value, "time", "time is wrong")
    );
    assert_eq!(
        symptom("inner[0].inner[7].kind", "1", "2"),
        told(
            RecordFault::Element,
            "inner[].kind",
            "inner[].kind is wrong"
        )
    );
    assert_eq!(
        symptom("time", "1", "no such member"),
        told(RecordFault::Absent, "time", "time is not reported")
    );
    assert_eq!(
        symptom("time", "no such member", "1").0,
        RecordFault::Surplus
    );
    assert_eq!(
        symptom("record", "\"event\"", "\"label\""),
        told(
            RecordFault::Displaced,
            "event",
            "another record is reported in place of `event`"
        )
    );
    assert_eq!(
        symptom("", event, "no further record"),
        told(
            RecordFault::MissingTail,
            "event",
            "the last records are not reported, starting with `event`"
        )
    );
    assert_eq!(
        symptom("", "no further record", event),
        told(
            RecordFault::Extra,
            "event",
            "too many records are reported: `event`"
        )
    );
    assert_eq!(symptom("", event, "?").0, RecordFault::Unknown);
    let bare = cause(&[valid("a", &[], &["R"], Outcome::WrongRecords)]);
    assert_eq!(bare.headline, "records are wrong");
}

/// Checks that a member that is wrong in nearly every trace leads to a single cause, even if a few
/// of these traces share an unusual property.
#[test]
fn few_cases_in_which_the_same_member_is_wrong_are_no_cause_of_their_own() {
    let many = |count: usize| -> Vec<CaseResult> {
        let ordinary = (0..count).map(|at| {
            let id = format!("m{at}");
            wrong(&id, &[], &["STEP"], "sequence", &["STEP"])
        });
        let unusual = wrong("z", &["WRAPS"], &["WRAPS"], "sequence", &["WRAPS"]);
        let passing = valid("p", &[], &["R"], PASS);
        ordinary.chain([unusual, passing]).collect()
    };
    let sizes = |count| -> Vec<usize> {
        let found = causes(&many(count));
        found.iter().map(|it| it.cases.len()).collect()
    };
    assert_eq!(sizes(20), [21]);
    assert_eq!(sizes(10), [10, 1]);
}

#[test]
fn a_member_that_is_wrong_everywhere_does_not_hide_another() {
    let time: (&str, &[&str]) = ("time", &["DELTA"]);
    let name: (&str, &[&str]) = ("name", &["UTF8"]);
    let causes = causes(&[
        differs_in("a", &[], &["R"], &[time]),
        differs_in("b", &["ODD"], &["R"], &[time]),
        differs_in("c", &["LONG"], &["R", "LONG"], &[time, name]),
        differs_in("d", &["LONG", "ODD"], &["R", "LONG"], &[time, name]),
    ]);
    assert_eq!(causes[0].headline, "time is wrong");
    assert_eq!(causes[0].cases, ["a", "b", "c", "d"]);
    assert_eq!(causes[0].alone, 2);
    assert_eq!(causes[1].headline, "name is wrong in traces with LONG");
    assert_eq!(causes[1].cases, ["c", "d"]);
    assert_eq!(causes[1].confidence, Confidence::Proven);
    assert_eq!(causes.len(), 2);
}

/// Checks that wrong members after a lost record do not lead to further causes.
#[test]
fn what_follows_a_lost_record_is_no_cause() {
    let mut lost = differs_in("b", &["ODD"], &["R"], &[("", &[]), ("name", &[])]);
    let all = lost.detail.as_mut().unwrap().differences.as_mut().unwrap();
    all.list[0].fault = RecordFault::Missing;
    let cause = cause(&[valid("a", &[], &["R"], PASS), lost]);
    assert_eq!(
        cause.headline,
        "`event` records are missing in traces with ODD"
    );
}

#[test]
fn lost_and_reordered_records_are_recognized() {
    let headline = |fault| {
        let case = differs_in("b", &[], &["R"], &[("", &[])]);
        cause(&[with_fault(case, fault)]).headline
    };
    assert_eq!(
        [
            RecordFault::Missing,
            RecordFault::MissingTail,
            RecordFault::Order,
            RecordFault::Duplicate,
            RecordFault::Extra,
        ]
        .map(headline),
        [
            "`event` records are missing",
            "the last records are not reported, starting with `event`",
            "the records are in the wrong order",
            "`event` records are reported more than once",
            "too many records are reported: `event`",
        ]
    );
}

/// Checks that rejections that a single rule or departure explains have one cause. A reader may
/// notice its mistake wherever it uses the wrong value, and give a different reason each time.
/// There is one cause even if the mistake has no effect in one of many traces.
#[test]
fn rejections_that_one_name_explains_are_one_cause() {
    let said = |id: &str, rules: &[&str], why: &str| says(valid(id, &[], rules, REJECT), why);
    let mut cases = vec![
        valid("unused", &[], &["EMPTY"], PASS),
        valid("a", &[], &["REF"], PASS),
        valid("b", &[], &["TYPE"], PASS),
    ];
    for n in 0..6 {
        cases.push(said(&format!("ref-{n}"), &["EMPTY", "REF"], "no text at 3"));
        cases.push(said(
            &format!("type-{n}"),
            &["EMPTY", "TYPE"],
            "unknown type",
        ));
    }
    let cause = cause(&cases);
    assert_eq!(cause.rule.as_deref(), Some("EMPTY"));
    assert_eq!(cause.cases.len(), 12);
}

/// Checks two members of the same record, of which one is wrong in every trace and the other in
/// only one trace. If the first mistake caused the second, they would occur together more often.
#[test]
fn what_rarely_comes_with_a_common_mistake_is_no_consequence_of_it() {
    let headlines = |count: usize| {
        let mut cases: Vec<CaseResult> = (0..count)
            .map(|n| differs_in(&format!("common-{n}"), &[], &["MARK"], &[("id", &["ID"])]))
            .collect();
        let both: [(&str, &[&str]); 2] = [("id", &["ID"]), ("text", &["UTF8"])];
        cases.push(differs_in("both", &[], &["MARK"], &both));
        let causes = causes(&cases);
        causes.into_iter().map(|it| it.headline).collect::<Vec<_>>()
    };
    assert_eq!(headlines(30), ["id is wrong", "text is wrong"]);
    assert_eq!(headlines(10), ["id is wrong"]);
}

#[test]
fn formats_do_not_explain_each_other() {
    let mut other = valid("b", &["EXTRA"], &["R"], REJECT);
    other.format = "toy-v2".into();
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        valid("c", &["EXTRA"], &["R"], REJECT),
        other,
    ]);
    let formats: Vec<&str> = causes.iter().map(|it| it.format.as_str()).collect();
    assert_eq!(formats, ["toy-v2", "toy-v1"]);
}

/// Checks that a reader that never reports the last record has one bug, whatever the kind of that
/// record, and that no rule is blamed for it.
#[test]
fn records_that_are_missing_everywhere_have_one_cause() {
    let lacks = |id: &str, kind: &str, rule: &str| {
        let mut case = with_fault(
            differs_in(id, &[], &[rule], &[("", &[])]),
            RecordFault::MissingTail,
        );
        case.records = 2;
        let all = case.detail.as_mut().unwrap().differences.as_mut().unwrap();
        all.list[0].kind = kind.to_owned();
        case
    };
    let causes = causes(&[
        valid("a", &[], &["EMPTY"], PASS),
        valid("b", &[], &["MAGIC"], PASS),
        lacks("c", "event", "ORDER"),
        lacks("d", "label", "LABELS"),
        lacks("e", "scope", "REPEATED"),
    ]);
    let [cause] = causes.as_slice() else {
        panic!("{causes:?}");
    };
    assert_eq!(
        cause.headline,
        "the last records are not reported in nearly every trace"
    );
    assert_eq!(cause.cases.len(), 3);
    assert_eq!((&cause.rule, &cause.confidence), (&None, &one_of(&[])));
}

/// Checks that a cause keeps its own name if another cause turns out to be the same bug.
#[test]
fn a_cause_absorbs_the_cases_of_another() {
    let found = causes(&[
        valid("a", &[], &["R"], PASS),
        wrong("b", &[], &["R", "BASE"], "time", &["BASE"]),
        valid("c", &["EXTRA"], &["R"], REJECT),
    ]);
    let [first, second] = found.as_slice() else {
        panic!("{found:?}");
    };
    let mut joined = first.clone();
    joined.absorb(second.clone());
    assert_eq!(joined.cases, ["b", "c"]);
    assert_eq!(joined.alone, 2);
    assert_eq!(joined.also, [Symptom::Rejects]);
    assert_eq!(
        (&joined.headline, &joined.rule),
        (&first.headline, &first.rule)
    );
}

/// Checks that a reader that looks up the wrong object has one cause. Some objects have members that
/// others lack, so its members are wrong, missing or surplus.
#[test]
fn members_of_a_wrong_object_are_one_cause() {
    let object = |id: &str, member: &'static str, fault| {
        let case = differs_in(id, &["SWAP"], &["SWAP"], &[(member, &["SWAP"])]);
        with_fault(case, fault)
    };
    let causes = causes(&[
        valid("a", &[], &["PLAIN"], PASS),
        object("b", "thread.name", RecordFault::Absent),
        object("c", "thread.id", RecordFault::Surplus),
        object("d", "thread.process", RecordFault::Value),
        with_fault(
            differs_in("e", &["GAP"], &["GAP"], &[("size", &["GAP"])]),
            RecordFault::Absent,
        ),
    ]);
    let cases: Vec<&[String]> = causes.iter().map(|it| &it.cases[..]).collect();
    assert_eq!(cases, [&["b", "c", "d"][..], &["e"]]);
    assert_eq!(
        causes[0].headline,
        "thread.name or one of 2 other members is wrong"
    );
}

#[test]
fn what_a_case_was_written_for_comes_before_other_wrong_members_of_the_record() {
    let causes = causes(&[
        valid("a", &[], &["CARRY", "OVERRIDES"], PASS),
        differs_in(
            "b",
            &[],
            &["CARRY"],
            &[("opcode", &["OVERRIDES"]), ("labels", &["CARRY"])],
        ),
    ]);
    assert_eq!(causes[0].rule.as_deref(), Some("CARRY"));
    assert!(
        causes[0].headline.contains("labels"),
        "{}",
        causes[0].headline
    );
}

#[test]
fn a_rule_that_exactly_the_failing_traces_exercise_comes_before_rules_that_they_do_not() {
    let empty = |id: &str| wrong(id, &[], &["EMPTY"], "name", &["ENDS"]);
    let passing = valid("a", &[], &["R"], PASS);
    let causes = causes(&[passing, empty("b"), empty("c"), empty("d")]);
    assert_eq!(causes[0].rule.as_deref(), Some("EMPTY"));
}

#[test]
fn causes_that_name_the_same_rule_in_the_end_are_one_cause() {
    let passing = [
        valid("a", &[], &["REF", "KINDS"], PASS),
        valid("b", &[], &["LAYOUT"], PASS),
        valid("c", &[], &["R"], PASS),
        valid("d", &[], &["R"], PASS),
        valid("e", &[], &["R"], PASS),
        valid("f", &[], &["R"], PASS),
    ];
    let failing = [
        wrong("u", &[], &["LAYOUT"], "thread.name", &["REF"]),
        wrong("v", &[], &["LAYOUT"], "thread.name", &["REF"]),
        wrong("w", &[], &["LAYOUT"], "thread.keys", &["KINDS"]),
        wrong("x", &[], &["LAYOUT"], "thread.keys", &["KINDS"]),
    ];
    let cause = cause(&[&passing[..], &failing].concat());
    assert_eq!(cause.rule.as_deref(), Some("LAYOUT"));
    assert_eq!(cause.cases.len(), failing.len());
}

#[test]
fn kinds_of_records_that_are_never_reported_have_one_cause() {
    let result = result(&[
        valid("a", &[], &["R"], PASS),
        lacks("b", "scope", "SCOPE", RecordFault::Missing),
        lacks("c", "scope", "WEB", RecordFault::MissingTail),
        lacks("d", "error", "CODE", RecordFault::Displaced),
        lacks("e", "event", "TIME", RecordFault::Missing),
    ]);
    let counted = |counts: &[(&str, usize, usize)]| {
        let mut reader = result.readers[0].clone();
        let kinds = counts.iter().map(|(kind, due, reported)| KindCount {
            kind: (*kind).to_owned(),
            due: *due,
            reported: *reported,
        });
        let format = reader.cases[0].format.clone();
        reader.tail.formats = vec![FormatSummary {
            format,
            valid: 5,
            accepted: 1,
            whole: true,
            by_chance: 0,
            verdicts: Verdicts::TooFew,
            kinds: kinds.collect(),
        }];
        let causes = tracegauge_reports::causes::of(&result.run, &reader);
        let told = causes
            .iter()
            .map(|it| (it.headline.clone(), it.cases.len()));
        told.collect::<Vec<_>>()
    };
    assert_eq!(
        counted(&[("error", 1, 0), ("event", 3, 2), ("scope", 2, 0)]),
        [
            (
                "`error` and `scope` records are never reported".to_owned(),
                3
            ),
            ("`event` records are missing".to_owned(), 1)
        ]
    );
    assert_eq!(
        counted(&[("error", 1, 0), ("event", 3, 0), ("scope", 2, 0)]),
        [("no records are ever reported".to_owned(), 4)]
    );
}

#[test]
fn records_of_a_kind_are_missing_at_the_end_and_before() {
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        lacks("b", "scope", "SCOPE", RecordFault::MissingTail),
        lacks("c", "scope", "SCOPE", RecordFault::Missing),
    ]);
    assert_eq!(cause.headline, "`scope` records are missing");
    assert_eq!(cause.rule.as_deref(), Some("SCOPE"));
}

#[test]
fn a_member_that_the_format_does_not_have_is_no_matter_of_rules() {
    let surplus = |id: &str, path: &str, rule: &str| {
        let mut case = with_fault(
            differs_in(id, &[], &[rule], &[(path, &[])]),
            RecordFault::NotInFormat,
        );
        let all = case.detail.as_mut().unwrap().differences.as_mut().unwrap();
        all.list[0].difference.expected = NOT_IN_FORMAT.to_owned();
        case
    };
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        surplus("b", "count", "B"),
        surplus("c", "inner[0].count", "C"),
    ]);
    assert_eq!(
        cause.headline,
        "count or another member is reported, but the format has no such member"
    );
    assert_eq!((cause.rule, cause.cases.len()), (None, 2));
}
