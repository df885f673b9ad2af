//! Extra bytes after the end of the trace.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::OpId;
use tracegauge_plan::terms::FaultKind;

use super::{Plant, Words, changes};
use crate::fault::apply::{At, Attack, fault};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Edit, Place};
use crate::fault::twin::Twin;

changes! {
    /// The bytes after the end of the trace.
    pub enum Tail {
        Zero = "followed-by-zero": "A zero byte follows the trace",
        Ones = "followed-by-ones": "A byte with all bits set follows the trace",
        Copy = "followed-by-copy": "A copy of the whole trace follows the trace",
    }
}

impl Plant for Tail {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        if id == OpId(0) && !finder.early.moves_with_the_end() {
            finder.mapped(
                FaultKind::Trailing,
                id,
                [Self::Zero, Self::Ones, Self::Copy],
            );
        }
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        trailing(twin, node, *self).ok_or(NoCase::Lacking)
    }
}

/// Appends bytes after the end of the trace.
fn trailing(twin: &Twin<'_>, node: NodeId, tail: Tail) -> Option<Attack> {
    let rule = fault(twin.plan, OpId(0), FaultKind::Trailing)?;
    if node != 0 || twin.absorbs(0) || twin.node(0).span.end != twin.bytes.len() as u64 {
        return None;
    }
    let bytes = match tail {
        Tail::Zero => vec![0],
        Tail::Ones => vec![0xff],
        Tail::Copy => twin.bytes.to_vec(),
    };
    let edit = Edit::insert(Place::After(0), bytes);
    Some(Attack::new(edit, rule, twin.path(0), At::Edit(0, 0)))
}

#[cfg(test)]
mod tests {
    use super::Tail;
    use crate::fault::operators::tests::planted;

    #[test]
    fn bytes_follow_the_trace() {
        let cases = planted::<Tail>(r#"seq: [ { id: a, type: u1 } ]"#, "07");
        assert_eq!(
            cases,
            [
                "R/followed-by-zero/file 0700 @1",
                "R/followed-by-ones/file 07ff @1",
                "R/followed-by-copy/file 0707 @1"
            ]
        );
    }
}
