//! Renders the description of a trace that reached new edges of the reader's control flow, as
//! Markdown and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::json;
use tracegauge_plan::Plan;
use tracegauge_results::Outcome;

use super::keep::Small;
use super::new_features::{Broken, Named};
use super::symbol_map::Place;
use super::{SeedJob, SymbolMap};
use crate::campaign::about::{code, line, rule_text, write_bytes};
use crate::campaign::keep::trace_name;
use crate::suggested::with_spec_of;

/// The maximum number of functions, and of obligations in each class, that are listed.
const MOST: usize = 12;

/// The data for `about.md` and `about.json`.
pub(super) struct About<'a> {
    pub(super) plan: &'a Plan,
    pub(super) job: &'a SeedJob,
    pub(super) seed: u64,
    /// The size in bytes of the trace before minimization.
    pub(super) found: usize,
    pub(super) small: &'a Small,
    /// The obligations (parts and properties of the format) that this trace is the first to meet.
    pub(super) new: &'a [Named],
    /// The rule that the trace violates, if any.
    pub(super) broken: Option<&'a Broken>,
    pub(super) symbol_map: &'a SymbolMap,
}

impl About<'_> {
    pub(super) fn json(&self) -> serde_json::Result<Vec<u8>> {
        let edges = self.job.fresh.ones().map(|edge| {
            let place = self.symbol_map.place(edge);
            json!({
                "edge": edge,
                "function": place.map(|place| &place.function),
                "line": place.map(|place| &place.line),
            })
        });
        serde_json::to_vec_pretty(&json!({
            "format": self.plan.format,
            "input": self.job.input,
            "made": self.job.made,
            "bytes": self.small.bytes.len(),
            "again": self.small.again,
            "outcome": self.small.outcome,
            "broken": self.broken,
            "first": self.new,
            "edges": edges.collect::<Vec<_>>(),
        }))
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let edges = count(self.job.fresh.count_ones(..), "edge");
        writeln!(text, "# {edges} of the reader reached for the first time\n")?;
        self.write_first(text)?;
        self.write_places(text)?;
        let Self {
            small, job, plan, ..
        } = self;
        let trace = trace_name(plan);
        let found = self.found;
        writeln!(text, "- original input: {found} bytes, {}", line(&job.made))?;
        writeln!(text, "- minimized: {} bytes, `{trace}`", small.bytes.len())?;
        match (small.again, small.outcome) {
            (Some(true), Some(Outcome::Pass)) => writeln!(text, "- the reader answered correctly")?,
            (Some(true), Some(outcome)) => writeln!(text, "- the reader: {outcome}")?,
            (None, _) => writeln!(text, "- there was no time left to minimize the trace")?,
            _ => writeln!(
                text,
                "- the reader did not reach these edges again: its behavior may depend on earlier \
                 traces"
            )?,
        }
        let format = line(&plan.format);
        writeln!(
            text,
            "- reproduce: `tracegauge fuzz{} --format {format} --replay {}:{} --out FOLDER`, \
             with the folder of the campaign and the same reader\n",
            line(&with_spec_of(plan)),
            self.seed,
            job.input
        )?;
        write_bytes(text, plan, &small.bytes, &trace)
    }

    /// Lists the parts of the format that no earlier trace contains, and describes the rule that
    /// the trace violates, if any.
    fn write_first(&self, text: &mut String) -> std::fmt::Result {
        match (self.new, self.broken) {
            ([], Some(Broken { at, .. })) => writeln!(
                text,
                "The trace violates the same rule as an earlier trace, but in a different place, \
                 `{}`.\n",
                line(at)
            )?,
            ([], None) => writeln!(
                text,
                "Earlier traces already contained every format element in this trace; only \
                 values or the order of parts are new.\n"
            )?,
            _ => writeln!(
                text,
                "Elements of the format that no earlier trace contains:\n"
            )?,
        }
        let mut classes: Vec<(&str, Vec<&Named>)> = Vec::new();
        for named in self.new {
            match classes.last_mut() {
                Some((class, of_class)) if *class == named.class.name() => of_class.push(named),
                _ => classes.push((named.class.name(), vec![named])),
            }
        }
        for (class, of_class) in classes {
            for named in of_class.iter().take(MOST) {
                let (what, described) = (line(&named.obligation), line(&named.described));
                writeln!(text, "- {class}: `{what}` {described}")?;
            }
            if of_class.len() > MOST {
                writeln!(text, "- {class}: {} more", of_class.len() - MOST)?;
            }
        }
        if !self.new.is_empty() {
            writeln!(text)?;
        }
        match self.broken {
            Some(Broken { rule, .. }) => rule_text(text, self.plan, rule),
            None => Ok(()),
        }
    }

    /// Writes the functions of the reader that contain the new edges.
    fn write_places(&self, text: &mut String) -> std::fmt::Result {
        let mut functions: BTreeMap<&str, (usize, &Place)> = BTreeMap::new();
        let edges = self.job.fresh.ones();
        for place in edges.filter_map(|edge| self.symbol_map.place(edge)) {
            functions.entry(&place.function).or_insert((0, place)).0 += 1;
        }
        if functions.is_empty() {
            return Ok(());
        }
        writeln!(text, "New in the reader:\n")?;
        for (function, (edges, place)) in functions.iter().take(MOST) {
            let edges = count(*edges, "edge");
            let (function, place) = (code(function), line(&place.line));
            writeln!(text, "- `{function}` {place}, {edges}")?;
        }
        if functions.len() > MOST {
            writeln!(text, "- {} more", functions.len() - MOST)?;
        }
        writeln!(text)
    }
}

/// Formats a count with its noun, such as `1 edge` or `2 edges`.
pub(super) fn count(number: usize, of: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {of}{plural}")
}
