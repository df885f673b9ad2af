//! Every place of a plan where a rule can be broken, and how.

use std::collections::HashSet;

use tracegauge_spec::plan::{
    CheckKind, CheckPlan, Code, CodeId, Count, Derived, Kind, OpId, Plan, Slot,
};
use tracegauge_spec::schema::{FaultKind, ReaderDuty};

use super::apply::{duty, fault};
use super::evaluate::known_bits;
use super::number;
use super::operator::{
    Change, ContentsChange, CutAt, ExtentChange, Missing, Operator, PartChange, Repetition, Site,
    Spelling, Tail, Test, TextChange,
};
use super::slots::{Holder, SlotIndex, constants_in, slots_in};
use super::text;

/// Gaps between declared values that are tried, besides the greatest value.
const MOST_GAPS: usize = 16;

/// Contents up to this many bytes are spoilt byte by byte.
const MOST_CONTENTS: usize = 16;

/// Every fault site of a plan, in the order of its operations.
pub fn sites(plan: &Plan) -> Vec<Site> {
    let mut finder = Finder {
        plan,
        slots: SlotIndex::new(plan),
        sites: Vec::new(),
    };
    for index in 0..plan.ops.len() {
        finder.operation(OpId(u32::try_from(index).unwrap_or(u32::MAX)));
    }
    finder.sites
}

struct Finder<'p> {
    plan: &'p Plan,
    slots: SlotIndex,
    sites: Vec<Site>,
}

impl Finder<'_> {
    /// A place where `rule` is broken, unless no file can show it. A description with rules
    /// says of everything that it forbids which one that breaks.
    fn add(&mut self, rule: Option<u32>, op: OpId, operator: Operator) {
        let unnamed = rule.is_none() && !self.plan.rules.is_empty();
        if !unnamed && duty(self.plan, rule) != ReaderDuty::None {
            self.sites.push(Site { rule, op, operator });
        }
    }

    fn add_all(
        &mut self,
        rule: Option<u32>,
        op: OpId,
        operators: impl IntoIterator<Item = Operator>,
    ) {
        for operator in operators {
            self.add(rule, op, operator);
        }
    }

    /// What is mapped for a kind of fault, where that is a fault at all.
    fn mapped(&mut self, kind: FaultKind, op: OpId, operators: impl IntoIterator<Item = Operator>) {
        if let Some(rule) = fault(self.plan, op, kind) {
            self.add_all(rule, op, operators);
        }
    }

    fn operation(&mut self, id: OpId) {
        let plan = self.plan;
        let op = plan.op(id);
        self.own_tests(id);
        self.endings(id);
        match &op.kind {
            Kind::Contents(constant) => {
                self.contents(id, plan.constants[*constant as usize].len());
            }
            Kind::Align { fill: Some(_), .. } => {
                let rule = self.first_rule(id);
                let fills = [false, true].map(|last| Operator::Fill { last });
                self.add_all(rule, id, fills);
            }
            Kind::Switch(index) => self.switch(*index),
            Kind::Repeat(index) => self.repeat(id, *index),
            Kind::Sized(_) => self.part(id),
            Kind::Variable(..) => self.variable(id),
            Kind::Layout(index) => self.layout(id, *index),
            Kind::Call(target) => {
                if let Some((_, enforced, rule)) = &plan.info(*target).depth {
                    for times in [enforced + 1, 10_000, 100_000] {
                        if times > *enforced {
                            self.add(*rule, id, Operator::Nested { times });
                        }
                    }
                }
            }
            kind => {
                if let Some(encoding) = text::encoding(kind) {
                    let classes = text::classes(encoding).iter();
                    let broken = classes.map(|(class, _)| Operator::IllFormed(class));
                    self.mapped(FaultKind::Encoding, id, broken);
                }
                if matches!(kind, Kind::Terminated { required: true, .. }) {
                    self.mapped(FaultKind::Terminator, id, [Operator::Open]);
                }
            }
        }
        self.cuts(id);
        self.written(id);
        self.rows(id);
        if id == OpId(0) {
            let tails = [Tail::Zero, Tail::Ones, Tail::Copy].map(Operator::Trailing);
            self.mapped(FaultKind::Trailing, id, tails);
        }
    }

    /// The field that an expression names alone.
    fn field_of(&self, code: CodeId) -> Option<OpId> {
        match self.plan.codes[code.index()] {
            Code::Slot(slot) => match self.slots.holder(slot) {
                Holder::Value(op) => Some(op),
                _ => None,
            },
            _ => None,
        }
    }

    /// How rows of a table can be gone before they are named.
    fn endings_of(&self, table: u32) -> Vec<Missing> {
        let effects = self.plan.effects.iter();
        let removed = effects.clone().any(|e| {
            e.removes
                .as_ref()
                .is_some_and(|remove| remove.table == table)
        });
        let cleared = effects
            .flat_map(|e| &e.clears)
            .any(|clear| clear.table.is_none_or(|of| of == table));
        let removed = removed.then_some(Missing::Removed);
        removed
            .into_iter()
            .chain(cleared.then_some(Missing::Cleared))
            .collect()
    }

    fn first_rule(&self, id: OpId) -> Option<u32> {
        let checks = self.plan.op(id).checks;
        (checks.1 > 0)
            .then(|| self.plan.checks[checks.0.0 as usize].rule)
            .flatten()
    }

    fn contents(&mut self, id: OpId, length: usize) {
        use ContentsChange as C;
        let rule = self.first_rule(id);
        let whole = [
            C::Flipped,
            C::Above,
            C::Below,
            C::Zero,
            C::AllOnes,
            C::Swapped,
            C::Short,
        ];
        self.add_all(rule, id, whole.map(Operator::Contents));
        // A reader may look at some of the bytes only.
        let each = (0..length.min(MOST_CONTENTS)).map(|at| Operator::Contents(C::Byte(at)));
        self.add_all(rule, id, each);
    }

    /// Tests of a value, and tests in their place.
    fn own_tests(&mut self, id: OpId) {
        let plan = self.plan;
        let op = plan.op(id);
        if matches!(op.kind, Kind::Contents(_) | Kind::Align { .. }) {
            return;
        }
        for number in 0..u32::from(op.checks.1) {
            let check = &plan.checks[op.checks.0.0 as usize + number as usize];
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

    fn endings(&mut self, id: OpId) {
        let plan = self.plan;
        let Some(index) = plan.info(id).effects else {
            return;
        };
        for (number, check) in plan.effects[index as usize].checks.iter().enumerate() {
            let test = Test {
                owner: id,
                number: u32::try_from(number).unwrap_or(u32::MAX),
                ending: true,
            };
            self.test_of_others(test, check);
        }
    }

    /// A test of several fields is broken by each of them in turn; a computed field by itself.
    fn test_of_others(&mut self, test: Test, check: &CheckPlan) {
        let plan = self.plan;
        let computed = check
            .blame
            .filter(|blame| plan.info(*blame).derived.is_some());
        let fields = match computed {
            Some(blame) => vec![blame],
            None => self.fields_in(check),
        };
        for field in fields {
            if number::range(&plan.op(field).kind).is_some() {
                self.numbers(field, test, check);
            }
        }
    }

    /// The fields that a test reads.
    fn fields_in(&self, check: &CheckPlan) -> Vec<OpId> {
        let mut slots = HashSet::new();
        for code in codes_of(check) {
            slots_in(self.plan, code, &mut slots);
        }
        let mut fields: Vec<OpId> = slots
            .into_iter()
            .filter_map(|slot| match self.slots.holder(Slot(slot)) {
                Holder::Value(op) => Some(op),
                _ => None,
            })
            .collect();
        fields.sort_unstable();
        fields
    }

    fn test_of(&mut self, id: OpId, test: Test, check: &CheckPlan) {
        let kind = &self.plan.op(id).kind;
        if check.kind == CheckKind::NotEmpty {
            return self.add(check.rule, id, Operator::Empty);
        }
        if number::range(kind).is_some() {
            return self.numbers(id, test, check);
        }
        if matches!(
            kind,
            Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated { .. }
        ) {
            use TextChange as T;
            let changes = [T::LastByte, T::Case, T::Empty, T::Longer];
            self.add_all(check.rule, id, changes.map(|c| Operator::Text(test, c)));
        }
    }

    fn numbers(&mut self, field: OpId, test: Test, check: &CheckPlan) {
        use Change as C;
        let changes: Vec<Change> = match &check.kind {
            CheckKind::Equal(_) => {
                let mut all = vec![C::Above, C::Below, C::Zero, C::AllOnes, C::Flipped];
                let kind = &self.plan.op(field).kind;
                if matches!(kind, Kind::Integer(integer) if integer.width > 1) {
                    all.push(C::Swapped);
                }
                all
            }
            CheckKind::Min(_) => vec![C::Below, C::Zero, C::Least],
            CheckKind::Max(_) => vec![C::Above, C::Greatest],
            CheckKind::AnyOf(codes) => {
                let declared = codes.iter().flat_map(|code| constants_in(self.plan, *code));
                self.undeclared(field, declared.collect())
            }
            CheckKind::InEnum(index) => return self.members(field, test, check, *index),
            CheckKind::InFlags(set) => self.reserved_bits(field, *set),
            CheckKind::Holds(code) => {
                let mut changes = vec![
                    C::Above,
                    C::Below,
                    C::Zero,
                    C::Greatest,
                    C::Least,
                    C::Flipped,
                ];
                for value in constants_in(self.plan, *code) {
                    changes.extend([value, value - 1, value + 1].map(C::Given));
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
        gaps(declared, range)
            .into_iter()
            .map(Change::Undeclared)
            .collect()
    }

    fn members(&mut self, field: OpId, test: Test, check: &CheckPlan, index: u32) {
        let members = &self.plan.enums[index as usize].members;
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

    fn reserved_bits(&self, field: OpId, set: u32) -> Vec<Change> {
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

    fn switch(&mut self, index: u32) {
        let plan = self.plan;
        let switch = &plan.switches[index as usize];
        let on = self.field_of(switch.on);
        let (Some(rule), None, Some(field)) = (switch.rule, switch.default, on) else {
            return;
        };
        let labels = switch.arms.iter().flat_map(|(values, _)| values).copied();
        let values = gaps(labels.collect(), number::range(&plan.op(field).kind));
        self.add_all(Some(rule), field, values.into_iter().map(Operator::NoArm));
    }

    fn repeat(&mut self, id: OpId, index: u32) {
        let repeat = &self.plan.repeats[index as usize];
        if matches!(repeat.count, Count::Until(_)) {
            self.sites.push(Site {
                rule: None,
                op: id,
                operator: Operator::EndMissing,
            });
        }
        if let Some((least, rule)) = repeat.at_least {
            if least > 1 {
                self.add(rule, id, Operator::TooFew { none: false });
            }
            self.add(rule, id, Operator::TooFew { none: true });
        }
        for (key, unique) in repeat.unique.iter().enumerate() {
            self.add(unique.rule, id, Operator::Duplicate { key });
        }
    }

    fn part(&mut self, id: OpId) {
        use PartChange as P;
        if !self.slots.is_measured(id) {
            return;
        }
        self.mapped(
            FaultKind::Rest,
            id,
            [P::ExtraByte, P::ExtraBytes].map(Operator::Part),
        );
        // What that breaks depends on what is inside.
        for change in [P::LastByteMissing, P::Empty] {
            self.sites.push(Site {
                rule: None,
                op: id,
                operator: Operator::Part(change),
            });
        }
    }

    fn variable(&mut self, id: OpId) {
        use Spelling as S;
        self.mapped(
            FaultKind::Overlong,
            id,
            [S::OneByteMore, S::MostBytes].map(Operator::Spelling),
        );
        self.mapped(FaultKind::Long, id, [Operator::Spelling(S::TooLong)]);
        self.mapped(
            FaultKind::Wide,
            id,
            [S::TooWide, S::AllOnes].map(Operator::Spelling),
        );
        self.sites.push(Site {
            rule: None,
            op: id,
            operator: Operator::Spelling(S::Unterminated),
        });
    }

    fn layout(&mut self, id: OpId, index: u32) {
        let plan = self.plan;
        let layout = &plan.layouts[index as usize];
        let described = plan
            .infos
            .iter()
            .position(|info| info.code_of.is_some_and(|code| code.0 == layout.layout));
        let range = described.and_then(|op| number::range(&plan.ops[op].kind));
        let codes = layout.codes.iter().map(|code| code.code).collect();
        let unknown = layout.unknown;
        let values = gaps(codes, range);
        self.add_all(unknown, id, values.into_iter().map(Operator::UnknownCode));
    }

    /// The file ends before or inside what reads bytes.
    fn cuts(&mut self, id: OpId) {
        let reads = !matches!(
            self.plan.op(id).kind,
            Kind::Structure
                | Kind::Call(_)
                | Kind::Repeat(_)
                | Kind::Switch(_)
                | Kind::Layout(_)
                | Kind::Sized(_)
                | Kind::Check
                | Kind::Bits { .. }
        );
        if reads {
            for at in [CutAt::Before, CutAt::Inside] {
                self.sites.push(Site {
                    rule: None,
                    op: id,
                    operator: Operator::Cut(at),
                });
            }
        }
    }

    /// Sizes and counts.
    fn written(&mut self, id: OpId) {
        use ExtentChange as E;
        if !matches!(self.plan.info(id).derived, Some(Derived::Measured { .. })) {
            return;
        }
        let changes = [
            E::OneLess,
            E::OneMore,
            E::Zero,
            E::ToEnd,
            E::PastEnd,
            E::Greatest,
            E::Negative,
        ];
        for change in changes {
            self.sites.push(Site {
                rule: None,
                op: id,
                operator: Operator::Extent(change),
            });
        }
    }

    /// Rows: named, defined, removed, carried.
    fn rows(&mut self, id: OpId) {
        use Missing as M;
        let plan = self.plan;
        let info = plan.info(id);
        if let Some(refs) = info.refs.map(|refs| &plan.refs[refs as usize]) {
            let never = [M::NeverDefined, M::NeverDefinedGreatest];
            self.add_all(refs.dangling, id, never.map(Operator::Dangling));
            let later = refs.later.or(refs.dangling);
            self.add(later, id, Operator::Dangling(M::DefinedLater));
            for gone in self.endings_of(refs.table) {
                self.add(refs.dangling, id, Operator::Dangling(gone));
            }
        }
        if let Some(carry) = info.carry.map(|carry| &plan.carries[carry as usize])
            && carry.add
            && carry.wraps.is_none()
        {
            let over = [true, false].map(|by_one| Operator::Overflow { by_one });
            self.add_all(carry.overflow, id, over);
        }
        let Some(effects) = info.effects.map(|index| &plan.effects[index as usize]) else {
            return;
        };
        if let Some(remove) = &effects.removes
            && let Some(rule) = remove.dangling
            && let Some(key) = self.field_of(remove.key)
        {
            let never = [M::NeverDefined, M::NeverDefinedGreatest];
            self.add_all(Some(rule), key, never.map(Operator::Dangling));
        }
        let Some(define) = &effects.defines else {
            return;
        };
        for (index, unique) in define.unique.iter().enumerate() {
            let same = Operator::Again(Repetition::SameColumn(index));
            self.add(unique.rule, id, same);
        }
        let Some(again) = &define.again else {
            return;
        };
        if again.same.is_some() {
            self.add(again.same, id, Operator::Again(Repetition::Same));
        }
        let key = define.key.and_then(|key| self.field_of(key));
        if again.other.is_some() {
            for field in id.0 + 1..plan.op(id).end {
                let different = Operator::Again(Repetition::Different(id));
                if can_differ(plan, OpId(field)) && Some(OpId(field)) != key {
                    self.add(again.other, OpId(field), different);
                }
            }
        }
    }
}

/// A row can have another value there.
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
                | Kind::Terminated { .. }
                | Kind::Repeat(_)
        )
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

/// Values that are not declared: the first of each gap, and the least and greatest of all.
fn gaps(mut declared: Vec<i128>, range: Option<(i128, i128)>) -> Vec<i128> {
    let (least, greatest) = range.unwrap_or((0, i128::from(u32::MAX)));
    declared.sort_unstable();
    declared.dedup();
    let is_free = |value: i128| {
        (least..=greatest).contains(&value) && declared.binary_search(&value).is_err()
    };
    let after = declared
        .iter()
        .map(|value| value + 1)
        .filter(|v| is_free(*v));
    let mut found: Vec<i128> = after.take(MOST_GAPS).collect();
    found.extend([least, greatest].into_iter().filter(|v| is_free(*v)));
    found.sort_unstable();
    found.dedup();
    found
}
