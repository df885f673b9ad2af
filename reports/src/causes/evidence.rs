//! Derives evidence about departures and rules from the results of all cases of a format.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use tracegauge_results::{
    CaseResult, Expectation, Outcome, Proof, ReaderResult, RecordFault, RuleInfo, RunHead, Symptom,
};

use super::everywhere::everywhere;
use super::never::NeverReported;
use super::sighting::{Sighting, View};
use super::symptom::member;

/// The results of one format, prepared for queries about departures and rules. Departures and rules
/// are both called names here, because many departures are named after the rule that permits them.
pub(super) struct Evidence<'r> {
    pub(super) format: &'r str,
    run: &'r RunHead,
    /// The results of the format, by case.
    by_id: HashMap<&'r str, &'r CaseResult>,
    /// The valid cases, each with its symptoms.
    valid: Vec<View<'r>>,
    /// The kinds of records that are never reported.
    never: NeverReported<'r>,
    /// The faults of whole records that occur in nearly all valid cases.
    everywhere: BTreeSet<RecordFault>,
    /// For each symptom, the valid cases that do not show it.
    free: RefCell<BTreeMap<Symptom, Rc<Free<'r>>>>,
    /// The rules that at least one case tests.
    rules: BTreeSet<&'r str>,
    /// The departures of all cases.
    departures: BTreeSet<&'r str>,
    /// The operators of the malformed cases that demonstrably pass, keyed by the violated rule.
    rejected: HashMap<&'r str, Vec<&'r str>>,
    /// The members that are wrong in at least one failing case.
    wrong_members: BTreeSet<String>,
    /// The rules about contents that occur only in failing traces, keyed by the name of the
    /// contents.
    contents: HashMap<&'r str, &'r [String]>,
}

/// The valid cases that demonstrably do not show a symptom. A case that fails for a different
/// reason is included if all of its records have been compared.
pub(super) struct Free<'r> {
    /// The names of each case.
    cases: Vec<BTreeSet<&'r str>>,
    /// The names that occur in at least one of the cases.
    innocent: BTreeSet<&'r str>,
}

impl Free<'_> {
    /// Returns true if there is a case without the symptom.
    pub(super) fn is_any(&self) -> bool {
        !self.cases.is_empty()
    }

    /// Returns the number of cases without the symptom.
    pub(super) fn len(&self) -> usize {
        self.cases.len()
    }

    /// Returns whether `name` occurs in a case without the symptom.
    pub(super) fn is_innocent(&self, name: &str) -> bool {
        self.innocent.contains(name)
    }

    /// Returns the number of cases without the symptom that contain `name`.
    pub(super) fn count(&self, name: &str) -> usize {
        self.cases.iter().filter(|it| it.contains(name)).count()
    }

    /// Returns true if both names occur together in a case without the symptom.
    pub(super) fn are_innocent(&self, one: &str, other: &str) -> bool {
        let mut cases = self.cases.iter();
        cases.any(|names| names.contains(one) && names.contains(other))
    }
}

impl<'r> Evidence<'r> {
    /// Returns all cases of the format.
    pub(super) fn cases(&self) -> impl Iterator<Item = &'r CaseResult> {
        self.by_id.values().copied()
    }

    pub(super) fn of(run: &'r RunHead, reader: &'r ReaderResult, format: &'r str) -> Self {
        let cases = || reader.cases.iter().filter(|case| case.format == format);
        let valid = cases().filter(|case| case.expected == Expectation::Accept);
        let mut valid: Vec<View<'r>> = valid.map(View::of).collect();
        let never = NeverReported::of(reader, format).owed(&valid);
        for view in &mut valid {
            never.generalize(view);
        }
        let everywhere = everywhere(&valid);
        for view in &mut valid {
            view.generalize(&everywhere);
        }
        let mut rejected: HashMap<&str, Vec<&str>> = HashMap::new();
        let is_rejected = |case: &&CaseResult| {
            is_malformed(case)
                && case.outcome == Outcome::Pass
                && case.proof.is_some_and(Proof::is_proven)
        };
        for case in cases().filter(is_rejected) {
            if let (Some(rule), Some(operator)) = (case.rules.first(), &case.operator) {
                rejected.entry(rule).or_default().push(operator);
            }
        }
        let wrong_members = cases()
            .filter(|case| case.outcome == Outcome::WrongRecords)
            .filter_map(|case| case.detail.as_deref()?.difference.as_ref())
            .map(member)
            .collect();
        Self {
            format,
            run,
            by_id: cases().map(|case| (case.case.as_str(), case)).collect(),
            valid,
            never,
            everywhere,
            free: RefCell::default(),
            rules: cases()
                .flat_map(|case| &case.rules)
                .map(String::as_str)
                .collect(),
            departures: cases()
                .flat_map(|case| &case.departures)
                .map(String::as_str)
                .collect(),
            rejected,
            wrong_members,
            contents: cases()
                .flat_map(|case| &case.suspects)
                .map(|suspect| (suspect.name.as_str(), suspect.rules.as_slice()))
                .collect(),
        }
    }

    /// Returns a case with its symptoms.
    pub(super) fn view(&self, case: &'r CaseResult) -> View<'r> {
        let mut view = View::of(case);
        self.never.generalize(&mut view);
        view.generalize(&self.everywhere);
        view
    }

    /// Returns the names of `case` that can be the reason for a symptom, without duplicates and in
    /// order of preference: its departures, followed by its rules, most important first, and by the
    /// contents that occur only in failing traces. If records are wrong, these contents are
    /// omitted, because the rules about the wrong member explain the failure better.
    pub(super) fn names(&self, case: &'r CaseResult, symptom: &Symptom) -> Vec<&'r str> {
        let mut names: Vec<&str> = Vec::new();
        let suspects = match symptom.is_records() {
            true => &[][..],
            false => &case.suspects,
        };
        let suspects = suspects.iter().map(|suspect| &suspect.name);
        for name in case.departures.iter().chain(&case.rules).chain(suspects) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Returns true if the trace of `case` contains `name`. A malformed trace contains everything
    /// that its valid twin contains.
    pub(super) fn contains(&self, case: &CaseResult, name: &str) -> bool {
        self.contained(case).any(|own| own == name)
    }

    /// Returns the names that the trace of `case` contains. Some may be repeated.
    pub(super) fn contained<'c>(&self, case: &'c CaseResult) -> impl Iterator<Item = &'c str>
    where
        'r: 'c,
    {
        let cases = [Some(case), self.twin(case)].into_iter().flatten();
        cases.flat_map(own)
    }

    /// Returns the valid twin of a malformed case, if it is among the results.
    pub(super) fn twin(&self, case: &CaseResult) -> Option<&'r CaseResult> {
        let twin = case.twin.as_deref().filter(|_| is_malformed(case))?;
        self.by_id.get(twin).copied()
    }

    /// Returns the valid trace that an operator changed to make `case`, if readers may accept `case`
    /// and the valid trace is among the results.
    pub(super) fn original(&self, case: &CaseResult) -> Option<&'r CaseResult> {
        let is_changed = case.operator.is_some() && !is_malformed(case);
        let twin = case.twin.as_deref().filter(|_| is_changed)?;
        let original = self.by_id.get(twin).copied();
        original.filter(|twin| !is_malformed(twin) && twin.operator.is_none())
    }

    /// Returns whether a valid trace without `feature` shows the same symptom.
    pub(super) fn is_shown_without(&self, symptom: &Symptom, feature: &[&str]) -> bool {
        self.valid.iter().any(|view| {
            view.sightings.iter().any(|it| it.symptom == *symptom)
                && !feature.iter().all(|name| self.contains(view.case, name))
        })
    }

    /// Returns the valid cases that demonstrably do not show `symptom`.
    pub(super) fn free_of(&self, symptom: &Symptom) -> Rc<Free<'r>> {
        let mut known = self.free.borrow_mut();
        let free = known.entry(symptom.clone()).or_insert_with(|| {
            let cases = self.valid.iter().filter(|view| view.is_free_of(symptom));
            let cases: Vec<BTreeSet<&str>> = cases.map(|view| own(view.case).collect()).collect();
            Rc::new(Free {
                innocent: cases.iter().flatten().copied().collect(),
                cases,
            })
        });
        Rc::clone(free)
    }

    /// Returns whether `name` is a rule of the format, not just the name of a departure.
    pub(super) fn is_rule(&self, name: &str) -> bool {
        self.rules.contains(name) || RuleInfo::find(&self.run.rules, name, self.format).is_some()
    }

    /// Returns the rules for the member that differs, if this member reveals the cause. A wrong
    /// member in the records before a rejection does not reveal the cause if the member is also
    /// wrong in traces that the reader accepts. A rule that permits a departure applies to unusual
    /// values, so it is irrelevant to traces that do not contain the departure.
    pub(super) fn about(&self, case: &'r CaseResult, sighting: &Sighting<'r>) -> Vec<&'r str> {
        let detail = case.detail.as_deref();
        let difference = detail.and_then(|detail| detail.difference.as_ref());
        let is_revealing =
            || difference.is_some_and(|found| !self.wrong_members.contains(&member(found)));
        let rules = match sighting.symptom.is_records() {
            true => sighting.about,
            false if is_revealing() => case.about_difference(),
            false => &[],
        };
        let matters = |rule: &&String| {
            case.departures.contains(rule) || !self.departures.contains(rule.as_str())
        };
        rules.iter().filter(matters).map(String::as_str).collect()
    }

    /// Returns whether known writers produce all of these departures.
    pub(super) fn are_written(&self, departures: &[String]) -> bool {
        let written = self.run.written.get(self.format);
        written.is_some_and(|written| departures.iter().all(|it| written.contains(it)))
    }

    /// Returns whether a valid trace contains `name`.
    pub(super) fn is_exercised(&self, name: &str) -> bool {
        let mut cases = self.valid.iter().map(|view| view.case);
        cases.any(|case| self.contains(case, name))
    }

    /// Returns the rules that a name refers to: the rule with this name, or the rules about the
    /// contents with this name. A departure need not refer to a rule.
    pub(super) fn rules_of(&self, name: &'r str) -> Vec<&'r str> {
        match self.contents.get(name) {
            _ if self.is_rule(name) => vec![name],
            Some(rules) => rules.iter().map(String::as_str).collect(),
            None => Vec::new(),
        }
    }

    /// Returns the rule whose violations are reported as violations of `rule`, if there is exactly
    /// one.
    pub(super) fn rule_through(&self, rule: &str) -> Option<&'r str> {
        let all = self.run.rules.iter();
        let mut through = all.filter(|it| {
            it.through.as_deref() == Some(rule)
                && RuleInfo::find(&self.run.rules, &it.id, self.format) == Some(it)
        });
        let only = through.next().filter(|_| through.next().is_none())?;
        Some(&only.id)
    }

    /// Returns the number of valid traces that contain `name` and that the reader rejects.
    pub(super) fn rejected_with(&self, name: &str) -> usize {
        let rejected = self.valid.iter().map(|view| view.case);
        let rejected = rejected.filter(|case| case.outcome == Outcome::WrongReject);
        rejected.filter(|case| self.contains(case, name)).count()
    }

    /// Returns the operators that produce the violations of `rule` that the reader demonstrably
    /// rejects.
    pub(super) fn rejected_operators(&self, rule: &str) -> &[&'r str] {
        self.rejected.get(rule).map_or(&[], Vec::as_slice)
    }
}

/// Returns whether the trace of `case` is malformed.
pub(super) fn is_malformed(case: &CaseResult) -> bool {
    case.expected == Expectation::Reject
}

/// Returns the key for sorting cases from plain to unusual. Malformed cases come after all others,
/// because a valid trace with the same symptom isolates the bug better. Of two traces with the same
/// number of departures, the one that tests fewer rules is plainer.
pub(super) fn plainness(case: &CaseResult) -> impl Ord + use<> {
    (
        is_malformed(case),
        case.departures.len(),
        case.expected != Expectation::Accept,
        case.rules.len(),
        case.case.clone(),
    )
}

/// Returns the names of a case. Some may be repeated.
fn own(case: &CaseResult) -> impl Iterator<Item = &str> {
    let suspects = case.suspects.iter().map(|suspect| &suspect.name);
    let names = case.departures.iter().chain(&case.rules).chain(suspects);
    names.map(String::as_str)
}
