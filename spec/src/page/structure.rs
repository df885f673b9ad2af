//! Renders types and enumerations.

use super::constraint::{constraint, faults, rule, shown, with_rule};
use super::field::{COLUMNS, instance, meaning, row};
use super::markdown::Page;
use super::wire::Scope;
use crate::expression::Expr;
use crate::schema::{
    Again, ClearTarget, Define, Endian, EndianChoice, Keeps, RuleRef, Schema, SetTarget, Type,
    TypeBody,
};

const NOTATION: &str = "\
Fields follow one another without gaps. `u32 LE` is an unsigned integer of 32 bits with its least significant byte \
first, `i64 BE` a signed integer of 64 bits with its most significant byte first, and `f64` an IEEE 754 number. If no \
size is given for a field, the structure of the field determines its size. If no condition is given, the field is always \
present. If a length and the field that it measures refer to each other, a writer computes the length and a reader \
relies on it.

A link names the rule that is violated if a constraint does not hold or a fault occurs. The table of rules states whether a \
reader rejects such a trace. *Exercises RULE where …* marks values that exercise a rule; a reader need not treat them \
specially. *Plain* values are those that typical writers write.

Expressions are those of [Kaitai \
Struct](https://doc.kaitai.io/user_guide.html#_expression_language): `_` is the value itself, `_index` the number of the element, \
`_parent` the enclosing structure, `_root` the file with its parameters, `_sizeof` a size in bytes, `list.size` a number of \
elements, `state.x` the value of the register `x` before the field, and `table.get(key)` the row of a table with this key.";

/// Renders all types, starting with the whole file.
pub(super) fn all(page: &mut Page, schema: &Schema) {
    page.heading(2, "Structures");
    page.paragraph(NOTATION);
    let root = schema.types.get(schema.root.index());
    if let Some(root) = root {
        page.heading(3, "The whole file");
        if let Some(order) = stated_order(schema) {
            page.paragraph(&format!(
                "The file is {order}. Fields with a different byte order state that order \
                 explicitly."
            ));
        }
        if let Some(stated) = schema.meta.endian_rule {
            let stated = rule(schema, &RuleRef::Rule(stated));
            page.paragraph(&format!("{stated} states the byte order."));
        }
        body(page, schema, root);
        let anywhere = faults(schema, &schema.faults);
        if !anywhere.is_empty() {
            page.paragraph(&format!(
                "Anywhere in the file, unless a field states another rule: {}.",
                anywhere.join("; ")
            ));
        }
    }
    for (at, described) in schema.types.iter().enumerate() {
        if at == schema.root.index() {
            continue;
        }
        page.heading(3, &described.name);
        if let Some(doc) = &described.doc {
            page.paragraph(doc);
        }
        body(page, schema, described);
    }
}

/// Returns the byte order of the file in words if it is fixed and some type sets its own byte
/// order. Other fields are then described with "the byte order of the enclosing structure", so the
/// page must state the byte order of the file.
fn stated_order(schema: &Schema) -> Option<&'static str> {
    let differs = schema.types.iter().any(|other| other.endian.is_some());
    match schema.meta.endian.as_ref().filter(|_| differs)? {
        EndianChoice::Fixed(Endian::Little) => Some("little-endian"),
        EndianChoice::Fixed(Endian::Big) => Some("big-endian"),
        EndianChoice::Switch { .. } => None,
    }
}

fn body(page: &mut Page, schema: &Schema, described: &Type) {
    if !described.params.is_empty() {
        let names: Vec<_> = described
            .params
            .iter()
            .map(|param| format!("`{}`", param.name))
            .collect();
        page.paragraph(&format!("Parameters: {}.", names.join(", ")));
    }
    let scope = Scope {
        schema,
        described: Some(described),
    };
    let mut rows: Vec<_> = match &described.body {
        TypeBody::Structure(fields) => fields.iter().map(|field| row(scope, field)).collect(),
        TypeBody::Alias(field) => vec![row(scope, field)],
    };
    let instances = described.instances.iter();
    rows.extend(instances.map(|value| instance(scope, value)));
    page.table(&COLUMNS, rows);
    let points = remarks(schema, described);
    if !points.is_empty() {
        page.list(&points);
    }
}

/// Describes constraints on the type as a whole and its effects on the state of the reader.
fn remarks(schema: &Schema, described: &Type) -> Vec<String> {
    let mut points: Vec<String> = Vec::new();
    points.extend(
        described
            .meaning
            .as_ref()
            .and_then(|it| meaning(schema, it))
            .map(|it| format!("Is {it}.")),
    );
    let value = described.shows.as_ref();
    points
        .extend(value.map(|value| format!("In records and expressions, its value is `{value}`.")));
    let held = described.constraints.iter();
    points.extend(held.map(|held| format!("Must hold: {}.", constraint(schema, held))));
    let faults = faults(schema, &described.faults);
    if !faults.is_empty() {
        points.push(format!("In any field: {}.", faults.join("; ")));
    }
    let shown = shown(schema, &described.obeys);
    if !shown.is_empty() {
        points.push(format!("Exercises {}.", shown.join(", ")));
    }
    let passed = described.ignore.as_ref();
    points.extend(passed.map(|reference| {
        format!(
            "Any content is allowed, and readers skip it ({}).",
            rule(schema, reference)
        )
    }));
    points.extend(effects(schema, described));
    points
}

fn effects(schema: &Schema, described: &Type) -> Vec<String> {
    let table = |id: crate::schema::TableId| {
        schema
            .tables
            .get(id.index())
            .map_or("", |table| table.name.as_str())
    };
    let mut points = Vec::new();
    if let Some(define) = &described.defines {
        points.push(definition(schema, table(define.table), define));
    }
    if let Some(remove) = &described.removes {
        let removed = format!(
            "Removes the row `{}` of `{}`",
            remove.key,
            table(remove.table)
        );
        let mut removed = with_rule(schema, removed, remove.rule.as_ref());
        if let Some(dangling) = &remove.dangling {
            removed = format!("{removed}; no such row: {}", rule(schema, dangling));
        }
        points.push(format!("{removed}."));
    }
    for clear in &described.clears {
        let cleared = match clear.target {
            ClearTarget::All => "every table and register".to_owned(),
            ClearTarget::Table(id) => format!("`{}`", table(id)),
        };
        let only = only_if(clear.condition.as_ref());
        let cleared = with_rule(
            schema,
            format!("Clears {cleared}{only}"),
            clear.rule.as_ref(),
        );
        points.push(format!("{cleared}."));
    }
    for set in &described.sets {
        let target = match &set.target {
            SetTarget::Register(id) => {
                let register = schema.registers.get(id.index());
                register.map_or_else(String::new, |register| format!("`{}`", register.name))
            }
            SetTarget::Column {
                table: id,
                key,
                column,
            } => {
                let described = schema.tables.get(id.index());
                let column = described.and_then(|table| table.columns.get(*column));
                let column = column.map_or("", |column| column.name.as_str());
                format!("`{column}` of the row `{key}` of `{}`", table(*id))
            }
        };
        let only = only_if(set.condition.as_ref());
        points.push(format!("Sets {target} to `{}`{only}.", set.value));
    }
    points
}

fn only_if(condition: Option<&Expr>) -> String {
    condition.map_or_else(String::new, |condition| format!(", if `{condition}`"))
}

/// Describes the row that an element defines, and what happens if its key is already defined.
pub(super) fn definition(schema: &Schema, table: &str, define: &Define) -> String {
    let mut text = format!("Defines a row of `{table}`");
    if let Some(key) = &define.key {
        text = format!("{text} with the key `{key}`");
    }
    if let Some(first) = &define.first_key {
        text = format!("{text} for each element, with the keys `{first}` and up");
    }
    if let Some(condition) = &define.condition {
        text = format!("{text}, if `{condition}`");
    }
    if let Some(again) = &define.again {
        text = format!(
            "{text}; if the key is already defined, {}",
            repeated(schema, again)
        );
    }
    for (field, reference) in &define.unique {
        let what = format!("{text}; `{field}` differs between rows");
        text = with_rule(schema, what, Some(reference));
    }
    format!("{text}.")
}

/// Describes what happens if a row is defined again.
pub(super) fn repeated(schema: &Schema, again: &Again) -> String {
    let kept = match again.keeps {
        Keeps::First => "the first row is kept",
        Keeps::Last => "the last row is kept",
    };
    let rules = [("an equal", &again.same), ("a different", &again.other)];
    let rules = rules.into_iter().filter_map(|(which, reference)| {
        Some(format!(
            "{which} row: {}",
            rule(schema, reference.as_ref()?)
        ))
    });
    let alike = again.alike.iter().map(|(fields, reference)| {
        let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        format!(
            "a row that differs, but not in {}: {}",
            fields.join(" and "),
            rule(schema, reference)
        )
    });
    let said = std::iter::once(kept.to_owned()).chain(rules).chain(alike);
    said.collect::<Vec<_>>().join("; ")
}

/// Renders enumerations and flag sets.
pub(super) fn enumerations(page: &mut Page, schema: &Schema) {
    if !schema.enums.is_empty() {
        page.heading(2, "Enumerations");
    }
    for enumeration in &schema.enums {
        page.heading(3, &format!("Enumeration {}", enumeration.name));
        let rows = enumeration.members.iter().map(|member| {
            let condition = member.condition.as_ref();
            let only = condition.map(|condition| {
                let only = format!("only where `{condition}`");
                match &member.otherwise {
                    Some(reference) => format!("{only}, otherwise {}", rule(schema, reference)),
                    None => only,
                }
            });
            let doc = [member.doc.clone(), only]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>();
            vec![
                member.value.to_string(),
                format!("`{}`", member.name),
                doc.join("; "),
            ]
        });
        page.table(&["value", "name", "for"], rows.collect());
    }
    for flags in &schema.flags {
        page.heading(3, &format!("Bits {}", flags.name));
        let rows = flags
            .bits
            .iter()
            .map(|bit| vec![format!("{:#x}", bit.mask), format!("`{}`", bit.name)]);
        page.table(&["mask", "name"], rows.collect());
    }
}
