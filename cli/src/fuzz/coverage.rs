//! Sets up coverage feedback for `tracegauge fuzz --coverage` and summarizes the coverage.

use std::path::{Path, PathBuf};

use tracegauge_corpus::score::{Class, Exclusions};
use tracegauge_corpus::store::Store;
use tracegauge_harness::campaign::coverage::{
    ClassReach, CoverageState, Reach, TestReach, Wanted, own_tests,
};
use tracegauge_harness::campaign::{CampaignError, State};

use super::{Args, Refusal};
use crate::{named, one_line, say};

/// Maximum number of missed obligations (parts of the format that no trace exercised) that are
/// listed by name in each class.
const MOST: usize = 4;

/// Classes whose missed obligations are not named individually in the summary, because they are
/// numerous and individually unimportant.
const LONG: [Class; 3] = [Class::Operations, Class::Boundaries, Class::Edges];

/// Returns the coverage settings, or `None` without `--coverage`. A resumed campaign that used
/// coverage feedback continues to use it, with the same tests unless `--tests` names another
/// folder.
pub(super) fn wanted(args: &Args, state: &mut State) -> Result<Option<Wanted>, Refusal> {
    if !args.coverage && state.coverage.is_none() {
        return Ok(None);
    }
    let known = state.coverage.get_or_insert_with(CoverageState::default);
    if let Some(folder) = &args.tests {
        let unreadable = |error| Refusal::from_usage(&CampaignError::File(folder.clone(), error));
        known.tests = Some(folder.canonicalize().map_err(unreadable)?);
    }
    let tests = known.tests.as_deref().map(own_tests).transpose();
    let exclusions = match args.format.spec {
        Some(_) => Exclusions::default(),
        None => Exclusions::load(&Store::Embedded, &state.format)
            .map_err(|error| Refusal::Incomplete(error.to_string()))?,
    };
    Ok(Some(Wanted {
        tests: tests.map_err(|error| Refusal::from_usage(&error))?,
        exclusions,
    }))
}

/// Prints the coverage that the campaign has achieved.
pub(super) fn report(reach: &Reach, folder: &Path) {
    let Reach {
        edges,
        reached,
        fleeting,
        kept,
        ..
    } = reach;
    let fleeting = match fleeting {
        0 => String::new(),
        count => format!(", {count} more intermittently"),
    };
    let place = folder.join("coverage");
    say!(
        "reached {reached} of the reader's {edges} control-flow edges{fleeting}; saved {kept} \
         traces in {}",
        named(&place)
    );
    if let Some(tests) = &reach.tests {
        report_tests(tests, &place);
    }
    let new = reach.functions.iter();
    // Functions without line information are usually not part of the author's code.
    let new = new.filter(|it| it.by_tests == 0 && it.reached > 0 && !it.line.is_empty());
    let names: Vec<String> = new.map(|it| one_line(&it.function)).collect();
    if reach.tests.is_some() && !names.is_empty() {
        say!(
            "functions in the reader that these traces reach but your tests do not: {}",
            listed(&names)
        );
    }
}

fn report_tests(tests: &TestReach, place: &Path) {
    say!(
        "your {} tests reach {} of these edges",
        tests.files,
        tests.edges
    );
    let missed = tests.classes.iter().filter(|it| !it.missed.is_empty());
    let missed: Vec<&ClassReach> = missed.collect();
    if missed.is_empty() {
        say!("your tests cover every part of the format");
        return;
    }
    say!("your tests do not cover these parts of the format:");
    for it in missed {
        let names = it.missed.iter().map(|it| one_line(&it.obligation));
        let names: Vec<String> = names.collect();
        let names = if LONG.contains(&it.class) {
            String::new()
        } else {
            format!(": {}", listed(&names))
        };
        let (missed, feasible) = (it.missed.len(), it.feasible);
        say!("  {:<11}{missed:>5} of {feasible}{names}", it.class.name());
    }
    let all: PathBuf = place.join("about.md");
    say!("full list: {}", named(&all));
}

/// Returns the first few names, followed by the number of remaining names.
fn listed(names: &[String]) -> String {
    let shown = names.len().min(MOST);
    let text = names[..shown].join(", ");
    match names.len() - shown {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        assert_eq!(listed(&names), "a, b, c, d and 1 more");
        assert_eq!(listed(&names[..4]), "a, b, c, d");
        assert_eq!(listed(&[]), "");
    }
}
