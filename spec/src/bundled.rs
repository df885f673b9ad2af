//! The bundled descriptions, which are embedded in the library at build time.
//!
//! A folder that contains a file named `format.yaml` is a description. All other files are parts
//! that descriptions include. Listing the descriptions reads only these files, and of them only
//! `meta` and `dialects`.

use std::sync::OnceLock;

use crate::load::{
    FileError, Files, Loaded, Vocabulary, load, load_unchecked, summary, vocabulary,
};
use crate::lower;
use crate::yaml::Recorded;
use tracegauge_plan::Dialect;

/// The path, text and recorded events of each embedded file, sorted by path.
static FILES: &[(&str, &str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/formats.rs"));

/// The name of the file that makes its folder a description.
const ROOT: &str = "format.yaml";

/// The embedded files as a source for [`load`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundled;

impl Files for Bundled {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let (text, _) = embedded(path).ok_or(FileError::Missing)?;
        Ok(text.to_owned())
    }

    fn recorded(&self, path: &str) -> Option<Recorded> {
        let (_, events) = embedded(path)?;
        Recorded::new(events)
    }
}

/// Returns the text and the recorded events of the embedded file at `path`.
fn embedded(path: &str) -> Option<(&'static str, &'static [u8])> {
    let index = FILES.binary_search_by_key(&path, |(name, ..)| name).ok()?;
    FILES.get(index).map(|(_, text, events)| (*text, *events))
}

/// Returns the path, within a checkout of the repository, of the embedded file at `path`, or `None`
/// if no embedded file has this path.
pub fn in_checkout(path: &str) -> Option<String> {
    embedded(path).map(|_| format!("spec/formats/{path}"))
}

/// A bundled description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundledFormat {
    /// The id of the description.
    pub id: String,
    /// The title, or the id if the description has no title.
    pub title: String,
    /// The name shared by all versions of the format, which is the id without the version.
    pub family: String,
    /// The dialects. Users select a format by the id of a dialect. The default dialect comes first.
    pub dialects: Vec<Dialect>,
    /// The path of the description among the embedded files.
    pub path: &'static str,
}

impl BundledFormat {
    /// Loads and checks the description.
    pub fn load(&self) -> Loaded {
        load(&Bundled, self.path)
    }

    /// Loads the description without checking it as a whole, which the tests have done.
    pub fn load_unchecked(&self) -> Loaded {
        load_unchecked(&Bundled, self.path)
    }

    /// Returns the keys that the loader looks up in the description.
    pub fn vocabulary(&self) -> Vocabulary {
        vocabulary(&Bundled, self.path)
    }

    /// Returns the ids of the dialects, that of the default dialect first.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.dialects.iter().map(|dialect| dialect.id.as_str())
    }
}

/// A description that is parsed when it is first needed.
struct Entry {
    path: &'static str,
    text: &'static str,
    format: OnceLock<Option<BundledFormat>>,
}

impl Entry {
    fn get(&self) -> Option<&BundledFormat> {
        self.format.get_or_init(|| listed(self.path)).as_ref()
    }
}

/// Returns an entry for each file that may be a description, sorted by path.
fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let files = FILES.iter();
        let roots = files.filter(|(path, ..)| path.rsplit('/').next() == Some(ROOT));
        let entry = |(path, text, _): &(&'static str, &'static str, _)| Entry {
            path,
            text,
            format: OnceLock::new(),
        };
        roots.map(entry).collect()
    })
}

/// Returns all bundled descriptions, sorted by path.
pub fn list() -> &'static [BundledFormat] {
    static LIST: OnceLock<Vec<BundledFormat>> = OnceLock::new();
    LIST.get_or_init(|| entries().iter().filter_map(Entry::get).cloned().collect())
}

/// Returns the descriptions that `name` selects. `name` is the id of a description, the id of a
/// dialect, or a family.
pub fn find(name: &str) -> Vec<&'static BundledFormat> {
    // A description contains its ids, so files without the name need not be parsed.
    let may_have = |entry: &&Entry| entry.text.contains(name);
    let mut candidates = entries().iter().filter(may_have).filter_map(Entry::get);
    let has = |format: &&BundledFormat| format.id == name || format.ids().any(|id| id == name);
    match candidates.find(has) {
        Some(format) => vec![format],
        None => {
            let all = list().iter();
            all.filter(|format| has(format) || format.family == name)
                .collect()
        }
    }
}

/// Extracts the id, title, family and dialects of a description. Returns `None` if the file is not
/// a valid description. The reason is reported when the description is loaded.
fn listed(path: &'static str) -> Option<BundledFormat> {
    let (meta, dialects) = summary(&Bundled, path)?;
    let mut dialects: Vec<Dialect> = dialects.iter().map(lower::dialect).collect();
    dialects.sort_by_key(|dialect| !dialect.is_default);
    Some(BundledFormat {
        title: meta.title.unwrap_or_else(|| meta.id.clone()),
        family: meta.family,
        id: meta.id,
        dialects,
        path,
    })
}

#[cfg(test)]
mod tests {
    use tracegauge_plan::source::SourceId;

    use super::*;
    use crate::diagnostic::Diagnostics;
    use crate::yaml::{self, Budget, NodeKind};

    /// Checks that every file is recorded, and that replaying it builds the tree that parsing it
    /// builds.
    #[test]
    fn recordings_are_what_the_parser_reads() {
        for (path, text, events) in FILES {
            let (source, budget) = (SourceId(0), Budget::default());
            let mut diagnostics = Diagnostics::default();
            let recorded = Recorded::new(events).unwrap_or_else(|| panic!("{path}"));
            let replay = |is_wanted: fn(&str) -> bool| {
                let mut diagnostics = Diagnostics::default();
                yaml::replay(text, recorded, is_wanted, source, &budget, &mut diagnostics)
            };
            let replayed = replay(|_| true);
            let parsed = yaml::parse(text, source, &budget, &mut diagnostics);
            assert!(parsed.is_some(), "{path}");
            assert_eq!(replayed, parsed, "{path}");
            let is_wanted = |key: &str| key.contains('e');
            let mut wanted = parsed;
            if let Some(NodeKind::Mapping(mapping)) = wanted.as_mut().map(|node| &mut node.kind) {
                mapping.entries.retain(|entry| is_wanted(&entry.key));
            }
            assert_eq!(replay(is_wanted), wanted, "{path}");
        }
    }

    /// Checks that the list, which is extracted from a part of each file, agrees with the checked
    /// descriptions.
    #[test]
    fn the_list_agrees_with_the_descriptions() {
        let roots = FILES.iter().filter(|(path, ..)| path.ends_with(ROOT));
        assert_eq!(list().len(), roots.count());
        for format in list() {
            let schema = format.load().schema.expect("it is valid");
            assert_eq!(format.id, schema.meta.id);
            assert_eq!(
                &format.title,
                schema.meta.title.as_ref().unwrap_or(&format.id)
            );
            assert_eq!(format.family, schema.meta.family);
            let mut dialects: Vec<_> = schema.dialects.iter().collect();
            dialects.sort_by_key(|dialect| !dialect.default);
            assert_eq!(format.dialects.len(), dialects.len());
            for (listed, dialect) in format.dialects.iter().zip(dialects) {
                assert_eq!(listed.id, dialect.id);
                assert_eq!(listed.detection.bytes, dialect.detect.bytes);
                assert_eq!(listed.is_default, dialect.default);
            }
        }
    }
}
