//! Implements `tracegauge corpus score`.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_corpus::case::{Case, State};
use tracegauge_corpus::compressed::{Compression, Decompressed};
use tracegauge_corpus::diagnosis::{Reports, diagnose, write_diagnosis, write_total};
use tracegauge_corpus::formats::{Formats, Recognised, base};
use tracegauge_corpus::matrix::{self, load};
use tracegauge_corpus::mutation_score::{
    Fit, MutationScore, Oracle, Reasons, keep, mutation_score, redundant, search,
    write_mutation_score,
};
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::score::{Class, Departed, Exclusions, Known, Score, score, write_score};
use tracegauge_corpus::systematic::{traced, twins};
use tracegauge_plan::Plan;

use super::{CommandError, Exit, Scope};
use crate::input::RawArgs;

/// Measure the coverage of files or of the corpus
///
/// Coverage is the share of obligations that the files meet. An obligation is something that traces
/// must exercise, such as a rule or a boundary value, and is derived from the description. Coverage
/// depends only on the bytes of the files, not on any reader. If no files are given, the command
/// measures the cases in the corpus. Exit status: 0 measured, even if obligations are missed; 1 a
/// case meets an obligation that was excluded as infeasible, or an exclusion matches no obligation;
/// 2 usage error, or a file cannot be read; 3 the measurement could not be completed; 4 there is
/// nothing to measure.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge corpus score --format dial9-v1\n  tracegauge corpus score --mutants --format dial9-v1"
)]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Handling of compressed traces
    #[command(flatten)]
    pub compressed: RawArgs,
    /// Traces to measure, or `-` for standard input; their format is detected from the content
    /// unless --format is given
    #[arg(value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// Print the whole result as JSON
    #[arg(long)]
    pub json: bool,
    /// Maximum number of missed obligations to print for each class of obligations
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub misses: usize,
    /// Measure the mutation score instead: the share of mutants (copies of the decoder with one
    /// planted bug each) that the cases detect
    #[arg(long, conflicts_with = "files")]
    pub mutants: bool,
    /// Measure the quality of diagnosis instead: how often the causes that `run` reports, and the
    /// output of `explain`, identify bugs that were planted in a reader
    #[arg(long, conflicts_with_all = ["files", "json", "mutants", "search"])]
    pub diagnosis: bool,
    /// With --diagnosis: number of readers to try for each combination of a format and a number of
    /// planted bugs
    #[arg(long, value_name = "N", default_value_t = 4, requires = "diagnosis")]
    pub readers: usize,
    /// Generate N random traces, and look for violations that no case covers or, with --mutants,
    /// for mutants that some of these traces detect but no case does
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "files"])]
    pub search: Option<u64>,
    /// Save the seeds of the traces that the search finds, so that `corpus build` generates cases
    /// from them
    #[arg(long, requires = "search")]
    pub keep: bool,
    /// List redundant valid cases: if all of them were removed, the corpus would still meet the
    /// same obligations and detect the same mutants, including mutants that ignore a rule
    #[arg(long, alias = "idle", requires = "mutants", conflicts_with_all = ["json", "files"])]
    pub redundant: bool,
}

pub(super) fn execute(
    args: &Args,
    reports: &dyn Reports,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    if args.mutants {
        return strengths(args, reports.oracle(), out, messages);
    }
    if args.diagnosis {
        return diagnoses(args, reports, out, messages);
    }
    let store = args.scope.store();
    let scores = if args.files.is_empty() {
        let suite = args.scope.generated(messages)?;
        let mut scores = Vec::new();
        for plan in suite.formats.plans() {
            let of_plan = suite
                .cases
                .iter()
                .filter(|case| case.format == plan.format && case.state != State::Retired);
            let cases: Vec<&Case> = of_plan.collect();
            let files: Vec<&[u8]> = cases.iter().map(|case| &*case.bytes).collect();
            let exclusions = Exclusions::load(&store, &plan.format)?;
            let mut of_plan = score(plan, &files, &exclusions);
            of_plan.add_faults(&suite.ways, &exclusions);
            of_plan.departures = Some(Departed::of(&cases));
            scores.push(of_plan);
        }
        scores
    } else {
        let formats = args.scope.formats(messages)?;
        let mut scores = Vec::new();
        for (plan, files) in by_format(args, &formats, messages)? {
            let exclusions = Exclusions::load(&store, &plan.format)?;
            scores.push(score(&plan, &files, &exclusions));
        }
        scores
    };
    if args.json {
        let json = serde_json::to_string_pretty(&scores).map_err(std::io::Error::from)?;
        writeln!(out, "{json}")?;
    } else {
        for score in &scores {
            write_score(score, args.misses, out)?;
        }
    }
    if let Some(seeds) = args.search {
        let formats = args.scope.formats(messages)?;
        for score in &scores {
            let plan = formats
                .plans()
                .iter()
                .find(|plan| plan.format == score.format);
            if let Some(plan) = plan {
                seek_ways(args, plan, seeds, score, out)?;
            }
        }
    }
    let empty = |score: &Score| score.files == 0;
    let doubtful = |score: &Score| !score.contradicted.is_empty() || !score.unknown.is_empty();
    Ok(if scores.iter().all(empty) {
        Exit::Nothing
    } else if args.files.is_empty() && scores.iter().any(doubtful) {
        Exit::Finding
    } else {
        Exit::Ok
    })
}

/// Measures the mutation score of the cases of each format.
fn strengths(
    args: &Args,
    oracle: &dyn Oracle,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let store = args.scope.store();
    let suite = args.scope.suite(messages)?;
    let mut found = Vec::new();
    let mut fit = Fit::default();
    for plan in suite.formats.plans() {
        let of_plan = suite.cases.iter();
        let of_plan = of_plan.filter(|case| case.format == plan.format && case.state.runs());
        let cases: Vec<&Case> = of_plan.collect();
        let reasons = Reasons::load(&store, &plan.format)?;
        let exclusions = Exclusions::load(&store, &plan.format)?;
        let measured = mutation_score(plan, &cases, oracle, &reasons, &exclusions);
        fit.add(&reasons, &measured);
        if !args.json {
            write_mutation_score(&measured, args.misses, out)?;
            if let Some(seeds) = args.search {
                seek(args, plan, seeds, &measured, oracle, out)?;
            }
            if args.redundant {
                let candidates = traced(&store, plan)?;
                for case in redundant(plan, &cases, &candidates, oracle, &exclusions) {
                    writeln!(out, "  redundant: {case}")?;
                }
            }
            out.flush()?;
        }
        found.push(measured);
    }
    // The dialects of a format share a list of reasons why mutants are not detected, so an entry is
    // known to be unused only after all dialects have been measured.
    if !args.json && args.scope.is_everything() {
        fit.write(out)?;
    }
    if args.json {
        let json = serde_json::to_string_pretty(&found).map_err(std::io::Error::from)?;
        writeln!(out, "{json}")?;
    }
    let empty = |mutation_score: &MutationScore| mutation_score.cases == 0;
    Ok(if found.iter().all(empty) {
        Exit::Nothing
    } else {
        Exit::Ok
    })
}

/// Measures how well bugs can be identified with the cases of each format.
fn diagnoses(
    args: &Args,
    reports: &dyn Reports,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let store = args.scope.store();
    let formats = args.scope.formats(messages)?;
    let mut found = Vec::new();
    for plan in formats.plans() {
        let of_plan = formats.clone().filtered(|id| id == plan.format);
        let suite = args.scope.suite_of(of_plan, messages)?;
        let cases: Vec<&Case> = suite
            .cases
            .iter()
            .filter(|it| matrix::contains(it))
            .collect();
        let progress = messages.progress;
        let matrix = load(&store, plan)?;
        let matrix =
            matrix.unwrap_or_else(|| matrix::compute(plan, &cases, reports.oracle(), progress));
        let of_plan = (plan.as_ref(), &suite.formats);
        let measured = diagnose(of_plan, &cases, &matrix, reports, args.readers, progress);
        write_diagnosis(&measured, args.misses, out)?;
        out.flush()?;
        found.push(measured);
    }
    if found.len() > 1 {
        write_total(&found, out)?;
    }
    Ok(match found.iter().all(|it| it.spread.cases == 0) {
        true => Exit::Nothing,
        false => Exit::Ok,
    })
}

/// Searches for traces that allow rules to be violated in ways that no case covers.
fn seek_ways(
    args: &Args,
    plan: &Arc<Plan>,
    seeds: u64,
    score: &Score,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let faults = score.classes.iter().filter(|it| it.class == Class::Faults);
    let missed = faults.flat_map(|class| &class.misses);
    let missed = missed.map(|miss| miss.obligation.as_str());
    let left_out = score.excluded.iter();
    let left_out = left_out.filter(|one| one.known == Known::Written);
    let left_out = left_out.map(|one| one.obligation.as_str());
    let wanted: HashSet<&str> = missed.chain(left_out).collect();
    let found = twins::seek(plan, &wanted, seeds);
    for one in &found {
        writeln!(out, "  seed {} allows {}", one.seed, one.of)?;
    }
    if args.keep && !found.is_empty() {
        let all = twins::keep(&args.scope.store(), &plan.format, &found)?;
        writeln!(out, "  saved {all} seeds")?;
    }
    Ok(())
}

/// Searches for traces that detect mutants that no case detects.
fn seek(
    args: &Args,
    plan: &Arc<Plan>,
    seeds: u64,
    measured: &MutationScore,
    oracle: &dyn Oracle,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let names = measured.survivors().map(|fate| fate.mutant.as_str());
    let names: HashSet<&str> = names.collect();
    let found = search(plan, &names, seeds, oracle);
    for one in &found {
        writeln!(out, "  seed {} detects {}", one.seed, one.of)?;
    }
    if args.keep && !found.is_empty() {
        let all = keep(&args.scope.store(), &plan.format, &found)?;
        writeln!(out, "  saved {all} seeds")?;
    }
    Ok(())
}

type Files = (Arc<Plan>, Vec<Vec<u8>>);

/// Groups the files to be measured by format.
fn by_format(
    args: &Args,
    formats: &Formats,
    messages: &mut Messages<'_>,
) -> Result<Vec<Files>, CommandError> {
    let mut found: BTreeMap<String, Files> = BTreeMap::new();
    for path in &args.files {
        let bytes = trace(args, path, formats, messages)?;
        let named = args.scope.only(formats);
        let plan = named.or_else(|| formats.recognise(&bytes));
        let plan = plan.ok_or_else(|| CommandError::Unrecognised(path.clone()))?;
        if named.is_some() {
            foreign(path, &bytes, (plan, formats), messages)?;
        }
        found
            .entry(plan.format.clone())
            .or_insert_with(|| (Arc::clone(plan), Vec::new()))
            .1
            .push(bytes);
    }
    Ok(found.into_values().collect())
}

/// Reads all bytes of a trace and decompresses it unless `--raw` is given.
fn trace(
    args: &Args,
    path: &Path,
    formats: &Formats,
    messages: &mut Messages<'_>,
) -> Result<Vec<u8>, CommandError> {
    let bytes = super::add::read(path)?;
    let compression = match Compression::of(&bytes) {
        Some(found) if !args.compressed.raw && !formats.begin_with(&bytes) => found,
        _ => return Ok(bytes),
    };
    let mut trace = Vec::new();
    let read = Decompressed::new(compression, bytes, io::empty()).read_to_end(&mut trace);
    read.map_err(|error| CommandError::File(path.to_path_buf(), error))?;
    writeln!(
        messages,
        "note: decompressing {} ({compression})",
        path.display()
    )?;
    Ok(trace)
}

/// Prints a note if a trace does not look like a trace of the selected format. The trace is
/// measured anyway, because it may be a trace of that format with a wrong first byte.
fn foreign(
    path: &Path,
    bytes: &[u8],
    (plan, formats): (&Plan, &Formats),
    messages: &mut Messages<'_>,
) -> Result<(), CommandError> {
    if formats.recognise(bytes).is_some() {
        return Ok(());
    }
    let found = match Recognised::default().recognise(bytes) {
        Some(other) if base(&other.format) == base(&plan.format) => return Ok(()),
        Some(other) => format!("are those of {}", other.format),
        None => "match no known format".to_owned(),
    };
    writeln!(
        messages,
        "note: {} does not look like a trace of {}: its first bytes {found}; measuring it \
         anyway",
        path.display(),
        plan.format
    )?;
    Ok(())
}
