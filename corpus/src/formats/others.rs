//! The bundled formats that a malformed trace must not be mistaken for.

use tracegauge_generator::fault::OtherFormats;
use tracegauge_plan::{Detection, Plan};
use tracegauge_spec::bundled;

/// Collects the bytes that identify the other bundled formats in the family of `plan`.
pub fn other_formats(plan: &Plan) -> OtherFormats {
    let own = &plan.description;
    let others = bundled::list()
        .iter()
        .filter(|format| format.family == own.family && format.id != own.id);
    let dialects = others.flat_map(|format| &format.dialects);
    OtherFormats::new(dialects.map(|dialect| Detection {
        bytes: dialect.detection.bytes.clone(),
        field: None,
    }))
}
