//! Checks that the values computed by a writer are known before they are needed.
//!
//! A fixed-width value can be filled in later. The width of a variable-width value affects the
//! offsets of all later elements, so the value cannot depend on any of these offsets. No value can
//! depend on itself.

use hashbrown::{HashMap, HashSet};

use super::Checker;
use super::field::scalar_of;
use super::graph::Graph;
use super::visit;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    ConstraintKind, Field, FieldRole, FieldSource, ScalarKind, Schema, Type, TypeBody, TypeId,
};

/// A field, identified by the index of its type and the index of the field within that type.
type Node = (usize, usize);

/// The property of a field that a computed value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Value,
    Size,
    Place,
}

/// A dependency of a computed value.
struct Mention<'s> {
    look: Look,
    of: Of<'s>,
}

/// The field or type that a dependency refers to: a field of the same type, a field of the
/// enclosing type, or the type itself.
enum Of<'s> {
    Own(&'s str),
    Outer(&'s str),
    Whole,
}

impl<'s> Checker<'s> {
    pub(super) fn written_values(&mut self) {
        let schema = self.schema;
        let mut depends: HashMap<Node, Vec<Node>> = HashMap::new();
        let sizes = Sizes::of(schema, &self.graph);
        for (index, described) in schema.types.iter().enumerate() {
            let Some(fields) = fields_of(described) else {
                continue;
            };
            for (at, field) in fields.iter().enumerate() {
                let Some((source, value)) = computed(field) else {
                    continue;
                };
                let mentions = mentions(value);
                self.placed(field, source, value, &mentions, fields, at);
                let on = edges(index, &mentions, schema, &self.graph, &sizes);
                depends.insert((index, at), on);
            }
        }
        self.circles(&depends);
    }

    /// Reports an error for a variable-width value that depends on the offset of a later field.
    fn placed(
        &mut self,
        field: &Field,
        source: &FieldSource,
        value: &Expr,
        mentions: &[Mention<'_>],
        fields: &[Field],
        at: usize,
    ) {
        if !varies(source, self.schema) {
            return;
        }
        let later = |name: &str| {
            let place = fields.iter().position(|f| f.id.as_deref() == Some(name));
            place.is_none_or(|place| place >= at)
        };
        let moved = mentions
            .iter()
            .any(|mention| match (&mention.look, &mention.of) {
                (Look::Place, Of::Own(name)) => later(name),
                (Look::Place, Of::Outer(_)) => true,
                (Look::Place, Of::Whole) => true,
                _ => false,
            });
        if moved {
            let name = field.id.as_deref().unwrap_or("this field");
            let message =
                format!("`{name}` is computed from data whose position depends on `{name}`");
            let help = "the value of a field that determines a position must be a number of fixed \
                width";
            self.push(Diagnostic::error(Code::ValuePlace, value.span, message).help(help));
        }
    }

    fn circles(&mut self, depends: &HashMap<Node, Vec<Node>>) {
        let mut starts: Vec<Node> = depends.keys().copied().collect();
        starts.sort_unstable();
        let mut told: HashSet<Node> = HashSet::new();
        let mut steps = 0_usize;
        for start in starts {
            let (mut seen, mut left) = (HashSet::new(), depends[&start].clone());
            let mut circular = false;
            while let Some(node) = left.pop() {
                steps += 1;
                if steps > 100_000 {
                    return;
                }
                circular |= node == start;
                if circular || !seen.insert(node) {
                    continue;
                }
                left.extend(depends.get(&node).into_iter().flatten());
            }
            // Report each cycle once.
            if circular && seen.is_disjoint(&told) {
                told.insert(start);
                self.circular(start);
            }
        }
    }

    fn circular(&mut self, (index, at): Node) {
        let fields = fields_of(&self.schema.types[index]).unwrap_or_default();
        let Some((field, (_, value))) = fields.get(at).and_then(|f| Some((f, computed(f)?))) else {
            return;
        };
        let name = field.id.as_deref().unwrap_or("this field");
        let message = format!("`{name}` is computed from itself");
        let help = "a value may depend on sizes and other values, but not circularly; the size of \
            a variable-length number depends on its value";
        self.push(Diagnostic::error(Code::CircularValue, value.span, message).help(help));
    }
}

fn fields_of(described: &Type) -> Option<&[Field]> {
    match &described.body {
        TypeBody::Structure(fields) => Some(fields),
        TypeBody::Alias(_) => None,
    }
}

fn computed(field: &Field) -> Option<(&FieldSource, &Expr)> {
    let FieldRole::Wire(source) = &field.role else {
        return None;
    };
    match source.value.as_ref().map(|value| &value.kind) {
        Some(ConstraintKind::Equal(expr)) => Some((source, expr)),
        _ => None,
    }
}

/// Returns `true` if the field is a number whose width depends on its value.
fn varies(source: &FieldSource, schema: &Schema) -> bool {
    let scalar = scalar_of(&source.target, schema);
    matches!(
        scalar.map(|scalar| scalar.kind),
        Some(ScalarKind::Variable(..))
    )
}

/// Returns the dependencies of a value, derived from the names in its expression.
fn mentions(value: &Expr) -> Vec<Mention<'_>> {
    let mut found = Vec::new();
    visit::parts(value, &mut |part| match &part.kind {
        ExprKind::Name(name) => found.push(match name.as_str() {
            "_sizeof" => Mention {
                look: Look::Size,
                of: Of::Whole,
            },
            "_start" | "_end" => Mention {
                look: Look::Place,
                of: Of::Whole,
            },
            _ => Mention {
                look: Look::Value,
                of: Of::Own(name),
            },
        }),
        ExprKind::Member { base, name } => {
            let look = match name.as_str() {
                "_sizeof" => Look::Size,
                "_start" | "_end" => Look::Place,
                _ => Look::Value,
            };
            let of = match &base.kind {
                ExprKind::Name(base) if base == "_parent" && look == Look::Value => Of::Outer(name),
                ExprKind::Name(base) => Of::Own(base),
                ExprKind::Member { base, name } => match &base.kind {
                    ExprKind::Name(base) if base == "_parent" => Of::Outer(name),
                    _ => return,
                },
                _ => return,
            };
            found.push(Mention { look, of });
        }
        _ => {}
    });
    // `x._sizeof` and `x.size` mention `x` but do not depend on its value.
    let measured: Vec<&str> = measured(value);
    found.retain(|mention| match (&mention.look, &mention.of) {
        (Look::Value, Of::Own(name)) => !measured.contains(name),
        _ => true,
    });
    found
}

fn measured(value: &Expr) -> Vec<&str> {
    let mut found = Vec::new();
    visit::parts(value, &mut |part| {
        if let ExprKind::Member { base, name } = &part.kind
            && matches!(
                name.as_str(),
                "_sizeof" | "_start" | "_end" | "size" | "length"
            )
            && let ExprKind::Name(name) = &base.kind
        {
            found.push(name.as_str());
        }
    });
    found
}

/// The variable-width values in each type, by node of the type graph. Because their width varies,
/// these values affect the size of the type.
struct Sizes {
    inside: Vec<Vec<Node>>,
}

/// The maximum number of variable-width values to follow in one type.
const MOST_INSIDE: usize = 64;

impl Sizes {
    fn of(schema: &Schema, graph: &Graph) -> Self {
        let mut inside: Vec<Vec<Node>> = vec![Vec::new(); graph.edges.len()];
        for node in &graph.order {
            let mut own = Vec::new();
            let described = graph.type_of(*node).map(|id| &schema.types[id.index()]);
            for (at, field) in described
                .and_then(fields_of)
                .into_iter()
                .flatten()
                .enumerate()
            {
                if computed(field).is_some_and(|(source, _)| varies(source, schema)) {
                    own.push((*node, at));
                }
            }
            for held in &graph.edges[*node] {
                own.extend(inside[*held].iter().take(MOST_INSIDE));
            }
            own.sort_unstable();
            own.dedup();
            own.truncate(MOST_INSIDE);
            inside[*node] = own;
        }
        Self { inside }
    }

    fn of_source(&self, source: &FieldSource, node: Node, schema: &Schema) -> Vec<Node> {
        let mut found = Vec::new();
        if source.value.is_some() && varies(source, schema) {
            found.push(node);
        }
        visit::targets(source, &mut |target| {
            if let crate::schema::TypeRef::Named { id, .. } = target
                && let Some(inside) = self.inside.get(id.index())
            {
                found.extend(inside);
            }
        });
        found
    }
}

/// Returns the fields that the value of a field depends on.
fn edges(
    index: usize,
    mentions: &[Mention<'_>],
    schema: &Schema,
    graph: &Graph,
    sizes: &Sizes,
) -> Vec<Node> {
    let mut found = Vec::new();
    for mention in mentions {
        match &mention.of {
            Of::Own(name) => field_edges(index, name, mention.look, schema, sizes, &mut found),
            Of::Whole if mention.look == Look::Size => found.extend(&sizes.inside[index]),
            Of::Whole => {}
            Of::Outer(name) => {
                let holders = (0..schema.types.len()).filter(|h| graph.edges[*h].contains(&index));
                for holder in holders.take(MOST_INSIDE) {
                    field_edges(holder, name, mention.look, schema, sizes, &mut found);
                }
            }
        }
    }
    found
}

fn field_edges(
    index: usize,
    name: &str,
    look: Look,
    schema: &Schema,
    sizes: &Sizes,
    found: &mut Vec<Node>,
) {
    let fields = schema
        .types
        .get(TypeId::from(index).index())
        .and_then(fields_of);
    let fields = fields.unwrap_or_default();
    let Some(at) = fields.iter().position(|f| f.id.as_deref() == Some(name)) else {
        return;
    };
    match (&fields[at].role, look) {
        (FieldRole::Wire(source), Look::Value) if source.value.is_some() => found.push((index, at)),
        (FieldRole::Wire(source), Look::Size) => {
            found.extend(sizes.of_source(source, (index, at), schema));
        }
        _ => {}
    }
}
