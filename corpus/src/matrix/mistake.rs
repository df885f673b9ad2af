//! Lists the mistakes of an outcome matrix: each mutant of a plan, and groups of mutants that make
//! the same mistake in several places.

use std::collections::{BTreeMap, BTreeSet};

use tracegauge_plan::Plan;
use tracegauge_plan::mutate::{Mutant, mutants};

use crate::score::{Names, Obligation};

/// A mistake that the author of a reader could make: a mutant of the plan, or several mutants that
/// make the same mistake in different places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The mutant in the form `operator@path-in-description/detail`. For a mistake in several
    /// places, the number of places replaces the path.
    pub mutant: String,
    /// The behavior of a reader with this mistake, phrased to follow "a reader that".
    pub does: String,
    /// The rules that an expert in the format would associate with the mistake, most characteristic
    /// first.
    pub rules: Vec<String>,
    /// The rule whose handling the mistake changes, if there is exactly one such rule.
    pub handles: Option<String>,
    /// The name of the register that the mistake sets incorrectly, if any.
    pub sets: Option<String>,
    /// The file and line of each part of the description that the mistake affects.
    pub described: Vec<String>,
    /// The indexes of the mutants that make up the mistake. A mistake that consists of a single
    /// mutant has the same index as the mutant.
    pub mutants: Vec<usize>,
}

impl Mistake {
    /// Returns true if the mistake consists of several mutants.
    pub fn is_combined(&self) -> bool {
        self.mutants.len() > 1
    }

    /// Returns the rule that is most characteristic of the mistake.
    pub fn rule(&self) -> Option<&str> {
        self.rules.first().map(String::as_str)
    }
}

/// Returns the mutants of a plan and all mistakes that consist of them: first each mutant by
/// itself, and then combinations of mutants that make the same change in every place. A combination
/// acts like a bug in a function that a reader uses in all of these places.
pub fn mistakes(plan: &Plan) -> (Vec<Mutant>, Vec<Mistake>) {
    let mutants = mutants(plan);
    let names = Names::new(plan);
    let mut mistakes: Vec<Mistake> = mutants
        .iter()
        .enumerate()
        .map(|(place, mutant)| single(plan, &names, (place, mutant)))
        .collect();
    let combined = everywhere(&mutants);
    let combined: Vec<Mistake> = combined
        .into_iter()
        .map(|members| together(&mutants, &mistakes, members))
        .collect();
    mistakes.extend(combined);
    (mutants, mistakes)
}

fn single(plan: &Plan, names: &Names<'_>, (index, mutant): (usize, &Mutant)) -> Mistake {
    let place = mutant.place();
    let described = place
        .op
        .map(|op| names.described(Obligation::Operation(op)));
    let rules = place.rules(plan).into_iter();
    Mistake {
        mutant: mutant.name().to_owned(),
        does: mutant.in_plain_words(),
        rules: rules.map(|rule| plan.rules[rule].id.clone()).collect(),
        handles: place.rule.map(|rule| plan.rules[rule].id.clone()),
        sets: place.sets.map(|it| plan.registers[it].name.clone()),
        described: described.into_iter().collect(),
        mutants: vec![index],
    }
}

/// Returns the groups of mutants that make the same mistake in different places. A mutant that
/// changes the same part of the plan as an earlier mutant is omitted.
fn everywhere(mutants: &[Mutant]) -> Vec<Vec<usize>> {
    let mut alike: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        let group = alike
            .entry((mutant.operator(), mutant.detail()))
            .or_default();
        let mut members = group.iter();
        if members.all(|member| mutants[*member].is_independent_of(mutant)) {
            group.push(index);
        }
    }
    let groups = alike.into_values();
    groups.filter(|members| members.len() > 1).collect()
}

fn together(mutants: &[Mutant], mistakes: &[Mistake], members: Vec<usize>) -> Mistake {
    let (first, several) = (&mutants[members[0]], members.len());
    let detail = match first.detail() {
        "" => String::new(),
        detail => format!("/{detail}"),
    };
    let of = || members.iter().map(|member| &mistakes[*member]);
    let mut handled = of().map(|mistake| &mistake.handles);
    let handles = handled.next().cloned().flatten();
    let is_one_rule = handled.all(|other| *other == handles);
    let described: BTreeSet<&String> = of().flat_map(|mistake| &mistake.described).collect();
    Mistake {
        mutant: format!("{}@{several} places{detail}", first.operator()),
        does: first.in_plain_words(),
        rules: common_rules(of().map(|mistake| mistake.rules.as_slice())),
        handles: handles.filter(|_| is_one_rule),
        sets: None,
        described: described.into_iter().cloned().collect(),
        mutants: members,
    }
}

/// Returns all `rules`, sorted by the number of mutants that share them, most common first.
fn common_rules<'m>(rules: impl Iterator<Item = &'m [String]>) -> Vec<String> {
    let mut counts: Vec<(&String, usize)> = Vec::new();
    for rule in rules.flatten() {
        match counts.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, count)) => *count += 1,
            None => counts.push((rule, 1)),
        }
    }
    // The sort is stable, so rules with equal counts stay in the order of the mutants.
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(rule, _)| rule.clone()).collect()
}

/// Returns the plan with all `mutants` applied. The mutants must be independent of each other
/// ([`Mutant::is_independent_of`]).
pub(crate) fn composed(plan: &Plan, mutants: &[&Mutant]) -> Plan {
    let mut mutated: Option<Plan> = None;
    for mutant in mutants {
        mutated = Some(mutant.of(mutated.as_ref().unwrap_or(plan)));
    }
    mutated.unwrap_or_else(|| plan.clone())
}
