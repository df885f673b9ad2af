//! Writes traces to start from: `seeds FOLDER`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: seeds FOLDER");
        return ExitCode::from(2);
    };
    let folder = Path::new(&folder);
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        let seeds = tracegauge_fuzz::seeds(20);
        let mut seeds = seeds.iter();
        seeds.try_for_each(|(name, seed)| std::fs::write(folder.join(name), seed))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::from(2)
        }
    }
}
