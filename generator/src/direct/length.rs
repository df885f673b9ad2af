//! Restricts the length of a string or byte string so that the tests of its field hold.

use tracegauge_decoder::text::decode;
use tracegauge_decoder::{Input, Value};
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{CheckKind, Code, CodeId, OpId, Plan, Slot, TextPart, each_code};

use super::domain::Domain;
use super::severity::strict;
use super::text::encoded;
use super::{Directed, solve};
use crate::tape::Choices;

/// The maximum number of bytes of a value that is lengthened.
const LONGEST: u64 = 1 << 16;

/// The maximum number of lengths that are tried for a value.
const TRIES: usize = 16;

/// The lengths that the tests of a field allow.
#[derive(Debug)]
pub struct Lengths {
    /// The unit of the lengths.
    unit: TextPart,
    /// The lengths.
    domain: Domain,
}

/// When the value of a field is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// When the field is written, so all earlier fields are known.
    Written,
    /// Together with an earlier field that stores the length. The fields in between are unknown.
    Planned,
}

/// Returns the lengths that the tests of the string or byte string `op` allow, or `None` if they
/// allow all or none. Tests that depend on unknown fields are left out.
pub fn tested<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    moment: Moment,
) -> Option<Lengths> {
    let plan = machine.plan();
    let slot = plan.op(op).slot;
    let is_known = |code| moment == Moment::Written || is_constant(plan, code, slot);
    let mut unit = None;
    let all = Domain::range(0, i128::from(u32::MAX));
    let mut domain = all.clone();
    for check in plan.tests_of(op) {
        let CheckKind::Holds(code) = check.kind else {
            continue;
        };
        let conditions = [Some(code), check.condition];
        if !strict(plan, check.rule) || !conditions.into_iter().flatten().all(is_known) {
            continue;
        }
        let applies = check.condition;
        if applies.is_some_and(|condition| !machine.value(condition, Value::Absent).truth()) {
            continue;
        }
        let Ok(found) = unit_of(plan, code, slot) else {
            continue;
        };
        if found.is_some() && unit.is_some() && found != unit {
            continue;
        }
        let mut narrowed = domain.clone();
        let mut compares_text = false;
        solve::satisfy(plan, op, code, &mut narrowed, &mut |code| {
            let value = match &plan.codes[code.index()] {
                // A comparison with the empty string is a comparison of the length with zero.
                Code::Text(text) => plan.constants[*text].is_empty().then_some(0),
                _ => machine.value(code, Value::Absent).integer(),
            };
            compares_text |= value.is_none();
            value
        });
        if !compares_text {
            unit = unit.or(found);
            domain = narrowed;
        }
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

/// Returns whether a condition involves no field other than the one in `slot`.
fn is_constant(plan: &Plan, code: CodeId, slot: Slot) -> bool {
    let mut is_constant = true;
    each_code(plan, code, &mut |code| {
        is_constant &= match code {
            Code::Slot(other) => *other == slot,
            Code::Int(_)
            | Code::Float(_)
            | Code::Bool(_)
            | Code::Text(_)
            | Code::Absent
            | Code::This
            | Code::OfText(..)
            | Code::Unary(..)
            | Code::Binary(..)
            | Code::Conditional(..) => true,
            _ => false,
        };
    });
    is_constant
}

/// A condition measures a string in several units.
struct SeveralUnits;

/// Returns the unit in which a condition measures the field in `slot`, if it does.
fn unit_of(plan: &Plan, code: CodeId, slot: Slot) -> Result<Option<TextPart>, SeveralUnits> {
    let mut units = Vec::new();
    each_code(plan, code, &mut |code| {
        if let Code::OfText(part, text, _) = code
            && part.is_length()
            && solve::is_field(plan, *text, slot)
            && !units.contains(part)
        {
            units.push(*part);
        }
    });
    match units.as_slice() {
        [] => Ok(None),
        [unit] => Ok(Some(*unit)),
        _ => Err(SeveralUnits),
    }
}

/// The string or byte string whose length is restricted.
#[derive(Clone, Copy, Debug)]
pub struct Fitted<'b> {
    /// The encoding, or `None` for a byte string.
    pub encoding: Option<Encoding>,
    /// The minimum and maximum number of bytes.
    pub bytes: (u64, u64),
    /// The bytes that follow and belong to the value: an included terminator.
    pub end: &'b [u8],
    /// Code units that the value must not contain, such as its terminator.
    pub not: [Option<&'b [u8]>; 2],
}

impl Lengths {
    /// Returns whether the length of a value is allowed.
    pub fn allows(&self, bytes: &[u8], fitted: Fitted<'_>) -> bool {
        self.domain.contains(self.length(bytes, fitted))
    }

    /// Appends letters to a value or removes its last characters, so that its length is allowed. A
    /// value of an allowed length stays unchanged, as does a value for which this is impossible.
    pub fn fit(&self, bytes: &mut Vec<u8>, fitted: Fitted<'_>) {
        if self.allows(bytes, fitted) {
            return;
        }
        let length = self.length(bytes, fitted);
        let letters = ['a', 'b', 'c'].map(|letter| match fitted.encoding {
            Some(_) => encoded(fitted.encoding, letter),
            None => vec![letter as u8],
        });
        let is_free = |letter: &&Vec<u8>| !fitted.not.contains(&Some(letter.as_slice()));
        let letter = letters.iter().find(is_free);
        let (least, most) = fitted.bytes;
        let made = self.nearest(length).take(TRIES).find_map(|wanted| {
            let made = match wanted > length {
                true => self.lengthened(bytes, letter?, wanted - length),
                false => self.shortened(bytes, fitted, wanted),
            };
            made.filter(|made| {
                let is_of_size = (least..=most).contains(&(made.len() as u64));
                is_of_size && self.length(made, fitted) == wanted
            })
        });
        if let Some(made) = made {
            *bytes = made;
        }
    }

    /// Returns the allowed lengths. Unless only certain lengths are allowed, those that are closest
    /// to `length` come first.
    fn nearest(&self, length: i128) -> impl Iterator<Item = i128> {
        let from = length.clamp(self.domain.low, self.domain.high);
        let listed = self.domain.only.iter().flatten().map(|(length, _)| *length);
        let farthest = match self.domain.only {
            Some(_) => 0,
            None => i128::from(LONGEST),
        };
        let near = (0..farthest).flat_map(move |distance| [from + distance, from - distance]);
        let lengths = listed.chain(near);
        lengths.filter(|length| self.domain.contains(*length))
    }

    /// Appends as many letters as add `more` to the length. Returns `None` if the value would be too
    /// long.
    fn lengthened(&self, bytes: &[u8], letter: &[u8], more: i128) -> Option<Vec<u8>> {
        let each = match self.unit {
            TextPart::Size => letter.len() as i128,
            _ => 1,
        };
        let count = usize::try_from(more / each.max(1)).ok()?;
        let size = count.checked_mul(letter.len())?.checked_add(bytes.len())?;
        (size as u64 <= LONGEST).then(|| [bytes, &letter.repeat(count)].concat())
    }

    /// Keeps as many of the first characters as have the length `wanted`.
    fn shortened(&self, bytes: &[u8], fitted: Fitted<'_>, wanted: i128) -> Option<Vec<u8>> {
        let wanted = usize::try_from(wanted - self.length(&[], fitted)).ok()?;
        let text = fitted
            .encoding
            .and_then(|it| Some((decode(bytes, it)?, it)));
        let Some((text, encoding)) = text else {
            return bytes.get(..wanted).map(<[u8]>::to_vec);
        };
        let mut length = 0;
        let mut kept = Vec::new();
        for character in text.chars() {
            let character_bytes = encoded(Some(encoding), character);
            length += match self.unit {
                TextPart::Size => character_bytes.len(),
                TextPart::Units16 => character.len_utf16(),
                _ => 1,
            };
            if length > wanted {
                break;
            }
            kept.extend_from_slice(&character_bytes);
        }
        Some(kept)
    }

    /// Returns the length of a value with its included terminator.
    fn length(&self, bytes: &[u8], fitted: Fitted<'_>) -> i128 {
        let text = |bytes: &[u8]| decode(bytes, fitted.encoding?);
        let length = |bytes: &[u8]| match self.unit {
            TextPart::Length => text(bytes).map_or(bytes.len(), |text| text.chars().count()),
            TextPart::Units16 => {
                text(bytes).map_or(bytes.len(), |text| text.encode_utf16().count())
            }
            _ => bytes.len(),
        };
        (length(bytes) + length(fitted.end)) as i128
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    /// Returns how a value is fitted, and the smallest number of bytes of a letter.
    fn fitted(encoding: u8, most: u64) -> (Fitted<'static>, u64) {
        let (encoding, letter) = match encoding % 3 {
            0 => (None, 1),
            1 => (Some(Encoding::Utf8), 1),
            _ => (Some(Encoding::Utf16Le), 2),
        };
        let fitted = Fitted {
            encoding,
            bytes: (0, most),
            end: &[],
            not: [Some(b"a"), None],
        };
        (fitted, letter)
    }

    quickcheck! {
        fn a_value_gets_an_allowed_length(
            text: String,
            bounds: (u8, u8),
            excluded: Option<u8>,
            encoding: u8,
            most: u8
        ) -> bool {
            let (low, high) = (bounds.0.min(bounds.1).into(), bounds.0.max(bounds.1).into());
            let not = excluded.into_iter().map(i128::from).collect();
            let domain = Domain { not, ..Domain::range(low, high) };
            let lengths = Lengths { unit: TextPart::Length, domain };
            let (fitted, letter) = fitted(encoding, most.into());
            let value = match fitted.encoding {
                Some(encoding) => tracegauge_decoder::text::encode(&text, encoding),
                None => Some(text.into_bytes()),
            };
            let value = value.expect("Unicode");
            let mut made = value.clone();
            lengths.fit(&mut made, fitted);
            if lengths.domain.contains(lengths.length(&value, fitted)) {
                return made == value;
            }
            let is_fitted = lengths.domain.contains(lengths.length(&made, fitted));
            // Every value can be lengthened or shortened to the least allowed length.
            let mut allowed = (low..=high).filter(|length| lengths.domain.contains(*length));
            let is_possible = allowed.next().is_some_and(|least| {
                let characters = lengths.length(&value, fitted);
                let kept = value.len() as u64 + letter * least.saturating_sub(characters).max(0) as u64;
                least < characters || kept <= u64::from(most)
            });
            match is_fitted {
                true => made.len() as u64 <= u64::from(most),
                false => made == value && (!is_possible || value.len() as u64 > u64::from(most)),
            }
        }
    }
}
