//! Values that select no arm of a switch. An *arm* is an alternative of a switch.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Code, Kind, OpId, Plan};

use super::{Plant, Words, hex};
use crate::fault::apply::{At, Attack};
use crate::fault::evaluate::Value;
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::{Finder, gaps};
use crate::fault::twin::Twin;

/// A value that selects no arm of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoArm(pub i128);

impl Plant for NoArm {
    const WORDS: Words = &[(
        "no-arm",
        "A value matches none of the cases in the description",
    )];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        let Kind::Switch(index) = plan.op(id).kind else {
            return;
        };
        let switch = &plan.switches[index];
        let on = finder.field_of(id, switch.on);
        let (Some(rule), None, Some(field)) = (switch.rule, switch.default, on) else {
            return;
        };
        let labels = switch.arms.iter().flat_map(|(values, _)| values).copied();
        if let Some(range) = plan.op(field).kind.range() {
            let values = gaps(labels.collect(), Some(range));
            finder.add_all(Some(rule), field, values.into_iter().map(Self));
        }
    }

    fn name(&self) -> &'static str {
        "no-arm"
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        Some(hex(self.0))
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        no_arm(twin, site, node, self.0).ok_or(NoCase::Lacking)
    }
}

/// Sets a number to a value that selects no arm of a switch.
fn no_arm(twin: &Twin<'_>, site: &Site, node: NodeId, value: i128) -> Option<Attack> {
    if !twin.failed_tests(node, &Value::Int(value)).is_empty() {
        return None;
    }
    let own = twin.plan.op(site.op).slot;
    let selects = |op: OpId| match twin.plan.op(op).kind {
        Kind::Switch(index) => {
            let switch = &twin.plan.switches[index];
            switch.rule == site.rule && twin.plan.codes[switch.on.index()] == Code::Slot(own)
        }
        _ => false,
    };
    let around = twin.parent(node)?;
    let switch = twin
        .tree
        .children(around)
        .find(|child| selects(twin.node(*child).op))?;
    let edit = twin.set(node, value)?;
    Some(Attack::new(
        edit,
        site.rule,
        twin.path(switch),
        At::Node(switch, 0),
    ))
}

#[cfg(test)]
mod tests {
    use super::NoArm;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_value_selects_nothing() {
        let cases = planted::<NoArm>(
            r#"types: { one: { seq: [ { id: v, type: u1 } ] } }
seq: [ { id: kind, type: u1 }, { id: body, type: { switch-on: kind, cases: { 1: one }, rule: R } } ]"#,
            "0107",
        );
        assert_eq!(
            cases,
            [
                "R/no-arm-0x00/kind 0007 @1",
                "R/no-arm-0x02/kind 0207 @1",
                "R/no-arm-0xff/kind ff07 @1"
            ]
        );
    }
}
