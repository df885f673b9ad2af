//! Texts that are kept once, and do nothing to who reads them.

use std::collections::HashMap;

use super::data::Text;
use crate::text::{shortened, visible_lines};

/// Characters that are kept of one text.
const MOST: usize = 4000;

/// The texts of a page.
#[derive(Default)]
pub(super) struct Texts {
    known: HashMap<String, Text>,
    list: Vec<String>,
    bytes: usize,
}

impl Texts {
    /// The place of `text`.
    pub(super) fn add(&mut self, text: &str) -> Text {
        let text = visible_lines(&shortened(text, MOST)).into_owned();
        if let Some(known) = self.known.get(&text) {
            return *known;
        }
        let place = self.list.len();
        self.bytes += text.len() + 4;
        self.known.insert(text.clone(), place);
        self.list.push(text);
        place
    }

    /// The place of the text, where there is one.
    pub(super) fn maybe(&mut self, text: Option<&str>) -> Option<Text> {
        text.map(|text| self.add(text))
    }

    /// The room that the texts take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn into_list(self) -> Vec<String> {
        self.list
    }
}
