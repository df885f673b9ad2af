//! Renders the open questions of a specification. Each question is about a missing or contradictory
//! sentence, and is shown with the decision made in the description, the behavior of readers, and a
//! proposed wording.

use super::markdown::Page;
use super::rule::{duty, level};
use crate::schema::{Level, Rule, Schema};

/// The behavior of a reader on the files that exercise a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conduct {
    /// The name of the reader.
    pub reader: String,
    /// A summary of the reader's behavior, for example `accepts 3, rejects 1`.
    pub does: String,
}

/// Returns the page with the open questions of a format. `conduct` returns the behavior of readers
/// on the files that exercise a rule, given the id of the rule.
pub fn ledger(schema: &Schema, conduct: &dyn Fn(&str) -> Vec<Conduct>) -> String {
    let mut page = Page::default();
    let title = schema.meta.title.as_deref().unwrap_or(&schema.meta.id);
    page.heading(1, &format!("Open questions of {title}"));
    let open: Vec<_> = schema.rules.iter().filter(|rule| is_open(rule)).collect();
    let contradicted = open
        .iter()
        .filter(|rule| rule.level == Level::Contradicted)
        .count();
    page.paragraph(&format!(
        "Number of questions that {} leaves open: {}. The specification is silent on {} of them; \
         on {}, it contradicts itself or is contradicted by every known file. Each question is \
         listed with the decision made in the description and with wording that would settle it.",
        schema
            .meta
            .document
            .as_ref()
            .map_or_else(|| "the specification".to_owned(), |d| format!("“{d}”")),
        open.len(),
        open.len() - contradicted,
        contradicted,
    ));
    let first = open.iter().filter(|rule| rule.level == Level::Contradicted);
    for rule in first.chain(open.iter().filter(|rule| rule.level == Level::Silent)) {
        question(&mut page, rule, conduct);
    }
    page.finish()
}

fn is_open(rule: &Rule) -> bool {
    matches!(rule.level, Level::Silent | Level::Contradicted)
}

fn question(page: &mut Page, rule: &Rule, conduct: &dyn Fn(&str) -> Vec<Conduct>) {
    page.heading(2, &rule.id);
    let place = match rule.sections.as_slice() {
        [] => "no section".to_owned(),
        sections => format!("“{}”", sections.join("”, “")),
    };
    let mut points = vec![format!("**Document** ({place}): {}", stands(rule))];
    points.push(format!(
        "**Decision**: {} A reader {}.",
        rule.says,
        duty(rule)
    ));
    if let Some(because) = &rule.because {
        points.push(format!("**No file can exercise the rule**: {because}"));
    }
    let readers = conduct(&rule.id);
    if !readers.is_empty() {
        let each = readers
            .iter()
            .map(|one| format!("{} {}", one.reader, one.does));
        points.push(format!(
            "**Readers**: {}.",
            each.collect::<Vec<_>>().join("; ")
        ));
    }
    let wording = rule.wording.as_deref().unwrap_or(&rule.says);
    points.push(format!("**Proposed wording**: “{wording}”"));
    page.list(&points);
}

/// Describes the gap or the contradiction in the specification.
fn stands(rule: &Rule) -> String {
    match &rule.open {
        Some(open) => open.clone(),
        None => match rule.level {
            Level::Silent => "says nothing about this.".to_owned(),
            other => format!("{}.", level(other)),
        },
    }
}
