//! Implements `tracegauge corpus add`.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracegauge_corpus::case::{Case, ExpectedVerdict, Source};
use tracegauge_corpus::compressed::Compression;
use tracegauge_corpus::expected::{Examined, examine};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::place::without_indices;
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::repair;
use tracegauge_corpus::vector::{self, Named, case_text};
use tracegauge_decoder::judge;
use tracegauge_generator::Generator;
use tracegauge_generator::minimize::minimize;
use tracegauge_plan::Plan;
use tracegauge_plan::terms::RuleId;
use tracegauge_protocol::reader_file::parse_time;
use tracegauge_results::text::byte_range;

use super::{CommandError, Exit, Scope, may_be_kept};
use crate::input::KeepArgs;

/// Add a trace as a regression case
///
/// The reference decoder identifies the violated rule and the location of the fault. For a rejected
/// trace, the command finds or generates a *twin*: a valid trace that is as similar as possible.
/// The trace and its twin are stored in `corpus/regressions/FORMAT` as hex with a comment for each
/// field, and become part of the corpus. Exit status: 0 added; 1 the reference decoder disagrees
/// with the expectation; 2 usage error, or a file cannot be read or written.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge corpus add crash.dat --format FORMAT --expect reject --says 'The reader hung.'\n  tracegauge corpus add crash.dat --format FORMAT --expect reject:RULE --minimize"
)]
pub struct Args {
    /// The formats and the corpus
    #[command(flatten)]
    pub scope: Scope,
    /// Handling of a compressed trace
    #[command(flatten)]
    pub compressed: KeepArgs,
    /// The trace, or `-` for standard input; its format is detected from the content unless
    /// --format is given
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Required verdict: accept, reject or either; use reject:RULE to name the violated rule as
    /// well
    #[arg(long, value_name = "VERDICT[:RULE]", value_parser = expectation)]
    pub expect: Expectation,
    /// Part of the case's name after `FORMAT/regression/` [default: derived from the rule and the
    /// content]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// A sentence that describes the problem caused by the trace
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "This trace once broke a reader."
    )]
    pub says: String,
    /// A valid trace that matches the added trace except for the fault
    #[arg(long, value_name = "FILE")]
    pub twin: Option<PathBuf>,
    /// Minimize the trace first while preserving its fault; to preserve the behavior of a reader
    /// instead, use `tracegauge minimize`
    #[arg(long)]
    pub minimize: bool,
    /// Maximum time for minimizing, such as 90s or 10m
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = parse_time, requires = "minimize")]
    pub time: Duration,
}

/// The verdict, and optionally the rule, that the user expects for the added trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    verdict: Option<ExpectedVerdict>,
    rule: Option<String>,
}

fn expectation(text: &str) -> Result<Expectation, String> {
    let (word, rule) = match text.split_once(':') {
        Some((word, rule)) => (word, Some(rule.to_owned())),
        None => (text, None),
    };
    let verdict = match word {
        "accept" => ExpectedVerdict::Accept,
        "reject" => ExpectedVerdict::Reject,
        "either" => ExpectedVerdict::Either,
        _ => return Err("expected accept, reject, either or reject:RULE".to_owned()),
    };
    Ok(Expectation {
        verdict: Some(verdict),
        rule,
    })
}

fn name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !text.is_empty() && text.len() <= 100 && text.chars().all(plain) && !text.starts_with('.') {
        Ok(text.to_owned())
    } else {
        Err(
            "expected at most 100 letters, digits, `-`, `_` and `.`, not beginning with `.`"
                .to_owned(),
        )
    }
}

/// The maximum length in bytes of a stored trace. The hex digits of a longer trace would be
/// unreadable.
const LONGEST: usize = 64 * 1024;

pub(super) fn execute(
    args: &Args,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<Exit, CommandError> {
    let found = read(&args.file)?;
    let store = args.scope.store().keeping();
    may_be_kept(&store)?;
    let formats = args.scope.formats_in(&store, messages)?;
    decompressed_only(args, &args.file, &found, &formats)?;
    let plan = args.scope.only(&formats);
    let plan = plan.or_else(|| formats.recognise(&found));
    let plan = plan.ok_or_else(|| CommandError::Unrecognised(args.file.clone()))?;
    let plan = Arc::clone(plan);
    if let Some(rule) = &args.expect.rule
        && !plan.rules.iter().any(|known| known.id == *rule)
    {
        return Err(CommandError::NoSuchRule(plan.format.clone(), rule.clone()));
    }
    if let Some(said) = disagreement(&plan, &args.expect, &examine(&plan, &found)) {
        writeln!(messages, "error: {}: {said}", args.file.display())?;
        return Ok(Exit::Finding);
    }
    let bytes = if args.minimize {
        if judge(&plan, &found).violation().is_none() {
            return Err(CommandError::NoFault(args.file.clone()));
        }
        smallest(args, &plan, &found)
    } else {
        found
    };
    if bytes.len() > LONGEST {
        return Err(CommandError::TooLong(args.file.clone(), bytes.len()));
    }
    let examined = examine(&plan, &bytes);
    let suite = args
        .scope
        .suite_of(formats.clone().filtered(|id| id == plan.format), messages)?;
    if let Some(case) = suite.cases.iter().find(|case| *case.bytes == *bytes) {
        writeln!(out, "{} already has this trace", case.id)?;
        return Ok(Exit::Ok);
    }
    let twin = twin(args, (&plan, &formats), &bytes, &examined, &suite.cases)?;
    let name = args.name.clone();
    let name = name.unwrap_or_else(|| described(&examined, &bytes));
    let twin_name = format!("{name}-twin");
    let case = Named {
        id: &name,
        says: &args.says,
        bytes: &bytes,
    };
    let beside = twin.as_ref().map(|bytes| Named {
        id: &twin_name,
        says: "The same trace without the fault.",
        bytes,
    });
    let text = case_text(&plan, case, beside);
    let text = text.ok_or_else(|| CommandError::NoRule(args.file.clone()))?;
    keep(args, &plan, &name, &text, out)
}

/// Reads all bytes of a file, or of standard input if `path` is `-`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().lock().read_to_end(&mut bytes),
        _ => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map_err(|error| CommandError::File(path.to_path_buf(), error))?;
    Ok(bytes)
}

/// Returns an error for a compressed file unless `--raw` is given or `formats` contains a format
/// whose traces begin with these bytes. A case must consist of the decompressed bytes.
fn decompressed_only(
    args: &Args,
    path: &Path,
    bytes: &[u8],
    formats: &Formats,
) -> Result<(), CommandError> {
    match Compression::of(bytes) {
        Some(compression) if !args.compressed.raw && !formats.begin_with(bytes) => {
            Err(CommandError::Compressed(path.to_path_buf(), compression))
        }
        _ => Ok(()),
    }
}

/// Returns a message if the reference decoder disagrees with the expectation.
fn disagreement(plan: &Plan, expect: &Expectation, examined: &Examined) -> Option<String> {
    let decoded = &examined.expected;
    let violation = decoded.violation.as_ref();
    let disputed: Vec<String> = examined
        .verdict
        .disputed(plan)
        .map(|shown| plan.rules[shown.rule].id.clone())
        .collect();
    let rules = violation.map_or(&disputed, |violation| &violation.rules);
    let same = expect
        .verdict
        .is_none_or(|verdict| verdict == decoded.verdict);
    let exercised = violation.map_or(&examined.shown, |violation| &violation.rules);
    let names = expect.rule.as_ref();
    let names = names.is_none_or(|rule| exercised.contains(rule));
    if same && names {
        return None;
    }
    let does = match decoded.verdict {
        ExpectedVerdict::Accept => "must accept",
        ExpectedVerdict::Reject => "must reject",
        ExpectedVerdict::Either => "may accept or reject",
    };
    let mut said = match &expect.rule {
        Some(rule) if same && violation.is_some() => {
            format!("the trace does not violate {rule}: ")
        }
        Some(rule) if same => format!("the trace does not exercise {rule}: "),
        _ => String::new(),
    };
    said.push_str(&format!("a reader of {} {does} it", plan.format));
    if !rules.is_empty() {
        said.push_str(&format!(", because of {}", rules.join(" or ")));
    }
    if let Some(found) = violation {
        let bytes = byte_range(found.start, found.end);
        said.push_str(&format!(" at {} ({bytes})", found.path));
    }
    if let Some(found) = examined.verdict.violation() {
        said.push_str(&format!(": {}", found.message));
    }
    Some(said)
}

/// Minimizes the trace while preserving its fault: the verdict, the violated rule and the path of
/// the fault without indexes, and the tolerated rules that the trace triggers.
fn smallest(args: &Args, plan: &Arc<Plan>, bytes: &[u8]) -> Vec<u8> {
    let shown = |bytes: &[u8]| {
        let verdict = judge(plan, bytes);
        let violation = verdict.violation();
        let fault = violation.map(|found| (found.rule, without_indices(&found.path)));
        let mut tolerated: Vec<RuleId> = verdict.shown.iter().map(|shown| shown.rule).collect();
        tolerated.sort_unstable();
        (verdict.tolerable(), fault, tolerated)
    };
    let wanted = shown(bytes);
    let deadline = Instant::now() + args.time;
    let generator = Generator::new(Arc::clone(plan));
    let found = minimize(&generator, bytes, &mut |candidate| {
        (Instant::now() < deadline).then(|| shown(candidate) == wanted)
    });
    found.bytes
}

/// Returns the twin of a rejected trace: the valid trace that the user specified or, if there is
/// none, a similar valid trace.
fn twin(
    args: &Args,
    (plan, formats): (&Plan, &Formats),
    bytes: &[u8],
    examined: &Examined,
    cases: &[Case],
) -> Result<Option<Vec<u8>>, CommandError> {
    if let Some(path) = &args.twin {
        let twin = read(path)?;
        decompressed_only(args, path, &twin, formats)?;
        let verdict = examine(plan, &twin).expected.verdict;
        return match verdict {
            ExpectedVerdict::Accept => Ok(Some(twin)),
            _ => Err(CommandError::NoTwin(path.clone())),
        };
    }
    if examined.expected.verdict != ExpectedVerdict::Reject {
        return Ok(None);
    }
    let repaired = repair::repaired(plan, bytes);
    Ok(repaired.or_else(|| repair::nearest(cases, bytes).map(|case| case.bytes.to_vec())))
}

/// Returns a case name that consists of the case's first rule, or `accepted` if it has none, and a
/// hash of the trace.
fn described(examined: &Examined, bytes: &[u8]) -> String {
    let violation = examined.expected.violation.as_ref();
    let rules = violation.map_or(&examined.shown, |violation| &violation.rules);
    let about = rules.first().map_or("accepted", String::as_str);
    let hash = blake3::hash(bytes).to_hex();
    format!("{}-{}", about.to_ascii_lowercase(), &hash[..8])
}

/// Writes the file after checking that it can be read back as the intended case.
fn keep(
    args: &Args,
    plan: &Plan,
    name: &str,
    text: &str,
    out: &mut dyn Write,
) -> Result<Exit, CommandError> {
    let store = args.scope.store().keeping();
    let folder = vector::folder(Source::Regression, &plan.format);
    let path = format!("{folder}/{name}.yaml");
    let shown = store.shown(&path);
    if store.read(&path).map_err(CommandError::Store)?.is_some() {
        let error = std::io::ErrorKind::AlreadyExists.into();
        return Err(CommandError::File(PathBuf::from(shown), error));
    }
    let vectors = vector::parse(Source::Regression, &shown, text.as_bytes());
    let vectors = vectors.map_err(CommandError::Vector)?;
    let (cases, disagreements) = vector::check(plan, &vectors);
    if let Some(disagreement) = disagreements.into_iter().next() {
        return Err(CommandError::Disagreement(Box::new(disagreement)));
    }
    store
        .write(&path, text.as_bytes())
        .map_err(CommandError::Store)?;
    for case in &cases {
        writeln!(
            out,
            "{}: {}, {} bytes",
            case.id,
            case.expected.verdict,
            case.bytes.len()
        )?;
        if let Some(violation) = &case.expected.violation {
            let rules = violation.rules.join(" or ");
            let bytes = byte_range(violation.start, violation.end);
            writeln!(out, "  {rules} at {}, {bytes}", violation.path)?;
        }
    }
    writeln!(out, "saved to {shown}")?;
    Ok(Exit::Ok)
}

#[cfg(test)]
mod tests {
    use super::{expectation, name};

    #[test]
    fn names_are_safe_as_files() {
        for wrong in ["", "a/b", "..", ".a", "a b", "ü"] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
        assert!(name("loops-at_2.1").is_ok());
    }

    #[test]
    fn an_expectation_may_name_its_rule() {
        let found = expectation("reject:MAGIC").unwrap();
        assert_eq!(found.rule.as_deref(), Some("MAGIC"));
        assert!(expectation("crash").is_err() && expectation("").is_err());
    }
}
