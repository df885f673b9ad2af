//! Excludes faults that turn a file of one dialect into a file of another dialect. A reader of the
//! other dialect would accept the file or find a different fault.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::{Detection, Dialect, NameId, Plan};

use super::number;
use super::splice::Spliced;
use super::twin::Twin;

/// Returns whether the changed content identifies a dialect other than that of the original trace.
pub(super) fn tells_another(twin: &Twin<'_>, spliced: &Spliced) -> bool {
    let plan = twin.plan;
    let dialects = &plan.description.dialects;
    let is_unidentified = |own: &Dialect| own.id == plan.format && own.detection.is_empty();
    if dialects.iter().any(is_unidentified) {
        // The content of a file never identifies this dialect, so users must specify it to read
        // such a file.
        return false;
    }
    let mut others = dialects.iter().filter(|other| other.id != plan.format);
    others.any(|other| {
        let detection = &other.detection;
        !detection.is_empty()
            && detection.matches_bytes(&spliced.bytes)
            && detection.field.as_ref().is_none_or(|field| {
                field.value.is_some() && field.value == value_of(twin, spliced, &field.path)
            })
    })
}

/// Returns the number that a field contains after the changes.
fn value_of(twin: &Twin<'_>, spliced: &Spliced, path: &[String]) -> Option<i128> {
    let path = ids(twin.plan, path)?;
    let root: NodeId = 0;
    let node = twin.tree.find(twin.plan, root, &path)?;
    let span = (*spliced.spans.get(node as usize)?)?;
    let range = usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?;
    number::wire(&twin.op(node).kind, spliced.bytes.get(range)?)
}

/// Returns the ids of the names on a path.
fn ids(plan: &Plan, path: &[String]) -> Option<Vec<NameId>> {
    let id = |name: &String| {
        let index = plan.names.iter().position(|known| known == name)?;
        Some(NameId(u32::try_from(index).ok()?))
    };
    path.iter().map(id).collect()
}

/// The content that identifies other formats. A fault must not turn a trace into a file of another
/// format.
#[derive(Clone, Debug, Default)]
pub struct OtherFormats(Vec<Detection>);

impl OtherFormats {
    /// Collects the byte strings that identify other formats. Criteria without byte strings are
    /// ignored.
    pub fn new(detections: impl IntoIterator<Item = Detection>) -> Self {
        let with_bytes = |detection: &Detection| !detection.bytes.is_empty();
        Self(detections.into_iter().filter(with_bytes).collect())
    }

    /// Returns whether the content identifies one of the other formats.
    pub(super) fn claim(&self, bytes: &[u8]) -> bool {
        self.0
            .iter()
            .any(|detection| detection.matches_bytes(bytes))
    }
}
