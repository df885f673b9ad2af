//! From JSON to a tree.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess};
use serde_json::Value;
use tracegauge_decoder::tree::{NodeId, Payload, Tree, View};
use tracegauge_generator::{Bases, held};
use tracegauge_spec::plan::{Kind, OpId, Plan};

use super::value::{self, ValueError};

/// The way in which trees are written.
const VERSION: u64 = 1;

/// What an object with a tree may have.
const DOCUMENT: &str = "an object with a tree has `tracegauge-tree`, `format` and `tree`";

/// What a node may have.
const MEMBERS: [&str; 9] = [
    "name", "op", "at", "value", "shown", "spelling", "base", "nodes", "to",
];

const VALUE_ELSEWHERE: &str =
    "it has no `value` and only one that is `shown`: change that of the field whose bytes they are";

const NOTHING_SHOWN: &str = "`shown` is for what is read elsewhere; this has a `value`";

/// Nodes may be nested so deep.
const GREATEST_DEPTH: usize = 1000;

/// So many brackets are around what is in the innermost of them.
const GREATEST_BRACKETS: usize = 2 * GREATEST_DEPTH + 16;

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
    /// How a tree is written.
    #[serde(rename = "tracegauge-tree")]
    version: Option<u64>,
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
    match head.version {
        None | Some(VERSION) => Ok(head),
        Some(other) => Err(TreeError(serde::de::Error::custom(format_args!(
            "a tree of version {other}; this reads version {VERSION}"
        )))),
    }
}

fn no_tree() -> TreeError {
    let wanted = "no tree of a trace; what is wanted is what `inspect --json` prints";
    TreeError(serde::de::Error::custom(wanted))
}

/// A tree that somebody may have edited.
#[derive(Debug)]
pub struct Edited {
    /// The tree.
    pub tree: Tree,
    /// What readers add in its carried fields.
    pub bases: Bases,
}

/// The tree that a text describes.
///
/// # Errors
/// The first node that is none of this plan.
pub fn read(plan: &Plan, head: &Head, text: &[u8]) -> Result<Edited, TreeError> {
    read_up_to(plan, head, text, None)
}

/// A fault of a node of the tree that a text describes, with the place where it is described.
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
        return Err(TreeError(reader.error("nested too deep")));
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

/// How deep brackets are nested in a text.
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
    /// Numbers and names of the nodes that are being read, from the outside in.
    trail: Vec<(usize, String)>,
    /// Nodes whose value is said to stand elsewhere.
    shown: Vec<NodeId>,
    /// A node that is known to have a fault.
    fault: Option<(NodeId, &'p str)>,
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

    fn unknown<E: serde::de::Error>(&self, member: &str, known: &str) -> E {
        self.error(&format!("there is no member `{member}`: {known}"))
    }

    /// The fault of this node, where it is known to have one.
    fn known_fault<E: serde::de::Error>(&self, id: NodeId) -> Result<(), E> {
        match self.fault {
            Some((node, fault)) if node == id => Err(self.error(fault)),
            _ => Ok(()),
        }
    }

    /// A value where only one can be shown that stands elsewhere, or the other way round.
    fn misplaced(&mut self) -> Option<(NodeId, &'static str)> {
        // Each is told of where it ends, so that what is inside comes first.
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

    /// The value of a node is put into the tree, once it is known of what.
    fn value<E: serde::de::Error>(&mut self, id: NodeId, members: &Members) -> Result<(), E> {
        if let (Some(op), Some(value)) = (members.op, &members.value) {
            let payload = value::payload(self.plan, op, value, &mut self.tree);
            let payload = payload.map_err(|error| self.told(&error))?;
            self.tree.nodes[id as usize].payload = payload;
        }
        Ok(())
    }

    /// What else a node has is put into the tree.
    fn finish<E: serde::de::Error>(&mut self, id: NodeId, members: &Members) -> Result<(), E> {
        let op = members.op.ok_or_else(|| self.error("`op` is missing"))?;
        let node = id as usize;
        self.tree.nodes[node].op = op;
        let spelling = value::spelling(self.plan, op, members.spelling);
        self.tree.nodes[node].spelling = spelling.map_err(|error| self.told(&error))?;
        if let Some(base) = members.base {
            if self.plan.info(op).carry.is_none() {
                return Err(self.error("`base` is for fields that a reader adds something to"));
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
        if is_part && is_nested && held::shows_elsewhere(self.plan, op, inside) {
            self.tree.nodes[node].payload = Payload::View(View::Shown);
        }
        Ok(())
    }
}

/// What stands in a node.
#[derive(Default)]
struct Members {
    op: Option<OpId>,
    at: u64,
    to: u64,
    value: Option<Value>,
    /// The value is one that stands elsewhere.
    is_shown: bool,
    spelling: u8,
    base: Option<i128>,
    /// A bit for each of those that there are.
    seen: u16,
}

impl Members {
    /// Takes a member that is no list of nodes.
    fn take<E: serde::de::Error>(
        &mut self,
        reader: &mut Reader<'_>,
        key: &str,
        value: Value,
    ) -> Result<(), E> {
        let wrong = |reader: &Reader<'_>, wanted: &str| {
            reader.error(&format!("`{key}` is {wanted}, and not {value}"))
        };
        match key {
            "op" => {
                let op = value.as_u64().and_then(|op| u32::try_from(op).ok());
                let op = op.filter(|op| (*op as usize) < reader.plan.ops.len());
                let missing = || reader.error("`op` is no operation of the format's plan");
                self.op = Some(op.map(OpId).ok_or_else(missing)?);
            }
            "at" => self.at = value.as_u64().ok_or_else(|| wrong(reader, "a position"))?,
            "to" => self.to = value.as_u64().ok_or_else(|| wrong(reader, "a position"))?,
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
                let name = value.as_str().ok_or_else(|| wrong(reader, "a text"))?;
                if let Some(last) = reader.trail.last_mut() {
                    name.clone_into(&mut last.1);
                }
            }
            _ if self.value.is_some() => {
                return Err(reader.error("`value` and `shown` are not for the same node"));
            }
            _ => {
                self.is_shown = key == "shown";
                self.value = Some(value);
            }
        }
        Ok(())
    }

    /// A member that a node may have, and for the first time.
    fn first<E: serde::de::Error>(&mut self, reader: &Reader<'_>, key: &str) -> Result<(), E> {
        let Some(number) = MEMBERS.iter().position(|known| *known == key) else {
            let known = MEMBERS.join("`, `");
            return Err(reader.unknown(key, &format!("a node may have `{known}`")));
        };
        if self.seen >> number & 1 != 0 {
            return Err(reader.error(&format!("`{key}` is there twice")));
        }
        self.seen |= 1 << number;
        Ok(())
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
