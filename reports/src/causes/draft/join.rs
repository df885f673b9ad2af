//! Joins causes that are due to the same bug.

use std::collections::HashSet;

use tracegauge_results::{RecordFault, Symptom};

use super::{Draft, Drafts};
use crate::causes::choice::{Reason, SEVERAL};
use crate::causes::evidence::Evidence;

/// A cause explains a smaller cause if it contains at least this many times as many cases.
const PREDOMINANT: usize = 20;

impl<'r> Drafts<'_, 'r> {
    /// Merges causes that are about different members, if the members are wrong in the same way and
    /// because of the same rule. A mistake in reading one type of value affects every member of
    /// that type. Missing records of the same kind, at the end of a trace or before, are also merged
    /// if the rule is the same, and so are rejections of valid traces, and crashes on valid traces.
    /// The reader may give different reasons for such rejections, or crash in different functions,
    /// because it notices its mistake at different points of the trace.
    pub(super) fn merge(&mut self) {
        let mut merged: Vec<Draft<'r>> = Vec::new();
        for draft in std::mem::take(&mut self.list) {
            let rule = draft.rule(self.evidence).unwrap_or_default();
            let is_same_rule =
                |other: &Draft<'r>| !rule.is_empty() && other.rule(self.evidence) == Some(rule);
            let is_same = |other: &Draft<'r>| {
                if draft.has_unknown_name_of(other) {
                    return true;
                }
                is_same_rule(other)
                    && (draft.is_member_wrong_like(other)
                        || draft.is_in_object_of(other)
                        || draft.misses_kind_like(other)
                        || draft.misses_records_like(other)
                        || draft.rejects_valid() && other.rejects_valid()
                        || draft.crashes_on_valid() && other.crashes_on_valid())
            };
            let position = merged.iter().position(is_same);
            let position = position.or_else(|| {
                let is_explained = |it: &Draft<'r>| {
                    draft.is_explained_by(it, self.evidence) || draft.hangs_like(it, self.evidence)
                };
                merged.iter().position(is_explained)
            });
            match position.map(|at| &mut merged[at]) {
                // Keep the cause that states what the traces have in common.
                Some(same) if same.is_vaguer_than(&draft) => {
                    let vague = std::mem::replace(same, draft);
                    same.absorb(vague);
                }
                Some(same) => same.absorb(draft),
                None => merged.push(draft),
            }
        }
        self.list = merged;
    }

    /// Joins two causes that are about the same member being wrong in the same way, if one cause
    /// contains many more cases than the other, or most of the other's cases.
    ///
    /// A member that is wrong nearly everywhere is also wrong in traces that contain something
    /// unusual, so that a property that these traces share may look like a different reason. In
    /// addition, a wrong value has consequences later in the same trace.
    pub(super) fn join_by_member(&mut self) {
        let list = std::mem::take(&mut self.list);
        let larger_of = |draft: &Draft<'r>| {
            let others = list.iter().enumerate();
            let larger = others.filter(|(_, other)| draft.belongs_to(other));
            larger
                .max_by_key(|(_, other)| other.size())
                .map(|(at, _)| at)
        };
        let into: Vec<Option<usize>> = list.iter().map(larger_of).collect();
        let mut smallest_first: Vec<usize> = (0..list.len()).collect();
        smallest_first.sort_by_key(|at| list[*at].size());
        let mut kept: Vec<Option<Draft<'r>>> = list.into_iter().map(Some).collect();
        for at in smallest_first {
            // The larger cause has not been added to another one yet.
            if let Some(larger) = into[at]
                && let Some(draft) = kept[at].take()
                && let Some(larger) = &mut kept[larger]
            {
                larger.absorb(draft);
            }
        }
        self.list = kept.into_iter().flatten().collect();
    }
}

impl<'r> Draft<'r> {
    /// Returns true if an earlier cause explains this one: the wrong member is the same as that of
    /// the earlier cause or is inside it, all cases that determine the feature of this cause
    /// contain the rule of the earlier cause, and nothing proves a different reason. If the member
    /// is the same, this cause must have several cases, because a few traces may contain the rule
    /// by chance.
    fn is_explained_by(&self, earlier: &Self, evidence: &Evidence<'r>) -> bool {
        let (Symptom::Records { member: own, .. }, Symptom::Records { member, .. }) =
            (&self.symptom, &earlier.symptom)
        else {
            return false;
        };
        let outer = member.trim_end_matches("[]");
        let is_inside = own.strip_prefix(outer);
        let is_chance = own == member && self.others.len() + 1 < SEVERAL;
        self.is_member_wrong_like(earlier)
            && self.choice.reason != Reason::Forced
            && !outer.is_empty()
            && !is_chance
            && is_inside.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
            && self.others.len() <= earlier.others.len()
            && earlier.rule(evidence).is_some_and(|rule| {
                let mut cases = self.valid_cases();
                cases.all(|case| evidence.contains(case, rule))
            })
    }

    /// Returns true if a larger cause is about the same member being wrong in the same way, and
    /// contains many times as many cases as this cause, or most of its cases.
    fn belongs_to(&self, larger: &Self) -> bool {
        let member = |draft: &Self| match &draft.symptom {
            Symptom::Records { member, .. } => Some(member.replace("[]", "")),
            _ => None,
        };
        if self.size() >= larger.size()
            || !self.is_member_wrong_like(larger)
            || member(self) != member(larger)
        {
            return false;
        }
        let others: HashSet<&str> = larger.cases().map(|case| case.case.as_str()).collect();
        let shared = self.cases().filter(|case| others.contains(&*case.case));
        self.size() * PREDOMINANT <= larger.size() || 2 * shared.count() > self.size()
    }

    pub(super) fn size(&self) -> usize {
        1 + self.others.len()
    }

    /// Returns true if an earlier cause probably explains the hangs. Nothing distinguishes one hang
    /// from another, and few readers hang for several reasons, so a second cause requires proof. A
    /// hang on a malformed trace may be due to a different mistake, unless the trace also contains
    /// the feature of the earlier cause.
    fn hangs_like(&self, earlier: &Self, evidence: &Evidence<'r>) -> bool {
        let is_hang = |it: &Self| it.symptom == Symptom::Hang;
        is_hang(self)
            && is_hang(earlier)
            && earlier.is_about_valid_traces()
            && self.choice.reason != Reason::Forced
            && (self.is_about_valid_traces()
                || self.cases().all(|case| earlier.is_in(evidence, case)))
    }

    fn is_vaguer_than(&self, other: &Self) -> bool {
        self.choice.feature.is_empty() && !other.choice.feature.is_empty()
    }

    pub(super) fn rejects_valid(&self) -> bool {
        self.symptom == Symptom::Rejects && self.is_about_valid_traces()
    }

    fn crashes_on_valid(&self) -> bool {
        self.symptom.is_telling() && self.is_about_valid_traces()
    }

    /// Returns true if both causes are about valid traces and members that are wrong in the same
    /// way.
    fn is_member_wrong_like(&self, other: &Self) -> bool {
        let class = |symptom: &Symptom| match symptom {
            Symptom::Records { fault, .. } if fault.is_about_member() => Some(match fault {
                // Members of records and of values in lists can have the same type.
                RecordFault::Element => RecordFault::Value,
                fault => *fault,
            }),
            _ => None,
        };
        self.is_about_valid_traces()
            && other.is_about_valid_traces()
            && class(&self.symptom).is_some()
            && class(&self.symptom) == class(&other.symptom)
    }

    /// Returns true if both causes are about valid traces and about members of the same object that
    /// are wrong, absent, or reported although they do not exist. A reader that looks up the wrong
    /// object makes all of these mistakes, because some objects have members that others lack.
    fn is_in_object_of(&self, other: &Self) -> bool {
        let object = |draft: &Self| match &draft.symptom {
            Symptom::Records { fault, member } if fault.is_about_member() => {
                let (object, _) = member.split_once('.')?;
                (!object.ends_with("[]")).then(|| object.to_owned())
            }
            _ => None,
        };
        self.is_about_valid_traces()
            && other.is_about_valid_traces()
            && object(self).is_some()
            && object(self) == object(other)
    }

    /// Returns true if both causes are about members with the same name, which the format does not
    /// have.
    fn has_unknown_name_of(&self, other: &Self) -> bool {
        let name = |draft: &Self| match &draft.symptom {
            Symptom::Records { member, .. } if draft.symptom.is_not_in_format() => {
                let (_, name) = member.rsplit_once('.').unwrap_or(("", member));
                Some(name.to_owned())
            }
            _ => None,
        };
        name(self).is_some() && name(self) == name(other)
    }

    /// Returns true if both causes are about valid traces and about records of the same kind that
    /// are not reported. Whether other records follow depends on the trace.
    pub(super) fn misses_kind_like(&self, other: &Self) -> bool {
        let kind = self.missing_kind();
        kind.is_some_and(|kind| !kind.is_empty()) && kind == other.missing_kind()
    }

    /// Returns true if both causes are about records that are not reported, and it is certain that the
    /// same property of the traces is the reason. The kind of the records then does not matter.
    fn misses_records_like(&self, other: &Self) -> bool {
        let is_certain = |draft: &Self| draft.choice.reason == Reason::Forced;
        self.missing_kind().is_some()
            && other.missing_kind().is_some()
            && is_certain(self)
            && is_certain(other)
            && self.choice.feature == other.choice.feature
    }

    /// Returns the kind of the records that are not reported, if the cause is about such records of
    /// valid traces.
    fn missing_kind(&self) -> Option<&str> {
        match &self.symptom {
            Symptom::Records {
                fault: RecordFault::Missing | RecordFault::MissingTail,
                member,
            } if self.is_about_valid_traces() => Some(member),
            _ => None,
        }
    }

    /// Adds the cases of `other` to this cause.
    pub(super) fn absorb(&mut self, other: Self) {
        if self.symptom != other.symptom && !self.also.contains(&other.symptom) {
            self.also.push(other.symptom.clone());
        }
        for case in other.cases() {
            if self.cases().all(|own| own.case != case.case) {
                self.others.push(case);
            }
        }
        self.sort();
    }
}
