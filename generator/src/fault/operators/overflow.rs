//! Values computed from an earlier value (`carry`) that are out of range.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::OpId;

use super::{Plant, Words};
use crate::fault::apply::{At, Attack, Blame};
use crate::fault::evaluate::{Moment, Value};
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Edit, Splice};
use crate::fault::twin::Twin;

/// A value derived from an earlier one (`carry`) that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Overflow {
    /// Whether the value exceeds the range by only one. Otherwise, the value exceeds the range by
    /// as much as the field can express.
    pub by_one: bool,
}

impl Plant for Overflow {
    const WORDS: Words = &[
        (
            "overflow-by-one",
            "A sum exceeds the range of its type by one",
        ),
        (
            "overflow-most",
            "A sum exceeds the range of its type by the largest possible amount",
        ),
    ];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        if let Some(carry) = plan.info(id).carry.map(|carry| &plan.carries[carry])
            && carry.add
            && carry.wraps.is_none()
        {
            finder.add_all(
                carry.overflow,
                id,
                [true, false].map(|by_one| Self { by_one }),
            );
        }
    }

    fn name(&self) -> &'static str {
        if self.by_one {
            "overflow-by-one"
        } else {
            "overflow-most"
        }
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        overflow(twin, site, node, self.by_one).ok_or(NoCase::Lacking)
    }
}

/// Makes the base of a carried value (the earlier value in the sum) so large that the sum is out of
/// range.
fn overflow(twin: &Twin<'_>, site: &Site, node: NodeId, by_one: bool) -> Option<Attack> {
    let carry = &twin.plan.carries[twin.info(node).carry?];
    let kind = &twin.op(node).kind;
    let then = match carry.then {
        Some(then) => twin
            .evaluate(then, Moment::before(node), &Value::Absent)?
            .integer()?,
        None => 0,
    };
    let (_, most) = kind.range()?;
    let wire = match number::wire(kind, twin.bytes_of(node))? {
        _ if !by_one => most,
        // Adding zero cannot exceed the range, so the field is changed to add 1.
        0 if then == 0 => 1,
        wire => wire,
    };
    let base = base_field(twin, node)?;
    let wanted = if by_one {
        carry.greatest.checked_add(1)? - wire - then
    } else {
        carry.greatest
    };
    let wanted = wanted.min(carry.greatest);
    if wanted + wire + then <= carry.greatest
        || !twin.failed_tests(base, &Value::Int(wanted)).is_empty()
    {
        return None;
    }
    let mut edits = vec![twin.set(base, wanted)?];
    let bytes = number::encode(kind, wire)?;
    if bytes != twin.bytes_of(node) {
        edits.push(Edit::Replace { node, bytes });
    }
    Some(Attack {
        splice: Splice {
            edits,
            ..Splice::default()
        },
        blame: vec![Blame {
            rule: site.rule,
            path: twin.path(node),
            at: At::Node(node, 0),
        }],
    })
}

/// Returns the field whose value is added to the number stored in a carried field.
fn base_field(twin: &Twin<'_>, node: NodeId) -> Option<NodeId> {
    let carry = &twin.plan.carries[twin.info(node).carry?];
    if let Some(register) = carry.register {
        let history = twin.history();
        let settings = history.settings_of(register);
        let (last, _) = settings.take_while(|(_, time)| *time <= node).last()?;
        let code = history.setting_code(last, register)?;
        return twin.field_of(code, last);
    }
    // The base is the same field of the previous element.
    let element = twin.element(node)?;
    let list = twin.parent(element)?;
    let before = twin
        .tree
        .children(list)
        .take_while(|e| *e < element)
        .last()?;
    let field = twin.last_of(twin.node(node).op, before, twin.node(before).end)?;
    // That element must be the first of the list; otherwise, its field is a sum too.
    (twin.number(before) == 0).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::Overflow;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_sum_is_out_of_range() {
        let cases = planted::<Overflow>(
            r#"types: { e: { seq: [ { id: t, type: u1, carry: add, overflow: R } ] } }
seq: [ { id: list, type: e, repeat: eos } ]"#,
            "0102",
        );
        assert_eq!(
            cases,
            [
                "R/overflow-by-one/list.t fe02 @1",
                "R/overflow-most/list.t ffff @1"
            ]
        );
    }
}
