//! Reads the parts of a description that tell users and programs which format it describes.

use tracegauge_plan::source::{SourceId, Sources};

use super::context::Context;
use super::keys::Keys;
use super::names::Names;
use super::vocabulary::Vocabulary;
use crate::diagnostic::Diagnostics;
use crate::schema::{Dialect, Meta, TypeId};
use crate::yaml::{self, Budget};

/// Returns the `meta` and the dialects of a description, of which `text` contains at least these
/// keys. Returns `None` if it has no id. All mistakes are ignored, because they are reported when
/// the whole description is loaded.
pub(crate) fn summary(text: &str) -> Option<(Meta, Vec<Dialect>)> {
    let mut diagnostics = Diagnostics::default();
    let file = yaml::parse(text, SourceId(0), &Budget::default(), &mut diagnostics)?;
    let mut context = Context {
        sources: &Sources::default(),
        diagnostics,
        names: Names::default(),
        scope: TypeId(0),
        vocabulary: Vocabulary::default(),
    };
    let mut keys = Keys::of(&file, "the description", &mut context)?;
    let (meta, _) = context.meta(keys.take("meta"), false);
    if meta.id.is_empty() {
        return None;
    }
    let dialects = context.dialects(keys.take("dialects"), &[], &meta, file.span);
    Some((meta, dialects))
}
