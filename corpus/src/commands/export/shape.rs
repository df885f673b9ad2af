//! The shapes of exported cases, and the files that come with them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::super::CommandError;
use super::files::{Exported, ExportedCase, write_file};
use super::python;

/// The shape of exported cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Shape {
    /// Plain files.
    #[default]
    Files,
    /// Tests for pytest, which `python3 -m unittest` runs as well.
    Pytest,
    /// Tests for `go test`.
    Go,
    /// Tests for JUnit 5.
    Junit5,
}

/// A file that comes with the cases.
struct Support {
    path: &'static str,
    text: &'static str,
    /// The author writes in it, so that it is written once only.
    is_authors: bool,
}

macro_rules! support {
    ($path:literal, $template:literal, $is_authors:literal) => {
        Support {
            path: $path,
            text: include_str!(concat!("../../../templates/", $template)),
            is_authors: $is_authors,
        }
    };
}

const PYTEST: &[Support] = &[
    support!("reader.py", "pytest/reader.py", true),
    support!("comparison.py", "pytest/comparison.py", false),
    support!("README.md", "pytest/README.md", false),
];
const GO: &[Support] = &[
    support!("reader_test.go", "go/reader_test.go", true),
    support!("go.mod", "go/go.mod.txt", true),
    support!("comparison_test.go", "go/comparison_test.go", false),
    support!("README.md", "go/README.md", false),
];
const JUNIT5: &[Support] = &[
    support!(
        "src/test/java/tracegauge/Reader.java",
        "junit5/Reader.java",
        true
    ),
    support!(
        "src/test/java/tracegauge/Comparison.java",
        "junit5/Comparison.java",
        false
    ),
    support!(
        "src/test/java/tracegauge/ConformanceTest.java",
        "junit5/ConformanceTest.java",
        false
    ),
    support!(
        "src/test/java/tracegauge/Json.java",
        "junit5/Json.java",
        false
    ),
    support!("README.md", "junit5/README.md", false),
];

/// Writes what comes with the cases, and returns the files that are the author's and were there.
pub(super) fn write(
    shape: Shape,
    folder: &Path,
    exported: &Exported<'_>,
) -> Result<Vec<PathBuf>, CommandError> {
    let support = match shape {
        Shape::Files => return Ok(Vec::new()),
        Shape::Pytest => PYTEST,
        Shape::Go => GO,
        Shape::Junit5 => JUNIT5,
    };
    let mut kept = Vec::new();
    for file in support {
        let path = folder.join(file.path);
        if file.is_authors && path.exists() {
            kept.push(path);
        } else {
            write_file(&path, file.text.as_bytes())?;
        }
    }
    for (format, cases) in exported.by_format() {
        let (name, text) = match shape {
            Shape::Pytest => python::tests(format, cases),
            Shape::Files | Shape::Go | Shape::Junit5 => list(format, cases),
        };
        write_file(&folder.join(name), text.as_bytes())?;
    }
    Ok(kept)
}

/// The file that lists the cases of a format, and its text: a line for each with its identity,
/// its file, and whether readers are to fail for it.
fn list(format: &str, cases: &[ExportedCase<'_>]) -> (String, String) {
    let mut text = String::new();
    for one in cases {
        let level = if one.is_recommendation {
            "should"
        } else {
            "must"
        };
        let _ = writeln!(text, "{}\t{}\t{level}", one.case.id, one.path);
    }
    (format!("cases/{format}.txt"), text)
}
