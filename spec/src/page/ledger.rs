//! The open questions of a format document: what it leaves unsaid or says twice, what the
//! description decides, what readers do, and a wording that would settle it.

use super::markdown::Page;
use super::rule::{duty, level};
use crate::schema::{Level, Rule, Schema};

/// What one reader does with the files that show a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conduct {
    /// The reader.
    pub reader: String,
    /// What it does, `accepts 3, rejects 1` say.
    pub does: String,
}

/// The ledger of a format. `conduct` says what readers do with files that show a rule.
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
        "{} sentences of {} leave something open: on {} it is silent, and {} it contradicts \
         itself or every known file does. Each is here with what the description decides and \
         with a sentence that would settle it.",
        open.len(),
        schema
            .meta
            .document
            .as_ref()
            .map_or_else(|| "the document".to_owned(), |d| format!("“{d}”")),
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
        "**Decided**: {} A reader {}.",
        rule.says,
        duty(rule)
    ));
    if let Some(because) = &rule.because {
        points.push(format!("**No file shows it**: {because}"));
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
    points.push(format!("**Would settle it**: “{wording}”"));
    page.list(&points);
}

/// What the document says in place of the rule.
fn stands(rule: &Rule) -> String {
    match &rule.open {
        Some(open) => open.clone(),
        None => match rule.level {
            Level::Silent => "does not say.".to_owned(),
            other => format!("{}.", level(other)),
        },
    }
}
