//! Parses the syntax of field descriptions that a trace contains as text.

use super::context::Context;
use super::keys::Keys;
use crate::schema::LayoutText;
use crate::yaml::Node;

impl<'n> Context<'n> {
    /// Parses the `text` key of a layout set.
    pub(super) fn layout_text(&mut self, node: &'n Node) -> Option<LayoutText> {
        let mut keys = Keys::of(node, "`text`", self)?;
        let item = keys.need("item", self);
        let item = item.and_then(|node| self.text(node, "a template for field descriptions"));
        let between = keys.need("between", self);
        let between = between.and_then(|node| self.text(node, "the separator of items"));
        let mut text = LayoutText {
            item: item.unwrap_or_default().to_owned(),
            between: between.unwrap_or_default().to_owned(),
            blanks_any: false,
            blank_after_between: false,
            blanks_rule: None,
            code_characters: None,
            name_characters: None,
            name_missing: None,
            name_constraints: Vec::new(),
            rest: self.rule_at(&mut keys, "rest"),
            unique_name: None,
        };
        if let Some(node) = keys.take("blanks") {
            self.blanks(node, &mut text);
        }
        if let Some(mut code) = keys
            .take("code")
            .and_then(|node| Keys::of(node, "`code`", self))
        {
            text.code_characters = code.take("chars").and_then(|node| self.prose(node));
            code.finish(self);
        }
        if let Some(node) = keys.take("name") {
            self.text_name(node, &mut text);
        }
        if let Some(node) = keys.take("unique") {
            let unique = self.unique(node);
            text.unique_name = unique.into_iter().find_map(|unique| unique.rule);
        }
        keys.finish(self);
        Some(text)
    }

    fn blanks(&mut self, node: &'n Node, text: &mut LayoutText) {
        let Some(mut keys) = Keys::of(node, "`blanks`", self) else {
            return;
        };
        let may = keys.take("may");
        let may = may.and_then(|node| self.word(node, &[("any", true), ("none", false)]));
        text.blanks_any = may.unwrap_or(false);
        let written = [("after-between", true), ("none", false)];
        let write = keys.take("write");
        let write = write.and_then(|node| self.word(node, &written));
        text.blank_after_between = write.unwrap_or(false);
        text.blanks_rule = self.rule_at(&mut keys, "rule");
        keys.finish(self);
    }

    fn text_name(&mut self, node: &'n Node, text: &mut LayoutText) {
        let Some(mut keys) = Keys::of(node, "`name`", self) else {
            return;
        };
        text.name_characters = keys.take("chars").and_then(|node| self.prose(node));
        if let Some(mut faults) = keys
            .take("faults")
            .and_then(|node| Keys::of(node, "`faults`", self))
        {
            text.name_missing = self.rule_at(&mut faults, "missing");
            faults.finish(self);
        }
        if let Some(node) = keys.take("valid") {
            text.name_constraints = self.constraints(node, None);
        }
        keys.finish(self);
    }
}
