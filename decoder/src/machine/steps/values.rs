//! Stores and tests the numbers, strings and bytes that steps (the fast path) read, and adds them
//! to records.

use tracegauge_plan::formula::number;
use tracegauge_plan::terms::{Encoding, Endian};
use tracegauge_plan::{Code, Ending, Kind, Leaf, Show, Slot, Tests, flags};

use super::MOST_BYTES;
use crate::input::Input;
use crate::machine::Machine;
use crate::machine::leaf::widen;
use crate::report::{Item, guid, write_text};
use crate::text;
use crate::value::Value;
use crate::visitor::Visitor;

impl<I: Input, V: Visitor> Machine<'_, I, V> {
    /// Tests and stores a number that a step read, and adds it to the record.
    #[inline(always)]
    pub(super) fn value_read<const SHOWN: bool>(
        &mut self,
        leaf: &Leaf,
        start: u64,
        bits: u64,
        signed: bool,
    ) -> Option<()> {
        let (mut bits, mut signed) = (bits, signed);
        if let Some(index) = leaf.carry {
            bits = self.plain_carry(index, bits)?;
            signed = false;
        }
        let number = match signed {
            true => number::of_signed(bits.cast_signed()),
            false => number::of_unsigned(bits),
        };
        if leaf.slot != Slot::NONE {
            let place = self.memory.layout().slot(leaf.slot);
            if leaf.carry.is_some() {
                self.note_change(place);
            }
            match number {
                number::OTHER => self
                    .memory
                    .set_value(place, Value::Int(widen(bits, signed))),
                number => self.memory.set_number(place, number),
            }
        }
        let row = self.tested_plainly(leaf, start, bits, number, signed)?;
        if matches!(leaf.tests, Tests::Any | Tests::Shows(_))
            && self.plan.op(leaf.op).flags & flags::SHOWS != 0
        {
            self.shows(leaf.op, start, Value::Int(widen(bits, signed)))?;
        }
        if let Some(index) = leaf.carry {
            self.carry_on(index, bits);
        }
        if SHOWN {
            match leaf.show {
                Show::Mute => {}
                Show::Unsigned => self.recording.buffer.push(Item::Unsigned(bits)),
                Show::Row => self.row_item(leaf, row, bits),
                Show::Presented => {
                    let mut records = self.recording.lend();
                    self.present_bits(leaf.op, bits, &mut records);
                    self.recording.give_back(records);
                }
                show => self.recording.buffer.push(number_item(show, bits)),
            }
        }
        Some(())
    }

    /// Reads text or bytes.
    #[inline]
    pub(super) fn text_read<const SHOWN: bool>(
        &mut self,
        leaf: &Leaf,
        encoding: Option<Encoding>,
        size: u64,
    ) -> Option<()> {
        if size > MOST_BYTES {
            return None;
        }
        let start = self.take(size)?;
        self.text_value::<SHOWN>(leaf, encoding, start, size)
    }

    /// Reads text or bytes up to a terminator, which must be present.
    pub(super) fn ended_read<const SHOWN: bool>(
        &mut self,
        leaf: &Leaf,
        ending: Ending,
    ) -> Option<()> {
        let (start, unit) = (self.position, ending.unit());
        let byte = ending.terminator?;
        let length = self.find_terminator((start, self.limit), byte, unit, ending.encoding)?;
        let size = if ending.include {
            length + unit
        } else {
            length
        };
        if size > MOST_BYTES {
            return None;
        }
        self.position = start + length + if ending.consume { unit } else { 0 };
        self.text_value::<SHOWN>(leaf, ending.encoding, start, size)
    }

    /// Tests and stores text or bytes that a step read, and adds them to the record.
    #[inline]
    fn text_value<const SHOWN: bool>(
        &mut self,
        leaf: &Leaf,
        encoding: Option<Encoding>,
        start: u64,
        size: u64,
    ) -> Option<()> {
        let bytes = self.input.bytes(start, start + size);
        if let Some(encoding) = encoding
            && !text::well_formed(bytes, encoding)
        {
            return None;
        }
        if SHOWN && leaf.show != Show::Mute {
            match (leaf.show, encoding) {
                (Show::Guid, _) => {
                    let endian = match self.plan.op(leaf.op).kind {
                        Kind::Guid(endian) => endian,
                        _ => Endian::Little,
                    };
                    let (start, end) = self.recording.buffer.bytes(&guid(bytes, endian));
                    self.recording.buffer.push(Item::Guid { start, end });
                }
                (_, Some(Encoding::Utf8)) => {
                    let (start, end) = self.recording.buffer.bytes(bytes);
                    self.recording.buffer.push(Item::Text { start, end });
                }
                (_, encoding) => write_text(bytes, encoding, &mut self.recording.buffer),
            }
        }
        let value = Value::Bytes {
            start,
            length: size,
        };
        if leaf.slot != Slot::NONE {
            if leaf.carry.is_some() {
                let place = self.memory.layout().slot(leaf.slot);
                self.note_change(place);
            }
            self.memory.set(leaf.slot, value);
        }
        if leaf.tests != Tests::None {
            self.passes(leaf.op, start, value)?;
            if let Some(refs) = self.plan.info(leaf.op).refs {
                self.names_row(refs, 0)?;
            }
            if self.plan.op(leaf.op).flags & flags::SHOWS != 0 {
                self.shows(leaf.op, start, value)?;
            }
        }
        Some(())
    }

    /// For a number that refers to a row, adds a column of the row to the record instead of the
    /// number.
    fn row_item(&mut self, leaf: &Leaf, row: Option<u32>, bits: u64) {
        let plan = self.plan;
        let shows = plan.info(leaf.op).presentation.shows;
        let code = shows.map(|code| &plan.codes[code.index()]);
        let Some(Code::Column(_, column)) = code else {
            return self.recording.buffer.push(Item::Missing);
        };
        match self.cell_value(column.table, row, column.column) {
            Value::Absent if self.names_none(leaf.op, bits) => {
                self.recording.buffer.push(Item::Absent)
            }
            Value::Absent => self.recording.buffer.push(Item::Missing),
            value => {
                let columns = &plan.tables[column.table].columns;
                let origin = columns.get(column.column);
                let origin = origin.and_then(|column| column.origin);
                let mut records = self.recording.lend();
                self.present(value, origin, &mut records);
                self.recording.give_back(records);
            }
        }
    }
}

/// Converts a number to an item of a record.
#[inline]
pub(super) fn number_item(show: Show, bits: u64) -> Item {
    match show {
        Show::Signed if bits.cast_signed() < 0 => Item::Signed(bits.cast_signed()),
        Show::Bool => Item::Bool(bits != 0),
        Show::Float32 => Item::F32(u32::try_from(bits).unwrap_or_default()),
        Show::Float64 => Item::F64(bits),
        _ => Item::Unsigned(bits),
    }
}
