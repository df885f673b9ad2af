//! Keeps values unique in fields whose values must differ between elements: values already in use
//! are not chosen again.

use std::borrow::Cow;

use tracegauge_decoder::text::encode;
use tracegauge_decoder::{Input, Value};
use tracegauge_plan::OpId;
use tracegauge_plan::terms::Encoding;

use super::super::length::{Fitted, Lengths};
use super::super::{Directed, Emitter, domain, text};
use crate::tape::Choices;

/// Excludes a value from a domain.
pub(super) fn rule_out(domain: &mut domain::Domain, value: i128) {
    domain.not.push(value);
    if let Some(only) = &mut domain.only {
        only.retain(|(known, _)| *known != value);
    }
}

/// Encodes a number as an entry for the set of values that a list already uses.
fn in_use(op: OpId, value: i128) -> Vec<u8> {
    let mut key = vec![0xff];
    key.extend_from_slice(&op.0.to_le_bytes());
    key.extend_from_slice(&value.to_le_bytes());
    key
}

/// Returns the values of a field that other elements already have, if the values must differ.
pub fn taken<C: Choices, const TREE: bool>(emitter: &Emitter<'_, C, TREE>, op: OpId) -> Vec<i128> {
    let list = emitter.index.unique.get(&op);
    let list = list.filter(|_| !emitter.options.odd);
    let Some(used) = list.and_then(|list| emitter.used.get(list)) else {
        return Vec::new();
    };
    let mine = in_use(op, 0);
    let values = used.iter().filter_map(|key| {
        let value = key.strip_prefix(&mine[..5])?;
        value.try_into().ok().map(i128::from_le_bytes)
    });
    values.collect()
}

/// Excludes the values that other elements already have.
pub(super) fn differing<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Cow<'_, domain::Domain>,
) {
    for value in taken(machine.visitor(), op) {
        rule_out(domain.to_mut(), value);
    }
}

/// Marks a value as used, unless the field may repeat it.
pub(super) fn differs<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
) {
    let index = machine.visitor().index;
    let Some(list) = index.unique.get(&op).copied() else {
        return;
    };
    let excepted = index.excepted.get(&op).into_iter().flatten();
    for except in excepted {
        if machine.value(*except, Value::Absent).integer() == Some(value) {
            return;
        }
    }
    let used = machine.visitor_mut().used.entry(list).or_default();
    used.insert(in_use(op, value));
}

/// The strings that a field may contain.
#[derive(Clone, Copy, Debug)]
pub struct Fits<'b> {
    /// The encoding, size and excluded code units.
    pub fitted: Fitted<'b>,
    /// The allowed lengths, or `None` if all lengths are allowed.
    pub lengths: Option<&'b Lengths>,
    /// The only allowed strings, or `None` if others are allowed, too.
    pub only: Option<&'b [Vec<u8>]>,
}

impl Fits<'_> {
    fn allows(&self, bytes: &[u8]) -> bool {
        let (least, most) = self.fitted.bytes;
        let mut excluded = self.fitted.not.iter().flatten();
        (least..=most).contains(&(bytes.len() as u64))
            && self.lengths.is_none_or(|it| it.allows(bytes, self.fitted))
            && self
                .only
                .is_none_or(|only| only.iter().any(|it| it == bytes))
            && !excluded.any(|unit| bytes.chunks(unit.len()).any(|it| it == *unit))
    }
}

/// The number of attempts to find another string, in addition to one for each string in use.
const ATTEMPTS: usize = 64;

/// Makes a string differ from the strings already in use, if the field's values must differ. If no
/// allowed string is left, the string stays unchanged.
pub fn distinguish<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    bytes: &mut Vec<u8>,
    fits: Fits<'_>,
) {
    let emitter = machine.visitor_mut();
    let list = emitter.index.unique.get(&op);
    let Some(list) = list.filter(|_| !emitter.options.odd) else {
        return;
    };
    let used = emitter.used.entry(*list).or_default();
    if used.contains(bytes.as_slice()) {
        let listed = fits.only.into_iter().flatten().cloned();
        let first = used.len() + 1;
        let numbers = first..first.saturating_mul(2).saturating_add(ATTEMPTS);
        let numbered = numbers.flat_map(|number| {
            let encoding = fits.fitted.encoding;
            [
                Some(lengthened(bytes, number, encoding)),
                replaced(bytes, number, encoding),
                Some(spelt(&compact(number), encoding)),
            ]
        });
        let mut others = listed.chain(numbered.flatten());
        if let Some(other) = others.find(|it| !used.contains(it) && fits.allows(it)) {
            *bytes = other;
        }
    }
    used.insert(bytes.clone());
}

/// Appends a number to a string.
fn lengthened(bytes: &[u8], number: usize, encoding: Option<Encoding>) -> Vec<u8> {
    [bytes, &spelt(&number.to_string(), encoding)].concat()
}

/// Replaces the end of a string with a number, so that the length stays the same. Returns `None` if
/// the string is too short.
fn replaced(bytes: &[u8], number: usize, encoding: Option<Encoding>) -> Option<Vec<u8>> {
    let suffix = spelt(&compact(number), encoding);
    let kept = bytes.len().checked_sub(suffix.len())?;
    // The string may end in the middle of a character if it is cut, so all of it is replaced.
    let mut made = Vec::with_capacity(bytes.len());
    text::fill(&mut made, encoding, kept as u64);
    made.extend_from_slice(&suffix);
    (made.len() == bytes.len()).then_some(made)
}

/// Returns a short text for a number, in which each character has one of 36 values.
fn compact(number: usize) -> String {
    let mut digits = Vec::new();
    let mut rest = number;
    while rest > 0 || digits.is_empty() {
        digits.extend(
            u32::try_from(rest % 36)
                .ok()
                .and_then(|it| char::from_digit(it, 36)),
        );
        rest /= 36;
    }
    digits.iter().rev().collect()
}

/// Encodes the digits of a number.
fn spelt(digits: &str, encoding: Option<Encoding>) -> Vec<u8> {
    let encoded = encoding.and_then(|encoding| encode(digits, encoding));
    encoded.unwrap_or_else(|| digits.as_bytes().to_vec())
}
