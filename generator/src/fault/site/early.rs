//! What is read at a position, before it is come to.
//!
//! Where a wrong position leads depends on the bytes that stand there, so that no rule can be
//! foretold: such fields are not spoilt, and a trace that is read from its end is not cut. Hand
//! written cases show those rules.

use std::collections::HashSet;

use tracegauge_spec::plan::{Code, Kind, OpId, Plan, StreamPart, each_code};

/// Instances at a position.
pub(super) struct Early {
    /// First and one past the last operation of each.
    ranges: Vec<(OpId, u32)>,
    /// The fields that they read early.
    read: HashSet<OpId>,
    /// The first that is counted from the end of a stream.
    from_end: Option<OpId>,
}

impl Early {
    /// Looks through `plan`.
    pub(super) fn new(plan: &Plan) -> Self {
        let mut early = Self {
            ranges: Vec::new(),
            read: HashSet::new(),
            from_end: None,
        };
        for (index, op) in plan.ops.iter().enumerate() {
            let Kind::At(location) = op.kind else {
                continue;
            };
            let id = OpId(u32::try_from(index).unwrap_or(u32::MAX));
            let location = &plan.locations[location as usize];
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

    /// Part of an instance at a position.
    pub(super) fn is_inside(&self, id: OpId) -> bool {
        self.ranges
            .iter()
            .any(|(first, end)| *first <= id && id.0 < *end)
    }

    /// Its value has been read before it is come to.
    pub(super) fn is_read(&self, id: OpId) -> bool {
        self.read.contains(&id)
    }

    /// Something was counted from the end before this.
    pub(super) fn is_after_the_end(&self, id: OpId) -> bool {
        self.from_end.is_some_and(|first| first < id)
    }

    /// Bytes behind the trace would move what is counted from its end.
    pub(super) fn moves_with_the_end(&self) -> bool {
        self.from_end.is_some()
    }
}
