//! Tests the adapters that `reader init` writes. They must run unmodified, and conform in both
//! modes after a reader has been added.

use std::fs;
use std::path::Path;
use std::process::Command;

use joining::{Place, findings, try_all};

use crate::joining;

/// An adapter: its language, the program required for testing it, the file in which the reader is
/// called, and the code of a reader of the `notes` format.
struct Adapter {
    language: &'static str,
    needs: &'static str,
    yours: &'static str,
    fill: &'static str,
}

macro_rules! adapter {
    ($language:literal, $needs:literal, $yours:literal) => {
        Adapter {
            language: $language,
            needs: $needs,
            yours: $yours,
            fill: include_str!(concat!("joining/fill/", $language, ".txt")),
        }
    };
}

const ADAPTERS: [Adapter; 9] = [
    adapter!("python", "python3", "adapter.py"),
    adapter!("javascript", "node", "adapter.mjs"),
    adapter!("rust", "cargo", "src/main.rs"),
    adapter!("c", "cc", "adapter.c"),
    adapter!("csharp", "dotnet", "Adapter.cs"),
    adapter!("go", "go", "main.go"),
    adapter!("cpp", "c++", "adapter.cpp"),
    adapter!("java", "javac", "Adapter.java"),
    adapter!("typescript", "npm", "src/adapter.ts"),
];

impl Adapter {
    fn reader(&self) -> String {
        format!("my {}/reader.yaml", self.language)
    }

    fn change(&self, place: &Place, file: &str, change: impl Fn(&str) -> String) {
        let path = place
            .path()
            .join(format!("my {}", self.language))
            .join(file);
        let text = fs::read_to_string(&path).expect("a file of the adapter");
        let changed = change(&text);
        assert_ne!(text, changed, "{}", path.display());
        fs::write(path, changed).expect("written");
    }

    fn init(&self, place: &Place) {
        let folder = format!("my {}", self.language);
        let output = place.tracegauge(&["reader", "init", "--lang", self.language, &folder]);
        assert_eq!(output.status, Some(0), "{}", output.all());
        // The commands can be pasted into a shell.
        let reader = format!("'{}'", self.reader());
        for command in ["reader doctor", "run --reader"] {
            let command = format!("tracegauge {command} {reader}\n");
            assert!(output.err.contains(&command), "{}", output.err);
        }
        let known = |text: &str| text.replace("formats: []", "formats: [notes-v1]");
        self.change(place, "reader.yaml", known);
    }

    /// Inserts a reader of the `notes` format at the place where the adapter has none.
    fn fill(&self, place: &Place) {
        assert!(self.fill.lines().count() <= 25, "{}", self.language);
        self.change(place, self.yours, |text| {
            let begin = text.find("Call your reader here").expect("a place");
            let begin = text[..begin].rfind('\n').expect("a line") + 1;
            let end = text
                .find("this adapter does not call a reader yet")
                .expect("a stub");
            let end = end + text[end..].find('\n').expect("its end") + 1;
            let text = format!("{}{}{}", &text[..begin], self.fill, &text[end..]);
            // Go requires imports to be declared at the beginning of the file.
            text.replace(
                "package main\n",
                "package main\n\nimport \"unicode/utf8\"\n",
            )
        });
    }

    /// Removes the command that builds the adapter, which has been built.
    fn keep_build(&self, place: &Place) {
        let path = place.path().join(self.reader());
        let text = fs::read_to_string(&path).expect("a reader file");
        let lines = text.lines().filter(|line| !line.starts_with("build:"));
        let kept: Vec<&str> = lines.collect();
        fs::write(path, kept.join("\n") + "\n").expect("written");
    }

    fn run(&self, place: &Place) -> (Option<i32>, Vec<String>) {
        place.run(&self.reader())
    }

    fn doctor(&self, place: &Place) -> joining::Output {
        place.doctor(&self.reader())
    }
}

/// Returns whether npm can install the packages needed to build an adapter in TypeScript.
fn has_compiler(folder: &Path) -> bool {
    let words = ["install", "--prefer-offline", "--no-audit", "--no-fund"];
    let npm = Command::new("npm").args(words).current_dir(folder).output();
    npm.is_ok_and(|output| output.status.success())
}

#[test]
fn every_adapter_runs_as_it_stands_and_conforms_once_a_reader_is_in_it() {
    try_all(&ADAPTERS, |adapter| {
        let language = adapter.language;
        if !joining::is_here(adapter.needs) {
            println!("{language}: skipped, there is no {} here", adapter.needs);
            return;
        }
        let place = Place::new();
        adapter.init(&place);
        if language == "typescript" && !has_compiler(&place.path().join("my typescript")) {
            println!("{language}: skipped, npm cannot install the compiler here");
            return;
        }
        let (status, outcomes) = adapter.run(&place);
        assert_eq!(status, Some(1), "{language}");
        assert!(!outcomes.is_empty(), "{language}");
        for outcome in &outcomes {
            assert!(
                ["wrong-reject", "pass"].contains(&outcome.as_str()),
                "{language}: {outcome}"
            );
        }
        // Each start of a reader builds it, and the finding does not depend on the language.
        if language == "python" {
            let output = adapter.doctor(&place);
            assert_eq!(
                findings(&output.out),
                ["constant-answer"],
                "{}",
                output.all()
            );
        }
        let next = format!(
            "this adapter does not call a reader yet: call yours in {}",
            adapter.yours
        );
        let result = fs::read_to_string(place.path().join("result.json")).expect("a result");
        assert!(result.contains(&next), "{language}");
        assert!(!result.contains("declare it"), "{language}");
        adapter.fill(&place);
        // In `once` mode, each case starts a process, which takes long in some languages.
        for (mode, shard) in [("serve", "1/1"), ("once", "1/8")] {
            if mode == "once" {
                let once = |text: &str| text.replace("mode: serve", "mode: once");
                adapter.change(&place, "reader.yaml", once);
            }
            let (status, outcomes) = place.run_shard(&adapter.reader(), shard);
            assert_eq!(status, Some(0), "{language} {mode}: {outcomes:?}");
            assert!(!outcomes.is_empty(), "{language} {mode}");
            if mode == "serve" {
                adapter.keep_build(&place);
            }
            // The doctor's checks other than the outcomes do not depend on the mode, and in `once`
            // mode each of them would start a process.
            if mode == "serve" {
                let output = adapter.doctor(&place);
                assert_eq!(output.status, Some(0), "{language}: {}", output.all());
            }
        }
    });
}

#[test]
fn all_that_adapters_write_fits_the_schema() {
    let schema = serde_json::from_str(tracegauge_protocol::SCHEMA).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for adapter in ADAPTERS
        .iter()
        .filter(|adapter| adapter.needs == "python3" || adapter.needs == "cc")
    {
        if !joining::is_here(adapter.needs) {
            println!("{}: skipped", adapter.language);
            continue;
        }
        let place = Place::new();
        adapter.init(&place);
        adapter.fill(&place);
        // Running the reader builds it first.
        adapter.run(&place);
        let notes = [
            &b"NOTE"[..],
            &u64::MAX.to_le_bytes(),
            b"\x05\x05\"\\\x01\xc3\xa9NOTE",
        ]
        .concat();
        fs::write(place.path().join("a \"b.notes"), notes).expect("written");
        let command = match adapter.language {
            "python" => "python3 'my python/adapter.py'",
            _ => "'./my c/adapter'",
        };
        let file = r#"a \"b\u002enotes"#;
        let requests = format!(
            "{{\"tracegauge\":1,\"hello\":true}}\n{{\"case\":\"c-1\",\"format\":\"notes-v1\",\"file\":\"{file}\"}}\n"
        );
        let out = place.feed(command, &requests);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 3, "{out}");
        for line in &lines {
            let json = serde_json::from_str(line).expect("JSON");
            assert!(validator.is_valid(&json), "{line}");
        }
        let record: serde_json::Value = serde_json::from_str(lines[1]).expect("JSON");
        assert_eq!(record["at"], u64::MAX);
        assert_eq!(record["text"], "\"\\\u{1}é");
        assert!(lines[2].contains("\"reject\""), "{out}");
    }
}

#[test]
fn git_ignores_what_is_built_and_an_ignore_file_stays_as_it_is() {
    if !joining::is_here("cc") || !joining::is_here("git") {
        return println!("skipped: there is no cc or no git here");
    }
    let place = Place::new();
    fs::create_dir_all(place.path().join("mine")).expect("a folder");
    fs::write(place.path().join("mine/.gitignore"), "*.log\n").expect("written");
    let output = place.tracegauge(&["reader", "init", "--lang", "java", "mine"]);
    assert_eq!(output.status, Some(0), "{}", output.all());
    assert!(
        output.err.contains("add these lines to it: /build/"),
        "{}",
        output.err
    );
    let kept = fs::read_to_string(place.path().join("mine/.gitignore")).expect("a file");
    assert_eq!(kept, "*.log\n");
    ADAPTERS[3].init(&place);
    ADAPTERS[3].run(&place);
    let seen = place.feed("git init -q . && git status --porcelain -uall 'my c'", "");
    assert!(place.path().join("my c/adapter").exists());
    assert!(seen.contains("adapter.c"), "{seen}");
    assert!(
        !seen.lines().any(|line| line.ends_with("adapter\"")),
        "{seen}"
    );
}

#[test]
fn an_adapter_in_go_is_built_whatever_lies_around_it() {
    if !joining::is_here("go") {
        return println!("skipped: there is no go here");
    }
    let place = Place::new();
    let write = |file: &str, text: &str| {
        let path = place.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    };
    write("other/go.mod", "module example.com/other\n\ngo 1.21\n");
    write("go.work", "go 1.21\n\nuse ./other\n");
    // The adapter is next to a workspace that does not include it, and it uses an unpublished
    // module of the author.
    ADAPTERS[5].init(&place);
    write("other/other.go", "package other\n\nconst Level = 9\n");
    let import = |text: &str| {
        text.replace(
            "package main\n",
            "package main\n\nimport \"example.com/other\"\n\nvar _ = other.Level\n",
        )
    };
    ADAPTERS[5].change(&place, "main.go", import);
    ADAPTERS[5].change(&place, "go.mod", |text| {
        format!("{text}\nreplace example.com/other => ../other\n")
    });
    assert!(!ADAPTERS[5].run(&place).1.is_empty());
    // The adapter is inside that module and imports its packages directly.
    let output = place.tracegauge(&["reader", "init", "--lang", "go", "other/adapter"]);
    assert_eq!(output.status, Some(0), "{}", output.all());
    assert!(!place.path().join("other/adapter/go.mod").exists());
    let main = place.path().join("other/adapter/main.go");
    let text = fs::read_to_string(&main).expect("a file");
    fs::write(&main, import(&text)).expect("written");
    assert!(!place.run("other/adapter/reader.yaml").1.is_empty());
}

#[test]
fn nothing_is_overwritten() {
    let place = Place::new();
    fs::create_dir(place.path().join("mine")).expect("a folder");
    fs::write(place.path().join("mine/adapter.py"), "my work").expect("written");
    let output = place.tracegauge(&["reader", "init", "--lang", "python", "mine"]);
    assert_eq!(output.status, Some(2));
    assert!(
        output.err.contains("adapter.py already exists"),
        "{}",
        output.err
    );
    let kept = fs::read_to_string(place.path().join("mine/adapter.py")).expect("a file");
    assert_eq!(kept, "my work");
    assert!(!Path::new(&place.path().join("mine/reader.yaml")).exists());
}

#[test]
fn a_format_that_is_none_is_refused() {
    let place = Place::new();
    let output = place.tracegauge(&["reader", "init", "--lang", "c", "--format", "dail9", "mine"]);
    assert_eq!(output.status, Some(2));
    assert!(output.err.contains("`dail9`"), "{}", output.err);
    assert!(!place.path().join("mine").exists());
}

#[test]
fn a_description_of_ones_own_names_the_formats_of_the_adapter() {
    let place = Place::new();
    let spec = joining::notes();
    let init = |more: &[&str]| {
        let words = ["reader", "init", "--lang", "python", "--spec", &spec];
        place.tracegauge(&[&words[..], more].concat())
    };
    let output = init(&["--format", "nots", "mine"]);
    assert_eq!(output.status, Some(2));
    assert!(
        output.err.contains("the description has notes-v1"),
        "{}",
        output.err
    );
    let output = init(&["mine"]);
    assert_eq!(output.status, Some(0), "{}", output.all());
    let next = format!("tracegauge run --spec {spec} --reader mine/reader.yaml");
    assert!(output.err.contains(&next), "{}", output.err);
    let file = fs::read_to_string(place.path().join("mine/reader.yaml")).expect("a file");
    assert!(file.contains("formats: [notes-v1]"), "{file}");
    assert_eq!(init(&["--format", "notes", "other"]).status, Some(0));
    if joining::is_here("python3") {
        for reader in ["mine/reader.yaml", "other/reader.yaml"] {
            let (status, outcomes) = place.run(reader);
            assert_eq!(status, Some(1));
            assert!(!outcomes.is_empty());
        }
    }
}
