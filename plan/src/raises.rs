//! Decides whether an operation can raise a fault.

use super::{CheckKind, Count, Ending, Extent, Kind, NestedForm, OpId, Plan, flags};
use crate::NestedId;
use crate::terms::{Encoding, FaultKind};

impl Plan {
    /// Returns whether an operation can raise this fault. A mapping from faults to rules applies to
    /// everything inside the element that declares it, so most operations have rules for faults
    /// that they never raise.
    pub fn raises(&self, id: OpId, fault: FaultKind) -> bool {
        let (plan, op) = (self, self.op(id));
        let checked = |wanted: fn(&CheckKind) -> bool| {
            let mut tests = plan.tests_of(id).iter();
            tests.any(|test| wanted(&test.kind))
        };
        let computed = matches!(
            op.kind,
            Kind::Sized(Extent::Computed(_))
                | Kind::Bytes(Extent::Computed(_))
                | Kind::Text(Extent::Computed(_), _)
        ) || matches!(op.kind, Kind::Repeat(repeat)
            if matches!(plan.repeats[repeat].count, Count::Computed(_)));
        match fault {
            FaultKind::Eof | FaultKind::Short => {
                !matches!(op.kind, Kind::Structure | Kind::Switch(_) | Kind::Call(_))
            }
            FaultKind::Missing => matches!(op.kind, Kind::Repeat(_)),
            FaultKind::Trailing => id == OpId(0),
            FaultKind::Past => {
                matches!(
                    op.kind,
                    Kind::Sized(_) | Kind::Bytes(_) | Kind::Text(..) | Kind::At(_)
                ) || matches!(op.kind, Kind::Nested(nested) if self.locates(nested))
            }
            FaultKind::Rest => matches!(op.kind, Kind::Sized(_)) && !self.fills(id),
            FaultKind::Negative => computed,
            FaultKind::Encoding => matches!(
                op.kind,
                Kind::Text(..)
                    | Kind::Terminated(Ending {
                        encoding: Some(_),
                        ..
                    })
            ),
            FaultKind::Half => match &op.kind {
                Kind::Text(_, encoding) => encoding.has_halves(),
                Kind::Terminated(ending) => ending.encoding.is_some_and(Encoding::has_halves),
                _ => false,
            },
            FaultKind::Terminator => matches!(op.kind, Kind::Terminated(_)),
            FaultKind::Enum => checked(|kind| matches!(kind, CheckKind::InEnum(_))),
            FaultKind::Flags => checked(|kind| matches!(kind, CheckKind::InFlags(_))),
            FaultKind::Code => {
                plan.info(id).code_of.is_some() || matches!(op.kind, Kind::Layout(_))
            }
            FaultKind::Overlong | FaultKind::Long | FaultKind::Wide => {
                matches!(op.kind, Kind::Variable(..))
            }
            FaultKind::Depth => matches!(op.kind, Kind::Call(_)),
            FaultKind::Range | FaultKind::Absent | FaultKind::Empty => {
                op.checks.1 > 0 || plan.info(id).carry.is_some()
            }
        }
    }

    /// Returns whether the values of a nested type code are located elsewhere in the file.
    fn locates(&self, nested: NestedId) -> bool {
        matches!(self.nested[nested].form, NestedForm::Located(_))
    }

    /// Returns whether the contents of a part always extend to its end.
    fn fills(&self, part: OpId) -> bool {
        self.children(part).any(|inside| self.goes_to_end(inside))
    }

    fn goes_to_end(&self, id: OpId) -> bool {
        let op = self.op(id);
        if op.flags & flags::GUARD != 0 {
            return false;
        }
        match op.kind {
            Kind::Repeat(repeat) => self.repeats[repeat].count == Count::ToEnd,
            Kind::Structure => self.fills(id),
            Kind::Sized(Extent::ToEnd)
            | Kind::Bytes(Extent::ToEnd)
            | Kind::Text(Extent::ToEnd, _) => true,
            _ => false,
        }
    }
}
