//! Plain traces: what a typical writer does at each choice, and how other traces depart from plain
//! traces.
//!
//! Each choice that a format leaves to writers has a plain answer, which the description declares
//! with `plain:` or which follows from the kind of choice. A trace that follows the plain answer at
//! every choice is a plain trace. Every other answer is a departure, which has a name. Plain
//! answers serve two purposes: the generator chooses them unless a departure is allowed, and
//! comparing the values of a trace with them yields its departures.

mod allowed;
mod answer;
mod departure;
mod observe;

pub use allowed::Allowed;
pub(crate) use answer::is_plain_text;
pub use answer::{Answer, Answers};
pub use departure::{Departure, Unusual, field_name};
pub(crate) use observe::observed;
pub use observe::{BYTE_ORDER_MARK, Decoded, departures};
