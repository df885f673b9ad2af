//! Excludes faults that turn a file of one dialect into a file of another dialect. A reader of the
//! other dialect would find the file valid or find a different fault.

use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::bundled;
use tracegauge_spec::expression::{Expr, ExprKind};
use tracegauge_spec::plan::{NameId, Plan};
use tracegauge_spec::schema::{Detect, Dialect};

use super::number;
use super::splice::Spliced;
use super::twin::Twin;

/// Returns whether the changed content identifies a dialect other than that of the original trace.
pub(super) fn tells_another(twin: &Twin<'_>, spliced: &Spliced) -> bool {
    let plan = twin.plan;
    let says = |dialect: &Dialect| {
        let detect = &dialect.detect;
        !detect.bytes.is_empty() || detect.field.is_some()
    };
    let mut dialects = plan.schema.dialects.iter();
    if dialects.any(|own| own.id == plan.format && !says(own)) {
        // The content of a file never identifies this dialect, so users must specify it to read
        // such a file.
        return false;
    }
    let others = plan.schema.dialects.iter().filter(|d| d.id != plan.format);
    let told = others.filter(|other| {
        let detect = &other.detect;
        says(other)
            && stands(detect, &spliced.bytes)
            && detect.field.as_ref().is_none_or(|(parameter, field)| {
                let wanted = binding(other, parameter);
                wanted.is_some() && wanted == value_of(twin, spliced, field)
            })
    });
    told.count() > 0
}

/// Returns whether the trace contains the bytes that identify a dialect.
fn stands(detect: &Detect, bytes: &[u8]) -> bool {
    detect.bytes.iter().all(|(offset, wanted)| {
        let start = usize::try_from(*offset).unwrap_or(usize::MAX);
        bytes
            .get(start..)
            .is_some_and(|rest| rest.starts_with(wanted))
    })
}

/// Returns the number that a dialect binds a parameter to.
fn binding(dialect: &Dialect, parameter: &str) -> Option<i128> {
    let bound = dialect.bindings.iter().find(|(name, _)| name == parameter);
    match &bound?.1.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Bool(value) => Some(i128::from(*value)),
        _ => None,
    }
}

/// Returns the number that a field contains after the changes.
fn value_of(twin: &Twin<'_>, spliced: &Spliced, field: &Expr) -> Option<i128> {
    let path = names(twin.plan, field)?;
    let root: NodeId = 0;
    let node = twin.tree.find(twin.plan, root, &path)?;
    let span = (*spliced.spans.get(node as usize)?)?;
    let range = usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?;
    number::wire(&twin.op(node).kind, spliced.bytes.get(range)?)
}

fn names(plan: &Plan, path: &Expr) -> Option<Vec<NameId>> {
    let id = |name: &String| {
        let index = plan.names.iter().position(|known| known == name)?;
        Some(NameId(u32::try_from(index).ok()?))
    };
    match &path.kind {
        ExprKind::Name(name) => Some(vec![id(name)?]),
        ExprKind::Member { base, name } => {
            let mut path = names(plan, base)?;
            path.push(id(name)?);
            Some(path)
        }
        _ => None,
    }
}

/// Byte patterns that identify other formats of the same family.
pub(super) struct Family(Vec<Detect>);

impl Family {
    /// Collects the patterns of the other bundled formats in the plan's family.
    pub(super) fn of(plan: &Plan) -> Self {
        let meta = &plan.schema.meta;
        let others = bundled::list()
            .iter()
            .filter(|format| format.family == meta.family && format.id != meta.id);
        let schemas = others.filter_map(|format| format.load().schema);
        let dialects = schemas.flat_map(|schema| schema.dialects);
        let detects = dialects.map(|dialect| dialect.detect);
        Self(detects.filter(|detect| !detect.bytes.is_empty()).collect())
    }

    /// Returns whether the content identifies one of the other formats.
    pub(super) fn claims(&self, bytes: &[u8]) -> bool {
        self.0.iter().any(|detect| stands(detect, bytes))
    }
}
