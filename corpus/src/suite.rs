//! Collects all cases of the selected formats for the harness to run.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use tracegauge_generator::plain::{Answers, departures};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::{Level, ReaderDuty};
use tracegauge_spec::bundled::{self, BundledFormat};

use crate::case::{Case, CaseId, ExpectedVerdict, FaultClass, State};
use crate::formats::{FormatError, Formats};
use crate::listing::Listing;
use crate::manifest::{self, Manifest};
use crate::mutation_score::Kills;
use crate::names;
use crate::parallel;
use crate::progress::Progress;
use crate::score::Way;
use crate::source::{Built, CaseSource, Problem};
use crate::store::{KeptError, Store};
use crate::systematic::{Effort, Recipes, SearchOptions, SystematicCases};
use crate::trace_cache::TraceCache;

/// A set of cases together with the rules and record kinds of their formats.
#[derive(Debug, Default)]
pub struct Suite {
    /// The plans of the formats.
    pub formats: Formats,
    /// The cases, sorted by identity.
    pub cases: Vec<Case>,
    /// The rules of all formats.
    pub rules: Vec<RuleEntry>,
    /// The record kinds of all formats.
    pub kinds: Vec<RecordKind>,
    /// The problems that prevented cases from being built. A corpus with problems cannot be
    /// trusted.
    pub problems: Vec<Problem>,
    /// The ways to violate the rules of all formats.
    pub ways: Vec<Way>,
    /// The cases that were skipped because they would be too large, each described in words.
    pub left_out: Vec<String>,
}

/// A rule as shown in reports.
#[derive(Clone, Debug)]
pub struct RuleEntry {
    /// The id of the rule.
    pub id: String,
    /// The id of the format and dialect.
    pub format: String,
    /// Sections of the specification.
    pub sections: Vec<String>,
    /// The level of the rule, such as must, should or may.
    pub level: Level,
    /// The rule in one sentence.
    pub says: String,
    /// The required behavior of a reader for a trace that violates or triggers the rule.
    pub reader: ReaderDuty,
    /// The class of the fault.
    pub class: FaultClass,
    /// True if the rule is judged only in strict mode.
    pub strict: bool,
    /// The rule that violations of this rule are reported under, if it is a different rule.
    pub through: Option<String>,
}

/// A kind of record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordKind {
    /// The name of the kind.
    pub name: String,
    /// The id of the format and dialect.
    pub format: String,
    /// True if a reader may omit such records.
    pub optional: bool,
    /// The members that a reader may sort records by, instead of reporting them in file order.
    pub also_by: Vec<String>,
}

/// An error that occurred while loading a suite.
#[derive(Debug)]
pub enum SuiteError {
    /// A format cannot be loaded.
    Format(FormatError),
    /// A manifest cannot be read.
    Manifest(KeptError),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Manifest(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SuiteError {}

impl From<FormatError> for SuiteError {
    fn from(error: FormatError) -> Self {
        Self::Format(error)
    }
}

impl From<KeptError> for SuiteError {
    fn from(error: KeptError) -> Self {
        Self::Manifest(error)
    }
}

/// Returns all case sources. `recipes` says how the recipes for valid traces in `store` are used.
pub fn sources(
    store: &Store,
    recipes: Recipes,
    search: &SearchOptions,
) -> Vec<Box<dyn CaseSource>> {
    let mut all = names::files(store);
    let search = search.clone();
    all.push(Box::new(SystematicCases::new(
        store.clone(),
        recipes,
        search,
    )));
    all.push(Box::new(Kills::new(store.clone())));
    all
}

/// Builds the cases of all plans from all sources, sorted by identity. The result does not depend
/// on the number of threads.
pub fn build(
    plans: &[Arc<Plan>],
    sources: &[Box<dyn CaseSource>],
    progress: &dyn Progress,
) -> Built {
    let mut built = unobserved(plans, sources, progress);
    observe(plans, built.cases.iter_mut().collect());
    built
}

/// Builds the cases as [`build`] does, but does not compute the departures of their traces.
fn unobserved(
    plans: &[Arc<Plan>],
    sources: &[Box<dyn CaseSource>],
    progress: &dyn Progress,
) -> Built {
    joined(parts(plans, sources, progress))
}

/// Builds the cases of all plans from all sources, in no particular order.
fn parts(plans: &[Arc<Plan>], sources: &[Box<dyn CaseSource>], progress: &dyn Progress) -> Built {
    let work: Vec<(&Arc<Plan>, &dyn CaseSource)> = plans
        .iter()
        .flat_map(|plan| sources.iter().map(move |source| (plan, source.as_ref())))
        .collect();
    progress.begin("generating cases", work.len() as u64);
    let parts = parallel::map(&work, |(plan, source)| {
        let built = source.build(plan);
        progress.step();
        built
    });
    progress.end();
    let mut built = Built::default();
    for part in parts {
        built.extend(part);
    }
    built
}

/// Sorts the cases by identity, reports duplicate identities, and links each case to its twin.
fn joined(mut built: Built) -> Built {
    built.cases.sort_by(|left, right| left.id.cmp(&right.id));
    let mut repeated = Vec::new();
    built.cases.dedup_by(|later, first| {
        let same = later.id == first.id;
        if same {
            repeated.push(Problem::Repeated(later.id.clone()));
        }
        same
    });
    built.problems.extend(repeated);
    link(&mut built);
    built
}

/// Computes how the traces of the cases depart from what typical writers produce.
pub(crate) fn observe(plans: &[Arc<Plan>], cases: Vec<&mut Case>) {
    let answers: HashMap<&str, (&Plan, Answers)> = plans
        .iter()
        .map(|plan| (plan.format.as_str(), (plan.as_ref(), Answers::new(plan))))
        .collect();
    parallel::map_owned(cases, |case| {
        if let Some((plan, answers)) = answers.get(case.format.as_str()) {
            case.departures = departures(plan, answers, &case.bytes)
                .into_keys()
                .map(|departure| departure.name(plan))
                .collect::<BTreeSet<String>>()
                .into_iter()
                .collect();
        }
    });
}

/// Links each valid case to a malformed case derived from it, and checks that the twin of each
/// malformed case exists.
fn link(built: &mut Built) {
    let accepted: HashMap<&str, bool> = built
        .cases
        .iter()
        .map(|case| {
            let accepted = case.expected.verdict == ExpectedVerdict::Accept;
            (case.id.as_str(), accepted)
        })
        .collect();
    let mut siblings: BTreeMap<CaseId, CaseId> = BTreeMap::new();
    let mut problems = Vec::new();
    for case in &built.cases {
        let Some(twin) = &case.twin else { continue };
        if accepted.get(twin.as_str()) != Some(&true) {
            problems.push(Problem::Twin {
                case: case.id.clone(),
                twin: twin.clone(),
            });
        } else if case.expected.verdict == ExpectedVerdict::Reject {
            siblings
                .entry(twin.clone())
                .or_insert_with(|| case.id.clone());
        }
    }
    for case in &mut built.cases {
        if case.expected.verdict == ExpectedVerdict::Accept && case.twin.is_none() {
            case.twin = siblings.get(&case.id).cloned();
        }
    }
    built.problems.extend(problems);
}

/// Returns the bundled formats that `names` and `wanted` select, as described in [`Suite::load`].
fn selected(
    names: &[String],
    wanted: impl Fn(&str) -> bool,
    store: &Store,
) -> Result<Formats, SuiteError> {
    if !names.is_empty() {
        return Ok(Formats::bundled(names)?);
    }
    let all = bundled::list().iter().flat_map(BundledFormat::ids);
    let names: Vec<String> = all.filter(|id| wanted(id)).map(str::to_owned).collect();
    if names.is_empty() {
        return Ok(Formats::default());
    }
    Ok(Formats::able(&names)?.0.with_manifest(store)?.0)
}

impl Suite {
    /// Loads the cases of bundled formats from the nearest corpus.
    ///
    /// `names` selects the formats. Without names, all formats that satisfy `wanted` are loaded,
    /// except those that cannot be executed or have no manifest. A format selected by name is
    /// loaded even if it has no manifest, but it must be executable. Traces in the user's cache are
    /// not generated again.
    ///
    /// # Errors
    /// Returns an error if a format or a manifest cannot be loaded.
    pub fn load(
        names: &[String],
        wanted: impl Fn(&str) -> bool,
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        let store = Store::nearest();
        let formats = selected(names, wanted, &store)?;
        let search = SearchOptions::without_cache(Effort::Quick);
        let cache = TraceCache::of_user();
        Self::listed(formats, (&store, &search), cache.as_ref(), progress)
    }

    /// Returns true if [`Self::load`] may return a case whose name or rule `is_meant` accepts. This
    /// function is fast, because it reads the manifests and generates no cases. It also returns
    /// true if a selected format has no manifest.
    ///
    /// # Errors
    /// Returns an error if a format or a manifest cannot be loaded.
    pub fn may_have(
        names: &[String],
        wanted: impl Fn(&str) -> bool,
        is_meant: impl Fn(&str) -> bool,
    ) -> Result<bool, SuiteError> {
        let store = Store::nearest();
        let formats = selected(names, wanted, &store)?;
        let rules = formats.plans().iter().flat_map(|plan| &plan.rules);
        if rules.into_iter().any(|rule| is_meant(&rule.id)) {
            return Ok(true);
        }
        let (formats, others) = formats.with_manifest(&store)?;
        if !others.is_empty() {
            return Ok(true);
        }
        let search = SearchOptions::without_cache(Effort::Quick);
        let listing = Listing::of(&formats, (&store, &search), &())?;
        let mut cases = listing.cases.iter();
        Ok(cases.any(|case| is_meant(&case.id) || case.all_rules().any(|rule| is_meant(rule))))
    }

    /// Loads the cases of the description in the file at `path`, for the dialects that `names`
    /// select. Without names, all dialects are loaded. The valid traces come from recipes in the
    /// nearest corpus or, if it has no recipes for this version of the description, from a search.
    ///
    /// # Errors
    /// Returns an error if the description has mistakes or cannot be executed, or if a name selects
    /// no dialect.
    pub fn of_file(
        path: &str,
        names: &[String],
        search: &SearchOptions,
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        let formats = Formats::from_file(path)?;
        let formats = if names.is_empty() {
            formats
        } else {
            formats.only(names)?
        };
        let store = Store::nearest();
        let sources = sources(&store, Recipes::Follow, search);
        let built = unobserved(formats.plans(), &sources, progress);
        let manifests = Manifests::load(formats.plans(), &store)?;
        // The description may have been edited since the manifest was written, so the departures
        // that the manifest lists may be out of date.
        Ok(Self::from(formats, built, &manifests, Departures::OfTraces))
    }

    /// Loads the cases of `formats` from `store` as [`Self::of`] does, but reads the traces that
    /// the manifests list from `cache` if the cache contains them. Otherwise, generates these
    /// traces and saves them in the cache. The [`ways`](Self::ways) to violate rules may be missing
    /// from the result.
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read.
    pub fn listed(
        formats: Formats,
        (store, search): (&Store, &SearchOptions),
        cache: Option<&TraceCache>,
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        let Some(cache) = cache else {
            return Self::of(formats, (store, search), progress);
        };
        let manifests = Manifests::load(formats.plans(), store)?;
        let cached = manifests.cached(formats.plans(), cache);
        let (known, others): (Vec<_>, Vec<_>) = formats
            .plans()
            .iter()
            .cloned()
            .partition(|plan| cached.contains_key(&plan.format));
        let mut built = parts(&others, &sources(store, Recipes::Follow, search), progress);
        if built.problems.is_empty() {
            manifests.save(&others, &built.cases, cache);
        }
        let files = parts(&known, &names::files(store), &());
        built.extend(files);
        built.cases.extend(cached.into_values().flatten());
        let built = joined(built);
        Ok(Self::from(
            formats,
            built,
            &manifests,
            Departures::OfManifests,
        ))
    }

    /// Generates the cases of `formats` from the recipes, vectors and other files in `store`. For a
    /// format without recipes, searches for valid traces as `search` specifies.
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read.
    pub fn of(
        formats: Formats,
        (store, search): (&Store, &SearchOptions),
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        let sources = sources(store, Recipes::Follow, search);
        Self::from_sources(formats, (store, &sources), progress)
    }

    /// Loads only those cases of `formats` in `store` that are stored in files, so that no case has
    /// to be generated.
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read.
    pub fn of_files(
        formats: Formats,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        Self::from_sources(formats, (store, &names::files(store)), progress)
    }

    fn from_sources(
        formats: Formats,
        (store, sources): (&Store, &[Box<dyn CaseSource>]),
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        let built = unobserved(formats.plans(), sources, progress);
        let manifests = Manifests::load(formats.plans(), store)?;
        Ok(Self::from(
            formats,
            built,
            &manifests,
            Departures::OfManifests,
        ))
    }

    fn from(
        formats: Formats,
        mut built: Built,
        manifests: &Manifests,
        departures: Departures,
    ) -> Self {
        let cases = built.cases.iter_mut();
        let unobserved = cases.filter_map(|case| match departures {
            Departures::OfManifests => manifests.unobserved(case),
            Departures::OfTraces => Some(case),
        });
        observe(formats.plans(), unobserved.collect());
        manifests.live(&mut built.cases);
        Self {
            cases: built.cases,
            problems: built.problems,
            ways: built.ways,
            left_out: built.left_out,
            rules: formats
                .plans()
                .iter()
                .flat_map(|plan| rules(plan))
                .collect(),
            kinds: formats
                .plans()
                .iter()
                .flat_map(|plan| kinds(plan))
                .collect(),
            formats,
        }
    }

    /// Returns the kinds of records that no case contains.
    pub fn kinds_without_case(&self) -> Vec<&RecordKind> {
        let cases = self.cases.iter();
        let records = cases.flat_map(|case| {
            let records = case.expected.records.iter().flatten();
            records.map(|record| (case.format.as_str(), record.kind.as_str()))
        });
        let known: HashSet<(&str, &str)> = records.collect();
        let kinds = self.kinds.iter();
        kinds
            .filter(|kind| !known.contains(&(kind.format.as_str(), kind.name.as_str())))
            .collect()
    }

    /// Returns the case with the identity `id`.
    pub fn case(&self, id: &str) -> Option<&Case> {
        let at = self.cases.binary_search_by(|case| case.id.as_str().cmp(id));
        at.ok().map(|index| &self.cases[index])
    }
}

/// The source of the departures of cases.
#[derive(Clone, Copy)]
enum Departures {
    /// Departures come from the manifest if it lists the same trace. `corpus verify` checks the
    /// manifest.
    OfManifests,
    /// Departures are computed from the traces.
    OfTraces,
}

/// The manifests of several formats, keyed by format.
pub struct Manifests(HashMap<String, Manifest>);

impl Manifests {
    /// Loads the manifests of `plans` that are in `store`.
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read.
    pub fn load(plans: &[Arc<Plan>], store: &Store) -> Result<Self, KeptError> {
        let mut manifests = HashMap::new();
        for plan in plans {
            if let Some(manifest) = Manifest::load(store, &plan.format)? {
                manifests.insert(plan.format.clone(), manifest);
            }
        }
        Ok(Self(manifests))
    }

    /// Returns the generated cases of those `plans` whose traces are all in `cache`, keyed by
    /// format.
    fn cached(&self, plans: &[Arc<Plan>], cache: &TraceCache) -> HashMap<String, Vec<Case>> {
        let plans = plans.iter();
        let cached = plans.filter_map(|plan| {
            let cases = cache.load(plan, self.0.get(&plan.format)?)?;
            Some((plan.format.clone(), cases))
        });
        cached.collect()
    }

    /// Saves the traces of the generated cases of `plans` in `cache`.
    fn save(&self, plans: &[Arc<Plan>], cases: &[Case], cache: &TraceCache) {
        for plan in plans {
            let Some(manifest) = self.0.get(&plan.format) else {
                continue;
            };
            let cases = cases.iter().filter(|case| {
                case.format == plan.format && manifest::lists(case.provenance.source)
            });
            let mut cases: Vec<&Case> = cases.collect();
            cases.sort_by(|one, other| one.id.cmp(&other.id));
            cache.save(plan, manifest, &cases);
        }
    }

    /// Sets the departures of `case` from its manifest if the manifest lists the same trace.
    /// Otherwise, returns the case.
    fn unobserved<'c>(&self, case: &'c mut Case) -> Option<&'c mut Case> {
        let manifest = self.0.get(&case.format);
        let listed = manifest.and_then(|manifest| manifest.entries.get(&case.id));
        match listed.filter(|entry| entry.is_of(&case.bytes)) {
            Some(entry) => {
                case.departures.clone_from(&entry.departures);
                None
            }
            None => Some(case),
        }
    }

    /// Sets the state and version of generated cases. A case that is missing from the manifest of
    /// its format becomes a draft.
    pub fn live(&self, cases: &mut [Case]) {
        let generated = |case: &&mut Case| manifest::lists(case.provenance.source);
        for case in cases.iter_mut().filter(generated) {
            let Some(manifest) = self.0.get(&case.format) else {
                continue;
            };
            match manifest.entries.get(&case.id) {
                Some(entry) => {
                    case.state = entry.state;
                    case.version = entry.version;
                    if let Some(reason) = &entry.reason {
                        let why = &mut case.provenance.why;
                        why.push_str(&format!(" ({}: {reason})", entry.state));
                    }
                }
                None => case.state = State::Draft,
            }
        }
    }
}

/// Returns the rules of one format.
pub fn rules(plan: &Plan) -> Vec<RuleEntry> {
    let described = plan.description.rules.iter().zip(&plan.rules);
    described
        .map(|(rule, planned)| RuleEntry {
            id: rule.id.clone(),
            format: plan.format.clone(),
            sections: rule.sections.clone(),
            level: rule.level,
            says: rule.says.clone(),
            reader: planned.duty,
            class: rule.class.into(),
            strict: rule.strict,
            through: rule
                .through
                .and_then(|through| plan.description.rule(through))
                .map(|through| through.id.clone()),
        })
        .collect()
}

fn kinds(plan: &Plan) -> Vec<RecordKind> {
    let mut kinds: Vec<RecordKind> = Vec::new();
    for planned in &plan.records {
        if kinds.iter().any(|kind| kind.name == planned.kind) {
            continue;
        }
        kinds.push(RecordKind {
            name: planned.kind.clone(),
            format: plan.format.clone(),
            optional: planned.optional,
            also_by: planned.also_by.clone(),
        });
    }
    kinds
}
