//! Prints the known mistake (the planted bug of a mutant) that explains the failures of a cause.

use std::io::Write;

use tracegauge_corpus::matrix::{Explanation, Matrix};
use tracegauge_judge::{consistent, named, opened, somewhere};
use tracegauge_results::text::first_of;

use super::causes::CASES;
use crate::corpus::CommandError;

/// Prints a known mistake that makes a decoder fail the cases of a cause in the same way as the
/// reader. `all` is the total number of cases with this cause.
pub(super) fn write(
    matrix: &Matrix,
    explanation: &Explanation<'_>,
    all: usize,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let named = named(matrix, explanation);
    let words = consistent(matrix, explanation, all);
    let (Some(words), Some((mistake, as_good))) = (words, named.split_first()) else {
        return Ok(());
    };
    match somewhere(&named) {
        Some(_) => {
            writeln!(out, "      {words}")?;
            writeln!(
                out,
                "        for example, a reader that {}: {}",
                mistake.does, mistake.mutant
            )?;
        }
        None => writeln!(out, "      {words}: {}", mistake.mutant)?,
    }
    for other in as_good.iter().take(CASES) {
        writeln!(
            out,
            "        or a reader that {}: {}",
            other.does, other.mutant
        )?;
    }
    if as_good.len() > CASES {
        let more = as_good.len() - CASES;
        writeln!(out, "        or a reader with any of {more} other bugs")?;
    }
    if !mistake.described.is_empty() {
        let places = mistake.described.iter().map(|place| opened(place));
        let places: Vec<String> = places.collect();
        writeln!(out, "        described in {}", first_of(&places, CASES))?;
    }
    Ok(())
}
