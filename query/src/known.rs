//! Reports names that the description does not define. Without this check, a mistyped name would
//! silently evaluate to an absent value.

use tracegauge_plan::Plan;
use tracegauge_spec::expression::{Expr, ExprKind, MEMBERS_OF_VALUES};
use tracegauge_spec::schema::{Schema, TypeBody};

use super::evaluate::{Evaluator, QueryError};

impl Evaluator<'_> {
    /// Checks that the description, or the trace itself, defines every name in an expression.
    ///
    /// # Errors
    /// Returns an error for the first unknown name.
    pub fn known(&self, expr: &Expr) -> Result<(), QueryError> {
        let name = match &expr.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } => Some(name),
            _ => None,
        };
        if let Some(name) = name
            && !self.has(name)
        {
            return Err(QueryError(format!(
                "{} does not define the name `{name}`",
                self.plan.format
            )));
        }
        let mut found = Ok(());
        expr.inside(&mut |inside| {
            if found.is_ok() {
                found = self.known(inside);
            }
        });
        found
    }

    fn has(&self, name: &str) -> bool {
        let layouts = || self.tree.layouts.iter().flat_map(|layout| &layout.names);
        name.starts_with('_')
            || name == "state"
            || MEMBERS_OF_VALUES.contains(&name)
            || describes(self.plan, self.schema, name)
            || layouts().any(|known| **known == *name.as_bytes())
    }
}

/// Returns true if the description declares a field, an instance, a parameter, a register or a
/// table called `name`.
fn describes(plan: &Plan, schema: &Schema, name: &str) -> bool {
    let in_types = schema.types.iter().any(|described| {
        described.instances.iter().any(|known| known.id == name)
            || described.params.iter().any(|known| known.name == name)
            || matches!(&described.body, TypeBody::Structure(fields)
                if fields.iter().any(|field| field.id.as_deref() == Some(name)))
    });
    in_types
        || plan.registers.iter().any(|known| known.name == name)
        || plan.tables.iter().any(|known| known.name == name)
        // A tree can also contain any other name that the plan gives to nodes.
        || plan.names.iter().any(|known| **known == *name)
}
