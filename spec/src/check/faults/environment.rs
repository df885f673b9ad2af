//! Environments: the mappings from faults (failed built-in checks of the decoder) to rules that
//! apply at an element. Equal environments are stored once.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::schema::{FaultKind, FaultMap, RuleId, RuleRef};

/// The index of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EnvironmentId(u32);

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Environment {
    kinds: BTreeMap<FaultKind, RuleRef>,
    own: BTreeMap<String, RuleRef>,
}

/// The distinct environments encountered so far.
#[derive(Default)]
pub(super) struct Environments {
    all: Vec<Environment>,
    known: HashMap<Environment, EnvironmentId>,
}

/// The maximum length of a chain of fault names, each of which is mapped to the next. A longer
/// chain of fault names is treated as a cycle.
const LONGEST: usize = 16;

impl Environments {
    /// Returns the environment that applies to the whole file.
    pub(super) fn root(&mut self, map: &FaultMap) -> EnvironmentId {
        let empty = self.intern(Environment::default());
        self.enter(empty, map)
    }

    /// Returns the environment inside an element, which adds its own mappings to the outer
    /// mappings.
    pub(super) fn enter(&mut self, outer: EnvironmentId, map: &FaultMap) -> EnvironmentId {
        if map.kinds.is_empty() && map.own.is_empty() {
            return outer;
        }
        let mut inner = self.all[outer.0 as usize].clone();
        for (kind, rule, _) in &map.kinds {
            inner.kinds.insert(*kind, rule.clone());
        }
        for (name, rule, _) in &map.own {
            inner.own.insert(name.clone(), rule.clone());
        }
        self.intern(inner)
    }

    fn intern(&mut self, environment: Environment) -> EnvironmentId {
        if let Some(id) = self.known.get(&environment) {
            return *id;
        }
        let id = EnvironmentId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(environment.clone());
        self.known.insert(environment, id);
        id
    }

    /// Returns the rule that a kind of fault is mapped to.
    pub(super) fn of(&self, environment: EnvironmentId, kind: FaultKind) -> Option<RuleRef> {
        self.all[environment.0 as usize].kinds.get(&kind).cloned()
    }

    /// Returns the rule that a rule reference resolves to.
    ///
    /// # Errors
    /// Returns the name of the fault if the reference names a fault that a shared part defines and
    /// no mapping leads from that fault to a rule.
    pub(super) fn resolve(
        &self,
        environment: EnvironmentId,
        rule: &RuleRef,
    ) -> Result<RuleId, String> {
        let own = &self.all[environment.0 as usize].own;
        let mut at = rule;
        for _ in 0..LONGEST {
            match at {
                RuleRef::Rule(id) => return Ok(*id),
                RuleRef::Fault(name) => match own.get(name) {
                    Some(next) => at = next,
                    None => return Err(name.clone()),
                },
            }
        }
        match rule {
            RuleRef::Fault(name) => Err(name.clone()),
            RuleRef::Rule(id) => Ok(*id),
        }
    }
}
