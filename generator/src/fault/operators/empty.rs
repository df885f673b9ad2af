//! Values that must not be empty and are.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::OpId;
use tracegauge_plan::terms::ReaderDuty;

use super::{Plant, Words};
use crate::fault::apply::{Attack, duty};
use crate::fault::list::{at_list, removals};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::{Finder, Subject};
use crate::fault::text;
use crate::fault::twin::Twin;

/// A required value that is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Empty;

impl Plant for Empty {
    const WORDS: Words = &[("empty", "A value that must not be empty is empty")];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        for tested in finder.tests(id) {
            if matches!(tested.subject, Subject::Emptiness) {
                finder.add(tested.check.rule, id, Self);
            }
        }
    }

    fn name(&self) -> &'static str {
        "empty"
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        empty(twin, site, node).ok_or(NoCase::Lacking)
    }
}

/// Empties a string, byte string or list that must not be empty.
fn empty(twin: &Twin<'_>, site: &Site, node: NodeId) -> Option<Attack> {
    let edits = if twin.repeat(node).is_some() {
        removals(twin, node, 0)?
    } else {
        vec![text::replace(twin, node, Vec::new())?]
    };
    if duty(twin.plan, site.rule) != ReaderDuty::Reject && twin.used_later(node) {
        return None;
    }
    at_list(twin, node, edits, site.rule)
}

#[cfg(test)]
mod tests {
    use super::Empty;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_list_is_empty() {
        let cases = planted::<Empty>(
            r#"seq: [ { id: n, type: u1, value: list.size }, { id: list, type: u1, repeat: expr, repeat-expr: n, faults: { empty: R } } ]
faults: { eof: R }"#,
            "0105",
        );
        assert_eq!(cases, ["R/empty/list 00 @1"]);
    }
}
