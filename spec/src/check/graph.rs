//! The graph of types that contain one another through fields, switches, layouts and row kinds.
//!
//! No function in this module is recursive, because a hostile description can nest types to any
//! depth.

use super::visit;
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    CodeCount, CodeLayout, FieldRole, FieldSource, Layout, LayoutId, LayoutUse, Position, Schema,
    TableId, Type, TypeBody, TypeId, TypeRef,
};

/// The graph of types. Layout sets and the kinds of rows of a table are separate nodes, so that the
/// number of edges is proportional to the size of the description.
pub(super) struct Graph {
    /// The nodes that each node contains.
    pub(super) edges: Vec<Vec<usize>>,
    /// The nodes, ordered so that contained nodes come first, except in cycles.
    pub(super) order: Vec<usize>,
    /// The cycle that each node belongs to. A node outside any cycle forms a group of its own.
    pub(super) circle: Vec<usize>,
    /// The number of nodes in each cycle.
    members: Vec<usize>,
    types: usize,
    layouts: usize,
}

impl Graph {
    pub(super) fn of(schema: &Schema) -> Self {
        let (types, layouts) = (schema.types.len(), schema.layouts.len());
        let mut graph = Self {
            edges: vec![Vec::new(); types + layouts + schema.tables.len()],
            order: Vec::new(),
            circle: Vec::new(),
            members: Vec::new(),
            types,
            layouts,
        };
        for (index, described) in schema.types.iter().enumerate() {
            graph.add_type(index, described, schema);
        }
        for (index, layout) in schema.layouts.iter().enumerate() {
            graph.add_layout(types + index, layout, schema);
        }
        for (index, table) in schema.tables.iter().enumerate() {
            for kind in &table.kinds {
                graph.add(types + layouts + index, kind.target.index());
            }
        }
        for edges in &mut graph.edges {
            edges.sort_unstable();
            edges.dedup();
        }
        graph.find_circles();
        graph
    }

    /// Returns the type that a node represents, or `None` if the node represents a layout set or a
    /// table.
    pub(super) fn type_of(&self, node: usize) -> Option<TypeId> {
        (node < self.types).then(|| TypeId::from(node))
    }

    /// Returns the layout set that a node represents, or `None` if the node represents a type or a
    /// table.
    pub(super) fn layout_of(&self, node: usize) -> Option<LayoutId> {
        let layouts = self.types..self.types + self.layouts;
        layouts
            .contains(&node)
            .then(|| LayoutId::from(node - self.types))
    }

    /// Returns the nodes that can be reached from `start`, including `start`.
    pub(super) fn reached(&self, start: TypeId) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut left = vec![start.index()];
        while let Some(node) = left.pop() {
            match reached.get_mut(node) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            left.extend(&self.edges[node]);
        }
        reached
    }

    /// Returns `true` if a node contains itself, directly or indirectly.
    pub(super) fn is_circular(&self, node: usize) -> bool {
        self.members[self.circle[node]] > 1 || self.edges[node].contains(&node)
    }

    fn add(&mut self, from: usize, to: usize) {
        if to < self.edges.len() {
            self.edges[from].push(to);
        }
    }

    fn add_type(&mut self, node: usize, described: &Type, schema: &Schema) {
        match &described.body {
            TypeBody::Structure(fields) => {
                for field in fields {
                    if let FieldRole::Wire(source) = &field.role {
                        self.add_source(node, source, schema);
                    }
                }
            }
            TypeBody::Alias(field) => {
                if let FieldRole::Wire(source) = &field.role {
                    self.add_source(node, source, schema);
                }
            }
        }
        for instance in &described.instances {
            if let Position::At { source, .. } = &instance.position {
                self.add_source(node, source, schema);
            }
        }
    }

    fn add_layout(&mut self, node: usize, layout: &Layout, schema: &Schema) {
        if let Some(optional) = &layout.optional
            && let FieldRole::Wire(source) = &optional.presence.role
        {
            self.add_source(node, source, schema);
        }
        for code in &layout.codes {
            match &code.layout {
                CodeLayout::Plain(source) => self.add_source(node, source, schema),
                CodeLayout::List {
                    count: CodeCount::Read(target),
                    ..
                } => self.add_target(node, target, schema),
                CodeLayout::Located { at, .. } => self.add_target(node, &at.word, schema),
                CodeLayout::Fields(_) | CodeLayout::List { .. } => {}
            }
        }
    }

    fn add_source(&mut self, node: usize, source: &FieldSource, schema: &Schema) {
        visit::targets(source, &mut |target| self.add_target(node, target, schema));
        let layout = match &source.layout {
            Some(LayoutUse::Fields { layout, .. } | LayoutUse::Value { layout, .. }) => layout,
            None => return,
        };
        if layout.index() < self.layouts {
            self.add(node, self.types + layout.index());
        }
    }

    fn add_target(&mut self, node: usize, target: &TypeRef, schema: &Schema) {
        match target {
            TypeRef::Named { id, .. } if id.index() < self.types => self.add(node, id.index()),
            TypeRef::OfRow { row, .. } => {
                for table in tables_in(row, schema) {
                    self.add(node, self.types + self.layouts + table.index());
                }
            }
            _ => {}
        }
    }

    /// Finds the cycles with Tarjan's algorithm, using an explicit stack.
    fn find_circles(&mut self) {
        let count = self.edges.len();
        let mut search = Search {
            index: vec![usize::MAX; count],
            low: vec![0; count],
            on_stack: vec![false; count],
            stack: Vec::new(),
            next: 0,
        };
        self.circle = vec![0; count];
        self.members = vec![0; count];
        for root in 0..count {
            if search.index[root] == usize::MAX {
                self.search_from(root, &mut search);
            }
        }
    }

    fn search_from(&mut self, root: usize, search: &mut Search) {
        let mut work = vec![(root, 0)];
        search.enter(root);
        while let Some((node, edge)) = work.pop() {
            if let Some(to) = self.edges[node].get(edge).copied() {
                work.push((node, edge + 1));
                if search.index[to] == usize::MAX {
                    search.enter(to);
                    work.push((to, 0));
                } else if search.on_stack[to] {
                    search.low[node] = search.low[node].min(search.index[to]);
                }
                continue;
            }
            if let Some((holder, _)) = work.last() {
                search.low[*holder] = search.low[*holder].min(search.low[node]);
            }
            if search.low[node] == search.index[node] {
                while let Some(member) = search.stack.pop() {
                    search.on_stack[member] = false;
                    self.circle[member] = node;
                    self.members[node] += 1;
                    self.order.push(member);
                    if member == node {
                        break;
                    }
                }
            }
        }
    }
}

struct Search {
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
}

impl Search {
    fn enter(&mut self, node: usize) {
        self.index[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }
}

/// Returns the tables that an expression names, directly or through registers that refer to rows of
/// the tables.
pub(super) fn tables_in(expr: &Expr, schema: &Schema) -> Vec<TableId> {
    use crate::schema::RegisterType;
    let mut found = Vec::new();
    visit::parts(expr, &mut |part| {
        let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &part.kind else {
            return;
        };
        let table = schema.tables.iter().position(|table| table.name == *name);
        found.extend(table.map(TableId::from));
        let register = schema.registers.iter().find(|r| r.name == *name);
        if let Some(RegisterType::Row(table)) = register.map(|register| &register.kind) {
            found.push(*table);
        }
    });
    found
}
