//! Parses constraints, the rules that they name, and faults. A shared part, which several formats
//! include, cannot name the rules of these formats. It names faults of its own instead, and each
//! format maps these faults to its rules.

use super::context::{Context, poison};
use super::keys::Keys;
use super::names::POISON;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use crate::schema::{Constraint, ConstraintKind, FaultKind, FaultMap, Obedience, RuleId, RuleRef};
use crate::yaml::{Entry, Node, NodeKind};
use tracegauge_plan::source::SourceSpan;

impl<'n> Context<'n> {
    /// Parses the id of a rule, or `{fault: name}`.
    pub(super) fn rule(&mut self, node: &Node) -> RuleRef {
        if node.as_mapping().is_some() {
            let Some(mut keys) = Keys::of(node, "a fault", self) else {
                return RuleRef::Rule(RuleId(POISON));
            };
            let fault = keys.need("fault", self).map(|node| self.own_fault(node));
            keys.finish(self);
            return fault.unwrap_or(RuleRef::Rule(RuleId(POISON)));
        }
        match self.text(node, "the id of a rule") {
            Some(name) => RuleRef::Rule(self.rule_named(name, node.span)),
            None => RuleRef::Rule(RuleId(POISON)),
        }
    }

    /// Looks up the rule called `name`. Reports an error if no rule has this name.
    pub(super) fn rule_named(&mut self, name: &str, span: SourceSpan) -> RuleId {
        if let Some(id) = self.names.rules.get(name) {
            return id;
        }
        let known = self.names.rules.all();
        let names = known.iter().map(String::as_str);
        self.unknown(Code::UnknownRule, span, "rule", name, names);
        RuleId(POISON)
    }

    /// Parses the name of a fault that a shared part declares.
    pub(super) fn own_fault(&mut self, node: &Node) -> RuleRef {
        let Some(name) = self.text(node, "the name of a fault") else {
            return RuleRef::Rule(RuleId(POISON));
        };
        if self.names.own_faults.get(name).is_none() {
            let known = self.names.own_faults.all();
            let names = known.iter().map(String::as_str);
            self.unknown(
                Code::UnknownFault,
                node.span,
                "fault of a shared part",
                name,
                names,
            );
        }
        RuleRef::Fault(name.to_owned())
    }

    /// Looks up a key of `obeys`, which names either a rule or a fault of a shared part.
    fn rule_or_fault(&mut self, name: &str, span: SourceSpan) -> RuleRef {
        if self.names.rules.get(name).is_none() && self.names.own_faults.get(name).is_some() {
            return RuleRef::Fault(name.to_owned());
        }
        RuleRef::Rule(self.rule_named(name, span))
    }

    /// Parses `rule: R` or `fault: name` in a mapping that also has other keys.
    pub(super) fn rule_beside(&mut self, keys: &mut Keys<'n>) -> Option<RuleRef> {
        let rule = keys.entry("rule");
        let fault = keys.entry("fault");
        if let (Some(rule), Some(fault)) = (rule, fault) {
            self.push(
                Diagnostic::error(
                    Code::ConflictingKeys,
                    fault.key_span,
                    "`fault` and `rule` cannot be combined",
                )
                .also(rule.key_span, "the rule is given here")
                .help(
                    "`fault` is for shared parts, which cannot name a rule; remove `fault` or \
                     `rule`",
                ),
            );
        }
        rule.map(|entry| self.rule(&entry.value))
            .or_else(|| fault.map(|entry| self.own_fault(&entry.value)))
    }

    /// Parses the rule under `key`.
    pub(super) fn rule_at(&mut self, keys: &mut Keys<'n>, key: &'static str) -> Option<RuleRef> {
        keys.take(key).map(|node| self.rule(node))
    }

    /// Parses the constraints in `valid`. `rule` is the rule of the field, which applies to
    /// constraints without a rule of their own.
    pub(super) fn constraints(
        &mut self,
        node: &'n Node,
        rule: Option<&RuleRef>,
    ) -> Vec<Constraint> {
        match &node.kind {
            NodeKind::Scalar(_) => {
                let kind = ConstraintKind::Equal(self.expression(node));
                vec![Constraint {
                    kind,
                    condition: None,
                    rule: rule.cloned(),
                    span: node.span,
                }]
            }
            NodeKind::Mapping(_) => self.constraint_entry(node, rule),
            NodeKind::Sequence(nodes) => {
                if let Some(bare) = nodes.iter().find(|node| node.as_mapping().is_none()) {
                    self.push(
                        Diagnostic::error(
                            Code::WrongShape,
                            bare.span,
                            "a list under `valid` is a list of constraints, not of values",
                        )
                        .help("write a list of allowed values as `valid: {any-of: […]}`"),
                    );
                    return Vec::new();
                }
                let entries = nodes.iter();
                entries
                    .flat_map(|node| self.constraint_entry(node, rule))
                    .collect()
            }
        }
    }

    /// Parses one constraint of the form `{eq, min, max, any-of, in-enum, expr, if, rule}`.
    pub(super) fn constraint_entry(
        &mut self,
        node: &'n Node,
        outer: Option<&RuleRef>,
    ) -> Vec<Constraint> {
        let Some(mut keys) = Keys::of(node, "a constraint", self) else {
            return Vec::new();
        };
        let condition = self.condition(&mut keys);
        let rule = self.rule_beside(&mut keys).or_else(|| outer.cloned());
        let mut kinds = Vec::new();
        if let Some(node) = keys.take("eq") {
            kinds.push((ConstraintKind::Equal(self.expression(node)), node.span));
        }
        if let Some(node) = keys.take("min") {
            kinds.push((ConstraintKind::Min(self.expression(node)), node.span));
        }
        if let Some(node) = keys.take("max") {
            kinds.push((ConstraintKind::Max(self.expression(node)), node.span));
        }
        if let Some(node) = keys.take("any-of") {
            let values = self.expressions(node);
            kinds.push((ConstraintKind::AnyOf(values), node.span));
        }
        if let Some(node) = keys.take("in-enum")
            && self.boolean(node) == Some(true)
        {
            kinds.push((ConstraintKind::InEnum, node.span));
        }
        if let Some(node) = keys.take("expr") {
            kinds.push((ConstraintKind::Predicate(self.expression(node)), node.span));
        }
        if kinds.is_empty() && !keys.has("in-enum") {
            let help = "expected one of `eq`, `min`, `max`, `any-of`, `in-enum`, `expr`";
            let message = "this constraint has no condition";
            self.push(Diagnostic::error(Code::MissingKey, keys.span(), message).help(help));
        }
        keys.finish(self);
        kinds
            .into_iter()
            .map(|(kind, span)| Constraint {
                kind,
                condition: condition.clone(),
                rule: rule.clone(),
                span,
            })
            .collect()
    }

    /// Parses the condition in `if`.
    pub(super) fn condition(&mut self, keys: &mut Keys<'n>) -> Option<Expr> {
        keys.take("if").map(|node| self.expression(node))
    }

    /// Parses a list of expressions.
    pub(super) fn expressions(&mut self, node: &Node) -> Vec<Expr> {
        let nodes = self.sequence(node, "expressions");
        nodes.iter().map(|node| self.expression(node)).collect()
    }

    /// Parses `value: EXPR` or `value: {if, then}` of a field.
    pub(super) fn computed(&mut self, node: &'n Node, rule: Option<&RuleRef>) -> Constraint {
        let (condition, value) = if node.as_mapping().is_some() {
            let mut condition = None;
            let mut value = poison(node.span);
            if let Some(mut keys) = Keys::of(node, "a value", self) {
                condition = keys.need("if", self).map(|node| self.expression(node));
                if let Some(node) = keys.need("then", self) {
                    value = self.expression(node);
                }
                keys.finish(self);
            }
            (condition, value)
        } else {
            (None, self.expression(node))
        };
        Constraint {
            kind: ConstraintKind::Equal(value),
            condition,
            rule: rule.cloned(),
            span: node.span,
        }
    }

    /// Parses `faults` and `renames`, which map faults to rules or to other faults.
    pub(super) fn faults(&mut self, keys: &mut Keys<'n>) -> FaultMap {
        let mut map = FaultMap::default();
        self.faults_into(keys, &mut map);
        map
    }

    /// Adds the entries of `faults` and `renames` to `map`, which may have entries from other
    /// parts.
    pub(super) fn faults_into(&mut self, keys: &mut Keys<'n>, map: &mut FaultMap) {
        for (key, renames) in [("faults", false), ("renames", true)] {
            let Some(node) = keys.take(key) else { continue };
            let Some(mut inner) = Keys::of(node, "a map of faults", self) else {
                continue;
            };
            for entry in inner.others() {
                let target = if renames {
                    self.own_fault(&entry.value)
                } else {
                    self.rule(&entry.value)
                };
                self.fault_entry(entry, target, map);
            }
        }
    }

    fn fault_entry(&mut self, entry: &Entry, target: RuleRef, map: &mut FaultMap) {
        let built_in = FaultKind::ALL.iter().find(|(_, name)| *name == entry.key);
        let earlier = match built_in {
            Some((kind, _)) => map.kinds.iter().find(|(k, ..)| k == kind).map(|e| e.2),
            None => map
                .own
                .iter()
                .find(|(name, ..)| *name == entry.key)
                .map(|e| e.2),
        };
        if let Some(first) = earlier {
            let message = format!("the fault `{}` is mapped to a rule twice", entry.key);
            self.push(
                Diagnostic::error(Code::DuplicateName, entry.key_span, message)
                    .also(first, "first mapped here"),
            );
            return;
        }
        if let Some((kind, _)) = built_in {
            map.kinds.push((*kind, target, entry.key_span));
            return;
        }
        if self.names.own_faults.get(&entry.key).is_none() {
            let own = self.names.own_faults.all();
            let built_in = FaultKind::ALL.iter().map(|(_, name)| *name);
            let known = built_in.chain(own.iter().map(String::as_str));
            let (key, span) = (&entry.key, entry.key_span);
            self.unknown(Code::UnknownFault, span, "fault", key, known);
            return;
        }
        map.own.push((entry.key.clone(), target, entry.key_span));
    }

    /// Parses `obeys`, which lists the rules that an element exercises: `R`, `[R, …]` or `{R:
    /// predicate, …}`.
    pub(super) fn obeys(&mut self, keys: &mut Keys<'n>) -> Vec<Obedience> {
        let Some(node) = keys.take("obeys") else {
            return Vec::new();
        };
        self.obedience(node)
    }

    fn obedience(&mut self, node: &'n Node) -> Vec<Obedience> {
        let shown = |rule, when, span| Obedience { rule, when, span };
        match &node.kind {
            NodeKind::Scalar(_) => vec![shown(self.rule(node), None, node.span)],
            NodeKind::Sequence(nodes) => {
                let nodes = nodes.iter();
                nodes.flat_map(|node| self.obedience(node)).collect()
            }
            NodeKind::Mapping(mapping) => {
                let entries = mapping.entries.iter();
                entries
                    .filter(|entry| !entry.key.starts_with('-'))
                    .map(|entry| {
                        if entry.key == "fault" {
                            return shown(self.own_fault(&entry.value), None, entry.value.span);
                        }
                        let rule = self.rule_or_fault(&entry.key, entry.key_span);
                        let when = Some(self.expression(&entry.value));
                        shown(rule, when, entry.key_span)
                    })
                    .collect()
            }
        }
    }
}
