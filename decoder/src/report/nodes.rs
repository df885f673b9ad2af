//! Builds the values of a record from nodes of the tree.

use tracegauge_plan::terms::Meaning;
use tracegauge_plan::{Kind, OpId, Plan};

use super::present::write_bytes;
use super::{Item, RecordBuffer};
use crate::input::Input;
use crate::machine::{Machine, bits_of};
use crate::stack;
use crate::text;
use crate::tree::{NodeId, Payload, Tree};
use crate::visitor::Visitor;

/// The location of the text that a tree's nodes refer to.
#[derive(Clone, Copy)]
pub(super) enum Texts {
    /// In the tree's heap.
    Heap,
    /// In the input.
    Input,
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Builds the value of a node.
    pub(super) fn present_node(
        &mut self,
        tree: &Tree,
        id: NodeId,
        texts: Texts,
        out: &mut RecordBuffer,
    ) {
        let node = tree.node(id);
        let plan = self.plan;
        let info = plan.info(node.op);
        if self.wants_sources() && node.payload != Payload::Picked {
            self.note_source(out.next(), node.op, node.span);
        }
        if !self.outcome.no_values.is_empty()
            && self.outcome.no_values.contains(&(node.op, node.span.start))
        {
            return out.push(Item::Missing);
        }
        match (&plan.op(node.op).kind, node.payload) {
            (_, Payload::Picked) => self.present_list_of(tree, id, node.op, texts, out),
            (_, Payload::Bits(bits)) => self.present_bits(node.op, bits, out),
            (_, Payload::Bytes { start, length }) => {
                let bytes = self.kept_bytes(tree, texts, start, length);
                write_bytes(plan, Some(node.op), bytes, out);
            }
            (Kind::Layout(_), Payload::Layout(index)) => {
                let layout = &tree.layouts[index as usize];
                self.present_layout(tree, id, layout, texts, out);
            }
            (Kind::Switch(_), Payload::Layout(index)) => {
                let layout = &tree.layouts[index as usize];
                self.present_kind(tree, id, layout, texts, out);
            }
            (Kind::Layout(_) | Kind::Switch(_) | Kind::Sized(_) | Kind::Call(_), _) => {
                match tree.children(id).next() {
                    // Deep nesting must not overflow the thread's stack.
                    Some(inside) => stack::deeper(|| {
                        self.present_node(tree, inside, texts, out);
                    }),
                    None => out.push(Item::Absent),
                }
            }
            (Kind::Repeat(_), _) => self.present_list(tree, id, texts, out),
            (Kind::Structure, _) if is_null(plan, tree, id) => out.push(Item::Absent),
            (Kind::Structure, _) if info.presentation.transparent => {
                let shown = tree.children(id).find(|child| {
                    let info = plan.info(tree.node(*child).op);
                    info.name.is_none() && info.label.is_some()
                });
                match shown {
                    Some(shown) => self.present_node(tree, shown, texts, out),
                    None => out.push(Item::Absent),
                }
            }
            _ => match &info.presentation.meaning {
                // A pair outside a list is shown as a list of its two values.
                Some(Meaning::Pair { key, value }) => {
                    let at = out.open(Item::List);
                    for wanted in [key, value] {
                        match labelled(plan, tree, id, wanted) {
                            Some(child) => self.present_node(tree, child, texts, out),
                            None => out.push(Item::Absent),
                        }
                    }
                    out.close(at, Item::List);
                }
                Some(Meaning::DateTime) => match date_parts(tree, id) {
                    Some(parts) if text::is_date(&parts) => {
                        let [year, month, _, day, hour, minute, second, millisecond] = parts;
                        let text = format!(
                            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z"
                        );
                        let (start, end) = out.bytes(text.as_bytes());
                        out.push(Item::DateTime { start, end });
                    }
                    Some(_) => self.present_structure(tree, id, texts, out),
                    // The bytes ended inside the date and time.
                    None => out.push(Item::Missing),
                },
                _ => self.present_structure(tree, id, texts, out),
            },
        }
    }

    fn kept_bytes<'t>(&'t self, tree: &'t Tree, texts: Texts, start: u64, length: u64) -> &'t [u8] {
        match texts {
            Texts::Input => self.input.bytes(start, start + length),
            Texts::Heap => {
                let start = usize::try_from(start).unwrap_or(usize::MAX);
                let end = start.saturating_add(usize::try_from(length).unwrap_or_default());
                tree.heap.get(start..end).unwrap_or_default()
            }
        }
    }

    fn present_list(&mut self, tree: &Tree, id: NodeId, texts: Texts, out: &mut RecordBuffer) {
        let element = OpId(tree.node(id).op.0 + 1);
        self.present_list_of(tree, id, element, texts, out);
    }

    /// Builds a list whose elements were read by the operation `element`.
    fn present_list_of(
        &mut self,
        tree: &Tree,
        id: NodeId,
        element: OpId,
        texts: Texts,
        out: &mut RecordBuffer,
    ) {
        let plan = self.plan;
        let element = plan.info(plan.presented(element));
        if let Some(Meaning::Pair { key, value }) = &element.presentation.meaning {
            return self.present_pairs(tree, id, (key, value), texts, out);
        }
        let at = out.open(Item::List);
        for child in tree.children(id) {
            self.present_node(tree, child, texts, out);
        }
        out.close(at, Item::List);
    }

    fn present_pairs(
        &mut self,
        tree: &Tree,
        id: NodeId,
        names: (&str, &str),
        texts: Texts,
        out: &mut RecordBuffer,
    ) {
        let plan = self.plan;
        let at = out.open(Item::Pairs);
        for pair in tree.children(id) {
            let pair = shown_node(plan, tree, pair);
            for wanted in [names.0, names.1] {
                match labelled(plan, tree, pair, wanted) {
                    Some(child) => self.present_node(tree, child, texts, out),
                    None => out.push(Item::Absent),
                }
            }
        }
        out.close(at, Item::Pairs);
    }

    fn present_structure(&mut self, tree: &Tree, id: NodeId, texts: Texts, out: &mut RecordBuffer) {
        let at = out.open(Item::Object);
        self.present_members(tree, id, texts, out);
        out.close(at, Item::Object);
    }

    /// Builds the fields of a structure, with their names.
    fn present_members(&mut self, tree: &Tree, id: NodeId, texts: Texts, out: &mut RecordBuffer) {
        let plan = self.plan;
        for child in tree.children(id) {
            let info = plan.info(tree.node(child).op);
            let Some(label) = info.label else {
                // Bit fields belong to the structure around their bit run.
                for inside in tree.children(child) {
                    if let Some(label) = plan.info(tree.node(inside).op).label {
                        out.push(Item::Name(label.0));
                        self.present_node(tree, inside, texts, out);
                    }
                }
                continue;
            };
            if info.derived.is_some() {
                continue;
            }
            let part = shown_node(plan, tree, child);
            if info.presentation.embedded
                && matches!(plan.op(tree.node(part).op).kind, Kind::Structure)
            {
                stack::deeper(|| {
                    self.present_members(tree, part, texts, out);
                });
                continue;
            }
            out.push(Item::Name(label.0));
            self.present_node(tree, child, texts, out);
        }
    }
}

/// Returns whether a part of the trace contains values that are looked up in tables and may
/// therefore change later.
pub(super) fn looks_up(plan: &Plan, tree: &Tree) -> bool {
    let mut ops = tree.nodes.iter().map(|node| plan.info(node.op));
    ops.any(|info| info.presentation.shows.is_some())
}

/// Returns whether a structure is null, so that it has no value.
pub(crate) fn is_null(plan: &Plan, tree: &Tree, id: NodeId) -> bool {
    let says_so = |node: NodeId| {
        let node = tree.node(node);
        let null = plan.info(node.op).null.map(bits_of);
        null.is_some_and(|null| node.payload == Payload::Bits(null))
    };
    let decides = |child: NodeId| {
        let is_run = matches!(plan.op(tree.node(child).op).kind, Kind::BitRun { .. });
        says_so(shown_node(plan, tree, child)) || is_run && tree.children(child).any(says_so)
    };
    plan.info(tree.node(id).op).presentation.nullable && tree.children(id).any(decides)
}

/// Returns the node whose value represents a node in a record, looking inside sized parts,
/// recursive calls, and structures that are represented by one of their fields.
pub(super) fn shown_node(plan: &Plan, tree: &Tree, id: NodeId) -> NodeId {
    let mut at = id;
    loop {
        let op = tree.node(at).op;
        let inside = match plan.op(op).kind {
            Kind::Sized(_) | Kind::Call(_) => tree.children(at).next(),
            Kind::Structure if plan.info(op).presentation.transparent => {
                tree.children(at).find(|child| {
                    let info = plan.info(tree.node(*child).op);
                    info.name.is_none() && info.label.is_some()
                })
            }
            _ => None,
        };
        match inside {
            Some(inside) => at = inside,
            None => return at,
        }
    }
}

/// Returns the child with the label `wanted`, also searching inside runs of bit fields.
fn labelled(plan: &Plan, tree: &Tree, id: NodeId, wanted: &str) -> Option<NodeId> {
    tree.children(id)
        .find_map(|child| match plan.info(tree.node(child).op).label {
            Some(label) => (plan.name(label) == wanted).then_some(child),
            None => labelled(plan, tree, child, wanted),
        })
}

/// Returns the components of a date and time, which are the children of a node: year, month, day of
/// the week, day, hour, minute, second and millisecond.
fn date_parts(tree: &Tree, id: NodeId) -> Option<[i128; 8]> {
    let mut parts = [0; 8];
    let mut children = tree.children(id);
    for part in &mut parts {
        *part = match tree.node(children.next()?).payload {
            Payload::Bits(bits) => i128::from(bits.cast_signed()),
            _ => return None,
        };
    }
    Some(parts)
}
