//! Renders the reference page of the commands from the same definitions as `--help`.

use clap::{Arg, Command};
use tracegauge_spec::page::Page;

use crate::memory;

/// Returns the page with all commands, their options and their examples.
pub(super) fn page(mut program: Command) -> String {
    program.build();
    let mut page = Page::default();
    page.heading(1, "Commands");
    about(&mut page, &program);
    page.paragraph("All commands accept `--help` and these options:");
    options(
        &mut page,
        program.get_arguments().filter(|a| a.is_global_set()),
    );
    for command in program.get_subcommands() {
        describe(&mut page, command, program.get_name());
    }
    page.finish()
}

/// Describes a command or, if it has subcommands, each of its subcommands.
fn describe(page: &mut Page, command: &Command, above: &str) {
    if command.get_name() == "help" || command.is_hide_set() {
        return;
    }
    let name = format!("{above} {}", command.get_name());
    if command.has_subcommands() {
        for inner in command.get_subcommands() {
            describe(page, inner, &name);
        }
        return;
    }
    page.heading(2, &name);
    about(page, command);
    let usage = command.clone().render_usage().to_string();
    page.code("text", usage.trim_start_matches("Usage:").trim());
    options(page, command.get_arguments().filter(|a| !a.is_global_set()));
    let (_, words) = name.split_once(' ').unwrap_or_default();
    if let Some(memory) = memory::of(words) {
        page.paragraph(&format!("Memory: {memory}"));
    }
    if let Some(after) = command.get_after_help() {
        let after = after.to_string();
        let examples = after.lines().skip(1).map(str::trim);
        page.code("text", &examples.collect::<Vec<_>>().join("\n"));
    }
}

fn about(page: &mut Page, command: &Command) {
    let about = command.get_long_about().or_else(|| command.get_about());
    if let Some(about) = about {
        page.paragraph(&harmless(&sentence(&about.to_string())));
    }
}

/// Adds the period that `--help` omits at the end of the first paragraph of a help text.
fn sentence(about: &str) -> String {
    match about.split_once("\n\n") {
        Some((first, rest)) => format!("{first}.\n\n{rest}"),
        None => format!("{about}."),
    }
}

fn options<'a>(page: &mut Page, arguments: impl Iterator<Item = &'a Arg>) {
    let shown = arguments.filter(|argument| {
        !argument.is_hide_set() && !matches!(argument.get_id().as_str(), "help" | "version")
    });
    let rows = shown.map(|argument| vec![spelled(argument), meaning(argument)]);
    page.table(&["option", "meaning"], rows.collect());
}

/// Returns the argument as the user types it.
fn spelled(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let takes_value = argument.get_action().takes_values();
    let values: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    match argument.get_long() {
        Some(long) if takes_value => format!("`--{long} {}`", values.join(" ")),
        Some(long) => format!("`--{long}`"),
        None => format!("`{}`", values.join(" ")),
    }
}

fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let mut said = help
        .map(|help| harmless(&help.to_string()))
        .unwrap_or_default();
    if !argument.get_action().takes_values() {
        return said;
    }
    let possible: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !possible.is_empty() {
        said = format!("{said}: {}", possible.join(", "));
    }
    let default: Vec<_> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if !default.is_empty() {
        said = format!("{said} (default: `{}`)", default.join(" "));
    }
    if argument.is_required_set() && argument.get_long().is_some() {
        said = format!("{said} (required)");
    }
    said
}

/// Escapes `<`, which Markdown would treat as HTML.
fn harmless(text: &str) -> String {
    text.replace('<', "&lt;")
}
