//! Checks that keys are unique among the elements of a list.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use tracegauge_plan::{OpId, RepeatId};

use super::{Flow, Machine};
use crate::input::Input;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

/// The maximum number of keys that are compared one by one.
const FEW: usize = 8;

/// A set of keys.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// All keys, concatenated.
    bytes: Vec<u8>,
    /// The start and end of each key in `bytes`.
    places: Vec<(usize, usize)>,
    /// A hash table with the indexes of the keys. The table is used once there are more than `FEW`
    /// keys.
    many: HashTable<usize>,
    hasher: DefaultHashBuilder,
}

impl Keys {
    /// Removes all keys but keeps the allocated memory.
    fn clear(&mut self) {
        self.bytes.clear();
        self.places.clear();
        self.many.clear();
    }

    fn key(&self, number: usize) -> &[u8] {
        let (start, end) = self.places[number];
        &self.bytes[start..end]
    }

    /// Adds a key. Returns `false` if the set already contains the key.
    fn insert(&mut self, key: &[u8]) -> bool {
        let known = if self.places.len() <= FEW {
            (0..self.places.len()).any(|number| self.key(number) == key)
        } else {
            let hash = self.hasher.hash_one(key);
            self.many
                .find(hash, |number| self.key(*number) == key)
                .is_some()
        };
        if known {
            return false;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(key);
        self.places.push((start, self.bytes.len()));
        if self.places.len() > FEW {
            let first = self.many.len();
            for number in first..self.places.len() {
                self.index(number);
            }
        }
        true
    }

    fn index(&mut self, number: usize) {
        let (bytes, places, hasher) = (&self.bytes, &self.places, &self.hasher);
        let hash = |number: &usize| {
            let (start, end) = places[*number];
            hasher.hash_one(&bytes[start..end])
        };
        self.many.insert_unique(hash(&number), number, hash);
    }
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Returns empty sets of keys.
    pub(super) fn key_sets(&mut self, count: usize) -> Vec<Keys> {
        let mut sets = Vec::new();
        for _ in 0..count {
            let mut set = self.keys.pop().unwrap_or_default();
            set.clear();
            sets.push(set);
        }
        sets
    }

    /// Checks that the keys of an element are unique.
    pub(super) fn unique(
        &mut self,
        id: OpId,
        index: RepeatId,
        start: u64,
        keys: &mut [Keys],
    ) -> Flow {
        let plan = self.plan;
        for (unique, known) in plan.repeats[index].unique.iter().zip(keys) {
            let value = self.evaluate(unique.by, Value::Absent);
            let excepted = unique.except.iter().any(|except| {
                let except = self.evaluate(*except, value);
                self.equal(except, value)
            });
            if excepted || matches!(value, Value::Absent) {
                continue;
            }
            let new = match (value.integer(), self.text_of(value)) {
                (Some(number), _) => known.insert(&number.to_le_bytes()),
                (None, Some(text)) => known.insert(text),
                (None, None) => known.insert(&[]),
            };
            if !new {
                let span = Span {
                    start,
                    end: self.position,
                };
                let shown = self.shown_value(value);
                self.breach(
                    OpId(id.0 + 1),
                    unique.rule,
                    span,
                    format_args!("{shown} occurs again"),
                )?;
            }
        }
        Ok(())
    }
}
