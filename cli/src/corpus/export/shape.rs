//! Defines the kinds of export, and the supporting files for each kind.

use std::path::Path;

use crate::surroundings::is_in_go_module;

/// A kind of export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Shape {
    /// Plain files.
    #[default]
    Files,
    /// Tests for pytest, which `python3 -m unittest` can run too.
    Pytest,
    /// Tests for `go test`.
    Go,
    /// Tests for JUnit 5, with a `pom.xml` for Maven.
    Junit5,
}

/// A supporting file that is written with the cases.
#[derive(Debug)]
pub(super) struct Support {
    pub(super) path: &'static str,
    pub(super) text: &'static str,
    pub(super) owner: Owner,
}

/// The owner of a supporting file after it has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The user owns the file: it is written once and never overwritten.
    Author,
    /// The export owns the file, and exporting again overwrites it. It is an error if the user has
    /// created a file with the same path.
    Export,
    /// The export owns the file, but the file is optional: if the user has created a file with the
    /// same path, the export leaves that file unchanged.
    Guide,
}

macro_rules! support {
    ($path:literal, $template:literal, $owner:ident) => {
        Support {
            path: $path,
            text: include_str!(concat!("../../../templates/export/", $template)),
            owner: Owner::$owner,
        }
    };
}

const KNOWN_FAILURES: Support = support!("known-failures.txt", "known-failures.txt", Author);
const ATTRIBUTES: Support = support!("cases/.gitattributes", "gitattributes", Guide);

const FILES: &[Support] = &[support!(".gitattributes", "gitattributes", Guide)];
const PYTEST: &[Support] = &[
    support!(
        "tracegauge_reader.py",
        "pytest/tracegauge_reader.py",
        Author
    ),
    support!("tracegauge_cases.py", "pytest/tracegauge_cases.py", Export),
    support!(
        "tracegauge_comparison.py",
        "pytest/tracegauge_comparison.py",
        Export
    ),
    support!("README.md", "pytest/README.md", Guide),
    KNOWN_FAILURES,
    ATTRIBUTES,
];
const GO: &[Support] = &[
    support!("reader_test.go", "go/reader_test.go", Author),
    support!("go.mod", "go/go.mod.txt", Author),
    support!("conformance_test.go", "go/conformance_test.go", Export),
    support!("comparison_test.go", "go/comparison_test.go", Export),
    support!("README.md", "go/README.md", Guide),
    KNOWN_FAILURES,
    ATTRIBUTES,
];
const JUNIT5: &[Support] = &[
    support!(
        "src/test/java/tracegauge/Reader.java",
        "junit5/Reader.java",
        Author
    ),
    support!("pom.xml", "junit5/pom.xml", Author),
    support!(
        "src/test/java/tracegauge/Comparison.java",
        "junit5/Comparison.java",
        Export
    ),
    support!(
        "src/test/java/tracegauge/Cases.java",
        "junit5/Cases.java",
        Export
    ),
    support!(
        "src/test/java/tracegauge/Row.java",
        "junit5/Row.java",
        Export
    ),
    support!(
        "src/test/java/tracegauge/Rejection.java",
        "junit5/Rejection.java",
        Export
    ),
    support!(
        "src/test/java/tracegauge/NoReader.java",
        "junit5/NoReader.java",
        Export
    ),
    support!(
        "src/test/java/tracegauge/Unsupported.java",
        "junit5/Unsupported.java",
        Export
    ),
    support!(
        "src/test/java/tracegauge/Json.java",
        "junit5/Json.java",
        Export
    ),
    support!("README.md", "junit5/README.md", Guide),
    KNOWN_FAILURES,
    ATTRIBUTES,
];

impl Shape {
    /// Returns the supporting files of an export to `folder`.
    pub(super) fn support(self, folder: &Path) -> impl Iterator<Item = &'static Support> {
        let all = match self {
            Self::Files => FILES,
            Self::Pytest => PYTEST,
            Self::Go => GO,
            Self::Junit5 => JUNIT5,
        };
        // Tests inside an existing Go module belong to it and can import the reader, so they need
        // no `go.mod` of their own.
        let skipped = (self == Self::Go && is_in_go_module(folder)).then_some("go.mod");
        all.iter().filter(move |file| skipped != Some(file.path))
    }
}
