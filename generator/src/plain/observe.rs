//! Finds the departures of a trace from plain traces, which are traces as typical writers produce
//! them.

use std::collections::{BTreeMap, BTreeSet};

use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_decoder::{Findings, Mark, Observed, Observer, observe};
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{Kind, OpId, Plan};

use super::answer::{is_plain_text, is_printable};
use super::{Answer, Answers, Departure, Unusual};

/// The byte order mark.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// The rules that a trace exercises, each with the operation that exercises it and the number of
/// times that it does so.
type Shown = BTreeMap<(RuleId, OpId), u64>;

struct Marks {
    shown: Shown,
}

impl Observer for Marks {
    fn mark(&mut self, op: OpId, mark: Mark) {
        if let Mark::Shows(rule, _) = mark {
            *self.shown.entry((rule, op)).or_default() += 1;
        }
    }
}

/// Returns the departures of a trace, each with the number of places where it occurs. In a trace
/// that readers reject, the violation itself does not count as a departure.
pub fn departures(plan: &Plan, answers: &Answers, bytes: &[u8]) -> BTreeMap<Departure, u64> {
    observed(plan, answers, bytes).1
}

/// Decodes a trace and finds its departures.
pub(crate) fn observed(
    plan: &Plan,
    answers: &Answers,
    bytes: &[u8],
) -> (Observed, BTreeMap<Departure, u64>) {
    let mut marks = Marks {
        shown: Shown::new(),
    };
    let observed = observe(plan, bytes, Findings::Marks, &mut marks);
    let shown = marks.shown.into_iter();
    let read = Decoded {
        plan,
        answers,
        bytes,
        tree: &observed.tree,
        shown: shown.map(|((rule, op), times)| (rule, op, times)).collect(),
        fault: observed.verdict.violation().map(|found| found.op),
    };
    let departures = read.departures();
    (observed, departures)
}

/// A decoded trace.
#[derive(Debug)]
pub struct Decoded<'f> {
    /// The plan that was used to decode the trace.
    pub plan: &'f Plan,
    /// The plain answers of the plan.
    pub answers: &'f Answers,
    /// The bytes of the trace.
    pub bytes: &'f [u8],
    /// The tree of the trace.
    pub tree: &'f Tree,
    /// The rules that the trace exercises, each with the operation that exercises it and the number
    /// of times that it does so.
    pub shown: Vec<(RuleId, OpId, u64)>,
    /// The operation where a violation was found, if any.
    pub fault: Option<OpId>,
}

impl Decoded<'_> {
    /// Returns the departures of the trace, each with the number of places where it occurs.
    pub fn departures(&self) -> BTreeMap<Departure, u64> {
        let mut found = BTreeMap::new();
        let mut explained = BTreeSet::new();
        for (rule, op, times) in &self.shown {
            let described = &self.plan.rules[*rule];
            if !described.plain && described.duty != ReaderDuty::Reject {
                *found.entry(Departure::Rule(*rule)).or_default() += times;
                explained.insert(*op);
            }
        }
        for (id, node) in (0..).zip(&self.tree.nodes) {
            // If a rule already names the departure, do not also name it after the field.
            let around = self.plan.info(node.op).parent;
            let around =
                around.filter(|around| !matches!(self.plan.op(*around).kind, Kind::Repeat(_)));
            let is_explained = [Some(node.op), around]
                .iter()
                .flatten()
                .any(|op| explained.contains(op));
            if is_explained || self.fault == Some(node.op) {
                continue;
            }
            if let Some(unusual) = self.unusual(id, node) {
                let field = self.answers.field(node.op);
                *found.entry(Departure::Field(field, unusual)).or_default() += 1;
            }
        }
        found
    }

    fn unusual(&self, id: NodeId, node: &Node) -> Option<Unusual> {
        let info = self.plan.info(node.op);
        if let Some(null) = info.null
            && self.number(node) == Some(null)
            && !(info.hints.plain.is_some() && self.answers.of(node.op).has(null))
        {
            return Some(Unusual::Null);
        }
        match self.answers.of(node.op) {
            Answer::Any => None,
            Answer::Nothing => {
                let filled = match self.number(node) {
                    Some(number) => number != 0,
                    None => self.slice(node).iter().any(|byte| *byte != 0),
                };
                filled.then_some(Unusual::Filled)
            }
            Answer::Float => self.float(node),
            Answer::Text => {
                let text = self.text(id, node)?;
                (!is_plain_text(&text)).then(|| unusual_text(&text))
            }
            Answer::Texts(texts) => {
                let text = self.text(id, node)?;
                (!texts.contains(&text)).then_some(Unusual::Other)
            }
            answer @ Answer::Number { plain, .. } => {
                let number = self.number(node)?;
                if answer.has(number) {
                    return None;
                }
                let low = plain.iter().map(|(low, _)| *low).min()?;
                let high = plain.iter().map(|(_, high)| *high).max()?;
                Some(match number {
                    _ if number < low.min(0) => Unusual::Negative,
                    _ if number > high => Unusual::Large,
                    _ => Unusual::Other,
                })
            }
        }
    }

    fn number(&self, node: &Node) -> Option<i128> {
        let Payload::Bits(bits) = node.payload else {
            return None;
        };
        let (low, _) = crate::direct::wire_range(&self.plan.op(node.op).kind);
        Some(match low < 0 {
            true => i128::from(bits.cast_signed()),
            false => i128::from(bits),
        })
    }

    fn float(&self, node: &Node) -> Option<Unusual> {
        let Payload::Bits(bits) = node.payload else {
            return None;
        };
        let value = match self.plan.op(node.op).kind {
            Kind::Float { width: 4, .. } => {
                f64::from(f32::from_bits(u32::try_from(bits).unwrap_or_default()))
            }
            _ => f64::from_bits(bits),
        };
        let usual = value.is_normal() || (value == 0.0 && value.is_sign_positive());
        (!usual).then_some(Unusual::Special)
    }

    /// Returns the bytes of a node in the trace.
    fn slice(&self, node: &Node) -> &[u8] {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let range = place(node.span.start)..place(node.span.end);
        self.bytes.get(range).unwrap_or_default()
    }

    /// Returns the string of a node. Returns `None` if the node's bytes are not valid text; in that
    /// case, a rule applies to the bytes.
    fn text(&self, id: NodeId, node: &Node) -> Option<String> {
        let encoding = match &self.plan.op(node.op).kind {
            Kind::Text(_, encoding) => *encoding,
            Kind::Terminated(ending) => ending.encoding?,
            _ => return None,
        };
        tracegauge_decoder::text::decode(self.tree.bytes(id)?, encoding)
    }
}

/// Returns what is unusual about a string that is not plain.
fn unusual_text(text: &str) -> Unusual {
    let rest = text.strip_prefix(BYTE_ORDER_MARK);
    let is_printable = |text: &str| text.chars().all(is_printable);
    match text {
        "" => Unusual::Empty,
        text if is_printable(text) => Unusual::Long,
        _ if rest.is_some_and(is_printable) => Unusual::Mark,
        _ => Unusual::Characters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_told_from_other_characters() {
        assert_eq!(unusual_text("\u{feff}mark"), Unusual::Mark);
        assert_eq!(unusual_text("\u{feff}é"), Unusual::Characters);
        assert_eq!(unusual_text("mark\u{feff}"), Unusual::Characters);
        assert_eq!(unusual_text(""), Unusual::Empty);
        assert_eq!(unusual_text(&"a".repeat(1000)), Unusual::Long);
    }
}
