//! The value ranges of fields that together form a date and time.

use std::collections::HashMap;

use super::{CheckKind, Code, OpId, Plan};
use crate::terms::RuleId;

/// The range of each component of a date and time, from the year to the millisecond. The maximum
/// day is 28, because that day exists in every month.
const DATE: [(i128, i128); 8] = [
    (1, 9999),
    (1, 12),
    (0, 6),
    (1, 28),
    (0, 23),
    (0, 59),
    (0, 59),
    (0, 999),
];

impl Plan {
    /// Returns the fields that must form a date according to a rule accepted by `binds`, each with
    /// its range of values.
    pub fn dates(&self, binds: impl Fn(Option<RuleId>) -> bool) -> HashMap<OpId, (i128, i128)> {
        let mut found = HashMap::new();
        if !self
            .codes
            .iter()
            .any(|code| matches!(code, Code::IsDate(_)))
        {
            return found;
        }
        for id in (0..u32::MAX).map(OpId).take(self.ops.len()) {
            let Some(effects) = self.info(id).effects else {
                continue;
            };
            for check in &self.effects[effects].checks {
                if let CheckKind::Holds(code) = check.kind
                    && let Code::IsDate(parts) = &self.codes[code.index()]
                    && binds(check.rule)
                {
                    let fields = parts.iter().map(|part| self.field_of(id, *part));
                    let fields = fields.zip(DATE);
                    found.extend(fields.filter_map(|(field, range)| Some((field?, range))));
                }
            }
        }
        found
    }
}
