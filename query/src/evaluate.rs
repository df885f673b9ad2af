//! Evaluates expressions of the description language over a decoded tree.

use std::fmt;

use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::{Kind, Plan};
use tracegauge_spec::expression::{Expr, ExprKind};
use tracegauge_spec::schema::Schema;

use super::arithmetic::{binary, extreme, unary};
use super::work::Work;
use super::{Leaf, leaf};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// No value.
    Absent,
    /// A node of the tree.
    Node(NodeId),
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
    /// A Boolean value.
    Bool(bool),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Found>),
    /// A stream: the offset of its first byte, and the offset after its last byte.
    Stream(u64, u64),
}

/// The position in the tree where an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The element whose fields are in scope.
    pub node: NodeId,
    /// The element whose position determines the values of `_index`, `_prev` and `_io`.
    pub from: NodeId,
}

impl Scope {
    /// Returns the scope that takes both the fields and the position from `node`.
    pub fn of(node: NodeId) -> Self {
        Self { node, from: node }
    }
}

/// The reason why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError(pub String);

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for QueryError {}

/// Evaluates expressions over a single tree.
///
/// The decoder has its own evaluator, which remembers only the parts of a trace needed by the
/// expressions in a description. Expressions evaluated here may refer to any decoded value.
pub struct Evaluator<'a> {
    pub(super) plan: &'a Plan,
    /// The declarations of instances and parameters, which a plan does not keep by name.
    pub(super) schema: &'a Schema,
    pub(super) tree: &'a Tree,
    /// The parent of each node.
    pub(super) parents: Vec<NodeId>,
    pub(super) work: Work,
}

/// The value of an expression, or the reason why it has none.
pub type Answer = Result<Found, QueryError>;

pub(super) fn fail(message: impl Into<String>) -> Answer {
    refuse(message)
}

pub(super) fn refuse<T>(message: impl Into<String>) -> Result<T, QueryError> {
    Err(QueryError(message.into()))
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator for a non-empty tree.
    pub fn new(plan: &'a Plan, schema: &'a Schema, tree: &'a Tree) -> Self {
        let mut parents = vec![0; tree.nodes.len()];
        for id in 0..u32::try_from(tree.nodes.len()).unwrap_or(0) {
            for child in tree.children(id) {
                parents[child as usize] = id;
            }
        }
        Self {
            plan,
            schema,
            tree,
            parents,
            work: Work::default(),
        }
    }

    /// Evaluates `expr` in `scope`.
    ///
    /// # Errors
    /// Returns an error if a name is unknown, a value has the wrong type, or the evaluation takes
    /// too many operations.
    pub fn evaluate(&self, expr: &Expr, scope: Scope) -> Answer {
        self.work.whole(|| self.operand(expr, scope))
    }

    /// Evaluates a part of an expression.
    pub(super) fn operand(&self, expr: &Expr, scope: Scope) -> Answer {
        self.work.operation(|| self.operation(expr, scope))
    }

    fn operation(&self, expr: &Expr, scope: Scope) -> Answer {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Found::Int(*value)),
            ExprKind::Float(value) => Ok(Found::Float(*value)),
            ExprKind::Bool(value) => Ok(Found::Bool(*value)),
            ExprKind::Text(text) => Ok(Found::Text(text.clone())),
            ExprKind::Absent => Ok(Found::Absent),
            ExprKind::This => Ok(self.value(scope.node)),
            ExprKind::Name(name) => self.name(name, scope),
            ExprKind::Member { .. } | ExprKind::Index { .. } => Ok(self.located(expr, scope)?.0),
            ExprKind::Method {
                base,
                name,
                arguments,
            } => {
                let base = self.operand(base, scope)?;
                self.method(&base, name, arguments, scope)
            }
            ExprKind::Call { name, arguments } => self.call(name, arguments, scope),
            ExprKind::List(items) => {
                let items: Result<Vec<Found>, _> =
                    items.iter().map(|item| self.operand(item, scope)).collect();
                Ok(Found::List(items?))
            }
            ExprKind::EnumMember { path, member } => self.member_of_enum(path, member, scope),
            ExprKind::Unary { operator, operand } => {
                unary(*operator, self.operand(operand, scope)?)
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let left = self.operand(left, scope)?;
                match operator {
                    BinaryOperator::And if !truth(&left) => return Ok(Found::Bool(false)),
                    BinaryOperator::Or if truth(&left) => return Ok(Found::Bool(true)),
                    _ => {}
                }
                let right = self.operand(right, scope)?;
                self.binary(*operator, left, right)
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let taken = if truth(&self.operand(condition, scope)?) {
                    then
                } else {
                    otherwise
                };
                self.operand(taken, scope)
            }
            ExprKind::Else { first, second } => match self.operand(first, scope)? {
                Found::Absent => self.operand(second, scope),
                found => Ok(found),
            },
            ExprKind::IsPresent(inner) => {
                Ok(Found::Bool(self.operand(inner, scope)? != Found::Absent))
            }
            ExprKind::Cast { base, .. } => self.operand(base, scope),
            ExprKind::SizeOfType(name) => self.size_of_type(name),
        }
    }

    fn binary(&self, operator: BinaryOperator, left: Found, right: Found) -> Answer {
        match operator {
            BinaryOperator::Equal => Ok(Found::Bool(self.equal(&left, &right))),
            BinaryOperator::NotEqual => Ok(Found::Bool(!self.equal(&left, &right))),
            _ => self.work.copy(binary(operator, left, right)?),
        }
    }

    fn name(&self, name: &str, scope: Scope) -> Answer {
        let index = |number: usize| Found::Int(i128::try_from(number).unwrap_or_default());
        match name {
            "_root" => return Ok(Found::Node(0)),
            "_" => return Ok(self.value(scope.node)),
            "_parent" => {
                let outer = self.outer(self.structure(scope.node));
                return outer.map_or_else(
                    || fail("the root has no `_parent`"),
                    |id| Ok(Found::Node(id)),
                );
            }
            "_io" => return Ok(self.stream(scope.from)),
            "_index" => return Ok(self.number(scope.from).map_or(Found::Absent, index)),
            "_prev" => {
                let previous = self.previous(scope.from);
                return Ok(previous.map_or(Found::Absent, |id| self.value(id)));
            }
            _ => {}
        }
        if let Some(answer) = self.extent(name, scope.node) {
            return Ok(answer);
        }
        if let Some(found) = self.child(scope.node, name) {
            return Ok(self.value(found));
        }
        if let Some(answer) = self.declared(name, scope.node) {
            return answer;
        }
        if self.plan.registers.iter().any(|known| known.name == name) || name == "state" {
            return fail(format!(
                "`{name}` exists only while a trace is being decoded"
            ));
        }
        if self.plan.tables.iter().any(|known| known.name == name) {
            return fail(format!(
                "the rows of the table `{name}` exist only while a trace is being decoded"
            ));
        }
        if scope.node != 0 {
            return fail(format!("this element has no member `{name}`"));
        }
        let known = self.names(0).join(", ");
        fail(format!("the root has no `{name}`; known names: {known}"))
    }

    /// Evaluates a field of an element. The field may be in the tree or only declared in the
    /// description.
    pub(super) fn of_element(&self, id: NodeId, name: &str) -> Answer {
        self.name(name, Scope::of(id))
    }

    pub(super) fn extent(&self, name: &str, id: NodeId) -> Option<Found> {
        let span = self.tree.node(id).span;
        let number = match name {
            "_start" => span.start,
            "_end" => span.end,
            "_sizeof" => span.end - span.start,
            _ => return None,
        };
        Some(Found::Int(i128::from(number)))
    }

    /// Returns the field `name` of the node `id`. Child nodes without a name are also searched.
    pub(super) fn child(&self, id: NodeId, name: &str) -> Option<NodeId> {
        for child in self.tree.children(id) {
            let info = self.plan.info(self.tree.node(child).op);
            if info
                .label
                .is_some_and(|label| self.plan.name(label) == name)
            {
                return Some(child);
            }
            let transparent = info.label.is_none() || info.name.is_none();
            if transparent && let Some(found) = self.child(child, name) {
                return Some(found);
            }
        }
        self.described(id, name)
    }

    /// Returns the field `name` if the trace itself, rather than the description, defines this
    /// field.
    fn described(&self, id: NodeId, name: &str) -> Option<NodeId> {
        let Payload::Layout(index) = self.tree.node(id).payload else {
            return None;
        };
        let layout = self.tree.layouts.get(index as usize)?;
        let number = layout
            .names
            .iter()
            .position(|known| **known == *name.as_bytes())?;
        let fields = self.tree.described(id);
        let found = fields.iter().rfind(|(field, _)| *field == number)?;
        Some(found.1)
    }

    fn names(&self, id: NodeId) -> Vec<String> {
        let children = self.tree.children(id);
        let labels = children.filter_map(|child| self.plan.info(self.tree.node(child).op).label);
        labels
            .map(|label| self.plan.name(label).to_owned())
            .collect()
    }

    /// Returns the value of a node, or the node itself if it has no value.
    pub(super) fn value(&self, id: NodeId) -> Found {
        match leaf(self.plan, self.tree, id) {
            Some(Leaf::Int(value)) if self.is_truth(id) => Found::Bool(value != 0),
            Some(Leaf::Int(value)) => Found::Int(value),
            Some(Leaf::Float(bits, 4)) => Found::Float(f64::from(f32::from_bits(
                u32::try_from(bits).unwrap_or_default(),
            ))),
            Some(Leaf::Float(bits, _)) => Found::Float(f64::from_bits(bits)),
            Some(Leaf::Text(text)) => Found::Text(text),
            Some(Leaf::Bytes(bytes)) => Found::Bytes(bytes),
            None => match self.stands_for(id) {
                Some(inside) => self.value(inside),
                None => Found::Node(id),
            },
        }
    }

    /// Returns true if a node is a Boolean. As in Kaitai, one-bit fields are Booleans.
    fn is_truth(&self, id: NodeId) -> bool {
        let op = self.tree.node(id).op;
        let named = self.plan.info(op).presentation.enumeration.is_some();
        matches!(self.plan.op(op).kind, Kind::Bits { width: 1, .. }) && !named
    }

    fn stands_for(&self, id: NodeId) -> Option<NodeId> {
        let node = self.tree.node(id);
        match self.plan.op(node.op).kind {
            Kind::Switch(_) | Kind::Sized(_) | Kind::Call(_) | Kind::At(_) => {
                self.tree.children(id).next()
            }
            Kind::Structure if self.plan.info(node.op).presentation.transparent => {
                self.tree.children(id).find(|child| {
                    let info = self.plan.info(self.tree.node(*child).op);
                    info.name.is_none() && info.label.is_some()
                })
            }
            _ => None,
        }
    }

    pub(super) fn member(&self, base: &Found, name: &str) -> Answer {
        if let Some(answer) = self.value_member(base, name) {
            return answer;
        }
        let Found::Node(id) = *base else {
            return self.no_member(base, name);
        };
        match name {
            "_root" | "_parent" | "_io" | "_index" | "_prev" => {
                return self.name(name, Scope::of(id));
            }
            _ => {}
        }
        if let Some(answer) = self.extent(name, id) {
            return Ok(answer);
        }
        match self.child(id, name) {
            Some(found) => Ok(self.value(found)),
            // The field belongs to another case of a switch, or its condition does not hold.
            None => self.declared(name, id).unwrap_or(Ok(Found::Absent)),
        }
    }

    fn call(&self, name: &str, arguments: &[Expr], scope: Scope) -> Answer {
        let values: Result<Vec<Found>, _> = arguments
            .iter()
            .map(|argument| self.operand(argument, scope))
            .collect();
        match name {
            "min" | "max" => extreme(&values?, name == "max"),
            _ => fail(format!("unknown function `{name}`")),
        }
    }

    fn member_of_enum(&self, path: &[String], member: &str, scope: Scope) -> Answer {
        let wanted = path.join("::");
        let inside = self.type_id_of(scope.node).unwrap_or(self.schema.root);
        let set = self.schema.enumeration(path, inside);
        let set = set.map(|set| &self.plan.enums[set]).or_else(|| {
            // A query may name an enumeration of any type.
            let suffix = format!("::{wanted}");
            self.plan
                .enums
                .iter()
                .find(|set| set.name.ends_with(&suffix))
        });
        let value = set.and_then(|set| set.members.iter().find(|known| known.name == member));
        match value {
            Some(value) => Ok(Found::Int(value.value)),
            None => fail(format!("unknown enumeration member `{wanted}::{member}`")),
        }
    }
}

pub(super) fn truth(found: &Found) -> bool {
    match found {
        Found::Bool(value) => *value,
        Found::Int(value) => *value != 0,
        Found::Absent => false,
        _ => true,
    }
}
