//! Conditions that test flag bits.
//!
//! Most flags are read only to be tested once, shortly afterwards. Conditions can test such a flag
//! directly in the integer that was read, so the flag need not be stored in a slot.

use super::live::Uses;
use super::{Step, When};
use crate::Slot;
use crate::formula::Compiler;

/// A flag that earlier steps have read.
struct Flag {
    slot: Slot,
    shift: u8,
    /// The number of conditions that test the bit.
    asked: u32,
    /// Whether the integer that contains the bit is still the last integer that was read.
    at_hand: bool,
}

/// Makes conditions test bits directly and removes the steps for flags that nothing else uses.
pub(super) fn ask_bits(formulas: &Compiler, uses: &Uses, steps: &mut Vec<Step>) {
    let mut flags: Vec<Flag> = Vec::new();
    for step in &mut *steps {
        match step {
            Step::Word(_) | Step::Span(..) => {
                for flag in &mut flags {
                    flag.at_hand = false;
                }
            }
            Step::Bits(shift, 1, leaf) if leaf.slot != Slot::NONE => flags.push(Flag {
                slot: leaf.slot,
                shift: *shift,
                asked: 0,
                at_hand: true,
            }),
            Step::Over(when, _) | Step::If(when, ..) => ask(formulas, &mut flags, when),
            _ => {}
        }
    }
    // The step count of a condition or span includes the steps inside it, so those steps must not
    // be removed.
    let counted = |step: &Step| matches!(step, Step::If(..) | Step::Span(..) | Step::Over(..));
    let first = steps.iter().position(counted).unwrap_or(steps.len());
    let mut at = 0;
    steps.retain(|step| {
        at += 1;
        let Step::Bits(_, 1, leaf) = step else {
            return true;
        };
        let mut silent = *leaf;
        silent.slot = Slot::NONE;
        let flag = flags.iter().find(|flag| flag.slot == leaf.slot);
        let only_here = flag.is_some_and(|flag| {
            let all = uses.others(flag.slot) + uses.records(flag.slot);
            flag.asked > 0 && flag.asked == all
        });
        !(at <= first && only_here && silent.is_idle())
    });
}

/// Replaces a condition on a flag's slot with a test of its bit.
fn ask(formulas: &Compiler, flags: &mut [Flag], when: &mut When) {
    let When::Holds(formula) = *when else {
        return;
    };
    let mut known = flags.iter_mut();
    if let Some(flag) =
        known.find(|flag| flag.at_hand && formulas.layout.slot(flag.slot) == formula.result)
    {
        *when = When::Bit(flag.shift);
        flag.asked += 1;
    }
}
