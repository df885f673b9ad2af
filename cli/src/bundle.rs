//! Loads the corpus and the bundled readers for `tracegauge run`.

use std::path::{Path, PathBuf};

use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::huge::{LIMITS, huge_cases};
use tracegauge_corpus::parallel;
use tracegauge_corpus::pattern::Pattern;
use tracegauge_corpus::progress::Progress;
use tracegauge_corpus::suite::Suite;
use tracegauge_harness::runner::rule_info;
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_results::RuleInfo;
use tracegauge_spec::bundled::{self, BundledFormat};

use super::progress::Bar;
use super::{Exit, run, state};

/// Maximum number of problems with generated cases that are printed before a run.
const PROBLEMS: usize = 5;

/// Runs readers against the corpus.
pub fn run(args: &run::Args) -> Exit {
    super::signals::exit_on_signals();
    // Report unwritable outputs now, because the run can take minutes.
    if let Err(error) = args.outputs.check() {
        return super::usage(&error.to_string());
    }
    let own = match &args.spec {
        // If the description has mistakes, `Suite::of_file` below reports them.
        Some(path) => Formats::from_file(path).ok(),
        None => Some(Formats::default()),
    };
    let known = own.as_ref().map(known_formats);
    let named = match run::named_readers(args, known.as_deref()) {
        Ok(readers) => readers,
        Err(refusal) => return super::usage(&refusal.to_string()),
    };
    // Generating the cases takes a long time and is pointless if the command cannot be started.
    if let ([reader], false) = (named.as_slice(), args.command.is_empty())
        && let Err(error) = reader.find_program()
    {
        return super::incomplete(&error.to_string());
    }
    if args.require_containment
        && let Err(why) = run::require_containment()
    {
        return super::incomplete(&why);
    }
    // Do not generate cases that none of the readers reads.
    let wanted = |format: &str| named.is_empty() || named.iter().any(|r| r.reads(format));
    // Generating the cases takes a long time and is pointless if the filters match none of them.
    if args.spec.is_none() && !args.filters.is_empty() && !args.huge {
        let filters: Vec<Pattern> = args.filters.iter().map(Pattern::new).collect();
        let is_meant = |name: &str| filters.iter().any(|filter| filter.finds(name));
        match Suite::may_have(&args.formats, wanted, is_meant) {
            Ok(true) => {}
            Ok(false) => {
                run::tell_nothing_named(args);
                return Exit::Nothing;
            }
            Err(error) => return super::usage(&error.to_string()),
        }
    }
    let bar = Bar::telling(args.output_options);
    let loaded = match &args.spec {
        Some(path) => Suite::of_file(path, &args.formats, &state::quick_search(), &bar),
        None => Suite::load(&args.formats, wanted, &bar),
    };
    let mut suite = match loaded {
        Ok(suite) => suite,
        Err(error) => return super::usage(&error.to_string()),
    };
    // A description under development may have faults that cannot be planted in any trace. For
    // bundled descriptions, this is an error.
    let severity = if args.spec.is_some() { "note" } else { "error" };
    let shown = if args.verbose { usize::MAX } else { PROBLEMS };
    for problem in suite.problems.iter().take(shown) {
        crate::remark!("{severity}: {problem}");
    }
    let left = suite.problems.len().saturating_sub(shown);
    if left > 0 {
        crate::remark!("{severity}: … and {left} more; -v lists them all");
    }
    if args.spec.is_some() {
        for kind in suite.kinds_without_case() {
            crate::remark!(
                "note: {}: no case has a record of the kind `{}`, because no trace with such a record \
                 could be generated",
                kind.format,
                kind.name
            );
        }
    }
    for left_out in &suite.left_out {
        crate::remark!("note: {left_out}");
    }
    if args.spec.is_none() && !suite.problems.is_empty() {
        return super::incomplete("the corpus has errors, so nothing was run");
    }
    if args.huge {
        add_huge(&mut suite, &bar);
    }
    let rules: Vec<RuleInfo> = suite.rules.iter().map(rule_info).collect();
    let readers = if named.is_empty() {
        match readers(args.spec.as_deref(), &suite.formats) {
            Ok(bundled) => bundled,
            Err(error) => return super::incomplete(&error),
        }
    } else {
        named
    };
    run::execute(args, suite.cases, &rules, &suite.formats, readers)
}

/// Adds the huge cases of all formats, and prints a note for each format that has none.
fn add_huge(suite: &mut Suite, progress: &dyn Progress) {
    let plans = suite.formats.plans();
    progress.begin("creating huge traces", plans.len() as u64);
    let made = parallel::map(plans, |plan| {
        let made = huge_cases(plan, &suite.cases, &LIMITS);
        progress.step();
        (plan, made)
    });
    progress.end();
    let mut cases = Vec::new();
    for (plan, made) in made {
        let format = &plan.format;
        match made {
            Ok(made) if made.is_empty() => crate::remark!(
                "note: {format} has no huge traces, because no element was found that can be \
                 repeated without large records"
            ),
            Ok(made) => cases.extend(made),
            Err(error) => {
                crate::remark!("note: {format} has no huge traces: {error}");
            }
        }
    }
    suite.cases.extend(cases);
    suite.cases.sort_by(|one, two| one.id.cmp(&two.id));
}

/// Returns the formats that a reader file may name: the bundled ones, and those of the user's `own`
/// description.
fn known_formats(own: &Formats) -> Vec<&str> {
    let bundled = bundled::list().iter();
    let mut known: Vec<&str> = bundled.flat_map(BundledFormat::ids).collect();
    known.extend(own.plans().iter().map(|plan| plan.format.as_str()));
    known
}

/// Returns the folder of the bundled readers: the `readers` folder in the working directory or in
/// its nearest parent that contains one, or else in the checkout that this program was built from.
fn folder() -> Option<PathBuf> {
    let here = std::env::current_dir().ok();
    let above = here.iter().flat_map(|here| here.ancestors());
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    above
        .chain(built)
        .map(|folder| folder.join("readers"))
        .find(|folder| folder.join("README.md").is_file())
}

/// Returns the reference decoder, followed by the bundled readers in the order of their folders. If
/// `spec` is given, only the bundled readers that support its formats are included.
fn readers(spec: Option<&str>, formats: &Formats) -> Result<Vec<ReaderFile>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut readers = vec![reference(&program, spec, formats)?];
    let Some(folder) = folder() else {
        return Ok(readers);
    };
    let mut files = reader_files(&folder).map_err(|error| error.to_string())?;
    files.sort();
    for file in files {
        let reader = ReaderFile::load(&file).map_err(|error| error.to_string())?;
        let mut plans = formats.plans().iter();
        if spec.is_none() || plans.any(|plan| reader.reads(&plan.format)) {
            readers.push(reader);
        }
    }
    Ok(readers)
}

/// Finds the reader files in the subfolders of `folder` and one level deeper, because a subfolder
/// may group several readers.
fn reader_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in folders(folder)? {
        let inner = folders(&entry)?.into_iter();
        files.extend(
            std::iter::once(entry)
                .chain(inner)
                .map(|folder| folder.join("reader.yaml"))
                .filter(|file| file.is_file()),
        );
    }
    Ok(files)
}

/// Returns the immediate subfolders of `folder`.
fn folders(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    Ok(std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect())
}

/// Returns a reader file that runs the reference decoder on all formats.
fn reference(program: &Path, spec: Option<&str>, formats: &Formats) -> Result<ReaderFile, String> {
    let ids: Vec<&str> = match spec {
        Some(_) => {
            let plans = formats.plans().iter();
            plans.map(|plan| plan.format.as_str()).collect()
        }
        None => bundled::list()
            .iter()
            .flat_map(BundledFormat::ids)
            .collect(),
    };
    decoder(program, spec, &ids)
}

/// Returns a reader file that runs the reference decoder on the formats `ids`. If these formats are
/// not bundled, `spec` is their description file.
pub(super) fn decoder(
    program: &Path,
    spec: Option<&str>,
    ids: &[&str],
) -> Result<ReaderFile, String> {
    let mut command = vec![&*program.to_string_lossy(), "reader", "serve"]
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    if let Some(path) = spec {
        // The path must be absolute, because the reader runs in its own folder.
        let path = std::path::absolute(path).map_err(|error| error.to_string())?;
        command.extend(["--spec".to_owned(), path.to_string_lossy().into_owned()]);
    }
    let text = format!(
        "name: reference decoder\nversion: {version}\ncommand: {command}\nmode: serve\nformats: {formats}\nreports: records\n",
        version = env!("CARGO_PKG_VERSION"),
        command = serde_json::to_string(&command).map_err(|error| error.to_string())?,
        formats = serde_json::to_string(ids).map_err(|error| error.to_string())?,
    );
    let name = Path::new("reference.yaml");
    ReaderFile::parse(&text, name, Path::new(".")).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn readers_are_found_alone_and_gathered() {
        let folder = tempfile::tempdir().unwrap();
        let named = ["alone", "gathered/one", "gathered/two"];
        for name in named {
            let reader = folder.path().join(name);
            fs::create_dir_all(&reader).unwrap();
            fs::write(reader.join("reader.yaml"), "").unwrap();
        }
        let mut files = reader_files(folder.path()).unwrap();
        files.sort();
        let wanted = named.map(|name| folder.path().join(name).join("reader.yaml"));
        assert_eq!(files, wanted);
    }
}
