//! Measures the coverage of strings whose bytes some readers misinterpret, although every encoding
//! library handles them.

use std::collections::BTreeSet;

use tracegauge_decoder::text::decode;
use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_generator::plain::BYTE_ORDER_MARK;
use tracegauge_plan::mutate::values_read;
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{Kind, Op, OpId, Plan};

use super::{Boundary, Obligation};

/// A string that starts with a byte order mark. In the middle of a trace, the mark is an ordinary
/// character, but some decoders remove it.
const MARKED: &str = "\u{feff}mark";

/// A string whose bytes in UTF-16 contain two zero bytes that belong to different code units, in
/// either byte order. A reader that looks for the terminator byte by byte mistakes these zero bytes
/// for it.
const ACROSS: &str = "aĀa";

/// Returns the properties of strings that traces should exercise, for each string that is read and
/// may contain any text.
pub(super) fn texts(plan: &Plan) -> Vec<Obligation> {
    let mut found = Vec::new();
    for (at, is_read) in values_read(plan).into_iter().enumerate() {
        let op = OpId::from(at);
        if is_read && plan.tests_of(op).is_empty() {
            let all = [Boundary::Mark, Boundary::Across].into_iter();
            let possible = all.filter(|boundary| text(plan.op(op), *boundary).is_some());
            found.extend(possible.map(|boundary| Obligation::Value(op, boundary)));
        }
    }
    found
}

/// Returns a string with the property `boundary`, if the field can have one.
pub(crate) fn text(op: &Op, boundary: Boundary) -> Option<&'static str> {
    let encoding = match &op.kind {
        Kind::Text(_, encoding) => *encoding,
        Kind::Terminated(ending) => ending.encoding?,
        _ => return None,
    };
    match (boundary, encoding) {
        (Boundary::Mark, Encoding::Ascii | Encoding::Latin1) => None,
        (Boundary::Mark, _) => Some(MARKED),
        (Boundary::Across, _) => is_terminated_by_zero_units(op).then_some(ACROSS),
        _ => None,
    }
}

fn is_terminated_by_zero_units(op: &Op) -> bool {
    let Kind::Terminated(ending) = &op.kind else {
        return false;
    };
    ending.unit() == 2 && ending.terminator == Some(0)
}

/// Collects the properties that the strings of a trace have.
pub(super) fn met(plan: &Plan, tree: &Tree, met: &mut BTreeSet<Obligation>) {
    for (id, node) in (0..).map(|at: NodeId| at).zip(&tree.nodes) {
        let op = plan.op(node.op);
        let encoding = match &op.kind {
            Kind::Text(_, encoding) => *encoding,
            Kind::Terminated(ending) => match ending.encoding {
                Some(encoding) => encoding,
                None => continue,
            },
            _ => continue,
        };
        let Some(bytes) = tree.bytes(id) else {
            continue;
        };
        if decode(bytes, encoding).is_some_and(|text| text.starts_with(BYTE_ORDER_MARK)) {
            met.insert(Obligation::Value(node.op, Boundary::Mark));
        }
        let mut across = bytes.windows(2).skip(1).step_by(2);
        if is_terminated_by_zero_units(op) && across.any(|pair| pair == [0, 0]) {
            met.insert(Obligation::Value(node.op, Boundary::Across));
        }
    }
}
