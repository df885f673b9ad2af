use super::files::{FileError, Files};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::yaml::{self, Budget, Entry, Node, NodeKind};
use tracegauge_plan::source::{SourceSpan, Sources};

/// The number of folders above a file in which imports that start with `/` are looked up.
const MOST_LEVELS: usize = 8;

/// The maximum number of files of a description, including its parts and imports.
const MOST_FILES: usize = 256;

/// The maximum total size, in bytes, of the files of a description.
const MOST_BYTES: usize = 16 << 20;

/// Files that share one namespace: a description with its parts.
#[derive(Default)]
pub(super) struct Namespace {
    /// The description, followed by its parts in the order that the files list them.
    pub(super) files: Vec<Node>,
    /// The namespaces that the files import.
    pub(super) imports: Vec<Import>,
}

/// An entry of `imports`.
pub(super) struct Import {
    /// The index of the namespace.
    pub(super) namespace: usize,
    /// The last component of the path, which is the name of the namespace unless the `meta` of the
    /// imported file defines a name.
    pub(super) stem: String,
}

/// All files of a description.
#[derive(Default)]
pub(super) struct Gathered {
    /// The namespaces. The first namespace contains the description itself.
    pub(super) namespaces: Vec<Namespace>,
    /// Whether a file could not be read.
    pub(super) incomplete: bool,
}

/// Reads the file at `path` with its parts and imports.
pub(super) fn gather(
    files: &dyn Files,
    path: &str,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Gathered {
    let mut gatherer = Gatherer {
        files,
        sources,
        diagnostics,
        gathered: Gathered::default(),
        imported: Vec::new(),
        importing: Vec::new(),
        count: 0,
        bytes: 0,
        nodes: 0,
    };
    gatherer.namespace(path, None);
    gatherer.gathered
}

struct Gatherer<'a> {
    files: &'a dyn Files,
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
    gathered: Gathered,
    /// Paths of the namespaces, by index.
    imported: Vec<String>,
    /// Paths that are being imported, outermost first.
    importing: Vec<String>,
    count: usize,
    bytes: usize,
    nodes: usize,
}

/// The parts of a namespace that is being read.
struct Parts {
    seen: Vec<String>,
    reading: Vec<String>,
    namespace: Namespace,
}

impl Gatherer<'_> {
    /// Reads a namespace and returns its index.
    fn namespace(&mut self, path: &str, named_at: Option<SourceSpan>) -> usize {
        let index = self.gathered.namespaces.len();
        self.gathered.namespaces.push(Namespace::default());
        self.imported.push(path.to_owned());
        self.importing.push(path.to_owned());
        let mut parts = Parts {
            seen: Vec::new(),
            reading: Vec::new(),
            namespace: Namespace::default(),
        };
        self.part(path, named_at, &mut parts);
        self.importing.pop();
        self.gathered.namespaces[index] = parts.namespace;
        index
    }

    fn part(&mut self, path: &str, named_at: Option<SourceSpan>, parts: &mut Parts) {
        if parts.reading.iter().any(|reading| reading == path) {
            if let Some(span) = named_at {
                let message = format!("`{path}` includes itself");
                self.diagnostics.push(
                    Diagnostic::error(Code::PartCycle, span, message)
                        .help("list each part only once, preferably in `format.yaml`"),
                );
            }
            return;
        }
        if parts.seen.iter().any(|seen| seen == path) {
            return;
        }
        parts.seen.push(path.to_owned());
        let Some(node) = self.read(path, named_at) else {
            self.gathered.incomplete = true;
            return;
        };
        let (inner, imports) = (named(&node, "parts"), imports(&node));
        parts.namespace.files.push(node);
        parts.reading.push(path.to_owned());
        for (written, span) in inner {
            if let Some(inner) = self.resolve(path, &written, span) {
                self.part(&inner, Some(span), parts);
            }
        }
        parts.reading.pop();
        for (written, span) in imports {
            if let Some(import) = self.import(path, &written, span) {
                parts.namespace.imports.push(import);
            }
        }
    }

    fn import(&mut self, from: &str, written: &str, span: SourceSpan) -> Option<Import> {
        let path = match written.strip_prefix('/') {
            Some(below_root) => self.below_root(from, (written, below_root), span)?,
            None => {
                let base = self.resolve(from, written, span)?;
                self.existing(&base)
                    .unwrap_or_else(|| format!("{base}.ksy"))
            }
        };
        if self.importing.contains(&path) {
            let message = format!("circular import: `{written}` imports `{path}` again");
            self.diagnostics.push(
                Diagnostic::error(Code::ImportCycle, span, message)
                    .help("move the definitions that both files need to a third file"),
            );
            return None;
        }
        let known = self.imported.iter().position(|imported| *imported == path);
        let namespace = known.unwrap_or_else(|| self.namespace(&path, Some(span)));
        let stem = written.rsplit('/').next().unwrap_or(written).to_owned();
        Some(Import { namespace, stem })
    }

    /// Returns the path of an imported file, whose name is given without an extension.
    fn existing(&self, base: &str) -> Option<String> {
        ["ksy", "yaml", "yml"]
            .map(|extension| format!("{base}.{extension}"))
            .into_iter()
            .find(|path| self.imported.contains(path) || self.files.read(path).is_ok())
    }

    /// Returns the path of an imported file whose path starts at the folder with all descriptions.
    /// This is the nearest folder around `from` in which the file exists.
    fn below_root(
        &mut self,
        from: &str,
        (written, below_root): (&str, &str),
        span: SourceSpan,
    ) -> Option<String> {
        let found = (0..=MOST_LEVELS).find_map(|levels| {
            let path = format!("{}{below_root}", "../".repeat(levels));
            self.existing(&normalise(folder(from), &path)?)
        });
        if found.is_none() {
            self.gathered.incomplete = true;
            let message = format!("cannot find `{written}`");
            self.diagnostics
                .push(Diagnostic::error(Code::FileUnreadable, span, message).help(
                    "a path that starts with `/` is looked up in the folder of this file and in \
                     the folders above it",
                ));
        }
        found
    }

    /// Returns the path of the file that `written` refers to. Paths are relative to the file
    /// `from`, which contains `written`.
    fn resolve(&mut self, from: &str, written: &str, span: SourceSpan) -> Option<String> {
        let absolute = written.starts_with('/');
        let joined = normalise(folder(from), written).filter(|_| !absolute);
        if joined.is_none() {
            self.gathered.incomplete = true;
            let message = format!("`{written}` is outside the folder of descriptions");
            self.diagnostics.push(
                Diagnostic::error(Code::FileUnreadable, span, message)
                    .help("paths are relative to the file that contains them"),
            );
        }
        joined
    }

    fn read(&mut self, path: &str, named_at: Option<SourceSpan>) -> Option<Node> {
        self.count += 1;
        let read = if self.count > MOST_FILES {
            Err(FileError::TooLarge)
        } else {
            self.files.read(path)
        };
        match read {
            Ok(text) if self.bytes + text.len() > MOST_BYTES => {
                self.unreadable(path, named_at, FileError::TooLarge);
                None
            }
            Ok(text) => {
                self.bytes += text.len();
                let source = self.sources.add(path, text.as_str());
                let mut budget = Budget::default();
                budget.nodes = budget.nodes.saturating_sub(self.nodes);
                let node = match self.files.recorded(path) {
                    Some(events) => {
                        yaml::replay(&text, events, |_| true, source, &budget, self.diagnostics)?
                    }
                    None => yaml::parse(&text, source, &budget, self.diagnostics)?,
                };
                self.nodes += node.count();
                Some(node)
            }
            Err(error) => {
                self.unreadable(path, named_at, error);
                None
            }
        }
    }

    fn unreadable(&mut self, path: &str, named_at: Option<SourceSpan>, error: FileError) {
        let (message, code) = if self.count > MOST_FILES {
            let message = format!("a description can have at most {MOST_FILES} files");
            (message, Code::TooLarge)
        } else {
            let message = format!("cannot read `{path}`: {error}");
            (message, Code::FileUnreadable)
        };
        let span = named_at.unwrap_or_else(|| SourceSpan {
            source: self.sources.add(path, ""),
            start: 0,
            end: 0,
        });
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
    }
}

/// Returns the paths listed under `key`. Values that are not paths or lists of paths are reported
/// when the file is converted.
fn named(node: &Node, key: &str) -> Vec<(String, SourceSpan)> {
    let entry = node.as_mapping().and_then(|mapping| mapping.get(key));
    paths(entry)
}

fn imports(node: &Node) -> Vec<(String, SourceSpan)> {
    let mut found = named(node, "imports");
    if let Some(meta) = node.as_mapping().and_then(|mapping| mapping.get("meta")) {
        found.extend(named(&meta.value, "imports"));
    }
    found
}

fn paths(entry: Option<&Entry>) -> Vec<(String, SourceSpan)> {
    let Some(NodeKind::Sequence(nodes)) = entry.map(|entry| &entry.value.kind) else {
        return Vec::new();
    };
    nodes
        .iter()
        .filter_map(|node| node.as_text().map(|text| (text.to_owned(), node.span)))
        .filter(|(text, _)| !text.is_empty())
        .collect()
}

/// Returns the folder of a file, without the final `/`.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Resolves `written` relative to `folder` and removes `.` and `..`. Returns `None` if the path
/// leads above `/`.
///
/// A relative path may begin with `..`, so that a description in a neighboring folder can be named
/// on the command line.
fn normalise(folder: &str, written: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let all = folder.split('/').chain(written.split('/'));
    for (index, part) in all.enumerate() {
        match part {
            "" if index == 0 && folder.starts_with('/') => parts.push(""),
            "" | "." => {}
            ".." => match parts.last() {
                Some(&"..") => parts.push(".."),
                Some(&"") => return None,
                Some(_) => {
                    parts.pop();
                }
                None => parts.push(".."),
            },
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined() {
        for (folder, written, joined) in [
            ("a/v1", "../../common/b.yaml", "common/b.yaml"),
            ("", "a.yaml", "a.yaml"),
            ("../x", "../y/a.yaml", "../y/a.yaml"),
            ("/a/b", "../c", "/a/c"),
        ] {
            assert_eq!(normalise(folder, written).as_deref(), Some(joined));
        }
        assert_eq!(normalise("/a", "../../c"), None);
    }
}
