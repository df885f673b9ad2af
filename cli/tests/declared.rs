//! Tests that `all.rs` declares every test file, because a file that it does not declare would
//! never run.

use std::fs;
use std::path::Path;

#[test]
fn every_file_of_tests_is_declared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut looked_at = 0;
    for entry in fs::read_dir(root).expect("the workspace") {
        let package = entry.expect("an entry").path();
        let read = |path: &str| fs::read_to_string(package.join(path)).unwrap_or_default();
        let (all, manifest) = (read("tests/all.rs"), read("Cargo.toml"));
        if all.is_empty() {
            continue;
        }
        for file in fs::read_dir(package.join("tests")).expect("tests") {
            let file = file.expect("a file").path();
            // Cargo no longer finds programs in folders once `all.rs` is the only test program.
            let program = file.join("main.rs");
            assert!(!program.exists(), "{}", program.display());
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            if file.extension().is_none_or(|extension| extension != "rs") || name == "all" {
                continue;
            }
            let is_declared = all.lines().any(|line| line == format!("mod {name};"));
            let is_apart = manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            assert!(is_declared || is_apart, "{}", file.display());
            looked_at += 1;
        }
    }
    assert!(looked_at > 80, "{looked_at}");
}
