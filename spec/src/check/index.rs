//! An index of the names in a type.

use hashbrown::HashMap;

use crate::schema::{FieldRole, Type, TypeBody};

/// The names of a type's fields, parameters and instances, with their positions in the type.
pub(super) struct Index<'s> {
    pub(super) fields: HashMap<&'s str, usize>,
    pub(super) params: HashMap<&'s str, usize>,
    pub(super) instances: HashMap<&'s str, usize>,
    pub(super) embedded: Vec<usize>,
}

impl<'s> Index<'s> {
    pub(super) fn of(described: &'s Type) -> Self {
        let mut index = Self {
            fields: HashMap::new(),
            params: HashMap::new(),
            instances: HashMap::new(),
            embedded: Vec::new(),
        };
        if let TypeBody::Structure(fields) = &described.body {
            for (at, field) in fields.iter().enumerate() {
                if let Some(id) = &field.id {
                    index.fields.entry(id).or_insert(at);
                }
                if matches!(&field.role, FieldRole::Wire(source) if source.embed) {
                    index.embedded.push(at);
                }
            }
        }
        for (at, param) in described.params.iter().enumerate() {
            index.params.entry(&param.name).or_insert(at);
        }
        for (at, instance) in described.instances.iter().enumerate() {
            index.instances.entry(&instance.id).or_insert(at);
        }
        index
    }

    /// Returns the instance with this name, unless a field or a parameter hides it.
    pub(super) fn instance(&self, name: &str) -> Option<usize> {
        let hidden = self.fields.contains_key(name) || self.params.contains_key(name);
        self.instances.get(name).copied().filter(|_| !hidden)
    }

    /// Returns `true` if a field, a parameter or an instance has the name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
            || self.params.contains_key(name)
            || self.instances.contains_key(name)
    }
}
