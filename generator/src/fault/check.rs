//! Plants values that tests forbid.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{CheckKind, CheckPlan, Derived, Kind, OpId, Plan};

use super::apply::{At, Attack, duty};
use super::evaluate::{Assumed, Moment, Value};
use super::no_case::NoCase;
use super::number;
use super::operator::{Change, ContentsChange, Site, Test};
use super::splice::Edit;
use super::twin::Twin;

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
                    .is_some_and(|value| value != Value::Int(0) && value != Value::Absent)
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

/// Sets a number to a value that a test forbids.
pub(super) fn number(
    twin: &Twin<'_>,
    site: &Site,
    node: NodeId,
    test: Test,
    change: Change,
) -> Result<Attack, NoCase> {
    let judged = twin.judged(test, node).ok_or(NoCase::Lacking)?;
    let check = test_of(twin.plan, test).ok_or(NoCase::Lacking)?;
    let value = candidate(twin, node, check, &judged, change)?.ok_or(NoCase::Inexpressible)?;
    if Some(value) == twin.integer(node) {
        return Err(NoCase::Allowed);
    }
    let strict = duty(twin.plan, site.rule) == ReaderDuty::Reject;
    let own = test.owner == twin.node(node).op;
    if own {
        if !twin.breaks_first(node, &Value::Int(value), test.number, site.rule) {
            let failed = twin.failed_tests(node, &Value::Int(value));
            return Err(match failed.contains(&(test.number, site.rule)) {
                true => NoCase::Overtaken,
                false => NoCase::Allowed,
            });
        }
        // If the field refers to a row, the new value may be the key of no row. A reader would then
        // reject this reference, so the trace would not show that the violation is tolerated.
        let names = twin.info(node).refs.map(|refs| &twin.plan.refs[refs]);
        let tolerated = duty(twin.plan, site.rule) != ReaderDuty::Reject;
        if tolerated
            && names.is_some_and(|refs| duty(twin.plan, refs.dangling) == ReaderDuty::Reject)
        {
            return Err(NoCase::Overtaken);
        }
    } else {
        let values = [(node, value)];
        let at = judged.at.assuming(Assumed {
            values: &values,
            counts: &[],
            spans: None,
            texts: &[],
        });
        if twin.slots.steers(twin.plan, twin.node(node).op) && !says_null_alike(twin, node, value) {
            return Err(NoCase::Uncontradicted);
        }
        let asked = twin.holds(check.condition, at).ok_or(NoCase::Lacking)?;
        let holds = twin.check_holds(&check.kind, at, &Value::Absent);
        if !asked || holds.ok_or(NoCase::Lacking)? {
            return Err(NoCase::Allowed);
        }
        if !twin.failed_tests(node, &Value::Int(value)).is_empty()
            || !strict && names_nothing(twin, node, value)
        {
            return Err(NoCase::Overtaken);
        }
    }
    if !strict && turns(twin, node, value) {
        return Err(NoCase::Uncontradicted);
    }
    let edit = twin.set(node, value).ok_or(NoCase::Inexpressible)?;
    Ok(Attack::new(edit, site.rule, judged.path, judged.start))
}

/// Returns whether a key refers to a row that does not exist, and readers must reject such a
/// reference.
fn names_nothing(twin: &Twin<'_>, node: NodeId, key: i128) -> bool {
    let refs = twin.info(node).refs;
    let Some(refs) = refs.map(|refs| &twin.plan.refs[refs]) else {
        return false;
    };
    let none = refs.none.and_then(|none| {
        let none = twin.evaluate(none, Moment::before(node), &Value::Absent)?;
        none.integer()
    });
    none != Some(key)
        && duty(twin.plan, refs.dangling) == ReaderDuty::Reject
        && twin.history().row(refs.table, key, node).is_none()
}

/// Returns whether the field only indicates null, and `value` has the same meaning as the current
/// value: null, or not null.
fn says_null_alike(twin: &Twin<'_>, node: NodeId, value: i128) -> bool {
    let info = twin.info(node);
    let measures = matches!(info.derived, Some(Derived::Measured { .. }));
    let old = twin.integer(node);
    info.null
        .is_some_and(|null| !measures && (value == null) == (old == Some(null)))
}

/// Returns whether the field controls what is read, and the change turns zero into a nonzero value
/// or vice versa.
fn turns(twin: &Twin<'_>, node: NodeId, value: i128) -> bool {
    let differs = twin.integer(node).map(|old| old != 0) != Some(value != 0);
    differs && twin.slots.steers(twin.plan, twin.node(node).op)
}

/// Returns the value that a change produces, or `None` if the field cannot represent it.
fn candidate(
    twin: &Twin<'_>,
    node: NodeId,
    check: &CheckPlan,
    judged: &Judged,
    change: Change,
) -> Result<Option<i128>, NoCase> {
    let old = twin.integer(node).ok_or(NoCase::Lacking)?;
    let bound = match &check.kind {
        CheckKind::Equal(code) | CheckKind::Min(code) | CheckKind::Max(code) => {
            let bound = twin.evaluate(*code, judged.at, &Value::Int(old));
            bound.and_then(|bound| bound.integer())
        }
        _ => Some(old),
    };
    // The test may compare the field with something that this trace lacks.
    let bound = bound.ok_or(NoCase::Lacking)?;
    let range = twin.value_range(node).ok_or(NoCase::Lacking)?;
    let forbidden = |value: &i128| {
        let value = Value::Int(*value);
        twin.check_holds(&check.kind, judged.at, &value) == Some(false)
    };
    let value = changed_number(&twin.op(node).kind, range, (old, bound), forbidden, change);
    Ok(value.filter(|value| (range.0..=range.1).contains(value)))
}

/// Returns the number that results from changing the old value of a field, or the bound of its
/// test, within the range of the field.
fn changed_number(
    kind: &Kind,
    (least, greatest): (i128, i128),
    (old, bound): (i128, i128),
    forbidden: impl Fn(&i128) -> bool,
    change: Change,
) -> Option<i128> {
    Some(match change {
        Change::Above => bound.checked_add(1)?,
        Change::Below => bound.checked_sub(1)?,
        Change::Zero => 0,
        Change::AllOnes => wrapped(kind, -1),
        Change::Greatest => greatest,
        Change::Least => least,
        Change::Swapped => swapped(kind, bound)?,
        Change::Flipped => {
            let bits = number::bits(kind);
            wrapped(kind, bound ^ 1_i128.checked_shl(bits.checked_sub(1)?)?)
        }
        Change::Undeclared(value) | Change::Elsewhere(value) | Change::Given(value) => value,
        Change::ReservedBits(bits) => old | bits,
        Change::Wraps => {
            let wrap = number::wrap(kind)?;
            // Truncated to fewer bits, one candidate equals the old value, and the other equals the
            // bound.
            let wrapped = [old, bound].map(|value| value.saturating_add(wrap));
            wrapped.into_iter().find(forbidden).unwrap_or(wrapped[0])
        }
    })
}

/// Truncates a value to the width of a field.
pub(super) fn wrapped(kind: &Kind, value: i128) -> i128 {
    let bits = number::bits(kind).clamp(1, 64);
    let value = value & ((1_i128 << bits) - 1);
    match number::range(kind) {
        Some((least, greatest)) if least < 0 && value > greatest => value - (1_i128 << bits),
        _ => value,
    }
}

pub(super) fn swapped(kind: &Kind, value: i128) -> Option<i128> {
    let Kind::Integer(integer) = kind else {
        return None;
    };
    let mut bytes = number::whole(*integer, value);
    bytes.reverse();
    number::wire(kind, &bytes)
}

/// Replaces required constant bytes.
pub(super) fn contents(
    twin: &Twin<'_>,
    site: &Site,
    node: NodeId,
    change: ContentsChange,
) -> Result<Attack, NoCase> {
    let old = twin.bytes_of(node);
    let bytes = changed(twin, node, change).ok_or(NoCase::Inexpressible)?;
    if bytes == old {
        return Err(NoCase::Allowed);
    }
    let edit = Edit::Replace { node, bytes };
    Ok(Attack::new(
        edit,
        site.rule,
        twin.path(node),
        At::Node(node, 0),
    ))
}

/// Returns the changed bytes of a node.
fn changed(twin: &Twin<'_>, node: NodeId, change: ContentsChange) -> Option<Vec<u8>> {
    let old = twin.bytes_of(node);
    let mut bytes = old.to_vec();
    let last = bytes.len().checked_sub(1)?;
    match change {
        ContentsChange::Flipped => bytes[0] ^= 1,
        ContentsChange::Above => bytes[last] = bytes[last].checked_add(1)?,
        ContentsChange::Below => bytes[last] = bytes[last].checked_sub(1)?,
        ContentsChange::Zero => bytes.fill(0),
        ContentsChange::AllOnes => bytes.fill(0xff),
        ContentsChange::Swapped => bytes.reverse(),
        ContentsChange::Short => {
            bytes.truncate(last);
            // The following byte must differ from the omitted one, and the part must not end before
            // it.
            let end = twin.node(node).span.end;
            let limit = twin.limit(node).end;
            let next = twin.slice(end, limit.min(end + 1)).first()?;
            if *next == old[last] {
                return None;
            }
        }
        ContentsChange::Byte(index) => *bytes.get_mut(index)? ^= 0x20,
    }
    Some(bytes)
}

/// Changes a byte of padding.
pub(super) fn fill(twin: &Twin<'_>, site: &Site, node: NodeId, last: bool) -> Option<Attack> {
    let mut bytes = twin.bytes_of(node).to_vec();
    if last && bytes.len() < 2 {
        return None;
    }
    let place = if last {
        bytes.last_mut()
    } else {
        bytes.first_mut()
    };
    let place = place?;
    *place = !*place;
    let edit = Edit::Replace { node, bytes };
    Some(Attack::new(
        edit,
        site.rule,
        twin.path(node),
        At::Node(node, 0),
    ))
}

/// Sets a number to a value that selects no arm of a switch.
pub(super) fn no_arm(twin: &Twin<'_>, site: &Site, node: NodeId, value: i128) -> Option<Attack> {
    if !twin.failed_tests(node, &Value::Int(value)).is_empty() {
        return None;
    }
    let own = twin.plan.op(site.op).slot;
    let selects = |op: OpId| match twin.plan.op(op).kind {
        Kind::Switch(index) => {
            let switch = &twin.plan.switches[index];
            switch.rule == site.rule
                && twin.plan.codes[switch.on.index()] == tracegauge_plan::Code::Slot(own)
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
