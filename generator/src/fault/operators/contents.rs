//! Constant bytes that differ from the required ones.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Kind, OpId, Plan};

use super::{Plant, Words, changes};
use crate::fault::apply::Attack;
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::Edit;
use crate::fault::twin::Twin;

/// The maximum size in bytes of a constant in which each byte is changed separately.
const MOST_CONTENTS: usize = 16;

changes! {
    /// Replacements for required constant bytes.
    pub enum ContentsChange {
        Flipped = "bit-flipped": "One bit of the field is flipped",
        Above = "one-above": "A value is one above the maximum",
        Below = "one-below": "A value is one below the minimum",
        Zero = "zero": "All bits of the field are zero",
        AllOnes = "all-ones": "All bits of the field are set",
        Swapped = "byte-swapped": "The bytes of the field are in reverse order",
        Short = "one-byte-short": "The last byte of the field is missing",
        /// The byte with this index differs.
        Byte(usize) = "byte-wrong": "One byte of the field is wrong",
    }
}

impl Plant for ContentsChange {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        let Kind::Contents(constant) = plan.op(id).kind else {
            return;
        };
        let rule = finder.first_rule(id);
        let whole = [
            Self::Flipped,
            Self::Above,
            Self::Below,
            Self::Zero,
            Self::AllOnes,
            Self::Swapped,
            Self::Short,
        ];
        finder.add_all(rule, id, whole);
        // A reader may compare only some of the bytes.
        let length = plan.constants[constant].len();
        finder.add_all(rule, id, (0..length.min(MOST_CONTENTS)).map(Self::Byte));
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        match self {
            Self::Byte(index) => Some(index.to_string()),
            _ => None,
        }
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        let bytes = changed(twin, node, *self).ok_or(NoCase::Inexpressible)?;
        if bytes == twin.bytes_of(node) {
            return Err(NoCase::Allowed);
        }
        Ok(Attack::on(twin, site, node, Edit::Replace { node, bytes }))
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        let Kind::Contents(constant) = reasons.plan.op(site.op).kind else {
            return None;
        };
        let old = reasons.plan.constants[constant].as_slice();
        let last = old.last()?;
        let same = match self {
            Self::Above if *last == u8::MAX => return Some(Infeasibility::OutOfRange),
            Self::Below if *last == 0 => return Some(Infeasibility::OutOfRange),
            Self::Zero => old.iter().all(|byte| *byte == 0),
            Self::AllOnes => old.iter().all(|byte| *byte == u8::MAX),
            Self::Swapped => old.iter().eq(old.iter().rev()),
            _ => false,
        };
        same.then_some(Infeasibility::SameBytes)
    }
}

/// Returns the changed bytes of a node.
fn changed(twin: &Twin<'_>, node: NodeId, change: ContentsChange) -> Option<Vec<u8>> {
    let old = twin.bytes_of(node);
    let mut bytes = old.to_vec();
    let last = bytes.len().checked_sub(1)?;
    match change {
        ContentsChange::Flipped => bytes[0] ^= 1,
        ContentsChange::Above => bytes[last] = bytes[last].checked_add(1)?,
        ContentsChange::Below => bytes[last] = bytes[last].checked_sub(1)?,
        ContentsChange::Zero => bytes.fill(0),
        ContentsChange::AllOnes => bytes.fill(0xff),
        ContentsChange::Swapped => bytes.reverse(),
        ContentsChange::Short => {
            bytes.truncate(last);
            // The following byte must differ from the omitted one, and the part must not end before
            // it.
            let end = twin.node(node).span.end;
            let limit = twin.limit(node).end;
            let next = twin.slice(end, limit.min(end + 1)).first()?;
            if *next == old[last] {
                return None;
            }
        }
        ContentsChange::Byte(index) => *bytes.get_mut(index)? ^= 0x20,
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::ContentsChange;
    use crate::fault::operators::tests::planted;

    #[test]
    fn bytes_differ() {
        let cases = planted::<ContentsChange>(
            r#"seq: [ { id: mark, contents: [7, 1], rule: R } ]"#,
            "0701",
        );
        assert_eq!(
            cases,
            [
                "R/bit-flipped/mark 0601 @0",
                "R/one-above/mark 0702 @0",
                "R/one-below/mark 0700 @0",
                "R/zero/mark 0000 @0",
                "R/all-ones/mark ffff @0",
                "R/byte-swapped/mark 0107 @0",
                "R/byte-wrong-0/mark 2701 @0",
                "R/byte-wrong-1/mark 0721 @0"
            ]
        );
    }
}
