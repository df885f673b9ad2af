//! Layouts that a trace defines, compiled once a row.

use tracegauge_spec::plan::{LayoutPlan, OpId, Plan};

use crate::tree::{NodeId, Payload, Tree};

/// The described fields of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledLayout {
    /// Index of the layout in the plan.
    pub layout: u32,
    /// The fields, in order.
    pub fields: Vec<DescribedField>,
    /// Their names, by the same order.
    pub names: Vec<Box<[u8]>>,
}

/// How one described field is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DescribedField {
    /// What reads its value; none for an unknown code.
    pub op: Option<OpId>,
    /// The code's index in the plan's layout.
    pub code: u32,
    /// A presence byte comes first.
    pub optional: bool,
}

/// Compiles the described fields in `list`, a list of them.
pub fn compile_layout(plan: &Plan, layout: u32, list: &Tree) -> CompiledLayout {
    let described = &plan.layouts[layout as usize];
    let root: NodeId = 0;
    let mut compiled = CompiledLayout {
        layout,
        fields: Vec::new(),
        names: Vec::new(),
    };
    if list.nodes.is_empty() {
        return compiled;
    }
    for element in list.children(root) {
        let name = list.find(plan, element, &described.name_path);
        let name = name
            .and_then(|name| text_of(plan, list, name))
            .unwrap_or_default();
        compiled.names.push(name.into());
        compiled
            .fields
            .push(described_field(plan, described, list, element));
    }
    compiled
}

fn described_field(
    plan: &Plan,
    described: &LayoutPlan,
    list: &Tree,
    element: NodeId,
) -> DescribedField {
    let bits = |path| match list
        .find(plan, element, path)
        .map(|id| list.node(id).payload)
    {
        Some(Payload::Bits(bits)) => Some(bits),
        _ => None,
    };
    let code = bits(&described.code_path);
    let found = code.and_then(|code| {
        described
            .codes
            .iter()
            .position(|known| known.code == i128::from(code))
    });
    let optional = match &described.optional {
        Some((when, _)) => bits(when).is_some_and(|bits| bits != 0),
        None => false,
    };
    DescribedField {
        op: found.map(|index| described.codes[index].op),
        code: found
            .and_then(|index| u32::try_from(index).ok())
            .unwrap_or(u32::MAX),
        optional,
    }
}

/// The text of a node, or of the one that stands for it.
fn text_of<'t>(plan: &Plan, tree: &'t Tree, id: NodeId) -> Option<&'t [u8]> {
    if let Some(bytes) = tree.bytes(id) {
        return Some(bytes);
    }
    tree.children(id)
        .filter(|child| plan.info(tree.node(*child).op).name.is_none())
        .find_map(|child| text_of(plan, tree, child))
}
