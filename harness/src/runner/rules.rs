//! Converts the rules of a description to the type that is used in results.

use tracegauge_corpus::suite::RuleEntry;
use tracegauge_results::{Level, Profile, ReaderDuty, RuleInfo};
use tracegauge_spec::schema;

/// Converts a rule to the type that is used in results.
pub fn rule_info(entry: &RuleEntry) -> RuleInfo {
    RuleInfo {
        id: entry.id.clone(),
        format: entry.format.clone(),
        section: entry.sections.join("; "),
        level: match entry.level {
            schema::Level::Must => Level::Must,
            schema::Level::Should => Level::Should,
            schema::Level::May => Level::May,
            schema::Level::States => Level::States,
            schema::Level::Silent => Level::Silent,
            schema::Level::Contradicted => Level::Contradicted,
        },
        says: entry.says.clone(),
        reader: match entry.reader {
            schema::ReaderDuty::Reject => ReaderDuty::Reject,
            schema::ReaderDuty::Accept => ReaderDuty::Accept,
            schema::ReaderDuty::Either => ReaderDuty::Either,
            schema::ReaderDuty::None => ReaderDuty::None,
        },
        profile: if entry.strict {
            Profile::Strict
        } else {
            Profile::Ordinary
        },
        through: entry.through.clone(),
    }
}
