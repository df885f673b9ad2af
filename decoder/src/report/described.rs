//! Builds the values of fields that the trace itself describes, including fields that contain other
//! fields.

use tracegauge_plan::terms::{Continuation, Encoding, FaultKind};
use tracegauge_plan::{Kind, NestedForm, OpId, Plan, RulePlan};

use super::nodes::Texts;
use super::present::write_text;
use super::whole::{Whole, shown_as_text};
use super::{Item, RecordBuffer};
use crate::input::Input;
use crate::machine::Machine;
use crate::stack;
use crate::state::CompiledLayout;
use crate::tree::{Node, NodeId, Payload, Tree, View};
use crate::visitor::Visitor;

/// The maximum number of values in a record that occupy no bytes. Any further values without bytes
/// become don't-care values, because a few bytes can describe more such values than fit in
/// memory.
const MOST_EMPTY: u32 = 1 << 16;

/// The state that is needed to build the values of one layout.
struct Use<'t> {
    tree: &'t Tree,
    layout: &'t CompiledLayout,
    texts: Texts,
    /// For each field that contains the position of a value stored elsewhere: the node of the
    /// field, and the node of the value.
    views: Vec<(NodeId, NodeId)>,
    /// How many more values that occupy no bytes may be added to the record.
    empty: u32,
}

/// Pairs each field that contains the position of a value with the node of that value. Fields and
/// nodes are in the same order, and the nodes follow the fields of the layout.
fn views(plan: &Plan, tree: &Tree, id: NodeId) -> Vec<(NodeId, NodeId)> {
    let all = || id + 1..tree.node(id).end;
    let is_located = |node: &NodeId| match plan.op(tree.node(*node).op).kind {
        Kind::Nested(nested) => {
            matches!(plan.nested[nested].form, NestedForm::Located(_))
        }
        _ => false,
    };
    let is_view = |node: &NodeId| matches!(tree.node(*node).payload, Payload::View(_));
    let has_word = |node: &NodeId| !is_view(node) && tree.node(*node).end > node + 1;
    let words = all().filter(|node| is_located(node) && has_word(node));
    words.zip(all().filter(is_view)).collect()
}

/// Returns the nodes of the fields among the children of a layout's node.
pub fn field_nodes(tree: &Tree, id: NodeId) -> impl Iterator<Item = NodeId> {
    let layout = tree.node(id).op;
    tree.children(id).filter(move |child| {
        let node = tree.node(*child);
        node.op != layout && !matches!(node.payload, Payload::View(_))
    })
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Builds the values of the fields that a row describes.
    pub(super) fn present_layout(
        &mut self,
        tree: &Tree,
        id: NodeId,
        layout: &CompiledLayout,
        texts: Texts,
        out: &mut RecordBuffer,
    ) {
        let views = if layout.nests() {
            views(self.plan, tree, id)
        } else {
            Vec::new()
        };
        let mut used = Use {
            tree,
            layout,
            texts,
            views,
            empty: MOST_EMPTY,
        };
        let children: Vec<NodeId> = field_nodes(tree, id).collect();
        self.present_fields(&mut used, 0..layout.roots, &children, out);
    }

    /// Builds the values of the fields that a row describes, if the fields were read as a structure
    /// because the row has a kind (a special type that the description declares for rows with
    /// certain contents). What the row describes is used only for the names and type codes.
    pub(super) fn present_kind(
        &mut self,
        tree: &Tree,
        id: NodeId,
        layout: &CompiledLayout,
        texts: Texts,
        out: &mut RecordBuffer,
    ) {
        let fields: Vec<NodeId> = match tree.children(id).next() {
            Some(kind) => tree.children(kind).collect(),
            None => Vec::new(),
        };
        let at = out.open(Item::Pairs);
        for (number, field) in layout.own().iter().enumerate() {
            out.push(Item::Code(layout.layout, field.code));
            write_text(&layout.names[number], Some(Encoding::Utf8), out);
            match fields.get(number) {
                Some(field) => self.present_node(tree, *field, texts, out),
                None => out.push(Item::Missing),
            }
        }
        out.close(at, Item::Pairs);
    }

    /// Builds name-value pairs for the fields that a row describes.
    fn present_fields(
        &mut self,
        used: &mut Use<'_>,
        fields: std::ops::Range<usize>,
        children: &[NodeId],
        out: &mut RecordBuffer,
    ) {
        let at = out.open(Item::Pairs);
        let mut children = children.iter().copied();
        let mut cut = false;
        for number in fields {
            let field = used.layout.fields[number];
            let mut child = if field.nothing { None } else { children.next() };
            out.push(Item::Code(used.layout.layout, field.code));
            let (start, end) = out.name(&used.layout.names[number]);
            out.push(if used.layout.ill_formed[number] {
                Item::IllFormed { start, end }
            } else {
                Item::Text { start, end }
            });
            cut |= child.is_none() && !field.nothing;
            if cut {
                // The bytes ended before this field or an earlier one.
                out.push(Item::Missing);
                continue;
            }
            if field.optional {
                // The child is the presence byte. A value follows only if the byte is not zero.
                let present = child.is_some_and(|presence| {
                    matches!(used.tree.node(presence).payload, Payload::Bits(bits) if bits != 0)
                });
                child = if present { children.next() } else { None };
            }
            match child {
                Some(child) => self.present_value(used, number, child, out),
                None if field.nothing => {
                    self.present_nothing(used, number, out);
                }
                None => out.push(Item::Absent),
            }
        }
        out.close(at, Item::Pairs);
    }

    /// Builds the value of a described field or element.
    fn present_value(
        &mut self,
        used: &mut Use<'_>,
        field: usize,
        node: NodeId,
        out: &mut RecordBuffer,
    ) {
        let plan = self.plan;
        let tree = used.tree;
        let Kind::Nested(nested) = plan.op(tree.node(node).op).kind else {
            return self.present_node(tree, node, used.texts, out);
        };
        let nested = &plan.nested[nested];
        if self.wants_sources() {
            let Node { op, span, .. } = *tree.node(node);
            self.note_source(out.next(), op, span);
        }
        let inside = used.layout.inside(field);
        let mut children: Vec<NodeId> = tree.children(node).collect();
        // Deep nesting must not overflow the thread's stack.
        stack::deeper(|| match &nested.form {
            NestedForm::Fields => self.present_fields(used, inside, &children, out),
            NestedForm::Described(_) => {
                let count = used.layout.fields[field].count;
                self.present_counted(used, inside.start, &children, count, out);
            }
            NestedForm::Counted(_) => {
                let count = children.first().map(|count| tree.node(*count).payload);
                let count = match count {
                    Some(Payload::Bits(bits)) => bits,
                    _ => return out.push(Item::Missing),
                };
                if nested.none == Some(i128::from(count.cast_signed())) {
                    return out.push(Item::Absent);
                }
                children.remove(0);
                self.present_counted(used, inside.start, &children, count, out);
            }
            NestedForm::Located(_) => self.present_located(used, inside.start, node, out),
        });
    }

    fn present_located(
        &mut self,
        used: &mut Use<'_>,
        element: usize,
        word: NodeId,
        out: &mut RecordBuffer,
    ) {
        let tree = used.tree;
        let found = used.views.binary_search_by_key(&word, |(word, _)| *word);
        let Some((_, view)) = found.ok().and_then(|found| used.views.get(found)) else {
            return out.push(Item::Missing);
        };
        let node = tree.node(*view);
        let size = node.span.end - node.span.start;
        match node.payload {
            Payload::View(View::Shown) => {
                let children: Vec<NodeId> = tree.children(*view).collect();
                let count = match used.layout.fields[element].size {
                    Some(size @ 1..) => (node.span.end - node.span.start) / size,
                    _ if size == 0 => 0,
                    _ => children.len() as u64,
                };
                self.present_counted(used, element, &children, count, out);
            }
            Payload::View(View::Unread) => out.push(Item::Free),
            _ if self.is_empty_instead(tree.node(word).op) => {
                self.present_no_elements(used, element, out);
            }
            _ => out.push(Item::Missing),
        }
    }

    /// Returns whether a value whose stored position is outside the trace counts as empty. A rule
    /// may permit this interpretation among others.
    fn is_empty_instead(&self, op: OpId) -> bool {
        let rule = self.plan.faults[self.plan.op(op).faults].of(FaultKind::Past);
        let rule = rule.map(|rule| &self.plan.rules[rule]);
        rule.and_then(RulePlan::chosen) == Some(Continuation::Empty)
    }

    /// Builds an empty list, or an empty string.
    fn present_no_elements(&mut self, used: &mut Use<'_>, element: usize, out: &mut RecordBuffer) {
        if shown_as_text(self.plan, used.layout, element).is_some() {
            write_text(&[], Some(Encoding::Utf8), out);
        } else {
            self.present_counted(used, element, &[], 0, out);
        }
    }

    /// Builds elements as a list, or as a string if they are code units.
    fn present_counted(
        &mut self,
        used: &mut Use<'_>,
        element: usize,
        children: &[NodeId],
        count: u64,
        out: &mut RecordBuffer,
    ) {
        if shown_as_text(self.plan, used.layout, element).is_some() {
            return match children.first() {
                Some(text) => self.present_node(used.tree, *text, used.texts, out),
                None => out.push(Item::Missing),
            };
        }
        let nothing = used.layout.fields[element].nothing;
        if !Whole::of(self.plan, used.tree, used.layout).list(element, children, count) {
            // A list is reported as missing if its last elements are missing or incomplete.
            return out.push(Item::Missing);
        }
        let at = out.open(Item::List);
        if nothing {
            for _ in 0..count {
                if !self.present_nothing(used, element, out) {
                    break;
                }
            }
        }
        for child in children {
            self.present_value(used, element, *child, out);
        }
        out.close(at, Item::List);
    }

    /// Builds a value that contains other values but occupies no bytes. Returns `false` if the
    /// limit on such values is reached.
    fn present_nothing(
        &mut self,
        used: &mut Use<'_>,
        field: usize,
        out: &mut RecordBuffer,
    ) -> bool {
        if used.empty == 0 {
            out.push(Item::Free);
            return false;
        }
        used.empty -= 1;
        let plan = self.plan;
        let described = used.layout.fields[field];
        let Some(Kind::Nested(nested)) = described.op.map(|op| &plan.op(op).kind) else {
            out.push(Item::Absent);
            return true;
        };
        let nested = &plan.nested[*nested];
        let inside = used.layout.inside(field);
        stack::deeper(|| match nested.form {
            NestedForm::Fields => self.present_fields(used, inside, &[], out),
            _ if nested.none == Some(i128::from(described.count)) => out.push(Item::Absent),
            _ if shown_as_text(self.plan, used.layout, inside.start).is_some() => {
                self.present_no_elements(used, inside.start, out);
            }
            _ => self.present_counted(used, inside.start, &[], described.count, out),
        });
        true
    }
}
