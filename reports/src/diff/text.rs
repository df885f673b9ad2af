//! Renders a comparison as text.

use std::io::{self, Write};

use tracegauge_results::text::{counted, visible};
use tracegauge_results::{ReaderInfo, ReaderState};

use super::{CaseChange, CaseEnd, Comparison, ReaderChange, Way};

/// The maximum number of cases of each kind that are listed.
const NAMED: usize = 20;

/// Writes `comparison` to `out`, with a section for each reader.
///
/// # Errors
/// Returns an error if `out` cannot be written to.
pub fn render(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for run in &comparison.runs {
        writeln!(out, "note: {}", visible(run))?;
    }
    for name in &comparison.gone {
        writeln!(out, "{}: only in the older run", visible(name))?;
    }
    for name in &comparison.come {
        writeln!(out, "{}: only in the newer run", visible(name))?;
    }
    for change in &comparison.readers {
        reader(change, out)?;
    }
    Ok(())
}

fn reader(change: &ReaderChange, out: &mut dyn Write) -> io::Result<()> {
    let name = visible(&change.new.name);
    let same = counted(change.same, "case");
    if change.old.name != change.new.name {
        let before = visible(&change.old.name);
        writeln!(
            out,
            "compared as the same reader: {before} in the older run, {name} in the newer run"
        )?;
    }
    if change.is_empty() {
        return writeln!(out, "{name}{}: no changes, {same}", versions(change));
    }
    writeln!(out, "{name}{}: {same} unchanged", versions(change))?;
    if let Some((old, new)) = &change.states {
        writeln!(
            out,
            "  the reader {} in the older run and {} in the newer run",
            state(old),
            state(new)
        )?;
    }
    if !change.reader.is_empty() {
        writeln!(out, "  different answers to the same cases:")?;
        changes(&change.reader, out)?;
        if change.old.version == change.new.version {
            let which = change.new.version.as_deref().map_or_else(
                || "the reader does not report its version".to_owned(),
                |version| {
                    format!(
                        "the reader reports version {} in both runs",
                        visible(version)
                    )
                },
            );
            writeln!(
                out,
                "    ({which}; the reader may be a different build, or its answers may vary)"
            )?;
        }
    }
    if !change.corpus.is_empty() {
        writeln!(out, "  changed cases:")?;
        changes(&change.corpus, out)?;
    }
    ends("only in the newer run", &change.added, out)?;
    ends("only in the older run", &change.removed, out)
}

fn versions(change: &ReaderChange) -> String {
    let version = |info: &ReaderInfo| match &info.version {
        Some(version) => visible(version).into_owned(),
        None => "no version".to_owned(),
    };
    let (old, new) = (version(&change.old), version(&change.new));
    if old == new {
        match &change.new.version {
            Some(_) => format!(" {new}"),
            None => String::new(),
        }
    } else {
        format!(" {old} → {new}")
    }
}

fn state(state: &ReaderState) -> String {
    match state {
        ReaderState::Ran => "ran".to_owned(),
        ReaderState::Skipped(why) => format!("was skipped ({})", visible(why)),
        ReaderState::Failed(why) => format!("could not run ({})", visible(why)),
    }
}

fn changes(changes: &[CaseChange], out: &mut dyn Write) -> io::Result<()> {
    for way in [Way::Worse, Way::Otherwise, Way::Better] {
        let of: Vec<&CaseChange> = changes.iter().filter(|change| change.way == way).collect();
        let word = match way {
            Way::Worse => "worse",
            Way::Otherwise => "different",
            Way::Better => "better",
        };
        for change in of.iter().take(NAMED) {
            let (before, after) = change.outcomes;
            write!(
                out,
                "    {word:9} {}: {before} → {after}",
                visible(&change.case)
            )?;
            let (old, new) = change.versions;
            if old == new {
                writeln!(out)?;
            } else {
                writeln!(out, " (version {old} → {new})")?;
            }
        }
        if of.len() > NAMED {
            writeln!(out, "    {word:9} and {} more", of.len() - NAMED)?;
        }
    }
    Ok(())
}

fn ends(what: &str, cases: &[CaseEnd], out: &mut dyn Write) -> io::Result<()> {
    if cases.is_empty() {
        return Ok(());
    }
    let failing: Vec<&CaseEnd> = cases
        .iter()
        .filter(|case| case.outcome.is_failure())
        .collect();
    let count = counted(cases.len(), "case");
    writeln!(out, "  {count} {what}, {} of them failing", failing.len())?;
    for case in failing.iter().take(NAMED) {
        writeln!(out, "    {}: {}", visible(&case.case), case.outcome)?;
    }
    if failing.len() > NAMED {
        writeln!(out, "    and {} more", failing.len() - NAMED)?;
    }
    Ok(())
}
