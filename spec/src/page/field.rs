//! Renders the rows of the table for a structure. A row describes the encoding of a field, the
//! condition under which the field is present, and its constraints.

use std::collections::BTreeSet;

use super::constraint::{constraint, faults, rule, shown, with_rule};
use super::list::elements;
use super::markdown::{anchor, hex};
use super::wire::{Scope, carried, number, size, type_name};
use crate::expression::Expr;
use crate::schema::{
    CarryMode, Elements, Field, FieldRole, FieldSource, Instance, LayoutId, LayoutUse, Meaning,
    Plain, Position, Refs, Schema, TypeId, TypeRef,
};

/// The divisor that defines usual values: a value is usual if its weight is at least the greatest
/// weight divided by this number.
const USUAL_SHARE: u32 = 4;

/// The columns of the table for a structure.
pub(super) const COLUMNS: [&str; 7] = [
    "field",
    "wire type",
    "size",
    "repeated",
    "present",
    "value and rules",
    "description",
];

/// Renders the row for a field.
pub(super) fn row(scope: Scope<'_>, field: &Field) -> Vec<String> {
    let name = field.id.as_ref().map(|id| format!("`{id}`"));
    let doc = field.doc.clone().unwrap_or_default();
    let mut cells = vec![name.unwrap_or_default()];
    cells.extend(match &field.role {
        FieldRole::Wire(source) => wire(scope, source),
        FieldRole::Check(check) => {
            let reference = check.rule.as_ref();
            let named = reference.map(|it| format!(" ({})", rule(scope.schema, it)));
            let test = format!("`{}` holds{}", check.test, named.unwrap_or_default());
            let present = only_if(check.condition.as_ref());
            [
                "no bytes: a check".into(),
                String::new(),
                String::new(),
                present,
                test,
            ]
        }
        FieldRole::Align(align) => {
            let from = if align.from_file {
                "file"
            } else {
                "enclosing sized part"
            };
            let mut held: Vec<_> = align
                .fill
                .map(|fill| format!("each byte is {fill:#04x}"))
                .into_iter()
                .collect();
            let reference = align.rule.as_ref();
            held.extend(reference.map(|it| rule(scope.schema, it)));
            held.extend(faults(scope.schema, &align.faults));
            let shown = shown(scope.schema, &align.obeys);
            if !shown.is_empty() {
                held.push(format!("exercises {}", shown.join(", ")));
            }
            let size = format!(
                "up to the next multiple of {} bytes, counted from the start of the {from}",
                align.to
            );
            let present = only_if(align.condition.as_ref());
            [
                "padding".into(),
                size,
                String::new(),
                present,
                held.join("; "),
            ]
        }
    });
    cells.push(doc);
    cells
}

/// Renders the type, size, repetition, presence and constraints of a field that is read from the
/// trace.
pub(super) fn wire(scope: Scope<'_>, source: &FieldSource) -> [String; 5] {
    [
        target(scope, source),
        size(scope, source),
        repeated(scope.schema, source),
        present(source),
        holds(scope, source),
    ]
}

fn only_if(condition: Option<&Expr>) -> String {
    condition.map_or_else(String::new, |it| format!("if `{it}`"))
}

fn present(source: &FieldSource) -> String {
    let rest = source
        .optional_rest
        .then(|| "the enclosing part may end before this field".to_owned());
    let parts = [Some(only_if(source.condition.as_ref())), rest];
    let parts = parts.into_iter().flatten().filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join("; ")
}

/// Renders the row for an instance, which is a value outside the sequence of fields.
pub(super) fn instance(scope: Scope<'_>, instance: &Instance) -> Vec<String> {
    let mut cells = vec![format!("`{}`", instance.id)];
    cells.extend(match &instance.position {
        Position::Computed {
            value,
            condition,
            obeys,
            ..
        } => {
            let shown = shown(scope.schema, obeys);
            let exercised = match shown.is_empty() {
                true => String::new(),
                false => format!("; exercises {}", shown.join(", ")),
            };
            [
                "nothing: computed".to_owned(),
                String::new(),
                String::new(),
                only_if(condition.as_ref()),
                format!("is `{value}`{exercised}"),
            ]
        }
        Position::At { offset, source, .. } => {
            let mut cells = wire(scope, source);
            if let Some(at) = offset {
                cells[0] = format!("{}, at offset `{at}`", cells[0]);
            }
            cells
        }
    });
    cells.push(instance.doc.clone().unwrap_or_default());
    cells
}

/// Describes how a field is encoded.
fn target(scope: Scope<'_>, source: &FieldSource) -> String {
    let schema = scope.schema;
    if let Some(contents) = &source.contents {
        return format!("`{}`", hex(contents));
    }
    if let Some(used) = &source.layout {
        let layout = |id: LayoutId| {
            let layout = schema.layouts.get(id.index());
            layout.map_or_else(String::new, |it| {
                format!("[{0}](#layout-{1})", it.name, anchor(&it.name))
            })
        };
        return match used {
            LayoutUse::Fields { layout: id, from } => {
                format!(
                    "one value for each element of `{from}`; the element's type code selects the \
                     type of the value from {}",
                    layout(*id)
                )
            }
            LayoutUse::Value { layout: id, code } => {
                format!(
                    "a value; the type code `{code}` selects its type from {}",
                    layout(*id)
                )
            }
        };
    }
    let mut text = match carried(source) {
        Some(scalar) => number(scope, scalar),
        None => type_name(scope, &source.target),
    };
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
    let encoding = match source.target {
        TypeRef::Text => source.encoding.or(scope.encoding()),
        _ => source.encoding,
    };
    match encoding {
        Some(encoding) => format!("{text}, {encoding}"),
        None => text,
    }
}

/// Returns the name of a type as a link to its table.
pub(super) fn link(schema: &Schema, id: TypeId) -> String {
    schema
        .types
        .get(id.index())
        .map_or_else(String::new, |named| {
            format!("[{0}](#{1})", named.name, anchor(&named.name))
        })
}

/// Describes how often a field is repeated.
fn repeated(schema: &Schema, source: &FieldSource) -> String {
    let Some(repeat) = &source.repeat else {
        return String::new();
    };
    let times = match &repeat.elements {
        Elements::ToEnd => "to the end of the enclosing part".to_owned(),
        Elements::Count(count) => format!("`{count}` times"),
        Elements::Until(last) => format!("until `{last}` holds for the element (`_`) just read"),
    };
    match &repeat.at_least {
        Some(least) => {
            let times = format!("{times}, at least {}", least.count);
            with_rule(schema, times, least.rule.as_ref())
        }
        None => times,
    }
}

/// Describes the meaning of an encoded number or string. Returns `None` for meanings that the page
/// does not mention.
pub(super) fn meaning(schema: &Schema, meaning: &Meaning) -> Option<String> {
    Some(match meaning {
        Meaning::Bool => "a boolean; in records, `true` unless it is 0".to_owned(),
        Meaning::Time {
            unit_nanoseconds,
            epoch,
        } => format!(
            "a time: the number of {unit_nanoseconds}-nanosecond intervals since \
             {epoch}T00:00:00Z"
        ),
        Meaning::DateTime => {
            "a time: year, month, day of week, day, hour, minute, second, millisecond".to_owned()
        }
        Meaning::Map => "a map".to_owned(),
        Meaning::Pair { key, value } => format!("a pair; in records, `[{key}, {value}]`"),
        Meaning::Json {
            schema: described,
            rule,
        } => {
            let described = described.and_then(|id| schema.json.get(id.index()));
            let text = match described {
                Some(described) => format!(
                    "JSON [{0}](#json-{1})",
                    described.name,
                    anchor(&described.name)
                ),
                None => "JSON".to_owned(),
            };
            with_rule(schema, text, rule.as_ref())
        }
        Meaning::Signature(id) => {
            let layout = schema.layouts.get(id.index())?;
            format!(
                "describes fields of [{0}](#layout-{1})",
                layout.name,
                anchor(&layout.name)
            )
        }
        Meaning::CodeUnit => return None,
    })
}

/// Describes how the value of a field with `carry` is computed from the encoded number and an
/// earlier value.
fn carry(scope: Scope<'_>, source: &FieldSource) -> Option<String> {
    let carry = source.carry.as_ref()?;
    let register = carry
        .from
        .and_then(|id| scope.schema.registers.get(id.index()));
    let before = register.map_or_else(
        || "this field in the previous element (0 or empty in the first element)".to_owned(),
        |register| format!("register `{}`", register.name),
    );
    let mut text = match (carry.mode, source.condition.is_some()) {
        // The register keeps the value of a field that is absent.
        (CarryMode::Replace, true) if register.is_some() => String::new(),
        (CarryMode::Replace, true) => format!("if absent, the value of {before}"),
        (CarryMode::Replace, false) => String::new(),
        (CarryMode::Add, _) => format!(
            "the value is the sum of the stored number and the value of \
            {before}"
        ),
    };
    if let Some(then) = &carry.then {
        text = format!("{text}, plus `{then}`");
    }
    if let Some(bits) = carry.wraps {
        text = format!("{text}, modulo 2^{bits}");
    }
    if let Some(overflow) = &carry.overflow {
        text = format!("{text}, in range ({})", rule(scope.schema, overflow));
    }
    if let Some(register) = register {
        let between = if text.is_empty() { "" } else { "; " };
        text = format!(
            "{text}{between}register `{}` then holds the value",
            register.name
        );
    }
    (!text.is_empty()).then_some(text)
}

/// Lists the constraints of a field, the table that it refers to, and the rules that it exercises.
fn holds(scope: Scope<'_>, source: &FieldSource) -> String {
    let schema = scope.schema;
    let mut parts: Vec<String> = Vec::new();
    parts.extend(
        source
            .contents_rule
            .as_ref()
            .map(|reference| rule(schema, reference)),
    );
    parts.extend(source.value.as_ref().map(|value| constraint(schema, value)));
    parts.extend(
        source
            .constraints
            .iter()
            .map(|held| constraint(schema, held)),
    );
    parts.extend(source.meaning.as_ref().and_then(|it| meaning(schema, it)));
    if let Some(list_as) = &source.list_as {
        let text = format!(
            "in records, a list of these values is a string ({})",
            list_as.text
        );
        parts.push(with_rule(schema, text, list_as.rule.as_ref()));
    }
    parts.extend(carry(scope, source));
    if let Some(refs) = &source.refs
        && let Some(table) = schema.tables.get(refs.table.index())
    {
        parts.push(referenced(schema, &table.name, refs));
    }
    parts.extend(elements(schema, source));
    parts.extend(
        source
            .ignore
            .as_ref()
            .map(|reference| format!("any value: readers skip it ({})", rule(schema, reference))),
    );
    parts.extend(faults(schema, &source.faults));
    let shown = shown(schema, &source.obeys);
    if !shown.is_empty() {
        parts.push(format!("exercises {}", shown.join(", ")));
    }
    parts.extend(usual(source));
    parts.join("; ")
}

/// Describes a reference to a row of a table.
fn referenced(schema: &Schema, table: &str, refs: &Refs) -> String {
    let mut text = format!("key of a row of `{table}`");
    if let Some(condition) = &refs.condition {
        text = format!("{text}, if `{condition}`");
    }
    text = with_rule(schema, text, refs.dangling.as_ref());
    if let Some(none) = &refs.none {
        text = format!("{text}; `{none}` refers to no row");
    }
    match &refs.later {
        Some(later) => format!(
            "{text}; a row that is defined later exercises {}",
            rule(schema, later)
        ),
        None => text,
    }
}

/// Describes the values that typical writers use, as declared in the description or derived from
/// its hints for random generation. The members of an enumeration are listed with the enumeration.
fn usual(source: &FieldSource) -> Option<String> {
    let hints = &source.generation;
    let range = |(low, high): (&Expr, &Expr)| Some(format!("plain: `{low}` to `{high}`"));
    match &hints.plain {
        Some(Plain::Range(low, high)) => return range((low, high)),
        Some(Plain::Values(values)) => return one_of("plain:", values.iter()),
        None if source.enumeration.is_some() => return None,
        None => {}
    }
    let most = hints.weights.iter().map(|(_, weight)| *weight).max();
    let least = most.unwrap_or_default().div_ceil(USUAL_SHARE);
    let weighted = hints.weights.iter();
    let weighted = weighted.filter_map(|(value, weight)| (*weight >= least).then_some(value));
    one_of("plain:", weighted)
        .or_else(|| {
            hints
                .range
                .as_ref()
                .and_then(|(low, high)| range((low, high)))
        })
        .or_else(|| one_of("for example", hints.samples.iter()))
}

fn one_of<'e>(prefix: &str, values: impl Iterator<Item = &'e Expr>) -> Option<String> {
    let mut values: Vec<String> = values.map(|value| format!("`{value}`")).collect();
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.clone()));
    (!values.is_empty()).then(|| format!("{prefix} {}", values.join(", ")))
}
