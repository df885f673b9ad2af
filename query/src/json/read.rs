//! Reads a tree from JSON.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess};
use serde_json::Value;
use tracegauge_decoder::tree::{NodeId, Payload, Tree, View};
use tracegauge_generator::{Bases, capacity};
use tracegauge_plan::{Kind, OpId, Plan};

use super::value::{self, ValueError};

/// The version of the JSON representation of trees.
const VERSION: u64 = 1;

/// The members of the outermost object.
const DOCUMENT: &str = "the outermost object may contain only `tracegauge-tree`, `format` and \
    `tree`";

/// The members that a node may have.
const MEMBERS: [&str; 9] = [
    "name", "op", "at", "value", "shown", "spelling", "base", "nodes", "to",
];

const VALUE_ELSEWHERE: &str = "unexpected `value`: the `shown` of this node repeats the bytes of \
    another field; change the `value` of that field";

const NOTHING_SHOWN: &str = "unexpected `shown`: only a node that repeats the bytes of another \
     field can have this member; use `value`";

/// The maximum depth of nested nodes.
const GREATEST_DEPTH: usize = 1000;

/// The maximum depth of nested brackets in the text, with a margin for the values in the innermost
/// node.
const GREATEST_BRACKETS: usize = 2 * GREATEST_DEPTH + 16;

/// An error in the JSON text of a tree: the first problem and its position.
#[derive(Debug)]
pub struct TreeError(serde_json::Error);

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for TreeError {}

/// The members of a tree's JSON text that are read before its nodes.
#[derive(Debug, Deserialize)]
pub struct Head {
    /// The format of the tree.
    pub format: Option<String>,
    /// The version of the JSON representation.
    #[serde(rename = "tracegauge-tree")]
    version: Option<u64>,
    /// The root, if the document wraps it in an outermost object, or `None` if the document itself
    /// is the root.
    tree: Option<IgnoredAny>,
    /// The operation of a root that is not wrapped in an outermost object.
    op: Option<IgnoredAny>,
}

/// Reads the head of a tree's JSON text.
///
/// # Errors
/// Returns an error if the text is not a JSON object with a tree.
pub fn head(text: &[u8]) -> Result<Head, TreeError> {
    let mut source = serde_json::Deserializer::from_slice(text);
    source.disable_recursion_limit();
    // Serde would also accept an array that contains the members in the order of the fields of
    // `Head`.
    let is_object = text.trim_ascii_start().starts_with(b"{");
    let head = match Head::deserialize(&mut source) {
        Ok(head) if is_object => head,
        Err(error) if is_object || !error.is_data() => return Err(TreeError(error)),
        _ => return Err(no_tree()),
    };
    if head.tree.is_none() && head.op.is_none() {
        return Err(no_tree());
    }
    match head.version {
        None | Some(VERSION) => Ok(head),
        Some(other) => Err(TreeError(serde::de::Error::custom(format_args!(
            "unsupported tree version {other}; expected {VERSION}"
        )))),
    }
}

fn no_tree() -> TreeError {
    let wanted = "this is not the tree of a trace; expected the output of `inspect --json`";
    TreeError(serde::de::Error::custom(wanted))
}

/// A tree that the user may have edited.
#[derive(Debug)]
pub struct Edited {
    /// The tree.
    pub tree: Tree,
    /// The bases that readers add to the numbers in the trace to compute the values of fields.
    pub bases: Bases,
}

/// Reads a tree from its JSON text.
///
/// # Errors
/// Returns an error for the first node that does not match the plan.
pub fn read(plan: &Plan, head: &Head, text: &[u8]) -> Result<Edited, TreeError> {
    read_up_to(plan, head, text, None)
}

/// Returns an error about a node, with the position of the node in the text.
pub fn fault_at(plan: &Plan, head: &Head, text: &[u8], node: NodeId, fault: &str) -> TreeError {
    match read_up_to(plan, head, text, Some((node, fault))) {
        Err(error) => error,
        Ok(_) => TreeError(serde::de::Error::custom(fault)),
    }
}

fn read_up_to(
    plan: &Plan,
    head: &Head,
    text: &[u8],
    fault: Option<(NodeId, &str)>,
) -> Result<Edited, TreeError> {
    let mut reader = Reader {
        plan,
        tree: Tree::default(),
        bases: Bases::default(),
        trail: Vec::new(),
        shown: Vec::new(),
        fault,
    };
    if depth(text) > GREATEST_BRACKETS {
        return Err(TreeError(reader.error("nested too deeply")));
    }
    let mut source = serde_json::Deserializer::from_slice(text);
    source.disable_recursion_limit();
    let done = match head.tree {
        Some(IgnoredAny) => Document(&mut reader).deserialize(&mut source),
        None => Node(&mut reader).deserialize(&mut source),
    };
    done.and_then(|()| source.end()).map_err(TreeError)?;
    if fault.is_none()
        && let Some((node, fault)) = reader.misplaced()
    {
        return Err(fault_at(plan, head, text, node, fault));
    }
    Ok(Edited {
        tree: reader.tree,
        bases: reader.bases,
    })
}

/// Returns the maximum depth of nested brackets in `text`.
fn depth(text: &[u8]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in text {
        match (in_string, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'[' | b'{') => {
                now += 1;
                most = most.max(now);
            }
            (false, b']' | b'}') => now = now.saturating_sub(1),
            _ => {}
        }
    }
    most
}

struct Reader<'p> {
    plan: &'p Plan,
    tree: Tree,
    bases: Bases,
    /// The indexes and names of the nodes that are being read, outermost first.
    trail: Vec<(usize, String)>,
    /// The nodes that have a `shown` member.
    shown: Vec<NodeId>,
    /// A node with an error, and the error message, which is reported when the node is read.
    fault: Option<(NodeId, &'p str)>,
}

impl Reader<'_> {
    /// Returns an error about the node that is being read.
    fn error<E: serde::de::Error>(&self, message: &str) -> E {
        let mut at = "tree".to_owned();
        for (number, name) in &self.trail {
            at.push_str(&format!(" > {number} {name}"));
        }
        E::custom(format_args!("{at}: {message}"))
    }

    fn unknown<E: serde::de::Error>(&self, member: &str, known: &str) -> E {
        self.error(&format!("unknown member `{member}`: {known}"))
    }

    /// Returns an error if `self.fault` is about the node `id`.
    fn known_fault<E: serde::de::Error>(&self, id: NodeId) -> Result<(), E> {
        match self.fault {
            Some((node, fault)) if node == id => Err(self.error(fault)),
            _ => Ok(()),
        }
    }

    /// Returns the first node that has `value` where only `shown` is allowed, or `shown` where only
    /// `value` is allowed.
    fn misplaced(&mut self) -> Option<(NodeId, &'static str)> {
        // Node ids follow the order of the text, so the first misplaced node is found first.
        self.shown.sort_unstable();
        let mut elsewhere = 0;
        for (number, node) in self.tree.nodes.iter().enumerate() {
            let id = NodeId::try_from(number).ok()?;
            if let Kind::At(_) = self.plan.op(node.op).kind {
                elsewhere = elsewhere.max(node.end);
            }
            let has_value = matches!(node.payload, Payload::Bits(_) | Payload::Bytes { .. });
            let is_shown = self.shown.binary_search(&id).is_ok();
            match (has_value, is_shown, id < elsewhere) {
                (true, false, true) => return Some((id, VALUE_ELSEWHERE)),
                (_, true, false) => return Some((id, NOTHING_SHOWN)),
                _ => {}
            }
        }
        None
    }

    fn told<E: serde::de::Error>(&self, error: &ValueError) -> E {
        self.error(&error.to_string())
    }

    /// Stores the value of a node in the tree, once its operation is known.
    fn value<E: serde::de::Error>(&mut self, id: NodeId, members: &Members) -> Result<(), E> {
        if let (Some(op), Some(value)) = (members.op, &members.value) {
            let payload = value::payload(self.plan, op, value, &mut self.tree);
            let payload = payload.map_err(|error| self.told(&error))?;
            self.tree.nodes[id as usize].payload = payload;
        }
        Ok(())
    }

    /// Stores all members of a node except its value in the tree.
    fn finish<E: serde::de::Error>(&mut self, id: NodeId, members: &Members) -> Result<(), E> {
        let op = members.op.ok_or_else(|| self.error("`op` is missing"))?;
        let node = id as usize;
        self.tree.nodes[node].op = op;
        let spelling = value::spelling(self.plan, op, members.spelling);
        self.tree.nodes[node].spelling = spelling.map_err(|error| self.told(&error))?;
        if let Some(base) = members.base {
            if self.plan.info(op).carry.is_none() {
                return Err(self.error(
                    "unexpected `base`: only a field whose value is computed from an earlier value \
                     can have this member",
                ));
            }
            self.bases.set(id, base);
        }
        if members.is_shown {
            self.shown.push(id);
        }
        self.tree.close(id, members.to);
        self.tree.nodes[node].span.start = members.at;
        let inside = self.tree.children(id).map(|child| self.tree.node(child).op);
        let is_part = self.tree.nodes[node].payload == Payload::None;
        let is_nested = matches!(self.plan.op(op).kind, Kind::Nested(_));
        if is_part && is_nested && capacity::shows_elsewhere(self.plan, op, inside) {
            self.tree.nodes[node].payload = Payload::View(View::Shown);
        }
        Ok(())
    }
}

/// The members of a node.
#[derive(Default)]
struct Members {
    op: Option<OpId>,
    at: u64,
    to: u64,
    value: Option<Value>,
    /// Whether the value was given as `shown` rather than `value`.
    is_shown: bool,
    spelling: u8,
    base: Option<i128>,
    /// A bit mask of the members that have been read.
    seen: u16,
}

impl Members {
    /// Reads a member other than `nodes`.
    fn take<E: serde::de::Error>(
        &mut self,
        reader: &mut Reader<'_>,
        key: &str,
        value: Value,
    ) -> Result<(), E> {
        let wrong = |reader: &Reader<'_>, wanted: &str| {
            reader.error(&format!("`{key}` must be {wanted}, not {value}"))
        };
        match key {
            "op" => {
                let op = value.as_u64().and_then(|op| u32::try_from(op).ok());
                let op = op.filter(|op| (*op as usize) < reader.plan.ops.len());
                let missing =
                    || reader.error("`op` is not an operation that `tracegauge spec plan` lists");
                self.op = Some(op.map(OpId).ok_or_else(missing)?);
            }
            "at" => self.at = value.as_u64().ok_or_else(|| wrong(reader, "an offset"))?,
            "to" => self.to = value.as_u64().ok_or_else(|| wrong(reader, "an offset"))?,
            "spelling" => {
                let length = value.as_u64().and_then(|length| u8::try_from(length).ok());
                self.spelling =
                    length.ok_or_else(|| wrong(reader, "a number of bytes from 0 to 255"))?;
            }
            "base" => {
                let base = value::integer(&value).ok();
                self.base = Some(base.ok_or_else(|| wrong(reader, "an integer"))?);
            }
            "name" => {
                let name = value.as_str().ok_or_else(|| wrong(reader, "a string"))?;
                if let Some(last) = reader.trail.last_mut() {
                    name.clone_into(&mut last.1);
                }
            }
            _ if self.value.is_some() => {
                return Err(reader.error("a node may have `value` or `shown`, not both"));
            }
            _ => {
                self.is_shown = key == "shown";
                self.value = Some(value);
            }
        }
        Ok(())
    }

    /// Checks that a member is known and does not occur twice in the node.
    fn first<E: serde::de::Error>(&mut self, reader: &Reader<'_>, key: &str) -> Result<(), E> {
        let Some(number) = MEMBERS.iter().position(|known| *known == key) else {
            let known = MEMBERS.join("`, `");
            return Err(reader.unknown(key, &format!("a node may have `{known}`")));
        };
        if self.seen >> number & 1 != 0 {
            return Err(reader.error(&format!("duplicate member `{key}`")));
        }
        self.seen |= 1 << number;
        Ok(())
    }
}

/// The outermost object, which contains the root.
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
            match key.as_str() {
                "tree" => map.next_value_seed(Node(self.0))?,
                "tracegauge-tree" | "format" => {
                    map.next_value::<IgnoredAny>()?;
                }
                _ => return Err(self.0.unknown(&key, DOCUMENT)),
            }
        }
        Ok(())
    }
}

/// A node and everything inside it.
struct Node<'r, 'p>(&'r mut Reader<'p>);

impl<'de> DeserializeSeed<'de> for Node<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        if self.0.trail.len() > GREATEST_DEPTH {
            return Err(self.0.error("nested too deeply"));
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
        // The user may have changed the order of the members, so the value may come before `op`,
        // which determines how the value is converted.
        let mut members = Members::default();
        let id = reader.tree.open(OpId(0), 0);
        while let Some(key) = map.next_key::<String>()? {
            members.first(reader, &key)?;
            if key == "nodes" {
                reader.known_fault(id)?;
                map.next_value_seed(Nodes(reader))?;
                continue;
            }
            let value = map.next_value::<Value>()?;
            members.take(reader, &key, value)?;
            match key.as_str() {
                "value" | "shown" => {
                    reader.value(id, &members)?;
                    reader.known_fault(id)?;
                }
                "op" => reader.value(id, &members)?,
                _ => {}
            }
        }
        reader.known_fault(id)?;
        reader.finish(id, &members)
    }
}

/// The inner nodes of a node.
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
