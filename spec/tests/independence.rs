//! Tests that formats are independent: after removing the folder of any format, the remaining
//! descriptions still load.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tracegauge_spec::load::{Disk, load};
use tracegauge_spec::lower::lower;

/// The folder of shared parts, which is not a format.
const SHARED: &str = "common";

fn formats() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("formats")
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(path)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// Returns the descriptions below `path`.
fn descriptions(path: &Path) -> Vec<PathBuf> {
    let own = Some(path.join("format.yaml")).filter(|file| file.exists());
    let below = folders(path)
        .into_iter()
        .flat_map(|folder| descriptions(&folder));
    own.into_iter().chain(below).collect()
}

fn copy(from: &Path, to: &Path, without: &Path) {
    if from == without {
        return;
    }
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target, without);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// Returns the folders that contain one or more descriptions.
fn removable(path: &Path) -> Vec<PathBuf> {
    let inner = folders(path);
    let here = inner
        .iter()
        .filter(|folder| folder.file_name().is_none_or(|name| name != SHARED));
    here.flat_map(|folder| {
        let mut found = vec![folder.clone()];
        let versions = folders(folder);
        found.extend(
            versions
                .into_iter()
                .filter(|version| version.join("format.yaml").exists()),
        );
        found
    })
    .collect()
}

#[test]
fn whichever_folder_is_taken_away_the_rest_is_sound() {
    let all = removable(&formats());
    assert!(all.len() > 5, "too few folders: {all:?}");
    for folder in all {
        let rest = TempDir::new().expect("a folder");
        copy(&formats(), rest.path(), &folder);
        let left = descriptions(rest.path());
        assert!(!left.is_empty());
        for file in left {
            let loaded = load(&Disk::default(), &file.to_string_lossy());
            let schema = loaded.schema.unwrap_or_else(|| {
                panic!(
                    "without {}, {} has mistakes",
                    folder.display(),
                    file.display()
                )
            });
            let schema = std::sync::Arc::new(schema);
            for dialect in &schema.dialects {
                lower(&schema, &dialect.id).unwrap_or_else(|reasons| {
                    panic!("without {}, {}: {reasons:?}", folder.display(), dialect.id)
                });
            }
        }
    }
}
