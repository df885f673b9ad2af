//! Locates the mistakes of a reader: the bytes of the trace that the expected value was decoded
//! from, and the rules that apply to that value. To find these bytes and rules, each failing case
//! is decoded again after the run.

use std::collections::{HashMap, HashSet};
use tracegauge_plan::terms::RuleId;

use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::parallel;
use tracegauge_decoder::judge;
use tracegauge_decoder::places::{Place, Places, Showing, places, showings};
use tracegauge_judge::compare::NO_MEMBER;
use tracegauge_judge::is_byte_swapped;
use tracegauge_plan::{Kind, Paths, Plan};
use tracegauge_results::text::anywhere;
use tracegauge_results::{
    CaseResult, Detail, Difference, Excerpt, LookAt, NOT_IN_FORMAT, Origin, OriginPart, Outcome,
    RecordFault,
};

/// Adds to each difference in `results` the bytes that the expected value was decoded from and the
/// rules that apply to the value. If a rejection reports the byte at which the reader stopped, adds
/// the rules that apply near that byte. Results are skipped if `cases` does not contain the case or
/// `formats` does not contain its format.
pub fn locate(results: &mut [CaseResult], cases: &[&Case], formats: &Formats) {
    let by_id = by_id(cases);
    let shown: HashMap<&str, HashSet<&str>> = formats
        .plans()
        .iter()
        .map(|plan| (plan.format.as_str(), shown_names(plan)))
        .collect();
    let differing: Vec<(&mut Detail, Vec<String>, &Case)> = results
        .iter_mut()
        .filter_map(|found| {
            let case = by_id.get(found.case.as_str()).copied();
            let case = case.filter(|case| case.version == found.version)?;
            let about = found.rules.clone();
            let detail = found.detail.as_deref_mut();
            Some((detail.filter(|it| it.difference.is_some())?, about, case))
        })
        .collect();
    parallel::map_owned(differing, |(detail, rules, case)| {
        if let Some(plan) = formats.plan(&case.format) {
            let records = case.expected.records.first().map_or(0, Vec::len);
            let about = About {
                rules: &rules,
                records,
            };
            if let Some(difference) = &mut detail.difference {
                complete(plan, &case.bytes, &about, difference);
            }
            locate_all(plan, &case.bytes, &about, detail);
            if let Some(shown) = shown.get(case.format.as_str()) {
                mark_unknown(shown, detail);
            }
        }
    });
    locate_stops(results, &by_id, formats);
    locate_faults(results, &by_id, formats);
    // In a rejected trace, no rule about a missing record explains why the record was not reported.
    let rejected = results
        .iter_mut()
        .filter(|found| found.outcome == Outcome::WrongReject);
    for difference in rejected.filter_map(difference) {
        if difference.path.is_empty() {
            difference.rules.clear();
        }
    }
}

/// Returns the names of all members that records of the format can have, including those of objects.
fn shown_names(plan: &Plan) -> HashSet<&str> {
    let members = plan.records.iter().flat_map(|record| &record.members);
    let members = members.map(|member| member.name.as_str());
    let fields = plan.ops.iter().zip(&plan.infos).filter_map(|(op, info)| {
        let is_shown =
            info.derived.is_none() && !matches!(op.kind, Kind::Contents(_) | Kind::Align { .. });
        info.name.filter(|_| is_shown).map(|name| plan.name(name))
    });
    members.chain(fields).collect()
}

/// Marks surplus members with names that no record of the format has. No rule is about them.
fn mark_unknown(shown: &HashSet<&str>, detail: &mut Detail) {
    let mark = |difference: &mut Difference| {
        let (_, last) = difference
            .path
            .rsplit_once('.')
            .unwrap_or(("", &difference.path));
        let name = last.split('[').next().unwrap_or(last);
        let is_unknown = difference.expected == NO_MEMBER && !shown.contains(name);
        if is_unknown {
            difference.expected = NOT_IN_FORMAT.to_owned();
            difference.rules.clear();
        }
        is_unknown
    };
    if let Some(difference) = &mut detail.difference {
        mark(difference);
    }
    for aligned in detail.differences.iter_mut().flat_map(|all| &mut all.list) {
        if mark(&mut aligned.difference) {
            aligned.fault = RecordFault::NotInFormat;
        }
    }
}

/// Returns the cases by id, without huge cases, whose traces would take too long to decode again.
fn by_id<'c>(cases: &[&'c Case]) -> HashMap<&'c str, &'c Case> {
    let small = cases.iter().filter(|case| !case.is_huge());
    small.map(|case| (case.id.as_str(), *case)).collect()
}

/// For each malformed trace that the reader accepts, adds the rules of the field with the fault.
fn locate_faults(results: &mut [CaseResult], by_id: &HashMap<&str, &Case>, formats: &Formats) {
    let accepted = results
        .iter_mut()
        .filter(|found| found.outcome == Outcome::WrongAccept);
    parallel::map_owned(accepted.collect(), |found| {
        let case = by_id.get(found.case.as_str());
        let case = case.filter(|case| case.version == found.version);
        let fault = found.detail.as_mut().and_then(|it| it.fault.as_mut());
        if let (Some(fault), Some(case), Some(plan)) = (fault, case, formats.plan(&found.format))
            && let Some(violation) = judge(plan, &case.bytes).violation()
        {
            let rules = plan.rules_of_field(violation.op).into_iter();
            let others = rules.filter(|rule| Some(*rule) != violation.rule);
            fault.about = others.map(|rule| plan.rules[rule].id.clone()).collect();
        }
    });
}

/// For each rejection that reports the byte at which the reader stopped, adds the rules that apply
/// near that byte.
fn locate_stops(results: &mut [CaseResult], by_id: &HashMap<&str, &Case>, formats: &Formats) {
    parallel::map_owned(results.iter_mut().collect(), |found| {
        let case = by_id.get(found.case.as_str());
        let case = case.filter(|case| case.version == found.version);
        let stop = found.detail.as_mut().and_then(|it| it.look_at.as_mut());
        let stop = stop.filter(|it| it.rule.is_none());
        if let (Some(stop), Some(case), Some(plan)) = (stop, case, formats.plan(&found.format)) {
            stop.near = near(plan, &case.bytes, stop.offset);
        }
    });
}

/// Returns the rules that the parts of the trace around `offset` exercise, starting with those of
/// the smallest part. A part that ends at `offset` also counts, because a reader that expects the
/// part to continue stops there. Rules for the whole trace are ignored, because they do not
/// identify a part.
fn near(plan: &Plan, bytes: &[u8], offset: u64) -> Vec<String> {
    let length = |showing: &Showing| showing.span.end.saturating_sub(showing.span.start);
    let whole = bytes.len() as u64;
    let mut around = showings(plan, bytes);
    around.retain(|it| {
        it.span.start <= offset && offset <= it.span.end && (1..whole).contains(&length(it))
    });
    around.sort_by_key(length);
    let mut rules: Vec<String> = Vec::new();
    for showing in around {
        let id = &plan.rules[showing.rule].id;
        if !rules.contains(id) {
            rules.push(id.clone());
        }
    }
    rules
}

/// For each failure on a valid trace where neither the reader nor a difference in the records
/// identifies a byte, adds the first bytes that exercise the rule that the failure is listed under.
/// If no bytes exercise this rule, another rule of the case or a departure (an unusual property of
/// the trace) is used instead.
pub fn locate_rules(results: &mut [CaseResult], cases: &[&Case], formats: &Formats) {
    let by_id = by_id(cases);
    parallel::map_owned(results.iter_mut().collect(), |found| {
        let rules: Vec<String> = found
            .set_apart_by
            .iter()
            .chain(&found.rules)
            // Many departures are named after the rule that permits them.
            .chain(&found.departures)
            .cloned()
            .collect();
        let case = by_id.get(found.case.as_str());
        let case = case.filter(|case| case.version == found.version);
        let plan = formats.plan(&found.format);
        if let (Some(detail), Some(case), Some(plan)) = (&mut found.detail, case, plan)
            && detail.fault.is_none()
            && detail.difference.is_none()
            && detail.look_at.is_none()
        {
            detail.look_at = exercised(plan, &case.bytes, &rules);
        }
    });
}

/// Returns the first bytes that exercise one of `rules`, trying the rules in order. Bytes that
/// cover only a part of the trace are preferred to the whole trace, which would not show the user
/// where to look.
fn exercised(plan: &Plan, bytes: &[u8], rules: &[String]) -> Option<LookAt> {
    let all = showings(plan, bytes);
    let whole = bytes.len() as u64;
    let length = |showing: &Showing| showing.span.end.saturating_sub(showing.span.start);
    rules.iter().find_map(|id| {
        let of_rule = || all.iter().filter(|it| plan.rules[it.rule].id == *id);
        let part = of_rule().find(|it| (1..whole).contains(&length(it)));
        let first = part.or_else(|| of_rule().next())?;
        let (rule, start) = (Some(id.clone()), first.span.start);
        Some(LookAt::new(bytes, rule, start, length(first)))
    })
}

/// The maximum number of bytes to decode again to locate the remaining differences of a case. For
/// each difference, the trace is decoded up to the differing record, so a long trace with many
/// differences would take minutes without this limit.
const DECODED_AGAIN: usize = 1 << 18;

/// Adds the applicable rules to all differences of a case. Bytes are shown only for the first
/// difference. The first difference in each member is handled before the later differences in the
/// same member. Once [`DECODED_AGAIN`] bytes have been decoded, a later difference gets the rules
/// of the first difference in the same member.
fn locate_all(plan: &Plan, bytes: &[u8], about: &About<'_>, detail: &mut Detail) {
    let first = detail.difference.clone().unwrap_or_default();
    let Some(all) = &mut detail.differences else {
        return;
    };
    let mut left = DECODED_AGAIN / bytes.len().max(1);
    let mut by_member: HashMap<(String, String), Vec<String>> = HashMap::new();
    let member = |kind: &str, path: &str| (kind.to_owned(), anywhere(path));
    let (firsts, others): (Vec<_>, Vec<_>) = {
        let mut seen = HashSet::new();
        let list = all.list.iter_mut();
        list.partition(|it| seen.insert(member(&it.kind, &it.difference.path)))
    };
    for found in firsts.into_iter().chain(others) {
        let key = member(&found.kind, &found.difference.path);
        let difference = &mut found.difference;
        if (difference.owed, &difference.path) == (first.owed, &first.path) {
            difference.rules.clone_from(&first.rules);
        } else if let (Some(owed), Some(rest)) = (difference.owed, left.checked_sub(1)) {
            left = rest;
            if let Some(places) = places(plan, bytes, owed, &difference.path) {
                difference.rules = rules(plan, &places, about, difference);
            }
        } else if let Some(rules) = by_member.get(&key) {
            difference.rules.clone_from(rules);
        }
        by_member
            .entry(key)
            .or_insert_with(|| difference.rules.clone());
    }
}

fn difference(found: &mut CaseResult) -> Option<&mut Difference> {
    found.detail.as_mut()?.difference.as_mut()
}

/// The end of the path of the name in a pair of a name and a value.
const NAME: &str = "].name";

/// The start of the JSON text that represents a missing value.
const MISSING: &str = r#"{"missing":"#;

/// The rules of a case and the number of its expected records.
#[derive(Clone, Copy, Debug)]
pub struct About<'c> {
    /// The rules of the case, with its main rule first.
    pub rules: &'c [String],
    /// The number of expected records.
    pub records: usize,
}

impl About<'_> {
    /// Returns whether more records follow the record that differs.
    fn follows(&self, difference: &Difference) -> bool {
        difference.owed.is_some_and(|owed| owed + 1 < self.records)
    }

    /// Returns the rules of the case that are in `some`.
    fn of_those(&self, some: &[String]) -> Vec<String> {
        let rules = self.rules.iter().filter(|id| some.contains(id));
        rules.cloned().collect()
    }
}

/// Adds to a difference the bytes that the expected value was decoded from and the rules that apply
/// to the value.
///
/// If there are several rules, those exercised by the record are preferred, and among these the
/// rules in `about`.
pub fn complete(plan: &Plan, bytes: &[u8], about: &About<'_>, difference: &mut Difference) {
    let found = difference
        .owed
        .and_then(|owed| places(plan, bytes, owed, &difference.path));
    if let Some(found) = found {
        // A rule about the byte order says more than the rules about the value.
        let is_swapped = is_byte_swapped(&difference.expected, &difference.actual);
        difference.rules = match plan.rule_of_byte_order().filter(|_| is_swapped) {
            Some(rule) => vec![plan.rules[rule].id.clone()],
            None => rules(plan, &found, about, difference),
        };
        difference.origins = origins(bytes, &found, &difference.path);
    }
}

/// Returns the part of the description that decodes the expected value, as a path relative to its
/// record, such as `values:I64`. Returns an empty string if no part of the description decodes the
/// value.
pub fn read_by(plan: &Plan, bytes: &[u8], difference: &Difference) -> String {
    let found = difference
        .owed
        .and_then(|owed| places(plan, bytes, owed, &difference.path));
    let Some(Places {
        record,
        value,
        member,
        ..
    }) = found
    else {
        return String::new();
    };
    let first = value.first().map(|place| place.op);
    let Some(op) = first.or(member) else {
        return String::new();
    };
    let paths = Paths::new(plan);
    let inside = paths.of(op).strip_prefix(paths.of(record.op));
    let inside = inside.map(|path| path.trim_start_matches('.'));
    inside.unwrap_or(paths.of(op)).to_owned()
}

/// Returns the rules that apply to a difference. If there are several rules, those exercised by the
/// record are preferred, and among these the rules of the case.
fn rules(plan: &Plan, found: &Places, about: &About<'_>, difference: &Difference) -> Vec<String> {
    let named = |rules: Vec<RuleId>| -> Vec<String> {
        let ids = rules.into_iter().map(|rule| plan.rules[rule].id.clone());
        ids.collect()
    };
    let all = found.shown();
    if difference.path.is_empty() {
        // If a problem affects all following records, its cause is usually located before them. If
        // a problem affects only the last record, its cause is located in that record. Rules of the
        // case at these places are more relevant than rules that apply to every record.
        let before = (about.follows(difference)).then(|| found.shown_before());
        for near in before.into_iter().chain([all.clone()]) {
            let near = about.of_those(&named(near));
            if !near.is_empty() {
                return near;
            }
        }
    }
    let speak = speak(plan, found, difference);
    let speak = speak
        .into_iter()
        .find(|rules| !rules.is_empty())
        .unwrap_or_default();
    let speak = named(some(speak, |rule| all.contains(rule)));
    some(speak, |id| about.rules.contains(id))
}

/// Returns groups of rules that apply to a difference, most specific first.
fn speak(plan: &Plan, found: &Places, difference: &Difference) -> Vec<Vec<RuleId>> {
    let whole = found.record.op;
    let all = found.shown();
    let is_shown = |rule: RuleId| all.contains(&rule);
    let of_place = |place: &Place| {
        let mut near = found.shown_in(place.span);
        near.extend(found.shown_around(place.span));
        plan.rules_about(place.op, whole, &|rule| near.contains(&rule))
    };
    // If the reader found the right text but decoded it incorrectly, the rules for the place where
    // the text is stored apply.
    let written = found.value.last();
    let written = written.filter(|_| is_text_read_otherwise(difference));
    // If the name of a field differs and a text in the trace gives this name, the rules about such
    // names apply.
    let names = found
        .value
        .iter()
        .filter(|_| difference.path.ends_with(NAME));
    let names = names.map(|place| plan.rules_about_names(place.op));
    // For a computed value, the rules for its computation apply.
    let computed = found.computed.map_or_else(Vec::new, |code| {
        let mut rules = plan.rules_about_computed(code, whole);
        rules.retain(|rule| is_shown(*rule));
        rules
    });
    // If the record omits a field, a value from outside the record is used, so the rules for the
    // presence of the field are relevant.
    let span = found.record.span;
    let is_outside = |place: &&Place| place.span.end <= span.start || place.span.start >= span.end;
    let presence = |place: &Place| {
        let mut rules = plan.rules_about_presence(place.op, whole);
        rules.retain(|rule| is_shown(*rule));
        rules
    };
    let first = found.value.first().filter(is_outside);
    let carried = first.map_or_else(Vec::new, presence);
    // A value that is not found in a table may be missing because the record omits the reference to
    // it. Such a reference comes from an earlier record of the same type.
    let is_of_record = |place: &&Place| whole.0 <= place.op.0 && place.op.0 < plan.op(whole).end;
    let references = found.value.iter().skip(1).filter(is_outside);
    let references =
        references.filter(|place| difference.actual == NO_MEMBER && is_of_record(place));
    let references = references.map(presence);
    // If the expected value is `{"missing": …}`, the rule about the dangling reference applies.
    let named = found.value.first();
    let named = named.filter(|_| difference.expected.starts_with(MISSING));
    let dangling = named.and_then(|place| plan.rule_of_dangling(place.op));
    // If the record stores the value relative to an earlier value, the rules for this computation
    // apply.
    let follows = found.value.first().map_or_else(Vec::new, |place| {
        plan.rules_about_carry(place.op, whole, &is_shown)
    });
    let mut speak: Vec<Vec<RuleId>> = written.map(of_place).into_iter().collect();
    speak.extend(names);
    speak.push(dangling.into_iter().collect());
    speak.push(computed);
    speak.push(carried);
    speak.extend(references);
    speak.push(follows);
    speak.extend(found.value.iter().map(of_place));
    // Rules for a case of a switch apply only if the record exercises them, which shows that this
    // case of the switch decoded the value.
    speak.extend(found.value.iter().map(|place| {
        let mut rules = plan.rules_of_arms(place.op);
        rules.retain(|rule| is_shown(*rule));
        rules
    }));
    // For an absent member, the rules for its presence apply.
    if let Some(op) = found.member.filter(|_| found.value.is_empty()) {
        speak.push(plan.rules_about_presence(op, whole));
    }
    // Rules for the member still apply if its value is stored elsewhere, for example in a table
    // row.
    speak.extend(
        found
            .member
            .map(|op| plan.rules_about(op, whole, &is_shown)),
    );
    speak.push(plan.rules_about(whole, whole, &is_shown));
    speak
}

/// Returns true if the reader found the right text but decoded it incorrectly, so that the texts
/// differ only in characters that are easily lost: non-ASCII and control characters.
fn is_text_read_otherwise(difference: &Difference) -> bool {
    let text = |json: &str| serde_json::from_str::<String>(json).ok();
    let plain = |text: &str| -> String {
        let seen = text
            .chars()
            .filter(|c| c.is_ascii() && !c.is_ascii_control());
        seen.collect()
    };
    let (Some(expected), Some(actual)) = (text(&difference.expected), text(&difference.actual))
    else {
        return false;
    };
    !expected.is_empty() && plain(&expected) == plain(&actual)
}

/// Returns the elements of `all` that satisfy `wanted`, or all elements if none does.
fn some<T: Clone>(all: Vec<T>, wanted: impl Fn(&T) -> bool) -> Vec<T> {
    let some: Vec<T> = all.iter().filter(|one| wanted(one)).cloned().collect();
    if some.is_empty() { all } else { some }
}

/// Returns the parts of the trace that the expected value was decoded from.
fn origins(bytes: &[u8], found: &Places, path: &str) -> Vec<Origin> {
    let Places { record, value, .. } = found;
    let origin = |part: OriginPart, place: &Place| Origin {
        part,
        path: place.path.clone(),
        offset: place.span.start,
        length: place.span.end.saturating_sub(place.span.start),
        excerpt: Excerpt::around(bytes, place.span.start, place.span.end),
    };
    let is_own =
        |place: &Place| record.span.start <= place.span.start && place.span.end <= record.span.end;
    let mut origins: Vec<Origin> = value
        .iter()
        .map(|place| {
            let part = if is_own(place) {
                OriginPart::Value
            } else {
                OriginPart::Elsewhere
            };
            origin(part, place)
        })
        .collect();
    // If the value was decoded from bytes outside the record, the record itself is added as the
    // first part.
    if !value.first().is_some_and(is_own) {
        let part = match path {
            "" => OriginPart::Value,
            _ => OriginPart::Record,
        };
        origins.insert(0, origin(part, record));
    }
    origins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_read_otherwise_is_the_same_but_for_what_is_easily_lost() {
        let otherwise = |expected: &str, actual: &str| {
            is_text_read_otherwise(&Difference {
                expected: expected.to_owned(),
                actual: actual.to_owned(),
                ..Difference::default()
            })
        };
        assert!(otherwise(r#""u\u00fc""#, r#""u\u00c3\u00bc""#));
        assert!(otherwise(r#""\ufeffmarked""#, r#""marked""#));
        assert!(otherwise(r#""a\u0000\u0000""#, r#""a""#));
        assert!(!otherwise(r#""fan speed""#, r#""temperature""#));
        assert!(!otherwise(r#""""#, "null"));
        assert!(!otherwise("5", "7"));
    }
}
