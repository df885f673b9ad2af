//! Uses of types. A use is a type in a particular context, such as a field of a particular
//! structure.

use hashbrown::HashMap;

use crate::schema::TypeId;

/// The index of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct UseId(pub(super) u32);

/// A use of a type. Equal uses are checked only once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Use {
    pub(super) type_id: TypeId,
    pub(super) parent: Parent,
    /// The index of the parent's field that contains the use. The fields of the parent before this
    /// index have been read.
    pub(super) at: usize,
    /// The index of the root's field that contains the use, or `None` if the checks do not depend
    /// on it.
    pub(super) at_in_root: Option<usize>,
    /// Whether the use is an element of a repetition.
    pub(super) element: bool,
    /// Whether the use is inside a repetition, at any depth.
    pub(super) repeated: bool,
}

/// The parent of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Parent {
    /// No parent, because the use is the root.
    None,
    /// An unknown parent, because nothing refers to the context or because the type cannot be
    /// reached from the root.
    Unknown,
    /// The enclosing use.
    Known(UseId),
}

/// The maximum number of distinct uses.
const MOST: usize = 20_000;

/// The distinct uses encountered so far.
#[derive(Default)]
pub(super) struct Uses {
    all: Vec<Use>,
    known: HashMap<Use, UseId>,
    /// The uses that have not been checked yet.
    left: Vec<UseId>,
    queued: Vec<bool>,
    /// Whether the maximum number of uses was exceeded.
    pub(super) too_many: bool,
}

impl Uses {
    /// Returns the id of the use, or `None` if there are already too many distinct uses.
    pub(super) fn intern(&mut self, used: Use) -> Option<UseId> {
        if let Some(id) = self.known.get(&used) {
            return Some(*id);
        }
        if self.all.len() >= MOST {
            self.too_many = true;
            return None;
        }
        let id = UseId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(used.clone());
        self.queued.push(false);
        self.known.insert(used, id);
        Some(id)
    }

    pub(super) fn get(&self, id: UseId) -> &Use {
        &self.all[id.0 as usize]
    }

    /// Enqueues a use to be checked once.
    pub(super) fn enqueue(&mut self, id: UseId) {
        if !std::mem::replace(&mut self.queued[id.0 as usize], true) {
            self.left.push(id);
        }
    }

    /// Returns the next use to check.
    pub(super) fn next(&mut self) -> Option<UseId> {
        self.left.pop()
    }
}
