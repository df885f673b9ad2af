use hashbrown::{HashMap, HashSet};

use super::suggest::MOST_KNOWN;
use crate::schema::{EnumId, FlagsId, JsonId, LayoutId, RegisterId, RuleId, TableId, TypeId};
use tracegauge_plan::source::SourceSpan;

/// The id that replaces an unresolved name. No list of the schema contains this id, so later steps
/// recognize it and report no further errors about it.
pub(super) const POISON: u32 = u32::MAX;

/// All declared names, which are collected before anything is converted.
#[derive(Default)]
pub(crate) struct Names {
    /// The declared types, indexed by the enclosing type and the name.
    pub(super) types: HashMap<(TypeId, String), TypeId>,
    /// The declared enumerations, indexed by the enclosing type and the name.
    pub(super) enums: HashMap<(TypeId, String), EnumId>,
    /// The declared flag sets, indexed by the enclosing type and the name.
    pub(super) flags: HashMap<(TypeId, String), FlagsId>,
    /// The properties of each type that are known before the type is converted.
    pub(super) known: Vec<KnownType>,
    /// The declared rules.
    pub(super) rules: Index<RuleId>,
    /// The declared tables.
    pub(super) tables: Index<TableId>,
    /// The declared registers.
    pub(super) registers: Index<RegisterId>,
    /// The declared layout sets.
    pub(super) layouts: Index<LayoutId>,
    /// The declared schemas for JSON.
    pub(super) json: Index<JsonId>,
    /// The declared kinds of records.
    pub(super) records: Index<()>,
    /// The fault kinds that shared parts (files that several formats include) declare.
    pub(super) own_faults: Index<()>,
    /// The columns of each table.
    pub(super) columns: Vec<Vec<String>>,
    /// Whether a file could not be read, so that declared names may be missing.
    pub(super) incomplete: bool,
}

/// The properties of a type that are known before the type is converted.
pub(super) struct KnownType {
    /// The full name of the type.
    pub(super) name: String,
    /// The type that declares the name.
    pub(super) parent: Option<TypeId>,
    /// The number of parameters.
    pub(super) params: usize,
    /// The location of the declaration.
    pub(super) span: SourceSpan,
    /// Whether a shared part requires the type but the description does not define it.
    pub(super) open: bool,
}

/// Declared names of one kind, such as registers, with their locations.
pub(super) struct Index<T> {
    entries: HashMap<String, (T, SourceSpan)>,
    order: Vec<String>,
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self {
            entries: HashMap::new(),
            order: Vec::new(),
        }
    }
}

impl<T: Copy> Index<T> {
    /// Adds a name. If the name already exists, returns the location of the earlier declaration as
    /// an error.
    pub(super) fn add(&mut self, name: &str, value: T, span: SourceSpan) -> Result<(), SourceSpan> {
        if let Some((_, first)) = self.entries.get(name) {
            return Err(*first);
        }
        self.entries.insert(name.to_owned(), (value, span));
        self.order.push(name.to_owned());
        Ok(())
    }

    pub(super) fn get(&self, name: &str) -> Option<T> {
        self.entries.get(name).map(|(value, _)| *value)
    }

    /// Returns the names in declaration order. The names are used for suggestions.
    pub(super) fn all(&self) -> Vec<String> {
        self.order.iter().take(MOST_KNOWN).cloned().collect()
    }
}

impl Names {
    /// Returns the table with this name.
    pub(crate) fn table(&self, name: &str) -> Option<TableId> {
        self.tables.get(name)
    }

    /// Returns the register with this name.
    pub(crate) fn register(&self, name: &str) -> Option<RegisterId> {
        self.registers.get(name)
    }

    /// Returns `true` if a shared part requires the type but the description does not define it.
    pub(crate) fn is_open(&self, id: TypeId) -> bool {
        self.known.get(id.index()).is_some_and(|known| known.open)
    }

    /// Returns `true` if declared names may be missing because a file could not be read.
    pub(crate) fn incomplete(&self) -> bool {
        self.incomplete
    }

    /// Returns the names of the enumerations that are visible in `scope`.
    pub(crate) fn visible_enums(&self, scope: TypeId) -> Vec<String> {
        self.visible(&self.enums, scope)
    }

    /// Returns `scope` and the types that enclose it, from the inside outward.
    pub(super) fn outward(&self, scope: TypeId) -> impl Iterator<Item = TypeId> + '_ {
        std::iter::successors(Some(scope), |at| self.known.get(at.index())?.parent)
    }

    /// Returns the type that `path` refers to in `scope`.
    pub(crate) fn find_type(&self, path: &str, scope: TypeId) -> Option<TypeId> {
        let mut parts = path.split("::");
        let first = parts.next()?.to_owned();
        let mut found = self.outward(scope).find_map(|at| {
            let own = self.known.get(at.index())?;
            let is_root = own.parent.is_none() && own.name == first;
            let inside = self.types.get(&(at, first.clone())).copied();
            inside.or(is_root.then_some(at))
        })?;
        for part in parts {
            found = *self.types.get(&(found, part.to_owned()))?;
        }
        Some(found)
    }

    /// Returns the enumeration that `path` refers to in `scope`.
    pub(crate) fn find_enum(&self, path: &str, scope: TypeId) -> Option<EnumId> {
        self.find_inside(&self.enums, path, scope)
    }

    /// Returns the flag set that `path` refers to in `scope`.
    pub(super) fn find_flags(&self, path: &str, scope: TypeId) -> Option<FlagsId> {
        self.find_inside(&self.flags, path, scope)
    }

    fn find_inside<T: Copy>(
        &self,
        map: &HashMap<(TypeId, String), T>,
        path: &str,
        scope: TypeId,
    ) -> Option<T> {
        let (holder, name) = match path.rsplit_once("::") {
            Some((holder, name)) => (Some(self.find_type(holder, scope)?), name),
            None => (None, path),
        };
        match holder {
            Some(holder) => map.get(&(holder, name.to_owned())).copied(),
            None => self
                .outward(scope)
                .find_map(|at| map.get(&(at, name.to_owned())).copied()),
        }
    }

    /// Returns the names of one kind that are visible in `scope`. The names are used for
    /// suggestions.
    pub(super) fn visible<T>(
        &self,
        map: &HashMap<(TypeId, String), T>,
        scope: TypeId,
    ) -> Vec<String> {
        let holders: HashSet<TypeId> = self.outward(scope).collect();
        let mut names: Vec<String> = map
            .keys()
            .filter(|(holder, _)| holders.contains(holder))
            .map(|(_, name)| name.clone())
            .collect();
        names.sort();
        names
    }
}
