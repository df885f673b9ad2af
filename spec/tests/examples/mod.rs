//! Extracts the examples from the pages of the language reference.

use std::path::{Path, PathBuf};

use tracegauge_spec::load::Memory;

/// A description in a page of the reference.
pub struct Example {
    /// The name of the example.
    pub name: String,
    /// The name of the page.
    pub page: String,
    /// The text of the description.
    pub text: String,
    /// The parts of the description, as pairs of path and text.
    pub parts: Vec<(String, String)>,
}

impl Example {
    /// Returns the path of the description in [`Self::files`].
    pub fn path(&self) -> String {
        format!("{}/format.yaml", self.name)
    }

    /// Returns the description and its parts as files in memory.
    pub fn files(&self) -> Memory {
        let files = Memory::new().with(self.path(), self.text.as_str());
        let parts = self.parts.iter();
        parts.fold(files, |files, (path, text)| {
            files.with(path.as_str(), text.as_str())
        })
    }
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// Returns the name and text of each page of the reference and of the walk-through.
pub fn pages() -> Vec<(String, String)> {
    let folder = docs().join("language");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the reference is in the repository")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    paths.push(docs().join("describe-a-format.md"));
    let page = |path: PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        let text = std::fs::read_to_string(&path).expect("the page can be read");
        (name.unwrap_or_default().into_owned(), text)
    };
    paths.into_iter().map(page).collect()
}

/// Returns all examples, in the order of the pages.
pub fn examples() -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    for (page, text) in pages() {
        for block in blocks(&text) {
            let first = block.lines().next().unwrap_or_default();
            if let Some(title) = first.strip_prefix("# example: ") {
                let (page, name) = (page.clone(), title.to_owned());
                let (text, parts) = (block, Vec::new());
                found.push(Example {
                    name,
                    page,
                    text,
                    parts,
                });
            } else if let Some(path) = first.strip_prefix("# file: ") {
                let name = path.split('/').next().unwrap_or_default();
                let example = found.iter_mut().find(|example| example.name == name);
                let example = example.expect("a part follows its example");
                example.parts.push((path.to_owned(), block));
            } else {
                panic!("{page}: a block of YAML that is no example: {first}");
            }
        }
    }
    found
}

/// Returns the YAML code blocks of a page.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    for line in text.lines() {
        match &mut block {
            None if line == "```yaml" => block = Some(String::new()),
            None => {}
            Some(_) if line == "```" => blocks.extend(block.take()),
            Some(block) => {
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    blocks
}
