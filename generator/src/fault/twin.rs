//! A valid trace that faults are put into, and what is asked of it: who is inside whom,
//! paths, numbers, the part that ends next.

use std::cell::OnceCell;
use std::collections::HashMap;

use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_spec::plan::{Extent, Info, Kind, Op, OpId, Plan};

use super::history::History;
use super::slots::SlotIndex;

/// A valid trace, decoded.
pub struct Twin<'a> {
    /// The plan that it was decoded by.
    pub plan: &'a Plan,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Its tree.
    pub tree: &'a Tree,
    parents: Vec<NodeId>,
    by_op: HashMap<u32, Vec<NodeId>>,
    pub(super) slots: SlotIndex,
    history: OnceCell<History>,
}

/// The part of the file, or the file, in which something ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    /// Its sized part; none for the file.
    pub part: Option<NodeId>,
    /// Its end.
    pub end: u64,
}

const NO_PARENT: NodeId = NodeId::MAX;

impl<'a> Twin<'a> {
    /// Looks through the tree of `bytes`.
    pub fn new(plan: &'a Plan, bytes: &'a [u8], tree: &'a Tree) -> Self {
        let mut parents = vec![NO_PARENT; tree.nodes.len()];
        let mut by_op: HashMap<u32, Vec<NodeId>> = HashMap::new();
        let mut around: Vec<NodeId> = Vec::new();
        for (index, node) in tree.nodes.iter().enumerate() {
            let id = NodeId::try_from(index).unwrap_or(NO_PARENT);
            while around.last().is_some_and(|top| tree.node(*top).end <= id) {
                around.pop();
            }
            let parent = around.last().copied().unwrap_or(NO_PARENT);
            parents[index] = parent;
            around.push(id);
            // Bytes that nothing claims stand under the operation of their part.
            let residue = parent != NO_PARENT && is_residue(plan, tree, parent, id);
            // What a view shows is the bytes of something else.
            let shown = around.iter().any(|outer| tree.is_view(*outer));
            if !residue && !shown {
                by_op.entry(node.op.0).or_default().push(id);
            }
        }
        Self {
            plan,
            bytes,
            tree,
            parents,
            by_op,
            slots: SlotIndex::new(plan),
            history: OnceCell::new(),
        }
    }

    /// The nodes of an operation, in the order of the file.
    pub fn nodes_of(&self, op: OpId) -> &[NodeId] {
        self.by_op.get(&op.0).map_or(&[], Vec::as_slice)
    }

    /// What the trace defines, names and forgets.
    pub(super) fn history(&self) -> &History {
        self.history.get_or_init(|| History::of(self))
    }

    pub(super) fn node(&self, id: NodeId) -> &'a Node {
        self.tree.node(id)
    }

    pub(super) fn op(&self, id: NodeId) -> &'a Op {
        self.plan.op(self.node(id).op)
    }

    pub(super) fn info(&self, id: NodeId) -> &'a Info {
        self.plan.info(self.node(id).op)
    }

    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.parents.get(id as usize).copied()?;
        (parent != NO_PARENT).then_some(parent)
    }

    /// The node and what is around it, from the inside out.
    pub(super) fn outward(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |at| self.parent(*at))
    }

    /// The bytes of a node.
    pub(super) fn bytes_of(&self, id: NodeId) -> &'a [u8] {
        let span = self.node(id).span;
        self.slice(span.start, span.end)
    }

    pub(super) fn slice(&self, start: u64, end: u64) -> &'a [u8] {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Bytes of a sized part that no field claims.
    pub(super) fn is_residue(&self, id: NodeId) -> bool {
        self.parent(id)
            .is_some_and(|parent| is_residue(self.plan, self.tree, parent, id))
    }

    /// The node takes bytes itself; nothing inside it can be taken on its own.
    pub(super) fn is_leaf(&self, id: NodeId) -> bool {
        let node = self.node(id);
        matches!(self.op(id).kind, Kind::BitRun { .. }) || node.end == id + 1
    }

    /// The node's integer, signed as its operation says.
    pub(crate) fn integer(&self, id: NodeId) -> Option<i128> {
        let Payload::Bits(bits) = self.node(id).payload else {
            return None;
        };
        match self.op(id).kind {
            Kind::Float { .. } => None,
            Kind::Integer(integer) if integer.signed => Some(i128::from(bits.cast_signed())),
            Kind::Variable(kind, _) if kind != tracegauge_spec::schema::VariableKind::Unsigned => {
                Some(i128::from(bits.cast_signed()))
            }
            _ => Some(i128::from(bits)),
        }
    }

    /// The number of a node in its list or layout.
    pub(super) fn number(&self, id: NodeId) -> u64 {
        let Some(parent) = self.parent(id) else {
            return 0;
        };
        match (&self.op(parent).kind, self.node(parent).payload) {
            (Kind::Layout(_), Payload::Layout(_)) => self.described_number(id, parent),
            (Kind::Nested(nested), _) => self.nested_number(id, parent, *nested, None).unwrap_or(0),
            _ => {
                let before = self.tree.children(parent).take_while(|child| *child < id);
                before.count() as u64
            }
        }
    }

    /// The number of a described field: a presence byte and the value behind it have the same.
    fn described_number(&self, id: NodeId, layout: NodeId) -> u64 {
        let fields = self.tree.described(layout);
        let found = fields.iter().find(|(_, node)| *node == id);
        found.map_or(0, |(number, _)| *number as u64)
    }

    /// The number of a value inside one that holds others.
    fn nested_number(
        &self,
        id: NodeId,
        parent: NodeId,
        nested: u32,
        around: Option<usize>,
    ) -> Option<u64> {
        use tracegauge_spec::plan::NestedForm;
        let Payload::Layout(index) = self.node(self.layout_around(parent)?).payload else {
            return None;
        };
        let children = self.tree.children(parent);
        let before = children.take_while(|child| *child < id).count();
        let skipped = match &self.plan.nested[nested as usize].form {
            NestedForm::Located(_) if !self.tree.is_view(parent) => return None,
            NestedForm::Counted(_) if before == 0 => return None,
            NestedForm::Counted(_) => return Some(before as u64 - 1),
            NestedForm::Described(_) | NestedForm::Located(_) => return Some(before as u64),
            NestedForm::Fields => {
                let layout = &self.tree.layouts[index as usize];
                let field = around.or_else(|| self.described_field(parent))?;
                let inside = layout.fields.get(layout.inside(field))?;
                // Values without bytes have a number and no node.
                let there = inside
                    .iter()
                    .enumerate()
                    .filter(|(_, field)| !field.nothing);
                let mut numbers = there.flat_map(|(number, field)| {
                    std::iter::repeat_n(number, 1 + usize::from(field.optional))
                });
                numbers.nth(before)?
            }
        };
        Some(skipped as u64)
    }

    /// A text that stands for a whole list.
    pub(super) fn is_units(&self, id: NodeId) -> bool {
        let op = self.node(id).op;
        let codes = self.plan.layouts.iter().flat_map(|layout| &layout.codes);
        let mut units = codes.filter_map(|code| code.units);
        matches!(self.plan.op(op).kind, Kind::Text(..)) && units.any(|units| units == op)
    }

    /// The node is that of a whole layout.
    pub(super) fn is_layout(&self, id: NodeId) -> bool {
        matches!(self.op(id).kind, Kind::Layout(_)) && !self.is_residue(id)
    }

    /// The number of bytes of each element of a located value, where it is always the same.
    pub(super) fn element_size(&self, id: NodeId) -> Option<u64> {
        let Payload::Layout(index) = self.node(self.layout_around(id)?).payload else {
            return None;
        };
        let layout = &self.tree.layouts[index as usize];
        let inside = layout.inside(self.described_field(id)?);
        layout.fields.get(inside.start)?.size
    }

    fn layout_around(&self, id: NodeId) -> Option<NodeId> {
        self.outward(id).find(|at| self.is_layout(*at))
    }

    /// The field of a compiled layout that a value is of.
    fn described_field(&self, id: NodeId) -> Option<usize> {
        let parent = self.parent(id)?;
        match self.op(parent).kind {
            Kind::Layout(_) => usize::try_from(self.number(id)).ok(),
            Kind::Nested(nested) => {
                let Payload::Layout(index) = self.node(self.layout_around(parent)?).payload else {
                    return None;
                };
                let layout = &self.tree.layouts[index as usize];
                let around = self.described_field(parent)?;
                let inside = layout.inside(around);
                let number = self.nested_number(id, parent, nested, Some(around))?;
                let number = usize::try_from(number).ok()?;
                match self.plan.nested[nested as usize].form {
                    tracegauge_spec::plan::NestedForm::Fields => inside.clone().nth(number),
                    _ => inside.clone().next(),
                }
            }
            _ => None,
        }
    }

    /// The path of a node, as the decoder writes it.
    pub fn path(&self, id: NodeId) -> String {
        let mut parts: Vec<String> = Vec::new();
        for at in self.outward(id) {
            let parent = self.parent(at);
            let around = parent.map(|parent| &self.op(parent).kind);
            let renamed = matches!(around, Some(Kind::Call(_))) || self.is_residue(at);
            if let (false, Some(name)) = (renamed, self.info(at).name) {
                parts.push(self.plan.name(name).to_owned());
            }
            if matches!(around, Some(Kind::Repeat(_) | Kind::Layout(_))) {
                parts.push(format!("[{}]", self.number(at)));
            }
            if let (Some(Kind::Nested(nested)), Some(parent)) = (around, parent)
                && let Some(number) = self.nested_number(at, parent, *nested, None)
                && !self.is_units(at)
            {
                parts.push(format!("[{number}]"));
            }
        }
        join(parts)
    }

    /// The path of `id` if the element `within`, which holds it, had number `number`.
    pub(super) fn path_renumbered(&self, id: NodeId, within: NodeId, number: u64) -> String {
        let path = self.path(id);
        let (Some(list), element) = (self.parent(within), self.path(within)) else {
            return path;
        };
        let rest = path.strip_prefix(&element).unwrap_or_default();
        format!("{}[{number}]{rest}", self.path(list))
    }

    /// The nearest element of a list that holds `id`, or is it.
    pub(super) fn element(&self, id: NodeId) -> Option<NodeId> {
        self.outward(id).find(|at| {
            self.parent(*at)
                .is_some_and(|parent| matches!(self.op(parent).kind, Kind::Repeat(_)))
        })
    }

    /// Elements of one list that hold `a` and `b`: in the innermost list that holds both.
    pub(super) fn elements_of_both(&self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        let list = self.outward(a).find(|at| {
            let node = self.node(*at);
            matches!(self.op(*at).kind, Kind::Repeat(_)) && *at < b && b < node.end
        })?;
        let inside = |id| self.outward(id).find(|at| self.parent(*at) == Some(list));
        inside(a).zip(inside(b))
    }

    /// The part around `id` that ends next, or the file.
    pub(super) fn limit(&self, id: NodeId) -> Limit {
        let part = self
            .outward(id)
            .skip(1)
            .find(|at| matches!(self.op(*at).kind, Kind::Sized(_)));
        Limit {
            part,
            end: part.map_or(self.bytes.len() as u64, |part| self.node(part).span.end),
        }
    }

    /// The outermost part around `id` whose size stands in the file.
    pub(super) fn outermost_part(&self, id: NodeId) -> Option<NodeId> {
        self.outward(id)
            .filter(
                |at| matches!(self.op(*at).kind, Kind::Sized(extent) if extent != Extent::ToEnd),
            )
            .last()
    }

    /// The innermost node around `id`, or it, whose operation holds `op`.
    pub(super) fn holder_of(&self, id: NodeId, op: OpId) -> Option<NodeId> {
        self.outward(id).find(|at| {
            let around = self.node(*at).op;
            around <= op && op.0 < self.plan.op(around).end
        })
    }

    /// The last node of `op` inside `within` that begins before `before`.
    pub(super) fn last_of(&self, op: OpId, within: NodeId, before: NodeId) -> Option<NodeId> {
        let nodes = self.nodes_of(op);
        let end = before.min(self.node(within).end);
        let after = nodes.partition_point(|node| *node < end);
        let last = *nodes.get(after.checked_sub(1)?)?;
        (last >= within).then_some(last)
    }

    /// The first node of `op` inside `within` that begins after `after`.
    pub(super) fn first_of(&self, op: OpId, within: NodeId, after: NodeId) -> Option<NodeId> {
        let nodes = self.nodes_of(op);
        let first = nodes.partition_point(|node| *node <= after);
        let first = *nodes.get(first)?;
        (first < self.node(within).end).then_some(first)
    }
}

/// What no field claims stands inside its part as a node of the part itself.
fn is_residue(plan: &Plan, tree: &Tree, parent: NodeId, id: NodeId) -> bool {
    let op = tree.node(id).op;
    tree.node(parent).op == op && !matches!(plan.op(op).kind, Kind::Nested(_))
}

/// Joins parts that were found from the inside out.
fn join(parts: Vec<String>) -> String {
    let mut path = String::new();
    for part in parts.into_iter().rev() {
        if !path.is_empty() && !part.starts_with('[') {
            path.push('.');
        }
        path.push_str(&part);
    }
    path
}
