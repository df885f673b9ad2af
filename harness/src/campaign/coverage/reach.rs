//! The coverage report for the author of a reader: which parts of the format and of the reader the
//! tests never reach.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Serialize;
use tracegauge_corpus::score::{Class, Exclusions, Meter, Names, Score, score};
use tracegauge_plan::Plan;

use super::about::count;
use super::{CoverageFeedback, OwnTest, SymbolMap, Wanted};
use crate::campaign::CampaignError;
use crate::campaign::about::{code, line};
use crate::campaign::keep::trace_name;

/// The maximum number of functions, and of obligations in each class, that are listed.
const MOST: usize = 60;

/// The coverage that a campaign achieved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// The number of edges in the reader.
    pub edges: usize,
    /// The number of edges that a saved trace or a test reaches in every run.
    pub reached: usize,
    /// The number of edges that a trace reached in one run but not in another.
    pub fleeting: usize,
    /// The number of saved traces.
    pub kept: usize,
    /// The coverage of the reader's own tests, if there are any.
    pub tests: Option<TestReach>,
    /// The reader's functions, or an empty list if they are unknown.
    pub functions: Vec<FunctionReach>,
}

/// The coverage of the reader's own tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TestReach {
    /// The number of tests.
    pub files: usize,
    /// The number of the reader's edges that the tests reach.
    pub edges: usize,
    /// The format's obligations that the tests meet, by class.
    pub classes: Vec<ClassReach>,
}

/// The coverage of the obligations of one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassReach {
    /// The class.
    pub class: Class,
    /// The number of obligations that the tests meet.
    pub tests: usize,
    /// The number of obligations that the tests and the saved traces meet together.
    pub together: usize,
    /// The number of feasible obligations.
    pub feasible: usize,
    /// The obligations that the tests do not meet. The obligations that a saved trace meets come
    /// first, because the saved traces made the reader reach new edges.
    pub missed: Vec<Missed>,
}

/// An obligation (a part or property of the format) that no test meets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The obligation, as its path in the description.
    pub obligation: String,
    /// The file and line in the description.
    pub described: String,
    /// The folder of a saved trace that meets the obligation.
    pub kept: Option<String>,
}

/// The coverage of a function of the reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionReach {
    /// The name of the function.
    pub function: String,
    /// The file and line of the function's first edge, or an empty string if they are unknown.
    pub line: String,
    /// The number of edges in the function.
    pub edges: usize,
    /// The number of edges that the tests reach.
    pub by_tests: usize,
    /// The number of edges that the tests or the campaign reached.
    pub reached: usize,
}

impl Reach {
    /// Summarizes the coverage of a campaign.
    pub(in crate::campaign) fn of(
        feedback: &CoverageFeedback<'_>,
        plan: &Plan,
        wanted: &Wanted,
        symbol_map: &SymbolMap,
    ) -> Self {
        let mut fleeting = feedback.fleeting.clone();
        fleeting.difference_with(&feedback.known.all);
        let seeds = feedback.state.seeds.iter();
        let folders: Vec<&str> = seeds.filter_map(|seed| seed.folder.as_deref()).collect();
        let tests = wanted.tests.as_ref().map(|tests| TestReach {
            files: tests.len(),
            edges: feedback.by_tests.count_ones(..),
            classes: classes(feedback.folder, plan, tests, &folders, &wanted.exclusions),
        });
        Self {
            edges: feedback.state.edges,
            reached: feedback.state.reached,
            fleeting: fleeting.count_ones(..),
            kept: folders.len(),
            tests,
            functions: functions(feedback, symbol_map),
        }
    }

    /// Writes the report to the folder of the campaign, as Markdown and as JSON.
    ///
    /// # Errors
    /// Returns an error if the report cannot be written.
    pub(in crate::campaign) fn save(&self, folder: &Path) -> Result<(), CampaignError> {
        let folder = folder.join("coverage");
        let json = serde_json::to_vec_pretty(self)
            .map_err(|error| CampaignError::Other(folder.clone(), error.to_string()))?;
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes).map_err(|error| CampaignError::File(path, error))
        };
        fs::create_dir_all(&folder).map_err(|error| CampaignError::File(folder.clone(), error))?;
        write("about.json", &json)?;
        write("about.md", self.text().as_bytes())
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let Self { edges, reached, .. } = self;
        writeln!(
            text,
            "# {reached} of the reader's {edges} control-flow edges reached\n"
        )?;
        if self.fleeting > 0 {
            writeln!(
                text,
                "{} more were reached only sometimes.\n",
                self.fleeting
            )?;
        }
        let traces = count(self.kept, "trace");
        match &self.tests {
            Some(tests) => {
                let (files, by_tests) = (count(tests.files, "test"), tests.edges);
                writeln!(
                    text,
                    "{files} reach {by_tests}; {traces} in this folder reach the others.\n"
                )?;
                tests.write(text)?;
            }
            None => writeln!(text, "{traces} in this folder reach them.\n")?,
        }
        self.write_functions(text)
    }

    fn write_functions(&self, text: &mut String) -> std::fmt::Result {
        let is_new = |it: &&FunctionReach| self.tests.is_some() && it.reached > it.by_tests;
        let new = self.functions.iter().filter(is_new);
        list_functions(
            text,
            "Functions in which these traces reach more edges than your tests do",
            new,
        )?;
        let none = self.functions.iter().filter(|it| it.reached == 0);
        list_functions(text, "Functions that were never reached", none)
    }
}

fn list_functions<'f>(
    text: &mut String,
    title: &str,
    functions: impl Iterator<Item = &'f FunctionReach>,
) -> std::fmt::Result {
    let functions: Vec<&FunctionReach> = functions.collect();
    if functions.is_empty() {
        return Ok(());
    }
    writeln!(text, "## {title}\n")?;
    writeln!(
        text,
        "| function | location | edges | reached by tests | reached in total |"
    )?;
    writeln!(text, "| --- | --- | --- | --- | --- |")?;
    for it in functions.iter().take(MOST) {
        let (function, place) = (code(&it.function).replace('|', "\\|"), line(&it.line));
        let (edges, by_tests, reached) = (it.edges, it.by_tests, it.reached);
        writeln!(
            text,
            "| `{function}` | {place} | {edges} | {by_tests} | {reached} |"
        )?;
    }
    if functions.len() > MOST {
        writeln!(text, "| {} more | | | | |", functions.len() - MOST)?;
    }
    writeln!(text)
}

impl TestReach {
    fn write(&self, text: &mut String) -> std::fmt::Result {
        writeln!(
            text,
            "| element of the format | total | in tests | in all traces |"
        )?;
        writeln!(text, "| --- | --- | --- | --- |")?;
        for it in &self.classes {
            let (class, feasible) = (it.class.name(), it.feasible);
            let (tests, all) = (it.tests, it.together);
            writeln!(text, "| {class} | {feasible} | {tests} | {all} |")?;
        }
        writeln!(text)?;
        for of_class in &self.classes {
            if of_class.missed.is_empty() {
                continue;
            }
            writeln!(text, "## Not in any test: {}\n", of_class.class.name())?;
            for missed in of_class.missed.iter().take(MOST) {
                let (what, described) = (line(&missed.obligation), line(&missed.described));
                let kept = missed.kept.as_ref();
                let kept = kept.map_or(String::new(), |it| format!(": see {}", line(it)));
                writeln!(text, "- `{what}` {described}{kept}")?;
            }
            if of_class.missed.len() > MOST {
                writeln!(text, "- {} more", of_class.missed.len() - MOST)?;
            }
            writeln!(text)?;
        }
        Ok(())
    }
}

/// Returns the coverage that the tests and the saved traces achieve in each class of obligations.
fn classes(
    folder: &Path,
    plan: &Plan,
    tests: &[OwnTest],
    folders: &[&str],
    exclusions: &Exclusions,
) -> Vec<ClassReach> {
    let names = Names::new(plan);
    let meter = Meter::new(plan);
    let mut kept: HashMap<String, &str> = HashMap::new();
    for name in folders {
        // A trace that has been deleted meets no obligations. Even an empty trace meets some.
        let path = folder.join(name).join(trace_name(plan));
        let Ok(bytes) = fs::read(path) else {
            continue;
        };
        for obligation in meter.measure(&bytes) {
            kept.entry(names.obligation(obligation)).or_insert(name);
        }
    }
    let files: Vec<&[u8]> = tests.iter().map(|test| test.bytes.as_slice()).collect();
    let Score { classes, .. } = score(plan, &files, exclusions);
    let classes = classes.into_iter().filter(|it| it.feasible > 0);
    let reach = classes.map(|of_class| {
        let missed = of_class.misses.into_iter().map(|miss| Missed {
            kept: kept.get(&miss.obligation).map(|name| (*name).to_owned()),
            obligation: miss.obligation,
            described: miss.described,
        });
        let (new, rest): (Vec<Missed>, Vec<Missed>) = missed.partition(|it| it.kept.is_some());
        ClassReach {
            class: of_class.class,
            tests: of_class.hit,
            together: of_class.hit + new.len(),
            feasible: of_class.feasible,
            missed: new.into_iter().chain(rest).collect(),
        }
    });
    reach.collect()
}

/// Returns the functions of the reader, in order of their names.
fn functions(feedback: &CoverageFeedback<'_>, symbol_map: &SymbolMap) -> Vec<FunctionReach> {
    let mut functions: BTreeMap<&str, FunctionReach> = BTreeMap::new();
    for (edge, place) in symbol_map.places() {
        let reach = functions.entry(&place.function);
        let reach = reach.or_insert_with(|| FunctionReach {
            function: place.function.clone(),
            line: place.line.clone(),
            edges: 0,
            by_tests: 0,
            reached: 0,
        });
        if reach.line.is_empty() {
            reach.line.clone_from(&place.line);
        }
        let is_reached = feedback.known.all.contains(edge) || feedback.fleeting.contains(edge);
        reach.edges += 1;
        reach.by_tests += usize::from(feedback.by_tests.contains(edge));
        reach.reached += usize::from(is_reached);
    }
    functions.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracegauge_corpus::formats::Formats;

    #[test]
    fn a_deleted_trace_meets_no_obligation() {
        let (formats, _) = Formats::able(&[]).expect("the bundled formats");
        let plan = &formats.plans()[0];
        assert!(!Meter::new(plan).measure(b"").is_empty());
        let folder = tempfile::tempdir().expect("a folder");
        let kept = |folders: &[&str]| {
            let classes = classes(folder.path(), plan, &[], folders, &Exclusions::default());
            let missed = classes.into_iter().flat_map(|of_class| of_class.missed);
            missed.filter(|missed| missed.kept.is_some()).count()
        };
        assert_eq!(kept(&["deleted"]), 0);
        let empty = folder.path().join("empty");
        fs::create_dir(&empty).expect("a folder");
        fs::write(empty.join(trace_name(plan)), b"").expect("written");
        assert_ne!(kept(&["empty"]), 0);
    }
}
