//! Generates systematic cases: for each obligation, a valid trace that meets it and is as plain and
//! as short as possible, and, derived from these traces, one malformed trace for each way to
//! violate a rule.

mod cache;
mod covering_set;
mod effort;
mod identities;
mod mistakes;
mod plainer;
mod purpose;
mod recipe;
mod rejected;
mod search;
mod special;
mod targets;
mod trace;
pub mod twins;
mod valid;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use tracegauge_decoder::verdict::Judgement;
use tracegauge_decoder::{judge, judge_small};
use tracegauge_generator::Generator;
use tracegauge_generator::fault::{self, Malformed, ValidTrace, sentence};
use tracegauge_generator::plain::Answers;
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{Kind, OpId, Plan};

use crate::case::{CaseId, ExpectedVerdict, Source};
use crate::formats::other_formats;
use crate::generated::{Breach, Candidate, admit};
use crate::headings;
use crate::manifest::Manifest;
use crate::mutation_score::Kills;
use crate::parallel;
use crate::score::{Meter, rules_of, ways};
use crate::source::{Built, CaseSource, Problem};
use crate::store::Store;

use self::cache::Stage;
use self::effort::Limits;
pub use self::effort::{Effort, SearchOptions};
pub(crate) use self::recipe::hash as description_hash;
pub use self::recipe::{leave_out, traced};
use self::trace::{Found, Rejected, Valid};

/// How the search for valid traces uses the recipes stored in a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipes {
    /// Generates the traces from the recipes for this version of the description. If there are no
    /// such recipes, searches for all traces.
    Follow,
    /// As `Follow`, but if there are recipes for another version of the description, extends them.
    FollowOrExtend,
    /// Keeps the traces that are still valid, and searches for traces that meet the remaining
    /// obligations.
    Extend,
    /// Searches for all traces.
    Ignore,
}

/// The case source that generates valid and malformed cases from the plan.
#[derive(Clone, Debug)]
pub struct SystematicCases {
    store: Store,
    recipes: Recipes,
    search: SearchOptions,
}

impl SystematicCases {
    /// Creates the source. `store` contains the recipes, and the seeds of additional valid traces
    /// to plant faults in.
    pub fn new(store: Store, recipes: Recipes, search: SearchOptions) -> Self {
        Self {
            store,
            recipes,
            search,
        }
    }

    /// Builds the cases of a format from the valid traces in recipes or in the cache, or else from
    /// those that a search finds.
    fn found(&self, plan: &Arc<Plan>, built: &mut Built) -> Built {
        let (follow, extend) = match self.recipes {
            Recipes::Follow => (true, false),
            Recipes::FollowOrExtend => (true, true),
            Recipes::Extend => (false, true),
            Recipes::Ignore => (false, false),
        };
        let recipes = Some(&self.store).filter(|_| follow);
        if let Some(followed) = recipes.and_then(|store| recipe::follow(store, plan, built)) {
            return self.cases(plan, &followed);
        }
        let cache = self.search.cache.as_deref();
        if let Some(found) = cache.and_then(|folder| cache::load(folder, plan, built)) {
            return self.cases(plan, &found);
        }
        self.searched(plan, extend, built)
    }

    /// Searches for valid traces, builds the cases from them, and saves the traces. A search that was
    /// stopped continues after the last stage that it completed. If `extend` is true, the traces of
    /// stored recipes are kept.
    fn searched(&self, plan: &Arc<Plan>, extend: bool, built: &mut Built) -> Built {
        let effort = self.search.effort;
        let recipes = Some(&self.store).filter(|_| extend);
        let unchanged = recipes.and_then(|store| recipe::unchanged(store, plan, built));
        // Problems with the stored recipes do not belong to the search.
        let cache = self.search.cache.as_deref();
        let cache = cache.filter(|_| built.problems.is_empty());
        // A corpus that has no traces for mistakes gets none because its description changes.
        let seeks_mistakes = unchanged
            .as_ref()
            .is_none_or(|found| found.valid.iter().any(|trace| trace.is_for_mistake(plan)));
        let begun = cache.filter(|_| unchanged.is_none());
        let begun = begun.and_then(|folder| cache::begun(folder, plan, built));
        let (done, mut found) = match begun {
            Some((done, found)) => (Some(done), found),
            None => (None, unchanged.unwrap_or_default()),
        };
        let generator = Generator::new(Arc::clone(plan));
        let limits = effort.limits().paced(&generator);
        let seeks_mistakes = seeks_mistakes && self.may_seek_mistakes(plan);
        let save = |stage: Stage, found: &Found, built: &Built| {
            if let Some(folder) = cache {
                cache::save_stage(folder, (plan, stage), found, built);
            }
        };
        if done < Some(Stage::Valid) {
            let valid = valid::traces(&generator, limits, &found.valid, built);
            found.valid.extend(valid);
            save(Stage::Valid, &found, built);
        }
        if done < Some(Stage::Twins) {
            self.add_twins(
                &generator,
                limits,
                (seeks_mistakes, extend),
                &mut found.valid,
            );
            save(Stage::Twins, &found, built);
        }
        let mut cases = self.cases(plan, &found);
        if seeks_mistakes {
            let (valid, missed) = mistakes::traces(&generator, &cases.cases, limits);
            if replace(&mut found.valid, valid) {
                cases = self.cases(plan, &found);
            }
            let rejected = rejected::traces(&generator, &cases.cases, &missed, limits);
            // The same traces may be found for another version of the description.
            let is_new = |known: &Rejected| rejected.iter().all(|trace| trace.id != known.id);
            found.rejected.retain(is_new);
            found.rejected.extend(rejected);
            replace(&mut found.valid, special::random(&generator));
            cases = self.cases(plan, &found);
        }
        let recipes = recipe::render(plan, &found);
        let path = recipe::path(&plan.format);
        built.recipes.extend(recipes.map(|recipes| (path, recipes)));
        if let Some(folder) = cache {
            cache::save(folder, plan, &found, built);
        }
        cases
    }

    /// Adds twins for faults that no trace allows, plainer twins, and traces with special contents.
    fn add_twins(
        &self,
        generator: &Generator,
        limits: Limits,
        (seeks_mistakes, extend): (bool, bool),
        valid: &mut Vec<Valid>,
    ) {
        if seeks_mistakes {
            let first = 1 + plainer::last_number(generator.plan(), valid);
            let lacking = twins::lacking(generator, valid, (first, limits.twin_seeds));
            valid.extend(lacking);
        }
        valid.extend(self.plainer_twins(generator, limits, valid, extend));
        if seeks_mistakes {
            let special = special::traces(generator, valid);
            replace(valid, special);
        }
    }

    /// Returns true if the search may also look for traces that detect typical mistakes of readers.
    /// For a corpus that stores seeds of such traces, `corpus score --mutants --search` finds more of
    /// them.
    fn may_seek_mistakes(&self, plan: &Plan) -> bool {
        self.search.effort != Effort::Trial
            && matches!(Kills::new(self.store.clone()).has_seeds(plan), Ok(false))
    }

    /// Returns plainer twins for the malformed traces that are generated from `valid` and from the
    /// stored twins. If `extend` is true, only malformed traces that are not in the manifest get
    /// plainer twins. A twin is the valid trace that a malformed trace was made from.
    fn plainer_twins(
        &self,
        generator: &Generator,
        limits: Limits,
        valid: &[Valid],
        extend: bool,
    ) -> Vec<Valid> {
        let plan = generator.plan();
        let candidates = limits.twin_candidates;
        if candidates == 0 {
            return Vec::new();
        }
        // A problem with the stored files is reported when the cases are generated from them.
        let more = twins::kept(&self.store, plan).unwrap_or_default();
        let manifest = Some(&self.store).filter(|_| extend);
        let manifest = manifest.and_then(|store| Manifest::load(store, &plan.format).ok()?);
        let manifest = manifest.unwrap_or_default();
        let twins = with_beginnings(plan, valid.iter().map(|trace| trace.bytes.clone()));
        let spare = decoded(plan, more);
        let made = fault::systematic(plan, (&twins, &spare), &other_formats(plan));
        let all: Vec<&[u8]> = twins
            .iter()
            .chain(&spare)
            .map(|trace| &*trace.bytes)
            .collect();
        let is_new = |case: &Malformed| {
            let entry = manifest.entries.get(&malformed_id(plan, case));
            entry.is_none_or(|entry| !entry.is_of(&case.bytes))
        };
        let cases = made.cases.iter().filter(|(_, case)| is_new(case));
        let cases = cases.filter_map(|(twin, case)| Some((*all.get(*twin)?, case)));
        let cases: Vec<(&[u8], &Malformed)> = cases.collect();
        let first = 1 + plainer::last_number(plan, valid);
        plainer::twins(generator, &Meter::new(plan), &cases, (first, candidates))
    }
}

/// Adds traces that serve a purpose of their own. A trace from the corpus may have been found for the
/// same purpose in an earlier version of the description, so it is replaced. Returns true if there
/// are any such traces.
fn replace(valid: &mut Vec<Valid>, more: Vec<Valid>) -> bool {
    valid.retain(|trace| more.iter().all(|found| found.id != trace.id));
    let has_more = !more.is_empty();
    valid.extend(more);
    has_more
}

/// Returns whether readers must accept a trace that is small enough to be a case.
fn is_accepted(plan: &Plan, bytes: &[u8]) -> bool {
    judge_small(plan, bytes).is_some_and(|verdict| verdict.judgement == Judgement::Accepted)
}

/// Returns the identity of a malformed case.
fn malformed_id(plan: &Plan, case: &Malformed) -> CaseId {
    format!("{}/malformed/{}", plan.format, case.id)
}

impl CaseSource for SystematicCases {
    fn name(&self) -> &'static str {
        "systematic"
    }

    fn build(&self, plan: &Arc<Plan>) -> Built {
        let mut built = Built::default();
        let cases = self.found(plan, &mut built);
        built.extend(cases);
        built
    }
}

impl SystematicCases {
    /// Builds the cases that consist of, or are derived from, the traces in `found`.
    fn cases(&self, plan: &Arc<Plan>, found: &Found) -> Built {
        let valid = &*found.valid;
        let mut built = Built::default();
        let mut ids: HashMap<Vec<u8>, CaseId> = HashMap::new();
        let mut about: HashMap<CaseId, Vec<String>> = HashMap::new();
        let mut candidates = Vec::new();
        for trace in valid {
            if trace.redundant {
                continue;
            }
            ids.insert(trace.bytes.clone(), trace.id.clone());
            about.insert(trace.id.clone(), trace.about.clone());
            let (id, why) = (trace.id.clone(), trace.why.clone());
            candidates.push(Wanted::Complete(accepted(id, why, trace.bytes.clone())));
        }
        take(plan, candidates, &mut built);
        let more = twins::kept(&self.store, plan).unwrap_or_else(|error| {
            built.problems.push(Problem::Generate {
                format: plan.format.clone(),
                wanted: "more twins".to_owned(),
                why: error.to_string(),
            });
            Vec::new()
        });
        let malformed = malformed(plan, (valid, more), &mut ids, &mut built);
        about.extend(malformed);
        let rejected = found.rejected.iter();
        let rejected = rejected.map(|trace| Wanted::Complete(rejected_candidate(trace)));
        take(plan, rejected.collect(), &mut built);
        headings::order(&mut built.cases, &about);
        built
    }
}

/// A case to add if the decoder confirms it.
enum Wanted {
    Complete(Candidate),
    /// A malformed trace and the identity of its twin.
    Malformed(Box<Malformed>, CaseId),
}

/// Adds the confirmed cases in order.
fn take(plan: &Plan, wanted: Vec<Wanted>, built: &mut Built) {
    let admitted = parallel::map_owned(wanted, |wanted| {
        let candidate = match wanted {
            Wanted::Complete(candidate) => candidate,
            Wanted::Malformed(case, twin) => broken(plan, &case, twin),
        };
        admit(plan, candidate)
    });
    for admitted in admitted {
        match admitted {
            Ok(case) => built.cases.push(case),
            Err(refusal) => built.problems.push(Problem::Witness(*refusal)),
        }
    }
}

fn accepted(id: CaseId, why: String, bytes: Vec<u8>) -> Candidate {
    Candidate {
        id,
        source: Source::Valid,
        bytes,
        made_for: ExpectedVerdict::Accept,
        breaches: Vec::new(),
        twin: None,
        operator: None,
        why,
    }
}

fn rejected_candidate(trace: &Rejected) -> Candidate {
    Candidate {
        id: trace.id.clone(),
        source: Source::Malformed,
        bytes: trace.bytes.clone(),
        made_for: ExpectedVerdict::Reject,
        breaches: vec![Breach {
            rule: Some(trace.rule.clone()),
            path: trace.path.clone(),
            start: Some(trace.start),
        }],
        twin: Some(trace.twin.clone()),
        operator: None,
        why: trace.why.clone(),
    }
}

/// Builds one case for each way to violate a rule in at least one of the traces. For each valid
/// case that this function builds, returns the rules that the case tests.
fn malformed(
    plan: &Arc<Plan>,
    (valid, more): (&[Valid], Vec<Vec<u8>>),
    ids: &mut HashMap<Vec<u8>, CaseId>,
    built: &mut Built,
) -> HashMap<CaseId, Vec<String>> {
    let mut about = HashMap::new();
    let twins = valid.iter().filter(|trace| trace.is_twin(plan));
    let twins = with_beginnings(plan, twins.map(|trace| trace.bytes.clone()));
    let spare = decoded(plan, more);
    for (call, path, bytes) in fault::deepest(plan, &twins) {
        let id = format!("{}/valid/depth/{path}", plan.format);
        let why = "A trace with the deepest nesting that readers must support.".to_owned();
        if !ids.contains_key(&bytes) {
            ids.insert(bytes.clone(), id.clone());
            let limit = limit_of(plan, call);
            about.insert(
                id.clone(),
                limit
                    .clone()
                    .map_or_else(|| rules_of(plan, call), |rule| vec![rule]),
            );
            match admit(plan, accepted(id, why, bytes)) {
                Ok(mut case) => {
                    // The decoder reports the nesting limit only for traces that exceed it, so its
                    // rule is added here.
                    case.provenance.rules.extend(limit);
                    built.cases.push(case);
                }
                Err(refusal) => built.problems.push(Problem::Witness(*refusal)),
            }
        }
    }
    let made = fault::systematic(plan, (&twins, &spare), &other_formats(plan));
    built.ways = ways(plan, &made.outcomes);
    let mut wanted = Vec::new();
    for (twin, case) in made.cases {
        let twin_bytes = match twin.checked_sub(twins.len()) {
            Some(number) => &spare[number].bytes,
            None => &twins[twin].bytes,
        };
        let twin_id = match ids.get(twin_bytes) {
            Some(id) => id.clone(),
            None => {
                let id = format!("{}/valid/twin/{}", plan.format, case.id);
                let why = format!("The valid trace from which the case {} is made.", case.id);
                ids.insert(twin_bytes.clone(), id.clone());
                about.insert(id.clone(), rules_of(plan, case.site.op));
                let candidate = accepted(id.clone(), why, twin_bytes.clone());
                wanted.push(Wanted::Complete(candidate));
                id
            }
        };
        if ids.contains_key(&case.bytes) {
            continue;
        }
        wanted.push(Wanted::Malformed(Box::new(case), twin_id));
    }
    take(plan, wanted, built);
    for (_, refusal) in made.refusals {
        let why = refusal.reason(plan);
        built.problems.push(Problem::Generate {
            format: plan.format.clone(),
            wanted: refusal.malformed.id,
            why,
        });
    }
    about
}

/// Returns the rule that limits the nesting depth of a recursive type.
fn limit_of(plan: &Plan, call: OpId) -> Option<String> {
    let Kind::Call(target) = plan.op(call).kind else {
        return None;
    };
    let (.., rule) = plan.info(target).depth?;
    let rule = plan.rules.get(rule?)?;
    Some(rule.id.clone())
}

/// Returns the traces and all their prefixes that are also valid traces.
fn with_beginnings(plan: &Plan, whole: impl IntoIterator<Item = Vec<u8>>) -> Vec<ValidTrace> {
    let whole: BTreeSet<Vec<u8>> = whole.into_iter().collect();
    let mut traces = decoded(plan, whole.iter().cloned().collect());
    let prefixes = parallel::map(&traces, |trace| {
        fault::prefixes(plan, &trace.bytes, &trace.tree)
    });
    let prefixes: BTreeSet<Vec<u8>> = prefixes.into_iter().flatten().collect();
    traces.extend(decoded(
        plan,
        prefixes.difference(&whole).cloned().collect(),
    ));
    traces.sort_by(|one, other| one.bytes.cmp(&other.bytes));
    traces
}

/// Decodes traces for use as twins, as [`fault::decoded`] does, but on all processors.
fn decoded(plan: &Plan, traces: Vec<Vec<u8>>) -> Vec<ValidTrace> {
    let answers = Answers::new(plan);
    let traces = parallel::map_owned(traces, |bytes| fault::valid_trace(plan, &answers, bytes));
    traces.into_iter().flatten().collect()
}

fn broken(plan: &Plan, case: &Malformed, twin: CaseId) -> Candidate {
    let rule = |rule: Option<RuleId>| rule.map(|rule| plan.rules[rule].id.clone());
    let breaches = case.expected.iter().map(|expected| Breach {
        rule: rule(expected.rule),
        path: expected.path.clone(),
        start: Some(expected.start),
    });
    let made_for = match judge(plan, &case.bytes).judgement {
        // For a tolerated rule, the decoder's verdict already says whether some readers may
        // reject the trace.
        Judgement::Either { .. } if case.duty != ReaderDuty::Reject => ExpectedVerdict::Either,
        _ => match case.duty {
            ReaderDuty::Reject => ExpectedVerdict::Reject,
            ReaderDuty::Either => ExpectedVerdict::Either,
            ReaderDuty::Accept | ReaderDuty::None => ExpectedVerdict::Accept,
        },
    };
    let what = sentence(case.operator).unwrap_or(case.operator);
    let what = match &case.parameter {
        Some(parameter) => format!("{what} ({parameter})"),
        None => what.to_owned(),
    };
    let path = case.path();
    Candidate {
        id: malformed_id(plan, case),
        source: Source::Malformed,
        bytes: case.bytes.clone(),
        made_for,
        breaches: breaches.collect(),
        twin: Some(twin),
        operator: Some(case.operator.to_owned()),
        why: match path.is_empty() {
            true => format!("{what}."),
            false => format!("{what}: {path}."),
        },
    }
}
