//! Fields: what is read, how often, how much, what must hold.

use super::constraint::{constraint, faults, rule, shown};
use super::markdown::{anchor, hex};
use crate::schema::{
    CarryMode, Elements, Encoding, Endian, Field, FieldRole, FieldSource, Instance, LayoutUse,
    Position, Scalar, ScalarKind, Schema, Size, TypeId, TypeRef, VariableKind,
};

/// A row of a structure's table: name, type, how much, what must hold, what it is for.
pub(super) fn row(schema: &Schema, field: &Field) -> Vec<String> {
    let name = field
        .id
        .as_ref()
        .map(|id| format!("`{id}`"))
        .unwrap_or_default();
    let doc = field.doc.clone().unwrap_or_default();
    match &field.role {
        FieldRole::Wire(source) => {
            vec![
                name,
                target(schema, source),
                extent(source),
                holds(schema, source),
                doc,
            ]
        }
        FieldRole::Check(check) => {
            let mut test = format!("`{}`", check.test);
            if let Some(condition) = &check.condition {
                test = format!("{test} where `{condition}`");
            }
            if let Some(reference) = &check.rule {
                test = format!("{test} ({})", rule(schema, reference));
            }
            vec![name, "check".to_owned(), String::new(), test, doc]
        }
        FieldRole::Align(align) => {
            let from = if align.from_file {
                "file"
            } else {
                "sized part"
            };
            let mut parts: Vec<_> = align
                .fill
                .map(|fill| format!("each byte {fill}"))
                .into_iter()
                .collect();
            parts.extend(align.rule.as_ref().map(|reference| rule(schema, reference)));
            let extent = format!("to a multiple of {} from the start of the {from}", align.to);
            vec![name, "padding".to_owned(), extent, parts.join("; "), doc]
        }
    }
}

/// A row for a value outside the sequence.
pub(super) fn instance(schema: &Schema, instance: &Instance) -> Vec<String> {
    let name = format!("`{}`", instance.id);
    let doc = instance.doc.clone().unwrap_or_default();
    match &instance.position {
        Position::Computed {
            value, condition, ..
        } => {
            let place = condition
                .as_ref()
                .map(|c| format!("where `{c}`"))
                .unwrap_or_default();
            vec![
                name,
                format!("computed: `{value}`"),
                place,
                String::new(),
                doc,
            ]
        }
        Position::At { offset, source, .. } => {
            let place = offset
                .as_ref()
                .map_or_else(|| "in place".to_owned(), |at| format!("at `{at}`"));
            let parts = [place, extent(source)];
            let place = parts
                .iter()
                .filter(|part| !part.is_empty())
                .cloned()
                .collect::<Vec<_>>();
            vec![
                name,
                target(schema, source),
                place.join(", "),
                holds(schema, source),
                doc,
            ]
        }
    }
}

/// What a field is read as.
fn target(schema: &Schema, source: &FieldSource) -> String {
    if let Some(contents) = &source.contents {
        return format!("`{}`", hex(contents));
    }
    if let Some(used) = &source.layout {
        let (layout, by) = match used {
            LayoutUse::Fields { layout, from } => (layout, from),
            LayoutUse::Value { layout, code } => (layout, code),
        };
        let layout = schema
            .layouts
            .get(layout.index())
            .map_or("", |layout| &layout.name);
        return format!("as layout `{layout}` says, by `{by}`");
    }
    let mut text = type_name(schema, &source.target);
    if let Some(id) = source.enumeration
        && let Some(enumeration) = schema.enums.get(id.index())
    {
        text = format!("{text}, `{}`", enumeration.name);
    }
    if let Some(id) = source.flags
        && let Some(flags) = schema.flags.get(id.index())
    {
        text = format!("{text}, bits `{}`", flags.name);
    }
    if let Some(encoding) = source.encoding {
        text = format!("{text}, {}", encoding_name(encoding));
    }
    text
}

/// A type in words, with a link where the page has its table.
pub(super) fn type_name(schema: &Schema, target: &TypeRef) -> String {
    match target {
        TypeRef::Scalar(scalar) => scalar_name(scalar),
        TypeRef::Text => "text".to_owned(),
        TypeRef::Bytes => "bytes".to_owned(),
        TypeRef::Named { id, arguments, .. } => {
            let given: Vec<_> = arguments
                .iter()
                .map(|argument| format!("`{argument}`"))
                .collect();
            match given.is_empty() {
                true => link(schema, *id),
                false => format!("{} ({})", link(schema, *id), given.join(", ")),
            }
        }
        TypeRef::Switch { on, cases, .. } => {
            let arms = cases.iter().map(|case| {
                let label = case
                    .label
                    .as_ref()
                    .map_or_else(|| "else".to_owned(), |l| format!("`{l}`"));
                format!("{label}: {}", type_name(schema, &case.target))
            });
            format!("by `{on}`: {}", arms.collect::<Vec<_>>().join("; "))
        }
        TypeRef::OfRow { row, otherwise } => {
            let rest = otherwise.as_ref().map(|other| type_name(schema, other));
            let rest = rest
                .map(|rest| format!(", else {rest}"))
                .unwrap_or_default();
            format!("as the kind of `{row}`{rest}")
        }
    }
}

/// The name of a type as a link to its table.
pub(super) fn link(schema: &Schema, id: TypeId) -> String {
    schema
        .types
        .get(id.index())
        .map_or_else(String::new, |named| {
            format!("[{0}](#{1})", named.name, anchor(&named.name))
        })
}

/// A number on the wire.
pub(super) fn scalar_name(scalar: &Scalar) -> String {
    let name = match scalar.kind {
        ScalarKind::Unsigned(bytes) => format!("u{bytes}"),
        ScalarKind::Signed(bytes) => format!("s{bytes}"),
        ScalarKind::Float(bytes) => format!("f{bytes}"),
        ScalarKind::Bits(1, _) => "1 bit".to_owned(),
        ScalarKind::Bits(bits, _) => format!("{bits} bits"),
        ScalarKind::Variable(kind, bits) => {
            let kind = match kind {
                VariableKind::Unsigned => "unsigned",
                VariableKind::Signed => "signed",
                VariableKind::ZigZag => "zigzag",
            };
            format!("{kind} LEB128 of {bits} bits")
        }
        ScalarKind::Guid(_) => "GUID".to_owned(),
    };
    match scalar.endian {
        Some(Endian::Little) => format!("{name}, little-endian"),
        Some(Endian::Big) => format!("{name}, big-endian"),
        None => name,
    }
}

fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Ascii => "ASCII",
        Encoding::Utf8 => "UTF-8",
        Encoding::Cesu8 => "CESU-8",
        Encoding::Utf16Le => "UTF-16LE",
        Encoding::Utf16Be => "UTF-16BE",
        Encoding::Latin1 => "ISO 8859-1",
    }
}

/// How often, how many bytes, and when it is there.
fn extent(source: &FieldSource) -> String {
    let mut parts = Vec::new();
    if let Some(repeat) = &source.repeat {
        parts.push(match &repeat.elements {
            Elements::ToEnd => "elements to the end".to_owned(),
            Elements::Count(count) => format!("`{count}` elements"),
            Elements::Until(last) => format!("elements until `{last}`"),
        });
        parts.extend(
            repeat
                .at_least
                .as_ref()
                .map(|least| format!("{} at least", least.count)),
        );
    }
    match &source.size {
        Size::Natural => {}
        Size::Bytes(bytes) => parts.push(format!("`{bytes}` bytes")),
        Size::ToEnd => parts.push("all bytes that are left".to_owned()),
    }
    parts.extend(
        source
            .terminator
            .as_ref()
            .map(|end| format!("up to {:#04x}", end.byte)),
    );
    parts.extend(
        source
            .condition
            .as_ref()
            .map(|condition| format!("where `{condition}`")),
    );
    if source.optional_rest {
        parts.push("the part may end here".to_owned());
    }
    parts.join(", ")
}

/// What must hold, what it refers to, and which rules it shows.
fn holds(schema: &Schema, source: &FieldSource) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(
        source
            .contents_rule
            .as_ref()
            .map(|reference| rule(schema, reference)),
    );
    parts.extend(
        source
            .value
            .as_ref()
            .map(|value| format!("a writer computes it: {}", constraint(schema, value))),
    );
    parts.extend(
        source
            .constraints
            .iter()
            .map(|held| constraint(schema, held)),
    );
    if let Some(carry) = &source.carry {
        parts.push(match carry.mode {
            CarryMode::Replace => "kept from the element before where absent".to_owned(),
            CarryMode::Add => "added to that of the element before".to_owned(),
        });
    }
    if let Some(refs) = &source.refs
        && let Some(table) = schema.tables.get(refs.table.index())
    {
        let dangling = refs
            .dangling
            .as_ref()
            .map(|reference| format!(" ({})", rule(schema, reference)));
        parts.push(format!(
            "names a row of `{}`{}",
            table.name,
            dangling.unwrap_or_default()
        ));
    }
    parts.extend(
        source
            .ignore
            .as_ref()
            .map(|reference| format!("passed over ({})", rule(schema, reference))),
    );
    parts.extend(faults(schema, &source.faults));
    let shown = shown(schema, &source.obeys);
    if !shown.is_empty() {
        parts.push(format!("shows {}", shown.join(", ")));
    }
    parts.join("; ")
}
