//! Bits that say which fields are there.
//!
//! A flag is mostly read to ask it once, right after. Then the condition looks at the bit where
//! it was read, and the flag need not go anywhere.

use super::super::{Code, Plan, Slot};
use super::live::Uses;
use super::{Step, When};

/// A flag that has been read.
struct Flag {
    slot: Slot,
    shift: u8,
    /// How many conditions ask its bit.
    asked: u32,
    /// The integer that it is a bit of is the last one that was read.
    at_hand: bool,
}

/// Makes conditions ask bits, and drops those that nobody else asks.
pub(super) fn ask_bits(plan: &Plan, uses: &Uses, steps: &mut Vec<Step>) {
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
            Step::Over(when, _) | Step::If(when, ..) => ask(plan, &mut flags, when),
            _ => {}
        }
    }
    // What belongs to a condition has been counted there.
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

/// A condition that asks a flag asks its bit.
fn ask(plan: &Plan, flags: &mut [Flag], when: &mut When) {
    let When::Holds(code) = *when else {
        return;
    };
    let Some(Code::Slot(slot)) = plan.codes.get(code.index()) else {
        return;
    };
    let mut known = flags.iter_mut();
    if let Some(flag) = known.find(|flag| flag.at_hand && flag.slot == *slot) {
        *when = When::Bit(flag.shift);
        flag.asked += 1;
    }
}
