//! Determines whether a sized part contains all bytes of its described values.

use tracegauge_plan::{Kind, NestedForm, OpId, Plan};

use crate::stack;
use crate::state::CompiledLayout;
use crate::tree::{NodeId, Payload, Tree};

/// Returns the operation that presents a list of these elements as text, if the elements are code
/// units.
pub(super) fn shown_as_text(plan: &Plan, layout: &CompiledLayout, element: usize) -> Option<OpId> {
    let code = layout.fields[element].code;
    let codes = &plan.layouts[layout.layout].codes;
    codes.get(code as usize)?.units
}

/// A check of whether values are complete. The check examines only the values that were read last,
/// because earlier values cannot have been cut short.
#[derive(Clone, Copy)]
pub(super) struct Whole<'t> {
    plan: &'t Plan,
    tree: &'t Tree,
    layout: &'t CompiledLayout,
}

impl<'t> Whole<'t> {
    pub(super) fn of(plan: &'t Plan, tree: &'t Tree, layout: &'t CompiledLayout) -> Self {
        Self { plan, tree, layout }
    }

    /// Returns whether a list is complete, that is, whether the bytes extend to the end of its last
    /// element.
    pub(super) fn list(self, element: usize, children: &[NodeId], count: u64) -> bool {
        if shown_as_text(self.plan, self.layout, element).is_some() {
            return !children.is_empty();
        }
        let last = children.last();
        self.layout.fields[element].nothing
            || children.len() as u64 >= count && last.is_none_or(|last| self.value(element, *last))
    }

    /// Returns whether the value of a described field or element is complete.
    fn value(self, field: usize, node: NodeId) -> bool {
        let Kind::Nested(nested) = self.plan.op(self.tree.node(node).op).kind else {
            return true;
        };
        let nested = &self.plan.nested[nested];
        let inside = self.layout.inside(field);
        let children: Vec<NodeId> = self.tree.children(node).collect();
        // Deep nesting must not overflow the thread's stack.
        stack::deeper(|| match nested.form {
            NestedForm::Fields => self.fields(inside, &children),
            NestedForm::Described(_) => {
                let count = self.layout.fields[field].count;
                self.list(inside.start, &children, count)
            }
            NestedForm::Counted(_) => {
                let Some((count, elements)) = children.split_first() else {
                    return false;
                };
                let Payload::Bits(count) = self.tree.node(*count).payload else {
                    return false;
                };
                nested.none == Some(i128::from(count.cast_signed()))
                    || self.list(inside.start, elements, count)
            }
            NestedForm::Located(_) => true,
        })
    }

    /// Returns whether described fields are complete, that is, whether the bytes extend to the end
    /// of the last field.
    fn fields(self, fields: std::ops::Range<usize>, children: &[NodeId]) -> bool {
        let mut children = children.iter().copied();
        let mut last = None;
        for number in fields {
            let field = self.layout.fields[number];
            if field.nothing {
                continue;
            }
            let Some(mut child) = children.next() else {
                return false;
            };
            if field.optional {
                let payload = self.tree.node(child).payload;
                if !matches!(payload, Payload::Bits(bits) if bits != 0) {
                    continue;
                }
                let Some(value) = children.next() else {
                    return false;
                };
                child = value;
            }
            last = Some((number, child));
        }
        last.is_none_or(|(number, child)| self.value(number, child))
    }
}
