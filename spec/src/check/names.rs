//! Resolves names in a use of a type: a type in a particular context, such as a field of a
//! particular structure.

use std::rc::Rc;

use super::Checker;
use super::index::Index;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use super::uses::{Parent, Use, UseId};
use super::widths::of_scalar;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use crate::load::did_you_mean;
use crate::schema::{ParamType, RegisterType, Type, TypeId};
use tracegauge_plan::evaluate::interval::Interval;

/// The maximum number of parts to search for a name to suggest.
const MOST_SEARCHED: usize = 64;

/// The maximum number of names to list if none is similar to the unknown name.
const MOST_LISTED: usize = 8;

/// The maximum depth of nested parts to follow.
const DEEPEST: usize = 40;

impl<'s> Checker<'s> {
    pub(super) fn type_of(&self, used: UseId) -> &'s Type {
        &self.schema.types[self.uses.get(used).type_id.index()]
    }

    /// Returns the index of the names in a type.
    pub(super) fn index(&mut self, type_id: TypeId) -> Rc<Index<'s>> {
        let schema = self.schema;
        let found = &mut self.indexes[type_id.index()];
        let index = found.get_or_insert_with(|| Rc::new(Index::of(&schema.types[type_id.index()])));
        Rc::clone(index)
    }

    /// Returns the use of a type by the field at index `at` of `holder`.
    pub(super) fn child(
        &mut self,
        holder: UseId,
        at: usize,
        type_id: TypeId,
        element: bool,
    ) -> Option<UseId> {
        self.schema.types.get(type_id.index())?;
        let node = type_id.index();
        let around = self.uses.get(holder).clone();
        let at_in_root = match around.parent {
            Parent::None => Some(at),
            _ => around.at_in_root,
        };
        let outward = self.looks.outward[node];
        let parent = match outward {
            0 => Parent::Unknown,
            _ => self.cut(holder, outward - 1),
        };
        self.uses.intern(Use {
            type_id,
            parent,
            at: if outward == 0 { 0 } else { at },
            at_in_root: at_in_root.filter(|_| self.looks.root[node]),
            element: element && outward > 0,
            repeated: self.looks.rows[node] && (element || around.repeated),
        })
    }

    /// Returns a copy of the use of a type that retains only the innermost `outward` enclosing
    /// types.
    fn cut(&mut self, used: UseId, outward: usize) -> Parent {
        let mut cut = self.uses.get(used).clone();
        if let Parent::Known(parent) = cut.parent {
            cut.parent = match outward {
                0 => Parent::Unknown,
                _ => self.cut(parent, outward - 1),
            };
        }
        cut.repeated = true;
        self.uses.intern(cut).map_or(Parent::Unknown, Parent::Known)
    }

    /// Infers the value of a bare name.
    pub(super) fn name(&mut self, name: &str, expr: &Expr, site: &Site) -> Value {
        match name {
            "" => return Value::UNKNOWN,
            "_root" => return Value::of(Kind::Structure(self.root)),
            "_parent" => return self.parent(site.used, expr),
            "_prev" => return self.previous(site.used),
            "_io" => return Value::of(Kind::Stream),
            // Without registers, `state` is a name like any other.
            "state" if !self.schema.registers.is_empty() => return Value::of(Kind::State),
            "_index" | "_sizeof" | "_start" | "_end" => return Value::int(Interval::COUNT),
            _ => {}
        }
        if let Some(found) = self.own(site.used, name, expr, site.seen) {
            return found;
        }
        if let Some(found) = self.register(name) {
            return found;
        }
        if let Some(table) = self.names.table(name) {
            return Value::of(Kind::Table(table));
        }
        self.unknown_name(name, expr, site);
        Value::UNKNOWN
    }

    pub(super) fn this(&mut self, expr: &Expr, site: &Site) -> Value {
        if let Some(this) = &site.this {
            return this.clone();
        }
        self.push(
            Diagnostic::error(Code::UnknownName, expr.span, "`_` is not defined here").help(
                "`_` is the tested value in `valid`, `obeys`, `repeat-until` and similar keys",
            ),
        );
        Value::UNKNOWN
    }

    fn parent(&mut self, used: UseId, expr: &Expr) -> Value {
        match self.uses.get(used).parent {
            Parent::Known(parent) => Value::of(Kind::Structure(parent)),
            Parent::Unknown => Value::UNKNOWN,
            Parent::None => {
                let message = "the root has no `_parent`";
                self.error(Code::UnknownName, expr.span, message);
                Value::UNKNOWN
            }
        }
    }

    /// Returns the value of `_prev`: the element before the element that contains this use of a
    /// type. The previous element has the same type, or is another case of the same switch.
    fn previous(&mut self, used: UseId) -> Value {
        let mut at = used;
        for _ in 0..DEEPEST {
            let around = self.uses.get(at).clone();
            if around.element {
                return Value::of(Kind::Structure(at));
            }
            match around.parent {
                Parent::Known(parent) => at = parent,
                Parent::None | Parent::Unknown => return Value::UNKNOWN,
            }
        }
        Value::UNKNOWN
    }

    /// Returns the value of a field, a parameter or an instance in a use of a type.
    pub(super) fn own(
        &mut self,
        used: UseId,
        name: &str,
        expr: &Expr,
        seen: Seen,
    ) -> Option<Value> {
        let index = self.index(self.uses.get(used).type_id);
        if let Some(at) = index.fields.get(name) {
            self.readable(used, *at, expr, seen);
            let found = self.field_value(used, *at);
            if !found.absent || index.embedded.is_empty() {
                return Some(found);
            }
            let embedded = self.quietly(|checker| checker.embedded(used, name, expr, &index));
            return Some(match embedded {
                Some(other) => joined(found, other),
                None => found,
            });
        }
        if let Some(at) = index.params.get(name) {
            return Some(self.param(used, *at));
        }
        if let Some(at) = index.instances.get(name) {
            self.computable(used, *at, expr, seen);
            return Some(self.instance(used, *at));
        }
        self.embedded(used, name, expr, &index)
    }

    /// Returns the value of a field of an embedded part. The fields of an embedded part can be used
    /// like fields of the enclosing type.
    fn embedded(
        &mut self,
        used: UseId,
        name: &str,
        expr: &Expr,
        index: &Index<'s>,
    ) -> Option<Value> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let mut found = None;
        for at in &index.embedded {
            let part = self.field_value(used, *at);
            if let Kind::Structure(inner) = part.kind {
                let inside = self.own(inner, name, expr, Seen::All);
                found = found.or(inside.map(|value| value.or_absent(part.absent)));
            }
        }
        self.depth -= 1;
        found
    }

    fn param(&mut self, used: UseId, at: usize) -> Value {
        Value::of(match self.type_of(used).params[at].kind {
            ParamType::Int => Kind::Int(Interval::new(-(1 << 63), (1 << 64) - 1)),
            ParamType::Float => Kind::Float,
            ParamType::Bool => Kind::Bool,
            ParamType::Text => Kind::Text,
            ParamType::Bytes => Kind::Bytes,
            ParamType::Enum(id) => Kind::Enum(id, Interval::new(-(1 << 63), (1 << 64) - 1)),
            ParamType::Structure => Kind::Unknown,
        })
    }

    /// Returns the value of a register.
    pub(super) fn register(&mut self, name: &str) -> Option<Value> {
        let id = self.names.register(name)?;
        let register = self.schema.registers.get(id.index())?;
        let kind = match &register.kind {
            RegisterType::Scalar(scalar) => of_scalar(scalar).map_or(Kind::Float, Kind::Int),
            RegisterType::Int => Kind::Int(Interval::ANY),
            RegisterType::Row(table) => Kind::Row(*table),
        };
        let absent = register.initial.is_none();
        Some(Value { kind, absent })
    }

    fn unknown_name(&mut self, name: &str, expr: &Expr, site: &Site) {
        if self.quiet > 0 {
            return;
        }
        let message = format!("cannot find `{name}` in this scope");
        let mut diagnostic = Diagnostic::error(Code::UnknownName, expr.span, message);
        if !self.out.is_full() {
            let known = self.known_names(site.used);
            let help = did_you_mean(name, known.iter().map(String::as_str));
            let help = help.or_else(|| self.found_elsewhere(name, site.used));
            let help = help.or_else(|| listed(&known));
            diagnostic = diagnostic.maybe_help(help);
        }
        self.push(diagnostic);
    }

    /// Returns a suggestion if a field with the name exists in a part of the type, or in the type
    /// that encloses it.
    fn found_elsewhere(&mut self, name: &str, used: UseId) -> Option<String> {
        let index = self.index(self.uses.get(used).type_id);
        let mut fields: Vec<_> = index.fields.iter().take(MOST_SEARCHED).collect();
        fields.sort_unstable();
        for (field, at) in fields {
            if let Kind::Structure(inner) = self.field_value(used, *at).kind
                && self.index(self.uses.get(inner).type_id).has(name)
            {
                return Some(format!(
                    "the part `{field}` has a field of this name: `{field}.{name}`"
                ));
            }
        }
        let Parent::Known(parent) = self.uses.get(used).parent else {
            return None;
        };
        let index = self.index(self.uses.get(parent).type_id);
        let has = index.fields.contains_key(name) || index.instances.contains_key(name);
        has.then(|| format!("the enclosing type has a field of this name: `_parent.{name}`"))
    }

    /// Returns the names that are visible in a use of a type, for suggestions.
    pub(super) fn known_names(&mut self, used: UseId) -> Vec<String> {
        let index = self.index(self.uses.get(used).type_id);
        let mut known: Vec<String> = index
            .fields
            .keys()
            .chain(index.params.keys())
            .chain(index.instances.keys())
            .map(|name| (*name).to_owned())
            .collect();
        for at in index.embedded.clone() {
            if let Kind::Structure(inner) = self.field_value(used, at).kind {
                let inner = self.index(self.uses.get(inner).type_id);
                known.extend(inner.fields.keys().map(|name| (*name).to_owned()));
            }
        }
        known.extend(self.schema.registers.iter().map(|r| r.name.clone()));
        known.extend(self.schema.tables.iter().map(|t| t.name.clone()));
        known.sort();
        known
    }
}

/// Returns a help message that lists the first few visible names, or `None` if there are none.
fn listed(known: &[String]) -> Option<String> {
    let shown = known.iter().take(MOST_LISTED);
    let names: Vec<String> = shown.map(|name| format!("`{name}`")).collect();
    let more = match known.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty()).then(|| format!("names in scope: {}{more}", names.join(", ")))
}

/// Combines the values of two fields that have the same name and are never both present.
fn joined(first: Value, second: Value) -> Value {
    let absent = first.absent && second.absent;
    let kind = first.kind.join(second.kind).unwrap_or(Kind::Unknown);
    Value { kind, absent }
}
