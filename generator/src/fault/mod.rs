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

mod apply;
mod carry;
mod check;
mod confirm;
mod cut;
mod dialect;
mod encoding_form;
mod evaluate;
mod extent;
mod history;
mod infeasible;
mod inside;
mod layout;
mod list;
mod located;
mod nested;
mod no_case;
mod number;
mod operator;
mod order;
mod part;
mod path;
mod reference;
mod row;
mod sentence;
mod site;
mod slots;
mod splice;
mod systematic;
mod text;
mod twin;
mod visible;

pub use apply::{Expected, Malformed, apply};
pub use confirm::{Found, Refusal, confirm};
pub use dialect::OtherFormats;
pub use infeasible::{Infeasibility, Reasons};
pub(crate) use layout::without_fields;
pub use nested::deepest;
pub use no_case::NoCase;
pub(crate) use number::{
    encode as encode_number, on_wire as number_on_wire, range as number_range,
};
pub use operator::{
    Change, ContentsChange, CutAt, EncodingForm, ExtentChange, InsideChange, Missing, Operator,
    OrderChange, PartChange, Repetition, Site, Tail, Test, TextChange,
};
pub use sentence::sentence;
pub use site::sites;
pub use splice::{Cut, Edit, Padding, Place, Splice, Spliced, Stretch, splice};
pub use systematic::{
    Outcome, Systematic, Twins, ValidTrace, at_sites, decoded, described, prefixes, systematic,
    valid_trace,
};
pub use twin::Twin;
