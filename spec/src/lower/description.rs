//! Lowers the parts of a schema that are used in messages and to detect dialects.

use std::sync::Arc;

use tracegauge_plan::{Description, DetectedField, Detection, Dialect};

use crate::expression::{Expr, ExprKind};
use crate::schema::{self, Schema};

/// Returns the description that a plan of `schema` contains.
pub(super) fn description(schema: &Schema) -> Description {
    let meta = &schema.meta;
    Description {
        id: meta.id.clone(),
        family: meta.family.clone(),
        file_extensions: meta.file_extensions.clone(),
        endian_rule: meta.endian_rule,
        sources: schema.sources.clone(),
        rules: Arc::clone(&schema.rules),
        dialects: schema.dialects.iter().map(dialect).collect(),
    }
}

/// Lowers a dialect.
pub(crate) fn dialect(declared: &schema::Dialect) -> Dialect {
    let detect = &declared.detect;
    Dialect {
        id: declared.id.clone(),
        detection: Detection {
            bytes: detect.bytes.clone(),
            field: detect
                .field
                .as_ref()
                .map(|(parameter, path)| DetectedField {
                    path: names(path),
                    value: binding(declared, parameter),
                }),
        },
        is_default: declared.default,
    }
}

/// Returns the names of a path such as `header.version`.
fn names(path: &Expr) -> Vec<String> {
    match &path.kind {
        ExprKind::Name(name) => vec![name.clone()],
        ExprKind::Member { base, name } => {
            let mut path = names(base);
            path.push(name.clone());
            path
        }
        _ => Vec::new(),
    }
}

/// Returns the number that a dialect binds a parameter to.
fn binding(dialect: &schema::Dialect, parameter: &str) -> Option<i128> {
    let bound = dialect.bindings.iter().find(|(name, _)| name == parameter);
    match &bound?.1.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Bool(value) => Some(i128::from(*value)),
        _ => None,
    }
}
