use std::path::Path;
use std::time::Duration;

use super::*;

fn parse(text: &str) -> Result<ReaderFile, ReaderFileError> {
    ReaderFile::parse(text, Path::new("my-reader.yaml"), Path::new("/readers"))
}

const WHOLE: &str = "
name: my-reader
version: 1.4.0
build: cargo build --release
requires: [node]
command: [./my-reader, --json]
mode: serve
formats: [boxes-v6, boxes-v4]
reports: records
order: time
omits: [event.sequence_number]
unsupported: [label_list_block]
statuses: {1: reject}
stdin: false
timeout: 5s
memory: 1GiB
baseline: known-failures.yaml
";

#[test]
fn every_key_is_understood() {
    let reader = parse(WHOLE).unwrap();
    assert_eq!(reader.version.as_deref(), Some("1.4.0"));
    assert_eq!(
        (reader.mode, reader.reports),
        (Mode::Serve, Reports::Records)
    );
    assert_eq!(reader.order, Order::Time);
    assert_eq!(reader.statuses[&1], StatusMeaning::Reject);
    assert_eq!(
        (reader.timeout, reader.memory),
        (Duration::from_secs(5), 1 << 30)
    );
    assert_eq!(
        reader.baseline.as_deref(),
        Some(Path::new("/readers/known-failures.yaml"))
    );
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    let message = parse(&WHOLE.replace("order:", "ordre:"))
        .unwrap_err()
        .to_string();
    assert!(message.starts_with("my-reader.yaml:10:1: "), "{message}");
    let wanted = "unknown key `ordre`; did you mean `order`?";
    assert!(message.ends_with(wanted), "{message}");
}

#[test]
fn a_wrong_unit_is_named_with_its_line() {
    let message = parse(&WHOLE.replace("5s", "5")).unwrap_err().to_string();
    assert!(message.starts_with("my-reader.yaml:15:"), "{message}");
    let message = parse(&WHOLE.replace("1GiB", "1 gig"))
        .unwrap_err()
        .to_string();
    assert!(message.contains("requires one of the units"), "{message}");
}

#[test]
fn an_empty_command_is_refused() {
    for text in ["{name: a, command: []}", "{name: a, command: }"] {
        let message = parse(text).unwrap_err().to_string();
        assert!(message.contains(":1:11: `command` is empty; "), "{message}");
    }
}

/// Checks that each mistake is reported with its own line, in file order.
#[test]
fn all_mistakes_are_told_at_once() {
    let text = "
name: [a, b]
comand: [./mine]
mode: server
formats: [boxes-v1, boxes-v9, bag]
requires: node
statuses: {one: reject, 2: rejected}
stdin: yes
timeout: 5
memory: [1]
nonsense-nobody-means: 1
";
    let path = Path::new("my-reader.yaml");
    let known = ["boxes-v1", "bags-v1", "bags-v1@odd"];
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(path), text).unwrap();
    let error = ReaderFile::load_knowing(&folder.path().join(path), &known).unwrap_err();
    let message = error.to_string();
    let message = message.replace(&format!("{}/", folder.path().display()), "");
    insta::assert_snapshot!(message, @r"
    my-reader.yaml:2:1: missing key `command`; list the program and its arguments, as in `command: [./my-reader, --json]`
    my-reader.yaml:2:7: `name` must be a string, found a list
    my-reader.yaml:3:1: unknown key `comand`; did you mean `command`?
    my-reader.yaml:4:7: `mode` must be one of once, serve, found `server`
    my-reader.yaml:5:21: `formats`: unknown format boxes-v9; did you mean boxes-v1?
    my-reader.yaml:5:31: `formats`: unknown format bag
    my-reader.yaml:6:11: `requires` must be a list, as in `[node]`, found `node`
    my-reader.yaml:7:12: `statuses`: invalid exit status `one`
    my-reader.yaml:7:28: `2` must be one of accept, reject, unsupported, crash, found `rejected`
    my-reader.yaml:8:8: `stdin` must be one of true, false, found `yes`
    my-reader.yaml:9:10: `timeout`: `5` requires one of the units ms, s, m, h
    my-reader.yaml:10:9: `memory` must be a size with its unit, as in `1GiB`, found a list
    my-reader.yaml:11:1: unknown key `nonsense-nobody-means`; valid keys are name, version, build, requires, command, mode, formats, reports, order, omits, unsupported, statuses, crashes, stdin, timeout, memory, reads, env, baseline
      known formats: boxes-v1, bags-v1
      for a format that is not bundled, pass its description: --spec FILE
    ");
}

#[test]
fn omissions_are_names_or_say_where_a_member_is_left_out() {
    let omits = |written: &str| {
        let reader = parse(&format!("{{command: [a], omits: {written}}}")).unwrap();
        reader.omits
    };
    let when_empty = Omission {
        when: When::Empty,
        formats: vec!["boxes".to_owned(), "bags-v1".to_owned()],
        ..Omission::always("event.fields")
    };
    assert!(when_empty.is_of("boxes-v4") && !when_empty.is_of("bags-v2"));
    assert_eq!(
        omits("[block, event.at, {member: event.fields, when: empty, formats: [boxes, bags-v1]}]"),
        [
            Omission::always("block"),
            Omission::always("event.at"),
            when_empty
        ]
    );
    assert_eq!(
        omits("[{member: event.at, when: always}]"),
        [Omission::always("event.at")]
    );
}

#[test]
fn what_is_wrong_with_omissions_is_told_with_its_place() {
    let text = "
command: [a]
omits:
  - [event.at]
  - {when: empty}
  - {member: block, when: empty}
  - {member: event.at, when: sometimes}
  - {member: event.at, format: [boxes]}
  - {member: event.at, formats: [bokses-v1]}
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my-reader.yaml");
    std::fs::write(&path, text).unwrap();
    let error = ReaderFile::load_knowing(&path, &["boxes-v1"]).unwrap_err();
    let message = error.to_string();
    let message = message.replace(&format!("{}/", folder.path().display()), "");
    insta::assert_snapshot!(message, @r"
    my-reader.yaml:4:5: `omits` must list members such as `event.timestamp` or `{member: event.fields, when: empty}`, or kinds of records, found a list
    my-reader.yaml:5:5: `omits`: missing key `member`; list members such as `event.timestamp` or `{member: event.fields, when: empty}`, or kinds of records
    my-reader.yaml:6:5: `omits`: `when: empty` applies only to a member, such as `event.fields`, but block is a kind of record
    my-reader.yaml:7:30: `when` must be one of always, empty, found `sometimes`
    my-reader.yaml:8:24: `omits`: unknown key `format`; did you mean `formats`?
    my-reader.yaml:9:34: `formats`: unknown format bokses-v1; did you mean boxes-v1?
      known formats: boxes-v1
      for a format that is not bundled, pass its description: --spec FILE
    ");
    let error = parse("{command: [a], omits: event.at}").unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("`omits` must be a list, as in `[event.at]`, found `event.at`"),
        "{error}"
    );
}

#[test]
fn what_is_no_reader_file_is_told_so() {
    let told = |text: &str| parse(text).unwrap_err().to_string();
    let nothing = told("");
    assert!(
        nothing.starts_with("my-reader.yaml:1:1: missing key `command`"),
        "{nothing}"
    );
    let list = told("- command");
    let wanted = "my-reader.yaml is not a reader file";
    assert!(list.starts_with(wanted), "{list}");
    let mistaken = told("- command: [./mine]");
    let wanted = "must be a mapping, found a list";
    assert!(mistaken.ends_with(wanted), "{mistaken}");
    let broken = told("name: a\ncommand: [./mine\n");
    assert!(broken.contains("invalid YAML"), "{broken}");
    assert_eq!(broken.lines().count(), 1, "{broken}");
}

#[test]
fn a_reader_without_a_name_is_called_as_its_folder() {
    let text = "{command: [python3, mine.py]}";
    let named = |folder: &str| {
        let file = ReaderFile::parse(text, Path::new("file.yaml"), Path::new(folder));
        file.unwrap().name
    };
    assert_eq!(named("/readers/my-parser"), "my-parser");
    assert_eq!(named("/"), "file");
}

#[test]
fn versions_are_read_by_family_and_dialects_by_name() {
    let reader = parse("{name: a, command: [a], formats: [boxes, bags-v1]}").unwrap();
    assert!(reader.reads("boxes-v1") && reader.reads("boxes-v12") && reader.reads("bags-v1"));
    assert!(!reader.reads("bags-v2") && !reader.reads("bags-v1@odd") && !reader.reads("box-v1"));
}

#[test]
fn a_missing_requirement_is_told_from_a_failed_build() {
    let text = "{name: a, command: [sh], requires: [no-such-program-here]}";
    assert!(matches!(
        parse(text).unwrap().prepare(),
        Err(LaunchError::Requires(_))
    ));
    let folder = tempfile::tempdir().unwrap();
    let text = "{name: a, command: [sh], build: 'echo what went wrong >&2; exit 3'}";
    let reader = ReaderFile::parse(text, Path::new("a.yaml"), folder.path()).unwrap();
    let message = reader.prepare().unwrap_err().to_string();
    assert!(message.contains("what went wrong"), "{message}");
}

#[test]
fn paths_start_from_the_folder_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("adapter.py"), "").unwrap();
    let text = "{name: a, command: [sh, adapter.py, '--x={dir}/y', '{file}', other]}";
    let reader = ReaderFile::parse(text, Path::new("a.yaml"), folder.path()).unwrap();
    let launch = reader.prepare().unwrap();
    let at = folder.path().display();
    let expected = [
        format!("{at}/adapter.py"),
        format!("--x={at}/y"),
        "{file}".into(),
        "other".into(),
    ];
    assert_eq!(launch.arguments, expected);
    assert!(launch.program.is_absolute());
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let text = "{name: a, command: [./not-built]}";
    let message = parse(text).unwrap().prepare().unwrap_err().to_string();
    assert_eq!(message, "program `./not-built` not found");
}

#[test]
fn a_program_that_cannot_be_executed_is_told_from_one_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plain.py"), "").unwrap();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    let refusal = |program: &str| {
        let text = format!("{{name: a, command: [{program}]}}");
        let reader = ReaderFile::parse(&text, Path::new("a.yaml"), folder.path()).unwrap();
        reader.prepare().unwrap_err().to_string()
    };
    let plain = refusal("./plain.py");
    assert!(plain.contains("`chmod +x ./plain.py`"), "{plain}");
    assert_eq!(refusal("./inner"), "program `./inner` is a folder");
}

#[test]
fn a_command_is_called_by_its_script_where_it_has_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.py"), "").unwrap();
    let name = |words: &str| {
        let command = words.split(' ').map(str::to_owned).collect();
        ReaderFile::ad_hoc(command, folder.path().to_owned()).name
    };
    assert_eq!(name("python3 -B mine.py"), "mine.py");
    assert_eq!(name("python3 -m mine"), "python3");
    assert_eq!(name("build/reader mine.py"), "reader");
}

#[test]
fn the_folder_of_a_reader_file_stands_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine");
    std::fs::create_dir(&mine).unwrap();
    let missing = ReaderFile::load(&mine).unwrap_err().to_string();
    assert!(missing.contains("reader.yaml"), "{missing}");
    std::fs::write(mine.join("reader.yaml"), "{name: a, command: [./run]}").unwrap();
    let reader = ReaderFile::load(&mine).unwrap();
    assert_eq!((reader.name.as_str(), reader.folder), ("a", mine));
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_file_without_an_end_is_refused() {
    let refused = ReaderFile::load(Path::new("/dev/zero")).unwrap_err();
    assert!(
        refused.to_string().contains("larger than 1 MiB"),
        "{refused}"
    );
}
