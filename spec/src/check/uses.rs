//! Uses of types: a type together with what is around it.

use std::collections::HashMap;

use crate::schema::TypeId;

/// The index of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct UseId(pub(super) u32);

/// A use of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Use {
    pub(super) type_id: TypeId,
    pub(super) parent: Parent,
    /// The field of the parent that holds it; those before are read.
    pub(super) at: usize,
    /// The field of the root that holds it, where that matters.
    pub(super) at_in_root: Option<usize>,
    /// It is an element of a repetition.
    pub(super) element: bool,
    /// Some repetition is around it.
    pub(super) repeated: bool,
}

/// What is around a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Parent {
    /// Nothing: it is the root.
    None,
    /// Nobody looks that far, or the root does not reach the type.
    Unknown,
    /// A use.
    Known(UseId),
}

/// How many uses are told apart.
const MOST: usize = 20_000;

/// All uses that were met.
#[derive(Default)]
pub(super) struct Uses {
    all: Vec<Use>,
    known: HashMap<Use, UseId>,
    /// Uses that are to be checked.
    left: Vec<UseId>,
    queued: Vec<bool>,
    /// There were more than are told apart.
    pub(super) too_many: bool,
}

impl Uses {
    /// The use, and whether it could be told apart from others.
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

    /// Has a use checked, once.
    pub(super) fn enqueue(&mut self, id: UseId) {
        if !std::mem::replace(&mut self.queued[id.0 as usize], true) {
            self.left.push(id);
        }
    }

    /// The next use to check.
    pub(super) fn next(&mut self) -> Option<UseId> {
        self.left.pop()
    }
}
