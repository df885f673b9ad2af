//! Embeds all YAML files under `formats` into the library.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = here.join("formats");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=formats");
    let mut files = Vec::new();
    if folder.is_dir() {
        walk(&folder, &mut files)?;
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let relative = file.strip_prefix(&folder).unwrap_or(file);
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        let name = parts.join("/");
        let _ = writeln!(
            list,
            "    ({name:?}, include_str!({:?})),",
            file.display().to_string()
        );
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
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
