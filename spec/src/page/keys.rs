//! Renders the page that lists the keys of the description language.

use super::markdown::Page;
use crate::load::Vocabulary;

/// Returns a page with the keys that each kind of mapping accepts.
pub fn keys(vocabulary: &Vocabulary) -> String {
    let mut page = Page::default();
    page.heading(1, "Keys of the description language");
    page.paragraph(
        "This page lists the keys that each kind of mapping in a description may have. For example, \
         the row `align` lists the keys of the mapping under the key `align`. The list was \
         collected while the bundled descriptions were loaded. [The table of keys](../language.md) \
         and the [pages about the language](../language/) explain the keys. An unknown key is \
         reported as an error, with a similar key as a suggestion.",
    );
    let rows = vocabulary.kinds().map(|(what, keys)| {
        let keys: Vec<String> = keys.map(|key| format!("`{key}`")).collect();
        vec![what.to_owned(), keys.join(" ")]
    });
    page.table(&["mapping", "keys"], rows.collect());
    page.finish()
}
