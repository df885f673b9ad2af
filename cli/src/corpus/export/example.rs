//! Chooses the cases that the documentation files of an export use as examples.

use super::files::Exported;
use super::java::group;
use super::python::word;

/// A group of cases that a filter can select by the common prefix of their names. The group
/// contains the cases for one rule or, if no malformed case is exported, the valid cases of one
/// kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Example<'s>(&'s str);

impl<'s> Example<'s> {
    /// Returns the group of the first malformed case or, if there is none, of the first case.
    pub(super) fn of(exported: &Exported<'s>) -> Self {
        let names = || exported.cases().iter().map(|one| one.case.id.as_str());
        Self::among(names)
    }

    fn among<I: Iterator<Item = &'s str>>(names: impl Fn() -> I) -> Self {
        let malformed = names().find(|name| name.contains("/malformed/"));
        let name = malformed.or_else(|| names().next());
        Self(group(name.unwrap_or("FORMAT/malformed/RULE")))
    }

    /// Replaces the placeholders in a template: `{{group}}` with the common prefix of the case
    /// names, `{{rule}}` with the last part of that prefix, and `{{word}}` with that part as it
    /// appears in the names of Python and Java tests.
    pub(super) fn fill(self, template: &str) -> String {
        let rule = self.0.rsplit('/').next().unwrap_or(self.0);
        template
            .replace("{{group}}", self.0)
            .replace("{{rule}}", rule)
            .replace("{{word}}", &word(rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(names: &[&str]) -> String {
        Example::among(|| names.iter().copied()).fill("{{group}} {{rule}} {{word}}")
    }

    #[test]
    fn the_example_is_a_rule_of_the_exported_cases() {
        let names = ["a-v1/gap/X/one", "a-v1/malformed/TAG-SIZE/zero/tag"];
        assert_eq!(filled(&names), "a-v1/malformed/TAG-SIZE TAG-SIZE TAG_SIZE");
        assert_eq!(filled(&["a-v1/vector/one"]), "a-v1/vector/one one one");
        assert_eq!(filled(&[]), "FORMAT/malformed/RULE RULE RULE");
    }
}
