//! The departures from plain traces (the unusual properties of traces) that known writers produce.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tracegauge_corpus::case::{Case, ExpectedVerdict, Source};
use tracegauge_corpus::store::Store;

/// The path of the list of departures found in real files, including files that are not in the
/// corpus.
const LIST: &str = "real/departures.yaml";

/// A departure in the list. Each entry of the list also names a writer and a file, for information
/// only.
#[derive(Deserialize)]
struct Listed {
    departure: String,
}

/// Returns the departures that known writers produce, for each format of `cases`: those listed by
/// the corpus in `store` and those of the real files among `cases`.
pub(crate) fn written(store: &Store, cases: &[Case]) -> BTreeMap<String, Vec<String>> {
    let mut written: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let formats: BTreeSet<&str> = cases.iter().map(|case| case.format.as_str()).collect();
    let is_asked = |(format, _): &(String, Vec<Listed>)| formats.contains(format.as_str());
    for (format, listed) in listed(store).into_iter().filter(is_asked) {
        let departures = listed.into_iter().map(|it| it.departure);
        written.entry(format).or_default().extend(departures);
    }
    let is_real = |case: &&Case| {
        case.provenance.source == Source::Real && case.expected.verdict == ExpectedVerdict::Accept
    };
    for case in cases.iter().filter(is_real) {
        let of_format = written.entry(case.format.clone()).or_default();
        of_format.extend(case.departures.iter().cloned());
    }
    let all = written.into_iter().map(|(format, departures)| {
        let departures: Vec<String> = departures.into_iter().collect();
        (format, departures)
    });
    all.filter(|(_, departures)| !departures.is_empty())
        .collect()
}

/// Returns the list of departures in the corpus, or an empty list if the corpus has none.
fn listed(store: &Store) -> BTreeMap<String, Vec<Listed>> {
    let text = store.read(LIST).ok().flatten().unwrap_or_default();
    serde_yaml::from_slice(&text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use tracegauge_corpus::case::{Expected, Provenance, State};

    use super::*;

    fn case(source: Source, departure: &str) -> Case {
        Case {
            id: "boxes-v1/x".into(),
            format: "boxes-v1".into(),
            bytes: Arc::from(&b""[..]),
            repeated: None,
            expected: Expected {
                verdict: ExpectedVerdict::Accept,
                records: vec![Vec::new()],
                due: None,
                open: false,
                violation: None,
            },
            twin: None,
            provenance: Provenance {
                source,
                rules: Vec::new(),
                operator: None,
                why: String::new(),
            },
            departures: vec![departure.to_owned()],
            state: State::Active,
            version: 1,
        }
    }

    #[test]
    fn the_list_and_the_real_files_are_joined() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("real")).unwrap();
        let list = "boxes-v1: [{departure: LISTED, writer: w, file: f}]\n\
                    other-v1: [{departure: OTHER, writer: w, file: f}]";
        fs::write(folder.path().join(LIST), list).unwrap();
        let cases = [case(Source::Real, "SEEN"), case(Source::Valid, "MADE")];
        let all = written(&Store::Folder(folder.path().into()), &cases);
        let expected = vec!["LISTED".to_owned(), "SEEN".to_owned()];
        assert_eq!(all, BTreeMap::from([("boxes-v1".to_owned(), expected)]));
    }

    #[test]
    fn a_corpus_without_a_list_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let cases = [case(Source::Valid, "MADE")];
        assert!(written(&Store::Folder(folder.path().into()), &cases).is_empty());
    }
}
