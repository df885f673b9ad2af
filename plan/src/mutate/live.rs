//! Finds the values that affect the verdict or the records. A reader that is wrong only about
//! unused values is indistinguishable from a correct reader.

use crate::terms::{ColumnId, RegisterId, RuleId, TableId};
use std::collections::HashSet;

use super::roots::{Role, Stored, roots};
use crate::{Code, CodeId, ColumnRef, DefinePlan, LayoutSource, OpId, Plan, RowSource, Slot};

/// Returns the operations whose expressions read a slot.
pub(super) fn readers(plan: &Plan, live: &Live, slot: Slot) -> Vec<OpId> {
    let roots = roots(plan, live).into_iter();
    roots
        .filter(|root| reads(plan, root.code, slot))
        .map(|root| root.op)
        .collect()
}

/// Returns whether an expression reads a slot.
pub(super) fn reads(plan: &Plan, code: CodeId, slot: Slot) -> bool {
    Live::of_code(plan, code).has_slot(slot)
}

/// The slots, registers and columns whose values are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Live {
    slots: HashSet<Slot>,
    registers: HashSet<RegisterId>,
    columns: HashSet<(TableId, ColumnId)>,
    seen: HashSet<CodeId>,
}

impl Live {
    /// Finds the values that verdicts or records depend on.
    pub(super) fn of(plan: &Plan) -> Self {
        Self::read_by(plan, &|_| true)
    }

    /// Finds the values that an expression reads.
    pub(super) fn of_code(plan: &Plan, code: CodeId) -> Self {
        let mut live = Self::default();
        live.read(plan, code);
        live
    }

    /// Finds the values that affect a decision although no expression reads them.
    pub(super) fn of_choices(plan: &Plan) -> Self {
        let mut live = Self::default();
        live.chosen_by(plan);
        live
    }

    /// Iterates over the values.
    pub(super) fn stored(&self) -> impl Iterator<Item = Stored> {
        let slots = self.slots.iter().copied().map(Stored::Slot);
        let registers = self.registers.iter().copied().map(Stored::Register);
        let columns = self.columns.iter();
        let columns = columns.map(|(table, column)| Stored::Column(*table, *column));
        slots.chain(registers).chain(columns)
    }

    /// Finds the values that records contain.
    pub(super) fn shown(plan: &Plan) -> Self {
        Self::read_by(plan, &|role| matches!(role, Role::Shown | Role::Value))
    }

    fn read_by(plan: &Plan, wanted: &dyn Fn(Role) -> bool) -> Self {
        let mut live = Self::default();
        if wanted(Role::Choice) {
            live.chosen_by(plan);
        }
        // A stored value is used only if the slot, register or column that contains it is used.
        // Repeat until nothing changes.
        loop {
            let before = live.clone();
            for root in roots(plan, &before) {
                if wanted(root.role) {
                    live.read(plan, root.code);
                }
            }
            if live == before {
                return live;
            }
        }
    }

    /// Adds the values that affect a decision although no expression reads them.
    fn chosen_by(&mut self, plan: &Plan) {
        for layout in &plan.layouts {
            if let LayoutSource::Row(source, column) = layout.source {
                self.row(&source);
                self.column(column);
            }
        }
        for (source, column, _) in plan.switches.iter().filter_map(|known| known.described) {
            self.row(&source);
            self.column(column);
        }
        let ends = plan
            .effects
            .iter()
            .filter_map(|known| known.defines.as_ref());
        let lists = plan.repeats.iter();
        let lists = lists.filter_map(|known| known.defines.as_deref());
        for define in ends.chain(lists) {
            self.compared(plan, define);
        }
        let carried = plan.carries.iter().filter_map(|carry| carry.register);
        self.registers.extend(carried);
    }

    /// Adds the columns used to compare rows. The compared columns matter only if equal rows are
    /// accepted and different rows are rejected, or vice versa.
    fn compared(&mut self, plan: &Plan, define: &DefinePlan) {
        let Some(again) = &define.again else {
            return;
        };
        let alike = again.alike.as_ref().map(|(_, rule)| *rule);
        let rejected = |rule: Option<RuleId>| rule.is_some() && plan.rejects(rule);
        let mut rules = std::iter::once(again.other).chain(alike);
        if rules.any(|rule| rejected(rule) != rejected(again.same)) {
            let alike = again.alike.iter().flat_map(|(columns, _)| columns);
            let columns = again.columns.iter().chain(alike);
            self.columns
                .extend(columns.map(|column| (define.table, *column)));
        }
    }

    fn read(&mut self, plan: &Plan, code: CodeId) {
        if code == CodeId::NONE || !self.seen.insert(code) {
            return;
        }
        let known = &plan.codes[code.index()];
        match known {
            Code::Slot(slot) => {
                self.slots.insert(*slot);
            }
            Code::Between(from, to) => self.slots.extend([*from, *to]),
            Code::Register(register) => {
                self.registers.insert(*register);
            }
            Code::Column(source, column) => {
                self.row(source);
                self.column(*column);
            }
            Code::HasRow(source) | Code::Row(source) | Code::RowKind(_, source) => {
                self.row(source);
            }
            _ => {}
        }
        for inner in known.operands() {
            self.read(plan, inner);
        }
    }

    fn row(&mut self, source: &RowSource) {
        match source {
            RowSource::Slot(slot) => {
                self.slots.insert(*slot);
            }
            RowSource::Register(register) => {
                self.registers.insert(*register);
            }
            RowSource::Lookup { .. } => {}
        }
    }

    fn column(&mut self, column: ColumnRef) {
        self.columns.insert((column.table, column.column));
    }

    pub(super) fn has_slot(&self, slot: Slot) -> bool {
        self.slots.contains(&slot)
    }

    pub(super) fn has_register(&self, register: RegisterId) -> bool {
        self.registers.contains(&register)
    }

    pub(super) fn has_column(&self, table: TableId, column: ColumnId) -> bool {
        self.columns.contains(&(table, column))
    }
}
