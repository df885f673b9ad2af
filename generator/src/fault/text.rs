//! Fields that contain text.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{Extent, Kind};

use super::splice::Edit;
use super::twin::Twin;

/// Returns the encoding of an operation that reads text.
pub(super) fn encoding(kind: &Kind) -> Option<Encoding> {
    match kind {
        Kind::Text(_, encoding) => Some(*encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    }
}

/// Returns the edit that sets the contents of a string or byte string, if its size can change
/// accordingly.
pub(super) fn replace(twin: &Twin<'_>, node: NodeId, content: Vec<u8>) -> Option<Edit> {
    let op = twin.node(node).op;
    let old = twin.bytes_of(node);
    let bytes = match &twin.op(node).kind {
        Kind::Text(extent, _) | Kind::Bytes(extent) => {
            let free = match extent {
                Extent::Computed(_) => twin.slots.is_measured(op),
                Extent::ToEnd => true,
                Extent::Fixed(_) => false,
            };
            (free || content.len() == old.len()).then_some(content)?
        }
        Kind::Guid(_) => (content.len() == old.len()).then_some(content)?,
        Kind::Terminated(ending) => {
            let byte = &ending.terminator?;
            let wide = ending.unit() == 2;
            if ending.include || !ending.consume || ending.pad.is_some() {
                return None;
            }
            let text = twin.tree.bytes(node)?;
            let end = old.get(text.len()..)?;
            let ends_early = if wide {
                content.chunks_exact(2).any(|unit| unit == end)
            } else {
                content.contains(byte)
            };
            if ends_early || end.is_empty() || wide && !content.len().is_multiple_of(2) {
                return None;
            }
            [content.as_slice(), end].concat()
        }
        _ => return None,
    };
    Some(Edit::Replace { node, bytes })
}
