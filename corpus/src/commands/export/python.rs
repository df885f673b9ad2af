//! The tests for Python: a method for each case, so that its name can be searched for.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::files::ExportedCase;

/// The name of the file with the tests of a format, and its text.
pub(super) fn tests(format: &str, cases: &[ExportedCase<'_>]) -> (String, String) {
    let module = word(format);
    // pytest imports a file in one of three ways, of which one leaves its folder off the path.
    let mut text = format!(
        "\"\"\"Cases of {format}. Written by tracegauge corpus export; changes are lost.\"\"\"\n\n\
         import pathlib\nimport sys\nimport unittest\n\n\
         sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))\n\n\
         from tracegauge_cases import check  # noqa: E402\n\n\n\
         class {class}(unittest.TestCase):\n",
        class = class(format),
    );
    let mut names = HashSet::new();
    for one in cases {
        let inside = one.case.id.strip_prefix(format).unwrap_or(&one.case.id);
        let mut name = word(inside.trim_start_matches('/'));
        if !names.insert(name.clone()) {
            // What tells two cases apart may be no part of a name in Python.
            let hash = blake3::hash(one.case.id.as_bytes()).to_hex();
            let _ = write!(name, "_{}", &hash[..8]);
            names.insert(name.clone());
        }
        let _ = writeln!(
            text,
            "    def test_{name}(self):\n        check(self, {})\n",
            quoted(&one.path)
        );
    }
    text += "\nif __name__ == \"__main__\":\n    unittest.main()\n";
    (format!("test_{module}.py"), text)
}

/// Text in quotes, as Python and Java have it. A path of an exported case has nothing to escape,
/// but it is not for this place to rely on that.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The letters and digits of `text`, with `_` between them.
pub(super) fn word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    text.chars().map(plain).collect()
}

/// The name of a class for `format`.
fn class(format: &str) -> String {
    format!("Test{}", camel(format))
}

/// The words of `text`, each with a capital and nothing between them.
pub(super) fn camel(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    let capital = |part: &str| {
        let mut chars = part.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    };
    parts.map(capital).collect()
}
