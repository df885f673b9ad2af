//! Collects all differences between two records.

use std::collections::HashMap;

use serde_json::{Map, Value as Json};
use tracegauge_decoder::record::{Record, Value};

use super::super::shape::as_pair;
use super::super::tally::{NO_MEMBER, is_empty, is_owed};
use super::super::value::{Mismatch, compare_value, holds_nothing, shown, shown_json, step_of};

/// A predicate that returns true if a member may be missing. The arguments are the member's name as
/// `record.member` and a flag that says whether its value is empty.
pub(super) type IsExcused<'x> = &'x dyn Fn(&str, bool) -> bool;

/// Returns at most `limit` differences between the members of two records of the same kind.
pub(super) fn differences(
    expected: &Record,
    actual: &Map<String, Json>,
    is_excused: IsExcused<'_>,
    limit: usize,
) -> Vec<Mismatch> {
    let mut found = Found {
        list: Vec::new(),
        limit,
        is_excused,
        right: HashMap::new(),
    };
    let is_kind = |name: &str| name == "record";
    found.members(&expected.members, actual, is_kind, &expected.kind);
    found.list
}

/// Returns the number of correctly reported members of a record, and the number of members
/// compared. Missing members and those that `is_ignored` selects are not counted in either number.
pub(super) fn agreement(
    expected: &Record,
    actual: &Map<String, Json>,
    is_ignored: impl Fn(&str) -> bool,
) -> (usize, usize) {
    let (mut all, mut right) = (0, 0);
    for (name, value) in &expected.members {
        let Some(json) = actual.get(name).filter(|_| !is_ignored(name)) else {
            continue;
        };
        all += 1;
        right += usize::from(compare_value(value, json).is_ok());
    }
    (right, all)
}

struct Found<'x> {
    list: Vec<Mismatch>,
    limit: usize,
    is_excused: IsExcused<'x>,
    /// Whether each list or object that has been compared is right, by the address of the expected
    /// value. Without it, comparing deeply nested values would take quadratic time.
    right: HashMap<*const Value, bool>,
}

impl Found<'_> {
    fn is_full(&self) -> bool {
        self.list.len() >= self.limit
    }

    fn push(&mut self, mismatch: Mismatch) {
        if !self.is_full() {
            self.list.push(mismatch);
        }
    }

    /// Collects the differences that `collect` finds, and prepends `step` to their paths.
    fn within(&mut self, step: impl Fn() -> String, collect: impl FnOnce(&mut Self)) {
        let before = self.list.len();
        collect(self);
        for mismatch in &mut self.list[before..] {
            mismatch.add_step(step());
        }
    }

    fn members(
        &mut self,
        expected: &[(String, Value)],
        actual: &Map<String, Json>,
        is_ours: impl Fn(&str) -> bool,
        context: &str,
    ) {
        for (name, value) in expected {
            let step = || format!(".{name}");
            let context = format!("{context}.{name}");
            match actual.get(name) {
                Some(json) => self.within(step, |found| found.value(value, json, &context)),
                None if is_owed(value) && !(self.is_excused)(&context, is_empty(value)) => {
                    let mismatch = Mismatch::whole(shown(value), NO_MEMBER.to_owned());
                    self.push(mismatch.within(step()));
                }
                None => {}
            }
        }
        for (name, json) in actual {
            let is_known = is_ours(name) || expected.iter().any(|(known, _)| known == name);
            if !is_known && !holds_nothing(json) {
                let mismatch = Mismatch::whole(NO_MEMBER.to_owned(), shown_json(json));
                self.push(mismatch.within(step_of(name)));
            }
        }
    }

    fn value(&mut self, expected: &Value, actual: &Json, context: &str) {
        if self.is_full() {
            return;
        }
        if self.is_right(expected, actual) {
            return;
        }
        match (expected, actual) {
            (Value::List(items), Json::Array(list)) if items.len() == list.len() => {
                let context = format!("{context}[]");
                for (index, (item, json)) in items.iter().zip(list).enumerate() {
                    let step = || format!("[{index}]");
                    self.within(step, |found| found.value(item, json, &context));
                }
            }
            (Value::Pairs(pairs), Json::Array(list)) if pairs.len() == list.len() => {
                let named: Option<Vec<&Json>> = pairs
                    .iter()
                    .zip(list)
                    .map(|(pair, json)| {
                        let (name, value) = as_pair(json)?;
                        compare_value(&pair.name, name).is_ok().then_some(value)
                    })
                    .collect();
                let Some(values) = named else {
                    return self.push_whole(expected, actual);
                };
                let context = format!("{context}[]");
                for (index, (pair, json)) in pairs.iter().zip(values).enumerate() {
                    let step = || format!("[{index}].value");
                    self.within(step, |found| found.value(&pair.value, json, &context));
                }
            }
            (Value::Object(members), Json::Object(map)) => {
                self.members(members, map, |_| false, context);
            }
            _ => self.push_whole(expected, actual),
        }
    }

    fn push_whole(&mut self, expected: &Value, actual: &Json) {
        if let Err(mismatch) = compare_value(expected, actual) {
            self.push(mismatch);
        }
    }

    /// Returns whether [`compare_value`] finds no difference.
    fn is_right(&mut self, expected: &Value, actual: &Json) -> bool {
        if let Some(known) = self.right.get(&std::ptr::from_ref(expected)) {
            return *known;
        }
        let is_right = match (expected, actual) {
            (Value::List(items), Json::Array(list)) => {
                let mut pairs = items.iter().zip(list);
                items.len() == list.len() && pairs.all(|(item, json)| self.is_right(item, json))
            }
            (Value::Object(members), Json::Object(map)) => {
                let is_right = members.iter().all(|(name, value)| {
                    let json = map.get(name);
                    json.is_none_or(|json| self.is_right(value, json))
                });
                let is_known = |name: &str| members.iter().any(|(known, _)| known == name);
                is_right
                    && !map
                        .iter()
                        .any(|(name, json)| !is_known(name) && !holds_nothing(json))
            }
            _ => return compare_value(expected, actual).is_ok(),
        };
        self.right.insert(expected, is_right);
        is_right
    }
}
