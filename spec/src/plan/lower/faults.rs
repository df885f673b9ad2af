//! Which rule a fault breaks: the nearest mapping outward along the uses of types.

use std::collections::HashMap;

use super::Lowering;
use crate::plan::FaultRules;
use crate::schema::{FaultKind, FaultMap, RuleRef};

/// The mappings that hold at one place.
#[derive(Clone, Debug, Default)]
pub(super) struct FaultContext {
    kinds: HashMap<FaultKind, RuleRef>,
    own: HashMap<String, RuleRef>,
}

impl FaultContext {
    /// What holds inside an element with mappings of its own.
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

    /// What holds inside an element of whose mappings only that of one kind counts.
    pub(super) fn enter_only(&self, map: &FaultMap, wanted: FaultKind) -> Self {
        let mut inner = self.clone();
        for (kind, rule, _) in &map.kinds {
            if *kind == wanted {
                inner.kinds.insert(*kind, rule.clone());
            }
        }
        inner
    }

    /// What holds inside the elements of a list: that the list is empty is its own matter.
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

    /// The same, but for one kind of fault that is none here.
    pub(super) fn without(&self, kind: FaultKind) -> Self {
        let mut inner = self.clone();
        inner.kinds.remove(&kind);
        inner
    }

    /// The rule of `kind`, if any is mapped.
    pub(super) fn of(&self, kind: FaultKind) -> Option<u32> {
        self.kinds.get(&kind).and_then(|rule| self.resolve(rule))
    }

    /// The rule that a reference means here.
    pub(super) fn resolve(&self, rule: &RuleRef) -> Option<u32> {
        let mut rule = rule;
        // A shared part may map one of its kinds to another; a chain longer than this is a circle.
        for _ in 0..16 {
            match rule {
                RuleRef::Rule(id) => return Some(id.0),
                RuleRef::Fault(name) => rule = self.own.get(name)?,
            }
        }
        None
    }
}

impl Lowering<'_> {
    /// The index of the table of rules that holds in `context`.
    pub(super) fn fault_rules(&mut self, context: &FaultContext) -> u32 {
        let mut rules = FaultRules::default();
        for (kind, _) in FaultKind::ALL {
            rules.rules[kind as usize] = context.of(kind);
        }
        let found = self.plan.faults.iter().position(|known| *known == rules);
        let index = found.unwrap_or_else(|| {
            self.plan.faults.push(rules);
            self.plan.faults.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}
