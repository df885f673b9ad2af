//! The borrowed view of a record that a visitor receives.

use tracegauge_plan::terms::{EnumId, FlagsId, RuleId};
use tracegauge_plan::{MemberPlan, MemberSource, Plan, RecordPlan, RecordUseId};

use super::{Item, RecordBuffer};
use crate::machine::Source;
use crate::record::{Pair, Record, Value};
use crate::stack;

/// A borrowed record. The view is valid only until the next record is built.
#[derive(Clone, Copy, Debug)]
pub struct RecordView<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The index of the record's plan.
    pub index: RecordUseId,
    /// The record's plan: its kind and members.
    pub record: &'a RecordPlan,
    /// The position of the first byte of the trace that has not been read yet.
    pub end: u64,
    /// Whether an earlier reference names a row that is not defined yet. If the trace never defines
    /// the row, it is rejected at the reference, so it does not have this record.
    pub is_tentative: bool,
    /// The record's values.
    pub buffer: &'a RecordBuffer,
    /// The rules that turn members of the record into don't-care values, if the visitor receives
    /// notes.
    pub freed: &'a [RuleId],
    /// The bytes that the record was read from, if the visitor needs them.
    pub read: Option<ReadFrom<'a>>,
}

/// The bytes of a trace that a record and its items were read from.
#[derive(Clone, Copy, Debug)]
pub struct ReadFrom<'a> {
    /// The structure that produced the record.
    pub whole: Source,
    /// Items of the record's buffer, each with its source. An item may have several sources.
    pub items: &'a [(u32, Source)],
}

impl RecordView<'_> {
    /// Converts the view to an owned record.
    pub fn to_record(&self) -> Record {
        let mut starts = self.buffer.starts.iter().copied();
        let members = self.members(&self.record.members, &mut starts);
        Record {
            kind: self.record.kind.clone(),
            members,
        }
    }

    fn members(
        &self,
        plans: &[MemberPlan],
        starts: &mut impl Iterator<Item = u32>,
    ) -> Vec<(String, Value)> {
        let mut members = Vec::with_capacity(plans.len());
        for plan in plans {
            let value = match &plan.source {
                MemberSource::Value(..) | MemberSource::Named(..) => match starts.next() {
                    Some(start) => self.value(&mut (start as usize)),
                    None => Value::Absent,
                },
                MemberSource::Object(inner) => {
                    let inner = self.members(inner, starts);
                    if inner.is_empty() {
                        Value::Absent
                    } else {
                        Value::Object(inner)
                    }
                }
            };
            if value != Value::Absent {
                members.push((plan.name.clone(), value));
            }
        }
        members
    }

    pub(super) fn value(&self, at: &mut usize) -> Value {
        let Some(item) = self.buffer.items.get(*at).copied() else {
            return Value::Absent;
        };
        *at += 1;
        let slice = |start, end| self.buffer.slice(start, end);
        let text = |start, end| String::from_utf8_lossy(slice(start, end)).into_owned();
        match item {
            Item::Absent => Value::Absent,
            Item::Missing => Value::Missing("nothing there".to_owned()),
            Item::Beyond => Value::Missing("an integer of more than 128 bits".to_owned()),
            Item::Free => Value::Free,
            Item::Bool(value) => Value::Bool(value),
            Item::Unsigned(value) => Value::Int(i128::from(value)),
            Item::Signed(value) => Value::Int(i128::from(value)),
            Item::Wide { start } => Value::Int(self.buffer.wide(start)),
            Item::F32(bits) => Value::F32(bits),
            Item::F64(bits) => Value::F64(bits),
            Item::Text { start, end } => Value::Text(text(start, end)),
            Item::IllFormed { start, end } => Value::IllFormed(slice(start, end).to_vec()),
            Item::Bytes { start, end } => Value::Bytes(slice(start, end).to_vec()),
            Item::Guid { start, end } => Value::Guid(text(start, end)),
            Item::DateTime { start, end } => Value::DateTime(text(start, end)),
            Item::Json { start, end } => {
                // A value that other tools cannot represent may be reported in any form.
                crate::json::value(&text(start, end)).map_or(Value::Free, Value::Json)
            }
            Item::Enum { set, value } => self.member_of(set, value),
            Item::Flags { set, value } => self.flags_of(set, value),
            Item::Name(name) => Value::Text(self.name(name).to_owned()),
            // Deep nesting must not overflow the thread's stack.
            Item::List(end) => stack::deeper(|| self.list(at, end)),
            Item::Object(end) => stack::deeper(|| self.object(at, end)),
            Item::Pairs(end) => stack::deeper(|| self.pairs(at, end)),
            // A type code occurs only in front of a pair.
            Item::Code(..) => self.value(at),
        }
    }

    fn list(&self, at: &mut usize, end: u32) -> Value {
        let mut items = Vec::new();
        while *at < end as usize {
            items.push(self.value(at));
        }
        Value::List(items)
    }

    fn object(&self, at: &mut usize, end: u32) -> Value {
        let mut members = Vec::new();
        while *at < end as usize {
            let Value::Text(name) = self.value(at) else {
                continue;
            };
            let value = self.value(at);
            if value != Value::Absent {
                members.push((name, value));
            }
        }
        Value::Object(members)
    }

    fn pairs(&self, at: &mut usize, end: u32) -> Value {
        let mut pairs = Vec::new();
        while *at < end as usize {
            let code = match self.buffer.items.get(*at) {
                Some(Item::Code(layout, code)) => {
                    *at += 1;
                    let codes = &self.plan.layouts[*layout].codes;
                    codes.get(*code as usize).map(|code| code.name.clone())
                }
                _ => None,
            };
            let name = self.value(at);
            let value = self.value(at);
            pairs.push(Pair { name, code, value });
        }
        Value::Pairs(pairs)
    }

    fn member_of(&self, set: EnumId, value: i64) -> Value {
        let value = i128::from(value);
        let members = &self.plan.enums[set].members;
        match members.iter().find(|member| member.value == value) {
            Some(member) => Value::Enum {
                name: member.name.clone(),
                value,
            },
            None => Value::Int(value),
        }
    }

    fn flags_of(&self, set: FlagsId, value: u64) -> Value {
        let bits = &self.plan.flag_sets[set].bits;
        let set: Vec<&(String, u64)> = bits
            .iter()
            .filter(|(_, mask)| value & mask == *mask)
            .collect();
        let rest = set.iter().fold(value, |rest, (_, mask)| rest & !mask);
        Value::Flags {
            names: set.into_iter().map(|(name, _)| name.clone()).collect(),
            rest,
            value,
        }
    }
}
