//! What is known before the walk, and what only after it.

use super::{LowerError, Lowering, OpId, Slot};
use crate::plan::{
    Code, ColumnPlan, Count, EnumPlan, EnumVariant, Extent, FlagsPlan, Kind, MemberSource, Plan,
    RegisterPlan, RulePlan, TablePlan, flags,
};
use crate::schema::{
    EnumMember, Enumeration, LimitKind, LimitSubject, RegisterType, RuleRef, Schema, TableKey,
};

/// How deep a type may nest in itself where the description sets no limit.
const DEFAULT_DEPTH: u64 = 1000;

impl<'s> Lowering<'s> {
    /// Rules, enumerations, flag sets and registers, which do not depend on uses.
    pub(super) fn declarations(&mut self) {
        let schema: &'s Schema = self.schema;
        for rule in &schema.rules {
            self.plan.rules.push(RulePlan {
                id: rule.id.clone(),
                duty: rule.duty(&self.dialect),
                continues: rule.continues.clone(),
                class: rule.class,
                level: rule.level,
                frees: rule.frees.clone(),
                strict: rule.strict,
                writer_fault: rule.writer_fault,
            });
        }
        for enumeration in &schema.enums {
            let plan = self.enumeration(enumeration);
            self.plan.enums.push(plan);
        }
        for set in &schema.flags {
            let bits = set
                .bits
                .iter()
                .map(|bit| (bit.name.clone(), bit.mask))
                .collect();
            self.plan.flag_sets.push(FlagsPlan {
                name: set.name.clone(),
                bits,
            });
        }
        for register in &schema.registers {
            let scope = self.root_scope();
            let initial = register
                .initial
                .as_ref()
                .map(|expr| self.compile(expr, scope, None));
            let initial = initial.and_then(|code| self.known_int(code));
            let (least, greatest) = match &register.kind {
                RegisterType::Scalar(scalar) => {
                    let greatest = super::leaf::greatest_of(scalar);
                    let signed = matches!(scalar.kind, crate::schema::ScalarKind::Signed(_));
                    (if signed { -greatest - 1 } else { 0 }, greatest)
                }
                RegisterType::Int | RegisterType::Row(_) => (i128::MIN, i128::MAX),
            };
            let name = register.name.clone();
            self.plan.registers.push(RegisterPlan {
                name,
                initial,
                greatest,
                least,
            });
        }
    }

    fn enumeration(&mut self, enumeration: &'s Enumeration) -> EnumPlan {
        let mut plan = EnumPlan {
            name: enumeration.name.clone(),
            members: Vec::new(),
            small: [0; 4],
        };
        for member in &enumeration.members {
            if let Some(variant) = self.variant(member) {
                if let (Ok(small), None) = (u8::try_from(variant.value), variant.broken) {
                    plan.small[usize::from(small / 64)] |= 1 << (small % 64);
                }
                plan.members.push(variant);
            }
        }
        plan
    }

    /// A member, unless the dialect does not have it and nothing special is said of it.
    fn variant(&mut self, member: &'s EnumMember) -> Option<EnumVariant> {
        let scope = self.root_scope();
        let condition = member
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        let has = condition.and_then(|condition| self.known_bool(condition)) != Some(false);
        let broken = match (&member.otherwise, has) {
            (_, true) => None,
            (Some(RuleRef::Rule(rule)), false) => Some(rule.0),
            (Some(RuleRef::Fault(_)) | None, false) => return None,
        };
        Some(EnumVariant {
            value: member.value,
            name: member.name.clone(),
            broken,
        })
    }

    /// The plan, once every use has been walked.
    pub(super) fn finish(mut self) -> Result<Plan, Vec<LowerError>> {
        self.tables();
        self.limits();
        self.saves();
        self.capture_contents();
        self.mark_plain_carries();
        self.least_sizes();
        if self.errors.is_empty() {
            crate::plan::steps::fuse(&mut self.plan);
            Ok(self.plan)
        } else {
            Err(self.errors)
        }
    }

    fn tables(&mut self) {
        let schema: &'s Schema = self.schema;
        for (index, table) in schema.tables.iter().enumerate() {
            let key_bits = match &table.key {
                TableKey::Scalar(scalar) => {
                    let greatest = super::leaf::greatest_of(scalar);
                    u8::try_from(128 - greatest.leading_zeros()).unwrap_or(64)
                }
                TableKey::Offset => 64,
            };
            if !table.initial.is_empty() || !table.kinds.is_empty() {
                self.error(
                    table.span,
                    "rows before the file and kinds of rows cannot be run yet",
                );
            }
            let mut columns = Vec::new();
            for (number, path) in self.columns[index].clone().into_iter().enumerate() {
                columns.push(self.table_column(index, number, path));
            }
            let keeps_bytes = self.plan.effects.iter().any(|effects| {
                effects.defines.as_ref().is_some_and(|define| {
                    define.table as usize == index
                        && define.again.as_ref().is_some_and(|again| again.bytes)
                })
            });
            let by_offset = matches!(table.key, TableKey::Offset);
            let name = table.name.clone();
            self.plan.tables.push(TablePlan {
                name,
                by_offset,
                key_bits,
                columns,
                keeps_bytes,
            });
        }
    }

    /// The column's origin: the field whose slot fills it.
    fn table_column(&mut self, table: usize, column: usize, path: String) -> ColumnPlan {
        let source = self.plan.effects.iter().find_map(|effects| {
            let define = effects.defines.as_ref()?;
            (define.table as usize == table).then(|| define.columns.get(column).copied())?
        });
        let slot = source.and_then(|code| match self.plan.codes[code.index()] {
            Code::Slot(slot) => Some(slot),
            _ => None,
        });
        let origin = slot.and_then(|slot| self.slot_owner(slot));
        let is_tree = origin.is_some_and(|op| !self.is_value(op));
        let declared = &self.schema.tables[table].columns;
        let initial = declared.iter().any(|known| known.name == path).then_some(0);
        ColumnPlan {
            path,
            origin,
            is_tree,
            initial,
        }
    }

    pub(super) fn slot_owner(&self, slot: Slot) -> Option<OpId> {
        let index = self
            .plan
            .ops
            .iter()
            .position(|op| op.slot == slot && op.flags & flags::SLOT != 0)?;
        Some(OpId(u32::try_from(index).unwrap_or(u32::MAX)))
    }

    /// How deep what holds itself may nest.
    fn limits(&mut self) {
        let schema: &'s Schema = self.schema;
        let targets: Vec<OpId> = self
            .plan
            .ops
            .iter()
            .filter_map(|op| match op.kind {
                Kind::Call(target) => Some(target),
                _ => None,
            })
            .collect();
        for target in targets {
            // Of types that hold each other the limit of any is that of all.
            let around = target.index()..self.plan.ops[target.index()].end as usize;
            let names = around.filter_map(|op| self.plan.infos[op].type_name);
            let mut limits = names.filter_map(|name| {
                let name = self.plan.name(name);
                schema
                    .limits
                    .iter()
                    .find(|limit| match (&limit.of, limit.kind) {
                        (LimitSubject::Type(id), LimitKind::Depth) => {
                            schema.types[id.index()].name == name
                        }
                        _ => false,
                    })
            });
            let limit = limits.next();
            let promised = limit.and_then(|limit| limit.promised).unwrap_or(0);
            let enforced = limit
                .and_then(|limit| limit.enforced)
                .unwrap_or(DEFAULT_DEPTH);
            let rule = limit.and_then(|limit| match &limit.rule {
                Some(RuleRef::Rule(rule)) => Some(rule.0),
                _ => None,
            });
            self.plan.infos[target.index()].depth = Some((promised, enforced.max(promised), rule));
        }
    }

    /// A call saves every slot that the structure it enters again writes.
    fn saves(&mut self) {
        for index in 0..self.plan.ops.len() {
            let Kind::Call(target) = self.plan.ops[index].kind else {
                continue;
            };
            if !self.plan.infos[target.index()].saves.is_empty() {
                continue;
            }
            let mut slots = Vec::new();
            for inside in target.index()..self.plan.ops[target.index()].end as usize {
                let (op, info) = (&self.plan.ops[inside], &self.plan.infos[inside]);
                slots.extend((op.slot != Slot::NONE).then_some(op.slot));
                slots.extend(
                    info.span_slots
                        .iter()
                        .flat_map(|(start, end)| [*start, *end]),
                );
                let refs = info.refs.map(|refs| &self.plan.refs[refs as usize]);
                slots.extend(refs.and_then(|refs| refs.row_slot));
                if let Kind::Repeat(repeat) = op.kind {
                    slots.extend(self.plan.repeats[repeat as usize].length_slot);
                }
            }
            slots.sort_unstable_by_key(|slot| slot.0);
            slots.dedup();
            self.plan.infos[target.index()].saves = slots;
        }
    }

    /// Repetitions whose member is shown by an expression over a column keep what it shows.
    fn capture_contents(&mut self) {
        for record in &self.plan.records {
            for member in &record.members {
                if let MemberSource::Value(_, Some(origin)) = &member.source {
                    let op = &mut self.plan.ops[origin.index()];
                    if matches!(op.kind, Kind::Structure | Kind::Repeat(_) | Kind::Layout(_)) {
                        op.flags |= flags::CAPTURE;
                    }
                }
            }
        }
    }

    /// A bit field or carried value can be had only by way of its slot.
    fn mark_plain_carries(&mut self) {
        for (op, info) in self.plan.ops.iter_mut().zip(&self.plan.infos) {
            if info.effects.is_some() || info.record.is_some() {
                op.flags |= flags::ENDING;
            }
        }
    }

    /// The least number of bytes that each operation takes, from the inside outward.
    fn least_sizes(&mut self) {
        for index in (0..self.plan.ops.len()).rev() {
            let op = &self.plan.ops[index];
            let children = || {
                self.plan
                    .children(OpId(u32::try_from(index).unwrap_or_default()))
            };
            let inside = |id: OpId| self.plan.infos[id.index()].least;
            let least = match &op.kind {
                Kind::Structure => children().map(inside).sum(),
                Kind::Integer(integer) => u64::from(integer.width),
                Kind::Float { width, .. } | Kind::BitRun { width, .. } => u64::from(*width),
                Kind::Variable(..) => 1,
                Kind::Guid(_) => 16,
                Kind::Bytes(Extent::Fixed(size)) | Kind::Text(Extent::Fixed(size), _) => *size,
                Kind::Sized(Extent::Fixed(size)) => *size,
                Kind::Contents(constant) => self.plan.constants[*constant as usize].len() as u64,
                Kind::Terminated(ending) => u64::from(ending.required && ending.consume),
                Kind::At(_) | Kind::Bind(_) => 0,
                Kind::Switch(_) => children().map(inside).min().unwrap_or(0),
                Kind::Repeat(repeat) => match self.plan.repeats[*repeat as usize].count {
                    Count::Until(_) => children().map(inside).sum(),
                    Count::ToEnd | Count::Computed(_) => 0,
                },
                _ => 0,
            };
            let guarded = op.flags & (flags::GUARD | flags::OPTIONAL_REST) != 0;
            self.plan.infos[index].least = if guarded { 0 } else { least };
        }
    }
}
