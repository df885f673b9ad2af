//! Malformed traces: valid traces into which a single fault is planted while everything else stays
//! consistent.
//!
//! [`sites`] derives from a plan where and how each rule can be violated. [`apply`] plants a fault
//! in a valid trace (the twin of the malformed trace), and predicts which rule a reader must find
//! violated, and where. [`confirm`] checks the prediction with the reference decoder, which does
//! not know about the fault. If the decoder contradicts the prediction, the case is refused. The
//! operators are derived from the kinds of constraints; none of them is specific to a format.
//!
//! An operator applies only where a reader can notice the fault. For example, a count that is one
//! too large is a fault if something else contradicts the count, such as the end of a sized part or
//! of the file. Elsewhere, the bytes merely parse as different data, and the operator produces no
//! case.
//!
//! The same operators apply to rules whose violation is tolerated. Readers must, or at least may,
//! accept a trace that violates such a rule, and the decoder must report the rule.

mod alone;
mod apply;
mod confirm;
mod dialect;
mod ends;
mod evaluate;
mod events;
mod history;
mod infeasible;
mod judged;
mod layout;
mod list;
mod mend;
mod no_case;
mod number;
mod operator;
mod operators;
mod path;
mod resize;
mod site;
mod slots;
mod splice;
mod systematic;
mod text;
mod twin;
mod value;
mod visible;

pub use apply::{Expected, Malformed, apply};
pub use confirm::{Found, Refusal, confirm};
pub use dialect::OtherFormats;
pub use infeasible::{Infeasibility, Reasons};
pub use judged::Test;
pub(crate) use layout::without_fields;
pub use mend::corrected;
pub use no_case::NoCase;
pub(crate) use number::{encode as encode_number, on_wire as number_on_wire};
pub use operator::Site;
pub use operators::{
    Before, Change, ContentsChange, CutAt, Duplicate, Empty, EncodingForm, EndMissing,
    ExtentChange, Fill, ForbiddenNumber, ForbiddenText, IllFormed, InsideChange, Missing, Nested,
    NoArm, Operator, OrderChange, Overflow, PartChange, Repetition, Tail, TextChange, TooFew,
    UnknownCode, Unterminated, VariableSize, WordChange, at_limit, deepest, sentence,
};
pub use site::sites;
pub use splice::{Cut, Edit, Padding, Place, Splice, Spliced, Stretch, splice};
pub use systematic::{
    Outcome, Systematic, TestedCheck, Twins, ValidTrace, at_sites, decoded, described, prefixes,
    systematic, valid_trace,
};
pub use text::filled;
pub use twin::Twin;
