//! The report as one HTML file that needs no network: a matrix of rules and readers, and
//! behind it each rule, each case and its bytes.
//!
//! The results stand in the file as JSON, in which nothing of a reader or a trace can end
//! the element that holds it; the script makes text of it, never markup.

mod build;
mod data;
mod fixes;
mod texts;

use std::io::{self, Write};

use crate::casebook::Casebook;
use crate::headline::Headline;
use crate::model::RunResult;

const PAGE: &str = include_str!("page.html");
const STYLE: &[&str] = &[
    include_str!("base.css"),
    include_str!("views.css"),
    include_str!("media.css"),
];
const SCRIPT: &[&str] = &[
    include_str!("model.js"),
    include_str!("dom.js"),
    include_str!("fixes.js"),
    include_str!("matrix.js"),
    include_str!("bytes.js"),
    include_str!("pages.js"),
    include_str!("keys.js"),
    include_str!("main.js"),
];

/// Writes one page with all readers of `results` side by side.
///
/// Details that a result does not hold are looked up in `casebook`. Where there is not room
/// for all details, the page holds some of each rule and says so.
///
/// # Errors
/// `out` cannot be written to.
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
            "summary" => summary(results, out)?,
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

/// What is seen without a script.
fn summary(results: &[RunResult], out: &mut dyn Write) -> io::Result<()> {
    for reader in results.iter().flat_map(|result| &result.readers) {
        let headline = Headline::of(reader);
        let name = crate::text::visible(&reader.reader.name);
        let mark = headline.tone().mark();
        writeln!(out, "<li>{mark} {}: {headline}</li>", markup(&name))?;
    }
    Ok(())
}

/// Text inside an element.
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

/// JSON inside a script element: no character of it can begin a tag or a comment.
fn contained(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}
