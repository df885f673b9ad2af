//! Words that refer to an invalid position. A located value is stored elsewhere; its field contains
//! only a *word* with the position and size of the value.

use tracegauge_decoder::tree::{NodeId, Payload};
use tracegauge_plan::terms::{FaultKind, LocatedFrom};
use tracegauge_plan::{Kind, LocatedPlan, NestedForm, OpId};

use super::{Plant, Words, changes};
use crate::fault::apply::{At, Attack, fault};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::twin::Twin;

changes! {
    /// Invalid positions in a word, which is a field that encodes the location of a value.
    pub enum WordChange {
        Past = "names-farthest": "A reference has the largest offset that can be encoded",
        PastEnd = "names-past-end": "A reference covers one more element than the data contains",
        Multiple = "names-part-of-element": "A reference covers only part of an element",
    }
}

impl Plant for WordChange {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        let Kind::Nested(nested) = plan.op(id).kind else {
            return;
        };
        if let NestedForm::Located(located) = &plan.nested[nested].form {
            finder.mapped(FaultKind::Past, id, [Self::Past, Self::PastEnd]);
            finder.add(located.multiple, id, Self::Multiple);
        }
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        word(twin, node, *self).ok_or(NoCase::Lacking)
    }
}

/// Changes the word of the located value `node` so that its position or size is invalid.
fn word(twin: &Twin<'_>, node: NodeId, change: WordChange) -> Option<Attack> {
    let Kind::Nested(nested) = twin.op(node).kind else {
        return None;
    };
    let NestedForm::Located(located) = &twin.plan.nested[nested].form else {
        return None;
    };
    let word = twin.tree.children(node).next()?;
    let Payload::Bits(bits) = twin.node(word).payload else {
        return None;
    };
    let element = twin.element_size(node)?;
    let (offset, size) = located.split(bits);
    let base = base(twin, located, node, word)?;
    let room = twin.limit(node).end.checked_sub(base)?;
    let changed = match change {
        WordChange::Past => {
            let far = located.greatest().0;
            let size = size.max(element);
            (far + size > room).then(|| located.join(far, size))?
        }
        WordChange::PastEnd => {
            let whole = room.checked_sub(offset)? / element.max(1);
            located.join(offset, (whole + 1) * element.max(1))
        }
        WordChange::Multiple => {
            (element > 1 && size >= element).then(|| located.join(offset, size - 1))?
        }
    }?;
    let rule = match change {
        WordChange::Multiple => located.multiple,
        _ => fault(twin.plan, twin.node(node).op, FaultKind::Past)?,
    };
    let edit = twin.set(word, i128::from(changed))?;
    Some(Attack::new(edit, rule, twin.path(node), At::Node(word, 0)))
}

/// Returns the position that the offset in a word is relative to.
fn base(twin: &Twin<'_>, located: &LocatedPlan, node: NodeId, word: NodeId) -> Option<u64> {
    match located.from {
        LocatedFrom::EndOfField => Some(twin.node(word).span.end),
        LocatedFrom::StartOfLayout => {
            let layout = twin.outward(node).find(|at| twin.is_layout(*at))?;
            Some(twin.node(layout).span.start)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WordChange;
    use crate::fault::operators::tests::{LOCATED, LOCATED_TRACE, planted};

    #[test]
    fn a_word_points_past_the_end() {
        let cases = planted::<WordChange>(LOCATED, LOCATED_TRACE);
        assert_eq!(
            cases,
            [
                "R/names-farthest/event.values.Far 014102010106ffff02002a00 @6",
                "R/names-past-end/event.values.Far 014102010106000004002a00 @6",
                "R/names-part-of-element/event.values.Far 014102010106000001002a00 @6"
            ]
        );
    }
}
