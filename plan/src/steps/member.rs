//! How steps build the members of a record.

use super::fuse::Fuser;
use crate::arena::id;
use crate::formula::Formula;
use crate::terms::{ColumnId, Encoding, EnumId, Meaning, TableId};
use crate::{
    Code, CodeId, ColumnRef, Kind, MemberPlan, MemberSource, OpId, RecordPlan, RowSource,
    SetTargetPlan, Slot,
};

/// The members of a record in a form that is fast to build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordForm {
    /// The rows that the members come from. Each row is looked up only once.
    pub rows: Vec<RowForm>,
    /// The members that are not objects, in order.
    pub members: Vec<MemberForm>,
    /// The members, grouped by how they can be built together.
    pub parts: Vec<FormPart>,
}

id!(/** An image of a row, which consists of several members that come from this row. */ ImageId);

/// Members that are built together.
#[derive(Clone, Debug, PartialEq)]
pub enum FormPart {
    /// A number of members, with the index of the first, each of which is built by itself.
    Members(usize, usize),
    /// Members that come from the same row, so they can be copied from an image of this row.
    Image(ImageForm),
}

/// Members that come from the same row.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageForm {
    /// The image.
    pub id: ImageId,
    /// The index of the row among those of the record.
    pub row: usize,
    /// The table of the row.
    pub table: TableId,
    /// Columns of another row. A member comes from its column if that has a value.
    pub preferred: Option<Preferred>,
    /// The index of the first member.
    pub first: usize,
    /// The columns, one for each member.
    pub columns: Vec<ColumnId>,
}

/// Columns of a row that are preferred to those of another row.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferred {
    /// The index of the row among those of the record.
    pub row: usize,
    /// The table of the row.
    pub table: TableId,
    /// The columns, one for each member.
    pub columns: Vec<ColumnId>,
}

/// The minimum number of members for which an image is worthwhile if all of them are numbers.
const WORTHWHILE: usize = 3;

/// A row that members come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowForm {
    /// The row that a reference field stored in a slot.
    Slot(Slot),
    /// The row with a key.
    Key(TableId, Formula),
}

/// How a member is built.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberForm {
    /// A number.
    Number(Formula, Origin),
    /// A column of one of the record's rows.
    Column(usize, ColumnRef, Origin),
    /// The first member if it is present, otherwise the second.
    Else(Box<Self>, Box<Self>),
    /// The second member if the formula is true, otherwise the third.
    Conditional(Formula, Box<Self>, Box<Self>),
    /// The value of an expression.
    Expression(CodeId, Option<OpId>),
    /// The value of an expression, presented as a member of an enumeration.
    Named(CodeId, EnumId),
}

/// The presentation of a member that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The operation that read the number, if it was read.
    pub op: Option<OpId>,
    /// The form of a number that is not negative.
    pub form: NumberForm,
    /// Whether text is shown as it is if it is well-formed UTF-8.
    pub is_utf8: bool,
}

/// The form of a number that is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberForm {
    /// The number itself.
    Unsigned,
    /// Whether the number differs from 0.
    Bool,
    /// A form that depends on more than the number.
    Other,
}

impl Fuser<'_> {
    /// Converts the members of a record.
    pub(super) fn record_form(&mut self, record: &RecordPlan) -> RecordForm {
        let mut form = RecordForm::default();
        self.member_forms(&record.members, &mut form);
        self.form_parts(&mut form);
        form
    }

    /// Groups members that come from the same row.
    fn form_parts(&mut self, form: &mut RecordForm) {
        let mut at = 0;
        while at < form.members.len() {
            match self.image_at(form, at) {
                Some(image) => {
                    at += image.columns.len();
                    form.parts.push(FormPart::Image(image));
                }
                None => {
                    match form.parts.last_mut() {
                        Some(FormPart::Members(_, count)) => *count += 1,
                        _ => form.parts.push(FormPart::Members(at, 1)),
                    }
                    at += 1;
                }
            }
        }
    }

    /// Returns the image that begins with the member at an index, if it is worthwhile.
    fn image_at(&mut self, form: &RecordForm, first: usize) -> Option<ImageForm> {
        let begin = imaged(form.members.get(first)?)?;
        let (mut columns, mut preferred, mut are_numbers) = (Vec::new(), Vec::new(), true);
        for member in form.members[first..].iter().map_while(imaged) {
            let is_same = (member.row, member.table()) == (begin.row, begin.table())
                && member.preferred_row() == begin.preferred_row();
            if !is_same || !self.is_constant(member.column, member.origin) {
                break;
            }
            are_numbers &= member.origin.form != NumberForm::Other;
            columns.push(member.column.column);
            preferred.extend(member.preferred.map(|(_, column)| column.column));
        }
        let is_worthwhile = match are_numbers {
            true => columns.len() >= WORTHWHILE,
            false => !columns.is_empty(),
        };
        if !is_worthwhile {
            return None;
        }
        let id = ImageId(self.images);
        self.images += 1;
        Some(ImageForm {
            id,
            row: begin.row,
            table: begin.table(),
            preferred: begin.preferred_row().map(|(row, table)| Preferred {
                row,
                table,
                columns: preferred,
            }),
            first,
            columns,
        })
    }

    /// Returns whether a column looks the same in every record while its row stands.
    fn is_constant(&self, column: ColumnRef, origin: Origin) -> bool {
        let sets = self.plan.effects.iter().flat_map(|effects| &effects.sets);
        let mut targets = sets.map(|set| &set.target);
        let is_set = targets.any(|target| match target {
            SetTargetPlan::Column {
                table, column: set, ..
            } => (*table, *set) == (column.table, column.column),
            SetTargetPlan::Register(_) => false,
        });
        let looks_up = origin
            .op
            .is_some_and(|op| self.plan.info(op).presentation.shows.is_some());
        !is_set && !looks_up
    }

    fn member_forms(&mut self, members: &[MemberPlan], form: &mut RecordForm) {
        for member in members {
            match &member.source {
                MemberSource::Object(inner) => self.member_forms(inner, form),
                MemberSource::Value(code, origin) => {
                    let member = self.member_form(*code, *origin, form);
                    form.members.push(member);
                }
                MemberSource::Named(code, set) => {
                    form.members.push(MemberForm::Named(*code, *set));
                }
            }
        }
    }

    fn member_form(
        &mut self,
        code: CodeId,
        origin: Option<OpId>,
        form: &mut RecordForm,
    ) -> MemberForm {
        let plan = self.plan;
        match &plan.codes[code.index()] {
            Code::Else(first, second) => {
                let first = self.member_form(*first, origin, form);
                let second = self.member_form(*second, origin, form);
                MemberForm::Else(Box::new(first), Box::new(second))
            }
            Code::Conditional(condition, then, otherwise) => {
                let condition = self.formula(*condition);
                let then = self.member_form(*then, origin, form);
                let otherwise = self.member_form(*otherwise, origin, form);
                MemberForm::Conditional(condition, Box::new(then), Box::new(otherwise))
            }
            Code::Column(source, column) => {
                let columns = &plan.tables[column.table].columns;
                let own = columns.get(column.column).and_then(|column| column.origin);
                // Rows keep the text of a column only in the form of its own field.
                if origin.is_some() && origin != own {
                    return MemberForm::Expression(code, origin);
                }
                let row = match source {
                    RowSource::Slot(slot) => RowForm::Slot(*slot),
                    RowSource::Lookup { table, key } if *table == column.table => {
                        RowForm::Key(*table, self.formula(*key))
                    }
                    _ => return MemberForm::Expression(code, origin),
                };
                let known = form.rows.iter().position(|known| *known == row);
                let row = known.unwrap_or_else(|| {
                    form.rows.push(row);
                    form.rows.len() - 1
                });
                MemberForm::Column(row, *column, self.origin(own))
            }
            Code::Slot(slot) => {
                let origin = origin.or_else(|| plan.origin(*slot));
                MemberForm::Number(self.formula(code), self.origin(origin))
            }
            _ => MemberForm::Number(self.formula(code), self.origin(origin)),
        }
    }

    fn origin(&self, op: Option<OpId>) -> Origin {
        let form = op.map_or(NumberForm::Unsigned, |op| self.number_form(op));
        let is_utf8 = op.is_none_or(|op| self.is_utf8(op));
        Origin { op, form, is_utf8 }
    }

    /// Returns whether an operation reads UTF-8 that is shown as it is.
    fn is_utf8(&self, op: OpId) -> bool {
        let encoding = match self.plan.op(op).kind {
            Kind::Text(_, encoding) => Some(encoding),
            Kind::Terminated(ending) => ending.encoding,
            _ => None,
        };
        let meaning = &self.plan.info(op).presentation.meaning;
        encoding == Some(Encoding::Utf8) && !matches!(meaning, Some(Meaning::Json { .. }))
    }

    /// Returns the form of the numbers that an operation reads.
    fn number_form(&self, op: OpId) -> NumberForm {
        let presentation = &self.plan.info(op).presentation;
        let kind = &self.plan.op(op).kind;
        let is_named = presentation.enumeration.is_some() || presentation.flags.is_some();
        match (&presentation.meaning, kind) {
            // The value of an expression has no presentation.
            (_, Kind::Bind(_)) => NumberForm::Unsigned,
            _ if presentation.shows.is_some() => NumberForm::Other,
            (Some(Meaning::Bool), _) => NumberForm::Bool,
            (Some(Meaning::Time { .. }), _) => NumberForm::Other,
            (_, Kind::Bits { width: 1, .. }) if presentation.enumeration.is_none() => {
                NumberForm::Bool
            }
            (_, Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. }) if !is_named => {
                NumberForm::Unsigned
            }
            _ => NumberForm::Other,
        }
    }
}

/// A member that comes from a row.
#[derive(Clone, Copy)]
struct Imaged {
    row: usize,
    column: ColumnRef,
    origin: Origin,
    /// A row and a column that the member comes from instead if that column has a value.
    preferred: Option<(usize, ColumnRef)>,
}

impl Imaged {
    fn table(self) -> TableId {
        self.column.table
    }

    /// Returns the preferred row and its table.
    fn preferred_row(self) -> Option<(usize, TableId)> {
        self.preferred.map(|(row, column)| (row, column.table))
    }
}

/// Returns the row that a member comes from, if any.
fn imaged(member: &MemberForm) -> Option<Imaged> {
    let (preferred, member) = match member {
        MemberForm::Else(first, second) => match &**first {
            MemberForm::Column(row, column, _) => (Some((*row, *column)), &**second),
            _ => return None,
        },
        member => (None, member),
    };
    match member {
        MemberForm::Column(row, column, origin) => Some(Imaged {
            row: *row,
            column: *column,
            origin: *origin,
            preferred,
        }),
        _ => None,
    }
}
