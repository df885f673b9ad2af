//! Numbers that tests forbid.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::evaluate::interval::Interval;
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::terms::{EnumId, FlagsId, ReaderDuty};
use tracegauge_plan::{CheckKind, CheckPlan, Code, CodeId, Derived, Kind, OpId, Plan};

use super::{Operator, Plant, Words, changes, hex};
use crate::fault::apply::{Attack, duty};
use crate::fault::evaluate::{Assumed, Moment, Value};
use crate::fault::infeasible::{Infeasibility, Known, Reasons};
use crate::fault::judged::{Judged, Test, broken_rule, test_of};
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::operator::Site;
use crate::fault::site::{Finder, Subject, gaps};
use crate::fault::slots::constants_in;
use crate::fault::splice::Edit;
use crate::fault::twin::Twin;

/// A number that a test forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ForbiddenNumber {
    /// The test.
    pub test: Test,
    /// How the number is changed.
    pub change: Change,
}

changes! {
    /// Numbers that tests forbid.
    pub enum Change {
        Above = "one-above": "A value is one above the maximum",
        Below = "one-below": "A value is one below the minimum",
        Zero = "zero": "All bits of the field are zero",
        AllOnes = "all-ones": "All bits of the field are set",
        Greatest = "greatest": "A number is the largest that can be encoded",
        Least = "least": "A number is the smallest that can be encoded",
        Swapped = "byte-swapped": "The bytes of the field are in reverse order",
        Flipped = "bit-flipped": "One bit of the field is flipped",
        /// A value that the description does not declare.
        Undeclared(i128) = "undeclared": "A value is not declared",
        /// A value that the description declares only for other dialects.
        Elsewhere(i128) = "undeclared-here":
            "A value is declared only for another dialect of the format",
        /// Bits that are set but have no name in the flag set.
        ReservedBits(i128) = "reserved-bits": "Reserved bits are set",
        Wraps = "wraps": "A number is valid only after truncation to fewer bits",
        /// A value that occurs in the test itself, or a neighboring value.
        Given(i128) = "value": "The value violates the rule",
    }
}

impl Plant for ForbiddenNumber {
    const WORDS: Words = Change::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        for tested in finder.tests(id) {
            let fields = match tested.subject {
                Subject::Number => vec![id],
                Subject::Fields(fields) => fields,
                _ => continue,
            };
            for field in fields {
                if plan.op(field).kind.range().is_some() && !finder.early.is_read(field) {
                    numbers(finder, field, tested.test, tested.check);
                }
            }
        }
    }

    fn name(&self) -> &'static str {
        self.change.word()
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        match self.change {
            Change::Undeclared(value) | Change::Elsewhere(value) | Change::ReservedBits(value) => {
                Some(hex(value))
            }
            Change::Given(value) => Some(value.to_string()),
            _ => None,
        }
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        plant(twin, site, node, *self)
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        reasons.number(site, self.test, self.change)
    }

    fn is_minor(&self, _: &Plan, _: &Site) -> bool {
        self.change == Change::Wraps
    }
}

/// Adds the sites of the numbers that a test forbids as the value of `field`.
fn numbers(finder: &mut Finder<'_>, field: OpId, test: Test, check: &CheckPlan) {
    use Change as C;
    let changes: Vec<Change> = match &check.kind {
        CheckKind::Equal(_) => {
            let mut all = vec![
                C::Above,
                C::Below,
                C::Zero,
                C::AllOnes,
                C::Flipped,
                C::Wraps,
            ];
            let kind = &finder.plan.op(field).kind;
            if matches!(kind, Kind::Integer(integer) if integer.width > 1) {
                all.push(C::Swapped);
            }
            all
        }
        CheckKind::Min(_) => vec![C::Below, C::Zero, C::Least],
        CheckKind::Max(_) => vec![C::Above, C::Greatest, C::Wraps],
        CheckKind::AnyOf(codes) => {
            let declared = codes
                .iter()
                .flat_map(|code| constants_in(finder.plan, *code));
            undeclared(finder.plan, field, declared.collect())
        }
        CheckKind::InEnum(set) => return members(finder, field, test, check, *set),
        CheckKind::InFlags(set) => reserved_bits(finder.plan, field, *set),
        CheckKind::Holds(code) => {
            let mut changes = vec![
                C::Above,
                C::Below,
                C::Zero,
                C::Greatest,
                C::Least,
                C::Flipped,
                C::Wraps,
            ];
            for value in constants_in(finder.plan, *code) {
                let near = [Some(value), value.checked_sub(1), value.checked_add(1)];
                changes.extend(near.into_iter().flatten().map(C::Given));
            }
            changes.dedup();
            changes
        }
        CheckKind::NotEmpty => vec![C::Zero],
        CheckKind::Json(_) | CheckKind::Signature(_) => return,
    };
    let operators = changes
        .into_iter()
        .map(|change| ForbiddenNumber { test, change });
    finder.add_all(check.rule, field, operators);
}

fn undeclared(plan: &Plan, field: OpId, declared: Vec<i128>) -> Vec<Change> {
    let range = plan.op(field).kind.range();
    let undeclared = gaps(declared, range).into_iter().map(Change::Undeclared);
    undeclared.chain([Change::Wraps]).collect()
}

fn members(finder: &mut Finder<'_>, field: OpId, test: Test, check: &CheckPlan, set: EnumId) {
    let members = &finder.plan.enums[set].members;
    for member in members.iter().filter(|member| member.broken.is_some()) {
        let change = Change::Elsewhere(member.value);
        finder.add(member.broken, field, ForbiddenNumber { test, change });
    }
    if check.rule.is_some() {
        let declared = members.iter().map(|member| member.value).collect();
        let changes = undeclared(finder.plan, field, declared);
        let operators = changes
            .into_iter()
            .map(|change| ForbiddenNumber { test, change });
        finder.add_all(check.rule, field, operators);
    }
}

fn reserved_bits(plan: &Plan, field: OpId, set: FlagsId) -> Vec<Change> {
    let bits = number::bits(&plan.op(field).kind).min(64);
    let reserved = ((1_i128 << bits) - 1) & !plan.flag_sets[set].mask();
    if reserved == 0 {
        return Vec::new();
    }
    let lowest = reserved & reserved.wrapping_neg();
    let highest = 1_i128 << (127 - reserved.leading_zeros());
    let mut found = vec![lowest, highest, reserved];
    found.dedup();
    found.into_iter().map(Change::ReservedBits).collect()
}

/// Sets a number to a value that a test forbids.
fn plant(
    twin: &Twin<'_>,
    site: &Site,
    node: NodeId,
    ForbiddenNumber { test, change }: ForbiddenNumber,
) -> Result<Attack, NoCase> {
    let judged = twin.judged(test, node).ok_or(NoCase::Lacking)?;
    let check = test_of(twin.plan, test).ok_or(NoCase::Lacking)?;
    let number = ForbiddenNumber { test, change };
    let value = candidate(twin, node, check, &judged, number)?.ok_or(NoCase::Inexpressible)?;
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
            ..Assumed::default()
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
    ForbiddenNumber { test, change }: ForbiddenNumber,
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
    let is_own = test.owner == twin.node(node).op;
    let forbidden = |value: &i128| {
        let number = Value::Int(*value);
        let values = [(node, *value)];
        let holds = match is_own {
            true => twin.check_holds(&check.kind, judged.at, &number),
            false => {
                let at = judged.at.assuming(Assumed {
                    values: &values,
                    ..Assumed::default()
                });
                twin.check_holds(&check.kind, at, &Value::Absent)
            }
        };
        holds == Some(false)
    };
    if matches!(check.kind, CheckKind::Holds(_))
        && let Some(value) = first_forbidden(old, range, forbidden, change)
    {
        return Ok(Some(value));
    }
    let value = changed_number(&twin.op(node).kind, range, (old, bound), forbidden, change);
    let value = value.filter(|value| (range.0..=range.1).contains(value));
    if let CheckKind::Holds(code) = check.kind
        && change == Change::Above
        && !value.as_ref().is_some_and(forbidden)
    {
        let mut compared = compared_with(twin, code, judged, old);
        return Ok(compared.find(forbidden).or(value));
    }
    Ok(value)
}

/// Returns the values that a condition compares with others for equality, except constants, which
/// have cases of their own. A condition may forbid a number only because it equals another value of
/// the trace.
fn compared_with<'t>(
    twin: &'t Twin<'_>,
    code: CodeId,
    judged: &'t Judged,
    old: i128,
) -> impl Iterator<Item = i128> + 't {
    let operands = twin.plan.expressions_in(code).flat_map(|code| match code {
        Code::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, left, right) => {
            vec![*left, *right]
        }
        _ => Vec::new(),
    });
    let operands = operands.filter(|code| !matches!(twin.plan.codes[code.index()], Code::Int(_)));
    let value = move |code| twin.evaluate(code, judged.at, &Value::Int(old))?.integer();
    operands.filter_map(value)
}

/// Returns the number nearest to the old value, above or below it, that a condition forbids, if the
/// condition allows the old value and forbids the last number in this direction.
fn first_forbidden(
    old: i128,
    (least, greatest): (i128, i128),
    forbidden: impl Fn(&i128) -> bool,
    change: Change,
) -> Option<i128> {
    let last = match change {
        Change::Above => greatest,
        Change::Below => least,
        _ => return None,
    };
    if forbidden(&old) || !forbidden(&last) {
        return None;
    }
    let (mut allowed, mut found) = (old, last);
    while allowed.abs_diff(found) > 1 {
        let middle = allowed.midpoint(found);
        match forbidden(&middle) {
            true => found = middle,
            false => allowed = middle,
        }
    }
    Some(found)
}

/// Returns the edit that gives a field the last number that a test allows, if the fault at `site` is
/// a number one above or one below it. A limit that is the same in every trace gets no edit, because
/// it is the end of the field's range.
pub fn at_limit(twin: &Twin<'_>, site: &Site, node: NodeId) -> Option<Edit> {
    let Operator::Number(number) = &site.operator else {
        return None;
    };
    let inward = match number.change {
        Change::Above => -1,
        Change::Below => 1,
        _ => return None,
    };
    let judged = twin.judged(number.test, node)?;
    let check = test_of(twin.plan, number.test)?;
    let is_constant = match check.kind {
        CheckKind::Min(code) | CheckKind::Max(code) => {
            matches!(twin.plan.codes[code.index()], Code::Int(_))
        }
        CheckKind::Holds(_) => false,
        _ => true,
    };
    if is_constant && check.condition.is_none() {
        return None;
    }
    let forbidden = candidate(twin, node, check, &judged, *number).ok()??;
    twin.set(node, forbidden.checked_add(inward)?)
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
fn wrapped(kind: &Kind, value: i128) -> i128 {
    let bits = number::bits(kind).clamp(1, 64);
    let value = value & ((1_i128 << bits) - 1);
    match kind.range() {
        Some((least, greatest)) if least < 0 && value > greatest => value - (1_i128 << bits),
        _ => value,
    }
}

fn swapped(kind: &Kind, value: i128) -> Option<i128> {
    let Kind::Integer(integer) = kind else {
        return None;
    };
    let mut bytes = number::whole(*integer, value);
    bytes.reverse();
    number::wire(kind, &bytes)
}

impl Reasons<'_> {
    fn number(&self, site: &Site, test: Test, change: Change) -> Option<Infeasibility> {
        let own = test.owner == site.op;
        let info = self.plan.info(site.op);
        let measures = matches!(info.derived, Some(Derived::Measured { .. }));
        // A field that only marks the following contents as null or present may do so with several
        // values, so a different value does not necessarily change what is read.
        if !own && self.slots.steers(self.plan, site.op) && (info.null.is_none() || measures) {
            return Some(Infeasibility::Steers);
        }
        if change == Change::Wraps
            && let Some(reason) = self.wraps(site.op)
        {
            return Some(reason);
        }
        let (least, greatest) = self.range(site.op)?;
        let check = test_of(self.plan, test)?;
        let Some(value) = self.value(site.op, check, change) else {
            let values = self.values(site.op, check, change)?;
            let known = Known {
                at: site.op,
                this: own.then_some(values),
                field: None,
                fields: own,
            };
            return self
                .never_fails(check, known)
                .then_some(Infeasibility::Holds);
        };
        if !(least..=greatest).contains(&value) {
            return Some(Infeasibility::OutOfRange);
        }
        let known = Known {
            at: if own { site.op } else { test.owner },
            this: own.then_some(Interval::only(value)),
            field: Some((site.op, value)),
            fields: true,
        };
        if self.never_fails(check, known) {
            return Some(Infeasibility::Holds);
        }
        if !own {
            return self.stopped(site.op, value, usize::MAX);
        }
        if broken_rule(self.plan, check, Some(value)) != site.rule {
            return Some(Infeasibility::OtherRule);
        }
        self.stopped(site.op, value, test.number as usize)
    }

    fn never_fails(&self, check: &CheckPlan, known: Known) -> bool {
        self.asked(check.condition, known) == Some(false)
            || self.holds(&check.kind, known) == Some(true)
    }

    /// Returns the possible results of a change that depends on a value in the trace.
    fn values(&self, op: OpId, check: &CheckPlan, change: Change) -> Option<Interval> {
        let (least, greatest) = self.range(op)?;
        let bound = matches!(
            check.kind,
            CheckKind::Equal(_) | CheckKind::Min(_) | CheckKind::Max(_)
        );
        match change {
            Change::Above if !bound => Interval::checked(least.checked_add(1)?, greatest),
            Change::Below if !bound => Interval::checked(least, greatest.checked_sub(1)?),
            Change::Wraps if !bound => {
                let wrap = number::wrap(&self.plan.op(op).kind)?;
                Interval::checked(least + wrap, greatest)
            }
            _ => None,
        }
    }

    /// Returns the result of a change if it is the same in every trace.
    fn value(&self, op: OpId, check: &CheckPlan, change: Change) -> Option<i128> {
        let kind = &self.plan.op(op).kind;
        let bound = || match &check.kind {
            CheckKind::Equal(code) | CheckKind::Min(code) | CheckKind::Max(code) => {
                self.constant(*code)
            }
            _ => None,
        };
        match change {
            Change::Above => bound()?.checked_add(1),
            Change::Below => bound()?.checked_sub(1),
            Change::Zero => Some(0),
            Change::AllOnes => Some(wrapped(kind, -1)),
            Change::Greatest => Some(self.range(op)?.1),
            Change::Least => Some(self.range(op)?.0),
            Change::Swapped => swapped(kind, bound()?),
            Change::Flipped => {
                let highest = number::bits(kind).checked_sub(1)?;
                Some(wrapped(kind, bound()? ^ 1_i128.checked_shl(highest)?))
            }
            Change::Undeclared(value) | Change::Elsewhere(value) | Change::Given(value) => {
                Some(value)
            }
            Change::ReservedBits(_) | Change::Wraps => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ForbiddenNumber;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_number_is_above_its_maximum() {
        let cases = planted::<ForbiddenNumber>(
            r#"seq: [ { id: a, type: u1, valid: { max: 9, rule: R } } ]"#,
            "05",
        );
        assert_eq!(cases, ["R/one-above/a 0a @0", "R/greatest/a ff @0"]);
    }

    #[test]
    fn a_number_is_the_first_one_that_a_condition_forbids() {
        let cases = planted::<ForbiddenNumber>(
            r#"seq: [ { id: a, type: u1 }, { id: b, type: u1, valid: { expr: a + _ <= 20, rule: R } } ]"#,
            "0503",
        );
        assert_eq!(cases[0], "R/one-above/b 0510 @1");
    }
    #[test]
    fn a_bound_comes_from_a_row_that_a_register_numbers() {
        let cases = planted::<ForbiddenNumber>(
            r#"state: { next: { type: u4, initial: 3 } }
tables: { rows: { key: u4, row: row } }
types:
  row: { defines: { table: rows, key: state.next }, sets: { next: state.next + 1 }, seq: [ { id: most, type: u1 } ] }
seq:
  - { id: all, type: row, repeat: expr, repeat-expr: 2 }
  - { id: id, type: u1, refs: rows, dangling: R }
  - { id: value, type: u1, valid: { max: rows.get(id).most, rule: R } }"#,
            "0907 04 05",
        );
        assert_eq!(
            cases,
            [
                "R/one-above/value 09070408 @3",
                "R/greatest/value 090704ff @3"
            ]
        );
    }
    #[test]
    fn a_number_equals_the_one_that_it_must_differ_from() {
        let cases = planted::<ForbiddenNumber>(
            r#"seq: [ { id: a, type: u2le }, { id: b, type: u2le, valid: { expr: _ != a, rule: R } } ]"#,
            "2c01 0700",
        );
        assert_eq!(cases, ["R/one-above/b 2c012c01 @2"]);
    }
}
