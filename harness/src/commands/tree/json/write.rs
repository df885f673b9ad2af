//! Writes a tree as JSON, part by part.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::json;
use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_decoder::verdict::Span;
use tracegauge_decoder::{Visitor, least_length};
use tracegauge_generator::capacity;
use tracegauge_generator::raw::base;
use tracegauge_spec::plan::{Kind, Plan};

use super::super::{Leaf, leaf};

/// The greatest integer that is written as a JSON number.
const GREATEST_EXACT: i128 = (1 << 53) - 1;

/// Prints the tree of a trace while it is decoded: first complete elements, then the parts around
/// them.
pub struct Printer<'p, W> {
    plan: &'p Plan,
    /// The bytes of the trace, which contain the encoded numbers of carried fields.
    bytes: &'p [u8],
    out: W,
    /// The first node that has not been printed.
    printed: NodeId,
    /// The parts that are open in the JSON text.
    open: Vec<Frame>,
    line: String,
    begun: bool,
    failure: Option<io::Error>,
}

/// A part whose nodes are being printed.
struct Frame {
    node: NodeId,
    /// The number of nodes printed so far.
    count: usize,
    /// The names of nodes that the trace itself defines.
    names: Vec<(NodeId, String)>,
    is_list: bool,
    /// Whether the node or an enclosing part is read at an explicit position, so that it only shows
    /// bytes that belong to another field.
    is_shown: bool,
}

impl<W: Write> Visitor for Printer<'_, W> {
    const TREE: bool = true;
    const PARTS: bool = true;
    // Stops decoding once nothing can be printed anymore.
    const LIMITED: bool = true;

    fn spent(&mut self) -> bool {
        self.failure.is_some()
    }

    fn part(&mut self, tree: &Tree, around: &[NodeId], from: NodeId) {
        if self.failure.is_none()
            && let Err(error) = self.up_to(tree, around, from)
        {
            self.failure = Some(error);
        }
    }
}

impl<'p, W: Write> Printer<'p, W> {
    /// A printer that writes to `out`.
    pub fn new(plan: &'p Plan, bytes: &'p [u8], out: W) -> Self {
        Self {
            plan,
            bytes,
            out,
            printed: 0,
            open: Vec::new(),
            line: String::new(),
            begun: false,
            failure: None,
        }
    }

    /// Prints the rest of the tree.
    ///
    /// # Errors
    /// Returns an error if any output could not be written, now or before.
    pub fn finish(mut self, tree: &Tree) -> io::Result<()> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if tree.nodes.is_empty() {
            self.begin()?;
            self.out.write_all(b"null")?;
        }
        self.up_to(tree, &[], 0)?;
        self.out.write_all(b"}\n")?;
        self.out.flush()
    }

    fn begin(&mut self) -> io::Result<()> {
        self.begun = true;
        let format = json!(self.plan.format);
        write!(
            self.out,
            "{{\"tracegauge-tree\":1,\"format\":{format},\"tree\":"
        )
    }

    /// Prints all nodes. The decoder then removes the nodes from `from` on.
    fn up_to(&mut self, tree: &Tree, around: &[NodeId], from: NodeId) -> io::Result<()> {
        let end = u32::try_from(tree.nodes.len()).unwrap_or(u32::MAX);
        while self.printed < end {
            let id = self.printed;
            while let Some(frame) = self.open.last()
                && tree.node(frame.node).end <= id
                && !around.contains(&frame.node)
            {
                self.close(tree)?;
            }
            self.node(tree, around.contains(&id), id)?;
            self.printed += 1;
        }
        while self.open.last().is_some_and(|frame| frame.node >= from) {
            self.close(tree)?;
        }
        self.printed = from;
        Ok(())
    }

    /// Prints a node, or the beginning of a part.
    fn node(&mut self, tree: &Tree, is_open: bool, id: NodeId) -> io::Result<()> {
        if !self.begun {
            self.begin()?;
        }
        let node = tree.node(id);
        self.line.clear();
        if let Some(around) = self.open.last_mut() {
            let line = &mut self.line;
            line.push_str(if around.count > 0 { ",\n" } else { "\n" });
            line.push('{');
            let number = around.count;
            around.count += 1;
            let named = around.names.binary_search_by_key(&id, |(node, _)| *node);
            let label = self.plan.info(node.op).label;
            match (named, label) {
                (Ok(found), _) => string(line, "name", &around.names[found].1),
                _ if around.is_list => {
                    let _ = write!(line, "\"name\":\"[{number}]\",");
                }
                (_, Some(label)) => string(line, "name", self.plan.name(label)),
                (_, None) => {}
            }
        } else {
            self.line.push('{');
        }
        let _ = write!(self.line, "\"op\":{},\"at\":{}", node.op.0, node.span.start);
        let around = self.open.last().is_some_and(|around| around.is_shown);
        let is_shown = around || matches!(self.plan.op(node.op).kind, Kind::At(_));
        if let Some(value) = leaf(self.plan, tree, id) {
            let member = if is_shown { "shown" } else { "value" };
            let _ = write!(self.line, ",\"{member}\":{}", written(&value));
            let base = base(self.plan, node, bytes_of(self.bytes, node.span));
            if is_unusual(self.plan, node, base.unwrap_or(0)) {
                let _ = write!(self.line, ",\"spelling\":{}", node.spelling);
            }
            if let Some(base) = base {
                let _ = write!(self.line, ",\"base\":{}", written(&Leaf::Int(base)));
            }
        }
        let is_part = is_open
            || node.end > id + 1
            || matches!(
                node.payload,
                Payload::None | Payload::Layout(_) | Payload::View(_)
            );
        if is_part {
            self.line.push_str(",\"nodes\":[");
            self.open.push(Frame {
                node: id,
                count: 0,
                names: self.names(tree, id),
                is_list: matches!(self.plan.op(node.op).kind, Kind::Repeat(_)),
                is_shown,
            });
        } else {
            let _ = write!(self.line, ",\"to\":{}}}", node.span.end);
        }
        self.out.write_all(self.line.as_bytes())
    }

    /// Ends the innermost open part.
    fn close(&mut self, tree: &Tree) -> io::Result<()> {
        let Some(frame) = self.open.pop() else {
            return Ok(());
        };
        let end = tree.node(frame.node).span.end;
        let line = if frame.count > 0 { "\n" } else { "" };
        write!(self.out, "{line}],\"to\":{end}}}")
    }

    /// The names of the fields that the trace itself defines.
    fn names(&self, tree: &Tree, id: NodeId) -> Vec<(NodeId, String)> {
        let Payload::Layout(index) = tree.node(id).payload else {
            return Vec::new();
        };
        let Some(layout) = tree.layouts.get(index as usize) else {
            return Vec::new();
        };
        let described = tree.described(id).into_iter();
        let named = described.filter_map(|(field, node)| {
            let label = self.plan.info(tree.node(node).op).label;
            let code = label.map_or("", |label| self.plan.name(label));
            let name = String::from_utf8_lossy(layout.names.get(field)?);
            Some((node, format!("{name} ({code})")))
        });
        named.collect()
    }
}

fn string(line: &mut String, key: &str, value: &str) {
    let _ = write!(line, "\"{key}\":{},", json!(value));
}

/// Whether the encoding of a node is longer than its value requires.
fn is_unusual(plan: &Plan, node: &Node, base: i128) -> bool {
    let (Kind::Variable(kind, _), Payload::Bits(bits)) = (&plan.op(node.op).kind, node.payload)
    else {
        return node.spelling != 0;
    };
    let wire = capacity::number(plan, node.op, bits) - base;
    let bits = match u64::try_from(wire) {
        Ok(bits) => bits,
        Err(_) => i64::try_from(wire).unwrap_or_default().cast_unsigned(),
    };
    node.spelling > least_length(*kind, bits)
}

fn bytes_of(bytes: &[u8], span: Span) -> &[u8] {
    let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    bytes
        .get(index(span.start)..index(span.end))
        .unwrap_or_default()
}

fn written(value: &Leaf) -> serde_json::Value {
    match value {
        Leaf::Int(value) if value.abs() <= GREATEST_EXACT => {
            json!(i64::try_from(*value).unwrap_or_default())
        }
        Leaf::Int(value) => json!(value.to_string()),
        Leaf::Float(bits, width) => {
            json!({"bits": format!("{bits:0w$x}", w = usize::from(*width) * 2)})
        }
        Leaf::Text(text) => json!(text),
        Leaf::Bytes(bytes) => json!({"hex": hex::encode(bytes)}),
    }
}
