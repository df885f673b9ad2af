//! Invalid structured contents: invalid JSON or JSON of the wrong shape, invalid field descriptions,
//! null where a value is required, and rows whose fields do not match their kind. A kind is a
//! special type that the description declares for rows with certain contents.

mod described;
mod json;

use tracegauge_decoder::state::items;
use tracegauge_decoder::tree::NodeId;
use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{CheckKind, CodeId, JsonPlan, Kind, OpId, Plan};

use super::{Plant, Words};
use crate::fault::apply::{At, Attack, Blame};
use crate::fault::evaluate::{Moment, Value};
use crate::fault::no_case::NoCase;
use crate::fault::operator::Site;
use crate::fault::site::{Finder, Subject};
use crate::fault::splice::{Edit, Splice};
use crate::fault::text;
use crate::fault::twin::Twin;
use described::{added, signature_of, spare_name};

pub(super) use described::renamed;

/// Invalid structured contents: JSON, field descriptions (the names and types of fields that the
/// trace defines), null values, or the fields of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InsideChange {
    /// Invalid JSON, with the kind of syntax error.
    NotJson(&'static str),
    /// JSON of the wrong shape, with a name for the error.
    Shape(String),
    /// An invalid field description, with a name for the error.
    Described(&'static str),
    /// A container type code with an element type code that is undeclared or that the container
    /// cannot contain.
    Holds(i128, Option<i128>),
    /// A name that a test forbids, with the index of the test.
    Name(usize),
    /// A row that describes fields other than those that its kind requires.
    Kind,
    /// Null where a value is required.
    Null,
}

impl Plant for InsideChange {
    const WORDS: Words = &[
        ("json-nothing", "Text that must contain JSON is empty"),
        ("json-open-object", "JSON contains an unclosed object"),
        ("json-open-text", "JSON contains an unclosed string"),
        ("json-trailing-comma", "JSON contains a trailing comma"),
        ("json-single-quotes", "JSON uses single quotes"),
        ("json-bare-name", "JSON contains a name without quotes"),
        (
            "json-word",
            "Text that must contain JSON contains a bare word",
        ),
        (
            "json-leading-zero",
            "JSON contains a number with a leading zero",
        ),
        (
            "json-two-values",
            "Text that must contain one JSON value contains two",
        ),
        (
            "json-control-character",
            "JSON contains a control character in a string",
        ),
        (
            "json-bad-escape",
            "JSON contains an unknown escape sequence",
        ),
        ("json-closed-wrong", "JSON is closed by the wrong bracket"),
        ("json-deep", "JSON is nested too deeply"),
        ("json-other", "A JSON value has the wrong type"),
        ("unknown-code", "A type code is not declared"),
        ("no-name", "A field description has no name"),
        (
            "empty-item",
            "A textual list of field descriptions has an empty item",
        ),
        ("name-twice", "Two field descriptions have the same name"),
        (
            "junk-behind-name",
            "Unexpected text follows the name in a field description",
        ),
        ("blank-before", "A field description is preceded by a space"),
        (
            "blank-between",
            "A field description has a space between its parts",
        ),
        ("blank-behind", "A field description is followed by a space"),
        ("blank-in-code", "A type code contains a space"),
        (
            "holds-other",
            "A type code contains another type code that is not allowed inside it",
        ),
        ("special-name", "A name is not allowed"),
        (
            "other-fields",
            "The fields that a table row describes differ from those of its kind",
        ),
        ("null", "A value that must not be null is null"),
    ];

    fn sites(finder: &mut Finder<'_>, id: OpId) {
        let plan = finder.plan;
        for tested in finder.tests(id) {
            match (tested.subject, &tested.check.kind) {
                (Subject::Structured, CheckKind::Json(json)) => {
                    for (rule, change) in json::changes(&plan.json[*json]) {
                        finder.add(rule, id, change);
                    }
                }
                (Subject::Structured, CheckKind::Signature(signature)) => {
                    for (rule, change) in described::changes(plan, &plan.signatures[*signature]) {
                        finder.add(rule, id, change);
                    }
                    kinds(finder, id);
                }
                (Subject::Null(null), _) => finder.add(tested.check.rule, null, Self::Null),
                _ => {}
            }
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::NotJson(class) | Self::Described(class) => class,
            Self::Shape(_) => "json-other",
            Self::Holds(..) => "holds-other",
            Self::Name(_) => "special-name",
            Self::Kind => "other-fields",
            Self::Null => "null",
        }
    }

    /// Type codes are identified by their names.
    fn parameter(&self, plan: &Plan) -> Option<String> {
        match self {
            Self::Holds(holder, held) => {
                let mut texts = plan.texts.iter();
                let text = texts.find(|text| text.code(*holder).is_some())?;
                let held = held.and_then(|held| text.code(held));
                let held = held.map_or("unknown", |held| held.name.as_str());
                Some(format!("{}-{held}", text.code(*holder)?.name))
            }
            Self::Shape(fault) => Some(fault.clone()),
            Self::Name(test) if *test > 0 => Some(test.to_string()),
            _ => None,
        }
    }

    fn plant(&self, twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Attack, NoCase> {
        plant(twin, node, site.rule, self).ok_or(NoCase::Lacking)
    }
}

/// Adds a site for a text field that describes fields, if the kind of a row requires particular
/// fields.
fn kinds(finder: &mut Finder<'_>, id: OpId) {
    let tables = finder.plan.tables.iter();
    let mut kinds = tables.flat_map(|table| &table.kinds);
    if let Some(rule) = kinds.find_map(|kind| kind.signature) {
        finder.add(Some(rule), id, InsideChange::Kind);
    }
}

/// Returns the null indicator field of a structure, if a test requires that this field does not
/// indicate null.
pub(in crate::fault) fn null_field(plan: &Plan, structure: OpId, kind: &CheckKind) -> Option<OpId> {
    let CheckKind::Holds(code) = kind else {
        return None;
    };
    let mut nulls = plan.children(structure);
    let null = nulls.find(|child| plan.info(*child).null.is_some())?;
    let next = plan.children(structure).find(|child| *child > null)?;
    (plan.op(next).guard == *code).then_some(null)
}

/// Plants a fault in the contents of a text field, or omits the text.
fn plant(
    twin: &Twin<'_>,
    node: NodeId,
    rule: Option<RuleId>,
    change: &InsideChange,
) -> Option<Attack> {
    match change {
        InsideChange::NotJson(class) => whole(twin, node, rule, json::text(class)?),
        InsideChange::Shape(fault) => {
            let shape = json_of(twin, node)?.shape.as_ref()?;
            whole(twin, node, rule, json::of_shape_text(shape, fault)?)
        }
        InsideChange::Described(_) | InsideChange::Holds(..) | InsideChange::Name(_) => {
            described::plant(twin, node, rule, change)
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

/// Replaces the whole text.
fn whole(twin: &Twin<'_>, node: NodeId, rule: Option<RuleId>, text: String) -> Option<Attack> {
    let encoding = text::encoding(&twin.op(node).kind)?;
    let bytes = tracegauge_decoder::text::encode(&text, encoding)?;
    let edit = text::replace(twin, node, bytes)?;
    Some(Attack::new(edit, rule, twin.path(node), At::Node(node, 0)))
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

#[cfg(test)]
mod tests {
    use super::InsideChange;
    use crate::fault::operators::tests::planted;

    #[test]
    fn json_has_the_wrong_type() {
        let cases = planted::<InsideChange>(
            r#"seq: [ { id: s, type: strz, as: { json: about, rule: R } } ]
json: { about: { kind: number, rule: R } }"#,
            "3100",
        );
        assert_eq!(
            cases,
            [
                "R/json-nothing/s 2000 @0",
                "R/json-open-object/s 7b2261223a3100 @0",
                "R/json-open-text/s 226100 @0",
                "R/json-trailing-comma/s 5b312c5d00 @0",
                "R/json-single-quotes/s 27612700 @0",
                "R/json-bare-name/s 7b613a317d00 @0",
                "R/json-word/s 4e614e00 @0",
                "R/json-leading-zero/s 303100 @0",
                "R/json-two-values/s 31203200 @0",
                "R/json-control-character/s 22012200 @0",
                "R/json-bad-escape/s 225c782200 @0",
                "R/json-closed-wrong/s 5b7d00 @0",
                "R/json-other-null/s 6e756c6c00 @0",
                "R/json-other-bool/s 7472756500 @0",
                "R/json-other-text/s 222200 @0",
                "R/json-other-list/s 5b5d00 @0",
                "R/json-other-object/s 7b7d00 @0"
            ]
        );
    }
}
