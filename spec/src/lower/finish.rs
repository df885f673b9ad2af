//! Lowering steps that run before and after the walk over the schema.

use super::{CodeId, LowerError, Lowering, OpId, Slot};
use crate::schema::{
    ColumnId, EnumMember, Enumeration, LimitKind, LimitSubject, RegisterType, RuleRef, Schema,
    TableId, TableKey,
};
use tracegauge_plan::{
    Arena, CheckKind, Code, ColumnPlan, Count, DefinePlan, EnumPlan, EnumVariant, Extent,
    FlagsPlan, Kind, MemberSource, Pick, Plan, RegisterPlan, RulePlan, SetTargetPlan, TablePlan,
    flags,
};

/// The maximum nesting depth of a recursive type if the description sets no limit.
const DEFAULT_DEPTH: u64 = 1000;

impl<'s> Lowering<'s> {
    /// Lowers rules, enumerations, flag sets and registers, which do not depend on uses of types.
    pub(super) fn declarations(&mut self) {
        let schema: &'s Schema = self.schema;
        for rule in schema.rules.iter() {
            self.plan.rules.push(RulePlan {
                id: rule.id.clone(),
                duty: rule.duty(&self.dialect),
                continues: rule.continues.clone(),
                class: rule.class,
                level: rule.level,
                frees: rule.frees.clone(),
                strict: rule.strict,
                writer_fault: rule.writer_fault,
                writer_habit: rule.writer_habit,
                plain: rule.is_plain(&self.dialect),
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
            let table = match register.kind {
                RegisterType::Row(table) => Some(table),
                _ => None,
            };
            let name = register.name.clone();
            self.plan.registers.push(RegisterPlan {
                name,
                initial,
                greatest,
                least,
                table,
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

    /// Lowers an enumeration member. Returns `None` if the member does not exist in the dialect and
    /// no rule forbids its value.
    fn variant(&mut self, member: &'s EnumMember) -> Option<EnumVariant> {
        let scope = self.root_scope();
        let condition = member
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        let has = condition.and_then(|condition| self.known_bool(condition)) != Some(false);
        let broken = match (&member.otherwise, has) {
            (_, true) => None,
            (Some(RuleRef::Rule(rule)), false) => Some(*rule),
            (Some(RuleRef::Fault(_)) | None, false) => return None,
        };
        Some(EnumVariant {
            value: member.value,
            name: member.name.clone(),
            broken,
        })
    }

    /// Completes the plan after every use of a type has been lowered.
    pub(super) fn finish(mut self) -> Result<Plan, Vec<LowerError>> {
        self.tables();
        self.limits();
        self.previous_in_recursion();
        self.saves();
        self.origins();
        self.capture_contents();
        self.mark_endings();
        self.mark_light();
        self.keep_carried();
        self.least_sizes();
        self.described_codes();
        if self.errors.is_empty() {
            tracegauge_plan::fuse(&mut self.plan);
            Ok(self.plan)
        } else {
            Err(self.errors)
        }
    }

    fn tables(&mut self) {
        let schema: &'s Schema = self.schema;
        for (index, table) in schema.tables.iter().enumerate() {
            let id = TableId::from(index);
            let key_bits = match &table.key {
                TableKey::Scalar(scalar) => {
                    let greatest = super::leaf::greatest_of(scalar);
                    u8::try_from(128 - greatest.leading_zeros()).unwrap_or(64)
                }
                TableKey::Offset => 64,
            };
            let mut columns = Arena::new();
            for (column, path) in self.columns[id].clone().entries() {
                columns.push(self.table_column(id, column, path));
            }
            let keeps_bytes = self.defines().any(|define| {
                define.table == id && define.again.as_ref().is_some_and(|again| again.bytes)
            });
            let by_offset = matches!(table.key, TableKey::Offset);
            let in_order = by_offset && self.rows_in_order(id);
            let kinds = self.kinds(id);
            let initial = self.initial_rows(id);
            let samples = self.sample_rows(id);
            let name = table.name.clone();
            self.plan.tables.push(TablePlan {
                name,
                by_offset,
                in_order,
                key_bits,
                columns,
                keeps_bytes,
                kinds,
                initial,
                samples,
                usual: table.usual,
            });
        }
    }

    /// Returns whether all rows of the table are structures that are read in file order.
    fn rows_in_order(&self, table: TableId) -> bool {
        let of_table = |define: &DefinePlan| define.table == table;
        let plan = &self.plan;
        let mut lists = plan
            .repeats
            .iter()
            .filter_map(|repeat| repeat.defines.as_deref());
        let mut ops = plan.ops.iter().zip(&plan.infos);
        !lists.any(of_table)
            && ops.all(|(op, info)| {
                let effects = info.effects.map(|index| &plan.effects[index]);
                let defines = effects.and_then(|effects| effects.defines.as_ref());
                match op.kind {
                    Kind::Structure => true,
                    Kind::At(_) => false,
                    _ => !defines.is_some_and(of_table),
                }
            })
    }

    /// Iterates over all row definitions in the plan.
    fn defines(&self) -> impl Iterator<Item = &DefinePlan> {
        let effects = self.plan.effects.iter();
        let repeats = self.plan.repeats.iter();
        effects
            .filter_map(|effects| effects.defines.as_ref())
            .chain(repeats.filter_map(|repeat| repeat.defines.as_deref()))
    }

    /// Builds the plan of a table column. The origin of the column is the field whose slot supplies
    /// the value, if any.
    fn table_column(&mut self, table: TableId, column: ColumnId, path: &str) -> ColumnPlan {
        let source = self.defines().find_map(|define| {
            (define.table == table).then(|| define.columns.get(column).copied())?
        });
        let slot = source.and_then(|code| match self.plan.codes[code.index()] {
            Code::Slot(slot) => Some(slot),
            _ => None,
        });
        let origin = slot.and_then(|slot| self.slot_owner(slot));
        let is_tree = origin.is_some_and(|op| !self.is_value(op));
        let declared = &self.schema.tables[table.index()].columns;
        let initial = declared.iter().any(|known| known.name == path).then_some(0);
        ColumnPlan {
            path: path.to_owned(),
            origin,
            is_tree,
            initial,
        }
    }

    /// Finds the operation that reads the value in each slot.
    fn origins(&mut self) {
        let slots = (0..self.plan.slots).map(Slot);
        self.plan.origins = slots.map(|slot| self.slot_owner(slot)).collect();
    }

    pub(super) fn slot_owner(&self, slot: Slot) -> Option<OpId> {
        let index = self
            .plan
            .ops
            .iter()
            .position(|op| op.slot == slot && op.flags & flags::SLOT != 0);
        if let Some(index) = index {
            return Some(OpId::from(index));
        }
        let mut folds = self.plan.repeats.iter().flat_map(|repeat| &repeat.folds);
        if let Some(fold) = folds.find(|fold| fold.slot == slot) {
            return fold.origin;
        }
        let mut exports = self.plan.infos.iter().flat_map(|info| &info.exports);
        if let Some((value, _)) = exports.find(|(_, outside)| *outside == slot) {
            return self.origin_of(*value);
        }
        let repeats = self.plan.repeats.iter();
        let mut previous = repeats.flat_map(|repeat| &repeat.previous);
        self.origin_of(previous.find(|previous| previous.slot == slot)?.value)
    }

    /// Sets the nesting limits of recursive types.
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
            // Types that contain each other share a limit, so a limit on any of them applies.
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
                Some(RuleRef::Rule(rule)) => Some(*rule),
                _ => None,
            });
            self.plan.infos[target.index()].depth = Some((promised, enforced.max(promised), rule));
        }
    }

    /// Finds the slots that a recursive call must save because the called structure overwrites
    /// them.
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
                let refs = info.refs.map(|refs| &self.plan.refs[refs]);
                slots.extend(refs.and_then(|refs| refs.row_slot));
                slots.extend(info.exports.iter().map(|(_, to)| *to));
                if let Kind::Repeat(repeat) = op.kind {
                    let repeat = &self.plan.repeats[repeat];
                    slots.extend(repeat.length_slot);
                    let previous = repeat.previous.iter().map(|previous| previous.slot);
                    slots.extend(previous.filter(|slot| !repeat.restored.contains(slot)));
                    for fold in &repeat.folds {
                        slots.push(fold.slot);
                        slots.extend(match fold.pick {
                            Pick::First(seen) => Some(seen),
                            _ => None,
                        });
                    }
                }
            }
            slots.sort_unstable_by_key(|slot| slot.0);
            slots.dedup();
            self.plan.infos[target.index()].saves = slots;
        }
    }

    /// Marks structures and lists that must be stored as trees because a record member contains
    /// them.
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

    /// Marks operations that apply effects or complete a record when they end, or keep the elements
    /// of a list until then.
    fn mark_endings(&mut self) {
        for op in &self.holding {
            self.plan.ops[op.index()].flags |= flags::ENDING;
        }
        for (op, info) in self.plan.ops.iter_mut().zip(&self.plan.infos) {
            if info.effects.is_some() || info.record.is_some() {
                op.flags |= flags::ENDING;
            }
        }
    }

    /// Keeps slots from being reset if their values are carried from element to element.
    fn keep_carried(&mut self) {
        for (op, info) in self.plan.ops.iter().zip(&mut self.plan.infos) {
            if let Kind::Repeat(index) = op.kind {
                let carried = &self.plan.repeats[index].carried;
                info.resets
                    .retain(|slot| !carried.iter().any(|(carried, _)| carried == slot));
            }
        }
    }

    /// Marks structures whose final tests and effects use only numbers, so that the bytes inside
    /// these structures need not be stored.
    fn mark_light(&mut self) {
        let numbers = self.number_slots();
        for index in 0..self.plan.ops.len() {
            let info = &self.plan.infos[index];
            let (Some(effects), None) = (info.effects, info.record) else {
                continue;
            };
            let effects = &self.plan.effects[effects];
            if effects.defines.is_some() {
                continue;
            }
            let mut light = true;
            let mut look = |code: CodeId| {
                tracegauge_plan::each_code(&self.plan, code, &mut |code| {
                    light &= tracegauge_plan::slots_of(code)
                        .all(|slot| numbers.get(slot.index()).copied().unwrap_or(false));
                });
            };
            for check in &effects.checks {
                check.condition.iter().for_each(|code| look(*code));
                match &check.kind {
                    CheckKind::Equal(code)
                    | CheckKind::Min(code)
                    | CheckKind::Max(code)
                    | CheckKind::Holds(code) => look(*code),
                    CheckKind::AnyOf(codes) => codes.iter().for_each(|code| look(*code)),
                    CheckKind::InEnum(_)
                    | CheckKind::InFlags(_)
                    | CheckKind::NotEmpty
                    | CheckKind::Json(_)
                    | CheckKind::Signature(_) => {}
                }
            }
            effects.removes.iter().for_each(|remove| look(remove.key));
            for clear in &effects.clears {
                clear.condition.iter().for_each(|code| look(*code));
            }
            for set in &effects.sets {
                look(set.value);
                set.condition.iter().for_each(|code| look(*code));
                if let SetTargetPlan::Column { key, .. } = set.target {
                    look(key);
                }
            }
            for (_, when) in &info.obeys {
                when.iter().for_each(|code| look(*code));
            }
            if light {
                self.plan.ops[index].flags |= flags::LIGHT;
            }
        }
    }

    /// Returns, for each slot, whether all its values are numbers.
    fn number_slots(&self) -> Vec<bool> {
        let mut numbers = vec![true; self.plan.slots as usize];
        let mut mark = |slot: Slot| {
            if let Some(number) = numbers.get_mut(slot.index()) {
                *number = false;
            }
        };
        for (op, info) in self.plan.ops.iter().zip(&self.plan.infos) {
            let is_number = matches!(
                op.kind,
                Kind::Integer(_) | Kind::Float { .. } | Kind::Variable(..) | Kind::Bits { .. }
            );
            if !is_number {
                mark(op.slot);
            }
            info.exports.iter().for_each(|(_, to)| mark(*to));
        }
        for repeat in &self.plan.repeats {
            for fold in &repeat.folds {
                if !matches!(fold.pick, Pick::Least | Pick::Greatest | Pick::Count) {
                    mark(fold.slot);
                }
            }
            repeat
                .previous
                .iter()
                .for_each(|previous| mark(previous.slot));
        }
        numbers
    }

    /// Computes the minimum size of each operation, from the innermost operations outward.
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
                Kind::Contents(constant) => self.plan.constants[*constant].len() as u64,
                Kind::Terminated(ending) => u64::from(ending.required && ending.consume),
                Kind::At(_) | Kind::Bind(_) => 0,
                Kind::Switch(_) => children().map(inside).min().unwrap_or(0),
                Kind::Repeat(repeat) => match self.plan.repeats[*repeat].count {
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
