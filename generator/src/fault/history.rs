//! The history of a trace: all definitions and removals of table rows, references to them, and
//! assignments to registers and columns, in file order. A register is a variable that stores a
//! value for later use, for example as the base of a carried field, whose value readers compute
//! from this base and the stored number.

use std::cmp::Reverse;

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::operator::{BinaryOperator as B, UnaryOperator};
use tracegauge_plan::terms::{Keeps, RegisterId, TableId};
use tracegauge_plan::{
    Code, CodeId, ColumnRef, DefinePlan, EffectsPlan, Kind, OpId, SetTargetPlan, Slot,
};

use super::evaluate::Moment;
use super::events::{
    Definition, Effect, Forgetting, History, Reference, Set, Setter, Setting, Target, Unsettled,
    Values,
};
use super::slots::Holder;
use super::twin::Twin;
use super::value::Value;

impl Twin<'_> {
    /// Returns the effects of a node's structure.
    pub(super) fn effects(&self, node: NodeId) -> Option<&EffectsPlan> {
        let index = self.info(node).effects?;
        Some(&self.plan.effects[index])
    }

    /// Returns the definition plan of a node's structure, or of the list that contains the node as
    /// an element.
    pub(super) fn define_of(&self, node: NodeId) -> Option<&DefinePlan> {
        let own = self
            .effects(node)
            .and_then(|effects| effects.defines.as_ref());
        own.or_else(|| self.numbered(node))
    }

    /// Returns the definition plan of the list that contains a node as an element.
    pub(super) fn numbered(&self, node: NodeId) -> Option<&DefinePlan> {
        let list = self.repeat(self.parent(node)?)?;
        list.defines.as_deref()
    }

    /// Returns the field that stores the key of the first row of a list.
    pub(super) fn first_key(&self, list: NodeId, define: &DefinePlan) -> Option<NodeId> {
        let Code::Slot(slot) = self.plan.codes[define.first_key(self.plan)?.index()] else {
            return None;
        };
        let op = self.slots.field(self.plan, slot, self.node(list).op)?;
        let within = self.holder_of(list, op)?;
        self.last_of(op, within, list)
    }

    /// Returns the field inside `node` that an expression refers to, if the expression consists of
    /// a single field.
    pub(super) fn field_of(&self, code: CodeId, node: NodeId) -> Option<NodeId> {
        let Code::Slot(slot) = self.plan.codes[code.index()] else {
            return None;
        };
        let holders = self.slots.holders(self.plan, slot, self.node(node).op);
        let end = self.node(node).end;
        let mut fields = holders.iter().filter_map(|holder| match holder {
            Holder::Value(op) => self.last_of(*op, node, end),
            _ => None,
        });
        fields.next()
    }

    /// Returns the field inside `node` that an expression refers to, if the expression consists of
    /// a single field or chooses one. If this field is a switch, returns the alternative that was
    /// read.
    pub(super) fn key_field(&self, code: CodeId, node: NodeId) -> Option<NodeId> {
        match self.plan.codes[code.index()] {
            Code::Else(first, second) => self
                .key_field(first, node)
                .or_else(|| self.key_field(second, node)),
            Code::Conditional(condition, then, otherwise) => {
                let holds = self.own_value(condition, node)? != 0;
                self.key_field(if holds { then } else { otherwise }, node)
            }
            _ => Some(self.chosen(self.field_of(code, node)?)),
        }
    }

    /// Returns the alternative that was read if a node is a switch, and otherwise the node itself.
    fn chosen(&self, node: NodeId) -> NodeId {
        let mut at = node;
        while let Kind::Switch(_) = self.op(at).kind
            && let Some(alternative) = self.tree.children(at).next()
        {
            at = alternative;
        }
        at
    }

    /// Evaluates an expression that depends only on the fields of a structure, and on where it and
    /// its parts are.
    fn own_value(&self, code: CodeId, node: NodeId) -> Option<i128> {
        let own = |code: CodeId| self.own_value(code, node);
        match self.plan.codes[code.index()] {
            Code::Int(value) => Some(value),
            Code::Bool(value) => Some(i128::from(value)),
            Code::Slot(slot) => self.own_slot(slot, node),
            Code::Else(..) | Code::Conditional(..) => self.integer(self.key_field(code, node)?),
            Code::IsPresent(inner) => Some(i128::from(self.key_field(inner, node).is_some())),
            Code::Unary(UnaryOperator::Not, inner) => Some(i128::from(own(inner)? == 0)),
            Code::HasBits(inner, mask) => Some(i128::from(own(inner)? & i128::from(mask) != 0)),
            Code::Binary(operator, left, right) => {
                let (left, right) = (own(left)?, own(right)?);
                let truth = match operator {
                    B::Equal => left == right,
                    B::NotEqual => left != right,
                    B::And => left != 0 && right != 0,
                    B::Or => left != 0 || right != 0,
                    _ => match operator.compare(&left, &right) {
                        Some(truth) => truth,
                        None => return operator.calculate(left, right),
                    },
                };
                Some(i128::from(truth))
            }
            _ => None,
        }
    }

    fn own_slot(&self, slot: Slot, node: NodeId) -> Option<i128> {
        let end = self.node(node).end;
        let place = |op: OpId| {
            let inside = self.last_of(op, node, end);
            inside.or_else(|| self.outward(node).find(|at| self.node(*at).op == op))
        };
        let holders = self.slots.holders(self.plan, slot, self.node(node).op);
        holders.into_iter().find_map(|holder| match holder {
            Holder::Value(op) => self.integer(self.chosen(self.last_of(op, node, end)?)),
            Holder::Start(op) => Some(i128::from(self.node(place(op)?).span.start)),
            Holder::End(op) => Some(i128::from(self.node(self.last_of(op, node, end)?).span.end)),
            _ => None,
        })
    }
}

impl History {
    pub(super) fn of(twin: &Twin<'_>) -> Self {
        let mut history = Self::default();
        for index in 0..twin.tree.nodes.len() {
            let node = NodeId::try_from(index).unwrap_or(NodeId::MAX);
            let info = twin.info(node);
            if let (Some(refs), Some(key)) = (info.refs, twin.integer(node)) {
                let table = twin.plan.refs[refs].table;
                history.references.push(Reference { node, table, key });
            }
            let carry = info.carry.map(|carry| &twin.plan.carries[carry]);
            if let Some(register) = carry.and_then(|carry| carry.register) {
                history.settings.push(Setting {
                    target: SetTargetPlan::Register(register),
                    value: Setter::Field(node),
                    condition: None,
                    time: node + 1,
                });
            }
            if !twin.is_residue(node)
                && let Some(effects) = twin.effects(node)
            {
                history.structure(twin, node, effects);
            }
            history.numbered(twin, node);
        }
        history.settings.sort_by_key(Setting::turn);
        history
    }

    /// Records the rows that a list defines by numbering its elements.
    fn numbered(&mut self, twin: &Twin<'_>, list: NodeId) {
        let define = twin.repeat(list).and_then(|list| list.defines.as_deref());
        let Some(define) = define.filter(|define| define.condition.is_none()) else {
            return;
        };
        let Some(first) = twin
            .first_key(list, define)
            .and_then(|key| twin.integer(key))
        else {
            return;
        };
        let keeps = define.again.as_ref().map(|again| again.keeps);
        for (number, element) in (0_i128..).zip(twin.tree.children(list)) {
            self.definitions.push(Definition {
                node: element,
                table: define.table,
                key: first + number,
                time: twin.node(element).end,
                keeps_first: keeps == Some(Keeps::First),
            });
        }
    }

    /// Records the effects at the end of a structure.
    fn structure(&mut self, twin: &Twin<'_>, node: NodeId, effects: &EffectsPlan) {
        let time = twin.node(node).end;
        let defined = effects.defines.iter().map(|define| {
            let keeps = define.again.as_ref().map(|again| again.keeps);
            let effect = Effect::Define {
                table: define.table,
                key: define.key,
                keeps_first: keeps == Some(Keeps::First),
            };
            (define.condition, effect)
        });
        let removed = effects.removes.iter().map(|remove| {
            let (table, key) = (remove.table, remove.key);
            (None, Effect::Remove { table, key })
        });
        let cleared = effects.clears.iter().map(|clear| {
            let table = clear.table;
            (clear.condition, Effect::Clear { table })
        });
        for (condition, effect) in defined.chain(removed).chain(cleared) {
            let event = Unsettled {
                node,
                time,
                condition,
                effect,
            };
            // The history is still incomplete, so only the fields of the structure are known.
            let known = |code: CodeId| twin.own_value(code, node);
            if self.settle(twin, &event, known).is_none() {
                self.unsettled.push(event);
            }
        }
        let at = Moment::after(twin, node);
        let sets = effects.sets.iter().map(|set| Setting {
            target: set.target,
            value: Setter::Code(at.node, set.value),
            condition: set.condition,
            time,
        });
        self.settings.extend(sets);
    }

    /// Records an event, whose expressions are evaluated by `value_of`. Returns `None` if the value
    /// of an expression is not known.
    fn settle(
        &mut self,
        twin: &Twin<'_>,
        event: &Unsettled,
        value_of: impl Fn(CodeId) -> Option<i128>,
    ) -> Option<()> {
        let Unsettled { node, time, .. } = *event;
        if let Some(condition) = event.condition
            && value_of(condition)? == 0
        {
            return Some(());
        }
        match event.effect {
            Effect::Define {
                table,
                key,
                keeps_first,
            } => {
                let key = match key {
                    None => i128::from(twin.node(node).span.start),
                    Some(code) => value_of(code)?,
                };
                self.definitions.push(Definition {
                    node,
                    table,
                    key,
                    time,
                    keeps_first,
                });
            }
            Effect::Remove { table, key } => self.forgettings.push(Forgetting {
                node,
                table: Some(table),
                key: Some(value_of(key)?),
                time,
            }),
            Effect::Clear { table } => self.forgettings.push(Forgetting {
                node,
                table,
                key: None,
                time,
            }),
        }
        Some(())
    }

    /// Returns the complete history: the events whose expressions depend on earlier events are
    /// recorded too. Until then, the twin evaluates expressions with this history.
    pub(super) fn settled(&self, twin: &Twin<'_>) -> Self {
        let mut settled = self.clone();
        settled.values = Values::default();
        let mut unsettled = std::mem::take(&mut settled.unsettled);
        unsettled.sort_by_key(Unsettled::turn);
        for event in unsettled {
            let before = |setting: &Setting| setting.turn() < event.turn();
            self.look_at_settings(twin, before);
            // The assignments at the end of the structure come after this event.
            let was_busy = self.values.busy.replace(true);
            let at = Moment::after(twin, event.node);
            let value_of = |code: CodeId| match twin.evaluate(code, at, &Value::Absent)? {
                Value::Int(value) => Some(value),
                _ => None,
            };
            settled.settle(twin, &event, value_of);
            self.values.busy.set(was_busy);
        }
        settled.definitions.sort_by_key(|row| row.node);
        settled.forgettings.sort_by_key(|end| end.node);
        settled
    }

    /// Returns the node that defines the row with `key` as of `time`.
    pub(super) fn row(&self, table: TableId, key: i128, time: NodeId) -> Option<NodeId> {
        let forgotten = self
            .forgettings
            .iter()
            .filter(|end| {
                end.time <= time
                    && end.table.is_none_or(|t| t == table)
                    && end.key.is_none_or(|k| k == key)
            })
            .map(|end| end.time)
            .max()
            .unwrap_or(0);
        let mut rows = self.definitions.iter().filter(|row| {
            row.table == table && row.key == key && row.time <= time && row.time > forgotten
        });
        let first = rows.next()?;
        Some(if first.keeps_first {
            first.node
        } else {
            rows.next_back().unwrap_or(first).node
        })
    }

    /// Returns whether `key` of `table` is referenced at or after `time`.
    pub(super) fn named_after(&self, table: TableId, key: i128, time: NodeId) -> bool {
        self.references
            .iter()
            .any(|r| r.table == table && r.key == key && r.node >= time)
    }

    /// Returns the value of a register at `time`.
    pub(super) fn register(
        &self,
        twin: &Twin<'_>,
        register: RegisterId,
        time: NodeId,
    ) -> Option<Value> {
        let cleared = self
            .forgettings
            .iter()
            .filter(|end| end.table.is_none() && end.time <= time)
            .map(|end| end.time)
            .max();
        let is_it = |target: Target| target == Target::Register(register);
        match self.last_set(twin, cleared.unwrap_or(0), time, is_it) {
            Some(set) => set.value,
            None => {
                let initial = twin.plan.registers[register].initial;
                Some(initial.map_or(Value::Absent, Value::Int))
            }
        }
    }

    /// Returns the value assigned to a column of the row that `node` defines, as of `time`. Returns
    /// `None` if there was no assignment, and `Some(None)` if the value cannot be determined.
    pub(super) fn column(
        &self,
        twin: &Twin<'_>,
        node: NodeId,
        column: ColumnRef,
        time: NodeId,
    ) -> Option<Option<Value>> {
        let sets_it = |setting: &Setting| {
            matches!(setting.target, SetTargetPlan::Column { table, column: of, .. }
                if (table, of) == (column.table, column.column))
        };
        if !self.settings.iter().any(sets_it) {
            return None;
        }
        let mut rows = self.definitions.iter();
        let row = rows.find(|row| row.node == node && row.table == column.table)?;
        let is_it = |target: Target| match target {
            Target::Column {
                table,
                key,
                column: of,
            } => {
                (table, of) == (column.table, column.column) && key.is_none_or(|key| key == row.key)
            }
            Target::Register(_) => false,
        };
        let set = self.last_set(twin, row.time, time, is_it)?;
        Some(set.value)
    }

    /// Returns the last assignment to a target between two points in the trace.
    fn last_set(
        &self,
        twin: &Twin<'_>,
        after: NodeId,
        time: NodeId,
        is_it: impl Fn(Target) -> bool,
    ) -> Option<Set> {
        self.look_at_settings(twin, |setting| setting.time <= time);
        let sets = self.values.sets.borrow();
        let mut known = sets.iter().rev().skip_while(|set| set.time > time);
        let last = known.find(|set| is_it(set.target))?;
        (last.time > after).then(|| last.clone())
    }

    /// Evaluates the assignments that `is_due` accepts, up to the first that it does not.
    fn look_at_settings(&self, twin: &Twin<'_>, is_due: impl Fn(&Setting) -> bool) {
        let values = &self.values;
        if values.busy.replace(true) {
            return;
        }
        while let Some(setting) = self.settings.get(values.done.get())
            && is_due(setting)
        {
            if let Some(set) = setting.set(twin) {
                values.sets.borrow_mut().push(set);
            }
            values.done.set(values.done.get() + 1);
        }
        values.busy.set(false);
    }

    /// Returns the fields and structures that assign a value to a register, with the time of each
    /// assignment.
    pub(super) fn settings_of(
        &self,
        register: RegisterId,
    ) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.settings
            .iter()
            .filter(move |setting| setting.is_of(register))
            .map(|setting| match setting.value {
                Setter::Field(node) | Setter::Code(node, _) => (node, setting.time),
            })
    }

    /// Returns the expression that structure `node` assigns to a register.
    pub(super) fn setting_code(&self, node: NodeId, register: RegisterId) -> Option<CodeId> {
        self.settings
            .iter()
            .find_map(|setting| match setting.value {
                Setter::Code(at, code) if at == node && setting.is_of(register) => Some(code),
                _ => None,
            })
    }
}

impl Unsettled {
    /// Returns when the event occurs, relative to others: structures that end at the same point
    /// take effect from the innermost outwards.
    fn turn(&self) -> (NodeId, Reverse<NodeId>) {
        (self.time, Reverse(self.node))
    }
}

impl Setting {
    /// Returns when the assignment occurs, relative to others.
    fn turn(&self) -> (NodeId, Reverse<NodeId>) {
        let (Setter::Field(node) | Setter::Code(node, _)) = self.value;
        (self.time, Reverse(node))
    }

    fn is_of(&self, register: RegisterId) -> bool {
        matches!(self.target, SetTargetPlan::Register(of) if of == register)
    }

    /// Evaluates the assignment. Returns `None` if the assignment's condition does not hold.
    fn set(&self, twin: &Twin<'_>) -> Option<Set> {
        let at = match self.value {
            Setter::Field(node) => Moment::before(node),
            Setter::Code(node, _) => Moment::after(twin, node),
        };
        let value = |code: CodeId| twin.evaluate(code, at, &Value::Absent);
        let holds = match self.condition {
            Some(code) => value(code).map(|value| value.truth()),
            None => Some(true),
        };
        if holds == Some(false) {
            return None;
        }
        let target = match self.target {
            SetTargetPlan::Register(register) => Target::Register(register),
            SetTargetPlan::Column { table, key, column } => Target::Column {
                table,
                key: value(key).and_then(|key| key.integer()),
                column,
            },
        };
        let told = holds.is_some() && !matches!(target, Target::Column { key: None, .. });
        let value = match self.value {
            Setter::Field(node) => twin.integer(node).map(Value::Int),
            Setter::Code(_, code) => value(code),
        };
        Some(Set {
            target,
            value: value.filter(|_| told),
            time: self.time,
        })
    }
}
