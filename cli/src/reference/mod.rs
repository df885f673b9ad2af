//! `tracegauge reference`: writes the reference pages that are derived from the code.

mod manual;
mod operators;
mod schema;
mod status;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tracegauge_corpus::writable;
use tracegauge_protocol::SCHEMA as PROTOCOL;
use tracegauge_results::json::SCHEMA as RESULT;
use tracegauge_spec::bundled::{self, BundledFormat};
use tracegauge_spec::load::Vocabulary;
use tracegauge_spec::page;

use super::Exit;

/// Write the reference pages about commands, exit statuses, protocol, results, language, rules and mutants
///
/// The pages are written in Markdown and are generated from the definitions in the program. Exit
/// status: 0 written; 2 the folder cannot be written to; 3 a page could not be written.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  tracegauge reference --out docs/reference")]
pub struct Args {
    /// Folder to write to
    #[arg(long, alias = "output", value_name = "DIR")]
    pub out: PathBuf,
}

/// A page, and its file name relative to the folder.
struct File {
    name: String,
    text: String,
}

/// Runs the command. `program` is the command-line definition of the whole program.
pub fn execute(args: &Args, program: clap::Command) -> Exit {
    if let Err(error) = writable::folder(&args.out) {
        return super::unwritable(&args.out, &error);
    }
    let pages = match pages(program) {
        Ok(pages) => pages,
        Err(refusal) => return super::incomplete(&refusal),
    };
    for page in pages {
        let path = args.out.join(page.name);
        if let Err(error) = write(&path, &page.text) {
            return super::incomplete(&format!("{}: {error}", super::named(&path)));
        }
    }
    Exit::Ok
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

fn pages(program: clap::Command) -> Result<Vec<File>, String> {
    let named = |name: &str, text: String| File {
        name: name.to_owned(),
        text,
    };
    let mut pages = vec![
        named("commands.md", manual::page(program)),
        named("exit-statuses.md", status::page()),
        named("protocol.md", schema::page(PROTOCOL, &PROTOCOL_PAGE)?),
        named("result.md", schema::page(RESULT, &RESULT_PAGE)?),
        named("language-keys.md", page::keys(&vocabulary())),
        named("mutation-operators.md", operators::page()),
    ];
    let formats = bundled::list();
    pages.push(named("rules.md", contents(formats)));
    for format in formats {
        pages.push(rules(format)?);
    }
    Ok(pages)
}

const PROTOCOL_PAGE: schema::Heading = schema::Heading {
    title: "Protocol messages",
    about: "This page lists the messages of [the reader protocol](../reader-protocol.md), such as \
            `{\"end\":\"accept\"}`, and their members. The list is generated from the JSON Schema \
            `harness/protocol/protocol.schema.json`.",
};

const RESULT_PAGE: schema::Heading = schema::Heading {
    title: "The result file",
    about: "`tracegauge run --json` writes the result of a run to a file, from which all \
            [reports](../reports.md) can be generated. For example, \
            `jq '.readers[].totals.failures' result.json` prints the number of failures of each \
            reader. This page is generated from the JSON Schema \
            `reports/results/schema/result.schema.json`.",
};

/// Returns all keys that the loader looked up in the bundled descriptions.
fn vocabulary() -> Vocabulary {
    let mut all = Vocabulary::default();
    for format in bundled::list() {
        all.extend(format.vocabulary());
    }
    all
}

/// Returns the index of the rule pages.
fn contents(formats: &[BundledFormat]) -> String {
    let mut page = page::Page::default();
    page.heading(1, "The rules of each format");
    page.paragraph(
        "A rule states a requirement of a format's specification, or a question that the \
         specification leaves open, in one sentence. Reports name the rule that each failure \
         concerns, and `tracegauge explain RULE --format ID` shows the cases of a rule.",
    );
    let points: Vec<String> = formats
        .iter()
        .map(|format| format!("[{}](rules/{}.md)", format.title, format.id))
        .collect();
    page.list(&points);
    page.finish()
}

fn rules(format: &BundledFormat) -> Result<File, String> {
    let schema = format.load().schema;
    let schema = schema.ok_or_else(|| format!("{} has mistakes", format.id))?;
    Ok(File {
        name: format!("rules/{}.md", format.id),
        text: page::rules(&schema),
    })
}
