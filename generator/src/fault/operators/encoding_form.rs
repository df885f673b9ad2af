//! Overlong and invalid encodings of variable-length integers.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{FaultKind, VariableKind};
use tracegauge_plan::{Kind, OpId, Plan};

use super::{Plant, Words, changes};
use crate::fault::apply::{At, Attack, Blame, fault};
use crate::fault::ends::Ends;
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::no_case::NoCase;
use crate::fault::number;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Cut, Edit, Splice};
use crate::fault::twin::Twin;

changes! {
    /// Overlong and invalid encodings of a variable-length integer.
    pub enum EncodingForm {
        OneByteMore = "overlong": "A number is encoded in one more byte than it needs",
        MostBytes = "overlong-most": "A number is encoded in as many bytes as its width allows",
        TooLong = "too-long": "A number is encoded in more bytes than its width allows",
        TooWide = "too-wide": "A number has a bit beyond its width",
        AllOnes = "too-wide-all-ones":
            "A number has the maximum number of bytes with all bits set, which exceeds its width",
        Unterminated = "unterminated": "The terminator is missing",
    }
}

impl Plant for EncodingForm {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        if !matches!(finder.plan.op(id).kind, Kind::Variable(..)) {
            return;
        }
        finder.mapped(
            FaultKind::Overlong,
            id,
            [Self::OneByteMore, Self::MostBytes],
        );
        finder.mapped(FaultKind::Long, id, [Self::TooLong]);
        finder.mapped(FaultKind::Wide, id, [Self::TooWide, Self::AllOnes]);
        finder.add_undetermined(id, Self::Unterminated);
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        plant(twin, site, node, *self)
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        let op = site.op;
        let Kind::Variable(kind, bits) = reasons.plan.op(op).kind else {
            return None;
        };
        if *self == Self::Unterminated {
            let inside = !reasons.around[op.index()].file;
            return reasons
                .goes_on(op)
                .filter(|reason| inside && *reason == Infeasibility::GoesOn);
        }
        let most = usize::from(bits).div_ceil(7);
        let spare = most * 7 > usize::from(bits);
        let room = match self {
            Self::OneByteMore => most > 1,
            Self::MostBytes => most > 2,
            Self::TooWide => spare,
            Self::AllOnes => spare && kind != VariableKind::Signed,
            Self::TooLong | Self::Unterminated => true,
        };
        (!room).then_some(Infeasibility::NoRoom)
    }

    fn is_minor(&self, _: &Plan, _: &Site) -> bool {
        matches!(self, Self::MostBytes | Self::AllOnes | Self::TooWide)
    }
}

/// Replaces the encoding of an integer with an overlong or invalid encoding, preserving the value
/// if possible.
fn plant(twin: &Twin<'_>, site: &Site, node: NodeId, form: EncodingForm) -> Result<Attack, NoCase> {
    let Kind::Variable(kind, bits) = twin.op(node).kind else {
        return Err(NoCase::Lacking);
    };
    let raw = number::read_groups(kind, twin.bytes_of(node));
    let most = usize::from(bits).div_ceil(7);
    let least = twin.bytes_of(node).len();
    if form == EncodingForm::Unterminated {
        return unterminated(twin, node, most);
    }
    let too_wide = too_wide(kind, bits, raw);
    let bytes = match form {
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

#[cfg(test)]
mod tests {
    use super::EncodingForm;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_number_is_too_long() {
        let cases = planted::<EncodingForm>(r#"seq: [ { id: a, type: uleb128, bits: 32 } ]"#, "05");
        assert_eq!(
            cases,
            [
                "R/overlong/a 8500 @0",
                "R/overlong-most/a 8580808000 @0",
                "R/too-long/a 858080808000 @0",
                "R/too-wide/a 8580808010 @0",
                "R/too-wide-all-ones/a ffffffff7f @0",
                "R/unterminated/a 85 @0"
            ]
        );
    }
}
