//! Renders rules, grouped by section of the specification.

use super::constraint::anchor;
use super::markdown::Page;
use crate::schema::{Continuation, FaultClass, Level, ReaderDuty, Rule, Schema};

/// Renders all rules.
pub(super) fn all(page: &mut Page, schema: &Schema) {
    if schema.rules.is_empty() {
        return;
    }
    page.heading(2, "Rules");
    let mut sections: Vec<&str> = Vec::new();
    for rule in schema.rules.iter() {
        let section = first_section(rule);
        if !sections.contains(&section) {
            sections.push(section);
        }
    }
    for section in sections {
        page.heading(
            3,
            if section.is_empty() {
                "Anywhere"
            } else {
                section
            },
        );
        let rules = schema
            .rules
            .iter()
            .filter(|rule| first_section(rule) == section);
        let rows = rules.map(row).collect();
        page.table(&["rule", "level", "sentence", "a reader", "remarks"], rows);
    }
}

fn first_section(rule: &Rule) -> &str {
    rule.sections.first().map_or("", String::as_str)
}

fn row(rule: &Rule) -> Vec<String> {
    let name = format!("<a id=\"rule-{}\"></a>{}", anchor(&rule.id), rule.id);
    let mut remarks = Vec::new();
    if rule.sections.len() > 1 {
        remarks.push(format!("also in {}", rule.sections[1..].join(", ")));
    }
    remarks.extend(rule.because.clone());
    if rule.writer_fault {
        remarks.push("a writer error".to_owned());
    }
    if rule.writer_habit {
        remarks.push(
            "valid, but reported by `tracegauge check`, because writers rarely intend it"
                .to_owned(),
        );
    }
    if is_unusual(rule) && !rule.writer_fault {
        remarks.push("not exercised by typical traces".to_owned());
    }
    if !rule.frees.is_empty() {
        let freed = rule.frees.iter().map(|name| format!("`{name}`"));
        let freed = freed.collect::<Vec<_>>().join(", ");
        remarks.push(format!(
            "in a trace that exercises this rule, {freed} may have any value in the reader's records"
        ));
    }
    if rule.strict {
        remarks.push("judged only with `--strict`".to_owned());
    }
    vec![
        name,
        level(rule.level).to_owned(),
        rule.says.clone(),
        duty(rule),
        remarks.join("; "),
    ]
}

/// Returns whether readers may accept a trace that exercises the rule, although typical writers do
/// not produce such traces.
fn is_unusual(rule: &Rule) -> bool {
    let accepted = |duty: &ReaderDuty| matches!(duty, ReaderDuty::Accept | ReaderDuty::Either);
    let mut dialects = rule.reader.iter().filter(|(_, duty)| accepted(duty));
    let plain = dialects.clone().any(|(dialect, _)| rule.is_plain(dialect));
    dialects.next().is_some() && !plain
}

/// Returns the name of a rule's level.
pub(super) fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "must",
        Level::Should => "should",
        Level::May => "may",
        Level::States => "states",
        Level::Silent => "silent",
        Level::Contradicted => "contradicted",
    }
}

/// Describes what a reader must do with a trace that exercises or violates the rule. If the
/// required behavior differs between dialects, it is listed for each dialect.
pub(super) fn duty(rule: &Rule) -> String {
    let words = |duty: ReaderDuty| match duty {
        ReaderDuty::Reject => match rule.class {
            FaultClass::Malformed => "rejects",
            FaultClass::Incomplete => "rejects as incomplete",
            FaultClass::Unsupported => "rejects as unsupported",
        },
        ReaderDuty::Accept => "accepts",
        ReaderDuty::Either => "accepts or rejects",
        ReaderDuty::None => "cannot be tested with a file",
    };
    let single = rule.reader.len() == 1;
    let duties = rule
        .reader
        .iter()
        .map(|(dialect, duty)| match (dialect.as_str(), single) {
            ("", true) => words(*duty).to_owned(),
            ("", false) => format!("{} in all others", words(*duty)),
            (dialect, _) => format!("{} in `{dialect}`", words(*duty)),
        });
    let mut text = duties.collect::<Vec<_>>().join(", ");
    if !rule.continues.is_empty() {
        let ways: Vec<_> = rule
            .continues
            .iter()
            .map(|way| continuation(*way))
            .collect();
        text = format!("{text}; continues with {}", ways.join(" or "));
    }
    text
}

fn continuation(way: Continuation) -> &'static str {
    match way {
        Continuation::Keep => "the value as read",
        Continuation::Skip => "the data after the sized part",
        Continuation::Absent => "no value",
        Continuation::Replace => "the new row or value",
        Continuation::Stop => "nothing: earlier contents remain",
        Continuation::Open => "anything: later records are not compared",
        Continuation::Text => "text",
        Continuation::Empty => "an empty value",
        Continuation::Whole => "the complete elements",
    }
}

/// Lists the sentences of the specification that no file can test.
pub(super) fn untestable(page: &mut Page, schema: &Schema) {
    if schema.untestable.is_empty() {
        return;
    }
    page.heading(2, "Sentences of the specification that no file can test");
    let rows = schema.untestable.iter();
    let rows = rows.map(|one| vec![one.section.clone(), one.says.clone(), one.why.clone()]);
    page.table(&["section", "sentence", "why"], rows.collect());
}
