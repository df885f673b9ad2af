//! Prints a mistake that explains failures.

use std::collections::BTreeSet;
use std::io::Write;

use tracegauge_corpus::commands::CommandError;
use tracegauge_corpus::matrix::{Certainty, Explanation, Matrix, Mistake};
use tracegauge_reports::text::{counted, first_of};
use tracegauge_spec::bundled::in_checkout;
use tracegauge_spec::plan::Plan;

use super::super::one_line;
use super::causes::{CASES, some};

/// If mistakes in at least this many fields explain the same failures, none of the fields is named.
const MANY: usize = 3;

/// Prints a mistake and the failures that it explains. `common` describes a property of the traces.
pub(super) fn write(
    (plan, matrix): (&Plan, &Matrix),
    explanation: &Explanation<'_>,
    common: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let named = explanation.mistakes.iter();
    let named = named.filter_map(|index| matrix.mistakes.get(*index));
    let named: Vec<&Mistake> = named.collect();
    let Some((mistake, as_good)) = named.split_first() else {
        return Ok(());
    };
    let place = somewhere(&named);
    write_head(mistake, place.as_deref(), explanation, out)?;
    match place {
        Some(_) => writeln!(
            out,
            "      for example, it {}: {}",
            mistake.does, mistake.mutant
        )?,
        None => writeln!(out, "      {}", mistake.mutant)?,
    }
    write_rule(plan, mistake, explanation.certainty, out)?;
    if let Some(common) = common {
        write_common(common, out)?;
    }
    if !mistake.described.is_empty() {
        let places = mistake.described.iter().map(|place| opened(place));
        let places: Vec<String> = places.collect();
        writeln!(out, "      {}", first_of(&places, CASES))?;
    }
    for other in as_good.iter().take(CASES) {
        writeln!(out, "      or it {}: {}", other.does, other.mutant)?;
    }
    if as_good.len() > CASES {
        let more = as_good.len() - CASES;
        writeln!(
            out,
            "      or one of {more} more mistakes with the same failures"
        )?;
    }
    some(&explanation.exact, CASES, out)?;
    if !explanation.near.is_empty() {
        let count = counted(explanation.near.len(), "case");
        writeln!(
            out,
            "    {count} that this mistake would also make fail, but differently, so another mistake \
             must take effect first"
        )?;
        some(&explanation.near, CASES, out)?;
    }
    Ok(())
}

/// Prints a property of all explained traces that no valid trace has which the reader passes.
pub(super) fn write_common(common: &str, out: &mut dyn Write) -> Result<(), CommandError> {
    writeln!(
        out,
        "      all of these traces, and no valid trace that the reader passes, {common}"
    )?;
    Ok(())
}

fn write_head(
    mistake: &Mistake,
    place: Option<&str>,
    explanation: &Explanation<'_>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let explained = explanation.exact.len();
    let count = counted(explained, "case");
    match place {
        Some(place) => write!(
            out,
            "  {count}: consistent with a reader that misreads something in {place}"
        )?,
        None => write!(
            out,
            "  {count}: consistent with a reader that {}",
            mistake.does
        )?,
    }
    match explanation.same_records {
        0 => {}
        same if same == explained => write!(out, "; with the same wrong records")?,
        same => write!(out, "; with the same wrong records in {same} of them")?,
    }
    match explanation.contradicted.len() {
        0 => writeln!(out)?,
        1 => writeln!(
            out,
            "; only a near match, because the reader passes 1 case that this mistake would make fail"
        )?,
        more => writeln!(
            out,
            "; only a near match, because the reader passes {more} cases that this mistake would make \
             fail"
        )?,
    }
    Ok(())
}

/// Prints the rule by which the mistake is recognized.
fn write_rule(
    plan: &Plan,
    mistake: &Mistake,
    certainty: Certainty,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let Some(id) = mistake.rule() else {
        return Ok(());
    };
    let rule = plan.schema.rules.iter().find(|rule| rule.id == id);
    let says = rule.map_or_else(String::new, |rule| format!(" ({})", one_line(&rule.says)));
    let perhaps = match certainty {
        Certainty::Certain => "",
        Certainty::Likely | Certainty::Near => "perhaps ",
    };
    writeln!(out, "      {perhaps}{id}{says}")?;
    Ok(())
}

/// The common beginning of the paths of several fields, if mistakes in at least `MANY` fields
/// explain the failures equally well, so that naming one field would be a guess. Any mistake after
/// which a reader decodes the rest of a record at the wrong offset causes the same failures.
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

/// The field of a mutant, whose name has the form `operator@field/detail`.
fn place(mutant: &str) -> &str {
    let field = mutant.split_once('@').map_or(mutant, |(_, field)| field);
    field.split('/').next().unwrap_or(field)
}

/// The file and line of a place. For a bundled description in a checkout, the path can be opened.
fn opened(place: &str) -> String {
    let split = place.rsplit_once(':');
    let known = split.and_then(|(file, line)| Some((in_checkout(file)?, line)));
    known.map_or(place.to_owned(), |(file, line)| format!("{file}:{line}"))
}
