//! What can be looked up about a case beyond what a result holds.

/// What a corpus says of one of its cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePage {
    /// What the case tests.
    pub why: String,
    /// The operator that made its fault.
    pub operator: Option<String>,
    /// The valid case that it was made from, or a faulty one that was made from it.
    pub twin: Option<String>,
    /// Its bytes beside its fields, a line a field: a mark where the fault touches, the
    /// offset, the bytes, the characters, the field.
    pub dump: String,
}

/// A place to look cases up.
pub trait Casebook {
    /// What there is to say of a case, if it is known in just this version.
    fn page(&self, case: &str, version: u32) -> Option<CasePage>;
}

/// Where no corpus is at hand: a report then shows what the result holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCasebook;

impl Casebook for NoCasebook {
    fn page(&self, _: &str, _: u32) -> Option<CasePage> {
        None
    }
}
