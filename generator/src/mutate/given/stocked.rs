//! A trace that was given, decoded, with the choices that make it.

use std::sync::OnceLock;

use tracegauge_decoder::decode_tree;
use tracegauge_spec::plan::Plan;

use super::super::{Dice, Stock, remade};
use super::choices;
use crate::Generator;
use crate::tape::Tape;

/// A trace that was given.
#[derive(Debug)]
pub(super) struct Stocked {
    /// Its bytes, and its tree up to the fault where there is one.
    pub(super) stock: Stock,
    /// Some readers take it.
    pub(super) taken: bool,
    /// Its choices, once they have been asked for.
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

    /// The choices that make it; nothing where no choices do.
    fn tape(&self, generator: &Generator) -> Option<&Tape> {
        let record = || {
            let taken = self.taken.then_some(&self.stock.tree);
            taken.and_then(|tree| generator.record(tree).ok())
        };
        self.tape.get_or_init(record).as_ref()
    }

    /// The trace that other choices make.
    pub(super) fn varied(
        &self,
        generator: &Generator,
        most: usize,
        dice: &mut Dice,
    ) -> Option<Vec<u8>> {
        let bytes = choices::varied(self.tape(generator)?, dice);
        remade(generator, bytes, self.room(most), most as u64)
    }

    /// The trace that choices of this one and of another make.
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

    /// As long as another trace may become.
    fn room(&self, most: usize) -> u64 {
        let length = self.stock.bytes.len() as u64;
        (4 * length + 64).min(most as u64)
    }
}
