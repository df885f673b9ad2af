//! Reads the parts of a description that tell users and programs which format it describes.

use tracegauge_plan::source::{SourceId, Sources};

use super::context::Context;
use super::files::Files;
use super::keys::Keys;
use super::names::Names;
use crate::diagnostic::Diagnostics;
use crate::schema::{Dialect, Meta, TypeId};
use crate::yaml::{self, Budget};

/// Returns the `meta` and the dialects of the description at `path`, without reading other files.
/// Returns `None` if it has no id. All mistakes are ignored, because they are reported when the
/// whole description is loaded.
pub(crate) fn summary(files: &dyn Files, path: &str) -> Option<(Meta, Vec<Dialect>)> {
    let mut diagnostics = Diagnostics::default();
    let text = files.read(path).ok()?;
    let (source, budget) = (SourceId(0), Budget::default());
    let file = match files.recorded(path) {
        Some(events) => {
            let is_wanted = |key: &str| matches!(key, "meta" | "dialects");
            yaml::replay(&text, events, is_wanted, source, &budget, &mut diagnostics)?
        }
        None => yaml::parse(&text, source, &budget, &mut diagnostics)?,
    };
    let mut context = Context {
        sources: &Sources::default(),
        diagnostics,
        names: Names::default(),
        scope: TypeId(0),
        vocabulary: None,
    };
    let mut keys = Keys::of(&file, "the description", &mut context)?;
    let (meta, _) = context.meta(keys.take("meta"), false);
    if meta.id.is_empty() {
        return None;
    }
    let dialects = context.dialects(keys.take("dialects"), &[], &meta, file.span);
    Some((meta, dialects))
}
