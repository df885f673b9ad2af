//! Whether the formats that a reader's file names are there.

use tracegauge_spec::load::closest;

use super::names_format;

/// What is wrong with the name of a format, where none of `known` has it or is of that family: no
/// case would ever be for it.
pub(super) fn unknown(name: &str, known: &[&str]) -> Option<String> {
    if known.iter().any(|id| names_format(name, id)) {
        return None;
    }
    let nearest = closest(name, known.iter().copied());
    let nearest = nearest.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    Some(format!("`formats`: there is no format {name}{nearest}"))
}

/// The formats themselves, without the dialects that deviate.
pub(super) fn plain(known: &[&str]) -> Vec<String> {
    let plain = known.iter().filter(|id| !id.contains('@'));
    plain.map(|id| (*id).to_owned()).collect()
}
