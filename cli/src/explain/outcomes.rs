//! Provides the outcomes of mutants, so that the failures of a reader can be compared with them.

use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::matrix::{self, Limited, Matrix};
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::suite::Suite;
use tracegauge_judge::outcomes_within;
use tracegauge_plan::Plan;
use tracegauge_results::ReaderResult;

use crate::corpus::{CommandError, Scope};

/// The cases of the format whose failures are being explained. The cases of other formats are not
/// kept in memory.
pub(super) struct Traces<'t> {
    scope: &'t Scope,
    formats: &'t Formats,
    suite: Option<Suite>,
}

impl<'t> Traces<'t> {
    pub(super) fn new(scope: &'t Scope, formats: &'t Formats) -> Self {
        Self {
            scope,
            formats,
            suite: None,
        }
    }

    /// Returns the cases of the plan's format.
    pub(super) fn of(
        &mut self,
        plan: &Plan,
        messages: &mut Messages<'_>,
    ) -> Result<&Suite, CommandError> {
        let has = |suite: &Suite| suite.formats.plan(&plan.format).is_some();
        let kept = self.suite.take().filter(has);
        let suite = match kept {
            Some(suite) => suite,
            None => {
                let formats = self.formats.clone().filtered(|id| id == plan.format);
                self.scope.suite_of(formats, messages)?
            }
        };
        Ok(self.suite.insert(suite))
    }
}

/// Returns the stored outcome matrix of the plan's format. If no matrix is stored, for example
/// because the description has no corpus of its own, runs as many mutants as the budget allows.
pub(super) fn outcomes(
    (plan, scope): (&Plan, &Scope),
    reader: &ReaderResult,
    traces: &mut Traces<'_>,
    messages: &mut Messages<'_>,
) -> Result<Limited, CommandError> {
    if let Some(matrix) = stored(plan, scope) {
        let left_out = 0;
        return Ok(Limited { matrix, left_out });
    }
    let suite = traces.of(plan, messages)?;
    let case = |id: &str| suite.case(id);
    let progress = messages.progress;
    Ok(outcomes_within(plan, reader, case, progress))
}

/// Returns the stored outcome matrix if it belongs to the description. An outdated matrix is
/// ignored here; `corpus verify` reports it.
fn stored(plan: &Plan, scope: &Scope) -> Option<Matrix> {
    matrix::load(&scope.store(), plan).ok().flatten()
}
