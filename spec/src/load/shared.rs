//! Declares the names that belong to the whole description and its parts, such as rules, tables and
//! registers. The module also declares the names that shared parts (files that several formats
//! include) use but the format must define.

use super::context::Context;
use super::declare::{Declared, DeclaredBody, DeclaredType, add_type, section};
use super::gather::Namespace;
use super::names::Index;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{JsonId, LayoutId, RegisterId, RuleId, TableId, TypeId};
use crate::yaml::{Entry, Mapping, Node};
use tracegauge_plan::source::SourceSpan;

/// Declares the names that belong to the whole description and its parts.
pub(super) fn shared_names<'n>(
    namespace: &'n Namespace,
    declared: &mut Declared<'n>,
    context: &mut Context<'n>,
) {
    for file in &namespace.files {
        let Some(mapping) = file.as_mapping() else {
            continue;
        };
        plain::<RuleId>(
            mapping,
            "rules",
            "rule",
            &mut declared.rules,
            |n| &mut n.rules,
            context,
        );
        plain::<RegisterId>(
            mapping,
            "state",
            "register",
            &mut declared.registers,
            |n| &mut n.registers,
            context,
        );
        plain::<LayoutId>(
            mapping,
            "layouts",
            "layout set",
            &mut declared.layouts,
            |n| &mut n.layouts,
            context,
        );
        plain::<JsonId>(
            mapping,
            "json",
            "JSON schema",
            &mut declared.json,
            |n| &mut n.json,
            context,
        );
        records(mapping, declared, context);
        tables(mapping, declared, context);
    }
    for file in &namespace.files {
        required(file, declared, context);
    }
}

fn plain<'n, T: Copy + From<usize>>(
    mapping: &'n Mapping,
    key: &str,
    what: &str,
    list: &mut Vec<&'n Entry>,
    index: impl Fn(&mut super::names::Names) -> &mut Index<T>,
    context: &mut Context<'n>,
) {
    for entry in section(mapping, key, context) {
        let id = T::from(list.len());
        match index(&mut context.names).add(&entry.key, id, entry.key_span) {
            Ok(()) => list.push(entry),
            Err(first) => twice(what, entry, first, context),
        }
    }
}

fn twice(what: &str, entry: &Entry, first: SourceSpan, context: &mut Context<'_>) {
    let message = format!("the {what} `{}` is defined twice", entry.key);
    context.push(
        Diagnostic::error(Code::DuplicateName, entry.key_span, message)
            .also(first, "first defined here")
            .help("all parts of a description share one namespace; rename one of them"),
    );
}

fn records<'n>(mapping: &'n Mapping, declared: &mut Declared<'n>, context: &mut Context<'n>) {
    for entry in section(mapping, "records", context) {
        match context.names.records.add(&entry.key, (), entry.key_span) {
            Ok(()) => declared.records.push(entry),
            Err(first) => twice("kind of record", entry, first, context),
        }
    }
}

/// Declares tables. If several parts declare the same table, their entries are combined.
fn tables<'n>(mapping: &'n Mapping, declared: &mut Declared<'n>, context: &mut Context<'n>) {
    for entry in section(mapping, "tables", context) {
        let known = context.names.tables.get(&entry.key);
        match known.and_then(|id| declared.tables.get_mut(id.index())) {
            Some((_, entries)) => entries.push(entry),
            None => {
                context.check_name(&entry.key, entry.key_span);
                let id = TableId::from(declared.tables.len());
                // This cannot fail, because the name was not found above.
                let _ = context.names.tables.add(&entry.key, id, entry.key_span);
                context.names.columns.push(Vec::new());
                declared.tables.push((entry.key.clone(), vec![entry]));
            }
        }
        let columns = entry.value.as_mapping().and_then(|m| m.get("columns"));
        let names = columns.and_then(|entry| entry.value.as_mapping());
        let id = context.names.tables.get(&entry.key);
        if let (Some(names), Some(id)) = (names, id) {
            let all = names.entries.iter().map(|entry| entry.key.clone());
            context.names.columns[id.index()].extend(all);
        }
    }
}

/// Declares the types and fault kinds that a shared part requires the format to define.
fn required<'n>(node: &'n Node, declared: &mut Declared<'n>, context: &mut Context<'n>) {
    let requires = node
        .as_mapping()
        .and_then(|mapping| mapping.get("requires"));
    let Some(requires) = requires.and_then(|entry| entry.value.as_mapping()) else {
        return;
    };
    let listed = |key: &str| {
        let entry = requires.get(key);
        let nodes = entry.and_then(|entry| entry.value.as_sequence());
        nodes.unwrap_or_default()
    };
    for node in listed("faults") {
        if let Some(name) = node.as_text() {
            // Two shared parts may require the same fault, so it is not an error if the name is
            // already declared.
            let _ = context.names.own_faults.add(name, (), node.span);
        }
    }
    for node in listed("types") {
        let root = TypeId(0);
        let Some(name) = node.as_text() else {
            continue;
        };
        if context.names.types.contains_key(&(root, name.to_owned())) {
            continue;
        }
        let declared_type = DeclaredType {
            name: name.to_owned(),
            span: node.span,
            nested_in: None,
            body: DeclaredBody::Open,
            defaults: None,
        };
        let id = add_type(declared_type, Some(root), declared, context);
        context.names.types.insert((root, name.to_owned()), id);
    }
}
