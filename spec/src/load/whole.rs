//! Converts all files of a description into a schema.

use super::context::Context;
use super::declare::{Declared, DeclaredBody, declare};
use super::gather::{Gathered, Namespace};
use super::keys::Keys;
use super::names::Names;
use super::types::{Defaults, empty_type};
use super::vocabulary::Vocabulary;
use crate::diagnostic::Diagnostics;
use crate::schema::{Dialect, FaultMap, Limit, Meta, Schema, Type, TypeBody, TypeId, Untestable};
use crate::yaml::Node;
use tracegauge_plan::source::Sources;

/// The converted content of a description's files, except for its types.
struct FileParts {
    meta: Meta,
    root: Option<Type>,
    faults: FaultMap,
    limits: Vec<Limit>,
    untestable: Vec<Untestable>,
    dialects: Vec<Dialect>,
}

/// The result of the conversion.
pub(super) struct Converted {
    pub(super) schema: Option<Schema>,
    pub(super) names: Names,
    pub(super) diagnostics: Diagnostics,
    pub(super) vocabulary: Option<Vocabulary>,
}

/// Converts the files of a description. If the first file could be parsed, the result has a schema,
/// which may be invalid. If `vocabulary` is present, the keys that are looked up are added to it.
pub(super) fn convert(
    gathered: &Gathered,
    sources: &Sources,
    diagnostics: Diagnostics,
    vocabulary: Option<Vocabulary>,
) -> Converted {
    let mut context = Context {
        sources,
        diagnostics,
        names: Names {
            incomplete: gathered.incomplete,
            ..Names::default()
        },
        scope: TypeId(0),
        vocabulary,
    };
    let declared = declare(gathered, &mut context);
    let schema = convert_declared(gathered, &declared, &mut context);
    Converted {
        schema,
        names: context.names,
        diagnostics: context.diagnostics,
        vocabulary: context.vocabulary,
    }
}

fn convert_declared<'n>(
    gathered: &'n Gathered,
    declared: &Declared<'n>,
    context: &mut Context<'n>,
) -> Option<Schema> {
    let namespace = gathered.namespaces.first()?;
    let mut parts = convert_files(namespace, declared, context)?;
    let root = parts.root.take()?;
    let dialects: Vec<String> = parts.dialects.iter().map(|d| d.id.clone()).collect();
    let mut types = vec![root];
    for index in 1..declared.types.len() {
        types.push(convert_type(declared, index, context));
    }
    let enums = declared.enums.iter();
    let enums = enums.map(|named| context.enumeration(named)).collect();
    let flags = declared.flags.iter();
    let flags = flags.map(|named| context.flag_set(named)).collect();
    // The remaining declarations belong to the description as a whole, so they are resolved in the
    // scope of the root type.
    context.scope = TypeId(0);
    let rules = declared.rules.iter();
    let rules = rules
        .map(|entry| context.rule_entry(entry, &dialects))
        .collect();
    let registers = declared.registers.iter();
    let registers = registers.map(|entry| context.register(entry)).collect();
    let tables = declared.tables.iter();
    let tables = tables
        .map(|(name, entries)| context.table(name, entries))
        .collect();
    let layouts = declared.layouts.iter();
    let layouts = layouts.map(|entry| context.layout(entry)).collect();
    let json = declared.json.iter();
    let json = json.map(|entry| context.json_schema(entry)).collect();
    let records = context.records(&declared.records);
    Some(Schema {
        sources: context.sources.clone(),
        meta: parts.meta,
        root: TypeId(0),
        types,
        enums,
        flags,
        rules,
        registers,
        tables,
        layouts,
        records,
        json,
        faults: parts.faults,
        dialects: parts.dialects,
        limits: parts.limits,
        untestable: parts.untestable,
    })
}

/// Converts the description's own file and its parts. The first file also contains the root type.
fn convert_files<'n>(
    namespace: &'n Namespace,
    declared: &Declared<'n>,
    context: &mut Context<'n>,
) -> Option<FileParts> {
    let mut parts: Option<FileParts> = None;
    for (index, file) in namespace.files.iter().enumerate() {
        context.scope = TypeId(0);
        let is_part = index > 0;
        let what = if is_part { "a part" } else { "a description" };
        let Some(mut keys) = Keys::of(file, what, context) else {
            continue;
        };
        if is_part {
            let meta = keys.take("meta");
            context.meta(meta, true);
            context.docs(&mut keys);
            for section in ["types", "enums", "flags"] {
                keys.take(section);
            }
        } else {
            parts = Some(first_file(file, &mut keys, declared, context));
        }
        context.joining_keys(&mut keys);
        for section in ["state", "tables", "layouts", "records", "rules", "json"] {
            keys.take(section);
        }
        if let Some(parts) = &mut parts {
            if is_part {
                context.faults_into(&mut keys, &mut parts.faults);
            }
            if let Some(node) = keys.take("limits") {
                parts.limits.extend(context.limits(node));
            }
            if let Some(node) = keys.take("untestable") {
                parts.untestable.extend(context.untestable(node));
            }
        }
        keys.finish(context);
    }
    parts
}

fn first_file<'n>(
    node: &'n Node,
    keys: &mut Keys<'n>,
    declared: &Declared<'n>,
    context: &mut Context<'n>,
) -> FileParts {
    let (mut meta, _) = match keys.take("meta") {
        Some(node) => context.meta(Some(node), false),
        None => (context.missing_meta(node), Defaults::default()),
    };
    let document = keys.take("document");
    meta.document = document.and_then(|node| context.prose(node));
    let dialects = keys.take("dialects");
    // The defaults of the file apply to all its types; lowering takes them from `meta`.
    let root = declared.types.first();
    let mut root = root.map(|root| context.convert_type(root, Defaults::default(), keys));
    let faults = root.as_mut().map(|root| match root.body {
        TypeBody::Structure(_) => std::mem::take(&mut root.faults),
        TypeBody::Alias(_) => FaultMap::default(),
    });
    let params = root.as_ref().map(|root| root.params.as_slice());
    let dialects = context.dialects(dialects, params.unwrap_or_default(), &meta, node.span);
    FileParts {
        meta,
        root,
        faults: faults.unwrap_or_default(),
        limits: Vec::new(),
        untestable: Vec::new(),
        dialects,
    }
}

fn convert_type<'n>(declared: &Declared<'n>, index: usize, context: &mut Context<'n>) -> Type {
    let declared_type = &declared.types[index];
    context.scope = TypeId::from(index);
    let mut defaults = context.part_defaults(declared_type.defaults);
    let (node, is_file) = match declared_type.body {
        DeclaredBody::File(node) => (Some(node), true),
        DeclaredBody::Entry(node) => (Some(node), false),
        DeclaredBody::Open => (None, false),
    };
    let keys = node
        .filter(|node| !node.is_null())
        .and_then(|node| Keys::of(node, "a type", context));
    let Some(mut keys) = keys else {
        return empty_type(declared_type, defaults);
    };
    if let Some(meta) = keys.take("meta") {
        let (_, own) = context.meta(Some(meta), true);
        defaults = own.or(defaults);
    }
    if is_file {
        context.joining_keys(&mut keys);
    }
    let converted = context.convert_type(declared_type, defaults, &mut keys);
    keys.finish(context);
    converted
}
