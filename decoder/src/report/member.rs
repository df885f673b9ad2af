//! Builds the members of records from the decoder's memory and from rows.

use tracegauge_plan::formula::{Formula, number};
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{
    CodeId, ColumnRef, FormPart, ImageForm, MemberForm, NumberForm, OpId, Origin, Preferred,
    RecordForm, RowForm,
};

use super::{Item, RecordBuffer, Standing};
use crate::input::Input;
use crate::machine::Machine;
use crate::state::{Cell, Image};
use crate::text;
use crate::value::Value;
use crate::visitor::Visitor;

/// The number of rows of a record that are remembered.
const ROWS: usize = 8;

/// The rows that members come from, once they have been looked up.
type Places = [Option<Option<u32>>; ROWS];

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Builds the members of a record, in order.
    pub(crate) fn write_form(&mut self, form: &RecordForm, out: &mut RecordBuffer) {
        let mut places: Places = [None; ROWS];
        for part in &form.parts {
            match part {
                FormPart::Members(first, count) => {
                    self.write_each(form, (*first, *count), &mut places, out);
                }
                FormPart::Image(image) => {
                    if !self.write_image(form, image, &mut places, out) {
                        self.write_each(form, (image.first, image.columns.len()), &mut places, out);
                    }
                }
            }
        }
    }

    /// Builds members one by one, given the index of the first and their number.
    fn write_each(
        &mut self,
        form: &RecordForm,
        (first, count): (usize, usize),
        places: &mut Places,
        out: &mut RecordBuffer,
    ) {
        let members = form.members.get(first..first + count);
        for member in members.unwrap_or_default() {
            out.starts.push(out.next());
            // A row that does not exist has no columns, so only the alternative is left.
            let member = match member {
                MemberForm::Else(first, second) => match &**first {
                    MemberForm::Column(row, ..)
                        if self.member_row(form, *row, places).is_none() =>
                    {
                        second
                    }
                    _ => member,
                },
                member => member,
            };
            let is_built = match member {
                MemberForm::Column(row, column, origin) => {
                    let place = self.member_row(form, *row, places);
                    place.is_some_and(|place| self.write_cell(place, *column, *origin, out))
                }
                // Most numbers come from a field and are shown as they are.
                MemberForm::Number(formula, origin)
                    if formula.first == formula.end && origin.form == NumberForm::Unsigned =>
                {
                    match self.memory.number(formula.result) {
                        number @ 0.. => {
                            out.push(Item::Unsigned(number.cast_unsigned()));
                            true
                        }
                        _ => self.write_formula(*formula, *origin, out),
                    }
                }
                member => self.write_member(form, member, places, out),
            };
            if !is_built {
                out.push(Item::Absent);
            }
        }
    }

    /// Adds members from the image of a row. Returns `false` if the row exists but has no image.
    fn write_image(
        &mut self,
        form: &RecordForm,
        image: &ImageForm,
        places: &mut Places,
        out: &mut RecordBuffer,
    ) -> bool {
        if let Some(preferred) = &image.preferred
            && self.prefers(form, preferred, places)
        {
            return false;
        }
        let Some(place) = self.member_row(form, image.row, places) else {
            // A row that does not exist has no columns.
            for _ in &image.columns {
                out.starts.push(out.next());
                out.push(Item::Absent);
            }
            return true;
        };
        let Some(row) = self.state.tables[image.table].row_mut(place) else {
            return false;
        };
        let known = row.images.iter_mut().find(|(id, _)| *id == image.id);
        match known {
            Some((_, Image::Shown(shown))) => {
                let (shown, standing) = &mut **shown;
                out.add_members(shown, standing);
                true
            }
            Some((_, Image::Never)) => false,
            None => {
                self.keep_image(place, image, Image::Needed);
                false
            }
            Some((_, Image::Needed)) => {
                let mut shown = RecordBuffer::default();
                self.write_each(form, (image.first, image.columns.len()), places, &mut shown);
                out.append_members(&shown);
                let size = size_of_val(shown.items.as_slice()) + shown.text.len();
                let room = self.recording.image_room.checked_sub(size);
                let state = match room {
                    Some(room) if !shown.is_full() && self.lasts(place, image) => {
                        self.recording.image_room = room;
                        shown.note_positions();
                        Image::Shown(Box::new((shown, Standing::default())))
                    }
                    _ => Image::Never,
                };
                self.keep_image(place, image, state);
                true
            }
        }
    }

    /// Returns whether a preferred row has a value for a member.
    fn prefers(&mut self, form: &RecordForm, preferred: &Preferred, places: &mut Places) -> bool {
        let Some(place) = self.member_row(form, preferred.row, places) else {
            return false;
        };
        let row = self.state.tables[preferred.table].row(place);
        row.is_some_and(|row| {
            let mut cells = preferred
                .columns
                .iter()
                .map(|column| row.cells.get(column.index()));
            cells.any(|cell| !matches!(cell, None | Some(Cell::Absent)))
        })
    }

    /// Returns whether the image of a row would be the same in every record.
    fn lasts(&self, place: u32, image: &ImageForm) -> bool {
        let row = self.state.tables[image.table].row(place);
        row.is_some_and(|row| {
            image
                .columns
                .iter()
                .all(|column| match row.cells.get(column.index()) {
                    Some(Cell::Tree(_)) => row.shown_column(*column).is_some(),
                    _ => true,
                })
        })
    }

    /// Stores what is known about an image of a row.
    fn keep_image(&mut self, place: u32, image: &ImageForm, state: Image) {
        let Some(row) = self.state.tables[image.table].row_mut(place) else {
            return;
        };
        row.images.retain(|(id, _)| *id != image.id);
        row.images.push((image.id, state));
    }

    /// Builds a member. Returns `false` if the member is absent. Nothing has been built then.
    fn write_member(
        &mut self,
        form: &RecordForm,
        member: &MemberForm,
        places: &mut Places,
        out: &mut RecordBuffer,
    ) -> bool {
        match member {
            MemberForm::Number(formula, origin) => self.write_formula(*formula, *origin, out),
            MemberForm::Column(row, column, origin) => {
                let place = self.member_row(form, *row, places);
                place.is_some_and(|place| self.write_cell(place, *column, *origin, out))
            }
            MemberForm::Else(first, second) => {
                self.write_member(form, first, places, out)
                    || self.write_member(form, second, places, out)
            }
            MemberForm::Conditional(condition, then, otherwise) => {
                let chosen = if self.is_true(*condition) {
                    then
                } else {
                    otherwise
                };
                self.write_member(form, chosen, places, out)
            }
            MemberForm::Expression(code, origin) => self.write_expression(*code, *origin, out),
            MemberForm::Named(code, set) => self.write_named(*code, *set, out),
        }
    }

    /// Builds a member from the value of a formula. Returns `false` if there is no value.
    #[inline]
    fn write_formula(&mut self, formula: Formula, origin: Origin, out: &mut RecordBuffer) -> bool {
        match self.formula(formula) {
            plain if number::is_plain(plain) => self.write_number(plain, origin, out),
            number::ABSENT => return false,
            _ if self.memory.layout().is_variable(formula.result) => {
                return self.write_value(self.memory.value(formula.result), origin.op, out);
            }
            _ => return self.write_expression(formula.code, origin.op, out),
        }
        true
    }

    /// Returns the place of one of the record's rows in its table.
    #[inline(always)]
    fn member_row(&mut self, form: &RecordForm, row: usize, places: &mut Places) -> Option<u32> {
        match form.rows.get(row)? {
            RowForm::Slot(slot) => self.memory.row(*slot),
            RowForm::Key(table, key) => match places.get(row) {
                Some(Some(known)) => *known,
                _ => {
                    let place = self.amount_of(*key);
                    let place = place.and_then(|key| self.state.tables[*table].find(key));
                    if let Some(known) = places.get_mut(row) {
                        *known = Some(place);
                    }
                    place
                }
            },
        }
    }

    /// Builds a member from a cell. Returns `false` if the cell has no value.
    #[inline]
    fn write_cell(
        &mut self,
        place: u32,
        column: ColumnRef,
        origin: Origin,
        out: &mut RecordBuffer,
    ) -> bool {
        let row = self.state.tables[column.table].row(place);
        match row.and_then(|row| row.cells.get(column.column.index())) {
            None | Some(Cell::Absent) => return false,
            Some(Cell::Int(value)) => match number::of(*value) {
                number::OTHER => self.write_other_cell(place, column, origin, out),
                plain => self.write_number(plain, origin, out),
            },
            Some(Cell::Bytes(bytes))
                if origin.is_utf8 && text::well_formed(bytes, Encoding::Utf8) =>
            {
                let (start, end) = out.bytes(bytes);
                out.push(Item::Text { start, end });
            }
            Some(Cell::Tree(_) | Cell::Bytes(_)) => {
                match row.and_then(|row| row.shown_column(column.column)) {
                    Some(shown) => out.append(shown),
                    None => self.write_other_cell(place, column, origin, out),
                }
            }
            Some(Cell::Bool(_) | Cell::Float(_)) => {
                self.write_other_cell(place, column, origin, out);
            }
        }
        true
    }

    /// Builds a member from a cell whose value is not a number.
    #[inline(never)]
    fn write_other_cell(
        &mut self,
        place: u32,
        column: ColumnRef,
        origin: Origin,
        out: &mut RecordBuffer,
    ) {
        let (table, column) = (column.table, column.column);
        let value = self.cell_value(table, Some(place), column);
        let row = self.state.tables[table].row(place);
        let cell = row.and_then(|row| row.cells.get(column.index()));
        // Text in another encoding is converted only once.
        if let (Some(Cell::Bytes(_)), false) = (cell, origin.is_utf8) {
            let mut shown = RecordBuffer::default();
            self.present(value, origin.op, &mut shown);
            out.append(&shown);
            self.keep_shown(table, place, column, shown);
            return;
        }
        self.present(value, origin.op, out);
    }

    /// Builds a member from a plain number.
    #[inline]
    fn write_number(&mut self, number: i64, origin: Origin, out: &mut RecordBuffer) {
        match origin.form {
            NumberForm::Unsigned if number >= 0 => out.push(Item::Unsigned(number.cast_unsigned())),
            NumberForm::Bool => out.push(Item::Bool(number != 0)),
            _ => self.present(Value::Int(i128::from(number)), origin.op, out),
        }
    }

    /// Builds a member from the value of an expression.
    #[inline(never)]
    fn write_expression(
        &mut self,
        code: CodeId,
        origin: Option<OpId>,
        out: &mut RecordBuffer,
    ) -> bool {
        let (value, code) = self.chosen(code);
        let origin = origin.or_else(|| self.code_origin(code));
        self.write_value(value, origin, out)
    }

    /// Builds a member from a value. Returns `false` if there is no value.
    fn write_value(&mut self, value: Value, origin: Option<OpId>, out: &mut RecordBuffer) -> bool {
        match value {
            Value::Absent => return false,
            // The record already contains the value.
            Value::Shown(start) => {
                if let Some(last) = out.starts.last_mut() {
                    *last = start;
                }
            }
            value => self.present(value, origin, out),
        }
        true
    }
}
