//! Twins: valid traces in which faults are planted, with the queries needed to plant them, such as
//! ancestors, paths, element numbers, and enclosing parts.

use std::cell::OnceCell;
use std::collections::HashMap;

use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_plan::{Extent, Info, Kind, NestedId, Op, OpId, Plan};

use super::events::History;
use super::slots::SlotIndex;

/// A decoded valid trace. Node 0 of its tree is the whole file.
pub struct Twin<'a> {
    /// The plan that was used to decode the trace.
    pub plan: &'a Plan,
    /// The bytes of the trace.
    pub bytes: &'a [u8],
    /// The tree of the trace.
    pub tree: &'a Tree,
    parents: Vec<NodeId>,
    by_op: HashMap<u32, Vec<NodeId>>,
    pub(super) slots: SlotIndex,
    history: OnceCell<History>,
    /// The history without the events that depend on earlier ones, from which they are found.
    draft: OnceCell<History>,
}

/// The part around a node, or the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    /// The sized part, or `None` for the file.
    pub part: Option<NodeId>,
    /// The end position.
    pub end: u64,
}

const NO_PARENT: NodeId = NodeId::MAX;

impl<'a> Twin<'a> {
    /// Indexes the tree of `bytes`.
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
            // Bytes of a part that belong to none of its fields form a node with the part's
            // operation.
            let residue = parent != NO_PARENT && is_residue(plan, tree, parent, id);
            // A view represents bytes that belong to other nodes.
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
            draft: OnceCell::new(),
        }
    }

    /// Returns the nodes of an operation in file order.
    pub fn nodes_of(&self, op: OpId) -> &[NodeId] {
        self.by_op.get(&op.0).map_or(&[], Vec::as_slice)
    }

    /// Returns the history of definitions, references and removals.
    pub(super) fn history(&self) -> &History {
        if let Some(history) = self.history.get().or_else(|| self.draft.get()) {
            return history;
        }
        let history = History::of(self);
        if history.unsettled.is_empty() {
            return self.history.get_or_init(|| history);
        }
        let settled = self.draft.get_or_init(|| history).settled(self);
        self.history.get_or_init(|| settled)
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

    /// Returns the node and its ancestors, innermost first.
    pub(super) fn outward(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |at| self.parent(*at))
    }

    /// Returns the bytes of a node.
    pub(super) fn bytes_of(&self, id: NodeId) -> &'a [u8] {
        let span = self.node(id).span;
        self.slice(span.start, span.end)
    }

    pub(super) fn slice(&self, start: u64, end: u64) -> &'a [u8] {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Returns whether a node consists of unclaimed bytes of a sized part.
    pub(super) fn is_residue(&self, id: NodeId) -> bool {
        self.parent(id)
            .is_some_and(|parent| is_residue(self.plan, self.tree, parent, id))
    }

    /// Returns whether the bytes of a node belong to another node. This is true of views and of
    /// instances located by a position.
    pub(super) fn is_elsewhere(&self, id: NodeId) -> bool {
        self.tree.is_view(id) || matches!(self.op(id).kind, Kind::At(_))
    }

    /// Returns whether a node has bytes of its own and no children with separate bytes.
    pub(super) fn is_leaf(&self, id: NodeId) -> bool {
        let node = self.node(id);
        matches!(self.op(id).kind, Kind::BitRun { .. }) || node.end == id + 1
    }

    /// Returns the node's integer, signed if its operation is signed.
    pub(crate) fn integer(&self, id: NodeId) -> Option<i128> {
        let Payload::Bits(bits) = self.node(id).payload else {
            return None;
        };
        match self.op(id).kind {
            Kind::Float { .. } => None,
            Kind::Integer(integer) if integer.signed => Some(i128::from(bits.cast_signed())),
            Kind::Variable(kind, _) if kind != tracegauge_plan::terms::VariableKind::Unsigned => {
                Some(i128::from(bits.cast_signed()))
            }
            _ => Some(i128::from(bits)),
        }
    }

    /// Returns the number of a node in its list or layout.
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

    /// Returns the number of a field in its layout (the fields that the trace itself describes). A
    /// presence byte and the value after it have the same number.
    fn described_number(&self, id: NodeId, layout: NodeId) -> u64 {
        let fields = self.tree.described(layout);
        let found = fields.iter().find(|(_, node)| *node == id);
        found.map_or(0, |(number, _)| *number as u64)
    }

    /// Returns the number of a value inside a container value.
    fn nested_number(
        &self,
        id: NodeId,
        parent: NodeId,
        nested: NestedId,
        around: Option<usize>,
    ) -> Option<u64> {
        use tracegauge_plan::NestedForm;
        let Payload::Layout(index) = self.node(self.layout_around(parent)?).payload else {
            return None;
        };
        let children = self.tree.children(parent);
        let before = children.take_while(|child| *child < id).count();
        let skipped = match &self.plan.nested[nested].form {
            NestedForm::Located(_) if !self.tree.is_view(parent) => return None,
            NestedForm::Counted(_) if before == 0 => return None,
            NestedForm::Counted(_) => return Some(before as u64 - 1),
            NestedForm::Described(_) | NestedForm::Located(_) => return Some(before as u64),
            NestedForm::Fields => {
                let layout = &self.tree.layouts[index as usize];
                let field = around.or_else(|| self.described_field(parent))?;
                let inside = layout.fields.get(layout.inside(field))?;
                // Values that occupy no bytes have a number but no node.
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

    /// Returns whether a node represents a list of code units as a string.
    pub(super) fn is_units(&self, id: NodeId) -> bool {
        let op = self.node(id).op;
        let codes = self.plan.layouts.iter().flat_map(|layout| &layout.codes);
        let mut units = codes.filter_map(|code| code.units);
        matches!(self.plan.op(op).kind, Kind::Text(..)) && units.any(|units| units == op)
    }

    /// Returns whether a node represents a whole layout.
    pub(super) fn is_layout(&self, id: NodeId) -> bool {
        matches!(self.op(id).kind, Kind::Layout(_)) && !self.is_residue(id)
    }

    /// Returns the size in bytes of each element of a located value (a value whose position is
    /// stored in a field), if all elements have the same size.
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

    /// Returns the index of a value's field in the compiled layout.
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
                match self.plan.nested[nested].form {
                    tracegauge_plan::NestedForm::Fields => inside.clone().nth(number),
                    _ => inside.clone().next(),
                }
            }
            _ => None,
        }
    }

    /// Returns the path of a node in the notation of the decoder.
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

    /// Returns the path that `id` would have if the element `within`, which contains it, had number
    /// `number`.
    pub(super) fn path_renumbered(&self, id: NodeId, within: NodeId, number: u64) -> String {
        let path = self.path(id);
        let (Some(list), element) = (self.parent(within), self.path(within)) else {
            return path;
        };
        let rest = path.strip_prefix(&element).unwrap_or_default();
        format!("{}[{number}]{rest}", self.path(list))
    }

    /// Returns the innermost list element that contains `id` or is `id`.
    pub(super) fn element(&self, id: NodeId) -> Option<NodeId> {
        self.outward(id).find(|at| {
            self.parent(*at)
                .is_some_and(|parent| matches!(self.op(parent).kind, Kind::Repeat(_)))
        })
    }

    /// Returns the elements that contain `a` and `b` in the innermost list that contains both.
    pub(super) fn elements_of_both(&self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        let list = self.outward(a).find(|at| {
            let node = self.node(*at);
            matches!(self.op(*at).kind, Kind::Repeat(_)) && *at < b && b < node.end
        })?;
        let inside = |id| self.outward(id).find(|at| self.parent(*at) == Some(list));
        inside(a).zip(inside(b))
    }

    /// Returns the innermost part that contains `id`, or the file.
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

    /// Returns whether more bytes follow a part before the enclosing part or the file ends.
    pub(super) fn is_followed(&self, part: NodeId) -> bool {
        self.node(part).span.end < self.limit(part).end
    }

    /// Returns the outermost part that contains `id` and whose size is stored in the file.
    pub(super) fn outermost_part(&self, id: NodeId) -> Option<NodeId> {
        self.outward(id)
            .filter(
                |at| matches!(self.op(*at).kind, Kind::Sized(extent) if extent != Extent::ToEnd),
            )
            .last()
    }

    /// Returns the innermost node, among `id` and its ancestors, whose operation contains `op`.
    pub(super) fn holder_of(&self, id: NodeId, op: OpId) -> Option<NodeId> {
        self.outward(id).find(|at| {
            let around = self.node(*at).op;
            around <= op && op.0 < self.plan.op(around).end
        })
    }

    /// Returns the last node of `op` inside `within` that starts before `before`.
    pub(super) fn last_of(&self, op: OpId, within: NodeId, before: NodeId) -> Option<NodeId> {
        let nodes = self.nodes_of(op);
        let end = before.min(self.node(within).end);
        let after = nodes.partition_point(|node| *node < end);
        let last = *nodes.get(after.checked_sub(1)?)?;
        (last >= within).then_some(last)
    }

    /// Returns the first node of `op` inside `within` that starts after `after`.
    pub(super) fn first_of(&self, op: OpId, within: NodeId, after: NodeId) -> Option<NodeId> {
        let nodes = self.nodes_of(op);
        let first = nodes.partition_point(|node| *node <= after);
        let first = *nodes.get(first)?;
        (first < self.node(within).end).then_some(first)
    }
}

/// Returns whether a node consists of unclaimed bytes. Such a node is a child of its part and has
/// the part's operation.
fn is_residue(plan: &Plan, tree: &Tree, parent: NodeId, id: NodeId) -> bool {
    let op = tree.node(id).op;
    tree.node(parent).op == op && !matches!(plan.op(op).kind, Kind::Nested(_))
}

/// Joins path components that were collected innermost first.
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
