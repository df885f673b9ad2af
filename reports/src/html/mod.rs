//! The report as a single HTML file that needs no network. The page shows a matrix of rules and
//! readers, with links to the details of each rule, each case and its bytes.
//!
//! The file contains the results as JSON. The JSON is escaped so that text from a reader or a trace
//! cannot end the element that contains it, and the script inserts this text only as text, never as
//! markup. Before the script runs, and where it cannot run, the page shows the causes of the
//! failures and a short table of the failing rules.

mod build;
mod causes;
mod data;
mod fixes;
mod plain;
mod texts;

use std::io::{self, Write};

use tracegauge_results::RunResult;

use crate::casebook::Casebook;

const PAGE: &str = include_str!("page.html");
const STYLE: &[&str] = &[
    include_str!("base.css"),
    include_str!("views.css"),
    include_str!("media.css"),
];
const SCRIPT: &[&str] = &[
    include_str!("model.js"),
    include_str!("dom.js"),
    include_str!("causes.js"),
    include_str!("fixes.js"),
    include_str!("matrix.js"),
    include_str!("bytes.js"),
    include_str!("pages.js"),
    include_str!("keys.js"),
    include_str!("main.js"),
];

/// Writes one page with all readers of `results` side by side.
///
/// If a result does not contain the details of a case, looks them up in `casebook`. If not all
/// details fit, the page contains some details for each rule and says that others are omitted.
///
/// # Errors
/// Returns an error if `out` cannot be written to.
pub fn render(
    results: &[RunResult],
    title: &str,
    casebook: &dyn Casebook,
    out: &mut dyn Write,
) -> io::Result<()> {
    let data = build::build(results, title, casebook);
    let json = serde_json::to_string(&data)?;
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        out.write_all(before.as_bytes())?;
        match name {
            "title" => out.write_all(markup(&data.title).as_bytes())?,
            "summary" => plain::write(results, out)?,
            "style" => STYLE
                .iter()
                .try_for_each(|part| out.write_all(part.as_bytes()))?,
            "script" => SCRIPT
                .iter()
                .try_for_each(|part| out.write_all(part.as_bytes()))?,
            _ => out.write_all(contained(&json).as_bytes())?,
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// Escapes text for use inside an element.
pub(crate) fn markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Escapes JSON for use inside a script element, so that it cannot begin a tag or a comment.
fn contained(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}
