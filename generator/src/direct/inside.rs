//! Writes the structured contents of text fields, null values, and sample rows.

use tracegauge_decoder::{Input, json, text as encodings};
use tracegauge_plan::terms::{Encoding, JsonKind, TableId};
use tracegauge_plan::{
    CheckKind, Code, CodeId, Constant, Derived, Extent, JsonPlan, JsonShape, Kind, OpId, Plan,
    TextCode, TextPlan,
};

use super::Directed;
use super::allowed;
use super::index::Index;
use super::severity::strict;
use super::text::TextRoom;
use crate::tape::Choices;

/// Sets the share of null values: on average, one in `NULL + 1` nullable fields is null.
const NULL: u64 = 7;

/// The maximum nesting depth of JSON lists and objects.
const DEEP: u32 = 3;

/// The maximum number of fields that a text field describes.
const MOST_FIELDS: u64 = 6;

/// The equivalent of [`MOST_FIELDS`] for plain traces.
const MOST_PLAIN_FIELDS: u64 = 2;

/// Names for the fields that a text field describes. One name contains every class of characters
/// that is common in identifiers.
const NAMES: [&str; 9] = [
    "v", "id", "name", "value", "x", "count", "url", "flag", "AZ_az09",
];

/// Common strings in JSON.
const WORDS: [&str; 6] = ["", "a", "draw call", "Größe", "追跡", "𝄞"];

/// Decides whether a field indicates that the rest of its structure is null. Returns the value that
/// indicates null, or `None` if the structure is not null.
pub fn null<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    known: Option<i128>,
) -> Option<i128> {
    let plan = machine.plan();
    let null = plan.info(op).null?;
    let emitter = machine.visitor_mut();
    let odd = emitter.options.odd;
    let text = emitter.index.null_texts.get(&op);
    let mut planned = emitter.planned.texts.iter();
    if let Some((text, bytes)) = planned.find(|(planned, _)| Some(planned) == text) {
        return (bytes.is_empty() && emitter.index.filled.contains(text)).then_some(null);
    }
    if !odd && (emitter.index.never_null.contains(&op) || emitter.is_plain(op)) {
        return None;
    }
    let wanted = known.map(|known| u64::from(known != null) * NULL);
    (emitter.choices.choose(NULL, wanted) == 0).then_some(null)
}

/// Returns the string for a text field that has structured contents or whose contents were chosen
/// together with a row.
pub fn text<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    room: TextRoom<'_>,
) -> Option<Vec<u8>> {
    let plan = machine.plan();
    let emitter = machine.visitor_mut();
    if emitter.options.odd {
        return None;
    }
    let planned = &mut emitter.planned.texts;
    if let Some(at) = planned.iter().rposition(|(planned, _)| *planned == op) {
        let (_, bytes) = planned.swap_remove(at);
        if bytes.len() as u64 <= room.most {
            return Some(bytes);
        }
    }
    let is_plain = emitter.is_plain(op);
    let choices = &mut emitter.choices;
    match emitter.index.inside.get(&op)? {
        CheckKind::Json(id) => {
            let json = &plan.json[*id];
            let mut text = json_text(choices, (plan, is_plain), json, room);
            // Trailing blanks do not change a JSON value.
            let blank = encodings::encode(" ", json.encoding)?;
            while !blank.is_empty() && (text.len() as u64) < room.least {
                text.extend_from_slice(&blank);
            }
            Some(text)
        }
        CheckKind::Signature(index) => {
            let signature = &plan.signatures[*index];
            let text = &plan.texts[signature.text];
            Some(signature_text(choices, (text, is_plain), room))
        }
        _ => None,
    }
}

fn json_text<C: Choices>(
    choices: &mut C,
    (plan, is_plain): (&Plan, bool),
    json: &JsonPlan,
    room: TextRoom<'_>,
) -> Vec<u8> {
    let fitting = |text: &str| {
        let bytes = encodings::encode(text, json.encoding)?;
        (bytes.len() as u64 <= room.most).then_some(bytes)
    };
    let samples = room.samples.iter();
    let samples: Vec<&String> = samples.filter(|text| json::parse(text).is_ok()).collect();
    if !samples.is_empty() && (is_plain || choices.choose(1, None) == 0) {
        let last = samples.len() as u64 - 1;
        let chosen = usize::try_from(choices.choose(last, None)).unwrap_or_default();
        if let Some(bytes) = samples.get(chosen).and_then(|sample| fitting(sample)) {
            return bytes;
        }
    }
    let mut text = String::new();
    match &json.shape {
        Some(shape) => {
            let place = (json.encoding, 0);
            write_shape(choices, (plan, is_plain), shape, place, &mut text);
        }
        None if is_plain => text.push_str("{}"),
        None => write_any(choices, json.encoding, 0, &mut text),
    }
    let least = || {
        let mut text = String::new();
        match &json.shape {
            Some(shape) => write_least(shape, &mut text),
            None => text.push('0'),
        }
        text.into_bytes()
    };
    fitting(&text).unwrap_or_else(least)
}

fn write_shape<C: Choices>(
    choices: &mut C,
    (plan, is_plain): (&Plan, bool),
    shape: &JsonShape,
    (encoding, depth): (Encoding, u32),
    out: &mut String,
) {
    // If no reader rejects a violation of the shape, occasionally write a value of any kind.
    if !is_plain && !strict(plan, shape.rule) && choices.choose(7, None) == 7 {
        return write_any(choices, encoding, depth + 1, out);
    }
    if !shape.one_of.is_empty() {
        let last = shape.one_of.len() as u64 - 1;
        let chosen = usize::try_from(choices.choose(last, None)).unwrap_or_default();
        return write_text(&shape.one_of[chosen], encoding, out);
    }
    let last = (shape.kinds.len() as u64).saturating_sub(1);
    let chosen = usize::try_from(choices.choose(last, None)).unwrap_or_default();
    match shape.kinds.get(chosen) {
        None => write_any(choices, encoding, depth, out),
        Some(JsonKind::Object) => {
            out.push('{');
            let mut first = true;
            for member in &shape.members {
                if !member.needed && choices.choose(1, None) == 0 {
                    continue;
                }
                part(&mut first, out);
                write_text(&member.name, encoding, out);
                out.push(':');
                let place = (encoding, depth + 1);
                write_shape(choices, (plan, is_plain), &member.shape, place, out);
            }
            let others = !is_plain && !strict(plan, shape.others);
            if others && choices.choose(3, None) == 3 {
                part(&mut first, out);
                out.push_str("\"other\":");
                write_any(choices, encoding, depth + 1, out);
            }
            out.push('}');
        }
        Some(JsonKind::Text) if is_plain => write_text("text", encoding, out),
        Some(kind) => write_kind(choices, *kind, encoding, depth, out),
    }
}

/// Writes the shortest JSON value that matches a shape.
fn write_least(shape: &JsonShape, out: &mut String) {
    match (shape.one_of.first(), shape.kinds.first()) {
        (Some(text), _) => write_text(text, Encoding::Ascii, out),
        (None, Some(JsonKind::Object)) => {
            out.push('{');
            let mut first = true;
            for member in shape.members.iter().filter(|member| member.needed) {
                part(&mut first, out);
                write_text(&member.name, Encoding::Ascii, out);
                out.push(':');
                write_least(&member.shape, out);
            }
            out.push('}');
        }
        (None, Some(JsonKind::List)) => out.push_str("[]"),
        (None, Some(JsonKind::Text)) => out.push_str("\"\""),
        (None, Some(JsonKind::Bool)) => out.push_str("true"),
        (None, Some(JsonKind::Nothing)) => out.push_str("null"),
        (None, Some(JsonKind::Number) | None) => out.push('0'),
    }
}

fn part(first: &mut bool, out: &mut String) {
    if !std::mem::take(first) {
        out.push(',');
    }
}

fn write_any<C: Choices>(choices: &mut C, encoding: Encoding, depth: u32, out: &mut String) {
    const KINDS: [JsonKind; 6] = [
        JsonKind::Number,
        JsonKind::Text,
        JsonKind::Nothing,
        JsonKind::Bool,
        JsonKind::List,
        JsonKind::Object,
    ];
    let last = if depth < DEEP { 5 } else { 3 };
    let chosen = usize::try_from(choices.choose(last, None)).unwrap_or_default();
    write_kind(choices, KINDS[chosen], encoding, depth, out);
}

fn write_kind<C: Choices>(
    choices: &mut C,
    kind: JsonKind,
    encoding: Encoding,
    depth: u32,
    out: &mut String,
) {
    match kind {
        JsonKind::Nothing => out.push_str("null"),
        JsonKind::Bool => {
            out.push_str(["false", "true"][usize::from(choices.choose(1, None) == 1)])
        }
        JsonKind::Number => {
            let whole = choices.choose(0xffff, None);
            if choices.choose(3, None) == 3 {
                out.push('-');
            }
            out.push_str(&whole.to_string());
            if choices.choose(3, None) == 3 {
                out.push_str(".25");
            }
        }
        JsonKind::Text => {
            let chosen = choices.choose(WORDS.len() as u64 - 1, None);
            let word = WORDS[usize::try_from(chosen).unwrap_or_default()];
            write_text(word, encoding, out);
        }
        JsonKind::List => {
            out.push('[');
            let mut first = true;
            for _ in 0..choices.choose(3, None) {
                part(&mut first, out);
                write_any(choices, encoding, depth + 1, out);
            }
            out.push(']');
        }
        JsonKind::Object => {
            out.push('{');
            let mut first = true;
            for number in 0..choices.choose(3, None) {
                part(&mut first, out);
                let name = NAMES[usize::try_from(number).unwrap_or_default()];
                write_text(name, encoding, out);
                out.push(':');
                write_any(choices, encoding, depth + 1, out);
            }
            out.push('}');
        }
    }
}

/// Writes a quoted string and escapes characters that the encoding cannot represent.
fn write_text(text: &str, encoding: Encoding, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        let plain = !matches!(character, '"' | '\\' | '\0'..='\u{1f}');
        let mut spelt = [0; 4];
        if plain && encodings::encode(character.encode_utf8(&mut spelt), encoding).is_some() {
            out.push(character);
            continue;
        }
        let mut units = [0; 2];
        for unit in character.encode_utf16(&mut units) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out.push('"');
}

fn signature_text<C: Choices>(
    choices: &mut C,
    (plan, is_plain): (&TextPlan, bool),
    room: TextRoom<'_>,
) -> Vec<u8> {
    let mut text = Vec::new();
    let mut used: Vec<Vec<u8>> = Vec::new();
    let least = u64::from(room.filled || is_plain);
    let most = if is_plain {
        MOST_PLAIN_FIELDS
    } else {
        MOST_FIELDS
    };
    let count = choices.choose(most, None).max(least);
    let most = room.most.max(room.least);
    for number in 0.. {
        if number >= count && text.len() as u64 >= room.least {
            break;
        }
        let mut code = Vec::new();
        write_code(choices, (plan, is_plain), &mut code);
        let name = name(choices, (plan, is_plain), &mut used);
        let before = text.len();
        if number > 0 {
            text.extend_from_slice(&plan.between);
            text.extend(plan.blank_after.then_some(b' '));
        }
        let (first, second) = if plan.code_first {
            (&code, &name)
        } else {
            (&name, &code)
        };
        let [before_first, middle, behind] = &plan.around;
        for part in [before_first, first, middle, second, behind] {
            text.extend_from_slice(part);
        }
        if text.len() as u64 > most + room.least {
            text.truncate(before);
            break;
        }
    }
    text
}

/// Writes a type code, including its element type if it is a container.
fn write_code<C: Choices>(choices: &mut C, (plan, is_plain): (&TextPlan, bool), out: &mut Vec<u8>) {
    let all: Vec<&TextCode> = plan.codes.iter().collect();
    let Some(code) = one_of(choices, &all) else {
        return;
    };
    let spelling = if !is_plain && choices.choose(3, None) == 3 {
        let fits = |text: &[u8]| text.iter().all(|byte| plan.code_bytes.has(*byte));
        let spellings = code.spellings.iter().filter(|(before, behind)| {
            fits(before) && behind.as_ref().is_none_or(|behind| fits(behind))
        });
        one_of(choices, &spellings.collect::<Vec<_>>())
    } else {
        code.spellings.first()
    };
    let Some((before, behind)) = spelling else {
        return;
    };
    out.extend_from_slice(before);
    let Some(behind) = behind else {
        return;
    };
    let plain = |code: &&TextCode| code.spellings.iter().all(|(_, behind)| behind.is_none());
    let wanted = |held: &&TextCode| code.holds.is_empty() || code.holds.contains(&held.code);
    let held: Vec<&TextCode> = plan.codes.iter().filter(plain).filter(wanted).collect();
    if let Some((text, _)) = one_of(choices, &held).and_then(|held| held.spellings.first()) {
        out.extend_from_slice(text);
    }
    out.extend_from_slice(behind);
}

fn one_of<'t, C: Choices, T: ?Sized>(choices: &mut C, all: &[&'t T]) -> Option<&'t T> {
    let last = (all.len() as u64).checked_sub(1)?;
    let chosen = usize::try_from(choices.choose(last, None)).unwrap_or_default();
    all.get(chosen).copied()
}

/// Chooses a name that no earlier field uses.
fn name<C: Choices>(
    choices: &mut C,
    (plan, is_plain): (&TextPlan, bool),
    used: &mut Vec<Vec<u8>>,
) -> Vec<u8> {
    let is_usual = |byte: u8| !is_plain || byte.is_ascii_lowercase();
    let fits = |name: &&str| {
        let mut bytes = name.bytes();
        bytes.all(|byte| plan.name_bytes.has(byte) && is_usual(byte))
    };
    let names: Vec<&str> = NAMES.iter().copied().filter(fits).collect();
    let spare = plan.name_bytes.bytes().find(u8::is_ascii_alphanumeric);
    let mut name = match one_of(choices, &names) {
        Some(name) => name.as_bytes().to_vec(),
        None => vec![spare.unwrap_or(b'n')],
    };
    while used.contains(&name) {
        name.push(spare.unwrap_or(b'n'));
    }
    used.push(name.clone());
    name
}

/// Occasionally plans the contents of a structure that defines a row, based on a sample row from
/// the description.
pub fn sample<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
    table: TableId,
) {
    let plan = machine.plan();
    let emitter = machine.visitor_mut();
    if emitter.options.odd || emitter.script.is_some() || emitter.choices.choose(2, None) == 0 {
        return;
    }
    let rows = plan.tables[table].samples.iter();
    let rows: Vec<Vec<(OpId, Constant)>> = rows
        .map(|row| {
            let fields = row.fields.iter();
            let found =
                fields.filter_map(|(path, value)| Some((field(plan, op, path)?, value.clone())));
            found.collect()
        })
        .filter(|fields: &Vec<(OpId, Constant)>| {
            fields.iter().all(|(field, value)| {
                let list = emitter.index.unique.get(field);
                let used = list.and_then(|list| emitter.used.get(list));
                match value {
                    Constant::Text(text) => used.is_none_or(|used| !used.contains(text)),
                    _ => true,
                }
            })
        })
        .collect();
    let Some(row) = one_of(&mut emitter.choices, &rows.iter().collect::<Vec<_>>()).cloned() else {
        return;
    };
    for leaf in leaves(plan, op) {
        let given = row.iter().find(|(field, _)| *field == leaf);
        let value = given.map(|(_, value)| value);
        match plan.op(leaf).kind {
            Kind::Text(..) | Kind::Terminated(_) => {
                let bytes = match value {
                    Some(Constant::Text(text)) => text.clone(),
                    _ => Vec::new(),
                };
                let list = machine.visitor().index.unique.get(&leaf).copied();
                let emitter = machine.visitor_mut();
                if let Some(list) = list {
                    emitter.used.entry(list).or_default().insert(bytes.clone());
                }
                emitter.planned.texts.push((leaf, bytes));
            }
            _ => {
                let index = machine.visitor().index;
                let written = index.written.contains_key(&leaf) || index.keys.contains_key(&leaf);
                let number = match value {
                    Some(Constant::Int(number)) => *number,
                    Some(Constant::Bool(value)) => i128::from(*value),
                    _ => 0,
                };
                if !written && allowed::domain(machine, index, leaf).contains(number) {
                    machine.visitor_mut().planned.numbers.push((leaf, number));
                }
            }
        }
    }
}

/// Discards the values that were planned for a structure but not written before the structure
/// ended.
pub fn forget<I: Input, C: Choices, const TREE: bool>(
    machine: Directed<'_, '_, '_, I, C, TREE>,
    op: OpId,
) {
    if !machine.visitor().index.samples.contains_key(&op) {
        return;
    }
    let inside = op.0..machine.plan().op(op).end;
    let emitter = machine.visitor_mut();
    emitter
        .planned
        .texts
        .retain(|(planned, _)| !inside.contains(&planned.0));
    emitter
        .planned
        .numbers
        .retain(|(planned, _)| !inside.contains(&planned.0));
}

/// Returns the field at the end of a path that starts at a structure.
fn field(plan: &Plan, structure: OpId, path: &str) -> Option<OpId> {
    let mut at = structure;
    for name in path.split('.') {
        at = plan.children(at).find(|child| {
            let label = plan.info(*child).label;
            label.is_some_and(|label| plan.name(label) == name)
        })?;
    }
    Some(shown(plan, at))
}

/// If an operation is a transparent structure, which is represented by one of its fields, returns
/// that field. Otherwise, returns the operation itself.
fn shown(plan: &Plan, op: OpId) -> OpId {
    if !matches!(plan.op(op).kind, Kind::Structure) || !plan.info(op).presentation.transparent {
        return op;
    }
    let mut children = plan.children(op);
    children
        .find(|child| plan.info(*child).name.is_none())
        .map_or(op, |child| shown(plan, child))
}

/// Returns the numbers and strings directly inside a structure. Transparent structures are replaced
/// by the field that represents them.
fn leaves(plan: &Plan, structure: OpId) -> Vec<OpId> {
    let children = plan.children(structure);
    let shown = children.map(|child| shown(plan, child));
    shown
        .filter(|leaf| {
            let kind = &plan.op(*leaf).kind;
            matches!(
                kind,
                Kind::Text(..) | Kind::Terminated(_) | Kind::Integer(_)
            )
        })
        .collect()
}

impl Index {
    /// Records the tests that parse the contents of text fields, and the text fields that a null
    /// indicator controls.
    pub(super) fn look_inside(&mut self, plan: &Plan, id: OpId) {
        let info = plan.info(id);
        for check in plan.tests_of(id) {
            if matches!(check.kind, CheckKind::Json(_) | CheckKind::Signature(_)) {
                self.inside.insert(id, check.kind.clone());
            }
        }
        let (Some(null), Some(parent)) = (info.null, info.parent) else {
            return;
        };
        let behind = plan.children(parent).filter(|child| *child > id);
        for text in behind.filter(|child| matches!(plan.op(*child).kind, Kind::Text(..))) {
            self.null_texts.insert(id, text);
            let is_size = |code: CodeId| plan.codes[code.index()] == Code::Slot(plan.op(id).slot);
            let of_empty = match (&info.derived, &plan.op(text).kind) {
                (Some(Derived::Measured { scale, .. }), _) => scale.value(0).unwrap_or(scale.add),
                (None, Kind::Text(Extent::Computed(size), _)) if is_size(*size) => 0,
                _ => null,
            };
            if of_empty == null {
                self.filled.insert(text);
            }
        }
    }

    /// Records the null indicators of structures whose tests exclude null, and the structures that
    /// have sample rows.
    pub(super) fn look_at_rows(&mut self, plan: &Plan, id: OpId) {
        let Some(effects) = plan.info(id).effects else {
            return;
        };
        let effects = &plan.effects[effects];
        for check in &effects.checks {
            let CheckKind::Holds(code) = check.kind else {
                continue;
            };
            let nulls = plan
                .children(id)
                .filter(|child| plan.info(*child).null.is_some());
            for null in nulls {
                let following = plan.children(id).find(|child| *child > null);
                let guard = following.map(|child| plan.op(child).guard);
                if guard == Some(code) && strict(plan, check.rule) {
                    self.never_null.insert(null);
                }
            }
        }
        if let Some(define) = &effects.defines
            && !plan.tables[define.table].samples.is_empty()
        {
            self.samples.insert(id, define.table);
        }
    }
}
