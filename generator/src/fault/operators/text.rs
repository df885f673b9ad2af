//! Strings that tests forbid.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::{
    CheckKind, CheckPlan, Code, CodeId, ConstantId, Kind, OpId, Plan, each_code,
};

use super::{Plant, Words, changes};
use crate::fault::apply::{At, Attack};
use crate::fault::evaluate::Value;
use crate::fault::judged::Test;
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::{Finder, Subject};
use crate::fault::splice::Edit;
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
        /// The value is a constant in the test.
        Excluded(ConstantId) = "excluded-value": "The field has a value that it must not have",
    }
}

impl Plant for ForbiddenText {
    const WORDS: Words = TextChange::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        use TextChange as T;
        for tested in finder.tests(id) {
            let test = tested.test;
            let is_text = matches!(tested.subject, Subject::Text);
            if is_text {
                let changes = [T::LastByte, T::Case, T::Empty, T::Longer];
                let changes = changes.map(|change| ForbiddenText { test, change });
                finder.add_all(tested.check.rule, id, changes);
            }
            if is_text || matches!(finder.plan.op(id).kind, Kind::Guid(_)) {
                let excluded = excluded(finder.plan, tested.check);
                let changes = excluded.into_iter().map(|constant| ForbiddenText {
                    test,
                    change: T::Excluded(constant),
                });
                finder.add_all(tested.check.rule, id, changes);
            }
        }
    }

    fn name(&self) -> &'static str {
        self.change.word()
    }

    fn parameter(&self, plan: &Plan) -> Option<String> {
        let TextChange::Excluded(constant) = self.change else {
            return None;
        };
        let text = str::from_utf8(plan.constants.get(constant)?).ok()?;
        let is_name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Some(match is_name {
            true => text.to_owned(),
            false => constant.index().to_string(),
        })
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        tested(twin, site, node, *self).ok_or(NoCase::Lacking)
    }
}

/// Returns the strings that a field must not equal for a test to hold.
fn excluded(plan: &Plan, check: &CheckPlan) -> Vec<ConstantId> {
    let CheckKind::Holds(condition) = check.kind else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let constant = |code: &CodeId| match plan.codes[code.index()] {
        Code::Text(constant) => Some(constant),
        _ => None,
    };
    each_code(plan, condition, &mut |code| {
        if let Code::Binary(BinaryOperator::NotEqual, left, right) = code {
            found.extend(constant(left).or_else(|| constant(right)));
        }
    });
    found
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
        TextChange::Excluded(constant) => text = twin.plan.constants.get(constant)?.clone(),
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
    // A padded string is replaced with its padding, and starts where the padded part starts.
    let start = match edit {
        Edit::Replace { node: replaced, .. } if replaced != node => At::Edit(0, 0),
        _ => judged.start,
    };
    Some(Attack::new(edit, site.rule, judged.path, start))
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

    #[test]
    fn a_string_is_excluded() {
        for (kind, trace, case) in [
            ("strz", "616200", "78797a00"),
            ("str, size: 3", "616263", "78797a"),
            ("str, size: 5, pad-right: 0x20", "6162202020", "78797a2020"),
        ] {
            let cases = planted::<ForbiddenText>(
                &format!(
                    "seq: [ {{ id: s, type: {kind}, valid: {{ expr: \"_ != 'xyz'\", rule: R }} }} ]"
                ),
                trace,
            );
            assert_eq!(cases, [format!("R/excluded-value-xyz/s {case} @0")]);
        }
    }
}
