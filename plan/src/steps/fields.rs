//! Steps for operations that contain other operations, such as structures, switches and lists. The
//! functions return `None` if steps cannot perform the operation. Steps pass each complete record
//! to the visitor, which receives the results of the decoder.

use super::fuse::{Fuser, Mode};
use super::live::changes_inside;
use super::{Counted, Elements, ListShow, Show, Step, StepTests, TextSize, When};
use crate::{
    Code, CodeId, Count, EffectsPlan, Extent, Kind, LayoutSource, LayoutUseId, NameId, Op, OpId,
    RowSource, SetTargetPlan, Slot, SwitchId, flags,
};

/// The flags that prevent an operation with inner operations from being fused into steps.
const ODD: u32 = flags::CARRY | flags::SHOWS | flags::OPTIONAL_REST;

impl Fuser<'_> {
    /// Adds the steps of an operation, ignoring its condition.
    pub(super) fn value(&mut self, id: OpId, mode: Mode, out: &mut Vec<Step>) -> Option<()> {
        let op = self.plan.op(id);
        if self.complete {
            return None;
        }
        let composite = matches!(
            op.kind,
            Kind::Structure | Kind::Repeat(_) | Kind::Switch(_) | Kind::Layout(_) | Kind::Sized(_)
        );
        if !composite {
            return self.single(id, op, mode, out);
        }
        let Some((first, last)) = self.uses.spans(self.plan, id) else {
            return self.composite(id, op, mode, out);
        };
        // The tests, the record and the effects at the end of a structure may ask where it starts and
        // ends, but steps store that only after them.
        let info = self.plan.info(id);
        if info.record.is_some() || info.effects.is_some() {
            return None;
        }
        let mut steps = Vec::new();
        self.composite(id, op, mode, &mut steps)?;
        let count = u32::try_from(steps.len()).ok()?;
        out.push(Step::Span(first, last, count));
        out.extend(steps);
        Some(())
    }

    /// Adds the steps of an operation that contains other operations.
    fn composite(&mut self, id: OpId, op: &Op, mode: Mode, out: &mut Vec<Step>) -> Option<()> {
        let asked = op.flags & flags::SLOT != 0 && self.uses.others(op.slot) > 0;
        if op.flags & (ODD | flags::CHECKS | flags::DESCRIBES) != 0 || asked {
            return None;
        }
        let ahead = mode == Mode::Record && op.flags & flags::CAPTURE != 0;
        match op.kind {
            Kind::Layout(index) => self.described(id, op, index, mode, out),
            _ if ahead => self.ahead(id, op, out),
            _ if self.kept(id, op, mode) => None,
            Kind::Sized(extent) => self.part(id, extent, mode, out),
            Kind::Structure if mode == Mode::Shown => {
                (op.flags & flags::ENDING == 0).then_some(())?;
                self.shown_structure(id, out)
            }
            Kind::Structure => self.structure(id, op, mode, out),
            Kind::Switch(index) => self.switch(id, index, mode, out),
            Kind::Repeat(repeat) => {
                let Count::Computed(code) = self.plan.repeats[repeat].count else {
                    return None;
                };
                self.pure(code).then_some(())?;
                let count = Counted::By(self.formula(code));
                self.list(id, count, mode, out)
            }
            _ => None,
        }
    }

    /// Adds the step for a part of known size.
    fn part(&mut self, id: OpId, extent: Extent, mode: Mode, out: &mut Vec<Step>) -> Option<()> {
        let size = self.size(extent)?;
        let inside = OpId(id.0 + 1);
        let shown = self.plan.op(inside).flags & (flags::VISIBLE | flags::GUARD);
        if mode == Mode::Shown && shown != flags::VISIBLE {
            return None;
        }
        let mut steps = Vec::new();
        self.field(inside, mode, &mut steps)?;
        // Whether all bytes of the part were consumed is checked only after its contents have been
        // read, but nothing may fail after a record has been passed to the visitor.
        (!self.complete).then_some(())?;
        let body = self.keep(&steps);
        out.push(Step::Part(size, body, id));
        Some(())
    }

    /// Returns the size of a string or part, if it is known before the bytes are read.
    pub(super) fn size(&mut self, extent: Extent) -> Option<TextSize> {
        match extent {
            Extent::Fixed(size) => Some(TextSize::Fixed(u32::try_from(size).ok()?)),
            Extent::Computed(code) if self.pure(code) => {
                Some(TextSize::Computed(self.formula(code)))
            }
            Extent::Computed(_) | Extent::ToEnd => None,
        }
    }

    /// Adds the steps of a structure, which may be a record.
    fn structure(&mut self, id: OpId, op: &Op, mode: Mode, out: &mut Vec<Step>) -> Option<()> {
        let plan = self.plan;
        let info = plan.info(id);
        let busy = op.flags & flags::ENDING != 0 && op.flags & flags::QUIET == 0;
        let effects = info.effects.filter(|_| busy);
        let ends = effects.map(|index| &plan.effects[index]);
        let (tests, sets) = match ends {
            Some(ends) => (!ends.checks.is_empty(), !ends.sets.is_empty()),
            None => (false, false),
        };
        let due = info.effects.is_some_and(|index| plan.effects[index].due);
        let possible = !due && ends.is_none_or(|ends| self.plain_ending(ends));
        let later = sets && !matches!(mode, Mode::Read | Mode::Record);
        if !possible || later || (busy && effects.is_none()) {
            return None;
        }
        let children: Vec<OpId> = plan.children(id).collect();
        let record = info.record.filter(|_| mode == Mode::Record);
        if info.record.is_some() && mode == Mode::Either {
            return None;
        }
        if record.is_some() {
            // Members that are read before the members that precede them are kept in the record's
            // buffer, so the buffer must contain nothing else.
            let alone = op.flags & flags::DIRECT != 0;
            (alone && !changes_inside(plan, id)).then_some(())?;
            out.push(Step::Begin);
        }
        self.siblings(&children, mode, out, |_| None)?;
        if (tests || sets || record.is_some()) && self.complete {
            return None;
        }
        if let (true, Some(effects)) = (tests, effects) {
            let tests = self.step_tests(&plan.effects[effects].checks);
            let tests = tests.unwrap_or_default();
            let tests = self.tests.push(StepTests {
                tests,
                refs: None,
                shows: Vec::new(),
            });
            out.push(Step::Holds(effects, tests));
        }
        out.extend(record.map(Step::Record));
        out.extend(effects.filter(|_| sets).map(Step::Assign));
        self.complete |= record.is_some() || sets;
        Some(())
    }

    /// Returns whether steps can perform the actions at the end of a structure.
    fn plain_ending(&self, ends: &EffectsPlan) -> bool {
        let known = |code: &CodeId| self.pure(*code);
        let sets = ends.sets.iter().all(|set| {
            let key = match set.target {
                SetTargetPlan::Register(_) => None,
                SetTargetPlan::Column { key, .. } => Some(key),
            };
            known(&set.value) && set.condition.iter().chain(&key).all(known)
        });
        let tests = ends.checks.iter().all(|test| self.pure_test(test));
        let rows = ends.defines.is_some() || ends.removes.is_some() || !ends.clears.is_empty();
        sets && tests && !rows
    }

    /// Adds the step for a member that is read before the members that precede it in the record.
    fn ahead(&mut self, id: OpId, op: &Op, out: &mut Vec<Step>) -> Option<()> {
        if op.flags & flags::DIRECT == 0 {
            return None;
        }
        let mut shown = Vec::new();
        let top = self.top.replace(id);
        let done = self.value(id, Mode::Shown, &mut shown);
        self.top = top;
        done?;
        let body = self.keep(&shown);
        out.push(Step::Ahead(op.slot, body));
        Some(())
    }

    /// Adds the step for the fields that a row describes. The decoder cannot tell whether all these
    /// fields have programs until the row is known.
    fn described(
        &mut self,
        id: OpId,
        op: &Op,
        index: LayoutUseId,
        mode: Mode,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        let captured = op.flags & flags::CAPTURE != 0;
        let direct = op.flags & flags::DIRECT != 0;
        let record_only = op.flags & flags::RECORD_ONLY != 0;
        let fits = match mode {
            Mode::Read => !captured || record_only,
            Mode::Record => !captured || direct,
            Mode::Either | Mode::Shown => !captured,
        };
        let key = match self.plan.layouts[index].source {
            LayoutSource::Row(RowSource::Lookup { key, .. }, _) => {
                self.pure(key).then_some(())?;
                Some(self.formula(key))
            }
            LayoutSource::Row(..) => None,
            LayoutSource::Code(_) => return None,
        };
        fits.then_some(())?;
        out.push(Step::Layout(index, id, key));
        Some(())
    }

    /// Adds the step for a switch, provided that at least one of its arms can be fused into steps.
    fn switch(&mut self, id: OpId, index: SwitchId, mode: Mode, out: &mut Vec<Step>) -> Option<()> {
        let plan = self.plan;
        let switch = &plan.switches[index];
        if !self.pure(switch.on)
            || !switch.text_arms.is_empty()
            || !switch.computed.is_empty()
            || switch.required
            || (switch.described.is_some() && mode == Mode::Shown)
        {
            return None;
        }
        let arms: Vec<OpId> = plan.children(id).collect();
        let records = |arm: OpId| {
            (arm.index()..plan.op(arm).end as usize).any(|index| plan.infos[index].record.is_some())
        };
        let recorded = arms.iter().any(|arm| records(*arm));
        if recorded && mode == Mode::Either {
            return None;
        }
        // The program of an arm includes the actions at the end of the arm, which these modes do
        // not permit.
        if matches!(mode, Mode::Either | Mode::Shown) && changes_inside(plan, id) {
            return None;
        }
        let complete = self.complete;
        let (mut possible, mut completes) = (false, false);
        for arm in &arms {
            self.complete = false;
            possible |= self.has_program(*arm, mode);
            completes |= self.complete;
        }
        self.complete = complete || completes || (recorded && mode == Mode::Record);
        possible.then_some(())?;
        out.push(Step::Switch(index, self.formula(switch.on)));
        Some(())
    }

    /// Adds the steps of sibling fields. `shown` returns `None` for a sibling that the record does
    /// not contain, and otherwise `Some` with the sibling's name, if any.
    pub(super) fn siblings(
        &mut self,
        siblings: &[OpId],
        mode: Mode,
        out: &mut Vec<Step>,
        shown: impl Fn(OpId) -> Option<Option<NameId>>,
    ) -> Option<()> {
        // The record does not contain a run of bits itself, but may contain the bit fields in it.
        let is_run = |child: &OpId| matches!(self.plan.op(*child).kind, Kind::BitRun { .. });
        if mode == Mode::Shown && siblings.iter().any(is_run) {
            return None;
        }
        // Siblings that the record does not contain only have to be read.
        let beside = if mode == Mode::Shown {
            Mode::Either
        } else {
            mode
        };
        let mut rest = siblings;
        while let Some((first, others)) = rest.split_first() {
            if let (None, Some(second)) = (shown(*first), others.first()) {
                let name = shown(*second);
                let length = out.len();
                out.extend(name.flatten().map(Step::Name));
                let mode = if name.is_some() { Mode::Shown } else { beside };
                if self.together(*first, *second, mode, out).is_some() {
                    rest = &others[1..];
                    continue;
                }
                out.truncate(length);
            }
            match shown(*first) {
                Some(name) => self.named(*first, name, out)?,
                None => self.field(*first, beside, out)?,
            }
            rest = others;
        }
        Some(())
    }

    /// Adds the steps of a field that the record does not contain.
    pub(super) fn field(&mut self, id: OpId, mode: Mode, out: &mut Vec<Step>) -> Option<()> {
        self.guarded(id, out, |fuser, out| fuser.value(id, mode, out))
    }

    /// Adds the steps of a field that the record contains.
    fn named(&mut self, id: OpId, name: Option<NameId>, out: &mut Vec<Step>) -> Option<()> {
        if name.is_none() && self.plan.op(id).flags & flags::GUARD != 0 {
            return None;
        }
        self.guarded(id, out, |fuser, out| {
            out.extend(name.map(Step::Name));
            fuser.value(id, Mode::Shown, out)
        })
    }

    fn guarded(
        &mut self,
        id: OpId,
        out: &mut Vec<Step>,
        inside: impl FnOnce(&mut Self, &mut Vec<Step>) -> Option<()>,
    ) -> Option<()> {
        let op = self.plan.op(id);
        if op.flags & flags::GUARD == 0 {
            return inside(self, out);
        }
        let carries_on = self
            .plan
            .info(id)
            .carry
            .is_some_and(|carry| self.plan.carries[carry].previous.is_some());
        // Steps cannot record that an absent field has no position.
        if !self.pure(op.guard) || self.uses.spans(self.plan, id).is_some() {
            return None;
        }
        let mut steps = Vec::new();
        inside(self, &mut steps)?;
        if carries_on {
            let [Step::Variable(_, _, leaf) | Step::Integer(_, leaf) | Step::Text(_, _, leaf)] =
                steps.as_slice()
            else {
                return None;
            };
            // A value that is carried over is not read here, so steps cannot add it to the record.
            (leaf.show == Show::Mute).then_some(())?;
            out.push(Step::Over(When::Holds(self.formula(op.guard)), *leaf));
            out.extend(steps);
            return Some(());
        }
        let slot = if op.flags & flags::SLOT == 0 {
            Slot::NONE
        } else {
            op.slot
        };
        let count = u32::try_from(steps.len()).ok()?;
        out.push(Step::If(When::Holds(self.formula(op.guard)), slot, count));
        out.extend(steps);
        Some(())
    }

    /// Adds a single step for a length or count and the string or list that it belongs to.
    pub(super) fn together(
        &mut self,
        first: OpId,
        second: OpId,
        mode: Mode,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        const ONLY: u32 = flags::SLOT | flags::VISIBLE | flags::OBEYS;
        let (length, sized) = (self.plan.op(first), self.plan.op(second));
        let Kind::Integer(integer) = length.kind else {
            return None;
        };
        let spans = self.uses.spans(self.plan, second).is_some();
        let odd = length.flags & !ONLY != 0 || sized.flags & flags::GUARD != 0;
        if odd || spans || self.complete {
            return None;
        }
        let asks =
            |code: CodeId| self.plan.codes.get(code.index()) == Some(&Code::Slot(length.slot));
        // The length need not be stored in its slot unless something else reads it.
        let slot = if self.asked(length.slot, Mode::Record) > 1 {
            length.slot
        } else {
            Slot::NONE
        };
        match sized.kind {
            Kind::Text(Extent::Computed(code), encoding) if asks(code) => {
                let leaf = self.leaf(second, sized, mode)?;
                out.push(Step::Prefixed(integer, slot, Some(encoding), leaf));
                Some(())
            }
            Kind::Bytes(Extent::Computed(code)) if asks(code) => {
                let leaf = self.leaf(second, sized, mode)?;
                out.push(Step::Prefixed(integer, slot, None, leaf));
                Some(())
            }
            Kind::Repeat(repeat) => match self.plan.repeats[repeat].count {
                Count::Computed(code) if asks(code) => {
                    self.list(second, Counted::Before(integer, slot), mode, out)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Adds the steps of a list.
    fn list(&mut self, id: OpId, count: Counted, mode: Mode, out: &mut Vec<Step>) -> Option<()> {
        let plan = self.plan;
        let (op, info) = (plan.op(id), plan.info(id));
        let Kind::Repeat(index) = op.kind else {
            return None;
        };
        let repeat = &plan.repeats[index];
        let element = OpId(id.0 + 1);
        let asked = op.flags & flags::SLOT != 0 && self.uses.others(op.slot) > 0;
        let plain = repeat.at_least.is_none()
            && repeat.is_plain()
            && repeat.carried.is_empty()
            && repeat.length_slot.is_none()
            && repeat.unique.len() <= 1
            && info
                .resets
                .iter()
                .all(|slot| self.asked(*slot, Mode::Record) == 0);
        let guarded = plan.op(element).flags & flags::GUARD != 0;
        let empty = plan.info(element).least == 0;
        let odd = op.flags & (ODD | flags::ENDING | flags::CHECKS) != 0;
        if odd || asked || !plain || guarded || empty || self.kept(id, op, mode) {
            return None;
        }
        let unique = match repeat.unique.first() {
            None => None,
            Some(unique) if unique.except.is_empty() && self.pure(unique.by) => Some(unique.by),
            Some(_) => return None,
        };
        let mut body = Vec::new();
        let around = std::mem::replace(&mut self.index_known, false);
        let list = match mode {
            Mode::Shown => self.shown_element(element, &mut body),
            _ => self
                .value(element, mode, &mut body)
                .map(|()| ListShow::Mute),
        };
        self.index_known = around;
        let list = list?;
        // A record in an element would be passed to the visitor before the next element is read,
        // and steps cannot take the record back if that element fails.
        (!self.complete).then_some(())?;
        let size = match body.as_slice() {
            _ if unique.is_some() => 0,
            [Step::Skip(size)] => *size,
            [Step::Integer(integer, leaf)] if leaf.is_plain() => u32::from(integer.width),
            _ => 0,
        };
        let body = self.keep(&body);
        let list = self.lists.push(Elements {
            op: id,
            count,
            body,
            size,
            unique,
            list,
        });
        out.push(Step::List(list));
        Some(())
    }
}
