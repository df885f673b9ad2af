//! Stores reported records until it is clear which expected records they match.

use std::collections::VecDeque;

use serde_json::{Map, Value as Json};

/// The maximum total size of the stored records in bytes, as estimated by [`Reported::size`].
const SIZE: usize = 1 << 20;

/// Reported records with their indexes.
#[derive(Debug, Default)]
pub(super) struct Window {
    records: VecDeque<Reported>,
    size: usize,
}

/// A reported record.
#[derive(Clone, Debug)]
pub(super) struct Reported {
    pub(super) index: usize,
    pub(super) members: Map<String, Json>,
    size: usize,
}

impl Reported {
    pub(super) fn new(index: usize, members: &Map<String, Json>) -> Self {
        Self {
            index,
            members: members.clone(),
            size: size_of_members(members),
        }
    }

    /// Returns the approximate size of the record in bytes.
    pub(super) fn size(&self) -> usize {
        self.size
    }
}

impl Window {
    pub(super) fn push(&mut self, record: Reported) {
        self.size += record.size;
        self.records.push_back(record);
    }

    pub(super) fn pop(&mut self) -> Option<Reported> {
        let record = self.records.pop_front()?;
        self.size -= record.size;
        Some(record)
    }

    pub(super) fn get(&self, at: usize) -> Option<&Reported> {
        self.records.get(at)
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(super) fn is_full(&self, records: usize) -> bool {
        self.records.len() >= records || self.size > SIZE
    }
}

fn size_of_members(members: &Map<String, Json>) -> usize {
    let sizes = members
        .iter()
        .map(|(name, json)| name.len() + size_of(json));
    sizes.sum()
}

fn size_of(json: &Json) -> usize {
    /// The approximate memory size of a value in bytes, excluding its text or elements.
    const VALUE: usize = 32;
    let inside = match json {
        Json::Null | Json::Bool(_) => 0,
        Json::Number(number) => number.as_str().len(),
        Json::String(text) => text.len(),
        Json::Array(list) => list.iter().map(size_of).sum(),
        Json::Object(members) => size_of_members(members),
    };
    VALUE + inside
}
