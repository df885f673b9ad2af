//! Lowers the tests and effects that apply at the end of structures.

use super::faults::FaultContext;
use super::place::Place;
use super::scope::{Inner, ScopeId};
use super::{Lowering, OpId};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    Again, ClearTarget, Define, FieldSource, Meaning, RegisterId, RegisterType, RowComparison,
    RuleRef, SetTarget, Type,
};
use tracegauge_plan::{
    AgainPlan, Arena, ClearPlan, CodeId, DefinePlan, Kind, RemovePlan, SetPlan, SetTargetPlan,
    UniquePlan, flags,
};

impl<'s> Lowering<'s> {
    /// Adds the tests and effects of a use of a type, after its fields have been lowered.
    pub(super) fn effects(
        &mut self,
        described: &'s Type,
        scope: ScopeId,
        op: OpId,
        context: &FaultContext,
    ) {
        let mut checks = Vec::new();
        for constraint in &described.constraints {
            self.this_place = Some(Place::Scope(scope));
            self.constraint(constraint, scope, context, &mut checks, None);
            self.this_place = None;
        }
        self.ending(op).checks.append(&mut checks);
        self.null_fault(op, scope, context);
        if let Some(define) = &described.defines {
            self.define(define, scope, op, context);
        }
        if let Some(remove) = &described.removes {
            let key = self.compile(&remove.key, scope, None);
            let dangling = remove
                .dangling
                .as_ref()
                .and_then(|rule| context.resolve(rule));
            let plan = RemovePlan {
                table: remove.table,
                key,
                dangling,
                rule: remove.rule.as_ref().and_then(|rule| context.resolve(rule)),
            };
            self.ending(op).removes = Some(plan);
        }
        for clear in &described.clears {
            let condition = clear
                .condition
                .as_ref()
                .map(|expr| self.compile(expr, scope, None));
            let table = match clear.target {
                ClearTarget::All => None,
                ClearTarget::Table(table) => Some(table),
            };
            let rule = clear.rule.as_ref().and_then(|rule| context.resolve(rule));
            self.ending(op).clears.push(ClearPlan {
                table,
                condition,
                rule,
            });
        }
        for set in &described.sets {
            let condition = set
                .condition
                .as_ref()
                .map(|expr| self.compile(expr, scope, None));
            let value = match set.target {
                SetTarget::Register(register) if self.holds_row(register) => {
                    self.row_code(&set.value, scope)
                }
                _ => self.compile(&set.value, scope, None),
            };
            let target = self.set_target(&set.target, scope);
            self.ending(op).sets.push(SetPlan {
                target,
                value,
                condition,
            });
        }
        self.obey_in(op, &described.obeys, scope, context);
        if described.due {
            self.ending(op).due = true;
        }
        self.drop_empty_ending(op);
    }

    /// Returns the effects of an operation, creating them on first use.
    pub(super) fn ending(&mut self, op: OpId) -> &mut tracegauge_plan::EffectsPlan {
        let index = match self.plan.infos[op.index()].effects {
            Some(index) => index,
            None => {
                let effects = tracegauge_plan::EffectsPlan::default();
                let index = self.plan.effects.push(effects);
                self.plan.infos[op.index()].effects = Some(index);
                self.plan.ops[op.index()].flags |= flags::ENDING;
                index
            }
        };
        &mut self.plan.effects[index]
    }

    fn drop_empty_ending(&mut self, op: OpId) {
        let Some(index) = self.plan.infos[op.index()].effects else {
            return;
        };
        let effects = &self.plan.effects[index];
        let empty = effects.checks.is_empty()
            && effects.defines.is_none()
            && effects.removes.is_none()
            && effects.clears.is_empty()
            && effects.sets.is_empty()
            && !effects.due;
        if empty && self.plan.infos[op.index()].record.is_none() {
            self.plan.infos[op.index()].effects = None;
            self.plan.ops[op.index()].flags &= !flags::ENDING;
        }
    }

    fn holds_row(&self, register: RegisterId) -> bool {
        let register = &self.schema.registers[register.index()];
        matches!(register.kind, RegisterType::Row(_))
    }

    fn set_target(&mut self, target: &SetTarget, scope: ScopeId) -> SetTargetPlan {
        match target {
            SetTarget::Register(register) => SetTargetPlan::Register(*register),
            SetTarget::Column { table, key, column } => {
                let name = self.schema.tables[table.index()].columns[*column]
                    .name
                    .clone();
                let key = self.compile(key, scope, None);
                let column = self.column(*table, &name);
                SetTargetPlan::Column {
                    table: *table,
                    key,
                    column,
                }
            }
        }
    }

    /// Adds the row definition of a structure.
    fn define(&mut self, define: &Define, scope: ScopeId, op: OpId, context: &FaultContext) {
        let row = self.row_of(define, scope, op);
        let key = define
            .key
            .as_ref()
            .map(|key| self.compile(key, scope, None));
        let condition = define
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        let plan = self.define_plan(define, (key, condition), row, context);
        self.ending(op).defines = Some(plan);
    }

    /// Builds the plan for the row that a structure or list element defines.
    pub(super) fn define_plan(
        &mut self,
        define: &Define,
        (key, condition): (Option<CodeId>, Option<CodeId>),
        (row_scope, row_op): (ScopeId, OpId),
        context: &FaultContext,
    ) -> DefinePlan {
        let mut columns = Arena::new();
        for path in &self.columns[define.table].clone() {
            columns.push(self.column_source(define, path, row_scope));
        }
        let again = define
            .again
            .as_ref()
            .map(|again| self.again(define, again, context));
        let mut unique = Vec::new();
        for (by_field, rule) in &define.unique {
            let by = self.compile(by_field, row_scope, None);
            let column = self.unique_column(define.table, by_field);
            unique.push(UniquePlan {
                by,
                column,
                except: Vec::new(),
                rule: context.resolve(rule),
            });
        }
        DefinePlan {
            table: define.table,
            key,
            condition,
            columns,
            again,
            unique,
            kinds: self.kind_matches(define, row_scope),
            row: row_op,
        }
    }

    /// Returns the scope and operation of the structure that is stored as the row: the field named
    /// in the definition or, if the definition names no field, the whole element.
    fn row_of(&mut self, define: &Define, scope: ScopeId, op: OpId) -> (ScopeId, OpId) {
        match define.row.as_ref().and_then(|row| self.placed(row, scope)) {
            Some(Place::Field(row, Inner::Structure(inner))) => (inner, row),
            // For a switch, choose the arm with the row type of the table.
            Some(Place::Field(_, Inner::Arms(inners, ops))) => {
                let wanted = self.schema.tables[define.table.index()].row;
                let arm = inners
                    .iter()
                    .zip(&ops)
                    .find_map(|(inner, arm)| match inner {
                        Inner::Structure(inner) if self.scopes[inner.0].type_id == wanted => {
                            Some((*inner, *arm))
                        }
                        _ => None,
                    });
                arm.unwrap_or((scope, op))
            }
            _ => (scope, op),
        }
    }

    fn again(&mut self, define: &Define, again: &Again, context: &FaultContext) -> AgainPlan {
        let resolve = |rule: &Option<RuleRef>| rule.as_ref().and_then(|r| context.resolve(r));
        let (same, other) = (resolve(&again.same), resolve(&again.other));
        let (bytes, columns) = match &again.compare {
            RowComparison::Bytes => (true, Vec::new()),
            RowComparison::Fields(fields) => {
                let columns = fields.iter();
                let columns = columns.map(|field| self.column(define.table, field));
                (false, columns.collect())
            }
        };
        let alike = again.alike.as_ref().map(|(fields, rule)| {
            let fields = fields.iter();
            let columns = fields.map(|field| self.column(define.table, field));
            (columns.collect(), context.resolve(rule))
        });
        AgainPlan {
            bytes,
            columns,
            alike,
            same,
            other,
            keeps: again.keeps,
        }
    }

    /// Compiles the value of a column at the time a row is defined.
    fn column_source(&mut self, define: &Define, path: &str, scope: ScopeId) -> CodeId {
        let table = &self.schema.tables[define.table.index()];
        if let Some(column) = table.columns.iter().find(|column| column.name == path) {
            let initial = column.initial.clone();
            return self.compile(&initial, scope, None);
        }
        let expr = path_expression(path, define.span);
        match self.placed(&expr, scope) {
            Some(Place::Field(op, inner)) => {
                if !matches!(inner, Inner::Leaf) && !self.is_value(op) {
                    self.plan.ops[op.index()].flags |= flags::CAPTURE;
                }
                self.slot_code(op)
            }
            Some(place) => self.value_or_absent(place, &expr),
            None => self.absent(),
        }
    }

    /// Returns whether the operation represents a single value, even if parts enclose the value.
    pub(super) fn is_value(&self, op: OpId) -> bool {
        let shown = self.shown(op);
        !matches!(
            self.plan.ops[shown.index()].kind,
            Kind::Structure
                | Kind::Call(_)
                | Kind::Repeat(_)
                | Kind::Switch(_)
                | Kind::Layout(_)
                | Kind::Sized(_)
                | Kind::BitRun { .. }
        )
    }

    /// Adds the tests that a field declares for its structure as a whole.
    pub(super) fn structure_checks(
        &mut self,
        op: OpId,
        inner: &Inner,
        layers: &super::field::Layers<'s>,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        for field in layers.fields.clone() {
            self.field_ending(op, inner, field, scope, context);
        }
    }

    fn field_ending(
        &mut self,
        op: OpId,
        inner: &Inner,
        field: &'s FieldSource,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let mut checks = Vec::new();
        let whole = !self.is_value(op);
        let shown = self.shown(op);
        // The value of a switch is that of one of several operations, so only an expression can
        // compare it.
        let is_switch = matches!(self.plan.ops[shown.index()].kind, Kind::Switch(_));
        for constraint in &field.constraints {
            self.this_place = whole.then(|| Place::Field(op, inner.clone()));
            let predicate = is_switch.then(|| constraint.as_predicate());
            let constraint = predicate.as_ref().unwrap_or(constraint);
            self.constraint(constraint, scope, context, &mut checks, None);
            self.this_place = None;
        }
        // A structure that is represented by one of its fields is tested together with that field.
        if checks.is_empty() {
        } else if shown != op && !is_switch && self.plan.ops[shown.index()].checks.1 == 0 {
            self.set_checks(shown, checks);
        } else {
            self.ending(op).checks.append(&mut checks);
        }
        match &field.meaning {
            inside @ Some(Meaning::Json { .. } | Meaning::Signature(_)) => {
                self.inside_text(op, inside.as_ref(), scope, context);
            }
            // The list becomes a map, while its elements keep the meaning that their type declares.
            Some(Meaning::Map) | None => {}
            Some(meaning) => {
                self.plan.infos[op.index()].presentation.meaning = Some(meaning.clone());
            }
        }
    }
}

/// Converts a path such as `a.b.c` to an expression.
pub(super) fn path_expression(path: &str, span: tracegauge_plan::source::SourceSpan) -> Expr {
    let mut names = path.split('.');
    let first = names.next().unwrap_or_default();
    let start = Expr {
        kind: ExprKind::Name(first.to_owned()),
        span,
    };
    names.fold(start, |base, name| Expr {
        kind: ExprKind::Member {
            base: Box::new(base),
            name: name.to_owned(),
        },
        span,
    })
}
