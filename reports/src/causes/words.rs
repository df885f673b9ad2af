//! Describes a cause in a few words.

use tracegauge_results::{CaseResult, Cause, Impact, RecordFault, Symptom};

/// Describes a cause. The feature must be empty unless it is at least a likely cause, because
/// people take a headline literally.
pub(super) fn headline(
    (symptom, also): (&Symptom, &[Symptom]),
    impact: Impact,
    simplest: &CaseResult,
    feature: &[&str],
) -> String {
    let traces = traces(impact, simplest, feature);
    let accepts = also
        .iter()
        .any(|it| matches!(it, Symptom::Accepts { rule: Some(_) }));
    match symptom {
        Symptom::Rejects if accepts || traces.is_empty() => Cause::rejection(impact, also),
        Symptom::Rejects => format!("{} {traces}", Cause::rejection(impact, also)),
        Symptom::Accepts { rule: Some(rule) } => format!("accepts what {rule} forbids"),
        Symptom::Accepts { rule: None } => "accepts malformed traces".to_owned(),
        Symptom::Records { fault, member } => {
            // The report shows the rule for the member anyway, so the headline names only
            // departures.
            let with_departure = traces.starts_with("with ");
            let place = if with_departure {
                format!(" in traces {traces}")
            } else {
                String::new()
            };
            let members = match other_members(member, also) {
                0 => member.clone(),
                // The records are of several kinds.
                _ if matches!(fault, RecordFault::Missing | RecordFault::MissingTail) => {
                    String::new()
                }
                1 => format!("{member} or another member"),
                further => format!("{member} or one of {further} other members"),
            };
            let mut others = also.iter().filter_map(Symptom::fault_of_member);
            // If members have different kinds of faults, the headline says that they are wrong,
            // which covers all of these faults.
            let fault = match fault.is_about_member() && others.any(|other| other != *fault) {
                true => RecordFault::Value,
                false if is_also_missing(*fault, also) => RecordFault::Missing,
                false => *fault,
            };
            let place = match symptom.is_everywhere() {
                _ if symptom.is_never_reported() || symptom.is_not_in_format() => "",
                true => " in nearly every trace",
                false => &place,
            };
            format!("{}{place}", records(fault, &members))
        }
        _ if traces.is_empty() => breakdown(symptom),
        _ => format!("{} on traces {traces}", breakdown(symptom)),
    }
}

/// Returns whether records are missing not only at the end of traces.
fn is_also_missing(fault: RecordFault, also: &[Symptom]) -> bool {
    let mut also = also.iter().filter_map(Symptom::record_fault);
    fault == RecordFault::MissingTail && also.any(|fault| fault == RecordFault::Missing)
}

/// Counts the members, other than `member`, that further symptoms affect.
fn other_members(member: &str, also: &[Symptom]) -> usize {
    let members = also.iter().filter_map(|symptom| match symptom {
        Symptom::Records { member, .. } => Some(member.as_str()),
        _ => None,
    });
    let mut others: Vec<&str> = members.filter(|other| *other != member).collect();
    others.sort_unstable();
    others.dedup();
    others.len()
}

/// Describes which traces are affected, as a phrase that follows `traces`.
fn traces(impact: Impact, simplest: &CaseResult, feature: &[&str]) -> String {
    let names = feature.join(" and ");
    let is_departure = |name: &&str| simplest.departures.iter().any(|own| own == name);
    if feature.is_empty() {
        String::new()
    } else if impact == Impact::Malformed {
        format!("that violate {names}")
    } else if let Some(contents) = names.strip_prefix("traces ") {
        contents.to_owned()
    } else if feature.iter().any(is_departure) {
        format!("with {names}")
    } else {
        format!("that exercise {names}")
    }
}

fn records(fault: RecordFault, member: &str) -> String {
    let kind = |unknown: &str| match member {
        "" => unknown.to_owned(),
        kind => format!("`{kind}`"),
    };
    match fault {
        RecordFault::Value | RecordFault::Element => format!("{member} is wrong"),
        RecordFault::Absent => format!("{member} is not reported"),
        RecordFault::Surplus => {
            format!("{member} is reported although the record does not have it")
        }
        RecordFault::NotInFormat => {
            format!("{member} is reported, but the format has no such member")
        }
        RecordFault::Displaced => {
            format!(
                "another record is reported in place of {}",
                kind("the right one")
            )
        }
        RecordFault::Missing => match member {
            "" => "records are missing".to_owned(),
            kind => format!("`{kind}` records are missing"),
        },
        RecordFault::NeverReported if member.is_empty() => {
            "no records are ever reported".to_owned()
        }
        RecordFault::NeverReported => format!("{member} records are never reported"),
        RecordFault::Order => "the records are in the wrong order".to_owned(),
        RecordFault::Duplicate => match member {
            "" => "records are reported more than once".to_owned(),
            kind => format!("`{kind}` records are reported more than once"),
        },
        RecordFault::MissingTail => match member {
            "" => "the last records are not reported".to_owned(),
            kind => format!("the last records are not reported, starting with `{kind}`"),
        },
        RecordFault::Extra => match member {
            "" => "too many records are reported".to_owned(),
            kind => format!("too many records are reported: `{kind}`"),
        },
        RecordFault::Unknown => "records are wrong".to_owned(),
    }
}

fn breakdown(symptom: &Symptom) -> String {
    match symptom {
        Symptom::Crash {
            message,
            place: Some(place),
        } => format!("crashes in {place} ({message})"),
        Symptom::Crash { message, .. } => said("crashes", message),
        Symptom::Hang => "hangs".to_owned(),
        Symptom::OutOfMemory => "runs out of memory".to_owned(),
        Symptom::Flood => "prints endless output".to_owned(),
        Symptom::Protocol { message } => said("violates the reader protocol", message),
        Symptom::Gap { message } => said("reports an undeclared gap", message),
        Symptom::Rejects | Symptom::Records { .. } | Symptom::Accepts { .. } => String::new(),
    }
}

fn said(what: &str, message: &str) -> String {
    match message {
        "" => what.to_owned(),
        message => format!("{what} ({message})"),
    }
}
