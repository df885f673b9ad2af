//! Mutants: plans in which one thing is wrong.
//!
//! Each is a wrong reader that someone could have written: a number read in the other byte
//! order, a test forgotten, a table never cleared. A corpus that bites tells each of them from
//! the truth. Operators follow from what a plan is made of, never from a format.
//!
//! A mutant is a changed copy of a plan. It keeps what every plan keeps (indexes name what is
//! there, no number has more than 64 bits), so that a decoder that runs it is as safe as one
//! that runs the truth; it may however do more work, for which the one who runs it sets a
//! limit.

mod carry;
mod check;
mod edit;
mod expression;
mod fault;
mod layout;
mod live;
mod meaning;
mod number;
mod part;
mod repeat;
mod roots;
mod rule;
mod state;
mod switch;
mod text;
mod words;

use std::collections::HashMap;
use std::fmt::{self, Display};

use super::{Allowed, Kind, OpId, Paths, Plan};
use crate::source::SourceSpan;

pub use number::{shown_under, values_read};
pub use rule::rules_off;

/// A change of a plan.
type Change = Box<dyn Fn(&mut Plan) + Send + Sync>;

/// A plan in which one thing is wrong, wherever the description is used that says it.
pub struct Mutant {
    name: String,
    operator: &'static str,
    detail: String,
    touches: Vec<OpId>,
    /// One for each use of what is changed in the description.
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
    /// What it is, always the same: `operator@path-in-description/detail`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was done.
    pub fn operator(&self) -> &'static str {
        self.operator
    }

    /// To what it was done: a width, say, or a rule; empty where the operator says it all.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The operations that are changed: a trace in which none of them runs or is passed over
    /// is read as ever. None given: any trace may be read otherwise.
    pub fn touches(&self) -> &[OpId] {
        &self.touches
    }

    /// The mutant of `plan`, which must be the one that the mutant was made for. Its programs
    /// are gone, since they were made for the truth.
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
    /// Leaves the operations alone to say what a trace means.
    pub fn forget_programs(&mut self) {
        self.programs.fill(super::Programs::default());
        self.steps = Vec::new();
        self.lists = Vec::new();
        for op in &mut self.ops {
            op.flags &= !(super::flags::FUSED | super::flags::RUN);
        }
    }
}

/// The mutants of a plan, always the same and in the same order.
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

/// Gathers mutants and gives them names.
struct Collector<'p> {
    plan: &'p Plan,
    /// What verdicts or records depend on.
    live: live::Live,
    /// What fields may have.
    allowed: HashMap<OpId, Allowed>,
    /// What records show.
    shown: live::Live,
    paths: Paths,
    found: Vec<Mutant>,
    named: HashMap<String, u32>,
    /// Which of the mutants changes what.
    places: HashMap<(&'static str, SourceSpan, String), usize>,
}

impl<'p> Collector<'p> {
    fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            live: live::Live::of(plan),
            shown: live::Live::shown(plan),
            allowed: plan.ranges(),
            paths: Paths::new(plan),
            found: Vec::new(),
            named: HashMap::new(),
            places: HashMap::new(),
        }
    }

    /// Adds a mutant of one operation.
    fn add(
        &mut self,
        operator: &'static str,
        op: OpId,
        detail: impl Display,
        change: impl Fn(&mut Plan) + Send + Sync + 'static,
    ) {
        self.add_touching(operator, op, vec![op], detail, change);
    }

    /// Adds a mutant that is named for one operation and touches others.
    fn add_touching(
        &mut self,
        operator: &'static str,
        op: OpId,
        touches: Vec<OpId>,
        detail: impl Display,
        change: impl Fn(&mut Plan) + Send + Sync + 'static,
    ) {
        let detail = detail.to_string().replace(' ', "-");
        // What a description says once is one mistake, however often it is used.
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
        self.put(operator, &path, touches, detail, Box::new(change));
    }

    /// Adds a mutant of something that is no operation.
    fn add_named(
        &mut self,
        operator: &'static str,
        place: &str,
        detail: impl Display,
        change: impl Fn(&mut Plan) + Send + Sync + 'static,
    ) {
        self.put(operator, place, Vec::new(), detail, Box::new(change));
    }

    fn put(
        &mut self,
        operator: &'static str,
        place: &str,
        touches: Vec<OpId>,
        detail: impl Display,
        change: Change,
    ) {
        let detail = detail.to_string().replace(' ', "-");
        let mut name = match detail.as_str() {
            "" => format!("{operator}@{place}"),
            detail => format!("{operator}@{place}/{detail}"),
        };
        // Several places of a description may have one path.
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
            touches,
            changes: vec![change],
        });
    }

    /// Where it is seen that operations run: bits are read with the run around them.
    fn seen(&self, touches: Vec<OpId>) -> Vec<OpId> {
        let seen = touches.into_iter().map(|op| match self.plan.op(op).kind {
            Kind::Bits { .. } => self.plan.info(op).parent.unwrap_or(op),
            _ => op,
        });
        seen.collect()
    }

    /// All operations.
    fn ops(&self) -> impl Iterator<Item = OpId> + use<> {
        let count = self.plan.ops.len();
        (0..u32::MAX).map(OpId).take(count)
    }
}
