//! Tests that the trees of short traces whose values refer to one another are limited.

use std::sync::Arc;

use tracegauge_decoder::{Excess, decode_small_tree, judge_small};
use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// A list whose elements refer to lists.
const LISTS: &str = "
meta: { id: lists }
seq: [ { id: all, type: list } ]
types:
  list: { seq: [ { id: elements, type: element, repeat: until, repeat-until: _.at == 0 } ] }
  element:
    seq: [ { id: at, type: u1 } ]
    instances: { list: { io: _root._io, pos: at, type: list, if: at > 0 } }
";

fn plan() -> Plan {
    let loaded = load(&Memory::new().with("lists.ksy", LISTS), "lists.ksy");
    lower(&Arc::new(loaded.schema.expect("a description")), "lists").expect("a plan")
}

/// Returns a trace of `count` elements, each of which refers to the elements that follow it.
fn trace(count: u8) -> Vec<u8> {
    (1..count).chain([0]).collect()
}

#[test]
fn a_tree_with_exponentially_many_nodes_is_not_built() {
    let plan = plan();
    let (_, tree) = decode_small_tree(&plan, &trace(10));
    assert_eq!(tree.excess, None);
    assert!(judge_small(&plan, &trace(10)).is_some());

    let (_, tree) = decode_small_tree(&plan, &trace(40));
    assert!(matches!(
        tree.excess,
        Some(Excess::Nodes { nodes: 65_536, .. })
    ));
    assert!(tree.nodes.len() <= 65_536);
    assert_eq!(judge_small(&plan, &trace(40)), None);
}
