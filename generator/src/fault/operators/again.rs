//! Second definitions of table rows.

use std::collections::HashSet;

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{ReaderDuty, RuleId, TableId};
use tracegauge_plan::{AgainPlan, CheckKind, Code, Count, DefinePlan, Kind, OpId, Plan, Slot};

use super::{Plant, Words, changes, inside};
use crate::fault::apply::{At, Attack, duty};
use crate::fault::evaluate::{Moment, Value};
use crate::fault::events::Definition;
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::slots::{Holder, SlotIndex, slots_in};
use crate::fault::splice::{Edit, Place, Splice};
use crate::fault::text;
use crate::fault::twin::Twin;

changes! {
    /// How a row is repeated.
    pub enum Repetition {
        Same = "twice-same": "A table row is defined again with the same contents",
        /// The row is repeated with a different value in this field.
        Different(OpId) = "twice-different": "A table row is defined again with different contents",
        Overlapping = "numbers-overlap":
            "A list of table rows starts with a number that is already in use",
        /// The row is repeated with a different key, but with the same value where the values of all
        /// rows must differ. The number is the index of this constraint.
        SameColumn(usize) = "same-in-two-rows":
            "Two table rows have the same value although their values must differ",
    }
}

impl Plant for Repetition {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        for (row, define) in finder.definitions(id) {
            for (index, unique) in define.unique.iter().enumerate() {
                finder.add(unique.rule, row, Self::SameColumn(index));
            }
            let Some(again) = &define.again else {
                continue;
            };
            if again.same.is_some() {
                finder.add(again.same, row, Self::Same);
            }
            if again.other.is_some() || again.alike.is_some() {
                for field in (row.0 + 1..plan.op(row).end).map(OpId) {
                    if can_differ(plan, field) && !is_key(plan, &finder.slots, define, field) {
                        let rule = rule_of_change(plan, define, again, field);
                        finder.add(rule, field, Self::Different(row));
                    }
                }
            }
            if let Kind::Repeat(_) = plan.op(id).kind
                && let Some(first) = define.first_key(plan)
                && let Some(first) = finder.field_of(id, first)
                && again.other.is_some()
            {
                finder.add(again.other, first, Self::Overlapping);
            }
        }
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        match self {
            Self::SameColumn(index) if *index > 0 => Some(index.to_string()),
            _ => None,
        }
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        match *self {
            Self::Same => same(twin, node).ok_or(NoCase::Lacking),
            Self::Different(whole) => different(twin, site, node, whole),
            Self::Overlapping => overlapping(twin, node).ok_or(NoCase::Lacking),
            Self::SameColumn(index) => same_column(twin, node, index).ok_or(NoCase::Lacking),
        }
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        let is_changed = matches!(self, Self::Different(_));
        let steers = is_changed && reasons.slots.steers(reasons.plan, site.op);
        steers.then_some(Infeasibility::Steers)
    }
}

/// Returns whether a field can have a different value when its row is repeated.
fn can_differ(plan: &Plan, op: OpId) -> bool {
    let computed = plan.info(op).derived.is_some();
    !computed
        && matches!(
            plan.op(op).kind,
            Kind::Integer(_)
                | Kind::Variable(..)
                | Kind::Bits { .. }
                | Kind::Float { .. }
                | Kind::Guid(_)
                | Kind::Text(..)
                | Kind::Bytes(_)
                | Kind::Terminated(_)
                | Kind::Repeat(_)
        )
}

fn same(twin: &Twin<'_>, node: NodeId) -> Option<Attack> {
    let define = twin.define_of(node)?;
    let rule = define.again.as_ref()?.same;
    rule?;
    if !keeps_key(twin, define, node) {
        return None;
    }
    repeated(twin, node, None, rule)
}

fn different(twin: &Twin<'_>, site: &Site, node: NodeId, whole: OpId) -> Result<Attack, NoCase> {
    let row = twin.outward(node).find(|at| twin.node(*at).op == whole);
    let row = row.ok_or(NoCase::Lacking)?;
    let define = twin.define_of(row).ok_or(NoCase::Lacking)?;
    let again = define.again.as_ref().ok_or(NoCase::Lacking)?;
    let rule = rule_of_change(twin.plan, define, again, site.op);
    if rule.is_none()
        || !is_compared(twin, define, again, site.op)
        || is_key(twin.plan, &twin.slots, define, site.op)
        || !keeps_key(twin, define, row)
    {
        return Err(NoCase::Allowed);
    }
    if twin.slots.steers(twin.plan, twin.node(node).op) {
        return Err(NoCase::Uncontradicted);
    }
    let changed = changed(twin, node).ok_or(NoCase::Lacking)?;
    repeated(twin, row, Some(changed), rule).ok_or(NoCase::Lacking)
}

/// Returns whether a copy of a row has the same key. The copy of a row whose key is computed from its
/// position does not, nor does a copy that changes a register that numbers the rows.
fn keeps_key(twin: &Twin<'_>, define: &DefinePlan, row: NodeId) -> bool {
    let Some(key) = define.key.filter(|_| twin.numbered(row).is_none()) else {
        return true;
    };
    let own = twin.node(row).op;
    let copied = twin.element(row).unwrap_or(row);
    let reads_fields = |slot: &Slot| {
        let holder = twin.slots.holders(twin.plan, *slot, own).into_iter().next();
        holder.is_none_or(|holder| matches!(holder, Holder::Value(_)))
    };
    twin.plan.expressions_in(key).all(|code| match code {
        Code::Slot(slot) => reads_fields(slot),
        Code::Between(start, end) => reads_fields(start) && reads_fields(end),
        Code::Register(register) => {
            let mut settings = twin.history().settings_of(*register);
            !settings.any(|(node, _)| (copied..twin.node(copied).end).contains(&node))
        }
        _ => true,
    })
}

/// Repeats a row with a different key but the same value in a column whose values must be unique.
fn same_column(twin: &Twin<'_>, node: NodeId, index: usize) -> Option<Attack> {
    let define = twin.define_of(node)?;
    let unique = define.unique.get(index)?;
    let value = twin.evaluate(unique.by, Moment::after(twin, node), &Value::Absent)?;
    if value == Value::Absent {
        return None;
    }
    // A row identified by its position, or by a register that counts, has a different key wherever
    // it is repeated.
    let Some(key) = define.key.filter(|_| keeps_key(twin, define, node)) else {
        return repeated(twin, node, None, unique.rule);
    };
    let key = twin.key_field(key, node)?;
    let unused = unused_key(twin, define.table, key)?;
    repeated(twin, node, Some(twin.set(key, unused)?), unique.rule)
}

/// Copies the element that defines `row`, applies `edits` to the copy, and inserts it.
pub(super) fn repeated(
    twin: &Twin<'_>,
    row: NodeId,
    edits: impl IntoIterator<Item = Edit>,
    rule: Option<RuleId>,
) -> Option<Attack> {
    // Repeat the whole list if it numbers its rows: a single copied element would get a different
    // number.
    let whole = match twin.numbered(row) {
        Some(_) => twin.parent(row)?,
        None => row,
    };
    // The copy also repeats the earlier rows of the list unchanged. If that violates a rule, a
    // reader finds that violation first.
    let again = twin.define_of(row).and_then(|define| define.again.as_ref());
    let same = again.and_then(|again| again.same);
    let before = whole != row && twin.tree.children(whole).next() != Some(row);
    if before && same.is_some() && duty(twin.plan, same) == ReaderDuty::Reject {
        return None;
    }
    let element = twin.element(whole)?;
    let list = twin.parent(element)?;
    let history = twin.history();
    let known = history.definitions.iter().find(|known| known.node == row)?;
    let time = twin.node(element).end;
    let differs = !twin.repeat(list)?.unique.is_empty();
    if differs || !twin.is_elastic(list) || history.row(known.table, known.key, time).is_none() {
        return None;
    }
    let edits: Vec<Edit> = edits.into_iter().collect();
    let place = Place::After(element);
    let edit = match edits.is_empty() {
        true => twin.copied(element, place),
        false => {
            let splice = Splice {
                edits,
                ..Splice::default()
            };
            twin.copied_from(&twin.splice(&splice)?, element, place)?
        }
    };
    let number = twin.number(element) + 1;
    let path = twin.path_renumbered(row, element, number);
    let more = twin.node(row).span.start - twin.node(element).span.start;
    Some(Attack::new(edit, rule, path, At::Edit(0, more)))
}

/// Repeats the element that contains a list of numbered rows, and numbers the copied rows starting
/// with the last number of the original list. `first` is the field that stores the first number.
fn overlapping(twin: &Twin<'_>, first: NodeId) -> Option<Attack> {
    let history = twin.history();
    let of_list = |row: &&Definition| {
        let numbered = twin.numbered(row.node).is_some();
        let list = twin.parent(row.node).filter(|_| numbered);
        let define = twin.define_of(row.node);
        list.zip(define)
            .is_some_and(|(list, define)| twin.first_key(list, define) == Some(first))
    };
    let rows: Vec<&Definition> = history.definitions.iter().filter(of_list).collect();
    let (start, last) = (*rows.first()?, *rows.last()?);
    let again = twin.define_of(start.node)?.again.as_ref()?;
    if twin.bytes_of(start.node) == twin.bytes_of(last.node) {
        return None;
    }
    repeated(
        twin,
        start.node,
        Some(twin.set(first, last.key)?),
        again.other,
    )
}

/// Returns the rule that a row violates if it is repeated with a different value of `op`.
fn rule_of_change(plan: &Plan, define: &DefinePlan, again: &AgainPlan, op: OpId) -> Option<RuleId> {
    let Some((columns, rule)) = &again.alike else {
        return again.other;
    };
    let decides = columns.iter().any(|column| {
        let code = define.columns.get(*column);
        let slot = code.and_then(|code| match plan.codes[code.index()] {
            Code::Slot(slot) => Some(slot),
            _ => None,
        });
        slot.is_some() && slot == Some(plan.op(op).slot)
    });
    if decides { again.other } else { *rule }
}

/// Returns whether a repeated row counts as different if `op` has a different value in the
/// repetition.
fn is_compared(twin: &Twin<'_>, define: &DefinePlan, again: &AgainPlan, op: OpId) -> bool {
    again.bytes
        || again.columns.iter().any(|column| {
            let code = define.columns.get(*column);
            let slot = code.and_then(|code| match twin.plan.codes[code.index()] {
                Code::Slot(slot) => Some(slot),
                _ => None,
            });
            let known = slot.and_then(|slot| twin.slots.field(twin.plan, slot, define.row));
            known.is_some_and(|known| known <= op && op.0 < twin.plan.op(known).end)
        })
}

/// Returns whether the key of a row is computed from a field.
fn is_key(plan: &Plan, slots: &SlotIndex, define: &DefinePlan, field: OpId) -> bool {
    let mut read = HashSet::new();
    if let Some(key) = define.key {
        slots_in(plan, key, &mut read);
    }
    let mut holders = read
        .into_iter()
        .flat_map(|slot| slots.holders(plan, Slot(slot), field));
    holders.any(|holder| match holder {
        Holder::Value(op) => op <= field && field.0 < plan.op(op).end,
        _ => false,
    })
}

fn unused_key(twin: &Twin<'_>, table: TableId, key: NodeId) -> Option<i128> {
    let (least, greatest) = twin.value_range(key)?;
    let known = |candidate: i128| {
        let mut rows = twin.history().definitions.iter();
        rows.any(|row| row.table == table && row.key == candidate)
            || twin.is_before_file(table, candidate)
    };
    (1..65_536).find(|candidate| {
        (least..=greatest).contains(candidate)
            && !known(*candidate)
            && twin.failed_tests(key, &Value::Int(*candidate)).is_empty()
    })
}

/// Changes the value of a field to a different valid value.
fn changed(twin: &Twin<'_>, node: NodeId) -> Option<Edit> {
    let steers = twin.slots.steers(twin.plan, twin.node(node).op);
    match &twin.op(node).kind {
        Kind::Repeat(_) if twin.is_elastic(node) => {
            // The last element may end the list.
            let until = matches!(twin.repeat(node)?.count, Count::Until(_));
            let mut children = twin.tree.children(node);
            let left_out = match until {
                true => children.next().filter(|_| twin.tree.count(node) > 1)?,
                false => children.last()?,
            };
            Some(Edit::Remove { node: left_out })
        }
        Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. } if !steers => {
            let value = other_number(twin, node)?;
            twin.set(node, value)
        }
        Kind::Float { .. } | Kind::Guid(_) => {
            let mut bytes = twin.bytes_of(node).to_vec();
            *bytes.first_mut()? ^= 1;
            Some(Edit::Replace { node, bytes })
        }
        Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated(_) => {
            if inside::holds_more(twin.plan, twin.node(node).op) {
                return inside::renamed(twin, node);
            }
            let mut content = twin.tree.bytes(node)?.to_vec();
            match content.iter_mut().find(|byte| byte.is_ascii_alphanumeric()) {
                Some(letter) => *letter = if *letter == b'Q' { b'W' } else { b'Q' },
                None => content.push(b'Q'),
            }
            let held = twin
                .failed_tests(node, &Value::Bytes(content.clone()))
                .is_empty();
            held.then(|| text::replace(twin, node, content)).flatten()
        }
        _ => None,
    }
}

fn other_number(twin: &Twin<'_>, node: NodeId) -> Option<i128> {
    let old = twin.integer(node)?;
    let (least, greatest) = twin.value_range(node)?;
    let checks = twin.plan.tests_of(twin.node(node).op);
    let declared = checks.iter().flat_map(|check| match &check.kind {
        CheckKind::AnyOf(codes) => codes
            .iter()
            .filter_map(|code| match twin.plan.codes[code.index()] {
                Code::Int(value) => Some(value),
                _ => None,
            })
            .collect(),
        CheckKind::InEnum(index) => twin.plan.enums[*index]
            .members
            .iter()
            .map(|member| member.value)
            .collect(),
        _ => Vec::new(),
    });
    [old ^ 1, old.saturating_add(1), old.saturating_sub(1)]
        .into_iter()
        .chain(declared)
        .chain([0, 1, greatest])
        .find(|value| {
            *value != old
                && (least..=greatest).contains(value)
                && twin.failed_tests(node, &Value::Int(*value)).is_empty()
        })
}

#[cfg(test)]
mod tests {
    use super::Repetition;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_row_is_defined_twice() {
        let cases = planted::<Repetition>(
            r#"tables: { rows: { key: u1, row: row } }
types: { row: { defines: { table: rows, key: id, again: R }, seq: [ { id: id, type: u1 }, { id: v, type: u1 } ] } }
seq: [ { id: all, type: row, repeat: eos } ]"#,
            "0105",
        );
        assert_eq!(
            cases,
            [
                "R/twice-same/all 01050105 @2",
                "R/twice-different/all.v 01050104 @2"
            ]
        );
    }

    #[test]
    fn the_key_is_a_switch_or_is_chosen_by_an_instance() {
        let keys = [
            "seq: [ { id: id, type: { switch-on: _root.wide, cases: { 1: u2, _: u1 } } }, { id: v, type: u1 } ]",
            "seq: [ { id: a, type: u2, if: _root.wide == 1 }, { id: b, type: u1, if: _root.wide != 1 }, { id: v, type: u1 } ], instances: { id: { value: a else b } }",
        ];
        for key in keys {
            let cases = planted::<Repetition>(
                &format!(
                    "tables: {{ rows: {{ key: u2, row: row }} }}
types: {{ row: {{ defines: {{ table: rows, key: id, again: R }}, {key} }} }}
seq: [ {{ id: wide, type: u1 }}, {{ id: all, type: row, repeat: eos }} ]"
                ),
                "00 0105",
            );
            assert_eq!(
                cases,
                [
                    "R/twice-same/all 0001050105 @3",
                    "R/twice-different/all.v 0001050104 @3"
                ]
            );
        }
    }
    #[test]
    fn a_row_that_a_register_numbers_is_never_defined_twice() {
        let cases = planted::<Repetition>(
            r#"state: { next: { type: u1, initial: 0 } }
tables: { rows: { key: u1, row: row } }
types: { row: { defines: { table: rows, key: state.next, again: R, unique: { by: v, rule: R } }, sets: { next: state.next + 1 }, seq: [ { id: v, type: u1 } ] } }
seq: [ { id: all, type: row, repeat: eos } ]"#,
            "05",
        );
        assert_eq!(cases, ["R/same-in-two-rows/all 0505 @1"]);
    }
}
