use tracegauge_plan::source::SourceSpan;

/// A node of a YAML document.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The kind of the node and its content.
    pub kind: NodeKind,
    /// The location of the node.
    pub span: SourceSpan,
}

/// The kind of a node and its content.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// A scalar. The meaning of a scalar depends on its position in the document.
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<Node>),
    /// A mapping from keys to values.
    Mapping(Mapping),
}

/// A scalar value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text after resolving escapes and line folding.
    pub value: String,
    /// The style of the scalar, such as double-quoted.
    pub style: Style,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In single quotes.
    SingleQuoted,
    /// In double quotes.
    DoubleQuoted,
    /// A block scalar after `|` or `>`.
    Block,
}

/// Entries in file order, with unique keys.
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
    /// The location of the key.
    pub key_span: SourceSpan,
    /// The style of the key.
    pub key_style: Style,
    /// The value.
    pub value: Node,
}

impl Node {
    /// Returns the number of nodes in the tree below this node, including this node and the keys of
    /// mappings.
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

    /// Returns the text of a scalar, or `None` for other nodes.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(&scalar.value),
            _ => None,
        }
    }

    /// Returns the scalar, or `None` for other nodes.
    pub fn as_scalar(&self) -> Option<&Scalar> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Returns the elements of a list, or `None` for other nodes.
    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::Sequence(nodes) => Some(nodes),
            _ => None,
        }
    }

    /// Returns the mapping, or `None` for other nodes.
    pub fn as_mapping(&self) -> Option<&Mapping> {
        match &self.kind {
            NodeKind::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// Returns `true` for an unquoted empty value, `~` or `null`.
    pub fn is_null(&self) -> bool {
        matches!(
            &self.kind,
            NodeKind::Scalar(Scalar { value, style: Style::Plain })
                if matches!(value.as_str(), "" | "~" | "null" | "Null" | "NULL")
        )
    }

    /// Returns a phrase that describes the node in messages.
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
    /// Returns the entry with this key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}
