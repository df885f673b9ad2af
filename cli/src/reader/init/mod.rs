//! `tracegauge reader init`: creates an adapter that is complete except for the call to the user's
//! reader.

mod language;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tracegauge_corpus::formats::{FormatError, Formats};
use tracegauge_corpus::writable;
use tracegauge_harness::suggested::{with_spec, word};
use tracegauge_protocol::reader_file::{names_format, yaml_text};
use tracegauge_spec::bundled::{self, BundledFormat};

use crate::{Exit, named, say, usage};
use language::Language;

/// The reader file, which is the same for all languages except for how the program is built and
/// started.
const READER_FILE: &str = include_str!("../../../templates/reader.yaml");

/// Create an adapter for your reader
///
/// The command writes a reader file and an adapter program to DIR. The adapter is complete except
/// for the call to your reader, and `tracegauge run --reader DIR/reader.yaml` works immediately.
/// Existing files are not overwritten. Exit status: 0 written; 2 usage error, or a file exists or
/// cannot be written.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge reader init --lang python --format FORMAT my-adapter\n  tracegauge reader init --lang rust --spec my-format.yaml my-own"
)]
pub struct Args {
    /// Programming language of the adapter
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub lang: Language,
    /// Format that the reader supports, or a format family if the reader supports all versions in
    /// that family; may be repeated. Without --format, the reader file lists no formats, which means
    /// all bundled formats
    #[arg(long = "format", value_name = "ID")]
    pub formats: Vec<String>,
    /// Description to use instead of a bundled one; without --format, the reader supports all
    /// formats in it
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
    /// Folder to write to
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// The reasons why an adapter is not written.
#[derive(Debug)]
enum InitError {
    /// A file of the adapter already exists.
    Exists(PathBuf),
    /// A file cannot be written.
    Io(PathBuf, io::Error),
    /// The format is unknown. The second field lists the formats of the user's own description.
    Format(String, Vec<String>),
    /// The description cannot be loaded.
    Spec(FormatError),
}

impl fmt::Display for InitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists(path) => write!(
                f,
                "{} already exists and is not overwritten; choose another folder",
                path.display()
            ),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Format(name, own) if own.is_empty() => write!(
                f,
                "unknown format `{name}`; `tracegauge spec list` lists the bundled formats, and \
                 --spec FILE uses another description"
            ),
            Self::Format(name, own) => write!(
                f,
                "unknown format `{name}`; the description has {}, and `tracegauge spec list` \
                 lists the bundled formats",
                own.join(", ")
            ),
            Self::Spec(error) => error.fmt(f),
        }
    }
}

/// Runs the command.
pub(super) fn execute(args: &Args) -> Exit {
    match write(args) {
        Ok(files) => {
            for file in &files {
                say!("{}", named(file));
            }
            let reader = word(&args.folder.join("reader.yaml"));
            crate::remark!("next: call your reader in {}, then run", args.lang.yours());
            let spec = with_spec(args.spec.as_ref());
            crate::remark!("  tracegauge reader doctor{spec} {reader}");
            crate::remark!("  tracegauge run{spec} --reader {reader}");
            Exit::Ok
        }
        Err(error) => usage(&error.to_string()),
    }
}

/// Writes the files of the adapter and returns their paths.
fn write(args: &Args) -> Result<Vec<PathBuf>, InitError> {
    let formats: Vec<String> = formats(args)?.iter().map(|it| yaml_text(it)).collect();
    let formats = formats.join(", ");
    let name = reader_name(&args.folder);
    let filled = |text: &str| {
        text.replace("@START@", args.lang.start(&args.folder))
            .replace("@NAME@", &name)
            .replace("@FORMATS@", &formats)
    };
    let reader_file = READER_FILE.replace("@NAME@", &yaml_text(&name));
    let files: Vec<(PathBuf, String)> = std::iter::once(("reader.yaml", reader_file.as_str()))
        .chain(args.lang.files(&args.folder).iter().copied())
        .map(|(path, text)| (args.folder.join(path), filled(text)))
        .collect();
    if let Some((path, _)) = files
        .iter()
        .find(|(path, _)| path.symlink_metadata().is_ok())
    {
        return Err(InitError::Exists(path.clone()));
    }
    let folder = &args.folder;
    writable::folder(folder).map_err(|error| InitError::Io(folder.clone(), error))?;
    for (path, text) in &files {
        write_new(path, text).map_err(|error| InitError::Io(path.clone(), error))?;
    }
    let ignore = folder.join(".gitignore");
    let mut written: Vec<PathBuf> = files.into_iter().map(|(path, _)| path).collect();
    if ignore.symlink_metadata().is_err() {
        write_new(&ignore, args.lang.ignored())
            .map_err(|error| InitError::Io(ignore.clone(), error))?;
        written.push(ignore);
    } else {
        let lines = args.lang.ignored().trim_end().replace('\n', ", ");
        crate::remark!(
            "note: {} already exists and was not changed; add these lines to it: {lines}",
            ignore.display()
        );
    }
    Ok(written)
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    use std::io::Write as _;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::File::create_new(path)?.write_all(text.as_bytes())
}

/// Returns the formats that the reader supports, as they are listed in the reader file.
fn formats(args: &Args) -> Result<Vec<String>, InitError> {
    let own: Vec<String> = match &args.spec {
        Some(path) => {
            let formats = Formats::from_file(path).map_err(InitError::Spec)?;
            let plans = formats.plans().iter();
            plans.map(|plan| plan.format.clone()).collect()
        }
        None => Vec::new(),
    };
    if args.formats.is_empty() {
        return Ok(own);
    }
    let bundled = bundled::list().iter().flat_map(BundledFormat::ids);
    let known: Vec<&str> = bundled.chain(own.iter().map(String::as_str)).collect();
    let is_known = |name: &str| known.iter().any(|id| names_format(name, id));
    match args.formats.iter().find(|name| !is_known(name)) {
        Some(unknown) => Err(InitError::Format(unknown.clone(), own)),
        None => Ok(args.formats.clone()),
    }
}

/// Returns the name of the folder, reduced to characters that need no escaping in any of the
/// languages.
fn reader_name(folder: &Path) -> String {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '-' })
        .collect();
    // YAML does not parse `1` or `-` as a string.
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        format!("reader-{name}").trim_end_matches('-').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_whatever_the_folder_is_called() {
        for (folder, name) in [
            ("/a/my-reader", "my-reader"),
            ("/a/\"x\": [1]", "reader--x----1"),
            ("/a/5", "reader-5"),
            ("/", "reader"),
        ] {
            assert_eq!(reader_name(Path::new(folder)), name);
        }
    }
}
