//! Compares a manifest with newly generated cases.

use std::fmt;

use super::{Entry, Manifest};
use crate::case::{CaseId, State};

/// A change to one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The case is new.
    New,
    /// The case is no longer generated.
    Gone,
    /// A retired case is generated again with different content.
    Revived,
    /// The bytes changed, but the expectation did not.
    Bytes,
    /// The expectation changed.
    Verdict {
        /// The entry in the manifest.
        before: Box<Entry>,
        /// The entry of the newly generated case.
        now: Box<Entry>,
    },
    /// The twin, the operator, the tested rules or the departures changed, but nothing else.
    Provenance,
}

/// All changes, sorted by the identity of the case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes(pub Vec<(CaseId, Change)>);

impl Changes {
    /// Returns true if there are no changes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the changes from `kept` to `made`.
pub fn compare(kept: &Manifest, made: &Manifest) -> Changes {
    let mut changes = Vec::new();
    for (id, before) in &kept.entries {
        let change = match made.entries.get(id) {
            None if before.state == State::Retired => None,
            None => Some(Change::Gone),
            Some(now) => change(before, now),
        };
        changes.extend(change.map(|change| (id.clone(), change)));
    }
    let new = made
        .entries
        .keys()
        .filter(|id| !kept.entries.contains_key(*id));
    changes.extend(new.map(|id| (id.clone(), Change::New)));
    changes.sort_by(|left, right| left.0.cmp(&right.0));
    Changes(changes)
}

fn change(before: &Entry, now: &Entry) -> Option<Change> {
    if before.state == State::Retired {
        return (!before.is_same(now)).then_some(Change::Revived);
    }
    if !before.demands_same(now) {
        return Some(Change::Verdict {
            before: Box::new(before.clone()),
            now: Box::new(now.clone()),
        });
    }
    if before.hash != now.hash {
        return Some(Change::Bytes);
    }
    (!before.is_told_alike(now)).then_some(Change::Provenance)
}

/// The reason why a case that is no longer generated was retired.
const NO_LONGER_GENERATED: &str = "no longer generated";

/// How to treat cases that are in a manifest but no longer generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// The cases are retired, so that no other case reuses their identities.
    Retire,
    /// The cases are deleted, which is acceptable only before the first release.
    Forget,
}

impl Manifest {
    /// Removes the cases that were retired because they were no longer generated, so that their
    /// identities can be used again. Reusing identities is acceptable only before the first
    /// release.
    pub fn forget_retired(&mut self) {
        self.entries.retain(|_, entry| {
            let why = entry.reason.as_deref();
            entry.state != State::Retired || why != Some(NO_LONGER_GENERATED)
        });
    }

    /// Returns the new manifest. The new manifest contains the cases in `made` with the states,
    /// reasons and versions from `kept`. A changed case gets a new version.
    pub fn updated(kept: Option<&Self>, made: Self, gone: Gone) -> Self {
        let Some(kept) = kept else {
            return made;
        };
        let mut result = made;
        for (id, before) in &kept.entries {
            match result.entries.get_mut(id) {
                Some(now) => {
                    now.state = before.state;
                    now.reason.clone_from(&before.reason);
                    now.version = before.version + u32::from(!before.is_same(now));
                }
                None if gone == Gone::Retire || before.state == State::Retired => {
                    let mut entry = before.clone();
                    if entry.state != State::Retired {
                        entry.state = State::Retired;
                        entry
                            .reason
                            .get_or_insert_with(|| NO_LONGER_GENERATED.to_owned());
                    }
                    result.entries.insert(id.clone(), entry);
                }
                None => {}
            }
        }
        result
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.write_str("new"),
            Self::Gone => f.write_str("gone"),
            Self::Revived => {
                f.write_str("the case is retired, but was generated again with different contents")
            }
            Self::Bytes => f.write_str("changed bytes"),
            Self::Provenance => f.write_str(
                "changed metadata (the valid trace from which the case was made, the operator, \
                 related rules or unusual features)",
            ),
            Self::Verdict { before, now } => {
                f.write_str("changed verdict: ")?;
                write_demand(f, before)?;
                f.write_str(" → ")?;
                write_demand(f, now)?;
                if before.hash != now.hash {
                    f.write_str(", changed bytes")?;
                }
                Ok(())
            }
        }
    }
}

fn write_demand(f: &mut fmt::Formatter<'_>, entry: &Entry) -> fmt::Result {
    write!(f, "{}", entry.expect)?;
    if let Some((path, start, end)) = &entry.fault {
        let rules = entry.rules.join(" or ");
        write!(f, " for {rules} at `{path}`, bytes {start}..{end}")?;
    }
    let records: Vec<String> = entry.records.iter().map(ToString::to_string).collect();
    write!(
        f,
        ", {} records ({})",
        records.join(" or "),
        &entry.answer.get(..8).unwrap_or(&entry.answer)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::ExpectedVerdict;

    fn entry(hash: &str, expect: ExpectedVerdict) -> Entry {
        Entry {
            version: 1,
            state: State::Active,
            reason: None,
            expect,
            open: false,
            rules: Vec::new(),
            fault: None,
            operator: None,
            twin: None,
            departures: Vec::new(),
            bytes: 1,
            hash: hash.to_owned(),
            records: vec![0],
            due: None,
            answer: String::new(),
        }
    }

    fn manifest(entries: Vec<(&str, Entry)>) -> Manifest {
        Manifest {
            format: "f-v1".to_owned(),
            entries: entries
                .into_iter()
                .map(|(id, entry)| (id.to_owned(), entry))
                .collect(),
        }
    }

    use ExpectedVerdict::{Accept, Reject};

    #[test]
    fn changes_are_told_apart() {
        let kept = manifest(vec![
            ("bytes", entry("1", Accept)),
            ("gone", entry("1", Accept)),
            ("same", entry("1", Accept)),
            ("verdict", entry("1", Accept)),
        ]);
        let made = manifest(vec![
            ("bytes", entry("2", Accept)),
            ("new", entry("1", Accept)),
            ("same", entry("1", Accept)),
            ("verdict", entry("1", Reject)),
        ]);
        let changes: Vec<String> = compare(&kept, &made)
            .0
            .iter()
            .map(|(id, change)| format!("{id}: {}", change.to_string().split(':').next().unwrap()))
            .collect();
        assert_eq!(
            changes,
            [
                "bytes: changed bytes",
                "gone: gone",
                "new: new",
                "verdict: changed verdict"
            ]
        );
    }

    #[test]
    fn states_are_kept_versions_raised_and_the_gone_retired() {
        let disputed = Entry {
            state: State::Disputed,
            reason: Some("why".to_owned()),
            ..entry("1", Accept)
        };
        let kept = manifest(vec![("a", disputed), ("gone", entry("1", Accept))]);
        let made = || manifest(vec![("a", entry("2", Accept)), ("b", entry("1", Accept))]);
        let updated = Manifest::updated(Some(&kept), made(), Gone::Retire);
        assert_eq!(updated.entries["a"].state, State::Disputed);
        assert_eq!(updated.entries["a"].version, 2);
        assert_eq!(updated.entries["b"].version, 1);
        assert_eq!(updated.entries["gone"].state, State::Retired);
        assert!(compare(&updated, &made()).is_empty());
        let forgotten = Manifest::updated(Some(&kept), made(), Gone::Forget);
        assert!(!forgotten.entries.contains_key("gone"));
    }

    #[test]
    fn an_identity_that_was_retired_is_not_used_for_another_case() {
        let retired = Entry {
            state: State::Retired,
            ..entry("1", Accept)
        };
        let kept = manifest(vec![("a", retired)]);
        let same = manifest(vec![("a", entry("1", Accept))]);
        let other = manifest(vec![("a", entry("2", Accept))]);
        assert!(compare(&kept, &same).is_empty());
        assert_eq!(compare(&kept, &other).0[0].1, Change::Revived);
    }
}
