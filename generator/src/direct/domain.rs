//! The possible values of a field.

use tracegauge_plan::{CodeId, Kind};

use super::pattern::Pattern;

/// The values that a field may have.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The minimum value.
    pub low: i128,
    /// The maximum value.
    pub high: i128,
    /// The only allowed values, each with a weight, or `None` if the whole range is allowed.
    pub only: Option<Vec<(i128, u64)>>,
    /// Excluded values.
    pub not: Vec<i128>,
    /// The bits that may be set, or `None` if any bit may be set.
    pub mask: Option<u64>,
    /// The bits and the remainder that values must have.
    pub pattern: Pattern,
    /// Pairs of conditions of which at least one must hold.
    pub either: Vec<(CodeId, CodeId)>,
    /// Preferred values.
    pub liked: Vec<i128>,
    /// A preferred part of the range.
    pub usual: Option<(i128, i128)>,
    /// Whether the preferred part of the range is relative to earlier values, as for timestamps.
    /// Values outside a relative preferred part are never chosen, because one such value would
    /// affect all later values.
    pub clock: bool,
}

impl Domain {
    /// Returns the domain of all values between two bounds.
    pub fn range(low: i128, high: i128) -> Self {
        Self {
            low,
            high,
            only: None,
            not: Vec::new(),
            mask: None,
            pattern: Pattern::default(),
            either: Vec::new(),
            liked: Vec::new(),
            usual: None,
            clock: false,
        }
    }

    /// Returns whether the domain contains no value.
    pub fn is_empty(&self) -> bool {
        self.low > self.high
            || match &self.only {
                Some(only) => !only.iter().any(|(value, _)| self.pattern.contains(*value)),
                None => self.pattern.fit(self.low, (self.low, self.high)).is_none(),
            }
    }

    /// Returns the minimum value.
    pub fn least(&self) -> i128 {
        let listed = self.only.iter().flatten().map(|(value, _)| *value);
        listed.min().map_or(self.low, |least| least.max(self.low))
    }

    /// Returns the maximum value.
    pub fn greatest(&self) -> i128 {
        let listed = self.only.iter().flatten().map(|(value, _)| *value);
        listed.max().map_or(self.high, |most| most.min(self.high))
    }

    /// Restricts the domain to the values between two bounds. Returns `None` if no value is left.
    pub fn between(&self, low: i128, high: i128) -> Option<Self> {
        let inside = |value: &i128| (low..=high).contains(value);
        let only = self.only.as_ref().map(|only| {
            let left = only.iter().filter(|(value, _)| inside(value));
            left.copied().collect()
        });
        let narrowed = Self {
            low: self.low.max(low),
            high: self.high.min(high),
            only,
            liked: Vec::new(),
            usual: None,
            clock: false,
            ..self.clone()
        };
        let infeasible = narrowed
            .not
            .iter()
            .filter(|value| (narrowed.low..=narrowed.high).contains(value));
        let some_left = narrowed.high.saturating_sub(narrowed.low) >= infeasible.count() as i128;
        let is_plain = narrowed.mask.is_none() && narrowed.pattern.is_any();
        (some_left && !narrowed.is_empty() && is_plain).then_some(narrowed)
    }

    /// Returns whether `value` is in the domain.
    pub fn contains(&self, value: i128) -> bool {
        let listed = self.only.as_ref();
        let bits = |mask: u64| value & !i128::from(mask) == 0;
        !self.not.contains(&value)
            && self.mask.is_none_or(bits)
            && self.pattern.contains(value)
            && (self.low..=self.high).contains(&value)
            && listed.is_none_or(|only| only.iter().any(|(known, _)| *known == value))
    }
}

/// Returns the range of values that a kind of number can represent in a trace. A float is represented
/// by its bits.
pub fn wire_range(kind: &Kind) -> (i128, i128) {
    match kind {
        Kind::Float { width, .. } => (0, (1 << (u32::from(*width) * 8)) - 1),
        kind => kind.range().unwrap_or_default(),
    }
}

/// Restricts a domain to `values`.
pub fn restrict(domain: &mut Domain, values: Vec<(i128, u64)>) {
    match &mut domain.only {
        Some(only) => only.retain(|(value, _)| values.iter().any(|(known, _)| known == value)),
        none => *none = Some(values),
    }
}
