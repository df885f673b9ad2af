//! `tracegauge generate`: generates traces from seeds.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use tracegauge_corpus::expected::examine;
use tracegauge_corpus::formats::other_formats;
use tracegauge_corpus::writable;
use tracegauge_decoder::decode_tree;
use tracegauge_decoder::record::write_record;
use tracegauge_generator::fault::{self, Malformed};
use tracegauge_generator::mutate::{dictionary, dictionary_text};
use tracegauge_generator::plain::{Allowed, field_name};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::{OpId, Plan};
use tracegauge_results::file::{Unfinished, replace};

use super::format::{self, FormatArgs};
use super::{Exit, OutputOptions, progress};

/// Generate traces with sidecar files that describe them, or a fuzzing dictionary
///
/// Each trace has a JSON sidecar file that describes the expected result of reading the trace; for
/// traces larger than 16 MiB, the sidecar omits the records. The same format, seed and version
/// produce the same bytes on every machine. Exit status: 0 written; 1 some traces could not be
/// generated; 2 usage error, or the folder cannot be written to; 3 files could not be written.
#[derive(Clone, Debug, clap::Args)]
#[command(
    mut_arg("format", |arg| arg.help(format::REQUIRED)),
    after_help = "Examples:\n  tracegauge generate --format FORMAT --seed 1 --count 100 --bytes 1000 --out traces\n  tracegauge generate --format FORMAT --seed 1 --malformed --rule RULE --out faults\n  tracegauge generate --format FORMAT --dictionary --out words"
)]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Seed of the first trace; each subsequent trace uses the next seed
    #[arg(long, value_name = "N", required_unless_present = "dictionary")]
    pub seed: Option<u64>,
    /// Number of traces to generate or, with --malformed, number of valid traces to derive
    /// malformed traces from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// Approximate size of each trace in bytes, at most 1 TB
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    pub bytes: u64,
    /// Generate malformed traces with one fault each, and the valid traces that they are derived
    /// from
    #[arg(long)]
    pub malformed: bool,
    /// Generate only malformed traces that violate this rule
    #[arg(long, value_name = "ID", requires = "malformed")]
    pub rule: Option<String>,
    /// Instead of traces, write a dictionary of the format's tokens for libFuzzer and AFL++
    #[arg(long, conflicts_with_all = ["seed", "count", "malformed"])]
    pub dictionary: bool,
    /// Generate plain traces: wherever the format leaves writers a choice, choose what typical
    /// writers do
    #[arg(long, conflicts_with_all = ["malformed", "dictionary"])]
    pub plain: bool,
    /// Name of a departure (an unusual feature) to allow in plain traces, as printed by `tracegauge
    /// departures`; may be repeated
    #[arg(long, value_name = "NAME", requires = "plain")]
    pub allow: Vec<String>,
    /// Folder to write to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// The maximum size of a trace in bytes: one terabyte, which is more than the free space on most
/// disks.
const MOST: u64 = 1_000_000_000_000;

/// The maximum size in bytes of a trace whose sidecar contains the records.
const SIDECAR_RECORDS: u64 = 16 << 20;

/// The minimum size in bytes of a trace whose generation is shown by a progress bar.
const LONG: u64 = 1 << 20;

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    let plan = match args.format.plan() {
        Ok(plan) => plan,
        Err(error) => return super::usage(&error.to_string()),
    };
    if let Some(wanted) = &args.rule
        && !plan.rules.iter().any(|rule| rule.id == *wanted)
    {
        return super::usage(&format!("{} has no rule {wanted}", plan.format));
    }
    let first = args.seed.unwrap_or_default();
    let Some(last) = first.checked_add(args.count - 1) else {
        return super::usage("--seed and --count require seeds above 2^64 - 1");
    };
    let made = writable::folder(&args.out).and_then(|()| fs::create_dir_all(&args.out));
    if let Err(error) = made {
        return super::unwritable(&args.out, &error);
    }
    if args.dictionary {
        return words(args, &plan);
    }
    let allowed = match allowed(args, &plan) {
        Ok(allowed) => allowed,
        Err(unknown) => {
            return super::usage(&format!(
                "{} has no rule or field {unknown}; `tracegauge departures` prints the names",
                plan.format
            ));
        }
    };
    let generator = Generator::new(Arc::clone(&plan));
    let mut exit = Exit::Ok;
    for seed in first..=last {
        let written = if args.malformed {
            faulty(args, &generator, seed)
        } else {
            valid(args, &generator, (seed, allowed.clone()), output_options)
        };
        exit = exit.worse(written);
    }
    exit
}

/// Writes the dictionary, `FORMAT.dict`.
fn words(args: &Args, plan: &Plan) -> Exit {
    let text = dictionary_text(&dictionary(plan));
    let path = args
        .out
        .join(format!("{}.dict", plan.format.replace('@', "-")));
    match put(&path, text.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(error) => super::incomplete(&format!("{}: {error}", super::named(&path))),
    }
}

fn options(args: &Args) -> Options {
    Options {
        fill: true,
        ..Options::about(args.bytes)
    }
}

/// Returns the departures that plain traces may have, or `None` if traces need not be plain.
fn allowed<'a>(args: &'a Args, plan: &Plan) -> Result<Option<Allowed>, &'a str> {
    if !args.plain {
        return Ok(None);
    }
    let mut allowed = Allowed::default();
    for name in &args.allow {
        // The path may be followed by a description of how the value is unusual.
        let path = name
            .split_once(": ")
            .map_or(name.as_str(), |(path, _)| path);
        let rule = plan.rule_named(name);
        let fields = (0..u32::MAX).map(OpId).take(plan.ops.len());
        let fields: Vec<OpId> = fields.filter(|op| field_name(plan, *op) == path).collect();
        if rule.is_none() && fields.is_empty() {
            return Err(name);
        }
        allowed.rules.extend(rule);
        allowed.fields.extend(fields);
    }
    Ok(Some(allowed))
}

fn valid(
    args: &Args,
    generator: &Generator,
    (seed, allowed): (u64, Option<Allowed>),
    output_options: OutputOptions,
) -> Exit {
    let plan = generator.plan();
    let path = args.out.join(format!(
        "{}-{seed}.{}",
        plan.format.replace('@', "-"),
        plan.file_extension()
    ));
    let shown = output_options.shows_progress() && args.bytes >= LONG;
    let written = Unfinished::beside(&path).map(|mut file| {
        let out = BufWriter::new(progress::bytes(args.bytes, shown).wrap_write(&mut file));
        let verdict = match allowed {
            Some(allowed) => generator.write_plain(seed, options(args), allowed, out),
            None => generator.write_seed(seed, options(args), out),
        };
        (verdict, file)
    });
    let (verdict, file) = match written {
        Ok((Ok(verdict), file)) => (verdict, file),
        Ok((Err(error), _)) => {
            crate::remark!("error: seed {seed}: {error}");
            return Exit::Finding;
        }
        Err(error) => return super::incomplete(&format!("{}: {error}", super::named(&path))),
    };
    let sidecar = if verdict.length <= SIDECAR_RECORDS {
        fs::read(file.path()).and_then(|bytes| {
            let what = json!({"format": plan.format, "seed": seed, "bytes": verdict.length});
            write_sidecar(plan, &path, what, &bytes)
        })
    } else {
        let what = json!({
            "format": plan.format, "seed": seed, "bytes": verdict.length, "verdict": "accept",
        });
        put(&beside(&path), format!("{what}\n").as_bytes())
    };
    match sidecar.and_then(|()| file.finish(&path)) {
        Ok(()) => Exit::Ok,
        Err(error) => super::incomplete(&format!("{}: {error}", super::named(&path))),
    }
}

/// Writes the valid trace that is generated from `seed`, and the malformed traces made from this
/// trace.
fn faulty(args: &Args, generator: &Generator, seed: u64) -> Exit {
    let plan = generator.plan();
    let twin = match generator.from_seed(seed, options(args)) {
        Ok(twin) => twin.bytes,
        Err(error) => {
            crate::remark!("error: seed {seed}: {error}");
            return Exit::Finding;
        }
    };
    let (_, tree) = decode_tree(plan, &twin);
    // The number of departures is used only to sort twins, and there is only one twin here.
    let only = fault::ValidTrace {
        bytes: twin.clone(),
        tree,
        departures: 0,
    };
    let made = fault::systematic(plan, (&[only], &[]), &other_formats(plan));
    let stem = format!("{}-{seed}", plan.format.replace('@', "-"));
    let twin_name = format!("{stem}-twin.{}", plan.file_extension());
    let twin_path = args.out.join(&twin_name);
    let what = json!({"format": plan.format, "seed": seed});
    let kept = write_sidecar(plan, &twin_path, what, &twin).and_then(|()| put(&twin_path, &twin));
    if let Err(error) = kept {
        return super::incomplete(&format!("{}: {error}", super::named(&twin_path)));
    }
    let wanted = |case: &Malformed| {
        let mut rules = case.rules().into_iter();
        let id = args.rule.as_ref();
        id.is_none_or(|id| rules.any(|rule| plan.rules[rule].id == *id))
    };
    let mut written = 0_u64;
    for (_, case) in &made.cases {
        let rules: Vec<&str> = case
            .rules()
            .into_iter()
            .map(|rule| plan.rules[rule].id.as_str())
            .collect();
        if !wanted(case) {
            continue;
        }
        let name = case
            .id
            .replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
        let path = args
            .out
            .join(format!("{stem}-{name}.{}", plan.file_extension()));
        let what = json!({
            "format": plan.format, "seed": seed, "case": case.id, "rules": rules,
            "operator": case.operator, "path": case.path(), "start": case.span.start,
            "end": case.span.end, "twin": twin_name,
        });
        let kept =
            write_sidecar(plan, &path, what, &case.bytes).and_then(|()| put(&path, &case.bytes));
        if let Err(error) = kept {
            return super::incomplete(&format!("{}: {error}", super::named(&path)));
        }
        written += 1;
    }
    let mut exit = Exit::Ok;
    for (_, refusal) in &made.refusals {
        if wanted(&refusal.malformed) {
            crate::remark!("error: seed {seed}: skipped: {}", refusal.shown(plan));
            exit = Exit::Finding;
        }
    }
    if written == 0 {
        crate::remark!(
            "error: seed {seed}: none of the requested faults is possible in this trace; try a \
             larger --bytes, or other seeds"
        );
        return Exit::Finding;
    }
    exit
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

/// Writes a file atomically, so that the file is either complete or absent.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |out| out.write_all(bytes)).map_err(|error| error.error)
}

/// Writes the sidecar, which describes the expected result of reading the trace.
fn write_sidecar(
    plan: &Plan,
    path: &Path,
    mut what: serde_json::Value,
    bytes: &[u8],
) -> io::Result<()> {
    let expected = examine(plan, bytes).expected;
    let verdict = match expected.verdict {
        tracegauge_corpus::case::ExpectedVerdict::Accept => "accept",
        tracegauge_corpus::case::ExpectedVerdict::Reject => "reject",
        tracegauge_corpus::case::ExpectedVerdict::Either => "either",
    };
    what["verdict"] = json!(verdict);
    what["open"] = json!(expected.open);
    if let Some(violation) = &expected.violation {
        what["violation"] = json!({
            "rules": violation.rules, "path": violation.path,
            "start": violation.start, "end": violation.end,
        });
    }
    let head = what.to_string();
    let fill = |file: &mut dyn Write| {
        write!(file, "{},\"records\":[", &head[..head.len() - 1])?;
        for (number, record) in expected.records.first().into_iter().flatten().enumerate() {
            let mut line = if number > 0 {
                b",\n".to_vec()
            } else {
                b"\n".to_vec()
            };
            write_record(record, &mut line);
            file.write_all(&line)?;
        }
        writeln!(file, "]}}")
    };
    replace(&beside(path), fill).map_err(|error| error.error)
}
