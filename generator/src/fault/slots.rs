//! Finds the operations that fill the slots of a plan with values, positions or counts, and the
//! operations that depend on slots. A slot stores a value that expressions read.

use std::collections::HashSet;

use tracegauge_plan::{
    Code, CodeId, Count, Derived, Extent, Kind, Measure, OpId, Plan, RowSource, Slot, flags,
};

/// A source of the value in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// The value of an operation.
    Value(OpId),
    /// The start position of an operation.
    Start(OpId),
    /// The end position of an operation.
    End(OpId),
    /// The number of elements of a list.
    Length(OpId),
    /// The row that a reference refers to.
    Row(OpId),
    /// A query over a list, identified by its index.
    Fold(OpId, usize),
    /// A value from the previous element of a list, identified by its index.
    Previous(OpId, usize),
}

impl Holder {
    pub(super) fn op(self) -> OpId {
        match self {
            Self::Value(op)
            | Self::Start(op)
            | Self::End(op)
            | Self::Length(op)
            | Self::Row(op)
            | Self::Fold(op, _)
            | Self::Previous(op, _) => op,
        }
    }
}

/// The sources of all slots.
#[derive(Clone, Debug)]
pub(super) struct SlotIndex {
    /// All sources of each slot, in the order of the plan. A type that is used several times shares
    /// its slots, so a slot may have several sources.
    holders: Vec<Vec<Holder>>,
    /// Slots that control which fields are read, or how many bytes or elements are read.
    feedback: HashSet<u32>,
    /// Operations whose size is stored in another field.
    measured: HashSet<OpId>,
    /// Lists whose number of elements is stored in another field.
    counted: HashSet<OpId>,
    /// Operations whose end position affects the value of another field.
    ended: HashSet<OpId>,
}

impl SlotIndex {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut holders = vec![Vec::new(); plan.slots as usize];
        let mut put = |slot: Slot, holder| {
            if let Some(place) = holders.get_mut(slot.index()) {
                place.push(holder);
            }
        };
        for (index, (op, info)) in plan.ops.iter().zip(&plan.infos).enumerate() {
            let id = OpId::from(index);
            if op.flags & flags::SLOT != 0 {
                put(op.slot, Holder::Value(id));
            }
            if let Some((start, end)) = info.span_slots {
                put(start, Holder::Start(id));
                put(end, Holder::End(id));
            }
            if let Kind::Repeat(repeat) = op.kind {
                let repeat = &plan.repeats[repeat];
                if let Some(slot) = repeat.length_slot {
                    put(slot, Holder::Length(id));
                }
                for (number, fold) in repeat.folds.iter().enumerate() {
                    put(fold.slot, Holder::Fold(id, number));
                }
                for (number, previous) in repeat.previous.iter().enumerate() {
                    put(previous.slot, Holder::Previous(id, number));
                }
            }
            let refs = info.refs.map(|refs| &plan.refs[refs]);
            if let Some(slot) = refs.and_then(|refs| refs.row_slot) {
                put(slot, Holder::Row(id));
            }
        }
        Self {
            ended: ended(plan, &holders),
            holders,
            feedback: feedback(plan),
            measured: measured(plan, Measure::Size),
            counted: measured(plan, Measure::Count),
        }
    }

    /// Returns all sources of a slot, ordered by their distance from `near`: first the sources
    /// inside `near`, then those before `near`, then those after `near`.
    pub(super) fn holders(&self, plan: &Plan, slot: Slot, near: OpId) -> Vec<Holder> {
        let known = self.holders.get(slot.index());
        let mut holders = known.cloned().unwrap_or_default();
        if holders.len() > 1 {
            let inside = near.0..plan.op(near).end.max(near.0 + 1);
            holders.sort_by_key(|holder| {
                let at = holder.op();
                let place = match at {
                    _ if inside.contains(&at.0) => 0,
                    _ if at < near => 1,
                    _ => 2,
                };
                (place, at.0.abs_diff(near.0))
            });
        }
        holders
    }

    /// Returns the field nearest to `near` whose value fills a slot.
    pub(super) fn field(&self, plan: &Plan, slot: Slot, near: OpId) -> Option<OpId> {
        match self.holders(plan, slot, near).first()? {
            Holder::Value(op) => Some(*op),
            _ => None,
        }
    }

    /// Returns whether the value of an operation controls which fields are read, or how many bytes
    /// or elements are read.
    pub(super) fn steers(&self, plan: &Plan, op: OpId) -> bool {
        self.feedback.contains(&plan.op(op).slot.0)
    }

    /// Returns whether the size of an operation is stored in another field.
    pub(super) fn is_measured(&self, op: OpId) -> bool {
        self.measured.contains(&op)
    }

    /// Returns whether the size or the end position of an operation is stored in another field.
    pub(super) fn has_stored_end(&self, op: OpId) -> bool {
        self.is_measured(op) || self.ended.contains(&op)
    }

    /// Returns whether the number of elements of a list is stored in another field.
    pub(super) fn is_counted(&self, op: OpId) -> bool {
        self.counted.contains(&op)
    }
}

fn measured(plan: &Plan, wanted: Measure) -> HashSet<OpId> {
    plan.infos
        .iter()
        .filter_map(|info| match info.derived {
            Some(Derived::Measured { of, measure, .. }) if measure == wanted => Some(of),
            _ => None,
        })
        .collect()
}

/// Returns the operations whose end position occurs in the expression of a computed field.
fn ended(plan: &Plan, holders: &[Vec<Holder>]) -> HashSet<OpId> {
    let mut slots = HashSet::new();
    for info in &plan.infos {
        if let Some(Derived::Computed(code)) = info.derived {
            slots_in(plan, code, &mut slots);
        }
    }
    let read = slots
        .into_iter()
        .filter_map(|slot| holders.get(slot as usize));
    let ends = read.flatten().filter_map(|holder| match holder {
        Holder::End(op) => Some(*op),
        _ => None,
    });
    ends.collect()
}

/// Returns the slots used in conditions, sizes, counts and switches.
fn feedback(plan: &Plan) -> HashSet<u32> {
    let mut slots = HashSet::new();
    for op in &plan.ops {
        if op.flags & flags::GUARD != 0 {
            slots_in(plan, op.guard, &mut slots);
        }
        match &op.kind {
            Kind::Bytes(Extent::Computed(code))
            | Kind::Text(Extent::Computed(code), _)
            | Kind::Sized(Extent::Computed(code)) => slots_in(plan, *code, &mut slots),
            Kind::Switch(index) => slots_in(plan, plan.switches[*index].on, &mut slots),
            Kind::Repeat(index) => match plan.repeats[*index].count {
                Count::Computed(code) | Count::Until(code) => slots_in(plan, code, &mut slots),
                Count::ToEnd => {}
            },
            _ => {}
        }
    }
    for layout in &plan.layouts {
        let presence = layout.optional.as_ref();
        slots.extend(presence.map(|(_, presence)| plan.op(*presence).slot.0));
    }
    slots
}

/// Adds the slots that an expression reads.
pub(super) fn slots_in(plan: &Plan, code: CodeId, slots: &mut HashSet<u32>) {
    for code in plan.expressions_in(code) {
        match code {
            Code::Slot(slot)
            | Code::Column(RowSource::Slot(slot), _)
            | Code::HasRow(RowSource::Slot(slot))
            | Code::Row(RowSource::Slot(slot))
            | Code::RowKind(_, RowSource::Slot(slot)) => {
                slots.insert(slot.0);
            }
            Code::Between(start, end) => slots.extend([start.0, end.0]),
            _ => {}
        }
    }
}

/// Returns the constant integers in an expression.
pub(super) fn constants_in(plan: &Plan, code: CodeId) -> Vec<i128> {
    let codes = plan.expressions_in(code);
    let mut found: Vec<i128> = codes
        .filter_map(|code| match code {
            Code::Int(value) => Some(*value),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
