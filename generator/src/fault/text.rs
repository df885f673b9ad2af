//! Plants ill-formed text, and strings that tests forbid.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{Encoding, FaultKind, ReaderDuty};
use tracegauge_plan::{Extent, Kind, OpId, Plan};

use super::apply::{At, Attack, duty, fault};
use super::evaluate::Value;
use super::no_case::NoCase;
use super::operator::{Site, Test, TextChange};
use super::splice::{Cut, Edit};
use super::twin::Twin;

/// Kinds of ill-formed text, each with the bytes that are appended to produce it.
type Classes = &'static [(&'static str, &'static [u8])];

const UTF8: Classes = &[
    ("lone-continuation", &[0x80]),
    ("truncated-2", &[0xc3]),
    ("truncated-3", &[0xe2, 0x82]),
    ("truncated-4", &[0xf0, 0x9f, 0x98]),
    ("no-continuation", &[0xc3, 0x28]),
    ("overlong-2", &[0xc0, 0x80]),
    ("overlong-3", &[0xe0, 0x80, 0x80]),
    ("overlong-4", &[0xf0, 0x80, 0x80, 0x80]),
    ("surrogate-high", &[0xed, 0xa0, 0x80]),
    ("surrogate-low", &[0xed, 0xbf, 0xbf]),
    ("surrogate-pair", &[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]),
    ("above-maximum", &[0xf4, 0x90, 0x80, 0x80]),
    ("five-bytes", &[0xf8, 0x88, 0x80, 0x80, 0x80]),
    ("byte-fe", &[0xfe]),
    ("byte-ff", &[0xff]),
];

const CESU8: Classes = &[
    ("lone-continuation", &[0x80]),
    ("truncated-2", &[0xc3]),
    ("truncated-3", &[0xe2, 0x82]),
    ("no-continuation", &[0xc3, 0x28]),
    ("overlong-2", &[0xc0, 0x81]),
    ("overlong-3", &[0xe0, 0x80, 0x80]),
    ("surrogate-high", &[0xed, 0xa0, 0x80]),
    ("surrogate-low", &[0xed, 0xbf, 0xbf]),
    ("four-bytes", &[0xf0, 0x9f, 0x98, 0x80]),
    ("byte-fe", &[0xfe]),
    ("byte-ff", &[0xff]),
];

const ASCII: Classes = &[
    ("high-bit", &[0x80]),
    ("letter-beyond", &[0xc3, 0xa9]),
    ("byte-ff", &[0xff]),
];

const UTF16_LE: Classes = &[
    ("lone-high-surrogate", &[0x00, 0xd8]),
    ("lone-low-surrogate", &[0x00, 0xdc]),
    ("pair-reversed", &[0x00, 0xdc, 0x00, 0xd8]),
    ("high-then-letter", &[0x00, 0xd8, 0x61, 0x00]),
    ("odd-byte-count", &[0x61]),
];

const UTF16_BE: Classes = &[
    ("lone-high-surrogate", &[0xd8, 0x00]),
    ("lone-low-surrogate", &[0xdc, 0x00]),
    ("pair-reversed", &[0xdc, 0x00, 0xd8, 0x00]),
    ("high-then-letter", &[0xd8, 0x00, 0x00, 0x61]),
    ("odd-byte-count", &[0x61]),
];

/// Returns the ways in which text in an encoding can be ill-formed.
pub(super) fn classes(encoding: Encoding) -> Classes {
    match encoding {
        Encoding::Utf8 => UTF8,
        Encoding::Cesu8 => CESU8,
        Encoding::Ascii => ASCII,
        Encoding::Utf16Le => UTF16_LE,
        Encoding::Utf16Be => UTF16_BE,
        Encoding::Latin1 => &[],
    }
}

/// Returns the encoding of an operation that reads text.
pub(super) fn encoding(kind: &Kind) -> Option<Encoding> {
    match kind {
        Kind::Text(_, encoding) => Some(*encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    }
}

/// Returns the kind of fault that the ill-formed bytes `bad` cause in an operation.
pub(super) fn kind(plan: &Plan, op: OpId, encoding: Encoding, bad: &[u8]) -> FaultKind {
    let own = plan.faults[plan.op(op).faults].of(FaultKind::Half);
    if own.is_some() && tracegauge_decoder::text::has_half(bad, encoding) {
        FaultKind::Half
    } else {
        FaultKind::Encoding
    }
}

/// Makes the contents of a text field ill-formed.
pub(super) fn ill_formed(twin: &Twin<'_>, node: NodeId, class: &str) -> Result<Attack, NoCase> {
    let op = twin.node(node).op;
    let encoding = encoding(&twin.op(node).kind).ok_or(NoCase::Lacking)?;
    let mut classes = classes(encoding).iter();
    let class = classes.find(|(name, _)| *name == class);
    let (_, bad) = class.ok_or(NoCase::Lacking)?;
    let rule = fault(twin.plan, op, kind(twin.plan, op, encoding, bad));
    let rule = rule.ok_or(NoCase::Allowed)?;
    let tolerated = duty(twin.plan, rule) != ReaderDuty::Reject;
    if tolerated && redefined(twin, node) {
        return Err(NoCase::Overtaken);
    }
    let old = twin.tree.bytes(node).ok_or(NoCase::Lacking)?;
    // The number of code units is stored elsewhere and must not change.
    let counted = twin.is_units(node);
    let wide = matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
    // The terminator is searched for code unit by code unit, so half a unit would shift what
    // follows.
    let ends = matches!(twin.op(node).kind, Kind::Terminated(_));
    if (counted || ends) && wide && bad.len() % 2 != 0 {
        return Err(NoCase::Inexpressible);
    }
    let longer = (!counted).then(|| replace(twin, node, [old, bad].concat()));
    let edit = longer.flatten().or_else(|| {
        // In text of a fixed size, the bytes can only replace existing characters.
        let kept = old.len().checked_sub(bad.len())?;
        let letters: Vec<u8> = match encoding {
            Encoding::Utf16Le => [0x61, 0].into_iter().cycle().take(kept).collect(),
            Encoding::Utf16Be => [0, 0x61].into_iter().cycle().take(kept).collect(),
            _ => vec![0x61; kept],
        };
        replace(twin, node, [letters.as_slice(), bad].concat())
    });
    let edit = edit.ok_or(NoCase::Lacking)?;
    Ok(Attack::new(edit, rule, twin.path(node), At::Node(node, 0)))
}

/// Returns whether the trace repeats the row that contains `node`. If so, a change to the node
/// would make the two rows differ.
fn redefined(twin: &Twin<'_>, node: NodeId) -> bool {
    let history = twin.history();
    let rows = history.definitions.iter();
    rows.clone()
        .filter(|row| row.node <= node && node < twin.node(row.node).end)
        .any(|row| {
            rows.clone().any(|other| {
                (other.table, other.key) == (row.table, row.key) && other.node != row.node
            })
        })
}

/// Changes a string to one that a test forbids.
pub(super) fn tested(
    twin: &Twin<'_>,
    site: &Site,
    node: NodeId,
    test: Test,
    change: TextChange,
) -> Option<Attack> {
    let mut text = twin.tree.bytes(node)?.to_vec();
    match change {
        TextChange::Empty => text.clear(),
        TextChange::LastByte => {
            let last = text.last_mut()?;
            *last = if *last == b'x' { b'y' } else { b'x' };
        }
        TextChange::Longer => text.push(b'x'),
        TextChange::Case => {
            let letter = text.iter_mut().find(|byte| byte.is_ascii_alphabetic())?;
            *letter ^= 0x20;
        }
    }
    let encoding = encoding(&twin.op(node).kind);
    if encoding.is_some_and(|e| !tracegauge_decoder::text::well_formed(&text, e)) {
        return None;
    }
    let value = Value::Bytes(text.clone());
    if test.owner != twin.node(node).op || !twin.breaks_first(node, &value, test.number, site.rule)
    {
        return None;
    }
    let edit = replace(twin, node, text)?;
    let judged = twin.judged(test, node)?;
    Some(Attack::new(edit, site.rule, judged.path, judged.start))
}

/// Removes the terminator of a string at the end of the enclosing sized part. If there is no such
/// part, cuts off the file before the terminator instead.
pub(super) fn open(twin: &Twin<'_>, node: NodeId) -> Option<Attack> {
    let rule = fault(twin.plan, twin.node(node).op, FaultKind::Terminator)?;
    let limit = twin.limit(node);
    let last = limit.end == twin.node(node).span.end;
    if limit.part.is_some() && !last {
        return None;
    }
    let content = twin.tree.bytes(node)?.to_vec();
    let keep = content.len() as u64;
    let mut attack = Attack::new(
        Edit::Replace {
            node,
            bytes: content,
        },
        rule,
        twin.path(node),
        At::Node(node, 0),
    );
    attack.splice.cut = (limit.part.is_none()).then_some(Cut { node, keep });
    Some(attack)
}

/// Returns the edit that sets the contents of a string or byte string, if its size can change
/// accordingly.
pub(super) fn replace(twin: &Twin<'_>, node: NodeId, content: Vec<u8>) -> Option<Edit> {
    let op = twin.node(node).op;
    let old = twin.bytes_of(node);
    let bytes = match &twin.op(node).kind {
        Kind::Text(extent, _) | Kind::Bytes(extent) => {
            let free = match extent {
                Extent::Computed(_) => twin.slots.is_measured(op),
                Extent::ToEnd => true,
                Extent::Fixed(_) => false,
            };
            (free || content.len() == old.len()).then_some(content)?
        }
        Kind::Guid(_) => (content.len() == old.len()).then_some(content)?,
        Kind::Terminated(ending) => {
            let byte = &ending.terminator?;
            let wide = ending.unit() == 2;
            if ending.include || !ending.consume || ending.pad.is_some() {
                return None;
            }
            let text = twin.tree.bytes(node)?;
            let end = old.get(text.len()..)?;
            let ends_early = if wide {
                content.chunks_exact(2).any(|unit| unit == end)
            } else {
                content.contains(byte)
            };
            if ends_early || end.is_empty() || wide && !content.len().is_multiple_of(2) {
                return None;
            }
            [content.as_slice(), end].concat()
        }
        _ => return None,
    };
    Some(Edit::Replace { node, bytes })
}
