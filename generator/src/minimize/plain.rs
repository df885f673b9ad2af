//! Replaces unusual values by those of typical writers.

use tracegauge_decoder::text;
use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::plan::{Kind, Plan};
use tracegauge_spec::schema::Endian;

use super::Search;
use super::tree::Read;
use crate::fault::{Edit, Twin};
use crate::plain::{Answer, Answers, is_plain_text};

/// The maximum number of values that are tried in place of a number.
const VALUES: usize = 3;

/// A string that is plain in any field.
const TEXT: &str = "a";

/// A float that is plain in any field.
const FLOAT: f32 = 1.0;

/// Replaces each number and string that typical writers do not write, and each number that a rule
/// with a condition is about, because only some of its values may exercise the rule.
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

/// Returns edits that give a node a plain value, if it may have an unusual one.
fn plain(plan: &Plan, answers: &Answers, read: &Read, node: NodeId) -> Vec<Edit> {
    let op = read.tree.node(node).op;
    let info = plan.info(op);
    if info.derived.is_some() {
        return Vec::new();
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
            4 => FLOAT.to_be_bytes().to_vec(),
            _ => f64::from(FLOAT).to_be_bytes().to_vec(),
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
    let values = values.into_iter().filter(|plain| *plain != value);
    let edits = values
        .take(VALUES)
        .filter_map(|plain| twin.set(node, plain));
    edits.collect()
}
