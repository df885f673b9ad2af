//! The tests of an operation and their subjects.

use std::collections::HashSet;

use tracegauge_plan::{CheckKind, CheckPlan, CodeId, Kind, OpId, Slot};

use super::Finder;
use crate::fault::judged::Test;
use crate::fault::operators::inside::null_field;
use crate::fault::slots::slots_in;

/// The subject of a test.
pub(in crate::fault) enum Subject {
    /// The structure of a text, such as JSON.
    Structured,
    /// Whether a value is empty.
    Emptiness,
    /// A number.
    Number,
    /// A string or byte string.
    Text,
    /// Several fields or, if the blamed field is computed, only that field.
    Fields(Vec<OpId>),
    /// Whether the field, which is the null indicator of a structure, indicates null.
    Null(OpId),
    /// Something that no operator changes.
    Other,
}

/// A test of an operation.
pub(in crate::fault) struct Tested<'p> {
    pub test: Test,
    pub check: &'p CheckPlan,
    pub subject: Subject,
}

impl<'p> Finder<'p> {
    /// Returns the tests of a value, a standalone test, and the tests at the end of a structure.
    pub(in crate::fault) fn tests(&self, id: OpId) -> Vec<Tested<'p>> {
        let plan = self.plan;
        // The operators for constant bytes and for padding cover their tests.
        if matches!(plan.op(id).kind, Kind::Contents(_) | Kind::Align { .. }) {
            return Vec::new();
        }
        let effects = plan.info(id).effects.map(|effects| &plan.effects[effects]);
        let endings = effects.map_or(&[][..], |effects| &effects.checks);
        let own = (0..).zip(plan.tests_of(id)).map(|test| (test, false));
        let endings = (0..).zip(endings).map(|test| (test, true));
        own.chain(endings)
            .map(|((number, check), ending)| {
                let test = Test {
                    owner: id,
                    number,
                    ending,
                };
                let subject = self.subject(test, check);
                Tested {
                    test,
                    check,
                    subject,
                }
            })
            .collect()
    }

    fn subject(&self, test: Test, check: &CheckPlan) -> Subject {
        let plan = self.plan;
        let kind = &plan.op(test.owner).kind;
        if test.ending
            && let Some(null) = null_field(plan, test.owner, &check.kind)
        {
            return Subject::Null(null);
        }
        if test.ending || *kind == Kind::Check {
            let computed = |blame: &OpId| plan.info(*blame).derived.is_some();
            let blamed = check.blame.filter(computed).map(|blame| vec![blame]);
            return Subject::Fields(blamed.unwrap_or_else(|| self.fields_in(test.owner, check)));
        }
        match (&check.kind, kind) {
            (CheckKind::Json(_) | CheckKind::Signature(_), _) => Subject::Structured,
            (CheckKind::NotEmpty, _) => Subject::Emptiness,
            _ if kind.range().is_some() => Subject::Number,
            (_, Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated(_)) => Subject::Text,
            _ => Subject::Other,
        }
    }

    /// Returns the fields that a test of `owner` reads.
    fn fields_in(&self, owner: OpId, check: &CheckPlan) -> Vec<OpId> {
        let mut slots = HashSet::new();
        for code in codes_of(check) {
            slots_in(self.plan, code, &mut slots);
        }
        let mut fields: Vec<OpId> = slots
            .into_iter()
            .filter_map(|slot| self.slots.field(self.plan, Slot(slot), owner))
            .collect();
        fields.sort_unstable();
        fields
    }
}

fn codes_of(check: &CheckPlan) -> Vec<CodeId> {
    match &check.kind {
        CheckKind::Equal(code)
        | CheckKind::Min(code)
        | CheckKind::Max(code)
        | CheckKind::Holds(code) => vec![*code],
        CheckKind::AnyOf(codes) => codes.clone(),
        _ => Vec::new(),
    }
}
