//! Computes the size of types in bytes: the minimum, the maximum, and whether a type extends to the
//! end of the enclosing sized part. A sized part is a field whose size the description states, such
//! as a structure with `size`.

use super::fold::{self, Constant};
use super::graph::Graph;
use crate::expression::Expr;
use crate::schema::{
    CodeLayout, Dialect, Elements, Field, FieldRole, FieldSource, Repeat, Scalar, ScalarKind,
    Schema, Size, SwitchCase, Type, TypeBody, TypeRef,
};

/// The range of sizes in bytes that a type or field can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// The minimum number of bytes, or `None` if no value can end, because the type always contains
    /// itself.
    pub(super) least: Option<u64>,
    /// The maximum number of bytes, or `None` if the size is unlimited.
    pub(super) greatest: Option<u64>,
    /// Whether the type or field extends to the end of the enclosing sized part or file.
    pub(super) to_end: bool,
}

const NOTHING: Extent = Extent {
    least: Some(0),
    greatest: Some(0),
    to_end: false,
};

const ANY: Extent = Extent {
    least: Some(0),
    greatest: None,
    to_end: false,
};

/// The size assumed for a type in a cycle before the first round of computing sizes.
const ENDLESS: Extent = Extent {
    least: None,
    greatest: None,
    to_end: false,
};

/// The maximum number of rounds for computing the sizes in a cycle. Sizes that are still changing
/// after the last round are treated as unbounded.
const MOST_ROUNDS: usize = 64;

/// The sizes of the types of a description, either in one dialect or across all dialects.
pub(super) struct Extents {
    nodes: Vec<Extent>,
    types: usize,
    dialect: Option<Dialect>,
}

impl Extents {
    pub(super) fn of(schema: &Schema, graph: &Graph, dialect: Option<&Dialect>) -> Self {
        let mut extents = Self {
            nodes: vec![ENDLESS; graph.edges.len()],
            types: schema.types.len(),
            dialect: dialect.cloned(),
        };
        let mut start = 0;
        while start < graph.order.len() {
            let circle = graph.circle[graph.order[start]];
            let mut end = start;
            while end < graph.order.len() && graph.circle[graph.order[end]] == circle {
                end += 1;
            }
            extents.settle(&graph.order[start..end], graph, schema);
            start = end;
        }
        extents
    }

    /// Returns the size of a type.
    pub(super) fn of_type(&self, index: usize) -> Extent {
        self.nodes.get(index).copied().unwrap_or(ANY)
    }

    fn settle(&mut self, nodes: &[usize], graph: &Graph, schema: &Schema) {
        let rounds = if nodes.len() == 1 && !graph.is_circular(nodes[0]) {
            1
        } else {
            MOST_ROUNDS
        };
        for _ in 0..rounds {
            let mut changed = false;
            for node in nodes {
                let extent = self.of_node(*node, graph, schema);
                changed |= extent != self.nodes[*node];
                self.nodes[*node] = extent;
            }
            if !changed {
                return;
            }
        }
        if rounds > 1 {
            nodes.iter().for_each(|node| self.nodes[*node] = ANY);
        }
    }

    fn of_node(&self, node: usize, graph: &Graph, schema: &Schema) -> Extent {
        if let Some(id) = graph.type_of(node) {
            return self.of_described(&schema.types[id.index()], schema);
        }
        if let Some(id) = graph.layout_of(node) {
            // At least one type code must have values of finite size. Otherwise, no value of the
            // layout has a finite size.
            let codes = schema.layouts[id.index()].codes.iter();
            let mut ends = codes.map(|code| match &code.layout {
                CodeLayout::Plain(source) => self.of_source(source, schema).least.is_some(),
                _ => true,
            });
            return if ends.any(|ends| ends) { ANY } else { ENDLESS };
        }
        ANY
    }

    fn of_described(&self, described: &Type, schema: &Schema) -> Extent {
        let fields = match &described.body {
            TypeBody::Alias(field) => return self.of_item(field, schema),
            TypeBody::Structure(fields) => fields,
        };
        let mut total = Total::default();
        let mut null = None;
        for field in fields {
            total.add(field, self, schema);
            if let Some((name, _)) = &described.none
                && field.id.as_deref() == Some(name)
            {
                null = Some(total.extent());
            }
        }
        let whole = total.extent();
        match null {
            Some(null) => Extent {
                least: null.least,
                ..whole
            },
            None => whole,
        }
    }

    /// Returns the size of an item of a `seq`.
    pub(super) fn of_item(&self, field: &Field, schema: &Schema) -> Extent {
        match &field.role {
            FieldRole::Wire(source) => self.of_source(source, schema),
            FieldRole::Check(_) => NOTHING,
            FieldRole::Align(align) => Extent {
                least: Some(0),
                greatest: Some(align.to - 1),
                to_end: false,
            },
        }
    }

    /// Returns the size of a field, taking its condition and repetition into account.
    pub(super) fn of_source(&self, source: &FieldSource, schema: &Schema) -> Extent {
        let holds = source.condition.as_ref().map(|c| self.truth(c, schema));
        if holds == Some(Some(false)) {
            return NOTHING;
        }
        let element = self.of_element(source, schema);
        let mut extent = match &source.repeat {
            Some(repeat) => self.repeated(repeat, element, schema),
            None => element,
        };
        if holds == Some(None) || source.optional_rest {
            extent.least = Some(0);
        }
        extent
    }

    /// Returns the size of one element of a field, without its repetition.
    pub(super) fn of_element(&self, source: &FieldSource, schema: &Schema) -> Extent {
        if let Some(contents) = &source.contents {
            return exactly(contents.len() as u64);
        }
        match &source.size {
            Size::Bytes(size) => {
                let size = fold::integer(size, schema, self.dialect.as_ref());
                return match size.and_then(|size| u64::try_from(size).ok()) {
                    Some(size) => exactly(size),
                    None => ANY,
                };
            }
            Size::ToEnd => {
                return Extent {
                    to_end: true,
                    ..ANY
                };
            }
            Size::Natural => {}
        }
        if source.layout.is_some() {
            let layout = match &source.layout {
                Some(crate::schema::LayoutUse::Value { layout, .. }) => *layout,
                _ => return ANY,
            };
            let node = self.types + layout.index();
            return self.nodes.get(node).copied().unwrap_or(ANY);
        }
        let wire = source.carry.as_ref().and_then(|carry| carry.wire.as_ref());
        if let Some(wire) = wire {
            return of_scalar(wire);
        }
        match &source.target {
            TypeRef::Text | TypeRef::Bytes => {
                let required = source.terminator.as_ref().is_some_and(|t| t.required);
                Extent {
                    least: Some(u64::from(required)),
                    ..ANY
                }
            }
            target => self.of_target(target, schema),
        }
    }

    fn of_target(&self, target: &TypeRef, schema: &Schema) -> Extent {
        match target {
            TypeRef::Scalar(scalar) => of_scalar(scalar),
            TypeRef::Named { id, .. } => self.of_type(id.index()),
            TypeRef::Switch {
                on, cases, rule, ..
            } => self.of_switch(on, cases, rule.is_some(), schema),
            TypeRef::Text | TypeRef::Bytes | TypeRef::OfRow { .. } => ANY,
        }
    }

    fn of_switch(
        &self,
        on: &Expr,
        cases: &[SwitchCase],
        has_rule: bool,
        schema: &Schema,
    ) -> Extent {
        let label = |case: &SwitchCase| {
            let label = case.label.as_ref()?;
            fold::constant(label, schema, self.dialect.as_ref())
        };
        let rest = cases.iter().find(|case| case.label.is_none());
        if let Some(value) = fold::constant(on, schema, self.dialect.as_ref()) {
            let taken = cases
                .iter()
                .find(|case| label(case).as_ref() == Some(&value));
            return match taken.or(rest) {
                Some(case) => self.of_target(&case.target, schema),
                None => NOTHING,
            };
        }
        let truths = cases
            .iter()
            .filter(|c| matches!(label(c), Some(Constant::Bool(_))));
        let complete = rest.is_some() || has_rule || truths.count() >= 2;
        let arms = cases
            .iter()
            .map(|case| self.of_target(&case.target, schema));
        let whole = arms.reduce(|a, b| Extent {
            least: match (a.least, b.least) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            greatest: a.greatest.zip(b.greatest).map(|(a, b)| a.max(b)),
            to_end: a.to_end && b.to_end,
        });
        match whole {
            Some(extent) if complete => extent,
            Some(extent) => Extent {
                least: Some(0),
                ..extent
            },
            None => NOTHING,
        }
    }

    fn repeated(&self, repeat: &Repeat, element: Extent, schema: &Schema) -> Extent {
        let least = repeat.at_least.as_ref().map_or(0, |least| least.count);
        let greatest = element.greatest.filter(|greatest| *greatest == 0);
        match &repeat.elements {
            Elements::ToEnd => Extent {
                least: times(element.least, least),
                greatest,
                to_end: true,
            },
            Elements::Until(_) => Extent {
                least: times(element.least, least.max(1)),
                greatest,
                to_end: false,
            },
            Elements::Count(count) => {
                let count = fold::integer(count, schema, self.dialect.as_ref());
                match count.and_then(|count| u64::try_from(count).ok()) {
                    Some(count) => Extent {
                        least: times(element.least, count),
                        greatest: element.greatest.map(|bytes| bytes.saturating_mul(count)),
                        to_end: false,
                    },
                    None => Extent {
                        least: times(element.least, least),
                        greatest,
                        to_end: false,
                    },
                }
            }
        }
    }

    fn truth(&self, condition: &Expr, schema: &Schema) -> Option<bool> {
        fold::truth(condition, schema, self.dialect.as_ref())
    }
}

/// The total size of consecutive fields. The size is counted in bits, because bit fields can share
/// a byte.
struct Total {
    least: Option<u64>,
    greatest: Option<u64>,
    to_end: bool,
}

impl Default for Total {
    fn default() -> Self {
        Self {
            least: Some(0),
            greatest: Some(0),
            to_end: false,
        }
    }
}

impl Total {
    fn add(&mut self, field: &Field, extents: &Extents, schema: &Schema) {
        if let Some(bits) = bits_of(field, schema) {
            self.least = self.least.map(|least| least.saturating_add(bits));
            self.greatest = self.greatest.map(|most| most.saturating_add(bits));
            return;
        }
        let extent = extents.of_item(field, schema);
        let whole = |bits: u64| bits.div_ceil(8).saturating_mul(8);
        let sum = |bits: Option<u64>, bytes: Option<u64>| {
            let (bits, bytes) = (bits?, bytes?);
            Some(whole(bits).saturating_add(bytes.saturating_mul(8)))
        };
        self.least = sum(self.least, extent.least);
        self.greatest = sum(self.greatest, extent.greatest);
        self.to_end |= extent.to_end;
    }

    fn extent(&self) -> Extent {
        Extent {
            least: self.least.map(|bits| bits.div_ceil(8)),
            greatest: self.greatest.map(|bits| bits.div_ceil(8)),
            to_end: self.to_end,
        }
    }
}

/// Returns the width of a bit field that is always present, or `None` for any other field.
fn bits_of(field: &Field, schema: &Schema) -> Option<u64> {
    let FieldRole::Wire(source) = &field.role else {
        return None;
    };
    if source.condition.is_some() || source.repeat.is_some() {
        return None;
    }
    let scalar = super::field::scalar_of(&source.target, schema)?;
    match scalar.kind {
        ScalarKind::Bits(bits, _) => Some(u64::from(bits)),
        _ => None,
    }
}

fn of_scalar(scalar: &Scalar) -> Extent {
    match scalar.kind {
        ScalarKind::Unsigned(bytes) | ScalarKind::Signed(bytes) | ScalarKind::Float(bytes) => {
            exactly(u64::from(bytes))
        }
        ScalarKind::Bits(bits, _) => exactly(u64::from(bits.div_ceil(8))),
        ScalarKind::Guid(_) => exactly(16),
        ScalarKind::Variable(_, bits) => Extent {
            least: Some(1),
            greatest: Some(u64::from(bits.div_ceil(7))),
            to_end: false,
        },
    }
}

fn exactly(bytes: u64) -> Extent {
    Extent {
        least: Some(bytes),
        greatest: Some(bytes),
        to_end: false,
    }
}

/// Returns the total size of `count` elements. Zero elements have size 0, even if a single element
/// would be infinite.
fn times(element: Option<u64>, count: u64) -> Option<u64> {
    match count {
        0 => Some(0),
        _ => element.map(|bytes| bytes.saturating_mul(count)),
    }
}
