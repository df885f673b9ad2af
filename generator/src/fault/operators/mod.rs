//! The operators: ways to violate a rule, one file or folder for each. A file contains the names of
//! the operator's changes, a sentence about the effect of each, the sites where the operator
//! applies, what it does to a trace, and the reasons why it cannot apply at a site.
//!
//! To add an operator, write its file and add it to this file (`mod`, `pub use` and the list) and to
//! the `pub use` in `fault/mod.rs`.

mod again;
mod before;
mod contents;
mod cut;
mod dangling;
mod duplicate;
mod empty;
mod encoding_form;
mod end_missing;
mod extent;
mod fill;
mod ill_formed;
pub(super) mod inside;
mod nested;
mod no_arm;
mod number;
mod order;
mod overflow;
mod part;
#[cfg(test)]
mod tests;
mod text;
mod too_few;
mod trailing;
mod unknown_code;
mod unterminated;
mod variable_size;
mod word;

pub use again::Repetition;
pub use before::Before;
pub use contents::ContentsChange;
pub use cut::CutAt;
pub use dangling::Missing;
pub use duplicate::Duplicate;
pub use empty::Empty;
pub use encoding_form::EncodingForm;
pub use end_missing::EndMissing;
pub use extent::ExtentChange;
pub use fill::Fill;
pub use ill_formed::IllFormed;
pub use inside::InsideChange;
pub use nested::{Nested, deepest};
pub use no_arm::NoArm;
pub use number::{Change, ForbiddenNumber, at_limit};
pub use order::OrderChange;
pub use overflow::Overflow;
pub use part::PartChange;
pub use text::{ForbiddenText, TextChange};
pub use too_few::TooFew;
pub use trailing::Tail;
pub use unknown_code::UnknownCode;
pub use unterminated::Unterminated;
pub use variable_size::VariableSize;
pub use word::WordChange;

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{OpId, Plan};

use super::apply::Attack;
use super::infeasible::{Infeasibility, Reasons};
use super::no_case::NoCase;
use super::operator::Site;
use super::site::Finder;
use super::twin::Twin;

/// The names of an operator's changes, each with a sentence about its effect on a valid trace.
/// Reports append the field, as in "A number is one too large: `header.version`."
pub(super) type Words = &'static [(&'static str, &'static str)];

/// A way to violate a rule.
pub(super) trait Plant {
    /// The names of the changes that the operator makes, and their effects.
    const WORDS: Words;

    /// Adds the sites of an operation: where and how the operator can violate a rule there.
    fn sites(finder: &mut Finder<'_>, id: OpId);

    /// Returns the name of this change, as used in the identity of a case.
    fn name(&self) -> &'static str;

    /// Returns a parameter that distinguishes this change from others with the same name on the
    /// same field.
    fn parameter(&self, _plan: &Plan) -> Option<String> {
        None
    }

    /// Changes a valid trace at `node` so that it violates a rule.
    ///
    /// # Errors
    /// Returns the reason if the change does not produce a case at the node.
    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase>;

    /// Returns the reason why no trace can violate a rule at the site, or `None` if there is no
    /// proof.
    fn infeasible(&self, _reasons: &Reasons<'_>, _site: &Site) -> Option<Infeasibility> {
        None
    }

    /// Returns whether this change is needed in only one use of a type. In the other uses, a
    /// similar change is enough.
    fn is_minor(&self, _plan: &Plan, _site: &Site) -> bool {
        false
    }

    /// Returns false if a reader that does not notice the change rejects the trace anyway, because
    /// no further bytes follow.
    fn is_followed(&self, _twin: &Twin<'_>, _node: NodeId) -> bool {
        true
    }
}

/// Declares the changes that an operator makes, each with its name and a sentence about its effect.
macro_rules! changes {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $change:ident $(($field:ty))? = $id:literal: $effect:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(
                #[doc = concat!($effect, ".")]
                $(#[$doc])*
                $change $(($field))?,
            )+
        }

        impl $name {
            const WORDS: $crate::fault::operators::Words = &[$(($id, $effect)),+];

            fn word(&self) -> &'static str {
                match self {
                    $(Self::$change { .. } => $id,)+
                }
            }
        }
    };
}
use changes;

/// Declares the operators. If several operators produce the same bytes at an operation, the first
/// one in the list gets the case, so a new operator belongs behind those with the same bytes.
macro_rules! operators {
    ($($(#[$about:meta])* $operator:ident($change:ty),)+) => {
        /// A way to violate a rule.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Operator {
            $($(#[$about])* $operator($change),)+
        }

        $(
            impl From<$change> for Operator {
                fn from(change: $change) -> Self {
                    Self::$operator(change)
                }
            }
        )+

        impl Operator {
            /// Adds the sites of an operation.
            pub(super) fn sites(finder: &mut Finder<'_>, id: OpId) {
                $(<$change>::sites(finder, id);)+
            }

            /// Returns the operator's name, as used in the identity of a case.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$operator(change) => Plant::name(change),)+
                }
            }

            /// Returns a parameter that distinguishes this operator from other operators with the
            /// same name on the same field.
            pub(super) fn parameter(&self, plan: &Plan) -> Option<String> {
                match self {
                    $(Self::$operator(change) => change.parameter(plan),)+
                }
            }

            /// Changes a valid trace at `node` so that it violates a rule.
            pub(super) fn plant(
                &self,
                twin: &Twin<'_>,
                site: &Site,
                node: NodeId,
            ) -> Result<Attack, NoCase> {
                match self {
                    $(Self::$operator(change) => change.plant(twin, site, node),)+
                }
            }

            /// Returns the reason why no trace can violate a rule at the site.
            pub(super) fn infeasible(
                &self,
                reasons: &Reasons<'_>,
                site: &Site,
            ) -> Option<Infeasibility> {
                match self {
                    $(Self::$operator(change) => change.infeasible(reasons, site),)+
                }
            }

            /// Returns whether this operator is needed in only one use of a type.
            pub(super) fn is_minor(&self, plan: &Plan, site: &Site) -> bool {
                match self {
                    $(Self::$operator(change) => change.is_minor(plan, site),)+
                }
            }

            /// Returns false if a reader that does not notice the fault at `node` rejects the trace
            /// anyway.
            pub(super) fn is_followed(&self, twin: &Twin<'_>, node: NodeId) -> bool {
                match self {
                    $(Self::$operator(change) => change.is_followed(twin, node),)+
                }
            }
        }

        /// The names and effects of all changes, by operator.
        const WORDS: &[Words] = &[$(<$change as Plant>::WORDS),+];
    };
}

operators! {
    /// Invalid structured contents, such as invalid JSON.
    Inside(InsideChange),
    /// A required value that is empty.
    Empty(Empty),
    /// A number that a test forbids.
    Number(ForbiddenNumber),
    /// A string that a test forbids.
    Text(ForbiddenText),
    /// Bytes that differ from required constant bytes.
    Contents(ContentsChange),
    /// Padding that contains a wrong byte.
    Fill(Fill),
    /// A value that selects no arm of a switch.
    NoArm(NoArm),
    /// The end mark of a list is missing.
    EndMissing(EndMissing),
    /// Fewer elements than required.
    TooFew(TooFew),
    /// An element that equals another element although all elements must differ.
    Duplicate(Duplicate),
    /// A list element in an invalid position.
    Order(OrderChange),
    /// An overlong or invalid encoding of a variable-length integer.
    EncodingForm(EncodingForm),
    /// A layout that uses an undeclared type code.
    UnknownCode(UnknownCode),
    /// A word (a field that encodes the location of a value) refers to an invalid position.
    Word(WordChange),
    /// A structure nested in itself more deeply than a reader must support.
    Nested(Nested),
    /// Ill-formed text.
    IllFormed(IllFormed),
    /// A string without its terminator.
    Unterminated(Unterminated),
    /// The code of a type without a fixed size in a place that requires a fixed size.
    VariableSize(VariableSize),
    /// The file ends early.
    Cut(CutAt),
    /// A sized part with wrong contents and a stored size that matches them.
    Part(PartChange),
    /// A size or count that differs from the actual size or count.
    Extent(ExtentChange),
    /// A reference to a row that does not exist.
    Dangling(Missing),
    /// A value derived from an earlier one (`carry`) that is out of range.
    Overflow(Overflow),
    /// A row that is already defined.
    Again(Repetition),
    /// A row with the same key as a predefined row.
    Before(Before),
    /// Extra bytes after the end of the trace.
    Trailing(Tail),
}

/// Describes the effect of an operator on a valid trace, given the operator's name.
///
/// ```
/// use tracegauge_generator::fault::sentence;
/// assert_eq!(sentence("cut-before"), Some("The file ends before this field"));
/// ```
pub fn sentence(operator: &str) -> Option<&'static str> {
    let mut words = WORDS.iter().copied().flatten();
    words.find_map(|(name, effect)| (*name == operator).then_some(*effect))
}

/// Formats a number of a case's identity.
fn hex(value: i128) -> String {
    if value < 0 {
        return value.to_string();
    }
    let digits = format!("{value:x}");
    let width = digits.len().div_ceil(2) * 2;
    format!("0x{digits:0>width$}")
}
