//! Tests that the cost of each command grows at most linearly with the trace and the output.
//!
//! For each format, a small trace is scaled: every list whose elements may be repeated gets N more
//! elements, for four values of N, each twice the one before. Valgrind counts the instructions and the allocated bytes of each
//! command, so the result does not depend on the load of the machine. Fixed costs, such as loading
//! a description, cancel out because only differences between sizes are compared.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use rayon::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;
use tracegauge_generator::{Generator, Options};
use tracegauge_query::json::{head, read};

use crate::trees::{generators, printed};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// The number of elements that are added to each list for the smallest size. Formats with large
/// elements get fewer, but at least [`FEWEST`], so that their smallest trace grows by [`BYTES`].
const MOST_ELEMENTS: usize = 100;
const FEWEST: usize = 12;
const BYTES: usize = 20_000;
/// The seeds of the traces among which the one with the most lists is chosen.
const SEEDS: std::ops::Range<u64> = 0..12;
/// The maximum ratio between the cost of the elements that a size adds and that of the elements that
/// the size before adds. The ratio is 2 if the cost is linear, and 4 if it is quadratic. A buffer that
/// doubles in size, or a limit from which on a trace is read differently, can make it greater once,
/// so the cost is too high only if the ratio is too great for both of the last sizes.
const STEEPEST: f64 = 2.6;

/// The cost of a command.
#[derive(Clone, Copy, Debug)]
struct Cost {
    instructions: u64,
    allocated: u64,
    /// The sizes of the trace and of the output in bytes.
    bytes: u64,
}

#[test]
#[ignore = "takes minutes; run by `ci/published.sh`"]
fn the_cost_of_each_command_is_linear() {
    let found = Command::new("valgrind").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: valgrind, which counts instructions, is not installed");
        return;
    }
    let generators = generators();
    let steep = generators.par_iter().flat_map(|it| Scaled::new(it).steep());
    let steep: Vec<String> = steep.collect();
    assert!(steep.is_empty(), "{}", steep.join("\n"));
}

/// Scaled versions of a trace in a folder: `<N>.json` contains the tree, and `<N>.bin` the trace.
struct Scaled {
    format: String,
    sizes: [usize; 4],
    folder: TempDir,
}

impl Scaled {
    fn new(generator: &Generator) -> Self {
        let scalable = SEEDS.filter_map(|seed| {
            let options = Options {
                bytes: 700,
                fill: seed.is_multiple_of(2),
                ..Options::default()
            };
            let made = generator.from_seed(seed, options).ok()?;
            let tree = printed(generator.plan(), &made.bytes);
            let tree: Value = serde_json::from_str(&tree).unwrap();
            let lists = scalable(generator, &tree);
            Some((tree, lists))
        });
        let (tree, lists) = scalable.max_by_key(|(_, lists)| lists.len()).unwrap();
        assert!(!lists.is_empty(), "{}", generator.plan().format);
        let scaled = |size: usize| {
            let tree = with_longer(&tree, &lists, size);
            let bytes = encoded(generator, &tree).unwrap();
            (tree, bytes)
        };
        let growth = (scaled(FEWEST).1.len() - scaled(0).1.len()) / FEWEST;
        let least = (BYTES / growth.max(1)).clamp(FEWEST, MOST_ELEMENTS);
        let sizes = [1, 2, 4, 8].map(|times| least * times);
        let folder = TempDir::new().unwrap();
        for size in sizes {
            let (tree, bytes) = scaled(size);
            let file = |ending: &str| folder.path().join(format!("{size}.{ending}"));
            fs::write(file("json"), tree.to_string()).unwrap();
            fs::write(file("bin"), bytes).unwrap();
        }
        Self {
            format: generator.plan().format.clone(),
            sizes,
            folder,
        }
    }

    /// Returns a message for each command whose cost grows too fast.
    fn steep(&self) -> Vec<String> {
        let commands: [(&[&str], &str); 8] = [
            (&["decode"], "bin"),
            (&["check"], "bin"),
            (&["inspect"], "bin"),
            (&["inspect", "--json"], "bin"),
            (&["departures"], "bin"),
            (&["query"], "bin"),
            (&["encode"], "json"),
            (&["reader", "serve"], "bin"),
        ];
        let mut steep = Vec::new();
        for (words, ending) in commands {
            let costs = self.sizes.map(|size| self.cost(words, size, ending));
            let name = format!("{} {}", self.format, words.join(" "));
            eprintln!("{name}: {costs:?}");
            let bytes = growth(&costs, |cost| cost.bytes);
            for (what, of) in [
                (
                    "instructions",
                    (|cost| cost.instructions) as fn(&Cost) -> u64,
                ),
                ("allocated bytes", |cost| cost.allocated),
            ] {
                let ratios = growth(&costs, of);
                let is_steep =
                    |(ratio, bytes): (&f64, &f64)| *ratio > STEEPEST * bytes.max(2.0) / 2.0;
                if ratios.iter().zip(&bytes).all(is_steep) {
                    steep.push(format!("{name}: {what} grow by {ratios:.2?}: {costs:?}"));
                }
            }
        }
        steep
    }

    /// Runs a command on the trace or the tree of a size.
    fn cost(&self, words: &[&str], size: usize, ending: &str) -> Cost {
        let folder = self.folder.path();
        let (input, output) = (format!("{size}.{ending}"), folder.join("output"));
        let profile = folder.join("profile.json");
        let mut command = Command::new("valgrind");
        command
            .args(["--tool=dhat", "--log-file=/dev/null"])
            .arg(format!("--dhat-out-file={}", profile.display()))
            .arg(PROGRAM)
            .args(words)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(File::create(&output).unwrap())
            .stderr(Stdio::null());
        if words.first() == Some(&"reader") {
            let request = json!({"case": "a", "format": self.format, "file": input});
            fs::write(folder.join("request"), format!("{request}\n")).unwrap();
            command.stdin(File::open(folder.join("request")).unwrap());
        } else {
            command.args(["--format", &self.format, &input]);
        }
        match words {
            ["encode"] => drop(command.args(["--out", "written"])),
            ["query"] => drop(command.arg("1")),
            _ => {}
        }
        let status = command.status().unwrap();
        // Status 1 reports deviations from the specification.
        let code = status.code();
        assert!(matches!(code, Some(0 | 1)), "{words:?} {input}: {status}");
        let length = |path: &Path| fs::metadata(path).unwrap().len();
        let profile: Value = serde_json::from_slice(&fs::read(&profile).unwrap()).unwrap();
        let points = profile["pps"].as_array().unwrap();
        Cost {
            instructions: profile["te"].as_u64().unwrap(),
            allocated: points.iter().filter_map(|point| point["tb"].as_u64()).sum(),
            bytes: length(&folder.join(&input)) + length(&output),
        }
    }
}

/// Returns how the growth to the third size compares with that to the second, and how the growth to
/// the fourth compares with that to the third.
#[expect(clippy::cast_precision_loss, reason = "the numbers are far below 2^52")]
fn growth(costs: &[Cost; 4], of: fn(&Cost) -> u64) -> [f64; 2] {
    let [first, second, third, fourth] = costs.each_ref().map(|cost| of(cost) as f64);
    let ratio = |after: f64, before: f64| after / before.max(1.0);
    [
        ratio(third - second, second - first),
        ratio(fourth - third, third - second),
    ]
}

fn encoded(generator: &Generator, tree: &Value) -> Option<Vec<u8>> {
    let text = tree.to_string();
    let head = head(text.as_bytes()).unwrap();
    let edited = read(generator.plan(), &head, text.as_bytes()).ok()?;
    let made = generator.encode_mended(&edited.tree).ok()?;
    Some(made.bytes)
}

/// Returns the paths of the lists that can all be made longer at once. Of the lists that the same
/// operation reads, only the first is included.
fn scalable(generator: &Generator, tree: &Value) -> Vec<String> {
    let mut lists = Vec::new();
    collect(&tree["tree"], "/tree", &mut lists);
    let mut seen = BTreeSet::new();
    let mut chosen = Vec::new();
    for (path, op) in lists {
        if !seen.insert(op) {
            continue;
        }
        chosen.push(path);
        if encoded(generator, &with_longer(tree, &chosen, 3)).is_none() {
            chosen.pop();
        }
    }
    chosen
}

/// Collects the paths and operations of the lists with elements, inner lists first.
fn collect(node: &Value, path: &str, lists: &mut Vec<(String, u64)>) {
    let Some(nodes) = node["nodes"].as_array() else {
        return;
    };
    for (index, inner) in nodes.iter().enumerate() {
        collect(inner, &format!("{path}/nodes/{index}"), lists);
    }
    if nodes.first().is_some_and(|first| first["name"] == "[0]") {
        lists.push((path.to_owned(), node["op"].as_u64().unwrap()));
    }
}

/// Returns the tree with `count` more elements in the lists, which are copies of the last element
/// of the original list.
fn with_longer(tree: &Value, lists: &[String], count: usize) -> Value {
    let mut longer = tree.clone();
    for path in lists {
        let original = tree.pointer(path).unwrap()["nodes"].as_array().unwrap();
        let last = original.last().unwrap();
        let nodes = longer.pointer_mut(path).unwrap()["nodes"].as_array_mut();
        let nodes = nodes.unwrap();
        for index in nodes.len()..nodes.len() + count {
            let mut copy = last.clone();
            copy["name"] = json!(format!("[{index}]"));
            nodes.push(copy);
        }
    }
    longer
}

#[test]
fn only_costs_that_keep_growing_are_too_high() {
    let costs = |cost: fn(u64) -> u64| {
        [100, 200, 400, 800].map(|size| Cost {
            instructions: cost(size),
            allocated: 0,
            bytes: size,
        })
    };
    let ratios = |cost| growth(&costs(cost), |cost| cost.instructions);
    assert_eq!(ratios(|size| 1000 + 7 * size), [2.0, 2.0]);
    assert_eq!(ratios(|size| size * size), [4.0, 4.0]);
    // A step at one size.
    let [before, after] = ratios(|size| 7 * size + if size > 400 { 5000 } else { 0 });
    assert!(before < STEEPEST && after > STEEPEST);
}
