//! Checks switches: their labels, and whether every value has a case.

use hashbrown::HashMap;

use super::Checker;
use super::expect::fits;
use super::fold::{self, Constant};
use super::kind::Kind;
use super::site::{Seen, Site};
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::schema::{EnumId, SwitchCase};
use tracegauge_plan::source::SourceSpan;

impl<'s> Checker<'s> {
    pub(super) fn switch(
        &mut self,
        on: &'s Expr,
        cases: &'s [SwitchCase],
        has_rule: bool,
        span: SourceSpan,
        site: &Site,
    ) {
        let value = self.infer(on, site);
        let on_kind = self.plain(value).kind;
        let free = Site::new(site.used, Seen::Free);
        let mut seen: HashMap<String, SourceSpan> = HashMap::new();
        let mut labels = Vec::new();
        let mut rest: Option<SourceSpan> = None;
        for case in cases {
            self.condition(case.condition.as_ref(), &free);
            let Some(label) = &case.label else {
                if let Some(first) = rest {
                    self.twice("_", case.span, first);
                }
                rest = Some(case.span);
                continue;
            };
            if let Some(rest) = rest.filter(|_| self.described) {
                self.after_the_rest(case.span, rest);
            }
            let found = self.label(label, &on_kind, site);
            let constant = fold::constant(label, self.schema, None);
            // Conditional cases may share a label, because only one dialect applies at a time.
            let text = constant_text(&constant, label);
            if case.condition.is_none()
                && let Some(first) = seen.insert(text, case.span)
            {
                self.twice(&label.to_string(), case.span, first);
            }
            labels.push((found, constant));
        }
        if rest.is_none() && !has_rule && self.described {
            self.uncovered(&on_kind, &labels, on, span);
        }
    }

    fn label(&mut self, label: &'s Expr, on: &Kind, site: &Site) -> Kind {
        let inner = Site::new(site.used, site.seen);
        let kind = self.infer(label, &inner).kind;
        if !fits(on, &kind) {
            self.wrong_label(label, on, &kind);
            return Kind::Unknown;
        }
        let possible = match on {
            Kind::Int(range) | Kind::Flags(_, range) => Some(*range),
            _ => None,
        };
        if let (Some(range), Some(value)) = (possible, fold::integer(label, self.schema, None))
            && !range.holds(value)
        {
            let message = format!("this case is never taken: the value is never `{label}`");
            self.push(Diagnostic::warning(
                Code::UnreachableArm,
                label.span,
                message,
            ));
        }
        kind
    }

    fn wrong_label(&mut self, label: &Expr, on: &Kind, kind: &Kind) {
        let (wanted, found) = (self.describe(on), self.describe(kind));
        let message = format!("this case is never taken: {wanted} is never equal to {found}");
        let help = match on {
            Kind::Enum(id, _) => self.member_of_value(*id, label),
            _ => None,
        };
        self.push(Diagnostic::error(Code::WrongLabel, label.span, message).maybe_help(help));
    }

    /// Suggests the enumeration member that a numeric label probably stands for.
    fn member_of_value(&self, id: EnumId, label: &Expr) -> Option<String> {
        let described = self.schema.enums.get(id.index())?;
        let named = |name: &str| format!("did you mean `{}::{name}`?", described.name);
        match &label.kind {
            ExprKind::Int(value) => {
                let mut members = described.members.iter();
                let member = members.find(|member| member.value == *value)?;
                Some(named(&member.name))
            }
            ExprKind::EnumMember { member, .. } => {
                let known = described.members.iter().map(|m| m.name.as_str());
                crate::load::closest(member, known).map(named)
            }
            _ => None,
        }
    }

    fn twice(&mut self, label: &str, span: SourceSpan, first: SourceSpan) {
        let message = format!("duplicate case `{label}`");
        let diagnostic = Diagnostic::error(Code::DuplicateLabel, span, message);
        self.push(diagnostic.also(first, "this case is taken instead"));
    }

    fn after_the_rest(&mut self, span: SourceSpan, rest: SourceSpan) {
        let message = "this case comes after the default case";
        self.push(
            Diagnostic::warning(Code::UnreachableArm, span, message)
                .also(rest, "`_` matches everything that no earlier case matches")
                .help("move `_` to the end"),
        );
    }

    /// Reports values without a case if the switch has neither a default case (`_`) nor a rule for
    /// these values.
    fn uncovered(
        &mut self,
        on: &Kind,
        labels: &[(Kind, Option<Constant>)],
        expr: &Expr,
        span: SourceSpan,
    ) {
        let has = |wanted: &Constant| {
            labels.iter().any(|(kind, constant)| {
                matches!(kind, Kind::Unknown) || constant.as_ref() == Some(wanted)
            })
        };
        let missing = match on {
            Kind::Unknown | Kind::Described => return,
            Kind::Bool => [true, false]
                .into_iter()
                .find(|value| !has(&Constant::Bool(*value)))
                .map(|value| value.to_string()),
            Kind::Enum(id, _) => {
                let members = self
                    .schema
                    .enums
                    .get(id.index())
                    .map(|e| e.members.as_slice());
                let mut members = members.unwrap_or_default().iter();
                members
                    .find(|member| !has(&Constant::Int(member.value)))
                    .map(|member| member.name.clone())
            }
            Kind::Int(range) | Kind::Flags(_, range) => {
                let values = range.values(labels.len());
                let is_complete =
                    values.is_some_and(|mut values| values.all(|value| has(&Constant::Int(value))));
                (!is_complete).then(|| "any other number".to_owned())
            }
            _ => Some("any other value".to_owned()),
        };
        let Some(missing) = missing else { return };
        let message = format!("no case defines what to read if `{expr}` is {missing}");
        let help = "add a case, or `_` for all other values, or the `rule` that other values \
            violate";
        self.push(Diagnostic::warning(Code::MissingArm, span, message).help(help));
    }
}

fn constant_text(constant: &Option<Constant>, label: &Expr) -> String {
    match constant {
        Some(Constant::Int(value)) => value.to_string(),
        Some(Constant::Bool(value)) => value.to_string(),
        Some(Constant::Text(text)) => format!("'{text}'"),
        None => format!("={label}"),
    }
}
