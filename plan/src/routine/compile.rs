//! Compiles steps to instructions.

use super::join::join;
use super::{Addition, Instruction, Origin, Routine, Source};
use crate::formula::{Action, Formula, Layout, NumberId, Operation, number};
use crate::steps::{
    Assignment, Leaf, Show, Step, StepTest, StepTestKind, StepTestsId, Target, Tests,
};
use crate::terms::VariableKind;
use crate::{EffectsId, FoldPlan, Integer, Pick, Plan, RefsId, RepeatId, Slot, Sum};

impl Routine {
    /// Compiles a program of steps. `word` is the value of the last word before the steps, if it is
    /// known.
    pub fn new(plan: &Plan, steps: Vec<Step>, word: Option<u64>) -> Self {
        let mut compiler = Compiler {
            plan,
            layout: Layout::of(plan),
            word,
            routine: Self {
                steps,
                ..Self::default()
            },
        };
        compiler.all();
        compiler.routine
    }

    /// Compiles the work after each element of a list: its queries, and the values that the next
    /// element may refer to.
    pub fn after_element(plan: &Plan, repeat: RepeatId) -> Self {
        let mut compiler = Compiler {
            plan,
            layout: Layout::of(plan),
            word: None,
            routine: Self::default(),
        };
        for (index, fold) in plan.repeats[repeat].folds.iter().enumerate() {
            let mut draft = Draft::default();
            compiler.fold(fold, &mut draft);
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            compiler.keep(Source::Fold(repeat, index), draft);
        }
        for (index, previous) in plan.repeats[repeat].previous.iter().enumerate() {
            let mut draft = Draft::default();
            if previous.idle {
                continue;
            }
            match previous.formula {
                Some(formula) => {
                    compiler.operations(formula, &mut draft);
                    let slot = compiler.layout.slot(previous.slot);
                    draft.push(Instruction::Copy(slot, formula.result));
                }
                None => draft.push(Instruction::Leave),
            }
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            compiler.keep(Source::Previous(repeat, index), draft);
        }
        compiler.routine
    }
}

/// The instructions of one source, which may still turn out to be inexpressible.
#[derive(Default)]
struct Draft {
    instructions: Vec<Instruction>,
    reads: bool,
}

impl Draft {
    fn push(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }
}

struct Compiler<'p> {
    plan: &'p Plan,
    layout: Layout,
    word: Option<u64>,
    routine: Routine,
}

impl Compiler<'_> {
    fn all(&mut self) {
        let mut at = 0;
        while let Some(step) = self.routine.steps.get(at).copied() {
            let count = match step {
                Step::If(_, _, count)
                | Step::Span(_, _, count)
                | Step::Each(_, _, _, count)
                | Step::Pairs(count)
                | Step::ByWord(_, count) => 1 + count as usize,
                Step::Over(..) => 2,
                // The steps after another word depend on that word.
                Step::Word(_) => self.routine.steps.len() - at,
                _ => 1,
            };
            let count = count.min(self.routine.steps.len() - at);
            match step {
                Step::Assign(effects) if count == 1 => self.assign(effects),
                _ => self.add(at, count, self.draft(step)),
            }
            at += count;
        }
    }

    /// Adds the instructions of steps, or an instruction that runs the steps themselves.
    fn add(&mut self, at: usize, count: usize, draft: Option<Draft>) {
        let [first, number] = [at, count].map(|index| u32::try_from(index).unwrap_or(u32::MAX));
        match draft {
            Some(draft) => self.keep(Source::Steps(first, number), draft),
            None => {
                if let Some(Instruction::Leave) = self.routine.instructions.last()
                    && let Some(Origin { source, .. }) = self.routine.origins.last_mut()
                    && let Source::Steps(start, before) = source
                    && *start + *before == first
                {
                    *before += number;
                    return;
                }
                let mut draft = Draft::default();
                draft.push(Instruction::Leave);
                self.keep(Source::Steps(first, number), draft);
            }
        }
    }

    fn keep(&mut self, source: Source, draft: Draft) {
        let instructions = join(self.plan, draft.instructions);
        let next = self.routine.instructions.len() + instructions.len();
        let next = u32::try_from(next).unwrap_or(u32::MAX);
        let mut notes = 0;
        for instruction in instructions {
            self.routine.origins.push(Origin {
                source,
                notes,
                reads: draft.reads,
                next,
            });
            self.routine.instructions.push(instruction);
            let notes_one = matches!(
                instruction,
                Instruction::Note(_)
                    | Instruction::Replace(..)
                    | Instruction::Sum(_)
                    | Instruction::Advance(..)
            );
            notes += u8::from(notes_one);
        }
    }

    /// Compiles a step. Returns `None` if instructions cannot express it.
    fn draft(&self, step: Step) -> Option<Draft> {
        let mut draft = Draft::default();
        match step {
            Step::Skip(size) => {
                draft.reads = true;
                draft.push(Instruction::Skip(size));
            }
            Step::Integer(integer, leaf) => {
                let read = |place| Instruction::Fixed(integer, place);
                self.read(&leaf, read, greatest_of(integer), &mut draft)?;
            }
            Step::Variable(kind, bits, leaf) => {
                let read = |place| Instruction::Variable(kind, bits, place);
                let greatest = match kind {
                    VariableKind::Unsigned => Some(u64::MAX >> (64 - u32::from(bits.clamp(1, 64)))),
                    VariableKind::ZigZag | VariableKind::Signed => None,
                };
                self.read(&leaf, read, greatest, &mut draft)?;
            }
            Step::Bits(shift, width, leaf) => self.bits(shift, width, &leaf, &mut draft)?,
            Step::Carried(leaf) => self.carried(&leaf, &mut draft)?,
            Step::Clear(slot) => {
                draft.push(Instruction::Store(self.layout.slot(slot), number::ABSENT));
            }
            Step::Part(size, body, op) => draft.push(Instruction::Part(size, body, op)),
            Step::Ahead(slot, body) => draft.push(Instruction::Ahead(slot, body)),
            Step::Record(record) => draft.push(Instruction::Record(record)),
            Step::Holds(_, tests) => {
                if self.plan.step_tests[tests].tests.is_empty() {
                    return None;
                }
                let this = self.layout.this();
                draft.push(Instruction::Store(this, number::ABSENT));
                self.listed(tests, this, &mut draft)?;
            }
            _ => return None,
        }
        Some(draft)
    }

    /// Compiles a number that is read. `greatest` is the greatest number that can be read, unless it
    /// can be negative.
    fn read(
        &self,
        leaf: &Leaf,
        read: impl Fn(NumberId) -> Instruction,
        greatest: Option<u64>,
        draft: &mut Draft,
    ) -> Option<()> {
        draft.reads = true;
        let place = self.place(leaf);
        match leaf.carry {
            None => draft.push(read(place)),
            Some(carry) => {
                let sum = &self.plan.sums[carry];
                let greatest = greatest?;
                if self.replaces(sum) {
                    if self.layout.is_variable(place) {
                        draft.push(Instruction::Note(place));
                    }
                    draft.push(read(place));
                    if greatest > sum.greatest {
                        let limit = i64::try_from(sum.greatest).ok()?;
                        draft.push(Instruction::Limit(place, limit));
                    }
                } else {
                    let wire = self.layout.this();
                    draft.push(read(wire));
                    self.sum(sum, (place, sum.base, wire), draft)?;
                    if sum.mask.is_none()
                        && let Ok(limit) = i64::try_from(sum.greatest)
                    {
                        draft.push(Instruction::Limit(place, limit));
                    }
                }
            }
        }
        self.tests(leaf, place, draft)?;
        if let Some(carry) = leaf.carry
            && let Some(register) = self.plan.sums[carry].moves
        {
            draft.push(Instruction::Note(register));
            draft.push(Instruction::Copy(register, place));
        }
        Some(())
    }

    /// Returns whether the number in the trace replaces the earlier value.
    fn replaces(&self, sum: &Sum) -> bool {
        sum.then.is_none() && sum.mask.is_none() && self.is_zero(sum.base)
    }

    fn is_zero(&self, place: NumberId) -> bool {
        let constant = self.layout.constant_at(place, &self.plan.numbers);
        constant == Some(0)
    }

    /// Compiles the computation of a carried value from the numbers at the places: the sum, the base,
    /// and the number that was read.
    fn sum(
        &self,
        sum: &Sum,
        (to, base, wire): (NumberId, NumberId, NumberId),
        draft: &mut Draft,
    ) -> Option<()> {
        let then = match sum.then {
            Some(then) => {
                self.operations(then, draft);
                then.result
            }
            None => self.zero()?,
        };
        let bits = match sum.mask {
            None => 0,
            Some(mask) => u8::try_from(mask.trailing_ones()).ok()?,
        };
        draft.push(Instruction::Sum(Addition {
            to,
            base,
            wire,
            then,
            bits,
        }));
        Some(())
    }

    /// Returns the place of the constant 0, if the plan has it.
    fn zero(&self) -> Option<NumberId> {
        self.layout.place_of(0, &self.plan.numbers)
    }

    /// Compiles an omitted field, whose value is computed from the previous one.
    fn carried(&self, leaf: &Leaf, draft: &mut Draft) -> Option<()> {
        if leaf.slot == Slot::NONE || leaf.show != Show::Mute {
            return None;
        }
        let sum = &self.plan.sums[leaf.carry?];
        let (place, zero) = (self.layout.slot(leaf.slot), self.zero()?);
        self.sum(sum, (place, place, zero), draft)?;
        self.tests(leaf, place, draft)
    }

    /// Compiles bits of the known word.
    fn bits(&self, shift: u8, width: u8, leaf: &Leaf, draft: &mut Draft) -> Option<()> {
        let word = self.word?;
        let bits = word >> shift & (u64::MAX >> (64 - u32::from(width)));
        let passes = match leaf.tests {
            Tests::None => true,
            Tests::Among(known) => bits < 32 && known >> bits & 1 != 0,
            _ => false,
        };
        if !passes || leaf.carry.is_some() || leaf.show != Show::Mute {
            return None;
        }
        if leaf.slot != Slot::NONE {
            let place = self.layout.slot(leaf.slot);
            draft.push(Instruction::Store(place, i64::try_from(bits).ok()?));
        }
        Some(())
    }

    /// Returns the place that receives a value. A value that no expression needs is only tested.
    fn place(&self, leaf: &Leaf) -> NumberId {
        match leaf.slot {
            Slot::NONE => self.layout.this(),
            slot => self.layout.slot(slot),
        }
    }

    /// Compiles the tests of the number at a place.
    fn tests(&self, leaf: &Leaf, place: NumberId, draft: &mut Draft) -> Option<()> {
        if leaf.show != Show::Mute {
            return None;
        }
        match leaf.tests {
            Tests::None => {}
            Tests::Member(set) => draft.push(Instruction::Member(set, place)),
            Tests::Among(known) => draft.push(Instruction::Among(known, place)),
            Tests::Reference(refs) => self.reference(refs, place, draft),
            Tests::Listed(tests) | Tests::Shows(tests) => {
                let listed = &self.plan.step_tests[tests];
                let this = self.layout.this();
                let mut shows = listed.shows.iter();
                let are_mentioned = listed.tests.iter().any(|test| self.mentions(test, this))
                    || shows.any(|formula| self.reads(*formula, this));
                if place != this && are_mentioned {
                    draft.push(Instruction::Copy(this, place));
                }
                self.listed(tests, place, draft)?;
                if let Some(refs) = listed.refs {
                    self.reference(refs, place, draft);
                }
                for formula in &listed.shows {
                    self.operations(*formula, draft);
                    draft.push(Instruction::False(formula.result));
                }
            }
            Tests::Any => return None,
        }
        Some(())
    }

    fn reference(&self, refs: RefsId, place: NumberId, draft: &mut Draft) {
        draft.push(Instruction::Reference(refs, place));
    }

    fn listed(&self, tests: StepTestsId, place: NumberId, draft: &mut Draft) -> Option<()> {
        for test in &self.plan.step_tests[tests].tests {
            let mut inside = Draft::default();
            self.test(test, place, &mut inside);
            if let Some(condition) = test.condition {
                self.operations(condition, draft);
                let count = u32::try_from(inside.instructions.len()).ok()?;
                draft.push(Instruction::Unless(condition.result, count));
            }
            draft.instructions.append(&mut inside.instructions);
        }
        Some(())
    }

    fn test(&self, test: &StepTest, place: NumberId, draft: &mut Draft) {
        let mut against = |formula: Formula, instruction: fn(NumberId, NumberId) -> Instruction| {
            self.operations(formula, draft);
            draft.push(instruction(place, formula.result));
        };
        match test.kind {
            StepTestKind::Least(bound) => against(bound, Instruction::Least),
            StepTestKind::Greatest(bound) => against(bound, Instruction::Greatest),
            StepTestKind::Equal(wanted) => against(wanted, Instruction::Equal),
            StepTestKind::Member(set) => draft.push(Instruction::Member(set, place)),
            StepTestKind::Holds(formula) => {
                self.operations(formula, draft);
                draft.push(Instruction::True(formula.result));
            }
        }
    }

    /// Returns whether a formula of a test reads the number at a place.
    fn mentions(&self, test: &StepTest, place: NumberId) -> bool {
        let formula = match test.kind {
            StepTestKind::Least(formula)
            | StepTestKind::Greatest(formula)
            | StepTestKind::Equal(formula)
            | StepTestKind::Holds(formula) => Some(formula),
            StepTestKind::Member(_) => None,
        };
        let formulas = test.condition.into_iter().chain(formula);
        formulas
            .into_iter()
            .any(|formula| self.reads(formula, place))
    }

    /// Returns whether a formula reads the number at a place.
    fn reads(&self, formula: Formula, place: NumberId) -> bool {
        let operations = &self.plan.operations[formula.first as usize..formula.end as usize];
        let reads = |operation: &Operation| operation.action.reads(place);
        formula.result == place || operations.iter().any(reads)
    }

    fn operations(&self, formula: Formula, draft: &mut Draft) {
        let operations = &self.plan.operations[formula.first as usize..formula.end as usize];
        draft
            .instructions
            .extend(operations.iter().map(instruction));
    }

    /// Compiles a query over a list.
    fn fold(&self, fold: &FoldPlan, draft: &mut Draft) {
        let Some(formula) = fold.formula else {
            return draft.push(Instruction::Leave);
        };
        self.operations(formula, draft);
        let slot = self.layout.slot(fold.slot);
        draft.push(match fold.pick {
            Pick::Greatest => Instruction::Maximum(slot, slot, formula.result),
            _ => Instruction::Minimum(slot, slot, formula.result),
        });
    }

    /// Compiles the assignments at the end of a structure.
    fn assign(&mut self, effects: EffectsId) {
        let plan = self.plan;
        for (index, assignment) in plan.assignments[effects].iter().enumerate() {
            let mut draft = Draft::default();
            self.assignment(assignment, &mut draft);
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            self.keep(Source::Set(effects, index), draft);
        }
    }

    fn assignment(&self, assignment: &Assignment, draft: &mut Draft) {
        let mut inside = Draft::default();
        self.operations(assignment.value, &mut inside);
        let value = assignment.value.result;
        match assignment.target {
            Target::Register(register) => inside.push(Instruction::Copy(register, value)),
            Target::Column(key, column) => {
                // The operations of the key must not replace the value.
                let mut value = value;
                if key.first != key.end && !self.layout.is_variable(value) {
                    let this = self.layout.this();
                    inside.push(Instruction::Copy(this, value));
                    value = this;
                }
                self.operations(key, &mut inside);
                inside.push(Instruction::Column {
                    key: key.result,
                    column,
                    value,
                });
            }
        }
        if let Some(condition) = assignment.condition {
            self.operations(condition, draft);
            let count = u32::try_from(inside.instructions.len()).unwrap_or(u32::MAX);
            draft.push(Instruction::Unless(condition.result, count));
        }
        draft.instructions.append(&mut inside.instructions);
    }
}

/// Converts an operation of a formula.
fn instruction(operation: &Operation) -> Instruction {
    let to = operation.result;
    match operation.action {
        Action::Greatest(one, other) => Instruction::Maximum(to, one, other),
        Action::Else(first, second) => Instruction::Else(to, first, second),
        Action::Least(one, other) => Instruction::Minimum(to, one, other),
        Action::Conditional(condition, then, otherwise) => {
            Instruction::Choose(to, condition, then, otherwise)
        }
        Action::RowColumn(row, column) => Instruction::RowColumn(to, row, column),
        _ => Instruction::Operate(*operation),
    }
}

/// Returns the greatest number of an integer type, or `None` if its numbers can be negative.
fn greatest_of(integer: Integer) -> Option<u64> {
    (!integer.signed).then(|| u64::MAX >> (64 - 8 * u32::from(integer.width.clamp(1, 8))))
}
