//! Checks the names of formats in a reader file.

use tracegauge_spec::load::closest;

use super::names_format;

/// Returns the problem with the format name `name` if no format in `known` has this name or belongs
/// to a family with this name. No case would ever match such a name.
pub(super) fn unknown(name: &str, known: &[&str]) -> Option<String> {
    if known.iter().any(|id| names_format(name, id)) {
        return None;
    }
    let nearest = closest(name, known.iter().copied());
    let nearest = nearest.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    Some(format!("`formats`: unknown format {name}{nearest}"))
}

/// Returns the known formats without the ids of dialects.
pub(super) fn plain(known: &[&str]) -> Vec<String> {
    let plain = known.iter().filter(|id| !id.contains('@'));
    plain.map(|id| (*id).to_owned()).collect()
}
