//! Compares real FieldLog files with everything stated in their sidecars. A sidecar is a JSON file
//! with the output of the reader that belongs to the file's writer.
//!
//! Some files are in the corpus. More are expected in the folder named by `TRACEGAUGE_REAL`, or by
//! default in `../shared/real` next to the checkout.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use tracegauge_corpus::case::ExpectedVerdict;
use tracegauge_corpus::expected::examine;
use tracegauge_corpus::formats::Formats;
use tracegauge_decoder::decode_tree;
use tracegauge_decoder::record::Record;
use tracegauge_generator::{Generator, laws};
use tracegauge_plan::Plan;

fn plan(version: &Json) -> Arc<Plan> {
    let formats = Formats::bundled(&[format!("fieldlog-v{version}")]);
    formats.unwrap_or_else(|error| panic!("{error}")).plans()[0].clone()
}

#[test]
fn files_of_the_corpus_agree_with_their_sidecars() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(check_folder(&corpus.join("real/fieldlog-v1")), 2);
    assert_eq!(check_folder(&corpus.join("real/fieldlog-v2")), 3);
}

#[test]
fn more_files_agree_with_their_sidecars() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = std::env::var_os("TRACEGAUGE_REAL");
    let root = root.map_or_else(|| corpus.join("../../shared/real"), PathBuf::from);
    let folder = root.join("fieldlog");
    if folder.is_dir() {
        assert!(check_folder(&folder) >= 5);
        return;
    }
    // `eprintln!` would not be shown for a passing test.
    std::io::stderr()
        .write_all(b"SKIPPED: no folder of real files; name one with TRACEGAUGE_REAL\n")
        .expect("standard error");
}

/// Returns the content of a real file in the corpus.
fn real(path: &str) -> Vec<u8> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read(corpus.join("real").join(path)).expect("a real file")
}

#[test]
fn foreign_files_are_rejected_at_the_byte_that_tells() {
    let rejected = |version: u8, bytes: &[u8]| {
        let examined = examine(&plan(&json!(version)), bytes);
        assert_eq!(examined.expected.verdict, ExpectedVerdict::Reject);
        let violation = examined.expected.violation.expect("a violation");
        let rule = violation.rules.first().cloned().unwrap_or_default();
        (rule, violation.path, violation.start, violation.end)
    };
    let header = ("HEADER".to_owned(), "header.magic".to_owned(), 0, 9);
    for foreign in [
        "dial9-v1/encoder_mixed_200.trc",
        "nettrace-v6/onecollect-v6-tiny.nettrace",
        "wtf-v3/v3_snapshot_small.wtf-trace",
    ] {
        let bytes = real(foreign);
        assert_eq!(rejected(1, &bytes), header, "{foreign}");
        assert_eq!(rejected(2, &bytes), header, "{foreign}");
    }
    let version = ("VERSION".to_owned(), "header.version".to_owned(), 9, 10);
    assert_eq!(rejected(2, &real("fieldlog-v1/v1_prio0.fl")), version);
    assert_eq!(rejected(1, &real("fieldlog-v2/v2_prio0.fl")), version);
}

#[test]
fn files_are_recognised_by_their_version() {
    let (formats, _) = Formats::able(&[]).expect("the bundled descriptions");
    for (path, format) in [
        ("fieldlog-v1/v1_prio0.fl", "fieldlog-v1"),
        ("fieldlog-v1/v1_prio4.fl", "fieldlog-v1"),
        ("fieldlog-v2/v2_prio0.fl", "fieldlog-v2"),
        ("fieldlog-v2/v2_prio2.fl", "fieldlog-v2"),
        ("fieldlog-v2/v2_prio5.fl", "fieldlog-v2"),
    ] {
        let bytes = real(path);
        let found = formats.recognise(&bytes).map(|plan| plan.format.as_str());
        assert_eq!(found, Some(format), "{path}");
    }
}

/// Checks every file that has a sidecar and returns their number.
fn check_folder(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let paths: Vec<PathBuf> = paths
        .filter(|path| path.to_string_lossy().ends_with(".fl.json"))
        .collect();
    for path in &paths {
        let sidecar = fs::read(path).expect("a sidecar");
        let sidecar = serde_json::from_slice(&sidecar).expect("JSON");
        let bytes = fs::read(path.with_extension("")).expect("a trace");
        check(&path.display().to_string(), &sidecar, &bytes);
    }
    paths.len()
}

fn check(name: &str, sidecar: &Json, bytes: &[u8]) {
    assert_eq!(sidecar["size"], bytes.len(), "{name}");
    assert_eq!(sidecar["sha256"], hex::encode(Sha256::digest(bytes)));
    let plan = plan(&sidecar["format_version"]);
    let examined = examine(&plan, bytes);
    assert_eq!(examined.expected.verdict, ExpectedVerdict::Accept, "{name}");
    // The real writer never deviates from its specification.
    let faults = examined.verdict.shown.iter().map(|shown| {
        let rule = &plan.rules[shown.rule];
        (rule.writer_fault || rule.writer_habit).then_some(&rule.id)
    });
    assert_eq!(faults.flatten().next(), None, "{name}");
    // The decoder consumes the whole file.
    let (_, tree) = decode_tree(&plan, bytes);
    assert_eq!(tree.nodes[0].span.end, bytes.len() as u64, "{name}");
    let generator = Generator::new(Arc::clone(&plan));
    if let Err(broken) = laws::check_identities(&generator, bytes) {
        panic!("{name}: {broken}");
    }
    let records = &examined.expected.records[0];
    assert_eq!(sidecar["item_count"], records.len(), "{name}");
    let items = sidecar["items"].as_array().expect("items");
    let mut kinds = BTreeMap::<String, u64>::new();
    for (number, (record, item)) in records.iter().zip(items).enumerate() {
        let record = as_json(record);
        let mut kind = item["$"].as_str().expect("a kind").to_owned();
        if let Some(scope) = item.get("Type").filter(|_| kind == "FieldLogScopeItem") {
            kind = format!("{kind}:{}", scope.as_str().expect("a scope type"));
        }
        *kinds.entry(kind).or_default() += 1;
        assert_eq!(known(&record), stated(item), "{name}: item {number}");
    }
    let counts: BTreeMap<String, u64> =
        serde_json::from_value(sidecar["items_by_kind"].clone()).expect("counts");
    assert_eq!(counts, kinds, "{name}");
}

fn as_json(record: &Record) -> Json {
    serde_json::from_str(&record.to_string()).expect("a record is JSON")
}

/// Returns the members of a record under the names used in the sidecar. Members that are absent
/// from the record are null.
fn known(record: &Json) -> Json {
    let kind = record["record"].as_str().expect("a kind");
    let mut known = json!({
        "time": record["time"],
        "counter": record["counter"],
        "priority": record["priority"],
        "session": record["session"],
        "thread": record["thread"],
        // Version 1 has no such member, and its reader reports 0.
        "web_request": record.get("web_request").cloned().unwrap_or(json!(0)),
    });
    let members: &[&str] = match kind {
        "text" => &["text", "details"],
        "data" => &["name", "value"],
        "exception" => &["exception", "context", "environment"],
        "scope" => &["repeated", "type", "level", "name", "environment", "web"],
        kind => panic!("a record of kind {kind}"),
    };
    for member in members {
        known[*member] = record[*member].clone();
    }
    if kind == "scope" {
        known["thread_flags"] = record.get("thread_flags").cloned().unwrap_or(json!([]));
    }
    complete(&mut known);
    known
}

/// Adds the members that are absent from a structure as null, because the sidecar contains them as
/// null.
fn complete(known: &mut Json) {
    for (member, names) in [("environment", ENVIRONMENT), ("web", WEB)] {
        if let Some(inside) = known.get_mut(member).filter(|inside| inside.is_object()) {
            for (name, _) in names {
                let value = inside[*name].take();
                inside[*name] = value;
            }
        }
    }
    if let Some(exception) = known.get_mut("exception") {
        complete_exception(exception);
    }
}

fn complete_exception(exception: &mut Json) {
    for (name, _) in EXCEPTION {
        let value = exception[*name].take();
        exception[*name] = value;
    }
    for frame in exception["frames"].as_array_mut().expect("frames") {
        for (name, _) in FRAME {
            let value = frame[*name].take();
            frame[*name] = value;
        }
    }
    for inner in exception["inner"].as_array_mut().expect("inner exceptions") {
        complete_exception(inner);
    }
}

/// Returns the same members of an item in the sidecar.
fn stated(item: &Json) -> Json {
    let mut stated = json!({
        "time": time(&item["Time"]),
        "counter": item["EventCounter"],
        "priority": member(&item["Priority"]),
        "session": item["SessionId"],
        "thread": item["ThreadId"],
        "web_request": item["WebRequestId"],
    });
    match item["$"].as_str().expect("a kind") {
        "FieldLogTextItem" => {
            stated["text"] = item["Text"].clone();
            stated["details"] = item["Details"].clone();
        }
        "FieldLogDataItem" => {
            stated["name"] = item["Name"].clone();
            stated["value"] = item["Value"].clone();
        }
        "FieldLogExceptionItem" => {
            stated["exception"] = exception(&item["Exception"]);
            stated["context"] = item["Context"].clone();
            stated["environment"] = environment(&item["EnvironmentData"]);
        }
        "FieldLogScopeItem" => {
            let flags = [
                ("IsBackgroundThread", "background"),
                ("IsPoolThread", "pool"),
            ];
            stated["repeated"] = item["IsRepeated"].clone();
            stated["type"] = member(&item["Type"]);
            stated["level"] = item["Level"].clone();
            stated["name"] = item["Name"].clone();
            stated["thread_flags"] = set(item, &flags);
            stated["environment"] = environment(&item["EnvironmentData"]);
            stated["web"] = named(&item["WebRequestData"], WEB);
        }
        kind => panic!("an item of kind {kind}"),
    }
    stated
}

/// Returns the name of an enumeration member from the sidecar's text of the form `Name=number`.
fn member(named: &Json) -> Json {
    let text = named.as_str().expect("a name and a number");
    let name = text.split('=').next().expect("a name");
    let mut spelt = String::new();
    for (number, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && number > 0 {
            spelt.push('_');
        }
        spelt.extend(letter.to_lowercase());
    }
    json!(match spelt.as_str() {
        // The member for "no edition" has another name, because `none` alone would mean that there
        // is no value.
        "none" => "none_given",
        spelt => spelt,
    })
}

/// Converts ticks to a point in time.
fn time(ticks: &Json) -> Json {
    let ticks: i64 = ticks["ticks"]
        .as_str()
        .expect("ticks")
        .parse()
        .expect("a number");
    // All files are from the same month.
    const NOVEMBER_2026: i64 = 639_290_880_000_000_000;
    const DAY: i64 = 864_000_000_000;
    let (day, rest) = ((ticks - NOVEMBER_2026) / DAY, (ticks - NOVEMBER_2026) % DAY);
    assert!((0..30).contains(&day), "{ticks} is not in November 2026");
    let (seconds, fraction) = (rest / 10_000_000, rest % 10_000_000);
    json!(format!(
        "2026-11-{:02}T{:02}:{:02}:{:02}.{fraction:07}Z",
        day + 1,
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    ))
}

fn set(item: &Json, flags: &[(&str, &str)]) -> Json {
    let set = flags.iter().filter(|(stated, _)| item[*stated] == true);
    json!(set.map(|(_, name)| *name).collect::<Vec<_>>())
}

type Names = &'static [(&'static str, &'static str)];

const EXCEPTION: Names = &[
    ("type", "Type"),
    ("type_module", "TypeModule"),
    ("token", "Token"),
    ("message", "Message"),
    ("code", "Code"),
    ("data", "Data"),
];

const FRAME: Names = &[
    ("module", "Module"),
    ("token", "Token"),
    ("il_offset", "ILOffset"),
    ("type", "TypeName"),
    ("method", "MethodName"),
    ("signature", "MethodSignature"),
    ("file", "FileName"),
    ("line", "Line"),
    ("column", "Column"),
];

const WEB: Names = &[
    ("url", "RequestUrl"),
    ("method", "Method"),
    ("client_address", "ClientAddress"),
    ("client_host", "ClientHostName"),
    ("referrer", "Referrer"),
    ("user_agent", "UserAgent"),
    ("accept_languages", "AcceptLanguages"),
    ("accept_types", "Accept"),
    ("web_session_id", "WebSessionId"),
    ("app_user_id", "AppUserId"),
    ("app_user_name", "AppUserName"),
];

const ENVIRONMENT: Names = &[
    ("os_service_pack", "OSServicePack"),
    ("os_build", "OSBuild"),
    ("os_service_pack_build", "OSServicePackBuild"),
    ("os_product_name", "OSProductName"),
    ("os_language", "OSLanguage"),
    ("app_compat_layer", "AppCompatLayer"),
    ("clr_type", "ClrType"),
    ("mouse_buttons", "MouseButtons"),
    ("touch_points", "MaxTouchPoints"),
    ("screen_dpi", "ScreenDpi"),
    ("culture", "CultureName"),
    ("current_directory", "CurrentDirectory"),
    ("environment_variables", "EnvironmentVariables"),
    ("cpu_count", "CpuCount"),
    ("host_name", "HostName"),
    ("user_name", "UserName"),
    ("executable_path", "ExecutablePath"),
    ("command_line", "CommandLine"),
    ("app_version", "AppVersion"),
    ("app_configuration", "AppAsmConfiguration"),
    ("clr_version", "ClrVersion"),
    ("process_id", "ProcessId"),
    ("screen_width", "PrimaryScreenWidth"),
    ("screen_height", "PrimaryScreenHeight"),
    ("screen_bits", "PrimaryScreenBitsPerPixel"),
    ("work_left", "PrimaryScreenWorkingAreaLeft"),
    ("work_top", "PrimaryScreenWorkingAreaTop"),
    ("work_width", "PrimaryScreenWorkingAreaWidth"),
    ("work_height", "PrimaryScreenWorkingAreaHeight"),
    ("screen_count", "ScreenCount"),
];

/// Numbers that the sidecar stores as strings.
const LARGE: Names = &[
    ("process_memory", "ProcessMemory"),
    ("peak_process_memory", "PeakProcessMemory"),
    ("total_memory", "TotalMemory"),
    ("available_memory", "AvailableMemory"),
    ("time_zone_offset", "LocalTimeZoneOffset"),
];

const FLAGS: Names = &[
    ("OSIs64Bit", "os_64_bit"),
    ("OSIsAppServer", "app_server"),
    ("OSIsFailSafeBoot", "fail_safe_boot"),
    ("IsInteractive", "interactive"),
    ("IsProcess64Bit", "process_64_bit"),
    ("IsAdministrator", "administrator"),
];

fn named(stated: &Json, names: Names) -> Json {
    if stated.is_null() {
        return Json::Null;
    }
    let mut found = json!({});
    for (name, member) in names {
        found[*name] = stated[*member].clone();
    }
    found
}

fn exception(stated: &Json) -> Json {
    let mut found = named(stated, EXCEPTION);
    let list = |name: &str, each: &dyn Fn(&Json) -> Json| {
        let all = stated[name].as_array().expect("a list");
        json!(all.iter().map(each).collect::<Vec<_>>())
    };
    found["frames"] = list("StackFrames", &|frame| named(frame, FRAME));
    found["inner"] = list("InnerExceptions", &exception);
    found
}

fn environment(stated: &Json) -> Json {
    let mut found = named(stated, ENVIRONMENT);
    if found.is_null() {
        return found;
    }
    for (name, member) in LARGE {
        let number: i64 = stated[*member]
            .as_str()
            .expect("a text")
            .parse()
            .expect("a number");
        found[*name] = json!(number);
    }
    for (name, stated_as) in [
        ("os_type", "OSType"),
        ("os_version", "OSVersion"),
        ("os_edition", "OSEdition"),
    ] {
        found[name] = member(&stated[stated_as]);
    }
    found["os_last_boot"] = time(&stated["OSLastBootTime"]);
    found["flags"] = set(stated, FLAGS);
    found
}
