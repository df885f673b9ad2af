//! Implements `tracegauge corpus notes`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use tracegauge_corpus::case::{CaseId, Source, State};
use tracegauge_corpus::manifest::{Change, Entry, Manifest, compare};
use tracegauge_corpus::real::Real;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::vector;

use super::{CommandError, Exit, counted};

/// Write release notes for the changes between two versions of a corpus
///
/// OLD and NEW are corpus folders, or manifests of one format; a manifest lists only generated
/// cases. Real files are compared by their bytes and their entries in `cases.yaml`. Cases whose expected result changed are listed first, because they matter most to authors
/// of readers. Exit status: 0 written; 2 usage error, or a file cannot be read; 4 neither corpus
/// contains any cases.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "Example:\n  tracegauge corpus notes old/corpus corpus > notes.md")]
pub struct Args {
    /// The older corpus
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The newer corpus
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
}

/// The maximum number of cases named in each section. For any further cases, a section gives only
/// their number.
const NAMED: usize = 20;

pub(super) fn execute(args: &Args, out: &mut dyn Write) -> Result<Exit, CommandError> {
    let (old, new) = (manifests(&args.old)?, manifests(&args.new)?);
    let mut formats: Vec<&String> = old.keys().chain(new.keys()).collect();
    formats.sort();
    formats.dedup();
    if formats.is_empty() {
        writeln!(out, "neither corpus contains any cases")?;
        return Ok(Exit::Nothing);
    }
    writeln!(out, "# Changes in the corpus")?;
    let mut same = Vec::new();
    let empty = Manifest::default();
    for format in formats {
        let before = old.get(format).unwrap_or(&empty);
        let after = new.get(format).unwrap_or(&empty);
        let note = Note::of(before, after);
        if note.is_empty() {
            same.push(format.as_str());
        } else {
            note.write(format, (before, after), out)?;
        }
    }
    if !same.is_empty() {
        writeln!(out, "\nUnchanged: {}.", same.join(", "))?;
    }
    Ok(Exit::Ok)
}

/// Loads the manifests in a folder, or a single manifest file. The result is keyed by format.
fn manifests(path: &Path) -> Result<BTreeMap<String, Manifest>, CommandError> {
    let missing = |kind: std::io::ErrorKind| CommandError::File(path.to_path_buf(), kind.into());
    if path.is_dir() {
        let store = Store::Folder(path.to_path_buf());
        let real = Real::new(store.clone());
        let mut real = real.entries().map_err(CommandError::Real)?;
        let mut names = formats(&store)?;
        names.extend(real.keys().cloned());
        let mut found = BTreeMap::new();
        for name in names {
            let mut manifest = Manifest::load(&store, &name)?.unwrap_or_default();
            manifest.format.clone_from(&name);
            for source in [Source::Vector, Source::Regression] {
                let written = vector::load(&store, source, &name).map_err(CommandError::Vector)?;
                manifest
                    .entries
                    .extend(written.iter().map(Entry::of_vector));
            }
            manifest
                .entries
                .extend(real.remove(&name).into_iter().flatten());
            found.insert(name, manifest);
        }
        return Ok(found);
    }
    let bytes =
        std::fs::read(path).map_err(|error| CommandError::File(path.to_path_buf(), error))?;
    let manifest = Manifest::parse(&path.display().to_string(), &bytes)?;
    if manifest.format.is_empty() {
        return Err(missing(std::io::ErrorKind::InvalidData));
    }
    Ok(BTreeMap::from([(manifest.format.clone(), manifest)]))
}

/// Returns the formats that have generated or hand-written cases in a corpus.
fn formats(store: &Store) -> Result<BTreeSet<String>, CommandError> {
    let mut found = BTreeSet::new();
    for folder in ["manifest", "vectors", "regressions"] {
        let files = store.list(folder).map_err(CommandError::Store)?;
        let names = files.iter().filter_map(|file| {
            let inside = file.strip_prefix(folder)?.strip_prefix('/')?;
            match inside.split_once('/') {
                Some((format, _)) => Some(format),
                None => inside.strip_suffix(".yaml"),
            }
        });
        found.extend(names.map(str::to_owned));
    }
    Ok(found)
}

/// The changes in one format, grouped by what they mean for the author of a reader.
#[derive(Default)]
struct Note<'m> {
    demands: Vec<(CaseId, String)>,
    added: Vec<(&'m CaseId, &'m Entry)>,
    retired: Vec<(CaseId, Option<&'m str>)>,
    states: Vec<(&'m CaseId, State, State)>,
    bytes: Vec<CaseId>,
    provenance: usize,
}

impl<'m> Note<'m> {
    fn of(before: &'m Manifest, after: &'m Manifest) -> Self {
        let mut note = Self::default();
        for (id, change) in compare(before, after).0 {
            match change {
                Change::New => {
                    let entry = after.entries.get_key_value(&id);
                    note.added
                        .extend(entry.filter(|(_, entry)| entry.state.runs()));
                }
                Change::Gone => note.retired.push((id, None)),
                Change::Verdict { .. } | Change::Revived => {
                    note.demands.push((id, change.to_string()));
                }
                Change::Bytes => note.bytes.push(id),
                Change::Provenance => note.provenance += 1,
            }
        }
        for (id, entry) in &after.entries {
            let Some(known) = before.entries.get(id) else {
                continue;
            };
            match (known.state, entry.state) {
                (old, new) if old == new => {}
                (_, State::Retired) => note.retired.push((id.clone(), entry.reason.as_deref())),
                (old, new) => note.states.push((id, old, new)),
            }
        }
        note
    }

    fn is_empty(&self) -> bool {
        self.demands.is_empty()
            && self.added.is_empty()
            && self.retired.is_empty()
            && self.states.is_empty()
            && self.bytes.is_empty()
            && self.provenance == 0
    }

    fn write(
        &self,
        format: &str,
        (before, after): (&Manifest, &Manifest),
        out: &mut dyn Write,
    ) -> Result<(), CommandError> {
        let running = |manifest: &Manifest| {
            let entries = manifest.entries.values();
            entries.filter(|entry| entry.state.runs()).count()
        };
        let (from, to) = (running(before), counted(running(after), "case", "cases"));
        writeln!(out, "\n## {format}: {to} (before: {from})")?;
        let demands = self.demands.iter();
        let demands = demands.map(|(id, change)| format!("`{id}`: {change}"));
        section("Changed expectations", demands.collect(), out)?;
        section("New cases, by rule", self.new_by_rule(), out)?;
        let retired = self.retired.iter().map(|(id, reason)| match reason {
            Some(reason) => format!("`{id}`: {reason}"),
            None => format!("`{id}`"),
        });
        section("Retired or removed", retired.collect(), out)?;
        let states = self.states.iter();
        let states = states.map(|(id, old, new)| format!("`{id}`: {old}, now {new}"));
        section("Changed state", states.collect(), out)?;
        let bytes = self.bytes.iter().map(|id| format!("`{id}`"));
        section("Changed bytes, same expectations", bytes.collect(), out)?;
        if self.provenance > 0 {
            let cases = counted(self.provenance, "case", "cases");
            writeln!(
                out,
                "\n{cases}: only the twin, the operator, the tested rules or the departures changed."
            )?;
        }
        Ok(())
    }

    /// Returns the number of new cases for each rule. A case counts for its first rule or, if it
    /// has none, for the part of the corpus that it belongs to, such as `valid`.
    fn new_by_rule(&self) -> Vec<String> {
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
        for (id, entry) in &self.added {
            let kind = id.split('/').nth(1).unwrap_or_default();
            let rule = entry.rules.first().map_or(kind, String::as_str);
            *rules.entry(rule).or_default() += 1;
        }
        let lines = rules.into_iter();
        let lines =
            lines.map(|(rule, count)| format!("{rule}: {}", counted(count, "case", "cases")));
        lines.collect()
    }
}

fn section(title: &str, lines: Vec<String>, out: &mut dyn Write) -> Result<(), CommandError> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title} ({}):\n", lines.len())?;
    for line in lines.iter().take(NAMED) {
        writeln!(out, "- {line}")?;
    }
    if lines.len() > NAMED {
        writeln!(out, "- and {} more", lines.len() - NAMED)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracegauge_corpus::case::ExpectedVerdict;

    fn notes(old: &Path, new: &Path) -> String {
        let args = Args {
            old: old.to_owned(),
            new: new.to_owned(),
        };
        let mut out = Vec::new();
        execute(&args, &mut out).expect("the folders can be read");
        String::from_utf8(out).expect("text")
    }

    /// Writes a corpus with one real file.
    fn corpus(bytes: &[u8], records: usize) -> tempfile::TempDir {
        let corpus = tempfile::tempdir().expect("a folder");
        let folder = corpus.path().join("real/log");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("small.log"), bytes).expect("written");
        let list = format!(
            "cases:\n  - {{ file: small.log, format: log-v1, says: A small log., expect: accept, \
             records: {records} }}\n"
        );
        std::fs::write(folder.join("cases.yaml"), list).expect("written");
        corpus
    }

    #[test]
    fn changes_to_real_files_are_listed() {
        let empty = tempfile::tempdir().expect("a folder");
        let (old, new) = (corpus(b"one", 1), corpus(b"two", 1));
        let note = notes(empty.path(), old.path());
        assert!(note.contains("## log-v1: 1 case (before: 0)"), "{note}");
        assert!(note.contains("- real: 1 case"), "{note}");
        let note = notes(old.path(), new.path());
        let changed = "Changed bytes, same expectations (1):\n\n- `log-v1/real/small`";
        assert!(note.contains(changed), "{note}");
        let note = notes(new.path(), corpus(b"two", 2).path());
        assert!(note.contains("Changed expectations (1)"), "{note}");
        let note = notes(new.path(), new.path());
        assert!(note.contains("Unchanged: log-v1."), "{note}");
        let note = notes(new.path(), empty.path());
        assert!(note.contains("Retired or removed (1)"), "{note}");
    }

    #[test]
    fn changed_departures_are_counted_as_such() {
        let manifest = |departures: &[&str]| {
            let entry = Entry {
                version: 1,
                state: State::Active,
                reason: None,
                expect: ExpectedVerdict::Accept,
                open: false,
                rules: Vec::new(),
                fault: None,
                operator: None,
                twin: None,
                departures: departures.iter().map(|name| (*name).to_owned()).collect(),
                bytes: 0,
                hash: String::new(),
                records: vec![0],
                due: None,
                answer: String::new(),
            };
            Manifest {
                format: "log-v1".to_owned(),
                entries: BTreeMap::from([("log-v1/valid/0".to_owned(), entry)]),
            }
        };
        let (before, after) = (manifest(&[]), manifest(&["items.tag"]));
        let mut out = Vec::new();
        let written = Note::of(&before, &after).write("log-v1", (&before, &after), &mut out);
        written.expect("written");
        let note = String::from_utf8(out).expect("text");
        let counted = "1 case: only the twin, the operator, the tested rules or the departures \
                       changed.";
        assert!(note.contains(counted), "{note}");
    }
}
