//! From operations to steps.

use super::super::{
    CheckKind, Code, CodeId, Count, Extent, Integer, Kind, NameId, Op, OpId, Plan, Slot, flags,
};
use super::live::{Uses, changes_state, matters};
use super::pure::pure;
use super::{Counted, Elements, Leaf, ListShow, Programs, Show, Step, StepRange};
use crate::schema::Encoding;

/// Adds programs to a plan, and says of each operation what a plain reader need not do.
pub fn fuse(plan: &mut Plan) {
    let uses = Uses::new(plan);
    mark_shows(plan);
    mark_records(plan, &uses);
    let mut fuser = Fuser {
        plan,
        uses,
        steps: Vec::new(),
        top: None,
    };
    let mut programs: Vec<Programs> = (0..fuser.plan.ops.len())
        .map(|index| fuser.programs(OpId(u32::try_from(index).unwrap_or(u32::MAX))))
        .collect();
    for index in 0..programs.len() {
        let structure = matches!(fuser.plan.ops[index].kind, Kind::Structure);
        if structure && programs[index].read.is_none() {
            fuser.runs(
                OpId(u32::try_from(index).unwrap_or(u32::MAX)),
                &mut programs,
            );
        }
    }
    let steps = fuser.steps;
    for (op, programs) in plan.ops.iter_mut().zip(&programs) {
        let composite = matches!(op.kind, Kind::Structure | Kind::Repeat(_));
        if programs.run.is_some() {
            op.flags |= flags::RUN;
        }
        if composite && (programs.read.is_some() || programs.shown.is_some()) {
            op.flags |= flags::FUSED;
        }
    }
    plan.steps = steps;
    plan.programs = programs;
}

/// Of the rules that are obeyed, few change a verdict by being shown.
fn mark_shows(plan: &mut Plan) {
    for index in 0..plan.ops.len() {
        let obeys = &plan.infos[index].obeys;
        if obeys.iter().any(|(rule, _)| matters(plan, *rule)) {
            plan.ops[index].flags |= flags::SHOWS;
        }
    }
}

/// What is kept for a record only need not be kept where no records are wanted; and where
/// nothing changes until the record is complete, it can be shown as it is read.
fn mark_records(plan: &mut Plan, uses: &Uses) {
    for index in 0..plan.ops.len() {
        let (op, info) = (&plan.ops[index], &plan.infos[index]);
        let effects = info.effects.map(|effects| &plan.effects[effects as usize]);
        let idle = effects.is_none_or(|effects| {
            let tests = effects.checks.is_empty() && effects.removes.is_none();
            tests
                && effects.defines.is_none()
                && effects.clears.is_empty()
                && effects.sets.is_empty()
        });
        let kept = flags::CAPTURE | flags::SLOT;
        let record_only = op.flags & kept == kept && uses.others(op.slot) == 0;
        let id = OpId(u32::try_from(index).unwrap_or(u32::MAX));
        let direct = record_only
            && uses.records(op.slot) > 0
            && record_around(plan, id).is_some_and(|record| !changes_state(plan, record));
        let around = direct.then(|| record_around(plan, id)).flatten();
        let structure = |record: &OpId| matches!(plan.op(*record).kind, Kind::Structure);
        if let Some(record) = around.filter(structure) {
            plan.ops[record.index()].flags |= flags::DIRECT;
            plan.ops[index].flags |= flags::DIRECT;
        }
        if record_only {
            plan.ops[index].flags |= flags::RECORD_ONLY;
        }
        if idle {
            plan.ops[index].flags |= flags::QUIET;
        }
    }
}

/// The record around an operation, where no other record is inside it.
fn record_around(plan: &Plan, op: OpId) -> Option<OpId> {
    let mut at = plan.info(op).parent?;
    while plan.info(at).record.is_none() {
        at = plan.info(at).parent?;
    }
    let inside = at.index() + 1..plan.op(at).end as usize;
    let calls = |index: usize| matches!(plan.ops[index].kind, Kind::Call(_));
    let alone = !inside
        .clone()
        .any(|index| plan.infos[index].record.is_some() || calls(index));
    alone.then_some(at)
}

pub(super) struct Fuser<'p> {
    pub(super) plan: &'p Plan,
    pub(super) uses: Uses,
    pub(super) steps: Vec<Step>,
    /// The operation whose program is made.
    top: Option<OpId>,
}

impl Fuser<'_> {
    fn programs(&mut self, id: OpId) -> Programs {
        let op = self.plan.op(id);
        let parent = self.plan.info(id).parent;
        let described =
            parent.is_some_and(|parent| matches!(self.plan.op(parent).kind, Kind::Layout(_)));
        let composite = matches!(op.kind, Kind::Structure | Kind::Repeat(_));
        let mut programs = Programs::default();
        self.top = Some(id);
        let described = described && op.flags & flags::GUARD == 0;
        if composite || described {
            programs.read = self.program(|fuser, out| fuser.value(id, false, out));
        }
        if described || op.flags & flags::DIRECT != 0 {
            programs.shown = self.program(|fuser, out| fuser.value(id, true, out));
        }
        self.top = None;
        programs
    }

    /// A program, where everything in it can be done in steps.
    fn program(
        &mut self,
        build: impl FnOnce(&mut Self, &mut Vec<Step>) -> Option<()>,
    ) -> Option<StepRange> {
        let mut out = Vec::new();
        build(self, &mut out)?;
        Some(self.keep(&out))
    }

    /// Puts steps into the plan.
    pub(super) fn keep(&mut self, steps: &[Step]) -> StepRange {
        let first = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        self.steps.extend_from_slice(steps);
        StepRange {
            first,
            end: u32::try_from(self.steps.len()).unwrap_or(u32::MAX),
        }
    }

    /// The parts of a structure that can be done in steps, where the whole cannot.
    fn runs(&mut self, structure: OpId, programs: &mut [Programs]) {
        let children: Vec<OpId> = self.plan.children(structure).collect();
        let mut rest = children.as_slice();
        while let Some(first) = rest.first() {
            let mut out = Vec::new();
            let mut count = 0;
            while let Some(taken) = self.next_in_run(&rest[count..], &mut out) {
                count += taken;
            }
            if count > 1 {
                let end = self.plan.op(rest[count - 1]).end;
                programs[first.index()].run = Some((self.keep(&out), end));
            }
            rest = &rest[count.max(1)..];
        }
    }

    /// Adds the next field, or the next two, and says how many.
    fn next_in_run(&mut self, rest: &[OpId], out: &mut Vec<Step>) -> Option<usize> {
        let (first, others) = rest.split_first()?;
        let length = out.len();
        if let Some(second) = others.first()
            && self.together(*first, *second, false, out).is_some()
        {
            return Some(2);
        }
        let done = self.field(*first, out).is_some();
        if !done {
            out.truncate(length);
        }
        done.then_some(1)
    }

    /// Siblings, none of them shown.
    fn fields(&mut self, siblings: &[OpId], out: &mut Vec<Step>) -> Option<()> {
        self.siblings(siblings, out, |_| None)
    }

    /// Siblings; `shown` says which are shown, and by which name.
    pub(super) fn siblings(
        &mut self,
        siblings: &[OpId],
        out: &mut Vec<Step>,
        shown: impl Fn(OpId) -> Option<Option<NameId>>,
    ) -> Option<()> {
        let mut rest = siblings;
        while let Some((first, others)) = rest.split_first() {
            if let (None, Some(second)) = (shown(*first), others.first()) {
                let name = shown(*second);
                let length = out.len();
                out.extend(name.flatten().map(Step::Name));
                let done = self.together(*first, *second, name.is_some(), out);
                if done.is_some() {
                    rest = &others[1..];
                    continue;
                }
                out.truncate(length);
            }
            match shown(*first) {
                Some(name) => self.named(*first, name, out)?,
                None => self.field(*first, out)?,
            }
            rest = others;
        }
        Some(())
    }

    /// A field that is not shown.
    fn field(&mut self, id: OpId, out: &mut Vec<Step>) -> Option<()> {
        self.guarded(id, out, |fuser, out| fuser.value(id, false, out))
    }

    /// A field that is shown.
    fn named(&mut self, id: OpId, name: Option<NameId>, out: &mut Vec<Step>) -> Option<()> {
        if name.is_none() && self.plan.op(id).flags & flags::GUARD != 0 {
            return None;
        }
        self.guarded(id, out, |fuser, out| {
            out.extend(name.map(Step::Name));
            fuser.value(id, true, out)
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
        if !pure(self.plan, op.guard) {
            return None;
        }
        let mut steps = Vec::new();
        inside(self, &mut steps)?;
        let slot = if op.flags & flags::SLOT == 0 {
            Slot::NONE
        } else {
            op.slot
        };
        let body = self.keep(&steps);
        out.push(Step::If(op.guard, slot, body));
        Some(())
    }

    /// A length or count and what it is of.
    fn together(
        &mut self,
        first: OpId,
        second: OpId,
        shown: bool,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        let (length, sized) = (self.plan.op(first), self.plan.op(second));
        const ONLY: u32 = flags::SLOT | flags::VISIBLE | flags::OBEYS;
        let Kind::Integer(integer) = length.kind else {
            return None;
        };
        if length.flags & !ONLY != 0 || sized.flags & flags::GUARD != 0 {
            return None;
        }
        let asks =
            |code: CodeId| self.plan.codes.get(code.index()) == Some(&Code::Slot(length.slot));
        // What sizes the part need not be kept unless someone else asks.
        let slot = if self.asked(length.slot) > 1 {
            length.slot
        } else {
            Slot::NONE
        };
        match sized.kind {
            Kind::Text(Extent::Computed(code), encoding) if asks(code) => {
                let leaf = self.leaf(second, sized, shown)?;
                out.push(Step::Prefixed(integer, slot, Some(encoding), leaf));
            }
            Kind::Bytes(Extent::Computed(code)) if asks(code) => {
                let leaf = self.leaf(second, sized, shown)?;
                out.push(Step::Prefixed(integer, slot, None, leaf));
            }
            Kind::Repeat(repeat) => {
                let Count::Computed(code) = self.plan.repeats[repeat as usize].count else {
                    return None;
                };
                if !asks(code) {
                    return None;
                }
                let elements = self.elements(second, Counted::Before(integer, slot), shown)?;
                out.push(Step::Repeat(elements));
            }
            _ => return None,
        }
        Some(())
    }

    /// The steps of an operation without its condition.
    pub(super) fn value(&mut self, id: OpId, shown: bool, out: &mut Vec<Step>) -> Option<()> {
        const ODD: u32 =
            flags::CARRY | flags::SPAN | flags::SHOWS | flags::OPTIONAL_REST | flags::ENDING;
        let plan = self.plan;
        let op = plan.op(id);
        let composite = matches!(op.kind, Kind::Structure | Kind::Repeat(_));
        // What is kept can be shown as it is read, but only by itself.
        let kept = self.kept(id, op, shown);
        if op.flags & ODD != 0 || kept {
            return None;
        }
        if composite
            && (op.flags & flags::CHECKS != 0
                || (op.flags & flags::SLOT != 0 && self.uses.others(op.slot) > 0))
        {
            return None;
        }
        match op.kind {
            Kind::Structure if shown => self.shown_structure(id, out),
            Kind::Structure => {
                let children: Vec<OpId> = plan.children(id).collect();
                self.fields(&children, out)
            }
            Kind::Repeat(repeat) => {
                let Count::Computed(code) = plan.repeats[repeat as usize].count else {
                    return None;
                };
                if !pure(plan, code) {
                    return None;
                }
                let elements = self.elements(id, Counted::By(code), shown)?;
                out.push(Step::Repeat(elements));
                Some(())
            }
            Kind::Integer(integer) => self.integer(id, op, integer, shown, out),
            Kind::Float { width, endian } => {
                let integer = Integer {
                    width,
                    signed: false,
                    endian,
                };
                let leaf = self.leaf(id, op, shown)?;
                // A float in a slot or under test is more than its bits.
                if leaf.tested || leaf.slot != Slot::NONE {
                    return None;
                }
                self.integer(id, op, integer, shown, out)
            }
            Kind::Variable(kind, bits) => {
                let leaf = self.leaf(id, op, shown)?;
                out.push(Step::Variable(kind, bits, leaf));
                Some(())
            }
            Kind::Text(extent, encoding) => self.text(id, op, extent, Some(encoding), shown, out),
            Kind::Bytes(extent) => self.text(id, op, extent, None, shown, out),
            Kind::Guid(_) => self.text(id, op, Extent::Fixed(16), None, shown, out),
            _ => None,
        }
    }

    fn integer(
        &mut self,
        id: OpId,
        op: &Op,
        integer: Integer,
        shown: bool,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        let leaf = self.leaf(id, op, shown)?;
        if leaf.tested || leaf.slot != Slot::NONE || leaf.show != Show::Mute {
            out.push(Step::Integer(integer, leaf));
        } else {
            skip(out, u32::from(integer.width));
        }
        Some(())
    }

    fn text(
        &mut self,
        id: OpId,
        op: &Op,
        extent: Extent,
        encoding: Option<Encoding>,
        shown: bool,
        out: &mut Vec<Step>,
    ) -> Option<()> {
        match extent {
            Extent::ToEnd => return None,
            Extent::Computed(code) if !pure(self.plan, code) => return None,
            Extent::Computed(_) | Extent::Fixed(_) => {}
        }
        let leaf = self.leaf(id, op, shown)?;
        let unseen = !leaf.tested && leaf.slot == Slot::NONE && leaf.show == Show::Mute;
        match (extent, encoding) {
            (Extent::Fixed(size), None) if unseen && size <= u64::from(u32::MAX) => {
                skip(out, u32::try_from(size).ok()?);
            }
            _ => out.push(Step::Text(extent, encoding, leaf)),
        }
        Some(())
    }

    /// What is done with a value.
    fn leaf(&self, id: OpId, op: &Op, shown: bool) -> Option<Leaf> {
        const ODD: u32 =
            flags::CARRY | flags::SPAN | flags::SHOWS | flags::OPTIONAL_REST | flags::CAPTURE;
        if op.flags & ODD != 0 || !self.tests_are_pure(id, op) {
            return None;
        }
        let asked = op.flags & flags::SLOT != 0 && self.asked(op.slot) > 0;
        Some(Leaf {
            op: id,
            slot: if asked { op.slot } else { Slot::NONE },
            tested: op.flags & (flags::CHECKS | flags::REFS) != 0,
            show: if shown { self.show(id)? } else { Show::Mute },
        })
    }

    /// It has to be kept as a tree: shown as it is read it need not be, nor where it is for
    /// records only and none are wanted.
    fn kept(&self, id: OpId, op: &Op, shown: bool) -> bool {
        let alone = self.top == Some(id) && (shown || op.flags & flags::RECORD_ONLY != 0);
        op.flags & flags::CAPTURE != 0 && !alone
    }

    /// How often a slot is read.
    fn asked(&self, slot: Slot) -> u32 {
        self.uses.others(slot) + self.uses.records(slot)
    }

    fn tests_are_pure(&self, id: OpId, op: &Op) -> bool {
        let first = op.checks.0.0 as usize;
        let checks = &self.plan.checks[first..first + usize::from(op.checks.1)];
        let checks_pure = checks.iter().all(|check| {
            let codes: &[CodeId] = match &check.kind {
                CheckKind::Equal(code)
                | CheckKind::Min(code)
                | CheckKind::Max(code)
                | CheckKind::Holds(code) => std::slice::from_ref(code),
                CheckKind::AnyOf(codes) => codes,
                CheckKind::InEnum(_) | CheckKind::InFlags(_) | CheckKind::NotEmpty => &[],
            };
            let conditions = check.condition.iter();
            conditions.chain(codes).all(|code| pure(self.plan, *code))
        });
        let refs = self.plan.info(id).refs;
        let refs = refs.map(|refs| &self.plan.refs[refs as usize]);
        checks_pure && refs.is_none_or(|refs| refs.condition.is_none())
    }

    /// Elements that can be done in steps.
    fn elements(&mut self, id: OpId, count: Counted, shown: bool) -> Option<Elements> {
        const ODD: u32 = flags::CHECKS
            | flags::CARRY
            | flags::SPAN
            | flags::SHOWS
            | flags::OPTIONAL_REST
            | flags::ENDING;
        let plan = self.plan;
        let (op, info) = (plan.op(id), plan.info(id));
        let Kind::Repeat(index) = op.kind else {
            return None;
        };
        let repeat = &plan.repeats[index as usize];
        let element = OpId(id.0 + 1);
        let kept = self.kept(id, op, shown);
        let counted = repeat.length_slot.is_some()
            || (op.flags & flags::SLOT != 0 && self.uses.others(op.slot) > 0);
        let plain = repeat.at_least.is_none()
            && repeat.first.is_empty()
            && repeat.last.is_empty()
            && repeat.carried.is_empty()
            && repeat.defines.is_none()
            && repeat.unique.len() <= 1
            && info.resets.iter().all(|slot| self.asked(*slot) == 0);
        let guarded = plan.op(element).flags & flags::GUARD != 0;
        let empty = plan.info(element).least == 0;
        if op.flags & ODD != 0 || kept || counted || !plain || guarded || empty {
            return None;
        }
        let unique = match repeat.unique.first() {
            None => None,
            Some(unique) if unique.except.is_empty() && pure(plan, unique.by) => Some(unique.by),
            Some(_) => return None,
        };
        let mut body = Vec::new();
        let list = if shown {
            self.shown_element(element, &mut body)?
        } else {
            self.value(element, false, &mut body)?;
            ListShow::Mute
        };
        let size = match body.as_slice() {
            _ if unique.is_some() => 0,
            [Step::Skip(size)] => *size,
            [Step::Integer(integer, leaf)] if !leaf.tested && leaf.slot == Slot::NONE => {
                u32::from(integer.width)
            }
            _ => 0,
        };
        Some(Elements {
            op: id,
            count,
            body: self.keep(&body),
            size,
            unique,
            list,
        })
    }
}

/// Passes over bytes, together with those before them.
fn skip(out: &mut Vec<Step>, size: u32) {
    if let Some(Step::Skip(before)) = out.last_mut()
        && let Some(sum) = before.checked_add(size)
    {
        *before = sum;
        return;
    }
    out.push(Step::Skip(size));
}
