//! From JSON to a tree.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess};
use serde_json::Value;
use tracegauge_decoder::text as encodings;
use tracegauge_decoder::tree::{Payload, Tree};
use tracegauge_spec::plan::{Kind, OpId, Plan};
use tracegauge_spec::schema::VariableKind;

use super::super::encoding;

/// Nodes may be nested so deep.
const GREATEST_DEPTH: usize = 1000;

/// Text that is no JSON of a tree of the plan: the first place, and what is wrong there.
#[derive(Debug)]
pub struct TreeError(serde_json::Error);

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for TreeError {}

/// What is said of a tree before its nodes are looked at.
#[derive(Debug, Deserialize)]
pub struct Head {
    /// The format that it is of.
    pub format: Option<String>,
    /// The root stands inside; else this is the root.
    tree: Option<IgnoredAny>,
    /// Of a root that stands alone.
    op: Option<IgnoredAny>,
}

/// What a text says of the tree that it is.
///
/// # Errors
/// The text is no JSON object with a tree.
pub fn head(text: &[u8]) -> Result<Head, TreeError> {
    let mut source = serde_json::Deserializer::from_slice(text);
    source.disable_recursion_limit();
    // A list would be taken for an object whose members stand in this order.
    let is_object = text.trim_ascii_start().starts_with(b"{");
    let head = match Head::deserialize(&mut source) {
        Ok(head) if is_object => head,
        Err(error) if is_object || !error.is_data() => return Err(TreeError(error)),
        _ => return Err(no_tree()),
    };
    if head.tree.is_none() && head.op.is_none() {
        return Err(no_tree());
    }
    Ok(head)
}

fn no_tree() -> TreeError {
    let wanted = "no tree of a trace; what is wanted is what `inspect --json` prints";
    TreeError(serde::de::Error::custom(wanted))
}

/// The tree that a text describes.
///
/// # Errors
/// The first node that is none of this plan.
pub fn read(plan: &Plan, head: &Head, text: &[u8]) -> Result<Tree, TreeError> {
    let mut reader = Reader {
        plan,
        tree: Tree::default(),
        trail: Vec::new(),
    };
    let mut source = serde_json::Deserializer::from_slice(text);
    source.disable_recursion_limit();
    let done = match head.tree {
        Some(IgnoredAny) => Document(&mut reader).deserialize(&mut source),
        None => Node(&mut reader).deserialize(&mut source),
    };
    done.and_then(|()| source.end()).map_err(TreeError)?;
    Ok(reader.tree)
}

struct Reader<'p> {
    plan: &'p Plan,
    tree: Tree,
    /// Numbers and names of the nodes that are being read, from the outside in.
    trail: Vec<(usize, String)>,
}

impl Reader<'_> {
    /// A fault of the node that is being read.
    fn error<E: serde::de::Error>(&self, message: &str) -> E {
        let mut at = "tree".to_owned();
        for (number, name) in &self.trail {
            at.push_str(&format!(" > {number} {name}"));
        }
        E::custom(format_args!("{at}: {message}"))
    }
}

/// An object with the root in it.
struct Document<'r, 'p>(&'r mut Reader<'p>);

impl<'de> DeserializeSeed<'de> for Document<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_map(self)
    }
}

impl<'de> serde::de::Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a tree")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "tree" {
                map.next_value_seed(Node(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// A node with all that is inside.
struct Node<'r, 'p>(&'r mut Reader<'p>);

impl<'de> DeserializeSeed<'de> for Node<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        if self.0.trail.len() > GREATEST_DEPTH {
            return Err(self.0.error("nested too deep"));
        }
        source.deserialize_map(self)
    }
}

impl<'de> serde::de::Visitor<'de> for Node<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: an object with `op`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let reader = self.0;
        // Whoever has edited the text may have changed the order.
        let (mut op, mut value, mut spelling) = (None, None, 0);
        let id = reader.tree.open(OpId(0), 0);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "op" => op = map.next_value::<Value>()?.as_u64(),
                "value" => value = Some(map.next_value::<Value>()?),
                "spelling" => spelling = map.next_value::<Value>()?.as_u64().unwrap_or(0),
                "nodes" => map.next_value_seed(Nodes(reader))?,
                "name" => {
                    let name = map.next_value::<Value>()?;
                    if let (Some(last), Some(name)) = (reader.trail.last_mut(), name.as_str()) {
                        name.clone_into(&mut last.1);
                    }
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let op = op.and_then(|op| u32::try_from(op).ok());
        let op = op.filter(|op| (*op as usize) < reader.plan.ops.len());
        let Some(op) = op.map(OpId) else {
            return Err(reader.error("`op` is no operation of the format's plan"));
        };
        reader.tree.nodes[id as usize].op = op;
        if let Some(value) = value {
            let payload = payload(reader.plan, op, &value, &mut reader.tree);
            let payload = payload.ok_or_else(|| reader.error("`value` does not fit"))?;
            let node = &mut reader.tree.nodes[id as usize];
            node.payload = payload;
            node.spelling = u8::try_from(spelling).unwrap_or(0);
        }
        reader.tree.close(id, 0);
        Ok(())
    }
}

/// What is inside a node.
struct Nodes<'r, 'p>(&'r mut Reader<'p>);

impl<'de> DeserializeSeed<'de> for Nodes<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_seq(self)
    }
}

impl<'de> serde::de::Visitor<'de> for Nodes<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.trail.push((0, String::new()));
        while list.next_element_seed(Node(self.0))?.is_some() {
            if let Some(last) = self.0.trail.last_mut() {
                last.0 += 1;
                last.1.clear();
            }
        }
        self.0.trail.pop();
        Ok(())
    }
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
        Value::Number(number) => integer(plan, op, &number.to_string()),
        Value::String(text) if is_number => integer(plan, op, text),
        Value::String(text) => {
            let encoding = encoding(plan, op)?;
            let bytes = encodings::encode(text, encoding)?;
            Some(tree.keep(&bytes))
        }
        _ => None,
    }
}

fn integer(plan: &Plan, op: OpId, text: &str) -> Option<Payload> {
    let value: i128 = text.parse().ok()?;
    let bits = match u64::try_from(value) {
        Ok(bits) => bits,
        Err(_) if may_be_negative(plan, op) => i64::try_from(value).ok()?.cast_unsigned(),
        Err(_) => return None,
    };
    Some(Payload::Bits(bits))
}

fn may_be_negative(plan: &Plan, op: OpId) -> bool {
    match &plan.op(op).kind {
        Kind::Integer(integer) => integer.signed,
        Kind::Variable(kind, _) => matches!(kind, VariableKind::Signed | VariableKind::ZigZag),
        _ => false,
    }
}
