//! Checks that the byte order of multi-byte numbers is specified.

use super::Checker;
use super::widths::sources;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{Scalar, ScalarKind, TypeRef};
use tracegauge_plan::source::SourceSpan;

impl Checker<'_> {
    /// Reports the first multi-byte number if the description specifies no byte order at all.
    pub(super) fn unsaid_byte_order(&mut self) {
        let schema = self.schema;
        let in_types = schema.types.iter().any(|one| one.endian.is_some());
        if schema.meta.endian.is_some() || in_types || !self.sound {
            return;
        }
        let mut first: Option<(SourceSpan, (char, u8))> = None;
        sources(schema, &mut |source, span| {
            if let TypeRef::Scalar(scalar) = &source.target
                && let Some(number) = ordered(scalar)
                && first.is_none_or(|(known, _)| span < known)
            {
                first = Some((span, number));
            }
        });
        let Some((span, (letter, width))) = first else {
            return;
        };
        let message = format!("no byte order is defined for this {width}-byte number");
        let help = format!(
            "set `endian: le` or `endian: be` in `meta`, or write the byte order after the type, \
             as in `{letter}{width}be`"
        );
        self.push(Diagnostic::error(Code::MissingKey, span, message).help(help));
    }
}

/// Returns the type letter and the width in bytes of a number type that does not specify its own
/// byte order.
fn ordered(scalar: &Scalar) -> Option<(char, u8)> {
    let (letter, width) = match scalar.kind {
        ScalarKind::Unsigned(width) => ('u', width),
        ScalarKind::Signed(width) => ('s', width),
        ScalarKind::Float(width) => ('f', width),
        _ => return None,
    };
    (scalar.endian.is_none() && width > 1).then_some((letter, width))
}
