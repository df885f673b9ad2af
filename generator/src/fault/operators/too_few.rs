//! Lists with fewer elements than required.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Kind, OpId};

use super::{Plant, Words};
use crate::fault::apply::Attack;
use crate::fault::list::{at_list, removals};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::twin::Twin;

/// Fewer elements than required.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TooFew {
    /// Whether all elements are missing. Otherwise, one element too few is present.
    pub none: bool,
}

impl Plant for TooFew {
    const WORDS: Words = &[
        ("none", "A list that must not be empty is empty"),
        ("one-too-few", "A list has one element too few"),
    ];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let Kind::Repeat(repeat) = finder.plan.op(id).kind else {
            return;
        };
        if let Some((least, rule)) = finder.plan.repeats[repeat].at_least {
            if least > 1 {
                finder.add(rule, id, Self { none: false });
            }
            finder.add(rule, id, Self { none: true });
        }
    }

    fn name(&self) -> &'static str {
        if self.none { "none" } else { "one-too-few" }
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        too_few(twin, node, self.none).ok_or(NoCase::Lacking)
    }
}

/// Removes elements so that there are fewer than required.
fn too_few(twin: &Twin<'_>, node: NodeId, none: bool) -> Option<Attack> {
    let (least, rule) = twin.repeat(node)?.at_least?;
    let left = if none { 0 } else { least.checked_sub(1)? };
    let edits = removals(twin, node, left)?;
    at_list(twin, node, edits, rule)
}

#[cfg(test)]
mod tests {
    use super::TooFew;
    use crate::fault::operators::tests::planted;

    #[test]
    fn an_element_is_missing() {
        let cases = planted::<TooFew>(
            r#"seq: [ { id: list, type: u1, repeat: eos, at-least: { count: 2, rule: R } } ]"#,
            "0102",
        );
        assert_eq!(cases, ["R/one-too-few/list 01 @0", "R/none/list  @0"]);
    }
}
