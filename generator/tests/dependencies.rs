//! Tests the direction of dependencies between crates. Decoding and generating need only a plan, not
//! the language that it is written in. Isolating readers needs nothing that is specific to traces.

use std::process::Command;

use serde_json::Value;

/// Returns the packages of the workspace that the package `name` depends on, apart from its tests.
fn dependencies(metadata: &Value, name: &str) -> Vec<String> {
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == name);
    let all = package.expect("the package")["dependencies"].as_array();
    let used = all
        .expect("dependencies")
        .iter()
        .filter(|it| it["kind"].is_null());
    let names = used.filter_map(|it| it["name"].as_str().map(str::to_owned));
    names
        .filter(|name| name.starts_with("tracegauge-"))
        .collect()
}

#[test]
fn crates_depend_only_on_what_they_build_on() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version=1",
            "--manifest-path",
        ])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for independent in [
        "tracegauge-plan",
        "tracegauge-contain",
        "tracegauge-results",
    ] {
        assert_eq!(dependencies(&metadata, independent), [""; 0]);
    }
    assert_eq!(
        dependencies(&metadata, "tracegauge-decoder"),
        ["tracegauge-plan"]
    );
    assert_eq!(
        dependencies(&metadata, "tracegauge-generator"),
        ["tracegauge-decoder", "tracegauge-plan"]
    );
    assert_eq!(
        dependencies(&metadata, "tracegauge-reports"),
        ["tracegauge-results"]
    );
    // Comparing and judging needs neither the generator of traces nor the reports.
    let judge = dependencies(&metadata, "tracegauge-judge");
    for unrelated in [
        "tracegauge-harness",
        "tracegauge-reports",
        "tracegauge-generator",
    ] {
        assert!(!judge.contains(&unrelated.to_owned()), "{judge:?}");
    }
    // Nothing else in the suite needs the command line.
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let used = dependencies(&metadata, name);
        assert!(!used.contains(&"tracegauge-cli".to_owned()), "{name}");
    }
}
