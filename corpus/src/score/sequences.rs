//! Measures the coverage of the order of list elements: pairs of element kinds in every list, and
//! triples in the outermost lists, which make up a trace.

use std::collections::{BTreeSet, HashMap};

use tracegauge_plan::{Code, Kind, OpId, Plan, each_code};

use super::Obligation;

/// A switch that selects the kind of each element in a list.
struct Kinds {
    repeat: OpId,
    arms: Vec<OpId>,
}

fn kinds(plan: &Plan) -> Vec<Kinds> {
    let ops = (0..).map(OpId).zip(&plan.ops);
    let switches = ops.filter_map(|(op, described)| match described.kind {
        Kind::Switch(index) => Some((op, &plan.switches[index])),
        _ => None,
    });
    let found = switches.filter_map(|(op, switch)| {
        let repeat = list_around(plan, op, |kind| {
            matches!(kind, Kind::Structure | Kind::Sized(_))
        })?;
        let varies = asks_inside(plan, switch.on, repeat) || !switch.computed.is_empty();
        let arms: Vec<OpId> = plan.children(op).collect();
        (varies && arms.len() > 1).then_some(Kinds { repeat, arms })
    });
    found.collect()
}

/// Returns the innermost list that contains an operation, provided that `passed` accepts every
/// operation between the two.
fn list_around(plan: &Plan, op: OpId, passed: impl Fn(&Kind) -> bool) -> Option<OpId> {
    let mut at = op;
    while let Some(around) = plan.info(at).parent {
        match &plan.op(around).kind {
            Kind::Repeat(_) => return Some(around),
            kind if passed(kind) => at = around,
            _ => return None,
        }
    }
    None
}

/// Returns true if an expression depends on a value inside the elements of a list.
fn asks_inside(plan: &Plan, code: tracegauge_plan::CodeId, list: OpId) -> bool {
    let inside = (list.0..plan.op(list).end).map(OpId);
    let slots: BTreeSet<usize> = inside.map(|op| plan.op(op).slot.index()).collect();
    let mut asks = false;
    each_code(plan, code, &mut |code| {
        asks |= matches!(code, Code::Slot(slot) if slots.contains(&slot.index()));
    });
    asks
}

/// Returns all possible pairs and triples of element kinds. `ends` returns true if an element of a
/// kind is always the last in its list. The second argument of `ends` is the operation that every
/// element begins with.
pub(super) fn sequences(plan: &Plan, ends: impl Fn(OpId, OpId) -> bool) -> Vec<Obligation> {
    let mut found = Vec::new();
    for kinds in kinds(plan) {
        let first = OpId(kinds.repeat.0 + 1);
        let arms = &kinds.arms;
        let goes_on = |arm: &&OpId| !ends(**arm, first);
        for one in arms.iter().filter(goes_on) {
            let twos = arms.iter().map(|two| Obligation::Next(*one, *two));
            found.extend(twos);
            if list_around(plan, kinds.repeat, |_| true).is_some() {
                continue;
            }
            for two in arms.iter().filter(goes_on) {
                let threes = arms.iter();
                found.extend(threes.map(|three| Obligation::Third(*one, *two, *three)));
            }
        }
    }
    found
}

/// Tracks the kinds of the elements in a trace.
#[derive(Clone, Debug)]
pub(super) struct Sequences {
    /// The list that each kind of element belongs to. Kinds are identified by switch arms.
    lists: HashMap<OpId, OpId>,
    /// The kinds of the last two elements of each list.
    last: HashMap<OpId, (Option<OpId>, OpId)>,
    pub(super) met: BTreeSet<Obligation>,
}

impl Sequences {
    pub(super) fn new(plan: &Plan) -> Self {
        let lists = kinds(plan).into_iter().flat_map(|kinds| {
            let repeat = kinds.repeat;
            kinds.arms.into_iter().map(move |arm| (arm, repeat))
        });
        Self {
            lists: lists.collect(),
            last: HashMap::new(),
            met: BTreeSet::new(),
        }
    }

    /// Records that an operation runs: a list, or the switch arm that is the kind of an element.
    pub(super) fn enter(&mut self, op: OpId) {
        if self.last.contains_key(&op) {
            self.last.remove(&op);
            return;
        }
        let Some(list) = self.lists.get(&op) else {
            return;
        };
        let before = self.last.get(list).copied();
        if let Some((earlier, last)) = before {
            self.met.insert(Obligation::Next(last, op));
            if let Some(earlier) = earlier {
                self.met.insert(Obligation::Third(earlier, last, op));
            }
        }
        self.last.insert(*list, (before.map(|(_, last)| last), op));
    }
}
