//! Detects violations that every reader finds even though readers may interpret an earlier part of
//! the trace differently.
//!
//! If readers may interpret the contents of a sized part differently but agree on its size, they
//! continue at the same position after the part. A negative size, a premature end of the trace, or
//! a part that extends past the end of the trace is then a violation for every reader, unless the
//! violation depends on values that readers may read differently.

use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{CodeId, OpId, Unsure};

use super::{Machine, Stop};
use crate::input::Input;
use crate::visitor::Visitor;

/// The first ambiguity in the trace, and the values that readers agree on after the ambiguity.
#[derive(Debug)]
pub(crate) struct Parted {
    /// The first operation where readers may interpret the trace differently.
    pub op: OpId,
    /// The number of sized parts around the last ambiguity. Readers agree on the position again
    /// once fewer parts are open.
    parts: u32,
    /// Whether all readers are at the same position.
    together: bool,
    /// The values that readers may read differently even at the same position, or `None` if any
    /// value may be read differently.
    unsure: Option<Unsure>,
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Records that, starting with this operation, readers may interpret the trace in different
    /// ways. If an earlier operation has already been recorded, it is kept.
    #[cold]
    pub(super) fn part_ways(&mut self, id: OpId) {
        self.outcome.open = true;
        if self.outcome.parted.is_some() {
            return;
        }
        // A plan that reads values at explicit positions may read them before or after the fields
        // around them, so nothing after the ambiguous place is certain.
        let in_order = !self.plan.whole && self.layouts.viewing == 0 && self.enclosing.parts > 0;
        let unsure = in_order.then(|| self.plan.unsure_behind(id)).flatten();
        self.outcome.parted = Some(Box::new(Parted {
            op: id,
            parts: self.enclosing.parts,
            together: false,
            unsure,
        }));
    }

    /// When an operation begins after an ambiguity, checks whether all readers are at the same
    /// position again.
    pub(super) fn follow_readers(&mut self, id: OpId) {
        let parts = self.enclosing.parts;
        let Some(parted) = self.outcome.parted.as_deref_mut() else {
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

    /// Handles a fault that makes the decoder reject the trace. The rejection is certain only if
    /// every reader finds the fault.
    pub(super) fn settle_fault(&mut self, id: OpId, kind: FaultKind, stop: Stop) -> Stop {
        let is_of_place = matches!(
            kind,
            FaultKind::Eof | FaultKind::Missing | FaultKind::Past | FaultKind::Negative
        );
        self.settle(is_of_place && self.is_sure(id), stop)
    }

    /// Handles a failed test that makes the decoder reject the trace.
    pub(super) fn settle_test(
        &mut self,
        id: OpId,
        mut asked: impl Iterator<Item = CodeId>,
        stop: Stop,
    ) -> Stop {
        let unsure = self
            .outcome
            .parted
            .as_ref()
            .and_then(|it| it.unsure.as_ref());
        let asks = unsure.is_some_and(|unsure| asked.any(|code| unsure.code(code)));
        self.settle(!asks && self.is_sure(id), stop)
    }

    fn settle(&mut self, is_sure: bool, stop: Stop) -> Stop {
        if stop == Stop::Rejected && is_sure {
            self.outcome.open = false;
        }
        stop
    }

    /// Returns whether all readers are at this position and read the same values here.
    fn is_sure(&self, id: OpId) -> bool {
        let parts = self.enclosing.parts;
        self.layouts.viewing == 0
            && self.outcome.parted.as_deref().is_some_and(|parted| {
                let unsure = parted.unsure.as_ref();
                (parted.together || parts < parted.parts)
                    && unsure.is_some_and(|unsure| !unsure.op(id))
            })
    }
}
