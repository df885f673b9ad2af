//! Evaluates names that do not refer to a field of the element in scope: names of surrounding
//! elements and names of values that the description computes.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Count, Extent, Kind, OpId, Plan, StreamRef};
use tracegauge_spec::expression::{Expr, ExprKind};
use tracegauge_spec::schema::{FieldRole, Position, Type, TypeBody, TypeId, TypeRef};

use super::evaluate::{Answer, Evaluator, Found, QueryError, Scope, fail, truth};

/// The value of an expression, and the node that the expression refers to, if any.
type Located = Result<(Found, Option<NodeId>), QueryError>;

impl Evaluator<'_> {
    /// Returns the parent of the node `id`, or `None` for the root.
    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = *self.parents.get(id as usize)?;
        (id != 0).then_some(parent)
    }

    /// Returns the structure whose fields are in scope at `id`: the node itself, or the nearest
    /// structure that contains it.
    pub(super) fn structure(&self, id: NodeId) -> NodeId {
        let mut at = id;
        while !matches!(self.kind(at), Kind::Structure) {
            match self.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        at
    }

    pub(super) fn kind(&self, id: NodeId) -> &Kind {
        &self.plan.op(self.tree.node(id).op).kind
    }

    /// Returns the structure that contains the node `id`.
    pub(super) fn outer(&self, id: NodeId) -> Option<NodeId> {
        self.parent(id).map(|parent| self.structure(parent))
    }

    /// Returns the index of the list element that is `id` or contains `id`.
    pub(super) fn number(&self, id: NodeId) -> Option<usize> {
        let (mut at, mut around) = (id, self.parent(id)?);
        while !matches!(self.kind(around), Kind::Repeat(_)) {
            (at, around) = (around, self.parent(around)?);
        }
        self.tree.children(around).position(|child| child == at)
    }

    /// Returns the list element before the element that is `id` or contains `id`.
    pub(super) fn previous(&self, id: NodeId) -> Option<NodeId> {
        let (mut at, mut around) = (id, self.parent(id)?);
        while !matches!(self.kind(around), Kind::Repeat(_)) {
            (at, around) = (around, self.parent(around)?);
        }
        self.tree
            .children(around)
            .take_while(|child| *child < at)
            .last()
    }

    /// Returns the stream that the node `id` is read from.
    pub(super) fn stream(&self, id: NodeId) -> Found {
        let mut at = Some(id);
        while let Some(node) = at {
            match self.kind(node) {
                Kind::Sized(_) => {
                    let span = self.tree.node(node).span;
                    return Found::Stream(span.start, span.end);
                }
                Kind::At(index) => match self.plan.locations[*index].stream {
                    StreamRef::File => break,
                    StreamRef::Part(..) | StreamRef::Around(_) => {}
                },
                _ => {}
            }
            at = self.parent(node);
        }
        let ends = self.tree.nodes.iter().map(|node| node.span.end);
        Found::Stream(0, ends.max().unwrap_or(0))
    }

    /// Returns the type of a structure.
    pub(super) fn type_of(&self, id: NodeId) -> Option<&Type> {
        self.schema.types.get(self.type_id_of(id)?.index())
    }

    /// Returns the ID of the type of a structure.
    pub(super) fn type_id_of(&self, id: NodeId) -> Option<TypeId> {
        let name = self.plan.info(self.tree.node(id).op).type_name?;
        let name = self.plan.name(name);
        let mut types = self.schema.types.iter();
        types
            .position(|described| described.name == name)
            .map(TypeId::from)
    }

    /// Evaluates a name that the description declares for the structure `scope` but that has no
    /// node in the tree.
    pub(super) fn declared(&self, name: &str, scope: NodeId) -> Option<Answer> {
        let described = self.type_of(scope)?;
        let instance = described.instances.iter().find(|known| known.id == name);
        if let Some(instance) = instance {
            let Position::Computed {
                value, condition, ..
            } = &instance.position
            else {
                return Some(Ok(Found::Absent));
            };
            return Some(self.computed((name, value), condition.as_ref(), Scope::of(scope)));
        }
        let place = described.params.iter().position(|param| param.name == name);
        if let Some(place) = place {
            return Some(self.argument(scope, place, name));
        }
        let TypeBody::Structure(fields) = &described.body else {
            return None;
        };
        let field = fields.iter().any(|field| field.id.as_deref() == Some(name));
        field.then_some(Ok(Found::Absent))
    }

    fn computed(
        &self,
        (name, value): (&str, &Expr),
        condition: Option<&Expr>,
        scope: Scope,
    ) -> Answer {
        self.work.once((name, value), scope, || {
            let there = condition.map_or(Ok(Found::Bool(true)), |expr| self.operand(expr, scope));
            match there {
                Ok(found) if truth(&found) => self.operand(value, scope),
                Ok(_) => Ok(Found::Absent),
                error => error,
            }
        })
    }

    /// Returns the value of a parameter of a structure.
    fn argument(&self, scope: NodeId, place: usize, name: &str) -> Answer {
        let schema = self.schema;
        let Some(outer) = self.outer(scope) else {
            let mut dialects = schema.dialects.iter();
            let dialect = dialects.find(|dialect| dialect.id == self.plan.format);
            let mut bound = dialect.into_iter().flat_map(|dialect| &dialect.bindings);
            return match bound.find(|(known, _)| known == name) {
                Some((_, value)) => self.operand(value, Scope::of(scope)),
                None => Ok(Found::Absent),
            };
        };
        let seen = Scope {
            node: outer,
            from: scope,
        };
        let wanted = self.type_of(scope).map(|described| described.name.as_str());
        let field = self.field_around(scope, outer);
        let given = field.and_then(|field| match self.used_as(field, wanted, seen) {
            Some(TypeRef::Named { arguments, .. }) => arguments.get(place),
            _ => None,
        });
        match given {
            Some(argument) => self.computed((name, argument), None, seen),
            None => Ok(Found::Absent),
        }
    }

    /// Returns the declaration of the field of `outer` that is, or contains, the node `inside`.
    fn field_around(&self, inside: NodeId, outer: NodeId) -> Option<&TypeRef> {
        let described = self.type_of(outer)?;
        let mut at = inside;
        while at != outer {
            if let Some(label) = self.plan.info(self.tree.node(at).op).label {
                let label = self.plan.name(label);
                return field_named(described, label);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// Finds the use of the type `wanted` in a field, including the cases of a switch.
    fn used_as<'s>(
        &'s self,
        target: &'s TypeRef,
        wanted: Option<&str>,
        scope: Scope,
    ) -> Option<&'s TypeRef> {
        match target {
            TypeRef::Named { id, .. } => {
                let name = self.schema.types[id.index()].name.as_str();
                (Some(name) == wanted).then_some(target)
            }
            TypeRef::Switch { on, cases, .. } => {
                let on = self.operand(on, scope).ok()?;
                let taken = cases.iter().find(|case| match &case.label {
                    Some(label) => self
                        .operand(label, scope)
                        .is_ok_and(|label| self.equal(&label, &on)),
                    None => true,
                });
                self.used_as(&taken?.target, wanted, scope)
            }
            _ => None,
        }
    }

    /// Evaluates an expression. Also returns the node that the expression refers to, if any.
    pub(super) fn located(&self, expr: &Expr, scope: Scope) -> Located {
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::This => {
                let value = self.operand(expr, scope)?;
                Ok((value, self.node_of(expr, scope)))
            }
            ExprKind::Member { base, name } => {
                let inner = self.work.operation(|| self.located(base, scope))?;
                self.located_member(base, inner, name)
            }
            ExprKind::Index { base, index } => {
                let (base, _) = self.work.operation(|| self.located(base, scope))?;
                let index = self.operand(index, scope)?;
                let value = self.index(&base, &index)?;
                let node = match (base, index) {
                    (Found::Node(list), Found::Int(index)) => usize::try_from(index)
                        .ok()
                        .and_then(|index| self.tree.children(list).nth(index)),
                    _ => None,
                };
                Ok((value, node))
            }
            _ => Ok((self.operand(expr, scope)?, None)),
        }
    }

    fn located_member(
        &self,
        base: &Expr,
        (value, node): (Found, Option<NodeId>),
        name: &str,
    ) -> Located {
        if let Some(found) = self.of_node(&value, node, name) {
            return Ok((found, None));
        }
        let Found::Node(id) = value else {
            return Ok((self.member(&value, name)?, None));
        };
        let is_around =
            matches!(&base.kind, ExprKind::Name(name) if name == "_root" || name == "_parent");
        // A field that `_root` or `_parent` does not have is an error rather than absent.
        let found = match is_around {
            true => self.of_element(id, name)?,
            false => self.member(&value, name)?,
        };
        Ok((found, self.child(id, name)))
    }

    /// Evaluates a property of a field rather than of its value: the extent of the field, or one of
    /// its flags.
    fn of_node(&self, value: &Found, node: Option<NodeId>, name: &str) -> Option<Found> {
        let asks_extent = matches!(name, "_sizeof" | "_start" | "_end");
        let Some(node) = node else {
            // An absent field has a size of zero and no offsets.
            return (*value == Found::Absent && name == "_sizeof").then_some(Found::Int(0));
        };
        if asks_extent {
            return self.extent(name, node);
        }
        let set = self.plan.info(self.tree.node(node).op).presentation.flags?;
        let bits = &self.plan.flag_sets[set].bits;
        let (_, mask) = bits.iter().find(|(known, _)| known == name)?;
        match value {
            Found::Int(value) => Some(Found::Bool(value & i128::from(*mask) != 0)),
            _ => None,
        }
    }

    /// Returns the node that a name refers to, if any.
    fn node_of(&self, expr: &Expr, scope: Scope) -> Option<NodeId> {
        match &expr.kind {
            ExprKind::Name(name) => match name.as_str() {
                "_root" => Some(0),
                "_" => Some(scope.node),
                "_parent" => self.outer(self.structure(scope.node)),
                name => self.child(scope.node, name),
            },
            ExprKind::This => Some(scope.node),
            _ => None,
        }
    }

    /// Evaluates `sizeof<type>` for a fixed-size type.
    pub(super) fn size_of_type(&self, name: &str) -> Answer {
        if let Some(size) = number_size(name) {
            return Ok(Found::Int(size));
        }
        let inner = format!("::{name}");
        let called = |op: &OpId| {
            let known = self.plan.info(*op).type_name;
            known.is_some_and(|known| {
                let known = self.plan.name(known);
                known == name || known.ends_with(&inner)
            })
        };
        let ops = (0..u32::try_from(self.plan.ops.len()).unwrap_or(0)).map(OpId);
        let size = ops.filter(called).find_map(|op| fixed(self.plan, op));
        match size {
            Some(size) => Ok(Found::Int(i128::from(size))),
            None => fail(format!("`{name}` is not a fixed-size type")),
        }
    }
}

fn field_named<'s>(described: &'s Type, name: &str) -> Option<&'s TypeRef> {
    let TypeBody::Structure(fields) = &described.body else {
        return None;
    };
    let field = fields
        .iter()
        .find(|field| field.id.as_deref() == Some(name));
    if let Some(FieldRole::Wire(source)) = field.map(|field| &field.role) {
        return Some(&source.target);
    }
    let instance = described.instances.iter().find(|known| known.id == name);
    match instance.map(|instance| &instance.position) {
        Some(Position::At { source, .. }) => Some(&source.target),
        _ => None,
    }
}

/// Returns the number of bytes that an operation reads, if the number is constant.
fn fixed(plan: &Plan, id: OpId) -> Option<u64> {
    use tracegauge_plan::flags;
    let op = plan.op(id);
    if op.flags & (flags::GUARD | flags::OPTIONAL_REST) != 0 {
        return None;
    }
    match &op.kind {
        Kind::Structure => plan.children(id).map(|child| fixed(plan, child)).sum(),
        Kind::Repeat(repeat) => {
            let Count::Computed(code) = plan.repeats[*repeat].count else {
                return None;
            };
            let tracegauge_plan::Code::Int(count) = plan.codes[code.index()] else {
                return None;
            };
            let each = plan
                .children(id)
                .map(|child| fixed(plan, child))
                .sum::<Option<u64>>()?;
            each.checked_mul(u64::try_from(count).ok()?)
        }
        Kind::Text(Extent::Fixed(size), _) | Kind::Bytes(Extent::Fixed(size)) => Some(*size),
        Kind::Sized(Extent::Fixed(size)) => Some(*size),
        Kind::Integer(_)
        | Kind::Float { .. }
        | Kind::BitRun { .. }
        | Kind::Guid(_)
        | Kind::Contents(_)
        | Kind::Check
        | Kind::At(_)
        | Kind::Bind(_) => Some(plan.info(id).least),
        _ => None,
    }
}

/// Returns the size in bytes of a number type, given by its Kaitai name.
fn number_size(name: &str) -> Option<i128> {
    let plain = name.trim_end_matches("le").trim_end_matches("be");
    let (kind, width) = plain.split_at_checked(1)?;
    let width: i128 = width.parse().ok()?;
    match kind {
        "u" | "s" | "f" if matches!(width, 1 | 2 | 4 | 8) => Some(width),
        "b" if (1..=64).contains(&width) => Some((width + 7) / 8),
        _ => None,
    }
}
