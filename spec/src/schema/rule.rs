//! Normative rules.

use crate::source::SourceSpan;

/// A normative sentence of the format document.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its id, `BLOCK-KIND-UNKNOWN` say.
    pub id: String,
    /// Sections of the format document.
    pub sections: Vec<String>,
    /// How the document words it.
    pub level: Level,
    /// The sentence.
    pub says: String,
    /// What a reader does with a file that breaks or shows it: by dialect id; the entry
    /// with an empty id is for all dialects that are not named.
    pub reader: Vec<(String, ReaderDuty)>,
    /// What the document says in place of it, where it is silent or contradicted.
    pub open: Option<String>,
    /// A sentence for the document that would settle it, where `says` is not fit for one.
    pub wording: Option<String>,
    /// Why no file can show it, where `reader: none`.
    pub because: Option<String>,
    /// How reading goes on after a breach that is tolerated; several are all right.
    pub continues: Vec<Continuation>,
    /// Record members that are not compared in a file that shows the rule:
    /// `event.fields/CodeName` is the values of that type code.
    pub frees: Vec<String>,
    /// Tolerated in a reader, a fault of the writer.
    pub writer_fault: bool,
    /// Right in every reader's eyes, and still what an author of a writer wants to know of.
    pub writer_habit: bool,
    /// What a reader may call the fault.
    pub class: FaultClass,
    /// Judged only when strictness is asked for.
    pub strict: bool,
    /// A breach shows as that of another rule.
    pub through: Option<super::RuleId>,
    /// Where it is defined.
    pub span: SourceSpan,
}

impl Rule {
    /// What a reader of `dialect` does.
    pub fn duty(&self, dialect: &str) -> ReaderDuty {
        let of = |id: &str| {
            self.reader
                .iter()
                .find(|(d, _)| d == id)
                .map(|(_, duty)| *duty)
        };
        of(dialect).or_else(|| of("")).unwrap_or(ReaderDuty::None)
    }
}

/// How strongly the document words a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// `must`
    Must,
    /// `should`
    Should,
    /// `may`
    May,
    /// A plain sentence.
    States,
    /// The document says nothing; the suite's own reading.
    Silent,
    /// Contradicted by itself or by every writer.
    Contradicted,
}

/// What a reader does with a file that breaks or shows a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReaderDuty {
    /// Rejects it.
    Reject,
    /// Accepts it.
    Accept,
    /// Either conforms.
    Either,
    /// No file can show the rule.
    None,
}

/// How records go on for a reader that accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Continuation {
    /// The value as read.
    Keep,
    /// To the end of the sized part.
    Skip,
    /// No value.
    Absent,
    /// The new row or value takes the place of the old.
    Replace,
    /// Accept what came before.
    Stop,
    /// Readers part ways; later records are not compared.
    Open,
    /// A list of code units is shown as text.
    Text,
    /// An empty value.
    Empty,
    /// The whole elements of a located range.
    Whole,
}

/// The class of a fault in the reader protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultClass {
    /// The bytes break a rule.
    Malformed,
    /// The file ends too early.
    Incomplete,
    /// A reader need not know this.
    Unsupported,
}
