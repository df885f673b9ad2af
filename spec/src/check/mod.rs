//! The checks of a whole description, once its names are resolved.
//!
//! Types are checked as they are used, from the root inward: what `_parent` or a field of a
//! switch means differs from use to use. What nothing reaches is checked once. A second walk
//! follows the mappings of faults, which differ along the paths as well. The rest looks at
//! tables, rules and types as wholes.
//!
//! Whoever finds a mistake says so once, and what follows from it is [`kind::Kind::Unknown`],
//! about which nobody complains.

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
mod fold;
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
mod operate;
mod order;
mod range;
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

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::load::Names;
use crate::schema::{Schema, TypeId};
use crate::source::SourceSpan;
use context::Looks;
use extent::Extents;
use graph::Graph;
use index::Index;
use kind::Value;

use uses::{Parent, Use, UseId, Uses};

/// Parts of expressions that are looked at before the check gives up; a description that
/// needs more is not written by hand.
const MOST_WORK: usize = 2_000_000;

/// Checks `schema`. `sound` says that nothing was wrong before, so that what is missing is
/// missing, and not just misspelt.
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
        negative: HashSet::new(),
        looked_up: vec![false; schema.tables.len()],
        layouts_checked: HashSet::new(),
    };
    checker.run();
}

/// The walk, and what it has found out.
struct Checker<'s> {
    schema: &'s Schema,
    names: &'s Names,
    out: &'s mut Diagnostics,
    /// Nodes of the graph that the root reaches.
    reached: Vec<bool>,
    graph: Graph,
    looks: Looks,
    /// How many bytes types take, whatever the dialect.
    extents: Extents,
    uses: Uses,
    root: UseId,
    /// Above zero nothing is reported: only a kind is wanted.
    quiet: usize,
    /// The description has rules, so that they must be complete.
    described: bool,
    sound: bool,
    indexes: Vec<Option<Rc<Index<'s>>>>,
    fields: HashMap<(UseId, usize), Value>,
    instances: HashMap<(UseId, usize), Value>,
    shown: HashMap<UseId, Value>,
    /// Instances that are being computed, so that circles are found.
    computing: Vec<(UseId, usize)>,
    depth: usize,
    work: usize,
    /// Sizes and counts that can be below zero.
    negative: HashSet<SourceSpan>,
    /// Tables whose rows something asks for.
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
            let message = "the types are used in too many ways to check each of them";
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

    /// Types that the root does not reach.
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

    /// A use of which nothing is known but the type.
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

    /// What looks at more than one use.
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

    /// Nobody reads what would be found from here on, or there is no end to it.
    fn exhausted(&self) -> bool {
        self.out.is_full() || self.work > MOST_WORK
    }

    /// Finds out a kind without reporting anything.
    fn quietly<T>(&mut self, find: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let found = find(self);
        self.quiet -= 1;
        found
    }
}
