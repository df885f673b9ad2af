//! Checks the vectors of every format with the reference decoder. Each disagreement is printed in
//! full. Either the decoder or the vector is wrong, and the specification decides which.

use tracegauge_corpus::case::{ExpectedVerdict, Source};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::vector::{self, Aspect, Vector};

fn store() -> Store {
    Store::Folder(env!("CARGO_MANIFEST_DIR").into())
}

#[test]
fn the_decoder_agrees_with_every_vector() {
    let (formats, _) = Formats::able(&[]).expect("the bundled descriptions");
    let (mut agreed, mut disagreements) = (0, Vec::new());
    for plan in formats.plans() {
        let vectors =
            vector::load(&store(), Source::Vector, &plan.format).unwrap_or_else(|error| {
                panic!("{error}");
            });
        let (cases, differing) = vector::check(plan, &vectors);
        assert_eq!(cases.len() + differing.len(), vectors.len());
        agreed += cases.len();
        disagreements.extend(differing);
    }
    for disagreement in &disagreements {
        eprintln!("{disagreement}");
    }
    assert!(agreed > 0, "no vector was read");
    assert!(
        disagreements.is_empty(),
        "{} of {} vectors disagree",
        disagreements.len(),
        agreed + disagreements.len()
    );
}

#[test]
fn the_embedded_vectors_are_those_in_the_folder() {
    {
        let format = "dial9-v1";
        let embedded =
            vector::load(&Store::Embedded, Source::Vector, format).expect("embedded vectors");
        let folder = vector::load(&store(), Source::Vector, format).expect("vectors in the folder");
        assert!(!embedded.is_empty());
        let ids = |vectors: &[vector::Vector]| -> Vec<String> {
            vectors.iter().map(|vector| vector.id.clone()).collect()
        };
        assert_eq!(ids(&embedded), ids(&folder));
    }
}

/// Checks that every kind of wrong statement in a vector is noticed.
#[test]
fn a_wrong_statement_is_noticed() {
    let formats = Formats::bundled(&["dial9-v1".to_owned()]).expect("a bundled description");
    let plan = &formats.plans()[0];
    let vectors = vector::load(&store(), Source::Vector, "dial9-v1").expect("vectors");
    let named = |id: &str| {
        let found = vectors.iter().find(|vector| vector.id == id);
        found.expect("a known vector").clone()
    };
    let says = |changed: Vector| -> Vec<Aspect> {
        let mut all = vectors.clone();
        all.retain(|vector| vector.id != changed.id);
        all.push(changed.clone());
        let (_, disagreements) = vector::check(plan, &all);
        let own = disagreements
            .into_iter()
            .find(|disagreement| disagreement.vector.id == changed.id);
        own.expect("a disagreement").aspects
    };
    let mut vector = named("one-event");
    vector.records[0]["fields"][0][1] = 6.into();
    assert!(matches!(
        says(vector)[..],
        [Aspect::Record { number: 0, .. }]
    ));
    let mut vector = named("one-event");
    vector.records.clear();
    assert!(matches!(says(vector)[..], [Aspect::Surplus(_)]));
    let mut vector = named("one-event");
    vector.rules = vec!["FIELD-TYPE-DECLARED".to_owned()];
    assert!(matches!(says(vector)[..], [Aspect::NotShown(_)]));
    let mut vector = named("event-without-any-schema");
    vector.expect = ExpectedVerdict::Accept;
    assert!(matches!(says(vector)[..], [Aspect::Verdict { .. }]));
    let mut vector = named("event-without-any-schema");
    vector.twin = Some("has-timestamp-2".to_owned());
    assert!(matches!(says(vector)[..], [Aspect::Twin(_)]));
    let mut vector = named("event-without-any-schema");
    vector.violation.as_mut().expect("a violation").end += 1;
    assert!(matches!(says(vector)[..], [Aspect::Violation { .. }]));
    let mut vector = named("has-timestamp-2");
    vector.open = false;
    assert!(matches!(says(vector)[..], [Aspect::Open { stated: false }]));
}
