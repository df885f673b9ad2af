//! Renders the reference page of the mutation operators.

use tracegauge_plan::mutate::operators::OPERATORS;
use tracegauge_plan::mutate::words::Operator;
use tracegauge_spec::page::Page;

/// Returns the page with the bug that each mutation operator plants.
pub(super) fn page() -> String {
    let mut page = Page::default();
    page.heading(1, "Mutation operators");
    page.paragraph(
        "A mutation operator makes a change to a correct decoder, which then has a bug. The [mutation \
         score](../mutation-score.md) shows how many of these bugs the corpus detects. For example, \
         the operator `size-one-more` produces readers that read one byte too many. `…` stands for \
         the detail at the end of a mutant's name.",
    );
    for group in OPERATORS {
        page.heading(2, group.title);
        let operators = group.operators.iter().copied().flatten();
        let rows = operators.map(|it| vec![name(it), words(it)]);
        page.table(&["operator", "a reader that"], rows.collect());
    }
    page.finish()
}

fn name(operator: &Operator) -> String {
    match operator.detail {
        None | Some("") => format!("`{}`", operator.name),
        Some(detail) => format!("`{}/{detail}`", operator.name),
    }
}

fn words(operator: &Operator) -> String {
    operator.words.replace(" ({})", "").replace("{}", "…")
}
