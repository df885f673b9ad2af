//! Undeclared type codes in layouts. A *layout* is a list of fields whose types the trace itself
//! specifies with type codes.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{FaultKind, ReaderDuty, RuleId};
use tracegauge_plan::{CheckKind, CheckPlan, Kind, LayoutPlan, LayoutSource, OpId, Plan};

use super::{Plant, Words, hex};
use crate::fault::apply::{At, Attack, duty, fault};
use crate::fault::evaluate::Value;
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::layout::{describing, row_at};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::{Finder, gaps};
use crate::fault::twin::Twin;

/// A layout that uses an undeclared type code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownCode(pub i128);

impl Plant for UnknownCode {
    const WORDS: Words = &[("applied", "A value uses an undeclared type code")];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        let Kind::Layout(index) = plan.op(id).kind else {
            return;
        };
        let layout = &plan.layouts[index];
        let mut infos = plan.infos.iter();
        let described = infos.position(|info| info.code_of == Some(layout.layout));
        let range = described.and_then(|op| plan.ops[op].kind.range());
        let codes = layout.codes.iter().map(|code| code.code).collect();
        let values = gaps(codes, range).into_iter().map(Self);
        finder.add_all(layout.unknown, id, values);
    }

    fn name(&self) -> &'static str {
        "applied"
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        Some(hex(self.0))
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        unknown_code(twin, node, self.0)
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        reasons.unknown_code(site.op, self.0)
    }
}

impl Reasons<'_> {
    /// Returns the reason if the undeclared code already violates a rule where the trace describes
    /// the field, so that the field itself is never read.
    fn unknown_code(&self, op: OpId, code: i128) -> Option<Infeasibility> {
        let Kind::Layout(index) = self.plan.op(op).kind else {
            return None;
        };
        let layout = &self.plan.layouts[index];
        if layout.text.is_some() || !matches!(layout.source, LayoutSource::Row(..)) {
            return None;
        }
        let ops = (0..u32::MAX).map(OpId).take(self.plan.ops.len());
        let mut described = ops
            .filter(|op| self.plan.info(*op).code_of == Some(layout.layout))
            .peekable();
        described.peek()?;
        // If readers may accept the undeclared code in the field's description, they reach the
        // field itself, where the code violates the rule for unknown codes. In that case, the fault
        // is infeasible only if the description already violates the same rule.
        let before = |rule: Option<RuleId>| {
            rule == layout.unknown || duty(self.plan, rule) == ReaderDuty::Reject
        };
        described
            .all(|op| self.stopping(op, code).any(before))
            .then_some(Infeasibility::OtherTest)
    }
}

/// Changes a type code of the layout applied at `node` to an undeclared code.
fn unknown_code(twin: &Twin<'_>, node: NodeId, code: i128) -> Result<Attack, NoCase> {
    let Kind::Layout(index) = twin.op(node).kind else {
        return Err(NoCase::Lacking);
    };
    let layout = &twin.plan.layouts[index];
    let found = match layout.source {
        LayoutSource::Row(..) => last_described(twin, node),
        LayoutSource::Code(from) => {
            let around = twin.parent(node);
            let code = around.and_then(|around| twin.field_of(from, around));
            code.map(|code| (code, 0, node))
        }
    };
    let Some((described, number, start)) = found else {
        return Err(match stops_at_unknown(twin.plan, layout) {
            true => NoCase::Overtaken,
            false => NoCase::Lacking,
        });
    };
    // A reader that rejects the description of the layout never applies the layout.
    let failed = twin.failed_tests(described, &Value::Int(code));
    let rejected = |rule: &Option<RuleId>| duty(twin.plan, *rule) == ReaderDuty::Reject;
    if failed.iter().any(|(_, rule)| rejected(rule)) {
        return Err(NoCase::Overtaken);
    }
    let edit = twin.set(described, code);
    let edit = edit.ok_or(NoCase::Inexpressible)?;
    let path = format!("{}[{number}]", twin.path(node));
    Ok(Attack::new(edit, layout.unknown, path, At::Node(start, 0)))
}

/// Returns whether some readers reject an unknown type code where the trace describes the layout,
/// and therefore never use the code to read values.
fn stops_at_unknown(plan: &Plan, layout: &LayoutPlan) -> bool {
    let strict = |rule: Option<RuleId>| duty(plan, rule) != ReaderDuty::Accept;
    let mut signatures = plan.signatures.iter();
    if let Some(text) = layout.text {
        return signatures.any(|known| known.text == text && strict(known.code));
    }
    let mut ops = (0..u32::MAX).map(OpId).take(plan.ops.len());
    ops.any(|op| {
        let mut tests = plan.tests_of(op).iter();
        let rule = layout.unknown;
        let mut kinds = [FaultKind::Code, FaultKind::Enum].into_iter();
        let raises =
            kinds.any(|kind| plan.raises(op, kind) && fault(plan, op, kind).flatten() == rule);
        let tested =
            |test: &CheckPlan| matches!(test.kind, CheckKind::InEnum(_)) && test.rule == rule;
        rule.is_some() && strict(rule) && (raises || tests.any(tested))
    })
}

/// Returns the type code of the last field in the layout applied at `node`, the field's number, and
/// the first node of the field's value.
fn last_described(twin: &Twin<'_>, node: NodeId) -> Option<(NodeId, u64, NodeId)> {
    let row = row_at(twin, node)?;
    // The fault is found where the layout is first applied.
    let mut uses = twin.nodes_of(twin.node(node).op).iter();
    let first = uses.find(|other| row_at(twin, **other) == Some(row))?;
    if *first != node {
        return None;
    }
    let Kind::Layout(index) = twin.op(node).kind else {
        return None;
    };
    let layout = &twin.plan.layouts[index];
    let element = twin.tree.children(describing(twin, node, row)?).last()?;
    let code = twin.tree.find(twin.plan, element, &layout.code_path)?;
    let number = twin.number(element);
    let start = twin
        .tree
        .children(node)
        .find(|child| twin.number(*child) == number)?;
    Some((code, number, start))
}

#[cfg(test)]
mod tests {
    use super::UnknownCode;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_type_code_is_unknown() {
        let cases = planted::<UnknownCode>(
            r#"faults: { eof: R }
layouts: { values: { code: code, unknown: R, codes: { 1: { name: Byte, type: u1 }, 2: { name: Word, type: u2 } } } }
seq: [ { id: code, type: u1, code-of: values }, { id: value, layout: values, code: code } ]"#,
            "0107",
        );
        assert_eq!(
            cases,
            [
                "R/applied-0x00/value 0007 @1",
                "R/applied-0x03/value 0307 @1",
                "R/applied-0xff/value ff07 @1"
            ]
        );
    }
}
