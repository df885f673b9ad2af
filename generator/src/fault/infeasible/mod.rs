//! Finds infeasible sites: combinations of an operation and an operator for which the description
//! alone proves that no trace can violate a rule.
//!
//! Applying an operator to traces can prove that a case exists, but not that none exists. This
//! module proves that no case exists, based on the range of the field, on tests whose result does
//! not depend on the trace, and on the context of the field. A site without a proof counts as
//! feasible.

mod ending;
mod interval;
mod stopped;

pub(super) use interval::Known;

use tracegauge_plan::{Around, Kind, OpId, Plan};

use super::operator::Site;
use super::slots::SlotIndex;

/// The reason why no trace can violate a rule at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Infeasibility {
    /// The value is outside the range of its field.
    OutOfRange,
    /// The test accepts the value in every trace.
    Holds,
    /// The changed bytes equal the required bytes.
    SameBytes,
    /// An earlier test of the field fails for the value.
    OtherTest,
    /// The value violates a different rule of the same test.
    OtherRule,
    /// The key is the null key, which refers to no row.
    NoRow,
    /// The field does not control how many bytes or elements are read.
    DecidesNothing,
    /// The elements do not all have the same fixed width.
    NoWidth,
    /// No sized part encloses the field, so no end of a part contradicts the fault.
    NoPart,
    /// The enclosing sized part always continues with further fields.
    GoesOn,
    /// The value controls what is read.
    Steers,
    /// No enclosing sized part has a stored size.
    NoSize,
    /// The field is a single byte.
    OneByte,
    /// The field starts an element that may be absent.
    MayEnd,
    /// The enclosing part accepts any bytes.
    TakesAll,
    /// An encoding of this length would not fit in the field.
    NoRoom,
    /// Readers search for the terminator one code unit at a time.
    Units,
}

impl Infeasibility {
    /// Returns the reason as a human-readable string.
    pub fn because(self) -> &'static str {
        match self {
            Self::OutOfRange => "the value is outside the range of the field",
            Self::Holds => "the value satisfies the constraint in every trace",
            Self::SameBytes => "the faulty bytes would equal the required bytes",
            Self::OtherTest => "the value violates an earlier constraint of the same field",
            Self::OtherRule => {
                "the value violates another rule, which the same constraint also enforces"
            }
            Self::NoRow => "the key is the null key, which refers to no table row",
            Self::DecidesNothing => {
                "a constraint fixes the value, but another field determines how many bytes are read"
            }
            Self::NoWidth => {
                "the elements vary in size, so the number of elements that would exactly fill the \
                 enclosing part is unknown"
            }
            Self::NoPart => {
                "no sized part ends after the field, so the bytes that follow are read instead of \
                 the missing bytes"
            }
            Self::GoesOn => {
                "more fields follow in the enclosing part, so their bytes are read instead of the \
                 missing bytes"
            }
            Self::Steers => {
                "the value determines what is read, so a different value selects different \
                data"
            }
            Self::NoSize => "no enclosing part has a stored size",
            Self::OneByte => "the field is one byte long, so the trace cannot end inside it",
            Self::MayEnd => {
                "the field is at the start of a list element, and the list may end \
                before any element"
            }
            Self::TakesAll => "the enclosing part accepts any bytes up to its end",
            Self::NoRoom => "the field is too small for this encoding",
            Self::Units => {
                "readers look for the terminator one code unit at a time, so half a code unit \
                 would shift the following data"
            }
        }
    }
}

/// A plan prepared for proofs of infeasibility.
pub struct Reasons<'p> {
    pub(super) plan: &'p Plan,
    pub(super) slots: SlotIndex,
    pub(super) around: Vec<Around>,
    /// For each operation, the operations that can directly contain it. A recursive structure can
    /// have several containing operations.
    outward: Vec<Vec<OpId>>,
}

impl<'p> Reasons<'p> {
    /// Analyzes `plan`.
    pub fn new(plan: &'p Plan) -> Self {
        let mut outward: Vec<Vec<OpId>> = plan
            .infos
            .iter()
            .map(|info| info.parent.into_iter().collect())
            .collect();
        for (at, op) in plan.ops.iter().enumerate() {
            if let Kind::Call(target) = op.kind {
                outward[target.index()].push(OpId::from(at));
            }
        }
        Self {
            plan,
            slots: SlotIndex::new(plan),
            around: plan.surroundings(),
            outward,
        }
    }

    /// Returns the reason why a site is infeasible, or `None` if there is no proof.
    pub fn of(&self, site: &Site) -> Option<Infeasibility> {
        site.operator.infeasible(self, site)
    }
}
