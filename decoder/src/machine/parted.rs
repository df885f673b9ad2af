//! Faults that hold for every reader, though readers have parted ways before.
//!
//! Readers that part ways inside a part whose size they have read alike are together again where it
//! ends: what follows is at the same place for all of them. There a size below zero, an end that is
//! missing, or a part that goes past the end of the file is a fault in every reading, as long as
//! nothing in it depends on what was read differently.

use tracegauge_spec::plan::{CodeId, OpId, Unsure};
use tracegauge_spec::schema::FaultKind;

use super::{Machine, Stop};
use crate::input::Input;
use crate::visitor::Visitor;

/// Where readers part ways.
#[derive(Debug)]
pub(crate) struct Parted {
    /// The operation.
    pub op: OpId,
    /// How many sized parts were around it, and around what readers may have read differently
    /// since; they are together again where there are fewer.
    parts: u32,
    /// They are together.
    together: bool,
    /// What they may read differently even then; none where nothing is sure.
    unsure: Option<Unsure>,
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Readers part ways, if they have not before.
    #[cold]
    pub(super) fn part_ways(&mut self, id: OpId) {
        self.open = true;
        if self.parted.is_some() {
            return;
        }
        // What is read at a position may be read before or after what stands around it.
        let in_order = !self.plan.whole && self.viewing == 0 && self.parts > 0;
        let unsure = in_order.then(|| self.plan.unsure_behind(id)).flatten();
        self.parted = Some(Box::new(Parted {
            op: id,
            parts: self.parts,
            together: false,
            unsure,
        }));
    }

    /// An operation begins after readers have parted ways.
    pub(super) fn follow_readers(&mut self, id: OpId) {
        let parts = self.parts;
        let Some(parted) = self.parted.as_deref_mut() else {
            return;
        };
        let Some(unsure) = &parted.unsure else {
            return;
        };
        parted.together |= parts < parted.parts;
        if parted.together && unsure.op(id) {
            parted.together = false;
            parted.parts = parts;
        }
    }

    /// The trace is rejected for a fault of a kind: whether every reader meets it decides what is
    /// said of the trace.
    pub(super) fn settle_fault(&mut self, id: OpId, kind: FaultKind, stop: Stop) -> Stop {
        let is_of_place = matches!(
            kind,
            FaultKind::Eof | FaultKind::Missing | FaultKind::Past | FaultKind::Negative
        );
        self.settle(is_of_place && self.is_sure(id), stop)
    }

    /// The trace is rejected for a test.
    pub(super) fn settle_test(
        &mut self,
        id: OpId,
        mut asked: impl Iterator<Item = CodeId>,
        stop: Stop,
    ) -> Stop {
        let unsure = self.parted.as_ref().and_then(|it| it.unsure.as_ref());
        let asks = unsure.is_some_and(|unsure| asked.any(|code| unsure.code(code)));
        self.settle(!asks && self.is_sure(id), stop)
    }

    fn settle(&mut self, is_sure: bool, stop: Stop) -> Stop {
        if stop == Stop::Rejected && is_sure {
            self.open = false;
        }
        stop
    }

    /// All readers are where this machine is, and read the same there.
    fn is_sure(&self, id: OpId) -> bool {
        let parts = self.parts;
        self.viewing == 0
            && self.parted.as_deref().is_some_and(|parted| {
                let unsure = parted.unsure.as_ref();
                (parted.together || parts < parted.parts)
                    && unsure.is_some_and(|unsure| !unsure.op(id))
            })
    }
}
