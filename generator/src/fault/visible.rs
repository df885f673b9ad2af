//! Checks whether a reader's answer reveals how the reader handles a fault.
//!
//! A reader that does not notice that a part is too short reads beyond the end of the part. If no
//! bytes follow the part, the reader rejects the trace anyway, because the file ends.
//!
//! Readers accept a trace with a tolerated fault, so only a reader's records show whether the
//! reader handles the fault correctly. A trace without records after the fault, or in which nothing
//! refers to the definition that contains the fault, would reveal nothing about the reader.

use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::{Findings, Observer, observe};
use tracegauge_plan::terms::ReaderDuty;

use super::apply::Malformed;
use super::operator::Site;
use super::twin::Twin;

/// Returns whether a reader's answer to a case reveals how the reader handles the fault at `node`:
/// through the verdict, if readers must reject the trace, or through the records.
pub(super) fn is_visible(twin: &Twin<'_>, site: &Site, node: NodeId, case: &Malformed) -> bool {
    if case.duty != ReaderDuty::Reject {
        return is_used(twin, node) && has_later_record(twin, case);
    }
    // A reader that does not check a type code where it is declared finds it where it is used.
    let is_declared_code = twin.info(node).code_of.is_some();
    let is_used_code = is_declared_code && twin.used_later(node);
    !is_used_code && site.operator.is_followed(twin, node)
}

/// Returns whether the decoder reports a record that ends after the fault in `case`.
fn has_later_record(twin: &Twin<'_>, case: &Malformed) -> bool {
    let mut listener = Listener {
        fault: case.span.start,
        is_found: false,
    };
    observe(twin.plan, &case.bytes, Findings::Notes, &mut listener);
    listener.is_found
}

/// Returns false if `node` belongs to the definition of a row that nothing refers to later.
pub(super) fn is_used(twin: &Twin<'_>, node: NodeId) -> bool {
    let mut definitions = twin.history().definitions.iter();
    let is_defined = definitions.any(|row| row.node <= node && node < twin.node(row.node).end);
    !is_defined || twin.used_later(node)
}

struct Listener {
    fault: u64,
    is_found: bool,
}

impl Observer for Listener {
    fn record(&mut self, record: &RecordView<'_>) {
        self.is_found |= record.end > self.fault;
    }
}
