//! Padding that contains a wrong byte.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Kind, OpId};

use super::{Plant, Words};
use crate::fault::apply::Attack;
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::Edit;
use crate::fault::twin::Twin;

/// Padding that contains a wrong byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fill {
    /// Whether the last byte of the padding is changed. Otherwise, the first byte is changed.
    pub last: bool,
}

impl Plant for Fill {
    const WORDS: Words = &[
        ("fill-wrong", "The first padding byte is wrong"),
        ("fill-last-wrong", "The last padding byte is wrong"),
    ];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        if let Kind::Align { fill: Some(_), .. } = finder.plan.op(id).kind {
            let rule = finder.first_rule(id);
            finder.add_all(rule, id, [false, true].map(|last| Self { last }));
        }
    }

    fn name(&self) -> &'static str {
        if self.last {
            "fill-last-wrong"
        } else {
            "fill-wrong"
        }
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        let mut bytes = twin.bytes_of(node).to_vec();
        if self.last && bytes.len() < 2 {
            return Err(NoCase::Lacking);
        }
        let place = if self.last {
            bytes.last_mut()
        } else {
            bytes.first_mut()
        };
        let place = place.ok_or(NoCase::Lacking)?;
        *place = !*place;
        Ok(Attack::on(twin, site, node, Edit::Replace { node, bytes }))
    }
}

#[cfg(test)]
mod tests {
    use super::Fill;
    use crate::fault::operators::tests::planted;

    #[test]
    fn padding_is_wrong() {
        let cases = planted::<Fill>(
            r#"seq: [ { id: a, type: u1 }, { id: pad, align: { to: 4, from: file, fill: 0 }, rule: R } ]"#,
            "01000000",
        );
        assert_eq!(
            cases,
            [
                "R/fill-wrong/pad 01ff0000 @1",
                "R/fill-last-wrong/pad 010000ff @1"
            ]
        );
    }
}
