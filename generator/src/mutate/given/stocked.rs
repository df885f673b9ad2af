//! Stores decoded traces that a fuzzer selected, with their tapes (the choices that generate the
//! traces).

use std::sync::OnceLock;

use tracegauge_decoder::decode_tree;
use tracegauge_plan::Plan;

use super::super::{Dice, Stock, remade};
use super::choices;
use crate::Generator;
use crate::tape::Tape;

/// A trace that a fuzzer selected.
#[derive(Debug)]
pub(super) struct Stocked {
    /// The bytes of the trace, and its tree up to the fault if there is one.
    pub(super) stock: Stock,
    /// Whether readers may accept the trace.
    pub(super) taken: bool,
    /// The tape of the trace, computed on first use.
    tape: OnceLock<Option<Tape>>,
}

impl Stocked {
    pub(super) fn of(plan: &Plan, bytes: &[u8]) -> Self {
        let (verdict, tree) = decode_tree(plan, bytes);
        Self {
            stock: Stock {
                bytes: bytes.to_vec(),
                tree,
            },
            taken: verdict.violation().is_none(),
            tape: OnceLock::new(),
        }
    }

    /// Returns a tape that generates the trace, or `None` if none can be recorded.
    fn tape(&self, generator: &Generator) -> Option<&Tape> {
        let record = || {
            let taken = self.taken.then_some(&self.stock.tree);
            taken.and_then(|tree| generator.record(tree).ok())
        };
        self.tape.get_or_init(record).as_ref()
    }

    /// Returns the trace generated from a mutation of the tape.
    pub(super) fn varied(
        &self,
        generator: &Generator,
        most: usize,
        dice: &mut Dice,
    ) -> Option<Vec<u8>> {
        let bytes = choices::varied(self.tape(generator)?, dice);
        remade(generator, bytes, self.room(most), most as u64)
    }

    /// Returns the trace generated from a combination of this trace's tape and another tape.
    pub(super) fn joined(
        &self,
        other: &Self,
        generator: &Generator,
        most: usize,
        dice: &mut Dice,
    ) -> Option<Vec<u8>> {
        let (own, others) = (self.tape(generator)?, other.tape(generator)?);
        let bytes = choices::joined(own, others, dice)?;
        remade(generator, bytes, self.room(most), most as u64)
    }

    /// Returns the maximum size of a mutated trace.
    fn room(&self, most: usize) -> u64 {
        let length = self.stock.bytes.len() as u64;
        (4 * length + 64).min(most as u64)
    }
}
