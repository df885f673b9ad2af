//! Renders the reference page of the exit statuses.

use tracegauge_spec::page::Page;

use crate::Exit;

/// Returns the page with the meaning of each exit status.
pub(super) fn page() -> String {
    let mut page = Page::default();
    page.heading(1, "Exit statuses");
    page.paragraph(
        "Every command exits with one of these statuses. Scripts may rely on these statuses, which \
         do not change. For example, `tracegauge decode trace.bin` exits with status 0 if the \
         trace is accepted, and with status 1 if the trace is rejected.",
    );
    let rows = Exit::ALL
        .iter()
        .map(|exit| vec![exit.status().to_string(), exit.meaning().to_owned()]);
    page.table(&["status", "meaning"], rows.collect());
    page.paragraph(
        "What counts as a finding depends on the command: see [commands](commands.md). For the exit \
         statuses of *readers*, see [the protocol](../reader-protocol.md).",
    );
    page.finish()
}
