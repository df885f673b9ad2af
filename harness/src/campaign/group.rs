//! Groups of findings with the same cause, and the saved state of a campaign.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tracegauge_corpus::pattern::Pattern;
use tracegauge_judge::baseline::{Baseline, Entry, OneOrMore};
use tracegauge_results::{CaseResult, Outcome};

use super::coverage::CoverageState;
use super::input::InputId;
use super::{CampaignError, Schedule};
use crate::probe::Signature;

/// The name of a campaign's state file.
const FILE: &str = "state.json";
/// The format version of a campaign's state file.
const VERSION: u32 = 1;

/// Inputs that trigger the same wrong behavior of a reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The outcome of the reader's answers.
    pub outcome: Outcome,
    /// The rule that the traces violate, or an empty string if they are valid.
    pub rule: String,
    /// The record member whose value is wrong.
    pub member: String,
    /// The part of the description that decodes the member's value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub read: String,
    /// The difference between the reported and the expected value, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub differs: String,
    /// The reader's error message, without the parts that vary between traces.
    pub words: String,
    /// The functions in which the reader crashed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
    /// The id of the saved input, which is one of the smallest inputs in the group.
    pub number: InputId,
    /// The size of the saved input in bytes, multiplied by a factor if the input is hard to
    /// minimize.
    pub size: u64,
    /// The number of inputs that triggered the group's behavior.
    pub count: u64,
    /// The folder of the saved input, relative to the campaign's folder, or `None` if it was not
    /// saved.
    pub folder: Option<String>,
    /// The size in bytes of the minimized input.
    pub bytes: Option<u64>,
    /// The reader's behavior on the saved input when it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Box<CaseResult>>,
    /// The reason given in the list of known failures, if the failure is listed there.
    pub known: Option<String>,
}

impl Group {
    /// Creates a group from its signature and its first input, with a count of zero.
    pub fn new(signature: &Signature, (size, number): (u64, InputId)) -> Self {
        Self {
            outcome: signature.outcome,
            rule: signature.rule.clone(),
            member: signature.member.clone(),
            read: signature.read.clone(),
            differs: signature.differs.clone(),
            words: signature.words.clone(),
            frames: signature.frames.clone(),
            number,
            size,
            count: 0,
            folder: None,
            bytes: None,
            observed: None,
            known: None,
        }
    }

    /// Returns the signature that distinguishes this group from others.
    pub fn signature(&self) -> Signature {
        Signature {
            outcome: self.outcome,
            rule: self.rule.clone(),
            member: self.member.clone(),
            read: self.read.clone(),
            differs: self.differs.clone(),
            words: self.words.clone(),
            frames: self.frames.clone(),
        }
    }

    /// Returns the subject of the group. For a crash, the subject is the kind of crash and the
    /// functions that crashed. For any other finding, the subject is the violated rule or the wrong
    /// member, the part of the description that decodes the member, and the difference.
    pub fn about(&self) -> String {
        if !self.frames.is_empty() {
            let kind = self.words.rsplit(": ").next().unwrap_or(&self.words);
            let parts = std::iter::once(kind).chain(self.frames.iter().map(String::as_str));
            let parts: Vec<String> = parts.map(|it| it.replace(['/', ' '], "-")).collect();
            return parts.join("/");
        }
        let parts = [&self.place().to_owned(), &self.read, &self.differs];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|part| part.replace(' ', "-"))
            .collect();
        parts.join("/")
    }

    /// Returns the violated rule or, if there is none, the wrong member of a record, or `valid` if
    /// there is neither.
    fn place(&self) -> &str {
        [&self.rule, &self.member]
            .into_iter()
            .find(|name| !name.is_empty())
            .map_or("valid", |name| name)
    }

    /// Returns the name that a case for this group would have.
    pub fn case(&self, format: &str) -> String {
        format!("{format}/fuzz/{}", self.about())
    }

    /// Returns a baseline entry that lists this group.
    pub fn entry(&self, format: &str, seed: u64) -> Entry {
        let rule = Some(self.rule.clone()).filter(|rule| !rule.is_empty());
        Entry {
            reason: format!(
                "fuzzing found this failure with the input {seed}:{}",
                self.number
            ),
            unexplained: true,
            outcome: self.outcome.into(),
            rule: rule.map(OneOrMore::from),
            about: None,
            simplest: None,
            case: self.case(format).into(),
        }
    }

    /// Returns the reason that `baseline` gives for this group, if the group is listed.
    ///
    /// A baseline entry lists the group if it lists the group's outcome and one of its patterns
    /// matches the group's case. An entry that names a rule also lists every group with the same
    /// outcome whose malformed traces violate this rule.
    pub fn known_by(&self, baseline: &Baseline, format: &str) -> Option<String> {
        let case = self.case(format);
        // Entries of older baselines named only a rule or a member, and applied to every failure
        // with that rule or member.
        let place = format!("{format}/fuzz/{}", self.place());
        let names_it = |entry: &Entry, pattern: &String| {
            let rules = entry.rule.as_ref();
            let segment = pattern.split('/').any(|part| part == self.rule);
            let ruled = segment || rules.is_some_and(|rules| rules.contains(&self.rule));
            let matched = Pattern::new(pattern).matches(&case) || *pattern == place;
            matched || (!self.rule.is_empty() && ruled && of_format(pattern, format))
        };
        let lists_it = |entry: &&Entry| {
            let mut patterns = entry.case.iter();
            entry.outcome.contains(&self.outcome) && patterns.any(|it| names_it(entry, it))
        };
        let entry = baseline.entries.iter().find(lists_it);
        entry.map(|entry| entry.reason.clone())
    }
}

/// Returns true if the pattern can match cases of the format.
fn of_format(pattern: &str, format: &str) -> bool {
    let first = pattern.split('/').next().unwrap_or_default();
    Pattern::new(first).matches(format)
}

/// The saved state of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    version: u32,
    /// The format.
    pub format: String,
    /// The name of the reader.
    pub reader: String,
    /// The seed.
    pub seed: u64,
    /// The number of inputs so far.
    pub inputs: u64,
    /// The number of inputs with each outcome.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// The schedule of the next turns.
    pub schedule: Schedule,
    /// The groups found so far.
    pub groups: Vec<Group>,
    /// The state of coverage feedback, if it is enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageState>,
}

impl State {
    /// Creates the state of a new campaign.
    pub fn new(format: &str, reader: &str, seed: u64) -> Self {
        Self {
            version: VERSION,
            format: format.to_owned(),
            reader: reader.to_owned(),
            seed,
            inputs: 0,
            outcomes: BTreeMap::new(),
            schedule: Schedule::default(),
            groups: Vec::new(),
            coverage: None,
        }
    }

    /// Loads the state of the campaign in `folder`, or returns `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if the state cannot be read.
    pub fn load(folder: &Path) -> Result<Option<Self>, CampaignError> {
        let path = folder.join(FILE);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CampaignError::File(path, error)),
        };
        let state: Self = serde_json::from_slice(&text)
            .map_err(|error| CampaignError::Other(path.clone(), error.to_string()))?;
        if state.version == VERSION {
            Ok(Some(state))
        } else {
            let why = format!(
                "the file was written by an incompatible version of tracegauge (format {})",
                state.version
            );
            Err(CampaignError::Other(path, why))
        }
    }

    /// Saves the state in `folder` atomically: other processes see either the old state or the
    /// complete new one.
    ///
    /// # Errors
    /// Returns an error if the state cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), CampaignError> {
        let path = folder.join(FILE);
        let failed = |error| CampaignError::File(path.clone(), error);
        let text = serde_json::to_vec_pretty(self)
            .map_err(|error| CampaignError::Other(path.clone(), error.to_string()))?;
        let file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        fs::write(file.path(), text).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(outcome: Outcome, rule: &str) -> Group {
        let signature = Signature {
            outcome,
            rule: rule.to_owned(),
            member: String::new(),
            read: String::new(),
            differs: String::new(),
            words: String::new(),
            frames: Vec::new(),
        };
        Group::new(&signature, (9, InputId::Numbered(7)))
    }

    fn of_member(read: &str, differs: &str) -> Group {
        Group {
            member: "fields[].value".to_owned(),
            read: read.to_owned(),
            differs: differs.to_owned(),
            ..group(Outcome::WrongRecords, "")
        }
    }

    #[test]
    fn the_entry_for_one_type_hides_no_other() {
        let number = of_member("values:I64", "another value");
        let entry = number.entry("boxes-v1", 3);
        assert_eq!(
            entry.case.first(),
            "boxes-v1/fuzz/fields[].value/values:I64/another-value"
        );
        let baseline = Baseline {
            entries: vec![entry],
        };
        let is_known = |group: &Group| group.known_by(&baseline, "boxes-v1").is_some();
        assert!(is_known(&number));
        assert!(!is_known(&of_member("values:Bool", "another value")));
        assert!(!is_known(&of_member("values:I64", "left out")));
    }

    #[test]
    fn an_entry_of_before_lists_what_it_listed() {
        let entry = "[{case: 'boxes-v1/fuzz/fields[].value', outcome: wrong-records, reason: so}]";
        assert!(known(&of_member("values:I64", "another value"), entry));
        let state = r#"{"outcome":"hang","rule":"","member":"a","words":"","number":7,"size":9,
            "count":1,"folder":null,"bytes":null,"known":null}"#;
        let group: Group = serde_json::from_str(state).expect("a group of before");
        assert_eq!((group.read.as_str(), group.about().as_str()), ("", "a"));
    }

    fn known(group: &Group, entry: &str) -> bool {
        let baseline = Baseline::parse(entry, Path::new("known.yaml")).expect("a baseline");
        group.known_by(&baseline, "boxes-v1").is_some()
    }

    #[test]
    fn a_list_of_known_failures_names_a_group_by_rule_case_and_outcome() {
        let group = group(Outcome::WrongAccept, "MAGIC");
        for (case, expected) in [
            ("'*/malformed/MAGIC/*'", true),
            ("boxes-v1/fuzz/MAGIC", true),
            ("boxes-v2/malformed/MAGIC/cut", false),
            ("'*/malformed/OTHER/*'", false),
        ] {
            let entry = format!("[{{case: {case}, outcome: wrong-accept, reason: so}}]");
            assert_eq!(known(&group, &entry), expected, "{case}");
        }
        assert!(!known(
            &group,
            "[{case: '*/malformed/MAGIC/*', outcome: crash, reason: so}]"
        ));
        assert!(known(
            &group,
            "[{case: '*', rule: MAGIC, outcome: wrong-accept, reason: so}]"
        ));
        let lists = "[{case: [other-v1/*, 'boxes-v?/malformed/*'], rule: [OTHER, MAGIC],
            outcome: [crash, wrong-accept], reason: so}]";
        assert!(known(&group, lists));
        assert!(!known(&group, &lists.replace("MAGIC", "LENGTH")));
        assert!(!known(&group, &lists.replace("wrong-accept", "hang")));
    }

    #[test]
    fn the_entry_for_a_group_lists_it() {
        let group = group(Outcome::Crash, "");
        let baseline = Baseline {
            entries: vec![group.entry("boxes-v1", 3)],
        };
        assert!(group.known_by(&baseline, "boxes-v1").is_some());
        assert!(group.known_by(&baseline, "boxes-v2").is_none());
    }

    #[test]
    fn a_state_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(State::load(folder.path()).expect("none"), None);
        let mut state = State::new("boxes-v1", "mine", 5);
        state.groups.push(group(Outcome::Hang, "MAGIC"));
        state.outcomes.insert(Outcome::Hang, 3);
        state.schedule.next_epoch();
        state.save(folder.path()).expect("written");
        assert_eq!(State::load(folder.path()).expect("read"), Some(state));
    }
}
