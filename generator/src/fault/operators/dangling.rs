//! References to table rows that do not exist. A *row* is an entry of a table: one part of a trace
//! defines the row, and other parts refer to it by its key.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{ReaderDuty, RuleId, TableId};
use tracegauge_plan::{OpId, Plan, RefsPlan};

use super::{Plant, Words, changes};
use crate::fault::apply::{At, Attack, duty};
use crate::fault::evaluate::{Moment, Value};
use crate::fault::events::{Definition, Reference};
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::Place;
use crate::fault::twin::Twin;

changes! {
    /// The reason why a row does not exist.
    pub enum Missing {
        NeverDefined = "never-defined": "A reference points to a table row that is never defined",
        NeverDefinedGreatest = "never-defined-greatest":
            "A reference with the largest possible key points to a table row that is never defined",
        NeverDefinedLeast = "never-defined-least":
            "A reference with a negative key points to a table row that is never defined",
        NeverDefinedZero = "never-defined-zero":
            "A reference with the key zero points to a table row that is never defined",
        NeverDefinedWraps = "never-defined-wraps":
            "A key refers to an existing table row only after truncation to fewer bits",
        OtherElement = "names-other-element": "A reference points to a different element",
        DefinedLater = "defined-later": "A reference points to a table row that is defined later",
        Removed = "removed-before": "A reference points to a table row that was removed earlier",
        Cleared = "cleared-before": "A reference points to a table row that was cleared earlier",
    }
}

impl Plant for Missing {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        let info = plan.info(id);
        let never = [
            Self::NeverDefined,
            Self::NeverDefinedGreatest,
            Self::NeverDefinedZero,
            Self::NeverDefinedWraps,
        ];
        if let Some(refs) = info.refs.map(|refs| &plan.refs[refs]) {
            finder.add_all(refs.dangling, id, never);
            if plan.tables[refs.table].by_offset {
                let beside = [Self::NeverDefinedLeast, Self::OtherElement];
                finder.add_all(refs.dangling, id, beside);
            }
            finder.add(refs.later.or(refs.dangling), id, Self::DefinedLater);
            finder.add_all(refs.dangling, id, endings_of(plan, refs.table));
        }
        let removes = info
            .effects
            .and_then(|index| plan.effects[index].removes.as_ref());
        if let Some(remove) = removes
            && let Some(rule) = remove.dangling
            && let Some(key) = finder.field_of(id, remove.key)
        {
            finder.add_all(Some(rule), key, never);
        }
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        dangling(twin, node, *self)
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        let op = site.op;
        let refs = &reasons.plan.refs[reasons.plan.info(op).refs?];
        let key = match self {
            Self::NeverDefinedWraps => return reasons.wraps(op),
            Self::NeverDefinedGreatest => reasons.range(op)?.1,
            Self::NeverDefinedLeast => reasons.range(op)?.0,
            Self::NeverDefinedZero => 0,
            _ => return None,
        };
        if *self == Self::NeverDefinedLeast && key >= 0 {
            return Some(Infeasibility::OutOfRange);
        }
        let none = refs.none.and_then(|none| reasons.constant(none));
        if none == Some(key) {
            return Some(Infeasibility::NoRow);
        }
        reasons.stopped(op, key, usize::MAX)
    }

    fn is_minor(&self, _: &Plan, _: &Site) -> bool {
        matches!(
            self,
            Self::NeverDefinedGreatest
                | Self::NeverDefinedLeast
                | Self::NeverDefinedZero
                | Self::NeverDefinedWraps
                | Self::OtherElement
        )
    }
}

/// Returns the ways in which a row of a table can be removed before a field refers to it.
fn endings_of(plan: &Plan, table: TableId) -> Vec<Missing> {
    let effects = plan.effects.iter();
    let removed = effects.clone().any(|e| {
        e.removes
            .as_ref()
            .is_some_and(|remove| remove.table == table)
    });
    let cleared = effects
        .flat_map(|e| &e.clears)
        .any(|clear| clear.table.is_none_or(|of| of == table));
    let removed = removed.then_some(Missing::Removed);
    removed
        .into_iter()
        .chain(cleared.then_some(Missing::Cleared))
        .collect()
}

fn dangling(twin: &Twin<'_>, node: NodeId, missing: Missing) -> Result<Attack, NoCase> {
    let Some(index) = twin.info(node).refs else {
        return removed_unknown(twin, node, missing).ok_or(NoCase::Lacking);
    };
    let refs = &twin.plan.refs[index];
    let key = twin.integer(node).ok_or(NoCase::Lacking)?;
    if !refers(twin, node, refs, key) {
        return Err(NoCase::Lacking);
    }
    match missing {
        Missing::NeverDefined
        | Missing::NeverDefinedGreatest
        | Missing::NeverDefinedLeast
        | Missing::NeverDefinedZero
        | Missing::NeverDefinedWraps
        | Missing::OtherElement => never_defined(twin, node, refs, missing),
        Missing::DefinedLater => defined_later(twin, node, refs).ok_or(NoCase::Lacking),
        Missing::Removed | Missing::Cleared => {
            let attack = forgotten(twin, node, refs, missing);
            let attack = attack.or_else(|| ended(twin, node, refs, missing));
            attack.ok_or(NoCase::Lacking)
        }
    }
}

/// Returns whether the field would refer to a row if its value were `key`.
fn refers(twin: &Twin<'_>, node: NodeId, refs: &RefsPlan, key: i128) -> bool {
    refs.condition.is_none_or(|condition| {
        let holds = twin.evaluate(condition, Moment::before(node), &Value::Int(key));
        holds.is_some_and(|holds| holds.truth())
    })
}

fn never_defined(
    twin: &Twin<'_>,
    node: NodeId,
    refs: &RefsPlan,
    missing: Missing,
) -> Result<Attack, NoCase> {
    // Without a rule, a row that may be defined later may also never be defined.
    if refs.later.is_some() && refs.dangling.is_none() {
        return Err(NoCase::Allowed);
    }
    if duty(twin.plan, refs.dangling) != ReaderDuty::Reject && decides_what_follows(twin, refs) {
        return Err(NoCase::Uncontradicted);
    }
    let key = unused_key(twin, node, refs.table, missing, &|key| {
        refers(twin, node, refs, key)
    })?;
    let none = refs.none.map(|none| {
        twin.evaluate(none, Moment::before(node), &Value::Absent)
            .and_then(|none| none.integer())
    });
    if none.is_some_and(|none| none == Some(key)) {
        return Err(NoCase::Allowed);
    }
    let edit = twin.set(node, key).ok_or(NoCase::Inexpressible)?;
    Ok(Attack::new(
        edit,
        refs.dangling,
        twin.path(node),
        At::Node(node, 0),
    ))
}

/// Returns whether the row controls how the following bytes are read, so that a reader cannot
/// continue without it.
fn decides_what_follows(twin: &Twin<'_>, refs: &RefsPlan) -> bool {
    use tracegauge_plan::{LayoutSource, RowSource};
    let same_table = |source: RowSource| match source {
        RowSource::Slot(slot) => refs.row_slot == Some(slot),
        RowSource::Lookup { table, .. } => table == refs.table,
        RowSource::Register(_) => false,
    };
    twin.plan.layouts.iter().any(|layout| match layout.source {
        LayoutSource::Row(source, _) => same_table(source),
        LayoutSource::Code(_) => false,
    })
}

/// Returns a key that the field can represent but that no row anywhere in the trace uses. `refers`
/// says whether the field with this key would refer to a row.
fn unused_key(
    twin: &Twin<'_>,
    node: NodeId,
    table: TableId,
    missing: Missing,
    refers: &dyn Fn(i128) -> bool,
) -> Result<i128, NoCase> {
    let (least, greatest) = twin.value_range(node).ok_or(NoCase::Lacking)?;
    let keys = || {
        let history = twin.history();
        let rows = history.definitions.iter().map(|row| (row.table, row.key));
        // If the same key is also referenced elsewhere, a reader might report the fault there.
        let named = history
            .references
            .iter()
            .map(|named| (named.table, named.key));
        let known = rows.chain(named);
        known
            .filter(move |(of, _)| *of == table)
            .map(|(_, key)| key)
    };
    let passes = |key: i128| twin.passes_tests(node, &Value::Int(key));
    let unused = |key: &i128| {
        (least..=greatest).contains(key)
            && !keys().any(|known| known == *key)
            && passes(*key)
            && refers(*key)
    };
    let wanted = match missing {
        // Some bits of the field may say that it is not a reference.
        Missing::NeverDefinedGreatest => {
            let mut fewer_bits = (0..64).map(|bits| greatest >> bits);
            fewer_bits.find(|key| refers(*key))
        }
        Missing::NeverDefinedLeast => Some(least).filter(|key| *key < 0),
        Missing::NeverDefinedZero => Some(0),
        Missing::NeverDefinedWraps => {
            let wrap = number::wrap(&twin.op(node).kind);
            let wrapped = wrap.and_then(|wrap| twin.integer(node)?.checked_add(wrap));
            wrapped.filter(|key| (least..=greatest).contains(key))
        }
        Missing::OtherElement => {
            let other = other_element(twin, node, table).filter(unused);
            return other.ok_or(NoCase::Lacking);
        }
        _ => {
            let rows = keys().filter(|key| refers(*key));
            let next = rows.max().unwrap_or(0) + 1;
            let mut likely = std::iter::once(next)
                .chain((1..64).map(|more| next + more))
                .chain(1..256);
            return likely.find(unused).ok_or(NoCase::Lacking);
        }
    };
    match wanted.ok_or(NoCase::Inexpressible)? {
        key if unused(&key) => Ok(key),
        key if !passes(key) => Err(NoCase::Overtaken),
        _ => Err(NoCase::Lacking),
    }
}

/// Returns the position of an element that precedes the reference and belongs to the same list as
/// the rows of a table but is not itself a row. A reader that treats every element of the list as a
/// row would wrongly accept a reference to this element.
fn other_element(twin: &Twin<'_>, node: NodeId, table: TableId) -> Option<i128> {
    let history = twin.history();
    let rows = || history.definitions.iter().filter(|row| row.table == table);
    let around = twin.parent(rows().next()?.node)?;
    let before = |element: &NodeId| twin.node(*element).end <= node;
    let mut elements = twin.tree.children(around).filter(before);
    let other = elements.find(|element| !rows().any(|row| row.node == *element))?;
    Some(i128::from(twin.node(other).span.start))
}

/// Copies an element that refers to a row, and inserts the copy before the element that defines the
/// row.
fn defined_later(twin: &Twin<'_>, node: NodeId, refs: &RefsPlan) -> Option<Attack> {
    let key = twin.integer(node)?;
    let history = twin.history();
    let row = history.row(refs.table, key, node)?;
    let (defining, naming) = twin.elements_of_both(row, node)?;
    if defining == naming {
        return None;
    }
    let rule = refs.later.or(refs.dangling);
    // If an earlier reference already awaits the row, a reader reports the missing row only once.
    let awaited = |named: &Reference| {
        (named.table, named.key) == (refs.table, key) && (naming..node).contains(&named.node)
    };
    if history.row(refs.table, key, defining).is_some()
        || refs.later.is_some() && history.references.iter().any(awaited)
        || !others_known(twin, naming, node, defining, rule)
        || forgets_used(twin, naming, defining, rule)
    {
        return None;
    }
    let attack = put_in(
        twin,
        node,
        naming,
        Place::Before(defining),
        twin.number(defining),
        rule,
    )?;
    if !twin.plan.tables[refs.table].by_offset {
        return Some(attack);
    }
    // The insertion moves the rows after it. In the inserted copy, update the references to them.
    let (start, length) = {
        let span = twin.node(naming).span;
        (span.start, i128::from(span.end - span.start))
    };
    let inside = naming..twin.node(naming).end;
    let named = history.references.iter().filter(|named| {
        let row = history.row(named.table, named.key, named.node);
        let moved = row.is_some_and(|row| row >= defining && !inside.contains(&row));
        inside.contains(&named.node) && moved && twin.plan.tables[named.table].by_offset
    });
    let mut attack = attack;
    for named in named {
        let spelt = number::encode(&twin.op(named.node).kind, named.key + length)?;
        if spelt.len() != twin.bytes_of(named.node).len() {
            return None;
        }
        attack = attack.with_inserted(twin.node(named.node).span.start - start, &spelt)?;
    }
    Some(attack)
}

/// Copies an element that refers to a row, and inserts the copy after the element that removes the
/// row.
fn forgotten(twin: &Twin<'_>, node: NodeId, refs: &RefsPlan, missing: Missing) -> Option<Attack> {
    let key = twin.integer(node)?;
    let history = twin.history();
    let ends = history.forgettings.iter().filter(|end| {
        end.table.is_none_or(|table| table == refs.table)
            && match missing {
                Missing::Removed => end.key == Some(key),
                _ => end.key.is_none(),
            }
    });
    for end in ends {
        let Some((ending, naming)) = twin.elements_of_both(end.node, node) else {
            continue;
        };
        if history.row(refs.table, key, ending).is_none() {
            continue;
        }
        let rule = refs.dangling;
        // Right after the removal, other rows to which the copied element refers may be missing
        // too. Therefore, also try later positions, where these rows may have been defined again.
        let list = twin.parent(ending)?;
        let places = twin.tree.children(list).filter(|place| *place >= ending);
        for place in places.take(MOST_LATER) {
            let time = twin.node(place).end;
            if history.row(refs.table, key, time).is_some() {
                break;
            }
            let pending = refs.later.is_some()
                && history.definitions.iter().any(|row: &Definition| {
                    row.key == key && row.table == refs.table && row.time > time
                });
            let known = others_known(twin, naming, node, time, rule);
            if pending || !known || forgets_used(twin, naming, time, rule) {
                continue;
            }
            let number = twin.number(place) + 1;
            let attack = put_in(twin, node, naming, Place::After(place), number, rule);
            if attack.is_some() {
                return attack;
            }
        }
    }
    None
}

/// Changes a reference so that it refers to a row that was removed earlier.
fn ended(twin: &Twin<'_>, node: NodeId, refs: &RefsPlan, missing: Missing) -> Option<Attack> {
    if duty(twin.plan, refs.dangling) != ReaderDuty::Reject {
        return None;
    }
    let history = twin.history();
    let none = refs.none.and_then(|none| {
        let none = twin.evaluate(none, Moment::before(node), &Value::Absent)?;
        none.integer()
    });
    let ends = history.forgettings.iter().filter(|end| {
        let removes = missing == Missing::Removed;
        let of_table = end.table.is_none_or(|table| table == refs.table);
        of_table && removes == end.key.is_some() && twin.node(end.node).end <= node
    });
    let was_there = |key: i128, ending: NodeId| history.row(refs.table, key, ending).is_some();
    let mut ended = ends.flat_map(|end| {
        let rows = history.definitions.iter();
        let rows = rows.filter(|row| row.table == refs.table);
        let keys = rows.map(|row| row.key);
        keys.filter(|key| end.key.is_none_or(|ended| ended == *key) && was_there(*key, end.node))
    });
    let comes = |key: i128| {
        let mut rows = history.definitions.iter();
        refs.later.is_some() && rows.any(|row| row.key == key && row.time > node)
    };
    let key = ended.find(|key| {
        !was_there(*key, node)
            && Some(*key) != none
            && !comes(*key)
            && refers(twin, node, refs, *key)
            && twin.passes_tests(node, &Value::Int(*key))
    })?;
    let edit = twin.set(node, key)?;
    Some(Attack::new(
        edit,
        refs.dangling,
        twin.path(node),
        At::Node(node, 0),
    ))
}

/// The maximum number of positions to try when inserting an element that refers to a row after the
/// row has been removed.
const MOST_LATER: usize = 8;

/// Returns whether a copy of element `naming` at `time` would find all rows that it refers to,
/// except the row that the faulty reference `node` refers to. If a reader stops at the fault, only
/// references before `node` matter.
fn others_known(
    twin: &Twin<'_>,
    naming: NodeId,
    node: NodeId,
    time: NodeId,
    rule: Option<RuleId>,
) -> bool {
    let strict = duty(twin.plan, rule) == ReaderDuty::Reject;
    let history = twin.history();
    let inside = naming..twin.node(naming).end;
    let own = |table: TableId, key: i128| {
        let mut rows = history.definitions.iter();
        rows.any(|row| row.table == table && row.key == key && inside.contains(&row.node))
    };
    history
        .references
        .iter()
        .filter(|other| inside.contains(&other.node) && other.node != node)
        .filter(|other| !strict || other.node < node)
        .all(|other| {
            history.row(other.table, other.key, time).is_some()
                || own(other.table, other.key)
                || history.row(other.table, other.key, other.node).is_none()
                || !strict && awaits(twin, other.node, rule)
        })
}

/// Returns whether the row that the field refers to may be defined later, and `rule` is the rule
/// that applies to such rows.
fn awaits(twin: &Twin<'_>, node: NodeId, rule: Option<RuleId>) -> bool {
    let refs = twin.info(node).refs;
    let refs = refs.map(|refs| &twin.plan.refs[refs]);
    refs.is_some_and(|refs| refs.later.is_some() && refs.later == rule)
}

/// Returns whether a copy of element `naming` at `time` would remove rows that later fields refer
/// to. Such a removal matters only if a reader continues after the fault.
fn forgets_used(twin: &Twin<'_>, naming: NodeId, time: NodeId, rule: Option<RuleId>) -> bool {
    if duty(twin.plan, rule) == ReaderDuty::Reject {
        return false;
    }
    let history = twin.history();
    let inside = naming..twin.node(naming).end;
    let mut ends = history.forgettings.iter();
    ends.any(|end| {
        let of_table = |table: TableId| end.table.is_none_or(|ended| ended == table);
        let mut later = history.references.iter().filter(|named| named.node >= time);
        inside.contains(&end.node)
            && later.any(|named| {
                let row = history.row(named.table, named.key, named.node);
                of_table(named.table) && row.is_some_and(|row| row < time)
            })
    })
}

/// Inserts a copy of element `naming` at `place`, where the copy has element number `number`.
fn put_in(
    twin: &Twin<'_>,
    node: NodeId,
    naming: NodeId,
    place: Place,
    number: u64,
    rule: Option<RuleId>,
) -> Option<Attack> {
    if !twin.is_elastic(twin.parent(naming)?) {
        return None;
    }
    let edit = twin.copied(naming, place);
    let more = twin.node(node).span.start - twin.node(naming).span.start;
    let path = twin.path_renumbered(node, naming, number);
    Some(Attack::new(edit, rule, path, At::Edit(0, more)))
}

/// Makes a structure remove a row that does not exist.
fn removed_unknown(twin: &Twin<'_>, node: NodeId, missing: Missing) -> Option<Attack> {
    let whole = twin.outward(node).skip(1).find(|at| {
        let removes = twin
            .effects(*at)
            .and_then(|effects| effects.removes.as_ref());
        removes.is_some_and(|remove| twin.field_of(remove.key, *at) == Some(node))
    })?;
    let remove = twin.effects(whole)?.removes.as_ref()?;
    let rule = remove.dangling;
    rule?;
    let key = unused_key(twin, node, remove.table, missing, &|_| true).ok()?;
    let edit = twin.set(node, key)?;
    Some(Attack::new(
        edit,
        rule,
        twin.path(whole),
        At::Node(whole, 0),
    ))
}

#[cfg(test)]
mod tests {
    use super::Missing;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_reference_names_no_row() {
        let cases = planted::<Missing>(
            r#"tables: { rows: { key: u1, row: row } }
types: { row: { defines: { table: rows, key: id, again: R }, seq: [ { id: id, type: u1 }, { id: v, type: u1 } ] } }
seq: [ { id: one, type: row }, { id: use, type: u1, refs: { table: rows, dangling: R } } ]"#,
            "010501",
        );
        assert_eq!(
            cases,
            [
                "R/never-defined/use 010502 @2",
                "R/never-defined-greatest/use 0105ff @2",
                "R/never-defined-zero/use 010500 @2"
            ]
        );
    }

    #[test]
    fn only_some_values_of_a_field_refer_to_rows() {
        let cases = planted::<Missing>(
            r#"tables: { rows: { key: u1, row: row } }
types: { row: { defines: { table: rows, key: id, again: R }, seq: [ { id: id, type: u1 }, { id: v, type: u1 } ] } }
seq: [ { id: one, type: row }, { id: use, type: u1, refs: { table: rows, none: 0, dangling: R, if: _ & 0x80 == 0 } } ]"#,
            "010501",
        );
        assert_eq!(
            cases,
            [
                "R/never-defined/use 010502 @2",
                "R/never-defined-greatest/use 01057f @2"
            ]
        );
    }
}
