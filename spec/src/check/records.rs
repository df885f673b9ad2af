//! Checks records: their members, and whether a trace can contain them. Also checks the `frees`
//! entries of rules, which list record members that are not compared in a trace that exercises the
//! rule.

use super::Checker;
use super::kind::Kind;
use super::site::{Seen, Site};
use super::visit::Visitor;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{Expr, ExprKind};
use crate::load::did_you_mean;
use crate::schema::{CodeLayout, Member, MemberValue, Record, Rule};

impl<'s> Checker<'s> {
    pub(super) fn records(&mut self) {
        let schema = self.schema;
        for record in &schema.records {
            for name in &record.order.also_by {
                self.member_exists(name, record);
            }
            for from in &record.from {
                let Some(described) = schema.types.get(from.index()) else {
                    continue;
                };
                if !self.reached[from.index()] && self.sound {
                    let message =
                        format!("no trace can contain a record of kind `{}`", record.name);
                    let diagnostic = Diagnostic::error(Code::UnreachedRecord, record.span, message)
                        .also(described.span, "no field has this type")
                        .help("use the type in a field that is reachable from the root");
                    self.push(diagnostic);
                }
            }
        }
        for rule in schema.rules.iter() {
            self.frees(rule);
        }
    }

    /// Checks the records that are created from this use of a type.
    pub(super) fn records_of_use(&mut self, used: super::uses::UseId) {
        let schema = self.schema;
        let type_id = self.uses.get(used).type_id;
        let site = Site::new(used, Seen::All);
        for record in schema.records.iter().filter(|r| r.from.contains(&type_id)) {
            self.condition(record.condition.as_ref(), &site);
            self.members(&record.members, &site);
            if let Some(ties) = &record.order.ties {
                self.infer(ties, &site);
            }
            self.obeys(&record.obeys, &site);
            self.freed_inside(record, &site);
        }
    }

    /// Checks, for all rules, the `frees` entries that name a field inside a member, such as
    /// `event.stack.name`. The value of the member must have the named field.
    fn freed_inside(&mut self, record: &Record, site: &Site) {
        for rule in self.schema.rules.iter() {
            for freed in &rule.frees {
                let path = freed.split('/').next().unwrap_or_default();
                let mut names = path.split('.');
                if names.next() != Some(&record.name) {
                    continue;
                }
                let Some(member) = names.next() else { continue };
                let shown = record.members.iter().find(|known| known.name == member);
                let Some(MemberValue::Expression(shown)) = shown.map(|shown| &shown.value) else {
                    continue;
                };
                let inside = names.fold(shown.clone(), |base, name| Expr {
                    span: rule.span,
                    kind: ExprKind::Member {
                        base: Box::new(base),
                        name: name.to_owned(),
                    },
                });
                self.infer(&inside, site);
            }
        }
    }

    fn members(&mut self, members: &'s [Member], site: &Site) {
        for member in members {
            match &member.value {
                MemberValue::Expression(expr) => {
                    let value = self.infer(expr, site);
                    self.shown_as_member(expr, &value.kind);
                }
                MemberValue::Object(inner) => self.members(inner, site),
            }
        }
    }

    /// Checks that a record can contain a value. A row as a whole has no form in a record.
    fn shown_as_member(&mut self, expr: &Expr, kind: &Kind) {
        let help = match kind {
            Kind::Row(_) => "name a field of the row, as in `table.get(key).field`",
            Kind::Table(_) => "name a field of one of its rows, as in `table.get(key).field`",
            Kind::Stream => "use `_io.pos`, `_io.size` or `_io.eof`",
            Kind::State => "name a register, as in `state.register`",
            _ => return,
        };
        let message = format!("a record cannot contain {}", self.describe(kind));
        self.push(Diagnostic::error(Code::WrongOperand, expr.span, message).help(help));
    }

    fn member_exists(&mut self, name: &str, record: &Record) {
        let known = || record.members.iter().map(|member| member.name.as_str());
        if known().any(|known| known == name) {
            return;
        }
        let message = format!(
            "the record `{}` has no member `{name}` to sort by",
            record.name
        );
        let help = did_you_mean(name, known());
        self.push(Diagnostic::error(Code::UnknownName, record.span, message).maybe_help(help));
    }

    /// Checks that the record, the member and the type code in an entry of `frees`, such as
    /// `event.fields/Code`, exist.
    fn frees(&mut self, rule: &Rule) {
        let schema = self.schema;
        for freed in &rule.frees {
            let (path, code) = match freed.split_once('/') {
                Some((path, code)) => (path, Some(code)),
                None => (freed.as_str(), None),
            };
            let (record, member) = match path.split_once('.') {
                Some((record, member)) => (record, Some(member)),
                None => (path, None),
            };
            let Some(found) = schema.records.iter().find(|r| r.name == record) else {
                let known = schema.records.iter().map(|r| r.name.as_str());
                self.no_freed("kind of record", record, known, rule);
                continue;
            };
            let names = found.members.iter().map(|member| member.name.as_str());
            // Fields inside the member are checked for each use of the record's type.
            let member = member.map(|member| member.split('.').next().unwrap_or(member));
            if let Some(member) = member
                && !names.clone().any(|name| name == member)
            {
                self.no_freed("member", member, names, rule);
            }
            if let Some(code) = code {
                self.freed_code(code, rule);
            }
        }
    }

    fn freed_code(&mut self, code: &str, rule: &Rule) {
        let codes = self.schema.layouts.iter().flat_map(|layout| &layout.codes);
        let mut names = codes.clone().map(|known| known.name.as_str());
        if names.any(|name| name == code) {
            return;
        }
        let names: Vec<&str> = codes
            .filter(|code| !matches!(code.layout, CodeLayout::Fields(_)))
            .map(|known| known.name.as_str())
            .collect();
        self.no_freed("type code", code, names.into_iter(), rule);
    }

    fn no_freed<'a>(
        &mut self,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
        rule: &Rule,
    ) {
        let message = format!(
            "the rule `{}` lists the {what} `{name}`, which does not exist",
            rule.id
        );
        let help = did_you_mean(name, known);
        self.push(Diagnostic::error(Code::UnknownName, rule.span, message).maybe_help(help));
    }
}

/// Visits the expressions of a record.
pub(super) fn expressions<'s>(record: &'s Record, visit: Visitor<'_, 's>) {
    let single = record.condition.iter().chain(&record.order.ties);
    single.for_each(&mut *visit);
    record
        .obeys
        .iter()
        .flat_map(|o| &o.when)
        .for_each(&mut *visit);
    members(&record.members, visit);
}

fn members<'s>(all: &'s [Member], visit: Visitor<'_, 's>) {
    for member in all {
        match &member.value {
            MemberValue::Expression(expr) => visit_one(expr, visit),
            MemberValue::Object(inner) => members(inner, visit),
        }
    }
}

fn visit_one<'s>(expr: &'s Expr, visit: Visitor<'_, 's>) {
    visit(expr);
}
