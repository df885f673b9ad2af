//! Finds sites where a value that a test forbids can violate a rule.

use std::collections::HashSet;

use tracegauge_plan::terms::{EnumId, FlagsId, RuleId};
use tracegauge_plan::{CheckKind, CheckPlan, CodeId, Kind, OpId, Slot};

use super::{Finder, gaps};
use crate::fault::evaluate::known_bits;
use crate::fault::inside;
use crate::fault::number;
use crate::fault::operator::{Change, InsideChange, Operator, Test, TextChange};
use crate::fault::slots::{constants_in, slots_in};

impl Finder<'_> {
    /// Adds sites for the tests of a value and for standalone tests.
    pub(super) fn own_tests(&mut self, id: OpId) {
        let plan = self.plan;
        let op = plan.op(id);
        if matches!(op.kind, Kind::Contents(_) | Kind::Align { .. }) {
            return;
        }
        for number in 0..u32::from(op.checks.1) {
            let check = &plan.tests_of(id)[number as usize];
            let test = Test {
                owner: id,
                number,
                ending: false,
            };
            match &op.kind {
                Kind::Check => self.test_of_others(test, check),
                _ => self.test_of(id, test, check),
            }
        }
    }

    pub(super) fn endings(&mut self, id: OpId) {
        let plan = self.plan;
        let Some(index) = plan.info(id).effects else {
            return;
        };
        for (number, check) in plan.effects[index].checks.iter().enumerate() {
            let test = Test {
                owner: id,
                number: u32::try_from(number).unwrap_or(u32::MAX),
                ending: true,
            };
            match inside::null_field(plan, id, &check.kind) {
                Some(null) => {
                    let change = Operator::Inside(InsideChange::Null);
                    self.add(check.rule, null, change);
                }
                None => self.test_of_others(test, check),
            }
        }
    }

    /// Adds a site for a text field that describes fields, if the kind of a row requires particular
    /// fields.
    fn kinds_described(&mut self, id: OpId) {
        let tables = self.plan.tables.iter();
        let kinds = tables.flat_map(|table| &table.kinds);
        let rules: Vec<RuleId> = kinds.filter_map(|kind| kind.signature).collect();
        if let Some(rule) = rules.first() {
            let change = Operator::Inside(InsideChange::Kind);
            self.add(Some(*rule), id, change);
        }
    }

    /// Adds sites for a test of several fields: one for each field or, if the blamed field is
    /// computed, only for that field.
    fn test_of_others(&mut self, test: Test, check: &CheckPlan) {
        let plan = self.plan;
        let computed = check
            .blame
            .filter(|blame| plan.info(*blame).derived.is_some());
        let fields = match computed {
            Some(blame) => vec![blame],
            None => self.fields_in(test.owner, check),
        };
        for field in fields {
            if number::range(&plan.op(field).kind).is_some() {
                self.numbers(field, test, check);
            }
        }
    }

    /// Returns the fields that a test of `owner` reads.
    fn fields_in(&self, owner: OpId, check: &CheckPlan) -> Vec<OpId> {
        let mut slots = HashSet::new();
        for code in codes_of(check) {
            slots_in(self.plan, code, &mut slots);
        }
        let mut fields: Vec<OpId> = slots
            .into_iter()
            .filter_map(|slot| self.slots.field(self.plan, Slot(slot), owner))
            .collect();
        fields.sort_unstable();
        fields
    }

    fn test_of(&mut self, id: OpId, test: Test, check: &CheckPlan) {
        let kind = &self.plan.op(id).kind;
        let changes = match &check.kind {
            CheckKind::Json(id) => inside::json_changes(&self.plan.json[*id]),
            CheckKind::Signature(index) => {
                inside::signature_changes(self.plan, &self.plan.signatures[*index])
            }
            _ => Vec::new(),
        };
        if !changes.is_empty() {
            for (rule, change) in changes {
                self.add(rule, id, Operator::Inside(change));
            }
            if matches!(check.kind, CheckKind::Signature(_)) {
                self.kinds_described(id);
            }
            return;
        }
        if check.kind == CheckKind::NotEmpty {
            return self.add(check.rule, id, Operator::Empty);
        }
        if number::range(kind).is_some() {
            return self.numbers(id, test, check);
        }
        if matches!(kind, Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated(_)) {
            use TextChange as T;
            let changes = [T::LastByte, T::Case, T::Empty, T::Longer];
            self.add_all(check.rule, id, changes.map(|c| Operator::Text(test, c)));
        }
    }

    fn numbers(&mut self, field: OpId, test: Test, check: &CheckPlan) {
        if self.early.is_read(field) {
            return;
        }
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
                let kind = &self.plan.op(field).kind;
                if matches!(kind, Kind::Integer(integer) if integer.width > 1) {
                    all.push(C::Swapped);
                }
                all
            }
            CheckKind::Min(_) => vec![C::Below, C::Zero, C::Least],
            CheckKind::Max(_) => vec![C::Above, C::Greatest, C::Wraps],
            CheckKind::AnyOf(codes) => {
                let declared = codes.iter().flat_map(|code| constants_in(self.plan, *code));
                self.undeclared(field, declared.collect())
            }
            CheckKind::InEnum(set) => return self.members(field, test, check, *set),
            CheckKind::InFlags(set) => self.reserved_bits(field, *set),
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
                for value in constants_in(self.plan, *code) {
                    let near = [Some(value), value.checked_sub(1), value.checked_add(1)];
                    changes.extend(near.into_iter().flatten().map(C::Given));
                }
                changes.dedup();
                changes
            }
            CheckKind::NotEmpty => vec![C::Zero],
            #[allow(unreachable_patterns)]
            _ => Vec::new(),
        };
        let operators = changes
            .into_iter()
            .map(|change| Operator::Number(test, change));
        self.add_all(check.rule, field, operators);
    }

    fn undeclared(&self, field: OpId, declared: Vec<i128>) -> Vec<Change> {
        let range = number::range(&self.plan.op(field).kind);
        let undeclared = gaps(declared, range).into_iter().map(Change::Undeclared);
        undeclared.chain([Change::Wraps]).collect()
    }

    fn members(&mut self, field: OpId, test: Test, check: &CheckPlan, set: EnumId) {
        let members = &self.plan.enums[set].members;
        for member in members.iter().filter(|member| member.broken.is_some()) {
            let change = Change::Elsewhere(member.value);
            self.add(member.broken, field, Operator::Number(test, change));
        }
        if check.rule.is_some() {
            let declared = members.iter().map(|member| member.value).collect();
            let changes = self.undeclared(field, declared);
            let operators = changes
                .into_iter()
                .map(|change| Operator::Number(test, change));
            self.add_all(check.rule, field, operators);
        }
    }

    fn reserved_bits(&self, field: OpId, set: FlagsId) -> Vec<Change> {
        let bits = number::bits(&self.plan.op(field).kind).min(64);
        let reserved = ((1_i128 << bits) - 1) & !known_bits(self.plan, set);
        if reserved == 0 {
            return Vec::new();
        }
        let lowest = reserved & reserved.wrapping_neg();
        let highest = 1_i128 << (127 - reserved.leading_zeros());
        let mut found = vec![lowest, highest, reserved];
        found.dedup();
        found.into_iter().map(Change::ReservedBits).collect()
    }
}

fn codes_of(check: &CheckPlan) -> Vec<CodeId> {
    match &check.kind {
        CheckKind::Equal(code)
        | CheckKind::Min(code)
        | CheckKind::Max(code)
        | CheckKind::Holds(code) => vec![*code],
        CheckKind::AnyOf(codes) => codes.clone(),
        _ => Vec::new(),
    }
}
