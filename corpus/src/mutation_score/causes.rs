//! Finds the mistakes that explain the failures of a reader: mutants of the description that fail
//! where the reader fails and pass where it passes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use tracegauge_spec::plan::mutate::{Mutant, mutants};
use tracegauge_spec::plan::{OpId, Plan};

use super::prepared::Prepared;
use super::{Oracle, Parting, Wrong, answer, deep};
use crate::case::Case;
use crate::progress::Progress;
use crate::score::{Names, Obligation};

/// The outcome of a reader on one case.
#[derive(Clone, Debug)]
pub struct Outcome<'c> {
    /// The case.
    pub case: &'c Case,
    /// What was wrong, or `None` if the reader passed. The error is `Endless` if the reader gave no
    /// proper answer, because only mutants that do not terminate can then be compared with it.
    pub wrong: Option<Wrong>,
    /// The first difference between the records and the expected ones, if known.
    pub parting: Option<Parting>,
}

/// A mistake that would explain failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What a reader with this mistake does, phrased to follow "a reader that".
    pub does: String,
    /// The mutant in the form `operator@path-in-description/detail`. For a mistake in several
    /// places, their number replaces the path.
    pub mutant: String,
    /// Files and lines of the parts of the description that the mutants change.
    pub described: Vec<String>,
    /// Other mistakes that explain the same failures without contradiction. Each comes with a
    /// phrase that says what a reader with that mistake does.
    pub as_good: Vec<(String, String)>,
    /// The failures that this cause explains and no earlier one does.
    pub explains: Vec<String>,
    /// Number of explained failures in which the reader reports a wrong record and a reader with
    /// this mistake reports the same one.
    pub same: usize,
    /// Cases that the mutant fails and the reader passes.
    pub contradicted: Vec<String>,
}

/// Minimum number of failures that a cause must explain, unless fewer are left.
const LEAST: usize = 2;
/// Maximum number of mutants to run against the cases that the reader passes.
const TRIED: usize = 400;
/// Number of mutants to run in one batch, starting with those that explain most failures. Usually
/// one of the first is not contradicted.
const AT_ONCE: usize = 32;

/// Returns up to `most` mistakes, those that explain most failures first. Each explains failures
/// that earlier ones leave unexplained. A mistake that is contradicted by passed cases is returned
/// only for failures that no other mistake explains.
pub fn causes(
    plan: &Plan,
    outcomes: &[Outcome<'_>],
    oracle: &dyn Oracle,
    most: usize,
    progress: &dyn Progress,
) -> Vec<Cause> {
    deep(|| Search::new(plan, outcomes, oracle).causes(most, progress))
}

struct Search<'s> {
    plan: &'s Plan,
    bare: Plan,
    mutants: Vec<Mutant>,
    failed: Vec<Failed<'s>>,
    passed: Vec<Prepared<'s>>,
    oracle: &'s dyn Oracle,
}

/// A case that the reader fails.
struct Failed<'s> {
    case: Prepared<'s>,
    wrong: Wrong,
    parting: Option<Parting>,
}

/// A possible mistake: one mutant, or several mutants that make the same mistake in different
/// places.
struct Suspect {
    /// Indexes of the mutants.
    mutants: Vec<usize>,
    /// Indexes of the failures that the suspect explains.
    explains: Vec<usize>,
    /// Cases that the reader passes and the suspect fails. `None` until the suspect has been run
    /// against the passed cases.
    contradicted: Option<Vec<String>>,
}

/// Sort key of a suspect: the number of unexplained failures that it explains, its number of
/// places, and its index.
type Able = (Reverse<usize>, usize, usize);

impl<'s> Search<'s> {
    fn new(plan: &'s Plan, outcomes: &[Outcome<'s>], oracle: &'s dyn Oracle) -> Self {
        let prepared: Vec<Prepared<'s>> = outcomes
            .par_iter()
            .map(|outcome| Prepared::new(plan, outcome.case))
            .collect();
        let (mut failed, mut passed) = (Vec::new(), Vec::new());
        for (case, outcome) in prepared.into_iter().zip(outcomes) {
            match outcome.wrong {
                Some(wrong) => failed.push(Failed {
                    case,
                    wrong,
                    parting: outcome.parting.clone(),
                }),
                None => passed.push(case),
            }
        }
        let mut bare = plan.clone();
        bare.forget_programs();
        Self {
            plan,
            bare,
            mutants: mutants(plan),
            failed,
            passed,
            oracle,
        }
    }

    fn causes(&self, most: usize, progress: &dyn Progress) -> Vec<Cause> {
        progress.begin("running mutants", self.mutants.len() as u64);
        let single: Vec<Vec<usize>> = (0..self.mutants.len()).map(|place| vec![place]).collect();
        let mut suspects = self.explaining(single, progress);
        let everywhere = self.everywhere(&suspects);
        progress.begin("running combined mutants", everywhere.len() as u64);
        suspects.extend(self.explaining(everywhere, progress));
        // The stable sort keeps the order of the operators among equals.
        suspects.sort_by_key(|suspect| Reverse(suspect.explains.len()));
        progress.begin(
            "running mutants against cases that passed",
            suspects.len().min(TRIED) as u64,
        );
        let causes = self.chosen(suspects, most, progress);
        progress.end();
        causes
    }

    /// Returns the mistakes that explain at least one failure.
    fn explaining(&self, mistakes: Vec<Vec<usize>>, progress: &dyn Progress) -> Vec<Suspect> {
        let explaining = mistakes.into_par_iter().filter_map(|mutants| {
            let explains = self.explained(&mutants);
            progress.step();
            (!explains.is_empty()).then_some(Suspect {
                mutants,
                explains,
                contradicted: None,
            })
        });
        explaining.collect()
    }

    /// Combines the same mistake in all places where it explains something. A reader that forgets a
    /// test in one place usually has one function that forgets it everywhere.
    fn everywhere(&self, suspects: &[Suspect]) -> Vec<Vec<usize>> {
        let mut alike: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        for suspect in suspects {
            for place in &suspect.mutants {
                let mutant = &self.mutants[*place];
                let key = (mutant.operator(), mutant.detail());
                alike.entry(key).or_default().push(*place);
            }
        }
        alike
            .into_values()
            .filter(|places| places.len() > 1)
            .collect()
    }

    /// Returns the plan with these mistakes made in it, and the operations that they change. The
    /// list of operations is empty if the mistakes may affect any trace.
    fn mistaken(&self, mutants: &[usize]) -> (Plan, Vec<OpId>) {
        let mut mutated = self.bare.clone();
        let mut touches = Vec::new();
        let mut anything = false;
        for place in mutants {
            let mutant = &self.mutants[*place];
            mutated = mutant.of(&mutated);
            anything |= mutant.touches().is_empty();
            touches.extend_from_slice(mutant.touches());
        }
        if anything {
            touches.clear();
        }
        (mutated, touches)
    }

    /// Returns the indexes of the failures that the mutants share with the reader.
    fn explained(&self, mutants: &[usize]) -> Vec<usize> {
        let (mutated, touches) = self.mistaken(mutants);
        let alike = |failed: &Failed<'_>| {
            let found = self.judged(&mutated, &touches, &failed.case);
            found.is_some_and(|found| self.alike(failed, found))
        };
        let failed = self.failed.iter().enumerate();
        let alike = failed.filter(|(_, failed)| alike(failed));
        alike.map(|(place, _)| place).collect()
    }

    /// Returns true if a mutant fails in the same way as the reader. If the first wrong record of
    /// the reader is known, the mutant must report the same one, even before a wrong rejection.
    /// Many mistakes make a reader fail the case, but few make it fail in this way.
    fn alike(&self, failed: &Failed<'_>, (wrong, parting): (Wrong, Option<Parting>)) -> bool {
        match (failed.wrong, &failed.parting) {
            (_, None) => wrong == failed.wrong,
            (_, Some(reader)) => parting.is_some_and(|mistake| {
                wrong == failed.wrong
                    && mistake.owed == reader.owed
                    && mistake.path == reader.path
                    && self.oracle.same_value(&mistake.came, &reader.came)
            }),
        }
    }

    /// Returns the cases that the reader passes and the mutants fail.
    fn contradicted(&self, mutants: &[usize]) -> Vec<String> {
        let (mutated, touches) = self.mistaken(mutants);
        let passed = self.passed.iter();
        let failed = passed.filter(|one| self.judged(&mutated, &touches, one).is_some());
        failed.map(|one| one.case.id.clone()).collect()
    }

    /// Returns how a mutated plan fails a case and where its records differ, or `None` if it
    /// passes.
    fn judged(
        &self,
        mutated: &Plan,
        touches: &[OpId],
        one: &Prepared<'_>,
    ) -> Option<(Wrong, Option<Parting>)> {
        if !touches.is_empty() && !touches.iter().any(|op| one.touches(*op)) {
            return None;
        }
        let found = answer(mutated, &one.case.bytes, one.operations);
        if found == one.truth {
            return None;
        }
        let judged = self.oracle.judge(one.case, &found);
        judged.filter(|(wrong, _)| wrong.fails())
    }

    /// Chooses causes one by one, each time the suspect that explains most of the remaining
    /// failures.
    fn chosen(
        &self,
        mut suspects: Vec<Suspect>,
        most: usize,
        progress: &dyn Progress,
    ) -> Vec<Cause> {
        let mut left: Vec<bool> = vec![true; self.failed.len()];
        let mut causes = Vec::new();
        while causes.len() < most {
            let unexplained = left.iter().filter(|left| **left).count();
            let least = LEAST.min(unexplained).max(1);
            // Among equals, prefer the fewest places and then the order of the operators.
            let mut able: Vec<Able> = suspects
                .iter()
                .enumerate()
                .map(|(place, suspect)| {
                    let explains = suspect.explains.iter().filter(|place| left[**place]);
                    (Reverse(explains.count()), suspect.mutants.len(), place)
                })
                .filter(|(Reverse(explains), ..)| *explains >= least)
                .collect();
            able.sort_unstable();
            let found = self.uncontradicted(&mut suspects, &able, progress);
            let found = found.or_else(|| {
                let least = LEAST.min(self.failed.len());
                least_contradicted(&suspects, &able, (least, unexplained))
            });
            let Some(place) = found else {
                break;
            };
            let as_good = self.as_good(&mut suspects, (place, &able), &left);
            let as_good = as_good.iter().map(|other| self.named(&suspects[*other]));
            let as_good = as_good.collect();
            let suspect = &suspects[place];
            let explains = suspect.explains.iter().copied();
            let explains: Vec<usize> = explains
                .filter(|place| std::mem::take(&mut left[*place]))
                .collect();
            causes.push(self.cause((suspect, as_good), &explains));
        }
        causes
    }

    /// Returns the first of the `able` suspects that no passed case contradicts. Runs only as many
    /// suspects as needed.
    fn uncontradicted(
        &self,
        suspects: &mut [Suspect],
        able: &[Able],
        progress: &dyn Progress,
    ) -> Option<usize> {
        for some in able.chunks(AT_ONCE) {
            let places: Vec<usize> = some.iter().map(|(.., place)| *place).collect();
            self.try_on_passed(suspects, &places, progress);
            let found = places.iter().find(|it| suspects[**it].is_uncontradicted());
            if let Some(place) = found {
                return Some(*place);
            }
        }
        None
    }

    /// Runs suspects against the cases that the reader passes, up to the limit. Suspects that have
    /// been run already are skipped.
    fn try_on_passed(&self, suspects: &mut [Suspect], places: &[usize], progress: &dyn Progress) {
        let tried = suspects.iter().filter(|it| it.contradicted.is_some());
        let room = TRIED.saturating_sub(tried.count());
        let new = places.iter().copied();
        let new = new.filter(|place| suspects[*place].contradicted.is_none());
        let new: Vec<usize> = new.take(room).collect();
        let against: Vec<(usize, Vec<String>)> = new
            .into_par_iter()
            .map(|place| {
                let against = self.contradicted(&suspects[place].mutants);
                progress.step();
                (place, against)
            })
            .collect();
        for (place, against) in against {
            suspects[place].contradicted = Some(against);
        }
    }

    /// Returns the other suspects that explain exactly the same remaining failures in the same
    /// number of places and that are not contradicted. Suspects beyond the limit are not run.
    fn as_good(
        &self,
        suspects: &mut [Suspect],
        (place, able): (usize, &[Able]),
        left: &[bool],
    ) -> Vec<usize> {
        if !suspects[place].is_uncontradicted() {
            return Vec::new();
        }
        let explained = |suspect: &Suspect| -> Vec<usize> {
            let explains = suspect.explains.iter().copied();
            explains.filter(|failure| left[*failure]).collect()
        };
        let (wanted, size) = (explained(&suspects[place]), suspects[place].mutants.len());
        let mut places: Vec<usize> = able.iter().map(|(.., other)| *other).collect();
        places.retain(|other| {
            let suspect = &suspects[*other];
            *other != place && suspect.mutants.len() == size && explained(suspect) == wanted
        });
        self.try_on_passed(suspects, &places, &());
        places.retain(|other| suspects[*other].is_uncontradicted());
        places
    }

    fn cause(
        &self,
        (suspect, as_good): (&Suspect, Vec<(String, String)>),
        explains: &[usize],
    ) -> Cause {
        let explained = explains.iter().map(|place| &self.failed[*place]);
        let told = explained.clone().filter(|failed| failed.tells());
        let names = Names::new(self.plan);
        let mutants = suspect.mutants.iter().map(|place| &self.mutants[*place]);
        let described = mutants.filter_map(|mutant| {
            let op = mutant.touches().first()?;
            Some(names.described(Obligation::Operation(*op)))
        });
        let described: BTreeSet<String> = described.collect();
        let (mutant, does) = self.named(suspect);
        Cause {
            does,
            mutant,
            described: described.into_iter().collect(),
            as_good,
            same: told.count(),
            explains: explained.map(|it| it.case.case.id.clone()).collect(),
            contradicted: suspect.contradicted.clone().unwrap_or_default(),
        }
    }

    /// Returns the name of a mistake and what a reader with it does.
    fn named(&self, suspect: &Suspect) -> (String, String) {
        let mut mutants = suspect.mutants.iter().map(|place| &self.mutants[*place]);
        let Some(first) = mutants.next() else {
            return Default::default();
        };
        let does = first.in_words();
        let several = suspect.mutants.len();
        if several == 1 {
            return (first.name().to_owned(), does);
        }
        let detail = match first.detail() {
            "" => String::new(),
            detail => format!("/{detail}"),
        };
        let name = format!("{}@{several} places{detail}", first.operator());
        (name, does)
    }
}

impl Failed<'_> {
    /// Returns true if the first wrong record of the reader is known.
    fn tells(&self) -> bool {
        self.wrong == Wrong::Records && self.parting.is_some()
    }
}

impl Suspect {
    /// Returns true if the suspect has been run against the cases that the reader passes and passes
    /// all of them too.
    fn is_uncontradicted(&self) -> bool {
        self.contradicted.as_ref().is_some_and(Vec::is_empty)
    }
}

/// Returns the suspect that best balances explained failures against contradictions. A suspect that
/// is contradicted more than half as often as it explains failures is not considered. The others
/// are ranked by the number of explained failures divided by the number of all unexplained failures
/// and contradictions, in millionths.
fn least_contradicted(
    suspects: &[Suspect],
    able: &[Able],
    (least, unexplained): (usize, usize),
) -> Option<usize> {
    let worth = |(Reverse(explains), _, place): &Able| {
        let contradicted = suspects[*place].contradicted.as_ref()?.len();
        (*explains >= least && 2 * contradicted <= *explains)
            .then(|| explains * 1_000_000 / (unexplained + contradicted))
    };
    // `max_by_key` returns the last of several equal elements, which in reverse order is the
    // simplest.
    let worthy = able
        .iter()
        .rev()
        .filter_map(|able| Some((worth(able)?, able.2)));
    worthy
        .max_by_key(|(worth, _)| *worth)
        .map(|(_, place)| place)
}
