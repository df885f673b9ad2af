//! Scopes, which define the meaning of names inside a use of a type: a type in a particular
//! context, such as a field of a particular structure.

use hashbrown::HashMap;
use std::sync::Arc;

use super::description::description;
use super::{CodeId, Columns, LowerError, Lowering, OpId, Slot};
use crate::schema::{Endian, Schema, Type, TypeId};
use tracegauge_plan::{Code, Plan};

/// The index of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScopeId(pub usize);

/// The meaning of names in one use of a type.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub type_id: TypeId,
    /// The scope of the enclosing use of a type.
    pub parent: Option<ScopeId>,
    /// The operation of this use of a type, once the operation has been added.
    pub op: Option<OpId>,
    pub params: HashMap<String, CodeId>,
    pub fields: HashMap<String, Binding>,
    /// The number of lists that enclose this use of a type.
    pub lists: usize,
    /// The instances that are being compiled, to detect cycles.
    pub computing: Vec<String>,
    /// The different expressions that each instance has been compiled to.
    pub instances: HashMap<String, Vec<CodeId>>,
    /// The byte order of this use of a type, if the byte order depends on the data.
    pub order: Option<Endian>,
    /// Arguments that are saved because their values can change while the type is read, each with
    /// the slot that stores it.
    pub kept: Vec<(Slot, CodeId)>,
    /// The condition under which the structure is not null, once the field that decides this has
    /// been lowered.
    pub present: Option<CodeId>,
}

/// The meaning of a field name.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// The operation of the whole field, and its contents.
    Op { op: OpId, inner: Inner },
    /// The field does not exist in this dialect.
    Absent,
}

/// The contents of a field.
#[derive(Clone, Debug)]
pub(super) enum Inner {
    /// A single value.
    Leaf,
    /// A structure with this scope.
    Structure(ScopeId),
    /// One of several types: the contents and operation of each switch arm.
    Arms(Vec<Inner>, Vec<OpId>),
    /// A list of elements.
    List,
    /// Fields that the file describes.
    Described,
    /// An enclosing structure that the field contains recursively.
    Again(ScopeId),
}

impl<'s> Lowering<'s> {
    pub(super) fn new(
        schema: &'s Arc<Schema>,
        dialect: &str,
        columns: Columns,
    ) -> Result<Self, Vec<LowerError>> {
        if !schema.dialects.iter().any(|known| known.id == dialect) {
            let span = schema.types[schema.root.index()].span;
            let message = format!("the description has no dialect `{dialect}`");
            return Err(vec![LowerError { message, span }]);
        }
        let plan = Plan {
            format: dialect.to_owned(),
            description: Arc::new(description(schema)),
            whole: schema.types.iter().any(|described| described.seekable),
            ..Plan::default()
        };
        let mut lowering = Self {
            schema,
            dialect: dialect.to_owned(),
            plan,
            names: HashMap::new(),
            columns,
            scopes: Vec::new(),
            active: Vec::new(),
            active_layouts: Vec::new(),
            around: Vec::new(),
            holding: Vec::new(),
            repeats: Vec::new(),
            this_place: None,
            asked_size: Vec::new(),
            this_op: None,
            switch_source: None,
            elements: HashMap::new(),
            previous: Vec::new(),
            deferred: Vec::new(),
            early: Vec::new(),
            of_rows: Vec::new(),
            costs: Vec::new(),
            chained: 0,
            compiling: None,
            is_too_large: false,
            errors: Vec::new(),
        };
        lowering.root_scope();
        lowering.declarations();
        Ok(lowering)
    }

    /// Creates the scope of the root, whose parameters are the values bound by the dialect.
    pub(super) fn root_scope(&mut self) -> ScopeId {
        if !self.scopes.is_empty() {
            return ScopeId(0);
        }
        let schema = Arc::clone(self.schema);
        let scope = self.new_scope(schema.root, None);
        let dialect = schema
            .dialects
            .iter()
            .find(|known| known.id == self.dialect);
        for (name, value) in dialect.map_or(&[][..], |dialect| &dialect.bindings) {
            let code = self.compile(value, scope, None);
            self.scopes[scope.0].params.insert(name.clone(), code);
        }
        scope
    }

    pub(super) fn new_scope(&mut self, type_id: TypeId, parent: Option<ScopeId>) -> ScopeId {
        self.scopes.push(Scope {
            type_id,
            parent,
            op: None,
            lists: self.repeats.len(),
            params: HashMap::new(),
            fields: HashMap::new(),
            computing: Vec::new(),
            instances: HashMap::new(),
            order: None,
            kept: Vec::new(),
            present: None,
        });
        ScopeId(self.scopes.len() - 1)
    }

    pub(super) fn type_of(&self, scope: ScopeId) -> &'s Type {
        &self.schema.types[self.scopes[scope.0].type_id.index()]
    }

    pub(super) fn bind(&mut self, scope: ScopeId, name: &str, binding: Binding) {
        self.scopes[scope.0].fields.insert(name.to_owned(), binding);
    }

    /// Returns the value of a parameter in this use of a type.
    pub(super) fn parameter(&self, scope: ScopeId, name: &str) -> Option<CodeId> {
        self.scopes[scope.0].params.get(name).copied()
    }

    pub(super) fn absent(&mut self) -> CodeId {
        self.code(Code::Absent)
    }
}
