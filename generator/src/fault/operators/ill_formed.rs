//! Ill-formed text.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::operator::BinaryOperator;
use tracegauge_plan::terms::{Encoding, FaultKind, ReaderDuty};
use tracegauge_plan::{Code, CodeId, Extent, Kind, OpId, Plan};

use super::{Plant, Words};
use crate::fault::apply::{At, Attack, duty, fault};
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::text::{encoding, replace};
use crate::fault::twin::Twin;

/// Ill-formed text, given by the class of the ill-formed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IllFormed(pub &'static str);

impl Plant for IllFormed {
    const WORDS: Words = &[
        (
            "lone-continuation",
            "A continuation byte occurs without a leading byte",
        ),
        ("truncated-2", "A two-byte character is truncated"),
        ("truncated-3", "A three-byte character is truncated"),
        ("truncated-4", "A four-byte character is truncated"),
        (
            "no-continuation",
            "A continuation byte of a character is missing",
        ),
        (
            "overlong-2",
            "A character is encoded in two bytes although one is enough",
        ),
        (
            "overlong-3",
            "A character is encoded in three bytes although fewer are enough",
        ),
        (
            "overlong-4",
            "A character is encoded in four bytes although fewer are enough",
        ),
        ("surrogate-high", "UTF-8 contains a high surrogate"),
        ("surrogate-low", "UTF-8 contains a low surrogate"),
        (
            "surrogate-pair",
            "UTF-8 contains a surrogate pair instead of the character",
        ),
        (
            "above-maximum",
            "A character is beyond the last code point of Unicode",
        ),
        (
            "four-bytes",
            "A character beyond U+FFFF is encoded in four bytes, which is invalid in CESU-8",
        ),
        (
            "five-bytes",
            "A character is encoded in five bytes, which is invalid in UTF-8",
        ),
        (
            "byte-fe",
            "Text contains the byte FE, which is never valid in UTF-8",
        ),
        (
            "byte-ff",
            "Text contains the byte FF, which is never valid in UTF-8",
        ),
        ("high-bit", "A byte is not ASCII"),
        (
            "letter-beyond",
            "A character does not exist in the encoding",
        ),
        ("odd-byte-count", "UTF-16 text has an odd number of bytes"),
        (
            "lone-high-surrogate",
            "A high surrogate occurs without a low surrogate",
        ),
        (
            "lone-low-surrogate",
            "A low surrogate occurs without a high surrogate",
        ),
        (
            "pair-reversed",
            "The halves of a surrogate pair are in the wrong order",
        ),
        (
            "high-then-letter",
            "A high surrogate is followed by a letter",
        ),
    ];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        if let Some(encoding) = encoding(&plan.op(id).kind) {
            for (class, bad) in classes(encoding) {
                finder.mapped(kind(plan, id, encoding, bad), id, [Self(class)]);
            }
        }
    }

    fn name(&self) -> &'static str {
        self.0
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        ill_formed(twin, node, self.0)
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        let kind = &reasons.plan.op(site.op).kind;
        let encoding = encoding(kind)?;
        let wide = matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be);
        let mut classes = classes(encoding).iter();
        let (_, bad) = classes.find(|(name, _)| *name == self.0)?;
        let half = wide && !bad.len().is_multiple_of(2);
        let in_units = match kind {
            Kind::Terminated(_) => true,
            Kind::Text(Extent::Computed(size), _) => is_even(reasons.plan, *size),
            _ => false,
        };
        (half && in_units).then_some(Infeasibility::Units)
    }
}

/// Returns whether a size is computed as a multiple of an even number.
fn is_even(plan: &Plan, size: CodeId) -> bool {
    let Code::Binary(BinaryOperator::Multiply, left, right) = plan.codes[size.index()] else {
        return false;
    };
    let is_even =
        |side: CodeId| matches!(plan.codes[side.index()], Code::Int(factor) if factor % 2 == 0);
    is_even(left) || is_even(right)
}

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
fn classes(encoding: Encoding) -> Classes {
    match encoding {
        Encoding::Utf8 => UTF8,
        Encoding::Cesu8 => CESU8,
        Encoding::Ascii => ASCII,
        Encoding::Utf16Le => UTF16_LE,
        Encoding::Utf16Be => UTF16_BE,
        Encoding::Latin1 => &[],
    }
}

/// Returns the kind of fault that the ill-formed bytes `bad` cause in an operation.
fn kind(plan: &Plan, op: OpId, encoding: Encoding, bad: &[u8]) -> FaultKind {
    let own = plan.faults[plan.op(op).faults].of(FaultKind::Half);
    if own.is_some() && tracegauge_decoder::text::has_half(bad, encoding) {
        FaultKind::Half
    } else {
        FaultKind::Encoding
    }
}

/// Makes the contents of a text field ill-formed.
fn ill_formed(twin: &Twin<'_>, node: NodeId, class: &str) -> Result<Attack, NoCase> {
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

#[cfg(test)]
mod tests {
    use super::IllFormed;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_byte_is_not_ascii() {
        let cases = planted::<IllFormed>(
            r#"seq: [ { id: n, type: u1, value: s._sizeof }, { id: s, type: str, encoding: ASCII, size: n } ]"#,
            "0141",
        );
        assert_eq!(
            cases,
            [
                "R/high-bit/s 024180 @1",
                "R/letter-beyond/s 0341c3a9 @1",
                "R/byte-ff/s 0241ff @1"
            ]
        );
    }
}
