//! All cases of the formats that are wanted, as the harness runs them.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;
use tracegauge_spec::plan::Plan;
use tracegauge_spec::schema::{Level, ReaderDuty};

use crate::case::{Case, CaseId, ExpectedVerdict, FaultClass, State};
use crate::formats::{FormatError, Formats};
use crate::manifest::{self, Manifest};
use crate::names;
use crate::progress::Progress;
use crate::score::Way;
use crate::source::{Built, CaseSource, Problem};
use crate::store::{KeptError, Store};
use crate::strength::Kills;
use crate::systematic::SystematicCases;

/// Cases, and what is said about them.
#[derive(Debug, Default)]
pub struct Suite {
    /// The plans of the formats.
    pub formats: Formats,
    /// The cases, sorted by identity.
    pub cases: Vec<Case>,
    /// The rules of all formats.
    pub rules: Vec<RuleEntry>,
    /// The kinds of records of all formats.
    pub kinds: Vec<RecordKind>,
    /// What did not become a case. A corpus with problems is not to be trusted.
    pub problems: Vec<Problem>,
    /// Ways to break the rules of all formats.
    pub ways: Vec<Way>,
    /// Cases that would cost too much, in words.
    pub left_out: Vec<String>,
}

/// A rule, as a report shows it.
#[derive(Clone, Debug)]
pub struct RuleEntry {
    /// Its id.
    pub id: String,
    /// The format with its dialect.
    pub format: String,
    /// Sections of the format document.
    pub sections: Vec<String>,
    /// How the document words it.
    pub level: Level,
    /// The sentence.
    pub says: String,
    /// What a reader does with a file that breaks or shows it.
    pub reader: ReaderDuty,
    /// The class of the fault.
    pub class: FaultClass,
    /// Judged only when strictness is asked for.
    pub strict: bool,
}

/// A kind of record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordKind {
    /// Its name.
    pub name: String,
    /// The format with its dialect.
    pub format: String,
    /// A reader need not report it.
    pub optional: bool,
    /// Members by which a reader may sort, besides the order of the file.
    pub also_by: Vec<String>,
}

/// Why there is no suite.
#[derive(Debug)]
pub enum SuiteError {
    /// A format cannot be had.
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

/// All sources of cases that there are.
pub fn sources(store: &Store) -> Vec<Box<dyn CaseSource>> {
    let mut all = names::files(store);
    all.push(Box::new(SystematicCases::following(store.clone())));
    all.push(Box::new(Kills::new(store.clone())));
    all
}

/// The same sources, of which those that follow recipes search anew.
pub fn sources_anew(store: &Store) -> Vec<Box<dyn CaseSource>> {
    let mut all = names::files(store);
    all.push(Box::new(SystematicCases::searching(store.clone())));
    all.push(Box::new(Kills::new(store.clone())));
    all
}

/// What all sources give for all plans, sorted by identity; the same with any number of
/// threads.
pub fn build(
    plans: &[Arc<Plan>],
    sources: &[Box<dyn CaseSource>],
    progress: &dyn Progress,
) -> Built {
    let work: Vec<(&Arc<Plan>, &dyn CaseSource)> = plans
        .iter()
        .flat_map(|plan| sources.iter().map(move |source| (plan, source.as_ref())))
        .collect();
    progress.begin("making cases", work.len() as u64);
    let parts: Vec<Built> = work
        .into_par_iter()
        .map(|(plan, source)| {
            let built = source.build(plan);
            progress.step();
            built
        })
        .collect();
    progress.end();
    let mut built = Built::default();
    for part in parts {
        built.cases.extend(part.cases);
        built.problems.extend(part.problems);
        built.recipes.extend(part.recipes);
        built.ways.extend(part.ways);
        built.left_out.extend(part.left_out);
    }
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

/// Gives each valid case a faulty sibling, and sees that each faulty one has its twin.
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

impl Suite {
    /// The cases of the bundled formats that `names` select (without names, all that are
    /// `wanted`), from the nearest corpus. A format that cannot be executed has no cases, nor has
    /// one without a manifest; with its name given the first is an error and the second has all
    /// its cases.
    ///
    /// # Errors
    /// A format or manifest cannot be had.
    pub fn load(
        names: &[String],
        wanted: impl Fn(&str) -> bool,
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        let store = Store::nearest();
        let formats = if names.is_empty() {
            let able = Formats::able(names)?.0.filtered(wanted);
            able.with_manifest(&store)?.0
        } else {
            Formats::bundled(names)?
        };
        Self::of(formats, &store, progress)
    }

    /// The cases of the description in the file at `path`, of the dialects that `names` select
    /// (all without names).
    ///
    /// # Errors
    /// The description has mistakes or cannot be executed, or a name selects nothing.
    pub fn of_file(
        path: &str,
        names: &[String],
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        let formats = Formats::from_file(path)?;
        let formats = if names.is_empty() {
            formats
        } else {
            formats.only(names)?
        };
        Self::of(formats, &Store::nearest(), progress)
    }

    /// The cases of `formats` from `store`.
    ///
    /// # Errors
    /// A manifest cannot be read.
    pub fn of(
        formats: Formats,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        Self::from(formats, (store, &sources(store)), progress)
    }

    /// The cases of `formats` from `store` that are kept in files: those are there at once.
    ///
    /// # Errors
    /// A manifest cannot be read.
    pub fn of_files(
        formats: Formats,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        Self::from(formats, (store, &names::files(store)), progress)
    }

    fn from(
        formats: Formats,
        (store, sources): (&Store, &[Box<dyn CaseSource>]),
        progress: &dyn Progress,
    ) -> Result<Self, SuiteError> {
        let built = build(formats.plans(), sources, progress);
        let mut suite = Self {
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
        };
        suite.live(store)?;
        Ok(suite)
    }

    /// The case called `id`.
    pub fn case(&self, id: &str) -> Option<&Case> {
        let at = self.cases.binary_search_by(|case| case.id.as_str().cmp(id));
        at.ok().map(|index| &self.cases[index])
    }

    /// Gives generated cases the state and version of their manifest. One that the manifest of
    /// its format does not list is not yet judged.
    fn live(&mut self, store: &Store) -> Result<(), KeptError> {
        let mut manifests = HashMap::new();
        for plan in self.formats.plans() {
            if let Some(manifest) = Manifest::load(store, &plan.format)? {
                manifests.insert(plan.format.clone(), manifest);
            }
        }
        let generated = |case: &&mut Case| manifest::lists(case.provenance.source);
        for case in self.cases.iter_mut().filter(generated) {
            let Some(manifest) = manifests.get(&case.format) else {
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
        Ok(())
    }
}

/// The rules of one format.
pub fn rules(plan: &Plan) -> Vec<RuleEntry> {
    let described = plan.schema.rules.iter().zip(&plan.rules);
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
        })
        .collect()
}

fn kinds(plan: &Plan) -> Vec<RecordKind> {
    let mut kinds: Vec<RecordKind> = Vec::new();
    for planned in &plan.records {
        if kinds.iter().any(|kind| kind.name == planned.kind) {
            continue;
        }
        let described = plan.schema.records.get(planned.record as usize);
        kinds.push(RecordKind {
            name: planned.kind.clone(),
            format: plan.format.clone(),
            optional: planned.optional,
            also_by: described
                .map(|record| record.order.also_by.clone())
                .unwrap_or_default(),
        });
    }
    kinds
}
