//! Checks dialects: their parameters, and how a dialect is detected from the content of a file.

use super::Checker;
use super::extent::Extents;
use super::site::{Seen, Site};
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{Dialect, Field, FieldRole, TypeBody, TypeId, TypeRef};

impl<'s> Checker<'s> {
    pub(super) fn dialects(&mut self) {
        let schema = self.schema;
        let root = &schema.types[schema.root.index()];
        for dialect in &schema.dialects {
            let Some((_, path)) = &dialect.detect.field else {
                continue;
            };
            let before = self.out.errors();
            self.infer(path, &Site::new(self.root, Seen::Free));
            if self.out.errors() == before {
                self.fixed_place(path, dialect);
            }
        }
        let bound = schema
            .dialects
            .iter()
            .any(|dialect| !dialect.bindings.is_empty());
        if let (Some(param), false) = (root.params.first(), bound)
            && self.sound
        {
            let message = format!("no dialect sets the parameter `{}`", param.name);
            let help = format!(
                "`dialects: {{ {}: {{ {}: … }} }}`",
                schema.meta.id, param.name
            );
            let diagnostic = Diagnostic::warning(Code::UnboundParameter, param.span, message);
            self.push(diagnostic.help(help));
        }
    }

    /// Checks that the field used to detect a dialect is at a fixed offset, because it is read
    /// before the dialect is known.
    fn fixed_place(&mut self, path: &Expr, dialect: &Dialect) {
        let mut names = Vec::new();
        let mut at = path;
        while let ExprKind::Member { base, name } = &at.kind {
            names.push(name.as_str());
            at = base;
        }
        let ExprKind::Name(first) = &at.kind else {
            return;
        };
        names.push(first);
        names.reverse();
        let mut holder = self.schema.root;
        for name in names {
            let Some((before, field)) = fields_before(self.schema, holder, name) else {
                return;
            };
            if let Some(moving) = before.iter().find(|field| !self.is_fixed(field, dialect)) {
                let what = moving.id.as_deref().unwrap_or("a field");
                let message = format!("`{path}` is not at a fixed offset");
                let diagnostic = Diagnostic::error(Code::DetectMoving, path.span, message)
                    .also(
                        moving.span,
                        format!("the size of the preceding `{what}` varies"),
                    )
                    .help("dialects are detected by bytes at a fixed offset");
                return self.push(diagnostic);
            }
            let FieldRole::Wire(source) = &field.role else {
                return;
            };
            match &source.target {
                TypeRef::Named { id, .. } => holder = *id,
                _ => return,
            }
        }
    }

    fn is_fixed(&mut self, field: &Field, dialect: &Dialect) -> bool {
        let extents = Extents::of(self.schema, &self.graph, Some(dialect));
        let extent = extents.of_item(field, self.schema);
        extent.least.is_some() && extent.least == extent.greatest
    }
}

/// Returns the field called `name` and the fields before it.
fn fields_before<'s>(
    schema: &'s crate::schema::Schema,
    holder: TypeId,
    name: &str,
) -> Option<(&'s [Field], &'s Field)> {
    let TypeBody::Structure(fields) = &schema.types.get(holder.index())?.body else {
        return None;
    };
    let at = fields
        .iter()
        .position(|field| field.id.as_deref() == Some(name))?;
    Some((&fields[..at], &fields[at]))
}
