//! Detects the format of a file from its first bytes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tracegauge_decoder::judge;
use tracegauge_plan::{Detection, Dialect, Plan};
use tracegauge_spec::bundled;

use super::Formats;

/// Recognizes traces of the bundled formats, and keeps the plans of those that it has recognized.
/// Loading all formats takes many times as long as reading a small trace, so only those are loaded
/// whose detection rules match the bytes of a trace.
#[derive(Clone, Debug, Default)]
pub struct Recognised {
    /// Maps the dialects that match the first bytes of a trace to their plans.
    loaded: Arc<Mutex<BTreeMap<Vec<&'static str>, Formats>>>,
}

impl Recognised {
    /// Returns the plan that [`Formats::recognise`] would choose among all bundled formats.
    pub fn recognise(&self, head: &[u8]) -> Option<Arc<Plan>> {
        let dialects = bundled::list().iter().flat_map(|format| &format.dialects);
        let fitting = dialects.filter(|dialect| {
            !dialect.detection.is_empty() && dialect.detection.matches_bytes(head)
        });
        let ids: Vec<&str> = fitting.map(|dialect| dialect.id.as_str()).collect();
        if ids.is_empty() {
            return None;
        }
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let formats = loaded.entry(ids).or_insert_with_key(|ids| {
            let names: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
            // A format that cannot be loaded is not recognized.
            Formats::able(&names).map_or_else(|_| Formats::default(), |(formats, _)| formats)
        });
        formats.recognise(head).cloned()
    }
}

impl Formats {
    /// Returns the plan of the dialect of a file that begins with `head`. If several dialects
    /// match, returns the one whose detection rules check the most bytes. A dialect without
    /// detection rules is never detected, so it must be selected by name.
    pub fn recognise(&self, head: &[u8]) -> Option<&Arc<Plan>> {
        let fits = |plan: &&Arc<Plan>| {
            dialect(plan).is_some_and(|dialect| detects(plan, &dialect.detection, head))
        };
        self.plans
            .iter()
            .filter(fits)
            .max_by_key(|plan| dialect(plan).map_or(0, |dialect| weight(&dialect.detection)))
    }

    /// Returns true if `head` is the beginning of a trace in one of the formats. Formats that
    /// accept any first byte are ignored.
    pub fn begin_with(&self, head: &[u8]) -> bool {
        let Some((first, rest)) = head.split_first() else {
            return false;
        };
        let other: Vec<u8> = std::iter::once(!first)
            .chain(rest.iter().copied())
            .collect();
        let takes = |plan: &Plan, head: &[u8]| {
            let verdict = judge(plan, head);
            verdict.violation().is_none_or(|found| found.span.start > 0)
        };
        let begins = |plan: &Arc<Plan>| takes(plan, head) && !takes(plan, &other);
        self.recognise(head).is_some() || self.plans.iter().any(begins)
    }
}

fn dialect(plan: &Plan) -> Option<&Dialect> {
    let mut dialects = plan.description.dialects.iter();
    dialects.find(|dialect| dialect.id == plan.format)
}

fn weight(detection: &Detection) -> usize {
    let bytes = detection.bytes.iter().map(|(_, bytes)| bytes.len());
    bytes.sum::<usize>() + usize::from(detection.field.is_some())
}

fn detects(plan: &Plan, detection: &Detection, head: &[u8]) -> bool {
    let field = detection.field.as_ref();
    !detection.is_empty()
        && detection.matches_bytes(head)
        && field.is_none_or(|field| holds(plan, &field.path, head))
}

/// Returns true if the field that identifies the dialect contains this dialect's value, that is, if
/// decoding `head` finds no violation at that field or at the first byte.
fn holds(plan: &Plan, path: &[String], head: &[u8]) -> bool {
    let wanted = path.join(".");
    let verdict = judge(plan, head);
    verdict.violation().is_none_or(|violation| {
        let fails_before = violation.span.start == 0;
        !(fails_before || violation.path == wanted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracegauge_generator::{Generator, Options};

    /// Compares the recognition of a trace by two detectors, for prefixes of the trace and for
    /// traces with a wrong byte.
    #[test]
    fn nothing_is_recognised_differently_when_only_fitting_formats_are_loaded() {
        let (all, unable) = Formats::able(&[]).expect("no name is unknown");
        assert!(unable.is_empty(), "{unable:?}");
        let recognised = Recognised::default();
        let check = |head: &[u8]| {
            let expected = all.recognise(head).map(|plan| plan.format.as_str());
            let found = recognised.recognise(head);
            assert_eq!(found.as_ref().map(|plan| plan.format.as_str()), expected);
            expected.is_some()
        };
        let mut count = 0;
        for plan in all.plans() {
            let made = Generator::new(Arc::clone(plan)).from_seed(3, Options::default());
            let mut head = made.expect("a trace").bytes;
            head.truncate(64);
            for length in 0..head.len() {
                count += usize::from(check(&head[..length]));
            }
            for index in 0..head.len() {
                head[index] ^= 1;
                count += usize::from(check(&head));
                head[index] ^= 1;
            }
        }
        assert!(count > 100, "{count} were recognized");
    }
}
