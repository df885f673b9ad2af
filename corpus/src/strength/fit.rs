//! Whether the reasons that are given for mutants fit what becomes of them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Reasons, Strength};

/// What became of the mutants that each entry of the lists of reasons stands for, over the
/// formats that read the list.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    entries: BTreeMap<Place, Fitted>,
}

/// An entry: its file and its pattern.
type Place = (String, String);

#[derive(Clone, Debug, Default)]
struct Fitted {
    /// Mutants that no case tells apart.
    untold: usize,
    /// Mutants that a case tells apart, each with the case.
    told: Vec<(String, String)>,
}

impl Fit {
    /// Adds what became of the mutants of a format.
    pub fn add(&mut self, reasons: &Reasons, strength: &Strength) {
        let lists = [&reasons.equivalent, &reasons.surviving];
        for entry in lists.into_iter().flat_map(|list| list.entries()) {
            let place = (entry.file.clone(), entry.pattern.text().to_owned());
            self.entries.entry(place).or_default();
        }
        for fate in &strength.mutants {
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

    /// Entries that stand for no mutant which is not told apart: they may go.
    pub fn idle(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.entries.iter().filter(|(_, fitted)| fitted.untold == 0);
        entries.map(|((file, pattern), _)| (file.as_str(), pattern.as_str()))
    }

    /// Writes the entries that do not fit.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for (file, pattern) in self.idle() {
            writeln!(out, "{file}: {pattern} stands for no mutant that is left")?;
        }
        for ((file, pattern), fitted) in &self.entries {
            if fitted.untold == 0 {
                continue;
            }
            for (mutant, case) in &fitted.told {
                writeln!(
                    out,
                    "{file}: {pattern} says it of {mutant}, which {case} tells apart"
                )?;
            }
        }
        Ok(())
    }
}
