//! Loads descriptions and prints their diagnostics. Usage: `check FILE…`.

use std::time::Instant;

use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Disk, load};

fn main() {
    let mut wrong = false;
    for path in std::env::args().skip(1) {
        let start = Instant::now();
        let loaded = load(&Disk::default(), &path);
        let took = start.elapsed();
        print!(
            "{}",
            loaded.diagnostics.render(&loaded.sources, Colour::Plain)
        );
        let types = loaded.schema.as_ref().map(|schema| schema.types.len());
        println!(
            "{path}: {} errors, {} shown, {types:?} types, {took:?}",
            loaded.diagnostics.errors(),
            loaded.diagnostics.len(),
        );
        wrong |= loaded.schema.is_none();
    }
    std::process::exit(i32::from(wrong));
}
