//! Measures the size of a tree, so that the expansion of an alias can be counted toward the budget.

use super::{Node, NodeKind};

/// Returns the number of nodes in `node`, and the total length of its scalars in bytes.
pub(super) fn cost(node: &Node) -> (usize, usize) {
    match &node.kind {
        NodeKind::Scalar(scalar) => (1, scalar.value.len()),
        NodeKind::Sequence(nodes) => sum(nodes.iter().map(cost)),
        NodeKind::Mapping(mapping) => sum(mapping.entries.iter().map(|entry| {
            let (nodes, bytes) = cost(&entry.value);
            (nodes + 1, bytes + entry.key.len())
        })),
    }
}

fn sum(costs: impl Iterator<Item = (usize, usize)>) -> (usize, usize) {
    costs.fold((1, 0), |(nodes, bytes), (n, b)| (nodes + n, bytes + b))
}

/// Returns the nesting depth of `node`.
pub(super) fn depth(node: &Node) -> usize {
    match &node.kind {
        NodeKind::Scalar(_) => 1,
        NodeKind::Sequence(nodes) => 1 + nodes.iter().map(depth).max().unwrap_or(0),
        NodeKind::Mapping(mapping) => {
            let values = mapping.entries.iter().map(|entry| depth(&entry.value));
            1 + values.max().unwrap_or(0)
        }
    }
}
