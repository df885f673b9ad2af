//! The tools that run exported tests, and functions that interpret their output.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A tool that runs exported tests.
pub struct Tool {
    /// The name of the tool.
    pub name: &'static str,
    /// The shape of the tests that the tool runs.
    pub shape: &'static str,
    /// The source of the test reader in the tool's language, and the path to which it is written.
    pub reader: (&'static str, &'static str),
    /// A command that succeeds only if the tool can be used.
    pub needs: &'static str,
    /// A command that is run once, before the first reader.
    pub prepare: &'static str,
    /// The command that runs the tests.
    pub command: &'static str,
    /// The readers that the tool may fail in more cases than a strict run does, because they write
    /// values in forms that the tool does not accept.
    pub stricter: &'static [&'static str],
    /// Returns the cases that failed, according to the output.
    failed: fn(&str) -> BTreeSet<String>,
    /// Returns the number of tests that ran. The arguments are the exported folder, the folder of
    /// the answers, and the output.
    count: fn(&Path, &Path, &str) -> usize,
}

/// A tool's result for a reader.
#[derive(Debug, Default, PartialEq)]
pub struct Verdict {
    /// The number of tests that ran.
    pub count: usize,
    /// The cases that failed.
    pub failed: BTreeSet<String>,
}

const PYTHON: (&str, &str) = ("tracegauge_reader.py", include_str!("reader.py"));
const JAVA: (&str, &str) = (
    "src/test/java/tracegauge/Reader.java",
    include_str!("Reader.java"),
);

/// The name of the tool that runs the documented runner for Node.js.
pub const NODE: &str = "node";

pub static TOOLS: [Tool; 5] = [
    Tool {
        name: NODE,
        // The runner reads plain files.
        shape: "files",
        reader: ("my-reader.mjs", include_str!("reader.mjs")),
        needs: "node --version",
        prepare: "true",
        command: "node --stack-size=4000 --test-reporter=tap conformance.test.mjs",
        stricter: &[
            // The reader reports only verdicts, but the runner always compares records.
            "accepts all",
            // The reader does not know whether the class of a violation is `unsupported`.
            "supports nothing",
            "integers as text",
            "members of enumerations as numbers",
            "GUIDs in braces",
        ],
        failed: |said| {
            let lines = said.lines().filter_map(|line| line.strip_prefix("not ok "));
            let names = lines.filter_map(|line| line.split_once(" - "));
            names.map(|(_, name)| name.replace('\\', "")).collect()
        },
        count: |_, _, said| count_lines(said, &["ok ", "not ok "]),
    },
    Tool {
        name: "go test",
        shape: "go",
        reader: ("reader_test.go", include_str!("reader.go.txt")),
        needs: "go version",
        prepare: "go vet . && go test -c -o conformance.test .",
        command: "./conformance.test -test.v -test.timeout 60m",
        stricter: &[],
        failed,
        count: |_, _, said| {
            count_lines(
                said,
                &["    --- FAIL: ", "    --- PASS: ", "    --- SKIP: "],
            )
        },
    },
    Tool {
        name: "unittest",
        shape: "pytest",
        reader: PYTHON,
        needs: "python3 --version",
        prepare: "true",
        command: "python3 -m unittest",
        stricter: &[],
        failed,
        count: |_, _, said| number_after(said, "Ran "),
    },
    Tool {
        name: "pytest",
        shape: "pytest",
        reader: PYTHON,
        needs: "python3 -m pytest --version",
        prepare: "true",
        command: "python3 -m pytest -q -rN -p no:cacheprovider --junit-xml=$TRACEGAUGE_ANSWERS/pytest.xml",
        stricter: &[],
        failed,
        count: |_, answers, _| xml_count(&read(&answers.join("pytest.xml"))),
    },
    Tool {
        name: "mvn test",
        shape: "junit5",
        reader: JAVA,
        needs: "mvn -v",
        prepare: "mvn -B -q test-compile",
        command: "rm -rf target/surefire-reports; mvn -B -ntp surefire:test; cat target/surefire-reports/*.xml",
        stricter: &[],
        failed,
        count: |folder, _, _| {
            let files = fs::read_dir(folder.join("target/surefire-reports"));
            let paths = files
                .into_iter()
                .flatten()
                .flatten()
                .map(|file| file.path());
            let reports = paths.filter(|path| path.extension().is_some_and(|end| end == "xml"));
            reports.map(|path| xml_count(&read(&path))).sum()
        },
    },
];

impl Tool {
    /// Returns whether the tool and its requirements are installed.
    pub fn is_here(&self) -> bool {
        shell(Path::new("."), self.needs).0
    }

    /// Runs the tests in strict mode on a reader with these answers.
    pub fn run(&self, folder: &Path, answers: &Path) -> Verdict {
        let command = format!(
            "export TRACEGAUGE_STRICT=1 TRACEGAUGE_ANSWERS='{}'; {}",
            answers.display(),
            self.command
        );
        let (_, said) = shell(folder, &command);
        Verdict {
            count: (self.count)(folder, answers, &said),
            failed: (self.failed)(&said),
        }
    }
}

/// Runs a shell command. Returns true if it succeeded, together with its output.
pub fn shell(folder: &Path, command: &str) -> (bool, String) {
    let output = Command::new("sh")
        .args(["-c", &format!("({command}) 2>&1")])
        .current_dir(folder)
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success(), text)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Returns the failed cases in a tool's output, where the first line of a failure is `OUTCOME:
/// CASE`.
fn failed(said: &str) -> BTreeSet<String> {
    const OUTCOMES: [&str; 6] = [
        "wrong-records: ",
        "wrong-reject: ",
        "wrong-accept: ",
        "undeclared-gap: ",
        "protocol: ",
        "crash: ",
    ];
    // The line that states the reader's behavior may begin with the same word, so it is excluded.
    let lines = said.lines().filter(|line| !line.contains("actual  "));
    let lines = lines.filter_map(|line| {
        let starts = OUTCOMES.iter().filter_map(|outcome| {
            let at = line.find(outcome)?;
            Some(&line[at + outcome.len()..])
        });
        starts.min_by_key(|rest| rest.len())
    });
    let name = |line: &str| line.split(['\n', '"', '&', '<']).next().map(str::to_owned);
    lines.filter_map(name).collect()
}

fn count_lines(said: &str, starts: &[&str]) -> usize {
    let starts = |line: &&str| starts.iter().any(|start| line.starts_with(start));
    said.lines().filter(starts).count()
}

fn number_after(said: &str, word: &str) -> usize {
    let lines = said.lines().filter_map(|line| line.strip_prefix(word));
    let mut numbers = lines.filter_map(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    numbers.next_back().unwrap_or_default()
}

fn xml_count(xml: &str) -> usize {
    xml.matches("<testcase ").count()
}
