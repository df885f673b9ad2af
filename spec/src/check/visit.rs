//! Visits every expression of a type, a field or a layout set.

use crate::expression::{Expr, ExprKind};
use crate::schema::{
    CodeCount, CodeLayout, Constraint, ConstraintKind, Define, Elements, EndianChoice, Field,
    FieldRole, FieldSource, Generation, Instance, Layout, LayoutUse, Obedience, Plain, Position,
    Repeat, Size, Type, TypeBody, TypeRef,
};

/// A function that is called for each expression.
pub(super) type Visitor<'v, 's> = &'v mut dyn FnMut(&'s Expr);

/// Visits an expression and all its subexpressions.
pub(super) fn parts<'s>(expr: &'s Expr, visit: Visitor<'_, 's>) {
    visit(expr);
    match &expr.kind {
        ExprKind::List(items) => each(items, visit),
        ExprKind::Member { base, .. } | ExprKind::Cast { base, .. } => parts(base, visit),
        ExprKind::Method {
            base, arguments, ..
        } => {
            parts(base, visit);
            each(arguments, visit);
        }
        ExprKind::Call { arguments, .. } => each(arguments, visit),
        ExprKind::Index { base, index } => {
            parts(base, visit);
            parts(index, visit);
        }
        ExprKind::Unary { operand, .. } => parts(operand, visit),
        ExprKind::Binary { left, right, .. } => {
            parts(left, visit);
            parts(right, visit);
        }
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            parts(condition, visit);
            parts(then, visit);
            parts(otherwise, visit);
        }
        ExprKind::Else { first, second } => {
            parts(first, visit);
            parts(second, visit);
        }
        ExprKind::IsPresent(inner) => parts(inner, visit),
        _ => {}
    }
}

fn each<'s>(items: &'s [Expr], visit: Visitor<'_, 's>) {
    for item in items {
        parts(item, visit);
    }
}

/// Visits the expressions of a type, but not those of the types that it contains.
pub(super) fn of_type<'s>(described: &'s Type, visit: Visitor<'_, 's>) {
    match &described.body {
        TypeBody::Structure(fields) => fields.iter().for_each(|field| of_item(field, visit)),
        TypeBody::Alias(field) => of_item(field, visit),
    }
    for instance in &described.instances {
        of_instance(instance, visit);
    }
    if let Some(EndianChoice::Switch { on, .. }) = &described.endian {
        visit(on);
    }
    let single = described.shows.iter().chain(&described.size_of);
    single.for_each(&mut *visit);
    constraints(&described.constraints, visit);
    obediences(&described.obeys, visit);
    described.defines.iter().for_each(|d| define(d, visit));
    described.removes.iter().for_each(|r| visit(&r.key));
    for clear in &described.clears {
        clear.condition.iter().for_each(&mut *visit);
    }
    for set in &described.sets {
        visit(&set.value);
        set.condition.iter().for_each(&mut *visit);
    }
    generation(&described.generation, visit);
}

/// Visits the expressions of one item of a `seq`.
pub(super) fn of_item<'s>(field: &'s Field, visit: Visitor<'_, 's>) {
    match &field.role {
        FieldRole::Wire(source) => of_source(source, visit),
        FieldRole::Check(check) => {
            visit(&check.test);
            check.at.iter().for_each(&mut *visit);
            check.condition.iter().for_each(&mut *visit);
        }
        FieldRole::Align(align) => {
            align.condition.iter().for_each(&mut *visit);
            obediences(&align.obeys, visit);
        }
    }
}

fn of_instance<'s>(instance: &'s Instance, visit: Visitor<'_, 's>) {
    match &instance.position {
        Position::Computed {
            value,
            condition,
            obeys,
            ..
        } => {
            visit(value);
            condition.iter().for_each(&mut *visit);
            obediences(obeys, visit);
        }
        Position::At {
            offset,
            io,
            same_as,
            source,
        } => {
            let single = offset.iter().chain(io).chain(same_as);
            single.for_each(&mut *visit);
            of_source(source, visit);
        }
    }
}

/// Visits the expressions of a field.
pub(super) fn of_source<'s>(source: &'s FieldSource, visit: Visitor<'_, 's>) {
    target(&source.target, visit);
    source.condition.iter().for_each(&mut *visit);
    source.repeat.iter().for_each(|r| repeat(r, visit));
    if let Size::Bytes(size) = &source.size {
        visit(size);
    }
    source.value.iter().for_each(|c| constraint(c, visit));
    constraints(&source.constraints, visit);
    if let Some(carry) = &source.carry {
        carry.then.iter().for_each(&mut *visit);
    }
    if let Some(refs) = &source.refs {
        let single = refs.condition.iter().chain(&refs.none);
        single.for_each(&mut *visit);
    }
    match &source.layout {
        Some(LayoutUse::Fields { from, .. }) => visit(from),
        Some(LayoutUse::Value { code, .. }) => visit(code),
        None => {}
    }
    source.defines.iter().for_each(|d| define(d, visit));
    obediences(&source.obeys, visit);
    generation(&source.generation, visit);
}

fn target<'s>(target: &'s TypeRef, visit: Visitor<'_, 's>) {
    match target {
        TypeRef::Scalar(_) | TypeRef::Text | TypeRef::Bytes => {}
        TypeRef::Named { arguments, .. } => arguments.iter().for_each(visit),
        TypeRef::Switch { on, cases, .. } => {
            visit(on);
            for case in cases {
                let single = case.label.iter().chain(&case.condition);
                single.for_each(&mut *visit);
                self::target(&case.target, visit);
            }
        }
        TypeRef::OfRow { row, otherwise } => {
            visit(row);
            otherwise.iter().for_each(|t| self::target(t, visit));
        }
    }
}

fn repeat<'s>(repeat: &'s Repeat, visit: Visitor<'_, 's>) {
    match &repeat.elements {
        Elements::ToEnd => {}
        Elements::Count(expr) | Elements::Until(expr) => visit(expr),
    }
    if let Some(arrange) = &repeat.arrange {
        constraints(&arrange.first, visit);
        constraints(&arrange.last, visit);
        for (once, by) in &arrange.once {
            constraint(once, visit);
            visit(by);
        }
    }
    for unique in &repeat.unique {
        visit(&unique.by);
        unique.except.iter().for_each(&mut *visit);
    }
}

fn constraints<'s>(all: &'s [Constraint], visit: Visitor<'_, 's>) {
    all.iter().for_each(|c| constraint(c, visit));
}

fn constraint<'s>(constraint: &'s Constraint, visit: Visitor<'_, 's>) {
    constraint.condition.iter().for_each(&mut *visit);
    match &constraint.kind {
        ConstraintKind::Equal(expr)
        | ConstraintKind::Min(expr)
        | ConstraintKind::Max(expr)
        | ConstraintKind::Predicate(expr) => visit(expr),
        ConstraintKind::AnyOf(values) => values.iter().for_each(visit),
        ConstraintKind::InEnum => {}
    }
}

fn obediences<'s>(obeys: &'s [Obedience], visit: Visitor<'_, 's>) {
    obeys.iter().flat_map(|o| &o.when).for_each(visit);
}

fn define<'s>(define: &'s Define, visit: Visitor<'_, 's>) {
    let keys = define.key.iter().chain(&define.first_key);
    let single = keys.chain(&define.row).chain(&define.condition);
    single.for_each(&mut *visit);
    define.unique.iter().for_each(|(by, _)| visit(by));
}

fn generation<'s>(hints: &'s Generation, visit: Visitor<'_, 's>) {
    hints.weights.iter().for_each(|(value, _)| visit(value));
    hints.samples.iter().for_each(&mut *visit);
    if let Some((low, high)) = &hints.range {
        visit(low);
        visit(high);
    }
    let plain = hints.plain.iter().flat_map(Plain::expressions);
    hints.construct.iter().chain(plain).for_each(visit);
}

/// Visits the expressions of a layout set that are evaluated where the layout is used.
pub(super) fn of_layout<'s>(layout: &'s Layout, visit: Visitor<'_, 's>) {
    if let Some(optional) = &layout.optional {
        of_item(&optional.presence, visit);
    }
    for code in &layout.codes {
        match &code.layout {
            CodeLayout::Plain(source) => of_source(source, visit),
            CodeLayout::List {
                count: CodeCount::Read(read),
                ..
            } => target(read, visit),
            CodeLayout::Located { at, .. } => {
                target(&at.word, visit);
                obediences(&at.obeys, visit);
            }
            CodeLayout::List { .. } | CodeLayout::Fields(_) => {}
        }
        obediences(&code.obeys, visit);
    }
}

/// Calls `found` for each type that a field can have.
pub(super) fn targets<'s>(source: &'s FieldSource, found: &mut dyn FnMut(&'s TypeRef)) {
    leaves(&source.target, found);
}

fn leaves<'s>(target: &'s TypeRef, found: &mut dyn FnMut(&'s TypeRef)) {
    match target {
        TypeRef::Switch { cases, .. } => {
            for case in cases {
                leaves(&case.target, found);
            }
        }
        TypeRef::OfRow { otherwise, .. } => {
            found(target);
            if let Some(otherwise) = otherwise {
                leaves(otherwise, found);
            }
        }
        _ => found(target),
    }
}
