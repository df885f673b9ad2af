//! Paths that identify operations by their position in the description.

use super::{Kind, OpId, Plan};

/// The path of every operation of a plan. For example, `frames[].body:event.type_id` is the field
/// `type_id` in the arm `event` of the switch `body` in any element of `frames`.
#[derive(Clone, Debug)]
pub struct Paths(Vec<String>);

impl Paths {
    /// Computes the path of every operation of `plan`.
    pub fn new(plan: &Plan) -> Self {
        let mut paths: Vec<String> = Vec::with_capacity(plan.ops.len());
        // Parents precede the operations inside them, so a parent's path is already known.
        for index in 0..plan.ops.len() {
            let id = OpId::from(index);
            let path = path(plan, id, &paths);
            paths.push(path);
        }
        Self(paths)
    }

    /// Returns the path of an operation, or `(file)` for the root.
    pub fn of(&self, op: OpId) -> &str {
        match self.0.get(op.index()).map(String::as_str) {
            None | Some("") => "(file)",
            Some(path) => path,
        }
    }
}

fn path(plan: &Plan, id: OpId, paths: &[String]) -> String {
    let info = plan.info(id);
    let Some(parent) = info.parent else {
        return String::new();
    };
    let outer = &paths[parent.index()];
    let own = info.label.or(info.type_name).map(|name| plan.name(name));
    match plan.op(parent).kind {
        Kind::Repeat(_) => format!("{outer}[]"),
        Kind::Switch(_) | Kind::Layout(_) => {
            let own = own.unwrap_or_else(|| kind(&plan.op(id).kind));
            format!("{outer}:{own}")
        }
        // The operation inside the part normally has no label, because the label belongs to the
        // part.
        Kind::Sized(_) => format!("{outer}({})", own.unwrap_or("content")),
        _ => {
            let own = own.map_or_else(|| format!("({})", kind(&plan.op(id).kind)), str::to_owned);
            if outer.is_empty() {
                own
            } else {
                format!("{outer}.{own}")
            }
        }
    }
}

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Structure => "structure",
        Kind::Call(_) => "again",
        Kind::Integer(_) | Kind::Variable(..) | Kind::Float { .. } => "number",
        Kind::BitRun { .. } | Kind::Bits { .. } => "bits",
        Kind::Guid(_) => "guid",
        Kind::Bytes(_) | Kind::Contents(_) => "bytes",
        Kind::Text(..) | Kind::Terminated(_) => "text",
        Kind::Sized(_) => "part",
        Kind::Repeat(_) => "list",
        Kind::Switch(_) => "switch",
        Kind::Layout(_) => "values",
        Kind::Nested(_) => "value",
        Kind::Check => "check",
        Kind::At(_) => "elsewhere",
        Kind::Bind(_) => "argument",
        Kind::Align { .. } => "padding",
    }
}
