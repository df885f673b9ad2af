use std::borrow::Cow;

use saphyr_parser::ScalarStyle;

use super::Style;

/// A part of a YAML document, in the order of the text. An anchor is 0 if a node has none.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event<'t> {
    /// The start of a document.
    Document,
    /// A reference to the node with this anchor.
    Alias { anchor: usize },
    /// A scalar.
    Scalar {
        value: Cow<'t, str>,
        style: Style,
        anchor: usize,
        is_tagged: bool,
    },
    /// The start of a list.
    Sequence { anchor: usize, is_tagged: bool },
    /// The start of a mapping.
    Mapping { anchor: usize, is_tagged: bool },
    /// The end of the innermost list or mapping.
    End,
}

impl<'t> Event<'t> {
    /// Converts an event of the parser. Returns `None` for events that do not contribute to the
    /// tree.
    pub(super) fn of(event: saphyr_parser::Event<'t>) -> Option<Self> {
        use saphyr_parser::Event as Parsed;
        Some(match event {
            Parsed::Nothing | Parsed::StreamStart | Parsed::StreamEnd | Parsed::DocumentEnd => {
                return None;
            }
            Parsed::DocumentStart(_) => Self::Document,
            Parsed::Alias(anchor) => Self::Alias { anchor },
            Parsed::Scalar(value, style, anchor, tag) => Self::Scalar {
                value,
                style: match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::SingleQuoted => Style::SingleQuoted,
                    ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
                    ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
                },
                anchor,
                is_tagged: tag.is_some(),
            },
            Parsed::SequenceStart(anchor, tag) => Self::Sequence {
                anchor,
                is_tagged: tag.is_some(),
            },
            Parsed::MappingStart(anchor, tag) => Self::Mapping {
                anchor,
                is_tagged: tag.is_some(),
            },
            Parsed::SequenceEnd | Parsed::MappingEnd => Self::End,
        })
    }
}
