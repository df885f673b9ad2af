//! Reports rules that no element enforces or exercises, and unused declarations.

use std::path::Path;

use super::Checker;
use super::faults::Marks;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{ReaderDuty, Rule, RuleId, TypeId};
use tracegauge_plan::source::{SourceId, SourceSpan};

impl<'s> Checker<'s> {
    pub(super) fn rules(&mut self, marks: &Marks) {
        if !self.sound || self.uses.too_many {
            return;
        }
        for (index, rule) in self.schema.rules.iter().enumerate() {
            let place = marks.enforced[index].or(marks.shown[index]);
            // A value that is read in the opposite byte order is reported under this rule.
            if place.is_none() && self.schema.meta.endian_rule == Some(RuleId::from(index)) {
                continue;
            }
            let never = rule
                .reader
                .iter()
                .all(|(_, duty)| *duty == ReaderDuty::None);
            match place {
                Some(place) if never && !rule.reader.is_empty() => self.contradicted(rule, place),
                None if !never => self.unenforced(rule),
                _ => {}
            }
        }
    }

    fn contradicted(&mut self, rule: &Rule, place: SourceSpan) {
        let message = format!(
            "the rule `{}` is declared `reader: none`, but files can violate it",
            rule.id
        );
        let diagnostic = Diagnostic::error(Code::RuleContradicted, rule.span, message)
            .also(place, "here")
            .help("state how readers must respond: `reject`, `accept` or `either`");
        self.push(diagnostic);
    }

    fn unenforced(&mut self, rule: &Rule) {
        let message = format!("the rule `{}` is never used", rule.id);
        let help = "reference the rule where it can be violated (`rule`, `faults`) or exercised \
                    (`obeys`, `ignore`); if no file can exercise it, write `reader: none` with \
                    `because`";
        let diagnostic = Diagnostic::warning(Code::RuleUnused, rule.span, message);
        self.push(diagnostic.help(help));
    }

    /// Reports unused types, and types that a shared part requires but the format does not define.
    pub(super) fn unused(&mut self) {
        let schema = self.schema;
        // A type that contains used types is needed as a namespace.
        let mut holds = vec![false; schema.types.len()];
        for (described, reached) in schema.types.iter().zip(&self.reached) {
            if let Some(holder) = described.nested_in.filter(|_| *reached)
                && let Some(holds) = holds.get_mut(holder.index())
            {
                *holds = true;
            }
        }
        for (index, described) in schema.types.iter().enumerate() {
            let id = TypeId::from(index);
            let needed = self.reached[index] || holds[index];
            if self.names.is_open(id) {
                self.open_name(id);
            } else if !needed && self.described && self.sound && self.is_own(described.span.source)
            {
                let message = format!("the type `{}` is never used", described.name);
                let diagnostic = Diagnostic::warning(Code::UnusedType, described.span, message)
                    .help("remove the type, or use it in a field that is reachable from the root");
                self.push(diagnostic);
            }
        }
    }

    fn open_name(&mut self, id: TypeId) {
        let described = &self.schema.types[id.index()];
        if !self.reached[id.index()] || self.names.incomplete() {
            return;
        }
        let message = format!("the format does not define the type `{}`", described.name);
        let help = format!(
            "define the type in the format: `types: {{ {}: … }}`",
            described.name
        );
        let diagnostic = Diagnostic::error(Code::OpenName, described.span, message)
            .label("a shared part requires the format to define this type");
        self.push(diagnostic.help(help));
    }

    /// Returns `true` if the file belongs only to this format and is not shared with other formats.
    fn is_own(&self, source: SourceId) -> bool {
        let folder = |id: SourceId| {
            let file = self.schema.sources.file(id)?;
            Some(Path::new(&file.name).parent().unwrap_or(Path::new("")))
        };
        match (folder(SourceId(0)), folder(source)) {
            (Some(format), Some(part)) => part.starts_with(format),
            _ => false,
        }
    }
}
