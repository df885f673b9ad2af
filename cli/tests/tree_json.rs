//! Tests for trees in JSON. Trees are printed node by node, and reading them back gives the same
//! trace.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::{Observer, StreamFindings, Window, decode_tree, observe_stream};
use tracegauge_generator::Options;
use tracegauge_query::json::{head, read};
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;
use trees::{generators, printed};

use crate::trees;

#[test]
fn what_is_printed_in_parts_is_the_whole_tree() {
    for generator in generators() {
        let plan = generator.plan();
        for seed in 0..40 {
            let options = Options {
                bytes: 2000,
                fill: seed % 2 == 0,
                ..Options::default()
            };
            let Ok(made) = generator.from_seed(seed, options) else {
                continue;
            };
            let text = printed(plan, &made.bytes);
            let head = head(text.as_bytes()).unwrap();
            assert_eq!(head.format.as_deref(), Some(plan.format.as_str()));
            let edited = read(plan, &head, text.as_bytes()).unwrap();
            let (_, whole) = decode_tree(plan, &made.bytes);
            let shape = |tree: &Tree| -> Vec<_> {
                tree.nodes.iter().map(|node| (node.op, node.end)).collect()
            };
            assert!(
                shape(&edited.tree) == shape(&whole),
                "{} {seed}",
                plan.format
            );
            let again = generator.encode_raw(&edited.tree, &edited.bases).unwrap();
            assert!(again == made.bytes, "{} {seed}", plan.format);
        }
    }
}

#[test]
fn a_trace_that_is_cut_is_printed_as_far_as_it_goes() {
    for generator in generators() {
        let plan = generator.plan();
        let made = generator.from_seed(3, Options::default()).unwrap();
        for length in [0, 1, made.bytes.len() / 2, made.bytes.len() - 1] {
            let text = printed(plan, &made.bytes[..length]);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["format"], plan.format);
        }
    }
}

/// Records the maximum number of nodes that exist at once.
#[derive(Default)]
struct Most(usize);

impl Observer for Most {
    fn part(&mut self, tree: &Tree, _bytes: &dyn Window, _around: &[NodeId], _from: NodeId) {
        self.0 = self.0.max(tree.nodes.len());
    }
}

#[test]
fn a_long_trace_is_never_in_memory_as_a_whole() {
    let long = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../corpus/real/dial9-v1/encoder_mixed_200.trc"
    );
    let bytes = std::fs::read(long).unwrap();
    let schema = Arc::new(bundled::find("dial9-v1")[0].load().schema.unwrap());
    let plan = lower(&schema, "dial9-v1").unwrap();
    let (_, whole) = decode_tree(&plan, &bytes);
    let mut most = Most::default();
    observe_stream(
        &plan,
        &mut bytes.as_slice(),
        StreamFindings::Parts,
        &mut most,
    );
    let Most(most) = most;
    assert!(
        most > 0 && most < whole.nodes.len() / 5,
        "{most} of {}",
        whole.nodes.len()
    );
}

#[test]
fn an_edited_tree_may_have_its_members_in_any_order() {
    let generator = &generators()[0];
    let plan = generator.plan();
    let made = generator.from_seed(1, Options::default()).unwrap();
    let text = printed(plan, &made.bytes);
    // Without the `serde_json` feature that preserves order, members would be sorted. Here, they
    // are in reverse order.
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let text = reversed(&value).to_string();
    let head = head(text.as_bytes()).unwrap();
    let edited = read(plan, &head, text.as_bytes()).unwrap();
    let again = generator.encode_raw(&edited.tree, &edited.bases);
    assert!(again.unwrap() == made.bytes);
    let root = reversed(&value["tree"]).to_string();
    let head = self::head(root.as_bytes()).unwrap();
    assert!(read(plan, &head, root.as_bytes()).is_ok());
}

/// Checks that the length of an edited text is recomputed, even if it is stored in a number that
/// precedes the text.
#[test]
fn the_sizes_of_edited_texts_follow() {
    let mut edited = 0;
    for generator in generators() {
        let plan = generator.plan();
        let made = generator.from_seed(1, Options::default()).unwrap();
        let (_, tree) = decode_tree(plan, &made.bytes);
        let text = printed(plan, &made.bytes);
        for (at, _) in text.match_indices("\"name\":\"text\"").take(8) {
            let Some(value) = text[at..].find("\"value\":\"").filter(|value| *value < 60) else {
                continue;
            };
            let mut longer = text.clone();
            longer.insert_str(at + value + "\"value\":\"".len(), "abc");
            let head = head(longer.as_bytes()).unwrap();
            let tree_of = read(plan, &head, longer.as_bytes()).unwrap().tree;
            // The values of some texts determine what follows in the trace and cannot be chosen
            // freely.
            let Ok(again) = generator.encode_mended(&tree_of) else {
                continue;
            };
            let (verdict, found) = decode_tree(plan, &again.bytes);
            assert!(verdict.violation().is_none(), "{} {at}", plan.format);
            assert!(again.bytes.len() > made.bytes.len(), "{}", plan.format);
            assert_eq!(found.nodes.len(), tree.nodes.len(), "{}", plan.format);
            edited += 1;
        }
    }
    assert!(edited > 20, "{edited}");
}

fn reversed(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(members) => {
            let members = members.iter().rev();
            serde_json::Value::Object(
                members
                    .map(|(name, value)| (name.clone(), reversed(value)))
                    .collect(),
            )
        }
        serde_json::Value::Array(items) => items.iter().map(reversed).collect(),
        other => other.clone(),
    }
}

#[test]
fn a_fault_of_the_text_is_named_by_its_place() {
    let generator = &generators()[0];
    let plan = generator.plan();
    let fault = |text: &str| {
        let head = head(text.as_bytes()).unwrap();
        read(plan, &head, text.as_bytes()).unwrap_err().to_string()
    };
    let unknown = fault(r#"{"tree":{"op":0,"nodes":[{"name":"magic","op":99999}]}}"#);
    assert!(
        unknown.contains("tree > 0 magic: `op` is not an operation"),
        "{unknown}"
    );
    let value = fault(r#"{"op":0,"value":[]}"#);
    assert!(value.contains("tree: unexpected `value`"), "{value}");
    let deep = r#"{"op":0,"nodes":["#.repeat(1500) + &"]}".repeat(1500);
    assert!(fault(&deep).contains("nested too deep"));
}
