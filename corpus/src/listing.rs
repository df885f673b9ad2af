//! Which cases there are, and what they are about, had without making the generated ones: their
//! manifest says it.

use std::sync::Arc;

use rayon::prelude::*;
use tracegauge_spec::plan::Plan;

use crate::case::{Case, CaseId, ExpectedVerdict, State};
use crate::formats::Formats;
use crate::manifest::{Entry, Manifest};
use crate::names;
use crate::progress::Progress;
use crate::source::Problem;
use crate::store::{KeptError, Store};
use crate::suite;

/// A case, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub id: CaseId,
    /// Its format with its dialect.
    pub format: String,
    /// What a reader is to do.
    pub expect: ExpectedVerdict,
    /// The rules that it is about.
    pub rules: Vec<String>,
    /// The rules of which it breaks one, where they are not among those.
    pub broken: Vec<String>,
    /// Where it stands in its life.
    pub state: State,
}

/// The cases of some formats.
#[derive(Debug, Default)]
pub struct Listing {
    /// The cases, sorted by name.
    pub cases: Vec<Listed>,
    /// What did not become a case.
    pub problems: Vec<Problem>,
}

impl Listed {
    /// What a list shows of a case.
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
            state: entry.state,
        }
    }

    /// It breaks the rule, or shows it.
    pub fn is_about(&self, rule: &str) -> bool {
        self.all_rules().any(|known| known == rule)
    }

    /// The rules that it breaks or shows.
    pub fn all_rules(&self) -> impl Iterator<Item = &String> {
        self.broken.iter().chain(&self.rules)
    }
}

impl Listing {
    /// The cases of `formats`. Where a format has no manifest, its cases are made.
    ///
    /// # Errors
    /// A manifest cannot be read.
    pub fn of(
        formats: &Formats,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<Self, KeptError> {
        let plans = formats.plans();
        progress.begin("reading manifests", plans.len() as u64);
        let parts: Result<Vec<Option<Self>>, KeptError> = plans
            .par_iter()
            .map(|plan| {
                let part = Self::kept(plan, store);
                progress.step();
                part
            })
            .collect();
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
            let mut made = suite::build(&unknown, &suite::sources(store), progress);
            listing.cases.extend(made.cases.iter().map(Listed::of));
            listing.problems.append(&mut made.problems);
        }
        listing.cases.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(listing)
    }

    /// The cases of one format; nothing where it has no manifest.
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
            let built = source.build(plan);
            listing.cases.extend(built.cases.iter().map(Listed::of));
            listing.problems.extend(built.problems);
        }
        Ok(Some(listing))
    }
}
