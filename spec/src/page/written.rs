//! Describes how record members are represented in JSON where their encoding does not make this
//! obvious. For example, a time is encoded as a number but reported as a string.

use crate::expression::{BinaryOperator, Expr, ExprKind, UnaryOperator};
use crate::schema::{
    FieldRole, FieldSource, LayoutUse, Meaning, Position, ScalarKind, Schema, TypeBody, TypeId,
    TypeRef,
};

const TRUTH: &str = "`true` or `false`";
const TIME: &str = "text, an ISO 8601 date and time";
const NAME: &str = "the name as text, or a number if the value has no name";
const NAMES: &str = "array of the names of the set bits, and the remaining bits as a number";
const GUID: &str = "text, a GUID with 8-4-4-4-12 hexadecimal digits";
const HEX: &str = "`{\"hex\": …}`";
const PAIR: &str = "`[name, value]`";
const PAIRS: &str = "array of `[name, value]`";
const JSON: &str = "the JSON itself";
const ARRAY: &str = "array";
const OBJECT: &str = "object";

/// The maximum depth for resolving names, because types can be recursive.
const DEEPEST: usize = 16;

/// Describes how the value of `expr` is represented in JSON. Names in `expr` refer to fields of
/// `types`. Returns `None` if the representation is obvious, differs between the types, or depends
/// on the trace.
pub(super) fn written(schema: &Schema, types: &[TypeId], expr: &Expr) -> Option<String> {
    let (first, others) = types.split_first()?;
    let form = value(schema, *first, expr, 0)?;
    let same = |id: &TypeId| value(schema, *id, expr, 0).as_ref() == Some(&form);
    others.iter().all(same).then_some(form)
}

fn value(schema: &Schema, scope: TypeId, expr: &Expr, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::IsPresent(_) => Some(TRUTH.to_owned()),
        ExprKind::Unary {
            operator: UnaryOperator::Not,
            ..
        } => Some(TRUTH.to_owned()),
        ExprKind::Binary { operator, .. } => is_test(*operator).then(|| TRUTH.to_owned()),
        ExprKind::Conditional {
            then, otherwise, ..
        } => either(schema, scope, [then, otherwise], depth),
        ExprKind::Else { first, second } => either(schema, scope, [first, second], depth),
        _ => match found(schema, scope, expr, depth)? {
            Found::Read(source) => of_source(schema, source, depth),
            Found::Computed(scope, expr) => value(schema, scope, expr, depth + 1),
            Found::Name => Some(NAME.to_owned()),
        },
    }
}

/// Describes the representation of an expression that yields one of two values. Returns `None` if
/// the representations of the two values differ. The literal `absent` is ignored.
fn either(schema: &Schema, scope: TypeId, both: [&Expr; 2], depth: usize) -> Option<String> {
    let mut there = both
        .into_iter()
        .filter(|expr| !matches!(expr.kind, ExprKind::Absent))
        .map(|expr| value(schema, scope, expr, depth + 1));
    let first = there.next()??;
    there
        .all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}

fn is_test(operator: BinaryOperator) -> bool {
    use BinaryOperator as Op;
    matches!(
        operator,
        Op::Equal
            | Op::NotEqual
            | Op::Less
            | Op::LessOrEqual
            | Op::Greater
            | Op::GreaterOrEqual
            | Op::And
            | Op::Or
    )
}

/// The result of resolving a name.
enum Found<'s> {
    /// A field that is read from the trace.
    Read(&'s FieldSource),
    /// An expression that is evaluated in the scope of a type.
    Computed(TypeId, &'s Expr),
    /// A member of an enumeration, whose name is reported.
    Name,
}

fn found<'s>(schema: &'s Schema, scope: TypeId, expr: &'s Expr, depth: usize) -> Option<Found<'s>> {
    match &expr.kind {
        ExprKind::Name(name) => member(schema, scope, name, depth),
        ExprKind::EnumMember { .. } => Some(Found::Name),
        ExprKind::Member { base, name } => match looked_up(schema, base) {
            Some(row) => member(schema, row, name, depth),
            None => of_part(schema, scope, (base, name), depth),
        },
        _ => None,
    }
}

/// Resolves `base.name`, where `base` is a field that contains a structure.
fn of_part<'s>(
    schema: &'s Schema,
    scope: TypeId,
    (base, name): (&'s Expr, &str),
    depth: usize,
) -> Option<Found<'s>> {
    match found(schema, scope, base, depth + 1)? {
        Found::Read(source) => match &source.target {
            TypeRef::Named { id, .. } if source.repeat.is_none() => {
                member(schema, *id, name, depth)
            }
            _ => None,
        },
        Found::Computed(..) | Found::Name => None,
    }
}

/// Returns the row type of the table in a lookup such as `threads.get(id)`.
fn looked_up(schema: &Schema, expr: &Expr) -> Option<TypeId> {
    let ExprKind::Method { base, name, .. } = &expr.kind else {
        return None;
    };
    let ExprKind::Name(called) = &base.kind else {
        return None;
    };
    let mut tables = schema.tables.iter().filter(|_| name == "get");
    tables.find(|it| it.name == *called).map(|it| it.row)
}

/// Resolves a field or instance of a type.
fn member<'s>(schema: &'s Schema, scope: TypeId, name: &str, depth: usize) -> Option<Found<'s>> {
    if depth > DEEPEST {
        return None;
    }
    let described = schema.types.get(scope.index())?;
    if let Some(instance) = described.instances.iter().find(|it| it.id == name) {
        return Some(match &instance.position {
            Position::At { source, .. } => Found::Read(source),
            Position::Computed {
                enumeration: Some(_),
                ..
            } => Found::Name,
            Position::Computed { value, .. } => Found::Computed(scope, value),
        });
    }
    let fields = match &described.body {
        TypeBody::Structure(fields) => fields.as_slice(),
        TypeBody::Alias(field) => std::slice::from_ref(field.as_ref()),
    };
    fields.iter().find_map(|field| {
        let FieldRole::Wire(source) = &field.role else {
            return None;
        };
        let is_alias = matches!(described.body, TypeBody::Alias(_));
        match &source.target {
            _ if field.id.as_deref() == Some(name) => Some(Found::Read(source)),
            TypeRef::Named { id, .. } if source.embed || is_alias => {
                member(schema, *id, name, depth + 1)
            }
            _ => None,
        }
    })
}

fn of_source(schema: &Schema, source: &FieldSource, depth: usize) -> Option<String> {
    let one = of_one(schema, source, depth);
    if source.repeat.is_none() {
        return one;
    }
    if source.list_as.is_some() {
        return None;
    }
    Some(match one {
        _ if matches!(source.meaning, Some(Meaning::Map)) => PAIRS.to_owned(),
        Some(one) if one == PAIR => PAIRS.to_owned(),
        Some(one) => format!("{ARRAY}; each element: {one}"),
        None => ARRAY.to_owned(),
    })
}

/// Describes the representation of one element of a field.
fn of_one(schema: &Schema, source: &FieldSource, depth: usize) -> Option<String> {
    let plain = match (&source.meaning, &source.layout) {
        (Some(Meaning::Map), _) => return None,
        (Some(meaning), _) => return of_meaning(meaning).map(str::to_owned),
        (None, Some(LayoutUse::Fields { .. })) => PAIRS,
        (None, Some(LayoutUse::Value { .. })) => return None,
        (None, None) if source.flags.is_some() => NAMES,
        (None, None) if source.enumeration.is_some() => NAME,
        (None, None) => return of_target(schema, &source.target, depth + 1),
    };
    Some(plain.to_owned())
}

fn of_target(schema: &Schema, target: &TypeRef, depth: usize) -> Option<String> {
    match target {
        TypeRef::Scalar(scalar) => {
            matches!(scalar.kind, ScalarKind::Guid(_)).then(|| GUID.to_owned())
        }
        TypeRef::Bytes => Some(HEX.to_owned()),
        TypeRef::Text | TypeRef::OfRow { .. } => None,
        TypeRef::Named { id, .. } => of_type(schema, *id, depth),
        TypeRef::Switch { cases, .. } => {
            let mut arms = cases
                .iter()
                .map(|case| of_target(schema, &case.target, depth + 1));
            let first = arms.next()??;
            arms.all(|arm| arm.as_ref() == Some(&first))
                .then_some(first)
        }
    }
}

fn of_type(schema: &Schema, id: TypeId, depth: usize) -> Option<String> {
    let described = schema.types.get(id.index()).filter(|_| depth <= DEEPEST)?;
    if let Some(meaning) = &described.meaning {
        return of_meaning(meaning).map(str::to_owned);
    }
    match (&described.shows, &described.body) {
        (Some(shows), _) => value(schema, id, shows, depth + 1),
        (None, TypeBody::Alias(field)) => match &field.role {
            FieldRole::Wire(source) => of_source(schema, source, depth + 1),
            FieldRole::Check(_) | FieldRole::Align(_) => None,
        },
        (None, TypeBody::Structure(_)) => Some(OBJECT.to_owned()),
    }
}

fn of_meaning(meaning: &Meaning) -> Option<&'static str> {
    match meaning {
        Meaning::Bool => Some(TRUTH),
        Meaning::Time { .. } | Meaning::DateTime => Some(TIME),
        Meaning::Map => Some(PAIRS),
        Meaning::Pair { .. } => Some(PAIR),
        Meaning::Json { .. } => Some(JSON),
        Meaning::CodeUnit | Meaning::Signature(_) => None,
    }
}
