//! Finds the instances (Kaitai Struct's term for fields outside the sequence of a type) that are
//! read at a computed position, and the fields of a sequence that such an instance reads ahead.
//!
//! The effect of a wrong position depends on the bytes at that position, so the violated rule
//! cannot be predicted. Therefore, no faults are planted in these instances, sizes and counts that
//! are read ahead are not changed, and the file is not cut at fields after an instance that is
//! located relative to the end of a stream. Handwritten cases (vectors) cover these rules.

use std::collections::HashSet;

use tracegauge_plan::{Code, Kind, OpId, Plan, StreamPart, each_code};

/// The instances located by a position.
pub(in crate::fault) struct Early {
    /// The range of operations of each instance: its first operation, and the number of the
    /// operation after its last operation.
    ranges: Vec<(OpId, u32)>,
    /// The fields whose values are read ahead.
    read: HashSet<OpId>,
    /// The first instance whose position is measured from the end of a stream.
    from_end: Option<OpId>,
}

impl Early {
    /// Analyzes `plan`.
    pub(in crate::fault) fn new(plan: &Plan) -> Self {
        let mut early = Self {
            ranges: Vec::new(),
            read: HashSet::new(),
            from_end: None,
        };
        for (index, op) in plan.ops.iter().enumerate() {
            let Kind::At(location) = op.kind else {
                continue;
            };
            let id = OpId::from(index);
            let location = &plan.locations[location];
            early.ranges.push((id, op.end));
            early.read.extend(location.same_as);
            let mut from_end = false;
            if let Some(offset) = location.offset {
                each_code(plan, offset, &mut |code| {
                    from_end |= matches!(code, Code::Stream(_, StreamPart::Size));
                });
            }
            if from_end {
                early.from_end.get_or_insert(id);
            }
        }
        early
    }

    /// Returns whether an operation is part of an instance located by a position.
    pub(in crate::fault) fn is_inside(&self, id: OpId) -> bool {
        self.ranges
            .iter()
            .any(|(first, end)| *first <= id && id.0 < *end)
    }

    /// Returns whether the value of a field is read ahead.
    pub(in crate::fault) fn is_read(&self, id: OpId) -> bool {
        self.read.contains(&id)
    }

    /// Returns whether an operation comes after an instance whose position is measured from the end
    /// of a stream.
    pub(in crate::fault) fn is_after_the_end(&self, id: OpId) -> bool {
        self.from_end.is_some_and(|first| first < id)
    }

    /// Returns whether appending bytes to the trace would move an instance whose position is
    /// measured from the end.
    pub(in crate::fault) fn moves_with_the_end(&self) -> bool {
        self.from_end.is_some()
    }
}
