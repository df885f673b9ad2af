//! Checks tables: their initial rows, their kinds of rows, and whether they are defined and used.

use super::Checker;
use super::effects::path;
use super::kind::Kind;
use super::site::{Seen, Site};
use super::uses::UseId;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    Define, FieldRole, FieldSource, RowComparison, SetTarget, Table, TableId, Type, TypeBody,
};

impl<'s> Checker<'s> {
    pub(super) fn tables(&mut self) {
        let schema = self.schema;
        let root = Site::new(self.root, Seen::Free);
        for register in &schema.registers {
            if let Some(initial) = &register.initial {
                self.infer(initial, &root);
            }
            self.obeys(&register.obeys, &root);
        }
        for table in &schema.tables {
            self.condition(table.condition.as_ref(), &root);
            for column in &table.columns {
                self.infer(&column.initial, &root);
            }
            if let Some(row) = self.lone_use(table.row) {
                self.rows(table, row);
            }
            for member in &table.kinds {
                if self.described && member.signature.is_none() && !is_definer(member.target, self)
                {
                    self.missing_rule(
                        member.span,
                        "a table row that describes fields other than those of its type",
                    );
                }
            }
        }
        for described in &schema.enums {
            for member in &described.members {
                self.condition(member.condition.as_ref(), &root);
            }
        }
        self.definers();
    }

    /// Checks the rows that the description lists.
    fn rows(&mut self, table: &'s Table, row: UseId) {
        for initial in &table.initial {
            for (name, value) in &initial.fields {
                self.field_is(name, value, row);
            }
            if let Some(RowComparison::Fields(fields)) = initial.again.as_ref().map(|a| &a.compare)
            {
                self.fields_of_row(fields, row, initial.span);
            }
        }
        for kind in &table.kinds {
            for (name, value) in &kind.matches {
                self.field_is(name, value, row);
            }
        }
        for (name, value) in table.samples.iter().flatten() {
            let target = path(name, self.key_span(name, value.span));
            let field = self.infer(&target, &Site::new(row, Seen::Free));
            self.hint(value, &Site::new(row, Seen::Free), Some(&field));
        }
    }

    /// Checks that a field path exists in a row, and that the field can equal the given value.
    fn field_is(&mut self, name: &str, value: &Expr, row: UseId) {
        let site = Site::new(row, Seen::Free);
        let target = path(name, self.key_span(name, value.span));
        let field = self.infer(&target, &site);
        // The description may name a member of the field's enumeration without naming the
        // enumeration.
        if let (ExprKind::Name(member), Kind::Enum(id, _)) = (&value.kind, &field.kind)
            && let Some(known) = self.schema.enums.get(id.index())
            && known.members.iter().any(|known| known.name == *member)
        {
            return;
        }
        let given = self.infer(value, &site);
        self.comparable(&field, &target, &given, value);
    }

    /// Reports tables without rows and tables that are never used.
    fn definers(&mut self) {
        let schema = self.schema;
        let mut defined = vec![false; schema.tables.len()];
        let mut used = self.looked_up.clone();
        let note = |list: &mut Vec<bool>, id: TableId| {
            if let Some(entry) = list.get_mut(id.index()) {
                *entry = true;
            }
        };
        for described in &schema.types {
            for define in defines(described) {
                note(&mut defined, define.table);
                // Rows that must be unique are looked up when the next row is defined.
                if define.again.is_some() || !define.unique.is_empty() {
                    note(&mut used, define.table);
                }
            }
            described
                .removes
                .iter()
                .for_each(|r| note(&mut used, r.table));
            for set in &described.sets {
                if let SetTarget::Column { table, .. } = &set.target {
                    note(&mut used, *table);
                }
            }
        }
        if !self.sound {
            return;
        }
        for (index, table) in schema.tables.iter().enumerate() {
            if !defined[index] && table.initial.is_empty() {
                let message = format!("no row is ever added to the table `{}`", table.name);
                let help = format!(
                    "define rows in a type with `defines: {{ table: {}, key: … }}`",
                    table.name
                );
                let diagnostic = Diagnostic::error(Code::TableUndefined, table.span, message);
                self.push(diagnostic.help(help));
            } else if !used[index] {
                let message = format!("the table `{}` is never read", table.name);
                let help = format!(
                    "refer to a row in a field with `refs: {}`, or in an expression with \
                     `{}.get(key)`",
                    table.name, table.name
                );
                let diagnostic = Diagnostic::warning(Code::TableUnused, table.span, message);
                self.push(diagnostic.help(help));
            }
        }
    }
}

/// Returns the row definitions (`defines`) in a type and its fields.
fn defines(described: &Type) -> Vec<&Define> {
    let mut found: Vec<&Define> = described.defines.iter().collect();
    let source_of = |source: &'_ FieldSource| source.defines.is_some();
    match &described.body {
        TypeBody::Structure(fields) => {
            for field in fields {
                if let FieldRole::Wire(source) = &field.role {
                    found.extend(&source.defines);
                }
            }
        }
        TypeBody::Alias(field) => {
            if let FieldRole::Wire(source) = &field.role
                && source_of(source)
            {
                found.extend(&source.defines);
            }
        }
    }
    found
}

/// Returns `true` if the type itself has a row definition (`defines`). A row kind whose type
/// defines rows needs no `signature`.
fn is_definer(target: crate::schema::TypeId, checker: &Checker<'_>) -> bool {
    let described = checker.schema.types.get(target.index());
    described.is_none_or(|described| described.defines.is_some())
}
