//! Renders a mutation score as text.

use std::io::{self, Write};

use super::Strength;
use crate::score::percent;

/// Writes the number of detected mutants and at most `most` surviving ones.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_strength(strength: &Strength, most: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {} cases", strength.format, strength.cases)?;
    let (killed, feasible) = (strength.killed(), strength.feasible());
    writeln!(
        out,
        "  {:<11} {killed:>6} of {feasible:>6}  {:>5} %  ({} of them only by a lower grade; {} more are equivalent)",
        "mutants",
        percent(killed, feasible),
        strength.graded(),
        strength.equivalents().count(),
    )?;
    let by = |rule: &&super::RuleKill| rule.killer.is_some();
    let rules = strength.rules.len();
    let killed = strength.rules.iter().filter(by).count();
    writeln!(
        out,
        "  {:<11} {killed:>6} of {rules:>6}  {:>5} %",
        "rule-kill",
        percent(killed, rules)
    )?;
    let spared = strength.rules.iter().filter(|rule| !by(rule));
    for rule in spared {
        writeln!(
            out,
            "    {} can be ignored without failing a case",
            rule.rule
        )?;
    }
    for (word, dumb) in [
        ("accept all", strength.accepts_all),
        ("reject all", strength.rejects_all),
    ] {
        let (passed, proven) = (dumb.passed, dumb.proven);
        writeln!(
            out,
            "  {word:<11} passes {passed} cases, {proven} of them proven"
        )?;
    }
    let survivors: Vec<_> = strength.survivors().collect();
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
    for case in &strength.unsound {
        writeln!(out, "  the reference decoder itself fails {case}")?;
    }
    Ok(())
}
