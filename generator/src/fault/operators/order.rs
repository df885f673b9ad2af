//! List elements in an invalid position: a different first or last element, and an element that
//! occurs twice.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::ReaderDuty;
use tracegauge_plan::{CheckPlan, Count, Kind, OpId, Plan};

use super::{Plant, Words, changes};
use crate::fault::apply::{At, Attack, duty};
use crate::fault::evaluate::{Moment, Value};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Edit, Place};
use crate::fault::twin::Twin;

changes! {
    /// List elements in an invalid position. The number is the index of the violated constraint among
    /// the constraints on the first element, on the last element, or on values that may occur only
    /// once.
    pub enum OrderChange {
        /// A different element comes before the one that must come first.
        First(usize) = "another-first":
            "A different element comes before the one that must come first",
        /// The first element is missing.
        FirstMissing(usize) = "first-missing": "The element that must come first is missing",
        /// A different element comes after the one that must come last.
        Last(usize) = "another-last": "A different element comes after the one that must come last",
        /// An element that may occur only once occurs twice in a row.
        Twice(usize) = "occurs-twice":
            "An element that may occur only once occurs twice in succession",
        /// An element that may occur only once occurs twice, the second time as late as possible.
        TwiceLate(usize) = "occurs-twice-late":
            "An element that may occur only once occurs again as late as possible",
    }
}

impl Plant for OrderChange {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        let Kind::Repeat(repeat) = plan.op(id).kind else {
            return;
        };
        let repeat = &plan.repeats[repeat];
        for (test, check) in repeat.first.iter().enumerate() {
            finder.add_all(
                check.rule,
                id,
                [Self::First(test), Self::FirstMissing(test)],
            );
        }
        for (test, check) in repeat.last.iter().enumerate() {
            finder.add(check.rule, id, Self::Last(test));
        }
        for (which, once) in repeat.once.iter().enumerate() {
            finder.add_all(once.rule, id, [Self::Twice(which), Self::TwiceLate(which)]);
        }
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        let (Self::First(test)
        | Self::FirstMissing(test)
        | Self::Last(test)
        | Self::Twice(test)
        | Self::TwiceLate(test)) = self;
        (*test > 0).then(|| test.to_string())
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        order(twin, node, *self)
    }
}

fn order(twin: &Twin<'_>, list: NodeId, change: OrderChange) -> Result<Attack, NoCase> {
    if !twin.is_elastic(list) {
        return Err(NoCase::Overtaken);
    }
    let attack = match change {
        OrderChange::First(test) => another_first(twin, list, test),
        OrderChange::FirstMissing(test) => first_missing(twin, list, test),
        OrderChange::Last(test) => another_last(twin, list, test),
        OrderChange::Twice(which) => twice(twin, list, which, false),
        OrderChange::TwiceLate(which) => twice(twin, list, which, true),
    };
    let Some(attack) = attack else {
        let fits = |tests: &[CheckPlan], test: usize| {
            let mut elements = twin.tree.children(list);
            !elements.any(|element| breaks(twin, element, tests, test))
        };
        let repeat = twin.repeat(list).ok_or(NoCase::Lacking)?;
        return Err(match change {
            OrderChange::First(test) | OrderChange::FirstMissing(test)
                if fits(&repeat.first, test) =>
            {
                NoCase::Allowed
            }
            OrderChange::Last(test) if fits(&repeat.last, test) => NoCase::Allowed,
            _ => NoCase::Lacking,
        });
    };
    Ok(attack)
}

/// Inserts a copy of a later element before the first element.
fn another_first(twin: &Twin<'_>, list: NodeId, test: usize) -> Option<Attack> {
    let tests = &twin.repeat(list)?.first;
    let rule = tests.get(test)?.rule;
    let first = twin.tree.children(list).next()?;
    let misfit = twin
        .tree
        .children(list)
        .skip(1)
        .find(|child| breaks(twin, *child, tests, test) && stands_alone(twin, list, *child))?;
    let edit = twin.copied(misfit, Place::Before(first));
    let path = twin.path_renumbered(misfit, misfit, 0);
    Some(Attack::new(edit, rule, path, At::Edit(0, 0)))
}

/// Removes the first element, so that the second element becomes the first.
fn first_missing(twin: &Twin<'_>, list: NodeId, test: usize) -> Option<Attack> {
    let tests = &twin.repeat(list)?.first;
    let rule = tests.get(test)?.rule;
    let mut children = twin.tree.children(list);
    let (first, next) = (children.next()?, children.next()?);
    // After a tolerated violation, a reader continues and may need information from the removed
    // element.
    let strict = duty(twin.plan, rule) == ReaderDuty::Reject;
    if !strict || !breaks(twin, next, tests, test) || !stands_alone(twin, list, next) {
        return None;
    }
    let path = twin.path_renumbered(next, next, 0);
    let edit = Edit::Remove { node: first };
    Some(Attack::new(edit, rule, path, At::Node(next, 0)))
}

/// Inserts a copy of an earlier element after the last element.
fn another_last(twin: &Twin<'_>, list: NodeId, test: usize) -> Option<Attack> {
    let repeat = twin.repeat(list)?;
    // If an element ends the list, an element that is inserted after it is not part of the list.
    if matches!(repeat.count, Count::Until(_)) {
        return None;
    }
    let tests = &repeat.last;
    let rule = tests.get(test)?.rule;
    let last = twin.tree.children(list).last()?;
    let misfit = twin
        .tree
        .children(list)
        .find(|child| breaks(twin, *child, tests, test) && stands_alone(twin, list, *child))?;
    let edit = twin.copied(misfit, Place::After(last));
    let path = twin.path_renumbered(misfit, misfit, twin.number(last) + 1);
    Some(Attack::new(edit, rule, path, At::Edit(0, 0)))
}

/// Duplicates an element that may occur only once. The copy is placed right after the element or as
/// late as possible.
fn twice(twin: &Twin<'_>, list: NodeId, which: usize, late: bool) -> Option<Attack> {
    let repeat = twin.repeat(list)?;
    let once = repeat.once.get(which)?;
    let value = |code, at| twin.evaluate(code, at, &Value::Absent);
    let only = twin.tree.children(list).find(|child| {
        let at = Moment::after(twin, *child);
        let (by, wanted) = (value(once.by, at), value(once.equal, at));
        by.is_some() && by == wanted
    })?;
    if !stands_alone(twin, list, only) {
        return None;
    }
    let mut after = only;
    if late {
        let until = matches!(repeat.count, Count::Until(_));
        // A reader that continues might find that a required last element is no longer the last.
        let tolerated = duty(twin.plan, once.rule) != ReaderDuty::Reject;
        if tolerated && !until && !repeat.last.is_empty() {
            return None;
        }
        let skipped = usize::from(until);
        let count = twin.tree.count(list).checked_sub(skipped)?;
        after = twin.tree.children(list).take(count).last()?;
    }
    let edit = twin.copied(only, Place::After(after));
    let path = twin.path_renumbered(only, only, twin.number(after) + 1);
    Some(Attack::new(edit, once.rule, path, At::Edit(0, 0)))
}

/// Returns whether `test` is the first test that an element fails.
fn breaks(twin: &Twin<'_>, element: NodeId, tests: &[CheckPlan], test: usize) -> bool {
    let at = Moment::after(twin, element);
    let holds = |check: &CheckPlan| {
        if twin.holds(check.condition, at) == Some(false) {
            return Some(true);
        }
        twin.check_holds(&check.kind, at, &twin.value(element))
    };
    let before = tests.iter().take(test);
    let clean = before.clone().all(|check| holds(check) == Some(true));
    // A tolerated violation must not be followed by one that readers reject.
    let tolerated = tests
        .get(test)
        .is_some_and(|check| duty(twin.plan, check.rule) != ReaderDuty::Reject);
    let after = tests.iter().skip(test + 1);
    let followed = tolerated
        && after.clone().any(|check| {
            duty(twin.plan, check.rule) == ReaderDuty::Reject && holds(check) != Some(true)
        });
    clean
        && !followed
        && tests
            .get(test)
            .is_some_and(|check| holds(check) == Some(false))
}

/// Returns whether an element can be copied or removed without side effects. The element must not
/// end the list, and must not refer to, define or remove rows, because a reader might otherwise
/// find a different fault first.
fn stands_alone(twin: &Twin<'_>, list: NodeId, element: NodeId) -> bool {
    let history = twin.history();
    let inside = element..twin.node(element).end;
    if history
        .references
        .iter()
        .any(|named| inside.contains(&named.node))
    {
        return false;
    }
    if let Some(Count::Until(code)) = twin.repeat(list).map(|repeat| repeat.count) {
        let ends = twin.evaluate(code, Moment::after(twin, element), &twin.value(element));
        if ends != Some(Value::Int(0)) {
            return false;
        }
    }
    let defines = || {
        history
            .definitions
            .iter()
            .any(|row| inside.contains(&row.node))
    };
    let ends = || {
        history
            .forgettings
            .iter()
            .any(|end| inside.contains(&end.node))
    };
    !defines() && !ends()
}

#[cfg(test)]
mod tests {
    use super::OrderChange;
    use crate::fault::operators::tests::planted;

    #[test]
    fn another_element_comes_first() {
        let cases = planted::<OrderChange>(
            r#"types: { e: { seq: [ { id: v, type: u1 } ] } }
seq: [ { id: list, type: e, repeat: eos, arrange: { first: [ { expr: _.v == 1, rule: R } ] } } ]"#,
            "0102",
        );
        assert_eq!(
            cases,
            [
                "R/another-first/list 020102 @0",
                "R/first-missing/list 02 @0"
            ]
        );
    }
}
