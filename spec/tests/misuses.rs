//! Tests the diagnostics for one small description per frequently misused key. The file with the
//! expected output is next to each description.
//!
//! `TRACEGAUGE_UPDATE=1 cargo test --workspace misuses` updates the expected output. Review the
//! changes before committing them.

use std::path::Path;

use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Memory, load};

/// The environment variable that requests an update of the expected output. The variable is
/// rejected if `CI` is set.
const UPDATE: &str = "TRACEGAUGE_UPDATE";

/// The keys, and the number of misuses of each.
const KEYS: [(&str, usize); 19] = [
    ("arrange", 8),
    ("colon-in-flow", 1),
    ("colon-in-text", 1),
    ("endian", 1),
    ("file-name", 7),
    ("first-key", 7),
    ("guid", 2),
    ("list-as", 5),
    ("shows", 2),
    ("sizeof", 3),
    ("tab-after-a-key", 1),
    ("tab-in-a-part", 1),
    ("tab-in-front", 1),
    ("unclosed-at-the-end", 1),
    ("unclosed-behind-quotes", 1),
    ("unclosed-element", 1),
    ("unclosed-key", 1),
    ("unclosed-list", 1),
    ("views", 10),
];

#[test]
fn each_misuse_is_said_as_expected() {
    let update = std::env::var_os(UPDATE).is_some();
    assert!(
        !update || std::env::var_os("CI").is_none(),
        "{UPDATE} is for people, who look at what they keep"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/misuses");
    for (key, misuses) in KEYS {
        let name = format!("{key}.yaml");
        let text = std::fs::read_to_string(folder.join(&name)).expect("it can be read");
        let loaded = load(&Memory::new().with(&name, text.as_str()), &name);
        let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
        let path = folder.join(format!("{key}.txt"));
        if update {
            std::fs::write(&path, &shown).expect("it can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(expected.replace("\r\n", "\n"), shown, "{key}");
        let errors = shown.lines().filter(|line| line.starts_with("error["));
        assert_eq!(
            errors.count(),
            misuses,
            "{key}: a misuse that nothing is said of"
        );
        assert!(loaded.schema.is_none(), "{key}");
    }
}
