//! Checks fields.

use super::Checker;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use super::uses::UseId;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use crate::schema::{
    Carry, CarryMode, Elements, FieldSource, ParamType, Refs, Repeat, Scalar, Size, TableKey,
    TypeId, TypeRef,
};
use tracegauge_plan::evaluate::interval::Interval;
use tracegauge_plan::source::SourceSpan;

impl<'s> Checker<'s> {
    /// Checks a field of a `seq`.
    pub(super) fn source(
        &mut self,
        source: &'s FieldSource,
        used: UseId,
        at: usize,
        span: SourceSpan,
    ) {
        self.source_seen(source, used, at, span);
        if source.embed {
            self.embedded_part(used, at, span);
        }
    }

    /// Checks a field. The expressions of the field can use the fields before index `at`, or all
    /// fields if `at` is `usize::MAX` because the field is outside the sequence.
    pub(super) fn source_seen(
        &mut self,
        source: &'s FieldSource,
        used: UseId,
        at: usize,
        span: SourceSpan,
    ) {
        let seen = match at {
            usize::MAX => Seen::All,
            _ => Seen::Before(at),
        };
        let site = Site::new(used, seen);
        self.condition(source.condition.as_ref(), &site);
        self.knowing(used, (source.condition.as_ref(), true), |checker| {
            checker.present(source, (&site, at), span);
        });
    }

    /// Checks the expressions of a field, which matter only if the field is present.
    fn present(&mut self, source: &'s FieldSource, (site, at): (&Site, usize), span: SourceSpan) {
        let used = site.used;
        if let Size::Bytes(size) = &source.size {
            let range = self.expect_int(size, site, "a size");
            self.may_be_negative(range, size);
        }
        let element = source.repeat.is_some();
        self.target(&source.target, site, at, element);
        if let Some(layout) = &source.layout {
            self.layout_use(layout, site, at);
        }
        let wire = self.wire_value(source, used, at);
        let inside = site.with(wire.clone());
        self.constraints(&source.constraints, &inside, "this constraint");
        self.satisfiable(&source.constraints, &inside);
        if self.described && source.contents.is_some() && source.contents_rule.is_none() {
            self.missing_rule(span, "`contents`");
        }
        self.value_of_field(source, site, &wire);
        self.table_reference(source, &inside, &wire);
        if let Some(carry) = &source.carry {
            self.carry(carry, &inside, &wire);
        }
        let outer = self.element_value(source, used, at);
        match &source.repeat {
            Some(repeat) => {
                let list = Value::of(Kind::List(Box::new(outer.kind.clone())));
                self.repeat(repeat, source, site, &outer, span);
                self.obeys(&source.obeys, &site.with(list));
            }
            None => self.obeys(&source.obeys, &inside),
        }
        if let Some(define) = &source.defines {
            let row = match outer.kind {
                Kind::Structure(row) => Some(row),
                _ => None,
            };
            self.numbers_elements(define, source.repeat.is_some());
            self.elements_are_rows(define, row, source.repeat.is_some());
            self.define(define, site, &inside, row);
        }
        self.generation(&source.generation, &inside, source.enumeration);
    }

    fn embedded_part(&mut self, used: UseId, at: usize, span: SourceSpan) {
        let value = self.field_value(used, at);
        if matches!(value.kind, Kind::Structure(_) | Kind::Unknown) {
            return;
        }
        let message = format!(
            "`embed` requires a structure, found {}",
            self.describe(&value.kind)
        );
        self.error(Code::WrongOperand, span, message);
    }

    /// Checks the type of a field and enqueues the uses of types in it.
    pub(super) fn target(&mut self, target: &'s TypeRef, site: &Site, at: usize, element: bool) {
        match target {
            TypeRef::Scalar(_) | TypeRef::Text | TypeRef::Bytes => {}
            TypeRef::Named { id, arguments, .. } => {
                self.arguments(*id, arguments, site);
                if let Some(child) = self.child(site.used, at, *id, element) {
                    self.uses.enqueue(child);
                }
            }
            TypeRef::Switch {
                on,
                cases,
                rule,
                span,
            } => {
                self.switch(on, cases, rule.is_some(), *span, site);
                for case in cases {
                    self.target(&case.target, site, at, element);
                }
            }
            TypeRef::OfRow { row, otherwise } => {
                self.kinds_of_row(row, site, at, element);
                if let Some(otherwise) = otherwise {
                    self.target(otherwise, site, at, element);
                }
            }
        }
    }

    fn kinds_of_row(&mut self, row: &'s Expr, site: &Site, at: usize, element: bool) {
        let found = self.infer(row, site);
        let table = match found.kind {
            Kind::Row(table) => table,
            Kind::Unknown => return,
            other => {
                let message = format!("expected a row, found {}", self.describe(&other));
                return self.error(Code::WrongOperand, row.span, message);
            }
        };
        let schema = self.schema;
        let Some(table) = schema.tables.get(table.index()) else {
            return;
        };
        for kind in &table.kinds {
            if let Some(child) = self.child(site.used, at, kind.target, element) {
                self.uses.enqueue(child);
            }
        }
    }

    fn arguments(&mut self, id: TypeId, arguments: &'s [Expr], site: &Site) {
        let schema = self.schema;
        let params = schema.types.get(id.index()).map(|t| t.params.as_slice());
        let params = params.unwrap_or_default();
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.infer(argument, site);
            let Some(param) = params.get(index) else {
                continue;
            };
            let kind = self.plain(value).kind;
            let fits = match (param.kind, &kind) {
                (_, Kind::Unknown | Kind::Described | Kind::Nothing | Kind::Union(_)) => true,
                (ParamType::Int, Kind::Int(_) | Kind::Flags(..)) => true,
                (ParamType::Float, Kind::Float | Kind::Int(_)) => true,
                (ParamType::Bool, Kind::Bool) => true,
                (ParamType::Text, Kind::Text | Kind::Signature(_)) => true,
                (ParamType::Bytes, Kind::Bytes | Kind::List(_)) => true,
                (ParamType::Enum(id), Kind::Enum(other, _)) => id == *other,
                (ParamType::Structure, Kind::Structure(_) | Kind::List(_) | Kind::Row(_)) => true,
                _ => false,
            };
            if !fits {
                let found = self.describe(&kind);
                let message = format!("the parameter `{}` does not accept {found}", param.name);
                let diagnostic = Diagnostic::error(Code::WrongOperand, argument.span, message)
                    .also(param.span, "the parameter is declared here");
                self.push(diagnostic);
            }
        }
    }

    /// Reports an error for a size or count that is always negative. Records one that can be
    /// negative for some traces, so that the check of fault mappings requires a rule for negative
    /// sizes.
    fn may_be_negative(&mut self, range: Option<Interval>, expr: &Expr) {
        let Some(range) = range else { return };
        if range.greatest < 0 {
            let message = format!("`{expr}` is always negative, so it cannot be a size");
            self.error(Code::ArithmeticRange, expr.span, message);
        } else if range.least < 0 {
            self.negative.insert(expr.span);
        }
    }

    fn repeat(
        &mut self,
        repeat: &'s Repeat,
        source: &'s FieldSource,
        site: &Site,
        element: &Value,
        span: SourceSpan,
    ) {
        match &repeat.elements {
            Elements::ToEnd => self.elements_to_the_end(source, span),
            Elements::Count(count) => {
                let range = self.expect_int(count, site, "a number of elements");
                self.may_be_negative(range, count);
            }
            Elements::Until(until) => {
                let inside = site.with(element.clone());
                self.expect_bool(until, &inside, "the condition of `repeat-until`");
            }
        }
        if let Some(least) = &repeat.at_least
            && self.described
            && least.rule.is_none()
        {
            self.missing_rule(least.span, "`at-least`");
        }
        let inside = site.with(element.clone());
        if let Some(arrange) = &repeat.arrange {
            self.constraints(&arrange.first, &inside, "this constraint");
            self.constraints(&arrange.last, &inside, "this constraint");
            for (once, by) in &arrange.once {
                let key = self.infer(by, &inside);
                let own = site.with(key);
                self.constraints(std::slice::from_ref(once), &own, "`once`");
            }
        }
        for unique in &repeat.unique {
            let key = self.key_of_element(&unique.by, site, element);
            for except in &unique.except {
                let value = self.infer(except, site);
                self.comparable(&key, &unique.by, &value, except);
            }
            if self.described && unique.rule.is_none() {
                self.missing_rule(unique.span, "`unique`");
            }
        }
    }

    /// Infers the value of the `by` expression, which yields a key for each element of a list. The
    /// expression is the path of a field in the element, or `_`.
    pub(super) fn key_of_element(&mut self, by: &Expr, site: &Site, element: &Value) -> Value {
        let mut kind = element.kind.clone();
        let mut first = None;
        for _ in 0..8 {
            let Kind::Structure(used) = kind else { break };
            first = first.or(Some(used));
            if self.names_of(by, used) {
                first = Some(used);
                break;
            }
            kind = self.shown(used).kind;
        }
        let inside = match first {
            Some(used) => Site::new(used, Seen::All),
            None => site.clone(),
        };
        self.infer(by, &inside.with(element.clone()))
    }

    /// Returns `true` if the first name in a path is visible in this use of a type.
    fn names_of(&mut self, path: &Expr, used: UseId) -> bool {
        use crate::expression::ExprKind;
        let mut first = path;
        while let ExprKind::Member { base, .. } = &first.kind {
            first = base;
        }
        match &first.kind {
            ExprKind::Name(name) => {
                let index = self.index(self.uses.get(used).type_id);
                index.has(name)
            }
            _ => false,
        }
    }

    /// Reports an error for a repetition that extends to the end of the enclosing sized part or
    /// file but never gets there, because its elements are always empty. Elements that can be empty
    /// may cause a warning.
    fn elements_to_the_end(&mut self, source: &'s FieldSource, span: SourceSpan) {
        let extent = self.extents.of_element(source, self.schema);
        if extent.least.is_none_or(|least| least > 0) {
            return;
        }
        let help = "to repeat elements that can be empty, use a count instead of `eos`";
        let diagnostic = match extent.greatest {
            Some(0) => {
                let message = "the elements take no bytes, so this repetition never ends";
                Diagnostic::error(Code::EndlessRepeat, span, message)
            }
            _ if self.described && !extent.to_end => {
                let message = "an element can take no bytes, so this repetition may never end";
                Diagnostic::warning(Code::EndlessRepeat, span, message)
            }
            _ => return,
        };
        self.push(diagnostic.help(help));
    }

    fn carry(&mut self, carry: &'s Carry, site: &Site, wire: &Value) {
        let used = self.uses.get(site.used);
        if carry.from.is_none() && !used.repeated {
            let message = "there is no previous element whose value could be used";
            let help = "use `carry` inside a repetition, or add `carry-from: register`";
            self.push(Diagnostic::error(Code::CarryOutside, carry.span, message).help(help));
        }
        if let Some(then) = &carry.then {
            self.expect_int(then, site, "the value of `then`");
        }
        let numeric = matches!(wire.kind, Kind::Int(_) | Kind::Flags(..) | Kind::Unknown);
        if carry.mode == CarryMode::Add || carry.then.is_some() {
            if !numeric {
                let found = self.describe(&wire.kind);
                let message = format!("cannot add to {found}");
                self.error(Code::WrongOperand, carry.span, message);
            } else if self.described && carry.wraps.is_none() && carry.overflow.is_none() {
                let message = "the sum can exceed the range of the field";
                let help = "use `wraps` with the number of bits of the field if the sum wraps \
                            around, or `overflow: RULE` if it must not";
                self.push(Diagnostic::error(Code::ArithmeticRange, carry.span, message).help(help));
            }
        }
    }

    fn table_reference(&mut self, source: &'s FieldSource, site: &Site, wire: &Value) {
        let Some(refs) = &source.refs else { return };
        self.condition(refs.condition.as_ref(), site);
        if let Some(none) = &refs.none {
            let value = self.infer(none, site);
            self.comparable(wire, none, &value, none);
        }
        if self.described && refs.dangling.is_none() {
            self.missing_rule(refs.span, "a reference to a table row that does not exist");
        }
        if let Some(used) = self.looked_up.get_mut(refs.table.index()) {
            *used = true;
        }
        self.reference_fits(refs, wire);
    }

    fn reference_fits(&mut self, refs: &Refs, wire: &Value) {
        let Some(table) = self.schema.tables.get(refs.table.index()) else {
            return;
        };
        let key = match &table.key {
            TableKey::Scalar(scalar) => super::widths::of_scalar(scalar),
            TableKey::Offset => Some(Interval::COUNT),
        };
        let fits = match (&wire.kind, key) {
            (Kind::Int(range) | Kind::Flags(_, range) | Kind::Enum(_, range), Some(key)) => {
                range.meet(key).is_some()
            }
            (Kind::Unknown | Kind::Union(_), _) => true,
            (Kind::Guid | Kind::Float, None) => true,
            _ => false,
        };
        if !fits {
            let found = self.describe(&wire.kind);
            let message = format!("{found} can never be a key of the table `{}`", table.name);
            let diagnostic = Diagnostic::error(Code::WrongKey, refs.span, message)
                .also(table.span, "the table is declared here");
            self.push(diagnostic);
        }
    }
}

/// Returns the numeric type of a field, after resolving the names of scalars.
pub(super) fn scalar_of<'s>(
    target: &'s TypeRef,
    schema: &'s crate::schema::Schema,
) -> Option<&'s Scalar> {
    use crate::schema::{FieldRole, TypeBody};
    let mut target = target;
    for _ in 0..32 {
        match target {
            TypeRef::Scalar(scalar) => return Some(scalar),
            TypeRef::Named { id, .. } => {
                let TypeBody::Alias(field) = &schema.types.get(id.index())?.body else {
                    return None;
                };
                let FieldRole::Wire(inner) = &field.role else {
                    return None;
                };
                target = &inner.target;
            }
            _ => return None,
        }
    }
    None
}
