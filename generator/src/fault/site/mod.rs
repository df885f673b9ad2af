//! Finds every operation of a plan where a rule can be violated, and the operators that apply to
//! the operation.

mod early;
mod rows;
mod tests;

use tracegauge_plan::terms::{FaultKind, ReaderDuty, RuleId};
use tracegauge_plan::{Around, Code, CodeId, Derived, Kind, OpId, Plan};

use super::apply::{duty, fault};
use super::operator::{
    ContentsChange, CutAt, EncodingForm, ExtentChange, Operator, PartChange, Site, Tail,
};
use super::slots::SlotIndex;
use super::text;

/// The maximum number of undeclared values to try between declared values, in addition to the
/// minimum and the maximum value.
const MOST_GAPS: usize = 16;

/// The maximum size in bytes of a constant in which each byte is changed separately.
const MOST_CONTENTS: usize = 16;

/// Returns every fault site of a plan, in the order of its operations.
pub fn sites(plan: &Plan) -> Vec<Site> {
    let mut finder = Finder {
        plan,
        slots: SlotIndex::new(plan),
        early: early::Early::new(plan),
        around: plan.surroundings(),
        sites: Vec::new(),
    };
    for index in 0..plan.ops.len() {
        let id = OpId::from(index);
        // An instance at a position has no bytes of its own to change.
        if !finder.early.is_inside(id) {
            finder.operation(id);
        }
    }
    finder.sites
}

struct Finder<'p> {
    plan: &'p Plan,
    slots: SlotIndex,
    early: early::Early,
    around: Vec<Around>,
    sites: Vec<Site>,
}

impl Finder<'_> {
    /// Adds a site at which `rule` is violated, unless the rule requires nothing of readers. If the
    /// description has any rules, violations without a rule are ignored, because a description must
    /// name a rule for everything that it forbids.
    fn add(&mut self, rule: Option<RuleId>, op: OpId, operator: Operator) {
        let unnamed = rule.is_none() && !self.plan.rules.is_empty();
        if !unnamed && duty(self.plan, rule) != ReaderDuty::None {
            self.sites.push(Site { rule, op, operator });
        }
    }

    fn add_all(
        &mut self,
        rule: Option<RuleId>,
        op: OpId,
        operators: impl IntoIterator<Item = Operator>,
    ) {
        for operator in operators {
            self.add(rule, op, operator);
        }
    }

    /// Adds sites for the rule that a kind of fault violates, if there is such a rule.
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
                self.contents(id, plan.constants[*constant].len());
            }
            Kind::Align { fill: Some(_), .. } => {
                let rule = self.first_rule(id);
                let fills = [false, true].map(|last| Operator::Fill { last });
                self.add_all(rule, id, fills);
            }
            Kind::Switch(index) => self.switch(id, *index),
            Kind::Repeat(index) => self.repeat(id, *index),
            Kind::Sized(_) => self.part(id),
            Kind::Variable(..) => self.variable(id),
            Kind::Layout(index) => self.layout(id, *index),
            Kind::Nested(index) => self.located(id, *index),
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
                    for (class, bad) in text::classes(encoding) {
                        let kind = text::kind(plan, id, encoding, bad);
                        self.mapped(kind, id, [Operator::IllFormed(class)]);
                    }
                }
                if matches!(kind, Kind::Terminated(ending) if ending.required) {
                    self.mapped(FaultKind::Terminator, id, [Operator::Open]);
                }
            }
        }
        self.types(id);
        self.cuts(id);
        self.written(id);
        self.rows(id);
        if id == OpId(0) && !self.early.moves_with_the_end() {
            let tails = [Tail::Zero, Tail::Ones, Tail::Copy].map(Operator::Trailing);
            self.mapped(FaultKind::Trailing, id, tails);
        }
    }

    /// Returns the field that an expression of operation `id` refers to, if the expression consists
    /// of a single field.
    fn field_of(&self, id: OpId, code: CodeId) -> Option<OpId> {
        match self.plan.codes[code.index()] {
            Code::Slot(slot) => self.slots.field(self.plan, slot, id),
            _ => None,
        }
    }

    fn first_rule(&self, id: OpId) -> Option<RuleId> {
        self.plan.tests_of(id).first()?.rule
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
        // A reader may compare only some of the bytes.
        let each = (0..length.min(MOST_CONTENTS)).map(|at| Operator::Contents(C::Byte(at)));
        self.add_all(rule, id, each);
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
        // The violated rule depends on the contents of the part.
        for change in [P::LastByteMissing, P::Empty] {
            self.sites.push(Site {
                rule: None,
                op: id,
                operator: Operator::Part(change),
            });
        }
    }

    fn variable(&mut self, id: OpId) {
        use EncodingForm as S;
        self.mapped(
            FaultKind::Overlong,
            id,
            [S::OneByteMore, S::MostBytes].map(Operator::EncodingForm),
        );
        self.mapped(FaultKind::Long, id, [Operator::EncodingForm(S::TooLong)]);
        self.mapped(
            FaultKind::Wide,
            id,
            [S::TooWide, S::AllOnes].map(Operator::EncodingForm),
        );
        self.sites.push(Site {
            rule: None,
            op: id,
            operator: Operator::EncodingForm(S::Unterminated),
        });
    }

    /// Adds sites where the file or the enclosing sized part ends before or inside a field.
    fn cuts(&mut self, id: OpId) {
        let reads = !matches!(
            self.plan.op(id).kind,
            Kind::Structure
                | Kind::Call(_)
                | Kind::Repeat(_)
                | Kind::Switch(_)
                | Kind::Layout(_)
                | Kind::Nested(_)
                | Kind::Sized(_)
                | Kind::Check
                | Kind::Bits { .. }
        );
        if !reads {
            return;
        }
        let around = self.around[id.index()];
        let mut cuts = Vec::new();
        if !self.early.is_after_the_end(id) {
            // Inside a part, a reader encounters the end of the file at the start of the part,
            // wherever the cut is. One site for each structure is therefore enough.
            let around_it = self.plan.info(id).parent;
            let first = around_it.and_then(|it| self.plan.children(it).next());
            if around.file || first == Some(id) {
                cuts.push(Operator::Cut(CutAt::Before));
            }
            if around.file {
                cuts.push(Operator::Cut(CutAt::Inside));
            }
        }
        if around.part {
            cuts.push(Operator::Part(PartChange::EndsInside));
            if self.is_last_required(id) {
                cuts.push(Operator::Part(PartChange::EndsBefore));
            }
        }
        self.sites.extend(cuts.into_iter().map(|operator| Site {
            rule: None,
            op: id,
            operator,
        }));
    }

    /// Returns true if the sized part around a field may end right after the field. A reader that
    /// treats the field itself as optional notices nothing if the part ends right before it.
    /// Excludes fields that may consist of a single byte: for these fields, ending the part one
    /// byte before the end of the field ([`PartChange::EndsInside`]) already has the same effect.
    fn is_last_required(&self, id: OpId) -> bool {
        if self.plan.info(id).least < 2 {
            return false;
        }
        let mut at = id;
        while let Some(around) = self.plan.info(at).parent {
            let mut later = self.plan.children(around).filter(|child| child.0 > at.0);
            let is_alternative = matches!(self.plan.op(around).kind, Kind::Switch(_));
            if !is_alternative && later.any(|it| self.plan.info(it).least > 0) {
                return false;
            }
            if matches!(self.plan.op(around).kind, Kind::Sized(_)) {
                return true;
            }
            at = around;
        }
        false
    }

    /// Adds sites for sizes and counts.
    fn written(&mut self, id: OpId) {
        use ExtentChange as E;
        let measures = matches!(self.plan.info(id).derived, Some(Derived::Measured { .. }));
        if !measures || self.early.is_read(id) {
            return;
        }
        let changes = [
            E::OneLess,
            E::OneMore,
            E::Zero,
            E::ToEnd,
            E::PastEnd,
            E::Greatest,
            E::Wraps,
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
}

/// Returns undeclared values: the first value in each gap between declared values, and the minimum
/// and maximum.
fn gaps(mut declared: Vec<i128>, range: Option<(i128, i128)>) -> Vec<i128> {
    let (least, greatest) = range.unwrap_or((0, i128::from(u32::MAX)));
    declared.sort_unstable();
    declared.dedup();
    let is_free = |value: i128| {
        (least..=greatest).contains(&value) && declared.binary_search(&value).is_err()
    };
    let after = declared
        .iter()
        .filter_map(|value| value.checked_add(1))
        .filter(|v| is_free(*v));
    let mut found: Vec<i128> = after.take(MOST_GAPS).collect();
    found.extend([least, greatest].into_iter().filter(|v| is_free(*v)));
    found.sort_unstable();
    found.dedup();
    found
}
