//! Chooses the types that a trace describes: their type codes, the numbers of their elements, and how
//! deeply they are nested.

use std::borrow::Cow;

use tracegauge_decoder::Input;
use tracegauge_plan::{CodeExtent, DescribedCode, Kind, NestedForm, OpId, PlainPlan, Plan};

use super::Directed;
use super::domain::{self, Domain};
use super::form::Form;
use super::index::Index;
use crate::tape::Choices;

/// The maximum nesting depth of described container types.
const DEEP: usize = 4;

/// The maximum size in bytes of a list whose type description specifies the element count, assuming
/// that every element is as small as possible.
const MOST_FIXED: u64 = 256;

/// A size that does not fit in 16 bits.
const LARGE: u64 = 1 << 16;

/// The assumed size in bytes of a value that has no fixed size.
pub const SOME: u64 = 16;

/// The maximum size in bytes of a row's values, assuming that every value is as small as possible.
/// Above this size, no further container types are described.
const MOST_ROW: u64 = 2048;

/// The maximum number of fields of a structure inside a described type.
pub const MOST_INSIDE: u64 = 4;

/// The size in bytes above which the generator adds as little as possible to a recursive structure.
/// Without this limit, nested lists could make the structure grow exponentially.
const MOST_NESTED: u64 = 16 * 1024;

/// Sets the share of unusual counts: on average, one in `UNUSUAL + 1` counts ignores the hints.
const UNUSUAL: u64 = 15;

/// Returns whether a recursive structure has reached its size limit.
pub fn is_spent<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
) -> bool {
    let position = machine.position();
    if machine.depth() < 2 {
        machine.visitor_mut().described.nested_from = position;
        return false;
    }
    position.saturating_sub(machine.visitor().described.nested_from) > MOST_NESTED
}

/// Chooses a usual number of elements according to the hints in the description. Without hints, a
/// recursive structure would grow with each level, and one long list would leave no room for the
/// contents after it.
pub fn hinted_count<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    counting: OpId,
    is_plain: bool,
) -> Option<u64> {
    let hints = &machine.plan().info(counting).hints;
    if is_plain {
        return plain_count(machine, counting);
    }
    let choices = &mut machine.visitor_mut().choices;
    if hints.weights.is_empty() && hints.range.is_none() {
        return None;
    }
    if choices.choose(UNUSUAL, None) == UNUSUAL {
        return None;
    }
    if let Some((low, high)) = hints.range {
        let (low, high) = (u64::try_from(low).ok()?, u64::try_from(high).ok()?);
        return Some(low + choices.choose(high.checked_sub(low)?, None));
    }
    let total: u64 = hints
        .weights
        .iter()
        .map(|(_, weight)| u64::from(*weight))
        .sum();
    let chosen = choices.choose(total.checked_sub(1)?, None);
    let mut before = 0;
    let hint = hints.weights.iter().find(|(_, weight)| {
        before += u64::from(*weight);
        chosen < before
    });
    hint.and_then(|(count, _)| u64::try_from(*count).ok())
}

/// Chooses a plain number of elements according to the hints in the description. From a range of
/// counts, chooses one or two, or the count in the range that is closest to this. Returns `None` if
/// the description contains no hints.
fn plain_count<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    counting: OpId,
) -> Option<u64> {
    let hints = &machine.plan().info(counting).hints;
    let emitter = machine.visitor_mut();
    let few = emitter.plain_length();
    let (low, high) = match (&hints.plain, hints.range) {
        (Some(PlainPlan::Range(low, high)), _) => (*low, *high),
        (Some(PlainPlan::Integers(counts)), _) => {
            let last = (counts.len() as u64).checked_sub(1)?;
            let chosen = usize::try_from(emitter.choices.choose(last, None)).unwrap_or_default();
            return counts
                .get(chosen)
                .and_then(|count| u64::try_from(*count).ok());
        }
        (_, Some(range)) => range,
        _ if hints.weights.is_empty() => return None,
        _ => {
            let most = hints.weights.iter().map(|(_, weight)| *weight).max()?;
            let usual = hints
                .weights
                .iter()
                .filter(|(_, weight)| weight * 4 >= most);
            let usual: Vec<i128> = usual.map(|(count, _)| *count).collect();
            let chosen = emitter.choices.choose(usual.len() as u64 - 1, None);
            let chosen = usize::try_from(chosen).unwrap_or_default();
            return usual
                .get(chosen)
                .and_then(|count| u64::try_from(*count).ok());
        }
    };
    u64::try_from(i128::from(few).clamp(low, high.max(low))).ok()
}

/// A type that is being described.
#[derive(Clone, Copy, Debug)]
pub struct OpenType {
    /// The number of enclosing types, including this type.
    depth: usize,
    structure: OpId,
    code: i128,
    /// Whether the type must have a fixed size.
    fixed: bool,
    /// The total size of the types that the type contains, in bytes.
    inside: u64,
    /// The number of elements that the type's description specifies.
    count: u64,
}

/// Returns the description of a type code.
fn code_of(plan: &Plan, structure: OpId, code: i128) -> Option<&DescribedCode> {
    let describes = plan.info(structure).describes?;
    plan.describes[describes].code(code)
}

/// Returns the structure whose type code is field `op`, if the structure describes types.
fn described_by(plan: &Plan, op: OpId) -> Option<OpId> {
    plan.info(op).code_of?;
    let parent = plan.info(op).parent?;
    plan.info(parent).describes.map(|_| parent)
}

/// Restricts the domain of a type code, or of an element count, to values that are possible at the
/// current position.
pub fn restrict<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    domain: &mut Cow<'_, Domain>,
) {
    let plan = machine.plan();
    if machine.visitor().index.counts.contains(&op) {
        // The element type is described before the count, so its size is known.
        let each = machine
            .visitor()
            .described
            .types
            .last()
            .map_or(0, |open| open.inside);
        let most = i128::from(MOST_FIXED / each.max(1));
        let emitter = machine.visitor_mut();
        let outermost = emitter.described.types.len() == 1;
        let filled = i128::from(emitter.fills());
        let domain = domain.to_mut();
        if outermost && std::mem::take(&mut emitter.wishes.target.large) {
            let number = domain.high.min(i128::from(LARGE / each.max(1) + 1));
            return domain::restrict(domain, vec![(number, 1)]);
        }
        domain.low = domain.low.max(filled.min(domain.high));
        domain.high = domain.high.min(most.max(domain.low));
        domain.usual = domain
            .usual
            .map(|(low, high)| (low.min(most), high.min(most)));
        return;
    }
    let Some(structure) = described_by(plan, op) else {
        // Target type codes are used only at the top level. Below it, the number of container types
        // would multiply with each level.
        if plan.info(op).code_of.is_some() && machine.depth() == 0 {
            let wanted = machine
                .visitor_mut()
                .next_targeted_code(|code| domain.contains(code));
            if let Some(wanted) = wanted {
                domain::restrict(domain.to_mut(), vec![(wanted, 1)]);
            }
        }
        return;
    };
    let depth = machine.types_around();
    let fixed = must_be_fixed(machine, depth);
    let describes = plan.info(structure).describes;
    let Some(describes) = describes.map(|index| &plan.describes[index]) else {
        return;
    };
    let full = machine.visitor().described.row_bytes > MOST_ROW;
    // A type inside this one nests the structure once more.
    let may_nest = match plan.info(structure).depth {
        Some((promised, enforced, _)) => {
            let most = if promised == 0 { enforced } else { promised };
            (machine.depth() as u64) < most
        }
        None => true,
    };
    let possible = |code: &&DescribedCode| {
        let extent = !fixed || code.extent != CodeExtent::Variable;
        extent && (depth < DEEP && may_nest && !full || !code.holds)
    };
    let codes = describes.codes.iter().filter(possible);
    let mut codes: Vec<(i128, u64)> = codes.map(|code| (code.code, 1)).collect();
    let listed = |wanted: i128| codes.iter().any(|(code, _)| *code == wanted);
    if let Some(wanted) = machine.visitor_mut().next_targeted_code(listed) {
        codes.retain(|(code, _)| *code == wanted);
    }
    domain::restrict(domain.to_mut(), codes);
}

/// Returns whether the type that encloses the type at `depth` requires a fixed size.
fn must_be_fixed<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    depth: usize,
) -> bool {
    let plan = machine.plan();
    let types = &machine.visitor().described.types;
    let around = types.iter().rfind(|open| open.depth < depth);
    around.is_some_and(|open| {
        let code = code_of(plan, open.structure, open.code);
        code.is_some_and(|code| {
            code.fixed.is_some() || (open.fixed && code.extent == CodeExtent::Inherited)
        })
    })
}

/// Records a number just written if it is a type code or the element count of a type.
pub fn put<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    value: i128,
) {
    let plan = machine.plan();
    if machine.visitor().index.counts.contains(&op) {
        if let Some(open) = machine.visitor_mut().described.types.last_mut() {
            open.count = u64::try_from(value).unwrap_or(0);
        }
        return;
    }
    let Some(structure) = described_by(plan, op) else {
        return;
    };
    let depth = machine.types_around();
    let fixed = must_be_fixed(machine, depth);
    let types = &mut machine.visitor_mut().described.types;
    while types.last().is_some_and(|open| open.depth >= depth) {
        types.pop();
    }
    types.push(OpenType {
        depth,
        structure,
        code: value,
        fixed,
        inside: 0,
        count: 0,
    });
}

/// Completes a structure that describes a type, and adds the size of the type to the enclosing type
/// or row.
pub fn complete<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    let plan = machine.plan();
    if plan.info(op).describes.is_none() {
        return;
    }
    let depth = machine.types_around() + 1;
    let index = machine.visitor().index;
    let types = &mut machine.visitor_mut().described.types;
    let Some(open) = types.pop_if(|open| open.depth == depth) else {
        return;
    };
    let size = match index.forms.get(&(open.structure, open.code)) {
        None => SOME,
        Some(Form::Plain(size)) => *size,
        Some(Form::Inside) => open.inside,
        Some(Form::Times) => open.inside.saturating_mul(open.count),
    };
    match types.last_mut() {
        Some(around) => around.inside = around.inside.saturating_add(size),
        None => {
            let row = &mut machine.visitor_mut().described.row_bytes;
            *row = row.saturating_add(size);
        }
    }
}

impl Index {
    /// Collects the properties of described types.
    pub(super) fn look_at_types(&mut self, plan: &Plan) {
        for nested in &plan.nested {
            match &nested.form {
                NestedForm::Located(located) => {
                    self.words.insert(located.word);
                }
                NestedForm::Described(path) => {
                    let structures = plan.infos.iter().enumerate();
                    let structures = structures.filter(|(_, info)| info.describes.is_some());
                    for (structure, _) in structures {
                        let id = OpId::from(structure);
                        let named = |child: &OpId| plan.info(*child).label == path.first().copied();
                        self.counts.extend(plan.children(id).find(named));
                    }
                }
                NestedForm::Fields | NestedForm::Counted(_) => {}
            }
        }
        let lists = plan.ops.iter().enumerate();
        let lists = lists.filter(|(_, op)| matches!(op.kind, Kind::Repeat(_)));
        for (list, _) in lists {
            let list = OpId::from(list);
            if holds_types(plan, list) {
                self.describing.insert(list);
            }
        }
        for (number, info) in plan.infos.iter().enumerate() {
            let Some(describes) = info.describes else {
                continue;
            };
            let structure = OpId::from(number);
            let field = plan.info(plan.describes[describes].code);
            let used = plan
                .layouts
                .iter()
                .find(|used| field.code_of == Some(used.layout));
            for code in used.map_or(&[][..], |used| &used.codes) {
                let form = match plan.op(code.op).kind {
                    Kind::Nested(nested) => match plan.nested[nested].form {
                        NestedForm::Fields => Form::Inside,
                        NestedForm::Described(_) => Form::Times,
                        NestedForm::Counted(_) | NestedForm::Located(_) => Form::Plain(SOME),
                    },
                    _ => Form::Plain(code.size.unwrap_or(SOME)),
                };
                self.forms.insert((structure, code.code), form);
            }
        }
    }
}

/// Returns whether the elements of a list contain described types.
fn holds_types(plan: &Plan, list: OpId) -> bool {
    (list.0 + 1..plan.op(list).end).any(|op| {
        let called = match plan.op(OpId(op)).kind {
            Kind::Call(target) => plan.info(target).describes.is_some(),
            _ => false,
        };
        called || plan.info(OpId(op)).describes.is_some()
    })
}

/// Returns the minimum number of types that a list describes if the trace has target type codes.
pub fn targeted(inside: bool) -> u64 {
    if inside { 1 } else { 5 }
}
