//! What a trace defines, names, sets and forgets, in the order of the file.

use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::expression::{BinaryOperator as B, UnaryOperator};
use tracegauge_spec::plan::{Code, CodeId, DefinePlan, EffectsPlan, SetTargetPlan};
use tracegauge_spec::schema::Keeps;

use super::evaluate::{Moment, Value};
use super::slots::Holder;
use super::twin::Twin;

/// A row is defined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    /// The structure that defines it.
    pub node: NodeId,
    /// Index of the table.
    pub table: u32,
    /// Its key.
    pub key: i128,
    /// When it is there: the node after it.
    pub time: NodeId,
    /// The first row with a key counts.
    keeps_first: bool,
}

/// A row is named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    /// The field that names it.
    pub node: NodeId,
    /// Index of the table.
    pub table: u32,
    /// The key.
    pub key: i128,
}

/// Rows end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forgetting {
    /// The structure that ends them.
    pub node: NodeId,
    /// Index of the table; none: all.
    pub table: Option<u32>,
    /// The one key that ends; none: all.
    pub key: Option<i128>,
    time: NodeId,
}

/// A register gets a value.
#[derive(Clone, Copy, Debug)]
struct Setting {
    register: u32,
    value: Setter,
    time: NodeId,
}

#[derive(Clone, Copy, Debug)]
enum Setter {
    /// The value of a field that is carried from the register.
    Field(NodeId),
    /// An expression at the end of a structure.
    Code(NodeId, CodeId),
}

/// Everything that happens to tables and registers.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub definitions: Vec<Definition>,
    pub references: Vec<Reference>,
    pub forgettings: Vec<Forgetting>,
    settings: Vec<Setting>,
}

impl Twin<'_> {
    /// The effects of a node's structure.
    pub(super) fn effects(&self, node: NodeId) -> Option<&EffectsPlan> {
        let index = self.info(node).effects?;
        Some(&self.plan.effects[index as usize])
    }

    /// How a node's structure, or the list that it is an element of, defines a row.
    pub(super) fn define_of(&self, node: NodeId) -> Option<&DefinePlan> {
        let own = self
            .effects(node)
            .and_then(|effects| effects.defines.as_ref());
        own.or_else(|| self.numbered(node))
    }

    /// How the list that a node is an element of defines rows by their numbers.
    pub(super) fn numbered(&self, node: NodeId) -> Option<&DefinePlan> {
        let list = self.repeat(self.parent(node)?)?;
        list.defines.as_deref()
    }

    /// The field that gives the first row of a list its key.
    pub(super) fn first_key(&self, list: NodeId, define: &DefinePlan) -> Option<NodeId> {
        let Code::Slot(slot) = self.plan.codes[define.first_key(self.plan)?.index()] else {
            return None;
        };
        let op = self.slots.field(self.plan, slot, self.node(list).op)?;
        let within = self.holder_of(list, op)?;
        self.last_of(op, within, list)
    }

    /// The field inside `node` that an expression names alone.
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

    /// The value of a condition that asks of the fields of a structure only.
    fn own_value(&self, code: CodeId, node: NodeId) -> Option<i128> {
        let own = |code: CodeId| self.own_value(code, node);
        match self.plan.codes[code.index()] {
            Code::Int(value) => Some(value),
            Code::Bool(value) => Some(i128::from(value)),
            Code::Slot(_) => self.integer(self.field_of(code, node)?),
            Code::Unary(UnaryOperator::Not, inner) => Some(i128::from(own(inner)? == 0)),
            Code::Binary(operator, left, right) => {
                let (left, right) = (own(left)?, own(right)?);
                let truth = match operator {
                    B::Equal => left == right,
                    B::NotEqual => left != right,
                    B::Less => left < right,
                    B::LessOrEqual => left <= right,
                    B::Greater => left > right,
                    B::GreaterOrEqual => left >= right,
                    B::And => left != 0 && right != 0,
                    B::Or => left != 0 || right != 0,
                    _ => return None,
                };
                Some(i128::from(truth))
            }
            _ => None,
        }
    }
}

impl History {
    pub(super) fn of(twin: &Twin<'_>) -> Self {
        let mut history = Self::default();
        for index in 0..twin.tree.nodes.len() {
            let node = NodeId::try_from(index).unwrap_or(NodeId::MAX);
            let info = twin.info(node);
            if let (Some(refs), Some(key)) = (info.refs, twin.integer(node)) {
                let table = twin.plan.refs[refs as usize].table;
                history.references.push(Reference { node, table, key });
            }
            let carry = info.carry.map(|carry| &twin.plan.carries[carry as usize]);
            if let Some(register) = carry.and_then(|carry| carry.register) {
                history.settings.push(Setting {
                    register,
                    value: Setter::Field(node),
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
        history.settings.sort_by_key(|setting| setting.time);
        history
    }

    /// A list defines its elements as rows that are numbered.
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

    /// What a structure does when it ends. Conditions and keys here name fields of the
    /// structure itself, as the history is not complete yet.
    fn structure(&mut self, twin: &Twin<'_>, node: NodeId, effects: &EffectsPlan) {
        let time = twin.node(node).end;
        let at = Moment::after(twin, node);
        let key_of = |code: CodeId| {
            let field = twin.field_of(code, node);
            field.and_then(|field| twin.integer(field))
        };
        let simple = |condition: Option<CodeId>| match condition {
            None => true,
            Some(code) => twin.own_value(code, node).is_some_and(|value| value != 0),
        };
        if let Some(define) = &effects.defines
            && simple(define.condition)
        {
            let key = match define.key {
                None => Some(i128::from(twin.node(node).span.start)),
                Some(code) => key_of(code),
            };
            let keeps = define.again.as_ref().map(|again| again.keeps);
            if let Some(key) = key {
                self.definitions.push(Definition {
                    node,
                    table: define.table,
                    key,
                    time,
                    keeps_first: keeps == Some(Keeps::First),
                });
            }
        }
        if let Some(remove) = &effects.removes
            && let Some(key) = key_of(remove.key)
        {
            self.forgettings.push(Forgetting {
                node,
                table: Some(remove.table),
                key: Some(key),
                time,
            });
        }
        for clear in effects.clears.iter().filter(|c| simple(c.condition)) {
            self.forgettings.push(Forgetting {
                node,
                table: clear.table,
                key: None,
                time,
            });
        }
        for set in effects.sets.iter().filter(|set| set.condition.is_none()) {
            if let SetTargetPlan::Register(register) = set.target {
                self.settings.push(Setting {
                    register,
                    value: Setter::Code(at.node, set.value),
                    time,
                });
            }
        }
    }

    /// The node that defines the row with `key`, as it is known at `time`.
    pub(super) fn row(&self, table: u32, key: i128, time: NodeId) -> Option<NodeId> {
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

    /// Something names `key` of `table` at or after `time`.
    pub(super) fn named_after(&self, table: u32, key: i128, time: NodeId) -> bool {
        self.references
            .iter()
            .any(|r| r.table == table && r.key == key && r.node >= time)
    }

    /// The value of a register at `time`.
    pub(super) fn register(&self, twin: &Twin<'_>, register: u32, time: NodeId) -> Option<Value> {
        let last = self
            .settings
            .iter()
            .rev()
            .find(|setting| setting.register == register && setting.time <= time);
        let cleared = self
            .forgettings
            .iter()
            .filter(|end| end.table.is_none() && end.time <= time)
            .map(|end| end.time)
            .max();
        match last {
            Some(setting) if cleared.is_none_or(|cleared| setting.time > cleared) => {
                match setting.value {
                    Setter::Field(node) => twin.integer(node).map(Value::Int),
                    Setter::Code(node, code) => {
                        // The last of a chain of settings that look back at each other.
                        let field = twin.field_of(code, node)?;
                        twin.integer(field).map(Value::Int)
                    }
                }
            }
            _ => {
                let initial = twin.plan.registers[register as usize].initial;
                Some(initial.map_or(Value::Absent, Value::Int))
            }
        }
    }

    /// Nodes of fields and structures that give a register its value, with their time.
    pub(super) fn settings_of(&self, register: u32) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.settings
            .iter()
            .filter(move |setting| setting.register == register)
            .map(|setting| match setting.value {
                Setter::Field(node) | Setter::Code(node, _) => (node, setting.time),
            })
    }

    /// The expression by which the structure `node` sets a register.
    pub(super) fn setting_code(&self, node: NodeId, register: u32) -> Option<CodeId> {
        self.settings
            .iter()
            .find_map(|setting| match setting.value {
                Setter::Code(at, code) if at == node && setting.register == register => Some(code),
                _ => None,
            })
    }
}
