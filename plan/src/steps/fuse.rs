//! Fuses operations into programs of steps.

use super::bits::ask_bits;
use super::live::Uses;
use super::marks::{mark_previous, mark_records, mark_shows};
use super::pure::{pure, pure_test};
use super::stable::mark_stable;
use super::{
    Assignment, Elements, Programs, RecordForm, Step, StepRange, StepTests, StepTestsId, Sum,
};
use crate::formula::{Compiler, Formula};
use crate::routine::Routine;
use crate::{
    Arena, CarryId, CheckPlan, CodeId, Count, EffectsId, ElementsId, FoldPlan, Kind, Op, OpId,
    Pick, Plan, RecordUseId, flags,
};

/// Adds programs to a plan and marks the work that the decoder can skip in each operation if it
/// computes only the verdict and the records.
pub fn fuse(plan: &mut Plan) {
    let uses = Uses::new(plan);
    mark_shows(plan);
    mark_records(plan, &uses);
    mark_previous(plan, &uses);
    let mut fuser = Fuser {
        plan,
        uses,
        steps: Vec::new(),
        lists: Arena::new(),
        formulas: Compiler::new(plan),
        tests: Arena::new(),
        words: 0,
        images: 0,
        index_known: false,
        top: None,
        complete: false,
    };
    let count = fuser.plan.ops.len();
    let ids = || (0..u32::MAX).map(OpId).take(count);
    let mut programs: Vec<Programs> = ids().map(|id| fuser.programs(id)).collect();
    for id in ids() {
        let whole = &programs[id.index()];
        let whole = whole.read.is_some() && whole.recorded.is_some();
        if matches!(fuser.plan.op(id).kind, Kind::Structure) && !whole {
            fuser.runs(id, &mut programs);
        }
    }
    let of_folds = |fuser: &mut Fuser<'_>, fold: &FoldPlan| {
        let compares = matches!(fold.pick, Pick::Least | Pick::Greatest) && fold.when.is_none();
        compares.then(|| fuser.formula(fold.value))
    };
    let folds: Vec<Vec<Option<Formula>>> = fuser
        .plan
        .repeats
        .iter()
        .map(|repeat| {
            let folds = repeat.folds.iter();
            folds.map(|fold| of_folds(&mut fuser, fold)).collect()
        })
        .collect();
    let previous: Vec<Vec<Formula>> = fuser
        .plan
        .repeats
        .iter()
        .map(|repeat| {
            let previous = repeat.previous.iter();
            previous
                .map(|previous| fuser.formula(previous.value))
                .collect()
        })
        .collect();
    let sums: Arena<CarryId, Sum> = fuser
        .plan
        .carries
        .iter()
        .map(|carry| fuser.sum(carry))
        .collect();
    let assignments = fuser.plan.effects.iter().map(|effects| {
        let sets = effects.sets.iter();
        sets.map(|set| fuser.assignment(set)).collect()
    });
    let assignments: Arena<EffectsId, Vec<Assignment>> = assignments.collect();
    let records = fuser.plan.records.iter();
    let record_forms: Arena<RecordUseId, RecordForm> =
        records.map(|record| fuser.record_form(record)).collect();
    let (steps, lists) = (fuser.steps, fuser.lists);
    let (tests, words) = (fuser.tests, fuser.words);
    let (operations, numbers) = fuser.formulas.finish();
    for (op, programs) in plan.ops.iter_mut().zip(&programs) {
        let composite = matches!(op.kind, Kind::Structure | Kind::Repeat(_) | Kind::Switch(_));
        if programs.run.is_some() {
            op.flags |= flags::RUN;
        }
        if composite && (programs.read.is_some() || programs.recorded.is_some()) {
            op.flags |= flags::FUSED;
        }
    }
    plan.steps = steps;
    for (repeat, formulas) in plan.repeats.iter_mut().zip(folds) {
        for (fold, formula) in repeat.folds.iter_mut().zip(formulas) {
            fold.formula = formula;
        }
    }
    for (repeat, formulas) in plan.repeats.iter_mut().zip(previous) {
        for (previous, formula) in repeat.previous.iter_mut().zip(formulas) {
            previous.formula = Some(formula);
        }
    }
    plan.lists = lists;
    plan.step_tests = tests;
    plan.words = words;
    plan.operations = operations;
    plan.numbers = numbers;
    plan.sums = sums;
    plan.record_forms = record_forms;
    plan.assignments = assignments;
    plan.programs = programs;
    mark_stable(plan);
    let repeats = plan.repeats.ids();
    plan.after_element = repeats.map(|id| Routine::after_element(plan, id)).collect();
}

/// The purpose of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Reads values when no records are requested, or when records need none of them.
    Read,
    /// Reads values when records are requested.
    Record,
    /// Reads values in the same way whether or not records are requested, because records need none
    /// of them.
    Either,
    /// Reads a value and adds it to a record.
    Shown,
}

pub(super) struct Fuser<'p> {
    pub(super) plan: &'p Plan,
    pub(super) uses: Uses,
    pub(super) steps: Vec<Step>,
    pub(super) lists: Arena<ElementsId, Elements>,
    pub(super) formulas: Compiler,
    pub(super) tests: Arena<StepTestsId, StepTests>,
    pub(super) words: u32,
    /// The number of images of rows.
    pub(super) images: u32,
    /// Whether the decoder knows the index of the current element. Lists that steps read do not
    /// count their elements.
    pub(super) index_known: bool,
    /// The operation whose value the program adds to the record.
    pub(super) top: Option<OpId>,
    /// Whether the steps so far have passed a record to the visitor, which receives the results of
    /// the decoder, or have set a register or column. These effects cannot be undone, so no later
    /// step may fail.
    pub(super) complete: bool,
}

impl Fuser<'_> {
    /// Returns whether an expression depends only on values and not on the reading position.
    pub(super) fn pure(&self, code: CodeId) -> bool {
        pure(self.plan, code, self.index_known)
    }

    /// Returns whether a test depends only on values and not on the reading position.
    pub(super) fn pure_test(&self, test: &CheckPlan) -> bool {
        pure_test(self.plan, test, self.index_known)
    }

    /// Returns the formula of an expression.
    pub(super) fn formula(&mut self, code: CodeId) -> Formula {
        self.formulas.formula(self.plan, code)
    }

    fn programs(&mut self, id: OpId) -> Programs {
        let op = self.plan.op(id);
        let around = self.plan.info(id).parent;
        let around = around.map(|around| &self.plan.op(around).kind);
        let arm = matches!(around, Some(Kind::Layout(_) | Kind::Switch(_)))
            && op.flags & flags::GUARD == 0;
        let element = matches!((&op.kind, around), (Kind::Switch(_), Some(Kind::Repeat(_))));
        let mut programs = Programs {
            nests: self.nests(id),
            units: self.units(id),
            ..Programs::default()
        };
        if arm || element || matches!(op.kind, Kind::Structure | Kind::Repeat(_)) {
            programs.read = self.program(id, Mode::Read);
            programs.recorded = if self.records_inside(id) {
                self.program(id, Mode::Record)
            } else {
                programs.read
            };
        }
        if arm && op.flags & flags::VISIBLE != 0 {
            programs.shown = self.program(id, Mode::Shown);
        }
        programs
    }

    /// Returns whether the index of the current element is known when steps run an operation.
    fn knows_index(&self, id: OpId) -> bool {
        let mut around = self.plan.info(id).parent;
        while let Some(at) = around {
            match self.plan.op(at).kind {
                // Steps may read the list around the described value, or the whole list.
                Kind::Layout(_) => return false,
                Kind::Repeat(repeat) => {
                    let repeat = &self.plan.repeats[repeat];
                    let is_read_by_steps =
                        repeat.is_plain() && matches!(repeat.count, Count::Computed(_));
                    return !is_read_by_steps;
                }
                _ => around = self.plan.info(at).parent,
            }
        }
        false
    }

    /// Returns whether an operation contains a record, or reads or stores a value that a record
    /// needs.
    fn records_inside(&self, id: OpId) -> bool {
        let inside = id.index()..self.plan.op(id).end as usize;
        inside.into_iter().any(|index| {
            let op = &self.plan.ops[index];
            let kept = op.flags & flags::RECORD_ONLY != 0;
            // A record around the operation may contain one of its values.
            let wanted = op.flags & flags::SLOT != 0 && self.uses.records(op.slot) > 0;
            kept || wanted || self.plan.infos[index].record.is_some()
        })
    }

    /// Builds a program for an operation if everything in it can be fused into steps.
    fn program(&mut self, id: OpId, mode: Mode) -> Option<StepRange> {
        let mut out = Vec::new();
        let marks = (self.steps.len(), self.lists.len());
        self.top = (mode == Mode::Shown).then_some(id);
        self.complete = false;
        self.index_known = self.knows_index(id);
        let done = self.value(id, mode, &mut out);
        self.index_known = false;
        self.top = None;
        if done.is_none() {
            self.steps.truncate(marks.0);
            self.lists.truncate(marks.1);
        }
        done.map(|()| self.keep(&out))
    }

    /// Returns whether a switch arm can be fused into steps.
    pub(super) fn has_program(&mut self, arm: OpId, mode: Mode) -> bool {
        let marks = (self.steps.len(), self.lists.len());
        let top = self.top.take();
        let plain = self.plan.op(arm).flags & flags::GUARD == 0;
        let done = plain && self.value(arm, mode, &mut Vec::new()).is_some();
        self.steps.truncate(marks.0);
        self.lists.truncate(marks.1);
        self.top = top;
        done
    }

    /// Adds steps to the plan.
    pub(super) fn keep(&mut self, steps: &[Step]) -> StepRange {
        let first = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        let mut steps = steps.to_vec();
        ask_bits(&self.formulas, &self.uses, &mut steps);
        self.mark_words(&mut steps);
        self.steps.extend(steps);
        StepRange {
            first,
            end: u32::try_from(self.steps.len()).unwrap_or(u32::MAX),
        }
    }

    /// Builds programs for runs of siblings that can be fused, in a structure that cannot be fused
    /// as a whole.
    fn runs(&mut self, structure: OpId, programs: &mut [Programs]) {
        let children: Vec<OpId> = self.plan.children(structure).collect();
        self.index_known = self.knows_index(structure);
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
        self.index_known = false;
    }

    /// Adds the next field, or the next two fields together, and returns the number of fields
    /// added.
    fn next_in_run(&mut self, rest: &[OpId], out: &mut Vec<Step>) -> Option<usize> {
        let (first, others) = rest.split_first()?;
        // A step of the field may be merged with the last step, so truncation alone does not undo it.
        let before = (out.len(), out.last().copied());
        if let Some(second) = others.first()
            && self.together(*first, *second, Mode::Either, out).is_some()
        {
            return Some(2);
        }
        let done = !self.records_inside(*first) && self.field(*first, Mode::Either, out).is_some();
        if !done {
            out.truncate(before.0.saturating_sub(1));
            out.extend(before.1);
        }
        done.then_some(1)
    }

    /// Returns whether the operation must be stored as a tree, which steps cannot do.
    pub(super) fn kept(&self, id: OpId, op: &Op, mode: Mode) -> bool {
        let record_only = op.flags & flags::RECORD_ONLY != 0;
        let alone = match mode {
            Mode::Read => record_only,
            Mode::Shown => self.top == Some(id),
            Mode::Record | Mode::Either => false,
        };
        op.flags & flags::CAPTURE != 0 && !alone
    }
}
