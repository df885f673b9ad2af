//! Expressions of the language over a decoded tree.

use std::fmt;

use serde_json::{Map, Value as Json, json};
use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_spec::expression::{BinaryOperator, Expr, ExprKind, UnaryOperator};
use tracegauge_spec::plan::{Kind, Plan};

use super::{Leaf, leaf, meaning};

/// A value of an expression.
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
    /// A truth value.
    Bool(bool),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Found>),
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError(pub String);

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for QueryError {}

/// Evaluates expressions over one tree.
#[derive(Clone, Copy)]
pub struct Evaluator<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The tree.
    pub tree: &'a Tree,
}

type Answer = Result<Found, QueryError>;

fn fail(message: impl Into<String>) -> Answer {
    Err(QueryError(message.into()))
}

impl Evaluator<'_> {
    /// The value of `expr`, names seen from `scope`.
    ///
    /// # Errors
    /// A name is unknown, or a value is of the wrong kind.
    pub fn evaluate(&self, expr: &Expr, scope: NodeId) -> Answer {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Found::Int(*value)),
            ExprKind::Float(value) => Ok(Found::Float(*value)),
            ExprKind::Bool(value) => Ok(Found::Bool(*value)),
            ExprKind::Text(text) => Ok(Found::Text(text.clone())),
            ExprKind::Absent => Ok(Found::Absent),
            ExprKind::This => Ok(self.value(scope)),
            ExprKind::Name(name) => self.name(name, scope),
            ExprKind::Member { base, name } => {
                let base = self.evaluate(base, scope)?;
                self.member(base, name)
            }
            ExprKind::Index { base, index } => {
                let (base, index) = (self.evaluate(base, scope)?, self.evaluate(index, scope)?);
                self.index(base, &index)
            }
            ExprKind::Method {
                base,
                name,
                arguments,
            } => {
                let base = self.evaluate(base, scope)?;
                self.method(base, name, arguments, scope)
            }
            ExprKind::Call { name, arguments } => self.call(name, arguments, scope),
            ExprKind::List(items) => {
                let items: Result<Vec<Found>, _> = items
                    .iter()
                    .map(|item| self.evaluate(item, scope))
                    .collect();
                Ok(Found::List(items?))
            }
            ExprKind::EnumMember { path, member } => self.member_of_enum(path, member),
            ExprKind::Unary { operator, operand } => {
                unary(*operator, self.evaluate(operand, scope)?)
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let left = self.evaluate(left, scope)?;
                match operator {
                    BinaryOperator::And if !truth(&left) => return Ok(Found::Bool(false)),
                    BinaryOperator::Or if truth(&left) => return Ok(Found::Bool(true)),
                    _ => {}
                }
                binary(*operator, left, self.evaluate(right, scope)?)
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let taken = if truth(&self.evaluate(condition, scope)?) {
                    then
                } else {
                    otherwise
                };
                self.evaluate(taken, scope)
            }
            ExprKind::Else { first, second } => match self.evaluate(first, scope)? {
                Found::Absent => self.evaluate(second, scope),
                found => Ok(found),
            },
            ExprKind::IsPresent(inner) => {
                Ok(Found::Bool(self.evaluate(inner, scope)? != Found::Absent))
            }
            ExprKind::Cast { base, .. } => self.evaluate(base, scope),
            ExprKind::SizeOfType(_) => fail("`sizeof<…>` is not known of a trace"),
        }
    }

    fn name(&self, name: &str, scope: NodeId) -> Answer {
        if name == "_root" {
            return Ok(Found::Node(0));
        }
        if let Some(answer) = self.extent(name, scope) {
            return Ok(answer);
        }
        match self.child(scope, name) {
            Some(found) => Ok(self.value(found)),
            None if scope != 0 => fail(format!("there is no `{name}` in this element")),
            None => {
                let known = self.names(scope).join(", ");
                fail(format!(
                    "there is no `{name}` at the root; there are {known}"
                ))
            }
        }
    }

    fn extent(&self, name: &str, id: NodeId) -> Option<Found> {
        let span = self.tree.node(id).span;
        let number = match name {
            "_start" => span.start,
            "_end" => span.end,
            "_sizeof" => span.end - span.start,
            _ => return None,
        };
        Some(Found::Int(i128::from(number)))
    }

    /// The field called `name`, through everything that has no name.
    fn child(&self, id: NodeId, name: &str) -> Option<NodeId> {
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

    /// A field that the trace itself names.
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

    /// A node, or the value that it is or stands for.
    fn value(&self, id: NodeId) -> Found {
        match leaf(self.plan, self.tree, id) {
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

    fn stands_for(&self, id: NodeId) -> Option<NodeId> {
        let node = self.tree.node(id);
        match self.plan.op(node.op).kind {
            Kind::Switch(_) | Kind::Sized(_) | Kind::Call(_) => self.tree.children(id).next(),
            Kind::Structure if self.plan.info(node.op).presentation.transparent => {
                self.tree.children(id).find(|child| {
                    let info = self.plan.info(self.tree.node(*child).op);
                    info.name.is_none() && info.label.is_some()
                })
            }
            _ => None,
        }
    }

    fn elements(&self, found: &Found) -> Option<Vec<Found>> {
        match found {
            Found::List(items) => Some(items.clone()),
            Found::Node(id) => {
                let kind = &self.plan.op(self.tree.node(*id).op).kind;
                matches!(kind, Kind::Repeat(_) | Kind::Layout(_)).then(|| {
                    self.tree
                        .children(*id)
                        .map(|child| self.value(child))
                        .collect()
                })
            }
            _ => None,
        }
    }

    fn member(&self, base: Found, name: &str) -> Answer {
        let length = |count: usize| Ok(Found::Int(i128::try_from(count).unwrap_or_default()));
        match (&base, name) {
            (Found::Absent, _) => return Ok(Found::Absent),
            (Found::Text(text), "length") => return length(text.chars().count()),
            (Found::Text(text), "size") => return length(text.len()),
            (Found::Bytes(bytes), "length" | "size") => return length(bytes.len()),
            (Found::Int(value), "to_s") => return Ok(Found::Text(value.to_string())),
            _ => {}
        }
        if let Some(items) = self.elements(&base) {
            match name {
                "size" | "length" => return length(items.len()),
                "first" => return Ok(items.first().cloned().unwrap_or(Found::Absent)),
                "last" => return Ok(items.last().cloned().unwrap_or(Found::Absent)),
                "min" | "max" => return extreme(&items, name == "max"),
                _ => {}
            }
        }
        let Found::Node(id) = base else {
            return fail(format!("a value has no `{name}`"));
        };
        if let Some(answer) = self.extent(name, id) {
            return Ok(answer);
        }
        match self.child(id, name) {
            Some(found) => Ok(self.value(found)),
            // Another arm of a switch, or a field whose condition does not hold.
            None => Ok(Found::Absent),
        }
    }

    fn index(&self, base: Found, index: &Found) -> Answer {
        let Found::Int(number) = index else {
            return fail("an index is an integer");
        };
        let Some(items) = self.elements(&base) else {
            return fail("only lists have elements");
        };
        let item = usize::try_from(*number)
            .ok()
            .and_then(|number| items.get(number));
        match item {
            Some(item) => Ok(item.clone()),
            None => fail(format!(
                "there are {} elements, none has the number {number}",
                items.len()
            )),
        }
    }

    fn method(&self, base: Found, name: &str, arguments: &[Expr], scope: NodeId) -> Answer {
        let Some(items) = self.elements(&base) else {
            return fail(format!("`{name}` is for lists"));
        };
        match (name, arguments) {
            ("at", [index]) => {
                let index = self.evaluate(index, scope)?;
                self.index(base, &index)
            }
            ("find" | "all", [field, wanted]) => {
                let wanted = self.evaluate(wanted, scope)?;
                let mut found = Vec::new();
                for item in items {
                    if self.of(&item, field)? == wanted {
                        found.push(item);
                    }
                }
                match name {
                    "find" => Ok(found.into_iter().next().unwrap_or(Found::Absent)),
                    _ => Ok(Found::List(found)),
                }
            }
            ("min" | "max" | "map", [field]) => {
                let values: Result<Vec<Found>, _> =
                    items.iter().map(|item| self.of(item, field)).collect();
                let values = values?;
                if name == "map" {
                    Ok(Found::List(values))
                } else {
                    extreme(&values, name == "max")
                }
            }
            _ => fail(format!(
                "lists have no `{name}` with {} arguments",
                arguments.len()
            )),
        }
    }

    /// An expression seen from an element.
    fn of(&self, item: &Found, expr: &Expr) -> Answer {
        match item {
            Found::Node(id) => match self.evaluate(expr, *id) {
                Err(_) => Ok(Found::Absent),
                found => found,
            },
            other => Ok(other.clone()),
        }
    }

    fn call(&self, name: &str, arguments: &[Expr], scope: NodeId) -> Answer {
        let values: Result<Vec<Found>, _> = arguments
            .iter()
            .map(|argument| self.evaluate(argument, scope))
            .collect();
        match name {
            "min" | "max" => extreme(&values?, name == "max"),
            _ => fail(format!("there is no function `{name}`")),
        }
    }

    fn member_of_enum(&self, path: &[String], member: &str) -> Answer {
        let wanted = path.join("::");
        let set = self
            .plan
            .enums
            .iter()
            .find(|set| set.name == wanted || set.name.ends_with(&format!("::{wanted}")));
        let value = set.and_then(|set| set.members.iter().find(|known| known.name == member));
        match value {
            Some(value) => Ok(Found::Int(value.value)),
            None => fail(format!("there is no `{wanted}::{member}`")),
        }
    }

    /// A value as JSON.
    pub fn json(&self, found: &Found) -> Json {
        match found {
            Found::Absent => Json::Null,
            Found::Int(value) => number(*value),
            Found::Float(value) => json!(value),
            Found::Bool(value) => json!(value),
            Found::Text(text) => json!(text),
            Found::Bytes(bytes) => json!({"hex": hex::encode(bytes)}),
            Found::List(items) => items.iter().map(|item| self.json(item)).collect(),
            Found::Node(id) => self.node_json(*id),
        }
    }

    fn node_json(&self, id: NodeId) -> Json {
        let node = self.tree.node(id);
        let children = || self.tree.children(id);
        if let Payload::Layout(index) = node.payload {
            let names = self
                .tree
                .layouts
                .get(index as usize)
                .map(|layout| &layout.names);
            let fields = self.tree.described(id);
            let pairs = fields.into_iter().map(|(number, child)| {
                let name = names.and_then(|names| names.get(number));
                let name = name.map(|name| String::from_utf8_lossy(name).into_owned());
                json!([name, self.json(&self.value(child))])
            });
            return pairs.collect();
        }
        if matches!(
            self.plan.op(node.op).kind,
            Kind::Repeat(_) | Kind::Nested(_)
        ) {
            return children()
                .map(|child| self.json(&self.value(child)))
                .collect();
        }
        let mut object = Map::new();
        self.members_json(id, &mut object);
        Json::Object(object)
    }

    fn members_json(&self, id: NodeId, object: &mut Map<String, Json>) {
        for child in self.tree.children(id) {
            let op = self.tree.node(child).op;
            match self.plan.info(op).label {
                None => self.members_json(child, object),
                Some(label) => {
                    let value = match self.value(child) {
                        Found::Int(number) => match meaning(self.plan, op, number) {
                            Some(name) => json!(name),
                            None => self.json(&Found::Int(number)),
                        },
                        other => self.json(&other),
                    };
                    object.insert(self.plan.name(label).to_owned(), value);
                }
            }
        }
    }
}

fn number(value: i128) -> Json {
    match i64::try_from(value) {
        Ok(small) if value.abs() < 1 << 53 => json!(small),
        _ => json!(value.to_string()),
    }
}

fn truth(found: &Found) -> bool {
    match found {
        Found::Bool(value) => *value,
        Found::Int(value) => *value != 0,
        Found::Absent => false,
        _ => true,
    }
}

fn extreme(items: &[Found], greatest: bool) -> Answer {
    let numbers: Vec<i128> = items
        .iter()
        .filter_map(|item| {
            if let Found::Int(value) = item {
                Some(*value)
            } else {
                None
            }
        })
        .collect();
    let found = if greatest {
        numbers.iter().max()
    } else {
        numbers.iter().min()
    };
    Ok(found.map_or(Found::Absent, |value| Found::Int(*value)))
}

fn unary(operator: UnaryOperator, operand: Found) -> Answer {
    match (operator, operand) {
        (UnaryOperator::Not, value) => Ok(Found::Bool(!truth(&value))),
        (UnaryOperator::Negate, Found::Int(value)) => match value.checked_neg() {
            Some(value) => Ok(Found::Int(value)),
            None => fail("the value is too large"),
        },
        (UnaryOperator::Negate, Found::Float(value)) => Ok(Found::Float(-value)),
        (UnaryOperator::Invert, Found::Int(value)) => Ok(Found::Int(!value)),
        _ => fail("the operator is for numbers"),
    }
}

fn binary(operator: BinaryOperator, left: Found, right: Found) -> Answer {
    use BinaryOperator as B;
    let (left, right) = (as_number(left), as_number(right));
    match operator {
        B::Equal => return Ok(Found::Bool(left == right)),
        B::NotEqual => return Ok(Found::Bool(left != right)),
        B::And | B::Or => return Ok(Found::Bool(truth(&right))),
        _ => {}
    }
    let result = match (operator, &left, &right) {
        (B::Add, Found::Text(a), Found::Text(b)) => return Ok(Found::Text(format!("{a}{b}"))),
        (B::Less, Found::Text(a), Found::Text(b)) => return Ok(Found::Bool(a < b)),
        (B::Greater, Found::Text(a), Found::Text(b)) => return Ok(Found::Bool(a > b)),
        (_, Found::Int(a), Found::Int(b)) => integers(operator, *a, *b)?,
        (_, Found::Float(a), Found::Float(b)) => floats(operator, *a, *b),
        (_, Found::Absent, _) | (_, _, Found::Absent) => Some(Found::Absent),
        _ => None,
    };
    result.map_or_else(|| fail("the operator does not fit these values"), Ok)
}

fn as_number(found: Found) -> Found {
    match found {
        Found::Bool(value) => Found::Int(i128::from(value)),
        other => other,
    }
}

fn integers(operator: BinaryOperator, a: i128, b: i128) -> Result<Option<Found>, QueryError> {
    use BinaryOperator as B;
    let truth = match operator {
        B::Less => Some(a < b),
        B::LessOrEqual => Some(a <= b),
        B::Greater => Some(a > b),
        B::GreaterOrEqual => Some(a >= b),
        _ => None,
    };
    if let Some(truth) = truth {
        return Ok(Some(Found::Bool(truth)));
    }
    let value = match operator {
        B::Add => a.checked_add(b),
        B::Subtract => a.checked_sub(b),
        B::Multiply => a.checked_mul(b),
        B::Divide => a.checked_div_euclid(b),
        B::Remainder => a.checked_rem_euclid(b),
        B::ShiftLeft => u32::try_from(b).ok().and_then(|b| a.checked_shl(b)),
        B::ShiftRight => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
        B::BitAnd => Some(a & b),
        B::BitOr => Some(a | b),
        B::BitXor => Some(a ^ b),
        _ => return Ok(None),
    };
    match value {
        Some(value) => Ok(Some(Found::Int(value))),
        None => Err(QueryError("the result is no number of 128 bits".to_owned())),
    }
}

fn floats(operator: BinaryOperator, a: f64, b: f64) -> Option<Found> {
    use BinaryOperator as B;
    Some(match operator {
        B::Less => Found::Bool(a < b),
        B::LessOrEqual => Found::Bool(a <= b),
        B::Greater => Found::Bool(a > b),
        B::GreaterOrEqual => Found::Bool(a >= b),
        B::Add => Found::Float(a + b),
        B::Subtract => Found::Float(a - b),
        B::Multiply => Found::Float(a * b),
        B::Divide => Found::Float(a / b),
        _ => return None,
    })
}
