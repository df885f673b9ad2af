//! Reads lists of elements in the decoder's fast path. A function that returns `None` gives up, and
//! the plan's operations, which handle every case, then read the list instead.

use tracegauge_plan::terms::Endian;
use tracegauge_plan::{
    CodeId, Counted, Elements, ElementsId, Integer, Kind, Leaf, ListShow, Show, Step,
};

use super::values::number_item;
use super::{MOST_BYTES, Named};
use crate::input::Input;
use crate::machine::Machine;
use crate::report::Item;
use crate::value::Value;
use crate::visitor::Visitor;
use tracegauge_plan::codec::load;

/// The maximum length of a list that the fast path reads. The operations read longer lists element
/// by element.
const MOST_ELEMENTS: u64 = 1 << 16;
/// The maximum number of elements that are compared pairwise. Longer lists are left to the
/// operations.
const FEW: usize = 8;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reads elements of a type that the trace describes.
    pub(super) fn each<'s, const SHOWN: bool>(
        &mut self,
        (counted, none): (Counted, Option<i32>),
        list: ListShow,
        body: &'s [Step],
        named: Named<'_>,
    ) -> Option<()>
    where
        'p: 's,
    {
        let count = self.count_of(counted)?;
        let shown = SHOWN && list != ListShow::Mute;
        if none.is_some_and(|none| i128::from(none) == i128::from(count)) {
            if shown {
                self.recording.buffer.push(Item::Absent);
            }
            return Some(());
        }
        if count > MOST_ELEMENTS {
            return None;
        }
        let opened = shown.then(|| self.recording.buffer.open(Item::List));
        match body {
            [Step::Skip(size)] => {
                let length = count * u64::from(*size);
                (length <= MOST_BYTES).then_some(())?;
                self.take(length)?;
            }
            [Step::Integer(integer, leaf)] if shown && leaf.is_plain() => {
                let length = count * u64::from(integer.width);
                (length <= MOST_BYTES).then_some(())?;
                let start = self.take(length)?;
                self.numbers(start, length, *integer, leaf);
            }
            _ => {
                for _ in 0..count {
                    let before = self.position;
                    (!self.recording.buffer.is_full()).then_some(())?;
                    self.steps::<SHOWN>(body, named)?;
                    // The operations enforce the limit on elements that occupy no bytes.
                    (self.position > before).then_some(())?;
                }
            }
        }
        if let Some(at) = opened {
            self.recording.buffer.close(at, Item::List);
        }
        Some(())
    }

    /// Reads a list of elements.
    pub(super) fn list<const SHOWN: bool>(
        &mut self,
        number: ElementsId,
        named: Named<'_>,
    ) -> Option<()> {
        let plan = self.plan;
        let elements = &plan.lists[number];
        let count = self.count_of(elements.count)?;
        if count > MOST_ELEMENTS {
            return None;
        }
        let kind = match elements.list {
            ListShow::Pairs => Item::Pairs as fn(u32) -> Item,
            ListShow::List | ListShow::Mute => Item::List,
        };
        let shown = SHOWN && elements.list != ListShow::Mute;
        let opened = shown.then(|| self.recording.buffer.open(kind));
        let body = &plan.steps[elements.body.indexes()];
        if elements.size > 0 {
            let size = u64::from(elements.size);
            let length = count * size;
            if length > MOST_BYTES {
                return None;
            }
            let start = self.take(length)?;
            if shown && let [Step::Integer(integer, leaf)] = body {
                self.numbers(start, length, *integer, leaf);
            }
        } else if let Some(by) = elements.unique {
            self.differing::<SHOWN>(elements, named, count, by)?;
        } else {
            for _ in 0..count {
                (!self.recording.buffer.is_full()).then_some(())?;
                self.steps::<SHOWN>(body, named)?;
            }
        }
        if let Some(at) = opened {
            self.recording.buffer.close(at, kind);
        }
        Some(())
    }

    /// Returns the number of elements.
    #[inline]
    fn count_of(&mut self, counted: Counted) -> Option<u64> {
        match counted {
            Counted::By(formula) => self.amount_of(formula),
            Counted::Before(integer, slot) => self.count_read(integer, slot),
            Counted::Fixed(count) => Some(u64::from(count)),
        }
    }

    /// Adds consecutive numbers of the same width to the record.
    fn numbers(&mut self, start: u64, length: u64, integer: Integer, leaf: &Leaf) {
        let width = usize::from(integer.width);
        if leaf.show == Show::Presented {
            let mut records = self.recording.lend();
            let mut at = start;
            while at < start + length {
                let bits = load(self.input.ahead(at), integer);
                self.present_bits(leaf.op, bits, &mut records);
                at += width as u64;
            }
            self.recording.give_back(records);
            return;
        }
        let bytes = self.input.bytes(start, start + length);
        if !self.recording.buffer.has_room(bytes.len() / width.max(1)) {
            return;
        }
        let items = &mut self.recording.buffer.items;
        if leaf.show == Show::Unsigned && width == 8 && integer.endian == Endian::Little {
            let (chunks, _) = bytes.as_chunks::<8>();
            items.extend(
                chunks
                    .iter()
                    .map(|c| Item::Unsigned(u64::from_le_bytes(*c))),
            );
            return;
        }
        let chunks = bytes.chunks_exact(width);
        items.extend(chunks.map(|chunk| number_item(leaf.show, load(chunk, integer))));
    }

    /// Reads a few elements whose keys must be unique.
    fn differing<const SHOWN: bool>(
        &mut self,
        elements: &Elements,
        named: Named<'_>,
        count: u64,
        by: CodeId,
    ) -> Option<()> {
        let plan = self.plan;
        let body = &plan.steps[elements.body.indexes()];
        let rule = match plan.op(elements.op).kind {
            Kind::Repeat(repeat) => plan.repeats[repeat].unique.first()?.rule,
            _ => None,
        };
        let mut keys = [Value::Absent; FEW];
        for number in 0..usize::try_from(count).ok()? {
            let start = self.position;
            self.steps::<SHOWN>(body, named)?;
            let key = self.evaluate(by, Value::Absent);
            let comparable = key.integer().is_some() || self.text_of(key).is_some();
            let (known, rest) = keys.split_at_mut_checked(number)?;
            comparable.then_some(())?;
            if known.iter().any(|known| self.equal(*known, key)) {
                self.tolerated(elements.op, rule, start)?;
            }
            *rest.first_mut()? = key;
        }
        Some(())
    }
}
