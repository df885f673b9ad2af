//! Prints a tree as text, with the bytes of each field.

use std::io::{self, Write};

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_plan::{Kind, Plan};

use super::path::{Follow, Position, TreePath};
use super::walk::{Met, Show};
use super::{Leaf, leaf, meaning};

/// Maximum number of bytes shown for each field.
const BYTES: usize = 8;

/// The maximum number of levels by which a line is indented. Values can be nested thousands of
/// levels deep, and the size of the output must not grow with the square of the depth.
const DEEPEST_INDENT: usize = 64;

/// The nodes to print. The ancestors of selected nodes are printed too.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The offset of a byte that the printed nodes must contain, if set.
    pub at: Option<u64>,
    /// The path of a node, if only this node and the nodes inside it are to be printed.
    pub path: Option<TreePath>,
    /// The maximum number of levels to print, counted from the root or, if `path` is set, from the
    /// node at that path.
    pub depth: Option<usize>,
}

/// Prints nodes with their bytes.
pub struct Printer<W> {
    selection: Selection,
    out: W,
    open: Vec<Frame>,
    printed: bool,
}

/// A node whose children are being printed.
struct Frame {
    start: u64,
    /// The number of named ancestors of the children.
    indent: usize,
    /// The number of levels from the root, or from the selected path, to the children.
    level: usize,
    position: Position,
    is_selected: bool,
    /// The line of the node, which is stored until a selected node is found inside it.
    line: Option<String>,
}

/// Whether a node is printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Selected {
    No,
    /// The node is printed only if a node inside it is printed, or if it turns out to contain the
    /// selected byte.
    Perhaps,
    Yes,
}

impl<W: Write> Printer<W> {
    /// Creates a printer that writes the selected nodes to `out`.
    pub fn new(selection: Selection, out: W) -> Self {
        Self {
            selection,
            out,
            open: Vec::new(),
            printed: false,
        }
    }

    /// Ends the output. Returns whether anything was printed.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn finish(mut self) -> io::Result<bool> {
        self.out.flush()?;
        Ok(self.printed)
    }

    /// Returns whether the node at `position` is on the selected path.
    fn follow(&self, position: Position) -> Follow {
        match self.selection.path {
            Some(_) => position.follow(),
            None => Follow::Reached,
        }
    }

    fn selected(&self, met: &Met<'_>, follow: Follow, level: usize) -> Selected {
        let span = met.tree.node(met.id).span;
        let at = match self.selection.at {
            None => Selected::Yes,
            Some(at) if at < span.start => Selected::No,
            Some(_) if !met.is_complete => Selected::Perhaps,
            Some(at) if at < span.end => Selected::Yes,
            Some(_) => Selected::No,
        };
        let path = match follow {
            Follow::Reached => Selected::Yes,
            Follow::Toward(_) => Selected::Perhaps,
            Follow::Elsewhere => Selected::No,
        };
        let is_deep = self.selection.depth.is_some_and(|depth| level >= depth);
        let depth = if is_deep { Selected::No } else { Selected::Yes };
        at.min(path).min(depth)
    }

    /// Prints the lines of the ancestors of a selected node.
    fn begin_around(&mut self) -> io::Result<()> {
        for frame in &mut self.open {
            if let Some(line) = frame.line.take() {
                self.out.write_all(line.as_bytes())?;
            }
        }
        self.printed = true;
        Ok(())
    }
}

impl<W: Write> Show for Printer<W> {
    fn node(&mut self, plan: &Plan, met: &Met<'_>) -> io::Result<()> {
        let root = (0, 0, Position::ROOT, true);
        let around = self.open.last();
        let (indent, level, before, is_selected) = around.map_or(root, |around| {
            (
                around.indent,
                around.level,
                around.position,
                around.is_selected,
            )
        });
        let path = self.selection.path.as_ref();
        let position = path.map_or(before, |path| path.position(before, met));
        let follow = self.follow(position);
        let selected = match is_selected {
            true => self.selected(met, follow, level),
            false => Selected::No,
        };
        let has_line = met.name.as_ref().is_some_and(|name| !name.is_empty());
        let line = (has_line && selected != Selected::No).then(|| line(plan, met, indent));
        if met.is_part {
            let counts = has_line && follow == Follow::Reached;
            self.open.push(Frame {
                start: met.tree.node(met.id).span.start,
                indent: indent + usize::from(has_line),
                level: level + usize::from(counts),
                position,
                is_selected: selected != Selected::No,
                line,
            });
            if selected == Selected::Yes && has_line {
                self.begin_around()?;
            }
        } else if let (Selected::Yes, Some(line)) = (selected, line) {
            self.begin_around()?;
            self.out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    fn end(&mut self, end: u64, _count: usize) -> io::Result<()> {
        let Some(frame) = self.open.pop() else {
            return Ok(());
        };
        let contains = |at: u64| frame.start <= at && at < end;
        if let Some(line) = frame.line
            && self.follow(frame.position) == Follow::Reached
            && self.selection.at.is_some_and(contains)
        {
            self.begin_around()?;
            self.out.write_all(line.as_bytes())?;
        }
        Ok(())
    }
}

/// Returns the line that is printed for a named node.
fn line(plan: &Plan, met: &Met<'_>, indent: usize) -> String {
    let node = met.tree.node(met.id);
    let shown = chosen(plan, met);
    let type_name = plan.info(met.tree.node(shown).op).type_name;
    let type_name = type_name.map(|name| plan.name(name));
    let what = match (value(plan, met.tree, shown), type_name) {
        (Some(value), _) => format!(": {value}"),
        (None, Some(type_name)) => format!(" {type_name}"),
        // The number of children of an incomplete node is not known yet.
        (None, None) if met.is_complete => format!(" ({})", met.tree.count(met.id)),
        (None, None) => String::new(),
    };
    let name = met.name.as_deref().unwrap_or_default();
    let hex = hex_of(met.bytes, met.is_complete);
    // The level replaces the part of the indentation that is left out.
    let level = match indent {
        0..=DEEPEST_INDENT => String::new(),
        _ => format!("({indent}) "),
    };
    format!(
        "{:>8x}  {hex:<26}{:indent$}{level}{name}{what}\n",
        node.span.start,
        "",
        indent = indent.min(DEEPEST_INDENT) * 2
    )
}

/// Returns the case that was read if a node is a switch, and otherwise the node itself.
fn chosen(plan: &Plan, met: &Met<'_>) -> NodeId {
    let mut at = met.id;
    while met.is_complete
        && let Kind::Switch(_) = plan.op(met.tree.node(at).op).kind
        && let Some(case) = met.tree.children(at).next()
    {
        at = case;
    }
    at
}

fn value(plan: &Plan, tree: &Tree, id: NodeId) -> Option<String> {
    let node = tree.node(id);
    Some(match leaf(plan, tree, id)? {
        Leaf::Int(value) => match meaning(plan, node.op, value) {
            Some(name) => format!("{value} ({name})"),
            None => value.to_string(),
        },
        Leaf::Float(bits, 4) => f32::from_bits(u32::try_from(bits).unwrap_or_default()).to_string(),
        Leaf::Float(bits, _) => f64::from_bits(bits).to_string(),
        Leaf::Text(text) => format!("{text:?}"),
        Leaf::Bytes(bytes) if bytes.len() == 1 => "1 byte".to_owned(),
        Leaf::Bytes(bytes) => format!("{} bytes", bytes.len()),
    })
}

fn hex_of(bytes: &[u8], is_complete: bool) -> String {
    let shown = bytes.iter().take(BYTES).map(|byte| format!("{byte:02x}"));
    let shown: Vec<String> = shown.collect();
    let is_whole = is_complete && bytes.len() <= BYTES;
    let rest = if is_whole { "" } else { "…" };
    format!("{}{rest}", shown.join(" "))
}
