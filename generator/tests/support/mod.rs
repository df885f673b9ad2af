//! Descriptions that only tests know.

use std::path::Path;
use std::sync::Arc;

use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Disk, Loaded, load};
use tracegauge_spec::plan::{Plan, lower};
use tracegauge_spec::schema::Schema;

/// The schema, or a panic that shows every mistake.
pub fn schema(loaded: Loaded) -> Arc<Schema> {
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert_eq!(loaded.diagnostics.errors(), 0, "{shown}");
    Arc::new(loaded.schema.expect("there are no mistakes"))
}

/// The plan of a dialect, or a panic that shows what stands in its way.
pub fn plan(schema: &Arc<Schema>, dialect: &str) -> Arc<Plan> {
    match lower(schema, dialect) {
        Ok(plan) => Arc::new(plan),
        Err(errors) => {
            let shown = errors.iter().map(|error| {
                let place = schema.sources.line_column(error.span);
                format!("{place:?}: {}\n", error.message)
            });
            panic!("{dialect}:\n{}", shown.collect::<String>());
        }
    }
}

/// The made-up format of tagged entries.
pub fn tlv() -> Arc<Plan> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/tests/formats/tlv/format.yaml");
    let loaded = load(&Disk::default(), &path.to_string_lossy());
    plan(&schema(loaded), "tlv-v1")
}
