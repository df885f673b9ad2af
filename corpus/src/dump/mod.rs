//! Dumps a trace as a tree, with the bytes of each field next to its value.

mod value;

use std::io::{self, Write};

use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_decoder::{Span, decode_tree};
use tracegauge_plan::{Kind, Plan};

/// The number of bytes shown on one line.
const ROW: usize = 8;

/// The maximum number of bytes shown for one field. A field of a real trace can be megabytes long.
const MOST: usize = 64;

/// Writes the fields that the reference decoder reads in `bytes`, up to the first fault if there is
/// one. Lines that show bytes of the fault begin with `!` and show no other bytes.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn dump(plan: &Plan, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    write(plan, bytes, Marks::Fault, out)
}

/// Writes the same output as [`dump`], but without marking the fault.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub(crate) fn dump_unmarked(plan: &Plan, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    write(plan, bytes, Marks::Nothing, out)
}

/// Which lines of a dump are marked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    Fault,
    Nothing,
}

fn write(plan: &Plan, bytes: &[u8], marks: Marks, out: &mut dyn Write) -> io::Result<()> {
    let (verdict, tree) = decode_tree(plan, bytes);
    if let Some(excess) = tree.excess {
        return Err(excess.into());
    }
    let fault = verdict.violation().map(|violation| violation.span);
    let mut writer = Writer {
        plan,
        tree: &tree,
        bytes,
        fault: fault.filter(|_| marks == Marks::Fault),
        read: 0,
        out,
    };
    if !tree.nodes.is_empty() {
        writer.children(0, 0)?;
    }
    writer.unread()
}

struct Writer<'a> {
    plan: &'a Plan,
    tree: &'a Tree,
    bytes: &'a [u8],
    fault: Option<Span>,
    /// The offset after the last byte shown so far.
    read: u64,
    out: &'a mut dyn Write,
}

impl<'a> Writer<'a> {
    fn children(&mut self, id: NodeId, depth: usize) -> io::Result<()> {
        let node = self.tree.node(id);
        if let Payload::Layout(index) = node.payload {
            return self.described(id, index, depth);
        }
        let listed = matches!(self.plan.op(node.op).kind, Kind::Repeat(_)) || self.tree.is_view(id);
        for (number, child) in self.tree.children(id).enumerate() {
            let name = if listed {
                format!("[{number}]")
            } else {
                self.label(id, child)
            };
            self.node(child, &name, depth)?;
        }
        Ok(())
    }

    /// Writes the fields that the trace itself declares, each with its type code. The presence byte
    /// of an optional field precedes its value.
    fn described(&mut self, id: NodeId, index: u32, depth: usize) -> io::Result<()> {
        let layout = &self.tree.layouts[index as usize];
        let fields = self.tree.described(id);
        for (number, child) in &fields {
            let name = String::from_utf8_lossy(&layout.names[*number]).into_owned();
            let presence = layout.fields[*number].optional
                && fields.iter().find(|(known, _)| known == number) == Some(&(*number, *child));
            if presence {
                self.node(*child, &format!("{name} is present"), depth)?;
                continue;
            }
            let code = self.label(id, *child);
            self.node(*child, &format!("{name} ({code})"), depth)?;
        }
        // Bytes after the declared fields.
        let known: Vec<NodeId> = fields.into_iter().map(|(_, child)| child).collect();
        let others = self
            .tree
            .children(id)
            .filter(|child| !known.contains(child));
        for child in others.collect::<Vec<_>>() {
            let label = self.label(id, child);
            self.node(child, &label, depth)?;
        }
        Ok(())
    }

    fn label(&self, parent: NodeId, child: NodeId) -> String {
        let op = self.tree.node(child).op;
        // Unclaimed bytes are a child node with the same operation as their parent.
        let nested = matches!(self.plan.op(op).kind, Kind::Nested(_));
        if op == self.tree.node(parent).op && !nested {
            let layout = matches!(self.plan.op(op).kind, Kind::Layout(_));
            let what = if layout {
                "(bytes after the fields)"
            } else {
                "(bytes that no field uses)"
            };
            return what.to_owned();
        }
        let info = self.plan.info(op);
        let name = info.label.or(info.type_name);
        name.map_or(String::new(), |name| self.plan.name(name).to_owned())
    }

    fn node(&mut self, id: NodeId, name: &str, depth: usize) -> io::Result<()> {
        let node = *self.tree.node(id);
        let inside = node.end > id + 1;
        let is_composite = matches!(
            self.plan.op(node.op).kind,
            Kind::Structure
                | Kind::Switch(_)
                | Kind::Sized(_)
                | Kind::Layout(_)
                | Kind::Repeat(_)
                | Kind::Nested(_)
                | Kind::Call(_)
                | Kind::BitRun { .. }
        );
        let text = value::shown(self.plan, self.tree, id);
        let text = match (name.is_empty(), text.is_empty()) {
            (true, _) => text,
            (false, true) => name.to_owned(),
            (false, false) => format!("{name}: {text}"),
        };
        let passes = name.is_empty() && text.is_empty();
        let bits = matches!(self.plan.op(node.op).kind, Kind::Bits { .. });
        if inside || (is_composite && node.payload == Payload::None) {
            if !passes {
                self.line(None, &text, depth)?;
            }
            return self.children(id, depth + usize::from(!passes));
        }
        let span = if bits && node.span.end <= self.read {
            None
        } else {
            Some(node.span)
        };
        self.line(span, &text, depth)
    }

    fn line(&mut self, span: Option<Span>, text: &str, depth: usize) -> io::Result<()> {
        let indent = depth * 2;
        let Some(span) = span else {
            let blank = "";
            let bytes = ROW * 3 + ROW + 1;
            return writeln!(self.out, "  {blank:8} {blank:bytes$} {blank:indent$}{text}");
        };
        self.read = self.read.max(span.end);
        let all = self.slice(span);
        let shown = &all[..all.len().min(MOST)];
        if shown.is_empty() {
            return self.row(span.start, shown, span, &format!("{:indent$}{text}", ""));
        }
        let mut text = format!("{:indent$}{text}", "");
        for (start, row) in self.rows(span.start, shown) {
            self.row(start, row, span, &std::mem::take(&mut text))?;
        }
        if shown.len() < all.len() {
            writeln!(self.out, "           … {} bytes in total", all.len())?;
        }
        Ok(())
    }

    /// Splits bytes into rows. No row contains both bytes of the fault and other bytes, so the mark
    /// of a row applies to all of its bytes.
    fn rows(&self, mut start: u64, mut bytes: &'a [u8]) -> Vec<(u64, &'a [u8])> {
        let borders = self.fault.map_or([0; 2], |fault| [fault.start, fault.end]);
        let mut rows = Vec::new();
        while !bytes.is_empty() {
            let ends = borders
                .iter()
                .filter_map(|border| border.checked_sub(start));
            let ends = ends.filter_map(|length| usize::try_from(length).ok());
            let length = ends.filter(|length| *length > 0).min();
            let length = length.unwrap_or(ROW).min(ROW).min(bytes.len());
            let (row, rest) = bytes.split_at(length);
            rows.push((start, row));
            (start, bytes) = (start + length as u64, rest);
        }
        rows
    }

    fn row(&mut self, start: u64, row: &[u8], whole: Span, text: &str) -> io::Result<()> {
        let mark = if self.is_at_fault(start, row.len() as u64, whole) {
            '!'
        } else {
            ' '
        };
        let digits: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let letters: String = row
            .iter()
            .map(|byte| match byte {
                0x20..=0x7e => char::from(*byte),
                _ => '.',
            })
            .collect();
        let digits = digits.join(" ");
        let width = ROW * 3 - 1;
        let line = format!("{mark} {start:08x} {digits:width$}  {letters:ROW$} {text}");
        writeln!(self.out, "{}", line.trim_end())
    }

    fn is_at_fault(&self, start: u64, length: u64, whole: Span) -> bool {
        let Some(fault) = self.fault else {
            return false;
        };
        if fault.start == fault.end {
            // An empty fault lies between two bytes, at the place where a value is missing.
            return length == 0 && start == fault.start && whole.start == whole.end;
        }
        start < fault.end && start + length > fault.start
    }

    fn slice(&self, span: Span) -> &'a [u8] {
        let at = |position: u64| {
            let position = usize::try_from(position).unwrap_or(usize::MAX);
            position.min(self.bytes.len())
        };
        &self.bytes[at(span.start)..at(span.end)]
    }

    /// Writes the bytes after the last field that is shown. The decoder did not read them because
    /// it stopped at a fault.
    fn unread(&mut self) -> io::Result<()> {
        let end = self.bytes.len() as u64;
        if self.read >= end {
            return Ok(());
        }
        let span = Span {
            start: self.read,
            end,
        };
        self.line(Some(span), "(not read)", 0)
    }
}
