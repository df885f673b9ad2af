//! Renders a mutation score as text.

use std::io::{self, Write};

use super::MutationScore;
use crate::score::percent;

/// Writes the number of detected mutants, and lists at most `most` mutants that no case detects.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_mutation_score(
    mutation_score: &MutationScore,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "{}: {} cases",
        mutation_score.format, mutation_score.cases
    )?;
    let (killed, feasible) = (mutation_score.killed(), mutation_score.feasible());
    writeln!(
        out,
        "  {:<11} {killed:>6} of {feasible:>6}  {:>5}%  ({} killed only by the details of \
         rejections; {} equivalent mutants not counted)",
        "mutants",
        percent(killed, feasible),
        mutation_score.graded(),
        mutation_score.equivalents().count(),
    )?;
    let by = |rule: &&super::RuleKill| rule.killer.is_some();
    let rules = mutation_score.rules.len();
    let killed = mutation_score.rules.iter().filter(by).count();
    writeln!(
        out,
        "  {:<11} {killed:>6} of {rules:>6}  {:>5}%",
        "rule-kill",
        percent(killed, rules)
    )?;
    let spared = mutation_score.rules.iter().filter(|rule| !by(rule));
    for rule in spared {
        writeln!(
            out,
            "    no case fails if a reader ignores the rule {}",
            rule.rule
        )?;
    }
    for (word, dumb) in [
        ("accept all", mutation_score.accepts_all),
        ("reject all", mutation_score.rejects_all),
    ] {
        let (passed, proven) = (dumb.passed, dumb.proven);
        writeln!(
            out,
            "  {word:<11} passes {passed} cases, {proven} of them proven"
        )?;
    }
    let survivors: Vec<_> = mutation_score.survivors().collect();
    let explained = survivors.iter().filter(|fate| fate.surviving.is_some());
    let unexplained = survivors.len() - explained.count();
    if unexplained > 0 {
        writeln!(out, "  {unexplained} survivors without a documented reason")?;
    }
    if !survivors.is_empty() && most > 0 {
        writeln!(out, "  mutants that no case detects:")?;
    }
    for fate in survivors.iter().take(most) {
        match fate.described.as_str() {
            "" => writeln!(out, "    {}", fate.mutant)?,
            described => writeln!(out, "    {}  ({described})", fate.mutant)?,
        }
        if let Some(because) = &fate.surviving {
            writeln!(out, "      {because}")?;
        }
    }
    let rest = survivors.len().saturating_sub(most);
    if rest > 0 && most > 0 {
        writeln!(out, "    … and {rest} more")?;
    }
    for case in &mutation_score.unsound {
        writeln!(out, "  the reference decoder does not pass the case {case}")?;
    }
    Ok(())
}
