//! Switches that let tests simulate machines without some of the mechanisms.

use std::env;

/// The environment variable with the names of mechanisms to disable, separated by commas. The
/// variable is only for tests, because it weakens the containment of readers.
const VARIABLE: &str = "TRACEGAUGE_TEST_WITHOUT";

/// The mechanisms to disable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Switches {
    pub(crate) without_namespaces: bool,
    pub(crate) without_landlock: bool,
    pub(crate) without_groups: bool,
    /// Whether copies of this program that readers start do their work inside the containment.
    /// Without this switch, they refuse to.
    pub(crate) without_refusal: bool,
}

impl Switches {
    /// Returns the switches of this process.
    pub(crate) fn get() -> Self {
        let named = env::var(VARIABLE).unwrap_or_default();
        let has = |name: &str| named.split(',').any(|it| it == name);
        Self {
            without_namespaces: has("namespaces"),
            without_landlock: has("landlock"),
            without_groups: has("groups"),
            without_refusal: has("refusal"),
        }
    }
}
