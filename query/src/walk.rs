//! Walks over the tree of a trace while the trace is decoded. Each list element is shown as soon as
//! it is complete. The nodes that contain the element are shown before the element, although the
//! ends of these nodes are not known yet. The walk keeps no more of the tree in memory than the
//! decoder needs.

use std::io;

use tracegauge_decoder::tree::{NodeId, Payload, Tree};
use tracegauge_decoder::{Observer, Window};
use tracegauge_plan::{Kind, NestedForm, Plan};

/// A node visited by the walk.
pub struct Met<'a> {
    /// The tree that contains the node.
    pub tree: &'a Tree,
    /// The node.
    pub id: NodeId,
    /// The name of the node, if it has one: the name of its field, the name that the trace itself
    /// defines, or the index of a list element.
    pub name: Option<String>,
    /// The index that the node adds to the path of a violation, if it is an element.
    pub path_index: Option<usize>,
    /// The name that the node adds to the path of a violation. Such a path omits the names of nodes
    /// that only wrap another node.
    pub path_name: Option<&'a str>,
    /// The number of preceding siblings.
    pub number: usize,
    /// Whether the node is the root, which has no parent.
    pub is_root: bool,
    /// Whether the node or one of its ancestors is read at an explicit position, so that the node
    /// only shows bytes that belong to another field.
    pub is_shown: bool,
    /// Whether the node can have children. Such a node is followed by its children, and then by its
    /// end.
    pub is_part: bool,
    /// Whether the node is complete. The end of an incomplete node is not known yet.
    pub is_complete: bool,
    /// The first bytes of the node: all bytes if the node cannot have children, otherwise at most
    /// [`HEAD`] of the bytes read so far.
    pub bytes: &'a [u8],
}

/// The maximum length of [`Met::bytes`] for a node that can have children.
pub const HEAD: u64 = 16;

/// Receives the nodes of a walk.
pub trait Show {
    /// Called with each node, before the nodes inside it.
    ///
    /// # Errors
    /// Returns an error if the node cannot be shown, which ends the walk.
    fn node(&mut self, plan: &Plan, met: &Met<'_>) -> io::Result<()>;

    /// Called after the children of a node, with the offset of the node's end and the number of its
    /// children.
    ///
    /// # Errors
    /// Returns an error if the end cannot be shown, which ends the walk.
    fn end(&mut self, end: u64, count: usize) -> io::Result<()>;
}

/// A node whose children are being shown.
struct Frame {
    node: NodeId,
    /// The number of children shown so far.
    count: usize,
    /// The children whose names the trace itself defines.
    described: Vec<Described>,
    is_list: bool,
    is_shown: bool,
}

/// A node whose name the trace itself defines.
struct Described {
    node: NodeId,
    /// The index of the field in its layout.
    number: usize,
    name: String,
}

/// A walk over the tree of a trace.
pub struct Walk<'p, S> {
    plan: &'p Plan,
    show: S,
    /// The first node that has not been shown.
    next: NodeId,
    /// The nodes whose children are being shown, outermost first.
    open: Vec<Frame>,
    failure: Option<io::Error>,
}

impl<S: Show> Observer for Walk<'_, S> {
    // Stops decoding once nothing can be shown anymore.
    fn spent(&mut self) -> bool {
        self.failure.is_some()
    }

    fn part(&mut self, tree: &Tree, bytes: &dyn Window, around: &[NodeId], from: NodeId) {
        if self.failure.is_none()
            && let Err(error) = self.up_to(tree, bytes, around, from)
        {
            self.failure = Some(error);
        }
    }
}

impl<'p, S: Show> Walk<'p, S> {
    /// Creates a walk that shows nodes with `show`.
    pub fn new(plan: &'p Plan, show: S) -> Self {
        Self {
            plan,
            show,
            next: 0,
            open: Vec::new(),
            failure: None,
        }
    }

    /// Returns the `Show` implementation that received the nodes.
    ///
    /// # Errors
    /// Returns the error that ended the walk, if any.
    pub fn finish(self) -> io::Result<S> {
        match self.failure {
            Some(error) => Err(error),
            None => Ok(self.show),
        }
    }

    /// Shows all nodes that have not been shown yet. The nodes in `around` are incomplete, so their
    /// ends are not known yet. After the call, the decoder removes the nodes starting at `from`.
    fn up_to(
        &mut self,
        tree: &Tree,
        bytes: &dyn Window,
        around: &[NodeId],
        from: NodeId,
    ) -> io::Result<()> {
        let end = u32::try_from(tree.nodes.len()).unwrap_or(u32::MAX);
        while self.next < end {
            let id = self.next;
            while let Some(frame) = self.open.last()
                && tree.node(frame.node).end <= id
                && !around.contains(&frame.node)
            {
                self.close(tree)?;
            }
            self.node(tree, bytes, around.contains(&id), id)?;
            self.next += 1;
        }
        while self.open.last().is_some_and(|frame| frame.node >= from) {
            self.close(tree)?;
        }
        self.next = from;
        Ok(())
    }

    fn node(
        &mut self,
        tree: &Tree,
        bytes: &dyn Window,
        is_open: bool,
        id: NodeId,
    ) -> io::Result<()> {
        let node = tree.node(id);
        let label = self.plan.info(node.op).label;
        let label = || label.map(|label| self.plan.name(label).to_owned());
        let is_located = matches!(self.plan.op(node.op).kind, Kind::At(_));
        let is_part = is_open
            || node.end > id + 1
            || matches!(
                node.payload,
                Payload::None | Payload::Layout(_) | Payload::View(_)
            );
        let mut path_index = None;
        let mut path_name = self.plan.info(node.op).name;
        let (name, number, is_shown) = match self.open.last_mut() {
            Some(around) => {
                let number = around.count;
                around.count += 1;
                let described = around
                    .described
                    .binary_search_by_key(&id, |described| described.node);
                let described = described.ok().map(|found| &around.described[found]);
                let name = match described {
                    Some(described) => Some(described.name.clone()),
                    None if around.is_list => Some(format!("[{number}]")),
                    None => label(),
                };
                path_index = match described {
                    Some(described) => Some(described.number),
                    None => element(self.plan, tree, around.node, number),
                };
                let kind = &self.plan.op(tree.node(around.node).op).kind;
                // A called structure takes its name from the call.
                if matches!(kind, Kind::Call(_)) {
                    path_name = None;
                }
                (name, number, is_located || around.is_shown)
            }
            None => (label(), 0, is_located),
        };
        let span = node.span;
        let end = match (is_open, is_part) {
            // The end of the node is not known yet, but the nodes read so far are inside it.
            (true, _) => {
                let inside = tree.nodes.iter().skip(id as usize);
                let read = inside.map(|node| node.span.end).max().unwrap_or(span.end);
                read.min(span.start + HEAD)
            }
            (false, true) => span.end.min(span.start + HEAD),
            (false, false) => span.end,
        };
        let met = Met {
            tree,
            id,
            name,
            path_index,
            path_name: path_name.map(|name| self.plan.name(name)),
            number,
            is_root: self.open.is_empty(),
            is_shown,
            is_part,
            is_complete: !is_open,
            bytes: bytes.slice(span.start, end),
        };
        self.show.node(self.plan, &met)?;
        if is_part {
            self.open.push(Frame {
                node: id,
                count: 0,
                described: self.described(tree, id),
                is_list: matches!(self.plan.op(node.op).kind, Kind::Repeat(_)),
                is_shown,
            });
        }
        Ok(())
    }

    /// Shows the end of the innermost open node, whose children have all been shown.
    fn close(&mut self, tree: &Tree) -> io::Result<()> {
        let Some(frame) = self.open.pop() else {
            return Ok(());
        };
        self.show.end(tree.node(frame.node).span.end, frame.count)
    }

    /// Returns the children whose names the trace itself defines.
    fn described(&self, tree: &Tree, id: NodeId) -> Vec<Described> {
        let Payload::Layout(index) = tree.node(id).payload else {
            return Vec::new();
        };
        let Some(layout) = tree.layouts.get(index as usize) else {
            return Vec::new();
        };
        let fields = tree.described(id).into_iter();
        let named = fields.filter_map(|(number, node)| {
            let label = self.plan.info(tree.node(node).op).label;
            let code = label.map_or("", |label| self.plan.name(label));
            let name = String::from_utf8_lossy(layout.names.get(number)?);
            Some(Described {
                node,
                number,
                name: format!("{name} ({code})"),
            })
        });
        named.collect()
    }
}

/// Returns the index of the child `number` of a list in the path of a violation, or `None` if the
/// child is not an element.
fn element(plan: &Plan, tree: &Tree, list: NodeId, number: usize) -> Option<usize> {
    match plan.op(tree.node(list).op).kind {
        Kind::Repeat(_) => Some(number),
        Kind::Nested(nested) => match plan.nested[nested].form {
            // The count precedes the elements, as the first child.
            NestedForm::Counted(_) if !tree.is_view(list) => number.checked_sub(1),
            _ => Some(number),
        },
        _ => None,
    }
}
