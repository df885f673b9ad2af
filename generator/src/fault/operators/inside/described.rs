//! Text with an invalid description of fields.

use tracegauge_decoder::state::{TextItem, items};
use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{CheckKind, Code, Plan, SignaturePlan, TextPlan};

use super::InsideChange;
use crate::fault::apply::{At, Attack};
use crate::fault::splice::Edit;
use crate::fault::text;
use crate::fault::twin::Twin;

/// Returns the possible faults of a text field that describes fields.
pub(super) fn changes(
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

pub(super) fn signature_of<'p>(twin: &Twin<'p>, node: NodeId) -> Option<&'p SignaturePlan> {
    let plan = twin.plan;
    let mut tests = plan.tests_of(twin.node(node).op).iter();
    tests.find_map(|test| match test.kind {
        CheckKind::Signature(index) => plan.signatures.get(index),
        _ => None,
    })
}

/// Adds or changes one described field so that it is invalid.
pub(super) fn plant(
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
pub(super) fn spare_name(plan: &TextPlan, found: &[TextItem], text: &[u8]) -> Option<Vec<u8>> {
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
pub(super) fn added(plan: &TextPlan, text: &[u8], code: &[u8], name: &[u8]) -> Vec<u8> {
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

/// Renames the last described field.
pub(in crate::fault::operators) fn renamed(twin: &Twin<'_>, node: NodeId) -> Option<Edit> {
    let signature = signature_of(twin, node)?;
    let plan = &twin.plan.texts[signature.text];
    let old = twin.tree.bytes(node)?;
    let found = items(plan, old);
    let spare = spare_name(plan, &found, old)?;
    text::replace(twin, node, with(old, &found.last()?.name, &spare))
}
