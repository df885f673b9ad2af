//! Lowers a schema for one dialect to a plan.
//!
//! Lowering walks every use of every type, starting from the root. The columns that a table needs
//! are known only after all expressions have been compiled, so the walk is repeated until it finds
//! no new column. The second walk is nearly always the last.

mod bits;
mod constant;
mod description;
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
mod member;
mod nested;
mod place;
mod previous;
mod record;
mod recursion;
mod repeat;
mod scalar;
mod scope;
mod seen;
mod sizes;
mod structure;
mod switch;
mod texts;
mod value;
mod written;

pub(crate) use description::dialect;

use hashbrown::HashMap;
use std::sync::Arc;

use crate::schema::{ColumnId, LayoutId, Schema, TableId, TypeId};
use faults::FaultContext;
use scope::{Scope, ScopeId};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{Arena, Code, CodeId, ConstantId, LocationId, NameId, OpId, Plan, Slot};

/// The maximum number of operations in a plan. Types are specialized by use, so without a limit a
/// small description could expand to an unbounded plan.
const GREATEST_PLAN: usize = 200_000;

/// The maximum number of operations needed to evaluate one expression, including those of the
/// instances and parameters that it uses. Each use of an instance is expanded, so without a limit a
/// chain of instances, each of which uses the next instance twice, could expand to an unbounded
/// expression.
const GREATEST_EXPRESSION: u32 = 1 << 14;

/// The maximum nesting depth of the operations in an expression, including those of the instances
/// and parameters that it uses. The limit is necessary because evaluation and analyses are
/// recursive.
const GREATEST_DEPTH: u32 = 1000;

/// The maximum length of a chain of instances, each of which is computed from the next.
const GREATEST_CHAIN: usize = 500;

/// The maximum nesting depth of types that are not recursive.
const GREATEST_NESTING: usize = 100;

/// An element of a schema that cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// A message that describes the problem and its cause.
    pub message: String,
    /// The location of the element in the description.
    pub span: SourceSpan,
}

impl LowerError {
    fn new(span: SourceSpan, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            span,
        }
    }
}

/// Lowers `schema` to a plan for the dialect with the id `dialect`.
///
/// # Errors
/// Returns an error for each element of the schema that cannot be executed. A partial plan is never
/// returned.
pub fn lower(schema: &Arc<Schema>, dialect: &str) -> Result<Plan, Vec<LowerError>> {
    let mut columns: Columns = schema.tables.iter().map(|_| Arena::new()).collect();
    loop {
        let known: usize = columns.iter().map(Arena::len).sum();
        let mut lowering = Lowering::new(schema, dialect, columns)?;
        lowering.root();
        columns = lowering.columns.clone();
        if !lowering.errors.is_empty() {
            return Err(lowering.errors);
        }
        if columns.iter().map(Arena::len).sum::<usize>() == known {
            return lowering.finish();
        }
    }
}

/// The result of resolving or compiling an expression.
type Resolved<T> = Result<T, LowerError>;

/// The paths of row fields that expressions read, by table.
type Columns = Arena<TableId, Arena<ColumnId, String>>;

/// The cost of an expression, including the instances and parameters that it uses.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// The number of operations needed to evaluate the expression.
    weight: u32,
    /// The nesting depth of the operations in the expression.
    depth: u32,
}

impl Cost {
    /// The cost of an expression without operands.
    const LEAF: Self = Self {
        weight: 1,
        depth: 1,
    };
}

/// The state of one walk over the schema.
struct Lowering<'s> {
    schema: &'s Arc<Schema>,
    dialect: String,
    plan: Plan,
    names: HashMap<String, NameId>,
    /// The paths of row fields that expressions read, by table.
    columns: Columns,
    scopes: Vec<Scope>,
    /// The types that are being lowered, from the root inward, each with its operation.
    active: Vec<(TypeId, OpId)>,
    /// The layouts that are being lowered, from the outermost inward, each with its operation.
    active_layouts: Vec<(LayoutId, OpId)>,
    /// The operations that enclose the current operation, from the root inward.
    around: Vec<OpId>,
    /// The structures that keep the elements of a list until they end, for later expressions.
    holding: Vec<OpId>,
    /// The repetitions that enclose the current operation, from the root inward.
    repeats: Vec<OpId>,
    /// The element that `_` refers to while a predicate over a whole element is compiled.
    this_place: Option<place::Place>,
    /// Parts whose size is read by an expression inside them.
    asked_size: Vec<OpId>,
    /// The operation whose value `_` refers to while its tests are compiled.
    this_op: Option<OpId>,
    /// The switch field that is being lowered; its settings control where strings among its cases
    /// end.
    switch_source: Option<&'s crate::schema::FieldSource>,
    /// For each repetition, the operation and the contents of its element.
    elements: HashMap<OpId, (OpId, scope::Inner)>,
    /// References to values of previous elements that have not been resolved yet.
    previous: Vec<previous::Awaited>,
    /// The values that a writer computes from fields that an outer structure reads later.
    deferred: Vec<written::Deferred<'s>>,
    /// The instances that read a field of a sequence before the sequence reaches it, if the field
    /// has not been found yet.
    early: Vec<(LocationId, &'s crate::expression::Expr, scope::ScopeId)>,
    /// The fields that are read according to the kind of a row.
    of_rows: Vec<kinds::OfRow>,
    /// The cost of each expression.
    costs: Vec<Cost>,
    /// The length of the current chain of instances, each of which is computed from the next.
    chained: usize,
    /// The expression that is being compiled, or the expression that was compiled last.
    compiling: Option<SourceSpan>,
    /// Whether an expression exceeds one of the limits, in which case uses of instances are no
    /// longer expanded.
    is_too_large: bool,
    errors: Vec<LowerError>,
}

impl<'s> Lowering<'s> {
    fn error(&mut self, span: SourceSpan, message: impl Into<String>) {
        self.report(LowerError::new(span, message));
    }

    fn report(&mut self, error: LowerError) {
        if self.errors.len() < 100 {
            self.errors.push(error);
        }
    }

    fn code(&mut self, code: Code) -> CodeId {
        let id = CodeId(u32::try_from(self.plan.codes.len()).unwrap_or(u32::MAX - 1));
        let operands = code.operands().into_iter();
        let costs = operands.filter_map(|operand| self.costs.get(operand.index()));
        let cost = costs.fold(Cost::LEAF, |whole, part| Cost {
            weight: whole.weight.saturating_add(part.weight),
            depth: whole.depth.max(part.depth + 1),
        });
        let is_too_large = cost.weight > GREATEST_EXPRESSION || cost.depth > GREATEST_DEPTH;
        // An expression that is too large must not be traversed, not even to find more errors.
        self.plan
            .codes
            .push(if is_too_large { Code::Absent } else { code });
        self.costs
            .push(if is_too_large { Cost::LEAF } else { cost });
        if is_too_large && !self.is_too_large {
            self.too_large(self.compiling);
        }
        id
    }

    /// Reports an error for an expression that is too large. Instances are no longer expanded after
    /// this error.
    fn too_large(&mut self, span: Option<SourceSpan>) {
        self.is_too_large = true;
        let Some(span) = span else { return };
        self.error(
            span,
            format!(
                "evaluating this expression takes more than {GREATEST_EXPRESSION} operations, or \
                 nests operations more than {GREATEST_DEPTH} levels deep or instances more than \
                 {GREATEST_CHAIN} levels deep; each use of an instance or a parameter counts in \
                 full, including everything that it uses in turn"
            ),
        );
    }

    fn new_slot(&mut self) -> Slot {
        let slot = Slot(self.plan.slots);
        self.plan.slots += 1;
        slot
    }

    fn constant(&mut self, bytes: &[u8]) -> ConstantId {
        let found = self.plan.constants.position(|known| known == bytes);
        found.unwrap_or_else(|| self.plan.constants.push(bytes.to_vec()))
    }

    fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.names.get(name) {
            return *id;
        }
        let id = NameId::from(self.plan.names.len());
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

    /// Returns whether the walk is too deep or the plan has grown too large. The error about the
    /// size of the plan is reported at most once.
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
                format!("types are nested more than {GREATEST_NESTING} levels deep"),
            );
            return true;
        }
        !self.errors.is_empty() && self.plan.ops.len() > GREATEST_PLAN / 2
    }

    fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0]
    }
}
