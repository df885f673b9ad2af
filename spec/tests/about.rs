//! Tests which rules concern a value, because reports name a wrong value after such a rule.

use std::sync::Arc;
use tracegauge_spec::schema::RuleId;

use tracegauge_plan::{OpId, Paths, Plan};
use tracegauge_spec::bundled::find;
use tracegauge_spec::lower::lower;

/// Returns the plan of a format and its first operation whose path ends with `path`.
fn operation(format: &str, path: &str) -> (Plan, OpId) {
    let loaded = find(format)[0].load();
    let schema = Arc::new(loaded.schema.expect("no mistakes"));
    let plan = lower(&schema, format).expect("a plan");
    let paths = Paths::new(&plan);
    let mut ops = (0..u32::MAX).map(OpId).take(plan.ops.len());
    let op = ops.find(|op| paths.of(*op).ends_with(path));
    let op = op.unwrap_or_else(|| panic!("no {path}"));
    (plan, op)
}

/// Returns the names of the rules that `rules` finds if the trace exercises `shown`.
fn named(
    (plan, op): &(Plan, OpId),
    shown: &[&str],
    rules: impl Fn(&Plan, OpId, OpId, &dyn Fn(RuleId) -> bool) -> Vec<RuleId>,
) -> Vec<String> {
    let name = |rule: RuleId| plan.rules[rule].id.as_str();
    let is_shown = |rule: RuleId| shown.contains(&name(rule));
    let found = rules(plan, *op, OpId(0), &is_shown);
    found
        .into_iter()
        .map(|rule| name(rule).to_owned())
        .collect()
}

/// A sequence number increases in each header, whether or not the header contains a difference.
#[test]
fn a_carried_number_is_about_the_rules_of_its_step() {
    let sequence = operation("nettrace-v4", "event_compressed.sequence_number");
    let about = |shown: &[&str]| named(&sequence, shown, Plan::rules_about_carry);
    assert_eq!(about(&[]), ["SEQUENCE-STEP", "SEQUENCE-METADATA"]);
    assert_eq!(
        about(&["SEQUENCE-STEP", "HEADER-CARRY", "OTHER-THREAD"]),
        ["SEQUENCE-STEP", "HEADER-CARRY"]
    );
    // In the newer format, the number always increases by 1.
    let sequence = operation("nettrace-v6", "event_compressed.sequence_number");
    let about = |shown: &[&str]| named(&sequence, shown, Plan::rules_about_carry);
    assert_eq!(about(&["EVENT-CARRY-STARTS"]), ["EVENT-SEQUENCE-STEP"]);
}

/// The contents of the header determine the timestamp, because headers have no common amount that
/// is added to the timestamp. A rule about whether two other values differ does not concern the
/// timestamp.
#[test]
fn a_carried_time_is_about_the_rules_of_its_header() {
    let time = operation("nettrace-v4", "event_compressed.timestamp");
    let about = |shown: &[&str]| named(&time, shown, Plan::rules_about_carry);
    assert_eq!(about(&[]), [""; 0]);
    assert_eq!(
        about(&["HEADER-CARRY-STARTS", "OTHER-THREAD", "TIME-BACKWARDS"]),
        ["TIME-BACKWARDS", "HEADER-CARRY-STARTS"]
    );
    let size = operation("nettrace-v4", "stack_block.size");
    assert_eq!(named(&size, &[], Plan::rules_about_carry), [""; 0]);
}

/// The names of values that a text describes come from that text.
#[test]
fn a_described_name_is_about_the_rules_of_names() {
    let about = |path: &str| {
        let (plan, op) = operation("wtf-v3", path);
        let rules = plan.rules_about_names(op).into_iter();
        let names = rules.map(|rule| plan.rules[rule].id.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(about("events[].args"), ["ARGS-NAME"]);
    assert_eq!(about("event_define.wire_id"), [""; 0]);
}

/// The number of bytes of a stack is a field of its own.
#[test]
fn a_list_is_about_the_rules_of_its_size() {
    let stack = operation("netperf-v3", ".ips");
    let about = |shown: &[&str]| named(&stack, shown, Plan::rules_about);
    assert_eq!(about(&["STACK-NONE", "PAYLOAD-UNPADDED"]), ["STACK-NONE"]);
    assert_eq!(about(&["PAYLOAD-UNPADDED"]), ["PAYLOAD-UNPADDED"]);
}
