//! `tracegauge check`: reports every deviation of a trace from the specification, for authors of
//! writers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use tracegauge_decoder::{Findings, Note, Observer, StreamFindings, observe, observe_stream};
use tracegauge_plan::terms::{Level, ReaderDuty, RuleId};
use tracegauge_plan::{Arena, Plan, RulePlan};
use tracegauge_results::text::byte_range;

use super::format::FormatArgs;
use super::input::{self, Decoded, How, Opened};
use super::{Exit, OutputOptions, verdict};
use crate::input::RawArgs;

/// Report every deviation from the specification, including tolerated deviations
///
/// This command is for authors of programs that write traces. A deviation is anything that readers
/// must or may reject, or that readers must accept although the specification tells writers to
/// avoid it. Anything that the specification explicitly allows is not a deviation. The command also
/// reports features that are allowed but probably unintended, and marks them with `(unusual)`. Exit
/// status: 0 no deviations; 1 deviations; 2 usage error, or a file cannot be read; 3 the command
/// could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  tracegauge check trace.bin\n  tracegauge check --json *.bin")]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Whether compressed traces are decompressed
    #[command(flatten)]
    pub compressed: RawArgs,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Maximum number of locations to show for each rule
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub places: u64,
    /// Traces to check; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    input::each(&args.files, &args.format, |path| {
        one(args, output_options, path)
    })
}

fn one(args: &Args, output_options: OutputOptions, path: &Path) -> Exit {
    let how = How {
        format: &args.format,
        compressed: args.compressed,
        quiet: output_options.quiet,
    };
    let opened = match Opened::new(path, how) {
        Ok(opened) => opened,
        Err(error) => return error.say(path),
    };
    let plan = Arc::clone(&opened.plan);
    let mut departures = Departures {
        plan: &plan,
        path,
        args,
        counts: vec![0; plan.rules.len()].into(),
        known: 0,
        deep: BTreeMap::new(),
    };
    let mut bytes = opened.into_bytes();
    let observed = observe_stream(&plan, &mut bytes, StreamFindings::Notes, &mut departures);
    if let Some(error) = observed.failure {
        return super::unreadable(path, &error);
    }
    if let Some(violation) = observed.verdict.violation() {
        let (bytes, other) = input::other_reading(&plan, &observed.verdict, bytes);
        if let (Decoded::Whole(Some(whole)), Some((other, _))) = (&bytes, other) {
            departures.known = departures.counts.iter().sum();
            departures.deep.clear();
            observe(&other, whole, Findings::Notes, &mut departures);
            return departures.summary();
        }
        departures.show(&Departure {
            file: path.display().to_string(),
            rule: violation.rule.map_or("", |rule| &plan.rules[rule].id),
            level: violation.rule.map(|rule| level(&plan.rules[rule])),
            reader: "reject",
            habit: false,
            path: &violation.path,
            start: violation.span.start,
            end: violation.span.end,
            message: &violation.message,
            says: violation
                .rule
                .and_then(|rule| Some(plan.description.rule(rule)?.says.as_str())),
        });
        let trace = || bytes.whole().map(Cow::Owned);
        super::dialect::hint(&args.format, "check", &plan, path, &observed.verdict, trace)
            .inspect(|hint| crate::remark!("{hint}"));
        return Exit::Finding;
    }
    if observed.verdict.too_deep {
        crate::remark!(
            "note: {}: values that are nested too deeply were not checked",
            super::named(path)
        );
    }
    departures.summary()
}

/// The printed form of a deviation.
#[derive(Serialize)]
struct Departure<'a> {
    file: String,
    rule: &'a str,
    level: Option<&'static str>,
    reader: &'static str,
    habit: bool,
    path: &'a str,
    start: u64,
    end: u64,
    message: &'a str,
    says: Option<&'a str>,
}

/// Prints deviations as the decoder finds them.
struct Departures<'a> {
    plan: &'a Plan,
    path: &'a Path,
    args: &'a Args,
    counts: Arena<RuleId, u64>,
    /// The number of deviations to skip, because they were already reported when the same trace was
    /// decoded with another interpretation.
    known: u64,
    /// The last location where each rule about nesting was violated. The decoder reports such a
    /// violation again where it stops.
    deep: BTreeMap<RuleId, String>,
}

impl Departures<'_> {
    /// Returns whether the note repeats a violation of a rule about nesting, further inside the same
    /// value.
    fn is_repeated(&mut self, note: &Note) -> bool {
        let mut limits = self.plan.infos.iter().filter_map(|info| info.depth);
        if !limits.any(|(.., rule)| rule == Some(note.rule)) {
            return false;
        }
        let outer = self.deep.get(&note.rule);
        if outer.is_some_and(|outer| note.path.starts_with(outer.as_str())) {
            return true;
        }
        self.deep.insert(note.rule, note.path.clone());
        false
    }

    fn show(&mut self, departure: &Departure<'_>) {
        if self.args.json {
            if let Ok(line) = serde_json::to_string(departure) {
                super::say!("{line}");
            }
            return;
        }
        let rule = match (departure.rule, departure.habit) {
            ("", _) => String::new(),
            (rule, true) => format!("{rule} (unusual): "),
            (rule, false) => format!("{rule}: "),
        };
        let place = match departure.path {
            "" => Cow::Borrowed("the whole trace"),
            path => verdict::short_path(path),
        };
        super::say!(
            "{}: {}: {place}: {rule}{}",
            super::named(self.path),
            byte_range(departure.start, departure.end),
            departure.message
        );
        if let Some(says) = departure.says {
            super::say!("    {says}");
        }
    }

    /// Prints for each rule how many locations were not shown, and returns the exit status, which
    /// shows whether there were deviations.
    fn summary(&self) -> Exit {
        let mut found = false;
        for (rule, count) in self.plan.rules.iter().zip(&self.counts) {
            found |= *count > 0 && departs(rule);
            if *count > self.args.places && !self.args.json {
                let more = count - self.args.places;
                let places = match (more, self.args.places) {
                    (1, 0) => "1 location".to_owned(),
                    (_, 0) => format!("{more} locations"),
                    (1, _) => "1 more location".to_owned(),
                    _ => format!("{more} more locations"),
                };
                super::say!("{}: {}: {places}", super::named(self.path), rule.id);
            }
        }
        if found { Exit::Finding } else { Exit::Ok }
    }
}

impl Observer for Departures<'_> {
    fn wants(&self, rule: RuleId) -> bool {
        let rule = &self.plan.rules[rule];
        departs(rule) || rule.writer_habit
    }

    fn note(&mut self, note: Note) {
        let plan = self.plan;
        let rule = &plan.rules[note.rule];
        let departs = departs(rule);
        if self.is_repeated(&note) {
            return;
        }
        if self.known > 0 {
            self.known -= 1;
            return;
        }
        let count = &mut self.counts[note.rule];
        *count += 1;
        if *count > self.args.places {
            return;
        }
        let departure = Departure {
            file: self.path.display().to_string(),
            rule: &rule.id,
            level: Some(level(rule)),
            reader: if rule.duty == ReaderDuty::Either {
                "either"
            } else {
                "accept"
            },
            habit: !departs,
            path: &note.path,
            start: note.span.start,
            end: note.span.end,
            message: &note.message,
            says: plan
                .description
                .rule(note.rule)
                .map(|rule| rule.says.as_str()),
        };
        self.show(&departure);
    }
}

/// Returns whether a writer that breaks the rule deviates from the specification.
fn departs(rule: &RulePlan) -> bool {
    rule.writer_fault || rule.duty == ReaderDuty::Either || rule.level == Level::Should
}

fn level(rule: &RulePlan) -> &'static str {
    match rule.level {
        Level::Must => "must",
        Level::Should => "should",
        Level::May => "may",
        Level::States => "states",
        Level::Silent => "silent",
        Level::Contradicted => "contradicted",
    }
}
