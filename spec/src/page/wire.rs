//! Describes how a field is encoded: its type, byte order and size.

use super::field::link;
use crate::schema::{
    BitOrder, Encoding, Endian, EndianChoice, FieldRole, FieldSource, Scalar, ScalarKind, Schema,
    Size, Type, TypeBody, TypeId, TypeRef, VariableKind,
};

/// The maximum depth for computing a fixed size, because types can be recursive.
const DEEPEST: usize = 16;

/// The schema and the structure whose defaults apply to a field. `described` is `None` outside any
/// structure.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    pub(super) schema: &'s Schema,
    pub(super) described: Option<&'s Type>,
}

/// The default byte order of numbers.
enum Order<'s> {
    Fixed(Endian),
    /// Determined by an expression.
    Chosen(&'s EndianChoice),
    /// The byte order of the enclosing structure, which can differ between the uses of the type.
    Inherited,
}

impl<'s> Scope<'s> {
    /// Finds the default byte order of the structure or of the nearest enclosing type that sets a
    /// byte order.
    fn order(self) -> Order<'s> {
        let types = &self.schema.types;
        let mut at = self.described;
        while let Some(described) = at {
            if let Some(choice) = &described.endian {
                return Order::from(choice);
            }
            at = described
                .nested_in
                .and_then(|outer| types.get(outer.index()));
        }
        if types.iter().any(|other| other.endian.is_some()) {
            return Order::Inherited;
        }
        let choice = self.schema.meta.endian.as_ref();
        choice.map_or(Order::Fixed(Endian::Little), Order::from)
    }

    /// Creates a scope outside any structure.
    pub(super) fn bare(schema: &'s Schema) -> Self {
        Self {
            schema,
            described: None,
        }
    }

    fn bit_order(self) -> BitOrder {
        let own = self.described.and_then(|described| described.bit_endian);
        own.unwrap_or(self.schema.meta.bit_endian)
    }

    /// Returns the default encoding of strings, if there is one.
    pub(super) fn encoding(self) -> Option<Encoding> {
        let own = self.described.and_then(|described| described.encoding);
        own.or(self.schema.meta.encoding)
    }
}

impl<'s> From<&'s EndianChoice> for Order<'s> {
    fn from(choice: &'s EndianChoice) -> Self {
        match choice {
            EndianChoice::Fixed(endian) => Self::Fixed(*endian),
            EndianChoice::Switch { .. } => Self::Chosen(choice),
        }
    }
}

/// Returns the type of a number without its encoding, for example `u32`.
pub(super) fn kind(scalar: &Scalar) -> String {
    match scalar.kind {
        ScalarKind::Unsigned(bytes) => format!("u{}", u16::from(bytes) * 8),
        ScalarKind::Signed(bytes) => format!("i{}", u16::from(bytes) * 8),
        ScalarKind::Float(bytes) => format!("f{}", u16::from(bytes) * 8),
        ScalarKind::Bits(bits, _) | ScalarKind::Variable(VariableKind::Unsigned, bits) => {
            format!("u{bits}")
        }
        ScalarKind::Variable(VariableKind::Signed | VariableKind::ZigZag, bits) => {
            format!("i{bits}")
        }
        ScalarKind::Guid(_) => "GUID".to_owned(),
    }
}

/// Returns the type of a number with its encoding, for example `u32 LE`.
pub(super) fn number(scope: Scope<'_>, scalar: &Scalar) -> String {
    let name = kind(scalar);
    let bytes = match scalar.kind {
        ScalarKind::Bits(bits, order) => return bit_field(scope, bits, order),
        ScalarKind::Variable(VariableKind::Unsigned, _) => return format!("LEB128 of a {name}"),
        ScalarKind::Variable(VariableKind::Signed, _) => {
            return format!("signed LEB128 of an {name}");
        }
        ScalarKind::Variable(VariableKind::ZigZag, _) => {
            return format!("LEB128 of a zigzag-encoded {name}");
        }
        ScalarKind::Guid(Endian::Little) => return format!("{name}, first three parts LE"),
        ScalarKind::Guid(Endian::Big) => return format!("{name}, all parts BE"),
        ScalarKind::Unsigned(bytes) | ScalarKind::Signed(bytes) | ScalarKind::Float(bytes) => bytes,
    };
    let order = match scalar.endian {
        _ if bytes == 1 => return name,
        Some(endian) => endian_name(endian).to_owned(),
        None => default_order(scope),
    };
    match scalar.words {
        Some((size, least_first)) => {
            let first = if least_first { "least" } else { "most" };
            format!(
                "{name} {order}, in words of {size} bytes with the {first} significant word first"
            )
        }
        None => format!("{name} {order}"),
    }
}

fn endian_name(endian: Endian) -> &'static str {
    match endian {
        Endian::Little => "LE",
        Endian::Big => "BE",
    }
}

fn default_order(scope: Scope<'_>) -> String {
    match scope.order() {
        Order::Fixed(endian) => endian_name(endian).to_owned(),
        Order::Inherited => "in the byte order of the enclosing structure".to_owned(),
        Order::Chosen(EndianChoice::Fixed(endian)) => endian_name(*endian).to_owned(),
        Order::Chosen(EndianChoice::Switch { on, cases }) => {
            let arms = cases.iter().map(|(label, endian)| match label {
                Some(label) => format!("{} where `{on}` is `{label}`", endian_name(*endian)),
                None => format!("otherwise {}", endian_name(*endian)),
            });
            arms.collect::<Vec<_>>().join(", ")
        }
    }
}

fn bit_field(scope: Scope<'_>, bits: u8, order: Option<BitOrder>) -> String {
    // A bit field that consists of several whole bytes is an ordinary number of unusual width.
    let order = order.unwrap_or_else(|| scope.bit_order());
    if bits > 8 && bits.is_multiple_of(8) {
        let order = match order {
            BitOrder::Little => "LE",
            BitOrder::Big => "BE",
        };
        return format!("u{bits} {order}");
    }
    let from = match order {
        BitOrder::Little => "least",
        BitOrder::Big => "most",
    };
    let plural = if bits == 1 { "" } else { "s" };
    format!("{bits} bit{plural}, from the {from} significant bit")
}

/// Returns the encoded type of a field with `carry` if this type differs from the type of the
/// field's value.
pub(super) fn carried(source: &FieldSource) -> Option<&Scalar> {
    source.carry.as_ref()?.wire.as_ref()
}

/// Describes the size of one element in bytes. The result is empty if the size follows from the
/// structure of the element.
pub(super) fn size(scope: Scope<'_>, source: &FieldSource) -> String {
    match &source.size {
        Size::Bytes(bytes) => return plural(&format!("`{bytes}` byte"), bytes.to_string() == "1"),
        Size::ToEnd => return "all remaining bytes".to_owned(),
        Size::Natural => {}
    }
    if let Some(end) = &source.terminator {
        let read = if end.consume {
            ""
        } else {
            ", which is not consumed"
        };
        let need = if end.required { "" } else { " or the end" };
        return format!("up to {:#04x}{need}{read}", end.byte);
    }
    if let TypeRef::Scalar(Scalar {
        kind: ScalarKind::Variable(_, bits),
        ..
    }) = &source.target
        && carried(source).is_none()
    {
        return format!("1 to {} bytes", bits.div_ceil(7));
    }
    let Some(bits) = element_bits(scope.schema, source, 0) else {
        return String::new();
    };
    match bits % 8 {
        0 => plural(&format!("{} byte", bits / 8), bits == 8),
        _ => plural(&format!("{bits} bit"), bits == 1),
    }
}

fn plural(what: &str, is_one: bool) -> String {
    if is_one {
        what.to_owned()
    } else {
        format!("{what}s")
    }
}

/// Returns the size of one element in bits if it is fixed.
fn element_bits(schema: &Schema, source: &FieldSource, depth: usize) -> Option<u64> {
    if let Some(contents) = &source.contents {
        return u64::try_from(contents.len()).ok().map(|bytes| bytes * 8);
    }
    if let Some(wire) = carried(source) {
        return scalar_bits(wire);
    }
    let is_natural = matches!(source.size, Size::Natural);
    let is_plain = is_natural && source.layout.is_none() && source.terminator.is_none();
    is_plain.then(|| target_bits(schema, &source.target, depth))?
}

fn target_bits(schema: &Schema, target: &TypeRef, depth: usize) -> Option<u64> {
    match target {
        TypeRef::Scalar(scalar) => scalar_bits(scalar),
        TypeRef::Named { id, .. } => type_bits(schema, *id, depth + 1),
        TypeRef::Switch { cases, rule: _, .. } => {
            let mut arms = cases
                .iter()
                .map(|case| target_bits(schema, &case.target, depth + 1));
            let first = arms.next()??;
            arms.all(|arm| arm == Some(first)).then_some(first)
        }
        TypeRef::Text | TypeRef::Bytes | TypeRef::OfRow { .. } => None,
    }
}

fn type_bits(schema: &Schema, id: TypeId, depth: usize) -> Option<u64> {
    let described = schema.types.get(id.index()).filter(|_| depth <= DEEPEST)?;
    let fields = match &described.body {
        TypeBody::Structure(fields) => fields.as_slice(),
        TypeBody::Alias(field) => std::slice::from_ref(field.as_ref()),
    };
    fields.iter().try_fold(0_u64, |sum, field| {
        let bits = match &field.role {
            FieldRole::Check(_) => 0,
            FieldRole::Align(_) => return None,
            FieldRole::Wire(source) => {
                let may_vary =
                    source.condition.is_some() || source.repeat.is_some() || source.optional_rest;
                let bits = (!may_vary).then(|| element_bits(schema, source, depth))?;
                bits?
            }
        };
        sum.checked_add(bits)
    })
}

fn scalar_bits(scalar: &Scalar) -> Option<u64> {
    match scalar.kind {
        ScalarKind::Unsigned(bytes) | ScalarKind::Signed(bytes) | ScalarKind::Float(bytes) => {
            Some(u64::from(bytes) * 8)
        }
        ScalarKind::Bits(bits, _) => Some(u64::from(bits)),
        ScalarKind::Guid(_) => Some(128),
        ScalarKind::Variable(..) => None,
    }
}

/// Describes a type. Types that have a table on the page become links.
pub(super) fn type_name(scope: Scope<'_>, target: &TypeRef) -> String {
    match target {
        TypeRef::Scalar(scalar) => number(scope, scalar),
        TypeRef::Text => "text".to_owned(),
        TypeRef::Bytes => "bytes".to_owned(),
        TypeRef::Named { id, arguments, .. } => {
            let given: Vec<_> = arguments
                .iter()
                .map(|argument| format!("`{argument}`"))
                .collect();
            match given.is_empty() {
                true => link(scope.schema, *id),
                false => format!("{} ({})", link(scope.schema, *id), given.join(", ")),
            }
        }
        TypeRef::Switch { on, cases, .. } => {
            let arms = cases.iter().map(|case| {
                let label = case.label.as_ref();
                let label = label.map_or_else(|| "otherwise".to_owned(), |it| format!("`{it}`"));
                let only = case.condition.as_ref();
                let only = only.map(|it| format!(" (only if `{it}`)"));
                let target = type_name(scope, &case.target);
                format!("{label}{}: {target}", only.unwrap_or_default())
            });
            format!("by `{on}`: {}", arms.collect::<Vec<_>>().join("; "))
        }
        TypeRef::OfRow { row, otherwise } => {
            let rest = otherwise.as_ref().map(|other| type_name(scope, other));
            let rest = rest.map(|rest| format!(", otherwise {rest}"));
            format!("the type of `{row}`{}", rest.unwrap_or_default())
        }
    }
}
