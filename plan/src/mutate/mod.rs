//! Mutants: plans with one planted bug.
//!
//! Each mutant is an incorrect reader that someone could have written: one that reads a number in
//! the wrong byte order, forgets a test, or never clears a table. A good corpus distinguishes each
//! mutant from a correct reader. The operators depend only on the parts of a plan, never on a
//! particular format.
//!
//! A mutant is a changed copy of a plan. A mutant satisfies the invariants of every plan (indexes
//! are valid, and no number has more than 64 bits), so a decoder can run it as safely as the
//! original. A mutant may need more time and memory than the original, however, so callers should
//! limit each run.

mod carry;
mod check;
mod compared;
mod edit;
mod expression;
mod fault;
mod layout;
mod live;
mod meaning;
mod number;
pub mod operators;
mod part;
mod place;
mod repeat;
mod roots;
mod rule;
mod serves;
mod state;
mod switch;
mod text;
pub mod words;

use crate::Arena;
use crate::terms::RuleId;
use std::collections::HashMap;
use std::fmt::{self, Display};

use super::{Allowed, Kind, OpId, Paths, Plan};
use crate::source::SourceSpan;

pub use compared::compared_fields;
pub use number::{shown_under, values_read};
pub use place::Place;
use roots::Stored;
pub use rule::rules_off;

/// The operators whose mutants accept some or all violations of a rule at one place.
const LENIENT: [&str; 15] = [
    "any-size-held",
    "contents-not-compared",
    "fault-taken",
    "ill-formed-text-taken",
    "keys-not-compared",
    "least-number-not-tested",
    "may-come-again",
    "nests-without-bound",
    "no-row-removed",
    "not-tested",
    "other-row-taken",
    "overflow-taken",
    "padding-not-compared",
    "same-row-taken-again",
    "unknown-row-taken",
];

/// A function that plants a bug in a plan.
type Change = Box<dyn Fn(&mut Plan) + Send + Sync>;

/// A plan with one planted bug. The bug is present at every use of the changed part of the
/// description.
pub struct Mutant {
    name: String,
    operator: &'static str,
    detail: String,
    place: Place,
    touches: Vec<OpId>,
    /// One change for each use of the changed part of the description.
    changes: Vec<Change>,
}

impl fmt::Debug for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Mutant");
        shown.field("name", &self.name);
        shown
            .field("touches", &self.touches)
            .finish_non_exhaustive()
    }
}

impl Mutant {
    /// Returns the stable name of the mutant: `operator@path-in-description/detail`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the mutation operator, which is the kind of bug.
    pub fn operator(&self) -> &'static str {
        self.operator
    }

    /// Returns the detail of the change, such as a width or a rule. The detail is empty if the name
    /// of the operator is sufficient.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns whether the mutant lacks a check: whether it accepts traces that violate the rule of
    /// its place.
    pub fn is_lenient(&self) -> bool {
        LENIENT.contains(&self.operator)
    }

    /// Returns the part of the description that the mutant changes or, if this part is used several
    /// times, its first use.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns `true` if the bugs of the two mutants are independent: the mutants change different
    /// parts of the plan, so the order in which they are applied does not matter.
    pub fn is_independent_of(&self, other: &Self) -> bool {
        match (self.touches.is_empty(), other.touches.is_empty()) {
            (false, false) => !self.touches.iter().any(|op| other.touches.contains(op)),
            (true, true) => self.named_place() != other.named_place(),
            _ => true,
        }
    }

    /// Returns the path in the mutant's name.
    fn named_place(&self) -> &str {
        let named = self.name.split_once('@').map_or("", |(_, place)| place);
        named.split('/').next().unwrap_or(named)
    }

    /// Returns the changed operations. If the decoder neither runs nor skips any of these
    /// operations in a trace, the mutation does not affect that trace. An empty result means that
    /// any trace may be affected.
    pub fn touches(&self) -> &[OpId] {
        &self.touches
    }

    /// Applies the mutation to `plan`, which must be the plan that the mutant was created from. The
    /// result has no programs for the fast path, because these programs implement the correct
    /// behavior.
    #[must_use]
    pub fn of(&self, plan: &Plan) -> Plan {
        let mut mutated = plan.clone();
        mutated.forget_programs();
        for change in &self.changes {
            change(&mut mutated);
        }
        mutated
    }
}

impl Plan {
    /// Removes all programs for the fast path, so that only the operations control how a trace is
    /// decoded.
    pub fn forget_programs(&mut self) {
        self.programs.fill(super::Programs::default());
        self.steps = Vec::new();
        self.lists = Arena::new();
        self.operations = Vec::new();
        self.numbers = Vec::new();
        self.words = 0;
        self.step_tests = Arena::new();
        self.sums = Arena::new();
        self.assignments = Arena::new();
        self.record_forms = Arena::new();
        for fold in self.repeats.iter_mut().flat_map(|repeat| &mut repeat.folds) {
            fold.formula = None;
        }
        self.after_element = Arena::new();
        for op in &mut self.ops {
            op.flags &= !(super::flags::FUSED | super::flags::RUN);
        }
    }
}

/// Generates all mutants of a plan. The result is deterministic, including its order.
pub fn mutants(plan: &Plan) -> Vec<Mutant> {
    let mut collector = Collector::new(plan);
    number::mutate(&mut collector);
    text::mutate(&mut collector);
    part::mutate(&mut collector);
    check::mutate(&mut collector);
    switch::mutate(&mut collector);
    repeat::mutate(&mut collector);
    carry::mutate(&mut collector);
    state::mutate(&mut collector);
    layout::mutate(&mut collector);
    meaning::mutate(&mut collector);
    fault::mutate(&mut collector);
    expression::mutate(&mut collector);
    collector.found
}

/// Collects mutants and assigns their names.
struct Collector<'p> {
    plan: &'p Plan,
    /// The values that verdicts or records depend on.
    live: live::Live,
    /// The range of values that each field may have.
    allowed: HashMap<OpId, Allowed>,
    /// The rules that stored values serve.
    serves: serves::Serves,
    /// The values that records contain.
    shown: live::Live,
    paths: Paths,
    /// The place to record for the next mutants. For mutants of an operation, `op` is replaced with
    /// that operation.
    about: Place,
    found: Vec<Mutant>,
    named: HashMap<String, u32>,
    /// The index of the mutant for each operator, location in the description, and detail.
    places: HashMap<(&'static str, SourceSpan, String), usize>,
}

impl<'p> Collector<'p> {
    fn new(plan: &'p Plan) -> Self {
        let live = live::Live::of(plan);
        Self {
            plan,
            serves: serves::Serves::of(plan, &live),
            live,
            shown: live::Live::shown(plan),
            allowed: plan.ranges(),
            paths: Paths::new(plan),
            about: Place::default(),
            found: Vec::new(),
            named: HashMap::new(),
            places: HashMap::new(),
        }
    }

    /// Runs `work`, which adds mutants that change the handling of `rule`.
    fn under(&mut self, rule: Option<RuleId>, work: impl FnOnce(&mut Self)) {
        let about = self.about;
        self.at(Place { rule, ..about }, work);
    }

    /// Runs `work`, which adds mutants that compute a stored value incorrectly.
    fn serving(&mut self, value: Stored, work: impl FnOnce(&mut Self)) {
        let rule = self.serves.rule(value);
        let sets = match value {
            Stored::Register(register) => Some(register),
            Stored::Slot(_) | Stored::Column(..) => None,
        };
        let before = self.about;
        self.about.sets = sets;
        self.computing(rule, work);
        self.about = before;
    }

    /// Runs `work`, which adds mutants that compute the value that `rule` requires incorrectly.
    fn computing(&mut self, rule: Option<RuleId>, work: impl FnOnce(&mut Self)) {
        let about = self.about;
        let computes = rule.is_some();
        self.at(
            Place {
                rule,
                computes,
                ..about
            },
            work,
        );
    }

    /// Runs `work`, which adds mutants that confuse or omit the `choices`: arms of a switch or
    /// types of a layout.
    fn choosing(&mut self, choices: [Option<OpId>; 2], work: impl FnOnce(&mut Self)) {
        let about = self.about;
        self.at(Place { choices, ..about }, work);
    }

    /// Runs `work`, which adds mutants that change `place`.
    fn at(&mut self, place: Place, work: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.about, place);
        work(self);
        self.about = before;
    }

    /// Adds a mutant that changes one operation.
    fn add(
        &mut self,
        operator: &'static str,
        op: OpId,
        detail: impl Display,
        change: impl Fn(&mut Plan) + Send + Sync + 'static,
    ) {
        self.add_touching(operator, op, vec![op], detail, change);
    }

    /// Adds a mutant that is named after one operation but also changes others.
    fn add_touching(
        &mut self,
        operator: &'static str,
        op: OpId,
        touches: Vec<OpId>,
        detail: impl Display,
        change: impl Fn(&mut Plan) + Send + Sync + 'static,
    ) {
        let detail = detail.to_string().replace(' ', "-");
        // A part of the description can be used in several places. Changing it is a single bug.
        let key = (operator, self.plan.info(op).span, detail.clone());
        if let Some(place) = self.places.get(&key).copied() {
            let seen = self.seen(touches);
            let known = &mut self.found[place];
            known.touches.extend(seen);
            known.changes.push(Box::new(change));
            return;
        }
        self.places.insert(key, self.found.len());
        let path = self.paths.of(op).to_owned();
        let place = Place {
            op: Some(op),
            ..self.about
        };
        self.put(operator, (&path, place), touches, detail, Box::new(change));
    }

    /// Adds a mutant that changes something other than an operation.
    fn add_named(
        &mut self,
        operator: &'static str,
        place: &str,
        detail: impl Display,
        change: impl Fn(&mut Plan) + Send + Sync + 'static,
    ) {
        let about = self.about;
        self.put(
            operator,
            (place, about),
            Vec::new(),
            detail,
            Box::new(change),
        );
    }

    fn put(
        &mut self,
        operator: &'static str,
        (path, place): (&str, Place),
        touches: Vec<OpId>,
        detail: impl Display,
        change: Change,
    ) {
        let detail = detail.to_string().replace(' ', "-");
        let mut name = match detail.as_str() {
            "" => format!("{operator}@{path}"),
            detail => format!("{operator}@{path}/{detail}"),
        };
        // Several elements of a description can have the same path.
        let number = self.named.entry(name.clone()).or_default();
        *number += 1;
        if *number > 1 {
            name = format!("{name}/{number}");
        }
        let touches = self.seen(touches);
        self.found.push(Mutant {
            name,
            operator,
            detail,
            place,
            touches,
            changes: vec![change],
        });
    }

    /// Returns the operations whose execution is observed for `touches`. A bit field is read
    /// together with the run of bits that contains it.
    fn seen(&self, touches: Vec<OpId>) -> Vec<OpId> {
        let seen = touches.into_iter().map(|op| match self.plan.op(op).kind {
            Kind::Bits { .. } => self.plan.info(op).parent.unwrap_or(op),
            _ => op,
        });
        seen.collect()
    }

    /// Iterates over the ids of all operations.
    fn ops(&self) -> impl Iterator<Item = OpId> + use<> {
        let count = self.plan.ops.len();
        (0..u32::MAX).map(OpId).take(count)
    }
}
