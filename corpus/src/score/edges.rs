//! Finds the operations that can directly follow each operation, according to the structure of the
//! plan.
//!
//! Operations are ordered as in the decoder's coverage marks: an operation precedes the operations
//! inside it.
//!
//! A *layout* is an operation that reads values whose types the trace itself describes. A
//! *container value* is a value in a layout that contains other values. A *located value* is a
//! container value whose contents are at another position in the trace, which the value specifies.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::terms::ReaderDuty;
use tracegauge_plan::{
    Code, CodeId, Kind, LayoutSource, LayoutUseId, NestedForm, NestedId, OpId, Plan, Slot, flags,
};

use super::obligations::bounds;

/// Pairs are listed only for plans with at most this many operations. Larger plans have too many
/// pairs.
const GREATEST: usize = 20_000;

type Set = Rc<BTreeSet<u32>>;

/// Returns all pairs of consecutive operations, or `None` if the plan is too large.
pub(super) fn edges(plan: &Plan) -> Option<BTreeSet<(OpId, OpId)>> {
    if plan.ops.is_empty() || plan.ops.len() > GREATEST {
        return None;
    }
    let mut walk = Walk {
        plan,
        after_calls: HashMap::new(),
        elements: Vec::new(),
        grew: true,
        edges: BTreeSet::new(),
    };
    // The operations after a call also follow the end of the called type, which may come earlier in
    // the plan. Repeat until no more pairs are found.
    while walk.grew {
        walk.grew = false;
        walk.operation(OpId(0), &Set::default());
    }
    let mut edges = walk.edges;
    edges.retain(|(from, to)| !exclusive(plan, *from, *to));
    Some(edges)
}

/// Returns true if the next list element can follow an operation inside `from` or a later operation
/// in the same element. Elements begin with `first`.
pub(super) fn leads_to(
    plan: &Plan,
    edges: &BTreeSet<(OpId, OpId)>,
    from: OpId,
    first: OpId,
) -> bool {
    let element = first.0..plan.op(first).end;
    let mut seen: BTreeSet<u32> = (from.0..plan.op(from).end).collect();
    let mut open: Vec<u32> = seen.iter().copied().collect();
    while let Some(at) = open.pop() {
        let next = edges.range((OpId(at), OpId(0))..=(OpId(at), OpId(u32::MAX)));
        for (_, to) in next {
            if *to == first {
                return true;
            }
            if element.contains(&to.0) && seen.insert(to.0) {
                open.push(to.0);
            }
        }
    }
    false
}

/// Returns true if the conditions of two operations are mutually exclusive: they require different
/// values of a field that is always read before both operations.
fn exclusive(plan: &Plan, from: OpId, to: OpId) -> bool {
    let Some(around) = plan.info(to).parent else {
        return false;
    };
    let mut beside = from;
    while let Some(outer) = plan.info(beside).parent.filter(|_| beside != to) {
        if outer == around {
            break;
        }
        beside = outer;
    }
    if beside >= to || plan.info(beside).parent != Some(around) {
        return false;
    }
    let asked = equalities(plan, to);
    equalities(plan, beside).iter().any(|(slot, value)| {
        let differs = asked
            .iter()
            .any(|(other, wanted)| other == slot && wanted != value);
        differs && is_read_before(plan, around, beside, *slot)
    })
}

/// Returns the fields that must have a certain value for an operation to be present.
fn equalities(plan: &Plan, id: OpId) -> Vec<(Slot, i128)> {
    let mut found = Vec::new();
    if plan.op(id).flags & flags::GUARD != 0 {
        equal(plan, plan.op(id).guard, &mut found);
    }
    found
}

fn equal(plan: &Plan, code: CodeId, found: &mut Vec<(Slot, i128)>) {
    match plan.codes[code.index()] {
        Code::Binary(BinaryOperator::And, left, right) => {
            equal(plan, left, found);
            equal(plan, right, found);
        }
        Code::Binary(BinaryOperator::Equal, left, right) => {
            match (&plan.codes[left.index()], &plan.codes[right.index()]) {
                (Code::Slot(slot), Code::Int(value)) | (Code::Int(value), Code::Slot(slot)) => {
                    found.push((*slot, *value));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// Returns true if the field that fills this slot is always read in `around` before `beside`.
fn is_read_before(plan: &Plan, around: OpId, beside: OpId, slot: Slot) -> bool {
    let mut earlier = plan.children(around).take_while(|child| *child < beside);
    earlier.any(|child| {
        let op = plan.op(child);
        op.slot == slot && op.flags & (flags::GUARD | flags::OPTIONAL_REST) == 0
    })
}

struct Walk<'p> {
    plan: &'p Plan,
    /// For each operation, the operations that can follow a call to it.
    after_calls: HashMap<u32, BTreeSet<u32>>,
    /// The possible contents of container values in each enclosing layout.
    elements: Vec<Elements>,
    grew: bool,
    edges: BTreeSet<(OpId, OpId)>,
}

/// The operations that can occur inside a container value of a layout.
#[derive(Clone, Debug, Default)]
struct Elements {
    /// The operations that can read a field of the value.
    fields: BTreeSet<u32>,
    /// The operations that can read an element of the value. For a list of code units, the
    /// operation that reads the list as one string.
    values: BTreeSet<u32>,
}

impl Walk<'_> {
    /// Adds the pairs that begin with `id` or an operation inside it. `follow` contains the
    /// operations that can come after `id`.
    fn operation(&mut self, id: OpId, follow: &Set) {
        let plan = self.plan;
        let follow = match self.after_calls.get(&id.0) {
            Some(calls) => Rc::new(follow.union(calls).copied().collect()),
            None => Rc::clone(follow),
        };
        let (inside, may_be_empty) = self.inside(id, &follow);
        for next in &inside {
            self.edges.insert((id, OpId(*next)));
        }
        if may_be_empty {
            for next in follow.iter() {
                self.edges.insert((id, OpId(*next)));
            }
        }
        if let Kind::Call(target) = plan.op(id).kind {
            let known = self.after_calls.entry(target.0).or_default();
            let before = known.len();
            known.extend(follow.iter());
            self.grew |= known.len() > before;
        }
    }

    /// Returns the operations that can run first inside `id`, and whether it is possible that no
    /// operation runs inside `id`.
    fn inside(&mut self, id: OpId, follow: &Set) -> (BTreeSet<u32>, bool) {
        let plan = self.plan;
        let children: Vec<OpId> = plan.children(id).collect();
        match &plan.op(id).kind {
            Kind::Structure | Kind::BitRun { .. } | Kind::Sized(_) => {
                self.sequence(&children, follow)
            }
            Kind::Repeat(index) => {
                let (least, most) = bounds(plan, *index);
                let element = BTreeSet::from([id.0 + 1]);
                let after = if most > 1 {
                    Rc::new(follow.union(&element).copied().collect())
                } else {
                    Rc::clone(follow)
                };
                self.operation(OpId(id.0 + 1), &after);
                if most == 0 {
                    (BTreeSet::new(), true)
                } else {
                    (element, least == 0)
                }
            }
            Kind::Switch(index) => {
                for arm in &children {
                    self.operation(*arm, follow);
                }
                let switch = &plan.switches[*index];
                let tolerated = switch
                    .rule
                    .is_none_or(|rule| plan.rules[rule].duty != ReaderDuty::Reject);
                let arms = children.iter().map(|arm| arm.0).collect();
                (arms, switch.default.is_none() && tolerated)
            }
            Kind::Layout(index) => self.layout(*index, follow),
            Kind::Nested(index) => self.nested(*index, follow),
            Kind::Call(target) => (BTreeSet::from([target.0]), false),
            _ => (BTreeSet::new(), true),
        }
    }

    fn sequence(&mut self, children: &[OpId], follow: &Set) -> (BTreeSet<u32>, bool) {
        let mut after = Rc::clone(follow);
        let mut firsts = BTreeSet::new();
        let mut may_be_empty = true;
        // The operations that come next if a group of children with the same condition is absent.
        let mut beyond = Rc::clone(follow);
        let mut behind: Option<OpId> = None;
        for child in children.iter().rev() {
            let alike = behind.filter(|next| self.always_together(*child, *next));
            match alike {
                Some(next) => self.operation(*child, &Rc::new(BTreeSet::from([next.0]))),
                None => {
                    beyond = Rc::clone(&after);
                    self.operation(*child, &after);
                }
            }
            behind = Some(*child);
            let flags = self.plan.op(*child).flags;
            let mut before = BTreeSet::from([child.0]);
            if flags & flags::OPTIONAL_REST != 0 {
                // The structure may end before this child, whichever children come after it.
                before.extend(follow.iter());
                firsts = BTreeSet::from([child.0]);
                may_be_empty = true;
            } else if flags & flags::GUARD != 0 {
                before.extend(beyond.iter());
                if alike.is_some() {
                    firsts.retain(|first| Some(*first) != alike.map(|next| next.0));
                }
                firsts.insert(child.0);
            } else {
                firsts = BTreeSet::from([child.0]);
                may_be_empty = false;
            }
            after = Rc::new(before);
        }
        (firsts, may_be_empty)
    }

    /// Returns true if two consecutive fields have the same condition.
    fn always_together(&self, first: OpId, second: OpId) -> bool {
        let guarded = |op: OpId| {
            let only = flags::GUARD | flags::OPTIONAL_REST;
            self.plan.op(op).flags & only == flags::GUARD
        };
        guarded(first) && guarded(second) && self.plan.op(first).guard == self.plan.op(second).guard
    }

    /// Adds the pairs in a layout. A layout that is described by a row can contain values with any
    /// codes, in any order and number. A layout that is described by a single code contains one
    /// value.
    fn layout(&mut self, index: LayoutUseId, follow: &Set) -> (BTreeSet<u32>, bool) {
        let layout = &self.plan.layouts[index];
        let mut heads: BTreeSet<u32> = layout.codes.iter().map(|code| code.op.0).collect();
        let codes: Vec<OpId> = heads.iter().map(|op| OpId(*op)).collect();
        let units = layout.codes.iter().filter_map(|code| code.units);
        let units: BTreeSet<u32> = units.map(|units| units.0).collect();
        let listed = layout.codes.iter().filter(|code| code.units.is_none());
        let listed: BTreeSet<u32> = listed.map(|code| code.op.0).collect();
        self.elements.push(Elements {
            fields: heads.clone(),
            values: listed.union(&units).copied().collect(),
        });
        let many = matches!(layout.source, LayoutSource::Row(..));
        // A value described by a single code is never optional.
        let optional = layout.optional.as_ref().filter(|_| many);
        let presence = optional.map(|(_, presence)| *presence);
        heads.extend(presence.map(|presence| presence.0));
        let after = if many {
            Rc::new(follow.union(&heads).copied().collect())
        } else {
            Rc::clone(follow)
        };
        // Located values are read after all fields.
        let located = codes.iter().any(|code| self.is_located(*code));
        let after = if located {
            Rc::new(after.union(&units).copied().collect())
        } else {
            after
        };
        for code in codes {
            self.operation(code, &after);
        }
        for units in units {
            self.operation(OpId(units), &after);
        }
        self.elements.pop();
        if let Some(presence) = presence {
            self.operation(presence, &after);
        }
        (heads, many)
    }

    fn is_located(&self, code: OpId) -> bool {
        match self.plan.op(code).kind {
            Kind::Nested(index) => {
                let form = &self.plan.nested[index].form;
                matches!(form, NestedForm::Located(_))
            }
            _ => false,
        }
    }

    /// Returns the operations that can run first inside a container value. Empty containers are
    /// ignored.
    fn nested(&mut self, index: NestedId, follow: &Set) -> (BTreeSet<u32>, bool) {
        let elements = self.elements.last().cloned().unwrap_or_default();
        match &self.plan.nested[index].form {
            NestedForm::Fields => (elements.fields, false),
            NestedForm::Described(_) => (elements.values, false),
            NestedForm::Counted(count) => {
                let after = Rc::new(follow.union(&elements.values).copied().collect());
                self.operation(*count, &after);
                (BTreeSet::from([count.0]), false)
            }
            NestedForm::Located(located) => {
                self.operation(located.word, follow);
                (BTreeSet::from([located.word.0]), false)
            }
        }
    }
}
