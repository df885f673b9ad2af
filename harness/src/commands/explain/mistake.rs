//! Prints a mistake that fails the same cases as a reader.

use std::collections::BTreeSet;
use std::io::Write;

use tracegauge_corpus::commands::CommandError;
use tracegauge_corpus::matrix::{Explanation, Matrix, Mistake};
use tracegauge_reports::text::first_of;
use tracegauge_spec::bundled::in_checkout;

use super::causes::CASES;

/// Number of fields from which on none of them is named, if mistakes in each of them explain the
/// same failures.
const MANY: usize = 3;

/// Prints a mistake that fails the cases of a cause in the same way as the reader. `all` is the
/// number of these cases.
pub(super) fn write(
    matrix: &Matrix,
    explanation: &Explanation<'_>,
    all: usize,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let named = explanation.mistakes.iter();
    let named = named.filter_map(|index| matrix.mistakes.get(*index));
    let named: Vec<&Mistake> = named.collect();
    let Some((mistake, as_good)) = named.split_first() else {
        return Ok(());
    };
    let explained = match explanation.exact.len() {
        explained if explained == all => String::new(),
        explained => format!(" in {explained} of them"),
    };
    let records = match explanation.same_records {
        0 => "",
        _ => ", with the same wrong records",
    };
    match somewhere(&named) {
        Some(place) => {
            writeln!(
                out,
                "      consistent{explained} with a reader that misreads something in \
                 {place}{records}"
            )?;
            writeln!(
                out,
                "        for example, one that {}: {}",
                mistake.does, mistake.mutant
            )?;
        }
        None => writeln!(
            out,
            "      consistent{explained} with a reader that {}{records}: {}",
            mistake.does, mistake.mutant
        )?,
    }
    for other in as_good.iter().take(CASES) {
        writeln!(out, "        or one that {}: {}", other.does, other.mutant)?;
    }
    if as_good.len() > CASES {
        let more = as_good.len() - CASES;
        writeln!(out, "        or one with any of {more} other bugs")?;
    }
    if !mistake.described.is_empty() {
        let places = mistake.described.iter().map(|place| opened(place));
        let places: Vec<String> = places.collect();
        writeln!(out, "        described in {}", first_of(&places, CASES))?;
    }
    Ok(())
}

/// Returns the common prefix of the paths of several fields, if mistakes in at least `MANY` fields
/// explain the failures equally well, so that naming one field would be a guess. For example, every
/// mistake that makes a reader decode the rest of a record at the wrong offset causes the same
/// failures.
fn somewhere(named: &[&Mistake]) -> Option<String> {
    let places = named.iter().map(|mistake| place(&mistake.mutant));
    let places: BTreeSet<&str> = places.collect();
    if places.len() < MANY {
        return None;
    }
    let mut places = places.into_iter();
    let first: Vec<&str> = places.next()?.split('.').collect();
    let common = places.fold(first.len(), |common, place| {
        let same = first.iter().zip(place.split('.'));
        common.min(same.take_while(|(one, other)| **one == *other).count())
    });
    (0 < common && common < first.len()).then(|| first[..common].join("."))
}

/// Returns the field of a mutant, whose name has the form `operator@field/detail`.
fn place(mutant: &str) -> &str {
    let field = mutant.split_once('@').map_or(mutant, |(_, field)| field);
    field.split('/').next().unwrap_or(field)
}

/// Returns the file and line of a place in a form that can be opened if a bundled description is in
/// a checkout.
fn opened(place: &str) -> String {
    let split = place.rsplit_once(':');
    let known = split.and_then(|(file, line)| Some((in_checkout(file)?, line)));
    known.map_or(place.to_owned(), |(file, line)| format!("{file}:{line}"))
}
