//! Keeps values unique in fields whose values must differ between elements: values already in use
//! are not chosen again.

use std::borrow::Cow;

use tracegauge_decoder::{Input, Value};
use tracegauge_plan::OpId;

use super::super::{Directed, Emitter, domain};
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

/// Makes a string differ from the strings already in use.
pub(super) fn distinguish<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    list: OpId,
    bytes: &mut Vec<u8>,
) {
    let base = bytes.len();
    let used = machine.visitor_mut().used.entry(list).or_default();
    let mut number = used.len();
    while used.contains(bytes.as_slice()) {
        number += 1;
        bytes.truncate(base);
        bytes.extend_from_slice(number.to_string().as_bytes());
    }
    used.insert(bytes.clone());
}
