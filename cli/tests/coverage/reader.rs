//! A reader in serve mode for a part of dial9 version 1, for the tests of coverage. It accepts
//! everything that it does not decode.

use std::collections::HashMap;
use std::io::{BufRead, Write};

struct Cursor<'d>(&'d [u8]);

impl<'d> Cursor<'d> {
    fn take(&mut self, count: usize) -> Option<&'d [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, width: usize) -> Option<u64> {
        let bytes = self.take(width)?.iter().rev();
        Some(bytes.fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn prefixed(&mut self, width: usize) -> Option<&'d [u8]> {
        let size = self.number(width)?;
        self.take(usize::try_from(size).ok()?)
    }

    fn text(&mut self, width: usize) -> Option<&'d str> {
        std::str::from_utf8(self.prefixed(width)?).ok()
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.number(1)?;
            if shift == 63 && byte > 1 {
                return None;
            }
            value |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn value(&mut self, code: u8) -> Option<()> {
        match code {
            1 | 2 => drop(self.number(8)?),
            3 | 11 => drop(self.number(1)?),
            4 => drop(self.text(4)?),
            5 => drop(self.prefixed(4)?),
            7 | 13 => drop(self.number(4)?),
            8 => {
                let count = usize::try_from(self.number(4)?).ok()?;
                self.take(count.checked_mul(8)?)?;
            }
            9 => drop(self.varint()?),
            10 => {
                for _ in 0..self.number(4)? {
                    self.text(4)?;
                    self.text(4)?;
                }
            }
            12 => drop(self.number(2)?),
            _ => return None,
        }
        Some(())
    }
}

type Schema<'d> = (bool, Vec<u8>, &'d [u8]);

fn schema<'d>(cursor: &mut Cursor<'d>, schemas: &mut HashMap<u64, Schema<'d>>) -> Option<()> {
    let id = cursor.number(2)?;
    let before = cursor.0;
    cursor.text(2)?;
    let timed = match cursor.number(1)? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let mut codes = Vec::new();
    for _ in 0..cursor.number(2)? {
        cursor.text(2)?;
        let code = cursor.number(1)?;
        if !matches!(code, 1..=5 | 7..=13) {
            return None;
        }
        codes.push(u8::try_from(code).ok()?);
    }
    let body = &before[..before.len() - cursor.0.len()];
    let known = schemas.entry(id).or_insert((timed, codes, body));
    (known.2 == body).then_some(())
}

fn read(data: &[u8]) -> Option<()> {
    let mut cursor = Cursor(data);
    if cursor.take(5)? != b"TRC\0\x01" {
        return None;
    }
    let mut schemas = HashMap::new();
    let mut base = 0_u64;
    while !cursor.0.is_empty() {
        match cursor.number(1)? {
            1 => schema(&mut cursor, &mut schemas)?,
            2 => {
                let id = cursor.number(2)?;
                let (timed, codes, _) = schemas.get(&id)?;
                if *timed {
                    base = base.checked_add(cursor.number(3)?)?;
                }
                for code in codes {
                    cursor.value(*code)?;
                }
            }
            3 => {
                for _ in 0..cursor.number(4)? {
                    cursor.number(4)?;
                    cursor.text(4)?;
                }
            }
            5 => base = cursor.number(8)?,
            _ => return None,
        }
    }
    Some(())
}

fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let path = line.split("\"file\":\"").nth(1);
        let path = path.and_then(|rest| rest.split('"').next());
        let answer = match path {
            None => r#"{"tracegauge":1,"name":"covered","reports":"verdict"}"#,
            Some(path) => match std::fs::read(path).map(|data| read(&data)) {
                Ok(Some(())) => r#"{"end":"accept"}"#,
                Ok(None) => r#"{"end":"reject"}"#,
                Err(_) => break,
            },
        };
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{answer}")
            .and_then(|()| out.flush())
            .is_err()
        {
            break;
        }
    }
}
