//! Lowers type codes whose values contain other values.

use super::faults::FaultContext;
use super::scope::ScopeId;
use super::{Lowering, OpId};
use crate::schema::{CodeCount, CodeLayout, LayoutCode, LayoutId, Located, RuleRef, Schema};
use tracegauge_plan::{
    CodeExtent, DescribedCode, DescribesPlan, Extent, Kind, LayoutUseId, LocatedPlan, NestedForm,
    NestedId, NestedPlan, Plan, flags,
};

impl<'s> Lowering<'s> {
    /// Adds the operation that reads a value of a type code whose values contain other values.
    pub(super) fn nested_code(
        &mut self,
        code: &'s LayoutCode,
        layout: LayoutUseId,
        scope: ScopeId,
        context: &FaultContext,
    ) -> OpId {
        let faults = self.fault_rules(context);
        let label = self.intern(&code.name);
        let none = code
            .none_count
            .as_ref()
            .map(|none| self.compile(none, scope, None));
        let none = none.and_then(|none| self.known_int(none));
        let index = self.plan.nested.push(NestedPlan {
            layout,
            form: NestedForm::Fields,
            inside: Vec::new(),
            none,
            length_slot: None,
        });
        let op = self.open(Kind::Nested(index), None, Some(label), faults, code.span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        let (form, inside) = match &code.layout {
            CodeLayout::Plain(_) => (NestedForm::Fields, Vec::new()),
            CodeLayout::Fields(path) => (NestedForm::Fields, self.path(Some(path))),
            CodeLayout::List { count, of } => {
                let text = self.schema.layouts[self.plan.layouts[layout].layout.index()]
                    .text
                    .is_some();
                if of.is_none() && !text {
                    self.error(
                        code.span,
                        "a list without the path of its element type is not supported yet",
                    );
                }
                let form = self.nested_count(count, code, scope, context);
                (form, self.path(of.as_ref()))
            }
            CodeLayout::Located { at, of } => {
                let form = self.located(at, code, scope, context);
                (form, self.path(Some(of)))
            }
        };
        self.close(op);
        let plan = &mut self.plan.nested[index];
        plan.form = form;
        plan.inside = inside;
        if let CodeLayout::Located { at, .. } = &code.layout {
            self.obey_in(op, &at.obeys, scope, context);
        }
        op
    }

    fn nested_count(
        &mut self,
        count: &'s CodeCount,
        code: &'s LayoutCode,
        scope: ScopeId,
        context: &FaultContext,
    ) -> NestedForm {
        match count {
            CodeCount::Described(path) => NestedForm::Described(self.path(Some(path))),
            CodeCount::Read(target) => {
                let label = self.intern("count");
                let (op, _) = self.target(target, None, Some(label), scope, context, code.span);
                let op = self.shown(op);
                self.slot_of(op);
                NestedForm::Counted(op)
            }
        }
    }

    fn located(
        &mut self,
        at: &'s Located,
        code: &'s LayoutCode,
        scope: ScopeId,
        context: &FaultContext,
    ) -> NestedForm {
        let label = self.intern("at");
        let (word, _) = self.target(&at.word, None, Some(label), scope, context, code.span);
        self.slot_of(word);
        NestedForm::Located(LocatedPlan {
            word,
            offset: at.offset,
            size: at.size,
            from: at.from,
            multiple: at.multiple.as_ref().and_then(|rule| context.resolve(rule)),
        })
    }

    /// Returns the slot for the number of elements of a value, allocating it on first use.
    pub(super) fn nested_length(&mut self, index: NestedId) -> tracegauge_plan::Slot {
        if let Some(slot) = self.plan.nested[index].length_slot {
            return slot;
        }
        let slot = self.new_slot();
        self.plan.nested[index].length_slot = Some(slot);
        slot
    }

    /// Adds the operation that presents a list of code units as a string.
    pub(super) fn units(&mut self, code: &'s LayoutCode, context: &FaultContext) -> Option<OpId> {
        let CodeLayout::Plain(source) = &code.layout else {
            return None;
        };
        let list = source.list_as.as_ref()?;
        let faults = self.fault_rules(context);
        let label = self.intern("text");
        let kind = Kind::Text(Extent::ToEnd, list.text);
        let op = self.open(kind, None, Some(label), faults, code.span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        self.close(op);
        if let Some(rule) = list.rule.as_ref().and_then(|rule| context.resolve(rule)) {
            self.plan.infos[op.index()].obeys.push((rule, None));
            self.plan.ops[op.index()].flags |= flags::OBEYS;
        }
        Some(op)
    }

    /// Marks a structure that describes a type if the type code in it may be one whose values
    /// contain other values.
    pub(super) fn describes(&mut self, structure: OpId) {
        let schema: &'s Schema = self.schema;
        let children: Vec<OpId> = self.plan.children(structure).collect();
        for child in children {
            let Some(id) = self.plan.infos[child.index()].code_of else {
                continue;
            };
            let codes = &schema.layouts[id.index()].codes;
            let holds = |code: &LayoutCode| !matches!(code.layout, CodeLayout::Plain(_));
            if codes.iter().any(holds) {
                self.slot_of(child);
                let index = self.plan.describes.push(DescribesPlan {
                    code: child,
                    codes: Vec::new(),
                });
                self.plan.infos[structure.index()].describes = Some(index);
                self.plan.ops[structure.index()].flags |= flags::DESCRIBES;
                return;
            }
        }
    }

    /// Fills in the requirements that type codes place on the types that they contain. The
    /// requirements are filled in after the operations of all codes are known.
    pub(super) fn described_codes(&mut self) {
        for layout in self.plan.layouts.ids() {
            for code in 0..self.plan.layouts[layout].codes.len() {
                let op = self.plan.layouts[layout].codes[code].op;
                self.plan.layouts[layout].codes[code].size = exact_size(&self.plan, op);
            }
        }
        for index in self.plan.describes.ids() {
            let code = self.plan.describes[index].code;
            if let Some(id) = self.plan.infos[code.index()].code_of {
                self.plan.describes[index].codes = self.codes_described(id);
            }
        }
    }

    fn codes_described(&self, id: LayoutId) -> Vec<DescribedCode> {
        let schema: &'s Schema = self.schema;
        let used = self.plan.layouts.iter().find(|used| used.layout == id);
        let Some(used) = used else { return Vec::new() };
        let codes = used.codes.iter().map(|known| {
            let described = schema.layouts[id.index()]
                .codes
                .iter()
                .find(|code| code.name == known.name);
            let nested = match self.plan.op(known.op).kind {
                Kind::Nested(nested) => Some(&self.plan.nested[nested].form),
                _ => None,
            };
            let extent = match nested {
                None if known.size.is_some() => CodeExtent::Fixed,
                None | Some(NestedForm::Counted(_)) => CodeExtent::Variable,
                Some(NestedForm::Located(_)) => CodeExtent::Fixed,
                Some(NestedForm::Fields | NestedForm::Described(_)) => CodeExtent::Inherited,
            };
            let fixed = described.filter(|code| code.of_fixed_size).map(|code| {
                code.rule.as_ref().and_then(|rule| match rule {
                    RuleRef::Rule(rule) => Some(*rule),
                    RuleRef::Fault(_) => None,
                })
            });
            DescribedCode {
                code: known.code,
                extent,
                holds: nested.is_some(),
                fixed,
            }
        });
        codes.collect()
    }
}

/// Returns the constant size of an operation in bytes, or `None` if its size varies.
fn exact_size(plan: &Plan, id: OpId) -> Option<u64> {
    let op = plan.op(id);
    if op.flags & (flags::GUARD | flags::OPTIONAL_REST) != 0 {
        return None;
    }
    match &op.kind {
        Kind::Structure => plan.children(id).map(|child| exact_size(plan, child)).sum(),
        Kind::Integer(integer) => Some(u64::from(integer.width)),
        Kind::Float { width, .. } | Kind::BitRun { width, .. } => Some(u64::from(*width)),
        Kind::Guid(_) => Some(16),
        Kind::Contents(constant) => Some(plan.constants[*constant].len() as u64),
        Kind::Bytes(Extent::Fixed(size))
        | Kind::Text(Extent::Fixed(size), _)
        | Kind::Sized(Extent::Fixed(size)) => Some(*size),
        Kind::Check => Some(0),
        _ => None,
    }
}
