//! Lowers the records that uses of types produce.

use super::place::Place;
use super::scope::{Inner, ScopeId};
use super::{Lowering, OpId};
use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::schema::{
    EnumId, Member, MemberValue, Position, Record, RecordId, RuleId, Schema, TypeId,
};
use tracegauge_plan::{Code, CodeId, MemberPlan, MemberSource, RecordPlan, flags};

impl<'s> Lowering<'s> {
    /// Adds the record for a use of a type, after its fields have been lowered.
    pub(super) fn record(&mut self, type_id: TypeId, scope: ScopeId, op: OpId) {
        let schema: &'s Schema = self.schema;
        let found = schema
            .records
            .iter()
            .position(|record| record.from.contains(&type_id));
        let Some(index) = found else { return };
        let record = &schema.records[index];
        let condition = record
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        let condition = match (condition, self.reported(op)) {
            (Some(condition), Some(reported)) => {
                let both = Code::Binary(BinaryOperator::And, reported, condition);
                Some(self.fold(both))
            }
            (one, other) => one.or(other),
        };
        let members = self.members(&record.members, scope);
        let frees = self.record_obeys(op, record, scope, condition);
        let plan = RecordPlan {
            kind: record.name.clone(),
            record: RecordId::from(index),
            condition: condition.filter(|condition| self.known_bool(*condition) != Some(true)),
            members,
            optional: record.optional,
            also_by: record.order.also_by.clone(),
            frees,
        };
        let number = self.plan.records.push(plan);
        self.plan.infos[op.index()].record = Some(number);
        self.plan.ops[op.index()].flags |= flags::ENDING;
    }

    /// Adds the rules that a record exercises. Returns those of the rules that exclude record
    /// members from comparison (`frees`), each with the condition under which the record exercises
    /// the rule.
    fn record_obeys(
        &mut self,
        op: OpId,
        record: &Record,
        scope: ScopeId,
        condition: Option<CodeId>,
    ) -> Vec<(RuleId, Option<CodeId>)> {
        let before = self.plan.infos[op.index()].obeys.len();
        self.obey(op, &record.obeys, scope);
        let condition = condition.filter(|condition| self.known_bool(*condition) != Some(true));
        let mut frees = Vec::new();
        for at in before..self.plan.infos[op.index()].obeys.len() {
            let (rule, when) = self.plan.infos[op.index()].obeys[at];
            let when = match (condition, when) {
                (Some(condition), Some(when)) => {
                    let both = Code::Binary(BinaryOperator::And, condition, when);
                    Some(self.code(both))
                }
                (one, other) => one.or(other),
            };
            self.plan.infos[op.index()].obeys[at].1 = when;
            if !self.plan.rules[rule].frees.is_empty() {
                frees.push((rule, when));
            }
        }
        frees
    }

    fn members(&mut self, members: &'s [Member], scope: ScopeId) -> Vec<MemberPlan> {
        let mut plans = Vec::new();
        for member in members {
            let source = match &member.value {
                MemberValue::Object(inner) => MemberSource::Object(self.members(inner, scope)),
                MemberValue::Expression(expr) => {
                    let (code, origin) = match self.placed(expr, scope) {
                        Some(Place::Field(op, inner)) => self.shown_field(op, &inner),
                        // The origin of the column replaces the key with the result of the lookup.
                        Some(Place::Row {
                            source,
                            table,
                            path,
                        }) if !path.is_empty() => {
                            let code = self.column_code(source, table, &path);
                            (code, self.origin_of(code))
                        }
                        Some(place @ Place::Previous { .. }) => {
                            let code = self.value_or_absent(place, expr);
                            self.previous_is_member(code);
                            (code, None)
                        }
                        Some(place) => {
                            let code = self.value_or_absent(place, expr);
                            (code, self.origin_of(code))
                        }
                        None => (self.absent(), None),
                    };
                    self.shown_as(code, origin, expr, scope)
                }
            };
            plans.push(MemberPlan {
                name: member.name.clone(),
                source,
            });
        }
        plans
    }

    /// Returns how a member is presented. A computed value has no field that says to which
    /// enumeration it belongs, so its expression must.
    fn shown_as(
        &mut self,
        code: CodeId,
        origin: Option<OpId>,
        expr: &Expr,
        scope: ScopeId,
    ) -> MemberSource {
        let of_field = origin.and_then(|op| self.plan.info(op).presentation.enumeration);
        match self.enumeration_of(expr, scope) {
            Some(set) if of_field != Some(set) => MemberSource::Named(code, set),
            _ => MemberSource::Value(code, origin),
        }
    }

    /// Returns the enumeration that a computed value belongs to.
    fn enumeration_of(&mut self, expr: &Expr, scope: ScopeId) -> Option<EnumId> {
        match &expr.kind {
            ExprKind::EnumMember { path, .. } => self.enumeration_in(path, scope),
            ExprKind::Conditional {
                then: first,
                otherwise: second,
                ..
            }
            | ExprKind::Else { first, second } => {
                let first = self.enumeration_of(first, scope);
                first.or_else(|| self.enumeration_of(second, scope))
            }
            ExprKind::Name(name) => self.enumeration_of_instance(name, scope),
            ExprKind::Member { base, name } => match self.place(base, scope, None) {
                Ok(Place::Scope(scope) | Place::Field(_, Inner::Structure(scope))) => {
                    self.enumeration_of_instance(name, scope)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn enumeration_of_instance(&mut self, name: &str, scope: ScopeId) -> Option<EnumId> {
        let mut instances = self.type_of(scope).instances.iter();
        match &instances.find(|known| known.id == name)?.position {
            Position::Computed {
                enumeration, value, ..
            } => enumeration.or_else(|| self.enumeration_of(value, scope)),
            Position::At { .. } => None,
        }
    }

    /// Returns the field whose value an expression yields, unless the value comes from a row.
    pub(super) fn origin_of(&self, code: CodeId) -> Option<OpId> {
        match &self.plan.codes[code.index()] {
            Code::Slot(slot) => self.slot_owner(*slot),
            Code::Else(first, second) | Code::Conditional(_, first, second) => {
                let known = |code: &CodeId| match &self.plan.codes[code.index()] {
                    Code::Absent => Ok(None),
                    _ => self.origin_of(*code).map(Some).ok_or(()),
                };
                match (known(first), known(second)) {
                    (Ok(Some(origin)), Ok(None)) | (Ok(None), Ok(Some(origin))) => Some(origin),
                    (Ok(Some(first)), Ok(Some(second))) if first == second => Some(first),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Compiles a field that a record contains. A structure or list is stored as a tree while it is
    /// read.
    fn shown_field(&mut self, op: OpId, inner: &Inner) -> (CodeId, Option<OpId>) {
        let shown = self.shown(op);
        if !matches!(inner, Inner::Leaf) && !self.is_value(op) {
            self.plan.ops[shown.index()].flags |= flags::CAPTURE;
        }
        (self.slot_code(op), Some(shown))
    }
}
