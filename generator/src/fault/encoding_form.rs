//! Plants overlong and invalid encodings of variable-length integers.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::Kind;
use tracegauge_plan::terms::{FaultKind, VariableKind};

use super::apply::{At, Attack, Blame, fault};
use super::cut::Ends;
use super::no_case::NoCase;
use super::number;
use super::operator::{EncodingForm, Site};
use super::splice::{Cut, Edit, Splice};
use super::twin::Twin;

/// Replaces the encoding of an integer with an overlong or invalid encoding, preserving the value
/// if possible.
pub(super) fn spell(
    twin: &Twin<'_>,
    site: &Site,
    node: NodeId,
    spelling: EncodingForm,
) -> Result<Attack, NoCase> {
    let Kind::Variable(kind, bits) = twin.op(node).kind else {
        return Err(NoCase::Lacking);
    };
    let raw = number::read_groups(kind, twin.bytes_of(node));
    let most = usize::from(bits).div_ceil(7);
    let least = twin.bytes_of(node).len();
    if spelling == EncodingForm::Unterminated {
        return unterminated(twin, node, most);
    }
    let too_wide = too_wide(kind, bits, raw);
    let bytes = match spelling {
        EncodingForm::OneByteMore if least < most => number::groups(raw, least + 1),
        EncodingForm::MostBytes if least + 1 < most => number::groups(raw, most),
        EncodingForm::TooLong => number::groups(raw, most + 1),
        EncodingForm::TooWide => number::groups(too_wide.ok_or(NoCase::Inexpressible)?, most),
        EncodingForm::AllOnes if kind != VariableKind::Signed && most * 7 > usize::from(bits) => {
            number::groups(u128::MAX, most)
        }
        _ => return Err(NoCase::Inexpressible),
    };
    let edit = Edit::Replace { node, bytes };
    Ok(Attack::new(
        edit,
        site.rule,
        twin.path(node),
        At::Node(node, 0),
    ))
}

/// Returns the raw bits of a value that does not fit in the given width, or `None` if the longest
/// encoding has no bits beyond this width.
fn too_wide(kind: VariableKind, bits: u8, raw: u128) -> Option<u128> {
    let room = usize::from(bits).div_ceil(7) * 7;
    match kind {
        VariableKind::Unsigned | VariableKind::ZigZag => {
            (room > usize::from(bits)).then_some(raw | 1 << bits)
        }
        // The smallest positive value that needs one more bit.
        VariableKind::Signed => (room > usize::from(bits)).then_some(1 << (bits - 1)),
    }
}

/// Makes the integer indicate that another byte follows, although the enclosing sized part or the
/// file ends there.
fn unterminated(twin: &Twin<'_>, node: NodeId, most: usize) -> Result<Attack, NoCase> {
    let mut bytes = twin.bytes_of(node).to_vec();
    if bytes.len() >= most {
        bytes.truncate(1);
    }
    *bytes.last_mut().ok_or(NoCase::Lacking)? |= 0x80;
    let limit = twin.limit(node);
    let ends = match limit.part {
        Some(_) if limit.end == twin.node(node).span.end => Ends::Part,
        None => Ends::File,
        // The following bytes of the part would continue the integer.
        Some(_) => return Err(NoCase::Uncontradicted),
    };
    let kind = match ends {
        Ends::Part => FaultKind::Short,
        Ends::File => FaultKind::Eof,
    };
    let keep = bytes.len() as u64;
    let blame = Blame {
        rule: fault(twin.plan, twin.node(node).op, kind).ok_or(NoCase::Allowed)?,
        path: twin.path(node),
        at: At::Node(node, 0),
    };
    Ok(Attack {
        splice: Splice {
            edits: vec![Edit::Replace { node, bytes }],
            held: Vec::new(),
            cut: (ends == Ends::File).then_some(Cut { node, keep }),
        },
        blame: vec![blame],
    })
}
