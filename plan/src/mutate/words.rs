//! The description of a mutation operator in words.

/// A mutation operator, and the bug that it plants.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The first part of a mutant's name, such as `size-one-more`.
    pub name: &'static str,
    /// The detail of the mutants that the description applies to, or `None` for all others.
    pub detail: Option<&'static str>,
    /// The behavior of a reader with this bug, as a clause that follows "a reader that". `{}`
    /// stands for the detail of a mutant.
    pub words: &'static str,
}

/// Lists operators: the name, the detail if the description applies only to mutants with this detail,
/// and the description.
macro_rules! operators {
    ($($name:literal $(/ $detail:literal)? => $words:literal,)*) => {
        [$(Operator { name: $name, detail: $crate::mutate::words::operators!(@ $($detail)?), words: $words },)*]
    };
    (@ $detail:literal) => { Some($detail) };
    (@) => { None };
}
pub(super) use operators;
