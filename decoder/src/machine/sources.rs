//! Finds the bytes that a value was read from. The machine searches the tree for these sources, and
//! only when a visitor needs them for a record, so ordinary decoding does not have to record any
//! positions.

use tracegauge_plan::terms::{ColumnId, TableId};
use tracegauge_plan::{
    Code, CodeId, DefinePlan, FoldPlan, Kind, OpId, RowSource, SetTargetPlan, Slot, flags,
};

use super::{Machine, bits_of};
use crate::input::Input;
use crate::tree::{NodeId, Payload};
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

/// The maximum number of operations to follow when tracing a computed value back to its sources.
const DEEPEST: u32 = 32;

/// The operation that read a value, and the value's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The operation that read the value.
    pub op: OpId,
    /// The bytes of the value.
    pub span: Span,
}

/// The part of the tree to search for the sources of a value.
#[derive(Clone, Copy)]
struct Within {
    first: NodeId,
    end: NodeId,
    /// The number of operations followed so far to trace the value back.
    deep: u32,
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Returns whether the visitor needs the sources of the current record.
    #[inline]
    pub(crate) fn wants_sources(&self) -> bool {
        V::SOURCES && self.visitor.wants_sources()
    }

    /// Records that the operation `op` read an item of the record from the bytes `span`.
    pub(crate) fn note_source(&mut self, item: u32, op: OpId, span: Span) {
        let source = Source { op, span };
        if !self.recording.sources.contains(&(item, source)) {
            self.recording.sources.push((item, source));
        }
    }

    /// Records the sources of an item that is the value of an expression.
    pub(crate) fn note_sources(&mut self, item: u32, code: CodeId) {
        if self.kept.tree.nodes.is_empty() {
            // While the tree is being converted to a record, it is not available. The row is known
            // only now, so it is recorded here and located once the tree is available again.
            if let Code::Column(row, column) = self.plan.codes[code.index()]
                && let Some(place) = self.row_place(row, Value::Absent)
            {
                self.recording.looked_up.push((item, column, place));
            }
            return;
        }
        let mut found = Vec::new();
        self.sources_of(code, self.whole_tree(), &mut found);
        for source in found {
            self.note_source(item, source.op, source.span);
        }
    }

    /// Records the sources of rows that were looked up while the tree was being converted to a
    /// record.
    pub(crate) fn note_rows(&mut self) {
        for (item, column, place) in std::mem::take(&mut self.recording.looked_up) {
            let mut found = Vec::new();
            let within = self.whole_tree();
            self.sources_of_row((column.table, column.column), place, within, &mut found);
            for source in found {
                self.note_source(item, source.op, source.span);
            }
        }
    }

    fn whole_tree(&self) -> Within {
        Within {
            first: 0,
            end: u32::try_from(self.kept.tree.nodes.len()).unwrap_or(u32::MAX),
            deep: 0,
        }
    }

    fn sources_of(&mut self, code: CodeId, within: Within, found: &mut Vec<Source>) {
        if within.deep > DEEPEST {
            return;
        }
        let within = Within {
            deep: within.deep + 1,
            ..within
        };
        let plan = self.plan;
        match &plan.codes[code.index()] {
            Code::Slot(slot) => self.sources_of_slot(*slot, within, found),
            Code::Register(register) => {
                let wanted = |target: &SetTargetPlan| matches!(target, SetTargetPlan::Register(set) if set == register);
                self.sources_of_set(wanted, within, found);
            }
            Code::Column(row, column) => {
                if let Some(place) = self.row_place(*row, Value::Absent) {
                    self.sources_of_row((column.table, column.column), place, within, found);
                }
                self.sources_of_key(*row, within, found);
            }
            Code::HasRow(row) | Code::Row(row) | Code::RowKind(_, row) => {
                self.sources_of_key(*row, within, found);
            }
            Code::Between(start, end) => {
                let ends = (self.memory.slot(*start), self.memory.slot(*end));
                if let (Some(start), Some(end)) = (position(ends.0), position(ends.1)) {
                    let same = |span: Span| span.start == start && span.end == end;
                    found.extend(self.last_node(within, |node| same(node.span)));
                }
            }
            Code::Conditional(condition, then, otherwise) => {
                let holds = self.evaluate(*condition, Value::Absent).truth();
                let taken = if holds { *then } else { *otherwise };
                self.sources_of(taken, within, found);
                if found.is_empty() {
                    self.sources_of(*condition, within, found);
                }
            }
            Code::Else(first, second) => {
                let absent = self.evaluate(*first, Value::Absent) == Value::Absent;
                self.sources_of(if absent { *second } else { *first }, within, found);
            }
            Code::Binary(_, left, right) | Code::Extreme { left, right, .. } => {
                self.sources_of(*left, within, found);
                self.sources_of(*right, within, found);
            }
            Code::Unary(_, inner)
            | Code::Length(inner)
            | Code::OfText(_, inner, _)
            | Code::IsPresent(inner)
            | Code::HasBits(inner, _)
            | Code::IsDecimal(inner)
            | Code::ContainsByte(inner, _) => self.sources_of(*inner, within, found),
            Code::IsDate(parts) => {
                for part in parts.iter() {
                    self.sources_of(*part, within, found);
                }
            }
            Code::Int(_)
            | Code::Float(_)
            | Code::Bool(_)
            | Code::Text(_)
            | Code::Absent
            | Code::NoElements
            | Code::This
            | Code::Index(_)
            | Code::Stream(..) => {}
        }
    }

    /// Finds the sources of the value in a slot, which stores a value for expressions. The slot may
    /// have changed since a completed part of the trace used its value, but the nodes of that part
    /// still record where the earlier value was read.
    fn sources_of_slot(&mut self, slot: Slot, within: Within, found: &mut Vec<Source>) {
        let plan = self.plan;
        let value = self.memory.slot(slot);
        if within.first == 0 && value == Value::Absent {
            return;
        }
        if let (0, Value::Node(node)) = (within.first, value)
            && let Some(node) = self.kept.tree.nodes.get(node as usize)
        {
            found.push(Source {
                op: node.op,
                span: node.span,
            });
            return;
        }
        let mut reads = false;
        for (op, id) in plan.ops.iter().zip(0..) {
            if op.flags & flags::SLOT == 0 || op.slot != slot {
                continue;
            }
            if let Kind::Bind(code) = op.kind {
                return self.sources_of(code, within, found);
            }
            let last = self.last_node(within, |node| node.op == OpId(id));
            reads |= last.is_some();
            found.extend(last);
        }
        if reads {
            return;
        }
        let mut folds = plan.repeats.iter().flat_map(|repeat| &repeat.folds);
        if let Some(fold) = folds.find(|fold| fold.slot == slot) {
            return self.sources_of_fold(fold, value, within, found);
        }
        let mut previous = plan.repeats.iter().flat_map(|repeat| &repeat.previous);
        if let Some(previous) = previous.find(|previous| previous.slot == slot) {
            return self.sources_of(previous.value, within, found);
        }
        let mut exports = plan.infos.iter().flat_map(|info| &info.exports);
        if let Some((inner, _)) = exports.find(|(_, outer)| *outer == slot) {
            self.sources_of(*inner, within, found);
        }
    }

    /// Finds the last element whose value is the result of a query over a list.
    fn sources_of_fold(
        &mut self,
        fold: &FoldPlan,
        answer: Value,
        within: Within,
        found: &mut Vec<Source>,
    ) {
        let Some(origin) = fold.origin else {
            return self.sources_of(fold.value, within, found);
        };
        let bits = answer.integer().map(bits_of);
        let is_answer = |payload: Payload| match (payload, bits) {
            (Payload::Bits(read), Some(bits)) => read == bits,
            _ => true,
        };
        let asked = self.last_node(within, |node| node.op == origin && is_answer(node.payload));
        found.extend(asked);
    }

    /// Finds the last structure that set a register or column, and the sources of the value that it
    /// set.
    fn sources_of_set(
        &mut self,
        wanted: impl Fn(&SetTargetPlan) -> bool,
        within: Within,
        found: &mut Vec<Source>,
    ) {
        let plan = self.plan;
        for id in (within.first..within.end).rev() {
            let node = self.kept.tree.node(id);
            // An open structure has not set anything yet.
            if node.end <= id + 1 && node.span.start == node.span.end {
                continue;
            }
            let effects = plan.info(node.op).effects;
            let sets = effects.map_or(&[][..], |index| &plan.effects[index].sets);
            let Some(set) = sets.iter().find(|set| wanted(&set.target)) else {
                continue;
            };
            let end = node.end;
            let inside = Within {
                first: id,
                end,
                ..within
            };
            return self.sources_of(set.value, inside, found);
        }
    }

    /// Finds the definition of a row, and the sources of the column's value in this definition.
    fn sources_of_row(
        &mut self,
        (table, column): (TableId, ColumnId),
        place: u32,
        within: Within,
        found: &mut Vec<Source>,
    ) {
        let row = self.state.tables[table].row(place);
        let Some(span) = row.and_then(|row| row.span) else {
            return;
        };
        let defined = (0..within.end).rev().find_map(|id| {
            let node = self.kept.tree.node(id);
            let define = (node.span == span)
                .then(|| self.defined_by(node.op))
                .flatten();
            let define = define.filter(|define| define.table == table)?;
            Some((id, node.end, define.columns.get(column).copied()))
        });
        let before = found.len();
        if let Some((first, end, Some(code))) = defined {
            let inside = Within {
                first,
                end,
                ..within
            };
            self.sources_of(code, inside, found);
        }
        if let (true, Some((first, ..))) = (found.len() == before, defined) {
            let op = self.kept.tree.node(first).op;
            found.push(Source { op, span });
        }
    }

    /// Returns the row definition of an operation, which is declared either on the operation itself or
    /// on the list that contains it.
    fn defined_by(&self, op: OpId) -> Option<&'p DefinePlan> {
        let plan = self.plan;
        let effects = plan.info(op).effects.map(|index| &plan.effects[index]);
        let own = effects.and_then(|effects| effects.defines.as_ref());
        own.or_else(|| {
            let list = plan.info(op).parent?;
            match plan.op(list).kind {
                Kind::Repeat(index) => plan.repeats[index].defines.as_deref(),
                _ => None,
            }
        })
    }

    /// Finds the sources of the number that refers to a row.
    fn sources_of_key(&mut self, source: RowSource, within: Within, found: &mut Vec<Source>) {
        match source {
            RowSource::Lookup { key, .. } => self.sources_of(key, within, found),
            RowSource::Slot(slot) => {
                let refs = |id: OpId| {
                    let refs = self.plan.info(id).refs?;
                    self.plan.refs[refs].row_slot
                };
                let named = self.last_node(within, |node| refs(node.op) == Some(slot));
                found.extend(named);
            }
            RowSource::Register(_) => {}
        }
    }

    fn last_node(
        &self,
        within: Within,
        wanted: impl Fn(&crate::tree::Node) -> bool,
    ) -> Option<Source> {
        let nodes = self
            .kept
            .tree
            .nodes
            .get(within.first as usize..within.end as usize);
        let node = nodes?.iter().rfind(|node| wanted(node))?;
        Some(Source {
            op: node.op,
            span: node.span,
        })
    }
}

fn position(value: Value) -> Option<u64> {
    value.integer().and_then(|value| u64::try_from(value).ok())
}
