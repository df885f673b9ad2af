//! Parses field descriptions that a trace stores as text.

use std::ops::Range;

use tracegauge_plan::{LayoutUseId, NestedForm, Plan, TextPlan};

use super::layout::{CompiledLayout, DescribedField, nested_of, sizes};

/// A field description in text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextItem {
    /// The range of the whole item, without surrounding blanks.
    pub whole: Range<usize>,
    /// The range of the field's type code.
    pub code: Range<usize>,
    /// The range of the field's name, which is empty if the field has no name.
    pub name: Range<usize>,
    /// The range of the text in this item that follows the type code and the name.
    pub rest: Range<usize>,
    /// The range of the first unnecessary blanks, if any.
    pub blank: Option<Range<usize>>,
    /// The type codes, outermost first. Each type contains the type of the next code.
    pub codes: Vec<i128>,
    /// Whether all codes are declared and the innermost type contains no other type.
    pub known: bool,
}

/// Splits `text` into field descriptions. Empty text describes no fields.
pub fn items(plan: &TextPlan, text: &[u8]) -> Vec<TextItem> {
    let mut items = Vec::new();
    if text.is_empty() {
        return items;
    }
    let mut start = 0;
    loop {
        let end = find(text, start, &plan.between).unwrap_or(text.len());
        let mut item = item(plan, text, trim(plan, text, start..end));
        item.blank = needless(plan, text, start..end, &item);
        items.push(item);
        if end == text.len() {
            return items;
        }
        start = end + plan.between.len();
    }
}

fn item(plan: &TextPlan, text: &[u8], whole: Range<usize>) -> TextItem {
    let mut item = TextItem {
        code: whole.clone(),
        name: whole.end..whole.end,
        rest: whole.end..whole.end,
        blank: None,
        whole,
        codes: Vec::new(),
        known: false,
    };
    let parts = if plan.code_first {
        code_and_name(plan, text, &item.whole)
    } else {
        name_and_code(plan, text, &item.whole)
    };
    if let Some((code, name, end)) = parts {
        item.code = code;
        item.name = name;
        let suffix = text[end..item.whole.end].starts_with(&plan.around[2]);
        let end = if suffix {
            end + plan.around[2].len()
        } else {
            end
        };
        item.rest = trim(plan, text, end..item.whole.end);
    }
    let named = codes(plan, &text[item.code.clone()]);
    let start = item.code.start;
    item.blank = named.blank.map(|at| start + at..start + at + 1);
    (item.codes, item.known) = (named.codes, named.known);
    item
}

/// Returns the range of the first unnecessary blanks in an item. `own` is the item's range
/// including the blanks around it.
fn needless(
    plan: &TextPlan,
    text: &[u8],
    own: Range<usize>,
    item: &TextItem,
) -> Option<Range<usize>> {
    let written = plan.blank_after && own.start > 0 && text[own.clone()].first() == Some(&b' ');
    let before = own.start + usize::from(written)..item.whole.start;
    let (first, second) = if plan.code_first {
        (&item.code, &item.name)
    } else {
        (&item.name, &item.code)
    };
    let between = first.end..second.start.max(first.end);
    let parted = item.name.is_empty() || text[between.clone()] == plan.around[1][..];
    let behind = item.whole.end..own.end;
    let all = [
        (!before.is_empty()).then_some(before),
        item.blank.clone(),
        (!parted).then_some(between),
        (!behind.is_empty()).then_some(behind),
    ];
    all.into_iter().flatten().next()
}

type Parts = (Range<usize>, Range<usize>, usize);

/// Splits an item into its type code and its name. The code may contain the separator, so the code
/// ends at the last separator that is followed by a name.
fn code_and_name(plan: &TextPlan, text: &[u8], whole: &Range<usize>) -> Option<Parts> {
    let start = after(text, whole, &plan.around[0])?;
    let run = run(text, start..whole.end, |byte| plan.code_bytes.has(byte));
    for at in (start + 1..=run.end).rev() {
        let Some(behind) = after(text, &(at..whole.end), &plan.around[1]) else {
            continue;
        };
        let name = named(plan, text, behind..whole.end);
        if !name.is_empty() {
            let code = trim(plan, text, start..at);
            return (!code.is_empty()).then(|| (code, name.clone(), name.end));
        }
    }
    None
}

fn name_and_code(plan: &TextPlan, text: &[u8], whole: &Range<usize>) -> Option<Parts> {
    let start = after(text, whole, &plan.around[0])?;
    let name = named(plan, text, start..whole.end);
    let parted = trim(plan, text, name.end..whole.end);
    let behind = after(text, &parted, &plan.around[1])?;
    let run = run(text, behind..whole.end, |byte| plan.code_bytes.has(byte));
    let end = run.end;
    (!name.is_empty()).then(|| (trim(plan, text, run), name, end))
}

/// Returns the range of the name at the start of `range`.
fn named(plan: &TextPlan, text: &[u8], range: Range<usize>) -> Range<usize> {
    let range = trim(plan, text, range);
    run(text, range, |byte| plan.name_bytes.has(byte))
}

fn run(text: &[u8], range: Range<usize>, fits: impl Fn(u8) -> bool) -> Range<usize> {
    let length = text[range.clone()].iter().take_while(|byte| fits(**byte));
    range.start..range.start + length.count()
}

/// Returns the position after `wanted` if `range` begins with it.
fn after(text: &[u8], range: &Range<usize>, wanted: &[u8]) -> Option<usize> {
    let begins = text[range.clone()].starts_with(wanted);
    begins.then(|| range.start + wanted.len())
}

fn find(text: &[u8], start: usize, wanted: &[u8]) -> Option<usize> {
    let mut windows = text[start..].windows(wanted.len().max(1));
    windows
        .position(|found| found == wanted)
        .map(|at| start + at)
}

fn trim(plan: &TextPlan, text: &[u8], range: Range<usize>) -> Range<usize> {
    if !plan.blanks {
        return range;
    }
    let blank = |at: &usize| text[*at].is_ascii_whitespace();
    let start = range.clone().find(|at| !blank(at)).unwrap_or(range.end);
    let end = (start..range.end).rev().find(|at| !blank(at));
    start..end.map_or(start, |end| end + 1)
}

/// The type codes in a field description, parsed from text.
struct Codes {
    /// The type codes, outermost first.
    codes: Vec<i128>,
    /// Whether the whole text consists of declared codes.
    known: bool,
    /// The position of the first blank around a nested code.
    blank: Option<usize>,
}

fn codes(plan: &TextPlan, text: &[u8]) -> Codes {
    let mut found = Codes {
        codes: Vec::new(),
        known: false,
        blank: None,
    };
    let mut left = 0..text.len();
    loop {
        let inner = trim(plan, text, left.clone());
        if inner != left && found.blank.is_none() {
            let before = inner.start > left.start;
            found.blank = Some(if before { left.start } else { inner.end });
        }
        left = inner;
        let wanted = &text[left.clone()];
        let spelled = |(_, behind): &(Vec<u8>, Option<Vec<u8>>)| behind.is_none();
        let plain = plan.codes.iter().find(|code| {
            let mut spellings = code.spellings.iter().filter(|one| spelled(one));
            spellings.any(|(text, _)| text == wanted)
        });
        if let Some(plain) = plain {
            found.codes.push(plain.code);
            found.known = true;
            return found;
        }
        let holder = plan.codes.iter().find_map(|code| {
            let mut spellings = code.spellings.iter();
            spellings.find_map(|(before, behind)| {
                let behind = behind.as_ref()?;
                let fits = wanted.len() > before.len() + behind.len()
                    && wanted.starts_with(before)
                    && wanted.ends_with(behind);
                fits.then_some((code.code, before.len(), behind.len()))
            })
        });
        let Some((code, before, behind)) = holder else {
            return found;
        };
        found.codes.push(code);
        left = left.start + before..left.end - behind;
    }
}

/// Compiles the fields that `text` describes.
pub fn compile_text(plan: &Plan, layout: LayoutUseId, text: &[u8]) -> CompiledLayout {
    let described = &plan.layouts[layout];
    let found = match described.text {
        Some(number) => items(&plan.texts[number], text),
        None => Vec::new(),
    };
    let mut compiled = CompiledLayout {
        layout,
        fields: Vec::new(),
        roots: found.len(),
        names: Vec::new(),
        ill_formed: Vec::new(),
        looked_up: false,
    };
    let field = |code: Option<&i128>| {
        let codes = &described.codes;
        let at = code.and_then(|code| codes.iter().position(|known| known.code == *code));
        DescribedField {
            op: at.map(|at| codes[at].op),
            code: at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX),
            optional: false,
            inside: (0, 0),
            count: 0,
            size: at.and_then(|at| codes[at].size),
            nothing: false,
            located: false,
        }
    };
    for item in &found {
        compiled.fields.push(field(item.codes.first()));
        let name = &text[item.name.clone()];
        compiled.names.push(name.into());
        compiled.ill_formed.push(std::str::from_utf8(name).is_err());
    }
    for (root, item) in found.iter().enumerate() {
        let mut holder = root;
        for held in 1..=item.codes.len() {
            let counted = compiled.fields[holder]
                .op
                .and_then(|op| nested_of(plan, op))
                .is_some_and(|nested| matches!(nested.form, NestedForm::Counted(_)));
            if !counted {
                break;
            }
            let inside = compiled.fields.len();
            compiled.fields[holder].inside = (u32::try_from(inside).unwrap_or(u32::MAX), 1);
            compiled.fields.push(field(item.codes.get(held)));
            compiled.names.push(Box::default());
            compiled.ill_formed.push(false);
            holder = inside;
        }
    }
    sizes(plan, &mut compiled);
    compiled
}
