//! Renders a diagnosis as text.

use std::io::{self, Write};

use super::{Diagnosis, Numbers, Pairs, SEVERAL};
use crate::score::percent;

/// Writes the diagnosis for a format, and lists at most `most` of the bugs that are not named by
/// the first rows.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_diagnosis(diagnosis: &Diagnosis, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let spread = &diagnosis.spread;
    writeln!(
        out,
        "{}: {} cases, {} bugs",
        diagnosis.format, spread.cases, spread.bugs
    )?;
    writeln!(
        out,
        "  {:<11} a bug makes {}% of the cases fail (median); {}% of the bugs make more than 5% fail",
        "spread",
        percent(spread.median, spread.cases),
        percent(spread.wide, spread.bugs),
    )?;
    for widest in &spread.widest {
        let share = percent(widest.cases, spread.cases);
        writeln!(out, "    {share:>5}%  {}", widest.mutant)?;
    }
    write_pairs(diagnosis.pairs, out)?;
    for readers in &diagnosis.several {
        write_several(readers.bugs, &readers.numbers, out)?;
    }
    write_single(&diagnosis.single.numbers, out)?;
    for bug in diagnosis.single.misnamed.iter().take(most) {
        let named = bug.named.as_deref().unwrap_or("no rule");
        let rules = match bug.rules.as_slice() {
            [] => "no rule".to_owned(),
            rules => rules.join(" or "),
        };
        writeln!(out, "    {}: {named} instead of {rules}", bug.mutant)?;
    }
    Ok(())
}

/// Writes the combined diagnosis for all formats.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_total(all: &[Diagnosis], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "all formats")?;
    let (mut bugs, mut wide) = (0, 0);
    let mut pairs = Pairs::default();
    let mut several = [Numbers::default(); SEVERAL.len()];
    let mut single = Numbers::default();
    for diagnosis in all {
        bugs += diagnosis.spread.bugs;
        wide += diagnosis.spread.wide;
        pairs.add(diagnosis.pairs);
        for (sum, readers) in several.iter_mut().zip(&diagnosis.several) {
            sum.add(&readers.numbers);
        }
        single.add(&diagnosis.single.numbers);
    }
    writeln!(
        out,
        "  {:<11} {}% of {bugs} bugs make more than 5% of the cases fail",
        "spread",
        percent(wide, bugs)
    )?;
    write_pairs(pairs, out)?;
    for (bugs, numbers) in SEVERAL.iter().zip(&several) {
        write_several(*bugs, numbers, out)?;
    }
    write_single(&single, out)
}

fn write_pairs(pairs: Pairs, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "  {:<11} {}% of {} pairs of bugs: each is detected while the other is present",
        "pairs",
        percent(pairs.detected, pairs.tried),
        pairs.tried
    )
}

fn write_several(bugs: usize, numbers: &Numbers, out: &mut dyn Write) -> io::Result<()> {
    let average = numbers.failures.checked_div(numbers.readers);
    writeln!(
        out,
        "  {:<11} the first {} rows name {}% of the bugs; {}% of the rows state a wrong rule; \
         {} failures on average ({} readers)",
        format!("{bugs} bugs"),
        bugs + 2,
        percent(numbers.named, numbers.bugs),
        percent(numbers.wrong, numbers.rows),
        average.unwrap_or_default(),
        numbers.readers,
    )?;
    write_explained(bugs, numbers, out)
}

fn write_explained(bugs: usize, numbers: &Numbers, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "  {:<11} the first {} explanations name {}% of the bugs; {}% of the certain explanations \
         are wrong",
        "",
        bugs + 2,
        percent(numbers.explained, numbers.bugs),
        percent(numbers.wrong_certain, numbers.certain),
    )
}

fn write_single(numbers: &Numbers, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "  {:<11} the first row names {}% of the bugs; {}% of the first rows are wrong but marked \
         as certain ({} readers)",
        "1 bug",
        percent(numbers.first, numbers.readers),
        percent(numbers.wrongly_certain, numbers.readers),
        numbers.readers,
    )?;
    write_explained(1, numbers, out)
}
