//! Checks a description as a whole after its names have been resolved.
//!
//! Types are checked for each use, from the root inward, because the meaning of `_parent` or of a
//! field of a switch differs from use to use. Types that cannot be reached from the root are
//! checked once. A second walk follows the mappings from faults to rules, which also differ between
//! the uses of a type. The remaining checks examine tables, rules and types as a whole.
//!
//! Each mistake in the description is reported once. Every value that depends on a mistake gets the
//! [`kind::Kind::Unknown`] kind, and no further errors are reported for values of this kind.

mod byte_order;
mod constraint;
mod context;
mod detect;
mod effects;
mod ends;
mod expect;
mod extent;
mod faults;
mod field;
pub(crate) mod fold;
mod graph;
mod hints;
mod index;
mod infer;
mod kind;
mod layout;
mod limits;
mod members;
mod methods;
mod names;
mod nonzero;
mod operate;
mod order;
mod records;
mod recursion;
mod rules;
mod show;
mod site;
mod solve;
mod structure;
mod switch;
mod tables;
mod uses;
mod values;
mod visit;
mod widths;
mod written;

use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::load::Names;
use crate::schema::{Schema, TypeId};
use context::Looks;
use extent::Extents;
use graph::Graph;
use index::Index;
use kind::Value;
use tracegauge_plan::source::SourceSpan;

use uses::{Parent, Use, UseId, Uses};

/// The maximum number of subexpressions to examine before the check gives up. No handwritten
/// description reaches this limit.
const MOST_WORK: usize = 2_000_000;

/// Checks `schema`. If `sound` is false, earlier steps have reported errors. Unused declarations
/// are reported only if `sound` is true, because otherwise a misspelled name elsewhere may be the
/// only reason why they seem unused.
pub(crate) fn check(schema: &Schema, names: &Names, sound: bool, out: &mut Diagnostics) {
    let graph = Graph::of(schema);
    let looks = Looks::of(schema, &graph);
    let extents = Extents::of(schema, &graph, None);
    let mut checker = Checker {
        schema,
        names,
        out,
        reached: graph.reached(schema.root),
        graph,
        looks,
        extents,
        uses: Uses::default(),
        root: UseId(0),
        quiet: 0,
        described: !schema.rules.is_empty(),
        sound,
        indexes: vec![None; schema.types.len()],
        fields: HashMap::new(),
        instances: HashMap::new(),
        shown: HashMap::new(),
        computing: Vec::new(),
        depth: 0,
        work: 0,
        nonzero: Vec::new(),
        negative: HashSet::new(),
        looked_up: vec![false; schema.tables.len()],
        layouts_checked: HashSet::new(),
    };
    checker.run();
}

/// The state of the checks.
struct Checker<'s> {
    schema: &'s Schema,
    names: &'s Names,
    out: &'s mut Diagnostics,
    /// For each node of the graph, whether the node is reachable from the root.
    reached: Vec<bool>,
    graph: Graph,
    looks: Looks,
    /// The sizes of types in bytes, across all dialects.
    extents: Extents,
    uses: Uses,
    root: UseId,
    /// The number of enclosing calls of [`Self::quietly`]. While this number is greater than zero,
    /// errors are not reported, because an expression is evaluated only for its kind.
    quiet: usize,
    /// Whether the description has rules. If the description has rules, every requirement must name
    /// a rule.
    described: bool,
    sound: bool,
    indexes: Vec<Option<Rc<Index<'s>>>>,
    fields: HashMap<(UseId, usize), Value>,
    instances: HashMap<(UseId, usize), Value>,
    shown: HashMap<UseId, Value>,
    /// Instances whose values are being computed, to detect cycles.
    computing: Vec<(UseId, usize)>,
    depth: usize,
    work: usize,
    /// Expressions that conditions exclude from being zero, each with the type that uses it.
    nonzero: Vec<(UseId, String)>,
    /// Sizes and counts that can be negative.
    negative: HashSet<SourceSpan>,
    /// For each table, whether its rows are looked up.
    looked_up: Vec<bool>,
    layouts_checked: HashSet<(usize, UseId, UseId)>,
}

impl<'s> Checker<'s> {
    fn run(&mut self) {
        let root = self.uses.intern(Use {
            type_id: self.schema.root,
            parent: Parent::None,
            at: 0,
            at_in_root: None,
            element: false,
            repeated: false,
        });
        let Some(root) = root else { return };
        self.root = root;
        self.uses.enqueue(root);
        self.drain();
        self.rest_of_types();
        self.whole();
        if self.uses.too_many || self.work > MOST_WORK {
            let span = self.schema.types[self.schema.root.index()].span;
            let message = "the types are used in too many places to check every use";
            self.push(Diagnostic::warning(Code::TooLarge, span, message));
        }
    }

    fn drain(&mut self) {
        while let Some(used) = self.uses.next() {
            if self.exhausted() {
                return;
            }
            self.use_of_type(used);
        }
    }

    /// Checks the types that cannot be reached from the root.
    fn rest_of_types(&mut self) {
        for index in 0..self.schema.types.len() {
            if self.reached[index] {
                continue;
            }
            if let Some(used) = self.lone_use(TypeId::from(index)) {
                self.uses.enqueue(used);
                self.drain();
            }
        }
    }

    /// Returns a use of the type in an unknown context.
    fn lone_use(&mut self, type_id: TypeId) -> Option<UseId> {
        self.schema.types.get(type_id.index())?;
        if type_id == self.schema.root {
            return Some(self.root);
        }
        self.uses.intern(Use {
            type_id,
            parent: Parent::Unknown,
            at: 0,
            at_in_root: None,
            element: true,
            repeated: true,
        })
    }

    /// Runs the checks that concern the description as a whole instead of a single use of a type.
    fn whole(&mut self) {
        self.tables();
        self.records();
        self.limits();
        self.dialects();
        self.widths();
        self.unsaid_byte_order();
        self.recursion();
        self.written_values();
        self.ends();
        self.totals();
        let marks = self.faults();
        self.rules(&marks);
        self.unused();
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        if self.quiet == 0 {
            self.out.push(diagnostic);
        }
    }

    fn error(&mut self, code: Code, span: SourceSpan, message: impl Into<String>) {
        if self.quiet == 0 {
            self.out.push(Diagnostic::error(code, span, message));
        }
    }

    /// Returns `true` if further diagnostics would be discarded or the maximum number of
    /// subexpressions has been exceeded.
    fn exhausted(&self) -> bool {
        self.out.is_full() || self.work > MOST_WORK
    }

    /// Runs `find` and returns its result, without reporting any errors.
    fn quietly<T>(&mut self, find: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let found = find(self);
        self.quiet -= 1;
        found
    }
}
