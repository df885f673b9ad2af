//! Writes the seeds (initial inputs) of a fuzz target and the dictionary:
//! `seeds TARGET FOLDER DICTIONARY`.

use std::io;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, folder, dictionary] = arguments.as_slice() else {
        eprintln!("usage: seeds TARGET FOLDER DICTIONARY");
        return ExitCode::from(2);
    };
    match write(target, Path::new(folder), Path::new(dictionary)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::from(2)
        }
    }
}

fn write(target: &str, folder: &Path, dictionary: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(dictionary, tracegauge_fuzz::words())?;
    let seeds = tracegauge_fuzz::seeds(target);
    let mut seeds = seeds.iter();
    seeds.try_for_each(|(name, seed)| std::fs::write(folder.join(name), seed))
}
