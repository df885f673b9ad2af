//! Writes a tree as JSON, node by node.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::json;
use tracegauge_decoder::tree::{Node, Payload};
use tracegauge_generator::capacity;
use tracegauge_generator::raw::base;
use tracegauge_plan::codec::least_length;
use tracegauge_plan::{Kind, Plan};

use super::super::walk::{Met, Show};
use super::super::{Leaf, leaf};

/// The greatest integer that is written as a JSON number.
const GREATEST_EXACT: i128 = (1 << 53) - 1;

/// Prints the nodes of a trace.
pub struct Printer<W> {
    out: W,
    line: String,
    begun: bool,
}

impl<W: Write> Printer<W> {
    /// Creates a printer that writes to `out`.
    pub fn new(out: W) -> Self {
        Self {
            out,
            line: String::new(),
            begun: false,
        }
    }

    /// Prints the end of the tree.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn finish(mut self, plan: &Plan) -> io::Result<()> {
        if !self.begun {
            self.begin(plan)?;
            self.out.write_all(b"null")?;
        }
        self.out.write_all(b"}\n")?;
        self.out.flush()
    }

    fn begin(&mut self, plan: &Plan) -> io::Result<()> {
        self.begun = true;
        let format = json!(plan.format);
        write!(
            self.out,
            "{{\"tracegauge-tree\":1,\"format\":{format},\"tree\":"
        )
    }
}

impl<W: Write> Show for Printer<W> {
    /// Prints a node, or only its beginning if it can have inner nodes.
    fn node(&mut self, plan: &Plan, met: &Met<'_>) -> io::Result<()> {
        if !self.begun {
            self.begin(plan)?;
        }
        let node = met.tree.node(met.id);
        self.line.clear();
        if !met.is_root {
            self.line
                .push_str(if met.number > 0 { ",\n" } else { "\n" });
        }
        self.line.push('{');
        if let Some(name) = met.name.as_ref().filter(|_| !met.is_root) {
            let _ = write!(self.line, "\"name\":{},", json!(name));
        }
        let _ = write!(self.line, "\"op\":{},\"at\":{}", node.op.0, node.span.start);
        if let Some(value) = leaf(plan, met.tree, met.id) {
            let member = if met.is_shown { "shown" } else { "value" };
            let _ = write!(self.line, ",\"{member}\":{}", written(&value));
            let base = base(plan, node, met.bytes);
            if is_unusual(plan, node, base.unwrap_or(0)) {
                let _ = write!(self.line, ",\"spelling\":{}", node.spelling);
            }
            if let Some(base) = base {
                let _ = write!(self.line, ",\"base\":{}", written(&Leaf::Int(base)));
            }
        }
        if met.is_part {
            self.line.push_str(",\"nodes\":[");
        } else {
            let _ = write!(self.line, ",\"to\":{}}}", node.span.end);
        }
        self.out.write_all(self.line.as_bytes())
    }

    fn end(&mut self, end: u64, count: usize) -> io::Result<()> {
        let line = if count > 0 { "\n" } else { "" };
        write!(self.out, "{line}],\"to\":{end}}}")
    }
}

/// Returns true if `spelling` must be written for a node: the encoding of a variable-length integer
/// is longer than necessary, or the optional terminator of text or bytes is missing.
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
