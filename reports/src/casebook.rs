//! Looks up information about cases that is missing from result files.

/// Information from a corpus about one of its cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasePage {
    /// The purpose of the case, in words.
    pub why: String,
    /// The operator that introduced the fault.
    pub operator: Option<String>,
    /// The valid twin of a malformed case, or a malformed case made from a valid one.
    pub twin: Option<String>,
    /// A dump of the trace with one line per field: a mark if the fault touches the field, the
    /// offset, the bytes, the characters and the field.
    pub dump: String,
}

/// A source of information about cases.
pub trait Casebook {
    /// Returns the information about a case if the casebook contains exactly this version of the
    /// case.
    fn page(&self, case: &str, version: u32) -> Option<CasePage>;
}

/// An empty casebook. Reports that use an empty casebook show only what the result contains.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCasebook;

impl Casebook for NoCasebook {
    fn page(&self, _: &str, _: u32) -> Option<CasePage> {
        None
    }
}
