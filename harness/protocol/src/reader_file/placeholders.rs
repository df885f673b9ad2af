//! Checks the placeholders in the command of a reader.

use tracegauge_spec::load::closest;

/// The placeholders of a command.
const KNOWN: [&str; 3] = ["file", "stdin", "dir"];

/// Checks the placeholders in a command that was given on the command line.
///
/// # Errors
/// Returns the problem with the first mistyped placeholder.
pub fn check(command: &[String]) -> Result<(), String> {
    let texts = command.iter().map(String::as_str);
    unknown(texts).map_or(Ok(()), |(_, message)| Err(message))
}

/// Returns the index of the first argument of `command` with a mistyped placeholder, and a
/// description of the problem.
///
/// Braces that do not contain a mistyped placeholder are passed to the program unchanged, because a
/// command may contain JSON, a script or a pattern. However, if the command has no placeholder for
/// the trace, an argument such as `{trace}` is treated as a mistyped placeholder.
pub(super) fn unknown<'c>(command: impl IntoIterator<Item = &'c str>) -> Option<(usize, String)> {
    let command: Vec<&str> = command.into_iter().collect();
    let has_place = |text: &&str| text.contains("{file}") || text.contains("{stdin}");
    let is_fed = command.iter().any(has_place);
    for (index, argument) in command.iter().enumerate() {
        for name in names(argument) {
            let near = closest(name, KNOWN);
            let is_whole = argument.len() == name.len() + 2;
            if KNOWN.contains(&name) || near.is_none() && (is_fed || !is_whole) {
                continue;
            }
            let near = near.map_or_else(
                || ";".to_owned(),
                |near| format!("; did you mean `{{{near}}}`?"),
            );
            let message = format!(
                "unknown placeholder `{{{name}}}`{near} {{file}} is replaced with the \
                 path of the trace, {{stdin}} feeds the trace on standard input, and {{dir}} is the \
                 folder of the reader file"
            );
            return Some((index, message));
        }
    }
    None
}

/// Returns the names in braces in `text`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.match_indices('{').filter_map(|(at, _)| {
        // A shell variable is not a placeholder.
        let is_variable = text[..at].ends_with('$');
        let name = text[at + 1..].split_once('}').map(|(name, _)| name)?;
        (!is_variable && !name.is_empty()).then_some(name)
    });
    parts.filter(|name| name.chars().all(|c| c.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::unknown;

    fn told(command: &str) -> Option<String> {
        unknown(command.split(' ')).map(|(_, message)| message)
    }

    #[test]
    fn mistyped_placeholders_are_found() {
        for (command, near) in [
            ("./reader {fil}", "{file}"),
            ("./reader --in={fiel} --out=-", "{file}"),
            ("./reader {File}", "{file}"),
            ("./reader {stdn}", "{stdin}"),
            ("{dri}/reader {file}", "{dir}"),
        ] {
            let told = told(command).unwrap_or_default();
            assert!(told.contains(&format!("did you mean `{near}`?")), "{told}");
        }
        let told = told("./reader {trace}").unwrap_or_default();
        assert!(
            told.contains("unknown placeholder `{trace}`; {file} is"),
            "{told}"
        );
    }

    #[test]
    fn other_braces_belong_to_the_program() {
        for command in [
            "./reader {file}",
            "./reader {stdin}",
            "{dir}/reader",
            "jq {\"a\":1} {file}",
            "awk {print} {file}",
            "sh -c ${file}",
            "sh -c f(){cat;}",
            "./reader {}",
        ] {
            assert_eq!(told(command), None, "{command}");
        }
    }
}
