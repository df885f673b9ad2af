//! Checks hints for the generator. The names in a hint must exist, but the values in it need not be
//! valid for the field.

use super::Checker;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use crate::expression::{Expr, ExprKind};
use crate::schema::{EnumId, Generation, Plain};

impl<'s> Checker<'s> {
    pub(super) fn generation(
        &mut self,
        hints: &'s Generation,
        site: &Site,
        enumeration: Option<EnumId>,
    ) {
        let free = Site {
            seen: Seen::Free,
            ..site.clone()
        };
        let kind = enumeration.map(|id| {
            Value::of(Kind::Enum(
                id,
                tracegauge_plan::evaluate::interval::Interval::ANY,
            ))
        });
        let weights = hints.weights.iter().map(|(value, _)| value);
        for value in weights.chain(&hints.samples) {
            self.hint(value, &free, kind.as_ref());
        }
        if let Some((low, high)) = &hints.range {
            self.hint(low, &free, kind.as_ref());
            self.hint(high, &free, kind.as_ref());
        }
        for value in hints.plain.iter().flat_map(Plain::expressions) {
            self.hint(value, &free, kind.as_ref());
        }
        if let Some(construct) = &hints.construct {
            self.infer(construct, &free);
        }
    }

    /// Checks a hint. A hint may name a member of the field's enumeration without naming the
    /// enumeration.
    pub(super) fn hint(&mut self, value: &Expr, site: &Site, field: Option<&Value>) {
        if let (ExprKind::Name(name), Some(Kind::Enum(id, _))) =
            (&value.kind, field.map(|field| &field.kind))
            && let Some(described) = self.schema.enums.get(id.index())
            && described.members.iter().any(|member| member.name == *name)
        {
            return;
        }
        self.infer(value, site);
    }
}
