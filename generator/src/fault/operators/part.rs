//! Sized parts that are longer or shorter than their fields, with a stored size that matches.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::FaultKind;
use tracegauge_plan::{Derived, Kind, OpId, Plan};

use super::{Plant, Words, changes};
use crate::fault::apply::{At, Attack, Blame, fault};
use crate::fault::ends::Ends;
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Edit, Place, Splice};
use crate::fault::twin::Twin;

changes! {
    /// Wrong contents of a sized part.
    pub enum PartChange {
        ExtraByte = "extra-byte": "A sized part is one byte larger than its fields",
        ExtraBytes = "extra-bytes": "A sized part is many bytes larger than its fields",
        LastByteMissing = "last-byte-missing": "The last byte of a sized part is missing",
        EndsInside = "part-ends-inside":
            "A sized part ends one byte before the end of one of its fields",
        EndsBefore = "part-ends-before":
            "A sized part ends before the last field that it must contain",
        Empty = "part-empty": "A sized part is empty",
    }
}

impl Plant for PartChange {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let is_part = matches!(finder.plan.op(id).kind, Kind::Sized(_));
        if is_part && finder.slots.is_measured(id) {
            finder.mapped(FaultKind::Rest, id, [Self::ExtraByte, Self::ExtraBytes]);
            // The violated rule depends on the contents of the part.
            finder.add_undetermined(id, Self::LastByteMissing);
            finder.add_undetermined(id, Self::Empty);
        }
        if let Some(part) = part_ended_by(finder, id) {
            let rule = fault(finder.plan, part, FaultKind::Rest);
            let is_part = |arm: &OpId| matches!(finder.plan.op(*arm).kind, Kind::Sized(_));
            let arms = finder.plan.children(id).filter(|arm| !is_part(arm));
            for arm in arms.collect::<Vec<_>>() {
                if let Some(rule) = rule {
                    finder.add(rule, arm, Self::ExtraByte);
                }
            }
        }
        if finder.reads_bytes(id) && finder.around[id.index()].part {
            finder.add_undetermined(id, Self::EndsInside);
            if is_last_required(finder.plan, id) {
                finder.add_undetermined(id, Self::EndsBefore);
            }
        }
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        plant(twin, node, *self)
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        reasons.part(site.op, *self)
    }

    fn is_minor(&self, _: &Plan, _: &Site) -> bool {
        *self == Self::ExtraBytes
    }

    /// A reader that does not stop at the end of a part that is too short runs out of bytes if the
    /// part ends where the enclosing part or the file ends.
    fn is_followed(&self, twin: &Twin<'_>, node: NodeId) -> bool {
        match self {
            Self::LastByteMissing | Self::Empty => twin.is_followed(node),
            Self::EndsInside | Self::EndsBefore => {
                part_with_stored_end(twin, node).is_none_or(|part| twin.is_followed(part))
            }
            Self::ExtraByte | Self::ExtraBytes => true,
        }
    }
}

/// Returns the sized part with a stored size that ends with the switch `id`. A reader with a function
/// for each type may check in some of them only that the part has no further bytes.
fn part_ended_by(finder: &Finder<'_>, id: OpId) -> Option<OpId> {
    let plan = finder.plan;
    if !matches!(plan.op(id).kind, Kind::Switch(_)) {
        return None;
    }
    let mut at = id;
    loop {
        let around = plan.info(at).parent?;
        match plan.op(around).kind {
            Kind::Sized(_) => return finder.slots.is_measured(around).then_some(around),
            Kind::Structure if plan.children(around).last() == Some(at) => at = around,
            Kind::Switch(_) => at = around,
            _ => return None,
        }
    }
}

/// Returns true if the sized part around a field may end right after the field. A reader that
/// treats the field itself as optional notices nothing if the part ends right before it.
/// Excludes fields that may consist of a single byte: for these fields, ending the part one
/// byte before the end of the field ([`PartChange::EndsInside`]) already has the same effect.
fn is_last_required(plan: &Plan, id: OpId) -> bool {
    if plan.info(id).least < 2 {
        return false;
    }
    let mut at = id;
    while let Some(around) = plan.info(at).parent {
        let mut later = plan.children(around).filter(|child| child.0 > at.0);
        let is_alternative = matches!(plan.op(around).kind, Kind::Switch(_));
        if !is_alternative && later.any(|it| plan.info(it).least > 0) {
            return false;
        }
        if matches!(plan.op(around).kind, Kind::Sized(_)) {
            return true;
        }
        at = around;
    }
    false
}

impl Reasons<'_> {
    fn part(&self, op: OpId, change: PartChange) -> Option<Infeasibility> {
        match change {
            PartChange::EndsInside | PartChange::EndsBefore if self.takes_all(op, true) => {
                Some(Infeasibility::TakesAll)
            }
            PartChange::EndsBefore if self.begins_an_element(op).is_some() => {
                Some(Infeasibility::MayEnd)
            }
            PartChange::EndsInside
                if self.is_one_byte(op) && self.begins_an_element(op).is_some() =>
            {
                Some(Infeasibility::MayEnd)
            }
            PartChange::EndsInside | PartChange::EndsBefore => {
                let measured = self.all_around(op).into_iter().any(|around| {
                    let sized = matches!(self.plan.op(around).kind, Kind::Sized(_));
                    sized && self.slots.has_stored_end(around)
                });
                (!measured).then_some(Infeasibility::NoSize)
            }
            PartChange::ExtraByte | PartChange::ExtraBytes => {
                self.takes_all(op, true).then_some(Infeasibility::TakesAll)
            }
            PartChange::LastByteMissing | PartChange::Empty => None,
        }
    }
}

/// Bytes that do not resemble a field.
const EXTRA: [u8; 9] = [0xa5, 0x5a, 0x00, 0xff, 0x80, 0x7f, 0x01, 0xa5, 0x5a];

/// Changes the contents of a part and adjusts its stored size.
fn plant(twin: &Twin<'_>, node: NodeId, change: PartChange) -> Result<Attack, NoCase> {
    let is_about_part = matches!(twin.op(node).kind, Kind::Sized(_));
    let is_about_field = matches!(change, PartChange::EndsInside | PartChange::EndsBefore);
    if is_about_part
        && !is_about_field
        && (!twin.slots.is_measured(twin.node(node).op) || twin.is_residue(node))
    {
        return Err(NoCase::Lacking);
    }
    match change {
        PartChange::ExtraByte => extra(twin, node, &[0]),
        PartChange::ExtraBytes => extra(twin, node, &EXTRA),
        PartChange::LastByteMissing => last_byte_missing(twin, node),
        PartChange::EndsInside => ends_at(twin, node, 1),
        PartChange::EndsBefore => ends_at(twin, node, twin.bytes_of(node).len()),
        PartChange::Empty => emptied(twin, node),
    }
}

/// Adds bytes to a part, given by its node or by the value that ends it.
fn extra(twin: &Twin<'_>, node: NodeId, bytes: &[u8]) -> Result<Attack, NoCase> {
    let part = twin
        .outward(node)
        .find(|at| matches!(twin.op(*at).kind, Kind::Sized(_)));
    let node = part.ok_or(NoCase::Lacking)?;
    let rule = fault(twin.plan, twin.node(node).op, FaultKind::Rest);
    let rule = rule.ok_or(NoCase::Allowed)?;
    if twin.absorbs(node) {
        return Err(NoCase::Uncontradicted);
    }
    let edit = Edit::insert(Place::Within(node), bytes.to_vec());
    Ok(Attack::new(edit, rule, twin.path(node), At::Edit(0, 0)))
}

fn last_byte_missing(twin: &Twin<'_>, node: NodeId) -> Result<Attack, NoCase> {
    let end = twin.node(node).span.end.checked_sub(1);
    let end = end.ok_or(NoCase::Lacking)?;
    let blame = twin.blame_end(node, end, Ends::Part);
    let blame = blame.ok_or(NoCase::Uncontradicted)?;
    let leaf = last_leaf(twin, node).ok_or(NoCase::Lacking)?;
    let (_, bytes) = twin.bytes_of(leaf).split_last().ok_or(NoCase::Lacking)?;
    let edit = Edit::Replace {
        node: leaf,
        bytes: bytes.to_vec(),
    };
    // The sizes stored for inner parts are not updated, nor is the length of the last text.
    let held = held_inside(twin, node, leaf);
    Ok(Attack {
        splice: Splice {
            edits: vec![edit],
            held,
            cut: None,
        },
        blame: vec![blame],
    })
}

/// Returns the nonempty value that ends exactly where a part ends.
fn last_leaf(twin: &Twin<'_>, node: NodeId) -> Option<NodeId> {
    let end = twin.node(node).span.end;
    (node + 1..twin.node(node).end).rev().find(|at| {
        let span = twin.node(*at).span;
        let in_run = matches!(twin.op(*at).kind, Kind::Bits { .. });
        twin.is_leaf(*at) && !in_run && span.end == end && span.start < end
    })
}

/// Returns the fields inside `node` that store the size of contents that include `leaf`.
fn held_inside(twin: &Twin<'_>, node: NodeId, leaf: NodeId) -> Vec<NodeId> {
    let measures = |field: &NodeId| match &twin.info(*field).derived {
        Some(Derived::Measured { of, .. }) => twin
            .measured_by(*field, *of)
            .is_some_and(|of| of <= leaf && leaf < twin.node(of).end),
        _ => false,
    };
    (node + 1..twin.node(node).end).filter(measures).collect()
}

/// Ends a part `removed` bytes before the end of the field `leaf` inside it, and adjusts the stored
/// size or end of the part. The part is the innermost one that contains the field and has a stored
/// size or end. Sizes stored inside the part are not updated.
fn ends_at(twin: &Twin<'_>, leaf: NodeId, removed: usize) -> Result<Attack, NoCase> {
    let span = twin.node(leaf).span;
    let part = part_with_stored_end(twin, leaf).ok_or(NoCase::Inexpressible)?;
    let bytes = twin.bytes_of(leaf);
    let kept = bytes.len().checked_sub(removed).filter(|_| removed > 0);
    let kept = &bytes[..kept.ok_or(NoCase::Lacking)?];
    let blame = twin.blame_end(part, span.end - removed as u64, Ends::Part);
    let blame = blame.ok_or(NoCase::Uncontradicted)?;
    let mut edits = vec![Edit::Replace {
        node: leaf,
        bytes: kept.to_vec(),
    }];
    let mut inner = leaf;
    while inner != part {
        let around = twin.parent(inner).ok_or(NoCase::Lacking)?;
        let later = twin.tree.children(around).filter(|child| *child > inner);
        // Remove the rest of the part, including padding that the shorter contents would now
        // require.
        for node in later {
            let span = twin.node(node).span;
            match twin.is_elsewhere(node) {
                false => edits.push(Edit::Remove { node }),
                // An empty view has no bytes to remove.
                true if twin.tree.is_view(node) && span.start == span.end => {}
                // Bytes that a field only points to may lie in the rest of the part, and they
                // remain there when the field is removed.
                true => return Err(NoCase::Inexpressible),
            }
        }
        inner = around;
    }
    // Do not update the sizes stored inside the part.
    let held = (part + 1..leaf).filter(|field| match &twin.info(*field).derived {
        Some(Derived::Measured { of, .. }) => twin
            .measured_by(*field, *of)
            .is_some_and(|of| twin.node(of).end > leaf && of != part),
        _ => false,
    });
    Ok(Attack {
        splice: Splice {
            held: held.collect(),
            edits,
            cut: None,
        },
        blame: vec![blame],
    })
}

/// Returns the innermost part around `leaf` whose size or end is stored.
fn part_with_stored_end(twin: &Twin<'_>, leaf: NodeId) -> Option<NodeId> {
    twin.outward(leaf).skip(1).find(|at| {
        let is_sized = matches!(twin.op(*at).kind, Kind::Sized(_));
        is_sized && twin.slots.has_stored_end(twin.node(*at).op)
    })
}

fn emptied(twin: &Twin<'_>, node: NodeId) -> Result<Attack, NoCase> {
    let start = twin.node(node).span.start;
    if twin.node(node).span.end < start + 2 {
        return Err(NoCase::Lacking);
    }
    let blame = twin.blame_end(node, start, Ends::Part);
    let blame = blame.ok_or(NoCase::Uncontradicted)?;
    let blame = Blame {
        at: At::Node(node, 0),
        ..blame
    };
    let edit = Edit::Replace {
        node,
        bytes: Vec::new(),
    };
    Ok(Attack {
        splice: Splice {
            edits: vec![edit],
            ..Splice::default()
        },
        blame: vec![blame],
    })
}

#[cfg(test)]
mod tests {
    use super::PartChange;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_part_has_other_contents() {
        let cases = planted::<PartChange>(
            r#"types: { p: { seq: [ { id: a, type: u2 } ] } }
seq: [ { id: n, type: u1, value: part._sizeof }, { id: part, type: p, size: n }, { id: next, type: u1 } ]"#,
            "02010203",
        );
        assert_eq!(
            cases,
            [
                "R/extra-byte/part 0301020003 @3",
                "R/extra-bytes/part 0b0102a55a00ff807f01a55a03 @3",
                "R/last-byte-missing/part 010103 @1",
                "R/part-empty/part 0003 @1"
            ]
        );
    }
}
