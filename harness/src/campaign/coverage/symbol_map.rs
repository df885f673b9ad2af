//! The symbol map: the source locations of the reader's edges, as reported by an installed
//! symbolizer.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

/// The maximum number of edges that are mapped to source locations. Mapping more edges would take
/// too long.
const MOST: usize = 50_000;

/// A program that maps addresses to source locations.
struct Symbolizer {
    name: &'static str,
    /// The command-line arguments that precede the path of the reader's program.
    arguments: &'static [&'static str],
    /// Parses the output into a source location for each address. Returns `None` if the output has
    /// an unexpected form.
    parse: fn(&str) -> Option<Vec<Option<Place>>>,
}

/// The supported symbolizers, in order of preference.
const SYMBOLIZERS: [Symbolizer; 2] = [
    Symbolizer {
        name: "llvm-symbolizer",
        arguments: &["--output-style=JSON", "--demangle", "-e"],
        parse: parse_json,
    },
    Symbolizer {
        name: "addr2line",
        arguments: &["-f", "-C", "-e"],
        parse: parse_lines,
    },
];

/// A location in the source of a reader.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::campaign) struct Place {
    /// The function.
    pub(super) function: String,
    /// The file and line, or an empty string if they are unknown.
    pub(super) line: String,
}

/// The source locations of all edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::campaign) struct SymbolMap {
    places: Vec<Option<Place>>,
}

impl SymbolMap {
    /// Creates the symbol map of a program from the addresses of its edges. The map is empty if no
    /// symbolizer is available or if there are too many edges.
    pub(in crate::campaign) fn of(program: &Path, addresses: &[u64]) -> Self {
        let is_known = addresses.iter().any(|address| *address != 0);
        if !is_known || addresses.len() > MOST {
            return Self::default();
        }
        let mut all = SYMBOLIZERS.iter();
        let places = all.find_map(|it| it.places(program, addresses));
        Self {
            places: places.unwrap_or_default(),
        }
    }

    /// Returns the source location of an edge.
    pub(super) fn place(&self, edge: usize) -> Option<&Place> {
        self.places.get(edge)?.as_ref()
    }

    /// Iterates over all edges whose source locations are known.
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, &Place)> {
        let places = self.places.iter().enumerate();
        places.filter_map(|(edge, place)| Some((edge, place.as_ref()?)))
    }
}

impl Symbolizer {
    /// Returns the source locations of `addresses`, or `None` if the symbolizer is not installed or
    /// finds no location.
    fn places(&self, program: &Path, addresses: &[u64]) -> Option<Vec<Option<Place>>> {
        let mut lines: File = tempfile::tempfile().ok()?;
        let text: String = addresses.iter().map(|it| format!("{it:#x}\n")).collect();
        lines.write_all(text.as_bytes()).ok()?;
        lines.rewind().ok()?;
        let output = Command::new(self.name)
            .args(self.arguments)
            .arg(program)
            .stdin(lines)
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let mut places = (self.parse)(&said).filter(|_| output.status.success())?;
        let unknown = addresses.iter().zip(&mut places);
        for (_, place) in unknown.filter(|(address, _)| **address == 0) {
            *place = None;
        }
        places.iter().any(Option::is_some).then_some(places)
    }
}

impl Place {
    /// Creates a source location, or returns `None` if the function is unknown.
    fn new(function: &str, file: &str, line: &str) -> Option<Self> {
        let file = file.rsplit('/').next().unwrap_or(file);
        let is_known = !file.is_empty() && !file.starts_with('?') && line != "0";
        let place = Self {
            function: function.to_owned(),
            line: if is_known {
                format!("{file}:{line}")
            } else {
                String::new()
            },
        };
        (!function.is_empty() && !function.starts_with("??")).then_some(place)
    }
}

/// Parses the output of `llvm-symbolizer`: a JSON object per address, with the inlined functions at
/// that address, innermost first.
fn parse_json(text: &str) -> Option<Vec<Option<Place>>> {
    let place = |line: &str| {
        let said: Json = serde_json::from_str(line).ok()?;
        let innermost = &said.get("Symbol")?[0];
        let text = |name: &str| innermost[name].as_str().unwrap_or_default();
        let line = innermost["Line"].to_string();
        Some(Place::new(text("FunctionName"), text("FileName"), &line))
    };
    text.lines().map(place).collect()
}

/// Parses the output of `addr2line`: two lines per address, the function and then the file and
/// line.
fn parse_lines(text: &str) -> Option<Vec<Option<Place>>> {
    let lines: Vec<&str> = text.lines().collect();
    let (pairs, _) = lines.as_chunks::<2>();
    let place = |[function, place]: &[&str; 2]| {
        let place = place.split(" (").next().unwrap_or(place);
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        Place::new(function, file, line)
    };
    Some(pairs.iter().map(place).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(function: &str, line: &str) -> Option<Place> {
        Some(Place {
            function: function.to_owned(),
            line: line.to_owned(),
        })
    }

    #[test]
    fn lines_of_a_symbolizer_are_places() {
        let text = "main\n/a/b/reader.c:12\n??\n??:0\nread(int) (.part.0)\n??:0\n\
                    low\nreader.c:7 (discriminator 2)\n";
        let expected = vec![
            place("main", "reader.c:12"),
            None,
            place("read(int) (.part.0)", ""),
            place("low", "reader.c:7"),
        ];
        assert_eq!(parse_lines(text), Some(expected));
    }

    #[test]
    fn objects_of_a_symbolizer_are_places() {
        let inner = r#"{"FunctionName":"take","FileName":"/a/reader.c","Line":70}"#;
        let outer = r#"{"FunctionName":"read","FileName":"/a/reader.c","Line":9}"#;
        let none = r#"{"FunctionName":"","FileName":"","Line":0}"#;
        let text = format!("{{\"Symbol\":[{inner},{outer}]}}\n{{\"Symbol\":[{none}]}}\n");
        assert_eq!(
            parse_json(&text),
            Some(vec![place("take", "reader.c:70"), None])
        );
        assert_eq!(parse_json("main\nreader.c:12\n"), None);
    }

    #[test]
    fn what_is_no_program_has_no_places() {
        assert_eq!(
            SymbolMap::of(Path::new("/none"), &[16]),
            SymbolMap::default()
        );
        assert_eq!(SymbolMap::of(Path::new("/none"), &[]), SymbolMap::default());
    }
}
