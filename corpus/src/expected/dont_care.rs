//! Handles don't-care values, which are members of records that are not compared once a trace
//! triggers a particular rule.

use tracegauge_decoder::record::{Record, Value};

/// A set of don't-care values: all records of a kind, a member of a kind, or the values with a
/// particular type code in a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Freed<'r> {
    kind: &'r str,
    /// The names of the nested members, outermost first. Empty if the set consists of whole
    /// records.
    member: Vec<&'r str>,
    /// The type code of the values, or `None` for all values of the member.
    code: Option<&'r str>,
}

impl<'r> Freed<'r> {
    /// Parses `kind`, `kind.member`, `kind.member.inner` or `kind.member/Code`.
    pub(super) fn parse(text: &'r str) -> Self {
        let (path, code) = match text.split_once('/') {
            Some((path, code)) => (path, Some(code)),
            None => (text, None),
        };
        let mut names = path.split('.');
        Self {
            kind: names.next().unwrap_or_default(),
            member: names.collect(),
            code,
        }
    }

    /// Marks the values as don't-care in all `records`. If all records of a kind are don't-care,
    /// the records from the first one of that kind onward cannot be compared, not even their
    /// number. The function then truncates `records` before the first record of that kind and
    /// returns true.
    pub(super) fn apply(&self, records: &mut Vec<Record>) -> bool {
        let of_kind = |record: &Record| record.kind == self.kind;
        if self.member.is_empty() {
            let first = records.iter().position(of_kind);
            records.truncate(first.unwrap_or(records.len()));
            return first.is_some();
        }
        for record in records.iter_mut().filter(|record| of_kind(record)) {
            self.free_in(&mut record.members, &self.member);
        }
        false
    }

    fn free_in(&self, members: &mut Vec<(String, Value)>, path: &[&str]) {
        let Some((name, rest)) = path.split_first() else {
            return;
        };
        let found = members.iter_mut().find(|(known, _)| known == name);
        match (found, self.code) {
            (Some((_, value)), Some(code)) if rest.is_empty() => free_code(value, code),
            (Some((_, value)), None) if rest.is_empty() => *value = Value::Free,
            (Some((_, Value::Object(inner))), _) => self.free_in(inner, rest),
            // A conforming reader that reads the trace differently may report this member, so the
            // member is added as a don't-care value.
            (None, None) if rest.is_empty() => members.push(((*name).to_owned(), Value::Free)),
            _ => {}
        }
    }
}

/// Marks the values with a particular type code as don't-care at any nesting depth.
fn free_code(value: &mut Value, code: &str) {
    match value {
        Value::Pairs(pairs) => {
            for pair in pairs {
                if pair.code.as_deref() == Some(code) {
                    pair.value = Value::Free;
                } else {
                    free_code(&mut pair.value, code);
                }
            }
        }
        Value::List(items) => items.iter_mut().for_each(|item| free_code(item, code)),
        Value::Object(members) => members
            .iter_mut()
            .for_each(|(_, value)| free_code(value, code)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracegauge_decoder::record::Pair;

    fn record(kind: &str, members: Vec<(&str, Value)>) -> Record {
        let members = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Record {
            kind: kind.to_owned(),
            members,
        }
    }

    fn pair(code: &str, value: Value) -> Pair {
        Pair {
            name: Value::Text("f".to_owned()),
            code: Some(code.to_owned()),
            value,
        }
    }

    #[test]
    fn a_member_is_freed_in_its_kind_only_and_where_absent_too() {
        let mut records = vec![
            record("event", vec![("a", Value::Int(1)), ("b", Value::Int(2))]),
            record("event", vec![("b", Value::Int(2))]),
            record("row", vec![("a", Value::Int(1))]),
        ];
        assert!(!Freed::parse("event.a").apply(&mut records));
        assert_eq!(records[0].member("a"), Some(&Value::Free));
        assert_eq!(records[0].member("b"), Some(&Value::Int(2)));
        assert_eq!(records[1].member("a"), Some(&Value::Free));
        assert_eq!(records[2].member("a"), Some(&Value::Int(1)));
    }

    #[test]
    fn the_values_of_a_code_are_freed_however_deep() {
        let inner = Value::Pairs(vec![pair("Text", Value::Int(3)), pair("U8", Value::Int(4))]);
        let fields = Value::Pairs(vec![pair("Text", Value::Int(1)), pair("Object", inner)]);
        let mut records = vec![record("event", vec![("fields", fields)])];
        Freed::parse("event.fields/Text").apply(&mut records);
        let inner = Value::Pairs(vec![pair("Text", Value::Free), pair("U8", Value::Int(4))]);
        let fields = Value::Pairs(vec![pair("Text", Value::Free), pair("Object", inner)]);
        assert_eq!(records[0].member("fields"), Some(&fields));
    }

    #[test]
    fn a_freed_kind_leaves_open_what_follows_its_first_record() {
        let mut records = vec![
            record("row", vec![]),
            record("event", vec![]),
            record("row", vec![]),
        ];
        assert!(Freed::parse("event").apply(&mut records));
        assert_eq!(records.len(), 1);
        assert!(!Freed::parse("event").apply(&mut records));
    }
}
