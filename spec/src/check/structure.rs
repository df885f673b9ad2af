//! Checks a use of a type (a type in a particular context): its fields in order, then the type as a
//! whole.

use hashbrown::HashSet;

use super::Checker;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use super::uses::{Parent, UseId};
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{EndianChoice, Field, FieldRole, Instance, Meaning, Position, Type, TypeBody};
use tracegauge_plan::source::SourceSpan;

/// The maximum number of instances to follow in a chain of dependencies.
const MOST_FOLLOWED: usize = 64;

impl<'s> Checker<'s> {
    /// Checks everything about one use of a type.
    pub(super) fn use_of_type(&mut self, used: UseId) {
        let described = self.type_of(used);
        match &described.body {
            TypeBody::Structure(fields) => {
                for (at, field) in fields.iter().enumerate() {
                    if self.exhausted() {
                        return;
                    }
                    self.item(field, used, at);
                }
                self.order_of_fields(fields);
            }
            TypeBody::Alias(field) => {
                if let FieldRole::Wire(source) = &field.role {
                    self.source(source, used, 0, field.span);
                }
                self.shows_of_alias(described, used);
            }
        }
        for (at, instance) in described.instances.iter().enumerate() {
            self.instance_checks(instance, used, at);
        }
        self.after_fields(described, used);
    }

    fn item(&mut self, field: &'s Field, used: UseId, at: usize) {
        let site = Site::new(used, Seen::Before(at));
        match &field.role {
            FieldRole::Wire(source) => self.source(source, used, at, field.span),
            FieldRole::Check(check) => {
                self.condition(check.condition.as_ref(), &site);
                self.expect_bool(&check.test, &site, "a check");
                self.solvable_test(&check.test);
                if let Some(path) = &check.at {
                    self.infer(path, &site);
                }
                if self.described && check.rule.is_none() {
                    self.missing_rule(field.span, "this check");
                }
            }
            FieldRole::Align(align) => {
                self.condition(align.condition.as_ref(), &site);
                if self.described && align.fill.is_some() && align.rule.is_none() {
                    self.missing_rule(field.span, "padding with required bytes");
                }
                self.obeys(&align.obeys, &site.with(Value::of(Kind::Bytes)));
            }
        }
    }

    /// Checks that an `if` condition is a Boolean.
    pub(super) fn condition(&mut self, condition: Option<&Expr>, site: &Site) {
        if let Some(condition) = condition {
            self.expect_bool(condition, site, "a condition");
        }
    }

    fn instance_checks(&mut self, instance: &'s Instance, used: UseId, at: usize) {
        let site = Site::new(used, Seen::All);
        match &instance.position {
            Position::Computed {
                value,
                condition,
                obeys,
                ..
            } => {
                self.condition(condition.as_ref(), &site);
                self.infer(value, &site);
                if self.computes_itself(used, at) {
                    let message = format!("`{}` is computed from itself", instance.id);
                    self.error(Code::CircularValue, value.span, message);
                }
                let shown = self.instance(used, at);
                self.obeys(obeys, &site.with(shown));
            }
            Position::At {
                offset,
                io,
                same_as,
                source,
            } => {
                if let Some(offset) = offset {
                    self.expect_int(offset, &site, "a position");
                }
                if let Some(io) = io {
                    self.infer(io, &site);
                }
                if let Some(path) = same_as {
                    let free = Site::new(used, Seen::Free);
                    self.infer(path, &free);
                }
                self.source_seen(source, used, usize::MAX, instance.span);
            }
        }
    }

    /// Returns `true` if the value of the instance depends on itself, directly or through other
    /// instances of its type.
    fn computes_itself(&mut self, used: UseId, start: usize) -> bool {
        let described = self.type_of(used);
        let index = self.index(self.uses.get(used).type_id);
        let (mut seen, mut left) = (HashSet::new(), vec![start]);
        let mut circular = false;
        while let Some(at) = left.pop() {
            let Position::Computed { value, .. } = &described.instances[at].position else {
                continue;
            };
            super::visit::parts(value, &mut |part| {
                let ExprKind::Name(name) = &part.kind else {
                    return;
                };
                if let Some(next) = index.instance(name) {
                    circular |= next == start;
                    if seen.len() < MOST_FOLLOWED && seen.insert(next) {
                        left.push(next);
                    }
                }
            });
        }
        circular
    }

    /// Checks the parts of a type that are evaluated after all its fields have been read.
    fn after_fields(&mut self, described: &'s Type, used: UseId) {
        let site = Site::new(used, Seen::All);
        let whole = site.with(Value::of(Kind::Structure(used)));
        let order = match self.uses.get(used).parent {
            Parent::None => self.schema.meta.endian.as_ref(),
            _ => described.endian.as_ref(),
        };
        self.byte_order(order, &Site::new(used, Seen::Before(0)));
        if let (Some(shows), TypeBody::Structure(fields)) = (&described.shows, &described.body) {
            self.infer(shows, &site);
            self.shows_a_field(described, shows, fields);
        }
        if let Some((field, value)) = &described.none {
            self.none_field(described, field, value, used);
        }
        if let Some(Meaning::Pair { key, value }) = &described.meaning {
            for name in [key, value] {
                self.named_field(name, described, used, ("a pair", described.span));
            }
        }
        self.constraints(&described.constraints, &whole, "this constraint");
        self.obeys(&described.obeys, &whole);
        if let Some(define) = &described.defines {
            self.numbers_elements(define, false);
            self.define(define, &site, &site, Some(used));
        }
        self.type_effects(described, &site);
        self.generation(&described.generation, &whole, None);
        self.records_of_use(used);
    }

    fn byte_order(&mut self, order: Option<&'s EndianChoice>, site: &Site) {
        let Some(EndianChoice::Switch { on, cases }) = order else {
            return;
        };
        let value = self.infer(on, site);
        for label in cases.iter().filter_map(|(label, _)| label.as_ref()) {
            let found = self.infer(label, site);
            self.comparable(&value, on, &found, label);
        }
    }

    /// Reports an error if `shows` of a structure is not one of the structure's fields, and therefore
    /// has no bytes that could stand for the structure.
    fn shows_a_field(&mut self, described: &'s Type, shows: &Expr, fields: &[Field]) {
        let ExprKind::Name(name) = &shows.kind else {
            let message = "`shows` of a structure must be the name of one of its fields";
            self.error(Code::WrongOperand, shows.span, message);
            return;
        };
        if fields.iter().any(|field| field.id.as_ref() == Some(name)) {
            return;
        }
        let is_instance = described.instances.iter().any(|it| it.id == *name);
        if is_instance {
            let message = format!("`shows` requires a field, but `{name}` is an instance");
            let help = format!("use the instance where the value is needed: `FIELD.{name}`");
            let diagnostic = Diagnostic::error(Code::WrongOperand, shows.span, message);
            self.push(diagnostic.help(help));
        }
    }

    fn shows_of_alias(&mut self, described: &'s Type, used: UseId) {
        if let Some(shows) = &described.shows {
            let inner = self.field_value(used, 0);
            let site = Site::new(used, Seen::All).with(inner);
            self.infer(shows, &site);
        }
    }

    fn none_field(&mut self, described: &'s Type, name: &str, value: &Expr, used: UseId) {
        let span = self.key_span(name, value.span);
        if !self.named_field(name, described, used, ("null", span)) {
            return;
        }
        let index = self.index(self.uses.get(used).type_id);
        if let Some(at) = index.fields.get(name) {
            let field = self.field_value(used, *at);
            let found = self.infer(value, &Site::new(used, Seen::All));
            self.comparable(&field, value, &found, value);
        }
    }

    /// Checks that the type has a field called `name`, which a key of the description refers to.
    fn named_field(
        &mut self,
        name: &str,
        described: &Type,
        used: UseId,
        (what, span): (&str, SourceSpan),
    ) -> bool {
        let index = self.index(self.uses.get(used).type_id);
        if index.has(name) {
            return true;
        }
        let message = format!(
            "{what} refers to `{name}`, but `{}` has no such field",
            described.name
        );
        let known = self.known_names(used);
        let help = crate::load::did_you_mean(name, known.iter().map(String::as_str));
        let diagnostic = Diagnostic::error(Code::UnknownName, span, message);
        self.push(diagnostic.maybe_help(help));
        false
    }

    /// Warns about a field that can never be read, because an earlier field consumes all remaining
    /// bytes.
    fn order_of_fields(&mut self, fields: &'s [Field]) {
        let mut taken: Option<&Field> = None;
        for field in fields {
            let FieldRole::Wire(source) = &field.role else {
                continue;
            };
            let extent = self.extents.of_source(source, self.schema);
            if let Some(before) = taken {
                if extent.least.is_none_or(|least| least > 0) && source.condition.is_none() {
                    self.after_the_end(field, before);
                    return;
                }
            } else if extent.to_end && source.condition.is_none() {
                taken = Some(field);
            }
        }
    }

    fn after_the_end(&mut self, field: &Field, before: &Field) {
        let name = |field: &Field| field.id.clone().unwrap_or_else(|| "this field".to_owned());
        let message = format!("`{}` can never be read", name(field));
        let label = format!("`{}` takes all remaining bytes", name(before));
        self.push(
            Diagnostic::warning(Code::UnreachableField, field.span, message)
                .also(before.span, label)
                .help("give the preceding field a size, so that it ends where this field starts"),
        );
    }
}
