//! A string without its terminator.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{Kind, OpId};

use super::{Plant, Words};
use crate::fault::apply::{At, Attack, fault};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Cut, Edit};
use crate::fault::twin::Twin;

/// A string without its terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unterminated;

impl Plant for Unterminated {
    const WORDS: Words = &[("unterminated", "The terminator is missing")];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        if matches!(finder.plan.op(id).kind, Kind::Terminated(ending) if ending.required) {
            finder.mapped(FaultKind::Terminator, id, [Self]);
        }
    }

    fn name(&self) -> &'static str {
        "unterminated"
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        open(twin, node).ok_or(NoCase::Lacking)
    }
}

/// Removes the terminator of a string at the end of the enclosing sized part. If there is no such
/// part, cuts off the file before the terminator instead.
fn open(twin: &Twin<'_>, node: NodeId) -> Option<Attack> {
    let rule = fault(twin.plan, twin.node(node).op, FaultKind::Terminator)?;
    let limit = twin.limit(node);
    let last = limit.end == twin.node(node).span.end;
    if limit.part.is_some() && !last {
        return None;
    }
    let content = twin.tree.bytes(node)?.to_vec();
    let keep = content.len() as u64;
    let mut attack = Attack::new(
        Edit::Replace {
            node,
            bytes: content,
        },
        rule,
        twin.path(node),
        At::Node(node, 0),
    );
    attack.splice.cut = (limit.part.is_none()).then_some(Cut { node, keep });
    Some(attack)
}

#[cfg(test)]
mod tests {
    use super::Unterminated;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_terminator_is_missing() {
        let cases = planted::<Unterminated>(r#"seq: [ { id: s, type: strz } ]"#, "6100");
        assert_eq!(cases, ["R/unterminated/s 61 @0"]);
    }
}
