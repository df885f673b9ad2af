//! Lowering: a schema and a dialect to a plan.
//!
//! Lowering walks from the root along every use of a type. What a table must keep of its
//! rows is known only once every expression has been seen, so the walk is repeated until
//! it finds no new column; the second walk is nearly always the last.

mod bits;
mod constant;
mod effects;
mod emit;
mod expression;
mod faults;
mod field;
mod finish;
mod inside;
mod kinds;
mod layout;
mod leaf;
mod list;
mod located;
mod nested;
mod place;
mod previous;
mod record;
mod repeat;
mod scalar;
mod scope;
mod seen;
mod sizes;
mod structure;
mod switch;
mod texts;
mod written;

use std::collections::HashMap;
use std::sync::Arc;

use super::{Code, CodeId, NameId, OpId, Plan, Slot};
use crate::schema::{LayoutId, Schema, TypeId};
use crate::source::SourceSpan;
use faults::FaultContext;
use scope::{Scope, ScopeId};

/// Operations that a plan may have. Types are specialised by use, so a small description
/// could ask for endlessly many.
const GREATEST_PLAN: usize = 200_000;

/// How deep types may hold types without recursion.
const GREATEST_NESTING: usize = 100;

/// Something in a schema that cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// What and why.
    pub message: String,
    /// Where.
    pub span: SourceSpan,
}

/// Lowers `schema` for the dialect with this id.
///
/// # Errors
/// Everything that cannot be executed, each with its place; never a partial plan.
pub fn lower(schema: &Arc<Schema>, dialect: &str) -> Result<Plan, Vec<LowerError>> {
    let mut columns = vec![Vec::new(); schema.tables.len()];
    loop {
        let known: usize = columns.iter().map(Vec::len).sum();
        let mut lowering = Lowering::new(schema, dialect, columns)?;
        lowering.root();
        columns = lowering.columns.clone();
        if !lowering.errors.is_empty() {
            return Err(lowering.errors);
        }
        if columns.iter().map(Vec::len).sum::<usize>() == known {
            return lowering.finish();
        }
    }
}

/// The walk.
struct Lowering<'s> {
    schema: &'s Arc<Schema>,
    dialect: String,
    plan: Plan,
    names: HashMap<String, NameId>,
    /// Paths that expressions read from rows, by table.
    columns: Vec<Vec<String>>,
    scopes: Vec<Scope>,
    /// Types that are being lowered, from the root inward, with their operation.
    active: Vec<(TypeId, OpId)>,
    /// Layouts that are being lowered.
    active_layouts: Vec<(LayoutId, OpId)>,
    /// Operations around the present one.
    around: Vec<OpId>,
    /// Repetitions around the present one.
    repeats: Vec<OpId>,
    /// What `_` means while a predicate over a whole element is compiled.
    this_place: Option<place::Place>,
    /// Parts whose size an expression inside asks for.
    asked_size: Vec<OpId>,
    /// The value under test while its tests are compiled.
    this_op: Option<OpId>,
    /// The field that is a switch, which says how texts among its cases end.
    switch_source: Option<&'s crate::schema::FieldSource>,
    /// The element of each repetition, and what is inside it.
    elements: HashMap<OpId, (OpId, scope::Inner)>,
    /// Values of elements before that are read and not found yet.
    previous: Vec<previous::Awaited>,
    /// Values that a writer computes from what an outer structure reads later.
    deferred: Vec<written::Deferred<'s>>,
    /// Instances that are the early reading of a field which has not been found yet.
    early: Vec<(u32, &'s crate::expression::Expr, scope::ScopeId)>,
    /// Fields that are read as the kind of a row says.
    of_rows: Vec<kinds::OfRow>,
    errors: Vec<LowerError>,
}

impl<'s> Lowering<'s> {
    fn error(&mut self, span: SourceSpan, message: impl Into<String>) {
        if self.errors.len() < 100 {
            self.errors.push(LowerError {
                message: message.into(),
                span,
            });
        }
    }

    fn code(&mut self, code: Code) -> CodeId {
        let id = CodeId(u32::try_from(self.plan.codes.len()).unwrap_or(u32::MAX - 1));
        self.plan.codes.push(code);
        id
    }

    fn new_slot(&mut self) -> Slot {
        let slot = Slot(self.plan.slots);
        self.plan.slots += 1;
        slot
    }

    fn constant(&mut self, bytes: &[u8]) -> u32 {
        let found = self.plan.constants.iter().position(|known| known == bytes);
        let index = found.unwrap_or_else(|| {
            self.plan.constants.push(bytes.to_vec());
            self.plan.constants.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.names.get(name) {
            return *id;
        }
        let id = NameId(u32::try_from(self.plan.names.len()).unwrap_or(u32::MAX));
        self.plan.names.push(name.to_owned());
        self.names.insert(name.to_owned(), id);
        id
    }

    fn root(&mut self) {
        let schema = Arc::clone(self.schema);
        let context = FaultContext::default().enter(&schema.faults);
        let scope = self.root_scope();
        self.initial_columns();
        self.structure(schema.root, scope, None, &context);
        self.read_further_out();
    }

    /// Whether the walk goes too deep or has grown too large; said once.
    fn exhausted(&mut self, span: SourceSpan) -> bool {
        if self.plan.ops.len() >= GREATEST_PLAN {
            if self.errors.is_empty() {
                let message = format!("the description needs more than {GREATEST_PLAN} operations");
                self.error(span, message);
            }
            return true;
        }
        if self.active.len() >= GREATEST_NESTING {
            self.error(
                span,
                format!("types hold types more than {GREATEST_NESTING} deep"),
            );
            return true;
        }
        !self.errors.is_empty() && self.plan.ops.len() > GREATEST_PLAN / 2
    }

    fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0]
    }
}
