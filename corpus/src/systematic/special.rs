//! Makes valid traces with values that readers often handle incorrectly although the values are
//! ordinary for the format: floats such as NaN, and strings that contain a null character or that
//! start and end with spaces. Also makes a trace that is longer than the buffers of readers, traces
//! with sizes that a reader may take for negative numbers, and traces with the last number that a rule
//! allows, if this number differs from trace to trace.
//!
//! A random trace rarely contains these values. No part of a description refers to the first ones; a
//! case is made for each field whose value appears in a record.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use tracegauge_decoder::tree::{Node, NodeId, Payload, Tree};
use tracegauge_decoder::{Judgement, decode, judge, text};
use tracegauge_generator::Generator;
use tracegauge_generator::fault::{
    self, Edit, Operator, Splice, Twin, ValidTrace, at_limit, corrected, filled, sites, splice,
};
use tracegauge_generator::plain::{Allowed, Answers, Departure, Unusual, departures};
use tracegauge_plan::terms::Encoding;
use tracegauge_plan::{Derived, Kind, OpId, Plan, codec};

use super::decoded;
use super::targets;
use super::trace::{BUFFER, Origin, Recipe, SPECIAL, Valid};
use crate::parallel;
use crate::score::{Names, Obligation, measured, rules_of};
use crate::seeds;

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
    /// Fills the field of a padded string with spaces.
    Filled,
}

const NULL: &str = "null-character";
const LAST_NULL: &str = "last-null-character";

const VALUES: [Special; 9] = [
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
        name: LAST_NULL,
        described: "ends with a null character",
        change: Change::Text(with_last_null),
    },
    Special {
        name: "outer-spaces",
        described: "starts and ends with a space",
        change: Change::Text(with_spaces),
    },
    Special {
        name: "filled-with-spaces",
        described: "ends with spaces that fill the field",
        change: Change::Filled,
    },
];

fn with_null(text: &str) -> Option<String> {
    let middle = text.len() / 2;
    let is_long = text.is_ascii() && text.len() >= 3;
    is_long.then(|| format!("{}\0{}", &text[..middle], &text[middle + 1..]))
}

fn with_last_null(text: &str) -> Option<String> {
    let last = text.len().checked_sub(1)?;
    let is_long = text.is_ascii() && text.len() >= 3;
    is_long.then(|| format!("{}\0", &text[..last]))
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
    found.extend(sizes(generator));
    found.extend(long(generator));
    found
}

/// The number of random traces.
const RANDOM: usize = 8;

/// The first seed of the random traces, and the number of seeds that are tried.
const RANDOM_SEEDS: (u64, u64) = (1 << 26, 32);

/// The requested size in bytes of the random traces.
const RANDOM_BYTES: u64 = 300;

/// Returns random traces, if the format has lists. All other traces are as short as their purpose
/// allows, so they contain few combinations of elements. Random traces come last: a plainer trace
/// isolates a mistake that both detect.
pub(super) fn random(generator: &Generator) -> Vec<Valid> {
    let plan = generator.plan();
    if plan.repeats.is_empty() {
        return Vec::new();
    }
    let (first, count) = RANDOM_SEEDS;
    let seeds: Vec<u64> = (first..first + count).collect();
    let made = parallel::filter_map(&seeds, |seed| {
        let recipe = Recipe {
            seed: *seed,
            bytes: RANDOM_BYTES,
            target: None,
            allowed: seeds::allowed(generator, *seed),
        };
        let made = recipe.make(generator, LONG).ok()?;
        let is_accepted = made.verdict.judgement == Judgement::Accepted;
        is_accepted.then_some((recipe, made.bytes))
    });
    let mut known = HashSet::new();
    let made = made.into_iter();
    let made = made
        .filter(|(_, bytes)| known.insert(bytes.clone()))
        .zip(1..);
    let traces = made.take(RANDOM).map(|((recipe, bytes), number)| {
        let departures = departures(plan, generator.answers(), &bytes);
        Valid {
            id: format!("{}/valid/{SPECIAL}/random-{number}", plan.format),
            why: "A random trace.".to_owned(),
            about: Vec::new(),
            bytes,
            origin: Origin::Recipe(Arc::new(recipe)),
            departures: Arc::new(departures.into_keys().collect()),
            redundant: false,
        }
    });
    traces.collect()
}

/// The number of seeds that are tried for each size.
const SIZE_SEEDS: u64 = 64;

/// The sizes and counts that a reader takes for negative if it reads the byte as a signed number.
const NEGATIVE_BYTES: RangeInclusive<i128> = 0x80..=0xff;

/// Returns, for each unsigned byte that stores a size or a count, a trace in which its highest bit is
/// set.
fn sizes(generator: &Generator) -> Vec<Valid> {
    let plan = generator.plan();
    let fields = (0..plan.ops.len()).map(OpId::from);
    let fields = fields.filter(|op| {
        let is_measure = matches!(plan.info(*op).derived, Some(Derived::Measured { .. }));
        is_measure && plan.op(*op).kind.range() == Some((0, *NEGATIVE_BYTES.end()))
    });
    let fields: Vec<OpId> = fields.take(MOST_FIELDS).collect();
    let names = Names::new(plan);
    let mut made = parallel::filter_map(&fields, |op| {
        let mut seeds = 0..SIZE_SEEDS;
        let (recipe, bytes) = seeds.find_map(|seed| large_size(generator, *op, seed))?;
        let path = names
            .obligation(Obligation::Operation(*op))
            .replace(' ', "-");
        let departures = departures(plan, generator.answers(), &bytes);
        Some(Valid {
            id: format!("{}/valid/{SPECIAL}/{path}-over-7-bits", plan.format),
            why: format!("A trace in which the highest bit of {path} is set."),
            about: rules_of(plan, *op),
            bytes,
            origin: Origin::Recipe(Arc::new(recipe)),
            departures: Arc::new(departures.into_keys().collect()),
            redundant: false,
        })
    });
    let mut known = HashSet::new();
    made.retain(|trace| known.insert(trace.id.clone()));
    made
}

/// Generates a trace in which the highest bit of a byte that stores a size or a count is set.
fn large_size(generator: &Generator, op: OpId, seed: u64) -> Option<(Recipe, Vec<u8>)> {
    let plan = generator.plan();
    let (of, scale) = measured(plan, op)?;
    let least = scale.measure(*NEGATIVE_BYTES.start())? + 1;
    let round = usize::try_from(seed / 8).ok()?;
    let target = targets::larger(plan, of, u64::try_from(least).ok()?, round);
    let fields = target.lengths.iter().map(|length| length.op);
    let fields = fields.map(|op| {
        let field = generator.answers().field(op);
        Departure::Field(field, Unusual::Other)
    });
    // The part may occur only in traces that are not plain.
    let allowed = seed.is_multiple_of(2).then(|| Allowed::only(fields));
    let recipe = Recipe {
        seed,
        bytes: seed % 8 * 40,
        target: Some(target),
        allowed,
    };
    let made = recipe.make(generator, LONG).ok()?;
    let is_large = made.tree.nodes.iter().any(|node| {
        let value = match node.payload {
            Payload::Bits(bits) => i128::from(bits),
            _ => 0,
        };
        node.op == op && NEGATIVE_BYTES.contains(&value)
    });
    let is_accepted = made.verdict.judgement == Judgement::Accepted;
    (is_accepted && is_large).then_some((recipe, made.bytes))
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
        nodes.map(move |(id, _)| (twin, id))
    });
    let mut made = places.take(MOST_PLACES).filter_map(|(twin, node)| {
        let edit = special.edit(plan, twin, node)?;
        let made = edited(plan, (&twin.bytes, &twin.tree), edit)?;
        (decode(plan, &made).1 != decode(plan, &twin.bytes).1).then_some(made)
    });
    made.next()
}

impl Special {
    /// Returns the edit that gives a field the value.
    fn edit(&self, plan: &Plan, trace: &ValidTrace, node: NodeId) -> Option<Edit> {
        let Node { span, op, .. } = *trace.tree.node(node);
        let kind = &plan.op(op).kind;
        let bytes = match (&self.change, kind) {
            (Change::Filled, Kind::Terminated(ending)) if ending.pad.is_some() => {
                return filled(&Twin::new(plan, &trace.bytes, &trace.tree), node);
            }
            (Change::Float(value), Kind::Float { width, .. }) => {
                #[expect(clippy::cast_possible_truncation, reason = "all values are exact")]
                let bits = match width {
                    4 => u64::from((*value as f32).to_bits()),
                    _ => value.to_bits(),
                };
                let mut bytes = Vec::new();
                codec::store(bits, codec::stored_as(kind)?, &mut bytes);
                bytes
            }
            // In a string that ends at a null character, the value would not contain one.
            (Change::Text(_), Kind::Terminated(_)) if [NULL, LAST_NULL].contains(&self.name) => {
                return None;
            }
            (Change::Text(change), kind) => {
                let encoding = encoding(kind)?;
                let range = usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?;
                let now = trace.bytes.get(range)?;
                let changed = change(&text::decode(now, encoding)?)?;
                let bytes = text::encode(&changed, encoding)?;
                (bytes.len() == now.len()).then_some(bytes)?
            }
            (Change::Float(_) | Change::Filled, _) => return None,
        };
        Some(Edit::Replace { node, bytes })
    }
}
