//! Runs programs for the values of words, whose bits say which fields are present.

use std::rc::Rc;

use tracegauge_plan::routine::Routine;
use tracegauge_plan::{Step, WordId, specialize};

use super::Named;
use crate::input::Input;
use crate::machine::Machine;
use crate::visitor::Visitor;

/// The programs for the values of a word of one byte.
#[derive(Debug, Default)]
pub(crate) struct WordPrograms {
    /// Whether the values that the previous element had have passed their tests, and nothing that
    /// these tests depend on has changed since.
    settled: bool,
    /// The programs for unsettled and settled values, by the value of the word.
    programs: [Vec<WordProgram>; 2],
}

/// The program for a value of a word. It is built when the value occurs for the second time, because
/// many traces are short.
#[derive(Clone, Debug, Default)]
enum WordProgram {
    /// The value has not occurred.
    #[default]
    New,
    /// The value has occurred once.
    Seen,
    /// The program.
    Built(Rc<Routine>),
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Runs the program that replaces `covered` for a word, given by its position and value.
    #[inline(always)]
    pub(super) fn by_word<const SHOWN: bool>(
        &mut self,
        id: WordId,
        covered: &[Step],
        word: (u64, u64),
        named: Named<'_>,
    ) -> Option<()> {
        let known = &mut self.words[id];
        let settled = std::mem::replace(&mut known.settled, false);
        let index = usize::try_from(word.1).ok()?;
        let program = match known.programs[usize::from(settled)].get(index) {
            Some(WordProgram::Built(program)) => Some(Rc::clone(program)),
            _ => self.new_program(id, covered, index, settled),
        };
        let tolerated = self.tolerated;
        match program {
            Some(program) => self.routine::<SHOWN>(&program, named, word)?,
            None => self.steps_after::<SHOWN>(covered, named, word)?,
        }
        self.words[id].settled = tolerated == self.tolerated;
        Some(())
    }

    /// Builds the program for a word, unless the word occurs for the first time.
    #[cold]
    fn new_program(
        &mut self,
        id: WordId,
        covered: &[Step],
        word: usize,
        settled: bool,
    ) -> Option<Rc<Routine>> {
        let plan = self.plan;
        let programs = &mut self.words[id].programs[usize::from(settled)];
        if programs.len() <= word {
            programs.resize(word + 1, WordProgram::New);
        }
        let known = &mut programs[word];
        if matches!(known, WordProgram::New) {
            *known = WordProgram::Seen;
            return None;
        }
        let word = word as u64;
        let steps = specialize(plan, covered, word, settled);
        let program = Rc::new(Routine::new(plan, steps, Some(word)));
        *known = WordProgram::Built(Rc::clone(&program));
        Some(program)
    }

    /// Declares that the values of the previous element must be tested again.
    #[inline]
    pub(in crate::machine) fn unsettle(&mut self) {
        for word in &mut self.words {
            word.settled = false;
        }
    }
}
