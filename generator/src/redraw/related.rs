//! Finds the fields whose values may be the reason why an attempt failed: those that the tests of the
//! failing field, structure or list read.

use std::collections::HashSet;

use tracegauge_plan::{CheckPlan, Code, CodeId, Derived, Kind, OpId, Plan, each_code, flags};

use super::Progress;

/// After this many consecutive failures that come no further, choices before the related fields are
/// replaced too.
const IN_VAIN: usize = 16;

/// Takes turns among the related fields.
#[derive(Debug, Default)]
pub struct Turns {
    /// The largest number of fields that an attempt wrote.
    furthest: usize,
    /// The number of failures since then.
    in_vain: usize,
}

impl Turns {
    /// Returns the number of choices to keep. Choices of the related fields are replaced in turn,
    /// starting with the field that was written last.
    pub fn next(&mut self, plan: &Plan, progress: &Progress) -> Option<usize> {
        let fields = &progress.fields;
        if fields.len() > self.furthest {
            self.furthest = fields.len();
            self.in_vain = 0;
        } else {
            self.in_vain += 1;
        }
        let related = related(plan, progress.failed?);
        let mut seen = HashSet::new();
        let written = fields.iter().enumerate().rev();
        let mut places: Vec<usize> = written
            .filter(|(_, (field, _))| related.contains(field) && seen.insert(*field))
            .map(|(at, _)| at)
            .collect();
        if places.is_empty() {
            places.push(fields.len().checked_sub(1)?);
        }
        let place = places[self.in_vain % places.len()];
        let further = match self.in_vain / IN_VAIN {
            0 => 0,
            more if self.in_vain.is_multiple_of(IN_VAIN) => 1 << more.min(16),
            _ => 0,
        };
        Some(fields[place.saturating_sub(further)].1)
    }
}

/// Returns the fields that the tests of an operation read, and the parts that it measures.
fn related(plan: &Plan, failed: OpId) -> HashSet<OpId> {
    let mut slots = HashSet::new();
    let mut related = HashSet::from([failed]);
    let info = plan.info(failed);
    let mut codes: Vec<CodeId> = Vec::new();
    let mut add = |checks: &[CheckPlan]| {
        for check in checks {
            codes.extend(check.codes());
            codes.extend(check.condition);
        }
    };
    add(plan.tests_of(failed));
    if let Some(effects) = info.effects {
        add(&plan.effects[effects].checks);
    }
    let lists = [Some(failed), info.parent].into_iter().flatten();
    for list in lists {
        if let Kind::Repeat(repeat) = plan.op(list).kind {
            let repeat = &plan.repeats[repeat];
            add(&repeat.first);
            add(&repeat.last);
        }
    }
    match info.derived {
        Some(Derived::Measured { of, .. }) => {
            related.extend((of.0..plan.op(of).end).map(OpId));
        }
        Some(Derived::Computed(code)) => codes.push(code),
        None => {}
    }
    for code in codes {
        each_code(plan, code, &mut |code| {
            if let Code::Slot(slot) = code {
                slots.insert(*slot);
            }
        });
    }
    let all = (0..plan.ops.len()).map(OpId::from);
    related.extend(all.filter(|op| {
        let op = plan.op(*op);
        op.flags & flags::SLOT != 0 && slots.contains(&op.slot)
    }));
    related
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tracegauge_spec::load::{Memory, load};
    use tracegauge_spec::lower::lower;

    use super::*;

    #[test]
    fn fields_that_a_test_reads_are_replaced_in_turn() {
        let text = "meta: { id: a }\nseq: [ { id: a, type: u1 }, { id: b, type: u1 }, \
                    { id: c, type: u1, valid: { expr: _ * a < 9 } } ]\n";
        let loaded = load(&Memory::new().with("a.yaml", text), "a.yaml");
        let schema = loaded.schema.expect("a description");
        let plan = lower(&Arc::new(schema), "a").expect("a plan");
        let fields = [OpId(1), OpId(2), OpId(3)];
        assert_eq!(
            related(&plan, fields[2]),
            HashSet::from([fields[0], fields[2]])
        );

        let progress = Progress {
            fields: fields.into_iter().zip([10, 20, 30]).collect(),
            failed: Some(fields[2]),
            ..Progress::default()
        };
        let mut turns = Turns::default();
        let from = [(); 4].map(|()| turns.next(&plan, &progress));
        assert_eq!(from, [Some(30), Some(10), Some(30), Some(10)]);
    }
}
