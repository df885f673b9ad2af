//! The descriptions that come with the suite, embedded when it is built.
//!
//! A folder with a file `format.yaml` is a description; all other files are parts. Nothing
//! is read before it is asked for: the list looks at `meta` and `dialects` only.

use std::sync::OnceLock;

use crate::diagnostic::Diagnostics;
use crate::load::{FileError, Files, Loaded, family_of, load};
use crate::source::SourceId;
use crate::yaml::{self, Budget, Mapping, Node};

/// Path and text of each file, by path.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/formats.rs"));

/// The file that makes a folder a description.
const ROOT: &str = "format.yaml";

/// The embedded files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundled;

impl Files for Bundled {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let at = FILES.binary_search_by_key(&path, |(name, _)| name);
        at.map(|index| FILES[index].1.to_owned())
            .map_err(|_| FileError::Missing)
    }
}

/// Where a file of these stands in a checkout of the suite; nothing where `path` names none.
pub fn in_checkout(path: &str) -> Option<String> {
    let at = FILES.binary_search_by_key(&path, |(name, _)| name);
    at.ok().map(|_| format!("spec/formats/{path}"))
}

/// A description that comes with the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundledFormat {
    /// Its id.
    pub id: String,
    /// Its title, or its id where it has none.
    pub title: String,
    /// The family that it belongs to.
    pub family: String,
    /// Its dialects by their ids, which is how users name formats; the default first.
    pub dialects: Vec<String>,
    /// The path of its file among the embedded ones.
    pub path: &'static str,
}

impl BundledFormat {
    /// Loads and checks it.
    pub fn load(&self) -> Loaded {
        load(&Bundled, self.path)
    }
}

/// All of them, by path.
pub fn list() -> &'static [BundledFormat] {
    static LIST: OnceLock<Vec<BundledFormat>> = OnceLock::new();
    LIST.get_or_init(|| {
        let roots = FILES
            .iter()
            .filter(|(path, _)| path.rsplit('/').next() == Some(ROOT));
        roots
            .filter_map(|(path, text)| summary(path, text))
            .collect()
    })
}

/// Those that `name` means: the id of a dialect or of a description, or a family.
pub fn find(name: &str) -> Vec<&'static BundledFormat> {
    let exact = list()
        .iter()
        .find(|format| format.id == name || format.dialects.iter().any(|id| id == name));
    match exact {
        Some(format) => vec![format],
        None => {
            let all = list().iter();
            all.filter(|format| format.family == name).collect()
        }
    }
}

/// What the list says of a description; `None` where its file is no description, which
/// loading it would explain.
fn summary(path: &'static str, text: &str) -> Option<BundledFormat> {
    let mut ignored = Diagnostics::default();
    let node = yaml::parse(text, SourceId(0), &Budget::default(), &mut ignored)?;
    let file = node.as_mapping()?;
    let meta = file.get("meta")?.value.as_mapping()?;
    let id = text_of(meta, "id")?;
    let mut dialects: Vec<(bool, String)> = match file.get("dialects").map(|entry| &entry.value) {
        Some(node) => node
            .as_mapping()?
            .entries
            .iter()
            .map(|entry| (is_default(&entry.value), entry.key.clone()))
            .collect(),
        None => vec![(true, id.clone())],
    };
    dialects.sort_by_key(|(default, _)| !default);
    Some(BundledFormat {
        title: text_of(meta, "title").unwrap_or_else(|| id.clone()),
        family: text_of(meta, "family").unwrap_or_else(|| family_of(&id).to_owned()),
        dialects: dialects.into_iter().map(|(_, id)| id).collect(),
        id,
        path,
    })
}

fn text_of(mapping: &Mapping, key: &str) -> Option<String> {
    let text = mapping.get(key)?.value.as_text()?;
    Some(text.to_owned())
}

fn is_default(dialect: &Node) -> bool {
    let default = dialect
        .as_mapping()
        .and_then(|mapping| mapping.get("default"));
    default.is_some_and(|entry| entry.value.as_text() == Some("true"))
}
