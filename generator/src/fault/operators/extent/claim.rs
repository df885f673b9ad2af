//! Plants wrong sizes and counts, and finds what contradicts them.
//!
//! A wrong size is a fault only if something contradicts it: the contents of the part need more or
//! fewer bytes, or the enclosing part ends before the part does. Otherwise, the bytes merely parse
//! as different data.

use tracegauge_decoder::text::well_formed;
use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{FaultKind, ReaderDuty};
use tracegauge_plan::{
    CheckKind, CheckPlan, Code, Count, Derived, Extent, Kind, Measure, OpId, Plan, Scale,
    StreamPart, StreamRef,
};

use super::ExtentChange;
use crate::fault::apply::{At, Attack, Blame, duty, fault};
use crate::fault::ends::Ends;
use crate::fault::evaluate::Value;
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::splice::Splice;
use crate::fault::twin::Twin;

/// A field that stores a size or count, with the value that it measures.
struct Claim {
    field: NodeId,
    of: NodeId,
    measure: Measure,
    scale: Scale,
    /// The actual size or count.
    amount: i128,
    /// The end of the enclosing part.
    end: u64,
    ends: Ends,
}

/// Changes the size or count stored at `node`.
pub(super) fn plant(twin: &Twin<'_>, node: NodeId, change: ExtentChange) -> Result<Attack, NoCase> {
    let claim = Claim::of(twin, node).ok_or(NoCase::Lacking)?;
    // The field must determine how much is read. Otherwise, a constraint fixes its value, and a
    // wrong value violates this constraint first.
    if !claim.governs(twin) {
        return Err(NoCase::Overtaken);
    }
    let amount = claim.changed(twin, change);
    let amount = amount.ok_or(NoCase::Inexpressible)?;
    let value = claim.scale.value(amount);
    let value = value.ok_or(NoCase::Inexpressible)?;
    if amount == claim.amount {
        return Err(NoCase::Allowed);
    }
    if !twin.failed_tests(node, &Value::Int(value)).is_empty() {
        return Err(NoCase::Overtaken);
    }
    let blame = claim.blame(twin, amount);
    let blame = blame.ok_or(NoCase::Uncontradicted)?;
    // After a tolerated violation, a reader continues with the wrong bytes.
    if duty(twin.plan, blame.rule) != ReaderDuty::Reject {
        return Err(NoCase::Uncontradicted);
    }
    let edit = twin.set(node, value).ok_or(NoCase::Inexpressible)?;
    Ok(Attack {
        splice: Splice {
            edits: vec![edit],
            ..Splice::default()
        },
        blame: vec![blame],
    })
}

impl Claim {
    fn of(twin: &Twin<'_>, field: NodeId) -> Option<Self> {
        let Some(Derived::Measured { of, measure, scale }) = &twin.info(field).derived else {
            return None;
        };
        let of = twin.measured_by(field, *of)?;
        let span = twin.node(of).span;
        let amount = match measure {
            Measure::Size => i128::from(span.end - span.start),
            Measure::Count => i128::try_from(twin.tree.count(of)).ok()?,
        };
        let limit = twin.limit(of);
        let claim = Self {
            field,
            of,
            measure: *measure,
            scale: *scale,
            amount,
            end: limit.end,
            ends: if limit.part.is_some() {
                Ends::Part
            } else {
                Ends::File
            },
        };
        Some(claim)
    }

    fn governs(&self, twin: &Twin<'_>) -> bool {
        let computed = match twin.op(self.of).kind {
            Kind::Sized(extent) | Kind::Bytes(extent) | Kind::Text(extent, _) => {
                self.measure == Measure::Size && matches!(extent, Extent::Computed(_))
            }
            Kind::Repeat(index) => {
                self.measure == Measure::Count
                    && matches!(twin.plan.repeats[index].count, Count::Computed(_))
            }
            _ => false,
        };
        let steers = twin.slots.steers(twin.plan, twin.node(self.field).op);
        computed && steers && twin.integer(self.field) == self.scale.value(self.amount)
    }

    fn start(&self, twin: &Twin<'_>) -> u64 {
        twin.node(self.of).span.start
    }

    /// Returns the size or count that would extend the measured value to the end of the enclosing
    /// part. For a count, the elements must have a fixed width.
    fn to_end(&self, twin: &Twin<'_>) -> Option<i128> {
        let left = i128::from(self.end - self.start(twin));
        match self.measure {
            Measure::Size => Some(left),
            Measure::Count => {
                let (_, width) = fixed_element(twin, self.of)?;
                Some(left / i128::from(width))
            }
        }
    }

    fn changed(&self, twin: &Twin<'_>, change: ExtentChange) -> Option<i128> {
        let (least, greatest) = twin.value_range(self.field)?;
        let amount = match change {
            ExtentChange::OneLess => self.amount - self.scale.divisor,
            ExtentChange::OneMore => self.amount + self.scale.divisor,
            ExtentChange::Zero => 0,
            ExtentChange::ToEnd => self.to_end(twin)?,
            ExtentChange::PastEnd => self.scale.up(self.to_end(twin)? + 1)?,
            ExtentChange::Greatest => self.scale.measure(greatest)?,
            ExtentChange::Wraps => {
                let value = twin.integer(self.field)?;
                let wrapped = value.checked_add(number::wrap(&twin.op(self.field).kind)?)?;
                self.scale.exact(wrapped)?
            }
            ExtentChange::Negative => self.scale.below_zero()?,
        };
        let value_of = |amount: i128| self.scale.value(amount);
        // The number that indicates null is not a size or count.
        let null = twin.info(self.field).null;
        let amount = match change {
            ExtentChange::Greatest | ExtentChange::Negative if value_of(amount) == null => {
                amount - self.scale.divisor
            }
            _ => amount,
        };
        // The field may only store some sizes, such as multiples of a word.
        if self.scale.up(amount) != Some(amount) {
            return None;
        }
        let value = value_of(amount).filter(|value| Some(*value) != null)?;
        let negative = change == ExtentChange::Negative;
        ((least..=greatest).contains(&value) && (amount < 0) == negative).then_some(amount)
    }

    fn blame(&self, twin: &Twin<'_>, amount: i128) -> Option<Blame> {
        if amount < 0 {
            return Some(Blame {
                rule: fault(twin.plan, twin.node(self.of).op, FaultKind::Negative)?,
                path: twin.path(self.of),
                at: At::Node(self.of, 0),
            });
        }
        let amount = u64::try_from(amount).ok()?;
        match self.measure {
            Measure::Size => self.blame_size(twin, amount),
            Measure::Count => self.blame_count(twin, amount),
        }
    }

    fn blame_size(&self, twin: &Twin<'_>, size: u64) -> Option<Blame> {
        let of = self.of;
        let op = twin.node(of).op;
        let end = self.start(twin).checked_add(size)?;
        if end > self.end {
            return Some(Blame {
                rule: twin.past(op, self.ends)?,
                path: twin.path(of),
                at: At::Node(of, 0),
            });
        }
        let is_part = matches!(twin.op(of).kind, Kind::Sized(_));
        if end < twin.node(of).span.end {
            let inside = is_part.then(|| twin.blame_end(of, end, Ends::Part));
            return inside.flatten().or_else(|| self.rest_of_part(twin, end));
        }
        if !is_part {
            return (end == self.end).then(|| self.left_without(twin, size))?;
        }
        if let Some(list) = fixed_tail(twin, of) {
            let whole = end == self.end;
            let left = || whole.then(|| self.left_without(twin, size)).flatten();
            return list.over(twin, end).or_else(left);
        }
        let rest = fault(twin.plan, op, FaultKind::Rest)?;
        (!twin.absorbs(of)).then(|| Blame {
            rule: rest,
            path: twin.path(of),
            at: At::EndOf(of),
        })
    }

    /// Blames a required field that has no bytes left because the measured value now extends to the
    /// end of the enclosing part.
    fn left_without(&self, twin: &Twin<'_>, size: u64) -> Option<Blame> {
        let of = self.of;
        let taken = twin.slice(self.start(twin), self.end);
        let readable = match twin.op(of).kind {
            Kind::Text(_, encoding) => well_formed(taken, encoding),
            _ => true,
        };
        // If the value has tests, the additional bytes may violate them.
        if !readable || twin.op(of).checks.1 > 0 {
            return None;
        }
        let around = twin.limit(of).part.unwrap_or(0);
        let next = twin.blame_end(around, twin.node(of).span.end, self.ends)?;
        // Structures that end together with the value may have tests that depend on the additional
        // bytes.
        let ending = twin
            .outward(of)
            .skip(1)
            .take_while(|at| *at != around && twin.node(*at).span.end == twin.node(of).span.end);
        let tested = |at: NodeId| {
            let effects = twin.info(at).effects;
            let effects = effects.map(|effects| &twin.plan.effects[effects]);
            let mut inside = twin.plan.children(twin.node(at).op);
            effects.is_some_and(|effects| !effects.checks.is_empty())
                || inside.any(|child| matches!(twin.plan.op(child).kind, Kind::Check))
        };
        if ending.into_iter().any(tested) {
            return None;
        }
        Some(Blame {
            at: At::Node(of, size),
            ..next
        })
    }

    /// Blames the unclaimed bytes that a smaller value leaves in the enclosing part.
    fn rest_of_part(&self, twin: &Twin<'_>, end: u64) -> Option<Blame> {
        if let Some(blame) = self.not_at_end(twin, end) {
            return Some(blame);
        }
        let part = twin.limit(self.of).part?;
        if twin.node(self.of).span.end != self.end || twin.absorbs(part) {
            return None;
        }
        Some(Blame {
            rule: fault(twin.plan, twin.node(part).op, FaultKind::Rest)?,
            path: twin.path(part),
            at: At::Node(self.of, end - self.start(twin)),
        })
    }

    /// Finds a test that directly follows the measured value and requires that nothing is left in
    /// the part.
    fn not_at_end(&self, twin: &Twin<'_>, end: u64) -> Option<Blame> {
        if twin.node(self.of).span.end != self.end {
            return None;
        }
        let mut at = self.of;
        loop {
            let around = twin.parent(at)?;
            match twin.op(around).kind {
                Kind::Structure => {
                    let mut after = twin.plan.children(twin.node(around).op);
                    let next = after.find(|child| *child > twin.node(at).op);
                    if let Some(test) = next {
                        let check = asks_for_the_end(twin.plan, test)?;
                        let blamed = match check.blame {
                            Some(op) => twin.last_of(op, around, twin.node(around).end)?,
                            None => around,
                        };
                        return Some(Blame {
                            rule: check.rule,
                            path: twin.path(blamed),
                            at: At::Node(self.of, end - self.start(twin)),
                        });
                    }
                }
                Kind::Repeat(index) => {
                    let count = twin.plan.repeats[index].count;
                    if !matches!(count, Count::Computed(_)) {
                        return None;
                    }
                }
                Kind::Switch(_) => {}
                _ => return None,
            }
            at = around;
        }
    }

    fn blame_count(&self, twin: &Twin<'_>, count: u64) -> Option<Blame> {
        let node = twin.node(self.of);
        if i128::from(count) < self.amount {
            let end = match twin
                .tree
                .children(self.of)
                .nth(usize::try_from(count).ok()?)
            {
                Some(first_left) => twin.node(first_left).span.start,
                None => return None,
            };
            return self.rest_of_part(twin, end);
        }
        if node.span.end == self.end {
            return self.blame_next(twin);
        }
        // Additional elements of a fixed width consume the bytes that follow, up to the end.
        let (op, width) = fixed_element(twin, self.of)?;
        let left = self.end - node.span.start;
        let found = left / width;
        if count == found && left.is_multiple_of(width) {
            return self.left_without(twin, left);
        }
        if count <= found {
            return None;
        }
        let element = twin.tree.children(self.of).next()?;
        let leaf = leaf_of(twin, element)?;
        Some(Blame {
            rule: twin.unread(op, self.ends)?,
            path: twin.path_renumbered(leaf, element, found),
            at: At::Node(self.of, found * width),
        })
    }

    /// Blames the missing bytes of an additional element.
    fn blame_next(&self, twin: &Twin<'_>) -> Option<Blame> {
        let last = twin.tree.children(self.of).last()?;
        let first = first_reading(twin, last)?;
        let number = u64::try_from(self.amount).ok()?;
        let op = twin.node(first).op;
        let rule = match twin.op(first).kind {
            Kind::Repeat(_) => twin.missing(op, self.ends)?,
            _ => twin.unread(op, self.ends)?,
        };
        Some(Blame {
            rule,
            path: twin.path_renumbered(first, last, number),
            at: At::EndOf(self.of),
        })
    }
}

/// Returns false if the part around the value measured by `field` ends where the next larger part
/// or the file ends. A reader that does not stop at the end of the inner part then runs out of
/// bytes and rejects the trace without having noticed the wrong size.
pub(super) fn is_followed(twin: &Twin<'_>, field: NodeId) -> bool {
    let part = Claim::of(twin, field).and_then(|claim| twin.limit(claim.of).part);
    part.is_none_or(|part| twin.is_followed(part))
}

/// Returns the test of an operation if the test requires that no bytes are left in the enclosing
/// part.
fn asks_for_the_end(plan: &Plan, op: OpId) -> Option<&CheckPlan> {
    let [check] = plan.tests_of(op) else {
        return None;
    };
    let CheckKind::Holds(code) = check.kind else {
        return None;
    };
    let asks = matches!(
        plan.codes[code.index()],
        Code::Stream(StreamRef::Around(0), StreamPart::AtEnd)
    );
    let stands = matches!(plan.op(op).kind, Kind::Check) && check.condition.is_none();
    (asks && stands).then_some(check)
}

/// Returns the node that contains the first byte of an element, or `None` if this node can differ
/// between elements.
fn first_reading(twin: &Twin<'_>, element: NodeId) -> Option<NodeId> {
    let mut at = element;
    loop {
        let declares = matches!(twin.op(at).kind, Kind::Sized(extent) if extent != Extent::ToEnd);
        if twin.is_leaf(at) || declares {
            let span = twin.node(at).span;
            return (span.end > span.start).then_some(at);
        }
        match twin.op(at).kind {
            Kind::Structure | Kind::Switch(_) => {}
            // The list requires an element, whatever its first field.
            Kind::Repeat(index) if matches!(twin.plan.repeats[index].count, Count::Until(_)) => {
                return Some(at);
            }
            _ => return None,
        }
        let first = twin.tree.children(at).next()?;
        let first_op = twin.plan.children(twin.node(at).op).next()?;
        let is_first = matches!(twin.op(at).kind, Kind::Switch(_))
            || twin.node(first).op == first_op
                && twin.op(first).flags & tracegauge_plan::flags::GUARD == 0;
        if !is_first {
            return None;
        }
        at = first;
    }
}

/// Returns the only value of an element, looking through switches and similar nodes.
fn leaf_of(twin: &Twin<'_>, element: NodeId) -> Option<NodeId> {
    let mut at = element;
    while !twin.is_leaf(at) {
        let mut children = twin.tree.children(at);
        let only = children.next()?;
        if children.next().is_some() {
            return None;
        }
        at = only;
    }
    Some(at)
}

/// If all elements of a list have the same width and no tests, returns their operation and width.
fn fixed_element(twin: &Twin<'_>, list: NodeId) -> Option<(OpId, u64)> {
    let element = twin.tree.children(list).next()?;
    let leaf = leaf_of(twin, element)?;
    let op = twin.op(leaf);
    let width = match op.kind {
        Kind::Integer(integer) => u64::from(integer.width),
        Kind::Float { width, .. } => u64::from(width),
        Kind::Guid(_) => 16,
        _ => return None,
    };
    use tracegauge_plan::flags;
    (op.flags & (flags::CHECKS | flags::REFS | flags::CARRY | flags::GUARD) == 0)
        .then(|| (twin.node(leaf).op, width))
}

/// A list of fixed-width elements at the end of a part.
struct FixedTail {
    list: NodeId,
    op: OpId,
    width: u64,
}

/// Finds a list of fixed-width elements that extends to the end of a part.
fn fixed_tail(twin: &Twin<'_>, part: NodeId) -> Option<FixedTail> {
    let mut at = twin.tree.children(part).last()?;
    loop {
        match twin.op(at).kind {
            Kind::Repeat(index) => {
                let to_end = twin.plan.repeats[index].count == Count::ToEnd;
                let (op, width) = fixed_element(twin, at).filter(|_| to_end)?;
                return Some(FixedTail {
                    list: at,
                    op,
                    width,
                });
            }
            Kind::Structure | Kind::Switch(_) => at = twin.tree.children(at).last()?,
            _ => return None,
        }
    }
}

impl FixedTail {
    /// Blames an element that is cut off because the part ends at `end`.
    fn over(&self, twin: &Twin<'_>, end: u64) -> Option<Blame> {
        let start = twin.node(self.list).span.start;
        let (found, over) = ((end - start) / self.width, (end - start) % self.width);
        let element = twin.tree.children(self.list).next()?;
        let leaf = leaf_of(twin, element)?;
        (over > 0).then_some(())?;
        Some(Blame {
            rule: twin.unread(self.op, Ends::Part)?,
            path: twin.path_renumbered(leaf, element, found),
            at: At::Node(self.list, found * self.width),
        })
    }
}
