//! Summarizes a reader's answers to the cases of one format.

use serde::{Deserialize, Serialize};

use crate::reader::ReaderResult;

/// A summary of a reader's answers to the cases of one format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormatSummary {
    /// The format.
    pub format: String,
    /// The number of valid traces that would fail the run if the reader failed on them.
    pub valid: usize,
    /// The number of traces counted in `valid` that the reader accepted with correct records, or
    /// that its baseline lists.
    pub accepted: usize,
    /// Whether all traces of the format ran or, for a shard, all traces of the shard.
    pub whole: bool,
    /// The number of passes that would be proven by chance: the number expected if the reader
    /// accepted and rejected as many traces as it does, but chose them at random.
    pub by_chance: usize,
    /// The comparison of the verdicts with chance.
    pub verdicts: Verdicts,
    /// How often each kind of record was reported, sorted by kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindCount>,
}

/// How often a kind of record was reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindCount {
    /// The kind of the records.
    pub kind: String,
    /// The number of valid traces that contain such a record and whose records were compared.
    pub due: usize,
    /// The number of traces for which the reader reported such a record.
    pub reported: usize,
}

/// The comparison of a reader's verdicts with those of a reader that ignores the content of the
/// traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdicts {
    /// The reader distinguishes valid from malformed traces of the same size, or its records are
    /// correct.
    BetterThanChance,
    /// The reader does not clearly distinguish valid from malformed traces of the same size.
    NoBetterThanChance,
    /// There are too few cases to tell.
    TooFew,
}

impl FormatSummary {
    /// Returns true if the reader accepts at least half of the valid traces. A reader that does not
    /// read most traces does not conform, regardless of what it declares as unsupported. Also
    /// returns true if only some traces of the format ran, because they may be the few traces that
    /// the reader does not support.
    pub fn accepts_enough(&self) -> bool {
        !self.whole || 2 * self.accepted >= self.valid
    }

    /// Returns the kinds of records that valid traces contain but the reader never reported.
    pub fn never_reported(&self) -> impl Iterator<Item = &KindCount> {
        self.kinds
            .iter()
            .filter(|it| it.due > 0 && it.reported == 0)
    }

    /// Adds the summary of another shard for the same format.
    pub fn add(&mut self, other: &Self) {
        for count in &other.kinds {
            match self.kinds.binary_search_by(|it| it.kind.cmp(&count.kind)) {
                Ok(at) => {
                    self.kinds[at].due += count.due;
                    self.kinds[at].reported += count.reported;
                }
                Err(at) => self.kinds.insert(at, count.clone()),
            }
        }
        self.valid += other.valid;
        self.accepted += other.accepted;
        self.whole &= other.whole;
        self.by_chance += other.by_chance;
        self.verdicts = match (self.verdicts, other.verdicts) {
            (Verdicts::BetterThanChance, _) | (_, Verdicts::BetterThanChance) => {
                Verdicts::BetterThanChance
            }
            (Verdicts::NoBetterThanChance, _) | (_, Verdicts::NoBetterThanChance) => {
                Verdicts::NoBetterThanChance
            }
            (Verdicts::TooFew, Verdicts::TooFew) => Verdicts::TooFew,
        };
    }
}

impl ReaderResult {
    /// Returns the formats where the reader's verdicts are no better than chance.
    pub fn no_better_than_chance(&self) -> impl Iterator<Item = &FormatSummary> {
        let formats = self.tail.formats.iter();
        formats.filter(|it| it.verdicts == Verdicts::NoBetterThanChance)
    }

    /// Returns the formats where the reader accepts too few valid traces to conform.
    pub fn accepts_too_few(&self) -> impl Iterator<Item = &FormatSummary> {
        let formats = self.tail.formats.iter();
        formats.filter(|it| !it.accepts_enough())
    }

    /// Returns the number of passes that would be proven by chance at the reader's acceptance rate,
    /// if that rate is known.
    pub fn by_chance(&self) -> Option<usize> {
        let formats = &self.tail.formats;
        (!formats.is_empty()).then(|| formats.iter().map(|it| it.by_chance).sum())
    }
}
