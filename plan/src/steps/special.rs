//! Programs for one value of a word.
//!
//! The bits of a word often say which of the fields that follow are present. For a given word, these
//! conditions are known, so a program for this word contains neither the conditions nor the absent
//! fields. The decoder builds such programs as it encounters words.

use super::fuse::Fuser;
use super::{Leaf, Step, Tests, When};
use crate::arena::id;
use crate::{Plan, Slot};

id!(/** A word for whose values there can be programs. */ WordId);

/// The minimum number of conditions on a word for which programs are worthwhile.
const WORTHWHILE: usize = 3;

impl Fuser<'_> {
    /// Marks the words whose bits decide about several fields.
    pub(super) fn mark_words(&mut self, steps: &mut Vec<Step>) {
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            at += 1;
            if matches!(step, Step::Word(integer) if integer.width == 1)
                && conditions(&steps[at..]) >= WORTHWHILE
                && outside_counts(steps, at)
            {
                let word = WordId(self.words);
                self.words += 1;
                let count = u32::try_from(steps.len() - at).unwrap_or(u32::MAX);
                steps.insert(at, Step::ByWord(word, count));
                at += 1;
            }
        }
    }
}

/// Returns the number of conditions on the last word.
fn conditions(steps: &[Step]) -> usize {
    let same_word = steps
        .iter()
        .take_while(|step| !matches!(step, Step::Word(_)));
    let on_bits = same_word.filter(|step| {
        matches!(
            step,
            Step::Over(When::Bit(_), _) | Step::If(When::Bit(_), ..)
        )
    });
    on_bits.count()
}

/// Returns whether no step counts the step at an index among the steps inside it.
fn outside_counts(steps: &[Step], at: usize) -> bool {
    steps.iter().enumerate().all(|(number, step)| {
        let inside = match step {
            Step::If(_, _, count)
            | Step::Span(_, _, count)
            | Step::Each(_, _, _, count)
            | Step::Pairs(count) => *count as usize,
            Step::Over(..) => 1,
            _ => 0,
        };
        number >= at || number + inside < at
    })
}

/// Returns the program that replaces `steps` if the last word has a given value. If `settled` is
/// set, the values that the previous element had are known to pass their tests.
pub fn specialize(plan: &Plan, steps: &[Step], word: u64, settled: bool) -> Vec<Step> {
    let mut out = Vec::new();
    let special = Special {
        plan,
        word,
        settled,
    };
    special.add(steps, &mut out);
    out
}

struct Special<'p> {
    plan: &'p Plan,
    word: u64,
    settled: bool,
}

impl Special<'_> {
    fn add(&self, steps: &[Step], out: &mut Vec<Step>) {
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            at += 1;
            match step {
                Step::Bits(shift, width, leaf) if self.is_decided(*shift, *width, leaf) => {}
                Step::Over(When::Bit(bit), leaf) => {
                    if self.word >> bit & 1 == 0 {
                        at += 1;
                        if !self.is_settled(leaf) {
                            out.push(Step::Carried(*leaf));
                        }
                    }
                }
                Step::If(When::Bit(bit), slot, count) => {
                    if self.word >> bit & 1 == 0 {
                        at += *count as usize;
                        if *slot != Slot::NONE {
                            out.push(Step::Clear(*slot));
                        }
                    }
                }
                Step::If(When::Holds(_), _, count)
                | Step::Span(_, _, count)
                | Step::Each(_, _, _, count)
                | Step::Pairs(count) => {
                    let inside = steps.get(at..at + *count as usize).unwrap_or_default();
                    at += *count as usize;
                    self.enclosed(*step, inside, out);
                }
                // The steps after another word depend on that word.
                Step::Word(_) => {
                    out.extend(&steps[at - 1..]);
                    return;
                }
                Step::Over(When::Holds(_), _) => {
                    out.extend(steps.get(at - 1..=at).unwrap_or_default());
                    at += 1;
                }
                other => out.push(*other),
            }
        }
    }

    /// Adds a step with the steps inside it.
    fn enclosed(&self, step: Step, inside: &[Step], out: &mut Vec<Step>) {
        let mut body = Vec::new();
        self.add(inside, &mut body);
        let count = u32::try_from(body.len()).unwrap_or(u32::MAX);
        out.push(match step {
            Step::If(when, slot, _) => Step::If(when, slot, count),
            Step::Span(first, last, _) => Step::Span(first, last, count),
            Step::Each(counted, none, list, _) => Step::Each(counted, none, list, count),
            Step::Pairs(_) => Step::Pairs(count),
            other => other,
        });
        out.extend(body);
    }

    /// Returns whether a bit field has no effect except that it passes its tests.
    fn is_decided(&self, shift: u8, width: u8, leaf: &Leaf) -> bool {
        let bits = self.word >> shift & (u64::MAX >> (64 - u32::from(width)));
        let passes = match leaf.tests {
            Tests::None => true,
            Tests::Among(known) => bits < 32 && known >> bits & 1 != 0,
            _ => false,
        };
        let silent = Leaf {
            tests: Tests::None,
            ..*leaf
        };
        passes && silent.is_idle()
    }

    /// Returns whether nothing has to be done for an omitted field.
    fn is_settled(&self, leaf: &Leaf) -> bool {
        let stays = |carry| {
            let sum = &self.plan.sums[carry];
            sum.then.is_none() && sum.is_stable
        };
        self.settled && leaf.carry.is_some_and(stays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CodeId;
    use crate::formula::{Formula, NumberId};
    use crate::terms::{Endian, VariableKind};
    use crate::{CarryId, Integer, OpId, Show, Sum};

    const BYTE: Integer = Integer {
        width: 1,
        signed: false,
        endian: Endian::Little,
        word: 0,
    };

    fn leaf(slot: u32, carry: Option<CarryId>) -> Leaf {
        Leaf {
            op: OpId(0),
            slot: Slot(slot),
            tests: Tests::None,
            carry,
            show: Show::Mute,
        }
    }

    /// A field that is carried over if bit 0 is clear, and an optional field with bit 1.
    fn steps() -> Vec<Step> {
        let carried = leaf(0, Some(CarryId(0)));
        let read = Step::Variable(VariableKind::Unsigned, 32, carried);
        vec![
            Step::Over(When::Bit(0), carried),
            read,
            Step::If(When::Bit(1), Slot(1), 1),
            Step::Integer(BYTE, leaf(1, None)),
            Step::Skip(4),
        ]
    }

    fn plan(then: Option<Formula>) -> Plan {
        let sum = Sum {
            base: NumberId(0),
            then,
            mask: None,
            greatest: u64::MAX,
            moves: None,
            is_stable: true,
        };
        Plan {
            sums: [sum].into_iter().collect(),
            ..Plan::default()
        }
    }

    #[test]
    fn a_program_for_a_word_has_neither_conditions_nor_absent_fields() {
        let (plan, steps) = (plan(None), steps());
        let everything = specialize(&plan, &steps, 3, false);
        assert_eq!(everything, [steps[1], steps[3], steps[4]]);
        let nothing = specialize(&plan, &steps, 0, true);
        assert_eq!(nothing, [Step::Clear(Slot(1)), steps[4]]);
    }

    #[test]
    fn an_omitted_field_is_computed_unless_it_stays_the_same() {
        let steps = steps();
        let carried = Step::Carried(leaf(0, Some(CarryId(0))));
        // The value of the previous element has not passed its tests yet.
        assert_eq!(specialize(&plan(None), &steps, 0, false)[0], carried);
        let one = Formula {
            code: CodeId(0),
            first: 0,
            end: 0,
            result: NumberId(9),
        };
        assert_eq!(specialize(&plan(Some(one)), &steps, 0, true)[0], carried);
    }

    #[test]
    fn the_steps_after_another_word_stay() {
        let mut all = vec![Step::Word(BYTE)];
        all.extend(steps());
        assert_eq!(specialize(&plan(None), &all, 0, true), all);
    }

    #[test]
    fn counts_of_inner_steps_shrink_with_them() {
        let mut all = vec![Step::Span(Slot(2), Slot(3), 4)];
        all.extend(&steps()[..4]);
        let expected = [Step::Span(Slot(2), Slot(3), 1), Step::Clear(Slot(1))];
        assert_eq!(specialize(&plan(None), &all, 0, true), expected);
    }
}
