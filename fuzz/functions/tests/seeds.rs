//! Tests the program that writes the seeds of the fuzz targets.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the names of the fuzz targets.
fn targets() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz_targets");
    let files = fs::read_dir(folder).expect("a folder of fuzz targets");
    files
        .map(|file| {
            let path = file.expect("a readable folder").path();
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

#[test]
fn every_target_gets_its_seeds_and_a_dictionary() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let targets = targets();
    assert!(targets.iter().any(|target| target == "decode"));
    for target in &targets {
        let seeds = folder.path().join(target);
        let dictionary = folder.path().join("words.dict");
        let status = Command::new(env!("CARGO_BIN_EXE_seeds"))
            .arg(target)
            .args([&seeds, &dictionary])
            .status()
            .expect("a program that starts");
        assert!(status.success(), "{target}");
        let count = fs::read_dir(&seeds).expect("a folder of seeds").count();
        assert_eq!(count, tracegauge_fuzz::seeds(target).len(), "{target}");
        let words = fs::read_to_string(&dictionary).expect("a dictionary");
        assert_eq!(words, tracegauge_fuzz::words());
    }
}

#[test]
fn wrong_arguments_are_a_usage_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_seeds"))
        .arg("decode")
        .output()
        .expect("a program that starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("usage: seeds TARGET"));
}
