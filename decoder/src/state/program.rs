//! Builds programs (sequences of fast-path steps) that read all fields described by a row. If there
//! is no program for a row, the plan's operations, which handle every case, read the fields.

use std::ops::Range;

use tracegauge_plan::{Counted, Kind, ListShow, NestedForm, OpId, Plan, Step, TextSize};

use super::CompiledLayout;
use crate::report::Item;

/// The programs that read the fields described by a row, compiled from the row's layout. Each
/// program is a concatenation of the programs of the layout's type codes.
#[derive(Clone, Debug, Default)]
pub struct RowPrograms {
    /// The program that reads the values.
    pub read: Option<Vec<Step>>,
    /// The program that reads the values and adds them to the record.
    pub shown: Option<Vec<Step>>,
    /// The names of the fields.
    pub names: Names,
}

/// The names of the fields that a row describes.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// All names, concatenated.
    pub text: Vec<u8>,
    /// One item per name, with offsets into `text`.
    items: Vec<Item>,
}

impl Names {
    /// Returns the item of a name for a record whose copy of `text` starts at `base`.
    #[inline]
    pub fn item(&self, number: u32, base: u32) -> Item {
        match self.items.get(number as usize) {
            Some(Item::Text { start, end }) => Item::Text {
                start: base + start,
                end: base + end,
            },
            Some(Item::IllFormed { start, end }) => Item::IllFormed {
                start: base + start,
                end: base + end,
            },
            _ => Item::Absent,
        }
    }

    fn push(&mut self, name: &[u8], ill_formed: bool) {
        let start = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.text.extend_from_slice(name);
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.items.push(if ill_formed {
            Item::IllFormed { start, end }
        } else {
            Item::Text { start, end }
        });
    }
}

impl RowPrograms {
    /// Builds the programs of a layout. The programs that add values to the record are built only
    /// if `records` is set.
    pub fn new(plan: &Plan, layout: &CompiledLayout, records: bool) -> Self {
        let program = |shown| {
            let builder = Builder {
                plan,
                layout,
                shown,
            };
            let mut body = Body::default();
            let done = builder.fields(0..layout.roots, 0, &mut body);
            done.map(|()| body.steps)
        };
        let mut programs = Self {
            read: program(false),
            ..Self::default()
        };
        if records {
            programs.shown = program(true);
            for (name, ill_formed) in layout.names.iter().zip(&layout.ill_formed) {
                programs.names.push(name, *ill_formed);
            }
        }
        programs
    }
}

/// The maximum nesting depth of a type in a program. The operations handle deeper types.
const DEEPEST: u32 = 16;

/// A program, which is a sequence of steps, under construction.
#[derive(Default)]
struct Body {
    steps: Vec<Step>,
    /// The index of the first step that may be merged with a new `Skip` step.
    bound: usize,
}

impl Body {
    fn extend(&mut self, steps: &[Step]) {
        if let [Step::Skip(size)] = steps {
            return self.skip(*size);
        }
        self.steps.extend_from_slice(steps);
        self.bound = self.steps.len();
    }

    /// Adds a step that skips bytes, and merges it with a preceding skip if possible.
    fn skip(&mut self, size: u32) {
        if self.steps.len() > self.bound
            && let Some(Step::Skip(before)) = self.steps.last_mut()
            && let Some(sum) = before.checked_add(size)
        {
            *before = sum;
        } else {
            self.steps.push(Step::Skip(size));
        }
    }
}

/// Builds the program of a layout.
struct Builder<'a> {
    plan: &'a Plan,
    layout: &'a CompiledLayout,
    shown: bool,
}

impl Builder<'_> {
    /// Adds the steps that read described fields, in order.
    fn fields(&self, fields: Range<usize>, depth: u32, out: &mut Body) -> Option<()> {
        for field in fields {
            if self.shown {
                let code = self.layout.fields.get(field)?.code;
                let number = u32::try_from(field).ok()?;
                out.extend(&[
                    Step::Code(self.layout.layout, code),
                    Step::FieldName(number),
                ]);
            }
            self.value(field, depth, out)?;
        }
        Some(())
    }

    /// Adds the steps that read the value of a field or element.
    fn value(&self, field: usize, depth: u32, out: &mut Body) -> Option<()> {
        let described = self.layout.fields.get(field)?;
        if described.optional || described.nothing || described.located || depth > DEEPEST {
            return None;
        }
        let op = described.op?;
        let programs = &self.plan.programs[op.index()];
        let Kind::Nested(nested) = self.plan.op(op).kind else {
            let program = if self.shown {
                programs.shown
            } else {
                programs.read
            };
            out.extend(&self.plan.steps[program?.indexes()]);
            return Some(());
        };
        let nested = &self.plan.nested[nested];
        let (nests, inside) = (programs.nests?, self.layout.inside(field));
        match &nested.form {
            NestedForm::Located(_) => None,
            NestedForm::Fields => self.object(inside, depth, out),
            NestedForm::Described(_) => {
                let count = Counted::Fixed(u32::try_from(described.count).ok()?);
                self.elements((count, None), inside.start, depth, out)
            }
            NestedForm::Counted(_) => {
                let (count, slot) = nests.count?;
                let none = match nested.none {
                    Some(none) => Some(i32::try_from(none).ok()?),
                    None => None,
                };
                let count = Counted::Before(count, slot);
                self.elements((count, none), inside.start, depth, out)
            }
        }
    }

    /// Adds the steps that read the described fields inside a value.
    fn object(&self, fields: Range<usize>, depth: u32, out: &mut Body) -> Option<()> {
        if !self.shown {
            return self.fields(fields, depth + 1, out);
        }
        let mut body = Body::default();
        self.fields(fields, depth + 1, &mut body)?;
        out.extend(&[Step::Pairs(u32::try_from(body.steps.len()).ok()?)]);
        out.extend(&body.steps);
        out.bound = out.steps.len();
        Some(())
    }

    /// Adds the steps that read a list of elements, or a string if the elements are code units.
    fn elements(
        &self,
        (count, none): (Counted, Option<i32>),
        element: usize,
        depth: u32,
        out: &mut Body,
    ) -> Option<()> {
        if let Some((units, size)) = self.units_of(element) {
            let units = self.plan.programs[units.index()].units?;
            let leaf = if self.shown { units.shown } else { units.read };
            let size = u8::try_from(size).ok().filter(|_| none.is_none())?;
            out.extend(&[match count {
                Counted::Before(count, slot) => {
                    Step::Units(count, slot, size, units.encoding, leaf)
                }
                Counted::Fixed(count) => {
                    let size = count.checked_mul(u32::from(size))?;
                    Step::Text(TextSize::Fixed(size), Some(units.encoding), leaf)
                }
                Counted::By(_) => return None,
            }]);
            return Some(());
        }
        let mut body = Body::default();
        self.value(element, depth + 1, &mut body)?;
        if let (Counted::Fixed(count), [Step::Skip(size)]) = (count, body.steps.as_slice()) {
            out.skip(count.checked_mul(*size)?);
            return Some(());
        }
        let list = if self.shown {
            ListShow::List
        } else {
            ListShow::Mute
        };
        let length = u32::try_from(body.steps.len()).ok()?;
        out.extend(&[Step::Each(count, none, list, length)]);
        out.extend(&body.steps);
        out.bound = out.steps.len();
        Some(())
    }

    /// If the elements are code units, returns the operation that presents a list of them as text,
    /// and the size of an element in bytes.
    fn units_of(&self, element: usize) -> Option<(OpId, u64)> {
        let field = self.layout.fields.get(element)?;
        let layout = &self.plan.layouts[self.layout.layout];
        layout.codes.get(field.code as usize)?.units.zip(field.size)
    }
}
