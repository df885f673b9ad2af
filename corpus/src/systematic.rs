//! Systematic cases: the smallest valid traces that meet each obligation, and from them one
//! malformed trace for every way to break every rule.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use tracegauge_decoder::judge;
use tracegauge_decoder::verdict::Judgement;
use tracegauge_generator::fault::{self, Malformed};
use tracegauge_generator::{Aim, GenerateError, Generated, Generator, Options};
use tracegauge_spec::plan::{CodeExtent, Plan};
use tracegauge_spec::schema::ReaderDuty;

use crate::case::{CaseId, ExpectedVerdict, Source};
use crate::generated::{Breach, Candidate, admit};
use crate::score::{Names, Obligation, feasible, measure};
use crate::source::{Built, CaseSource, Problem};

/// Seeds from which valid traces are made. Each meets new obligations or is not kept.
const SEEDS: u64 = 3000;

/// Bytes of a trace that is made for certain type codes: enough for rows, and events of them.
const AIMED_BYTES: u64 = 12_000;

/// How many traces are made for each pair of type codes.
const TIMES_AIMED: usize = 6;

/// Larger traces stand apart.
const LARGE: usize = 1 << 16;

/// Makes valid and malformed cases from the plan alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystematicCases;

impl CaseSource for SystematicCases {
    fn name(&self) -> &'static str {
        "systematic"
    }

    fn build(&self, plan: &Arc<Plan>) -> Built {
        let mut built = Built::default();
        let valid = valid_traces(plan, &mut built);
        let mut ids: HashMap<Vec<u8>, CaseId> = HashMap::new();
        for (id, why, bytes) in &valid {
            ids.insert(bytes.clone(), id.clone());
            let candidate = accepted(id.clone(), why.clone(), bytes.clone());
            take(plan, candidate, &mut built);
        }
        malformed(plan, &valid, &mut ids, &mut built);
        built
    }
}

fn take(plan: &Plan, candidate: Candidate, built: &mut Built) {
    match admit(plan, candidate) {
        Ok(case) => built.cases.push(case),
        Err(refusal) => built.problems.push(Problem::Witness(*refusal)),
    }
}

fn accepted(id: CaseId, why: String, bytes: Vec<u8>) -> Candidate {
    Candidate {
        id,
        source: Source::Valid,
        bytes,
        made_for: ExpectedVerdict::Accept,
        breaches: Vec::new(),
        twin: None,
        operator: None,
        why,
    }
}

/// A valid trace: its identity, what it is for, and its bytes.
type Valid = (CaseId, String, Vec<u8>);

/// For each obligation the smallest trace that meets it, unless one that is kept already does.
fn valid_traces(plan: &Arc<Plan>, built: &mut Built) -> Vec<Valid> {
    let generator = Generator::new(Arc::clone(plan));
    let mut smallest: BTreeMap<Obligation, Vec<u8>> = BTreeMap::new();
    for seed in 0..SEEDS {
        let options = Options {
            bytes: 24 + seed % 1000 * 5,
            fill: true,
            ..Options::default()
        };
        let made = generator.from_seed(seed, options);
        gather(plan, made, seed, &mut smallest, built);
    }
    for (seed, aim) in (SEEDS..).zip(aims(plan)) {
        let options = Options {
            bytes: AIMED_BYTES,
            fill: true,
            ..Options::default()
        };
        let made = generator.toward(seed, options, &aim);
        gather(plan, made, seed, &mut smallest, built);
    }
    let names = Names::new(plan);
    let wanted: BTreeSet<Obligation> = feasible(plan).obligations.into_iter().collect();
    let mut met: BTreeSet<Obligation> = BTreeSet::new();
    let mut kept: Vec<Valid> = Vec::new();
    let mut named: HashMap<String, usize> = HashMap::new();
    // What only long traces meet comes first: the short ones may then be spared.
    let mut order: Vec<(&Obligation, &Vec<u8>)> = smallest
        .iter()
        .filter(|(obligation, _)| wanted.contains(obligation))
        .collect();
    order.sort_by_key(|(obligation, bytes)| (std::cmp::Reverse(bytes.len()), **obligation));
    for (obligation, bytes) in order {
        if met.contains(obligation) {
            continue;
        }
        met.extend(measure(plan, bytes));
        let what = names.obligation(*obligation);
        let name = identity(obligation.class().name(), &what);
        // Several places of a description may have one name.
        let number = named.entry(name.clone()).or_default();
        *number += 1;
        let apart = if bytes.len() > LARGE { "large/" } else { "" };
        let id = match *number {
            1 => format!("{}/valid/{apart}{name}", plan.format),
            number => format!("{}/valid/{apart}{name}/{number}", plan.format),
        };
        let why = format!("The smallest trace found that has {what}.");
        kept.push((id, why, bytes.clone()));
    }
    kept
}

/// Offers what a seed has made.
fn gather(
    plan: &Plan,
    made: Result<Generated, GenerateError>,
    seed: u64,
    smallest: &mut BTreeMap<Obligation, Vec<u8>>,
    built: &mut Built,
) {
    match made {
        Ok(made) => offer(plan, made.bytes, smallest),
        // This tape leads nowhere; what is made is valid all the same.
        Err(GenerateError::Refused { .. }) => {}
        Err(error) => built.problems.push(Problem::Generate {
            format: plan.format.clone(),
            wanted: format!("a valid trace from seed {seed}"),
            why: error.to_string(),
        }),
    }
}

/// What chance rarely gives: each type code beside each and inside each, several times, and
/// each that holds a described number of others with more bytes than 16 bits can count.
fn aims(plan: &Plan) -> Vec<Aim> {
    let mut aims = Vec::new();
    for describes in &plan.describes {
        let codes: Vec<i128> = describes.codes.iter().map(|code| code.code).collect();
        for (number, first) in codes.iter().enumerate() {
            for second in codes.iter().skip(number) {
                let aim = Aim {
                    codes: vec![*first, *second],
                    large: false,
                };
                aims.extend(std::iter::repeat_n(aim, TIMES_AIMED));
            }
        }
        let holders = describes.codes.iter().filter(|code| code.holds);
        for holder in holders {
            let plain = describes.codes.iter();
            let plain = plain.filter(|code| !code.holds && code.extent == CodeExtent::Fixed);
            let plain = plain.map(|code| code.code).next();
            let aim = Aim {
                codes: std::iter::once(holder.code).chain(plain).collect(),
                large: true,
            };
            aims.extend(std::iter::repeat_n(aim, TIMES_AIMED));
        }
    }
    aims
}

/// An identity without blanks.
fn identity(class: &str, what: &str) -> String {
    format!("{class}/{}", what.replace(" → ", ">").replace(' ', "-"))
}

/// Offers a trace and its beginnings for every obligation that they meet.
fn offer(plan: &Plan, bytes: Vec<u8>, smallest: &mut BTreeMap<Obligation, Vec<u8>>) {
    let better = |obligation: &Obligation, length: usize, smallest: &BTreeMap<_, Vec<u8>>| {
        smallest
            .get(obligation)
            .is_none_or(|known: &Vec<u8>| length < known.len())
    };
    let fresh = measure(plan, &bytes);
    if !fresh
        .iter()
        .any(|obligation| better(obligation, bytes.len(), smallest))
    {
        return;
    }
    let (_, tree) = tracegauge_decoder::decode_tree(plan, &bytes);
    let mut traces = fault::prefixes(plan, &bytes, &tree);
    traces.push(bytes);
    for trace in traces {
        if judge(plan, &trace).judgement != Judgement::Accepted {
            continue;
        }
        for obligation in measure(plan, &trace) {
            if better(&obligation, trace.len(), smallest) {
                smallest.insert(obligation, trace.clone());
            }
        }
    }
}

/// One case for each way to break each rule that some trace allows.
fn malformed(
    plan: &Arc<Plan>,
    valid: &[Valid],
    ids: &mut HashMap<Vec<u8>, CaseId>,
    built: &mut Built,
) {
    let mut traces: BTreeSet<Vec<u8>> = valid.iter().map(|(_, _, bytes)| bytes.clone()).collect();
    for (bytes, tree) in fault::decoded(plan, valid.iter().map(|(_, _, bytes)| bytes.clone())) {
        traces.extend(fault::prefixes(plan, &bytes, &tree));
    }
    let twins = fault::decoded(plan, traces);
    for (path, bytes) in fault::deepest(plan, &twins) {
        let id = format!("{}/valid/depth/{path}", plan.format);
        let why = "As much of it inside itself as every reader must take.".to_owned();
        if !ids.contains_key(&bytes) {
            ids.insert(bytes.clone(), id.clone());
            take(plan, accepted(id, why, bytes), built);
        }
    }
    let made = fault::systematic(plan, &twins);
    for (twin, case) in made.cases {
        let twin_bytes = &twins[twin].0;
        let twin_id = match ids.get(twin_bytes) {
            Some(id) => id.clone(),
            None => {
                let id = format!("{}/valid/twin/{}", plan.format, case.id);
                let why = format!("The valid trace from which {} is made.", case.id);
                ids.insert(twin_bytes.clone(), id.clone());
                take(plan, accepted(id.clone(), why, twin_bytes.clone()), built);
                id
            }
        };
        if ids.contains_key(&case.bytes) {
            continue;
        }
        take(plan, broken(plan, &case, twin_id), built);
    }
    for (_, refusal) in made.refusals {
        built.problems.push(Problem::Generate {
            format: plan.format.clone(),
            wanted: refusal.malformed.id,
            why: format!("the decoder finds something else: {:?}", refusal.found),
        });
    }
}

fn broken(plan: &Plan, case: &Malformed, twin: CaseId) -> Candidate {
    let rule = |rule: Option<u32>| rule.map(|rule| plan.rules[rule as usize].id.clone());
    let breaches = case.expected.iter().map(|expected| Breach {
        rule: rule(expected.rule),
        path: expected.path.clone(),
        start: Some(expected.start),
    });
    let made_for = match judge(plan, &case.bytes).judgement {
        // A tolerated rule says itself whether some reader may mind.
        Judgement::Either { .. } if case.duty != ReaderDuty::Reject => ExpectedVerdict::Either,
        _ => match case.duty {
            ReaderDuty::Reject => ExpectedVerdict::Reject,
            ReaderDuty::Either => ExpectedVerdict::Either,
            ReaderDuty::Accept | ReaderDuty::None => ExpectedVerdict::Accept,
        },
    };
    let what = match &case.parameter {
        Some(parameter) => format!("{} ({parameter})", case.operator),
        None => case.operator.to_owned(),
    };
    Candidate {
        id: format!("{}/malformed/{}", plan.format, case.id),
        source: Source::Malformed,
        bytes: case.bytes.clone(),
        made_for,
        breaches: breaches.collect(),
        twin: Some(twin),
        operator: Some(case.operator.to_owned()),
        why: format!("{what} at {}.", case.path()),
    }
}
