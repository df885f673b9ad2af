//! Strings that tests forbid.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::OpId;

use super::{Plant, Words, changes};
use crate::fault::apply::Attack;
use crate::fault::evaluate::Value;
use crate::fault::judged::Test;
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::{Finder, Subject};
use crate::fault::text::{encoding, replace};
use crate::fault::twin::Twin;

/// A string that a test forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ForbiddenText {
    /// The test.
    pub test: Test,
    /// How the string is changed.
    pub change: TextChange,
}

changes! {
    /// Strings that tests forbid.
    pub enum TextChange {
        Empty = "empty": "A value that must not be empty is empty",
        LastByte = "last-byte-wrong": "The last byte of the field is wrong",
        Longer = "one-byte-more": "The field has one byte too many",
        Case = "case-wrong": "A letter has the wrong case",
    }
}

impl Plant for ForbiddenText {
    const WORDS: Words = TextChange::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        use TextChange as T;
        for tested in finder.tests(id) {
            if matches!(tested.subject, Subject::Text) {
                let test = tested.test;
                let changes = [T::LastByte, T::Case, T::Empty, T::Longer];
                let changes = changes.map(|change| ForbiddenText { test, change });
                finder.add_all(tested.check.rule, id, changes);
            }
        }
    }

    fn name(&self) -> &'static str {
        self.change.word()
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        tested(twin, site, node, *self).ok_or(NoCase::Lacking)
    }
}

/// Changes a string to one that a test forbids.
fn tested(
    twin: &Twin<'_>,
    site: &Site,
    node: NodeId,
    ForbiddenText { test, change }: ForbiddenText,
) -> Option<Attack> {
    let mut text = twin.tree.bytes(node)?.to_vec();
    match change {
        TextChange::Empty => text.clear(),
        TextChange::LastByte => {
            let last = text.last_mut()?;
            *last = if *last == b'x' { b'y' } else { b'x' };
        }
        TextChange::Longer => text.push(b'x'),
        TextChange::Case => {
            let letter = text.iter_mut().find(|byte| byte.is_ascii_alphabetic())?;
            *letter ^= 0x20;
        }
    }
    let encoding = encoding(&twin.op(node).kind);
    if encoding.is_some_and(|e| !tracegauge_decoder::text::well_formed(&text, e)) {
        return None;
    }
    let value = Value::Bytes(text.clone());
    if test.owner != twin.node(node).op || !twin.breaks_first(node, &value, test.number, site.rule)
    {
        return None;
    }
    let edit = replace(twin, node, text)?;
    let judged = twin.judged(test, node)?;
    Some(Attack::new(edit, site.rule, judged.path, judged.start))
}

#[cfg(test)]
mod tests {
    use super::ForbiddenText;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_string_differs() {
        let cases = planted::<ForbiddenText>(
            r#"seq: [ { id: s, type: strz, valid: { any-of: ["'ab'"], rule: R } } ]"#,
            "616200",
        );
        assert_eq!(
            cases,
            [
                "R/last-byte-wrong/s 617800 @0",
                "R/case-wrong/s 416200 @0",
                "R/empty/s 00 @0",
                "R/one-byte-more/s 61627800 @0"
            ]
        );
    }
}
