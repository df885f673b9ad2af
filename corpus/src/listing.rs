//! Lists the cases of the corpus and their rules from the manifests, without generating the cases.

use std::sync::Arc;

use tracegauge_plan::Plan;

use crate::case::{Case, CaseId, ExpectedVerdict, State};
use crate::formats::Formats;
use crate::manifest::{Entry, Manifest};
use crate::names;
use crate::parallel;
use crate::progress::Progress;
use crate::source::Problem;
use crate::store::{KeptError, Store};
use crate::suite;
use crate::systematic::{Recipes, SearchOptions};

/// A case as shown in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The identity of the case.
    pub id: CaseId,
    /// The id of the format and dialect.
    pub format: String,
    /// The expected verdict.
    pub expect: ExpectedVerdict,
    /// The rules that the case tests.
    pub rules: Vec<String>,
    /// The rules that the case violates, except those in `rules`.
    pub broken: Vec<String>,
    /// The departures of the trace from what typical writers produce.
    pub departures: Vec<String>,
    /// The lifecycle state.
    pub state: State,
}

/// The cases of a set of formats.
#[derive(Debug, Default)]
pub struct Listing {
    /// The cases, sorted by identity.
    pub cases: Vec<Listed>,
    /// The problems that prevented cases from being built.
    pub problems: Vec<Problem>,
}

impl Listed {
    /// Creates the list entry of a case.
    pub fn of(case: &Case) -> Self {
        let rules = case.provenance.rules.clone();
        let broken = case.expected.violation.iter().flat_map(|it| &it.rules);
        Self {
            id: case.id.clone(),
            format: case.format.clone(),
            expect: case.expected.verdict,
            broken: broken
                .filter(|rule| !rules.contains(rule))
                .cloned()
                .collect(),
            rules,
            departures: case.departures.clone(),
            state: case.state,
        }
    }

    fn kept((id, entry): (CaseId, Entry), format: &str) -> Self {
        Self {
            id,
            format: format.to_owned(),
            expect: entry.expect,
            rules: entry.rules,
            broken: Vec::new(),
            departures: entry.departures,
            state: entry.state,
        }
    }

    /// Returns true if the case violates or triggers the rule.
    pub fn is_about(&self, rule: &str) -> bool {
        self.all_rules().any(|known| known == rule)
    }

    /// Returns the rules that the case violates or triggers.
    pub fn all_rules(&self) -> impl Iterator<Item = &String> {
        self.broken.iter().chain(&self.rules)
    }
}

impl Listing {
    /// Lists the cases of `formats`. The cases of a format without a manifest are generated from
    /// traces that are searched for as `search` specifies.
    ///
    /// # Errors
    /// Returns an error if a manifest cannot be read.
    pub fn of(
        formats: &Formats,
        (store, search): (&Store, &SearchOptions),
        progress: &dyn Progress,
    ) -> Result<Self, KeptError> {
        let plans = formats.plans();
        progress.begin("reading manifests", plans.len() as u64);
        let parts = parallel::map(plans, |plan| {
            let part = Self::kept(plan, store);
            progress.step();
            part
        });
        let parts: Result<Vec<Option<Self>>, KeptError> = parts.into_iter().collect();
        progress.end();
        let mut listing = Self::default();
        let mut unknown: Vec<Arc<Plan>> = Vec::new();
        for (plan, part) in plans.iter().zip(parts?) {
            match part {
                Some(part) => {
                    listing.cases.extend(part.cases);
                    listing.problems.extend(part.problems);
                }
                None => unknown.push(Arc::clone(plan)),
            }
        }
        if !unknown.is_empty() {
            let mut made = suite::build(
                &unknown,
                &suite::sources(store, Recipes::Follow, search),
                progress,
            );
            listing.cases.extend(made.cases.iter().map(Listed::of));
            listing.problems.append(&mut made.problems);
        }
        listing.cases.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(listing)
    }

    /// Lists the cases of one format. Returns `None` if the format has no manifest.
    fn kept(plan: &Arc<Plan>, store: &Store) -> Result<Option<Self>, KeptError> {
        let Some(manifest) = Manifest::load(store, &plan.format)? else {
            return Ok(None);
        };
        let made = manifest.entries.into_iter();
        let mut listing = Self {
            cases: made.map(|it| Listed::kept(it, &plan.format)).collect(),
            problems: Vec::new(),
        };
        for source in names::files(store) {
            let mut built = source.build(plan);
            suite::observe(std::slice::from_ref(plan), built.cases.iter_mut().collect());
            listing.cases.extend(built.cases.iter().map(Listed::of));
            listing.problems.extend(built.problems);
        }
        Ok(Some(listing))
    }
}
