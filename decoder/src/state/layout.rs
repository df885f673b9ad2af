//! Compiles the layouts that a trace defines, once per row.
//!
//! A layout consists of the fields that a row describes. A type that a trace describes may contain
//! other types. All types are compiled into one flat list: the row's fields come first, and the
//! contents of each type follow its entry. Compiling a layout and computing a size therefore need
//! no recursion, however deeply a malicious row nests its types.

use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{Kind, LayoutPlan, LayoutUseId, NestedForm, NestedPlan, OpId, Plan};

use crate::text;
use crate::tree::{NodeId, Payload, Tree};

/// The fields that a row describes, compiled for reading.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledLayout {
    /// The use of a layout set (a set of type codes) by the operation that reads the fields.
    pub layout: LayoutUseId,
    /// The row's own fields in order, followed by the types inside them.
    pub fields: Vec<DescribedField>,
    /// The number of the row's own fields, which are the first entries in `fields`.
    pub roots: usize,
    /// The names of the entries in `fields`, in the same order. The names are in UTF-8, whatever
    /// encoding the trace uses; ill-formed names are stored as raw bytes. An element has an empty
    /// name.
    pub names: Vec<Box<[u8]>>,
    /// For each name, whether it is ill-formed.
    pub ill_formed: Vec<bool>,
    /// Whether a name was looked up in a table. Such a name is valid only until the table changes.
    pub looked_up: bool,
}

/// How to read one described field or element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DescribedField {
    /// The operation that reads the value, or `None` for an unknown type code.
    pub op: Option<OpId>,
    /// The index of the type code in the plan's layout.
    pub code: u32,
    /// Whether a presence byte precedes the value.
    pub optional: bool,
    /// The entries that this entry contains: the index of the first entry, and the number of
    /// entries.
    pub inside: (u32, u32),
    /// The number of elements, or 0 if the type does not specify it.
    pub count: u64,
    /// The size of a value in bytes, if all values have the same size.
    pub size: Option<u64>,
    /// Whether the value occupies no bytes in the trace.
    pub nothing: bool,
    /// Whether the value, or a value that it contains, is stored elsewhere and located by its
    /// position.
    pub located: bool,
}

impl CompiledLayout {
    /// Returns the row's own fields.
    pub fn own(&self) -> &[DescribedField] {
        self.fields.get(..self.roots).unwrap_or_default()
    }

    /// Returns the entries that a field contains, as a range of indexes into `fields`.
    pub fn inside(&self, field: usize) -> std::ops::Range<usize> {
        let (first, count) = self.fields.get(field).map_or((0, 0), |field| field.inside);
        first as usize..first as usize + count as usize
    }

    /// Returns whether a field of the row contains other fields.
    pub fn nests(&self) -> bool {
        self.fields.len() > self.roots
    }
}

/// Compiles the fields described by `list`, the tree of a list of field descriptions. `look_up`
/// returns the name that a node refers to, in UTF-8, or `None` if the node itself is the name.
pub fn compile_layout(
    plan: &Plan,
    layout: LayoutUseId,
    list: &Tree,
    look_up: &mut dyn FnMut(NodeId) -> Option<Box<[u8]>>,
) -> CompiledLayout {
    let mut compiler = Compiler {
        plan,
        look_up,
        described: &plan.layouts[layout],
        list,
        types: Vec::new(),
        compiled: CompiledLayout {
            layout,
            fields: Vec::new(),
            roots: 0,
            names: Vec::new(),
            ill_formed: Vec::new(),
            looked_up: false,
        },
    };
    if list.nodes.is_empty() {
        return compiler.compiled;
    }
    compiler.fields(0);
    compiler.compiled.roots = compiler.compiled.fields.len();
    let mut at = 0;
    while at < compiler.compiled.fields.len() {
        compiler.open(at);
        at += 1;
    }
    sizes(plan, &mut compiler.compiled);
    compiler.compiled
}

struct Compiler<'a> {
    plan: &'a Plan,
    look_up: &'a mut dyn FnMut(NodeId) -> Option<Box<[u8]>>,
    described: &'a LayoutPlan,
    list: &'a Tree,
    /// The node that describes the type of each entry.
    types: Vec<Option<NodeId>>,
    compiled: CompiledLayout,
}

impl Compiler<'_> {
    /// Adds the fields that a list describes.
    fn fields(&mut self, list: NodeId) {
        for element in self.list.children(list) {
            let name = self
                .list
                .find(self.plan, element, &self.described.name_path);
            let looked_up = name.and_then(|name| (self.look_up)(name));
            self.compiled.looked_up |= looked_up.is_some();
            let name = match looked_up {
                Some(name) => (name, false),
                None => name
                    .and_then(|name| text_of(self.plan, self.list, name))
                    .map_or_else(|| (Box::default(), false), named),
            };
            let optional = match &self.described.optional {
                Some((when, _)) => self.bits(element, when).is_some_and(|bits| bits != 0),
                None => false,
            };
            let found = self
                .list
                .find(self.plan, element, &self.described.type_path);
            self.push(name, found, optional);
        }
    }

    /// Adds a field or element whose type is described by a node.
    fn push(
        &mut self,
        (name, ill_formed): (Box<[u8]>, bool),
        node: Option<NodeId>,
        optional: bool,
    ) {
        let node = node.map(|node| entered(self.plan, self.list, node));
        let below = self.described.type_path.len();
        let code_path = self.described.code_path.get(below..).unwrap_or_default();
        let code = node.and_then(|node| self.bits(node, code_path));
        let codes = &self.described.codes;
        let found = code.and_then(|code| {
            codes
                .iter()
                .position(|known| known.code == i128::from(code))
        });
        self.types.push(node);
        self.compiled.names.push(name);
        self.compiled.ill_formed.push(ill_formed);
        self.compiled.fields.push(DescribedField {
            op: found.map(|index| codes[index].op),
            code: found
                .and_then(|index| u32::try_from(index).ok())
                .unwrap_or(u32::MAX),
            optional,
            inside: (0, 0),
            count: 0,
            size: found.and_then(|index| codes[index].size),
            nothing: false,
            located: false,
        });
    }

    /// Adds the contents of a field.
    fn open(&mut self, at: usize) {
        let Some((node, op)) = self.types[at].zip(self.compiled.fields[at].op) else {
            return;
        };
        let Kind::Nested(nested) = self.plan.op(op).kind else {
            return;
        };
        let plan = self.plan;
        let nested = &plan.nested[nested];
        let first = self.compiled.fields.len();
        let found = self.list.find(plan, node, &nested.inside);
        match &nested.form {
            NestedForm::Fields => {
                if let Some(list) = found.and_then(|found| list_of(plan, self.list, found)) {
                    self.fields(list);
                }
            }
            NestedForm::Described(path) => {
                self.compiled.fields[at].count = self.bits(node, path).unwrap_or(0);
                self.push((Box::default(), false), found, false);
            }
            NestedForm::Counted(_) | NestedForm::Located(_) => {
                self.push((Box::default(), false), found, false);
            }
        }
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let count = self.compiled.fields.len() - first;
        self.compiled.fields[at].inside = (number(first), number(count));
    }

    fn bits(&self, node: NodeId, path: &[tracegauge_plan::NameId]) -> Option<u64> {
        let found = self.list.find(self.plan, node, path)?;
        match self.list.node(found).payload {
            Payload::Bits(bits) => Some(bits),
            _ => None,
        }
    }
}

/// Computes the size of each fixed-size value. The entries are visited in reverse order, because
/// the contents of a type follow its entry.
pub(super) fn sizes(plan: &Plan, compiled: &mut CompiledLayout) {
    for at in (0..compiled.fields.len()).rev() {
        let field = compiled.fields[at];
        let Some(Kind::Nested(nested)) = field.op.map(|op| &plan.op(op).kind) else {
            continue;
        };
        let nested = &plan.nested[*nested];
        let inside = compiled.inside(at);
        let mut parts = compiled.fields[inside].iter();
        let located =
            matches!(nested.form, NestedForm::Located(_)) || parts.clone().any(|part| part.located);
        let whole = |field: &DescribedField| field.size.filter(|_| !field.optional);
        let size = match &nested.form {
            NestedForm::Counted(_) => None,
            NestedForm::Located(located) => match plan.op(located.word).kind {
                Kind::Integer(integer) => Some(u64::from(integer.width)),
                _ => None,
            },
            NestedForm::Fields => parts.try_fold(0_u64, |sum, part| {
                whole(part).and_then(|size| sum.checked_add(size))
            }),
            NestedForm::Described(_) => {
                let none = nested.none == Some(i128::from(field.count));
                let count = if none { 0 } else { field.count };
                match (count, parts.next().and_then(whole)) {
                    (0, _) => Some(0),
                    (count, size) => size.and_then(|size| size.checked_mul(count)),
                }
            }
        };
        let field = &mut compiled.fields[at];
        field.size = size;
        field.located = located;
        field.nothing = size == Some(0) && !field.optional;
    }
}

/// Returns the plan of an operation's type code if the type contains other types.
pub(super) fn nested_of(plan: &Plan, op: OpId) -> Option<&NestedPlan> {
    match plan.op(op).kind {
        Kind::Nested(nested) => plan.nested.get(nested),
        _ => None,
    }
}

/// Returns the structure inside a call, switch or sized part.
fn entered(plan: &Plan, tree: &Tree, node: NodeId) -> NodeId {
    let mut node = node;
    while matches!(
        plan.op(tree.node(node).op).kind,
        Kind::Call(_) | Kind::Sized(_) | Kind::Switch(_)
    ) {
        match tree.children(node).next() {
            Some(inside) => node = inside,
            None => break,
        }
    }
    node
}

/// Returns the node if it is a list, or otherwise the list inside the node.
fn list_of(plan: &Plan, tree: &Tree, node: NodeId) -> Option<NodeId> {
    let mut node = node;
    loop {
        let op = tree.node(node).op;
        node = match plan.op(op).kind {
            Kind::Repeat(_) => return Some(node),
            Kind::Call(_) | Kind::Sized(_) | Kind::Switch(_) => tree.children(node).next()?,
            Kind::Structure if plan.info(op).presentation.transparent => {
                tree.children(node).find(|child| {
                    let info = plan.info(tree.node(*child).op);
                    info.name.is_none() && info.label.is_some()
                })?
            }
            _ => return None,
        };
    }
}

/// Returns the text of a node, or of the first unnamed node inside it, with its encoding.
fn text_of<'t>(plan: &Plan, tree: &'t Tree, id: NodeId) -> Option<(&'t [u8], Encoding)> {
    if let Some(bytes) = tree.bytes(id) {
        let encoding = match plan.op(tree.node(id).op).kind {
            Kind::Text(_, encoding) => Some(encoding),
            Kind::Terminated(ending) => ending.encoding,
            _ => None,
        };
        return Some((bytes, encoding.unwrap_or(Encoding::Utf8)));
    }
    tree.children(id)
        .filter(|child| plan.info(tree.node(*child).op).name.is_none())
        .find_map(|child| text_of(plan, tree, child))
}

/// Converts a name to UTF-8. Returns the raw bytes and `true` if the name is not well-formed.
fn named((bytes, encoding): (&[u8], Encoding)) -> (Box<[u8]>, bool) {
    if encoding == Encoding::Utf8 {
        return (bytes.into(), !text::well_formed(bytes, encoding));
    }
    match text::decode(bytes, encoding) {
        Some(text) => (text.into_bytes().into(), false),
        None => (bytes.into(), true),
    }
}
