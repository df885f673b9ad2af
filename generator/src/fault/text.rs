//! Fields that contain text.

use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{Ending, Extent, Kind};

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

/// Returns the sized part that contains a padded string and nothing else.
fn padded_part(twin: &Twin<'_>, text: NodeId) -> Option<NodeId> {
    let part = twin.parent(text)?;
    let mut others = twin.tree.children(part).filter(|child| *child != text);
    let is_alone = others.all(|other| twin.is_residue(other));
    let is_part = matches!(twin.op(part).kind, Kind::Sized(_));
    let Kind::Terminated(ending) = &twin.op(text).kind else {
        return None;
    };
    (is_part && is_alone && ending.pad.is_some() && ending.unit() == 1).then_some(part)
}

/// Terminates and pads a value, if it fits and can be told from its padding.
fn padded(mut content: Vec<u8>, size: usize, ending: &Ending) -> Option<Vec<u8>> {
    let pad = ending.pad?;
    let is_ambiguous = content.last() == Some(&pad)
        || ending.include
        || ending
            .terminator
            .is_some_and(|byte| content.contains(&byte));
    let is_full = content.len() == size;
    if content.len() > size || is_ambiguous || is_full && ending.required {
        return None;
    }
    if !is_full {
        content.extend(ending.terminator);
        content.resize(size, pad);
    }
    Some(content)
}

/// Returns the edit that appends spaces to a padded string until the string fills its part.
pub fn filled(twin: &Twin<'_>, node: NodeId) -> Option<Edit> {
    let size = twin.bytes_of(padded_part(twin, node)?).len();
    let mut content = twin.tree.bytes(node)?.to_vec();
    let is_changed = !content.is_empty() && content.len() < size;
    content.resize(size, b' ');
    replace(twin, node, content).filter(|_| is_changed)
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
        Kind::Terminated(ending) if let Some(part) = padded_part(twin, node) => {
            let bytes = padded(content, twin.bytes_of(part).len(), ending)?;
            return Some(Edit::Replace { node: part, bytes });
        }
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
