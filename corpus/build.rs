//! Embeds the stored corpus from the folders next to this file: vectors, regressions, real files,
//! manifests, outcome matrices, recipes for valid traces, and coverage exclusions. Also embeds the
//! seeds of traces to plant faults in, the seeds of traces that detect mutants (decoders with one
//! planted bug), and the documented reasons why some mutants are not detected.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;

const FOLDERS: [&str; 11] = [
    "equivalent",
    "excluded",
    "kills",
    "manifest",
    "matrix",
    "real",
    "recipes",
    "regressions",
    "surviving",
    "twins",
    "vectors",
];

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    for folder in FOLDERS {
        let path = here.join(folder);
        // Cargo would treat a missing folder as changed in every build.
        if path.is_dir() {
            println!("cargo::rerun-if-changed={folder}");
            walk(&path, &mut files)?;
        }
    }
    let mut entries: Vec<(String, String)> = files
        .iter()
        .map(|file| {
            let relative = file.strip_prefix(&here).unwrap_or(file);
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            (parts.join("/"), file.display().to_string())
        })
        .collect();
    entries.sort();
    let mut list = String::from("[\n");
    // Compression reduces the embedded files to an eighth of their size. A file is decompressed
    // only when it is read.
    let mut packed = Vec::new();
    for (name, path) in &entries {
        let content = fs::read(path)?;
        let start = packed.len();
        let mut encoder = DeflateEncoder::new(&mut packed, Compression::default());
        encoder.write_all(&content)?;
        encoder.finish()?;
        let (length, end) = (content.len(), packed.len());
        let _ = writeln!(
            list,
            "    File {{ path: {name:?}, length: {length}, packed: {start}..{end} }},"
        );
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("corpus.deflate"), packed)?;
    fs::write(out.join("corpus.rs"), list)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
