use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;
use std::ops::Range;

use saphyr_parser::{Parser, ScanError};

use super::event::Event;
use super::measure::{cost, depth};
use super::position::Positions;
use super::recorded::{Recorded, Replay};
use super::syntax::Cause;
use super::{Budget, Entry, Mapping, Node, NodeKind, Scalar, Style};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use tracegauge_plan::source::{SourceId, SourceSpan};

/// Parses the single YAML document in `text`. Returns `None` if no usable tree could be built.
/// Errors are added to `diagnostics`.
pub fn parse(
    text: &str,
    source: SourceId,
    budget: &Budget,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    let mut builder = Builder::new(text, source, budget, diagnostics);
    if text.len() > budget.bytes {
        let message = format!("the file is larger than {} bytes", budget.bytes);
        let error = Diagnostic::error(Code::TooLarge, builder.start(), message);
        builder.diagnostics.push(error);
        return None;
    }
    let mut parser = Parser::new_from_str(text);
    let positions = Positions::new(text);
    loop {
        match parser.next_event() {
            None => return builder.finish(),
            Some(Err(error)) => {
                builder.syntax_error(&error, positions.byte(error.marker().index()));
                return None;
            }
            Some(Ok((event, span))) => {
                let range = positions.range(span.start.index()..span.end.index());
                if let Some(event) = Event::of(event) {
                    builder.event(event, range).ok()?;
                }
            }
        }
    }
}

/// Builds the tree that [`parse`] returns for `text`, of which `recorded` contains the events. If
/// the root is a mapping, only its entries for which `is_wanted` returns `true` are built.
pub fn replay(
    text: &str,
    recorded: Recorded,
    is_wanted: impl Fn(&str) -> bool,
    source: SourceId,
    budget: &Budget,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    let mut builder = Builder::new(text, source, budget, diagnostics);
    let mut events = Replay::new(text, recorded);
    while let Some((event, range)) = events.next() {
        let is_unwanted = match &event {
            Event::Scalar { value, .. } => builder.expects_root_key() && !is_wanted(value),
            _ => false,
        };
        if is_unwanted {
            events.skip_node();
        } else {
            builder.event(event, range).ok()?;
        }
    }
    builder.finish()
}

/// Indicates that parsing stopped after an error that has already been reported.
struct Stop;

/// A collection whose elements are being read.
struct Frame {
    kind: FrameKind,
    start: u32,
    anchor: usize,
}

enum FrameKind {
    Sequence(Vec<Node>),
    Mapping {
        mapping: Mapping,
        /// The keys so far, if there are many.
        seen: HashSet<String>,
        key: Option<Node>,
    },
}

struct Builder<'a> {
    text: &'a str,
    source: SourceId,
    budget: &'a Budget,
    diagnostics: &'a mut Diagnostics,
    stack: Vec<Frame>,
    anchors: HashMap<usize, Anchored>,
    nodes: usize,
    scalar_bytes: usize,
    documents: usize,
    root: Option<Node>,
}

/// An anchored node, and the number of nodes, bytes and nesting levels that each alias to it adds.
struct Anchored {
    node: Node,
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl<'a> Builder<'a> {
    fn new(
        text: &'a str,
        source: SourceId,
        budget: &'a Budget,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Self {
            text,
            source,
            budget,
            diagnostics,
            stack: Vec::new(),
            anchors: HashMap::new(),
            nodes: 0,
            scalar_bytes: 0,
            documents: 0,
            root: None,
        }
    }

    /// Returns the root, and reports an error if there is none.
    fn finish(&mut self) -> Option<Node> {
        let root = self.root.take();
        if root.is_none() {
            self.diagnostics.push(
                Diagnostic::error(Code::WrongShape, self.start(), "the file is empty")
                    .help("a description is a mapping with `meta`, `seq`, `types`, …"),
            );
        }
        root
    }

    /// Returns whether the next event is a key of the mapping at the root.
    fn expects_root_key(&self) -> bool {
        match self.stack.as_slice() {
            [root] => matches!(&root.kind, FrameKind::Mapping { key: None, .. }),
            _ => false,
        }
    }

    /// Returns the empty span at the start of the file.
    fn start(&self) -> SourceSpan {
        SourceSpan {
            source: self.source,
            start: 0,
            end: 0,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<u32>) -> Result<(), Stop> {
        let span = SourceSpan {
            source: self.source,
            start: range.start,
            end: range.end,
        };
        match event {
            Event::Document => self.document(span),
            Event::Alias { anchor } => self.alias(anchor, span),
            Event::Scalar {
                value,
                style,
                anchor,
                is_tagged,
            } => {
                self.refuse_tag(is_tagged, span);
                self.scalar(value, style, anchor, span)
            }
            Event::Sequence { anchor, is_tagged } => {
                self.refuse_tag(is_tagged, span);
                self.open(FrameKind::Sequence(Vec::new()), anchor, span)
            }
            Event::Mapping { anchor, is_tagged } => {
                self.refuse_tag(is_tagged, span);
                let kind = FrameKind::Mapping {
                    mapping: Mapping::default(),
                    seen: HashSet::new(),
                    key: None,
                };
                self.open(kind, anchor, span)
            }
            Event::End => self.close(span),
        }
    }

    fn document(&mut self, span: SourceSpan) -> Result<(), Stop> {
        self.documents += 1;
        if self.documents > 1 {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::SeveralDocuments,
                    span,
                    "a file must contain a single YAML document",
                )
                .label("the second document starts here")
                .help("move the second document to its own file, and list that file in `parts:`"),
            );
            return Err(Stop);
        }
        Ok(())
    }

    fn refuse_tag(&mut self, tagged: bool, span: SourceSpan) {
        if tagged {
            self.diagnostics.push(
                Diagnostic::error(Code::YamlTag, span, "YAML reads `!` as the start of a tag")
                    .help("quote this expression; \"not\" is written `not x`"),
            );
        }
    }

    fn scalar(
        &mut self,
        value: Cow<'_, str>,
        style: Style,
        anchor: usize,
        mut span: SourceSpan,
    ) -> Result<(), Stop> {
        if style == Style::Plain {
            span.end = span.start + self.trimmed_length(span);
        }
        if anchor != 0 && value.is_empty() && style == Style::Plain {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::UnquotedExpression,
                    span,
                    "YAML reads `&` as the start of an anchor, but no name follows",
                )
                .help("quote this expression"),
            );
        }
        self.spend(1, value.len(), span)?;
        let value = value.into_owned();
        let node = Node {
            kind: NodeKind::Scalar(Scalar { value, style }),
            span,
        };
        self.anchor(anchor, &node)?;
        self.put(node)
    }

    fn trimmed_length(&self, span: SourceSpan) -> u32 {
        let text = self
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default();
        u32::try_from(text.trim_end().len()).unwrap_or(0)
    }

    fn open(&mut self, kind: FrameKind, anchor: usize, span: SourceSpan) -> Result<(), Stop> {
        if self.stack.len() >= self.budget.depth {
            let message = format!(
                "the YAML is nested more than {} levels deep",
                self.budget.depth
            );
            self.diagnostics
                .push(Diagnostic::error(Code::TooLarge, span, message));
            return Err(Stop);
        }
        self.spend(1, 0, span)?;
        self.stack.push(Frame {
            kind,
            start: span.start,
            anchor,
        });
        Ok(())
    }

    fn close(&mut self, end: SourceSpan) -> Result<(), Stop> {
        let Some(frame) = self.stack.pop() else {
            return Ok(());
        };
        let text = self
            .text
            .get(frame.start as usize..end.end as usize)
            .unwrap_or_default();
        let length = u32::try_from(text.trim_end().len()).unwrap_or(0);
        let span = SourceSpan {
            source: self.source,
            start: frame.start,
            end: frame.start + length,
        };
        let kind = match frame.kind {
            FrameKind::Sequence(nodes) => NodeKind::Sequence(nodes),
            FrameKind::Mapping { mapping, .. } => NodeKind::Mapping(mapping),
        };
        let node = Node { kind, span };
        self.anchor(frame.anchor, &node)?;
        self.put(node)
    }

    /// Adds a finished node to the innermost open collection, or makes it the root.
    fn put(&mut self, node: Node) -> Result<(), Stop> {
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut frame.kind {
            FrameKind::Sequence(nodes) => nodes.push(node),
            FrameKind::Mapping { mapping, seen, key } => match key.take() {
                None => *key = Some(node),
                Some(key) => enter(mapping, seen, key, node, self.diagnostics),
            },
        }
        Ok(())
    }

    /// Stores a copy of an anchored node. The copy counts toward the budget, because anchors can be
    /// nested.
    fn anchor(&mut self, anchor: usize, node: &Node) -> Result<(), Stop> {
        if anchor == 0 {
            return Ok(());
        }
        let (nodes, bytes) = cost(node);
        self.spend(nodes, bytes, node.span)?;
        self.anchors.insert(
            anchor,
            Anchored {
                node: node.clone(),
                nodes,
                bytes,
                depth: depth(node),
            },
        );
        Ok(())
    }

    /// Expands an alias into a copy of its anchored node. The copy is counted toward the budget
    /// before it is made.
    fn alias(&mut self, anchor: usize, span: SourceSpan) -> Result<(), Stop> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::YamlSyntax,
                    span,
                    "an alias is used inside its own anchor",
                )
                .help("write out the part; use `types`, not aliases, for nesting"),
            );
            return Err(Stop);
        };
        let (nodes, bytes, depth) = (anchored.nodes, anchored.bytes, anchored.depth);
        if self.stack.len() + depth > self.budget.depth {
            let message = format!(
                "the YAML is nested more than {} levels deep",
                self.budget.depth
            );
            self.diagnostics
                .push(Diagnostic::error(Code::TooLarge, span, message));
            return Err(Stop);
        }
        self.spend(nodes, bytes, span)?;
        let mut node = match self.anchors.get(&anchor) {
            Some(anchored) => anchored.node.clone(),
            None => return Err(Stop),
        };
        node.span = span;
        self.put(node)
    }

    fn spend(&mut self, nodes: usize, bytes: usize, span: SourceSpan) -> Result<(), Stop> {
        self.nodes = self.nodes.saturating_add(nodes);
        self.scalar_bytes = self.scalar_bytes.saturating_add(bytes);
        if self.nodes > self.budget.nodes || self.scalar_bytes > self.budget.scalar_bytes {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::TooLarge,
                    span,
                    "the file is too large for a description when its aliases are expanded",
                )
                .label("the limit is exceeded here"),
            );
            return Err(Stop);
        }
        Ok(())
    }

    /// Reports an error that the parser found at the byte offset `at`.
    fn syntax_error(&mut self, error: &ScanError, at: u32) {
        let cause = Cause::of(self.text, at as usize);
        let at = match cause {
            Some(Cause::Tab(tab)) => u32::try_from(tab).unwrap_or(at),
            _ => at,
        };
        let message = match cause {
            Some(Cause::Tab(_)) => {
                "invalid YAML: a tab is used where YAML requires spaces".to_owned()
            }
            _ => format!("invalid YAML: {}", error.info().trim()),
        };
        let here = self.character(at as usize);
        let mut diagnostic = Diagnostic::error(Code::YamlSyntax, here, message)
            .maybe_help(cause.as_ref().map(|cause| cause.help().to_owned()));
        if let Some(Cause::Unclosed(start, _)) = cause {
            diagnostic = diagnostic.also(self.character(start), "unclosed delimiter");
        }
        self.diagnostics.push(diagnostic);
    }

    /// Returns the span of the byte at offset `at`.
    fn character(&self, at: usize) -> SourceSpan {
        let place = |at: usize| u32::try_from(at.min(self.text.len())).unwrap_or(u32::MAX);
        SourceSpan {
            source: self.source,
            start: place(at),
            end: place(at + 1),
        }
    }
}

/// The number of keys up to which a mapping is searched for a repeated key without a set.
const FEW_KEYS: usize = 16;

/// Returns whether `mapping` has an entry with this key.
fn is_repeated(mapping: &Mapping, seen: &mut HashSet<String>, key: &str) -> bool {
    if mapping.entries.len() < FEW_KEYS {
        return mapping.get(key).is_some();
    }
    if seen.is_empty() {
        seen.extend(mapping.entries.iter().map(|entry| entry.key.clone()));
    }
    !seen.insert(key.to_owned())
}

fn enter(
    mapping: &mut Mapping,
    seen: &mut HashSet<String>,
    key: Node,
    value: Node,
    diagnostics: &mut Diagnostics,
) {
    let NodeKind::Scalar(scalar) = key.kind else {
        diagnostics.push(
            Diagnostic::error(Code::WrongShape, key.span, "a key must be a scalar")
                .help("quote expressions that start with `[` or `{`"),
        );
        return;
    };
    if is_repeated(mapping, seen, &scalar.value) {
        let mut diagnostic = Diagnostic::error(
            Code::DuplicateKey,
            key.span,
            format!("duplicate key `{}`", scalar.value),
        )
        .help("remove one of them");
        if let Some(first) = mapping.get(&scalar.value) {
            diagnostic = diagnostic.also(first.key_span, "first used here");
        }
        diagnostics.push(diagnostic);
        return;
    }
    mapping.entries.push(Entry {
        key: scalar.value,
        key_span: key.span,
        key_style: scalar.style,
        value,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the messages about a mapping with the keys `k0`, `k1`, … followed by `last`.
    fn messages(count: usize, last: &str) -> Vec<String> {
        let keys = (0..count).map(|number| format!("k{number}: 1\n"));
        let text: String = keys.chain([format!("{last}: 1\n")]).collect();
        let mut diagnostics = Diagnostics::default();
        parse(&text, SourceId(0), &Budget::default(), &mut diagnostics);
        diagnostics.iter().map(|it| it.message.clone()).collect()
    }

    #[test]
    fn a_repeated_key_is_found_in_mappings_of_every_size() {
        for count in [1, 15, 16, 17, 40] {
            assert!(messages(count, "other").is_empty());
            for repeated in [0, count / 2, count - 1] {
                let last = format!("k{repeated}");
                let expected = [format!("duplicate key `{last}`")];
                assert_eq!(messages(count, &last), expected, "{count} keys");
            }
        }
    }
}
