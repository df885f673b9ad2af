//! The Markdown report for a pull request or a CI job summary: a table of readers and outcomes, and
//! the first failures with their bytes. The size of the report is limited to the maximum size of a
//! GitHub comment.

use std::io::{self, Write};

use tracegauge_results::text::{counted, shortened, visible};
use tracegauge_results::{CaseResult, Outcome, ReaderResult, ReaderState, RunResult};

use crate::account::account;
use crate::causes::{self, Told};
use crate::columns::{Column, columns};
use crate::headline::{Headline, correct_members, known_failures, percent, proven};
use crate::spread::spread;

/// The maximum size in bytes. GitHub limits a comment to 65,536 characters.
const ROOM: usize = 60_000;
/// The maximum number of failures to show for one reader.
const FAILURES: usize = 10;
/// The maximum number of causes to show for one reader.
const CAUSES: usize = 10;
/// The maximum number of characters in a line.
const WIDTH: usize = 400;

/// Writes `results` to `out` as Markdown of at most 60,000 bytes, with all readers in one table.
///
/// # Errors
/// Returns an error if `out` cannot be written to.
pub fn render(results: &[RunResult], out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page {
        text: String::new(),
        left_out: 0,
    };
    let columns = columns(results);
    page.table(&columns);
    for column in &columns {
        page.reader(column);
    }
    page.end(results);
    out.write_all(page.text.as_bytes())
}

struct Page {
    text: String,
    left_out: usize,
}

impl Page {
    /// Adds `part` if it fits while leaving some space for the closing remarks.
    fn add(&mut self, part: &str) -> bool {
        let fits = self.text.len() + part.len() < ROOM - 500;
        if fits {
            self.text.push_str(part);
        } else {
            self.left_out += 1;
        }
        fits
    }

    fn table(&mut self, columns: &[Column<'_>]) {
        let shown: Vec<Outcome> = Outcome::ALL
            .into_iter()
            .filter(|outcome| {
                let count = |reader: &ReaderResult| reader.totals.count(*outcome);
                *outcome == Outcome::Pass || columns.iter().any(|column| count(column.reader) > 0)
            })
            .collect();
        let mut head = String::from("| reader | | cases |");
        let mut rule = String::from("| --- | --- | ---: |");
        for outcome in &shown {
            head.push_str(&format!(" {outcome} |"));
            rule.push_str(" ---: |");
        }
        self.add(&format!(
            "### tracegauge\n\n{head} known | proven | reported members |\n{rule} ---: | ---: | ---: |\n"
        ));
        for column in columns {
            self.add(&row(column, &shown));
        }
    }

    fn reader(&mut self, column: &Column<'_>) {
        let reader = column.reader;
        let name = plain(&column.name);
        let mut remarks = Vec::new();
        if let ReaderState::Skipped(why) | ReaderState::Failed(why) = &reader.state {
            remarks.push(why.clone());
        }
        remarks.extend(
            reader
                .tail
                .not_run
                .why
                .iter()
                .map(|why| format!("not run: {why}")),
        );
        let crashes = reader.tail.crashes.iter();
        remarks.extend(crashes.map(|crash| format!("crash that no case alone causes: {crash}")));
        let unrepeatable = reader.tail.not_repeatable();
        remarks.extend(unrepeatable.into_iter().take(FAILURES));
        if reader.tail.unexplained > 0 {
            remarks.push(known_failures(reader.totals.known, reader.tail.unexplained));
        }
        let problems = &reader.tail.baseline_problems;
        let shown = problems.iter().take(FAILURES);
        remarks.extend(shown.map(|problem| format!("baseline: {problem}")));
        if problems.len() > FAILURES {
            let more = problems.len() - FAILURES;
            remarks.push(format!("baseline: and {more} more"));
        }
        remarks.extend(reader.tail.notes.iter().map(|note| format!("note: {note}")));
        let failing = reader.cases.iter().filter(|case| case.fails_the_run());
        let failing = spread(&reader.causes, failing);
        if failing.is_empty() && remarks.is_empty() {
            return;
        }
        self.add(&format!("\n#### {name}\n\n"));
        for remark in remarks {
            self.add(&format!("- {}\n", plain(&shortened(&remark, WIDTH))));
        }
        self.causes(column);
        let mut shown = 0;
        for case in failing.iter().take(FAILURES) {
            shown += usize::from(self.add(&failure(column.result, case)));
        }
        if failing.len() > shown {
            self.add(&format!("\nand {} more\n", failing.len() - shown));
        }
    }

    /// Adds a table of the causes. The table comes before the individual failures, because one
    /// cause often explains many of them.
    fn causes(&mut self, column: &Column<'_>) {
        let told = Told::all(&column.result.run, column.reader);
        if told.is_empty() {
            return;
        }
        let levels = causes::levels(column.reader).to_string();
        let mut table = String::from(
            "\n| | probable cause | cases | reason | simplest case |\n\
             | ---: | --- | --- | --- | --- |\n",
        );
        for (number, cause) in (1..).zip(told.iter().take(CAUSES)) {
            table.push_str(&cause_row(number, cause));
        }
        if told.len() > CAUSES {
            let more = counted(told.len() - CAUSES, "more cause");
            table.push_str(&format!("\nand {more}\n"));
        }
        table.push_str(&format!("\n{levels}\n"));
        self.add(&table);
    }

    fn end(&mut self, results: &[RunResult]) {
        if self.left_out > 0 {
            self.text.push_str(
                "\nSome results are omitted to keep the summary short; the reports that `--html` \
                 and `--json` write contain all of them.\n",
            );
        }
        let mut versions: Vec<&str> = Vec::new();
        for result in results {
            let version = result.run.tool_version.as_str();
            if !versions.contains(&version) {
                versions.push(version);
            }
        }
        let versions = plain(&versions.join(", "));
        self.text
            .push_str(&format!("\n<sub>tracegauge {versions}</sub>\n"));
    }
}

fn row(column: &Column<'_>, shown: &[Outcome]) -> String {
    let reader = column.reader;
    let headline = Headline::of(reader);
    let name = match &reader.reader.version {
        Some(version) if !column.name.ends_with(version.as_str()) => {
            plain(format!("{} {version}", column.name).trim())
        }
        _ => plain(&column.name),
    };
    let mark = headline.tone().mark();
    let totals = &reader.totals;
    let mut row = format!("| **{name}** | {mark} {headline} | {} |", totals.planned);
    let number = |count: usize| match count {
        0 => String::new(),
        count => count.to_string(),
    };
    for outcome in shown {
        row.push_str(&format!(" {} |", number(totals.count(*outcome))));
    }
    row.push_str(&format!(
        " {} | {} | {} |\n",
        number(totals.known),
        proven(totals).map_or_else(String::new, percent),
        correct_members(&reader.tail.observed).unwrap_or_default(),
    ));
    row
}

fn cause_row(number: usize, cause: &Told<'_>) -> String {
    let shown = |text: &str| plain(&shortened(text, WIDTH));
    let reasons = cause.reasons.iter().enumerate().map(|(index, reason)| {
        let label = if index == 0 { cause.confidence } else { "or" };
        match reason.rule {
            Some(rule) => format!("{label} **{}** {}", shown(&rule.id), shown(&rule.says)),
            None => format!("{label} **{}**", shown(reason.name)),
        }
    });
    let unclear = cause
        .reasons
        .is_empty()
        .then(|| cause.confidence.to_owned());
    let operators = cause.operators.iter();
    let operators = operators.map(|it| format!("(only for these violations: {})", shown(it)));
    let like = cause.like.iter().map(|it| shown(it));
    let reasons: Vec<String> = unclear
        .into_iter()
        .chain(reasons)
        .chain(operators)
        .chain(like)
        .collect();
    let departures = match &cause.departures {
        Some(names) => format!(
            " (the trace differs from typical traces in: {})",
            shown(names)
        ),
        None => String::new(),
    };
    format!(
        "| {number} | {} | {} | {} | <code>{}</code>{departures} |\n",
        shown(&cause.title),
        cause.cases,
        reasons.join("<br>"),
        plain(&cause.simplest)
    )
}

fn failure(result: &RunResult, case: &CaseResult) -> String {
    let mut block = String::new();
    for line in account(&result.run.rules, case) {
        let text = shortened(&line.text, WIDTH);
        block.push_str(format!("{:10} {text}", line.label).trim_end());
        block.push('\n');
    }
    // Text from a reader cannot close a fence that is longer than any run of backquotes in the
    // text.
    let fence = "`".repeat(longest_run(&block) + 3);
    format!(
        "\n<details><summary>{}: <code>{}</code></summary>\n\n{fence}text\n{block}{fence}\n\n</details>\n",
        case.outcome,
        plain(&case.case)
    )
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default()
}

/// Escapes text so that it has no effect in Markdown or HTML, and so that `@name` does not notify a
/// GitHub user.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&'
            | '@' | '!' => escaped.push_str(&format!("&#{};", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}
