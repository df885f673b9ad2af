//! The files of a description, and places in them.

use std::sync::Arc;

/// One file of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A range of bytes in one file of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceSpan {
    /// The file.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// The text of one file, under the name that messages use.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name: a path relative to where the description was asked for.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
}

/// All files of a description, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

/// A place as people say it: both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        let id = SourceId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile {
            name: name.into(),
            text: text.into(),
        });
        id
    }

    /// The file of `id`.
    pub fn file(&self, id: SourceId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The excerpt of `span`; empty where the span lies outside its file.
    pub fn excerpt(&self, span: SourceSpan) -> &str {
        self.file(span.source)
            .and_then(|file| file.text.get(span.start as usize..span.end as usize))
            .unwrap_or_default()
    }

    /// Line and column of the first byte of `span`.
    pub fn line_column(&self, span: SourceSpan) -> LineColumn {
        let text = self.file(span.source).map_or("", |file| &file.text);
        let before = text.get(..span.start as usize).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        LineColumn {
            line: count(before.bytes().filter(|b| *b == b'\n').count()),
            column: count(before[line_start..].chars().count()),
        }
    }
}
