//! Creates dictionaries, which contain the words of a format, for fuzzers that do not know the
//! format.

use std::collections::HashSet;
use std::fmt::Write as _;

use tracegauge_plan::{CheckKind, Code, CodeId, Kind, OpId, Plan};

use crate::fault::encode_number;

/// A word of a format: a byte sequence that often has a meaning in traces of the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The path in the description and a label for the value.
    pub name: String,
    /// The bytes of the word.
    pub bytes: Vec<u8>,
}

/// The length of the longest word that libFuzzer accepts.
const LONGEST: usize = 64;

/// Bit widths of integers whose maximum values are likely to make an addition overflow.
const BORDER_BITS: [u32; 6] = [7, 8, 15, 16, 31, 32];

/// Collects the words of a format without duplicates: constant bytes; switch labels, enumeration
/// members and type codes in the encoding of their fields; numbers at the limits of fields; and
/// sample strings from the description.
pub fn dictionary(plan: &Plan) -> Vec<Word> {
    let mut words = Words {
        plan,
        known: HashSet::new(),
        found: Vec::new(),
    };
    for (id, op) in (0_u32..).map(OpId).zip(&plan.ops) {
        if let Kind::Contents(constant) = op.kind {
            words.add(id, "bytes", plan.constants[constant].clone());
        }
        words.numbers(id);
        for text in &plan.info(id).hints.texts {
            words.add(id, "text", text.clone().into_bytes());
        }
    }
    words.switches();
    words.found
}

/// Formats the words for libFuzzer and AFL, one per line.
pub fn dictionary_text(words: &[Word]) -> String {
    let mut text = String::new();
    for (number, word) in words.iter().enumerate() {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "# {}\nword_{number}=\"", word.name);
        for byte in &word.bytes {
            let _ = match byte {
                0x20..=0x7e if !matches!(byte, b'"' | b'\\') => {
                    write!(text, "{}", char::from(*byte))
                }
                _ => write!(text, "\\x{byte:02x}"),
            };
        }
        text.push_str("\"\n");
    }
    text
}

struct Words<'p> {
    plan: &'p Plan,
    known: HashSet<Vec<u8>>,
    found: Vec<Word>,
}

impl Words<'_> {
    fn add(&mut self, op: OpId, what: &str, bytes: Vec<u8>) {
        let usual = !bytes.is_empty() && bytes.len() <= LONGEST;
        if usual && self.known.insert(bytes.clone()) {
            let name = format!("{} {what}", self.path(op));
            self.found.push(Word { name, bytes });
        }
    }

    fn number(&mut self, op: OpId, what: &str, value: i128) {
        let kind = &self.plan.op(op).kind;
        let fits = kind
            .range()
            .is_some_and(|(low, high)| (low..=high).contains(&value));
        if fits && let Some(bytes) = encode_number(kind, value) {
            self.add(op, what, bytes);
        }
    }

    /// Adds the numbers that the description names for the field of an operation, the limits of the
    /// field's type, and numbers at powers of two, where additions are likely to overflow.
    fn numbers(&mut self, op: OpId) {
        let plan = self.plan;
        let kind = &plan.op(op).kind;
        let Some((low, high)) = kind.range() else {
            return;
        };
        if matches!(kind, Kind::Bits { .. } | Kind::BitRun { .. }) {
            return;
        }
        let presentation = &plan.info(op).presentation;
        if let Some(enumeration) = presentation.enumeration {
            for member in &plan.enums[enumeration].members {
                self.number(op, &member.name, member.value);
            }
        }
        let (first, count) = plan.op(op).checks;
        let first = first.index();
        for check in plan.checks.iter().skip(first).take(usize::from(count)) {
            let codes: &[CodeId] = match &check.kind {
                CheckKind::Equal(code) | CheckKind::Min(code) | CheckKind::Max(code) => {
                    std::slice::from_ref(code)
                }
                CheckKind::AnyOf(codes) => codes,
                _ => &[],
            };
            for code in codes {
                if let Code::Int(value) = plan.codes[code.index()] {
                    self.number(op, "tested", value);
                }
            }
        }
        let hints = &plan.info(op).hints;
        let hinted = hints.integers.iter().copied();
        for value in hinted.chain(hints.weights.iter().map(|(value, _)| *value)) {
            self.number(op, "usual", value);
        }
        self.number(op, "least", low);
        self.number(op, "most", high);
        for border in BORDER_BITS {
            self.number(op, &format!("2^{border}"), 1 << border);
            self.number(op, &format!("2^{border} - 1"), (1 << border) - 1);
        }
    }

    /// Adds switch labels in the encoding of the field that selects them.
    fn switches(&mut self) {
        let plan = self.plan;
        for switch in &plan.switches {
            let Code::Slot(slot) = plan.codes[switch.on.index()] else {
                continue;
            };
            let ops = (0_u32..).map(OpId).zip(&plan.ops);
            let writer = ops.into_iter().find(|(_, op)| op.slot == slot);
            let Some((writer, _)) = writer else {
                continue;
            };
            for value in switch.arms.iter().flat_map(|(labels, _)| labels) {
                self.number(writer, "label", *value);
            }
        }
        for layout in &plan.layouts {
            let holds = |op: &OpId| plan.info(*op).code_of.is_some();
            let ops = (0_u32..).map(OpId).take(plan.ops.len());
            let Some(writer) = ops.into_iter().find(holds) else {
                continue;
            };
            for code in &layout.codes {
                self.number(writer, &code.name, code.code);
            }
        }
    }

    /// Returns the path of names from the root to an operation.
    fn path(&self, op: OpId) -> String {
        let mut names = Vec::new();
        let mut at = Some(op);
        while let Some(op) = at {
            let info = self.plan.info(op);
            names.extend(info.label.map(|label| self.plan.name(label)));
            at = info.parent;
        }
        names.reverse();
        names.join(".")
    }
}
