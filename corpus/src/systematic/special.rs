//! Makes valid traces with values that readers often handle incorrectly although the values are
//! ordinary for the format: floats such as NaN, and strings that contain a null character or that
//! start and end with spaces. Also makes a trace that is longer than the buffers of readers, and
//! traces with the last number that a rule allows, if this number differs from trace to trace.
//!
//! A random trace rarely contains these values. No part of a description refers to the first ones; a
//! case is made for each field whose value appears in a record.

use std::collections::HashSet;
use std::sync::Arc;

use tracegauge_decoder::tree::Tree;
use tracegauge_decoder::{Judgement, decode, judge, text};
use tracegauge_generator::Generator;
use tracegauge_generator::fault::{
    self, Edit, Operator, Splice, Twin, ValidTrace, at_limit, corrected, sites, splice,
};
use tracegauge_generator::plain::{Allowed, Answers, departures};
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{Kind, OpId, Plan, codec};

use super::decoded;
use super::trace::{BUFFER, Origin, Recipe, SPECIAL, Valid};
use crate::parallel;
use crate::score::{Names, Obligation, rules_of};

/// The maximum number of fields that get cases.
const MOST_FIELDS: usize = 64;

/// The maximum number of occurrences of a field that are tried for each value.
const MOST_PLACES: usize = 24;

/// A value, with its name in identities and its description.
struct Special {
    name: &'static str,
    described: &'static str,
    change: Change,
}

enum Change {
    Float(f64),
    /// Returns a string of the same length, or `None` if the string is too short.
    Text(fn(&str) -> Option<String>),
}

const NULL: &str = "null-character";

const VALUES: [Special; 7] = [
    Special {
        name: "nan",
        described: "is NaN",
        change: Change::Float(f64::NAN),
    },
    Special {
        name: "infinity",
        described: "is infinite",
        change: Change::Float(f64::INFINITY),
    },
    Special {
        name: "negative-infinity",
        described: "is negative infinity",
        change: Change::Float(f64::NEG_INFINITY),
    },
    Special {
        name: "negative-zero",
        described: "is negative zero",
        change: Change::Float(-0.0),
    },
    Special {
        name: "zero",
        described: "is zero",
        change: Change::Float(0.0),
    },
    Special {
        name: NULL,
        described: "contains a null character",
        change: Change::Text(with_null),
    },
    Special {
        name: "outer-spaces",
        described: "starts and ends with a space",
        change: Change::Text(with_spaces),
    },
];

fn with_null(text: &str) -> Option<String> {
    let middle = text.len() / 2;
    let is_long = text.is_ascii() && text.len() >= 3;
    is_long.then(|| format!("{}\0{}", &text[..middle], &text[middle + 1..]))
}

fn with_spaces(text: &str) -> Option<String> {
    let last = text.len().checked_sub(1)?;
    let is_long = text.is_ascii() && text.len() >= 3;
    is_long.then(|| format!(" {} ", &text[1..last]))
}

/// The number of seeds that are tried for a long trace.
const LONG_SEEDS: u64 = 4;

/// The requested size in bytes of a long trace.
const LONG: u64 = 70_000;

/// Returns all special traces of a format. Most are made from the valid traces.
pub(super) fn traces(generator: &Generator, valid: &[Valid]) -> Vec<Valid> {
    let plan = generator.plan();
    let cases = valid.iter().filter(|trace| !trace.redundant);
    let mut twins = decoded(plan, cases.map(|trace| trace.bytes.clone()).collect());
    twins.sort_by_key(|trace| (trace.departures, trace.bytes.len()));
    let answers = generator.answers();
    let mut found = values(plan, answers, &twins);
    found.extend(limits(plan, answers, &twins));
    found.extend(long(generator));
    found
}

/// Returns a plain trace that is longer than the buffers of typical readers, if the format has such
/// traces.
fn long(generator: &Generator) -> Option<Valid> {
    let plan = generator.plan();
    (0..LONG_SEEDS).find_map(|seed| {
        let recipe = Recipe {
            seed,
            bytes: LONG,
            target: None,
            allowed: Some(Allowed::default()),
        };
        let made = recipe.make(generator, 2 * LONG).ok()?;
        let is_accepted = made.verdict.judgement == Judgement::Accepted;
        (is_accepted && made.bytes.len() > BUFFER).then(|| Valid {
            id: format!("{}/valid/{SPECIAL}/long", plan.format),
            why: "A plain trace of more than 64 KiB.".to_owned(),
            about: Vec::new(),
            bytes: made.bytes,
            origin: Origin::Recipe(Arc::new(recipe)),
            departures: Arc::default(),
            redundant: false,
        })
    })
}

/// Returns traces with special values that are made from `twins`, which are valid traces in the order
/// of preference.
fn values(plan: &Plan, answers: &Answers, twins: &[ValidTrace]) -> Vec<Valid> {
    let fields = (0..plan.ops.len()).map(OpId::from);
    let fields = fields.filter(|op| answers.field(*op) == *op && is_special(&plan.op(*op).kind));
    let wanted: Vec<(OpId, &Special)> = fields
        .take(MOST_FIELDS)
        .flat_map(|op| VALUES.iter().map(move |special| (op, special)))
        .collect();
    let names = Names::new(plan);
    let mut made = parallel::filter_map(&wanted, |(op, special)| {
        let bytes = made(plan, answers, twins, (*op, special))?;
        let path = names
            .obligation(Obligation::Operation(*op))
            .replace(' ', "-");
        let departures = departures(plan, answers, &bytes);
        Some(Valid {
            id: format!("{}/valid/{SPECIAL}/{path}-{}", plan.format, special.name),
            why: format!("A trace in which {path} {}.", special.described),
            about: rules_of(plan, *op),
            bytes,
            origin: Origin::Stored,
            departures: Arc::new(departures.into_keys().collect()),
            redundant: false,
        })
    });
    // Several places of a description may have the same name. One of them is enough.
    let mut known = HashSet::new();
    made.retain(|trace| known.insert(trace.id.clone()));
    made
}

/// Returns traces in which a number is the last one that a rule allows, where this depends on other
/// values in the trace.
fn limits(plan: &Plan, answers: &Answers, twins: &[ValidTrace]) -> Vec<Valid> {
    let names = Names::new(plan);
    let read: Vec<Twin<'_>> = twins
        .iter()
        .map(|trace| Twin::new(plan, &trace.bytes, &trace.tree))
        .collect();
    let mut known = HashSet::new();
    let made = sites(plan).into_iter().filter_map(|site| {
        let places = read.iter().flat_map(|twin| {
            let nodes = twin.nodes_of(site.op).iter().rev();
            nodes.map(move |node| (twin, *node))
        });
        let mut made = places.take(MOST_PLACES).filter_map(|(twin, node)| {
            let edit = at_limit(twin, &site, node)?;
            let made = edited(plan, (twin.bytes, twin.tree), edit)?;
            (made != twin.bytes).then_some(made)
        });
        let bytes = made.find(|bytes| known.insert(bytes.clone()))?;
        let path = names
            .obligation(Obligation::Operation(site.op))
            .replace(' ', "-");
        let rule = plan.rules[site.rule?].id.clone();
        let side = match &site.operator {
            Operator::Number(number) if number.change == fault::Change::Above => "greatest",
            _ => "least",
        };
        let departures = departures(plan, answers, &bytes);
        Some(Valid {
            id: format!("{}/valid/{SPECIAL}/{path}-{side}-of-{rule}", plan.format),
            why: format!("A trace in which {path} is the {side} number that {rule} allows."),
            about: vec![rule],
            bytes,
            origin: Origin::Stored,
            departures: Arc::new(departures.into_keys().collect()),
            redundant: false,
        })
    });
    let mut names = HashSet::new();
    made.filter(|trace| names.insert(trace.id.clone()))
        .collect()
}

/// Returns a trace with an edit, if every reader must accept it.
fn edited(plan: &Plan, (bytes, tree): (&[u8], &Tree), edit: Edit) -> Option<Vec<u8>> {
    let edits = Splice {
        edits: vec![edit],
        ..Splice::default()
    };
    let made = splice(plan, bytes, tree, &edits)?.bytes;
    let made = corrected(plan, &made).unwrap_or(made);
    (judge(plan, &made).judgement == Judgement::Accepted).then_some(made)
}

fn is_special(kind: &Kind) -> bool {
    matches!(kind, Kind::Float { .. }) || encoding(kind).is_some()
}

/// Returns the encoding of the strings that an operation reads.
fn encoding(kind: &Kind) -> Option<Encoding> {
    match kind {
        Kind::Text(_, encoding) => Some(*encoding),
        Kind::Terminated(ending) => ending.encoding,
        _ => None,
    }
}

/// Returns the first trace with the value that every reader accepts and whose records show the
/// value.
fn made(
    plan: &Plan,
    answers: &Answers,
    twins: &[ValidTrace],
    (field, special): (OpId, &Special),
) -> Option<Vec<u8>> {
    let places = twins.iter().flat_map(|twin| {
        let nodes = (0..).zip(&twin.tree.nodes);
        let nodes = nodes.filter(move |(_, node)| answers.field(node.op) == field);
        nodes.map(move |(id, node)| (twin, id, node))
    });
    let mut made = places.take(MOST_PLACES).filter_map(|(twin, id, node)| {
        let (start, end) = (node.span.start, node.span.end);
        let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
        let bytes = special.bytes(&plan.op(node.op).kind, twin.bytes.get(range)?)?;
        let edit = Edit::Replace { node: id, bytes };
        let made = edited(plan, (&twin.bytes, &twin.tree), edit)?;
        (decode(plan, &made).1 != decode(plan, &twin.bytes).1).then_some(made)
    });
    made.next()
}

impl Special {
    /// Returns the bytes of a field with the value, given the present bytes.
    fn bytes(&self, kind: &Kind, now: &[u8]) -> Option<Vec<u8>> {
        match (&self.change, kind) {
            (Change::Float(value), Kind::Float { width, .. }) => {
                #[expect(clippy::cast_possible_truncation, reason = "all values are exact")]
                let bits = match width {
                    4 => u64::from((*value as f32).to_bits()),
                    _ => value.to_bits(),
                };
                let mut bytes = Vec::new();
                codec::store(bits, codec::stored_as(kind)?, &mut bytes);
                Some(bytes)
            }
            // In a string that ends at a null character, the value would not contain one.
            (Change::Text(_), Kind::Terminated(_)) if self.name == NULL => None,
            (Change::Text(change), kind) => {
                let encoding = encoding(kind)?;
                let changed = change(&text::decode(now, encoding)?)?;
                text::encode(&changed, encoding).filter(|bytes| bytes.len() == now.len())
            }
            (Change::Float(_), _) => None,
        }
    }
}
