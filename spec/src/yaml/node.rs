use crate::source::SourceSpan;

/// A node of a YAML document.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands.
    pub span: SourceSpan,
}

/// Kinds of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// A text; what it means depends on where it stands.
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values.
    Mapping(Mapping),
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text, with escapes and folding undone.
    pub value: String,
    /// How it is written.
    pub style: Style,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In single quotes.
    SingleQuoted,
    /// In double quotes.
    DoubleQuoted,
    /// After `|` or `>`.
    Block,
}

/// Keys and values in the order of the file; no key twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: SourceSpan,
    /// How the key is written.
    pub key_style: Style,
    /// The value.
    pub value: Node,
}

impl Node {
    /// How many nodes there are under it, itself included.
    pub fn count(&self) -> usize {
        match &self.kind {
            NodeKind::Scalar(_) => 1,
            NodeKind::Sequence(nodes) => 1 + nodes.iter().map(Self::count).sum::<usize>(),
            NodeKind::Mapping(mapping) => {
                let entries = mapping.entries.iter();
                1 + entries.map(|entry| 1 + entry.value.count()).sum::<usize>()
            }
        }
    }

    /// The text of a scalar.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(&scalar.value),
            _ => None,
        }
    }

    /// The scalar.
    pub fn as_scalar(&self) -> Option<&Scalar> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::Sequence(nodes) => Some(nodes),
            _ => None,
        }
    }

    /// The entries of a mapping.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.kind {
            NodeKind::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// Nothing, `~` or `null`, without quotes.
    pub fn is_null(&self) -> bool {
        matches!(
            &self.kind,
            NodeKind::Scalar(Scalar { value, style: Style::Plain })
                if matches!(value.as_str(), "" | "~" | "null" | "Null" | "NULL")
        )
    }

    /// What it is, as messages say it.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            _ if self.is_null() => "nothing",
            NodeKind::Scalar(_) => "a single value",
            NodeKind::Sequence(_) => "a list",
            NodeKind::Mapping(_) => "a mapping",
        }
    }
}

impl Mapping {
    /// The entry of `key`.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}
