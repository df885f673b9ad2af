//! Reports keys such as `terminator` where they have no effect, and expressions that use the
//! current reading position where that position is ambiguous.

use super::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    Encoding, FieldRole, FieldSource, Instance, Position, Size, Type, TypeBody, TypeRef,
};
use tracegauge_plan::source::SourceSpan;

impl<'s> Checker<'s> {
    /// Checks every field and instance.
    pub(super) fn ends(&mut self) {
        let schema = self.schema;
        for described in &schema.types {
            let fields = match &described.body {
                TypeBody::Structure(fields) => fields.as_slice(),
                TypeBody::Alias(field) => std::slice::from_ref(field.as_ref()),
            };
            for field in fields {
                if let FieldRole::Wire(source) = &field.role {
                    self.ending(source, described, field.span);
                }
            }
            for instance in &described.instances {
                self.instance_ends(instance, described);
            }
        }
    }

    fn instance_ends(&mut self, instance: &'s Instance, described: &'s Type) {
        match &instance.position {
            Position::Computed { value, .. } => {
                if let Some(asked) = moving(value) {
                    let message = format!(
                        "the instance `{}` depends on the current position, so its value would \
                         depend on where it is used",
                        instance.id
                    );
                    let help = "use `field._start` or `field._end` for the boundaries of a field; \
                        in a `seq`, use the expression directly";
                    let diagnostic = Diagnostic::error(Code::WrongOperand, asked, message);
                    self.push(diagnostic.help(help));
                }
            }
            Position::At { source, .. } => self.ending(source, described, instance.span),
        }
    }

    fn ending(&mut self, source: &'s FieldSource, described: &'s Type, span: SourceSpan) {
        let keys = [
            ("terminator", source.terminator.is_some()),
            ("pad-right", source.pad_right.is_some()),
        ];
        let Some((key, _)) = keys.into_iter().find(|(_, given)| *given) else {
            return;
        };
        let target = self.on_the_wire(&source.target);
        let (message, help) = match target {
            TypeRef::Text | TypeRef::Bytes if source.contents.is_some() => (
                format!("`{key}` has no effect with `contents`, which already fixes all bytes"),
                "remove it",
            ),
            TypeRef::Switch { cases, .. }
                if cases
                    .iter()
                    .any(|case| matches!(case.target, TypeRef::Text | TypeRef::Bytes)) =>
            {
                return;
            }
            TypeRef::Bytes | TypeRef::Text => return self.padding(source, described, span),
            _ => (
                format!("`{key}` applies only to text and bytes"),
                "remove this key; a part ends with its last field. To use the key for bytes, put \
                 the bytes in a field of the part",
            ),
        };
        let diagnostic = Diagnostic::error(Code::ConflictingKeys, span, message);
        self.push(diagnostic.help(help));
    }

    fn padding(&mut self, source: &'s FieldSource, described: &'s Type, span: SourceSpan) {
        let Some(pad) = source.pad_right else { return };
        let encoding = source.encoding.or(described.encoding);
        let encoding = encoding.or(self.schema.meta.encoding);
        let wide = matches!(encoding, Some(Encoding::Utf16Le | Encoding::Utf16Be));
        let (message, help) = if matches!(self.on_the_wire(&source.target), TypeRef::Text)
            && wide
            && pad != 0
        {
            (
                "`pad-right` of UTF-16 text must be 0, because any other byte forms a \
                 different character when repeated",
                "omit `type` to read the field as bytes, or give the text a size that excludes the \
                     padding and read the padding as a separate field",
            )
        } else if matches!(source.size, Size::Natural)
            && matches!(source.target, TypeRef::Text | TypeRef::Bytes)
        {
            (
                "`pad-right` requires a size for the padded field",
                "give the field `size` or `size-eos: true`",
            )
        } else {
            return;
        };
        let diagnostic = Diagnostic::error(Code::ConflictingKeys, span, message);
        self.push(diagnostic.help(help));
    }

    /// Returns the type as encoded in the trace, with names of scalars replaced by their types.
    fn on_the_wire(&self, target: &'s TypeRef) -> &'s TypeRef {
        let mut target = target;
        for _ in 0..32 {
            let TypeRef::Named { id, .. } = target else {
                break;
            };
            let described = self.schema.types.get(id.index());
            let Some(TypeBody::Alias(alias)) = described.map(|described| &described.body) else {
                break;
            };
            let FieldRole::Wire(source) = &alias.role else {
                break;
            };
            target = &source.target;
        }
        target
    }
}

/// Returns the location of the first subexpression that depends on the current position in the
/// file.
fn moving(expr: &Expr) -> Option<SourceSpan> {
    if let ExprKind::Member { base, name } = &expr.kind
        && matches!(name.as_str(), "pos" | "eof")
        && is_stream(base)
    {
        return Some(expr.span);
    }
    let mut found = None;
    expr.inside(&mut |inside| found = found.or_else(|| moving(inside)));
    found
}

fn is_stream(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name == "_io",
        _ => false,
    }
}
