//! Prints the malformed traces of a format: `cargo run --example faults -- FORMAT TRACE…`. An
//! argument `seeds=COUNT` adds generated traces.
//!
//! The output contains the number of cases for each rule, the refusals (cases in which the decoder
//! does not find the planted fault), and the rules that readers must enforce but that no case
//! violates.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use tracegauge_generator::fault::{
    OtherFormats, Outcome, Systematic, decoded, prefixes, systematic,
};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::ReaderDuty;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(dialect) = arguments.next() else {
        eprintln!("which format?");
        return ExitCode::from(2);
    };
    let Some(plan) = plan_of(&dialect) else {
        eprintln!("no such format, or it cannot be lowered");
        return ExitCode::from(2);
    };
    let mut traces: Vec<Vec<u8>> = Vec::new();
    let mut seeds = 0;
    for file in arguments {
        if let Some(count) = file.strip_prefix("seeds=") {
            seeds = count.parse().unwrap_or(0);
        } else if let Ok(bytes) = std::fs::read(&file) {
            traces.push(bytes);
        }
    }
    traces.extend(generated(&plan, seeds));
    let whole = decoded(&plan, traces);
    let mut all: Vec<Vec<u8>> = whole.iter().map(|trace| trace.bytes.clone()).collect();
    for trace in &whole {
        all.extend(prefixes(&plan, &trace.bytes, &trace.tree));
    }
    all.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    all.dedup();
    let twins = decoded(&plan, all);
    println!("{} twins", twins.len());
    show(
        &plan,
        &systematic(&plan, (&twins, &[]), &OtherFormats::default()),
    );
    ExitCode::SUCCESS
}

fn plan_of(dialect: &str) -> Option<Plan> {
    let format = bundled::find(dialect).into_iter().next()?;
    let schema = Arc::new(format.load().schema?);
    match lower(&schema, dialect) {
        Ok(plan) => Some(plan),
        Err(errors) => {
            for error in errors {
                let at = schema.sources.line_column(error.span);
                eprintln!("{} at {at:?}", error.message);
            }
            None
        }
    }
}

fn generated(plan: &Plan, seeds: u64) -> Vec<Vec<u8>> {
    let generator = Generator::new(Arc::new(plan.clone()));
    let options = Options {
        bytes: 1024,
        elements: 8,
        ..Options::default()
    };
    (0..seeds)
        .filter_map(|seed| match generator.from_seed(seed, options) {
            Ok(made) => Some(made.bytes),
            Err(error) => {
                eprintln!("seed {seed}: {error}");
                None
            }
        })
        .collect()
}

fn show(plan: &Plan, found: &Systematic) {
    let mut by_rule: BTreeMap<String, usize> = BTreeMap::new();
    for (_, case) in &found.cases {
        let rule = case.id.split('/').next().unwrap_or_default();
        *by_rule.entry(rule.to_owned()).or_default() += 1;
        println!(
            "{} [{:?}] {} bytes, at {} of {}",
            case.id,
            case.duty,
            case.bytes.len(),
            case.span.start,
            case.path()
        );
    }
    println!("{} cases", found.cases.len());
    for (rule, count) in &by_rule {
        println!("{count:5} {rule}");
    }
    for (twin, refusal) in &found.refusals {
        println!("refused: {} (twin {twin})", refusal.malformed.id);
        println!(
            "  expected {:.300}",
            format!("{:?}", refusal.malformed.expected)
        );
        println!("  found {:.300}", format!("{:?}", refusal.found));
    }
    println!("{} refusals", found.refusals.len());
    for rule in &plan.rules {
        if rule.duty == ReaderDuty::Reject && !by_rule.contains_key(&rule.id) {
            println!("no case: {}", rule.id);
        }
    }
    for (site, outcome) in &found.outcomes {
        if let (Some(rule), Outcome::Barren { places, why }) = (site.rule, outcome) {
            println!(
                "barren at {places} places, {why:?}: {} {} op {}",
                plan.rules[rule].id,
                site.operator.name(),
                site.op.0
            );
        }
    }
}
