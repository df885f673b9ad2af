//! What comes with the suite: the corpus, and the readers that can run here.

use std::path::{Path, PathBuf};

use tracegauge_corpus::suite::{RuleEntry, Suite};
use tracegauge_reports::{Level, Profile, ReaderDuty, RuleInfo};
use tracegauge_spec::schema;

use super::{Exit, run};
use crate::reader_file::ReaderFile;

/// Runs readers against the corpus.
pub fn run(args: &run::Args) -> Exit {
    let suite = match Suite::load(&args.formats) {
        Ok(suite) => suite,
        Err(error) => return super::usage(&error.to_string()),
    };
    if !suite.problems.is_empty() {
        for problem in &suite.problems {
            eprintln!("error: {problem}");
        }
        return super::incomplete("the corpus does not agree with itself; nothing is run");
    }
    let rules: Vec<RuleInfo> = suite.rules.iter().map(rule).collect();
    let bundled = match readers() {
        Ok(readers) => readers,
        Err(error) => return super::incomplete(&error),
    };
    run::execute(args, suite.cases, &rules, bundled)
}

/// The folder of the bundled readers: beside the working directory or above it, else where
/// the suite was built.
fn folder() -> Option<PathBuf> {
    let here = std::env::current_dir().ok();
    let above = here.iter().flat_map(|here| here.ancestors());
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    above
        .chain(built)
        .map(|folder| folder.join("readers"))
        .find(|folder| folder.join("README.md").is_file())
}

/// The bundled readers, sorted by the name of their folder; the reference decoder first.
fn readers() -> Result<Vec<ReaderFile>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut readers = vec![reference(&program)?];
    let Some(folder) = folder() else {
        return Ok(readers);
    };
    let mut files = reader_files(&folder).map_err(|error| error.to_string())?;
    files.sort();
    for file in files {
        readers.push(ReaderFile::load(&file).map_err(|error| error.to_string())?);
    }
    Ok(readers)
}

/// The reader files in the folders of `folder`, and in those that gather several readers.
fn reader_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in folders(folder)? {
        let inner = folders(&entry)?.into_iter();
        files.extend(
            std::iter::once(entry)
                .chain(inner)
                .map(|folder| folder.join("reader.yaml"))
                .filter(|file| file.is_file()),
        );
    }
    Ok(files)
}

/// The folders directly in `folder`.
fn folders(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    Ok(std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect())
}

/// The reference decoder as a reader like any other.
fn reference(program: &Path) -> Result<ReaderFile, String> {
    let program = serde_json::to_string(&program.to_string_lossy()).map_err(|e| e.to_string())?;
    let formats: Vec<&str> = tracegauge_spec::bundled::list()
        .iter()
        .flat_map(|format| format.dialects.iter().map(String::as_str))
        .collect();
    let text = format!(
        "name: reference decoder\nversion: {version}\ncommand: [{program}, reader, serve]\nmode: serve\nformats: {formats}\nreports: records\n",
        version = env!("CARGO_PKG_VERSION"),
        formats = serde_json::to_string(&formats).map_err(|error| error.to_string())?,
    );
    let name = Path::new("reference.yaml");
    ReaderFile::parse(&text, name, Path::new(".")).map_err(|error| error.to_string())
}

fn rule(entry: &RuleEntry) -> RuleInfo {
    RuleInfo {
        id: entry.id.clone(),
        format: entry.format.clone(),
        section: entry.sections.join("; "),
        level: match entry.level {
            schema::Level::Must => Level::Must,
            schema::Level::Should => Level::Should,
            schema::Level::May => Level::May,
            schema::Level::States => Level::States,
            schema::Level::Silent => Level::Silent,
            schema::Level::Contradicted => Level::Contradicted,
        },
        says: entry.says.clone(),
        reader: match entry.reader {
            schema::ReaderDuty::Reject => ReaderDuty::Reject,
            schema::ReaderDuty::Accept => ReaderDuty::Accept,
            schema::ReaderDuty::Either => ReaderDuty::Either,
            schema::ReaderDuty::None => ReaderDuty::None,
        },
        profile: if entry.strict {
            Profile::Strict
        } else {
            Profile::Ordinary
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_are_found_alone_and_gathered() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../readers");
        let files = reader_files(&folder).unwrap();
        for name in ["dial9-js", "handwritten/dial9"] {
            let file = folder.join(name).join("reader.yaml");
            assert!(files.contains(&file), "{name} is not among {files:?}");
        }
    }
}
