//! Rows with the same key as a predefined row, which is declared in the description.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Constant, OpId, Plan};

use super::again::repeated;
use super::{Plant, Words};
use crate::fault::apply::Attack;
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::Finder;
use crate::fault::text;
use crate::fault::twin::Twin;

/// A row with the same key as a predefined row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Before {
    /// The index of the predefined row.
    pub row: usize,
    /// Whether the row repeats the predefined row unchanged.
    pub same: bool,
}

impl Plant for Before {
    const WORDS: Words = &[
        (
            "before-file-same",
            "A predefined table row is defined again with the same contents",
        ),
        (
            "before-file-different",
            "A predefined table row is defined again with different contents",
        ),
    ];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        for (id, define) in finder.definitions(id) {
            let initial = plan.tables[define.table].initial.iter().enumerate();
            for (row, again) in initial.filter_map(|(row, it)| Some((row, it.again.as_ref()?))) {
                finder.add(again.same, id, Self { row, same: true });
                finder.add(again.other, id, Self { row, same: false });
            }
        }
    }

    fn name(&self) -> &'static str {
        if self.same {
            "before-file-same"
        } else {
            "before-file-different"
        }
    }

    fn parameter(&self, _: &Plan) -> Option<String> {
        (self.row > 0).then(|| self.row.to_string())
    }

    fn plant(&self, twin: &Twin<'_>, _: &Site, node: NodeId) -> Result<Attack, NoCase> {
        before(twin, node, *self).ok_or(NoCase::Lacking)
    }
}

/// Redefines a predefined row, either unchanged or with different contents.
fn before(twin: &Twin<'_>, node: NodeId, Before { row, same }: Before) -> Option<Attack> {
    let define = twin.define_of(node)?;
    let initial = twin.plan.tables[define.table].initial.get(row)?;
    let again = initial.again.as_ref()?;
    let key = twin.key_field(define.key?, node)?;
    let mut edits = vec![twin.set(key, i128::from(initial.key))?];
    for column in again.columns.iter().filter(|_| same) {
        let field = twin.field_of(*define.columns.get(*column)?, node)?;
        edits.push(match initial.cells.get(*column)? {
            Constant::Text(text) => text::replace(twin, field, text.clone())?,
            Constant::Int(value) => twin.set(field, *value)?,
            Constant::Bool(value) => twin.set(field, i128::from(*value))?,
            Constant::Absent => return None,
        });
    }
    repeated(
        twin,
        node,
        edits,
        if same { again.same } else { again.other },
    )
}

#[cfg(test)]
mod tests {
    use super::Before;
    use crate::fault::operators::tests::planted;

    #[test]
    fn a_predefined_row_is_defined() {
        let cases = planted::<Before>(
            r#"tables: { rows: { key: u1, row: row, initial: [ { id: 1, v: 5, again: { compare: [v], same: R, other: R, keeps: first } } ] } }
types: { row: { defines: { table: rows, key: id, again: { compare: [v], same: R, other: R, keeps: first } }, seq: [ { id: id, type: u1 }, { id: v, type: u1 } ] } }
seq: [ { id: all, type: row, repeat: eos } ]"#,
            "0206",
        );
        assert_eq!(
            cases,
            [
                "R/before-file-same/all 02060105 @2",
                "R/before-file-different/all 02060106 @2"
            ]
        );
    }
}
