//! Restricts the length of a string or byte string so that the tests of its field hold.

use tracegauge_decoder::{Input, Value};
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{CheckKind, Code, CodeId, OpId, Plan, TextPart, each_code};

use super::domain::Domain;
use super::severity::strict;
use super::text::encoded;
use super::{Directed, solve};
use crate::tape::Choices;

/// The lengths that the tests of a field allow.
#[derive(Debug)]
pub struct Lengths {
    /// The unit of the lengths.
    unit: TextPart,
    /// The lengths.
    domain: Domain,
}

/// Returns the lengths that the tests of the string or byte string `op` allow, or `None` if they
/// allow all or none.
pub fn tested<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) -> Option<Lengths> {
    let plan = machine.plan();
    let conditions = plan
        .tests_of(op)
        .iter()
        .filter_map(|check| match check.kind {
            CheckKind::Holds(code) if strict(plan, check.rule) => Some((check.condition, code)),
            _ => None,
        });
    let mut unit = None;
    let all = Domain::range(0, i128::from(u32::MAX));
    let mut domain = all.clone();
    for (condition, code) in conditions {
        if condition.is_some_and(|condition| !machine.value(condition, Value::Absent).truth()) {
            continue;
        }
        unit = unit.or_else(|| unit_of(plan, code));
        solve::satisfy(plan, op, code, &mut domain, &mut |code| {
            match &plan.codes[code.index()] {
                // A comparison with the empty string is a comparison of the length with zero.
                Code::Text(text) => plan.constants[*text].is_empty().then_some(0),
                _ => machine.value(code, Value::Absent).integer(),
            }
        });
    }
    let is_restricted = domain.only.is_some()
        || !domain.not.is_empty()
        || (domain.low, domain.high) != (all.low, all.high)
        || !domain.pattern.is_any();
    (is_restricted && !domain.is_empty()).then(|| Lengths {
        unit: unit.unwrap_or(TextPart::Length),
        domain,
    })
}

/// Returns the unit of the lengths in a condition.
fn unit_of(plan: &Plan, code: CodeId) -> Option<TextPart> {
    let mut unit = None;
    each_code(plan, code, &mut |code| {
        if let Code::OfText(part, ..) = code
            && part.is_length()
        {
            unit = unit.or(Some(*part));
        }
    });
    unit
}

impl Lengths {
    /// Appends letters to a value or shortens it, so that its length is allowed. A value of an
    /// allowed length stays unchanged, as does one that would need more than `most` bytes.
    pub fn fit(&self, bytes: &mut Vec<u8>, encoding: Option<Encoding>, most: u64) {
        let length = self.length(bytes, encoding);
        let Some(wanted) = self.nearest(length).filter(|wanted| *wanted != length) else {
            return;
        };
        let mut fitted = bytes.clone();
        while self.length(&fitted, encoding) > wanted {
            shorten(&mut fitted, encoding);
        }
        let letter = encoded(encoding, 'a');
        while self.length(&fitted, encoding) < wanted && (fitted.len() as u64) < most {
            fitted.extend_from_slice(&letter);
        }
        if fitted.len() as u64 <= most {
            *bytes = fitted;
        }
    }

    /// Returns the length of a value.
    fn length(&self, bytes: &[u8], encoding: Option<Encoding>) -> i128 {
        let text = || tracegauge_decoder::text::decode(bytes, encoding?);
        let length = match self.unit {
            TextPart::Length => text().map(|text| text.chars().count()),
            TextPart::Units16 => text().map(|text| text.encode_utf16().count()),
            _ => None,
        };
        length.unwrap_or(bytes.len()) as i128
    }

    /// Returns the allowed length that is closest to `length`, preferably a greater one.
    fn nearest(&self, length: i128) -> Option<i128> {
        /// The maximum distance from the bounds.
        const FAR: i128 = 1 << 12;
        let Domain { low, high, .. } = self.domain;
        if let Some(only) = &self.domain.only {
            let lengths = only.iter().map(|(length, _)| *length);
            let lengths = lengths.filter(|length| self.domain.contains(*length));
            return lengths.min_by_key(|known| known.abs_diff(length));
        }
        let from = length.clamp(low, high);
        let mut greater = from..=high.min(from.saturating_add(FAR));
        let mut less = (low.max(from.saturating_sub(FAR))..from).rev();
        let is_allowed = |length: &i128| self.domain.contains(*length);
        greater.find(is_allowed).or_else(|| less.find(is_allowed))
    }
}

/// Removes the last character of a value, or the last byte of a byte string.
fn shorten(bytes: &mut Vec<u8>, encoding: Option<Encoding>) {
    let last = encoding.and_then(|encoding| {
        let text = tracegauge_decoder::text::decode(bytes, encoding)?;
        let last = text.chars().next_back()?;
        Some(encoded(Some(encoding), last).len())
    });
    bytes.truncate(bytes.len().saturating_sub(last.unwrap_or(1)));
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn a_value_gets_an_allowed_length(text: String, bounds: (u8, u8), in_bytes: bool) -> bool {
            let (low, high) = (bounds.0.min(bounds.1).into(), bounds.0.max(bounds.1).into());
            let unit = if in_bytes { TextPart::Size } else { TextPart::Length };
            let lengths = Lengths { unit, domain: Domain::range(low, high) };
            let mut bytes = text.clone().into_bytes();
            let is_allowed = lengths.domain.contains(lengths.length(&bytes, Some(Encoding::Utf8)));
            lengths.fit(&mut bytes, Some(Encoding::Utf8), u64::MAX);
            match is_allowed {
                true => bytes == text.as_bytes(),
                false => lengths.domain.contains(lengths.length(&bytes, Some(Encoding::Utf8))),
            }
        }
    }
}
