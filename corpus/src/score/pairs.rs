//! Measures the pairwise coverage of structures: each pair of optional parts, and each optional
//! part with the least and the greatest value of each other field.

use std::collections::{BTreeMap, BTreeSet};

use tracegauge_decoder::tree::{Node, Tree};
use tracegauge_plan::{Kind, OpId, Plan, flags};

use super::boundaries::{self, Values};
use super::together::Together;
use super::{Boundary, Obligation};

/// The state of one of the two parts in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The part is present.
    There,
    /// The part is absent.
    Absent,
    /// The value of the part is at a boundary.
    At(Boundary),
}

impl Level {
    /// Describes the state of a part in words that follow the path of the part.
    pub fn name(self) -> String {
        match self {
            Self::There => "there".to_owned(),
            Self::Absent => "not there".to_owned(),
            Self::At(boundary) => boundary.name(),
        }
    }
}

/// The parts of a structure that can vary.
struct Parts {
    /// The optional parts.
    optional: Vec<OpId>,
    /// The fields whose least or greatest value is tested, each with that boundary. A field with
    /// both boundaries occurs twice.
    ends: Vec<(OpId, Boundary)>,
}

/// Returns the structures that have optional parts and more than one part that can vary.
fn structures(plan: &Plan, wanted: &[Obligation]) -> BTreeMap<OpId, Parts> {
    let mut ends: BTreeMap<OpId, Vec<Boundary>> = BTreeMap::new();
    for obligation in wanted {
        if let Obligation::Value(op, boundary @ (Boundary::Least | Boundary::Greatest)) = obligation
            && plan.info(*op).derived.is_none()
        {
            ends.entry(*op).or_default().push(*boundary);
        }
    }
    let ops = (0..).map(OpId).zip(&plan.ops);
    let structures = ops.filter(|(_, op)| op.kind == Kind::Structure);
    let parts = structures.map(|(op, _)| {
        let may_be_absent = |child: &OpId| {
            let only = flags::GUARD | flags::OPTIONAL_REST;
            plan.op(*child).flags & only == flags::GUARD
        };
        let with_ends = plan.children(op).flat_map(|child| {
            let ends = ends.get(&child).into_iter().flatten();
            ends.map(move |end| (child, *end))
        });
        let parts = Parts {
            optional: plan.children(op).filter(may_be_absent).collect(),
            ends: with_ends.collect(),
        };
        (op, parts)
    });
    parts
        .filter(|(_, parts)| {
            !parts.optional.is_empty() && parts.optional.len() + parts.ends.len() > 1
        })
        .collect()
}

/// Returns all pairs that the conditions of the parts allow.
pub(super) fn pairs(plan: &Plan) -> Vec<Obligation> {
    let wanted = boundaries::boundaries(plan);
    let together = Together::new(plan);
    let mut found = Vec::new();
    for parts in structures(plan, &wanted).into_values() {
        for (at, one) in parts.optional.iter().enumerate() {
            for two in &parts.optional[at + 1..] {
                for (first, second) in [(true, true), (true, false), (false, true), (false, false)]
                {
                    if together.can_be(&[(*one, first), (*two, second)]) {
                        found.push(Obligation::Pair(
                            (*one, presence(first)),
                            (*two, presence(second)),
                        ));
                    }
                }
            }
            for (field, end) in parts.ends.iter().filter(|(field, _)| field != one) {
                for there in [true, false] {
                    if together.can_be(&[(*one, there), (*field, true)])
                        && !together.asks(*one, *field)
                    {
                        let beside = (*field, Level::At(*end));
                        found.push(Obligation::Pair((*one, presence(there)), beside));
                    }
                }
            }
        }
    }
    found
}

fn presence(there: bool) -> Level {
    match there {
        true => Level::There,
        false => Level::Absent,
    }
}

/// Finds the pairs that a trace contains.
#[derive(Debug)]
pub(super) struct Pairs {
    /// The pairs of each structure.
    wanted: BTreeMap<OpId, Vec<Obligation>>,
}

impl Pairs {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut wanted: BTreeMap<OpId, Vec<Obligation>> = BTreeMap::new();
        for obligation in pairs(plan) {
            if let Obligation::Pair((op, _), _) = obligation
                && let Some(around) = plan.info(op).parent
            {
                wanted.entry(around).or_default().push(obligation);
            }
        }
        Self { wanted }
    }

    pub(super) fn met(&self, tree: &Tree, values: &Values, met: &mut BTreeSet<Obligation>) {
        for (at, node) in tree.nodes.iter().enumerate() {
            let Some(wanted) = self.wanted.get(&node.op) else {
                continue;
            };
            let inside = inside(tree, at, node);
            let is = |(op, level): (OpId, Level)| {
                let found = inside.iter().find(|node| node.op == op);
                match (level, found) {
                    (Level::There, found) => found.is_some(),
                    (Level::Absent, found) => found.is_none(),
                    (Level::At(boundary), Some(node)) => values.is_at(node, boundary),
                    (Level::At(_), None) => false,
                }
            };
            let have = wanted.iter().filter(|obligation| match obligation {
                Obligation::Pair(one, two) => !met.contains(obligation) && is(*one) && is(*two),
                _ => false,
            });
            let have: Vec<Obligation> = have.copied().collect();
            met.extend(have);
        }
    }
}

/// Returns the direct children of a node.
fn inside<'t>(tree: &'t Tree, at: usize, node: &Node) -> Vec<&'t Node> {
    let mut found = Vec::new();
    let mut next = at + 1;
    while let Some(child) = tree.nodes.get(next).filter(|_| next < node.end as usize) {
        found.push(child);
        next = child.end as usize;
    }
    found
}
