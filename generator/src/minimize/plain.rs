//! Replaces unusual values with those of typical writers, and removes bytes that such writers do
//! not write.

use tracegauge_decoder::text;
use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::Endian;
use tracegauge_plan::{Kind, Plan};

use super::Search;
use super::tree::Read;
use crate::fault::{Edit, Twin};
use crate::plain::{Answer, Answers, is_plain_text};

/// The maximum number of values that are tried in place of a number.
const VALUES: usize = 3;

/// A string that is plain in any field.
const TEXT: &str = "a";

/// A 4-byte float that is plain in any field.
const SINGLE: f32 = 1.5;

/// An 8-byte float that is plain in any field and cannot be represented in 4 bytes.
const DOUBLE: f64 = 1.1;

/// Replaces each number and string that typical writers do not write. Also replaces each number
/// that a conditional rule applies to, because a different number might not exercise the rule.
pub(super) fn values(search: &mut Search<'_>) {
    let plan = search.generator.plan().clone();
    let mut number = 0;
    loop {
        let read = search.read();
        let Some(node) = read.nodes().nth(number) else {
            return;
        };
        number += 1;
        for edit in plain(&plan, search.generator.answers(), &read, node) {
            let changed = read.changed(&plan, vec![edit]);
            if changed.is_some_and(|changed| search.offer(changed)) || search.over {
                break;
            }
        }
        if search.over {
            return;
        }
    }
}

/// Returns edits that give a node a plain value, if its value may be unusual.
fn plain(plan: &Plan, answers: &Answers, read: &Read, node: NodeId) -> Vec<Edit> {
    let op = read.tree.node(node).op;
    let info = plan.info(op);
    if info.derived.is_some() {
        return Vec::new();
    }
    if info.ignore && matches!(plan.op(op).kind, Kind::Bytes(_)) {
        return without_ignored(read, node);
    }
    if let Some(edit) = without_rest(read, node) {
        return vec![edit];
    }
    let twin = Twin::new(plan, &read.bytes, &read.tree);
    let encoding = match &plan.op(op).kind {
        Kind::Text(_, encoding) => Some(*encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    };
    if let Some(encoding) = encoding {
        let bytes = read.tree.bytes(node);
        let now = bytes.and_then(|bytes| text::decode(bytes, encoding));
        if now.is_some_and(|now| is_plain_text(&now)) {
            return Vec::new();
        }
        let bytes = text::encode(TEXT, encoding);
        return bytes
            .map(|bytes| Edit::Replace { node, bytes })
            .into_iter()
            .collect();
    }
    if let Kind::Float { width, endian } = plan.op(op).kind {
        let mut bytes = match width {
            4 => SINGLE.to_be_bytes().to_vec(),
            _ => DOUBLE.to_be_bytes().to_vec(),
        };
        if endian == Endian::Little {
            bytes.reverse();
        }
        return vec![Edit::Replace { node, bytes }];
    }
    let Some(value) = twin.integer(node) else {
        return Vec::new();
    };
    let has_condition = info.obeys.iter().any(|(_, condition)| condition.is_some());
    let values: Vec<i128> = match answers.of(op) {
        answer if answer.has(value) && !has_condition => return Vec::new(),
        Answer::Number { preferred, .. } => preferred.iter().map(|(low, _)| *low).collect(),
        Answer::Nothing => vec![0],
        _ => vec![0, 1],
    };
    // Also try plain values that are small: a field that depends on this one, such as a size, may
    // be too small for the preferred values.
    let small = [1, 0]
        .into_iter()
        .filter(|small| answers.of(op).has(*small));
    let values = values.into_iter().take(VALUES).chain(small);
    let values = values.filter(|plain| *plain != value);
    let edits = values.filter_map(|plain| twin.set(node, plain));
    edits.collect()
}

/// Returns edits that remove the bytes of an ignored field or, if its size is fixed, set them to
/// zero.
fn without_ignored(read: &Read, node: NodeId) -> Vec<Edit> {
    let span = read.tree.node(node).span;
    let Some(bytes) = slice(&read.bytes, span.start, span.end) else {
        return Vec::new();
    };
    let cleared = vec![0; bytes.len()];
    let texts = [Vec::new(), cleared].into_iter();
    let texts = texts.filter(|text| text.as_slice() != bytes);
    texts.map(|bytes| Edit::Replace { node, bytes }).collect()
}

/// Returns an edit that removes the bytes after the last field of a sized part, if there are any.
fn without_rest(read: &Read, node: NodeId) -> Option<Edit> {
    let span = read.tree.node(node).span;
    let inside = read.inside(node).into_iter();
    let ends = inside.map(|field| read.tree.node(field).span.end);
    let last = ends.filter(|end| *end <= span.end).max()?;
    let bytes = slice(&read.bytes, span.start, last)?.to_vec();
    (last < span.end).then_some(Edit::Replace { node, bytes })
}

fn slice(bytes: &[u8], start: u64, end: u64) -> Option<&[u8]> {
    let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
    bytes.get(range)
}
