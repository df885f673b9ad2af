//! Which mistakes explain the failures of a reader: the mutants of a description that fail where the
//! reader fails and pass where it passes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use tracegauge_spec::plan::mutate::{Mutant, mutants};
use tracegauge_spec::plan::{OpId, Plan};

use super::prepared::Prepared;
use super::{Parting, Referee, Wrong, answer, deep};
use crate::case::Case;
use crate::progress::Progress;
use crate::score::{Names, Obligation};

/// What a reader did with a case.
#[derive(Clone, Debug)]
pub struct Outcome<'c> {
    /// The case.
    pub case: &'c Case,
    /// In what it failed; nothing where it passed. One that gave no clean answer is `Endless`:
    /// nothing but another that does not end is like it.
    pub wrong: Option<Wrong>,
    /// Where its records part from the expected ones, as far as that is known.
    pub parting: Option<Parting>,
}

/// A mistake that would explain failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What a reader with this mistake does, as it follows "a reader that".
    pub does: String,
    /// The mutant: `operator@path-in-description/detail`; or the number of places.
    pub mutant: String,
    /// Files and lines of what it changes.
    pub described: Vec<String>,
    /// Mistakes that explain the same and that nothing contradicts either, each with what a
    /// reader with it does.
    pub as_good: Vec<(String, String)>,
    /// Failures that no cause before it explains, and this one does.
    pub explains: Vec<String>,
    /// In so many of these the reader reports something wrong, and a reader with this mistake
    /// reports the same.
    pub same: usize,
    /// Cases that it fails and the reader passes.
    pub contradicted: Vec<String>,
}

/// A cause is wanted for so many failures at least, where there are as many.
const LEAST: usize = 2;
/// Of the mutants that explain something, so many are tried on what the reader passes at most.
const TRIED: usize = 400;
/// So many at once, those that explain most first: mostly one of the first is not contradicted.
const AT_ONCE: usize = 32;

/// The mistakes that explain most, at most so many: each explains failures that those before it
/// leave. One that something contradicts is named only for what no other explains.
pub fn causes(
    plan: &Plan,
    outcomes: &[Outcome<'_>],
    referee: &dyn Referee,
    most: usize,
    progress: &dyn Progress,
) -> Vec<Cause> {
    deep(|| Search::new(plan, outcomes, referee).causes(most, progress))
}

struct Search<'s> {
    plan: &'s Plan,
    bare: Plan,
    mutants: Vec<Mutant>,
    failed: Vec<Failed<'s>>,
    passed: Vec<Prepared<'s>>,
    referee: &'s dyn Referee,
}

/// A case that the reader fails.
struct Failed<'s> {
    case: Prepared<'s>,
    wrong: Wrong,
    parting: Option<Parting>,
}

/// A mistake: a mutant, or several that are the same mistake in as many places.
struct Suspect {
    /// Places of the mutants.
    mutants: Vec<usize>,
    /// Places of the failures that it explains.
    explains: Vec<usize>,
    /// What the reader passes and it fails, once that has been tried.
    contradicted: Option<Vec<String>>,
}

/// How much of what is left a suspect explains, in how many places it is wrong, and its own place.
type Able = (Reverse<usize>, usize, usize);

impl<'s> Search<'s> {
    fn new(plan: &'s Plan, outcomes: &[Outcome<'s>], referee: &'s dyn Referee) -> Self {
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
            referee,
        }
    }

    fn causes(&self, most: usize, progress: &dyn Progress) -> Vec<Cause> {
        progress.begin("trying mistakes", self.mutants.len() as u64);
        let single: Vec<Vec<usize>> = (0..self.mutants.len()).map(|place| vec![place]).collect();
        let mut suspects = self.explaining(single, progress);
        let everywhere = self.everywhere(&suspects);
        progress.begin("trying them everywhere", everywhere.len() as u64);
        suspects.extend(self.explaining(everywhere, progress));
        // Sorting keeps the order of the operators among equals.
        suspects.sort_by_key(|suspect| Reverse(suspect.explains.len()));
        progress.begin(
            "trying them on what passes",
            suspects.len().min(TRIED) as u64,
        );
        let causes = self.chosen(suspects, most, progress);
        progress.end();
        causes
    }

    /// Those that explain something.
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

    /// The same mistake wherever it explains something: who forgets a test in one place mostly has
    /// one function that forgets it.
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

    /// The description with mistakes in it, and the operations that they change; none where any
    /// trace may be read otherwise.
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

    /// Places of the failures that mutants have as well.
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

    /// Whether a mistaken description fails as the reader does. What is reported wrong has to be
    /// the same, and what is reported before a wrong rejection: many mistakes make a trace fail, and
    /// few in this way.
    fn alike(&self, failed: &Failed<'_>, (wrong, parting): (Wrong, Option<Parting>)) -> bool {
        match (failed.wrong, &failed.parting) {
            (_, None) => wrong == failed.wrong,
            (_, Some(reader)) => parting.is_some_and(|mistake| {
                wrong == failed.wrong
                    && mistake.owed == reader.owed
                    && mistake.path == reader.path
                    && self.referee.same_value(&mistake.came, &reader.came)
            }),
        }
    }

    /// What the reader passes and mutants fail.
    fn contradicted(&self, mutants: &[usize]) -> Vec<String> {
        let (mutated, touches) = self.mistaken(mutants);
        let passed = self.passed.iter();
        let failed = passed.filter(|one| self.judged(&mutated, &touches, one).is_some());
        failed.map(|one| one.case.id.clone()).collect()
    }

    /// In what a mistaken description fails a case, and where its records part.
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
        let judged = self.referee.judge(one.case, &found);
        judged.filter(|(wrong, _)| wrong.fails())
    }

    /// One after the other, those that explain most of what is left.
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
            // Of equals the simplest, and the first, which the order of the operators puts there.
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

    /// The first of those that are `able` to explain something which the reader passes nothing
    /// against. As many are tried as that takes.
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

    /// Tries suspects on what the reader passes, as far as there is room and they are not tried yet.
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

    /// What explains exactly the same of what is left, in as many places, and is not contradicted
    /// either, as far as there is room to try it.
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

    /// The name of a mistake, and what a reader with it does.
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
    /// It is known what was reported wrong.
    fn tells(&self) -> bool {
        self.wrong == Wrong::Records && self.parting.is_some()
    }
}

impl Suspect {
    /// It was tried on what the reader passes, and passes that too.
    fn is_uncontradicted(&self) -> bool {
        self.contradicted.as_ref().is_some_and(Vec::is_empty)
    }
}

/// The one that explains most of what is left and contradicts least. What is contradicted more than
/// half as often as it explains is no explanation; a share of what either fails, in parts of a
/// million, tells the others apart.
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
    // Of equals the first of these is the simplest.
    let worthy = able
        .iter()
        .rev()
        .filter_map(|able| Some((worth(able)?, able.2)));
    worthy
        .max_by_key(|(worth, _)| *worth)
        .map(|(_, place)| place)
}
