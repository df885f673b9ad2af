//! The page of exit statuses.

use tracegauge_spec::page::Page;

use crate::commands::Exit;

/// What each exit status means.
pub(super) fn page() -> String {
    let mut page = Page::default();
    page.heading(1, "Exit statuses");
    page.paragraph(
        "All commands end with one of these. They are an interface for scripts, and do not \
         change.",
    );
    let rows = Exit::ALL
        .iter()
        .map(|exit| vec![exit.status().to_string(), exit.meaning().to_owned()]);
    page.table(&["status", "means"], rows.collect());
    page.paragraph(
        "What a finding is, each command says of itself ([commands](commands.md)). What a \
         *reader's* exit status means is told by [the protocol](../reader-protocol.md).",
    );
    page.finish()
}
