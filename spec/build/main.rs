//! Embeds all YAML files under `formats` into the library, each with a recording of its YAML events,
//! so that commands need not parse the descriptions when they start.

#[path = "../src/yaml/recorded/kind.rs"]
mod kind;
#[path = "../src/yaml/position.rs"]
mod position;
mod record;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = here.join("formats");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/yaml");
    println!("cargo::rerun-if-changed=formats");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut files = Vec::new();
    if folder.is_dir() {
        walk(&folder, &mut files)?;
    }
    files.sort();
    let mut list = String::from("&[\n");
    for (number, file) in files.iter().enumerate() {
        let relative = file.strip_prefix(&folder).unwrap_or(file);
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        let name = parts.join("/");
        let events = format!("{number}.events");
        let recorded = record::events(&fs::read_to_string(file)?);
        fs::write(out.join(&events), recorded.unwrap_or_default())?;
        let _ = writeln!(
            list,
            "    ({name:?}, include_str!({:?}), include_bytes!({events:?})),",
            file.display().to_string(),
        );
    }
    list.push_str("]\n");
    fs::write(out.join("formats.rs"), list)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            files.push(path);
        }
    }
    Ok(())
}
