//! Elements that equal another element although all elements must differ.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Count, Kind, OpId, Plan, UniquePlan};

use super::{Plant, Words};
use crate::fault::apply::{At, Attack};
use crate::fault::evaluate::{Moment, Value};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::Place;
use crate::fault::twin::Twin;

/// An element that equals another element although all elements must differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Duplicate {
    /// The index of the repeated key among the list's keys.
    pub key: usize,
}

impl Plant for Duplicate {
    const WORDS: Words = &[("twice-in-list", "An element occurs twice")];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        if let Kind::Repeat(repeat) = plan.op(id).kind {
            for (key, unique) in plan.repeats[repeat].unique.iter().enumerate() {
                finder.add(unique.rule, id, Self { key });
            }
        }
    }

    fn name(&self) -> &'static str {
        "twice-in-list"
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        (self.key > 0).then(|| self.key.to_string())
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        duplicate(twin, node, self.key).ok_or(NoCase::Lacking)
    }
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
