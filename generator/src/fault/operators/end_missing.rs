//! A list without the element that ends it.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Count, Kind, OpId};

use super::{Plant, Words};
use crate::fault::apply::Attack;
use crate::fault::ends::Ends;
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Cut, Edit, Splice};
use crate::fault::twin::Twin;

/// The end mark of a list is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndMissing;

impl Plant for EndMissing {
    const WORDS: Words = &[("end-missing", "The end marker of a list is missing")];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        if let Kind::Repeat(repeat) = finder.plan.op(id).kind
            && matches!(finder.plan.repeats[repeat].count, Count::Until(_))
        {
            finder.add_undetermined(id, Self);
        }
    }

    fn name(&self) -> &'static str {
        "end-missing"
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        end_missing(twin, node).ok_or(NoCase::Lacking)
    }
}

/// Removes the element that ends a list.
fn end_missing(twin: &Twin<'_>, node: NodeId) -> Option<Attack> {
    let last = twin.tree.children(node).last()?;
    let start = twin.node(last).span.start;
    if twin.outermost_part(node).is_none() {
        let blame = twin.blame_end(0, start, Ends::File)?;
        return Some(Attack {
            splice: Splice {
                cut: Some(Cut {
                    node: last,
                    keep: 0,
                }),
                ..Splice::default()
            },
            blame: vec![blame],
        });
    }
    let limit = twin.limit(node);
    if limit.part.is_none() || limit.end != twin.node(node).span.end {
        return None;
    }
    let blame = twin.blame_missing(node, start, Ends::Part)?;
    Some(Attack {
        splice: Splice {
            edits: vec![Edit::Remove { node: last }],
            ..Splice::default()
        },
        blame: vec![blame],
    })
}

#[cfg(test)]
mod tests {
    use super::EndMissing;
    use crate::fault::operators::tests::planted;

    #[test]
    fn the_last_element_is_missing() {
        let cases = planted::<EndMissing>(
            r#"types: { e: { seq: [ { id: v, type: u1 } ] } }
seq: [ { id: list, type: e, repeat: until, repeat-until: _.v == 0 } ]"#,
            "0100",
        );
        assert_eq!(cases, ["R/end-missing/list 01 @1"]);
    }
}
