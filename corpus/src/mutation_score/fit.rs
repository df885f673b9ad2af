//! Checks whether the documented reasons for undetected mutants agree with the results.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{MutationScore, Reasons};

/// For each documented reason, the results of the mutants that it applies to, in all formats that
/// use the list of reasons.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    entries: BTreeMap<Place, Fitted>,
}

/// The file and the pattern of an entry.
type Place = (String, String);

#[derive(Clone, Debug, Default)]
struct Fitted {
    /// The number of mutants that no case detects.
    untold: usize,
    /// Mutants that some case detects, each with the detecting case.
    told: Vec<(String, String)>,
}

impl Fit {
    /// Adds the results of a format.
    pub fn add(&mut self, reasons: &Reasons, mutation_score: &MutationScore) {
        let lists = [&reasons.equivalent, &reasons.surviving];
        for entry in lists.into_iter().flat_map(|list| list.entries()) {
            let place = (entry.file.clone(), entry.pattern.text().to_owned());
            self.entries.entry(place).or_default();
        }
        for fate in &mutation_score.mutants {
            for entry in lists
                .into_iter()
                .flat_map(|list| list.fitting(&fate.mutant))
            {
                let place = (entry.file.clone(), entry.pattern.text().to_owned());
                let fitted = self.entries.entry(place).or_default();
                match &fate.killer {
                    None => fitted.untold += 1,
                    Some(killer) => {
                        let told = (fate.mutant.clone(), killer.case.clone());
                        fitted.told.push(told);
                    }
                }
            }
        }
    }

    /// Returns the entries that match no undetected mutant and are therefore redundant.
    pub fn redundant(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.entries.iter().filter(|(_, fitted)| fitted.untold == 0);
        entries.map(|((file, pattern), _)| (file.as_str(), pattern.as_str()))
    }

    /// Writes the documented reasons that do not agree with the results.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for (file, pattern) in self.redundant() {
            writeln!(out, "{file}: {pattern} matches no surviving mutant")?;
        }
        for ((file, pattern), fitted) in &self.entries {
            if fitted.untold == 0 {
                continue;
            }
            for (mutant, case) in &fitted.told {
                writeln!(
                    out,
                    "{file}: {pattern} explains {mutant}, but {case} detects that mutant"
                )?;
            }
        }
        Ok(())
    }
}
