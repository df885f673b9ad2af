//! Recipes for generating valid traces again without a search.
//!
//! A search generates thousands of traces and selects a few hundred of them. A recipe records the
//! seed, the size and the target of a selected trace, so that rebuilding the corpus generates only
//! the selected traces. If a trace was made plainer after its generation, its bytes are stored
//! instead. Recipes are valid only for the version of the description that the search used. The
//! file with the recipes is compressed.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use tracegauge_plan::terms::RuleId;

use serde::{Deserialize, Serialize};
use tracegauge_decoder::judge;
use tracegauge_decoder::verdict::Judgement;
use tracegauge_generator::plain::Allowed;
use tracegauge_generator::{Generator, Target, TargetLength, TargetNumber, TargetText};
use tracegauge_plan::{OpId, Plan};

use super::trace::{Found, LARGEST, Origin, Recipe, Rejected, Valid};
use crate::case::CaseId;
use crate::manifest::Manifest;
use crate::parallel;
use crate::source::{Built, Problem};
use crate::store::{KeptError, Store};

const HEAD: &str = "\
# Recipes of the valid traces of this format: seed, size, target, and the length of the prefix; or
# the bytes of the trace.
# Written by `tracegauge corpus build` and used until the description changes.
";

/// The recipes of a format, as stored in the recipe file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub format: String,
    /// The hash of the description that the search used.
    pub description: String,
    /// The cases that the search skipped, each described in words. Empty for recipes that are
    /// stored in a corpus.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// The traces that the search could not generate. Empty for recipes that are stored in a corpus.
    #[serde(default)]
    pub failed: Vec<WrittenFailure>,
    /// Traces that readers must reject, in addition to those that are made from valid traces.
    #[serde(default)]
    pub rejected: Vec<Rejected>,
    pub traces: Vec<WrittenTrace>,
}

/// A trace that could not be generated.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenFailure {
    pub wanted: String,
    pub why: String,
}

/// A stored trace: either its bytes, or the seed, size and length from which the trace is
/// generated.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WrittenTrace {
    id: CaseId,
    why: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    about: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<WrittenTarget>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<WrittenAllowed>,
    /// The bytes in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    redundant: bool,
}

impl WrittenTrace {
    fn of(trace: &Valid) -> Self {
        match &trace.origin {
            Origin::Recipe(recipe) => Self {
                seed: Some(recipe.seed),
                bytes: Some(recipe.bytes),
                length: Some(trace.bytes.len()),
                target: recipe.target.as_ref().map(WrittenTarget::of),
                allowed: recipe.allowed.as_ref().map(WrittenAllowed::of),
                ..Self::common(trace)
            },
            Origin::Stored => Self::with_bytes(trace),
        }
    }

    /// Converts a trace to a stored trace that contains the trace's bytes, even if a recipe could
    /// generate the trace.
    pub(super) fn with_bytes(trace: &Valid) -> Self {
        Self {
            trace: Some(hex::encode(&trace.bytes)),
            ..Self::common(trace)
        }
    }

    fn common(trace: &Valid) -> Self {
        Self {
            id: trace.id.clone(),
            why: trace.why.clone(),
            about: trace.about.clone(),
            redundant: trace.redundant,
            ..Self::default()
        }
    }
}

/// The departures that a trace may have: the indexes of the rules that it may exercise, and of the
/// operations that may read unusual values.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenAllowed {
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    rules: BTreeSet<u32>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    fields: BTreeSet<u32>,
}

impl WrittenAllowed {
    fn of(allowed: &Allowed) -> Self {
        Self {
            rules: allowed.rules.iter().map(|rule| rule.0).collect(),
            fields: allowed.fields.iter().map(|op| op.0).collect(),
        }
    }

    fn allowed(self) -> Allowed {
        Allowed {
            rules: self.rules.into_iter().map(RuleId).collect(),
            fields: self.fields.into_iter().map(OpId).collect(),
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenTarget {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    codes: Vec<i64>,
    #[serde(skip_serializing_if = "is_false")]
    may_be_empty: bool,
    #[serde(skip_serializing_if = "is_false")]
    large: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// The operation, the lowest value, the highest value, and the number of earlier occurrences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<(u32, i128, i128, u32)>,
    /// The operation and the minimum length.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lengths: Vec<(u32, u64)>,
    /// The operation and the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<(u32, String)>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

impl WrittenTarget {
    fn of(target: &Target) -> Self {
        let codes = target.codes.iter();
        let numbers = target.numbers.iter();
        let lengths = target.lengths.iter();
        let texts = target.texts.iter();
        Self {
            codes: codes.filter_map(|code| i64::try_from(*code).ok()).collect(),
            may_be_empty: target.may_be_empty,
            large: target.large,
            bytes: target.bytes,
            numbers: numbers
                .map(|target| (target.op.0, target.low, target.high, target.after))
                .collect(),
            lengths: lengths.map(|target| (target.op.0, target.least)).collect(),
            texts: texts
                .map(|target| (target.op.0, target.text.clone()))
                .collect(),
        }
    }

    fn target(self) -> Target {
        let numbers = self.numbers.into_iter();
        let lengths = self.lengths.into_iter();
        let texts = self.texts.into_iter();
        Target {
            codes: self.codes.into_iter().map(i128::from).collect(),
            may_be_empty: self.may_be_empty,
            large: self.large,
            bytes: self.bytes,
            numbers: numbers
                .map(|(op, low, high, after)| TargetNumber {
                    op: OpId(op),
                    low,
                    high,
                    after,
                })
                .collect(),
            lengths: lengths
                .map(|(op, least)| TargetLength {
                    op: OpId(op),
                    least,
                })
                .collect(),
            texts: texts
                .map(|(op, text)| TargetText { op: OpId(op), text })
                .collect(),
        }
    }
}

/// Returns the path of a format's recipes in the corpus.
pub(crate) fn path(format: &str) -> String {
    format!("recipes/{format}.yaml.gz")
}

/// Keys in a description that contain only explanations for people. Explanations do not affect
/// which traces a search finds.
const PROSE: [&str; 7] = [
    "because", "doc", "open", "says", "section", "why", "wording",
];

/// Returns a hash of the dialect and the content of a description, excluding comments and
/// explanatory text.
pub(crate) fn hash(plan: &Plan) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(plan.format.as_bytes());
    for file in plan.description.sources.files() {
        // The file name is not hashed, because a built-in description and a copy of it in a file
        // have different names.
        hasher.update(b"\0");
        hasher.update(without_prose(&file.text).as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Returns the content of a YAML file without comments and explanatory texts, or the whole file if
/// it is not plain YAML.
fn without_prose(file: &str) -> Cow<'_, str> {
    let Ok(mut content) = serde_yaml::from_str(file) else {
        return Cow::Borrowed(file);
    };
    remove_prose(&mut content);
    serde_yaml::to_string(&content).map_or(Cow::Borrowed(file), Cow::Owned)
}

fn remove_prose(content: &mut serde_yaml::Value) {
    match content {
        serde_yaml::Value::Mapping(members) => {
            let is_prose = |key: &serde_yaml::Value, value: &serde_yaml::Value| {
                value.is_string() && key.as_str().is_some_and(|key| PROSE.contains(&key))
            };
            members.retain(|key, value| !is_prose(key, value));
            members.values_mut().for_each(remove_prose);
        }
        serde_yaml::Value::Sequence(items) => items.iter_mut().for_each(remove_prose),
        _ => {}
    }
}

/// Renders the recipes as a file with one line per trace.
pub(super) fn render(plan: &Plan, found: &Found) -> Option<String> {
    let traces = found.valid.iter().map(WrittenTrace::of);
    text(&Written {
        format: plan.format.clone(),
        description: hash(plan),
        left_out: Vec::new(),
        failed: Vec::new(),
        rejected: found.rejected.clone(),
        traces: traces.collect(),
    })
}

pub(super) fn text(written: &Written) -> Option<String> {
    let (format, description) = (&written.format, &written.description);
    let mut text = format!("{HEAD}format: {format}\ndescription: {description:?}\n");
    if !written.left_out.is_empty() {
        let left_out = serde_json::to_string(&written.left_out).ok()?;
        text.push_str(&format!("left_out: {left_out}\n"));
    }
    if !written.failed.is_empty() {
        let failed = serde_json::to_string(&written.failed).ok()?;
        text.push_str(&format!("failed: {failed}\n"));
    }
    if !written.rejected.is_empty() {
        text.push_str("rejected:\n");
    }
    for trace in &written.rejected {
        text.push_str("  - ");
        text.push_str(&serde_json::to_string(trace).ok()?);
        text.push('\n');
    }
    text.push_str("traces:\n");
    for trace in &written.traces {
        text.push_str("  - ");
        text.push_str(&serde_json::to_string(trace).ok()?);
        text.push('\n');
    }
    Some(text)
}

/// Returns the ids of all traces that have a stored recipe for a description.
///
/// # Errors
/// Returns an error if the recipes cannot be read.
pub fn traced(store: &Store, plan: &Plan) -> Result<HashSet<CaseId>, KeptError> {
    let kept = load(store, plan)?;
    let traces = kept.into_iter().flat_map(|written| written.traces);
    Ok(traces.map(|trace| trace.id).collect())
}

/// Marks exactly the traces in `redundant` as redundant, so that they do not become cases.
///
/// # Errors
/// Returns an error if the recipes cannot be read or written.
pub fn leave_out(store: &Store, plan: &Plan, redundant: &HashSet<CaseId>) -> Result<(), KeptError> {
    let Some(mut written) = load(store, plan)? else {
        return Ok(());
    };
    for trace in &mut written.traces {
        trace.redundant = redundant.contains(&trace.id);
    }
    let Some(text) = text(&written) else {
        return Ok(());
    };
    store.compress(&path(&plan.format), &text)?;
    Ok(())
}

/// Loads the recipes stored for this version of a description, if there are any.
fn load(store: &Store, plan: &Plan) -> Result<Option<Written>, KeptError> {
    let kept = load_any(store, plan)?;
    Ok(kept.filter(|written| written.description == hash(plan)))
}

/// Loads the recipes stored for any version of a description.
fn load_any(store: &Store, plan: &Plan) -> Result<Option<Written>, KeptError> {
    let path = path(&plan.format);
    let Some(text) = store.compressed(&path)? else {
        return Ok(None);
    };
    let kept = parse(&text).map_err(|error| KeptError::Text {
        file: store.shown(&path),
        error,
    })?;
    Ok(Some(kept))
}

/// Parses stored recipes.
pub(super) fn parse(text: &str) -> Result<Written, serde_yaml::Error> {
    serde_yaml::from_str(text)
}

/// Generates the traces from the recipes stored for a description. Returns `None` if there are no
/// recipes.
pub(super) fn follow(store: &Store, plan: &Arc<Plan>, built: &mut Built) -> Option<Found> {
    let written = match load(store, plan) {
        Ok(written) => written?,
        Err(error) => {
            built.problems.push(unread(plan, error.to_string()));
            return None;
        }
    };
    let (made, rejected) = all_made(plan, written);
    let mut valid = Vec::with_capacity(made.len());
    for made in made {
        match made {
            Ok(trace) => valid.push(trace),
            Err(problem) => built.problems.push(problem),
        }
    }
    Some(Found { valid, rejected })
}

/// Generates the traces from the recipes stored for any version of a description, and returns the
/// valid traces that match their entry in the manifest or have no entry. Returns `None` if there
/// are no recipes.
pub(super) fn unchanged(store: &Store, plan: &Arc<Plan>, built: &mut Built) -> Option<Found> {
    let loaded = load_any(store, plan).and_then(|written| {
        let manifest = Manifest::load(store, &plan.format)?;
        Ok((written, manifest.unwrap_or_default()))
    });
    let (written, manifest) = match loaded {
        Ok((written, manifest)) => (written?, manifest),
        Err(error) => {
            built.problems.push(unread(plan, error.to_string()));
            return None;
        }
    };
    let (made, rejected) = all_made(plan, written);
    let unchanged = parallel::map_owned(made, |made| {
        made.ok().filter(|trace| {
            let entry = manifest.entries.get(&trace.id);
            entry.is_none_or(|entry| entry.is_of(&trace.bytes))
                && judge(plan, &trace.bytes).judgement == Judgement::Accepted
        })
    });
    let valid: Vec<Valid> = unchanged.into_iter().flatten().collect();
    let is_known = |trace: &Rejected| {
        let entry = manifest.entries.get(&trace.id);
        entry.is_some_and(|entry| entry.is_of(&trace.bytes))
    };
    Some(Found {
        valid,
        rejected: rejected.into_iter().filter(is_known).collect(),
    })
}

/// Generates the valid trace of each recipe. Also returns the stored traces that readers must reject.
fn all_made(plan: &Arc<Plan>, written: Written) -> (Vec<Result<Valid, Problem>>, Vec<Rejected>) {
    let generator = Generator::new(Arc::clone(plan));
    let made = parallel::map_owned(written.traces, |trace| made(&generator, trace));
    (made, written.rejected)
}

fn unread(plan: &Plan, why: String) -> Problem {
    Problem::Generate {
        format: plan.format.clone(),
        wanted: "the valid traces".to_owned(),
        why,
    }
}

pub(super) fn made(generator: &Generator, trace: WrittenTrace) -> Result<Valid, Problem> {
    let problem = |why: String| Problem::Generate {
        format: generator.plan().format.clone(),
        wanted: trace.id.clone(),
        why,
    };
    let (bytes, origin) = match trace.trace {
        Some(bytes) => {
            let bytes = hex::decode(bytes).map_err(|error| problem(error.to_string()))?;
            (bytes, Origin::Stored)
        }
        None => {
            let lacks =
                |what: &str| problem(format!("the stored recipe for the trace has no {what}"));
            let recipe = Recipe {
                seed: trace.seed.ok_or_else(|| lacks("seed"))?,
                bytes: trace.bytes.ok_or_else(|| lacks("size"))?,
                target: trace.target.map(WrittenTarget::target),
                allowed: trace.allowed.map(WrittenAllowed::allowed),
            };
            let length = trace.length.ok_or_else(|| lacks("length"))?;
            let bytes = prefix(generator, &recipe, length).map_err(problem)?;
            (bytes, Origin::Recipe(Arc::new(recipe)))
        }
    };
    Ok(Valid {
        bytes,
        id: trace.id,
        why: trace.why,
        about: trace.about,
        origin,
        departures: Arc::default(),
        redundant: trace.redundant,
    })
}

/// Generates the first `length` bytes of a recipe's trace.
fn prefix(generator: &Generator, recipe: &Recipe, length: usize) -> Result<Vec<u8>, String> {
    let made = recipe
        .make(generator, LARGEST)
        .map_err(|error| error.to_string())?;
    let bytes = made.bytes.get(..length).ok_or_else(|| {
        let made = made.bytes.len();
        format!(
            "the stored seed and size now generate a trace of {made} bytes, expected at least \
             {length}; run `tracegauge corpus build` to search for another trace"
        )
    })?;
    Ok(bytes.to_vec())
}

#[cfg(test)]
mod tests {
    use super::without_prose;

    #[test]
    fn sentences_and_comments_do_not_invalidate_recipes() {
        let one = "rules: # all of them\n  A: { says: It is so., level: must }\n";
        let other = "rules:\n  A:\n    level: must\n    says: It has to be so.\n";
        assert_eq!(without_prose(one), without_prose(other));
        let changed = one.replace("must", "may");
        assert_ne!(without_prose(one), without_prose(&changed));
        // A type may have the same name as a key in `PROSE`.
        let named = "types:\n  doc: { seq: [ { id: a, type: u1 } ] }\n";
        assert!(without_prose(named).contains("u1"));
        assert_eq!(without_prose("a: ["), "a: [");
    }
}
