//! A file that ends before or inside a field.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{OpId, Plan};

use super::{Plant, Words, changes};
use crate::fault::apply::Attack;
use crate::fault::ends::Ends;
use crate::fault::infeasible::{Infeasibility, Reasons};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::splice::{Cut, Splice};
use crate::fault::twin::Twin;

changes! {
    /// The position where the file ends.
    pub enum CutAt {
        Before = "cut-before": "The file ends before this field",
        Inside = "cut-inside": "The file ends inside this field",
    }
}

impl Plant for CutAt {
    const WORDS: Words = Self::WORDS;

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        if !finder.reads_bytes(id) || finder.early.is_after_the_end(id) {
            return;
        }
        // Inside a part, a reader encounters the end of the file at the start of the part, wherever
        // the cut is. One site for each structure is therefore enough.
        let in_file = finder.around[id.index()].file;
        if in_file || begins(finder.plan, id) {
            finder.add_undetermined(id, Self::Before);
        }
        if in_file {
            finder.add_undetermined(id, Self::Inside);
        }
    }

    fn name(&self) -> &'static str {
        self.word()
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        cut(twin, node, *self)
    }

    fn infeasible(&self, reasons: &Reasons<'_>, site: &Site) -> Option<Infeasibility> {
        let op = site.op;
        match self {
            Self::Inside => reasons.is_one_byte(op).then_some(Infeasibility::OneByte),
            Self::Before => reasons
                .begins_an_element(op)
                .filter(|list| !reasons.around[list.index()].part)
                .map(|_| Infeasibility::MayEnd),
        }
    }

    // The uses of a type differ only if the file ends at the first field of a structure.
    fn is_minor(&self, plan: &Plan, site: &Site) -> bool {
        !begins(plan, site.op)
    }
}

/// Returns whether an operation is the first operation in a structure.
fn begins(plan: &Plan, op: OpId) -> bool {
    let around = plan.info(op).parent;
    around.is_some_and(|around| plan.children(around).next() == Some(op))
}

/// Ends the file before or inside a field.
fn cut(twin: &Twin<'_>, node: NodeId, at: CutAt) -> Result<Attack, NoCase> {
    let span = twin.node(node).span;
    let length = span.end - span.start;
    let keep = match at {
        CutAt::Before => 0,
        CutAt::Inside => length / 2,
    };
    if length == 0 || at == CutAt::Inside && keep == 0 {
        return Err(NoCase::Inexpressible);
    }
    let blame = twin.blame_end(0, span.start + keep, Ends::File);
    let blame = blame.ok_or(NoCase::Uncontradicted)?;
    Ok(Attack {
        splice: Splice {
            cut: Some(Cut { node, keep }),
            ..Splice::default()
        },
        blame: vec![blame],
    })
}

#[cfg(test)]
mod tests {
    use super::CutAt;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_file_ends_early() {
        let cases = planted::<CutAt>(r#"seq: [ { id: a, type: u2 } ]"#, "0102");
        assert_eq!(cases, ["R/cut-before/a  @0", "R/cut-inside/a 01 @0"]);
    }
}
