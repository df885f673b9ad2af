//! Programs for all described fields of a row.

use tracegauge_spec::plan::{Plan, Step, StepRange};

use super::CompiledLayout;
use crate::report::Item;

/// The programs of a row's layout. They are those of the codes, one after the other.
#[derive(Clone, Debug, Default)]
pub struct RowPrograms {
    /// Reads the values.
    pub read: Option<Vec<Step>>,
    /// Reads and shows them.
    pub shown: Option<Vec<Step>>,
    /// The names of the fields.
    pub names: Names,
}

/// Names of described fields.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// All names, one after the other.
    pub text: Vec<u8>,
    /// Each of them, as if `text` stood at the start of a record's texts.
    items: Vec<Item>,
}

impl Names {
    /// A name, where the texts of all begin at `start` of a record's texts.
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
    /// The programs of a layout; those that show values only where `records` are wanted.
    pub fn new(plan: &Plan, layout: &CompiledLayout, records: bool) -> Self {
        let mut programs = Self {
            read: read(plan, layout),
            ..Self::default()
        };
        if records {
            programs.shown = shown(plan, layout);
            for (name, ill_formed) in layout.names.iter().zip(&layout.ill_formed) {
                programs.names.push(name, *ill_formed);
            }
        }
        programs
    }
}

fn read(plan: &Plan, layout: &CompiledLayout) -> Option<Vec<Step>> {
    let mut steps = Vec::with_capacity(layout.roots);
    let mut conditional = false;
    for field in layout.own() {
        let program = plan.programs[field.op?.index()]
            .read
            .filter(|_| !field.optional)?;
        for step in &plan.steps[program.indexes()] {
            match (steps.last_mut(), step) {
                (Some(Step::Skip(before)), Step::Skip(size))
                    if !conditional && *before < 1 << 30 =>
                {
                    *before += size;
                }
                _ => steps.push(*step),
            }
            conditional |= matches!(step, Step::If(..));
        }
    }
    Some(steps)
}

fn shown(plan: &Plan, layout: &CompiledLayout) -> Option<Vec<Step>> {
    let mut steps = Vec::with_capacity(layout.roots * 3);
    for (number, field) in layout.own().iter().enumerate() {
        let program: StepRange = plan.programs[field.op?.index()]
            .shown
            .filter(|_| !field.optional)?;
        steps.push(Step::Code(layout.layout, field.code));
        steps.push(Step::FieldName(u32::try_from(number).ok()?));
        steps.extend_from_slice(&plan.steps[program.indexes()]);
    }
    Some(steps)
}
