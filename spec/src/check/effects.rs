//! Checks the effects of types on tables and registers, and the elements that a writer inserts so
//! that the next value can be encoded.

use super::Checker;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use super::uses::UseId;
use super::widths::of_scalar;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    Define, LimitKind, LimitSubject, RegisterType, RowComparison, Set, SetTarget, TableKey, Type,
};
use tracegauge_plan::evaluate::interval::Interval;
use tracegauge_plan::source::SourceSpan;

/// How a description keeps a value within a width.
const BOUND: &str = "or bound the value with `min`, `max` or `%`";

impl<'s> Checker<'s> {
    /// Checks the effects declared with `removes`, `clears` and `sets`.
    pub(super) fn type_effects(&mut self, described: &'s Type, site: &Site) {
        if let Some(remove) = &described.removes {
            self.expect_int(&remove.key, site, "the key of a row");
            if self.described && remove.dangling.is_none() {
                self.missing_rule(
                    remove.span,
                    "the removal of a table row that does not exist",
                );
            }
        }
        for clear in &described.clears {
            self.condition(clear.condition.as_ref(), site);
        }
        for set in &described.sets {
            self.set(set, site);
        }
    }

    fn set(&mut self, set: &'s Set, site: &Site) {
        self.condition(set.condition.as_ref(), site);
        let value = self.infer(&set.value, site);
        let schema = self.schema;
        match &set.target {
            SetTarget::Register(id) => {
                let Some(register) = schema.registers.get(id.index()) else {
                    return;
                };
                match &register.kind {
                    RegisterType::Row(table) => {
                        let fits = match &value.kind {
                            Kind::Row(row) => row == table,
                            Kind::Unknown | Kind::Nothing => true,
                            _ => false,
                        };
                        if !fits {
                            let found = self.describe(&value.kind);
                            let message = format!(
                                "the register `{}` holds a row, but this value is {found}",
                                register.name
                            );
                            self.error(Code::WrongOperand, set.value.span, message);
                        }
                    }
                    RegisterType::Int => {
                        self.integer(value, &set.value);
                    }
                    RegisterType::Scalar(scalar) => {
                        if self.is_limited(*id) && of_scalar(scalar).is_some() {
                            self.integer(value, &set.value);
                            return;
                        }
                        let name = &register.name;
                        let help = format!(
                            "widen `{name}`, make it `type: int`, which has no limit, {BOUND}"
                        );
                        self.fits_in(value, &set.value, of_scalar(scalar), (name, &help));
                    }
                }
            }
            SetTarget::Column { table, key, column } => {
                self.expect_int(key, site, "the key of a row");
                let table = schema.tables.get(table.index());
                if let Some(column) = table.and_then(|table| table.columns.get(*column)) {
                    let name = &column.name;
                    let help = format!("widen `{name}`, {BOUND}");
                    self.fits_in(value, &set.value, of_scalar(&column.scalar), (name, &help));
                }
            }
        }
    }

    fn is_limited(&self, id: crate::schema::RegisterId) -> bool {
        self.schema.limits.iter().any(|limit| {
            limit.kind == LimitKind::Value
                && matches!(&limit.of, LimitSubject::Register(of) if *of == id)
        })
    }

    /// Checks that a stored value fits in the declared width of the register or column with this
    /// name. `help` says what the user can do about a value that does not fit.
    fn fits_in(
        &mut self,
        value: Value,
        expr: &Expr,
        room: Option<Interval>,
        (name, help): (&str, &str),
    ) {
        let Some(room) = room else {
            self.number(value, expr);
            return;
        };
        let Kind::Int(range) = self.integer(value, expr) else {
            return;
        };
        if range.within(room) {
            return;
        }
        let diagnostic = match range.meet(room) {
            None => {
                let message = format!("`{expr}` is always out of range for `{name}`");
                Diagnostic::error(Code::ArithmeticRange, expr.span, message)
            }
            Some(_) => {
                let message = format!("`{expr}` can be out of range for `{name}`");
                Diagnostic::warning(Code::ArithmeticRange, expr.span, message)
            }
        };
        self.push(diagnostic.help(help));
    }

    /// Checks the `defines` key of a type or of the elements of a list. `whole` is the use of the
    /// type whose elements are rows, or `None` if that type is unknown. `element` is the site of the
    /// condition, in which `_` is an element of the list.
    pub(super) fn define(
        &mut self,
        define: &'s Define,
        site: &Site,
        element: &Site,
        whole: Option<UseId>,
    ) {
        let schema = self.schema;
        let Some(table) = schema.tables.get(define.table.index()) else {
            return;
        };
        self.condition(define.condition.as_ref(), element);
        for key in define.key.iter().chain(&define.first_key) {
            let range = self.expect_int(key, site, "the key of a row");
            if let (Some(range), TableKey::Scalar(scalar)) = (range, &table.key)
                && of_scalar(scalar).is_some_and(|room| range.meet(room).is_none())
            {
                let message = format!(
                    "this value can never be a key of the table `{}`",
                    table.name
                );
                let diagnostic = Diagnostic::error(Code::WrongKey, key.span, message)
                    .also(table.span, "the table is declared here");
                self.push(diagnostic);
            }
        }
        self.key_is_given(define, &table.key, &table.name);
        let row = match &define.row {
            Some(path) => match self.infer(path, site).kind {
                Kind::Structure(row) => Some(row),
                Kind::Union(arms) => arms.into_iter().find_map(|arm| match arm {
                    Kind::Structure(row) if self.uses.get(row).type_id == table.row => Some(row),
                    _ => None,
                }),
                _ => None,
            },
            None => whole,
        };
        self.row_fits(define, row, table);
        let Some(row) = row else { return };
        let inside = Site::new(row, Seen::All);
        for (by, _) in &define.unique {
            self.infer(by, &inside);
        }
        if let Some(RowComparison::Fields(fields)) = define.again.as_ref().map(|a| &a.compare) {
            self.fields_of_row(fields, row, define.span);
        }
        if let Some((fields, _)) = define.again.as_ref().and_then(|again| again.alike.as_ref()) {
            self.fields_of_row(fields, row, define.span);
        }
    }

    /// Checks that `first-key`, which numbers elements, is used only for a list.
    pub(super) fn numbers_elements(&mut self, define: &Define, repeats: bool) {
        if let (Some(first), false) = (&define.first_key, repeats) {
            let message = "`first-key` requires a list";
            let help = "use `key: field` for a single row";
            let diagnostic = Diagnostic::error(Code::ConflictingKeys, first.span, message);
            self.push(diagnostic.help(help));
        }
    }

    /// Checks that the rows in a list are structures, because their fields are looked up.
    pub(super) fn elements_are_rows(&mut self, define: &Define, row: Option<UseId>, repeats: bool) {
        if repeats && row.is_none() && define.row.is_none() {
            let message = "rows must be structures, but the elements of this list are not";
            self.error(Code::WrongRow, define.span, message);
        }
    }

    fn key_is_given(&mut self, define: &Define, key: &TableKey, table: &str) {
        let given = define.key.is_some() || define.first_key.is_some();
        match key {
            TableKey::Scalar(_) if !given => {
                let message = format!("rows of the table `{table}` need a `key`");
                let help = "`key: field` sets the key of one row, `first-key` the key of the first row of \
                     a list";
                self.push(Diagnostic::error(Code::MissingKey, define.span, message).help(help));
            }
            TableKey::Offset if given => {
                let message = format!(
                    "rows of the table `{table}` are identified by their offset, so they have no \
                     `key`"
                );
                self.error(Code::ConflictingKeys, define.span, message);
            }
            TableKey::Scalar(_) if self.described && define.again.is_none() => {
                let message = "no rule covers a key that is defined twice";
                let help = "add `again: RULE`, or `again: { same: RULE, other: RULE, keeps: last \
                    }`";
                self.push(Diagnostic::warning(Code::MissingRule, define.span, message).help(help));
            }
            _ => {}
        }
    }

    fn row_fits(&mut self, define: &Define, row: Option<UseId>, table: &crate::schema::Table) {
        let found = row.map(|row| self.uses.get(row).type_id);
        if found == Some(table.row) || self.schema.types.get(table.row.index()).is_none() {
            return;
        }
        let wanted = &self.schema.types[table.row.index()].name;
        let message = match row {
            Some(row) => format!(
                "this defines a row of type `{}`, but rows of the table `{}` have the type \
                 `{wanted}`",
                self.type_of(row).name,
                table.name
            ),
            None if define.row.is_none() => return,
            None => format!("the part that defines the row is never of type `{wanted}`"),
        };
        let diagnostic = Diagnostic::error(Code::WrongRow, define.span, message)
            .also(table.span, "the table is declared here");
        self.push(diagnostic);
    }

    /// Checks that the named fields of a row exist.
    pub(super) fn fields_of_row(&mut self, names: &[String], row: UseId, span: SourceSpan) {
        for name in names {
            let expr = path(name, span);
            self.infer(&expr, &Site::new(row, Seen::All));
        }
    }
}

impl<'s> Checker<'s> {
    /// Returns the location of the key of a value: the nearest occurrence of `key` before the
    /// value.
    pub(super) fn key_span(&self, key: &str, value: SourceSpan) -> SourceSpan {
        let Some(file) = self.schema.sources.file(value.source) else {
            return value;
        };
        let before = file.text.get(..value.start as usize).unwrap_or_default();
        let start = before.rfind(key).and_then(|at| u32::try_from(at).ok());
        match (start, u32::try_from(key.len())) {
            (Some(start), Ok(length)) => SourceSpan {
                start,
                end: start + length,
                ..value
            },
            _ => value,
        }
    }
}

/// Parses `a.b.c` as an expression.
pub(super) fn path(text: &str, span: SourceSpan) -> Expr {
    let mut names = text.split('.');
    let first = names.next().unwrap_or_default();
    let start = Expr {
        kind: ExprKind::Name(first.to_owned()),
        span,
    };
    names.take(32).fold(start, |base, name| Expr {
        kind: ExprKind::Member {
            base: Box::new(base),
            name: name.to_owned(),
        },
        span,
    })
}
