//! Numbers that tests forbid.

mod infeasible;
mod value;

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::terms::{EnumId, FlagsId, ReaderDuty};
use tracegauge_plan::{CheckKind, CheckPlan, Code, Derived, Kind, OpId, Plan};

use super::{Operator, Plant, Words, changes, hex};
use crate::fault::apply::{Attack, duty};
use crate::fault::evaluate::{Assumed, Moment, Value};
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::judged::{Test, test_of};
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::operator::Site;
use crate::fault::site::{Finder, Subject, gaps};
use crate::fault::slots::constants_in;
use crate::fault::splice::Edit;
use crate::fault::twin::Twin;
use value::candidate;

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
            all.extend(byte_swapped(finder.plan, field));
            all
        }
        CheckKind::Min(_) => vec![C::Below, C::Zero, C::Least],
        CheckKind::Max(_) => vec![C::Above, C::Greatest, C::Wraps],
        CheckKind::AnyOf(codes) => {
            let declared = codes
                .iter()
                .flat_map(|code| constants_in(finder.plan, *code));
            let mut all = undeclared(finder.plan, field, declared.collect());
            all.extend(byte_swapped(finder.plan, field));
            all
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
            let code = &finder.plan.codes[code.index()];
            if matches!(code, Code::Binary(BinaryOperator::Equal, ..)) {
                changes.extend(byte_swapped(finder.plan, field));
            }
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

/// Returns the change that reverses the bytes of a field, if the field has several.
fn byte_swapped(plan: &Plan, field: OpId) -> Option<Change> {
    let kind = &plan.op(field).kind;
    let has_several = matches!(kind, Kind::Integer(integer) if integer.width > 1);
    has_several.then_some(Change::Swapped)
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
