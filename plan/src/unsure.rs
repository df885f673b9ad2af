//! Finds the fields that conforming readers may read differently because of an ambiguity inside a
//! part with a known size. Such a field comes after the part and depends on values read inside it
//! or on the decoder's state.

use super::steps::{each_code, slots_of};
use super::{Code, CodeId, Count, Extent, Kind, OpId, Plan, RowSource, Slot, flags};

/// The operations and expressions of a plan whose results can differ between conforming readers.
#[derive(Clone, Debug)]
pub struct Unsure {
    ops: Vec<bool>,
    codes: Vec<bool>,
}

impl Unsure {
    /// Returns whether readers may disagree about the presence, value or size of the element that
    /// this operation reads.
    pub fn op(&self, id: OpId) -> bool {
        self.ops.get(id.index()).copied().unwrap_or(true)
    }

    /// Returns whether readers may compute different values for an expression.
    pub fn code(&self, id: CodeId) -> bool {
        self.codes.get(id.index()).copied().unwrap_or(false)
    }
}

impl Plan {
    /// Finds the operations and expressions after the sized part around `parted` whose results can
    /// differ between readers. `parted` is the first operation on which readers disagree. Returns
    /// `None` if no sized part encloses `parted`.
    pub fn unsure_behind(&self, parted: OpId) -> Option<Unsure> {
        let part = self.part_around(parted)?;
        let mut finder = Finder {
            plan: self,
            slots: vec![false; self.slots as usize],
            found: Unsure {
                ops: vec![false; self.ops.len()],
                codes: vec![false; self.codes.len()],
            },
        };
        for id in part.0..self.op(part).end {
            finder.values_of(OpId(id));
        }
        finder.lists();
        while finder.spread() {}
        Some(finder.found)
    }

    /// Returns the innermost sized part around an operation.
    fn part_around(&self, id: OpId) -> Option<OpId> {
        let mut around = self.info(id).parent;
        while let Some(at) = around {
            if matches!(self.op(at).kind, Kind::Sized(_)) {
                return Some(at);
            }
            around = self.info(at).parent;
        }
        None
    }
}

struct Finder<'p> {
    plan: &'p Plan,
    slots: Vec<bool>,
    found: Unsure,
}

impl Finder<'_> {
    fn slot(&self, slot: Slot) -> bool {
        self.slots.get(slot.index()).copied().unwrap_or(false)
    }

    fn mark(&mut self, slot: Slot) {
        if let Some(marked) = self.slots.get_mut(slot.index()) {
            *marked = true;
        }
    }

    /// Marks as uncertain the slots that an operation writes.
    fn values_of(&mut self, id: OpId) {
        let plan = self.plan;
        if plan.op(id).flags & flags::SLOT != 0 {
            self.mark(plan.op(id).slot);
        }
        let info = plan.info(id);
        if let Some((start, end)) = info.span_slots {
            self.mark(start);
            self.mark(end);
        }
        for (_, outside) in &info.exports {
            self.mark(*outside);
        }
    }

    /// Marks two kinds of slots as uncertain: slots in which lists store values of one element for
    /// the next element, and slots that store the rows that fields refer to.
    fn lists(&mut self) {
        let plan = self.plan;
        for repeat in &plan.repeats {
            let carried = repeat.carried.iter().map(|(slot, _)| *slot);
            let previous = repeat.previous.iter().map(|previous| previous.slot);
            let folds = repeat.folds.iter().map(|fold| fold.slot);
            for slot in carried.chain(previous).chain(folds) {
                self.mark(slot);
            }
        }
        for refs in &plan.refs {
            if let Some(slot) = refs.row_slot {
                self.mark(slot);
            }
        }
    }

    /// Marks everything that depends on the results marked so far. Returns `false` if nothing new
    /// was marked.
    fn spread(&mut self) -> bool {
        let plan = self.plan;
        let before = self.slots.iter().filter(|marked| **marked).count();
        for index in 0..plan.codes.len() {
            let id = CodeId::from(index);
            self.found.codes[index] = self.depends(id);
        }
        for index in 0..plan.ops.len() {
            let id = OpId::from(index);
            if self.reads_unsure(id) {
                self.found.ops[index] = true;
                self.values_of(id);
            }
        }
        before != self.slots.iter().filter(|marked| **marked).count()
    }

    /// Returns whether an expression reads the decoder's state or an uncertain slot.
    fn depends(&self, id: CodeId) -> bool {
        let mut depends = false;
        each_code(self.plan, id, &mut |code| {
            let of_state = matches!(
                code,
                Code::Register(_)
                    | Code::Column(..)
                    | Code::HasRow(_)
                    | Code::Row(_)
                    | Code::RowKind(..)
            );
            depends |= of_state || slots_of(code).any(|slot| self.slot(slot));
        });
        depends
    }

    /// Returns whether the presence, value or size of the element that an operation reads depends
    /// on uncertain values.
    fn reads_unsure(&self, id: OpId) -> bool {
        let plan = self.plan;
        let op = plan.op(id);
        let of = |id: CodeId| self.found.code(id);
        let extent = |extent: &Extent| matches!(extent, Extent::Computed(code) if of(*code));
        // A carried value depends on earlier elements.
        if op.flags & flags::CARRY != 0 || op.flags & flags::GUARD != 0 && of(op.guard) {
            return true;
        }
        match &op.kind {
            // The types of these values depend on type codes or field descriptions in the file
            // itself.
            Kind::Layout(_) | Kind::Nested(_) => true,
            Kind::Bind(code) => of(*code),
            Kind::Bytes(size) | Kind::Text(size, _) | Kind::Sized(size) => extent(size),
            Kind::Repeat(index) => match plan.repeats[*index].count {
                Count::ToEnd => false,
                Count::Computed(code) | Count::Until(code) => of(code),
            },
            Kind::Switch(index) => {
                let switch = &plan.switches[*index];
                let described = switch.described.as_ref();
                of(switch.on)
                    || switch.computed.iter().any(|(code, _)| of(*code))
                    || described.is_some_and(
                        |(row, ..)| !matches!(row, RowSource::Slot(slot) if !self.slot(*slot)),
                    )
            }
            Kind::At(index) => plan.locations[*index].offset.is_some_and(of),
            Kind::Call(_)
            | Kind::Structure
            | Kind::Integer(_)
            | Kind::Float { .. }
            | Kind::Variable(..)
            | Kind::BitRun { .. }
            | Kind::Bits { .. }
            | Kind::Guid(_)
            | Kind::Contents(_)
            | Kind::Terminated(_)
            | Kind::Check
            | Kind::Align { .. } => false,
        }
    }
}
