use hashbrown::HashMap;

use super::context::Context;
use super::gather::{Gathered, Namespace};
use super::names::KnownType;
use super::shared::shared_names;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{EnumId, FlagsId, TypeId};
use crate::yaml::{Entry, Mapping, Node};
use tracegauge_plan::source::SourceSpan;

/// All declarations of a description, collected before anything is converted. The index of a
/// declaration is its id.
#[derive(Default)]
pub(super) struct Declared<'n> {
    /// The declared types, starting with the root.
    pub(super) types: Vec<DeclaredType<'n>>,
    /// The declared enumerations.
    pub(super) enums: Vec<Named<'n>>,
    /// The declared flag sets.
    pub(super) flags: Vec<Named<'n>>,
    /// The declared rules.
    pub(super) rules: Vec<&'n Entry>,
    /// The declared tables, each with its name. A table can have several declarations.
    pub(super) tables: Vec<(String, Vec<&'n Entry>)>,
    /// The declared registers.
    pub(super) registers: Vec<&'n Entry>,
    /// The declared layout sets.
    pub(super) layouts: Vec<&'n Entry>,
    /// The declared kinds of records.
    pub(super) records: Vec<&'n Entry>,
    /// The declared schemas for JSON.
    pub(super) json: Vec<&'n Entry>,
}

/// A declared type.
pub(super) struct DeclaredType<'n> {
    /// The full name of the type.
    pub(super) name: String,
    pub(super) span: SourceSpan,
    pub(super) nested_in: Option<TypeId>,
    pub(super) body: DeclaredBody<'n>,
    /// The `meta` of the part that contains the type. The defaults in this `meta` apply to the
    /// type.
    pub(super) defaults: Option<&'n Node>,
}

/// The location of the keys that define a type.
#[derive(Clone, Copy)]
pub(super) enum DeclaredBody<'n> {
    /// The file itself, which is the root of a namespace.
    File(&'n Node),
    /// An entry of `types`.
    Entry(&'n Node),
    /// No location: a part that several formats share requires the type, but the description does
    /// not define it.
    Open,
}

/// A named declaration, with the type whose scope is used to resolve its names.
pub(super) struct Named<'n> {
    pub(super) name: String,
    pub(super) entry: &'n Entry,
    pub(super) scope: TypeId,
}

/// Collects all declared names.
pub(super) fn declare<'n>(gathered: &'n Gathered, context: &mut Context<'n>) -> Declared<'n> {
    let mut declared = Declared::default();
    let roots: Vec<TypeId> = gathered
        .namespaces
        .iter()
        .filter_map(|namespace| root(namespace, &mut declared, context))
        .collect();
    if roots.len() < gathered.namespaces.len() {
        // A file that could not be parsed has already been reported. It declares no root type, so
        // the indexes of namespaces and root types would not match.
        return declared;
    }
    for (namespace, root) in gathered.namespaces.iter().zip(&roots) {
        for import in &namespace.imports {
            let Some(target) = roots.get(import.namespace) else {
                continue;
            };
            let name = context.names.known[target.index()].name.clone();
            for name in [name, import.stem.clone()] {
                context.names.types.insert((*root, name), *target);
            }
        }
        for (index, file) in namespace.files.iter().enumerate() {
            let defaults = (index > 0).then(|| meta(file)).flatten();
            inside(file, *root, defaults, &mut declared, context);
        }
    }
    if let Some(namespace) = gathered.namespaces.first() {
        shared_names(namespace, &mut declared, context);
    }
    declared
}

fn meta(node: &Node) -> Option<&Node> {
    node.as_mapping()?.get("meta").map(|entry| &entry.value)
}

/// Declares the type that the first file of a namespace defines.
fn root<'n>(
    namespace: &'n Namespace,
    declared: &mut Declared<'n>,
    context: &mut Context<'n>,
) -> Option<TypeId> {
    let node = namespace.files.first()?;
    let id = meta(node)
        .and_then(|meta| meta.as_mapping()?.get("id"))
        .map(|entry| &entry.value);
    let (name, span) = match id.and_then(|id| Some((id.as_text()?, id.span))) {
        Some((name, span)) => (name.to_owned(), span),
        None => ("root".to_owned(), start_of(node.span)),
    };
    let body = DeclaredBody::File(node);
    let declared_type = DeclaredType {
        name,
        span,
        nested_in: None,
        body,
        defaults: None,
    };
    Some(add_type(declared_type, None, declared, context))
}

fn start_of(span: SourceSpan) -> SourceSpan {
    SourceSpan {
        end: span.start,
        ..span
    }
}

pub(super) fn add_type<'n>(
    declared_type: DeclaredType<'n>,
    parent: Option<TypeId>,
    declared: &mut Declared<'n>,
    context: &mut Context<'n>,
) -> TypeId {
    let id = TypeId::from(declared.types.len());
    let node = match declared_type.body {
        DeclaredBody::File(node) | DeclaredBody::Entry(node) => Some(node),
        DeclaredBody::Open => None,
    };
    let params = node
        .and_then(|node| node.as_mapping()?.get("params"))
        .and_then(|entry| entry.value.as_sequence())
        .map_or(0, <[Node]>::len);
    context.names.known.push(KnownType {
        name: declared_type.name.clone(),
        parent,
        params,
        span: declared_type.span,
        open: node.is_none(),
    });
    declared.types.push(declared_type);
    id
}

/// Declares the names inside a type or a file.
fn inside<'n>(
    node: &'n Node,
    holder: TypeId,
    defaults: Option<&'n Node>,
    declared: &mut Declared<'n>,
    context: &mut Context<'n>,
) {
    let Some(mapping) = node.as_mapping() else {
        return;
    };
    for entry in section(mapping, "enums", context) {
        let name = full_name(holder, &entry.key, context);
        let id = EnumId::from(declared.enums.len());
        context.check_name(&entry.key, entry.key_span);
        add_inside(holder, entry, "enumeration", id, |n| &mut n.enums, context);
        let scope = holder;
        declared.enums.push(Named { name, entry, scope });
    }
    // In a named scalar, as in a field, `flags` is the name of a flag set and not a section.
    let sets = mapping
        .get("flags")
        .is_some_and(|entry| entry.value.as_mapping().is_some());
    let sets = if sets {
        section(mapping, "flags", context)
    } else {
        Vec::new()
    };
    for entry in sets {
        let name = full_name(holder, &entry.key, context);
        let id = FlagsId::from(declared.flags.len());
        context.check_name(&entry.key, entry.key_span);
        add_inside(holder, entry, "flag set", id, |n| &mut n.flags, context);
        let scope = holder;
        declared.flags.push(Named { name, entry, scope });
    }
    for entry in section(mapping, "types", context) {
        context.check_name(&entry.key, entry.key_span);
        let root = context.names.known[holder.index()].parent.is_none();
        let declared_type = DeclaredType {
            name: full_name(holder, &entry.key, context),
            span: entry.key_span,
            nested_in: (!root || holder.index() > 0).then_some(holder),
            body: DeclaredBody::Entry(&entry.value),
            defaults,
        };
        let id = add_type(declared_type, Some(holder), declared, context);
        add_inside(holder, entry, "type", id, |n| &mut n.types, context);
        inside(&entry.value, id, None, declared, context);
    }
}

/// Returns a name qualified by the names of the enclosing types, but not by the name of the
/// description's root.
fn full_name(holder: TypeId, name: &str, context: &Context<'_>) -> String {
    if holder.index() == 0 {
        name.to_owned()
    } else {
        format!("{}::{name}", context.names.known[holder.index()].name)
    }
}

fn add_inside<'n, T: Copy>(
    holder: TypeId,
    entry: &Entry,
    what: &str,
    id: T,
    map: impl Fn(&mut super::names::Names) -> &mut HashMap<(TypeId, String), T>,
    context: &mut Context<'n>,
) {
    let key = (holder, entry.key.clone());
    if map(&mut context.names).contains_key(&key) {
        let message = format!("the {what} `{}` is defined twice", entry.key);
        context.push(
            Diagnostic::error(Code::DuplicateName, entry.key_span, message)
                .help("all parts of a description share one namespace; rename one of them"),
        );
        return;
    }
    map(&mut context.names).insert(key, id);
}

/// Returns the entries of a section such as `types`. Reports an error if the section is not a
/// mapping.
pub(super) fn section<'n>(
    mapping: &'n Mapping,
    key: &str,
    context: &mut Context<'_>,
) -> Vec<&'n Entry> {
    let Some(entry) = mapping.get(key) else {
        return Vec::new();
    };
    match entry.value.as_mapping() {
        Some(inner) => inner
            .entries
            .iter()
            .filter(|entry| !entry.key.starts_with('-'))
            .collect(),
        None if entry.value.is_null() => Vec::new(),
        None => {
            context.shape(&entry.value, &format!("a mapping of `{key}`"));
            Vec::new()
        }
    }
}
