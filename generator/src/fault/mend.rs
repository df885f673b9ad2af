//! Corrects the computed fields of a malformed trace, such as checksums.
//!
//! A fault changes the values that a computed field depends on. If the field kept its value, a
//! reader that lacks the check for the fault would reject the trace because of the field, and the
//! case would say nothing about the check. [`super::splice`] updates the fields whose values follow
//! from the tree. The other fields depend on the state of a reader, such as a sum of all values read
//! so far, so their values come from a decoder that does not enforce the violated rule. If readers
//! tolerate the fault, the values come from the decoder itself.

use std::collections::HashMap;
use std::sync::OnceLock;

use tracegauge_decoder::tree::Tree;
use tracegauge_decoder::{Findings, Mark, Observer, observe};
use tracegauge_plan::mutate::{Mutant, rules_off};
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{Derived, Kind, OpId, Plan};

use super::apply::Malformed;
use super::number;

/// The maximum number of computed fields that are corrected in a trace.
const MOST_FIELDS: usize = 32;

/// The maximum length in bytes of the traces that are corrected.
const LONGEST: usize = 1 << 16;

/// Corrects the computed fields of malformed traces of one plan.
pub(super) struct Mender<'p> {
    plan: &'p Plan,
    /// Whether the plan has computed fields.
    computes: bool,
    /// For each rule that readers enforce, the plan of a reader that does not enforce it.
    lenient: HashMap<RuleId, (Mutant, OnceLock<Plan>)>,
}

impl<'p> Mender<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        let mut infos = plan.infos.iter();
        let computes = infos.any(|info| matches!(info.derived, Some(Derived::Computed(_))));
        let off = if computes {
            rules_off(plan)
        } else {
            Vec::new()
        };
        let lenient = off.into_iter();
        let lenient = lenient.map(|(rule, mutant)| (rule, (mutant, OnceLock::new())));
        Self {
            plan,
            computes,
            lenient: lenient.collect(),
        }
    }

    /// Returns the malformed trace with correct computed fields, or `None` if no computed field has
    /// to be corrected, or if it cannot be.
    pub(super) fn mended(&self, case: &Malformed) -> Option<Malformed> {
        if !self.computes || case.bytes.len() > LONGEST {
            return None;
        }
        let lenient = match case.duty {
            ReaderDuty::Reject => {
                let rule = case.expected.first()?.rule?;
                let (mutant, lenient) = self.lenient.get(&rule)?;
                lenient.get_or_init(|| mutant.of(self.plan))
            }
            _ => self.plan,
        };
        corrected(lenient, &case.bytes).map(|bytes| Malformed {
            bytes,
            ..case.clone()
        })
    }
}

/// Returns the trace with correct computed fields, as far as a decoder of the plan reads it.
/// Returns `None` if no computed field has to be corrected, or if one cannot be.
pub fn corrected(plan: &Plan, trace: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = trace.to_vec();
    for _ in 0..MOST_FIELDS {
        let Some(wrong) = first_wrong(plan, &bytes) else {
            break;
        };
        let (start, right) = wrong.right(plan, &bytes)?;
        let place = bytes.get_mut(start..start + right.len())?;
        if *place == *right {
            return None;
        }
        place.copy_from_slice(&right);
    }
    (*bytes != *trace).then_some(bytes)
}

/// A computed field because of whose value a trace is rejected.
struct Wrong {
    field: OpId,
    /// The value that the field should have.
    value: i128,
    /// The tree up to the place where the decoder stops.
    tree: Tree,
}

/// Receives the values that computed fields should have.
#[derive(Default)]
struct Listener {
    last: Option<(OpId, i128)>,
}

impl Observer for Listener {
    fn mark(&mut self, op: OpId, mark: Mark) {
        if let Mark::Computes(value) = mark {
            self.last = Some((op, value));
        }
    }
}

/// Returns the computed field because of whose value the decoder rejects a trace, if that is the
/// reason.
fn first_wrong(plan: &Plan, bytes: &[u8]) -> Option<Wrong> {
    let mut listener = Listener::default();
    let observed = observe(plan, bytes, Findings::Marks, &mut listener);
    let violation = observed.verdict.violation()?;
    let (field, value) = listener.last?;
    (violation.op == field).then_some(Wrong {
        field,
        value,
        tree: observed.tree,
    })
}

impl Wrong {
    /// Returns the position of the field and its correct bytes, which replace as many bytes of the
    /// trace. A bit field is replaced together with the run that it belongs to.
    fn right(&self, plan: &Plan, bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
        let tree = &self.tree;
        let nodes = (0..tree.nodes.len()).rev();
        let mut ids = nodes.filter_map(|id| u32::try_from(id).ok());
        let id = ids.find(|id| tree.node(*id).op == self.field)?;
        let kind = &plan.op(self.field).kind;
        let run = plan
            .info(self.field)
            .parent
            .map(|parent| (parent, &plan.op(parent).kind));
        let (node, right) = match (kind, run) {
            (Kind::Bits { .. }, Some((run, Kind::BitRun { order, .. }))) => {
                let run = ids.find(|id| tree.node(*id).op == run)?;
                let span = tree.node(run).span;
                let old = slice(bytes, (span.start, span.end))?;
                (run, number::with_bits(old, *order, kind, self.value)?)
            }
            _ => (id, number::encode(kind, self.value)?),
        };
        let span = tree.node(node).span;
        let old = slice(bytes, (span.start, span.end))?;
        let start = usize::try_from(span.start).ok()?;
        (old.len() == right.len()).then_some((start, right))
    }
}

fn slice(bytes: &[u8], (start, end): (u64, u64)) -> Option<&[u8]> {
    bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}
