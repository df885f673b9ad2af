//! Renders the page that lists the keys of the description language.

use super::markdown::Page;
use crate::load::Vocabulary;

/// Returns a page with the keys that each kind of mapping accepts.
pub fn keys(vocabulary: &Vocabulary) -> String {
    let mut page = Page::default();
    page.heading(1, "Keys of the description language");
    page.paragraph(
        "What loading the bundled descriptions asks each kind of mapping for. What the keys mean \
         is said by [the table of keys](../language.md) and the [pages on the \
         language](../language/). A key that is not known is an error with a suggestion.",
    );
    let rows = vocabulary.kinds().map(|(what, keys)| {
        let keys: Vec<String> = keys.map(|key| format!("`{key}`")).collect();
        vec![what.to_owned(), keys.join(" ")]
    });
    page.table(&["mapping", "keys"], rows.collect());
    page.finish()
}
