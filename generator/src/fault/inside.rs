//! Plants faults in structured contents: invalid JSON or JSON of the wrong shape, invalid field
//! descriptions, null where a value is required, and rows whose fields do not match their kind. A
//! kind is a special type that the description declares for rows with certain contents.

use tracegauge_decoder::state::{TextItem, items};
use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::{JsonKind, RuleId};
use tracegauge_plan::{
    CheckKind, Code, CodeId, JsonPlan, JsonShape, Kind, OpId, Plan, SignaturePlan, TextPlan,
};

use super::apply::{At, Attack, Blame};
use super::evaluate::{Moment, Value};
use super::operator::InsideChange;
use super::splice::{Edit, Splice};
use super::text;
use super::twin::Twin;

/// Names of cases, each with its invalid JSON.
const NOT_JSON: &[(&str, &str)] = &[
    ("json-nothing", " "),
    ("json-open-object", "{\"a\":1"),
    ("json-open-text", "\"a"),
    ("json-trailing-comma", "[1,]"),
    ("json-single-quotes", "'a'"),
    ("json-bare-name", "{a:1}"),
    ("json-word", "NaN"),
    ("json-leading-zero", "01"),
    ("json-two-values", "1 2"),
    ("json-control-character", "\"\u{1}\""),
    ("json-bad-escape", "\"\\x\""),
    ("json-closed-wrong", "[}"),
];

/// The name of the case with JSON that is nested too deeply.
const DEEP: &str = "json-deep";

/// The nesting depth of the JSON in the case [`DEEP`].
const DEPTH: usize = 5000;

/// A fault in JSON: the rule, a name that distinguishes the fault from others, and the faulty JSON.
type OfShape = (Option<RuleId>, String, String);

/// Returns the possible faults of a text field that contains JSON.
pub(super) fn json_changes(json: &JsonPlan) -> Vec<(Option<RuleId>, InsideChange)> {
    let mut changes = Vec::new();
    for (class, _) in NOT_JSON {
        changes.push((json.rule, InsideChange::NotJson(class)));
    }
    if json.depth.is_some() {
        changes.push((json.depth, InsideChange::NotJson(DEEP)));
    }
    if let Some(shape) = &json.shape {
        let faults = of_shape(shape).into_iter();
        changes.extend(faults.map(|(rule, what, _)| (rule, InsideChange::Shape(what))));
    }
    changes
}

/// Returns JSON values that match a shape except for one fault in each value.
fn of_shape(shape: &JsonShape) -> Vec<OfShape> {
    const KINDS: [(JsonKind, &str, &str); 6] = [
        (JsonKind::Nothing, "null", "null"),
        (JsonKind::Bool, "bool", "true"),
        (JsonKind::Number, "number", "7"),
        (JsonKind::Text, "text", "\"\""),
        (JsonKind::List, "list", "[]"),
        (JsonKind::Object, "object", "{}"),
    ];
    let mut faults = Vec::new();
    for (kind, name, text) in KINDS {
        let other_kind = !shape.kinds.is_empty() && !shape.kinds.contains(&kind);
        let other_text = !shape.one_of.is_empty();
        let rule = if other_kind {
            shape.rule
        } else {
            shape.one_of_rule
        };
        if other_kind || other_text {
            faults.push((rule, name.to_owned(), text.to_owned()));
        }
    }
    for member in &shape.members {
        if member.needed {
            let what = format!("no-{}", member.name);
            let text = object(shape, &member.name, None);
            faults.push((member.shape.rule, what, text));
        }
        for (rule, what, text) in of_shape(&member.shape) {
            let what = format!("{}-{what}", member.name);
            faults.push((rule, what, object(shape, &member.name, Some(&text))));
        }
    }
    if shape.others.is_some() {
        let text = object(shape, "unheard-of", Some("[1]"));
        faults.push((shape.others, "other-member".to_owned(), text));
    }
    faults
}

/// Returns an object that has only the required members of a shape, except that one member has the
/// given value or is omitted.
fn object(shape: &JsonShape, changed: &str, value: Option<&str>) -> String {
    let needed = shape.members.iter().filter(|member| member.needed);
    let needed = needed.filter(|member| member.name != changed);
    let mut members: Vec<String> = needed
        .map(|member| format!("\"{}\":{}", member.name, least(&member.shape)))
        .collect();
    members.extend(value.map(|value| format!("\"{changed}\":{value}")));
    format!("{{{}}}", members.join(","))
}

fn least(shape: &JsonShape) -> String {
    match (shape.one_of.first(), shape.kinds.first()) {
        (Some(text), _) => format!("\"{text}\""),
        (None, Some(JsonKind::Object)) => object(shape, "", None),
        (None, Some(JsonKind::List)) => "[]".to_owned(),
        (None, Some(JsonKind::Text)) => "\"x\"".to_owned(),
        (None, Some(JsonKind::Bool)) => "true".to_owned(),
        (None, Some(JsonKind::Nothing)) => "null".to_owned(),
        (None, Some(JsonKind::Number) | None) => "0".to_owned(),
    }
}

/// Returns the possible faults of a text field that describes fields.
pub(super) fn signature_changes(
    plan: &Plan,
    signature: &SignaturePlan,
) -> Vec<(Option<RuleId>, InsideChange)> {
    let mut changes = vec![
        (signature.code, InsideChange::Described("unknown-code")),
        (signature.missing, InsideChange::Described("no-name")),
        (signature.missing, InsideChange::Described("empty-item")),
        (signature.unique, InsideChange::Described("name-twice")),
        (signature.rest, InsideChange::Described("junk-behind-name")),
        (signature.blanks, InsideChange::Described("blank-before")),
        (signature.blanks, InsideChange::Described("blank-between")),
        (signature.blanks, InsideChange::Described("blank-behind")),
        (signature.blanks, InsideChange::Described("blank-in-code")),
    ];
    for (holder, rule) in &signature.holds {
        let held = not_held(&plan.texts[signature.text], *holder);
        let held = held
            .into_iter()
            .map(|held| InsideChange::Holds(*holder, Some(held)));
        changes.extend(held.map(|change| (*rule, change)));
        let unknown = InsideChange::Holds(*holder, None);
        changes.push((signature.code, unknown));
    }
    for (number, check) in signature.names.iter().enumerate() {
        if constant_name(plan, signature, number).is_some() {
            changes.push((check.rule, InsideChange::Name(number)));
        }
    }
    changes
}

/// Returns the non-container type codes that the container code `holder` must not contain.
fn not_held(text: &TextPlan, holder: i128) -> Vec<i128> {
    let Some(holder) = text.code(holder) else {
        return Vec::new();
    };
    let plain = text.codes.iter().filter(|code| {
        let mut spellings = code.spellings.iter();
        spellings.all(|(_, behind)| behind.is_none()) && !holder.holds.contains(&code.code)
    });
    plain.map(|code| code.code).collect()
}

/// Returns the constant that a test compares names with.
fn constant_name(plan: &Plan, signature: &SignaturePlan, number: usize) -> Option<Vec<u8>> {
    let check = signature.names.get(number)?;
    let CheckKind::Holds(code) = check.kind else {
        return None;
    };
    let mut open = vec![code];
    while let Some(code) = open.pop() {
        match &plan.codes[code.index()] {
            Code::Text(constant) => return plan.constants.get(*constant).cloned(),
            Code::Binary(_, left, right) => open.extend([*left, *right]),
            Code::Unary(_, inner) => open.push(*inner),
            _ => {}
        }
    }
    None
}

/// Returns the null indicator field of a structure, if a test requires that this field does not
/// indicate null.
pub(super) fn null_field(plan: &Plan, structure: OpId, kind: &CheckKind) -> Option<OpId> {
    let CheckKind::Holds(code) = kind else {
        return None;
    };
    let mut nulls = plan.children(structure);
    let null = nulls.find(|child| plan.info(*child).null.is_some())?;
    let next = plan.children(structure).find(|child| *child > null)?;
    (plan.op(next).guard == *code).then_some(null)
}

/// Plants a fault in the contents of a text field, or omits the text.
pub(super) fn inside(
    twin: &Twin<'_>,
    node: NodeId,
    rule: Option<RuleId>,
    change: &InsideChange,
) -> Option<Attack> {
    match change {
        InsideChange::NotJson(class) => {
            let text = match *class {
                DEEP => format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH)),
                class => NOT_JSON
                    .iter()
                    .find(|(known, _)| *known == class)?
                    .1
                    .to_owned(),
            };
            whole(twin, node, rule, text)
        }
        InsideChange::Shape(what) => {
            let shape = json_of(twin, node)?.shape.as_ref()?;
            let (_, _, text) = of_shape(shape)
                .into_iter()
                .find(|(_, known, _)| known == what)?;
            whole(twin, node, rule, text)
        }
        InsideChange::Described(_) | InsideChange::Holds(..) | InsideChange::Name(_) => {
            described(twin, node, rule, change)
        }
        InsideChange::Kind => other_fields(twin, node),
        InsideChange::Null => null(twin, node, rule),
    }
}

fn json_of<'p>(twin: &Twin<'p>, node: NodeId) -> Option<&'p JsonPlan> {
    let plan = twin.plan;
    let mut tests = plan.tests_of(twin.node(node).op).iter();
    tests.find_map(|test| match test.kind {
        CheckKind::Json(id) => plan.json.get(id),
        _ => None,
    })
}

fn signature_of<'p>(twin: &Twin<'p>, node: NodeId) -> Option<&'p SignaturePlan> {
    let plan = twin.plan;
    let mut tests = plan.tests_of(twin.node(node).op).iter();
    tests.find_map(|test| match test.kind {
        CheckKind::Signature(index) => plan.signatures.get(index),
        _ => None,
    })
}

/// Replaces the whole text.
fn whole(twin: &Twin<'_>, node: NodeId, rule: Option<RuleId>, text: String) -> Option<Attack> {
    let encoding = text::encoding(&twin.op(node).kind)?;
    let bytes = tracegauge_decoder::text::encode(&text, encoding)?;
    let edit = text::replace(twin, node, bytes)?;
    Some(Attack::new(edit, rule, twin.path(node), At::Node(node, 0)))
}

/// Adds or changes one described field so that it is invalid.
fn described(
    twin: &Twin<'_>,
    node: NodeId,
    rule: Option<RuleId>,
    change: &InsideChange,
) -> Option<Attack> {
    let signature = signature_of(twin, node)?;
    let plan = &twin.plan.texts[signature.text];
    let old = twin.tree.bytes(node)?;
    let found = items(plan, old);
    let last = found.last()?;
    let first_code = plan.codes.iter().find(|code| {
        let spelled = code.spellings.first();
        spelled.is_some_and(|(_, behind)| behind.is_none())
    })?;
    let plain = first_code.spellings.first()?.0.clone();
    let unknown = unknown_code(plan)?;
    let spare = spare_name(plan, &found, old)?;
    let (new, blamed): (Vec<u8>, fn(&TextItem) -> usize) = match change {
        InsideChange::Described("unknown-code") => {
            (added(plan, old, &unknown, &spare), |item| item.code.start)
        }
        InsideChange::Described("no-name") => (joined(plan, old, &plain), |item| item.whole.start),
        InsideChange::Described("empty-item") => (joined(plan, old, b""), |item| item.whole.start),
        InsideChange::Described("name-twice") if found.len() > 1 => {
            let name = old.get(found.first()?.name.clone())?;
            (with(old, &last.name, name), |item| item.name.start)
        }
        InsideChange::Described("junk-behind-name") => {
            let junk = (b'!'..=b'~')
                .find(|byte| !plan.name_bytes.has(*byte) && !plan.between.contains(byte))?;
            let end = last.name.end..last.name.end;
            (with(old, &end, &[junk]), |item| item.rest.start)
        }
        InsideChange::Described("blank-in-code") => {
            let (before, held, behind) = holding(plan)?;
            let code = [before, b" ", held, behind].concat();
            (added(plan, old, &code, &spare), needless)
        }
        InsideChange::Described(blank @ ("blank-before" | "blank-between" | "blank-behind")) => {
            let at = match *blank {
                "blank-before" => last.whole.start,
                "blank-between" => last.code.end.min(last.name.end),
                _ => last.whole.end,
            };
            (with(old, &(at..at), b" "), needless)
        }
        InsideChange::Holds(holder, held) => {
            let held = match held.and_then(|held| plan.code(held)) {
                Some(code) => code.spellings.first()?.0.clone(),
                None => unknown,
            };
            let (before, behind) = plan.code(*holder)?.spellings.first()?;
            let code = [before.as_slice(), &held, behind.as_ref()?].concat();
            (added(plan, old, &code, &spare), |item| item.code.start)
        }
        InsideChange::Name(number) => {
            let name = constant_name(twin.plan, signature, *number)?;
            (with(old, &last.name, &name), |item| item.name.start)
        }
        _ => return None,
    };
    let start = items(plan, &new).last().map(blamed)?;
    let edit = text::replace(twin, node, new)?;
    Some(Attack::new(
        edit,
        rule,
        twin.path(node),
        At::Node(node, start as u64),
    ))
}

/// Returns the position of the first unnecessary blank.
fn needless(item: &TextItem) -> usize {
    item.blank.as_ref().map_or(0, |blank| blank.start)
}

/// Returns a container code and an element code as three parts: prefix, element, and suffix.
fn holding(plan: &TextPlan) -> Option<(&[u8], &[u8], &[u8])> {
    plan.codes.iter().find_map(|code| {
        let (before, behind) = code.spellings.first()?;
        let held = code.holds.first().and_then(|held| plan.code(*held))?;
        let (held, _) = held.spellings.first()?;
        Some((before.as_slice(), held.as_slice(), behind.as_deref()?))
    })
}

/// Returns an undeclared type code.
fn unknown_code(plan: &TextPlan) -> Option<Vec<u8>> {
    let letter = plan.code_bytes.bytes().find(u8::is_ascii_alphabetic)?;
    let known = |code: &[u8]| {
        let mut spellings = plan.codes.iter().flat_map(|code| &code.spellings);
        spellings.any(|(text, _)| text == code)
    };
    (4..64)
        .map(|length| vec![letter; length])
        .find(|code| !known(code))
}

/// Returns a name that no field uses.
fn spare_name(plan: &TextPlan, found: &[TextItem], text: &[u8]) -> Option<Vec<u8>> {
    let letter = plan.name_bytes.bytes().find(u8::is_ascii_alphabetic)?;
    let used = |name: &[u8]| {
        found
            .iter()
            .any(|item| text.get(item.name.clone()) == Some(name))
    };
    (1..1000)
        .map(|length| vec![letter; length])
        .find(|name| !used(name))
}

/// Appends a described field.
fn added(plan: &TextPlan, text: &[u8], code: &[u8], name: &[u8]) -> Vec<u8> {
    let [before, middle, behind] = &plan.around;
    let (first, second) = if plan.code_first {
        (code, name)
    } else {
        (name, code)
    };
    joined(
        plan,
        text,
        &[before, first, middle, second, behind].concat(),
    )
}

fn joined(plan: &TextPlan, text: &[u8], item: &[u8]) -> Vec<u8> {
    let blank: &[u8] = if plan.blank_after { b" " } else { b"" };
    [text, &plan.between, blank, item].concat()
}

fn with(text: &[u8], range: &std::ops::Range<usize>, new: &[u8]) -> Vec<u8> {
    [&text[..range.start], new, &text[range.end..]].concat()
}

/// Adds the description of a field that rows of this kind do not have.
fn other_fields(twin: &Twin<'_>, node: NodeId) -> Option<Attack> {
    let row = twin
        .outward(node)
        .find(|at| twin.define_of(*at).is_some())?;
    let define = twin.define_of(row)?;
    let at = Moment::after(twin, row);
    let holds = |code: CodeId| twin.evaluate(code, at, &Value::Absent);
    let kind = define.kinds.iter().find(|kind| {
        holds(kind.when).is_some_and(|value| value != Value::Int(0) && value != Value::Absent)
    })?;
    let kind = &twin.plan.tables[define.table].kinds[kind.kind];
    kind.codes.as_ref()?;
    let signature = signature_of(twin, node)?;
    let plan = &twin.plan.texts[signature.text];
    let old = twin.tree.bytes(node)?;
    let plain = plan
        .codes
        .iter()
        .find_map(|code| match code.spellings.first() {
            Some((text, None)) => Some(text),
            _ => None,
        })?;
    let spare = spare_name(plan, &items(plan, old), old)?;
    let edit = text::replace(twin, node, added(plan, old, plain, &spare))?;
    Some(Attack::new(
        edit,
        kind.signature,
        twin.path(row),
        At::Node(row, 0),
    ))
}

/// Makes a structure null: changes its null indicator and removes the rest.
fn null(twin: &Twin<'_>, node: NodeId, rule: Option<RuleId>) -> Option<Attack> {
    let null = twin.info(node).null?;
    if twin.integer(node)? == null {
        return None;
    }
    let structure = twin.parent(node)?;
    let behind = twin.tree.children(structure).filter(|child| *child > node);
    let mut edits = vec![twin.set(node, null)?];
    edits.extend(behind.map(|node| Edit::Remove { node }));
    Some(Attack {
        splice: Splice {
            edits,
            ..Splice::default()
        },
        blame: vec![Blame {
            rule,
            path: twin.path(structure),
            at: At::Node(node, 0),
        }],
    })
}

/// Renames the last described field.
pub(super) fn renamed(twin: &Twin<'_>, node: NodeId) -> Option<Edit> {
    let signature = signature_of(twin, node)?;
    let plan = &twin.plan.texts[signature.text];
    let old = twin.tree.bytes(node)?;
    let found = items(plan, old);
    let spare = spare_name(plan, &found, old)?;
    text::replace(twin, node, with(old, &found.last()?.name, &spare))
}

/// Returns whether an operation reads text with structured contents, so that not every string is
/// valid.
pub(super) fn holds_more(plan: &Plan, op: OpId) -> bool {
    let described = plan.op(op);
    if !matches!(described.kind, Kind::Text(..) | Kind::Terminated(_)) {
        return false;
    }
    let mut tests = plan.tests_of(op).iter();
    tests.any(|check| matches!(check.kind, CheckKind::Json(_) | CheckKind::Signature(_)))
}
