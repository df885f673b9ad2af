//! The tree as JSON, and back.
//!
//! Each node has `op`, the number of its operation in the plan, and what people read:
//! `name`, `at`. On the way back `op`, `value`, `spelling` and `nodes` count; the rest is
//! ignored. A text is a string; bytes are `{"hex": …}`; an integer beyond 2^53 is a decimal
//! string; a float is `{"bits": …}` in hexadecimal, so that none changes.

use std::fmt;

use serde_json::{Map, Value, json};
use tracegauge_decoder::text as encodings;
use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_decoder::verdict::Span;
use tracegauge_spec::plan::{Kind, OpId, Plan};

use super::{Leaf, encoding, leaf, name};

/// Greatest integer that is a JSON number.
const GREATEST_EXACT: i128 = (1 << 53) - 1;

/// The tree as JSON. `bytes` is the trace, from which carried fields get what stands on the
/// wire.
pub fn to_json(plan: &Plan, tree: &Tree, bytes: &[u8]) -> Value {
    let root = if tree.nodes.is_empty() {
        Value::Null
    } else {
        node(plan, tree, bytes, None, 0, 0)
    };
    json!({"tracegauge-tree": 1, "format": plan.format, "tree": root})
}

fn node(
    plan: &Plan,
    tree: &Tree,
    bytes: &[u8],
    parent: Option<NodeId>,
    id: NodeId,
    number: usize,
) -> Value {
    let node_ref = tree.node(id);
    let mut object = Map::new();
    let label = name(plan, tree, parent, id, number);
    if !label.is_empty() {
        object.insert("name".to_owned(), json!(label));
    }
    object.insert("op".to_owned(), json!(node_ref.op.0));
    object.insert(
        "at".to_owned(),
        json!([node_ref.span.start, node_ref.span.end]),
    );
    if let Some(value) = leaf(plan, tree, id) {
        object.insert("value".to_owned(), written(&value));
        if node_ref.spelling > 1 {
            object.insert("spelling".to_owned(), json!(node_ref.spelling));
        }
        if plan.info(node_ref.op).carry.is_some() {
            let wire = bytes_of(bytes, node_ref.span)
                .iter()
                .map(|b| format!("{b:02x}"));
            object.insert("wire".to_owned(), json!(wire.collect::<String>()));
        }
    }
    let nodes: Vec<Value> = tree
        .children(id)
        .enumerate()
        .map(|(number, child)| node(plan, tree, bytes, Some(id), child, number))
        .collect();
    if !nodes.is_empty()
        || matches!(
            node_ref.payload,
            Payload::None | Payload::Layout(_) | Payload::View(_)
        )
    {
        object.insert("nodes".to_owned(), Value::Array(nodes));
    }
    Value::Object(object)
}

fn bytes_of(bytes: &[u8], span: Span) -> &[u8] {
    let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    bytes
        .get(index(span.start)..index(span.end))
        .unwrap_or_default()
}

fn written(value: &Leaf) -> Value {
    match value {
        Leaf::Int(value) if value.abs() <= GREATEST_EXACT => {
            json!(i64::try_from(*value).unwrap_or_default())
        }
        Leaf::Int(value) => json!(value.to_string()),
        Leaf::Float(bits, width) => {
            json!({"bits": format!("{bits:0w$x}", w = usize::from(*width) * 2)})
        }
        Leaf::Text(text) => json!(text),
        Leaf::Bytes(bytes) => json!({"hex": hex::encode(bytes)}),
    }
}

/// What is wrong with the JSON of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError {
    /// Where: names and numbers of nodes.
    pub at: String,
    /// What.
    pub message: String,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for TreeError {}

/// Nodes may be nested so deep.
const GREATEST_DEPTH: usize = 4000;

/// The tree that JSON describes.
///
/// # Errors
/// The first node that is none of this plan.
pub fn from_json(plan: &Plan, json: &Value) -> Result<Tree, TreeError> {
    let mut tree = Tree::default();
    let root = json.get("tree").unwrap_or(json);
    read(plan, root, &mut tree, "tree", 0)?;
    Ok(tree)
}

fn read(
    plan: &Plan,
    json: &Value,
    tree: &mut Tree,
    at: &str,
    depth: usize,
) -> Result<(), TreeError> {
    let error = |message: &str| TreeError {
        at: at.to_owned(),
        message: message.to_owned(),
    };
    if depth > GREATEST_DEPTH {
        return Err(error("nested too deep"));
    }
    let op = json
        .get("op")
        .and_then(Value::as_u64)
        .and_then(|op| u32::try_from(op).ok());
    let op = op.filter(|op| (*op as usize) < plan.ops.len()).map(OpId);
    let Some(op) = op else {
        return Err(error("`op` is no operation of the format's plan"));
    };
    let id = tree.open(op, 0);
    if let Some(value) = json.get("value") {
        let payload =
            payload(plan, op, value, tree).ok_or_else(|| error("`value` does not fit"))?;
        let spelling = json.get("spelling").and_then(Value::as_u64).unwrap_or(0);
        let node = &mut tree.nodes[id as usize];
        node.payload = payload;
        node.spelling = u8::try_from(spelling).unwrap_or(0);
    }
    for (number, inside) in json
        .get("nodes")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        let name = inside
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        read(
            plan,
            inside,
            tree,
            &format!("{at} > {number} {name}"),
            depth + 1,
        )?;
    }
    tree.close(id, 0);
    Ok(())
}

fn payload(plan: &Plan, op: OpId, value: &Value, tree: &mut Tree) -> Option<Payload> {
    if let Some(digits) = value.get("bits").and_then(Value::as_str) {
        return u64::from_str_radix(digits, 16).ok().map(Payload::Bits);
    }
    if let Some(digits) = value.get("hex").and_then(Value::as_str) {
        let bytes = hex::decode(digits).ok()?;
        return Some(tree.keep(&bytes));
    }
    let is_number = matches!(
        plan.op(op).kind,
        Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. } | Kind::Float { .. }
    );
    match value {
        Value::Bool(value) => Some(Payload::Bits(u64::from(*value))),
        Value::Number(number) => integer(&number.to_string()),
        Value::String(text) if is_number => integer(text),
        Value::String(text) => {
            let encoding = encoding(plan, op)?;
            let bytes = encodings::encode(text, encoding)?;
            Some(tree.keep(&bytes))
        }
        _ => None,
    }
}

fn integer(text: &str) -> Option<Payload> {
    let value: i128 = text.parse().ok()?;
    let bits = match u64::try_from(value) {
        Ok(bits) => bits,
        Err(_) => i64::try_from(value).ok()?.cast_unsigned(),
    };
    Some(Payload::Bits(bits))
}
