//! A cache of generated traces, shared by all runs of a user. Generating the cases of a format takes
//! seconds; reading their traces from the cache takes milliseconds.
//!
//! The cache is not trusted. A cache contains only the traces of cases, their names and their
//! purposes. A trace is used only if the manifest lists its hash, and the expectation comes from
//! the reference decoder, as it does for a trace that has just been generated.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use serde::{Deserialize, Serialize};
use tracegauge_plan::Plan;

use crate::case::{Case, CaseId, Provenance, Source, State};
use crate::expected::examine;
use crate::manifest::{Entry, Manifest};
use crate::parallel;
use crate::systematic::description_hash;

/// The name of the environment variable that contains the path of the cache. If the variable is
/// empty, the cache is disabled.
const VARIABLE: &str = "TRACEGAUGE_CACHE";

/// The first bytes of a cache file, which change whenever the layout of the file changes. The rest
/// of the file consists of the length of the header as a little-endian 64-bit number, the header as
/// JSON, and all traces.
const MAGIC: &[u8; 8] = b"tgtrace1";

/// A folder with one file of traces for each format.
#[derive(Clone, Debug)]
pub struct TraceCache {
    folder: PathBuf,
}

/// The header of a cache file.
#[derive(Serialize, Deserialize)]
struct Header {
    /// The hash of the description that the traces were generated from.
    description: String,
    traces: Vec<CachedTrace>,
}

/// The entry of a trace in the header of a cache file. The bytes of the traces follow the header in
/// the same order.
#[derive(Serialize, Deserialize)]
struct CachedTrace {
    id: CaseId,
    length: usize,
    /// The purpose of the case, which the manifest does not contain.
    why: String,
}

impl TraceCache {
    /// Opens the cache in `folder`, which is created when the first traces are saved.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Opens the cache of the current user: the folder named by the environment variable
    /// `TRACEGAUGE_CACHE`, or a folder in the user's cache folder. Returns `None` if the variable
    /// is empty or the user has no cache folder. The path is absolute, so that the folder can be
    /// hidden from readers, which run in other folders.
    pub fn of_user() -> Option<Self> {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        if let Some(folder) = env::var_os(VARIABLE) {
            let folder = std::path::absolute(folder).ok()?; // an error if the value is empty
            return Some(Self::at(folder));
        }
        let caches = match set("XDG_CACHE_HOME") {
            Some(folder) => PathBuf::from(folder),
            None => {
                let home = PathBuf::from(set("HOME")?);
                home.join(match cfg!(target_os = "macos") {
                    true => "Library/Caches",
                    false => ".cache",
                })
            }
        };
        // A relative path would create a cache in every folder in which the command is run.
        let caches = caches.is_absolute().then_some(caches)?;
        Some(Self::at(caches.join("tracegauge")))
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn file(&self, format: &str) -> PathBuf {
        self.folder.join(format!("{format}.traces"))
    }

    /// Returns the generated cases that `manifest` lists for the format of `plan`. Returns `None`
    /// unless the cache contains exactly these traces and the reference decoder confirms what the
    /// manifest says about them.
    pub(crate) fn load(&self, plan: &Plan, manifest: &Manifest) -> Option<Vec<Case>> {
        let content = fs::read(self.file(&plan.format)).ok()?;
        let (header, mut rest) = parse(&content)?;
        if header.description != description_hash(plan) {
            return None;
        }
        let mut traces = Vec::with_capacity(header.traces.len());
        for trace in header.traces {
            let (bytes, others) = rest.split_at_checked(trace.length)?;
            rest = others;
            traces.push((trace, bytes));
        }
        if !rest.is_empty() || !has_all(manifest, traces.iter().map(|(trace, _)| trace.id.as_str()))
        {
            return None;
        }
        let cases = parallel::map_owned(traces, |(trace, bytes)| {
            confirmed(plan, manifest, trace, bytes)
        });
        cases.into_iter().collect()
    }

    /// Saves the traces of `cases`, which belong to the format of `plan` and are sorted by
    /// identity, if they are the cases that `manifest` lists. Errors are ignored, because without a
    /// cache the next run merely takes longer.
    pub(crate) fn save(&self, plan: &Plan, manifest: &Manifest, cases: &[&Case]) {
        let is_listed = |case: &&Case| {
            let entry = manifest.entries.get(&case.id);
            entry.is_some_and(|entry| entry.is_of(&case.bytes))
        };
        if cases.iter().all(is_listed)
            && has_all(manifest, cases.iter().map(|case| case.id.as_str()))
        {
            let _ = self.write(plan, cases);
        }
    }

    fn write(&self, plan: &Plan, cases: &[&Case]) -> io::Result<()> {
        let header = Header {
            description: description_hash(plan),
            traces: cases
                .iter()
                .map(|case| CachedTrace {
                    id: case.id.clone(),
                    length: case.bytes.len(),
                    why: case.provenance.why.clone(),
                })
                .collect(),
        };
        let header = serde_json::to_vec(&header)?;
        fs::create_dir_all(&self.folder)?;
        // The file is written under a temporary name first, because several runs may write it at
        // the same time, and a run may be killed.
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(MAGIC)?;
        file.write_all(&(header.len() as u64).to_le_bytes())?;
        file.write_all(&header)?;
        for case in cases {
            file.write_all(&case.bytes)?;
        }
        file.persist(self.file(&plan.format))?;
        Ok(())
    }
}

/// Returns whether `ids` contains all cases that `manifest` lists. Retired cases may be missing.
fn has_all<'c>(manifest: &Manifest, ids: impl Iterator<Item = &'c str>) -> bool {
    let ids: HashSet<&str> = ids.collect();
    let entries = manifest.entries.iter();
    let mut in_use = entries.filter(|(_, entry)| entry.state != State::Retired);
    in_use.all(|(id, _)| ids.contains(id.as_str()))
}

/// Splits the content of a file into its header and the bytes of the traces.
fn parse(content: &[u8]) -> Option<(Header, &[u8])> {
    let content = content.strip_prefix(MAGIC)?;
    let (length, content) = content.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (header, traces) = content.split_at_checked(length)?;
    Some((serde_json::from_slice(header).ok()?, traces))
}

/// Returns the case of a cached trace, or `None` if the manifest lists a different trace or the
/// reference decoder does not confirm what the manifest says about it.
fn confirmed(plan: &Plan, manifest: &Manifest, trace: CachedTrace, bytes: &[u8]) -> Option<Case> {
    let entry = manifest.entries.get(&trace.id)?;
    let source = source(&trace.id);
    if !entry.is_of(bytes) {
        return None;
    }
    let mut expected = examine(plan, bytes).expected;
    if let Some(violation) = &mut expected.violation {
        violation.rules.clone_from(&entry.rules);
        violation.rules.dedup();
    }
    let case = Case {
        id: trace.id,
        format: plan.format.clone(),
        bytes: Arc::from(bytes),
        repeated: None,
        expected,
        // The twin of a valid trace depends on the other cases of the run.
        twin: entry.twin.clone().filter(|_| source != Source::Valid),
        provenance: Provenance {
            source,
            rules: entry.rules.clone(),
            operator: entry.operator.clone(),
            why: trace.why,
        },
        departures: Vec::new(),
        state: State::Active,
        version: 1,
    };
    Entry::of(&case).is_same(entry).then_some(case)
}

/// Returns the source named in the identity of a generated case. The identity of a plainer twin (a
/// valid trace that only malformed cases need) names no source.
fn source(id: &str) -> Source {
    let named = |source: &Source| id.split('/').nth(1) == Some(source.name());
    let sources = [Source::Malformed, Source::Ladder];
    sources.into_iter().find(named).unwrap_or(Source::Valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_is_part_of_the_identity() {
        assert_eq!(source("f-v1/malformed/A/cut/b"), Source::Malformed);
        assert_eq!(source("f-v1/valid/least"), Source::Valid);
        assert_eq!(source("f-v1/twin/0"), Source::Valid);
    }

    #[test]
    fn a_file_with_another_layout_or_a_cut_header_is_no_cache() {
        let header = br#"{"description":"d","traces":[]}"#;
        let length = (header.len() as u64).to_le_bytes();
        let whole = [&MAGIC[..], &length, header, b"rest"].concat();
        assert!(parse(&whole).is_some_and(|(header, rest)| {
            header.description == "d" && header.traces.is_empty() && rest == b"rest"
        }));
        assert!(parse(&whole[..30]).is_none());
        assert!(parse(&whole[1..]).is_none());
        assert!(parse(&[]).is_none());
    }
}
