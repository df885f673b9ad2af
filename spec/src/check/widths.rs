//! Reports members of enumerations, and bits of flag sets, that do not fit in any field that uses
//! them.

use super::Checker;
use super::field::scalar_of;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{
    CodeLayout, EnumId, FieldRole, FieldSource, FlagsId, Position, Scalar, ScalarKind, Schema,
    Type, TypeBody, VariableKind,
};
use tracegauge_plan::evaluate::interval::Interval;
use tracegauge_plan::source::SourceSpan;

/// A field that uses an enumeration or a flag set, with the range of values that it can hold.
struct Holder {
    span: SourceSpan,
    range: Interval,
}

impl<'s> Checker<'s> {
    pub(super) fn widths(&mut self) {
        let schema = self.schema;
        let mut enums: Vec<Vec<Holder>> = Vec::new();
        let mut flags: Vec<Vec<Holder>> = Vec::new();
        enums.resize_with(schema.enums.len(), Vec::new);
        flags.resize_with(schema.flags.len(), Vec::new);
        sources(schema, &mut |source, span| {
            let Some(range) = scalar_of(&source.target, schema).and_then(of_scalar) else {
                return;
            };
            if let Some(EnumId(id)) = source.enumeration
                && let Some(holders) = enums.get_mut(id as usize)
            {
                holders.push(Holder { span, range });
            }
            if let Some(FlagsId(id)) = source.flags
                && let Some(holders) = flags.get_mut(id as usize)
            {
                holders.push(Holder { span, range });
            }
        });
        for (described, holders) in schema.enums.iter().zip(&enums) {
            for member in &described.members {
                let value = member.value;
                let name = format!("`{}` is {value}", member.name);
                self.held(&name, value, member.span, holders, Code::EnumWidth);
            }
        }
        for (described, holders) in schema.flags.iter().zip(&flags) {
            for bit in &described.bits {
                // A signed field can have the bit set even if the number is outside the field's
                // range.
                let bits = 64 - bit.mask.leading_zeros();
                let greatest = Interval::unsigned(bits).greatest;
                let name = format!("the flag `{}` needs a number with {bits} bits", bit.name);
                self.held(&name, greatest, bit.span, holders, Code::FlagsWidth);
            }
        }
    }

    fn held(&mut self, what: &str, value: i128, span: SourceSpan, holders: &[Holder], code: Code) {
        let room = |holder: &Holder| {
            let width = holder.range.greatest.saturating_sub(holder.range.least);
            holder.range.holds(value) || (code == Code::FlagsWidth && value <= width)
        };
        let Some(first) = holders.first() else { return };
        if holders.iter().any(room) {
            return;
        }
        let message = format!("{what}, which does not fit in any field that uses it");
        let label = format!(
            "this field can hold values from {} to {}",
            first.range.least, first.range.greatest
        );
        // Kaitai Struct accepts such members, which no value has.
        let diagnostic = match self.described || code == Code::FlagsWidth {
            true => Diagnostic::error(code, span, message),
            false => Diagnostic::warning(code, span, message),
        };
        self.push(diagnostic.also(first.span, label));
    }
}

/// Visits all fields of a description.
pub(super) fn sources<'s>(schema: &'s Schema, visit: &mut dyn FnMut(&'s FieldSource, SourceSpan)) {
    for described in &schema.types {
        of_type(described, visit);
    }
    for layout in &schema.layouts {
        if let Some(optional) = &layout.optional
            && let FieldRole::Wire(source) = &optional.presence.role
        {
            visit(source, optional.presence.span);
        }
        for code in &layout.codes {
            if let CodeLayout::Plain(source) = &code.layout {
                visit(source, code.span);
            }
        }
    }
}

fn of_type<'s>(described: &'s Type, visit: &mut dyn FnMut(&'s FieldSource, SourceSpan)) {
    match &described.body {
        TypeBody::Structure(fields) => {
            for field in fields {
                if let FieldRole::Wire(source) = &field.role {
                    visit(source, field.span);
                }
            }
        }
        TypeBody::Alias(field) => {
            if let FieldRole::Wire(source) = &field.role {
                visit(source, field.span);
            }
        }
    }
    for instance in &described.instances {
        if let Position::At { source, .. } = &instance.position {
            visit(source, instance.span);
        }
    }
}

/// Returns the interval of an encoded number, or `None` for floats and GUIDs.
pub(super) fn of_scalar(scalar: &Scalar) -> Option<Interval> {
    Some(match scalar.kind {
        ScalarKind::Unsigned(bytes) => Interval::unsigned(u32::from(bytes) * 8),
        ScalarKind::Signed(bytes) => Interval::signed(u32::from(bytes) * 8),
        ScalarKind::Bits(bits, _) => Interval::unsigned(u32::from(bits)),
        ScalarKind::Variable(VariableKind::Unsigned, bits) => Interval::unsigned(u32::from(bits)),
        ScalarKind::Variable(_, bits) => Interval::signed(u32::from(bits)),
        ScalarKind::Float(_) | ScalarKind::Guid(_) => return None,
    })
}
