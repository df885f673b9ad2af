//! Reports the values of a case of `values.json` through the crate.

use tracegauge_kit::{Adapter, Class, Rejection, Reporter, Value, json, value};

struct Case<'a>(&'a [u8]);

impl<'a> Case<'a> {
    fn take(&mut self, size: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(size);
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> i32 {
        i32::from_le_bytes(self.take(4).try_into().expect("four bytes"))
    }

    fn words(&mut self) -> &'a [u8] {
        let units = self.number().max(0) as usize;
        self.take(2 * units);
        let length = self.number() as usize;
        self.take(length)
    }

    fn text(&mut self) -> String {
        String::from_utf8_lossy(self.words()).into_owned()
    }

    fn members(&mut self) -> Value {
        let count = self.number();
        (0..count).map(|_| (self.text(), self.value())).collect()
    }

    fn value(&mut self) -> Value {
        match self.take(1)[0] {
            b'n' => Value::Null,
            b'T' => json!(true),
            b'F' => json!(false),
            b'i' => value::integer(self.text().parse().expect("an integer")),
            b'd' => value::float(f64::from_le_bytes(self.take(8).try_into().expect("eight"))),
            b'g' => value::float(f32::from_le_bytes(self.take(4).try_into().expect("four")).into()),
            b's' | b'G' => value::text(self.words()),
            b'P' => json!([self.value(), self.value()]),
            b'V' => json!([self.value()]),
            b'b' => {
                let length = self.number() as usize;
                value::bytes(self.take(length))
            }
            b'[' => (0..self.number()).map(|_| self.value()).collect(),
            b'{' => self.members(),
            b'J' => self.text().parse().expect("JSON"),
            _ => (1..self.number()).fold(json!([]), |inner, _| json!([inner])),
        }
    }
}

fn read(data: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
    let mut case = Case(data);
    while !case.0.is_empty() {
        match case.take(1)[0] {
            b'R' => {
                let mut record = case.members();
                record["record"] = json!("row");
                reporter.record(&record);
            }
            b'X' => {
                let mut rejection = Rejection::new(case.text());
                rejection = match case.text().as_str() {
                    "malformed" => rejection.class(Class::Malformed),
                    "incomplete" => rejection.class(Class::Incomplete),
                    "unsupported" => rejection.class(Class::Unsupported),
                    _ => rejection,
                };
                return Err(match u64::try_from(case.number()) {
                    Ok(offset) => rejection.offset(offset),
                    Err(_) => rejection,
                });
            }
            b'U' => return Err(Rejection::unsupported(case.text())),
            _ => {}
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    Adapter::new("replay", "1.0.0").run(read)
}
