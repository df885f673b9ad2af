//! Adapters that make one mistake each, for the tests of `reader doctor`.
//!
//! Usage: `careless_adapter serve|once MISTAKE [FILE]`. The adapters decode a toy format: `NOTE`,
//! followed by notes. A note consists of an eight-byte time, a level up to 9, and a string preceded
//! by its size.

use std::fs;
use std::io::{self, BufRead, Write};
use std::process::{ExitCode, abort, exit};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value as Json, json};

const GREETING: &str = r#"{"tracegauge":1,"name":"careless","version":"1","reports":"records"}"#;
/// The last line that a Python interpreter prints to standard error if it cannot find a module.
const MISSING_MODULE: &str = "ModuleNotFoundError: No module named 'mine'";
/// The maximum lifetime of the process, in case nothing kills it.
const LIFETIME: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |index: usize| arguments.get(index).map_or("", String::as_str);
    let adapter = Adapter {
        mistake: word(1).to_owned(),
    };
    let done = match word(0) {
        "serve" => adapter.serve(),
        _ => adapter.once(arguments.last().map_or("", String::as_str)),
    };
    done.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(74)
    })
}

struct Adapter {
    mistake: String,
}

/// A decoded note.
struct Note {
    at: u64,
    level: u8,
    text: String,
}

impl Adapter {
    fn makes(&self, mistake: &str) -> bool {
        self.mistake == mistake
    }

    fn serve(&self) -> io::Result<ExitCode> {
        let mut out = io::stdout().lock();
        let mut held = Vec::new();
        let mut answered = 0;
        for line in io::stdin().lock().lines() {
            let line = line?;
            let request: Json = serde_json::from_str(&line)?;
            let mut text = Vec::new();
            if request.get("hello").is_some() {
                self.greet(&line, &mut text)?;
            } else {
                if self.makes("first-request-only") && answered > 0 {
                    return Ok(ExitCode::SUCCESS);
                }
                let file = request["file"].as_str().unwrap_or_default();
                let status = self.answer(&line, &fs::read(file)?, answered, &mut text)?;
                if status == 70 {
                    return Ok(ExitCode::from(status));
                }
                answered += 1;
            }
            if self.makes("buffers-until-exit") {
                held.append(&mut text);
            } else {
                out.write_all(&text)?;
                out.flush()?;
            }
        }
        out.write_all(&held)?;
        Ok(ExitCode::SUCCESS)
    }

    fn greet(&self, line: &str, out: &mut Vec<u8>) -> io::Result<()> {
        match self.mistake.as_str() {
            "misses-module" => Err(io::Error::other(MISSING_MODULE)),
            "killed-at-start" => abort(),
            "ends-at-start" => exit(3),
            "too-much-at-start" => {
                let hoard = vec![1u8; 256 << 20];
                sleep(LIFETIME);
                std::hint::black_box(&hoard);
                Ok(())
            }
            "echoes-greeting" => writeln!(out, "{line}"),
            "banner" => writeln!(out, "Careless 1.0 ready\n{GREETING}"),
            "future" => writeln!(out, "{{\"tracegauge\":2}}"),
            "verdicts" => writeln!(out, "{}", GREETING.replace("records", "verdict")),
            "slow-start" => {
                sleep(Duration::from_millis(2500));
                writeln!(out, "{GREETING}")
            }
            _ => writeln!(out, "{GREETING}"),
        }
    }

    fn once(&self, file: &str) -> io::Result<ExitCode> {
        let bytes = fs::read(file)?;
        let mut text = Vec::new();
        let status = self.answer(&String::from_utf8_lossy(&bytes), &bytes, 0, &mut text)?;
        io::stdout().lock().write_all(&text)?;
        Ok(ExitCode::from(status))
    }

    /// Writes the answer to a case, and returns the exit status that `once` mode requires for this
    /// answer.
    fn answer(
        &self,
        given: &str,
        bytes: &[u8],
        before: usize,
        out: &mut Vec<u8>,
    ) -> io::Result<u8> {
        match self.mistake.as_str() {
            "echoes-input" => return writeln!(out, "{given}").map(|()| 0),
            "accepts-all" => return writeln!(out, "{{\"end\":\"accept\"}}").map(|()| 0),
            "undeclared-format" => {
                let closing = json!({"end": "unsupported", "feature": "the format notes-v1"});
                return writeln!(out, "{closing}").map(|()| 69);
            }
            "misses-module" => {
                eprintln!("{MISSING_MODULE}");
                return Ok(1);
            }
            "no-answer" => {
                sleep(LIFETIME);
                return Ok(0);
            }
            "too-much" => {
                let hoard = vec![1u8; 256 << 20];
                sleep(LIFETIME);
                return Ok(std::hint::black_box(&hoard)[0]);
            }
            "killed" => abort(),
            "noise" => writeln!(out, "reading {} bytes", bytes.len())?,
            _ => {}
        }
        let (notes, fault) = read(bytes);
        let fault = fault.filter(|_| !self.makes("reads-and-accepts-all"));
        for note in &notes {
            self.record(note, out)?;
        }
        if self.makes("remembers") && before > 0 {
            writeln!(out, "{}", json!({"record": "note", "at": before}))?;
        }
        let status = self.close(fault, out)?;
        if self.makes("after-closing-line") {
            writeln!(out, "{{\"end\":\"accept\"}}")?;
        }
        Ok(status)
    }

    fn record(&self, note: &Note, out: &mut Vec<u8>) -> io::Result<()> {
        let at = if note.at >> 53 > 0 {
            json!(note.at.to_string())
        } else {
            json!(note.at)
        };
        let mut record =
            json!({"record": "note", "at": at, "level": note.level, "text": note.text});
        match self.mistake.as_str() {
            "unknown-member" => {
                record =
                    json!({"record": "note", "at": at, "Level": note.level, "txet": note.text});
            }
            "unknown-kind" => record["record"] = json!("notes"),
            "omits-empty" => {
                let members = record.as_object_mut().into_iter();
                members.for_each(|members| members.retain(|_, value| *value != 0 && *value != ""));
            }
            "omits-some" if note.level > 4 => {
                let members = record.as_object_mut().into_iter();
                members.for_each(|members| drop(members.remove("level")));
            }
            "undeclared-omission" => {
                record = json!({"record": "note", "at": at, "text": note.text});
            }
            #[expect(clippy::cast_precision_loss, reason = "the mistake")]
            "lost-digits" => record["at"] = json!(note.at as f64),
            "bad-json" => {
                let Note { level, text, .. } = note;
                return writeln!(
                    out,
                    "{{\"record\":\"note\",\"at\":{at},\"level\":{level},\"text\":\"{text}\"}}"
                );
            }
            "bad-utf-8" => {
                let line = format!("{record}\n");
                let latin = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?');
                out.extend(line.chars().map(latin));
                return Ok(());
            }
            "bad-record-line" => record["record"] = Json::Null,
            "unknown-line" => return writeln!(out, "{}", json!({"records": [record]})),
            "surplus-records" => writeln!(out, "{record}")?,
            "no-records" => return Ok(()),
            _ => {}
        }
        writeln!(out, "{record}")
    }

    /// Writes the closing line, and returns the exit status that corresponds to it.
    fn close(&self, fault: Option<&str>, out: &mut Vec<u8>) -> io::Result<u8> {
        let Some(why) = fault else {
            let end = if self.makes("bad-closing-line") {
                "ok"
            } else {
                "accept"
            };
            return writeln!(out, "{}", json!({"end": end})).map(|()| 0);
        };
        match self.mistake.as_str() {
            "dies" => {
                eprintln!("unhandled: {why}");
                Ok(70)
            }
            "exit-1" => Ok(1),
            "exit-0-after-rejection" => {
                eprintln!("error: {why}");
                Ok(0)
            }
            _ => writeln!(out, "{}", json!({"end": "reject", "why": why})).map(|()| 65),
        }
    }
}

/// Decodes the notes of a trace up to its fault, if it has one.
fn read(bytes: &[u8]) -> (Vec<Note>, Option<&'static str>) {
    let mut notes = Vec::new();
    let Some(mut rest) = bytes.strip_prefix(b"NOTE") else {
        return (notes, Some("no notes"));
    };
    while !rest.is_empty() {
        let Some((head, tail)) = rest.split_first_chunk::<10>() else {
            return (notes, Some("a note is cut"));
        };
        let [at @ .., level, size] = *head;
        let Some((text, tail)) = tail.split_at_checked(size.into()) else {
            return (notes, Some("a text is cut"));
        };
        let Ok(text) = std::str::from_utf8(text) else {
            return (notes, Some("a text is not UTF-8"));
        };
        if level > 9 {
            return (notes, Some("a level is past 9"));
        }
        notes.push(Note {
            at: u64::from_le_bytes(at),
            level,
            text: text.to_owned(),
        });
        rest = tail;
    }
    (notes, None)
}
