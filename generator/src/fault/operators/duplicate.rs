//! Elements that equal another element although all elements must differ.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Code, Count, Kind, OpId, Plan, UniquePlan, flags};

use super::{Plant, Words};
use crate::fault::apply::{At, Attack};
use crate::fault::evaluate::{Moment, Value};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Edit, Place};
use crate::fault::twin::Twin;

/// An element that equals another element, or has its key, although all keys must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Duplicate {
    /// The index of the repeated key among the list's keys.
    pub key: usize,
    /// Whether the elements differ in other fields. A reader that compares the wrong field notices
    /// nothing.
    pub key_only: bool,
}

impl Plant for Duplicate {
    const WORDS: Words = &[
        ("twice-in-list", "An element occurs twice"),
        (
            "key-twice-in-list",
            "Two different elements have the same key",
        ),
    ];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        if let Kind::Repeat(repeat) = plan.op(id).kind {
            for (key, unique) in plan.repeats[repeat].unique.iter().enumerate() {
                let duplicate = |key_only| Self { key, key_only };
                finder.add(unique.rule, id, duplicate(false));
                if has_other_fields(plan, id, unique) {
                    finder.add(unique.rule, id, duplicate(true));
                }
            }
        }
    }

    fn name(&self) -> &'static str {
        match self.key_only {
            false => "twice-in-list",
            true => "key-twice-in-list",
        }
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        (self.key > 0).then(|| self.key.to_string())
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        let attack = match self.key_only {
            false => duplicate(twin, node, self.key),
            true => duplicate_key(twin, node, self.key),
        };
        attack.ok_or(NoCase::Lacking)
    }
}

/// Returns whether the key of a list's elements is a stored field next to other stored fields. All
/// elements must have the same fields, because the key may select them.
fn has_other_fields(plan: &Plan, list: OpId, unique: &UniquePlan) -> bool {
    let Code::Slot(slot) = plan.codes[unique.by.index()] else {
        return false;
    };
    let element = OpId(list.0 + 1);
    let inside = element.index()..plan.op(element).end as usize;
    let is_uniform = inside.clone().all(|at| {
        let op = plan.op(OpId::from(at));
        let varies = matches!(op.kind, Kind::Switch(_) | Kind::Layout(_) | Kind::Call(_));
        !varies && op.flags & flags::GUARD == 0
    });
    let is_stored = |field: &OpId| plan.info(*field).derived.is_none();
    let stored: Vec<_> = plan.children(element).filter(is_stored).collect();
    let is_key = |field: &OpId| plan.op(*field).slot == slot;
    is_uniform && stored.iter().any(is_key) && !stored.iter().all(is_key)
}

/// Copies the key of an element to another element that differs from it in other fields.
fn duplicate_key(twin: &Twin<'_>, node: NodeId, key: usize) -> Option<Attack> {
    let unique = twin.repeat(node)?.unique.get(key)?;
    let Code::Slot(slot) = twin.plan.codes[unique.by.index()] else {
        return None;
    };
    let elements: Vec<NodeId> = twin.tree.children(node).collect();
    let key_of = |element: NodeId| {
        let mut fields = twin.tree.children(element);
        fields.find(|field| twin.op(*field).slot == slot && twin.is_leaf(*field))
    };
    let others = |element: NodeId, key: NodeId| {
        let span = twin.node(element).span;
        let field = twin.node(key).span;
        (
            twin.slice(span.start, field.start),
            twin.slice(field.end, span.end),
        )
    };
    let (last, earlier) = elements.split_last()?;
    let own = key_of(*last)?;
    let copied = earlier.iter().find_map(|element| {
        let key = key_of(*element)?;
        let is_other = others(*element, key) != others(*last, own);
        (is_other && differs(twin, *element, unique)).then_some(key)
    })?;
    let edit = Edit::Replace {
        node: own,
        bytes: twin.bytes_of(copied).to_vec(),
    };
    Some(Attack::new(
        edit,
        unique.rule,
        twin.path(*last),
        At::Node(*last, 0),
    ))
}

/// Duplicates an element of a list whose elements must differ.
fn duplicate(twin: &Twin<'_>, node: NodeId, key: usize) -> Option<Attack> {
    let repeat = twin.repeat(node)?;
    let unique = repeat.unique.get(key)?;
    if !twin.is_elastic(node) {
        return None;
    }
    // A copy at the end of the list does not change the keys of rows that are numbered by position.
    let is_numbered = repeat.defines.is_some();
    if !is_numbered && twin.used_later(node) {
        return None;
    }
    // The last element of such a list ends it, so duplicate an earlier one.
    let skipped = usize::from(matches!(repeat.count, Count::Until(_)));
    let count = twin.tree.count(node);
    let children = twin.tree.children(node).take(count.saturating_sub(skipped));
    let doubled: Vec<NodeId> = children
        .filter(|child| differs(twin, *child, unique))
        .collect();
    let child = *doubled.last()?;
    let first = if is_numbered { child + 1 } else { child };
    if (first..twin.node(child).end).any(|inside| twin.define_of(inside).is_some()) {
        return None;
    }
    let last = match is_numbered {
        true if skipped == 0 => twin.tree.children(node).last()?,
        true => return None,
        false => child,
    };
    let edit = twin.copied(child, Place::After(last));
    let path = twin.path_renumbered(child, child, twin.number(last) + 1);
    Some(Attack::new(edit, unique.rule, path, At::Edit(0, 0)))
}

/// Returns whether the element has a key that no other element may have.
fn differs(twin: &Twin<'_>, element: NodeId, unique: &UniquePlan) -> bool {
    let at = Moment::after(twin, element);
    let Some(value) = twin.evaluate(unique.by, at, &Value::Absent) else {
        return false;
    };
    let excepted = unique.except.iter().any(|code| {
        twin.evaluate(*code, at, &value)
            .is_none_or(|except| except == value)
    });
    value != Value::Absent && !excepted
}

#[cfg(test)]
mod tests {
    use super::Duplicate;
    use crate::fault::operators::tests::planted;

    #[test]
    fn an_element_occurs_twice() {
        let cases = planted::<Duplicate>(
            r#"types: { e: { seq: [ { id: v, type: u1 } ] } }
seq: [ { id: list, type: e, repeat: eos, unique: { by: v, rule: R } } ]"#,
            "0102",
        );
        assert_eq!(cases, ["R/twice-in-list/list 010202 @2"]);
    }

    #[test]
    fn two_different_elements_have_the_same_key() {
        let cases = planted::<Duplicate>(
            r#"types: { e: { seq: [ { id: v, type: u1 }, { id: name, type: u1 } ] } }
seq: [ { id: list, type: e, repeat: eos, unique: { by: v, rule: R } } ]"#,
            "0107 0208",
        );
        assert_eq!(
            cases,
            [
                "R/twice-in-list/list 010702080208 @4",
                "R/key-twice-in-list/list 01070108 @2"
            ]
        );
    }

    #[test]
    fn rows_that_a_list_numbers_keep_their_numbers() {
        let cases = planted::<Duplicate>(
            r#"tables: { rows: { key: u1, row: e } }
types: { e: { seq: [ { id: v, type: u1 } ] } }
seq: [ { id: list, type: e, repeat: eos, defines: { table: rows, first-key: 0, again: R }, unique: { by: v, rule: R } } ]"#,
            "0102",
        );
        assert_eq!(cases, ["R/twice-in-list/list 010202 @2"]);
    }
}
