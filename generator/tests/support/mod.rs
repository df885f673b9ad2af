//! Descriptions that are used only in tests.

pub mod tlv;

use std::sync::Arc;

use tracegauge_plan::Plan;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::Loaded;
use tracegauge_spec::lower::lower;
use tracegauge_spec::schema::Schema;

/// Returns the schema, or panics with all diagnostics.
pub fn schema(loaded: Loaded) -> Arc<Schema> {
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert_eq!(loaded.diagnostics.errors(), 0, "{shown}");
    Arc::new(loaded.schema.expect("there are no mistakes"))
}

/// Returns the plan of a dialect.
///
/// # Errors
/// Returns the problems as text.
pub fn plan(schema: &Arc<Schema>, dialect: &str) -> Result<Arc<Plan>, String> {
    match lower(schema, dialect) {
        Ok(plan) => Ok(Arc::new(plan)),
        Err(errors) => {
            let shown = errors.iter().map(|error| {
                let place = schema.sources.line_column(error.span);
                format!("{place:?}: {}\n", error.message)
            });
            Err(format!("{dialect}:\n{}", shown.collect::<String>()))
        }
    }
}
