//! Prints a tree as text, with the bytes of each field.

use std::io::{self, Write};

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::verdict::Span;
use tracegauge_spec::plan::Plan;

use super::{Leaf, leaf, meaning, name};

/// Maximum number of bytes shown for each field.
const BYTES: usize = 8;

/// Prints a tree with the bytes of each field.
pub struct Printer<'a, W> {
    /// The plan.
    pub plan: &'a Plan,
    /// The tree.
    pub tree: &'a Tree,
    /// The bytes of the trace.
    pub bytes: &'a [u8],
    /// If set, only fields that contain the byte at this offset are printed.
    pub at: Option<u64>,
    /// The writer for the output.
    pub out: W,
}

impl<W: Write> Printer<'_, W> {
    /// Prints the whole tree.
    ///
    /// # Errors
    /// Returns an error if the writer does.
    pub fn print(&mut self) -> io::Result<()> {
        if self.tree.nodes.is_empty() {
            return Ok(());
        }
        self.node(None, 0, 0, 0)
    }

    fn node(
        &mut self,
        parent: Option<NodeId>,
        id: NodeId,
        number: usize,
        depth: usize,
    ) -> io::Result<()> {
        let node = *self.tree.node(id);
        if self
            .at
            .is_some_and(|at| at < node.span.start || at >= node.span.end)
        {
            return Ok(());
        }
        let label = name(self.plan, self.tree, parent, id, number);
        let value = self.value(id);
        if !label.is_empty() {
            let hex = self.hex(node.span);
            let type_name = self.plan.info(node.op).type_name.map(|t| self.plan.name(t));
            let what = match (value, type_name) {
                (Some(value), _) => format!(": {value}"),
                (None, Some(type_name)) => format!(" {type_name}"),
                (None, None) => format!(" ({})", self.tree.count(id)),
            };
            writeln!(
                self.out,
                "{:>8x}  {hex:<26}{:indent$}{label}{what}",
                node.span.start,
                "",
                indent = depth * 2
            )?;
        }
        let inner = depth + usize::from(!label.is_empty());
        let tree = self.tree;
        for (number, child) in tree.children(id).enumerate() {
            self.node(Some(id), child, number, inner)?;
        }
        Ok(())
    }

    fn value(&self, id: NodeId) -> Option<String> {
        let node = self.tree.node(id);
        Some(match leaf(self.plan, self.tree, id)? {
            Leaf::Int(value) => match meaning(self.plan, node.op, value) {
                Some(name) => format!("{value} ({name})"),
                None => value.to_string(),
            },
            Leaf::Float(bits, 4) => {
                f32::from_bits(u32::try_from(bits).unwrap_or_default()).to_string()
            }
            Leaf::Float(bits, _) => f64::from_bits(bits).to_string(),
            Leaf::Text(text) => format!("{text:?}"),
            Leaf::Bytes(bytes) => format!("{} bytes", bytes.len()),
        })
    }

    fn hex(&self, span: Span) -> String {
        let start = usize::try_from(span.start).unwrap_or(usize::MAX);
        let end = usize::try_from(span.end)
            .unwrap_or(usize::MAX)
            .min(self.bytes.len());
        let bytes = self.bytes.get(start..end).unwrap_or_default();
        let shown: Vec<String> = bytes
            .iter()
            .take(BYTES)
            .map(|b| format!("{b:02x}"))
            .collect();
        let rest = if bytes.len() > BYTES { "…" } else { "" };
        format!("{}{rest}", shown.join(" "))
    }
}
