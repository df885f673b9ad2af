//! Finds the place where a test judges a changed value, and the tests that the value fails.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{CheckKind, CheckPlan, Kind, OpId, Plan};

use super::apply::{At, duty};
use super::evaluate::{Assumed, Moment, Value};
use super::twin::Twin;

/// Identifies a test of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The operation that performs the test: a value, a standalone test, or a structure that is
    /// tested at its end.
    pub owner: OpId,
    /// The index of the test among the operation's tests, or among the tests at the structure's
    /// end.
    pub number: u32,
    /// Whether the test is performed at the end of the structure.
    pub ending: bool,
}

/// The point in the trace where a test evaluates a changed node, and the field that the test
/// blames.
pub(super) struct Judged {
    pub at: Moment<'static>,
    pub path: String,
    pub start: At,
}

/// Returns the plan of a test.
pub(super) fn test_of(plan: &Plan, test: Test) -> Option<&CheckPlan> {
    if test.ending {
        let effects = plan.info(test.owner).effects?;
        let checks = &plan.effects[effects].checks;
        return checks.get(test.number as usize);
    }
    plan.tests_of(test.owner).get(test.number as usize)
}

/// Returns the rule that a value violates if it fails a test. A test of an enumeration may specify
/// a separate rule for members of other dialects.
pub(super) fn broken_rule(plan: &Plan, check: &CheckPlan, value: Option<i128>) -> Option<RuleId> {
    let CheckKind::InEnum(index) = check.kind else {
        return check.rule;
    };
    let members = &plan.enums[index].members;
    let elsewhere = members.iter().find(|member| Some(member.value) == value);
    elsewhere.and_then(|member| member.broken).or(check.rule)
}

impl Twin<'_> {
    /// Determines the point where `test` evaluates a change to `node`, and the field that the test
    /// blames.
    pub(super) fn judged(&self, test: Test, node: NodeId) -> Option<Judged> {
        let check = test_of(self.plan, test)?;
        if test.owner == self.node(node).op {
            let path = match check.blame {
                Some(blame) => self.path(self.last_of(blame, 0, node)?),
                None => self.path(node),
            };
            return Some(Judged {
                at: Moment::before(node),
                path,
                start: At::Node(node, 0),
            });
        }
        if test.ending {
            let whole = self
                .outward(node)
                .find(|at| self.node(*at).op == test.owner)?;
            return self.judged_ending(check, whole);
        }
        let around = self.outward(node).skip(1);
        let mut around = around.filter(|at| matches!(self.op(*at).kind, Kind::Structure));
        let whole = around.find(|at| {
            self.node(*at).op < test.owner && test.owner.0 < self.plan.op(self.node(*at).op).end
        })?;
        let (place, next) = self.place_of_test(test.owner, whole);
        let time = next.unwrap_or(self.node(place).end);
        if node >= time {
            return None;
        }
        let blamed = match check.blame {
            Some(blame) => Some(self.last_of(blame, whole, time)?),
            None => None,
        };
        let around = |op: OpId| self.plan.info(op).parent;
        let elsewhere = blamed.filter(|at| around(self.node(*at).op) != around(test.owner));
        let start = match (elsewhere, next) {
            (Some(blamed), _) => At::Node(blamed, 0),
            (None, Some(next)) => At::Node(next, 0),
            (None, None) => At::EndOf(place),
        };
        Some(Judged {
            at: Moment {
                node: place,
                time,
                assumed: Assumed::default(),
            },
            path: self.path(blamed.unwrap_or(place)),
            start,
        })
    }

    /// Locates a standalone test, which reads nothing and has no node. Returns the innermost
    /// structure inside `whole` that contains the test, and the node that follows the test in that
    /// structure.
    fn place_of_test(&self, test: OpId, whole: NodeId) -> (NodeId, Option<NodeId>) {
        let mut inner = whole;
        loop {
            let mut children = self.tree.children(inner);
            let around = |child: &NodeId| {
                let op = self.node(*child).op;
                op < test && test.0 < self.plan.op(op).end
            };
            match children.find(|child| around(child) || self.node(*child).op > test) {
                Some(child) if around(&child) => inner = child,
                next => return (inner, next),
            }
        }
    }

    fn judged_ending(&self, check: &CheckPlan, whole: NodeId) -> Option<Judged> {
        let blamed = match check.blame {
            Some(blame) => Some(self.last_of(blame, whole, self.node(whole).end)?),
            None => None,
        };
        let noted = blamed.filter(|blamed| self.info(*blamed).span_slots.is_some());
        Some(Judged {
            at: Moment::after(self, whole),
            path: self.path(blamed.unwrap_or(whole)),
            start: At::Node(noted.unwrap_or(whole), 0),
        })
    }

    /// Returns the tests of a node's own value that `value` fails, in order. Tests that cannot be
    /// evaluated are considered passed.
    pub(super) fn failed_tests(&self, node: NodeId, value: &Value) -> Vec<(u32, Option<RuleId>)> {
        let at = Moment::before(node);
        let mut failed = Vec::new();
        for (number, check) in (0..).zip(self.plan.tests_of(self.node(node).op)) {
            let asked = check.condition.is_none_or(|code| {
                self.evaluate(code, at, value)
                    .is_some_and(|value| value.truth())
            });
            if asked && self.check_holds(&check.kind, at, value) == Some(false) {
                let rule = broken_rule(self.plan, check, value.integer());
                if rule.is_some() || !matches!(check.kind, CheckKind::InEnum(_)) {
                    failed.push((number, rule));
                }
            }
        }
        failed
    }

    /// Returns whether every reader accepts `value` as the value of this node.
    pub(super) fn passes_tests(&self, node: NodeId, value: &Value) -> bool {
        let failed = self.failed_tests(node, value);
        let accepted =
            |(_, rule): &(u32, Option<RuleId>)| duty(self.plan, *rule) == ReaderDuty::Accept;
        failed.iter().all(accepted)
    }

    /// Returns whether test number `number` is the first test of the node that `value` fails, and
    /// the failure violates `rule`.
    pub(super) fn breaks_first(
        &self,
        node: NodeId,
        value: &Value,
        number: u32,
        rule: Option<RuleId>,
    ) -> bool {
        let failed = self.failed_tests(node, value);
        // An earlier violation that readers must accept does not stop them; one that they may
        // reject can.
        let accepted = |rule: &Option<RuleId>| duty(self.plan, *rule) == ReaderDuty::Accept;
        let first = failed.iter().find(|(_, rule)| !accepted(rule));
        let known = first.is_none_or(|first| *first == (number, rule));
        known && failed.contains(&(number, rule))
    }

    /// Returns whether a later reference uses a row that contains `node` or that is defined inside
    /// `node`. A reader that continues after the fault would notice at that reference that the node
    /// has changed.
    pub(super) fn used_later(&self, node: NodeId) -> bool {
        let history = self.history();
        let end = self.node(node).end;
        history.definitions.iter().any(|row| {
            row.node < end
                && node < self.node(row.node).end
                && history.named_after(row.table, row.key, row.time)
        })
    }
}
