//! Maps faults, the failed built-in checks of the decoder, to the rules that they break. If several
//! mappings enclose an operation, the innermost mapping applies.

use hashbrown::HashMap;

use super::Lowering;
use crate::schema::{FaultKind, FaultMap, RuleId, RuleRef};
use tracegauge_plan::{FaultRules, FaultTableId};

/// The fault mappings that apply at an element.
#[derive(Clone, Debug, Default)]
pub(super) struct FaultContext {
    kinds: HashMap<FaultKind, RuleRef>,
    own: HashMap<String, RuleRef>,
}

impl FaultContext {
    /// Returns the mappings that apply inside an element that declares the mappings in `map`.
    pub(super) fn enter(&self, map: &FaultMap) -> Self {
        let mut inner = self.clone();
        for (kind, rule, _) in &map.kinds {
            inner.kinds.insert(*kind, rule.clone());
        }
        for (name, rule, _) in &map.own {
            inner.own.insert(name.clone(), rule.clone());
        }
        inner
    }

    /// Returns these mappings plus the mapping from `map` for the fault kind `wanted`.
    pub(super) fn enter_only(&self, map: &FaultMap, wanted: FaultKind) -> Self {
        let mut inner = self.clone();
        for (kind, rule, _) in &map.kinds {
            if *kind == wanted {
                inner.kinds.insert(*kind, rule.clone());
            }
        }
        inner
    }

    /// Returns the mappings that apply inside the elements of a list that declares `map`. If `map`
    /// has a mapping for an empty list, that mapping applies only to the list itself.
    pub(super) fn enter_elements(&self, map: &FaultMap) -> Self {
        let mut inner = self.enter(map);
        if map
            .kinds
            .iter()
            .any(|(kind, _, _)| *kind == FaultKind::Empty)
        {
            inner.kinds.remove(&FaultKind::Empty);
        }
        inner
    }

    /// Returns the same mappings without the mapping for the given kind of fault.
    pub(super) fn without(&self, kind: FaultKind) -> Self {
        let mut inner = self.clone();
        inner.kinds.remove(&kind);
        inner
    }

    /// Returns the rule that this kind of fault is mapped to, if any.
    pub(super) fn of(&self, kind: FaultKind) -> Option<RuleId> {
        self.kinds.get(&kind).and_then(|rule| self.resolve(rule))
    }

    /// Resolves a reference to a rule. A reference can name a fault, which may in turn be mapped to
    /// another named fault.
    pub(super) fn resolve(&self, rule: &RuleRef) -> Option<RuleId> {
        let mut rule = rule;
        // A shared part may map one of its faults to another fault. A chain of 16 faults is assumed
        // to be a cycle.
        for _ in 0..16 {
            match rule {
                RuleRef::Rule(id) => return Some(*id),
                RuleRef::Fault(name) => rule = self.own.get(name)?,
            }
        }
        None
    }
}

impl Lowering<'_> {
    /// Returns the index of the fault table for `context`. Identical tables are shared.
    pub(super) fn fault_rules(&mut self, context: &FaultContext) -> FaultTableId {
        let mut rules = FaultRules::default();
        for (kind, _) in FaultKind::ALL {
            rules.rules[kind as usize] = context.of(kind);
        }
        let found = self.plan.faults.position(|known| *known == rules);
        found.unwrap_or_else(|| self.plan.faults.push(rules))
    }
}
