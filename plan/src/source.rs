//! The source files of a description, and locations in them.

use std::sync::Arc;

/// The id of a source file in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A range of bytes in one file of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceSpan {
    /// The file that contains the range.
    pub source: SourceId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset just past the last byte.
    pub end: u32,
}

/// A source file and the name that messages use for it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path of the file, relative to the folder that the description was loaded from.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
}

/// All files of a description, in the order they were read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

/// A line and column as shown to users. Lines and columns are counted from 1, and columns are
/// counted in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line number, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

impl Sources {
    /// Adds a file and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        let id = SourceId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile {
            name: name.into(),
            text: text.into(),
        });
        id
    }

    /// Returns the file with this id.
    pub fn file(&self, id: SourceId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Returns all files.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the text at `span`, or an empty string if the span is outside its file.
    pub fn excerpt(&self, span: SourceSpan) -> &str {
        self.file(span.source)
            .and_then(|file| file.text.get(span.start as usize..span.end as usize))
            .unwrap_or_default()
    }

    /// Returns the line and column where `span` starts.
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
