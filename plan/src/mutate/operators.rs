//! All mutation operators. The file of each operator has its description.

use super::{
    Mutant, carry, check, expression, fault, layout, meaning, number, part, repeat, state, switch,
    text,
};
use crate::mutate::words::Operator;

/// The operators that change one part of a plan, such as its lists.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The part, in the plural: "Lists".
    pub title: &'static str,
    /// The operators, by the file that defines them. Those for certain details precede the one for
    /// all other details.
    pub operators: &'static [&'static [Operator]],
}

/// All mutation operators. The operators that mutate rules are listed separately.
pub const OPERATORS: &[Group] = &[
    Group {
        title: "Numbers",
        operators: &[number::OPERATORS, carry::OPERATORS],
    },
    Group {
        title: "Strings and bytes",
        operators: &[text::OPERATORS],
    },
    Group {
        title: "Parts and conditions",
        operators: &[part::OPERATORS],
    },
    Group {
        title: "Checks",
        operators: &[fault::OPERATORS, check::OPERATORS],
    },
    Group {
        title: "Switches",
        operators: &[switch::OPERATORS],
    },
    Group {
        title: "Lists",
        operators: &[repeat::OPERATORS],
    },
    Group {
        title: "Tables and registers",
        operators: &[state::OPERATORS],
    },
    Group {
        title: "Type codes and field descriptions",
        operators: &[layout::OPERATORS],
    },
    Group {
        title: "Enumerations and records",
        operators: &[meaning::OPERATORS],
    },
    Group {
        title: "JSON",
        operators: &[meaning::JSON],
    },
    Group {
        title: "Expressions",
        operators: &[expression::OPERATORS],
    },
];

impl Mutant {
    /// Describes the behavior of a reader with this bug, as [`Self::in_words`] does, but without
    /// saying which part of an expression the mutant changes, which only distinguishes mutants.
    pub fn in_plain_words(&self) -> String {
        let mut of_expressions = expression::OPERATORS.iter();
        match of_expressions.find(|it| it.name == self.operator) {
            Some(operator) => operator.words.replace(" ({})", ""),
            None => self.in_words(),
        }
    }

    /// Describes the behavior of a reader with this bug, as a clause that follows "a reader that".
    pub fn in_words(&self) -> String {
        let is_this = |it: &&Operator| {
            it.name == self.operator && it.detail.is_none_or(|detail| detail == self.detail)
        };
        let groups = OPERATORS.iter().flat_map(|group| group.operators);
        let mut operators = groups.copied().flatten();
        let text = operators.find(is_this).map_or(self.operator, |it| it.words);
        let text = match self.detail.as_str() {
            "" => text.replace(" ({})", ""),
            _ => text.to_owned(),
        };
        text.replace("{}", &self.detail)
    }
}
