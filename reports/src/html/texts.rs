//! Stores the strings of a page, deduplicated and safe to display.

use std::collections::HashMap;

use tracegauge_results::text::{shortened, visible_lines};

use super::data::Text;

/// The maximum number of characters in a string. Longer strings are truncated.
const MOST: usize = 4000;

/// The strings of a page, each stored only once.
#[derive(Default)]
pub(super) struct Texts {
    known: HashMap<String, Text>,
    list: Vec<String>,
    bytes: usize,
}

impl Texts {
    /// Adds `text` if it is new, and returns its index.
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

    /// Adds `text` if it is not `None`, and returns its index.
    pub(super) fn maybe(&mut self, text: Option<&str>) -> Option<Text> {
        text.map(|text| self.add(text))
    }

    /// Returns the approximate size of the strings in the page, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn into_list(self) -> Vec<String> {
        self.list
    }
}
