//! Types without a fixed size in a place that requires a fixed size.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{CodeExtent, Kind, OpId, Plan};

use super::{Plant, Words, hex};
use crate::fault::apply::{At, Attack};
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::Edit;
use crate::fault::twin::Twin;

/// The code of a type without a fixed size in a place that requires a fixed size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariableSize(pub i128);

impl Plant for VariableSize {
    const WORDS: Words = &[(
        "variable-size",
        "A type of variable size is used where a type of fixed size is required",
    )];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        let Some(describes) = plan.info(id).describes else {
            return;
        };
        let codes = &plan.describes[describes].codes;
        if let Some(rule) = codes.iter().find_map(|code| code.fixed) {
            let variable = codes
                .iter()
                .filter(|code| code.extent == CodeExtent::Variable && !code.holds);
            finder.add_all(rule, id, variable.map(|code| Self(code.code)));
        }
    }

    fn name(&self) -> &'static str {
        "variable-size"
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        Some(hex(self.0))
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        variable(twin, node, self.0).ok_or(NoCase::Lacking)
    }
}

/// Changes the element type of the type described by `node`, which must have a fixed size, to a
/// type without a fixed size.
fn variable(twin: &Twin<'_>, node: NodeId, code: i128) -> Option<Attack> {
    let describes = twin.info(node).describes?;
    let describes = &twin.plan.describes[describes];
    let own = twin
        .tree
        .children(node)
        .find(|child| twin.node(*child).op == describes.code)?;
    let rule = describes.code(twin.integer(own)?)?.fixed?;
    let held = twin.tree.children(node).find(|child| {
        let call = matches!(twin.op(*child).kind, Kind::Call(_));
        let inside = twin.tree.children(*child).next();
        call && inside.is_some_and(|inside| twin.info(inside).describes.is_some())
    })?;
    let extent = describes.code(code)?.extent;
    if extent != CodeExtent::Variable {
        return None;
    }
    let bytes = number::encode(&twin.plan.op(describes.code).kind, code)?;
    let edit = Edit::Replace { node: held, bytes };
    Some(Attack::new(edit, rule, twin.path(node), At::Node(node, 0)))
}

#[cfg(test)]
mod tests {
    use super::VariableSize;
    use crate::fault::operators::tests::{LOCATED, LOCATED_TRACE, planted};

    #[test]
    fn a_type_has_no_fixed_size() {
        let cases = planted::<VariableSize>(LOCATED, LOCATED_TRACE);
        assert_eq!(
            cases,
            ["R/variable-size-0x03/row.fields.type 014102030106000002002a00 @2"]
        );
    }
}
