//! Generates tests for Python. Each case becomes a method of its own, so that a search for the name
//! of a test finds its code.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::files::ExportedCase;

/// Returns the name and the text of the test file for a format.
pub(super) fn tests(format: &str, cases: &[ExportedCase<'_>]) -> (String, String) {
    let module = word(format);
    // One of pytest's three import modes does not add the folder of the test file to `sys.path`.
    let mut text = format!(
        "\"\"\"Cases of {format}. Written by tracegauge corpus export; changes will be \
         overwritten.\"\"\"\n\n\
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
            // Two cases may differ only in characters that a Python name cannot contain.
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

/// Returns a string literal that is valid in both Python and Java. Paths of exported cases contain
/// no characters that need escaping, but this function escapes them anyway.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Replaces every character of `text` that is not a letter or digit with `_`.
pub(super) fn word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    text.chars().map(plain).collect()
}

/// Returns the name of the test class for `format`.
fn class(format: &str) -> String {
    format!("Test{}", camel(format))
}

/// Converts `text` to camel case.
pub(super) fn camel(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    let capital = |part: &str| {
        let mut chars = part.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    };
    parts.map(capital).collect()
}
