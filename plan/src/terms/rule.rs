//! Rules, each of which summarizes a requirement of the specification in one sentence.

use crate::source::SourceSpan;

/// A rule: one requirement of the specification, or one question that the specification leaves
/// open.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The id of the rule, such as `BLOCK-KIND-UNKNOWN`.
    pub id: String,
    /// The sections of the specification that the rule summarizes.
    pub sections: Vec<String>,
    /// The requirement level in the specification.
    pub level: Level,
    /// The rule as one sentence.
    pub says: String,
    /// The required reaction of a reader to a file that breaks or exercises the rule, by dialect
    /// id. The entry with an empty id applies to all other dialects.
    pub reader: Vec<(String, ReaderDuty)>,
    /// What the specification says, if it leaves the question open or contradicts itself.
    pub open: Option<String>,
    /// A sentence that would settle the question if the specification contained it. `None` if the
    /// sentence in `says` settles the question.
    pub wording: Option<String>,
    /// The reason why no file can exercise the rule. Required for `reader: none`.
    pub because: Option<String>,
    /// How reading may continue after a tolerated violation. All listed continuations are correct.
    pub continues: Vec<Continuation>,
    /// Record members that are not compared in a file that exercises the rule. In
    /// `event.fields/CodeName`, the part after the slash restricts the entry to values of that type
    /// code.
    pub frees: Vec<String>,
    /// Whether a violation is a writer's mistake that readers tolerate.
    pub writer_fault: bool,
    /// Whether the rule describes something valid that authors of writers should nevertheless know
    /// about.
    pub writer_habit: bool,
    /// Whether typical writers do what the rule permits, or `None` if the description does not
    /// specify this.
    pub plain: Option<bool>,
    /// The fault class that a reader may report for a violation.
    pub class: FaultClass,
    /// Whether the rule is enabled only in strict mode.
    pub strict: bool,
    /// The rule that is reported instead when this rule is broken.
    pub through: Option<super::RuleId>,
    /// The location of the rule's definition.
    pub span: SourceSpan,
}

impl Rule {
    /// Returns the required reaction of a reader of `dialect`.
    pub fn duty(&self, dialect: &str) -> ReaderDuty {
        let of = |id: &str| {
            self.reader
                .iter()
                .find(|(d, _)| d == id)
                .map(|(_, duty)| *duty)
        };
        of(dialect).or_else(|| of("")).unwrap_or(ReaderDuty::None)
    }

    /// Returns whether typical writers of `dialect` write traces that exercise the rule. If the
    /// description does not specify this, the answer follows from the required reaction of a reader
    /// and the level of the rule: typical writers do what the specification states as a fact, but
    /// not what it merely tolerates.
    pub fn is_plain(&self, dialect: &str) -> bool {
        let derived = match self.duty(dialect) {
            ReaderDuty::Accept => self.level == Level::States,
            ReaderDuty::Reject | ReaderDuty::Either => false,
            ReaderDuty::None => true,
        };
        self.plain.unwrap_or(derived)
    }
}

/// The requirement level of a rule in the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// The specification says `must`.
    Must,
    /// The specification says `should`.
    Should,
    /// The specification says `may`.
    May,
    /// The specification states a fact without a requirement word.
    States,
    /// The specification is silent, and the rule is tracegauge's interpretation.
    Silent,
    /// The specification contradicts itself, or every writer contradicts it.
    Contradicted,
}

/// The required reaction of a reader to a file that breaks or exercises a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReaderDuty {
    /// Readers must reject the file.
    Reject,
    /// Readers must accept the file.
    Accept,
    /// Readers may accept or reject the file.
    Either,
    /// No file can exercise the rule.
    None,
}

/// How a reader continues after a violation that it tolerates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Continuation {
    /// The value is used unchanged.
    Keep,
    /// The rest of the sized part is skipped.
    Skip,
    /// The value is absent.
    Absent,
    /// The new row or value replaces the old row or value.
    Replace,
    /// Reading stops, and everything before the violation is accepted.
    Stop,
    /// Readers may continue in different ways, so later records are not compared.
    Open,
    /// A list of code units is presented as a string.
    Text,
    /// The value is empty.
    Empty,
    /// Only the complete elements of a located range are used.
    Whole,
}

/// The class of a fault in the reader protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultClass {
    /// The bytes break a rule.
    Malformed,
    /// The file ends too early.
    Incomplete,
    /// The file uses a feature that readers need not support.
    Unsupported,
}
